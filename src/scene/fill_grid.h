/* SPDX-License-Identifier: Apache-2.0
 *
 * Which grains are near a place? Cells on several levels of grain size, so that the cost of a look
 * does not depend on the number of grains nor much on the ratio of their sizes.
 */
#ifndef SCENE_FILL_GRID_H
#define SCENE_FILL_GRID_H

#include "scene/fill_mask.h"
#include "scene/generate.h"

enum { FILL_LEVELS = 24 };

/* A cell holds a copy of its last grain: most cells have one or none, and looking at a row of cells
 * then costs two cache lines instead of five. */
struct fill_cell {
    struct fill_ball {
        vec3 position;
        double radius; /* < 0: the cell is empty */
    } grain;
    int32_t last; /* its index in the array */
};

struct fill_level {
    double radius;   /* largest that belongs here */
    size_t expected; /* grains */
    double width[3]; /* of a cell */
    int64_t cells[3];
    struct fill_cell *heads;
    size_t head_count;
};

struct fill_grid {
    const struct region_space *space;
    const struct fill_walls *walls;
    const talus_cell_config *cell;
    struct memory *memory;
    const struct grains *grains;
    struct fill_level levels[FILL_LEVELS];
    int level_count;
    struct fill_mask mask;
    int32_t *next; /* grain entered before in the same cell; -1 = none */
    size_t next_count;
};

/* Announce every grain to come before fill_grid_open. `largest` bounds all radii. */
void fill_grid_start(struct fill_grid *grid, double largest);
void fill_grid_expect(struct fill_grid *grid, double radius);
/* Room for `most` grains; those still to be placed have at least the radius `smallest`. False: out
 * of memory. */
bool fill_grid_open(struct fill_grid *grid, size_t most, double smallest);
void fill_grid_close(struct fill_grid *grid);

/* Enter grain `index` of the array. */
void fill_grid_add(struct fill_grid *grid, size_t index);
/* Would a grain here touch one that is entered? */
bool fill_grid_overlaps(const struct fill_grid *grid, vec3 at, double radius);

#endif
