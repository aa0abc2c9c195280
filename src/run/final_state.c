/* SPDX-License-Identifier: Apache-2.0 */
#include "run/final_state.h"

#include "base/error.h"
#include "io/frame_writer.h"
#include "run/checkpoint.h"
#include "scene/build.h"
#include "scene/load.h"
#include "sim/sim_archive.h"

static talus_status gather(struct final_state *final, const talus_sim *sim, talus_error *err) {
    /* A checkpoint holds no forces: they are solved for anew. */
    static const char *const quantities[] = {"mass", "v",     "omega", "orientation",
                                             "type", "group", "shape"};
    struct frame_choice choice = frame_choice_default();
    struct frame_room room = {.shapes = NULL};
    choice.quantities = quantities;
    choice.quantity_count = sizeof quantities / sizeof quantities[0];
    choice.contacts = choice.surfaces = false;
    talus_status status = frame_gather(&final->frame, sim, &choice, &room, err);
    frame_room_free(&room);
    return status;
}

static talus_status make_shapes(struct final_state *final, const talus_sim *sim, talus_error *err) {
    struct frame_shapes shapes = {.count = 0};
    if (talus_sim_shape_count(sim) == 0) return TALUS_OK;
    talus_status status = frame_shapes_make(&shapes, sim, err);
    if (status >= 0) status = frame_shapes_block(&shapes, sim, &final->shapes, &final->memory, err);
    frame_shapes_free(&shapes);
    return status;
}

static talus_status restore(struct final_state *final, struct checkpoint *checkpoint,
                            const char *text, FILE *names, talus_error *err) {
    struct scene_source_text from = {.path = "scene of the checkpoint", .text = text};
    talus_scene *scene = NULL;
    talus_sim *sim = NULL;
    talus_status status = scene_load_text(&from, NULL, 0, &scene, err);
    if (status >= 0) status = build_frame(scene, &sim, err);
    if (status >= 0) {
        checkpoint->archive.err = err;
        sim_archive(sim, &checkpoint->archive);
        status = checkpoint->archive.status;
    }
    if (status >= 0) status = gather(final, sim, err);
    if (status >= 0) status = make_shapes(final, sim, err);
    if (status >= 0) frame_names_put(names, sim);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
    return status;
}

talus_status final_state_read(struct final_state *final, const char *directory, FILE *names,
                              talus_error *err) {
    struct checkpoint checkpoint;
    struct memory memory = {0};
    char *text = NULL;
    size_t length = 0;
    TALUS_TRY(checkpoint_open(&checkpoint, directory, err));
    talus_status status = checkpoint_scene(&checkpoint, &memory, &text, &length, err);
    if (status >= 0) status = restore(final, &checkpoint, text, names, err);
    memory_free(&memory, text, length, 1);
    checkpoint_close(&checkpoint);
    return status;
}

void final_state_free(struct final_state *final) {
    frame_free(&final->frame);
    frame_block_free(&final->shapes, &final->memory);
}
