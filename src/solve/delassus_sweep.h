/* SPDX-License-Identifier: Apache-2.0
 * One Gauss-Seidel sweep over the matrix form, each contact solved exactly with the impulses of the others. */
#ifndef SOLVE_DELASSUS_SWEEP_H
#define SOLVE_DELASSUS_SWEEP_H

#include "solve/delassus_rolling.h"

static inline void delassus_sweep_contact(const struct delassus *problem, double *r, size_t i) {
    /* What the symmetric part of the own block does is taken out, the rest of it stays: with an unsymmetric W the
     * sweeps end at a solution all the same. */
    vec3 own = delassus_get(problem, r, i);
    vec3 velocity = delassus_row(problem, i, r);
    vec3 free_velocity = vec3_sub(velocity, cone_apply(&problem->cone[i], own));
    delassus_set(problem, r, i, cone_solve(&problem->cone[i], free_velocity, problem->mu[i], own));
}

static inline void delassus_sweep(const struct delassus *problem, double *r) {
    if (delassus_rolls(problem))
        for (size_t i = 0; i < problem->count; i++) delassus_rolling_contact(problem, r, i);
    else
        for (size_t i = 0; i < problem->count; i++) delassus_sweep_contact(problem, r, i);
}

#endif
