/* SPDX-License-Identifier: Apache-2.0
 * The n-th allocation of a run refused, for n = 1, 2, ... until it succeeds: a clear status each
 * time, nothing leaked (the sanitizers look), and the directory not harmed. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/run.h"

static const char yaml[] =
    "dimension: 2\n"
    "gravity: [0, -9.81, 0]\n"
    "materials: [{name: disc, density: 1000}]\n"
    "time: {dt: 1e-3, steps: 100}\n"
    "grains: [{list: [{at: [0, 0.011, 0]}, {at: [0.05, 0.013, 0]}], radius: 0.01}]\n"
    "boundaries: [{name: floor, plane: {normal: [0, 1, 0]}}]\n"
    "output: {every: 0, track: [grains], picture: false}\n";

static talus_scene *load(const char *path) {
    talus_scene *scene = NULL;
    talus_error err;
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    fputs(yaml, to);
    assert_int_equal(fclose(to), 0);
    if (talus_scene_load(path, NULL, 0, &scene, &err) < 0) fail_msg("%s", err.text);
    return scene;
}

static int64_t walk(const talus_scene *scene, const char *directory) {
    for (int64_t n = 1; n < 10000; n++) {
        talus_result *result = NULL;
        talus_error err;
        talus_run_config config = talus_run_config_default();
        config.directory = directory;
        config.overwrite = true;
        config.keep_series = true;
        talus_status status = run_scene(scene, &config, n, &result, &err);
        talus_result_free(result);
        if (status >= 0) return n;
        assert_int_equal(status, TALUS_ERR_MEMORY);
        assert_non_null(strstr(err.text, "memory"));
    }
    return 0;
}

static void every_refused_allocation_is_survived(void **state) {
    (void)state;
    char place[] = "/tmp/talus_fault_XXXXXX", path[64], out[64], command[64];
    assert_non_null(mkdtemp(place));
    snprintf(path, sizeof path, "%s/scene.yaml", place);
    snprintf(out, sizeof out, "%s/out", place);
    talus_scene *scene = load(path);
    int64_t succeeded_at = walk(scene, out);
    assert_true(succeeded_at > 30); /* columns and their growth were among the refused ones */
    talus_scene_free(scene);
    snprintf(command, sizeof command, "rm -rf %s", place);
    assert_int_equal(system(command), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_refused_allocation_is_survived)};
    return cmocka_run_group_tests_name("run memory", tests, NULL, NULL);
}
