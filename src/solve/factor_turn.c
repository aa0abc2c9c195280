/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/factor_turn.h"

#include <math.h>

#include "math/block_lu.h"
#include "solve/delassus_proximal.h"
#include "solve/step_matrix.h"

/* In sweeps: making the problem, and a step of Newton's method beside the factorisation. Operations of that in the time that
 * the visit of a contact takes. Measured with 400 to 6000 discs in one thread. */
static const double making = 100.0, assembling = 12.0, flops_per_visit = 80.0;
/* Sweeps have done what short steps would do. In dam breaks of 1000 and 2000 discs this met the rule in 14 of 19 turns, 1e-2 in 7 of
 * 16, 3e-4 in 8 of 14. */
static const double alpha_first = 1e-3;
/* It takes more than one proximal step to begin with, and each some of Newton's. So many are done at a time. */
enum { STEPS_LEAST = 16, STEPS_AT_A_TIME = 4 };
/* No matrix is made to find that it is too large: neither with so many blocks, nor of so many contacts for each sweep. */
enum { BLOCKS_PER_CONTACT = 64, CONTACTS_PER_SWEEP = 10 };

struct factor_turn {
    struct memory memory;
    struct step_matrix form;
    struct delassus_walk walk;
    double tolerance;
    double step, left; /* work: of a step; that may still be done */
    double not_told;   /* work that no report has counted yet */
};

static bool make(struct factor_turn *turn, const struct problem *problem, double sweeps) {
    double step_most = (sweeps - making) / STEPS_LEAST;
    struct step_matrix_limits most = {BLOCKS_PER_CONTACT * problem->contact_count,
                                      (step_most - assembling) * flops_per_visit};
    if (!step_matrix_make(&turn->form, &turn->memory, problem, most) || !turn->form.fits ||
        !delassus_begin(&turn->walk, &delassus_proximal, &turn->form.matrix, &turn->memory, NULL))
        return false;
    const struct block_lu *lu = delassus_proximal_lu(&turn->walk.run);
    if (lu == NULL) return false;
    turn->step = lu->flops / (flops_per_visit * (double)turn->form.count) + assembling;
    turn->left = sweeps - making;
    turn->not_told = making;
    return true;
}

struct factor_turn *factor_turn_begin(const struct problem *problem, struct factor_limits limits) {
    struct memory memory = {.refuse_at = limits.refuse_at};
    if (limits.sweeps <= making ||
        problem->contact_count / CONTACTS_PER_SWEEP > (size_t)limits.sweeps)
        return NULL;
    struct factor_turn *turn = memory_resize(&memory, NULL, 0, 1, sizeof *turn);
    if (turn == NULL) return NULL;
    turn->memory = memory;
    turn->tolerance = limits.tolerance;
    if (make(turn, problem, limits.sweeps)) {
        delassus_proximal_start_near(&turn->walk.run, turn->form.impulses, alpha_first);
        return turn;
    }
    factor_turn_end(turn);
    return NULL;
}

bool factor_turn_allow(struct factor_turn *turn, int sweeps) {
    turn->left = sweeps;
    return turn->left >= turn->step;
}

struct factor_report factor_turn_go_on(struct factor_turn *turn, struct problem *problem) {
    struct delassus_walk *walk = &turn->walk;
    talus_solve_config config = talus_solve_config_default();
    double most = fmin(STEPS_AT_A_TIME, floor(turn->left / turn->step));
    /* Without a deadline: or the bits would depend on the clock. */
    struct delassus_limits limits = {.tolerance = turn->tolerance,
                                     .deadline = HUGE_VAL,
                                     .iterations = (int64_t)fmax(most, 0.0),
                                     .config = &config};
    int64_t before = walk->run.iterations;
    delassus_go_on(walk, &limits);
    struct factor_report report = {.steps = (int)(walk->run.iterations - before)};
    double work = turn->step * report.steps;
    turn->left -= work;
    report.sweeps = (int)ceil(work + turn->not_told);
    turn->not_told = 0.0;
    report.done = walk->lost || delassus_is_done(&walk->measure, turn->tolerance);
    report.over = report.done || turn->left < turn->step;
    if (walk->measure.rank < HUGE_VAL) step_matrix_put(&turn->form, problem, walk->best);
    return report;
}

void factor_turn_end(struct factor_turn *turn) {
    if (turn == NULL) return;
    delassus_end(&turn->walk);
    step_matrix_free(&turn->form);
    struct memory memory = turn->memory;
    memory_free(&memory, turn, 1, sizeof *turn);
}
