/* SPDX-License-Identifier: Apache-2.0
 *
 * The cell: open, or periodic in any of the directions. Every branch vector and every wrapped
 * position of the program is made here, so a sheared or breathing cell has to be taught only here.
 */
#ifndef WORLD_CELL_H
#define WORLD_CELL_H

#include "math/vec3.h"
#include "talus/sim.h"

struct image { /* how often a body has left the cell through its upper sides */
    int32_t x, y, z;
};

struct cell {
    bool periodic[3];
    bool any;
    vec3 origin, size;
};

static inline struct cell cell_make(const talus_cell_config *config) {
    struct cell cell;
    cell.any = false;
    for (int axis = 0; axis < 3; axis++) {
        cell.periodic[axis] = config->periodic[axis];
        if (config->periodic[axis]) cell.any = true;
    }
    cell.origin = config->origin;
    cell.size = config->size;
    return cell;
}

static inline double cell_nearest(double difference, double period) {
    return difference - period * rint(difference / period);
}

/* From `from` to the nearest image of `to`. */
static inline vec3 cell_branch(const struct cell *cell, vec3 from, vec3 to) {
    vec3 branch = vec3_sub(to, from);
    if (!cell->any) return branch;
    if (cell->periodic[0]) branch.x = cell_nearest(branch.x, cell->size.x);
    if (cell->periodic[1]) branch.y = cell_nearest(branch.y, cell->size.y);
    if (cell->periodic[2]) branch.z = cell_nearest(branch.z, cell->size.z);
    return branch;
}

static inline double cell_wrap_axis(double value, double origin, double size, int32_t *image) {
    double turns = floor((value - origin) / size);
    if (turns == 0.0) return value;
    if (fabs(turns) < 2e9) *image += (int32_t)turns; /* absurd ways are not counted */
    return value - turns * size;
}

/* Bring a position back into the cell, counting the crossings. */
static inline vec3 cell_wrap(const struct cell *cell, vec3 position, struct image *image) {
    if (!cell->any) return position;
    if (cell->periodic[0])
        position.x = cell_wrap_axis(position.x, cell->origin.x, cell->size.x, &image->x);
    if (cell->periodic[1])
        position.y = cell_wrap_axis(position.y, cell->origin.y, cell->size.y, &image->y);
    if (cell->periodic[2])
        position.z = cell_wrap_axis(position.z, cell->origin.z, cell->size.z, &image->z);
    return position;
}

/* Where the body would be had it never been wrapped. */
static inline vec3 cell_unwrap(const struct cell *cell, vec3 position, struct image image) {
    if (cell->periodic[0]) position.x += cell->size.x * image.x;
    if (cell->periodic[1]) position.y += cell->size.y * image.y;
    if (cell->periodic[2]) position.z += cell->size.z * image.z;
    return position;
}

#endif
