/* SPDX-License-Identifier: Apache-2.0
 * Which steps of a run are audited (talus_sim_audit): the last one, and others as far as their share of the sweeps goes. */
#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/run.h"

/* An audit goes on for so many times the sweeps of its step, and some more. That of the last step, which short runs have, too,
 * may take a tenth of the sweeps of the run, and so many at least. */
enum { AUDIT_LENGTH = 10, AUDIT_LEAST = 200, LAST_SHARE = 10 };
/* Of the limit on the clock: from there on the last step is not audited. */
static const double late = 0.8;

static double longest_audit(const struct run *run) { /* sweeps */
    return (double)AUDIT_LENGTH * run->report.sweeps + AUDIT_LEAST;
}

/* Even the longest one would stay within the share. */
static bool is_due(const struct run *run) {
    const talus_result *result = run->result;
    double longest = longest_audit(run) * (double)run->report.contacts;
    return run->report.contacts > 0 &&
           (double)result->audit_updates + longest <=
               run->scene->config.solver.audit * (double)result->updates_total;
}

static talus_status audit(struct run *run, double sweeps, talus_error *err) {
    talus_audit found;
    TALUS_TRY(talus_sim_audit(run->result->sim, (int)fmin(sweeps, 1e9), &found, err));
    run->result->audit_updates += found.updates;
    return TALUS_OK;
}

talus_status run_audit(struct run *run, talus_error *err) {
    return is_due(run) ? audit(run, longest_audit(run), err) : TALUS_OK;
}

talus_status run_audit_last(struct run *run, talus_error *err) {
    talus_result *result = run->result;
    double limit = run->config->wall_limit, passed = clock_seconds() - run->process_start;
    if (!(run->scene->config.solver.audit > 0.0) || run->report.contacts == 0) return TALUS_OK;
    if (limit > 0.0 && passed > late * limit) return TALUS_OK;
    double most = (double)(result->updates_total / run->report.contacts) / LAST_SHARE;
    return audit(run, fmin(longest_audit(run), fmax(AUDIT_LEAST, most)), err);
}
