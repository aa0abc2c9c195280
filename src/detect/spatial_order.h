/* SPDX-License-Identifier: Apache-2.0
 * Order points so that neighbours in space are near in memory. `keys` is scratch for 2 x count words. Equal keys
 * keep the order of their indices. */
#ifndef DETECT_SPATIAL_ORDER_H
#define DETECT_SPATIAL_ORDER_H

#include <stddef.h>

#include "math/vec3.h"

/* Along a space-filling (Morton) curve. */
void spatial_order(const vec3 *position, size_t count, talus_index *order, uint64_t *keys);

/* Slab by slab along the longest side of the box around them, each about one point thick, and along a curve inside: all
 * neighbours of a point stand within two slabs of it. Where a slab would hold more than `most`, as above. Points with a
 * `boundary` of 0 or more have a place in the order but do not count for the box. */
void spatial_order_slabs(const vec3 *position, const int32_t *boundary, size_t count, size_t most,
                         talus_index *order, uint64_t *keys);

#endif
