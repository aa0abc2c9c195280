/* SPDX-License-Identifier: Apache-2.0
 *
 * Gauss-Seidel sweeps with Nesterov momentum and restarts [Nesterov1983] over the matrix form: nnsgs.c says why.
 * One iteration is one sweep; the impulses shown to the framework are those after the sweep, inside their
 * cones, before the momentum is added.
 */
#include <math.h>
#include <string.h>

#include "solve/delassus_solver.h"
#include "solve/delassus_sweep.h"

static const double growth_restart = 4.0; /* restart if |dr|^2 grew this much in one sweep */
static const double growth_guard = 10.0;  /* or this much over the best so far */
static const double cap_least = 0.5;      /* the guard never cuts momentum below this */

struct state {
    double *before; /* impulses at the start of the sweep, momentum included */
    double *last;   /* after the sweep before */
    double beta, theta, cap, gradient_last, gradient_best;
};

static bool init(struct delassus_run *run) {
    size_t size = delassus_size(run->problem);
    struct state *state = run->state = memory_resize(run->memory, NULL, 0, 1, sizeof *state);
    if (state == NULL) return false;
    state->before = memory_resize(run->memory, NULL, 0, size, sizeof *state->before);
    state->last = memory_resize(run->memory, NULL, 0, size, sizeof *state->last);
    if (state->before == NULL || state->last == NULL) return false;
    memcpy(state->last, run->r, size * sizeof *run->r);
    state->theta = state->cap = 1.0;
    state->gradient_last = state->gradient_best = HUGE_VAL;
    return true;
}

static void choose_momentum(struct state *state, double gradient, double turn) {
    double theta = state->theta;
    double next = 0.5 * (-theta * theta + theta * sqrt(theta * theta + 4.0));
    double beta = fmin(theta * (1.0 - theta) / (theta * theta + next), state->cap);
    bool restart = turn > 0.0 || gradient > growth_restart * state->gradient_last;
    if (gradient > growth_guard * state->gradient_best) {
        restart = true;
        state->cap = fmax(cap_least, 1.0 - 2.0 * (1.0 - beta));
    }
    state->gradient_best = fmin(state->gradient_best, gradient);
    if (restart) {
        next = 1.0;
        beta = 0.0;
        state->gradient_best = gradient;
    }
    state->theta = next;
    state->gradient_last = gradient;
    state->beta = beta;
}

static void iterate(struct delassus_run *run) {
    struct state *state = run->state;
    size_t size = delassus_size(run->problem);
    double gradient = 0.0, turn = 0.0;
    for (size_t k = 0; k < size; k++) {
        double pushed = run->r[k] + state->beta * (run->r[k] - state->last[k]);
        state->last[k] = run->r[k];
        state->before[k] = run->r[k] = pushed;
    }
    for (size_t i = 0; i < run->problem->count; i++)
        delassus_sweep_contact(run->problem, run->r, i);
    for (size_t k = 0; k < size; k++) {
        double step = state->before[k] - run->r[k];
        gradient += step * step;
        turn += step * (run->r[k] - state->last[k]);
    }
    choose_momentum(state, gradient, turn);
}

static void finish(struct delassus_run *run) {
    struct state *state = run->state;
    size_t size = delassus_size(run->problem);
    if (state == NULL) return;
    memory_free(run->memory, state->before, size, sizeof *state->before);
    memory_free(run->memory, state->last, size, sizeof *state->last);
    memory_free(run->memory, state, 1, sizeof *state);
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
