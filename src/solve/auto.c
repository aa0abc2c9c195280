/* SPDX-License-Identifier: Apache-2.0
 *
 * One solver for every problem, chosen by what is seen of it. Sweeps with momentum (`nnsgs`) are the fastest where they
 * work, and on some problems they go in circles: there Newton's method with a sparse factorisation goes on from where the
 * sweeps are, if the problem is small enough for it to take no longer than they do, and then projected gradients (`apgd`),
 * which have a convex problem before them. A turn that does not bring the error to half of what it was when it began is
 * the last of its kind for now; turns grow, 250, 500, 1000 ... sweeps, so that what is slow but sound has its time.
 * As long as nnsgs makes progress nothing differs from it by a bit. Rules that do not look at the residual never give over.
 *
 * What was best at the end of a turn is kept, and handed back if nothing better follows. With mu > 1 there are no turns of
 * projected gradients: their loop on the slip, s = mu |u_t|, does not contract.
 */
#include <math.h>
#include <string.h>

#include "law/coulomb.h"
#include "solve/factor_turn.h"
#include "solve/solver.h"

enum { FIRST_TURN = 250 };
static const double enough = 0.5; /* of the error at the beginning of a turn */
/* Newton's method gets there in the end, which sweeps that stall do not. */
static const double enough_factors = 0.9;
/* Newton's method arrives in leaps: it may take the time of some turns before the first question, and goes well below what
 * was left and the tolerance. */
enum { FACTOR_TURNS = 4 }; /* of work in turns */
static const double factor_share = 1e-2;

/* Where the residual is small enough. */
static bool asks_for_balance(const struct solve_run *run) {
    return run->config->stop == TALUS_STOP_BALANCE && run->residual <= run->config->tolerance;
}

static void look(struct solve_run *run) {
    solver_bring_back(run);
    solver_residual(run);
    if (asks_for_balance(run)) solver_balance(run);
}

/* Has the rule looked at these impulses, and seen all of it? */
static bool is_seen(const struct solve_run *run) {
    int now = run->report->sweeps;
    return run->residual_after == now && (!asks_for_balance(run) || run->balance_after == now);
}

static void begin_turn(struct solve_run *run) {
    struct solve_turns *turns = &run->turns;
    turns->end = run->sweep + turns->length;
    turns->residual = run->residual;
    turns->balance = asks_for_balance(run) ? run->balance : -1.0;
}

/* With so much friction no turn of projected gradients has been seen to help, and many to harm. */
static bool is_steep(const struct problem *problem) {
    for (size_t k = 0; k < problem->contact_count; k++)
        if (problem->contacts[k].mu > coulomb_steep) return true;
    return false;
}

static void init(struct solve_run *run) {
    solver_nnsgs.init(run);
    run->residual = HUGE_VAL;
    run->turns = (struct solve_turns){
        .whose = TURN_SWEEPS, .length = FIRST_TURN, .kept = {HUGE_VAL, HUGE_VAL}};
    begin_turn(run);
}

/* Forces that are still being built up from nothing, or from little, are on their way, however long that is: the wave
 * of nnsgs has not arrived (docs/theory/momentum.md). It takes 2.4 L/c sweeps, and no way is longer than there are contacts;
 * what takes longer is not a wave. */
enum { SWEEPS_TO_CROSS = 3 };

static bool is_building_up(const struct solve_run *run) {
    size_t crossing = SWEEPS_TO_CROSS * run->problem->contact_count;
    return run->turns.whose == TURN_SWEEPS && (size_t)run->sweep < crossing &&
           momentum_is_building_up(run);
}

/* ---- what is best --------------------------------------------------------------------------------- */

/* Smaller is better: the residual down to the tolerance, then the balance. */
static struct solve_error error_of(const struct solve_run *run) {
    double tolerance = run->config->tolerance;
    if (!(run->residual < HUGE_VAL)) return (struct solve_error){HUGE_VAL, HUGE_VAL};
    if (run->residual > tolerance) return (struct solve_error){run->residual, HUGE_VAL};
    return (struct solve_error){tolerance, run->balance};
}

static bool is_better(struct solve_error a, struct solve_error b) {
    return a.residual < b.residual || (a.residual == b.residual && a.balance < b.balance);
}

/* In the place of the first guess: should sweeps get lost later, they begin again from here. */
static void keep(struct solve_run *run) {
    struct problem *problem = run->problem;
    for (size_t k = 0; k < problem->contact_count; k++)
        run->work->start[k] = problem_impulses(problem, &problem->contacts[k]);
    memcpy(run->work->free, problem->bodies, problem->body_count * sizeof *problem->bodies);
    run->turns.kept = error_of(run);
}

static void go_back(struct solve_run *run) {
    struct problem *problem = run->problem;
    for (size_t k = 0; k < problem->contact_count; k++)
        problem_set_impulses(problem, &problem->contacts[k], &run->work->start[k]);
    memcpy(problem->bodies, run->work->free, problem->body_count * sizeof *problem->bodies);
    run->in_batches = false; /* what stands there is not wanted any more */
}

/* What has met the rule stays, whatever else the rule may have asked for. */
static void hand_back_best(struct solve_run *run) {
    if (run->report->converged || !(run->turns.kept.residual < HUGE_VAL)) return;
    look(run);
    if (!is_better(run->turns.kept, error_of(run))) return;
    go_back(run);
    look(run);
}

/* ---- turns ---------------------------------------------------------------------------------------- */

/* The residual is asked for first; where it is small the balance. What was not looked for is no reason. */
static bool has_stalled(const struct solve_run *run) {
    const struct solve_turns *turns = &run->turns;
    double tolerance = run->config->tolerance;
    double share = turns->whose == TURN_FACTORS ? enough_factors : enough;
    if (is_building_up(run)) return false;
    if (run->residual > tolerance) return run->residual > share * turns->residual;
    return turns->balance >= 0.0 && run->balance > share * turns->balance;
}

static void end_factors(struct solve_run *run) {
    factor_turn_end(run->turns.factors);
    run->turns.factors = NULL;
}

/* Impulses that are not needed in batches for now. */
static void take_out_of_batches(struct solve_run *run) {
    solver_bring_back(run);
    run->in_batches = false;
}

static void pass_on(struct solve_run *run) {
    struct solve_turns *turns = &run->turns;
    bool projects = turns->whose == TURN_FACTORS && !is_steep(run->problem);
    end_factors(run);
    if (turns->whose == TURN_SWEEPS) {
        turns->whose = TURN_FACTORS;
        turns->strictness = run->strictness;
        run->strictness = run->slender; /* no closing sweeps will undo anything */
    } else if (projects) {
        turns->whose = TURN_GRADIENTS;
        take_out_of_batches(run);
        apgd_start(run);
    } else {
        turns->whose = TURN_SWEEPS;
        turns->length *= 2;
        run->strictness = turns->strictness;
        momentum_again(run);
    }
}

/* What is left of a turn's work, or of all, before the sweeps that follow. */
static int factor_sweeps(const struct solve_run *run) {
    const talus_solver_config *config = run->config;
    int limit = config->max_sweeps - solver_nnsgs.closing(run, config->max_sweeps);
    /* The last look may round it up. */
    int64_t left = (int64_t)limit - run->report->sweeps - config->check_every;
    int64_t most = (int64_t)FACTOR_TURNS * run->turns.length;
    return (int)(left < most ? left : most);
}

static void take_stock(struct solve_run *run) {
    struct solve_turns *turns = &run->turns;
    bool factors = turns->whose == TURN_FACTORS;
    if (factors && !turns->factors_over) return;
    if (!is_seen(run)) look(run);
    bool stalled = has_stalled(run);
    if (factors && !stalled && !turns->factors_done &&
        factor_turn_allow(turns->factors, factor_sweeps(run))) {
        turns->factors_over = false;
    } else if (stalled || factors) {
        if (is_better(error_of(run), turns->kept)) {
            keep(run);
        } else if (factors) {
            go_back(run);
            look(run);
        }
        pass_on(run);
    }
    begin_turn(run);
}

static bool begin_factors(struct solve_run *run) {
    struct solve_turns *turns = &run->turns;
    double tolerance = fmin(run->residual, run->strictness * run->config->tolerance);
    struct factor_limits limits = {.tolerance = factor_share * tolerance,
                                   .sweeps = factor_sweeps(run)};
    solver_bring_back(run);
    turns->factors = factor_turn_begin(run->problem, limits);
    if (turns->factors == NULL) return false;
    run->in_batches = false;
    run->next_seen = 0; /* what factors change is no trend */
    turns->counted = 0;
    turns->factored++;
    return true;
}

/* As much as there are sweeps between two looks. What is slender looks right to the rule before it is, and more so after Newton's long
 * steps than after sweeps: it gets all of them. */
static void factorise(struct solve_run *run) {
    struct solve_turns *turns = &run->turns;
    int sweeps = -turns->counted;
    do {
        struct factor_report done = factor_turn_go_on(turns->factors, run->problem);
        sweeps += done.sweeps;
        turns->factor_steps += done.steps;
        turns->factors_over = done.over;
        turns->factors_done = done.done;
    } while (!turns->factors_over && (run->slender < 1.0 || sweeps < run->config->check_every));
    run->next_balance = 0;
    turns->counted = solver_count_as(run, sweeps) - sweeps;
    turns->end = run->sweep + 1;
}

static void iterate(struct solve_run *run) {
    struct solve_turns *turns = &run->turns;
    if (run->sweep == turns->end && stop_is_measured(run->config->stop)) take_stock(run);
    if (turns->whose == TURN_FACTORS && turns->factors == NULL && !begin_factors(run)) {
        pass_on(run);
        begin_turn(run);
    }
    if (turns->whose == TURN_FACTORS) {
        factorise(run);
    } else if (turns->whose == TURN_SWEEPS) {
        solver_nnsgs.iterate(run);
    } else {
        apgd_iterate(run);
        turns->projected++;
    }
}

/* Only sweeps leave something to do. */
static int closing(const struct solve_run *run, int sweeps) {
    return run->turns.whose == TURN_SWEEPS ? solver_nnsgs.closing(run, sweeps) : 0;
}

static void finish(struct solve_run *run, int sweeps) {
    if (run->turns.whose == TURN_SWEEPS) solver_nnsgs.finish(run, sweeps);
    end_factors(run);
    hand_back_best(run);
}

static void again(struct solve_run *run) {
    run->turns.whose = TURN_SWEEPS;
    momentum_again(run);
    begin_turn(run);
}

static const talus_parameter parameters[] = {
    {"momentum_cap", "1", "of nnsgs: largest momentum factor", 1.0, 0.0, 1.0},
};

const struct solver_type solver_auto = {
    .entry = {"solver", "auto",
              "nnsgs; where it makes no progress, Newton's method and apgd from there, in turns",
              "[Nesterov1983; Odonoghue2015; Saxce1998]", NULL, parameters, 1},
    .needs_history = true,
    .projects = true,
    .init = init,
    .iterate = iterate,
    .closing = closing,
    .finish = finish,
    .again = again,
};
