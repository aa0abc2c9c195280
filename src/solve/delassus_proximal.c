/* SPDX-License-Identifier: Apache-2.0
 *
 * Proximal steps [Rockafellar1976], each solved by Newton's method with a sparse factorisation. From r_k the next
 * impulses are those that obey the law with
 *     u = W r + q + alpha (r - r_k)
 * where alpha is a part of the own block of each contact. A solution of the law is one that such a step leaves where it
 * is. With a large alpha the step is short and nearly the contacts' own, and Newton's method cannot miss; with a small
 * one it is long, and carries what sweeps carry from neighbour to neighbour through the whole system at once. alpha
 * falls while Newton's method gets there and rises when it does not. It also makes a singular W regular.
 *
 * Newton's equations are those of [Alart1991], as in law/rolling_cone_solve.c:
 *     open       r = 0                        if load = r_n - rho u_n <= 0
 *     else       u_n = 0, and of friction, and rolling friction, each with x = r_T - rho u_T
 *     at rest    u_T = 0                      if |x| <= mu load
 *     slipping   r_T = mu load x/|x|          else
 * Here left (du) + right (dr) = -F with du = (W + alpha) dr makes rows of blocks left_i W_ij + (left alpha + right)_i.
 *
 * Steep cones. With mu of 10 and more the steps above do not arrive: contacts change between open and at rest, and
 * sliding, with r_n = |r_T|/mu, is a thin state between. So mu is held at a cap that begins with 1 and is raised once the
 * law with the capped mu is about solved (contacts at rest below the cap stay solutions for every larger mu); alpha of
 * the normal is mu^1.5 times the others'. A climb that gets stuck begins anew with other steps.
 */
#include "solve/delassus_proximal.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "solve/delassus_bodies.h"
#include "solve/delassus_factors.h"
#include "solve/delassus_rolling.h"
#include "solve/delassus_sweep.h"

static const double alpha_first = 1e-2; /* of the own block */
static const double alpha_least = 1e-11, alpha_most = 1e6;
static const double fall = 0.5, rise = 5.0;
static const double goal = 0.1;     /* of what was left of the law before the step */
static const double hopeless = 1e3; /* times that */
enum { NEWTON_MOST = 8 };

static const double steep = 4.0;       /* mu above it is climbed to */
static const double climb_goal = 1e-4; /* of the law with the capped mu, against q */
static const double climb_steps[] = {4.0, 10.0, 2.5, 6.0};
static const double normal_power = 1.5, heaviest = 1e5;
enum { CLIMB_PATIENCE = 8000, CLIMB_KINDS = sizeof climb_steps / sizeof *climb_steps };
static const double speed_first = 2e9; /* flops/s, before any was measured */

struct climb {
    double steepest; /* mu */
    double cap;      /* of mu; HUGE_VAL: none */
    double scale;    /* of q, as what_is_left measures */
    int kind, waited;
};

struct state {
    struct block_lu by_contacts, *lu; /* the one that is used */
    double *center, *u, *f;           /* r_k; velocities with alpha; the equations, then the step */
    double *left, *diagonal;          /* blocks */
    double *size;                     /* of the own block, for each contact */
    double *mu, *heavy;               /* as capped; alpha of the normal over that of the tangents */
    double alpha, before;
    double speed; /* of factorisations, flops/s */
    struct climb climb;
    int newton;
    bool factors; /* there are any */
};

static bool reserve(struct delassus_run *run, struct state *state) {
    size_t d = (size_t)run->problem->dim, n = run->problem->count;
    state->center = memory_resize(run->memory, NULL, 0, n * d, sizeof(double));
    state->u = memory_resize(run->memory, NULL, 0, n * d, sizeof(double));
    state->f = memory_resize(run->memory, NULL, 0, n * d, sizeof(double));
    state->left = memory_resize(run->memory, NULL, 0, n * d * d, sizeof(double));
    state->diagonal = memory_resize(run->memory, NULL, 0, n * d * d, sizeof(double));
    state->size = memory_resize(run->memory, NULL, 0, n, sizeof(double));
    state->mu = memory_resize(run->memory, NULL, 0, n, sizeof(double));
    state->heavy = memory_resize(run->memory, NULL, 0, n, sizeof(double));
    return state->center != NULL && state->u != NULL && state->f != NULL && state->left != NULL &&
           state->diagonal != NULL && state->size != NULL && state->mu != NULL &&
           state->heavy != NULL;
}

/* ---- steep cones ------------------------------------------------------------------------------- */

static void set_cap(const struct delassus *problem, struct state *state, double cap) {
    state->climb.cap = cap;
    state->climb.waited = 0;
    for (size_t i = 0; i < problem->count; i++) {
        state->mu[i] = fmin(problem->mu[i], cap);
        bool heavy = state->climb.steepest > steep && state->mu[i] > 1.0;
        state->heavy[i] = heavy ? fmin(pow(state->mu[i], normal_power), heaviest) : 1.0;
    }
}

static void start_climb(const struct delassus *problem, struct state *state) {
    struct climb *climb = &state->climb;
    *climb = (struct climb){.scale = 0.0};
    for (size_t i = 0; i < problem->count; i++) {
        const double *q = &problem->q[(size_t)problem->dim * i];
        climb->steepest = fmax(climb->steepest, problem->mu[i]);
        for (int a = 0; a < problem->dim; a++) climb->scale += q[a] * q[a] / state->size[i];
    }
    climb->scale = sqrt(climb->scale);
    set_cap(problem, state, climb->steepest > steep ? 1.0 : HUGE_VAL);
}

/* At the start of a proximal step, with what is left of the capped law: true if the cap is another one now. */
static bool go_on_climbing(const struct delassus *problem, struct state *state) {
    struct climb *climb = &state->climb;
    if (!(climb->steepest > steep)) return false;
    bool solved = state->before <= climb_goal * climb->scale;
    if (solved && climb->cap >= climb->steepest) return false; /* to the end with the true mu */
    if (solved) {
        set_cap(problem, state, climb->cap * climb_steps[climb->kind]);
    } else if (climb->waited > CLIMB_PATIENCE) {
        climb->kind = (climb->kind + 1) % CLIMB_KINDS;
        set_cap(problem, state, 1.0);
    } else {
        return false;
    }
    state->alpha = fmax(state->alpha, alpha_first);
    return true;
}

static bool make_factors(struct delassus_run *run, struct state *state) {
    struct body_factors *bodies = run->problem->bodies;
    state->lu = bodies != NULL ? &bodies->lu : &state->by_contacts;
    if (bodies == NULL && !delassus_factors_make(state->lu, run->problem, run->memory))
        return false;
    state->factors = !state->lu->too_large;
    return true;
}

static bool init(struct delassus_run *run) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state = memory_resize(run->memory, NULL, 0, 1, sizeof *state);
    if (state == NULL || !reserve(run, state)) return false;
    double sum = 0.0;
    for (size_t i = 0; i < problem->count; i++) sum += delassus_own_size(problem, i);
    for (size_t i = 0; i < problem->count; i++) { /* what cannot move counts as the others */
        double own = delassus_own_size(problem, i);
        state->size[i] = own > 0.0 ? own : sum > 0.0 ? sum / (double)problem->count : 1.0;
    }
    state->alpha = alpha_first;
    state->speed = speed_first;
    start_climb(problem, state);
    return make_factors(run, state);
}

static void finish(struct delassus_run *run) {
    struct state *state = run->state;
    size_t d = (size_t)run->problem->dim, n = run->problem->count;
    if (state == NULL) return;
    block_lu_free(&state->by_contacts);
    memory_free(run->memory, state->center, n * d, sizeof(double));
    memory_free(run->memory, state->u, n * d, sizeof(double));
    memory_free(run->memory, state->f, n * d, sizeof(double));
    memory_free(run->memory, state->left, n * d * d, sizeof(double));
    memory_free(run->memory, state->diagonal, n * d * d, sizeof(double));
    memory_free(run->memory, state->size, n, sizeof(double));
    memory_free(run->memory, state->mu, n, sizeof(double));
    memory_free(run->memory, state->heavy, n, sizeof(double));
    memory_free(run->memory, state, 1, sizeof *state);
}

bool delassus_proximal_climbs(const struct delassus *problem) {
    for (size_t i = 0; i < problem->count; i++)
        if (problem->mu[i] > steep) return true;
    return false;
}

void delassus_proximal_start(struct delassus_run *run, const double *r) {
    struct state *state = run->state;
    memcpy(run->r, r, delassus_size(run->problem) * sizeof *r);
    state->newton = 0;
    state->alpha = alpha_first;
}

void delassus_proximal_start_near(struct delassus_run *run, const double *r, double alpha) {
    struct state *state = run->state;
    delassus_proximal_start(run, r);
    state->alpha = alpha;
    state->climb.steepest = 0.0; /* it is at the top */
    set_cap(run->problem, state, HUGE_VAL);
}

struct block_lu *delassus_proximal_lu(struct delassus_run *run) {
    struct state *state = run->state;
    return state->factors ? state->lu : NULL;
}

double delassus_proximal_seconds(const struct delassus_run *run) {
    const struct state *state = run->state;
    return state->factors ? state->lu->flops / state->speed : 0.0;
}

/* ---- the equations ----------------------------------------------------------------------------- */

/* Friction, or rolling friction, of one contact: which of its numbers, and in which unit they are. */
struct part {
    int first, width;
    double mu, rho; /* impulse for a velocity */
};

/* Friction alone, or with rolling friction. */
static int parts_of(const struct delassus_run *run, size_t i, double rho, struct part parts[2]) {
    const struct delassus *problem = run->problem;
    const struct state *state = run->state;
    int width = delassus_rolls(problem) ? (problem->dim - 1) / 2 : problem->dim - 1;
    parts[0] = (struct part){1, width, state->mu[i], rho};
    if (!delassus_rolls(problem)) return 1;
    double length = problem->own[i].length;
    parts[1] = (struct part){1 + width, width, problem->mu_r[i], rho * length * length};
    return 2;
}

/* The rows of one part, divided by rho; `load_rho` is that of the normal. */
static void add_part(const struct part *part, double load_rho, const double *r, const double *u,
                     double *f, double *left, double *right, int dim) {
    int first = part->first, width = part->width;
    double load = r[0] - load_rho * u[0], limit = part->mu * load, x[2] = {0.0, 0.0};
    for (int k = 0; k < width; k++) x[k] = r[first + k] - part->rho * u[first + k];
    double length = rolling_cone_length(x, width);
    bool rests = length <= limit && limit > 0.0;
    double per = length > 0.0 ? 1.0 / length : 0.0;
    for (int k = 0; k < width; k++) {
        int row = first + k;
        if (rests) {
            f[row] = u[row];
            left[row * dim + row] = 1.0;
            continue;
        }
        double direction = x[k] * per, share = part->mu * direction / part->rho;
        f[row] = (r[row] - limit * direction) / part->rho;
        left[row * dim] = share * load_rho;
        right[row * dim] = -share;
        for (int m = 0; m < width; m++) {
            double turns = limit * per * ((m == k) - direction * x[m] * per);
            if (width == 1) turns = 0.0;
            left[row * dim + first + m] = turns;
            right[row * dim + first + m] = ((m == k) - turns) / part->rho;
        }
    }
}

/* alpha of one number of a contact over that of its tangents. */
static double pull_of(const struct state *state, const struct part parts[2], int count, size_t i,
                      int number) {
    if (number == 0) return state->heavy[i];
    return count == 2 && number >= parts[1].first ? parts[0].rho / parts[1].rho : 1.0;
}

/* Contact i: F, left, and left alpha + right, which becomes its diagonal. */
static void add_contact(struct delassus_run *run, size_t i) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    int dim = problem->dim;
    size_t at = (size_t)dim * i, block = at * (size_t)dim;
    double *left = &state->left[block], *diagonal = &state->diagonal[block], *f = &state->f[at];
    const double *r = &run->r[at], *u = &state->u[at];
    double rho = 1.0 / state->size[i], alpha = state->alpha * state->size[i];
    memset(left, 0, (size_t)(dim * dim) * sizeof *left);
    memset(diagonal, 0, (size_t)(dim * dim) * sizeof *diagonal);
    if (!(r[0] - rho * u[0] > 0.0)) {
        for (int a = 0; a < dim; a++) {
            f[a] = r[a];
            diagonal[a * (dim + 1)] = 1.0;
        }
        return;
    }
    struct part parts[2];
    int count = parts_of(run, i, rho, parts);
    f[0] = u[0];
    left[0] = 1.0;
    for (int k = 0; k < count; k++) add_part(&parts[k], rho, r, u, f, left, diagonal, dim);
    for (int a = 0; a < dim; a++)
        for (int c = 0; c < dim; c++)
            diagonal[a * dim + c] += left[a * dim + c] * alpha * pull_of(state, parts, count, i, c);
}

/* u = W r + q + alpha (r - center). */
static void pulled_velocity(struct delassus_run *run) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    delassus_velocity(problem, run->r, state->u);
    for (size_t i = 0, k = 0; i < problem->count; i++) {
        double rho = 1.0 / state->size[i], alpha = state->alpha * state->size[i];
        struct part parts[2];
        int count = parts_of(run, i, rho, parts);
        for (int a = 0; a < problem->dim; a++, k++)
            state->u[k] +=
                alpha * pull_of(state, parts, count, i, a) * (run->r[k] - state->center[k]);
    }
}

/* What is left of the law, in energies: the equations before they are divided, F^2/rho. */
static double what_is_left(struct delassus_run *run) {
    const struct delassus *problem = run->problem;
    struct state *state = run->state;
    double sum = 0.0;
    pulled_velocity(run);
    for (size_t i = 0, k = 0; i < problem->count; i++) {
        double rho = 1.0 / state->size[i];
        bool open = !(run->r[k] - rho * state->u[k] > 0.0);
        struct part parts[2];
        int count = parts_of(run, i, rho, parts);
        add_contact(run, i);
        for (int a = 0; a < problem->dim; a++, k++) {
            double own = count == 2 && a >= parts[1].first ? parts[1].rho : rho;
            sum += state->f[k] * state->f[k] * (open ? 1.0 / own : own);
        }
    }
    return sqrt(sum);
}

/* ---- steps ------------------------------------------------------------------------------------- */

static bool solve_equations(struct delassus_run *run, struct state *state) {
    struct block_rows rows = delassus_block_rows(run->problem);
    if (run->problem->bodies != NULL)
        return body_factors_step(run->problem->bodies, state->left, state->diagonal, state->f);
    if (!block_lu_factor(state->lu, &rows, state->left, state->diagonal)) return false;
    block_lu_solve(state->lu, state->f);
    return true;
}

/* From the equations that what_is_left has left. */
static bool newton_step(struct delassus_run *run) {
    struct state *state = run->state;
    double start = clock_seconds();
    state->lu->deadline = run->deadline;
    if (!solve_equations(run, state)) return false;
    double seconds = clock_seconds() - start;
    if (seconds > 1e-3) state->speed = state->lu->flops / seconds;
    for (size_t k = 0; k < delassus_size(run->problem); k++) run->r[k] -= state->f[k];
    return true;
}

static void iterate(struct delassus_run *run) {
    struct state *state = run->state;
    size_t size = delassus_size(run->problem), d = (size_t)run->problem->dim;
    if (!state->factors) {
        delassus_sweep(run->problem, run->r);
        return;
    }
    if (state->newton == 0) {
        memcpy(state->center, run->r, size * sizeof *run->r);
        state->before = what_is_left(run);
        if (go_on_climbing(run->problem, state)) state->before = what_is_left(run);
    }
    bool good = newton_step(run);
    if (state->lu->late) return;
    state->climb.waited++;
    double left = good ? what_is_left(run) : HUGE_VAL;
    state->newton++;
    run->work += state->lu->flops / (2.0 * (double)(d * d * run->problem->block_count) + 1.0) + 2.0;
    if (left <= goal * state->before) {
        state->alpha = fmax(fall * state->alpha, alpha_least);
        state->newton = 0;
    } else if (state->newton >= NEWTON_MOST || !(left < hopeless * state->before)) {
        memcpy(run->r, state->center, size * sizeof *run->r);
        state->alpha = fmin(rise * state->alpha, alpha_most);
        state->newton = 0;
    }
}

const struct delassus_type delassus_proximal = {
    .entry = {"problem solver", "proximal",
              "proximal steps by Newton's method with a sparse factorisation", "[Rockafellar1976]",
              NULL, NULL, 0},
    .check_first = 1,
    .check_most = 1,
    .init = init,
    .iterate = iterate,
    .finish = finish,
};
