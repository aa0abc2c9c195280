/* SPDX-License-Identifier: Apache-2.0
 *
 * One setting for every problem. What makes a problem hard is seen only by trying: sweeps with momentum (`nnsgs`) are
 * fastest where they work, and get nowhere on some problems; there the convex problem with its loop on the slip
 * (`convex`) goes on. So the two take turns, for a number of iterations that doubles from round to round, each going on
 * from where it was. (Starting each turn from the better of the two took twice the sweeps on an arch bridge; perhaps
 * because a restart throws away long waves, which the residual does not see.) The whole takes at most about three
 * times the iterations that the better one would alone, and nobody has to know which it is.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "solve/delassus_solver.h"

const talus_entry delassus_auto_entry = {"problem solver",
                                         "auto",
                                         "nnsgs and convex in turn, for more and more iterations",
                                         "",
                                         NULL,
                                         NULL,
                                         0};

enum { FIRST_ROUND = 250 }; /* iterations of each */

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
}

/* One turn; false if the whole is to end. */
static bool take_turn(struct delassus_walk *walk, const struct delassus_limits *limits,
                      talus_solve_report *report) {
    int64_t before = walk->run.iterations;
    double seconds = walk->seconds;
    bool go_on = delassus_go_on(walk, limits);
    delassus_note(report, walk, walk->run.iterations - before, walk->seconds - seconds);
    report->interrupted = !go_on;
    return go_on && walk->measure.q > limits->tolerance && clock_seconds() < limits->deadline &&
           report->iterations < limits->config->max_iterations;
}

static void take_turns(struct delassus_walk walks[2], const talus_solve_config *config,
                       double clock_start, talus_solve_report *report) {
    struct delassus_limits limits = {.tolerance = config->tolerance,
                                     .deadline = clock_start + config->max_seconds,
                                     .config = config,
                                     .clock_start = clock_start};
    int64_t round = FIRST_ROUND;
    for (int k = 0;; k++) {
        int64_t left = config->max_iterations - report->iterations;
        limits.iterations = round < left ? round : left;
        if (!take_turn(&walks[k % 2], &limits, report)) return;
        if (walks[0].lost && walks[1].lost) return;
        if (k % 2 == 1 && round < INT64_MAX / 4) round *= 2;
    }
}

talus_status delassus_auto(const struct delassus *problem, struct memory *memory,
                           const talus_solve_config *config, double clock_start, double *r,
                           talus_solve_report *report, talus_error *err) {
    struct delassus_walk walks[2] = {{0}};
    bool good = delassus_begin(&walks[0], &delassus_nnsgs, problem, memory) &&
                delassus_begin(&walks[1], &delassus_convex, problem, memory);
    if (good) {
        take_turns(walks, config, clock_start, report);
        const struct delassus_walk *best =
            walks[1].measure.q < walks[0].measure.q ? &walks[1] : &walks[0];
        memcpy(r, best->best, delassus_size(problem) * sizeof *r);
    }
    delassus_end(&walks[0]);
    delassus_end(&walks[1]);
    return good ? TALUS_OK : error_memory(err);
}
