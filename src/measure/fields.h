/* SPDX-License-Identifier: Apache-2.0
 * The grid of coarse-grained fields, and the kernel spread over it: fields_grid.c, fields_brush.c, fields.c. */
#ifndef MEASURE_FIELDS_H
#define MEASURE_FIELDS_H

#include "measure/measure.h"

enum { FIELD_CELLS = 20000000 }; /* of a grid, and about one source, at most */

/* ---- the grid -------------------------------------------------------------------------------- */

/* Cells with the edges low + i spacing; along axes that the world has not there is one. */
struct field_grid {
    int dim;
    double width, cut; /* m, of the kernel: standard deviation, end */
    double low[3], spacing[3];
    int64_t cells[3];
    bool periodic[3];
    size_t count; /* of all cells */
    double cell_volume;
};

/* Around all grains, or cut to `from`, `to`. Fails if it has too many cells. */
talus_status field_grid_make(struct field_grid *grid, const struct measure_input *input,
                             talus_error *err);

/* Lattice points along an axis that a line of this length can reach, at most; all together must not be too many. */
double field_grid_points(const struct field_grid *grid, int axis, double longest);
talus_status field_grid_check_reach(const struct field_grid *grid, double longest,
                                    talus_error *err);

/* ---- one source ------------------------------------------------------------------------------ */

/* Cells in a row along the last axis, with the weights of a source in them. */
struct field_span {
    int64_t base;         /* of the row; -1: outside */
    int32_t first, count; /* of `place` along the last axis */
    size_t weight;        /* of the first one */
};

/* The kernel about a point, or spread along a line: its weights on the cells. */
struct field_brush {
    struct memory *memory;
    const struct field_grid *grid;
    double *off[3];    /* lattice points from the start of the line, in ends of the kernel */
    int64_t *place[3]; /* numbers of their cells along the axis; -1: outside */
    size_t axis_capacity[3];
    double *weights;
    size_t weight_capacity;
    struct field_span *spans;
    size_t span_count, span_capacity;
};

/* `longest`: m, of all branches. */
talus_status field_brush_open(struct field_brush *brush, const struct field_grid *grid,
                              double longest, talus_error *err);
void field_brush_free(struct field_brush *brush);
/* Returns the factor for the weights, with which their sum times the cell volume is 1, those outside the grid included. */
double field_brush_put(struct field_brush *brush, vec3 from, vec3 branch);

#endif
