/* SPDX-License-Identifier: Apache-2.0
 *
 * Going on with a run. Its scene is in the checkpoint, as text: it makes the frame (materials, shapes, boundaries), and the
 * file has all the rest. Everything is checked before the first file of the directory is touched.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "run/checkpoint.h"
#include "scene/build.h"
#include "scene/load.h"
#include "scene/same.h"
#include "sim/sim_archive.h"

struct resume {
    struct checkpoint checkpoint;
    const char *directory;
    struct memory memory;
    char *text; /* of the scene */
    size_t length;
    talus_scene *original, *scene; /* as it was, with the overrides */
    bool over;                     /* there is nothing left to do */
};

/* ---- overrides --------------------------------------------------------------------------------- */

/* time.end, time.steps, phases.X.until..., output.checkpoint... */
static bool may_change(const char *override) {
    static const char *const whole[] = {
        "time.end=", "time.steps=", "output.checkpoint=", "output.checkpoint."};
    for (size_t k = 0; k < sizeof whole / sizeof whole[0]; k++)
        if (strncmp(override, whole[k], strlen(whole[k])) == 0) return true;
    if (strncmp(override, "phases.", 7) != 0) return false;
    const char *rest = strchr(override + 7, '.');
    return rest != NULL && (strncmp(rest, ".until.", 7) == 0 || strncmp(rest, ".until=", 7) == 0);
}

static talus_status check_overrides(const char *const *overrides, size_t count, talus_error *err) {
    for (size_t k = 0; k < count; k++)
        if (!may_change(overrides[k]))
            return error_set(err, TALUS_ERR_INPUT,
                             "--set %.200s: a resumed run goes on with its scene; only the end of "
                             "phases (phases.NAME.until, time.end, time.steps) and "
                             "output.checkpoint may be changed. To change more, start a scene "
                             "with `from`",
                             overrides[k]);
    return TALUS_OK;
}

static bool same_end(const struct scene_phase *a, const struct scene_phase *b) {
    return a->duration == b->duration && a->steps == b->steps &&
           a->rest_kinetic == b->rest_kinetic && a->rest_unbalanced == b->rest_unbalanced &&
           a->rest_minimum == b->rest_minimum;
}

/* Phases that are over stay as they were; the present one must have a step left. */
static talus_status check_phases(const struct resume *resume, struct run *run, talus_error *err) {
    const talus_scene *before = resume->original, *now = resume->scene;
    size_t present = run->result->phases_begun - 1;
    struct run_phase *record = &run->result->phases[present];
    for (size_t p = 0; p < present && now != before; p++)
        if (!same_end(&before->phases[p], &now->phases[p]))
            return error_set(err, TALUS_ERR_INPUT,
                             "phase '%s' is over: its end cannot be changed any more",
                             now->phases[p].name);
    const struct scene_phase *phase = &now->phases[present];
    if (now == before || same_end(&before->phases[present], phase)) return TALUS_OK;
    int64_t limit = run_phase_steps(phase, talus_sim_dt(run->result->sim));
    if (limit <= record->steps)
        return error_set(err, TALUS_ERR_INPUT,
                         "phase '%s' has done %lld steps already: its new end, after %lld, is past",
                         phase->name, (long long)record->steps, (long long)limit);
    bool waits = phase->rest_kinetic > 0.0 || phase->rest_unbalanced > 0.0;
    if (record->end == RUN_END_REST && waits)
        return error_set(err, TALUS_ERR_INPUT,
                         "phase '%s' has come to rest after %lld steps: it is over, whatever its "
                         "longest time",
                         phase->name, (long long)record->steps);
    record->end = RUN_END_NONE;
    return TALUS_OK;
}

/* ---- restoring --------------------------------------------------------------------------------- */

/* Names the file that a message is about. */
static talus_status name_file(const struct checkpoint *checkpoint, talus_status status,
                              talus_error *err) {
    talus_error inner = *err;
    if (strncmp(inner.text, checkpoint->file.path, strlen(checkpoint->file.path)) == 0)
        return status;
    return error_set(err, status, "%s: %.3000s", checkpoint->file.path, inner.text);
}

static talus_status restore(struct run *run, void *context, talus_error *err) {
    struct resume *resume = context;
    struct archive *archive = &resume->checkpoint.archive;
    archive->err = err;
    TALUS_TRY(build_frame(resume->scene, &run->result->sim, err));
    sim_archive(run->result->sim, archive);
    run_archive(run, archive);
    if (archive_is_well(archive) && run->result->phases_begun == 0)
        archive_fail(archive, TALUS_ERR_INPUT, "no phase has begun");
    talus_status status = archive->status;
    if (status < 0) status = name_file(&resume->checkpoint, status, err);
    if (status >= 0) status = check_phases(resume, run, err);
    if (status < 0) {
        talus_sim_destroy(run->result->sim);
        run->result->sim = NULL;
        return status;
    }
    talus_vec3 low = run->film.config.low, high = run->film.config.high;
    run->film.config = run->scene->output.picture_config;
    if (run->film.count > 0) {
        run->film.config.low = low;
        run->film.config.high = high;
    }
    run->resumed = true;
    run->finished = false;
    return TALUS_OK;
}

/* ---- what there is ----------------------------------------------------------------------------- */

static talus_status load_scenes(struct resume *resume, const char *const *overrides, size_t count,
                                talus_error *err) {
    struct scene_source_text from = {.path = "scene of the checkpoint", .text = resume->text};
    TALUS_TRY(scene_load_text(&from, NULL, 0, &resume->original, err));
    resume->scene = resume->original;
    if (count == 0) return TALUS_OK;
    resume->scene = NULL;
    return scene_load_text(&from, overrides, count, &resume->scene, err);
}

/* A run that is over is not touched, unless its last phase is to last longer. */
static talus_status look_if_over(struct resume *resume, talus_error *err) {
    talus_checkpoint_view view;
    const talus_scene *before = resume->original, *now = resume->scene;
    TALUS_TRY(talus_checkpoint_look(resume->directory, &view, err));
    size_t last = before->phase_count - 1;
    resume->over = view.finished && same_end(&before->phases[last], &now->phases[last]);
    return TALUS_OK;
}

static talus_status compare_scenes(const struct resume *resume, const struct run_text *own,
                                   talus_error *err) {
    char path[FILE_PATH];
    talus_scene *scene = NULL;
    if (own->length == resume->length && memcmp(own->text, resume->text, own->length) == 0)
        return TALUS_OK;
    TALUS_TRY(file_path(path, resume->directory, "scene.yaml", err));
    struct scene_source_text from = {.path = path, .text = own->text};
    TALUS_TRY(scene_load_text(&from, NULL, 0, &scene, err));
    bool same = scene_same_but_ends(scene, resume->original);
    talus_scene_free(scene);
    if (same) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "%s: is the checkpoint of another run: its scene is not that of %s. Nothing "
                     "was changed",
                     resume->checkpoint.file.path, path);
}

/* A checkpoint that came here from another run would go on with this one's files. Its scene must be that of the directory,
 * but for ends: a run that was killed just after it was given a new end has the old one in its checkpoint. */
static talus_status check_owner(struct resume *resume, talus_error *err) {
    struct run_text own = {.text = NULL};
    talus_status status = run_read_scene(resume->directory, &resume->memory, &own, err);
    if (status >= 0) status = compare_scenes(resume, &own, err);
    memory_free(&resume->memory, own.text, own.length, 1);
    return status;
}

/* A run goes on with all its files. */
static talus_status check_directory(const char *directory, talus_error *err) {
    struct stat status;
    if (stat(directory, &status) == 0 && !S_ISDIR(status.st_mode))
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: is a file; to resume a run, give the directory of its results",
                         directory);
    return TALUS_OK;
}

static talus_status prepare(struct resume *resume, const char *const *overrides, size_t count,
                            talus_error *err) {
    TALUS_TRY(check_overrides(overrides, count, err));
    TALUS_TRY(check_directory(resume->directory, err));
    TALUS_TRY(checkpoint_open(&resume->checkpoint, resume->directory, err));
    TALUS_TRY(checkpoint_scene(&resume->checkpoint, &resume->memory, &resume->text, &resume->length,
                               err));
    TALUS_TRY(load_scenes(resume, overrides, count, err));
    TALUS_TRY(check_owner(resume, err));
    return look_if_over(resume, err);
}

static void release(struct resume *resume) {
    if (resume->scene != resume->original) talus_scene_free(resume->scene);
    talus_scene_free(resume->original);
    memory_free(&resume->memory, resume->text, resume->length, 1);
    checkpoint_close(&resume->checkpoint);
}

talus_status talus_run_resume(const char *directory, const char *const *overrides,
                              size_t override_count, const talus_run_config *config,
                              talus_result **out, talus_error *err) {
    talus_error own;
    struct resume resume = {.directory = directory, .checkpoint = {.file = {.id = -1}}};
    talus_run_config here = config != NULL ? *config : talus_run_config_default();
    if (err == NULL) err = &own;
    *out = NULL;
    here.directory = directory;
    talus_status status = prepare(&resume, overrides, override_count, err);
    struct run_origin origin = {.scene = resume.scene, .restore = restore, .context = &resume};
    if (status >= 0 && !resume.over) status = run_from(&origin, &here, out, err);
    release(&resume);
    return status;
}
