/* SPDX-License-Identifier: Apache-2.0
 *
 * Gauss-Seidel sweeps with Nesterov momentum and restarts [Nesterov1983].
 *
 * After each sweep impulses and velocities (linear in them, so they stay consistent) are moved on by a
 * share beta of their last change. Force errors then travel like waves instead of diffusing, and the
 * sweeps needed grow as L/d instead of (L/d)^2. Coulomb friction is not the gradient of anything, so
 * there is no proof: the momentum is dropped when a sweep works against the last change or grows it, or
 * only repairs what momentum did, and the last tenth of the sweeps is plain, which brings every impulse
 * back into its cone. If the sweeps still end far from where they began, the step is done again with plain Gauss-Seidel and counted as a
 * fallback.
 */
#include <math.h>
#include <string.h>

#include "solve/solver.h"

static const double growth_fallback = 10.0; /* if |dP|^2 ends this much above the first */

/* What a sweep changes, dP, is what momentum P - P' is made of. If all of dP is a long wave on its way, then dP.(P - P') is much
 * more than |dP|^2; if sweeps only repair what momentum did, less: then it is dropped (docs/theory/momentum.md). Where that
 * comes again and again, long waves are what is left, and momentum is given more time. */
static const double own_share = 1.2; /* of |dP|^2 in dP.(P - P') is nobody's momentum */
enum {
    PATIENCE = 8, /* sweeps, */
    PATIENCE_MOST = 1 << 20
};

/* What the first sweep is compared with. Batches have their own, but for contacts that are visited for themselves. */
static void start_history(struct solve_run *run) {
    struct solve_work *work = run->work;
    const struct problem *problem = run->problem;
    const struct batches *batches = &work->batches;
    if (run->config->sweep != TALUS_SWEEP_BATCHED) {
        memcpy(work->scratch, work->start, problem->contact_count * sizeof *work->scratch);
        memcpy(work->previous, problem->bodies, problem->body_count * sizeof *work->previous);
        return;
    }
    for (size_t k = 0; k < batches->single_count; k++) {
        talus_index contact = batches->singles[k].contact;
        work->scratch[contact] = work->start[contact];
    }
}

static void init(struct solve_run *run) {
    struct problem *problem = run->problem;
    struct solve_work *work = run->work;
    for (size_t k = 0; k < problem->contact_count; k++) {
        work->start[k] = problem_impulses(problem, &problem->contacts[k]);
        run->start2 += vec3_norm2(work->start[k].force);
    }
    start_history(run);
    memcpy(work->free, problem->bodies, problem->body_count * sizeof *work->free);
    run->theta = 1.0;
    run->patience = PATIENCE;
    nesterov_guard_start(&run->guard, run->config->momentum_cap);
    run->gradient_first = -1.0;
}

void momentum_again(struct solve_run *run) {
    struct problem *problem = run->problem;
    for (size_t k = 0; k < problem->contact_count; k++)
        run->work->scratch[k] = problem_impulses(problem, &problem->contacts[k]);
    memcpy(run->work->previous, problem->bodies, problem->body_count * sizeof *problem->bodies);
    run->theta = 1.0;
    run->age = 0;
    run->growth_last = 0.0;
    run->guard.cap = run->guard.cap_most;
    nesterov_guard_forget(&run->guard);
    solver_hand_over(run);
}

static inline double push(double value, double *previous, double beta) {
    double pushed = value + beta * (value - *previous);
    *previous = value;
    return pushed;
}

static inline vec3 push_vec3(vec3 value, vec3 *previous, double beta) {
    return vec3_make(push(value.x, &previous->x, beta), push(value.y, &previous->y, beta),
                     push(value.z, &previous->z, beta));
}

void momentum_of_contact(struct solve_run *run, size_t at, double beta) {
    struct solve_contact *contact = &run->problem->contacts[at];
    struct combined_impulse *last = &run->work->scratch[at];
    contact->impulse = push_vec3(contact->impulse, &last->force, beta);
    if (contact->combined < 0) return;
    vec3 *torque = &run->problem->combined[contact->combined].torque;
    *torque = push_vec3(*torque, &last->torque, beta);
}

void momentum_of_body(struct solve_body *body, struct solve_body *previous, double beta) {
    body->velocity = push_vec3(body->velocity, &previous->velocity, beta);
    body->omega = push_vec3(body->omega, &previous->omega, beta);
}

static void apply_momentum(struct solve_run *run, double beta) {
    struct problem *problem = run->problem;
    if (run->config->sweep == TALUS_SWEEP_BATCHED) {
        batch_momentum(run, beta);
        return;
    }
    for (size_t k = 0; k < problem->contact_count; k++) momentum_of_contact(run, k, beta);
    for (size_t i = 0; i < problem->body_count; i++)
        momentum_of_body(&problem->bodies[i], &run->work->previous[i], beta);
}

/* Where forces are built up from nothing, or from little, the longest wave takes longest, and when the sum of P.dP passes
 * through zero it has just arrived: its first zero, c k n = 3.83 of 2 J_1(ckn)/(ckn) (docs/theory/momentum.md). That
 * tells ck, and the wave is now damped by 1/sqrt(2) of what is critical, 1 - beta = 2 ck/sqrt(2), so that it does not
 * ring; until it is gone, because what is left then may be slower than any wave. Warm starts are not damped: what passes
 * through zero there is noise. */
static const double first_zero = 3.8317, damping = 0.70710678;
enum {
    WAVE_LEAST = 16, /* sweeps: shorter waves are damped by the sweep itself */
    WAVE_GONE = 2    /* times the sweeps that it took to arrive: exp(-5.4) of it are left */
};

static bool has_arrived(struct solve_run *run) {
    double growth = run->change.growth_sum, before = run->growth_last;
    run->growth_last = growth;
    run->grown += growth;
    return run->damped_until == 0 && run->age >= WAVE_LEAST && run->grown >= run->start2 &&
           before > 0.0 && growth <= 0.0;
}

static double damped(struct solve_run *run, double beta) {
    if (has_arrived(run)) {
        run->damped_until = run->sweep + WAVE_GONE * run->age;
        run->damped_cap = 1.0 - 2.0 * damping * first_zero / run->age;
    }
    return run->sweep < run->damped_until ? fmin(beta, run->damped_cap) : beta;
}

bool momentum_is_building_up(const struct solve_run *run) {
    return run->damped_until == 0 && run->growth_last > 0.0 && run->grown >= run->start2;
}

/* Theta need not begin anew after a restart: where a disturbance somewhere stopped a load on its way, and where the wave that is
 * left is damped anyway. */
static bool keeps_pace(const struct solve_run *run) {
    if (run->sweep < run->damped_until) return true;
    return !(run->change.turn_sum > 0.0) && momentum_is_building_up(run);
}

static bool is_worn_out(struct solve_run *run) {
    const struct sweep_change *change = &run->change;
    if (run->age < run->patience || momentum_is_building_up(run) ||
        -change->turn_sum > own_share * change->change2_sum)
        return false;
    if (run->patience < PATIENCE_MOST) run->patience *= 2;
    return true;
}

static void iterate(struct solve_run *run) {
    sweep_with_history(run);
    double gradient = run->change.change2_sum;
    if (run->gradient_first < 0.0) run->gradient_first = gradient;
    run->age++;
    double beta = damped(run, fmin(nesterov_share(&run->theta), run->guard.cap));
    bool against = run->change.turn_sum > 0.0 || is_worn_out(run);
    if (nesterov_guard_restarts(&run->guard, beta, gradient, against)) {
        if (!keeps_pace(run)) run->theta = 1.0;
        beta = 0.0;
        run->age = 0;
        run->restarts++;
    }
    apply_momentum(run, beta);
}

/* A tenth, but no more than it takes to make single contacts lawful. */
enum { CLOSING_MOST = 50 };

static int closing(const struct solve_run *run, int sweeps) {
    (void)run;
    if (sweeps < 10) return 1;
    return sweeps / 10 < CLOSING_MOST ? sweeps / 10 : CLOSING_MOST;
}

static void fall_back(struct solve_run *run, int sweeps) {
    struct problem *problem = run->problem;
    for (size_t k = 0; k < problem->contact_count; k++)
        problem_set_impulses(problem, &problem->contacts[k], &run->work->start[k]);
    memcpy(problem->bodies, run->work->free, problem->body_count * sizeof *problem->bodies);
    if (run->config->sweep == TALUS_SWEEP_BATCHED)
        batches_load(&run->work->batches, problem, run->crew);
    run->keeps_order = false;
    for (int k = 0; k < sweeps; k++, run->sweep++) sweep_once(run, false);
    run->fallbacks++;
    run->sweeps_again += sweeps;
}

static void finish(struct solve_run *run, int sweeps) {
    int momentum_sweeps = run->sweep;
    for (int k = 0; k < sweeps; k++, run->sweep++) sweep_once(run, true);
    double gradient = run->change.change2_sum;
    bool grown = run->gradient_first >= 0.0 && gradient > growth_fallback * run->gradient_first;
    if (!isfinite(gradient) || grown) fall_back(run, momentum_sweeps + sweeps);
}

static const talus_parameter parameters[] = {
    {"momentum_cap", "1", "largest momentum factor; less is more careful, and slower on long waves",
     1.0, 0.0, 1.0},
};

const struct solver_type solver_nnsgs = {
    .entry = {"solver", "nnsgs",
              "Gauss-Seidel sweeps with momentum and restarts; sweeps needed grow as L/d",
              "[Nesterov1983]", NULL, parameters, 1},
    .needs_history = true,
    .init = init,
    .iterate = iterate,
    .closing = closing,
    .finish = finish,
    .again = momentum_again,
};
