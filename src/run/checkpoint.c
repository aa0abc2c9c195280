/* SPDX-License-Identifier: Apache-2.0
 *
 * When the state is written. Between two steps, never in one: writing looks at the run and changes nothing in it, so runs
 * with and without checkpoints have the same bits. A file that cannot be written is no reason to end a run that
 * goes well: it is logged, and the file of before is still there.
 */
#include "run/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "io/directory.h"
#include "sim/sim_archive.h"

ARCHIVE_KNOWS(struct run, 53880);
ARCHIVE_KNOWS(talus_result, 11008);
ARCHIVE_KNOWS(struct run_left_out, 608);
ARCHIVE_KNOWS(struct run_phase, 96);
ARCHIVE_KNOWS(struct run_warning, 32);
ARCHIVE_KNOWS(struct scene_pour, 32);

static bool is_wanted(const struct run *run) {
    return run->config->directory != NULL && run->scene->output.checkpoint.wanted &&
           run->config->checkpoint_every >= 0.0;
}

/* ---- what belongs to it ------------------------------------------------------------------------ */

static void archive_phases(struct run *run, struct archive *archive) {
    talus_result *result = run->result;
    static const struct archive_member members[] = {
        ARCHIVE_MEMBER(struct run_phase, name, ARCHIVE_TEXT, RUN_NAME),
        ARCHIVE_MEMBER(struct run_phase, end, ARCHIVE_UINT32, 1),
        ARCHIVE_MEMBER(struct run_phase, time_start, ARCHIVE_DOUBLE, 1),
        ARCHIVE_MEMBER(struct run_phase, time_end, ARCHIVE_DOUBLE, 1),
        ARCHIVE_MEMBER(struct run_phase, steps, ARCHIVE_INT64, 1)};
    ARCHIVE(archive, "run/phases_begun", "", &result->phases_begun, 1);
    if (archive_is_well(archive) && result->phases_begun > result->phase_count)
        archive_fail(archive, TALUS_ERR_INPUT, "its phases are not those of its scene");
    ARCHIVE_RECORDS(archive, "run/phases", result->phases, result->phase_count, members);
    ARCHIVE(archive, "run/rest_count", "", &run->rest_count, 1);
}

static void archive_output(struct run *run, struct archive *archive) {
    struct run_film *film = &run->film;
    ARCHIVE(archive, "run/series_bytes", "", &run->series_bytes, 1);
    ARCHIVE(archive, "run/next_row", "s", &run->next_row, 1);
    ARCHIVE(archive, "run/last_row_step", "", &run->last_row_step, 1);
    ARCHIVE(archive, "run/film_count", "", &film->count, 1);
    ARCHIVE(archive, "run/film_next", "s", &film->next, 1);
    ARCHIVE(archive, "run/film_low", "m", &film->config.low, 1);
    ARCHIVE(archive, "run/film_high", "m", &film->config.high, 1);
    ARCHIVE(archive, "run/frames_next", "s", &run->frames.next, 1);
    ARCHIVE(archive, "run/frames_last_step", "", &run->frames.last_step, 1);
    run_measures_archive(run, archive);
}

static void archive_counters(struct run *run, struct archive *archive) {
    talus_result *result = run->result;
    ARCHIVE(archive, "run/warnings", "", &result->warnings[0], RUN_WARNINGS);
    ARCHIVE(archive, "run/overlap_step", "", &run->overlap_step, 1);
    ARCHIVE(archive, "run/sweeps_total", "", &result->sweeps_total, 1);
    ARCHIVE(archive, "run/updates_total", "", &result->updates_total, 1);
    ARCHIVE(archive, "run/audit_updates", "", &result->audit_updates, 1);
    ARCHIVE(archive, "run/handovers_total", "", &result->handovers_total, 1);
    ARCHIVE(archive, "run/handover_sweeps_total", "", &result->handover_sweeps_total, 1);
    ARCHIVE(archive, "run/factor_turns_total", "", &result->factor_turns_total, 1);
    ARCHIVE(archive, "run/factor_steps_total", "", &result->factor_steps_total, 1);
    ARCHIVE(archive, "run/wall_seconds", "s", &run->wall_before, 1);
    ARCHIVE(archive, "run/report", "", &run->report, 1);
}

static void archive_sources(struct run *run, struct archive *archive) {
    size_t count = run->pour.count;
    ARCHIVE(archive, "run/poured", "", run->pour.poured, count);
    ARCHIVE(archive, "run/waiting", "", run->pour.waiting, count);
}

void run_archive(struct run *run, struct archive *archive) {
    archive_phases(run, archive);
    archive_output(run, archive);
    archive_counters(run, archive);
    archive_sources(run, archive);
    ARCHIVE(archive, "run/finished", "", &run->finished, 1);
}

/* ---- the scene --------------------------------------------------------------------------------- */

/* A text as long as it is. */
static void archive_text(struct archive *archive, const char *name, char *text, size_t length) {
    archive_move(archive, &(struct archive_item){.name = name,
                                                 .unit = "",
                                                 .kind = ARCHIVE_TEXT,
                                                 .columns = length,
                                                 .size = length,
                                                 .data = text,
                                                 .count = 1});
}

static talus_status read_stream(FILE *stream, const char *path, struct memory *memory,
                                struct run_text *out, talus_error *err) {
    long end = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
    if (end <= 0 || fseek(stream, 0, SEEK_SET) != 0)
        return error_set(err, TALUS_ERR_FILE, "%s: cannot be read", path);
    out->text = memory_resize(memory, NULL, 0, (size_t)end + 1, 1); /* with its end */
    if (out->text == NULL) return error_memory(err);
    out->length = (size_t)end + 1;
    if (fread(out->text, 1, (size_t)end, stream) == (size_t)end) return TALUS_OK;
    return error_set(err, TALUS_ERR_FILE, "%s: cannot be read", path);
}

talus_status run_read_scene(const char *directory, struct memory *memory, struct run_text *out,
                            talus_error *err) {
    char path[FILE_PATH];
    TALUS_TRY(file_path(path, directory, "scene.yaml", err));
    FILE *stream = file_read(path, err);
    if (stream == NULL) return access(path, F_OK) != 0 ? TALUS_ERR_INPUT : TALUS_ERR_FILE;
    talus_status status = read_stream(stream, path, memory, out, err);
    fclose(stream);
    return status;
}

talus_status run_keep_scene(struct run *run, talus_error *err) {
    struct run_checkpoint *state = &run->checkpoint;
    if (!is_wanted(run)) return TALUS_OK;
    return run_read_scene(run->config->directory, &state->memory, &state->scene, err);
}

void run_checkpoint_free(struct run *run) {
    memory_free(&run->checkpoint.memory, run->checkpoint.scene.text, run->checkpoint.scene.length,
                1);
    run->checkpoint.scene.text = NULL;
}

talus_status checkpoint_scene(struct checkpoint *checkpoint, struct memory *memory, char **text,
                              size_t *length, talus_error *err) {
    struct archive *archive = &checkpoint->archive;
    *length = 0;
    *text = NULL;
    ARCHIVE(archive, "scene/length", "", length, 1);
    if (!archive_is_well(archive)) return archive->status;
    *text = memory_resize(memory, NULL, 0, *length, 1);
    if (*text == NULL) return error_memory(err);
    archive_text(archive, "scene/text", *text, *length);
    if (*length > 0) (*text)[*length - 1] = '\0';
    return archive->status;
}

/* ---- writing ----------------------------------------------------------------------------------- */

static talus_status write_file(struct run *run, talus_error *err) {
    struct checkpoint checkpoint;
    char path[FILE_PATH];
    struct archive *archive = &checkpoint.archive;
    TALUS_TRY(file_path(path, run->config->directory, DIRECTORY_CHECKPOINT, err));
    TALUS_TRY(checkpoint_create(&checkpoint, path, err));
    ARCHIVE(archive, "scene/length", "", &run->checkpoint.scene.length, 1);
    archive_text(archive, "scene/text", run->checkpoint.scene.text, run->checkpoint.scene.length);
    sim_archive(run->result->sim, archive);
    run_archive(run, archive);
    return checkpoint_finish(&checkpoint, err);
}

static double interval(const struct run *run) {
    double own = run->config->checkpoint_every;
    return own > 0.0 ? own : run->scene->output.checkpoint.every;
}

static double size_of_file(const struct run *run) {
    char path[FILE_PATH];
    struct stat status;
    if (file_path(path, run->config->directory, DIRECTORY_CHECKPOINT, NULL) < 0) return 0.0;
    return stat(path, &status) == 0 ? (double)status.st_size : 0.0;
}

bool run_write_checkpoint(struct run *run) {
    talus_error err = {.text = ""};
    struct run_checkpoint *state = &run->checkpoint;
    if (!is_wanted(run)) return false;
    double start = clock_seconds();
    run->wall_before = start - run->clock_start;
    /* Rows that the file counts must be on the disk before it is. At the end they are, and more. */
    if (!run->finished) run->series_bytes = file_sync(&run->result->series.file);
    talus_status status = run_frames_wait(run, &err); /* those that it counts */
    bool tables = run->finished || run_measures_sync(run);
    if (status >= 0 && !tables)
        status = error_set(&err, TALUS_ERR_FILE, "measures/ cannot be written to the disk");
    if (status >= 0 && run->series_bytes < 0)
        status = error_set(&err, TALUS_ERR_FILE, "series.tsv cannot be written to the disk");
    if (status >= 0) status = write_file(run, &err);
    double seconds = clock_seconds() - start;
    state->seconds += seconds;
    state->longest = fmax(state->longest, seconds);
    state->last_clock = clock_seconds();
    state->last_step = talus_sim_step_count(run->result->sim);
    run->result->resumable = status >= 0;
    if (status >= 0) {
        state->count++;
        state->bytes += size_of_file(run);
    }
    if (status < 0)
        log_line(&run->log, "warning: no checkpoint after step %lld: %s",
                 (long long)state->last_step, err.text);
    return status >= 0;
}

static bool is_due(const struct run *run) {
    const struct run_checkpoint *state = &run->checkpoint;
    int64_t steps = run->scene->output.checkpoint.steps;
    if (clock_seconds() - state->last_clock >= interval(run)) return true;
    return steps > 0 && talus_sim_step_count(run->result->sim) - state->last_step >= steps;
}

void run_checkpoint(struct run *run) {
    if (is_wanted(run) && is_due(run)) run_write_checkpoint(run);
}

/* ---- the limit of a queue ---------------------------------------------------------------------- */

/* Seconds for each, about twice what an idle processor of 2023 needs: a job shares its machine. */
static const double per_grain = 15e-6, per_contact = 15e-6; /* a line of text */
static const double per_grain_drawn = 20e-6, per_pixel = 0.4e-6;
static const double per_grain_converted =
    6e-6; /* a grain and its contacts, read and written as VTKHDF */

double run_results_seconds(const struct run_results_size *size) {
    return per_grain * size->grains + per_contact * size->contacts + per_pixel * size->pixels +
           (size->pixels > 0.0 ? per_grain_drawn * size->grains : 0.0) +
           per_grain_converted * size->grains * size->converted_frames;
}

double run_reserve(double limit, double step, double checkpoint, double results) {
    return fmin(30.0, 0.05 * limit) + 2.0 * (step + checkpoint) + results;
}

static struct run_results_size results_size(const struct run *run) {
    const talus_sim *sim = run->result->sim;
    const struct scene_output *output = &run->scene->output;
    const talus_picture_config *picture = &output->picture_config;
    struct run_results_size size = {.grains = (double)talus_sim_bodies(sim).count,
                                    .contacts = (double)sim->problem.contact_count};
    if (run->config->directory == NULL) return (struct run_results_size){.grains = 0.0};
    if (run->config->picture && output->picture)
        size.pixels = (double)picture->width * (double)picture->height;
    if (output->frames.wanted && output->frames.vtkhdf)
        size.converted_frames = (double)run->frames.writer.number + 1.0;
    return size;
}

/* Before the limit strikes there must be time for a step, a checkpoint and the results. */
bool run_out_of_time(struct run *run) {
    struct run_checkpoint *state = &run->checkpoint;
    double limit = run->config->wall_limit, now = clock_seconds();
    double step = state->step_clock > 0.0 ? now - state->step_clock : 0.0;
    state->step_clock = now;
    state->step_longest = fmax(state->step_longest, step);
    if (!(limit > 0.0)) return false;
    struct run_results_size size = results_size(run);
    double reserve =
        run_reserve(limit, state->step_longest, state->longest, run_results_seconds(&size));
    return now - run->process_start + reserve >= limit;
}
