/* SPDX-License-Identifier: Apache-2.0
 *
 * How far a set of impulses is from the answer, whatever solver made it: errors of single contacts, and the error
 * on the scale of the system, which no contact sees (docs/theory/convergence.md).
 */
#ifndef SOLVE_MEASURES_H
#define SOLVE_MEASURES_H

#include <math.h>

#include "solve/problem.h"

struct balance_room {         /* scratch of the balance */
    talus_index *end, *order; /* one for each body */
    talus_index *touches;     /* two for each contact */
};

struct solve_measures {
    double residual;         /* natural map over ||q|| */
    double residual_siconos; /* rho = 1, over max(||q||, ||P||, ||u||) */
    double balance;          /* share of the forces that is missing on long scales */
    double penetration_new;  /* largest, made in this step, over the smaller arm */
};

/* Something moves at it, and it does not wait. */
static inline bool contact_counts(const struct solve_contact *contact) {
    return contact->m_n > 0.0 && contact->bias < HUGE_VAL;
}

/* Natural map of rho = 1 in the units of the problem, over the largest of ||q||, ||P|| and ||u||. */
double problem_residual_siconos(const struct problem *problem);

/* The long-wave error. `before`: impulses some sweeps ago, NULL: not known. */
double problem_balance(const struct problem *problem, const struct combined_impulse *before,
                       const struct balance_room *room, struct crew *crew);

/* The largest overlap that a step of length dt makes. */
double problem_penetration(const struct problem *problem, double dt);

/* Mean net force on bodies over mean contact force. */
double problem_unbalanced(const struct problem *problem);

struct solve_measures problem_measures(const struct problem *problem,
                                       const struct balance_room *room, double dt);

#endif
