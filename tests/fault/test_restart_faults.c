/* SPDX-License-Identifier: Apache-2.0
 * Reading a checkpoint when memory is refused, and running where none can be written. */
#define _POSIX_C_SOURCE 200809L
#include <sys/stat.h>

#include "io/checkpoint.h"
#include "restart_scenes.h"
#include "scene/build.h"
#include "scene_support.h"
#include "sim/sim_archive.h"
#include "talus/run.h"

static talus_scene *load(const struct restart_scene *from) {
    static char text[20000];
    talus_scene *scene;
    talus_error err;
    snprintf(text, sizeof text, from->text, TALUS_SOURCE_DIR);
    struct scene_source_text source = {.path = from->name, .text = text};
    if (scene_load_text(&source, NULL, 0, &scene, &err) < 0) fail_msg("%s", err.text);
    return scene;
}

static bool stop_at_30(const talus_progress *progress, void *context) {
    (void)context;
    return progress->step < 30;
}

static talus_status run(const talus_scene *scene, const char *name, bool stop, bool *resumable) {
    talus_run_config config = talus_run_config_default();
    talus_result *result;
    char directory[128];
    snprintf(directory, sizeof directory, "%s", scene_path(name));
    config.directory = directory;
    config.overwrite = true;
    if (stop) config.progress = stop_at_30;
    talus_status status = talus_run(scene, &config, &result, NULL);
    *resumable = talus_result_resumable(result);
    talus_result_free(result);
    return status;
}

/* With the n-th allocation of the simulation refused. */
static talus_status restore(talus_scene *scene, int64_t refuse_at) {
    struct checkpoint checkpoint;
    talus_sim *sim = NULL;
    scene->config.refuse_allocation = refuse_at;
    assert_ok(checkpoint_open(&checkpoint, scene_path("run"), NULL));
    talus_status status = build_frame(scene, &sim, NULL);
    if (status >= 0) {
        sim_archive(sim, &checkpoint.archive);
        status = checkpoint.archive.status;
    }
    if (status >= 0) status = talus_sim_step(sim, NULL, NULL);
    talus_sim_destroy(sim);
    checkpoint_close(&checkpoint);
    return status;
}

static void every_refused_allocation_is_reported(void **state) {
    (void)state;
    for (int k = 0; k < RESTART_SCENES; k++) {
        talus_scene *scene = load(&restart_scenes[k]);
        bool resumable;
        run(scene, "run", true, &resumable);
        assert_true(resumable);
        talus_status status = TALUS_ERR_MEMORY;
        int64_t refuse_at = 1;
        for (; refuse_at < 2000; refuse_at++) {
            status = restore(scene, refuse_at);
            if (status >= 0) break;
            assert_int_equal(status, TALUS_ERR_MEMORY);
        }
        assert_ok(status);
        assert_true(refuse_at > 5);
        talus_scene_free(scene);
    }
}

/* A directory in the place of the new file: no checkpoint, but all results, and the log says so. */
static void a_run_ends_well_without_checkpoints(void **state) {
    (void)state;
    char part[128], line[512];
    bool resumable, told = false;
    talus_scene *scene = load(&restart_scenes[5]);
    snprintf(part, sizeof part, "%s", scene_path("blocked"));
    assert_int_equal(mkdir(part, 0777), 0);
    snprintf(part, sizeof part, "%s", scene_path("blocked/checkpoint.h5.part"));
    assert_int_equal(mkdir(part, 0777), 0);
    assert_int_equal(run(scene, "blocked", true, &resumable), TALUS_WARN_INTERRUPTED);
    assert_false(resumable);
    FILE *log = fopen(scene_path("blocked/log.txt"), "r");
    assert_non_null(log);
    while (fgets(line, sizeof line, log) != NULL)
        told = told || strstr(line, "warning: no checkpoint after step 30") != NULL;
    fclose(log);
    assert_true(told);
    assert_ok(run(scene, "blocked", false, &resumable));
    assert_int_equal(access(scene_path("blocked/summary.json"), F_OK), 0);
    talus_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_refused_allocation_is_reported),
        cmocka_unit_test(a_run_ends_well_without_checkpoints),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
