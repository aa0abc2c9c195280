/* SPDX-License-Identifier: Apache-2.0
 *
 * What a room keeps, listed once for both ways: the same function of a room hands its arrays to an archive that
 * writes them and to one that fills them. So nothing can be written and not read, or in another order. Each room has one
 * such file beside its data (world_archive.c, detect_archive.c, ...); io/checkpoint.c is the archive with a file.
 *
 * Counts go before the arrays they belong to; when reading, the room makes the room for them in between.
 */
#ifndef BASE_ARCHIVE_H
#define BASE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "talus/status.h"
#include "talus/types.h"

enum archive_kind {
    ARCHIVE_DOUBLE,
    ARCHIVE_INT64,
    ARCHIVE_INT32,
    ARCHIVE_UINT64,
    ARCHIVE_UINT32,
    ARCHIVE_UINT8,
    ARCHIVE_TEXT,  /* of a fixed number of bytes */
    ARCHIVE_BYTES, /* as they are in memory: for this version of the program alone */
    ARCHIVE_RECORD /* with members that readers can name */
};

struct archive_member { /* of a record */
    const char *name;
    enum archive_kind kind;
    size_t columns, offset;
};

struct archive_item {
    const char *name; /* bodies/position */
    const char *unit; /* "" = none */
    enum archive_kind kind;
    size_t columns; /* numbers, or bytes, of an element */
    size_t size;    /* bytes of an element */
    void *data;
    size_t count; /* elements */
    const struct archive_member *members;
    size_t member_count;
};

struct archive {
    bool reading;
    talus_status status; /* of the first failure; nothing happens after it */
    talus_error *err;
    void (*move)(struct archive *archive, const struct archive_item *item);
};

static inline bool archive_is_well(const struct archive *archive) {
    return archive->status >= 0;
}

void archive_move(struct archive *archive, const struct archive_item *item);
/* Keep the first failure. */
void archive_fail(struct archive *archive, talus_status status, const char *message);
/* Room for count elements when reading, as memory_reserve makes it; false: there is none, or an earlier failure. When
 * writing there is nothing to do. */
bool archive_room(struct archive *archive, struct memory *memory, void **block, size_t *capacity,
                  const size_t needed[2]);

#define ARCHIVE_KIND(pointer) \
    _Generic((pointer),                \
             double *: ARCHIVE_DOUBLE, \
        talus_vec3 *: ARCHIVE_DOUBLE,  \
        talus_quat *: ARCHIVE_DOUBLE,  \
        int64_t *: ARCHIVE_INT64,      \
        int32_t *: ARCHIVE_INT32,      \
        uint64_t *: ARCHIVE_UINT64,    \
        uint32_t *: ARCHIVE_UINT32,    \
        uint8_t *: ARCHIVE_UINT8,      \
        bool *: ARCHIVE_UINT8,         \
        default: ARCHIVE_BYTES)
#define ARCHIVE_COLUMNS(pointer) \
    (sizeof *(pointer) / _Generic((pointer), \
             double *: sizeof(double),    \
        talus_vec3 *: sizeof(double),     \
        talus_quat *: sizeof(double),     \
        int64_t *: sizeof(int64_t),       \
        int32_t *: sizeof(int32_t),       \
        uint64_t *: sizeof(uint64_t),     \
        uint32_t *: sizeof(uint32_t),     \
        default: (size_t)1))

/* `n` elements from `pointer` on; their type says how they are kept. */
#define ARCHIVE(archive, path, measure, pointer, n)                                     \
    archive_move(archive, &(struct archive_item){.name = (path),                        \
                                                 .unit = (measure),                     \
                                                 .kind = ARCHIVE_KIND(pointer),         \
                                                 .columns = ARCHIVE_COLUMNS(pointer),   \
                                                 .size = sizeof *(pointer),             \
                                                 .data = (void *)(pointer), /* const */ \
                                                 .count = (n)})
/* Records with members that readers can name. */
#define ARCHIVE_RECORDS(archive, path, pointer, n, list)           \
    archive_move(archive,                                          \
                 &(struct archive_item){.name = (path),            \
                                        .unit = "",                \
                                        .kind = ARCHIVE_RECORD,    \
                                        .columns = 1,              \
                                        .size = sizeof *(pointer), \
                                        .data = (pointer),         \
                                        .count = (n),              \
                                        .members = (list),         \
                                        .member_count = sizeof(list) / sizeof((list)[0])})
#define ARCHIVE_MEMBER(type, field, kind, columns) \
    { #field, kind, columns, offsetof(type, field) }

/* An array that belongs to `owner` and grows by itself: room when reading, then its elements. */
#define ARCHIVE_LIST(archive, owner, path, measure, pointer, capacity, n) \
    do {                                                                  \
        void *block_ = (pointer);                                         \
        if (archive_room(archive, owner, &block_, &(capacity),            \
                         (const size_t[2]){n, sizeof *(pointer)}))        \
            (pointer) = block_;                                           \
        ARCHIVE(archive, path, measure, pointer, n);                      \
    } while (0)

/* A struct that grows must not be forgotten here: who adds a field decides whether a restart needs it, lists it
 * if so, and then changes the number (of a 64-bit machine). */
#define ARCHIVE_KNOWS(type, bytes)                                                              \
    _Static_assert(sizeof(void *) != 8 || sizeof(type) == (bytes),                              \
                   "a field was added or removed: does a restart need it? Then list it below, " \
                   "and change this number")

#endif
