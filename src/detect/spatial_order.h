/* SPDX-License-Identifier: Apache-2.0
 * Order points along a space-filling (Morton) curve, so that neighbours in space are near in memory. */
#ifndef DETECT_SPATIAL_ORDER_H
#define DETECT_SPATIAL_ORDER_H

#include <stddef.h>

#include "math/vec3.h"

/* `keys` is scratch for 2 x count words. Equal keys keep the order of their indices. */
void spatial_order(const vec3 *position, size_t count, talus_index *order, uint64_t *keys);

#endif
