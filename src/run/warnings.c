/* SPDX-License-Identifier: Apache-2.0
 *
 * What deserves a look: logged with its numbers the first time, counted afterwards, summed up at
 * the end. A line for each step would drown the log of exactly the runs that need reading.
 */
#include <inttypes.h>
#include <stdio.h>

#include "run/run.h"

const char *run_warning_name(enum run_warning_kind kind) {
    switch (kind) {
    case RUN_NOT_CONVERGED: return talus_status_name(TALUS_WARN_NOT_CONVERGED);
    case RUN_OVERLAP: return talus_status_name(TALUS_WARN_OVERLAP);
    default: return talus_status_name(TALUS_WARN_TIME_STEP);
    }
}

const char *run_warning_measure(enum run_warning_kind kind) {
    switch (kind) {
    case RUN_NOT_CONVERGED: return "residual";
    case RUN_OVERLAP: return "overlap in mean diameters";
    default: return "travel in one step in radii";
    }
}

/* Count one more; true the first time. */
static bool count(struct run *run, enum run_warning_kind kind, double value) {
    struct run_warning *warning = &run->result->warnings[kind];
    if (warning->count++ == 0) {
        warning->first_step = talus_sim_step_count(run->result->sim);
        warning->first_time = talus_sim_time(run->result->sim);
        warning->worst = value;
        return true;
    }
    if (!(value <= warning->worst)) warning->worst = value;
    return false;
}

void run_warn_step(struct run *run) {
    const talus_step_report *report = &run->report;
    if (!report->converged && count(run, RUN_NOT_CONVERGED, report->residual))
        log_line(&run->log,
                 "step %" PRId64
                 ", t = %.6g s: not converged: stopping rule or contacts incomplete after "
                 "%d sweeps, residual %.3g; further cases are counted",
                 report->step, report->time, report->sweeps, report->residual);
    if (report->travel_max > TALUS_TRAVEL_LIMIT && count(run, RUN_TIME_STEP, report->travel_max))
        log_line(&run->log,
                 "step %" PRId64 ", t = %.6g s: a body moved by %.3g of its radius in one step: "
                 "dt = %.3g s is long for a speed of %.3g m/s; further cases are counted",
                 report->step, report->time, report->travel_max, talus_sim_dt(run->result->sim),
                 report->speed_max);
}

void run_warn_overlap(struct run *run, const talus_observables *now) {
    double limit = run->result->overlap_limit;
    if (!(limit > 0.0) || !(now->overlap_max > limit)) return;
    if (run->overlap_step == now->step + 1) return; /* this state was counted already */
    run->overlap_step = now->step + 1;
    if (count(run, RUN_OVERLAP, now->overlap_max))
        log_line(&run->log,
                 "step %" PRId64 ", t = %.6g s: grains overlap by %.3g mean diameters, more than "
                 "%.3g; further cases are counted",
                 now->step, now->time, now->overlap_max, limit);
}

void run_warn_left_out(struct run *run, size_t measure, const talus_error *err) {
    struct run_left_out *left = &run->result->left_out[measure];
    left->last_time = talus_sim_time(run->result->sim);
    if (left->count++ > 0) return;
    left->first_step = talus_sim_step_count(run->result->sim);
    left->first_time = left->last_time;
    snprintf(left->message, sizeof left->message, "%.*s", RUN_MESSAGE - 1, err->text);
    log_line(&run->log,
             "step %" PRId64 ", t = %.6g s: measure %s is left out of this row: %s; further cases "
             "are counted",
             left->first_step, left->first_time, left->label, left->message);
}

void run_warn_totals(struct run *run) {
    for (int kind = 0; kind < RUN_WARNINGS; kind++) {
        const struct run_warning *warning = &run->result->warnings[kind];
        if (warning->count == 0) continue;
        log_line(
            &run->log,
            "warning: %s %" PRId64 " times, first at step %" PRId64 " (t = %.6g s), worst %s %.3g",
            run_warning_name((enum run_warning_kind)kind), warning->count, warning->first_step,
            warning->first_time, run_warning_measure((enum run_warning_kind)kind), warning->worst);
    }
    for (size_t m = 0; m < run->result->measure_count; m++) {
        const struct run_left_out *left = &run->result->left_out[m];
        if (left->count > 0)
            log_line(&run->log,
                     "warning: measure %s left out of %" PRId64 " rows, first at step %" PRId64
                     " (t = %.6g s), last at t = %.6g s",
                     left->label, left->count, left->first_step, left->first_time, left->last_time);
    }
}

talus_status run_warning_status(const talus_result *result) {
    if (result->warnings[RUN_NOT_CONVERGED].count > 0) return TALUS_WARN_NOT_CONVERGED;
    if (result->warnings[RUN_OVERLAP].count > 0) return TALUS_WARN_OVERLAP;
    if (result->warnings[RUN_TIME_STEP].count > 0) return TALUS_WARN_TIME_STEP;
    return TALUS_OK;
}
