/* SPDX-License-Identifier: Apache-2.0
 *
 * Which spheres of very different size overlap? A stack of cell grids, one for each factor of two in
 * size: a body lives on the finest level whose cells are as wide as the body, and looks for partners
 * on its own level and the coarser ones, in the 3 x 3 x 3 cells around it. The cost is O(n) per
 * level whatever the ratio of sizes. Cells are found through a table of buckets, so an open world
 * with a stray grain far away costs nothing.
 */
#ifndef DETECT_GRID_H
#define DETECT_GRID_H

#include "base/memory.h"
#include "world/cell.h"

enum { GRID_LEVELS = 24 }; /* sizes over a range of 2^23 */

struct grid_entry { /* a body, sorted by cell */
    vec3 position;
    double radius; /* with its margin */
    uint64_t key;  /* of its cell on its level */
    talus_index body;
};

struct grid_level {
    vec3 origin, width; /* of the cells */
    int64_t cells[3];   /* number of cells along each axis */
    bool periodic[3];
    size_t count;  /* bodies on this level */
    size_t first;  /* of its entries */
    size_t table;  /* first bucket of this level */
    uint64_t mask; /* number of buckets - 1 */
};

struct pair {
    talus_index a, b; /* a < b */
};

struct grid {
    struct memory *memory;
    struct grid_level levels[GRID_LEVELS];
    int level_count;
    struct grid_entry *entries;
    size_t entry_capacity;
    uint8_t *level_of; /* of each body */
    size_t level_capacity;
    uint32_t *buckets; /* first entry of each bucket, levels one after the other */
    size_t bucket_capacity;
    struct pair *pairs;
    size_t pair_count, pair_capacity;
};

/* All pairs i < j of bodies whose spheres (position, radius) overlap; radius <= 0 leaves a body out.
 * The pairs stand in grid.pairs. Returns false when memory is refused. */
bool grid_find_pairs(struct grid *grid, const struct cell *cell, const vec3 *position,
                     const double *radius, size_t count);
void grid_free(struct grid *grid);

/* One more pair, found by other means. */
bool grid_add_pair(struct grid *grid, talus_index a, talus_index b);

#endif
