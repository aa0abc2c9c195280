/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void *memory_resize(struct memory *memory, void *block, size_t old_count, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) return NULL;
    memory->calls++;
    if (memory->refuse_at != 0 && memory->calls == memory->refuse_at) return NULL;
    size_t bytes = count * size;
    char *moved = realloc(block, bytes > 0 ? bytes : 1);
    if (moved == NULL) return NULL;
    if (count > old_count) memset(moved + old_count * size, 0, (count - old_count) * size);
    memory->bytes = memory->bytes - old_count * size + bytes;
    if (memory->bytes > memory->bytes_peak) memory->bytes_peak = memory->bytes;
    return moved;
}

void memory_free(struct memory *memory, void *block, size_t count, size_t size) {
    if (block == NULL) return;
    memory->bytes -= count * size;
    free(block);
}

void *memory_reserve(struct memory *memory, void *block, size_t *capacity, size_t needed,
                     size_t size) {
    if (needed <= *capacity && block != NULL) return block;
    size_t grown = *capacity + *capacity / 2;
    if (grown < needed) grown = needed;
    if (grown < 16) grown = 16;
    void *moved = memory_resize(memory, block, *capacity, grown, size);
    if (moved != NULL) *capacity = grown;
    return moved;
}
