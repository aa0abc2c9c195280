/* SPDX-License-Identifier: Apache-2.0
 *
 * The step of round grains that are free to move under contacts and gravity alone, by the leapfrog, on their rows: the
 * same as scheme/leapfrog.c and sim/soft_forces.c do for any body, with everything in one place. The arrays of the
 * world follow when somebody looks (sim_soft_sync).
 */
#ifndef SIM_SOFT_ROWS_H
#define SIM_SOFT_ROWS_H

#include "sim/sim.h"

/* The grains among the rows from `first` to before `last`. */
void soft_rows_predict(const struct soft *soft, size_t first, size_t last, double dt);
struct soft_body_sums soft_rows_move(const struct soft *soft, vec3 gravity, size_t first,
                                     size_t last, double dt);

#endif
