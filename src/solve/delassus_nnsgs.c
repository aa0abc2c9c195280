/* SPDX-License-Identifier: Apache-2.0
 *
 * Gauss-Seidel sweeps with Nesterov momentum and restarts [Nesterov1983] over the matrix form. The impulses shown
 * to the framework are those after a sweep, inside their cones, before momentum is added.
 */
#include "solve/delassus_momentum.h"
#include "solve/delassus_solver.h"
#include "solve/delassus_sweep.h"

static bool init(struct delassus_run *run) {
    struct momentum *momentum = run->state =
        memory_resize(run->memory, NULL, 0, 1, sizeof *momentum);
    if (momentum == NULL) return false;
    return momentum_make(momentum, run->memory, run->r, delassus_size(run->problem));
}

static void iterate(struct delassus_run *run) {
    momentum_push(run->state, run->r);
    delassus_sweep(run->problem, run->r);
    momentum_look(run->state, run->r);
}

static void finish(struct delassus_run *run) {
    if (run->state == NULL) return;
    momentum_free(run->state, run->memory);
    memory_free(run->memory, run->state, 1, sizeof(struct momentum));
}

const struct delassus_type delassus_nnsgs = {
    .entry = {"problem solver", "nnsgs", "Gauss-Seidel sweeps with momentum and restarts",
              "[Nesterov1983]", NULL, NULL, 0},
    .check_first = 10,
    .check_most = 100,
    .init = init,
    .iterate = iterate,
    .finish = finish,
};
