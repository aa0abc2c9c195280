/* SPDX-License-Identifier: Apache-2.0
 *
 * The one door to the heap. Every growable array of a simulation belongs to one struct memory, which
 * counts the calls (a settled step must make none) and can be told to refuse the n-th one (fault
 * tests walk n from 1 until everything succeeds).
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory {
    int64_t calls;     /* allocations and reallocations so far */
    int64_t refuse_at; /* refuse the call with this number; 0 = never */
    size_t bytes;      /* in use now */
    size_t bytes_peak; /* most ever in use */
};

/* Grow or shrink to `count` elements of `size` bytes, keeping the contents; NULL when refused (the
 * old block stays valid). `old_count` is the present number of elements; new room is zeroed. */
void *memory_resize(struct memory *memory, void *block, size_t old_count, size_t count,
                    size_t size);
void memory_free(struct memory *memory, void *block, size_t count, size_t size);

/* Room for at least `needed` elements, growing by half; *capacity is updated. NULL when refused. */
void *memory_reserve(struct memory *memory, void *block, size_t *capacity, size_t needed,
                     size_t size);

#endif
