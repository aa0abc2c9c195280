/* SPDX-License-Identifier: Apache-2.0
 *
 * Gauss-Seidel projections with momentum on the convex problem, and around them a loop on the slip. With s = mu |u_t|
 * held the law is the condition of
 *     min  r.W r/2 + r.(q + s n)    r in the Coulomb cones
 * (with rolling friction s = mu |u_t| + mu_r |u_r|, law/rolling_cone.h) whose solution gives the next s [Saxce1998]; friction is exact when s no longer changes. A contact is not solved
 * but takes one projected step of the length its own block allows, which needs no inverse.
 *
 * s is renewed when the sweeps have done their part (the change of a sweep fell to `inner_goal` of the first) or
 * after a number of sweeps that grows each time it was too small.
 */
#include <math.h>

#include "law/coulomb.h"
#include "solve/delassus_momentum.h"
#include "solve/delassus_rolling.h"
#include "solve/delassus_solver.h"

static const double inner_goal = 0.3;
static const double limit_first = 10.0, limit_growth = 1.2; /* sweeps with the same s */
enum { LEAST_SWEEPS = 6 };

struct state {
    struct momentum momentum;
    double *slip; /* s, for each contact */
    double *step; /* 1/largest eigenvalue of the own block */
    double limit, first;
    int inner;
};

static bool init(struct delassus_run *run) {
    size_t n = run->problem->count;
    struct state *state = run->state = memory_resize(run->memory, NULL, 0, 1, sizeof *state);
    if (state == NULL) return false;
    state->slip = memory_resize(run->memory, NULL, 0, n, sizeof *state->slip);
    state->step = memory_resize(run->memory, NULL, 0, n, sizeof *state->step);
    if (state->slip == NULL || state->step == NULL) return false;
    for (size_t i = 0; i < n; i++) state->step[i] = delassus_own_step(run->problem, i);
    state->limit = limit_first;
    return momentum_make(&state->momentum, run->memory, run->r, delassus_size(run->problem));
}

static void renew_slip(struct delassus_run *run) {
    struct state *state = run->state;
    delassus_slips(run->problem, run->r, state->slip);
    momentum_forget(&state->momentum);
}

static void sweep(const struct delassus *problem, const struct state *state, double *r) {
    for (size_t i = 0; i < problem->count; i++) {
        vec3 u = delassus_row(problem, i, r), own = delassus_get(problem, r, i);
        u.x += state->slip[i];
        vec3 moved = vec3_add_scaled(own, -state->step[i], u);
        delassus_set(problem, r, i, coulomb_project(moved, problem->mu[i]));
    }
}

static void sweep_rolling(const struct delassus *problem, const struct state *state, double *r) {
    for (size_t i = 0; i < problem->count; i++) {
        double u[ROLLING_CONE_MOST], *own = &r[(size_t)problem->dim * i];
        delassus_rolling_row(problem, i, r, u);
        delassus_rolling_project(problem, i, own, u, state->step[i], state->slip[i], own);
    }
}

static void iterate(struct delassus_run *run) {
    struct state *state = run->state;
    if (state->inner == 0) renew_slip(run);
    momentum_push(&state->momentum, run->r);
    (delassus_rolls(run->problem) ? sweep_rolling : sweep)(run->problem, state, run->r);
    momentum_look(&state->momentum, run->r);
    double gradient = state->momentum.gradient;
    if (state->inner == 0) state->first = gradient;
    state->inner++;
    bool done = gradient <= inner_goal * inner_goal * state->first;
    if (state->inner >= LEAST_SWEEPS && (done || state->inner >= state->limit)) {
        if (!done) state->limit *= limit_growth;
        state->inner = 0;
    }
}

static void finish(struct delassus_run *run) {
    struct state *state = run->state;
    size_t n = run->problem->count;
    if (state == NULL) return;
    momentum_free(&state->momentum, run->memory);
    memory_free(run->memory, state->slip, n, sizeof *state->slip);
    memory_free(run->memory, state->step, n, sizeof *state->step);
    memory_free(run->memory, state, 1, sizeof *state);
}

const struct delassus_type delassus_convex = {
    .entry =
        {"problem solver", "convex",
         "Gauss-Seidel projections with momentum on the convex problem, and a loop on the slip",
         "[Saxce1998]", NULL, NULL, 0},
    .check_first = 10,
    .check_most = 100,
    .init = init,
    .iterate = iterate,
    .finish = finish,
};
