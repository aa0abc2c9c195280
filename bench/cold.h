/* SPDX-License-Identifier: Apache-2.0
 *
 * One step of a load at rest, from no forces at all: how many sweeps, and how many seconds, until forces are right on the
 * scale of the system. The load is a packing under its weight, or a chain of equal discs in one dimension,
 * pressed against a wall by its last disc.
 *
 * True error. Of a chain: largest |P - F|/F over its contacts. Of a packing: momentum along gravity
 * that all grains above a height have and should not have, largest over all heights, over the impulse of the weight (docs/theory/convergence.md); "should"
 * by a solve of the same step to a residual and balance of 3e-5. Neither asks the solver.
 */
#ifndef BENCH_COLD_H
#define BENCH_COLD_H

#include <stdio.h>

#include "bench/packing.h"

struct cold_point { /* one solve */
    int sweeps;     /* all of them: also those without momentum at the end */
    double seconds; /* to set the problem up and to solve it */
    double error;   /* true one */
    talus_measures measures;
    int64_t contacts;
    int restarts, fallbacks;
};

struct cold_load {
    const struct packing *packing; /* NULL: a chain */
    int discs;                     /* of the chain */
    double mu;
    talus_vec3 *answer; /* velocities of the packing's grains as they should be */
    double rest;        /* momentum that these have, as the error is measured: how far from rest */
};

void cold_chain(struct cold_load *load, int discs);
talus_status cold_packing(struct cold_load *load, const struct packing *packing, double mu,
                          talus_error *err);
void cold_free(struct cold_load *load);

struct cold_solver {
    const char *name; /* "nsgs", "nnsgs" */
    talus_sweep sweep;
};

/* The true error of a packing after a step; `answer`: velocities of its grains as they should be, NULL: at rest. */
talus_status cold_error(const struct packing *packing, const talus_sim *sim,
                        const talus_vec3 *answer, double *error, talus_error *err);

/* So many sweeps. */
talus_status cold_solve(const struct cold_load *load, const struct cold_solver *solver, int sweeps,
                        struct cold_point *point, talus_error *err);

/* The fewest sweeps from which on the true error stays below `goal`; `guess`: where to start to look. With momentum,
 * under which errors swing, every number of sweeps in steps of 7 % up to twice the answer is tried; without, errors only fall,
 * and the crossing is found to 3 %. `point` is the solve with that many. If `limit` sweeps are not enough the answer is
 * extrapolated from the last two solves and `beyond` set. */
struct cold_search {
    double goal;
    int guess, limit;
    int first; /* out: the fewest sweeps with which it is below, whatever more of them do */
    bool beyond;
};
talus_status cold_reach(const struct cold_load *load, const struct cold_solver *solver,
                        struct cold_search *search, struct cold_point *point, talus_error *err);

/* A row of a table of convergence: what was solved, by whom, sweeps, seconds, every measure. NULL: the heading. */
void cold_row(FILE *table, const char *load, size_t n, const char *solver,
              const struct cold_point *point);

#endif
