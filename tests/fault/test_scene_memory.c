/* SPDX-License-Identifier: Apache-2.0
 * Memory runs out while a scene is read: at every allocation in turn, until one reading gets
 * through. */
#define _POSIX_C_SOURCE 200809L
#include "scene_support.h"

#include "scene_samples.h"

static void walk(const char *text) {
    scene_file("scene.yaml", text);
    int64_t refused = 0;
    for (int64_t n = 1;; n++) {
        talus_scene *scene;
        talus_error err = {.status = TALUS_OK};
        talus_status status = scene_load(scene_path("scene.yaml"), NULL, 0, n, &scene, &err);
        if (status == TALUS_OK) {
            talus_scene_free(scene);
            break;
        }
        assert_int_equal(status, TALUS_ERR_MEMORY);
        assert_string_equal(err.text, "out of memory");
        assert_null(scene);
        refused++;
    }
    assert_true(refused > 3); /* the pool asks for large blocks: few calls, all of them tried */
}

static void test_memory(void **state) {
    (void)state;
    for (size_t i = 0; i < SCENE_SAMPLES; i++) walk(scene_samples[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
