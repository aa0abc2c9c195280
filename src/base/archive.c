/* SPDX-License-Identifier: Apache-2.0 */
#include "base/archive.h"

#include "base/error.h"

void archive_move(struct archive *archive, const struct archive_item *item) {
    if (archive_is_well(archive)) archive->move(archive, item);
}

void archive_fail(struct archive *archive, talus_status status, const char *message) {
    if (archive_is_well(archive)) archive->status = error_set(archive->err, status, "%s", message);
}

bool archive_room(struct archive *archive, struct memory *memory, void **block, size_t *capacity,
                  const size_t needed[2]) {
    if (!archive_is_well(archive) || !archive->reading) return archive_is_well(archive);
    void *grown = memory_reserve(memory, *block, capacity, needed[0], needed[1]);
    if (grown == NULL) {
        archive->status = error_memory(archive->err);
        return false;
    }
    *block = grown;
    return true;
}
