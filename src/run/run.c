/* SPDX-License-Identifier: Apache-2.0
 *
 * talus_run: build the scene, walk through its phases, write what came of it.
 *
 * However the run ends - done, interrupted, diverged - the same results are written. Only a file
 * that cannot be written ends it without: a second try would fail the same way and hide the first
 * message.
 */
#include "run/run.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "io/directory.h"
#include "sim/sim.h"

talus_run_config talus_run_config_default(void) {
    return (talus_run_config){.picture = true, .threads = 1};
}

const char *run_status_text(talus_status status) {
    return status >= 0 && status != TALUS_WARN_INTERRUPTED ? "ok" : talus_status_name(status);
}

/* ---- the result ------------------------------------------------------------------------------ */

static talus_result *result_make(const talus_scene *scene, int64_t refuse_at) {
    struct memory memory = {.refuse_at = refuse_at};
    talus_result *result = memory_resize(&memory, NULL, 0, 1, sizeof *result);
    if (result == NULL) return NULL;
    result->phases = memory_resize(&memory, NULL, 0, scene->phase_count, sizeof *result->phases);
    if (result->phases == NULL) {
        memory_free(&memory, result, 1, sizeof *result);
        return NULL;
    }
    result->phase_count = scene->phase_count;
    result->overlap_limit = scene->overlap_limit;
    result->seed = scene->config.seed;
    snprintf(result->title, sizeof result->title, "%s", scene->title);
    /* The series has its own count of calls; continue where this one stands. */
    result->series.memory.refuse_at = refuse_at > memory.calls ? refuse_at - memory.calls : 0;
    result->memory = memory;
    return result;
}

void talus_result_free(talus_result *result) {
    if (result == NULL) return;
    series_free(&result->series);
    talus_sim_destroy(result->sim);
    struct memory memory = result->memory;
    memory_free(&memory, result->phases, result->phase_count, sizeof *result->phases);
    memory_free(&memory, result->left_out, result->measure_count, sizeof *result->left_out);
    memory_free(&memory, result, 1, sizeof *result);
}

const talus_sim *talus_result_sim(const talus_result *result) {
    return result->sim;
}

const double *talus_result_column(const talus_result *result, const char *name, size_t *count) {
    return series_find(&result->series, name, count);
}

bool talus_result_phase(const talus_result *result, const char *name, double *begin, double *end) {
    for (size_t p = 0; p < result->phases_begun; p++) {
        if (strncmp(result->phases[p].name, name, RUN_NAME - 1) != 0) continue;
        *begin = result->phases[p].time_start;
        *end = result->phases[p].time_end;
        return true;
    }
    return false;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* The latest time the run can last to. */
static double latest_end(const struct run *run) {
    const talus_scene *scene = run->scene;
    const talus_sim *sim = run->result->sim;
    double dt = talus_sim_dt(sim), end = talus_sim_time(sim);
    for (size_t p = run->resumed ? run->result->phases_begun - 1 : 0; p < scene->phase_count; p++) {
        const struct scene_phase *phase = &scene->phases[p];
        if (phase->change.has_dt) dt = phase->change.dt;
        end += dt * (double)(run_phase_steps(phase, dt) - run->result->phases[p].steps);
    }
    return end;
}

static talus_status all_phases(struct run *run, talus_error *err) {
    size_t first = run->resumed ? run->result->phases_begun - 1 : 0;
    if (!run->resumed) {
        talus_observables row;
        TALUS_TRY(run_row(run, &row, err));
        TALUS_TRY(run_film(run, err));
        TALUS_TRY(run_frames(run, err));
        TALUS_TRY(run_frames_event(run, SCENE_FRAME_START, err));
    } else {
        TALUS_TRY(run_frames_resume(run, err));
    }
    for (size_t p = first; p < run->scene->phase_count; p++) {
        TALUS_TRY(run_one_phase(run, p, err));
        if (run->result->phases[p].end == RUN_END_INTERRUPTED) return TALUS_WARN_INTERRUPTED;
        TALUS_TRY(run_frames_event(run, SCENE_FRAME_PHASE, err));
    }
    return TALUS_OK;
}

static void keep_message(talus_result *result, const talus_error *err) {
    snprintf(result->message, sizeof result->message, "%.*s", RUN_MESSAGE - 1, err->text);
}

/* Note how it ended and the state at the end, with a last row unless it was just written. */
static talus_status conclude(struct run *run, talus_status status, talus_error *err) {
    talus_result *result = run->result;
    /* Who goes on from the end has not seen its audit. */
    const struct run_record record = result->sim->record;
    const int64_t audit_updates = result->audit_updates;
    if (status >= 0) {
        talus_status measured = talus_sim_measures(result->sim, &result->measures, err);
        if (measured >= 0 && status == TALUS_OK) measured = run_audit_last(run, err);
        if (measured < 0) status = measured;
    }
    result->wall_seconds = clock_seconds() - run->clock_start;
    if (status < 0) keep_message(result, err);
    for (size_t s = 0; s < run->pour.count; s++) result->source_waiting += run->pour.waiting[s];
    result->last = talus_sim_observe(result->sim);
    result->trust = talus_sim_trust(result->sim);
    result->sim->record = record;
    result->audit_updates = audit_updates;
    if (status == TALUS_OK) status = run_warning_status(result);
    result->status = status;
    if (status == TALUS_ERR_FILE || status == TALUS_ERR_MEMORY) return status;
    if (status != TALUS_WARN_INTERRUPTED) TALUS_TRY(run_frames_event(run, SCENE_FRAME_END, err));
    if (result->last.step == run->last_row_step) return status;
    talus_status written = run_measures_take(run, false, err);
    if (written >= 0)
        written = series_add(&result->series, result->sim, &result->last,
                             run->measures != NULL ? run->measures->values : NULL, err);
    return written < 0 ? written : status;
}

static talus_status execute(struct run *run, talus_error *err) {
    run->time_end = latest_end(run);
    TALUS_TRY(run_open(run, err));
    run->begun = true;
    if (run->config->begun != NULL) run->config->begun(run->result->sim, run->config->context);
    /* As if the time before had been spent without a break. */
    run->clock_start = clock_seconds() - run->wall_before;
    run->checkpoint.last_clock = clock_seconds();
    run->checkpoint.last_step = talus_sim_step_count(run->result->sim);
    talus_status status = all_phases(run, err);
    bool complete = status == TALUS_OK && run->scene->output.checkpoint.end;
    if (complete && run->config->directory != NULL) { /* without the row of the end */
        run->series_bytes = file_sync(&run->result->series.file);
        complete = run_measures_sync(run);
    }
    status = conclude(run, status, err);
    if (status == TALUS_ERR_FILE) {
        log_line(&run->log, "stopped: %s", err->text);
        return status;
    }
    talus_error late;
    talus_status written = run_write_results(run, &late);
    /* After the results: who resumes a run that is over finds them whole. */
    run->finished = true;
    if (complete && written >= 0 && status >= 0) run_write_checkpoint(run);
    if (written >= 0 && status >= 0) TALUS_TRY(run_check_dump(run, err));
    if (written >= 0) return status;
    /* Of two errors the first one is the cause. */
    if (status >= 0) error_set(err, written, "%s", late.text);
    return status < 0 ? status : written;
}

/* As the scene says, or as it was. */
static talus_status set_up(struct run *run, const struct run_origin *origin, talus_error *err) {
    const talus_scene *scene = run->scene;
    TALUS_TRY(scene_pour_start(scene, &run->pour, err));
    TALUS_TRY(run_measures_make(run, err));
    TALUS_TRY(origin->restore != NULL ? origin->restore(run, origin->context, err)
                                      : talus_scene_build(scene, &run->result->sim, err));
    return talus_sim_set_threads(run->result->sim, run->config->threads, err);
}

talus_status run_from(const struct run_origin *origin, const talus_run_config *config,
                      talus_result **out, talus_error *err) {
    talus_error own; /* messages go into the results even if the caller wants none */
    const talus_run_config standard = talus_run_config_default();
    *out = NULL;
    if (err == NULL) err = &own;
    talus_result *result = result_make(origin->scene, origin->refuse_at);
    if (result == NULL) return error_memory(err);
    struct run run = {.scene = origin->scene,
                      .config = config != NULL ? config : &standard,
                      .result = result,
                      .lock = -1,
                      .process_start = clock_seconds()};
    talus_status status = set_up(&run, origin, err);
    if (status >= 0) status = execute(&run, err);
    file_discard(&run.log.file);
    frame_writer_free(&run.frames.writer);
    run_measures_free(&run);
    scene_pour_free(&run.pour);
    run_checkpoint_free(&run);
    directory_unlock(&run.lock);
    if (!run.begun) { /* there is nothing to tell of it */
        talus_result_free(result);
        result = NULL;
    }
    *out = result;
    return status;
}

talus_status run_scene(const talus_scene *scene, const talus_run_config *config, int64_t refuse_at,
                       talus_result **out, talus_error *err) {
    struct run_origin origin = {.scene = scene, .refuse_at = refuse_at};
    return run_from(&origin, config, out, err);
}

bool talus_result_resumable(const talus_result *result) {
    return result->resumable;
}

talus_status talus_run(const talus_scene *scene, const talus_run_config *config, talus_result **out,
                       talus_error *err) {
    return run_scene(scene, config, 0, out, err);
}
