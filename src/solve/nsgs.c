/* SPDX-License-Identifier: Apache-2.0
 * Nonlinear (nonsmooth) Gauss-Seidel: plain sweeps, the solver of the papers [Unger2003; Jean1999]. */
#include "solve/solver.h"

static void init(struct solve_run *run) {
    (void)run;
}

static void iterate(struct solve_run *run) {
    sweep_once(run,
               run->config->stop == TALUS_STOP_LOCAL || run->config->stop == TALUS_STOP_GLOBAL);
}

const struct solver_type solver_nsgs = {
    .entry = {"solver", "nsgs", "nonlinear Gauss-Seidel sweeps; sweeps needed grow as (L/d)^2",
              "[Unger2003, eqs. 34, 38, 48]", NULL, NULL, 0},
    .needs_history = false,
    .init = init,
    .iterate = iterate,
};
