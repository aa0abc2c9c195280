/* SPDX-License-Identifier: Apache-2.0
 * Which steps of a run are audited (talus_sim_audit): the last one, and others as far as their share of the sweeps goes. */
#include <limits.h>

#include "base/error.h"
#include "run/run.h"

/* An audit goes on for so many times the sweeps of its step, and some more. */
enum { AUDIT_LENGTH = 10, AUDIT_LEAST = 200 };

static int longest_audit(const struct run *run) {
    int sweeps = run->report.sweeps;
    return sweeps < (INT_MAX - AUDIT_LEAST) / AUDIT_LENGTH ? AUDIT_LENGTH * sweeps + AUDIT_LEAST
                                                           : INT_MAX;
}

/* Even the longest one would stay within the share: so short runs have none but that of their last step. */
static bool is_due(const struct run *run) {
    const talus_result *result = run->result;
    double longest = (double)longest_audit(run) * (double)run->report.contacts;
    return run->report.contacts > 0 &&
           (double)result->audit_updates + longest <=
               run->scene->config.solver.audit * (double)result->updates_total;
}

talus_status run_audit(struct run *run, bool last, talus_error *err) {
    if (!last && !is_due(run)) return TALUS_OK;
    talus_audit audit;
    TALUS_TRY(talus_sim_audit(run->result->sim, longest_audit(run), &audit, err));
    run->result->audit_updates += audit.updates;
    return TALUS_OK;
}
