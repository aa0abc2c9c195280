/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "solve/delassus_solver.h"

talus_status delassus_auto(const struct delassus *problem, struct memory *memory,
                           const talus_solve_config *config, double clock_start, double *r,
                           double *u, talus_solve_report *report, talus_error *err) {
    struct delassus_limits limits = {.tolerance = config->tolerance,
                                     .seconds = config->max_seconds,
                                     .iterations = config->max_iterations,
                                     .config = config,
                                     .clock_start = clock_start};
    struct delassus_end end;
    if (!delassus_stage(&delassus_nnsgs, problem, memory, &limits, r, u, &end))
        return error_memory(err);
    report->iterations = end.iterations;
    return TALUS_OK;
}
