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
    double tolerance;  /* of the natural map over ||q|| */
    int sweeps;        /* the work that may be done, in sweeps that are as much, about */
    int64_t refuse_at; /* for tests: the call for memory that is refused (memory.h) */
};

struct factor_report {
    int steps;  /* of Newton's method */
    int sweeps; /* that would have been about the same work */
    bool over;  /* no more steps, for want of work: they can be allowed; */
    bool done;  /* or because they are within the tolerance, or lost */
};

struct factor_turn;

/* From the present impulses. NULL: it costs too much, the laws are no cones, or memory was refused. Its memory is its own: islands have theirs
 * side by side. */
struct factor_turn *factor_turn_begin(const struct problem *problem, struct factor_limits limits);
/* Some steps; the best impulses so far become those of the problem, which nobody else may have touched meanwhile. */
struct factor_report factor_turn_go_on(struct factor_turn *turn, struct problem *problem);
/* So much more work. False: it is not enough for a step. */
bool factor_turn_allow(struct factor_turn *turn, int sweeps);
void factor_turn_end(struct factor_turn *turn); /* NULL: nothing to do */

#endif
