/* SPDX-License-Identifier: Apache-2.0
 *
 * Beds of spheres at rest for benchmarks. A periodic cell of 1000 spheres settles on a floor; copies of
 * it side by side in a larger periodic cell are a bed at rest of any size, with the contacts of a real
 * packing.
 */
#ifndef BENCH_BED_H
#define BENCH_BED_H

#include "talus/talus.h"

enum { BED_GRAINS = 1000 };

struct bed {
    talus_vec3 position[BED_GRAINS];
    double radius[BED_GRAINS];
    double width; /* m, period along x and y */
};

static const double bed_dt = 0.005, bed_mu = 0.5; /* s, 1; radii near 0.5 m, density 1, g = 9.81 */

talus_status bed_settle(struct bed *bed, talus_error *err);

/* tiles x tiles copies; `solver` as given. */
talus_status bed_tile(const struct bed *bed, int tiles, const talus_solver_config *solver,
                      talus_sim **out, talus_error *err);

#endif
