/* SPDX-License-Identifier: Apache-2.0
 * How far a grain has gone from one state to another. */
#ifndef MEASURE_DISPLACEMENT_H
#define MEASURE_DISPLACEMENT_H

#include "measure/snapshot.h"

/* By the counted crossings of the periodic sides if both states have them (`image`), else the short way. */
static inline vec3 snapshot_way(const struct snapshot *before, size_t i, const struct snapshot *now,
                                size_t j) {
    const struct cell *cell = &now->cell;
    if (before->has & HAS_IMAGE && now->has & HAS_IMAGE)
        return vec3_sub(cell_unwrap(cell, now->position[j], now->image[j]),
                        cell_unwrap(cell, before->position[i], before->image[i]));
    return cell_branch(cell, before->position[i], now->position[j]);
}

#endif
