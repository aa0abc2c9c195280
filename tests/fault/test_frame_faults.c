/* SPDX-License-Identifier: Apache-2.0
 * Frames under bad luck: damaged and cut files, refused memory, a full disk, a directory that cannot be written. */
#define _POSIX_C_SOURCE 200809L
#include "frame_support.h"

#include <sys/stat.h>

#include "base/random.h"
#include "io/frame_writer.h"
#include "talus/talus.h"

/* ---- damage ---------------------------------------------------------------------------------- */

static size_t load(const char *path, char **bytes) {
    FILE *from = fopen(path, "rb");
    assert_non_null(from);
    assert_int_equal(fseek(from, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(from);
    rewind(from);
    *bytes = malloc(size);
    assert_int_equal(fread(*bytes, 1, size, from), size);
    fclose(from);
    return size;
}

static void store(const char *path, const char *bytes, size_t size) {
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, size, to), size);
    assert_int_equal(fclose(to), 0);
}

/* Whatever the bytes are: an answer, and if it is a refusal, one with the name of the file. */
static bool survives(struct frame_block *block, struct memory *memory, const char *path) {
    talus_error err = {0};
    talus_status status = vtp_read(block, memory, path, &err);
    if (status < 0 && strstr(err.text, "bad.vtp") == NULL) fail_msg("no file in: %s", err.text);
    return status >= 0;
}

static void write_small(const char **names, size_t count) {
    talus_scene *scene = NULL;
    struct frame frame = {.time = 0.0};
    struct frame_choice choice = frame_choice_default();
    talus_sim *sim = sim_of_scene("polygons2d", 2, &scene);
    through_files(sim, &choice, &frame);
    names[0] = "particles_000003.vtp";
    names[1] = "surfaces_000003.vtp";
    names[2] = "walls_000003.vtp";
    assert_int_equal(count, 3);
    frame_free(&frame);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

static void test_damage(void **state) {
    (void)state;
    const char *names[3];
    char bad[128];
    write_small(names, 3);
    snprintf(bad, sizeof bad, "%s", scene_path("bad.vtp"));
    struct random random = random_start(7, RANDOM_TEST, 0, 0);
    for (int f = 0; f < 3; f++) {
        struct frame_block block = {.present = false};
        struct memory memory = {0};
        char *bytes;
        size_t size = load(scene_path(names[f]), &bytes);
        for (size_t k = 0; k < 60; k++) { /* cut anywhere: never whole */
            store(bad, bytes, size * k / 60);
            assert_false(survives(&block, &memory, bad));
        }
        for (uint64_t k = 0; k < 150; k++) { /* any byte another one */
            size_t at = random_below(&random, (uint32_t)size);
            char before = bytes[at];
            bytes[at] = (char)(before ^ (1 << (k % 8)));
            store(bad, bytes, size);
            survives(&block, &memory, bad);
            bytes[at] = before;
        }
        store(bad, bytes, size);
        assert_true(survives(&block, &memory, bad));
        free(bytes);
        frame_block_free(&block, &memory);
        assert_int_equal(memory.bytes, 0);
    }
}

static void test_wrong_files(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "is no VTK file"},
        {"hello", "is no VTK file"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\">", "of type \"ImageData\""},
        {"<VTKFile type=\"PolyData\" byte_order=\"BigEndian\" header_type=\"UInt64\">",
         "is not as talus"},
        {"<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\" header_type=\"UInt64\"",
         "within a tag"},
        {"<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\" header_type=\"UInt64\"></VTKFile>",
         "is not whole"},
    };
    struct frame_block block = {.present = false};
    struct memory memory = {0};
    talus_error err;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        store(scene_path("bad.vtp"), cases[i].text, strlen(cases[i].text));
        assert_int_equal(vtp_read(&block, &memory, scene_path("bad.vtp"), &err), TALUS_ERR_INPUT);
        if (strstr(err.text, cases[i].message) == NULL) fail_msg("%s", err.text);
    }
    assert_int_equal(vtp_read(&block, &memory, "/nowhere.vtp", &err), TALUS_ERR_FILE);
    assert_int_equal(vtp_read(&block, &memory, "/", &err), TALUS_ERR_FILE);
    frame_block_free(&block, &memory);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void test_refused_memory(void **state) {
    (void)state;
    talus_scene *scene = NULL;
    talus_sim *sim = sim_of_scene("polygons2d", 3, &scene);
    struct frame_choice choice = frame_choice_default();
    int64_t n = 1;
    for (talus_status status = TALUS_ERR_MEMORY; status < 0; n++) {
        struct frame frame = {.memory.refuse_at = n};
        struct frame_shapes shapes = {.memory.refuse_at = n};
        struct frame_room room = {.memory.refuse_at = n, .shapes = &shapes};
        talus_error err;
        status = frame_gather(&frame, sim, &choice, &room, &err);
        assert_true(status >= 0 || status == TALUS_ERR_MEMORY);
        frame_free(&frame);
        frame_shapes_free(&shapes);
        frame_room_free(&room);
        assert_int_equal(frame.memory.bytes + shapes.memory.bytes + room.memory.bytes, 0);
    }
    assert_true(n > 40);
    struct frame whole = {.time = 0.0};
    through_files(sim, &choice, &whole);
    frame_free(&whole);
    n = 1;
    for (talus_status status = TALUS_ERR_MEMORY; status < 0; n++) {
        struct frame frame = {.memory.refuse_at = n};
        status = vtk_frame_read(&frame, scene_path("frame_000003.vtm"), NULL);
        assert_true(status >= 0 || status == TALUS_ERR_MEMORY);
        frame_free(&frame);
        assert_int_equal(frame.memory.bytes, 0);
    }
    assert_true(n > 40);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

/* ---- disk ------------------------------------------------------------------------------------ */

static talus_status run_into(const char *out, bool overwrite, talus_error *err) {
    static const char yaml[] =
        "dimension: 2\ngravity: [0, -9.81, 0]\nmaterials: [{name: disc, density: 1000}]\n"
        "time: {dt: 1e-3, steps: 100}\n"
        "grains: [{list: [{at: [0, 0.011, 0]}, {at: [0.05, 0.013, 0]}], radius: 0.01}]\n"
        "boundaries: [{name: floor, plane: {normal: [0, 1, 0]}}]\n"
        "output: {picture: false, frames: {steps: 20}}\n";
    talus_scene *scene = NULL;
    talus_result *result = NULL;
    talus_run_config config = talus_run_config_default();
    store(scene_path("given.yaml"), yaml, strlen(yaml));
    assert_ok(talus_scene_load(scene_path("given.yaml"), NULL, 0, &scene, err));
    config.directory = out;
    config.overwrite = overwrite;
    talus_status status = talus_run(scene, &config, &result, err);
    talus_result_free(result);
    talus_scene_free(scene);
    return status;
}

/* The third frame meets a full disk: the run ends with the reason, two frames are whole and listed. */
static void test_full_disk(void **state) {
    (void)state;
    char out[96], command[512];
    talus_error err;
    struct vtk_list list = {.count = 0};
    struct frame frame = {.time = 0.0};
    if (access("/dev/full", W_OK) != 0) skip();
    snprintf(out, sizeof out, "%s/full", scene_directory);
    snprintf(command, sizeof command,
             "mkdir -p %s/frames && ln -s /dev/full %s/frames/particles_000002.vtp.part", out, out);
    assert_int_equal(system(command), 0);
    assert_int_equal(run_into(out, false, &err), TALUS_ERR_FILE);
    assert_int_equal(talus_status_exit_code(TALUS_ERR_FILE), 3);
    if (strstr(err.text, "particles_000002.vtp: cannot be written: No space left") == NULL)
        fail_msg("%s", err.text);
    assert_ok(vtk_list_read(&list, scene_path("full/frames/frames.pvd"), &err));
    assert_int_equal(list.count, 2);
    assert_ok(vtk_frame_read(&frame, scene_path("full/frames/frame_000001.vtm"), &err));
    assert_int_equal(frame.step, 20);
    assert_int_not_equal(access(scene_path("full/frames/particles_000002.vtp"), F_OK), 0);
    frame_free(&frame);
    vtk_list_free(&list);
}

/* A file where the directory should be. */
static void test_no_room_for_frames(void **state) {
    (void)state;
    char out[96], path[128];
    talus_error err;
    snprintf(out, sizeof out, "%s/taken", scene_directory);
    snprintf(path, sizeof path, "%s/frames", out);
    assert_int_equal(mkdir(out, 0777), 0);
    store(path, "x", 1);
    assert_int_equal(run_into(out, false, &err), TALUS_ERR_FILE);
    if (strstr(err.text, "taken/frames") == NULL) fail_msg("%s", err.text);
}

/* Results of an earlier run are refused, or go if that is asked for; what is not ours stays. */
static void test_earlier_frames(void **state) {
    (void)state;
    char out[96];
    talus_error err;
    snprintf(out, sizeof out, "%s/again", scene_directory);
    assert_ok(run_into(out, false, &err));
    assert_int_equal(access(scene_path("again/frames/frame_000005.vtm"), F_OK), 0);
    store(scene_path("again/frames/notes.txt"), "mine", 4);
    store(scene_path("again/frames/frame_000099.vtm"), "old", 3);
    assert_int_equal(run_into(out, false, &err), TALUS_ERR_FILE);
    assert_ok(run_into(out, true, &err));
    assert_int_equal(access(scene_path("again/frames/notes.txt"), F_OK), 0);
    assert_int_not_equal(access(scene_path("again/frames/frame_000099.vtm"), F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_refused_memory),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_no_room_for_frames),
        cmocka_unit_test(test_earlier_frames),
    };
    return cmocka_run_group_tests_name("frame faults", tests, scene_setup, scene_teardown);
}
