/* SPDX-License-Identifier: Apache-2.0
 *
 * Piles of equal boxes for benchmarks: where they start, a simulation made from them, the file from which
 * other engines start with the same boxes. In a plane world boxes are squares and y is up; else z is up.
 */
#ifndef BENCH_PILE_H
#define BENCH_PILE_H

#include "talus/talus.h"

struct pile {
    int dim; /* 2 or 3 */
    size_t count;
    talus_vec3 *position; /* m; a box has sides of 1 m and density 1 */
    talus_quat *orientation;
    double width[2]; /* m, between walls along x and y; 0: a floor and no walls */
};

static const double pile_dt = 0.005, pile_mu = 0.5, pile_gravity = 9.81; /* s, 1, m/s^2 */

/* A loose grid of side^3 boxes, each turned at random, over a container. */
talus_status pile_heap(struct pile *pile, int side, talus_error *err);

/* A wall in running bond: 3D, boxes flat on two others each, free to both sides. */
talus_status pile_wall(struct pile *pile, int length, int layers, talus_error *err);

/* In the plane: rows of base, base - 1, ... 1 squares. */
talus_status pile_pyramid(struct pile *pile, int base, talus_error *err);

/* The boxes of a simulation made by pile_make as they lie now, times_x x times_y copies side by side. */
talus_status pile_copy(struct pile *pile, const struct pile *from, const talus_sim *sim,
                       const int times[2], talus_error *err);

/* A copy. */
talus_status pile_same(struct pile *pile, const struct pile *from, talus_error *err);

/* A new simulation with these boxes at rest. */
talus_status pile_make(const struct pile *pile, const talus_solver_config *solver, talus_sim **out,
                       talus_error *err);

/* "dim count width_x width_y dt mu gravity", then "x y z qw qx qy qz" for each box. */
talus_status pile_write(const struct pile *pile, const char *path, talus_error *err);
/* The positions and orientations of such boxes, in the same form, from another engine. */
talus_status pile_read(struct pile *pile, const char *path, talus_error *err);

void pile_free(struct pile *pile);

#endif
