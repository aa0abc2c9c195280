/* SPDX-License-Identifier: Apache-2.0
 * Checkpoint files: any damage is found, foreign ones are refused with a message, and what is refused changes nothing. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <hdf5.h>
#include <sys/stat.h>

#include "base/random.h"
#include "io/checkpoint.h"
#include "io/seal.h"
#include "run/run.h"
#include "scene_support.h"
#include "talus/run.h"

static const char scene_text[] =
    "title: two discs\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "time: { dt: 1 ms, steps: 30 }\n"
    "grains: [ { row: { count: 2, start: [0, 1 cm], spacing: 3 cm }, radius: 1 cm } ]\n"
    "boundaries: [ { name: floor, plane: { normal: [0, 1] } } ]\n"
    "output: { every: 5 ms, picture: false }\n";

/* ---- a run and its file ------------------------------------------------------------------------ */

static bool stop_at_12(const talus_progress *progress, void *context) {
    (void)context;
    return progress->step < 12;
}

static void run_to_12(void) {
    talus_scene *scene = scene_ok(scene_text);
    talus_run_config config = talus_run_config_default();
    talus_result *result;
    char directory[128];
    snprintf(directory, sizeof directory, "%s", scene_path("run"));
    config.directory = directory;
    config.overwrite = true;
    config.progress = stop_at_12;
    assert_int_equal(talus_run(scene, &config, &result, NULL), TALUS_WARN_INTERRUPTED);
    assert_true(talus_result_resumable(result));
    talus_result_free(result);
    talus_scene_free(scene);
}

static unsigned char *file_bytes(const char *name, size_t *size) {
    FILE *from = fopen(scene_path(name), "rb");
    assert_non_null(from);
    assert_int_equal(fseek(from, 0, SEEK_END), 0);
    *size = (size_t)ftell(from);
    rewind(from);
    unsigned char *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, from), *size);
    fclose(from);
    return bytes;
}

static void put_bytes(const char *name, const void *bytes, size_t size) {
    FILE *to = fopen(scene_path(name), "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, size, to), size);
    assert_int_equal(fclose(to), 0);
}

/* The file is refused as wrong input, with `part` in a message that names it. */
static void refused(const char *part) {
    talus_checkpoint_view view;
    talus_error err;
    assert_int_equal(talus_checkpoint_look(scene_path("run"), &view, &err), TALUS_ERR_INPUT);
    if (strstr(err.text, part) == NULL || strstr(err.text, "checkpoint.h5") == NULL)
        fail_msg("wanted: %s\ngot: %s", part, err.text);
}

/* Names, sizes and times of all files. */
static uint64_t state_of_directory(void) {
    DIR *directory = opendir(scene_path("run"));
    uint64_t sum = 0;
    assert_non_null(directory);
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        char path[512];
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", scene_path("run"), entry->d_name);
        assert_int_equal(stat(path, &status), 0);
        const int64_t numbers[] = {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
        sum += seal_sum(seal_sum(0, entry->d_name, strlen(entry->d_name)), numbers, sizeof numbers);
    }
    closedir(directory);
    return sum;
}

static void resume_refused(const char *override, const char *part) {
    const char *overrides[] = {override};
    talus_result *result;
    talus_error err;
    uint64_t before = state_of_directory();
    char directory[128];
    snprintf(directory, sizeof directory, "%s", scene_path("run"));
    assert_int_equal(talus_run_resume(directory, overrides, override != NULL, NULL, &result, &err),
                     TALUS_ERR_INPUT);
    talus_result_free(result);
    if (strstr(err.text, part) == NULL) fail_msg("wanted: %s\ngot: %s", part, err.text);
    assert_true(state_of_directory() == before);
}

/* ---- damage ------------------------------------------------------------------------------------ */

static void any_damaged_byte_is_found(void **state) {
    (void)state;
    size_t size;
    run_to_12();
    unsigned char *bytes = file_bytes("run/checkpoint.h5", &size);
    struct random random = random_start(7, RANDOM_TEST, 0, 0);
    talus_checkpoint_view view;
    for (size_t k = 0; k < 1000; k++) {
        size_t at = k < SEAL_BYTES ? k : random_word(&random) % size;
        unsigned char flip = (unsigned char)(1u << (random_word(&random) % 8));
        bytes[at] ^= flip;
        put_bytes("run/checkpoint.h5", bytes, size);
        if (talus_checkpoint_look(scene_path("run"), &view, NULL) != TALUS_ERR_INPUT)
            fail_msg("%d at byte %zu was not found", flip, at);
        bytes[at] ^= flip;
    }
    put_bytes("run/checkpoint.h5", bytes, size);
    assert_ok(talus_checkpoint_look(scene_path("run"), &view, NULL));
    bytes[size / 2] ^= 4;
    put_bytes("run/checkpoint.h5", bytes, size);
    refused("is damaged: its bytes sum up to");
    resume_refused(NULL, "is damaged");
    free(bytes);
}

static void lost_and_added_bytes_are_found(void **state) {
    (void)state;
    size_t size;
    run_to_12();
    unsigned char *bytes = file_bytes("run/checkpoint.h5", &size);
    put_bytes("run/checkpoint.h5", bytes, size - 1);
    refused("truncated?");
    put_bytes("run/checkpoint.h5", bytes, SEAL_BYTES);
    refused("truncated?");
    put_bytes("run/checkpoint.h5", bytes, 300);
    refused("its first 512 bytes");
    put_bytes("run/checkpoint.h5", bytes, 0);
    refused("it is empty");
    bytes = realloc(bytes, size + 1);
    bytes[size] = 0;
    put_bytes("run/checkpoint.h5", bytes, size + 1);
    refused("something was added");
    free(bytes);
}

/* ---- other files ------------------------------------------------------------------------------- */

static void foreign_files_are_refused(void **state) {
    (void)state;
    run_to_12();
    put_bytes("run/checkpoint.h5", "good morning", 12);
    resume_refused(NULL, "is no checkpoint of talus");
    hid_t file =
        H5Fcreate(scene_path("run/checkpoint.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    H5Fclose(file);
    resume_refused(NULL, "is no checkpoint of talus, but some other HDF5 file");
    assert_int_equal(remove(scene_path("run/checkpoint.h5")), 0);
    resume_refused(NULL, "holds no checkpoint.h5");
}

/* A file of a later format says so, by its seal alone. */
static void other_formats_are_refused(void **state) {
    (void)state;
    struct hdf5_file file;
    run_to_12();
    assert_ok(
        hdf5_create_sealed(&file, scene_path("run/checkpoint.h5"), CHECKPOINT_VERSION + 1, NULL));
    assert_ok(hdf5_finish(&file, NULL));
    resume_refused(NULL, "is a checkpoint of format 2, written by talus");
    /* The right format, but nothing in it. */
    assert_ok(hdf5_create_sealed(&file, scene_path("run/checkpoint.h5"), CHECKPOINT_VERSION, NULL));
    assert_ok(hdf5_finish(&file, NULL));
    resume_refused(NULL, "scene/length is not what this version of talus wants");
}

/* A series that was cut or is gone cannot be gone on with. */
static void other_series_are_refused(void **state) {
    (void)state;
    size_t size;
    run_to_12();
    unsigned char *bytes = file_bytes("run/series.tsv", &size);
    put_bytes("run/series.tsv", bytes, size / 2);
    resume_refused(NULL, "series.tsv: has");
    assert_int_equal(remove(scene_path("run/series.tsv")), 0);
    resume_refused(NULL, "series.tsv");
    free(bytes);
}

/* ---- what may be changed ----------------------------------------------------------------------- */

static void only_the_end_may_be_changed(void **state) {
    (void)state;
    run_to_12();
    resume_refused("gravity=[0, -1]",
                   "--set gravity=[0, -1]: a resumed run goes on with its scene");
    resume_refused("phases.0.change.dt=1", "a resumed run goes on");
    resume_refused("time.steps=12", "has done 12 steps already");
    resume_refused("time.steps=-1", "time.steps");
}

static int64_t resume_to_end(const char *override) {
    const char *overrides[] = {override};
    talus_result *result;
    talus_error err;
    char directory[128];
    snprintf(directory, sizeof directory, "%s", scene_path("run"));
    if (talus_run_resume(directory, overrides, override != NULL, NULL, &result, &err) < 0)
        fail_msg("%s", err.text);
    if (result == NULL) return -1;
    int64_t steps = talus_sim_step_count(talus_result_sim(result));
    talus_result_free(result);
    return steps;
}

static void a_finished_run_goes_on_only_with_a_later_end(void **state) {
    (void)state;
    talus_checkpoint_view view;
    run_to_12();
    assert_ok(talus_checkpoint_look(scene_path("run"), &view, NULL));
    assert_false(view.finished);
    assert_int_equal(view.step, 12);
    assert_int_equal(view.grains, 2);
    assert_string_equal(view.title, "two discs");
    assert_int_equal(resume_to_end(NULL), 30);
    uint64_t before = state_of_directory();
    assert_int_equal(resume_to_end(NULL), -1);
    assert_true(state_of_directory() == before);
    assert_ok(talus_checkpoint_look(scene_path("run"), &view, NULL));
    assert_true(view.finished);
    assert_int_equal(resume_to_end("time.steps=45"), 45);
    assert_int_equal(resume_to_end(NULL), -1);
}

/* A phase that has come to rest cannot be made longer, but it can be told not to wait for that. */
static void rest_is_an_end(void **state) {
    (void)state;
    static const char text[] =
        "dimension: 2\ngravity: [0, -9.81]\ntime: { dt: 1 ms }\n"
        "grains: [ { list: [ { at: [0, 1 cm] } ], radius: 1 cm } ]\n"
        "boundaries: [ { name: floor, plane: { normal: [0, 1] } } ]\n"
        "phases: [ { name: lie, until: { steps: 100, rest: { kinetic: 1e-3 } } } ]\n"
        "output: { every: 5 ms, picture: false }\n";
    talus_scene *scene = scene_ok(text);
    talus_run_config config = talus_run_config_default();
    talus_result *result;
    char directory[128];
    snprintf(directory, sizeof directory, "%s", scene_path("run"));
    config.directory = directory;
    config.overwrite = true;
    assert_ok(talus_run(scene, &config, &result, NULL));
    assert_int_equal(talus_sim_step_count(talus_result_sim(result)), 30);
    talus_result_free(result);
    talus_scene_free(scene);
    resume_refused("phases.lie.until.steps=200", "phase 'lie' has come to rest after 30 steps");
    assert_int_equal(resume_to_end("phases.lie.until={steps: 50}"), 50);
}

/* The files of a run that was made longer in two pieces are those of one that was long at once. */
static void a_longer_run_has_the_bits_of_a_long_one(void **state) {
    (void)state;
    size_t sizes[2];
    run_to_12();
    assert_int_equal(resume_to_end(NULL), 30);
    assert_int_equal(resume_to_end("time.steps=45"), 45);
    unsigned char *pieces = file_bytes("run/series.tsv", &sizes[0]);
    run_to_12();
    assert_int_equal(resume_to_end("time.steps=45"), 45);
    unsigned char *whole = file_bytes("run/series.tsv", &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(pieces, whole, sizes[0]);
    free(pieces);
    free(whole);
}

/* ---- for others -------------------------------------------------------------------------------- */

/* HDF5 itself reads it: positions with their unit, pairs with their members. */
static void hdf5_reads_it(void **state) {
    (void)state;
    run_to_12();
    hid_t file = H5Fopen(scene_path("run/checkpoint.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    double position[3][3] = {{0}};
    hid_t set = H5Dopen2(file, "bodies/position", H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, position) >= 0);
    assert_near(position[2][0], 0.03, 1e-12);
    assert_true(H5Aexists(set, "unit") > 0);
    H5Dclose(set);
    set = H5Dopen2(file, "contacts/pair", H5P_DEFAULT);
    hid_t type = H5Dget_type(set);
    assert_true(H5Tget_member_index(type, "impulse") >= 0);
    H5Tclose(type);
    H5Dclose(set);
    assert_true(H5Aexists(file, "format") > 0 && H5Aexists(file, "program_version") > 0);
    H5Fclose(file);
}

/* ---- the limit of a queue ------------------------------------------------------------------------ */

/* Writing text and picture of 10^5 grains with 3*10^5 contacts was measured: 3.6 s on an idle processor. */
static void a_limit_leaves_time_for_the_results(void **state) {
    (void)state;
    struct run_results_size large = {.grains = 1e5, .contacts = 3e5, .pixels = 1200.0 * 900.0};
    struct run_results_size none = {.grains = 0.0}, text = {.grains = 1e5, .contacts = 3e5};
    double seconds = run_results_seconds(&large);
    assert_true(seconds > 1.5 * 3.6 && seconds < 5.0 * 3.6);
    assert_true(run_results_seconds(&text) < seconds);
    assert_near(run_results_seconds(&none), 0.0, 0.0);
    struct run_results_size twice = {.grains = 2e5, .contacts = 6e5};
    assert_near(run_results_seconds(&twice), 2.0 * run_results_seconds(&text), 1e-9);
    twice = text;
    twice.converted_frames = 10.0;
    assert_true(run_results_seconds(&twice) > run_results_seconds(&text) + 1.0);
    /* 5 % of the limit, at most 30 s, two steps, two checkpoints. */
    assert_near(run_reserve(100.0, 1.0, 2.0, 7.0), 5.0 + 2.0 + 4.0 + 7.0, 1e-12);
    assert_near(run_reserve(1e6, 1.0, 2.0, 7.0), 30.0 + 2.0 + 4.0 + 7.0, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_damaged_byte_is_found),
        cmocka_unit_test(lost_and_added_bytes_are_found),
        cmocka_unit_test(foreign_files_are_refused),
        cmocka_unit_test(other_formats_are_refused),
        cmocka_unit_test(other_series_are_refused),
        cmocka_unit_test(only_the_end_may_be_changed),
        cmocka_unit_test(a_finished_run_goes_on_only_with_a_later_end),
        cmocka_unit_test(rest_is_an_end),
        cmocka_unit_test(a_longer_run_has_the_bits_of_a_long_one),
        cmocka_unit_test(hdf5_reads_it),
        cmocka_unit_test(a_limit_leaves_time_for_the_results),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
