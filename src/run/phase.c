/* SPDX-License-Identifier: Apache-2.0
 * One phase of a scene: its change, its steps, its end. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/run.h"
#include "scene/build.h"

enum {
    REST_EVERY = 10, /* steps between two looks at rest and overlap: a look costs about a sweep */
    REST_LOOKS = 3 /* looks in a row that must find rest: a ball at the top of its flight is not */
};

const char *run_end_name(enum run_end end) {
    switch (end) {
    case RUN_END_DURATION: return "done";
    case RUN_END_REST: return "at rest";
    case RUN_END_NOT_AT_REST: return "time limit before rest";
    case RUN_END_INTERRUPTED: return "interrupted";
    case RUN_END_FAILED: return "failed";
    default: return "running";
    }
}

/* A duration is a whole number of steps: the next one up, but for rounding of the division. */
int64_t run_phase_steps(const struct scene_phase *phase, double dt) {
    if (phase->steps > 0) return phase->steps;
    double steps = ceil(phase->duration / dt * (1.0 - 1e-9));
    return steps < 1.0 ? 1 : steps > 9e18 ? INT64_MAX : (int64_t)steps;
}

static bool waits_for_rest(const struct scene_phase *phase) {
    return phase->rest_kinetic > 0.0 || phase->rest_unbalanced > 0.0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool row_due(const struct run *run) {
    double dt = talus_sim_dt(run->result->sim);
    return talus_sim_time(run->result->sim) + 0.5 * dt >= run->next_row;
}

/* Within half a step of a multiple is at it. */
double run_next_time(const talus_sim *sim, double every) {
    return (floor((talus_sim_time(sim) + 0.5 * talus_sim_dt(sim)) / every) + 1.0) * every;
}

talus_status run_row(struct run *run, talus_observables *row, talus_error *err) {
    const talus_sim *sim = run->result->sim;
    double every = run->scene->output.every;
    *row = talus_sim_observe(sim);
    run_warn_overlap(run, row);
    run->last_row_step = row->step;
    if (every > 0.0) run->next_row = run_next_time(sim, every);
    TALUS_TRY(run_measures_take(run, true, err));
    return series_add(&run->result->series, sim, row,
                      run->measures != NULL ? run->measures->values : NULL, err);
}

/* ---- progress -------------------------------------------------------------------------------- */

static const double pace_interval = 1.0; /* s of wall time between two looks at the pace */

/* From the pace of the last seconds, since steps become dearer as contacts form; before the first
 * look from that of the whole run. The run may end sooner when it waits for rest. */
static double remaining_seconds(struct run *run, double wall_seconds) {
    struct run_pace *pace = &run->pace;
    double time = talus_sim_time(run->result->sim), passed = wall_seconds - pace->clock;
    if (passed >= pace_interval) {
        double rate = (time - pace->time) / passed;
        pace->rate = pace->rate > 0.0 ? 0.5 * (pace->rate + rate) : rate;
        pace->clock = wall_seconds;
        pace->time = time;
    }
    double rate = pace->rate > 0.0 ? pace->rate : time / wall_seconds;
    return rate > 0.0 && isfinite(rate) ? fmax(run->time_end - time, 0.0) / rate : -1.0;
}

static bool progress(struct run *run, size_t number, const talus_observables *row) {
    if (run->config->progress == NULL) return true;
    const talus_sim *sim = run->result->sim;
    double wall_seconds = clock_seconds() - run->clock_start;
    talus_progress now = {
        .phase = run->scene->phases[number].name,
        .phase_number = (int)number + 1,
        .phase_count = (int)run->scene->phase_count,
        .time = talus_sim_time(sim),
        .time_end = run->time_end,
        .step = talus_sim_step_count(sim),
        .wall_seconds = wall_seconds,
        .eta_seconds = remaining_seconds(run, wall_seconds),
        .report = run->report.step > 0 ? &run->report : NULL,
        .row = row,
    };
    return run->config->progress(&now, run->config->context);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static talus_status one_step(struct run *run, talus_error *err) {
    talus_sim *sim = run->result->sim;
    TALUS_TRY(scene_pour_step(run->scene, &run->pour, sim, err));
    talus_status status = talus_sim_step(sim, &run->report, err);
    if (status < 0) return status;
    run->result->sweeps_total += run->report.sweeps;
    run->result->updates_total += run->report.updates;
    run->result->handovers_total += run->report.handovers;
    run->result->handover_sweeps_total += run->report.handover_sweeps;
    run->result->factor_turns_total += run->report.factor_turns;
    run->result->factor_steps_total += run->report.factor_steps;
    run_warn_step(run);
    TALUS_TRY(run_audit(run, err));
    if (run->report.step == run->config->dump_step) return run_dump_problem(run, err);
    return TALUS_OK;
}

/* Look at the packing every few steps; true once rest has lasted for several looks. */
static bool rest_reached(struct run *run, const struct scene_phase *phase, int64_t step) {
    if (step % REST_EVERY != 0) return false;
    talus_observables now = talus_sim_observe(run->result->sim);
    run_warn_overlap(run, &now);
    if (!waits_for_rest(phase)) return false;
    run->rest_count = run_at_rest(run, phase, &now) ? run->rest_count + 1 : 0;
    return run->rest_count >= REST_LOOKS &&
           (double)step * talus_sim_dt(run->result->sim) >= phase->rest_minimum;
}

/* A checkpoint, if one is due, or for the end that the caller or the clock wants. The end of the last phase is the end
 * anyway: it is not interrupted, and its checkpoint follows the results. */
static void pause_or_stop(struct run *run, size_t number, struct run_phase *record, bool go_on) {
    if (record->end != RUN_END_NONE && number + 1 == run->scene->phase_count) return;
    if (go_on) {
        if (record->end == RUN_END_NONE) run_checkpoint(run);
        return;
    }
    run_write_checkpoint(run);
    record->end = RUN_END_INTERRUPTED;
}

static talus_status walk(struct run *run, size_t number, struct run_phase *record,
                         talus_error *err) {
    const struct scene_phase *phase = &run->scene->phases[number];
    int64_t limit = run_phase_steps(phase, talus_sim_dt(run->result->sim));
    while (record->end == RUN_END_NONE) {
        talus_observables row, *shown = NULL;
        TALUS_TRY(one_step(run, err));
        record->steps++;
        if (row_due(run)) {
            TALUS_TRY(run_row(run, &row, err));
            shown = &row;
        }
        TALUS_TRY(run_film(run, err));
        TALUS_TRY(run_frames(run, err));
        bool rested = rest_reached(run, phase, record->steps);
        bool go_on = progress(run, number, shown);
        if (rested)
            record->end = RUN_END_REST;
        else if (record->steps >= limit)
            record->end = waits_for_rest(phase) ? RUN_END_NOT_AT_REST : RUN_END_DURATION;
        pause_or_stop(run, number, record, go_on && !run_out_of_time(run));
    }
    return TALUS_OK;
}

/* ---- the phase ------------------------------------------------------------------------------- */

/* dt: auto of soft grains follows laws that a phase makes stiffer; it never becomes longer. */
static talus_status shorten_step(struct run *run, const struct scene_change *change,
                                 talus_error *err) {
    talus_sim *sim = run->result->sim;
    bool soft = run->scene->config.method == TALUS_METHOD_MD;
    if (!soft || !run->scene->dt_auto || change->has_dt || change->pair_count == 0) return TALUS_OK;
    double dt = build_auto_dt(run->scene, sim);
    return dt < talus_sim_dt(sim) ? talus_sim_set_dt(sim, dt, err) : TALUS_OK;
}

static talus_status begin(struct run *run, size_t number, talus_error *err) {
    const struct scene_change *change = &run->scene->phases[number].change;
    TALUS_TRY(scene_apply_change(change, run->result->sim, err));
    TALUS_TRY(shorten_step(run, change, err));
    log_line(&run->log, "phase %zu/%zu \"%s\" begins at t = %.9g s, dt = %.6g s", number + 1,
             run->scene->phase_count, run->scene->phases[number].name,
             talus_sim_time(run->result->sim), talus_sim_dt(run->result->sim));
    return TALUS_OK;
}

static void finish(struct run *run, size_t number, struct run_phase *record) {
    talus_sim *sim = run->result->sim;
    record->time_end = talus_sim_time(sim);
    log_line(&run->log, "phase %zu/%zu \"%s\" ends at t = %.9g s after %" PRId64 " steps: %s",
             number + 1, run->scene->phase_count, record->name, record->time_end, record->steps,
             run_end_name(record->end));
    if (record->end != RUN_END_NOT_AT_REST) return;
    talus_observables now = talus_sim_observe(sim);
    log_line(
        &run->log,
        "warning: phase \"%s\" did not come to rest in its time: kinetic number %.3g, unbalanced "
        "force %.3g; going on",
        record->name, run_kinetic_number(sim, &now), now.unbalanced_force);
}

/* Before the first step of all: the caller is asked, and there is something to resume from now on. */
static void begin_all(struct run *run, struct run_phase *record) {
    if (!progress(run, 0, NULL))
        pause_or_stop(run, 0, record, false);
    else if (run->scene->output.checkpoint.end)
        run_write_checkpoint(run);
}

static talus_status enter(struct run *run, size_t number, struct run_phase *record,
                          talus_error *err) {
    snprintf(record->name, sizeof record->name, "%s", run->scene->phases[number].name);
    record->time_start = talus_sim_time(run->result->sim);
    run->result->phases_begun = number + 1;
    run->rest_count = 0;
    TALUS_TRY(begin(run, number, err));
    if (number == 0) begin_all(run, record);
    return TALUS_OK;
}

talus_status run_one_phase(struct run *run, size_t number, talus_error *err) {
    struct run_phase *record = &run->result->phases[number];
    talus_status status = TALUS_OK;
    if (!run->resumed) status = enter(run, number, record, err);
    run->resumed = false;
    if (status >= 0) status = walk(run, number, record, err);
    if (status < 0) record->end = RUN_END_FAILED;
    finish(run, number, record);
    return status;
}
