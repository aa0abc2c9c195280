/* SPDX-License-Identifier: Apache-2.0
 *
 * A turn of `auto` (auto.c) for steps on which sweeps make no progress: the problem of the step in matrix form, and proximal
 * steps by Newton's method with a sparse factorisation on it (delassus_proximal.c). They carry a force from one end
 * to the other at once, and find solutions around which sweeps go in circles.
 */
#ifndef SOLVE_FACTOR_TURN_H
#define SOLVE_FACTOR_TURN_H

#include "solve/problem.h"

struct factor_limits {
    double tolerance; /* of the natural map over ||q|| */
    int sweeps;       /* the work it may do */
};

struct factor_report {
    int steps;  /* of Newton's method; 0: it was not begun, because of its cost, laws, or memory */
    int sweeps; /* that would have been about the same work */
};

/* From the present impulses; the best it found is left. */
struct factor_report factor_turn(struct problem *problem, struct factor_limits limits);

#endif
