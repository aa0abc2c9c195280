/* SPDX-License-Identifier: Apache-2.0
 * Room for shapes while they are made: no world is there yet whose memory could be used. */
#ifndef GEOM_SCRATCH_H
#define GEOM_SCRATCH_H

#include "base/memory.h"

static inline void *scratch_allocate(size_t count, size_t size) {
    struct memory heap = {0};
    return memory_resize(&heap, NULL, 0, count, size);
}

static inline void scratch_release(void *block) {
    struct memory heap = {0};
    memory_free(&heap, block, 0, 0);
}

#endif
