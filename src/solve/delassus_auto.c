/* SPDX-License-Identifier: Apache-2.0
 *
 * One setting for every problem. What makes a problem hard is seen only by trying: sweeps with momentum (`nnsgs`) are
 * fastest where they work, and get nowhere on some problems; there the convex problem with its loop on the slip
 * (`convex`) goes on, and where both only creep, because what one end of a stack does to the other has a long way to
 * go, a factorisation (`proximal`) carries it there at once. So the three take turns, for an amount of work that doubles
 * from round to round. The first two go on from where they were. (Starting each turn from the better of them took
 * twice the sweeps on an arch bridge; perhaps because a restart throws away long waves, which the residual does not
 * see.) The third has as much work as both, and starts from the best of all.
 *
 * Where a packing is at rest, or nearly, interior points (`interior`) find its forces in some twenty factorisations,
 * however far the load has to go; `proximal` then takes what rounding leaves of the error. They are of no use before
 * they have arrived, so that from the second round on they have a turn when the work saved for them is enough for all of
 * it. Where contacts slip their first round ends beside the solution, and so do the next ones; but plain sweeps from there
 * have got to it where no other walk did (a pile of 1000 spheres, of which some creep). So if what came out was not
 * the best there was, sweeps go on from it, as one more walk.
 *
 * The whole takes at most about eight times as long as the best one would alone, and nobody has to know which it is.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "law/coulomb.h"
#include "solve/delassus_interior.h"
#include "solve/delassus_proximal.h"
#include "solve/delassus_solver.h"

const talus_entry delassus_auto_entry = {
    "problem solver",
    "auto",
    "nnsgs, convex, interior and proximal in turn, for more and more work",
    "",
    NULL,
    NULL,
    0};

enum { FIRST_ROUND = 250 };   /* sweeps of each */
enum { CLIMBING_SHARE = 40 }; /* of a round, for proximal where cones are steep */
/* Of a round, by operations; factorisations do twice as many in a second as sweeps. */
enum { INTERIOR_SHARE = 8 };
/* So far `interior` comes, about; what is there already needs something else. */
static const double interior_end = 1e-6;
/* Of the time left, for a round that is only a beginning. */
static const double sweeping_share = 0.3;
/* Times the error of the law: 5 to 36 were found at rest, 180 and more in flow. */
static const double true_slips = 100.0;
enum { SWEEPS, CONVEX, INTERIOR, PROXIMAL, WALKS };
static const struct delassus_type *const types[WALKS] = {&delassus_nnsgs, &delassus_convex,
                                                         &delassus_interior, &delassus_proximal};

struct turns {
    struct delassus_walk walks[WALKS];
    const struct delassus *problem;
    struct memory *memory;
    struct delassus_limits limits;
    talus_solve_report *report;
    double round; /* sweeps of each */
    double
        saved; /* work, in sweeps, that `interior` may do: it has none before there is enough for all of a round */
    bool climbs;   /* cones are steep */
    bool interior; /* may help: its last round was better than what there was */
    bool sweeping; /* it did not, and sweeps go on from where it ended */
};

/* A line of the report; when they are used up the last one of the same solver takes it in. */
static talus_solve_stage *stage_line(talus_solve_report *report, const char *name) {
    if (report->stage_count < TALUS_SOLVE_STAGES) {
        talus_solve_stage *stage = &report->stages[report->stage_count++];
        snprintf(stage->solver, TALUS_SOLVE_NAME, "%s", name);
        return stage;
    }
    for (int k = report->stage_count - 1; k > 0; k--)
        if (strcmp(report->stages[k].solver, name) == 0) return &report->stages[k];
    return &report->stages[0];
}

void delassus_note(talus_solve_report *report, const struct delassus_walk *walk, int64_t iterations,
                   double seconds) {
    talus_solve_stage *stage = stage_line(report, walk->type->entry.name);
    stage->contacts = (int64_t)walk->run.problem->count;
    stage->iterations += iterations;
    stage->seconds += seconds;
    stage->residual_q = walk->measure.q;
    report->iterations += iterations;
    report->impulse_growth =
        fmax(report->impulse_growth, delassus_growth(walk->run.problem, walk->run.r));
}

static const struct delassus_walk *best_of(const struct turns *turns) {
    const struct delassus_walk *walks = turns->walks, *best = &walks[0];
    for (int k = 1; k < WALKS; k++)
        if (walks[k].started &&
            delassus_is_better(&walks[k].measure, &best->measure, turns->limits.tolerance))
            best = &walks[k];
    return best;
}

/* Whether the best there is may be on its way to rest. The first round of `interior` solves the problem without the slips;
 * where that has an error at the best impulses far above theirs, there are true slips, and the round would be in vain. */
static bool may_rest(struct turns *turns) {
    const struct delassus *problem = turns->problem;
    const struct delassus_walk *best = best_of(turns);
    double *velocities = turns->walks[SWEEPS].run.u, sum = 0.0; /* free between turns */
    delassus_velocity(problem, best->best, velocities);
    for (size_t i = 0; i < problem->count; i++) {
        vec3 r = delassus_get(problem, best->best, i), u = delassus_get(problem, velocities, i);
        sum += vec3_norm2(vec3_sub(r, coulomb_project(vec3_sub(r, u), problem->mu[i])));
    }
    return sqrt(sum) <= true_slips * best->measure.natural;
}

/* Whether a solver has a turn now. `proximal`: not if fewer than two steps fit into the time left. `interior`: not before the
 * second round, as most problems are solved by then; and only for a whole round. */
static bool has_turn(struct turns *turns, int k) {
    struct delassus_walk *proximal = &turns->walks[PROXIMAL];
    if (k < INTERIOR || !proximal->started) return k != INTERIOR;
    double left = turns->limits.deadline - clock_seconds();
    double seconds = delassus_proximal_seconds(&proximal->run); /* of a factorisation */
    if (k == PROXIMAL) return 2.0 * seconds < left;
    if (turns->sweeping) return true;
    const struct block_lu *lu = delassus_proximal_lu(&proximal->run);
    if (!turns->interior || turns->climbs || lu == NULL || delassus_rolls(turns->problem) ||
        best_of(turns)->measure.worst <= interior_end ||
        delassus_interior_work(turns->problem, lu) > turns->saved)
        return false;
    double needed = DELASSUS_INTERIOR_STEPS * seconds;
    return needed < sweeping_share * left || (needed < left && may_rest(turns));
}

/* A walk begins with its first turn: most problems never need the later ones. False when memory is refused. */
static bool prepare_turn(struct turns *turns, int k) {
    struct delassus_walk *walk = &turns->walks[k];
    struct block_lu *lent =
        k == INTERIOR ? delassus_proximal_lu(&turns->walks[PROXIMAL].run) : NULL;
    if (!walk->started && !delassus_begin(walk, types[k], turns->problem, turns->memory, lent))
        return false;
    const struct delassus_walk *best = best_of(turns);
    if (!isfinite(best->measure.worst)) return true;
    if (k == PROXIMAL && best != walk && !turns->climbs) {
        delassus_proximal_start(&walk->run, best->best);
        walk->lost = false;
    }
    return true;
}

/* One turn; false if the whole is to end. */
static bool take_turn(struct turns *turns, int k) {
    struct delassus_walk *walk = &turns->walks[k];
    struct delassus_limits *limits = &turns->limits;
    talus_solve_report *report = turns->report;
    int64_t before = walk->run.iterations;
    double seconds = walk->seconds, rank = walk->measure.rank;
    double share = k == PROXIMAL ? (turns->climbs ? CLIMBING_SHARE : 2.0) : 1.0;
    bool to_round = k == INTERIOR && !turns->sweeping;
    limits->to_round = to_round;
    limits->work = to_round ? 0.0 : share * turns->round;
    limits->iterations = limits->config->max_iterations - report->iterations;
    bool go_on = delassus_go_on(walk, limits);
    delassus_note(report, walk, walk->run.iterations - before, walk->seconds - seconds);
    report->interrupted = !go_on;
    if (to_round) {
        turns->saved -= delassus_interior_work(turns->problem, walk->run.lent);
        turns->interior = best_of(turns) == walk && walk->measure.rank < rank;
        turns->sweeping = !turns->interior;
        if (turns->sweeping) delassus_interior_sweep(&walk->run);
    }
    return go_on && !delassus_is_done(&walk->measure, limits->tolerance) &&
           clock_seconds() < limits->deadline &&
           report->iterations < limits->config->max_iterations;
}

static bool all_are_lost(const struct turns *turns) {
    return turns->walks[SWEEPS].lost && turns->walks[CONVEX].lost && turns->walks[PROXIMAL].lost;
}

/* False when memory is refused. */
static bool take_turns(struct turns *turns) {
    for (;; turns->round *= 2.0) {
        turns->saved += INTERIOR_SHARE * turns->round;
        for (int k = 0; k < WALKS; k++) {
            if (!has_turn(turns, k)) continue;
            if (!prepare_turn(turns, k)) return false;
            if (has_turn(turns, k) && !take_turn(turns, k)) return true;
            if (all_are_lost(turns)) return true;
        }
    }
}

talus_status delassus_auto(const struct delassus *problem, struct memory *memory,
                           const talus_solve_config *config, double clock_start, double *r,
                           talus_solve_report *report, talus_error *err) {
    struct turns turns = {.problem = problem,
                          .memory = memory,
                          .limits = {.tolerance = config->tolerance,
                                     .deadline = clock_start + config->max_seconds,
                                     .config = config,
                                     .clock_start = clock_start},
                          .report = report,
                          .round = FIRST_ROUND,
                          .climbs = delassus_proximal_climbs(problem),
                          .interior = true};
    bool good = take_turns(&turns);
    if (good) memcpy(r, best_of(&turns)->best, delassus_size(problem) * sizeof *r);
    for (int k = 0; k < WALKS; k++) delassus_end(&turns.walks[k]);
    return good ? TALUS_OK : error_memory(err);
}
