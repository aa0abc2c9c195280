/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of the states that a run has stored: of its frames, or, if it kept none, of the simulation in its
 * checkpoint. That one is made into a frame first, so that there is one way from here on.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "io/directory.h"
#include "io/picture_frame.h"
#include "run/checkpoint.h"
#include "scene/build.h"
#include "scene/load.h"
#include "sim/sim_archive.h"

struct talus_pictures {
    struct memory memory; /* of this struct */
    char from[FILE_PATH];
    struct stored stored;
    talus_scene *scene; /* NULL: there is none beside the frames */
    struct picture_forms forms;
    talus_sim *sim; /* of the checkpoint; NULL: there are frames */
    struct frame frame;
    struct frame_room room;
};

/* ---- where the states are ---------------------------------------------------------------------- */

static talus_status restore(talus_pictures *pictures, struct checkpoint *checkpoint,
                            talus_error *err) {
    char *text = NULL;
    size_t length = 0;
    struct memory memory = {0};
    talus_status status = checkpoint_scene(checkpoint, &memory, &text, &length, err);
    const struct scene_source_text from = {.path = "scene of the checkpoint", .text = text};
    if (status >= 0 && pictures->scene == NULL)
        status = scene_load_text(&from, NULL, 0, &pictures->scene, err);
    memory_free(&memory, text, length, 1);
    if (status >= 0) status = build_frame(pictures->scene, &pictures->sim, err);
    if (status < 0) return status;
    checkpoint->archive.err = err;
    sim_archive(pictures->sim, &checkpoint->archive);
    return checkpoint->archive.status;
}

static talus_status open_checkpoint(talus_pictures *pictures, talus_error *err) {
    struct checkpoint checkpoint;
    if (checkpoint_open(&checkpoint, pictures->stored.results, err) < 0) {
        talus_error inner = *err;
        return error_set(err, inner.status,
                         "%s: has no frames, and its checkpoint cannot be drawn: %.2000s",
                         pictures->from, inner.text);
    }
    talus_status status = restore(pictures, &checkpoint, err);
    checkpoint_close(&checkpoint);
    return status;
}

/* Frames that are looked at elsewhere have no scene. */
static talus_status load_scene(talus_pictures *pictures, talus_error *err) {
    char path[FILE_PATH];
    TALUS_TRY(file_path(path, pictures->stored.results, "scene.yaml", err));
    if (access(path, F_OK) != 0) return TALUS_OK;
    return talus_scene_load(path, NULL, 0, &pictures->scene, err);
}

static talus_status open_all(talus_pictures *pictures, talus_error *err) {
    TALUS_TRY(stored_find(&pictures->stored, pictures->from, err));
    TALUS_TRY(load_scene(pictures, err));
    if (pictures->stored.only_final) return open_checkpoint(pictures, err);
    TALUS_TRY(stored_read(&pictures->stored, 0, &pictures->frame, err));
    return picture_forms_read(&pictures->forms, pictures->stored.frames, pictures->frame.dim, err);
}

talus_status talus_pictures_open(const char *from, talus_pictures **out, talus_error *err) {
    struct memory memory = {0};
    talus_error own;
    if (err == NULL) err = &own;
    *out = NULL;
    if (strlen(from) >= FILE_PATH)
        return error_set(err, TALUS_ERR_INPUT, "%.200s...: the name is too long", from);
    talus_pictures *pictures = memory_resize(&memory, NULL, 0, 1, sizeof *pictures);
    if (pictures == NULL) return error_memory(err);
    pictures->memory = memory;
    snprintf(pictures->from, FILE_PATH, "%s", from);
    talus_status status = open_all(pictures, err);
    if (status < 0)
        talus_pictures_close(pictures);
    else
        *out = pictures;
    return status;
}

void talus_pictures_close(talus_pictures *pictures) {
    if (pictures == NULL) return;
    struct memory memory = pictures->memory;
    stored_free(&pictures->stored);
    picture_forms_free(&pictures->forms);
    if (pictures->sim != NULL) talus_sim_destroy(pictures->sim);
    if (pictures->scene != NULL) talus_scene_free(pictures->scene);
    frame_free(&pictures->frame);
    frame_room_free(&pictures->room);
    memory_free(&memory, pictures, 1, sizeof *pictures);
}

size_t talus_pictures_count(const talus_pictures *pictures) {
    return pictures->stored.list.count;
}

int talus_pictures_dim(const talus_pictures *pictures) {
    return pictures->sim != NULL ? talus_sim_dim(pictures->sim) : pictures->frame.dim;
}

talus_picture_config talus_pictures_config(const talus_pictures *pictures) {
    return pictures->scene != NULL ? pictures->scene->output.picture_config
                                   : talus_picture_config_default();
}

/* ---- one state --------------------------------------------------------------------------------- */

/* A checkpoint does not tell the forces of its last step, final_contacts.txt does. */
static talus_status take_contacts(talus_pictures *pictures, talus_error *err) {
    static const char *const unknown[] = {"f", "tq", "coordination"};
    struct frame_block *blocks = pictures->frame.blocks;
    struct frame final = {.memory = pictures->frame.memory};
    talus_status status = stored_read(&pictures->stored, 0, &final, err);
    if (status >= 0 && final.step != pictures->frame.step)
        status = error_set(err, TALUS_ERR_INPUT,
                           "%s: has no frames, and its checkpoint is of step %lld, not of the last "
                           "one, %lld",
                           pictures->from, (long long)pictures->frame.step, (long long) final.step);
    for (int kind = FRAME_CONTACTS; status >= 0 && kind <= FRAME_WALL_CONTACTS; kind++) {
        struct frame_block old = blocks[kind];
        blocks[kind] = final.blocks[kind];
        final.blocks[kind] = old;
    }
    for (size_t k = 0; k < sizeof unknown / sizeof unknown[0]; k++)
        frame_drop_data(&blocks[FRAME_PARTICLES], unknown[k]);
    frame_free(&final);
    pictures->frame.memory = final.memory;
    return status;
}

static talus_status read_state(talus_pictures *pictures, size_t number, talus_error *err) {
    struct frame_choice choice = frame_choice_default();
    if (number >= talus_pictures_count(pictures))
        return error_set(err, TALUS_ERR_INPUT, "%s: has %zu states, the first is 0", pictures->from,
                         talus_pictures_count(pictures));
    if (pictures->sim == NULL) return stored_read(&pictures->stored, number, &pictures->frame, err);
    choice.surfaces = choice.contacts = false;
    TALUS_TRY(frame_gather(&pictures->frame, pictures->sim, &choice, &pictures->room, err));
    return take_contacts(pictures, err);
}

static talus_status gather(talus_pictures *pictures, size_t number,
                           const talus_picture_config *config, struct picture *picture,
                           struct memory *memory, talus_error *err) {
    *picture = (struct picture){.memory = memory};
    if (config->color == NULL)
        return error_set(err, TALUS_ERR_UNKNOWN_NAME, "picture.color is not given");
    TALUS_TRY(picture_check(config, talus_pictures_dim(pictures), err));
    TALUS_TRY(read_state(pictures, number, err));
    bool own = pictures->sim != NULL;
    const struct world *world = own ? &pictures->sim->world : &pictures->forms.world;
    const char *file = own ? pictures->from : pictures->stored.list.entries[number].file;
    const struct picture_frame_source source = {.frame = &pictures->frame,
                                                .name = file,
                                                .sim = pictures->sim,
                                                .names = &pictures->stored,
                                                .forms = world->forms,
                                                .form_count = world->form_count};
    return picture_gather_frame(picture, &source, config, memory, err);
}

talus_status talus_pictures_write(talus_pictures *pictures, size_t number,
                                  const talus_picture_config *config, const char *path,
                                  talus_error *err) {
    struct memory memory = {0};
    struct picture picture;
    talus_status status = gather(pictures, number, config, &picture, &memory, err);
    if (status >= 0) status = picture_draw(&picture, config, path, err);
    picture_free(&picture);
    return status;
}

/* ---- many states ------------------------------------------------------------------------------- */

static talus_vec3 lower(talus_vec3 a, talus_vec3 b) {
    return vec3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static talus_vec3 upper(talus_vec3 a, talus_vec3 b) {
    return vec3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

talus_status talus_pictures_look(talus_pictures *pictures, size_t number,
                                 const talus_picture_config *config, talus_picture_common *common,
                                 talus_error *err) {
    struct memory memory = {0};
    struct picture picture;
    talus_status status = gather(pictures, number, config, &picture, &memory, err);
    if (status >= 0) {
        talus_picture_common own = {true,
                                    picture.low,
                                    picture.high,
                                    {picture.scale.low, picture.scale.high},
                                    picture.force_max};
        if (common->any) {
            own.low = lower(own.low, common->low);
            own.high = upper(own.high, common->high);
            own.range[0] = fmin(own.range[0], common->range[0]);
            own.range[1] = fmax(own.range[1], common->range[1]);
            own.force_widest = fmax(own.force_widest, common->force_widest);
        }
        *common = own;
    }
    picture_free(&picture);
    return status;
}

void talus_picture_common_use(const talus_picture_common *common, talus_picture_config *config) {
    if (!picture_is_fixed(config)) {
        config->low = common->low;
        config->high = common->high;
    }
    if (!(config->range[0] < config->range[1])) {
        config->range[0] = common->range[0];
        config->range[1] = common->range[1];
    }
    if (config->force_widest == 0.0) config->force_widest = common->force_widest;
}
