/* SPDX-License-Identifier: Apache-2.0
 *
 * Interior points for the convex problem of delassus_convex.c, and around them the same loop on the slip: with
 * s = mu |u_t| held the law is
 *     w = W r + q + s n in K*,   r in K,   r.w = 0
 * Both cones become that of math/lorentz.h by x = (mu r_n, r_t), z = (w_n/mu, w_t), and the points that are followed are
 * those with x o z = tau, tau to 0 [Nesterov1997]. Their equations, with D the scaling that takes x to z and a
 * second-order term [Mehrotra1992], become in r
 *     (W + T D T) dr = T (tau/x - correction) - w          T = diag(mu, 1, 1),   dz = tau/x - correction - z - D dx
 * one sparse factorisation and two solutions with it. 15 to 25 of these steps are enough whatever the size: what takes
 * sweeps longest, loads that come from far, makes no difference to them. Contacts without friction are half-lines.
 *
 * Where nothing slides the first round ends at the solution. Else each round finds other slips, and the rounds
 * converge as slowly as those of `convex`, though each of them is exact.
 *
 * Steps end where rounding makes them short, at 1e-7 of ||q|| in packings. When a round is hardly better than the one before,
 * sweeps follow. With rolling friction, whose cone is not of this kind, and where the factors are too large, there are only
 * sweeps.
 */
#include "solve/delassus_interior.h"

#include <math.h>
#include <string.h>

#include "law/coulomb.h"
#include "math/lorentz.h"
#include "solve/delassus_factors.h"
#include "solve/delassus_sweep.h"

static const double reach = 0.99; /* of the way to the edge of the cones */
/* A round begins with impulses and velocities that are so many times those that stop a mean contact alone. */
static const double start_impulse = 100.0, start_velocity = 10.0;
static const double enough = 0.3; /* of the error is that of the convex problem: the slip is next */
static const double slippery = 1e-6; /* mu below it is none: squares of it would be lost */
static const double hardly = 0.9;    /* of the error before */
static const double short_step = 0.1;
enum { STEPS_MOST = 60, SHORT_MOST = 2 };

struct state {
    struct block_lu own, *lu; /* lu: own or lent */
    struct lorentz_scaling *scaling;
    double *w, *z, *slip;             /* w: in the units of the problem; z: in those of the cone */
    double *target, *affine, *change; /* of x o z, in units of z; of r */
    double *left, *diagonal;          /* blocks of the matrix */
    int steps, short_steps;           /* of this round */
    double law_last;                  /* at the end of the round before, squared */
    bool helps;                       /* it does not sweep */
};

/* ---- memory ------------------------------------------------------------------------------------- */

static bool reserve(struct delassus_run *run, struct state *state) {
    size_t d = (size_t)run->problem->dim, n = run->problem->count;
    double **const arrays[] = {&state->w, &state->z, &state->target, &state->affine,
                               &state->change};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = memory_resize(run->memory, NULL, 0, n * d, sizeof(double));
        if (*arrays[k] == NULL) return false;
    }
    state->slip = memory_resize(run->memory, NULL, 0, n, sizeof(double));
    state->scaling = memory_resize(run->memory, NULL, 0, n, sizeof *state->scaling);
    state->left = memory_resize(run->memory, NULL, 0, n * d * d, sizeof(double));
    state->diagonal = memory_resize(run->memory, NULL, 0, n * d * d, sizeof(double));
    return state->slip != NULL && state->scaling != NULL && state->left != NULL &&
           state->diagonal != NULL;
}

static bool init(struct delassus_run *run) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state = memory_resize(run->memory, NULL, 0, 1, sizeof *state);
    if (state == NULL || !reserve(run, state)) return false;
    state->law_last = HUGE_VAL;
    if (delassus_rolls(problem)) return true;
    state->lu = run->lent != NULL ? run->lent : &state->own;
    if (run->lent == NULL && !delassus_factors_make(&state->own, problem, run->memory))
        return false;
    state->helps = !state->lu->too_large;
    return true;
}

static void finish(struct delassus_run *run) {
    struct state *state = run->state;
    size_t d = (size_t)run->problem->dim, n = run->problem->count;
    if (state == NULL) return;
    double *const arrays[] = {state->w, state->z, state->target, state->affine, state->change};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        memory_free(run->memory, arrays[k], n * d, sizeof(double));
    block_lu_free(&state->own);
    memory_free(run->memory, state->slip, n, sizeof(double));
    memory_free(run->memory, state->scaling, n, sizeof *state->scaling);
    memory_free(run->memory, state->left, n * d * d, sizeof(double));
    memory_free(run->memory, state->diagonal, n * d * d, sizeof(double));
    memory_free(run->memory, state, 1, sizeof *state);
}

/* ---- work ----------------------------------------------------------------------------------- */

static double step_work(const struct delassus *problem, const struct block_lu *lu) {
    double sweep = 2.0 * (double)(problem->dim * problem->dim) * (double)problem->block_count + 1.0;
    return lu->flops / sweep + 4.0;
}

double delassus_interior_work(const struct delassus *problem, const struct block_lu *lu) {
    return DELASSUS_INTERIOR_STEPS * step_work(problem, lu);
}

void delassus_interior_sweep(struct delassus_run *run) {
    struct state *state = run->state;
    state->helps = false;
}

/* ---- contacts and cones --------------------------------------------------------------------------- */

static int width_of(const struct delassus *problem, size_t i) {
    return problem->mu[i] > slippery ? problem->dim : 1;
}

/* T, for one number of a contact. */
static double factor_of(const struct delassus *problem, size_t i, int number) {
    return number == 0 && problem->mu[i] > slippery ? problem->mu[i] : 1.0;
}

/* x = T r */
static void to_cone(const struct delassus *problem, size_t i, const double *r, double *x) {
    const double *own = &r[(size_t)problem->dim * i];
    for (int k = 0; k < width_of(problem, i); k++) x[k] = factor_of(problem, i, k) * own[k];
}

/* Where a round begins: far inside, alike for all. */
static void place(struct delassus_run *run) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    size_t d = (size_t)problem->dim, size = delassus_size(problem);
    double mean = problem->q_norm / sqrt((double)size);
    if (!(mean > 0.0)) mean = 1.0;
    memset(run->r, 0, size * sizeof *run->r);
    memset(state->z, 0, size * sizeof *state->z);
    for (size_t i = 0; i < problem->count; i++) {
        double own = delassus_own_size(problem, i);
        if (!(own > 0.0)) own = problem->own_largest > 0.0 ? problem->own_largest : 1.0;
        run->r[d * i] = start_impulse * mean / own / factor_of(problem, i, 0);
        state->z[d * i] = start_velocity * mean;
    }
    state->short_steps = 0;
}

/* w = W r + q + s n; the sum of all x.z. */
static double look(struct delassus_run *run) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    size_t d = (size_t)problem->dim;
    double gap = 0.0;
    delassus_velocity(problem, run->r, state->w);
    for (size_t i = 0; i < problem->count; i++) {
        double x[LORENTZ_MOST];
        const double *z = &state->z[d * i];
        int width = width_of(problem, i);
        state->w[d * i] += state->slip[i];
        to_cone(problem, i, run->r, x);
        state->scaling[i] = lorentz_scale(x, z, width);
        for (int k = 0; k < width; k++) gap += x[k] * z[k];
    }
    return gap;
}

/* ---- a step --------------------------------------------------------------------------------------- */

/* W + T D T; where there is no friction the tangents stay. */
static void make_matrix(struct delassus_run *run) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    int d = problem->dim;
    size_t dd = (size_t)(d * d);
    memset(state->left, 0, problem->count * dd * sizeof(double));
    memset(state->diagonal, 0, problem->count * dd * sizeof(double));
    for (size_t i = 0; i < problem->count; i++) {
        double *left = &state->left[dd * i], *diagonal = &state->diagonal[dd * i];
        int width = width_of(problem, i);
        for (int c = width; c < d; c++) diagonal[c * (d + 1)] = 1.0;
        for (int c = 0; c < width; c++) {
            double unit[LORENTZ_MOST] = {0.0}, column[LORENTZ_MOST] = {0.0};
            unit[c] = factor_of(problem, i, c);
            lorentz_apply_square(&state->scaling[i], unit, column);
            for (int a = 0; a < width; a++)
                diagonal[a * d + c] = factor_of(problem, i, a) * column[a];
            left[c * (d + 1)] = 1.0;
        }
    }
}

/* dz = target - z - D dx, for one contact. */
static void dual_change(const struct delassus_run *run, size_t i, const double *change, double *dx,
                        double *dz) {
    const struct delassus *problem = run->problem;
    const struct state *state = run->state;
    size_t at = (size_t)problem->dim * i;
    to_cone(problem, i, change, dx);
    lorentz_apply_square(&state->scaling[i], dx, dz);
    for (int k = 0; k < width_of(problem, i); k++)
        dz[k] = state->target[at + (size_t)k] - state->z[at + (size_t)k] - dz[k];
}

/* P (lambda \ (P dx o P^-1 dz)) of the step `affine`, lambda = P x [Mehrotra1992]: what Newton's method leaves out. */
static void correction(const struct delassus_run *run, size_t i, double *result) {
    const struct state *state = run->state;
    const struct lorentz_scaling *scaling = &state->scaling[i];
    double x[LORENTZ_MOST], dx[LORENTZ_MOST], dz[LORENTZ_MOST];
    dual_change(run, i, state->affine, dx, dz);
    lorentz_apply(scaling, dx, dx);
    lorentz_apply_inverse(scaling, dz, dz);
    lorentz_multiply(dx, dz, scaling->width, dz);
    to_cone(run->problem, i, run->r, x);
    lorentz_apply(scaling, x, x);
    lorentz_divide(x, dz, scaling->width, dx);
    lorentz_apply(scaling, dx, result);
}

/* tau/x, less the correction. */
static void aim(struct delassus_run *run, double tau, bool corrected) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    for (size_t i = 0; i < problem->count; i++) {
        double x[LORENTZ_MOST], less[LORENTZ_MOST] = {0.0};
        double *target = &state->target[(size_t)problem->dim * i];
        int width = width_of(problem, i);
        to_cone(problem, i, run->r, x);
        if (corrected) correction(run, i, less);
        double per = tau / lorentz_determinant(x, width);
        for (int k = 0; k < width; k++) target[k] = per * (k == 0 ? x[k] : -x[k]) - less[k];
    }
}

static void find_change(struct delassus_run *run, double *change) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    for (size_t i = 0, at = 0; i < problem->count; i++)
        for (int k = 0; k < problem->dim; k++, at++)
            change[at] = k < width_of(problem, i)
                             ? factor_of(problem, i, k) * state->target[at] - state->w[at]
                             : 0.0;
    block_lu_solve(state->lu, change);
}

/* How far along the change all stay inside. */
static double find_length(const struct delassus_run *run, const double *change) {
    const struct delassus *problem = run->problem;
    const struct state *state = run->state;
    double length = 1.0;
    for (size_t i = 0; i < problem->count; i++) {
        double x[LORENTZ_MOST], dx[LORENTZ_MOST], dz[LORENTZ_MOST];
        int width = width_of(problem, i);
        to_cone(problem, i, run->r, x);
        dual_change(run, i, change, dx, dz);
        length = fmin(length, reach * lorentz_reach(x, dx, width));
        length =
            fmin(length, reach * lorentz_reach(&state->z[(size_t)problem->dim * i], dz, width));
    }
    return length;
}

static double gap_after(const struct delassus_run *run, const double *change, double length) {
    const struct delassus *problem = run->problem;
    const struct state *state = run->state;
    double gap = 0.0;
    for (size_t i = 0; i < problem->count; i++) {
        double x[LORENTZ_MOST], dx[LORENTZ_MOST], dz[LORENTZ_MOST];
        const double *z = &state->z[(size_t)problem->dim * i];
        to_cone(problem, i, run->r, x);
        dual_change(run, i, change, dx, dz);
        for (int k = 0; k < width_of(problem, i); k++)
            gap += (x[k] + length * dx[k]) * (z[k] + length * dz[k]);
    }
    return gap;
}

static void move(struct delassus_run *run, double length) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    for (size_t i = 0; i < problem->count; i++) {
        double dx[LORENTZ_MOST], dz[LORENTZ_MOST];
        size_t at = (size_t)problem->dim * i;
        dual_change(run, i, state->change, dx, dz);
        for (int k = 0; k < width_of(problem, i); k++) state->z[at + (size_t)k] += length * dz[k];
    }
    for (size_t k = 0; k < delassus_size(problem); k++) run->r[k] += length * state->change[k];
}

/* Tau by how far one gets without it [Mehrotra1992]. False: there are no factors. */
static bool step(struct delassus_run *run) {
    struct state *state = run->state;
    struct block_rows rows = delassus_block_rows(run->problem);
    double gap = look(run);
    make_matrix(run);
    state->lu->deadline = run->deadline;
    if (!block_lu_factor(state->lu, &rows, state->left, state->diagonal)) return false;
    aim(run, 0.0, false);
    find_change(run, state->affine);
    double after = gap_after(run, state->affine, find_length(run, state->affine));
    double share = fmin(1.0, pow(after / gap, 3.0));
    aim(run, share * gap / (double)run->problem->count, true);
    find_change(run, state->change);
    double length = find_length(run, state->change);
    if (!(length > 0.0)) return false; /* nor if numbers are none */
    move(run, length);
    state->short_steps = length < short_step ? state->short_steps + 1 : 0;
    return true;
}

/* ---- rounds --------------------------------------------------------------------------------------- */

/* The natural map with unit step, squared: of the convex problem, and of the law. */
static double natural_maps(struct delassus_run *run, double *law) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    double convex = 0.0;
    *law = 0.0;
    delassus_velocity(problem, run->r, state->w);
    for (size_t i = 0; i < problem->count; i++) {
        vec3 u = delassus_get(problem, state->w, i), r = delassus_get(problem, run->r, i);
        double own = coulomb_residual(r, u, 1.0, problem->mu[i]);
        *law += own * own;
        u.x += state->slip[i];
        convex += vec3_norm2(vec3_sub(r, coulomb_project(vec3_sub(r, u), problem->mu[i])));
    }
    return convex;
}

/* Other slips, and from the beginning; or, where that hardly helps any more, sweeps from here on. */
static void end_round(struct delassus_run *run, double law) {
    struct state *state = run->state;
    delassus_slips(run->problem, run->r, state->slip);
    state->helps = law < hardly * hardly * state->law_last;
    state->law_last = law;
    state->steps = 0;
    run->round_over = true;
}

static void iterate(struct delassus_run *run) {
    struct state *state = run->state;
    if (!state->helps) {
        delassus_sweep(run->problem, run->r);
        return;
    }
    if (state->steps == 0) place(run);
    bool good = step(run);
    if (state->lu->late) return;
    run->work += step_work(run->problem, state->lu);
    state->steps++;
    double law, convex = natural_maps(run, &law);
    if (!good || state->steps >= STEPS_MOST || state->short_steps >= SHORT_MOST ||
        convex <= enough * enough * law)
        end_round(run, law);
}

const struct delassus_type delassus_interior = {
    .entry = {"problem solver", "interior",
              "interior points for the convex problem, and a loop on the slip", "[Mehrotra1992]",
              NULL, NULL, 0},
    .check_first = 1,
    .check_most = 1,
    .init = init,
    .iterate = iterate,
    .finish = finish,
};
