/* SPDX-License-Identifier: Apache-2.0
 *
 * How far a set of impulses is from the answer, whatever solver made it: errors of single contacts, and the error
 * on the scale of the system, which no contact sees (docs/theory/convergence.md).
 */
#ifndef SOLVE_MEASURES_H
#define SOLVE_MEASURES_H

#include <math.h>

#include "solve/problem.h"

/* Functions of space by which forces may be wrong, and those by which their last changes may have to go on. */
enum { BALANCE_WAVES = 8, BALANCE_TRENDS = 4 };

/* What forces and torques on a body become if those of its contacts, or their changes, are multiplied by each of the
 * functions: x y z, and about them. */
struct balance_row {
    double push[6][BALANCE_WAVES], trend[6][BALANCE_TRENDS]; /* N s, N m s */
    int32_t turn; /* its mobility for turning + 1; 0: isotropic */
    bool moves;   /* and has a contact that presses */
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

/* The long-wave error. `before`: impulses some sweeps ago, NULL: not known; `rows`: scratch, one for each body. */
double problem_balance(const struct problem *problem, const struct combined_impulse *before,
                       struct balance_row *rows);

/* The largest overlap that a step of length dt makes. */
double problem_penetration(const struct problem *problem, double dt);

/* Mean net force on bodies over mean contact force. */
double problem_unbalanced(const struct problem *problem);

struct solve_measures problem_measures(const struct problem *problem, struct balance_row *rows,
                                       double dt);

#endif
