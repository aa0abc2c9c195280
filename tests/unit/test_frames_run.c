/* SPDX-License-Identifier: Apache-2.0
 * When a run takes frames, what a scene can ask for, and that a run that is carried on adds to what is there. */
#define _POSIX_C_SOURCE 200809L
#include "frame_support.h"

#include "io/frame_writer.h"
#include "talus/talus.h"

#define FALL                                                                           \
    "dimension: 2\ngravity: [0, -9.81, 0]\nmaterials: [{name: disc, density: 1000}]\n" \
    "grains: [{list: [{at: [0, 0.011, 0]}, {at: [0.05, 0.013, 0]}], radius: 0.01}]\n"  \
    "boundaries: [{name: floor, plane: {normal: [0, 1, 0]}}]\n"

static talus_scene *load(const char *text) {
    talus_scene *scene = NULL;
    talus_error err;
    FILE *to = fopen(scene_path("given.yaml"), "w");
    assert_non_null(to);
    fputs(text, to);
    assert_int_equal(fclose(to), 0);
    if (talus_scene_load(scene_path("given.yaml"), NULL, 0, &scene, &err) < 0)
        fail_msg("%s", err.text);
    return scene;
}

/* The times of the frames of such a run. */
static size_t frame_times(const char *text, double *times) {
    talus_scene *scene = load(text);
    talus_result *result = NULL;
    talus_run_config config = talus_run_config_default();
    struct vtk_list list = {.count = 0};
    talus_error err;
    char out[96];
    snprintf(out, sizeof out, "%s/out", scene_directory);
    config.directory = out;
    config.overwrite = true;
    if (talus_run(scene, &config, &result, &err) < 0) fail_msg("%s", err.text);
    size_t count = 0;
    if (access(scene_path("out/frames/frames.pvd"), F_OK) == 0) {
        assert_ok(vtk_list_read(&list, scene_path("out/frames/frames.pvd"), &err));
        count = list.count;
        for (size_t i = 0; i < count && i < 16; i++) times[i] = list.entries[i].time;
    }
    vtk_list_free(&list);
    talus_result_free(result);
    talus_scene_free(scene);
    return count;
}

#define TWO_PHASES \
    "time: {dt: 1 ms}\nphases: [{name: a, until: {steps: 30}}, {name: b, until: {steps: 50}}]\n"

static void test_when(void **state) {
    (void)state;
    double t[16];
    assert_int_equal(frame_times(FALL TWO_PHASES "output: {picture: false}\n", t), 0);
    assert_int_equal(frame_times(FALL TWO_PHASES "output: {picture: false, frames: false}\n", t),
                     0);
    assert_int_equal(
        frame_times(FALL TWO_PHASES "output: {picture: false, frames: {every: 25 ms}}\n", t), 4);
    for (int i = 0; i < 4; i++) assert_near(t[i], 0.025 * i, 1e-9);
    assert_int_equal(
        frame_times(FALL TWO_PHASES "output: {picture: false, frames: {steps: 40}}\n", t), 3);
    assert_near(t[2], 0.08, 1e-9);
    assert_int_equal(
        frame_times(FALL TWO_PHASES "output: {picture: false, frames: {events: [phase]}}\n", t), 2);
    assert_near(t[0], 0.03, 1e-9);
    assert_near(t[1], 0.08, 1e-9);
    /* At the end of the last phase the run ends, too: one frame. */
    assert_int_equal(
        frame_times(
            FALL TWO_PHASES "output: {picture: false, frames: {events: [start, phase, end]}}\n", t),
        3);
    assert_true(t[0] == 0.0);
    assert_int_equal(frame_times(FALL TWO_PHASES
                                 "output: {picture: false, frames: {every: 50 ms, events: end}}\n",
                                 t),
                     3);
    /* As the rows. */
    assert_int_equal(
        frame_times(FALL TWO_PHASES "output: {picture: false, every: 20 ms, frames: true}\n", t),
        5);
    assert_int_equal(
        frame_times(FALL TWO_PHASES "output: {picture: false, every: 40 ms, frames: {}}\n", t), 3);
}

static void test_what(void **state) {
    (void)state;
    double t[16];
    struct frame frame = {.time = 0.0};
    frame_times(FALL TWO_PHASES
                "output: {picture: false, frames: {events: [end], quantities: [v, mass],"
                " contacts: false, float32: true}}\n",
                t);
    assert_ok(vtk_frame_read(&frame, scene_path("out/frames/frame_000000.vtm"), NULL));
    assert_int_equal(frame.blocks[FRAME_PARTICLES].data_count, 4);
    assert_false(frame.blocks[FRAME_CONTACTS].present);
    assert_true(frame.blocks[FRAME_WALLS].present);
    assert_int_equal(frame.blocks[FRAME_PARTICLES].points.type, FRAME_FLOAT32);
    assert_int_equal(frame.step, 80);
    frame_free(&frame);
}

static void refuses(const char *text, const char *message) {
    talus_scene *scene = NULL;
    talus_error err = {0};
    FILE *to = fopen(scene_path("given.yaml"), "w");
    assert_non_null(to);
    fputs(text, to);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(talus_scene_load(scene_path("given.yaml"), NULL, 0, &scene, &err),
                     TALUS_ERR_INPUT);
    if (strstr(err.text, message) == NULL) fail_msg("no \"%s\" in: %s", message, err.text);
}

static void test_mistakes(void **state) {
    (void)state;
    refuses(FALL TWO_PHASES "output: {frames: {every: 1 ms, steps: 3}}\n", "excludes another key");
    refuses(FALL TWO_PHASES "output: {frames: {every: 0}}\n", "greater than 0");
    refuses(FALL TWO_PHASES "output: {frames: {quantities: [v, omga]}}\n", "omega");
    refuses(FALL TWO_PHASES "output: {frames: {quantities: [tensio]}}\n", "tension");
    refuses(FALL TWO_PHASES "output: {frames: {events: [stop]}}\n", "stop");
    refuses(FALL TWO_PHASES "output: {frames: {evry: 1 ms}}\n", "every");
}

/* What a run resolved can be run again: the same choice. */
static void test_resolved(void **state) {
    (void)state;
    double t[16];
    talus_scene *scene = NULL;
    talus_error err;
    frame_times(FALL TWO_PHASES "output: {picture: false, every: 40 ms, frames: {quantities: v}}\n",
                t);
    if (talus_scene_load(scene_path("out/scene.yaml"), NULL, 0, &scene, &err) < 0)
        fail_msg("%s", err.text);
    assert_true(scene->output.frames.wanted);
    assert_near(scene->output.frames.every, 0.04, 1e-15);
    assert_int_equal(scene->output.frames.quantity_count, 1);
    talus_scene_free(scene);
}

/* A run that is carried on from 0.045 s keeps the frames up to there and writes over later ones. */
static void test_carried_on(void **state) {
    (void)state;
    double t[16];
    char out[96];
    talus_scene *scene = NULL;
    struct frame_writer writer = {.open = false};
    struct frame_choice choice = frame_choice_default();
    talus_error err;
    frame_times(FALL TWO_PHASES "output: {picture: false, frames: {every: 20 ms}}\n", t);
    snprintf(out, sizeof out, "%s/out", scene_directory);
    assert_ok(frame_writer_start(&writer, out, &choice, 0.045, &err));
    talus_sim *sim = sim_of_scene("chain", 1, &scene);
    assert_ok(frame_writer_take(&writer, sim, &err));
    assert_ok(frame_writer_finish(&writer, &err));
    assert_int_equal(writer.list.count, 4);
    assert_near(writer.list.entries[2].time, 0.04, 1e-9);
    assert_string_equal(writer.list.entries[3].file, "frame_000003.vtm");
    frame_writer_free(&writer);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_when),       cmocka_unit_test(test_what),
        cmocka_unit_test(test_mistakes),   cmocka_unit_test(test_resolved),
        cmocka_unit_test(test_carried_on),
    };
    return cmocka_run_group_tests_name("frames of a run", tests, scene_setup, scene_teardown);
}
