/* SPDX-License-Identifier: Apache-2.0
 * Opening and completing the files of a run. */
#include <inttypes.h>
#include <math.h>

#include "io/directory.h"
#include "io/state.h"
#include "run/run.h"
#include "talus/catalog.h"
#include "talus/picture.h"

static talus_status write_scene(const talus_scene *scene, const char *directory, talus_error *err) {
    struct file file;
    TALUS_TRY(file_open(&file, directory, "scene.yaml", FILE_WHOLE, err));
    talus_status status = talus_scene_write(scene, file.stream, err);
    if (status < 0) {
        file_discard(&file);
        return status;
    }
    return file_close(&file, err);
}

static talus_status open_files(struct run *run, talus_error *err) {
    const char *directory = run->config->directory;
    const talus_sim *sim = run->result->sim;
    /* A directory that is made here was nobody's. */
    TALUS_TRY(directory_lock(directory, &run->lock, err));
    TALUS_TRY(directory_prepare(directory, run->config->overwrite, err));
    if (run->lock < 0) TALUS_TRY(directory_lock(directory, &run->lock, err));
    TALUS_TRY(write_scene(run->scene, directory, err));
    TALUS_TRY(run_keep_scene(run, err));
    TALUS_TRY(log_open(&run->log, directory, err));
    log_line(&run->log, "talus %s, scene \"%s\", seed %" PRIu64, talus_version(), run->scene->title,
             run->scene->config.seed);
    log_line(&run->log, "%zu bodies, %zu of them boundaries; %zu phases, at most %.9g s",
             talus_sim_bodies(sim).count, talus_sim_boundary_count(sim), run->scene->phase_count,
             run->time_end);
    talus_step_rules rules = talus_sim_step_rules(sim);
    if (isfinite(rules.collision_time))
        log_line(&run->log,
                 "collision time %.4g s, rules for dt: t_c/100 %.4g s, friction %.4g s, "
                 "travel %.4g s; dt = %.4g s",
                 rules.collision_time, rules.collision, rules.friction, rules.travel,
                 talus_sim_dt(sim));
    return TALUS_OK;
}

/* The summary goes: it would say that the rest is complete. */
static talus_status reopen_files(struct run *run, talus_error *err) {
    const char *directory = run->config->directory;
    TALUS_TRY(log_reopen(&run->log, directory, run->wall_before, err));
    TALUS_TRY(directory_remove_summary(directory, err));
    log_line(&run->log, "talus %s resumes after step %" PRId64 ", t = %.9g s, in phase \"%s\"",
             talus_version(), talus_sim_step_count(run->result->sim),
             talus_sim_time(run->result->sim),
             run->result->phases[run->result->phases_begun - 1].name);
    /* With a new end, the scene is no longer that of the beginning. */
    TALUS_TRY(write_scene(run->scene, directory, err));
    return run_keep_scene(run, err);
}

talus_status run_open(struct run *run, talus_error *err) {
    const struct scene_output *output = &run->scene->output;
    if (run->config->directory != NULL && !run->resumed) TALUS_TRY(open_files(run, err));
    if (run->resumed) TALUS_TRY(directory_lock(run->config->directory, &run->lock, err));
    TALUS_TRY(run_measures_open(run, err));
    struct series_config config = {
        .directory = run->config->directory,
        .track = output->track,
        .track_count = output->track_count,
        .membranes = run->scene->membrane_names,
        .membrane_count = run->scene->membrane_name_count,
        .boundaries = output->boundaries,
        .keep = run->config->keep_series,
        .resume_at = run->resumed ? run->series_bytes : 0,
        .extra = run->measures != NULL ? run->measures->columns : NULL,
        .extra_count = run->measures != NULL ? run->measures->column_count : 0,
    };
    TALUS_TRY(series_start(&run->result->series, run->result->sim, &config, err));
    return run->resumed ? reopen_files(run, err) : TALUS_OK;
}

static talus_status write_picture(struct run *run, const char *directory, talus_error *err) {
    char path[FILE_PATH];
    if (!run->config->picture || !run->scene->output.picture) return TALUS_OK;
    TALUS_TRY(file_path(path, directory, "final.png", err));
    return talus_picture_write(run->result->sim, &run->scene->output.picture_config, path, err);
}

/* In this order: summary.json last, so that its presence says that the rest is complete. */
static talus_status write_all(struct run *run, const char *directory, talus_error *err) {
    talus_result *result = run->result;
    TALUS_TRY(series_finish(&result->series, err));
    TALUS_TRY(run_measures_finish(run, err));
    TALUS_TRY(run_frames_finish(run, err));
    TALUS_TRY(state_write_grains(result->sim, directory, err));
    TALUS_TRY(state_write_contacts(result->sim, directory, err));
    TALUS_TRY(write_picture(run, directory, err));
    run_warn_totals(run);
    if (result->source_waiting > 0)
        log_line(&run->log, "warning: %" PRId64 " grains to be poured found no room",
                 result->source_waiting);
    if (run->checkpoint.count > 0)
        log_line(&run->log,
                 "%" PRId64 " checkpoints written in %.3f s, the longest in %.3f s (%.0f MB/s)",
                 run->checkpoint.count, run->checkpoint.seconds, run->checkpoint.longest,
                 1e-6 * run->checkpoint.bytes / run->checkpoint.seconds);
    if (result->message[0] != '\0') log_line(&run->log, "stopped: %s", result->message);
    log_line(&run->log, "%s: %" PRId64 " steps, t = %.9g s, %.3f s of wall time",
             run_status_text(result->status), talus_sim_step_count(result->sim),
             talus_sim_time(result->sim), result->wall_seconds);
    log_line(&run->log, "%s", result->trust.verdict);
    TALUS_TRY(log_close(&run->log, err));
    return run_write_summary(result, directory, err);
}

talus_status run_write_results(struct run *run, talus_error *err) {
    if (run->config->directory == NULL) return TALUS_OK;
    return write_all(run, run->config->directory, err);
}
