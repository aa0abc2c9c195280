/* SPDX-License-Identifier: Apache-2.0
 * What is in a checkpoint, without making a simulation of it. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "run/checkpoint.h"
#include "scene/load.h"
#include "sim/sim.h"

struct counts {
    size_t candidates, phases_begun;
    int64_t boundaries, grains;
    talus_step_report report;
    struct run_record record;
};

static void look_at_phase(struct archive *archive, const talus_scene *scene, size_t begun,
                          talus_checkpoint_view *view) {
    view->phase_count = (int)scene->phase_count;
    view->phase_number = (int)begun;
    if (begun == 0 || begun > scene->phase_count)
        archive_fail(archive, TALUS_ERR_INPUT, "its phases are not those of its scene");
    else
        snprintf(view->phase, sizeof view->phase, "%.63s", scene->phases[begun - 1].name);
}

static void look_at_scene(const talus_scene *scene, talus_checkpoint_view *view) {
    snprintf(view->title, sizeof view->title, "%.255s", scene->title);
    view->dim = scene->config.dim;
    view->soft = scene->config.method == TALUS_METHOD_MD;
}

static void look_at_sources(struct archive *archive, const talus_scene *scene,
                            struct memory *memory, talus_checkpoint_view *view) {
    size_t count = scene->source_count;
    int64_t *poured = memory_resize(memory, NULL, 0, count, sizeof *poured);
    if (poured == NULL) {
        archive->status = error_memory(archive->err);
        return;
    }
    ARCHIVE(archive, "run/poured", "", poured, count);
    for (size_t s = 0; s < count && archive_is_well(archive); s++) view->poured += poured[s];
    memory_free(memory, poured, count, sizeof *poured);
}

static void look_at_numbers(struct archive *archive, talus_checkpoint_view *view,
                            struct counts *counts) {
    ARCHIVE(archive, "world/time", "", &view->time, 1);
    ARCHIVE(archive, "world/step_dt", "", &view->dt, 1);
    ARCHIVE(archive, "world/step", "", &view->step, 1);
    ARCHIVE(archive, "world/grain_count", "", (uint64_t *)&counts->grains, 1);
    ARCHIVE(archive, "boundaries/count", "", (uint64_t *)&counts->boundaries, 1);
    ARCHIVE(archive, "contacts/count", "", &counts->candidates, 1);
    ARCHIVE(archive, "run/phases_begun", "", &counts->phases_begun, 1);
    ARCHIVE(archive, "run/series_bytes", "", &view->rows, 1);
    ARCHIVE(archive, "run/wall_seconds", "", &view->wall_seconds, 1);
    ARCHIVE(archive, "run/finished", "", &view->finished, 1);
    ARCHIVE(archive, "run/report", "", &counts->report, 1);
    ARCHIVE(archive, "record/run", "", &counts->record, 1);
    view->grains = counts->grains;
    view->boundaries = counts->boundaries;
    view->candidates = (int64_t)counts->candidates;
    view->contacts = counts->report.closed;
    view->bonds_broken = counts->record.bonds_broken;
}

static talus_status look(struct checkpoint *checkpoint, const char *text, struct memory *memory,
                         talus_checkpoint_view *view, talus_error *err) {
    struct scene_source_text from = {.path = "scene of the checkpoint", .text = text};
    struct archive *archive = &checkpoint->archive;
    struct counts counts = {.candidates = 0};
    talus_scene *scene = NULL;
    TALUS_TRY(scene_load_text(&from, NULL, 0, &scene, err));
    look_at_scene(scene, view);
    look_at_numbers(archive, view, &counts);
    look_at_phase(archive, scene, counts.phases_begun, view);
    look_at_sources(archive, scene, memory, view);
    talus_scene_free(scene);
    return archive->status;
}

talus_status talus_checkpoint_look(const char *path, talus_checkpoint_view *out, talus_error *err) {
    struct checkpoint checkpoint;
    struct memory memory = {0};
    talus_error own;
    char *text = NULL;
    size_t length = 0;
    if (err == NULL) err = &own;
    TALUS_TRY(checkpoint_open(&checkpoint, path, err));
    talus_checkpoint_view view = {.format = checkpoint.seal.version,
                                  .bytes = checkpoint.seal.length};
    snprintf(view.program, sizeof view.program, "%s", checkpoint.seal.program);
    talus_status status = checkpoint_scene(&checkpoint, &memory, &text, &length, err);
    if (status >= 0) status = look(&checkpoint, text, &memory, &view, err);
    memory_free(&memory, text, length, 1);
    checkpoint_close(&checkpoint);
    if (status >= 0) *out = view;
    return status;
}
