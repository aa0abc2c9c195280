/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* O_DIRECT */
#include "io/bulk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"

#ifndef O_DIRECT
#define O_DIRECT 0 /* then everything goes through the cache */
#endif

enum { PAGE = 4096, BUFFER = 256 * PAGE };

/* A disk that is slower than this would let the run wait for its frames; the cache takes them first. */
static const double slowest = 300e6; /* bytes/s */
static const double patience = 0.01; /* s, for the first writes and a hiccup */

talus_status bulk_open(struct bulk *bulk, const char *directory, const char *name,
                       talus_error *err) {
    *bulk = (struct bulk){.descriptor = -1};
    TALUS_TRY(file_names(&bulk->naming, directory, name, FILE_QUICK, err));
    bulk->room = memory_resize(&bulk->memory, NULL, 0, BUFFER + PAGE, 1);
    if (bulk->room == NULL) return error_memory(err);
    bulk->buffer = bulk->room + (PAGE - (uintptr_t)bulk->room % PAGE) % PAGE;
    bulk->descriptor =
        open(bulk->naming.written, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, (mode_t)0666);
    if (bulk->descriptor >= 0) return TALUS_OK;
    int number = errno;
    memory_free(&bulk->memory, bulk->room, BUFFER + PAGE, 1);
    return error_set(err, TALUS_ERR_FILE, "%s: cannot be created: %s", bulk->naming.path,
                     strerror(number));
}

/* False: the file system, or what the file is, does not allow it. */
static bool set_direct(struct bulk *bulk, bool direct) {
    int flags = fcntl(bulk->descriptor, F_GETFL);
    bulk->direct = false;
    if (O_DIRECT == 0 || flags < 0) return false;
    flags = direct ? flags | O_DIRECT : flags & ~O_DIRECT;
    bulk->direct = fcntl(bulk->descriptor, F_SETFL, flags) == 0 && direct;
    return bulk->direct == direct;
}

static void write_all(struct bulk *bulk, const char *bytes, size_t count) {
    while (count > 0 && bulk->trouble == 0) {
        ssize_t got = write(bulk->descriptor, bytes, count);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EINVAL && bulk->direct && set_direct(bulk, false)) continue;
        if (got < 0) {
            bulk->trouble = errno;
            return;
        }
        bytes += got;
        count -= (size_t)got;
        /* What is left after a short write is no longer at the start of a page. */
        if (bulk->direct && count % PAGE != 0) set_direct(bulk, false);
    }
}

/* Only whole buffers go directly; so small files never do. */
static void flush_full(struct bulk *bulk) {
    if (bulk->written == 0) set_direct(bulk, true);
    double start = clock_seconds();
    write_all(bulk, bulk->buffer, BUFFER);
    bulk->seconds += clock_seconds() - start;
    bulk->written += BUFFER;
    bulk->used = 0;
    if (bulk->direct && bulk->seconds > patience + (double)bulk->written / slowest)
        set_direct(bulk, false);
}

char *bulk_room(struct bulk *bulk, size_t wanted, size_t *got) {
    size_t left = BUFFER - bulk->used;
    *got = wanted < left ? wanted : left;
    return bulk->buffer + bulk->used;
}

void bulk_advance(struct bulk *bulk, size_t count) {
    bulk->used += count;
    if (bulk->used == BUFFER) flush_full(bulk);
}

void bulk_put(struct bulk *bulk, const void *bytes, size_t count) {
    const char *from = bytes;
    while (count > 0) {
        size_t got;
        char *to = bulk_room(bulk, count, &got);
        memcpy(to, from, got);
        bulk_advance(bulk, got);
        from += got;
        count -= got;
    }
}

void bulk_print(struct bulk *bulk, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        bulk->trouble = EOVERFLOW;
    else
        bulk_put(bulk, text, (size_t)length);
}

talus_status bulk_close(struct bulk *bulk, talus_error *err) {
    if (bulk->direct) set_direct(bulk, false);
    write_all(bulk, bulk->buffer, bulk->used);
    if (close(bulk->descriptor) != 0 && bulk->trouble == 0) bulk->trouble = errno;
    bulk->descriptor = -1;
    memory_free(&bulk->memory, bulk->room, BUFFER + PAGE, 1);
    if (bulk->trouble == 0 && rename(bulk->naming.written, bulk->naming.path) != 0)
        bulk->trouble = errno;
    if (bulk->trouble == 0) return TALUS_OK;
    remove(bulk->naming.written);
    return error_set(err, TALUS_ERR_FILE, "%s: cannot be written: %s", bulk->naming.path,
                     strerror(bulk->trouble));
}
