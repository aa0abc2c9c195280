/* SPDX-License-Identifier: Apache-2.0
 *
 * Accelerated projected gradients with restarts [Nesterov1983], and around them a loop on the slip: with s = mu |u_t|
 * held, the law is the condition of the convex problem
 *     min  r.W r/2 + r.(q + s n)    r in the Coulomb cones
 * whose solution gives the next s [Saxce1998]. The friction law is exact when s no longer changes. Each contact is
 * scaled by the size of its own block, which leaves its cone a cone.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "law/coulomb.h"
#include "solve/delassus_rolling.h"
#include "solve/delassus_solver.h"
#include "solve/nesterov.h"

static const double inner_goal = 0.1; /* of the residual that the last change of s made */
enum { INNER_MOST = 200, POWER_STEPS = 12 };

struct state {
    double *y, *last, *gradient, *next;
    double *slip;  /* s, for each contact */
    double *scale; /* 1/size of the own block, for each contact */
    double step, theta, inner_start;
    int inner;
};

/* The scale of one number of a contact against its others: torques by its length. */
static double unit_of(const struct delassus *problem, size_t i, int a) {
    if (!delassus_rolls(problem) || 2 * a < problem->dim) return 1.0;
    return problem->own[i].length * problem->own[i].length;
}

/* Largest eigenvalue of scale W, about, by the power method. */
static double largest_eigenvalue(struct delassus_run *run) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    size_t size = delassus_size(problem);
    double value = 1.0;
    for (size_t k = 0; k < size; k++) state->y[k] = 1.0 + 0.37 * (double)(k * 7919 % 13);
    for (int step = 0; step < POWER_STEPS; step++) {
        double before = 0.0, after = 0.0;
        for (size_t k = 0; k < size; k++) before += state->y[k] * state->y[k];
        delassus_velocity(problem, state->y, state->gradient);
        for (size_t i = 0, k = 0; i < problem->count; i++)
            for (int a = 0; a < problem->dim; a++, k++) {
                state->gradient[k] =
                    unit_of(problem, i, a) * state->scale[i] * (state->gradient[k] - problem->q[k]);
                after += state->gradient[k] * state->gradient[k];
            }
        if (!(after > 0.0)) return 1.0;
        value = sqrt(after / before);
        for (size_t k = 0; k < size; k++) state->y[k] = state->gradient[k] / sqrt(after);
    }
    return value;
}

static void start_inner(struct delassus_run *run) {
    struct state *state = run->state;
    const struct delassus *problem = run->problem;
    delassus_slips(problem, run->r, state->slip);
    memcpy(state->y, run->r, delassus_size(problem) * sizeof *state->y);
    memcpy(state->last, run->r, delassus_size(problem) * sizeof *state->y);
    state->theta = 1.0;
    state->inner = 0;
    state->inner_start = -1.0;
}

static bool init(struct delassus_run *run) {
    const struct delassus *problem = run->problem;
    size_t size = delassus_size(problem), n = problem->count;
    struct state *state = run->state = memory_resize(run->memory, NULL, 0, 1, sizeof *state);
    if (state == NULL) return false;
    state->y = memory_resize(run->memory, NULL, 0, size, sizeof(double));
    state->last = memory_resize(run->memory, NULL, 0, size, sizeof(double));
    state->gradient = memory_resize(run->memory, NULL, 0, size, sizeof(double));
    state->next = memory_resize(run->memory, NULL, 0, size, sizeof(double));
    state->slip = memory_resize(run->memory, NULL, 0, n, sizeof(double));
    state->scale = memory_resize(run->memory, NULL, 0, n, sizeof(double));
    if (state->y == NULL || state->last == NULL || state->gradient == NULL || state->next == NULL ||
        state->slip == NULL || state->scale == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        double own = delassus_own_size(problem, i);
        state->scale[i] = own > 0.0 ? 1.0 / own : 1.0;
    }
    state->step = 1.0 / (1.05 * largest_eigenvalue(run));
    start_inner(run);
    return true;
}

/* One projected step from y; returns its length^2 in the scaled norm, and the turn against the last change. */
static double project_plain(struct delassus_run *run, double *turn) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    double length = 0.0;
    *turn = 0.0;
    for (size_t i = 0; i < problem->count; i++) {
        vec3 y = delassus_get(problem, state->y, i), g = delassus_get(problem, state->gradient, i);
        vec3 last = delassus_get(problem, run->r, i);
        g.x += state->slip[i];
        double t = state->step * state->scale[i];
        vec3 to = coulomb_project(vec3_add_scaled(y, -t, g), problem->mu[i]);
        vec3 moved = vec3_sub(y, to);
        length += vec3_norm2(moved) / state->scale[i];
        *turn += vec3_dot(moved, vec3_sub(to, last)) / state->scale[i];
        delassus_set(problem, state->next, i, to);
    }
    return length;
}

/* The same with rolling friction. */
static double project_rolling(struct delassus_run *run, double *turn) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    double length = 0.0;
    *turn = 0.0;
    for (size_t i = 0, k = 0; i < problem->count; i++) {
        delassus_rolling_project(problem, i, &state->y[k], &state->gradient[k],
                                 state->step * state->scale[i], state->slip[i], &state->next[k]);
        for (int a = 0; a < problem->dim; a++, k++) {
            double moved = state->y[k] - state->next[k];
            double weighed = moved / (unit_of(problem, i, a) * state->scale[i]);
            length += weighed * moved;
            *turn += weighed * (state->next[k] - run->r[k]);
        }
    }
    return length;
}

static double project_step(struct delassus_run *run, double *turn) {
    struct state *state = run->state;
    delassus_velocity(run->problem, state->y, state->gradient);
    return (delassus_rolls(run->problem) ? project_rolling : project_plain)(run, turn);
}

/* The step may be too long for W: then the quadratic form grows faster than the bound says. */
static bool step_is_too_long(struct delassus_run *run, double length) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    double form = 0.0;
    for (size_t k = 0; k < delassus_size(problem); k++)
        state->last[k] = state->next[k] - state->y[k];
    delassus_velocity(problem, state->last, state->gradient);
    for (size_t i = 0, k = 0; i < problem->count; i++) {
        double own = 0.0;
        for (int a = 0; a < problem->dim; a++, k++)
            own += state->last[k] * (state->gradient[k] - problem->q[k]);
        form += own;
    }
    return form * state->step > length * (1.0 + 1e-9) && length > 0.0;
}

static void iterate(struct delassus_run *run) {
    struct state *state = run->state;
    size_t size = delassus_size(run->problem);
    double turn, length = project_step(run, &turn);
    if (run->iterations % 10 == 0 && step_is_too_long(run, length)) {
        state->step *= 0.7;
        length = project_step(run, &turn);
    }
    double beta = nesterov_share(&state->theta);
    if (turn > 0.0) {
        beta = 0.0;
        state->theta = 1.0;
    }
    for (size_t k = 0; k < size; k++) {
        state->y[k] = state->next[k] + beta * (state->next[k] - run->r[k]);
        run->r[k] = state->next[k];
    }
    if (state->inner_start < 0.0) state->inner_start = length;
    state->inner++;
    if (state->inner >= INNER_MOST ||
        (state->inner >= 3 && length <= inner_goal * inner_goal * state->inner_start))
        start_inner(run);
}

static void finish(struct delassus_run *run) {
    struct state *state = run->state;
    size_t size = delassus_size(run->problem), n = run->problem->count;
    if (state == NULL) return;
    memory_free(run->memory, state->y, size, sizeof(double));
    memory_free(run->memory, state->last, size, sizeof(double));
    memory_free(run->memory, state->gradient, size, sizeof(double));
    memory_free(run->memory, state->next, size, sizeof(double));
    memory_free(run->memory, state->slip, n, sizeof(double));
    memory_free(run->memory, state->scale, n, sizeof(double));
    memory_free(run->memory, state, 1, sizeof *state);
}

const struct delassus_type delassus_apgd = {
    .entry = {"problem solver", "apgd",
              "accelerated projected gradients, with a loop on the slip for exact friction",
              "[Nesterov1983]", NULL, NULL, 0},
    .check_first = 10,
    .check_most = 100,
    .init = init,
    .iterate = iterate,
    .finish = finish,
};
