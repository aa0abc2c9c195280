/* SPDX-License-Identifier: Apache-2.0
 *
 * Packings of round grains at rest, made anew or read from a file, for benchmarks of solvers: discs (2D, y is up) or
 * spheres (3D, z is up) on a floor, periodic sideways or between walls. Mean diameters are near 1 m, density 1.
 *
 * A new one is a deposit: one grain after the other falls and rolls down over those that lie there already until it
 * can get no lower. This costs n, not n times the height as a bed that falls in one piece. Time steps then let it settle.
 */
#ifndef BENCH_PACKING_H
#define BENCH_PACKING_H

#include "talus/talus.h"

struct packing {
    int dim;
    size_t count;
    talus_vec3 *position;
    double *radius;
    double width;  /* m, of the cell; between walls if it is not periodic */
    bool periodic; /* sideways */
};

static const double packing_dt = 0.005, packing_gravity = 9.81; /* s, m/s^2 */

struct packing_plan {
    int dim;
    size_t count;
    uint64_t seed; /* another one of the same kind */
    bool walls;    /* sideways; else periodic */
};

/* As wide as it is high, more or less. */
talus_status packing_deposit(struct packing *packing, const struct packing_plan *plan,
                             talus_error *err);

/* At rest under gravity with this friction coefficient. */
talus_status packing_settle(struct packing *packing, double mu, talus_error *err);

/* "n dim L", then "x y z r": in a box [0, L]^2 with a floor at z = 0. */
talus_status packing_read(struct packing *packing, const char *path, talus_error *err);

/* tiles x tiles copies of a pile between walls, without the walls between them. */
talus_status packing_tile(struct packing *packing, const struct packing *from, int tiles,
                          talus_error *err);

/* A new simulation with these grains at rest; mu between all. */
talus_status packing_make(const struct packing *packing, double mu,
                          const talus_solver_config *solver, talus_sim **out, talus_error *err);

double packing_height(const struct packing *packing);   /* m, of the highest centre */
double packing_diameter(const struct packing *packing); /* m, the mean */
void packing_free(struct packing *packing);

#endif
