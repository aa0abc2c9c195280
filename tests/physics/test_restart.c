/* SPDX-License-Identifier: Apache-2.0
 *
 * A run that is stopped and resumed, once or many times, with whatever threads, ends with the same bits in every
 * file as one that never stopped; and so does one that writes checkpoints as it goes. With every law,
 * boundary, motion, shape, solver, order, rule and integrator there is (tests/restart_scenes.h and the catalog).
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>

#include "restart_scenes.h"
#include "scene_support.h"
#include "talus/catalog.h"
#include "talus/run.h"

/* ---- running ----------------------------------------------------------------------------------- */

struct stopper {
    int64_t at; /* step after which to stop; 0: never */
};

static bool stop_there(const talus_progress *progress, void *context) {
    const struct stopper *stopper = context;
    return stopper->at == 0 || progress->step < stopper->at;
}

static talus_run_config config_for(struct stopper *stopper, int threads) {
    talus_run_config config = talus_run_config_default();
    config.progress = stop_there;
    config.context = stopper;
    config.threads = threads;
    config.overwrite = true;
    return config;
}

/* To the end, or to step `at`; returns the step it ended after. */
static int64_t begin(const talus_scene *scene, const char *directory, int64_t at) {
    struct stopper stopper = {at};
    talus_result *result;
    talus_error err;
    talus_run_config config = config_for(&stopper, 1);
    config.directory = directory;
    if (talus_run(scene, &config, &result, &err) < 0) fail_msg("%s", err.text);
    int64_t step = talus_sim_step_count(talus_result_sim(result));
    if (at == 0) assert_true(talus_sim_contacts(talus_result_sim(result), NULL, 0) >= 5);
    talus_result_free(result);
    return step;
}

static void go_on(const char *directory, int64_t at, int threads) {
    struct stopper stopper = {at};
    talus_result *result;
    talus_error err;
    talus_run_config config = config_for(&stopper, threads);
    if (talus_run_resume(directory, NULL, 0, &config, &result, &err) < 0) fail_msg("%s", err.text);
    assert_non_null(result);
    talus_result_free(result);
}

/* ---- comparing --------------------------------------------------------------------------------- */

static char *content(const char *directory, const char *name, size_t *size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *from = fopen(path, "rb");
    if (from == NULL) fail_msg("%s is missing", path);
    assert_int_equal(fseek(from, 0, SEEK_END), 0);
    *size = (size_t)ftell(from);
    rewind(from);
    char *text = calloc(1, *size + 1);
    assert_int_equal(fread(text, 1, *size, from), *size);
    fclose(from);
    return text;
}

/* The one number that may differ. */
static void blank_clock(char *text) {
    char *at = strstr(text, "\"wall_seconds\":");
    for (; at != NULL && *at != '\0' && *at != ','; at++) *at = ' ';
}

static void compare_file(const char *what, const char *a, const char *b, const char *name) {
    size_t sizes[2];
    char *texts[2] = {content(a, name, &sizes[0]), content(b, name, &sizes[1])};
    if (strcmp(name, "summary.json") == 0)
        for (int k = 0; k < 2; k++) {
            blank_clock(texts[k]);
            sizes[k] = 0; /* blanks may be more or fewer */
        }
    bool same = sizes[0] == sizes[1] && memcmp(texts[0], texts[1], sizes[0]) == 0;
    if (strcmp(name, "summary.json") == 0) {
        char *hash = strstr(texts[0], "\"status\""), *other = strstr(texts[1], "\"status\"");
        for (; *hash != '\0' && *other != '\0'; hash++, other++) {
            while (*hash == ' ') hash++;
            while (*other == ' ') other++;
            if (*hash != *other) break;
        }
        same = *hash == *other;
    }
    if (!same) fail_msg("%s: %s differs in %s and %s", what, name, a, b);
    free(texts[0]);
    free(texts[1]);
}

static bool may_differ(const char *name) {
    return name[0] == '.' || strcmp(name, "log.txt") == 0 || strcmp(name, "checkpoint.h5") == 0;
}

/* Every file of a is in b, the same. */
static void compare(const char *what, const char *a, const char *b) {
    DIR *directory = opendir(a);
    int files = 0;
    assert_non_null(directory);
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (may_differ(entry->d_name)) continue;
        compare_file(what, a, b, entry->d_name);
        files++;
    }
    closedir(directory);
    assert_true(files >= 5);
}

/* ---- scenes ------------------------------------------------------------------------------------ */

static talus_scene *load(const struct restart_scene *from, const char *override) {
    static char text[20000];
    talus_scene *scene;
    talus_error err;
    snprintf(text, sizeof text, from->text, TALUS_SOURCE_DIR); /* NOLINT: ours */
    const char *overrides[] = {override};
    struct scene_source_text source = {.path = from->name, .text = text};
    if (scene_load_text(&source, overrides, override != NULL, &scene, &err) < 0)
        fail_msg("%s, %s: %s", from->name, override != NULL ? override : "", err.text);
    return scene;
}

static void path_of(char path[128], const char *name) {
    snprintf(path, 128, "%s", scene_path(name));
}

/* Stopped at two thirds, resumed with other threads. */
static void restart_once(const struct restart_scene *from, const char *override) {
    char whole[128], parts[128], what[256];
    snprintf(what, sizeof what, "%s (%s)", from->name, override != NULL ? override : "as it is");
    talus_scene *scene = load(from, override);
    path_of(whole, "whole");
    path_of(parts, "parts");
    int64_t steps = begin(scene, whole, 0);
    begin(scene, parts, 2 * steps / 3);
    go_on(parts, 0, 3);
    compare(what, whole, parts);
    talus_scene_free(scene);
}

/* Before the first step, after it, at ends of phases and in between, a checkpoint after every 23rd. */
static void restart_often(const struct restart_scene *from) {
    char whole[128], parts[128];
    talus_scene *scene = load(from, NULL);
    talus_scene *watched = load(from, "output.checkpoint.steps=23");
    path_of(whole, "whole");
    path_of(parts, "parts");
    int64_t steps = begin(scene, whole, 0);
    const int64_t stops[] = {1, 2, 60, 61, 70, 90, 91, steps - 1};
    begin(watched, parts, -1); /* before the first step */
    int64_t last = 0;
    for (size_t k = 0; k < sizeof stops / sizeof stops[0]; k++) {
        if (stops[k] <= last || stops[k] >= steps) continue;
        go_on(parts, stops[k], 1 + (int)(k % 2));
        last = stops[k];
    }
    go_on(parts, 0, 2);
    begin(watched, whole, 0);
    compare(from->name, whole, parts); /* the resolved scenes are the same, too */
    talus_scene_free(scene);
    talus_scene_free(watched);
}

static void every_scene_is_resumed_to_the_same_bits(void **state) {
    (void)state;
    for (int k = 0; k < RESTART_SCENES; k++) restart_once(&restart_scenes[k], NULL);
}

static void many_stops_and_checkpoints_change_nothing(void **state) {
    (void)state;
    for (int k = 0; k < RESTART_SCENES; k++) restart_often(&restart_scenes[k]);
}

/* Checkpoints after every 23rd step against none: all but the scene, which says so. */
static void checkpoints_do_not_alter_a_run(void **state) {
    (void)state;
    char plain[128], watched[128];
    path_of(plain, "whole");
    path_of(watched, "parts");
    for (int k = 0; k < RESTART_SCENES; k++) {
        talus_scene *scenes[2] = {load(&restart_scenes[k], "output.checkpoint=false"),
                                  load(&restart_scenes[k], "output.checkpoint.steps=23")};
        begin(scenes[0], plain, 0);
        begin(scenes[1], watched, 0);
        compare_file(restart_scenes[k].name, plain, watched, "series.tsv");
        compare_file(restart_scenes[k].name, plain, watched, "final.txt");
        compare_file(restart_scenes[k].name, plain, watched, "final_contacts.txt");
        compare_file(restart_scenes[k].name, plain, watched, "summary.json");
        talus_scene_free(scenes[0]);
        talus_scene_free(scenes[1]);
    }
}

/* ---- all solvers, orders, rules ---------------------------------------------------------------- */

static void every_solver_is_resumed(void **state) {
    (void)state;
    const char *const variants[] = {"solver.sweep=random",     "solver.sweep=windowed",
                                    "solver.sweep=sequential", "solver.sweep=symmetric",

                                    "solver.sweep=batched",    "solver.stop=fixed",
                                    "solver.stop=local",       "solver.stop=global",
                                    "solver.stop=residual",    "solver.stop=siconos",
                                    "solver.stop=penetration", "solver.gap=signed",
                                    "solver.gap=projected",    "solver.substeps=3",
                                    "solver.carry=0.3",        "solver.warm_start=false",
                                    "solver.islands=false",    "solver={name: nsgs, sweeps: 20}"};
    for (size_t k = 0; k < sizeof variants / sizeof variants[0]; k++)
        restart_once(&restart_scenes[0], variants[k]);
    /* Parallel sweeps diverge in packings: the chain. */
    restart_once(&restart_scenes[5], "solver={name: nsgs, sweep: parallel, sweeps: 5}");
    for (size_t k = 0; k < talus_catalog_count(); k++) {
        const talus_entry *entry = talus_catalog_entry(k);
        char override[64];
        snprintf(override, sizeof override, "solver.name=%s", entry->name);
        if (strcmp(entry->kind, "solver") == 0) restart_once(&restart_scenes[0], override);
    }
}

static void every_integrator_is_resumed(void **state) {
    (void)state;
    for (size_t k = 0; k < talus_catalog_count(); k++) {
        const talus_entry *entry = talus_catalog_entry(k);
        char override[64];
        snprintf(override, sizeof override, "time.integrator=%s", entry->name);
        if (strcmp(entry->kind, "integrator") != 0) continue;
        for (int s = 0; s < RESTART_SCENES; s++)
            if (strncmp(restart_scenes[s].name, "soft", 4) == 0)
                restart_once(&restart_scenes[s], override);
    }
}

/* Enough contacts for full batches, islands and, of soft grains, for several chunks. */
static void large_packings_are_resumed(void **state) {
    (void)state;
    static const struct restart_scene large[] = {
        {"many discs",
         "dimension: 2\ngravity: [0, -9.81]\ntime: { dt: 1 ms, steps: 40 }\n"
         "pairs: [ { between: [grain, grain], mu: 0.5 } ]\n"
         "grains: [ { lattice: { kind: hexagonal, cells: [40, 25], start: [5 mm, 5 mm], spacing: 1 "
         "cm },\n"
         "    radius: { uniform: [4.8 mm, 5 mm] } } ]\n"
         "boundaries: [ { name: box, box: { low: [0, 0], high: [41 cm, 1], open: [y+] } } ]\n"
         "output: { every: 10 ms, picture: false }\n"},
        {"many soft discs",
         "dimension: 2\nmethod: md\ngravity: [0, -9.81]\ntime: { dt: 0.1 ms, steps: 200 }\n"
         "pairs: [ { between: [grain, grain], mu: 0.4, soft: { stiffness: 1e5, restitution: 0.6,\n"
         "    tangential_ratio: 0.3 } } ]\n"
         "grains: [ { lattice: { kind: hexagonal, cells: [50, 40], start: [5 mm, 5 mm], spacing: 1 "
         "cm },\n"
         "    radius: { uniform: [4.8 mm, 5 mm] }, velocity_jitter: 0.3 } ]\n"
         "boundaries: [ { name: box, box: { low: [0, 0], high: [51 cm, 1], open: [y+] } } ]\n"
         "output: { every: 5 ms, picture: false }\n"}};
    for (size_t k = 0; k < 2; k++) restart_once(&large[k], NULL);
}

/* In memory if there is such a place: each of the many files is synced, which a disk takes its time for. */
static int set_up(void **state) {
    if (access("/dev/shm", W_OK) != 0) return scene_setup(state);
    strcpy(scene_directory, "/dev/shm/talus_scene_XXXXXX");
    return mkdtemp(scene_directory) == NULL ? -1 : 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scene_is_resumed_to_the_same_bits),
        cmocka_unit_test(many_stops_and_checkpoints_change_nothing),
        cmocka_unit_test(checkpoints_do_not_alter_a_run),
        cmocka_unit_test(every_solver_is_resumed),
        cmocka_unit_test(every_integrator_is_resumed),
        cmocka_unit_test(large_packings_are_resumed),
    };
    return cmocka_run_group_tests(tests, set_up, scene_teardown);
}
