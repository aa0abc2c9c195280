/* SPDX-License-Identifier: Apache-2.0
 * Plain Gauss-Seidel sweeps (NSGS) over the matrix form, forward, contacts in the order given. */
#include "solve/delassus_solver.h"
#include "solve/delassus_sweep.h"

static bool init(struct delassus_run *run) {
    (void)run;
    return true;
}

static void iterate(struct delassus_run *run) {
    delassus_sweep(run->problem, run->r);
}

static void finish(struct delassus_run *run) {
    (void)run;
}

const struct delassus_type delassus_nsgs = {
    .entry = {"problem solver", "nsgs", "Gauss-Seidel sweeps, each contact solved exactly", "",
              NULL, NULL, 0},
    .check_first = 10,
    .check_most = 100,
    .init = init,
    .iterate = iterate,
    .finish = finish,
};
