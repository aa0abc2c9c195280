/* SPDX-License-Identifier: Apache-2.0
 *
 * One setting for every problem. What makes a problem hard is seen only by trying: sweeps with momentum (`nnsgs`) are
 * fastest where they work, and get nowhere on some problems; there the convex problem with its loop on the slip
 * (`convex`) goes on, and where both only creep, because what one end of a stack does to the other has a long way to
 * go, a factorisation (`proximal`) carries it there at once. So the three take turns, for an amount of work that doubles
 * from round to round. The first two go on from where they were. (Starting each turn from the better of them took
 * twice the sweeps on an arch bridge; perhaps because a restart throws away long waves, which the residual does not
 * see.) The third has as much work as both, and starts from the best of all. The whole takes at most about four
 * times the work that the best one would alone, and nobody has to know which it is.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "solve/delassus_proximal.h"
#include "solve/delassus_solver.h"

const talus_entry delassus_auto_entry = {
    "problem solver",
    "auto",
    "nnsgs, convex and proximal in turn, for more and more work",
    "",
    NULL,
    NULL,
    0};

enum { FIRST_ROUND = 250 };   /* sweeps of each */
enum { CLIMBING_SHARE = 40 }; /* of a round, for proximal where cones are steep */
enum { SWEEPS, CONVEX, PROXIMAL, WALKS };
static const struct delassus_type *const types[WALKS] = {&delassus_nnsgs, &delassus_convex,
                                                         &delassus_proximal};

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

/* One turn; false if the whole is to end. */
static bool take_turn(struct delassus_walk *walk, const struct delassus_limits *limits,
                      talus_solve_report *report) {
    int64_t before = walk->run.iterations;
    double seconds = walk->seconds;
    bool go_on = delassus_go_on(walk, limits);
    delassus_note(report, walk, walk->run.iterations - before, walk->seconds - seconds);
    report->interrupted = !go_on;
    return go_on && !delassus_is_done(&walk->measure, limits->tolerance) &&
           clock_seconds() < limits->deadline &&
           report->iterations < limits->config->max_iterations;
}

static const struct delassus_walk *best_of(const struct delassus_walk walks[WALKS],
                                           double tolerance) {
    const struct delassus_walk *best = &walks[0];
    for (int k = 1; k < WALKS; k++)
        if (walks[k].started && delassus_is_better(&walks[k].measure, &best->measure, tolerance))
            best = &walks[k];
    return best;
}

/* A walk begins with its first turn: most problems never need the third. False when memory is refused. */
static bool prepare_turn(struct delassus_walk walks[WALKS], int k, const struct delassus *problem,
                         struct memory *memory, double tolerance) {
    if (!walks[k].started && !delassus_begin(&walks[k], types[k], problem, memory)) return false;
    const struct delassus_walk *best = best_of(walks, tolerance);
    if (k == PROXIMAL && best != &walks[k] && isfinite(best->measure.worst) &&
        !delassus_proximal_climbs(problem)) {
        delassus_proximal_start(&walks[k].run, best->best);
        walks[k].lost = false;
    }
    return true;
}

/* Can a turn do anything in the time that is left? Fewer than two steps of Newton's method cannot. */
static bool is_worth_it(const struct delassus_walk walks[WALKS], int k,
                        const struct delassus_limits *limits) {
    if (k != PROXIMAL) return true;
    double left = limits->deadline - clock_seconds();
    return 2.0 * delassus_proximal_seconds(&walks[k].run) < left;
}

static bool take_turns(struct delassus_walk walks[WALKS], const struct delassus *problem,
                       struct memory *memory, struct delassus_limits limits,
                       talus_solve_report *report) {
    double round = FIRST_ROUND;
    double share = delassus_proximal_climbs(problem) ? CLIMBING_SHARE : 2.0;
    for (int k = 0;; k = (k + 1) % WALKS) {
        if (!prepare_turn(walks, k, problem, memory, limits.tolerance)) return false;
        limits.work = k == PROXIMAL ? share * round : round;
        limits.iterations = limits.config->max_iterations - report->iterations;
        if (is_worth_it(walks, k, &limits) && !take_turn(&walks[k], &limits, report)) return true;
        if (walks[0].lost && walks[1].lost && walks[2].lost) return true;
        if (k == WALKS - 1) round *= 2.0;
    }
}

talus_status delassus_auto(const struct delassus *problem, struct memory *memory,
                           const talus_solve_config *config, double clock_start, double *r,
                           talus_solve_report *report, talus_error *err) {
    struct delassus_walk walks[WALKS] = {{0}};
    struct delassus_limits limits = {.tolerance = config->tolerance,
                                     .deadline = clock_start + config->max_seconds,
                                     .config = config,
                                     .clock_start = clock_start};
    bool good = take_turns(walks, problem, memory, limits, report);
    if (good)
        memcpy(r, best_of(walks, config->tolerance)->best, delassus_size(problem) * sizeof *r);
    for (int k = 0; k < WALKS; k++) delassus_end(&walks[k]);
    return good ? TALUS_OK : error_memory(err);
}
