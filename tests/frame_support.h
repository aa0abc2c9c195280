/* SPDX-License-Identifier: Apache-2.0
 * For the tests of frames: simulations of ready scenes, frames compared bit by bit. */
#ifndef TESTS_FRAME_SUPPORT_H
#define TESTS_FRAME_SUPPORT_H

#include <stdlib.h>

#include "io/frame.h"
#include "io/vtk_file.h"
#include "scene_support.h"

static inline bool same_array(const struct frame_array *a, const struct frame_array *b) {
    size_t bytes = a->count * (size_t)a->components * frame_type_size(a->type);
    return strcmp(a->name, b->name) == 0 && a->type == b->type && a->components == b->components &&
           a->count == b->count && (bytes == 0 || memcmp(a->values, b->values, bytes) == 0);
}

static inline void assert_same_block(const struct frame_block *a, const struct frame_block *b,
                                     const char *where) {
    if (a->present != b->present) fail_msg("%s: only one of two is there", where);
    if (!a->present) return;
    bool same = a->cells == b->cells && same_array(&a->points, &b->points) &&
                same_array(&a->connectivity, &b->connectivity) &&
                same_array(&a->offsets, &b->offsets) && a->data_count == b->data_count &&
                a->fact_count == b->fact_count;
    for (size_t i = 0; same && i < a->data_count; i++) same = same_array(&a->data[i], &b->data[i]);
    for (size_t i = 0; same && i < a->fact_count; i++)
        same = same_array(&a->facts[i], &b->facts[i]);
    if (!same) fail_msg("%s: differs", where);
}

static inline void assert_same_frame(const struct frame *a, const struct frame *b) {
    assert_true(a->time == b->time);
    assert_int_equal(a->step, b->step);
    assert_int_equal(a->dim, b->dim);
    for (int kind = 0; kind < FRAME_KINDS; kind++)
        assert_same_block(&a->blocks[kind], &b->blocks[kind],
                          frame_kind_name((enum frame_kind)kind));
}

/* A ready scene after so many steps of each of its first two phases; free both. */
static inline talus_sim *sim_of_scene(const char *name, int steps, talus_scene **scene) {
    char path[512];
    talus_sim *sim = NULL;
    talus_error err;
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", TALUS_SOURCE_DIR, name);
    if (talus_scene_load(path, NULL, 0, scene, &err) < 0) fail_msg("%s", err.text);
    if (talus_scene_build(*scene, &sim, &err) < 0) fail_msg("%s", err.text);
    for (size_t p = 0; p < 2 && p < (*scene)->phase_count; p++) {
        if (scene_apply_change(&(*scene)->phases[p].change, sim, &err) < 0)
            fail_msg("%s: %s", name, err.text);
        for (int i = 0; i < steps; i++)
            if (talus_sim_step(sim, NULL, &err) < 0) fail_msg("%s: %s", name, err.text);
    }
    return sim;
}

/* Gathered, written, read back: the same bits. Returns the frame that was read. */
static inline void through_files(const talus_sim *sim, const struct frame_choice *choice,
                                 struct frame *read) {
    struct frame taken = {.time = 0.0};
    struct frame_shapes shapes = {.count = 0};
    struct frame_room room = {.shapes = &shapes};
    char name[FRAME_FILE];
    talus_error err;
    if (frame_gather(&taken, sim, choice, &room, &err) < 0) fail_msg("%s", err.text);
    if (vtk_frame_write(&taken, scene_directory, 3, &err) < 0) fail_msg("%s", err.text);
    vtk_frame_name(name, 3);
    if (vtk_frame_read(read, scene_path(name), &err) < 0) fail_msg("%s", err.text);
    assert_same_frame(&taken, read);
    frame_free(&taken);
    frame_shapes_free(&shapes);
    frame_room_free(&room);
    assert_int_equal(room.memory.bytes, 0);
}

#endif
