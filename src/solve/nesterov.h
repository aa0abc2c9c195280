/* SPDX-License-Identifier: Apache-2.0
 *
 * How much momentum an iteration may have [Nesterov1983], and the guards it needs where nothing is proved, as with Coulomb
 * friction: nnsgs.c says why. */
#ifndef SOLVE_NESTEROV_H
#define SOLVE_NESTEROV_H

#include <math.h>
#include <stdbool.h>

/* The share of its last change by which an iterate moves on, from theta = 1 at the start and after a restart. */
static inline double nesterov_share(double *theta) {
    double now = *theta, next = 0.5 * (-now * now + now * sqrt(now * now + 4.0));
    *theta = next;
    return now * (1.0 - now) / (now * now + next);
}

/* Its cap comes back after each cut: the hard part of a cold problem is not its whole life; slower each time, because some
 * problems are hard all along. */
struct nesterov_guard {
    double cap, cap_most; /* of the share */
    double healing;       /* share of the cut that comes back in every sweep */
    double gradient_last, gradient_best;
};

void nesterov_guard_start(struct nesterov_guard *guard, double cap_most);
/* The problem has changed, or who iterates it: what was best says nothing any more. */
void nesterov_guard_forget(struct nesterov_guard *guard);
/* After an iteration that changed the iterate by |change|^2 = `gradient`, and went `against` the change before;
 * momentum would now be `share`. Is it to be dropped? */
bool nesterov_guard_restarts(struct nesterov_guard *guard, double share, double gradient,
                             bool against);

#endif
