/* SPDX-License-Identifier: Apache-2.0
 *
 * One setting for every problem. What makes a problem hard is seen only by trying: sweeps with momentum (`nnsgs`) are
 * fastest where they work, and go in circles where W is rank deficient or friction and normal forces feed on each
 * other; there the convex problem with its loop on the slip (`convex`) goes on. So the two take turns, each starting
 * from the best impulses found so far, for a number of iterations that doubles from round to round. At most twice
 * the work of the better one is lost, and nobody has to know which it is.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "solve/delassus_solver.h"

const talus_entry delassus_auto_entry = {
    "problem solver",
    "auto",
    "nnsgs and convex in turn, each from the best found so far",
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

static void note(talus_solve_report *report, const struct delassus_type *type, size_t contacts,
                 const struct delassus_end *end) {
    talus_solve_stage *stage = stage_line(report, type->entry.name);
    stage->contacts = (int64_t)contacts;
    stage->iterations += end->iterations;
    stage->seconds += end->seconds;
    stage->residual_q = end->measure.q;
    report->iterations += end->iterations;
    report->interrupted = end->interrupted;
}

talus_status delassus_auto(const struct delassus *problem, struct memory *memory,
                           const talus_solve_config *config, double clock_start, double *r,
                           double *u, talus_solve_report *report, talus_error *err) {
    static const struct delassus_type *const turns[] = {&delassus_nnsgs, &delassus_convex};
    int64_t iterations = FIRST_ROUND;
    for (int k = 0;; k++) {
        double left = config->max_seconds - (clock_seconds() - clock_start);
        int64_t allowed = config->max_iterations - report->iterations;
        struct delassus_limits limits = {.tolerance = config->tolerance,
                                         .seconds = left,
                                         .iterations = iterations < allowed ? iterations : allowed,
                                         .config = config,
                                         .clock_start = clock_start};
        struct delassus_end end;
        if (!delassus_stage(turns[k % 2], problem, memory, &limits, r, u, &end))
            return error_memory(err);
        note(report, turns[k % 2], problem->count, &end);
        bool more = left > 0.0 && report->iterations < config->max_iterations;
        if (end.measure.q <= config->tolerance || end.interrupted || !more) return TALUS_OK;
        if (k % 2 == 1) iterations *= 2;
    }
}
