/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/nesterov.h"

static const double growth_restart = 4.0; /* restart if |change|^2 grew this much in one sweep */
static const double growth_guard = 10.0;  /* or this much over the best so far: and cut the cap, */
static const double cap_least = 0.5;      /* never below this */
static const double healing_first = 0.1;
static const double healing_fall = 0.95; /* with each cut */

void nesterov_guard_start(struct nesterov_guard *guard, double cap_most) {
    guard->cap = guard->cap_most = cap_most;
    guard->healing = healing_first;
    nesterov_guard_forget(guard);
}

void nesterov_guard_forget(struct nesterov_guard *guard) {
    guard->gradient_last = guard->gradient_best = HUGE_VAL;
}

bool nesterov_guard_restarts(struct nesterov_guard *guard, double share, double gradient,
                             bool against) {
    bool restart = against || gradient > growth_restart * guard->gradient_last;
    guard->cap += guard->healing * (guard->cap_most - guard->cap);
    if (gradient > growth_guard * guard->gradient_best) {
        restart = true;
        guard->healing *= healing_fall;
        guard->cap = fmin(guard->cap_most, fmax(cap_least, 1.0 - 2.0 * (1.0 - share)));
    }
    guard->gradient_last = gradient;
    guard->gradient_best = restart ? gradient : fmin(guard->gradient_best, gradient);
    return restart;
}
