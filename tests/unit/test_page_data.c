/* SPDX-License-Identifier: Apache-2.0
 * The page of a run: what requests ask for, what a packed frame holds, one file with all its data. */
#define _GNU_SOURCE
#include "page_support.h"

#include <sys/stat.h>

#include "page/bundle.h"
#include "page/request.h"
#include "page/source.h"
#include "talus/page.h"

/* ---- requests -------------------------------------------------------------------------------- */

static void requests_are_understood(void **state) {
    (void)state;
    enum { PORT = 8123 };
    static const struct {
        const char *method, *path, *host;
        enum page_answer answer;
        int64_t frame;
    } cases[] = {
        {"GET", "/", "127.0.0.1:8123", PAGE_HTML, 0},
        {"HEAD", "/", "localhost:8123", PAGE_HTML, 0},
        {"GET", "/run.json", "localhost", PAGE_RUN, 0},
        {"GET", "/series.tsv", "127.0.0.1", PAGE_SERIES, 0},
        {"GET", "/shapes", "127.0.0.1:8123", PAGE_SHAPES, 0},
        {"GET", "/frame/0", "127.0.0.1:8123", PAGE_FRAME, 0},
        {"GET", "/frame/007", "127.0.0.1:8123", PAGE_FRAME, 7},
        {"GET", "/frame/999999999", "127.0.0.1:8123", PAGE_FRAME, 999999999},
        {"GET", "/frame/1234567890", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"GET", "/frame/", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"GET", "/frame/-1", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"GET", "/frame/+1", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"GET", "/frame/ 1", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"GET", "/frame/1x", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"GET", "/frame/1/", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"GET", "/frame/%31", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"GET", "/../scene.yaml", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"GET", "//", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"GET", "", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"GET", "/summary.json", "127.0.0.1:8123", PAGE_NOT_FOUND, 0},
        {"POST", "/", "127.0.0.1:8123", PAGE_NOT_ALLOWED, 0},
        {"get", "/", "127.0.0.1:8123", PAGE_NOT_ALLOWED, 0},
        {"GET", "/", NULL, PAGE_NOT_OURS, 0},
        {"GET", "/", "", PAGE_NOT_OURS, 0},
        {"GET", "/", "evil.example", PAGE_NOT_OURS, 0},
        {"GET", "/", "127.0.0.1.evil.example", PAGE_NOT_OURS, 0},
        {"GET", "/", "127.0.0.1:8124", PAGE_NOT_OURS, 0},
        {"GET", "/", "127.0.0.1:", PAGE_NOT_OURS, 0},
        {"GET", "/", "127.0.0.1:81230000", PAGE_NOT_OURS, 0},
        {"GET", "/", "localhost.", PAGE_NOT_OURS, 0},
        {"POST", "/", "evil.example", PAGE_NOT_OURS, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct page_request found =
            page_request_read(cases[i].method, cases[i].path, cases[i].host, PORT);
        if (found.answer != cases[i].answer || found.frame != cases[i].frame)
            fail_msg("%s %s of %s: answer %d, frame %lld", cases[i].method, cases[i].path,
                     cases[i].host != NULL ? cases[i].host : "nobody", (int)found.answer,
                     (long long)found.frame);
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* A kilometre from the origin 32 bits would leave 60 micrometres; relative to the middle of the grains they leave a
 * nanometre: half of 2^-24 of 1 cm is 3e-10. */
static void frames_are_packed(void **state) {
    (void)state;
    struct source source = {.has_shapes = false};
    struct bytes bytes = {.count = 0};
    size_t count = 0;
    double origin[3], time;
    assert_ok(source_open(&source, page_run("packed", true), NULL));
    assert_int_equal(source.stored.list.count, 3);
    assert_ok(source_frame(&source, 0, &bytes, NULL));
    memcpy(&time, bytes.data + 8, sizeof time);
    memcpy(origin, bytes.data + 24, sizeof origin);
    assert_near(time, 0.0, 0.0);
    assert_near(origin[0], 1000.01025, 1e-12 * 1000);
    assert_int_equal(packed_word(&bytes, 48), 2);
    const float *x = packed(&bytes, FRAME_PARTICLES, "x", &count);
    assert_int_equal(count, 2);
    assert_near(origin[0] + (double)x[0], 1000.0, 1e-9);
    assert_near(origin[0] + (double)x[3], 1000.0205, 1e-9);
    assert_near(origin[1] + (double)x[4], 0.013, 1e-9);
    const float *radius = packed(&bytes, FRAME_PARTICLES, "radius", &count);
    assert_near((double)radius[1], 0.01, 1e-9);
    const int32_t *id = packed(&bytes, FRAME_PARTICLES, "id", &count);
    assert_int_equal(id[1] - id[0], 1);
    const int32_t *triangles = packed(&bytes, FRAME_WALLS, "triangles", &count);
    assert_int_equal(count, 2); /* the floor is one rectangle */
    for (int k = 0; k < 6; k++) assert_in_range(triangles[k], 0, 3);
    assert_null(packed(&bytes, FRAME_SURFACES, "x", &count));
    assert_int_equal(source_frame(&source, 3, &bytes, NULL), TALUS_ERR_INPUT);
    bytes_free(&bytes);
    source_close(&source);
    assert_int_equal(bytes.memory.bytes, 0);
}

/* The last frame and the final state, by ways of their own, show the same bars with the same forces. */
static void final_states_have_the_same_contacts(void **state) {
    (void)state;
    struct source with = {.has_shapes = false}, without = {.has_shapes = false};
    struct bytes frame = {.count = 0}, final = {.count = 0};
    assert_ok(source_open(&with, page_run("with", true), NULL));
    assert_ok(source_open(&without, page_run("without", false), NULL));
    assert_true(without.stored.only_final);
    assert_ok(source_frame(&with, 2, &frame, NULL));
    assert_ok(source_frame(&without, 0, &final, NULL));
    size_t count[2];
    const float *ends[2] = {packed(&frame, FRAME_WALL_CONTACTS, "ends", &count[0]),
                            packed(&final, FRAME_WALL_CONTACTS, "ends", &count[1])};
    const float *forces[2] = {packed(&frame, FRAME_WALL_CONTACTS, "forces", &count[0]),
                              packed(&final, FRAME_WALL_CONTACTS, "forces", &count[1])};
    assert_non_null(ends[0]);
    assert_non_null(ends[1]);
    assert_int_equal(count[0], count[1]);
    assert_int_equal(count[0], 2);
    for (size_t k = 0; k < 12; k++) assert_near((double)ends[0][k], (double)ends[1][k], 1e-9);
    for (size_t k = 0; k < 4; k++)
        assert_near((double)forces[0][k], (double)forces[1][k], 1e-5 * (double)forces[0][0]);
    const float *normals[2] = {packed(&frame, FRAME_WALL_CONTACTS, "normal", &count[0]),
                               packed(&final, FRAME_WALL_CONTACTS, "normal", &count[1])};
    assert_non_null(normals[0]);
    assert_non_null(normals[1]);
    for (size_t k = 0; k < 6; k++)
        for (int way = 0; way < 2; way++)
            assert_near((double)normals[way][k], k % 3 == 1 ? -1.0 : 0.0, 1e-9);
    const double weight = 1000.0 * 3.141592653589793 * 1e-4 * 9.81; /* N per metre */
    assert_near((double)forces[0][0], weight, 1e-3 * weight);
    bytes_free(&frame);
    bytes_free(&final);
    source_close(&with);
    source_close(&without);
    assert_int_equal(without.final.memory.bytes + without.names.memory.bytes, 0);
}

static bool describes(const struct source *source, const char *text) {
    struct bytes bytes = {.count = 0};
    assert_ok(source_describe(source, NULL, 0, &bytes, NULL));
    bool found = memmem(bytes.data, bytes.count, text, strlen(text)) != NULL;
    bytes_free(&bytes);
    return found;
}

/* What the text files do not tell, the checkpoint does; without it the page says what is missing. */
static void final_states_have_walls_and_names(void **state) {
    (void)state;
    struct source source = {.has_shapes = false};
    struct bytes bytes = {.count = 0};
    size_t count = 0;
    assert_ok(source_open(&source, page_run("saved", false), NULL));
    assert_ok(source_frame(&source, 0, &bytes, NULL));
    assert_true(source.has_final);
    const float *mass = packed(&bytes, FRAME_PARTICLES, "mass", &count);
    assert_int_equal(count, 2);
    const double kilogram = 1000.0 * 3.141592653589793 * 1e-4; /* per metre */
    assert_near((double)mass[0], kilogram, 1e-6 * kilogram);
    assert_non_null(packed(&bytes, FRAME_WALLS, "triangles", &count));
    assert_null(packed(&bytes, FRAME_PARTICLES, "f", &count)); /* not known, so not zero either */
    assert_true(describes(&source, "\"name\": \"floor\""));
    source_close(&source);

    char path[512];
    snprintf(path, sizeof path, "%s", scene_path("saved/checkpoint.h5"));
    assert_int_equal(remove(path), 0);
    source = (struct source){.has_shapes = false};
    assert_ok(source_open(&source, scene_path("saved"), NULL));
    assert_ok(source_frame(&source, 0, &bytes, NULL));
    assert_null(packed(&bytes, FRAME_WALLS, "triangles", &count));
    assert_non_null(packed(&bytes, FRAME_WALL_CONTACTS, "ends", &count));
    assert_true(describes(&source, "\"from_checkpoint\": 0"));
    bytes_free(&bytes);
    source_close(&source);
}

/* ---- the page -------------------------------------------------------------------------------- */

static bool has(const struct bundle *bundle, const char *text) {
    return memmem(bundle->html, bundle->size, text, strlen(text)) != NULL;
}

static void the_bundle_is_whole(void **state) {
    (void)state;
    struct bundle bundle = bundle_get();
    char policy[1024];
    assert_true(bundle.size > 100000);
    assert_memory_equal(bundle.html, "<!doctype html>", 15);
    assert_true(bundle.policy_size < sizeof policy);
    snprintf(policy, sizeof policy, "%.*s", (int)bundle.policy_size, bundle.policy);
    assert_non_null(strstr(policy, "default-src 'none'"));
    assert_non_null(strstr(policy, "script-src 'sha256-"));
    assert_null(strstr(policy, "unsafe"));
    assert_true(has(&bundle, "The MIT License")); /* of three.js */
    assert_true(has(&bundle, "three.js authors"));
    assert_memory_equal(bundle.html + bundle.data_place, "\n<script>", 9);
}

static size_t count_text(const char *path, const char *text) {
    struct bytes bytes = {.count = 0};
    size_t found = 0;
    bool there = false;
    assert_ok(source_file(scene_directory, strrchr(path, '/') + 1, &there, &bytes, NULL));
    assert_true(there);
    const char *at = (const char *)bytes.data, *end = at + bytes.count;
    while ((at = memmem(at, (size_t)(end - at), text, strlen(text))) != NULL) {
        found++;
        at++;
    }
    bytes_free(&bytes);
    return found;
}

static void a_file_holds_what_fits(void **state) {
    (void)state;
    talus_page_file_config config = talus_page_file_config_default();
    talus_page_file_report report;
    talus_error err;
    char path[512];
    struct stat status;
    config.directory = page_run("book", true);
    snprintf(path, sizeof path, "%s", scene_path("book.html"));
    config.path = path;
    assert_ok(talus_page_write(&config, &report, &err));
    assert_int_equal(report.frames, 3);
    assert_int_equal(report.step, 1);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(report.bytes, status.st_size);
    assert_int_equal(count_text(path, "id=\"data-frame-"), 3);

    config.limit = report.bytes - 100; /* too much for three: the first and the last */
    assert_ok(talus_page_write(&config, &report, &err));
    assert_int_equal(report.asked, 3);
    assert_int_equal(report.frames, 2);
    assert_int_equal(report.step, 2);
    assert_true(report.bytes <= config.limit);
    assert_int_equal(count_text(path, "id=\"data-frame-2\""), 1);
    assert_int_equal(count_text(path, "id=\"data-frame-1\""), 0);

    config.limit = 1000;
    assert_int_equal(talus_page_write(&config, &report, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "at most 0.0 MB are allowed"));
    assert_int_equal(count_text(path, "id=\"data-frame-2\""), 1); /* the old one is as it was */

    config = talus_page_file_config_default();
    config.directory = scene_directory;
    config.path = path;
    assert_int_equal(talus_page_write(&config, NULL, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "holds no results"));
    config.step = 0;
    assert_int_equal(talus_page_write(&config, NULL, &err), TALUS_ERR_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_understood),
        cmocka_unit_test(frames_are_packed),
        cmocka_unit_test(final_states_have_the_same_contacts),
        cmocka_unit_test(final_states_have_walls_and_names),
        cmocka_unit_test(the_bundle_is_whole),
        cmocka_unit_test(a_file_holds_what_fits),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
