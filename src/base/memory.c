/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Arrays of this size and more are aligned to huge pages and asked to use them: a sweep in random
 * order over small pages spends most of its time looking up addresses. */
static const size_t huge_page = (size_t)2 << 20;
static const size_t huge_from = (size_t)4 << 20;

static void *allocate_huge(size_t bytes) {
    size_t rounded = (bytes + huge_page - 1) / huge_page * huge_page;
    void *block = aligned_alloc(huge_page, rounded);
#if defined(MADV_HUGEPAGE)
    if (block != NULL) (void)madvise(block, rounded, MADV_HUGEPAGE);
#endif
    return block;
}

static void *reallocate(void *block, size_t old_bytes, size_t bytes) {
    if (bytes < huge_from) return realloc(block, bytes > 0 ? bytes : 1);
    void *moved = allocate_huge(bytes);
    if (moved == NULL) return NULL;
    if (old_bytes > 0) memcpy(moved, block, old_bytes < bytes ? old_bytes : bytes);
    free(block);
    return moved;
}

void *memory_resize(struct memory *memory, void *block, size_t old_count, size_t count,
                    size_t size) {
    if (size != 0 && count > SIZE_MAX / 2 / size) return NULL;
    memory->calls++;
    if (memory->refuse_at != 0 && memory->calls == memory->refuse_at) return NULL;
    size_t bytes = count * size;
    char *moved = reallocate(block, old_count * size, bytes);
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
