/* SPDX-License-Identifier: Apache-2.0
 * Scenes that start with the grains of another run (from: DIR). */
#define _POSIX_C_SOURCE 200809L
#include "scene_support.h"
#include "talus/run.h"

#define RIGID                                                                                  \
    "dimension: 2\ngravity: [0, -9.81]\n"                                                      \
    "materials: [ { name: wall }, { name: a, density: 2000 }, { name: b, density: 1000 } ]\n"  \
    "pairs: [ { between: [a, a], mu: 0.4, cohesion: { force: 0.5, range: 0.1 mm } },\n"        \
    "         { between: [a, b], mu: 0.3 }, { between: [a, wall], mu: 0.4 } ]\n"               \
    "boundaries: [ { name: box, box: { low: [0, 0], high: [8 cm, 1], open: [y+] }, material: " \
    "wall } ]\n"
#define SOFT                                                                                  \
    "dimension: 2\nmethod: md\ngravity: [0, -9.81]\n"                                         \
    "pairs: [ { between: [grain, grain], mu: 0.4, soft: { stiffness: 1e5, restitution: 0.3, " \
    "tangential_ratio: 0.5 } } ]\n"                                                           \
    "boundaries: [ { name: box, box: { low: [0, 0], high: [8 cm, 1], open: [y+] } } ]\n"
#define QUIET "output: { every: 0, picture: false }\n"

static const char rigid_grains[] = "grains:\n"
                                   "  - { lattice: { kind: hexagonal, cells: [7, 4], start: [1 cm, "
                                   "6 mm], spacing: 1.05 cm }, radius: 5 mm,\n"
                                   "      material: a, group: lower }\n"
                                   "  - { row: { count: 5, start: [1 cm, 6 cm], spacing: 1.3 cm }, "
                                   "radius: 4 mm, material: b, group: upper }\n";
static const char soft_grains[] = "grains: [ { lattice: { kind: hexagonal, cells: [7, 5], start: "
                                  "[6 mm, 6 mm], spacing: 1 cm }, radius: 5 mm } ]\n";

/* ---- helpers ----------------------------------------------------------------------------------- */

static talus_result *run(const char *directory, const char *text) {
    talus_scene *scene = scene_ok(text);
    talus_run_config config = talus_run_config_default();
    talus_result *result;
    talus_error err;
    char path[128];
    snprintf(path, sizeof path, "%s", scene_path(directory));
    config.directory = path;
    config.overwrite = true;
    if (talus_run(scene, &config, &result, &err) < 0) fail_msg("%s", err.text);
    talus_scene_free(scene);
    return result;
}

static talus_sim *build(const char *text) {
    talus_scene *scene = scene_ok(text);
    talus_sim *sim;
    talus_error err;
    if (talus_scene_build(scene, &sim, &err) < 0) fail_msg("%s", err.text);
    talus_scene_free(scene);
    return sim;
}

static void build_refused(const char *text, const char *part) {
    talus_scene *scene = scene_ok(text);
    talus_sim *sim;
    talus_error err;
    assert_int_equal(talus_scene_build(scene, &sim, &err), TALUS_ERR_INPUT);
    assert_null(sim);
    if (strstr(err.text, part) == NULL) fail_msg("wanted: %s\ngot: %s", part, err.text);
    talus_scene_free(scene);
}

static const char *join(const char *a, const char *b, const char *c) {
    static char text[8192];
    snprintf(text, sizeof text, "%s%s%s" QUIET, a, b, c);
    return text;
}

static const char *group_of(const talus_sim *sim, size_t body) {
    return talus_sim_group_name(sim, talus_sim_bodies(sim).group[body]);
}

/* ---- grains ------------------------------------------------------------------------------------ */

/* One boundary fewer and materials in another order: grains are found by name, bit for bit as they were. */
static void grains_are_as_they_were(void **state) {
    (void)state;
    talus_result *result =
        run("first", join(RIGID, rigid_grains, "time: { dt: 1 ms, steps: 150 }\n"));
    talus_sim *sim = build(
        join("dimension: 2\nfrom: first\ntime: { dt: 1 ms, steps: 10 }\n"
             "materials: [ { name: b, density: 5 }, { name: a, density: 5 } ]\n",
             "grains: [ { list: [ { at: [9 cm, 0] } ], radius: 1 cm, material: b, group: new } ]\n",
             "forces: [ { name: up, on: upper, force: [0, 1] } ]\n"));
    talus_body_view before = talus_sim_bodies(talus_result_sim(result)),
                    now = talus_sim_bodies(sim);
    assert_int_equal(now.count, before.count - 3 + 1); /* the three sides of the box; the new one */
    for (size_t i = 3; i < before.count; i++) {
        size_t j = i - 3;
        assert_memory_equal(&before.position[i], &now.position[j], sizeof *now.position);
        assert_memory_equal(&before.velocity[i], &now.velocity[j], sizeof *now.velocity);
        assert_memory_equal(&before.omega[i], &now.omega[j], sizeof *now.omega);
        assert_memory_equal(&before.orientation[i], &now.orientation[j], sizeof *now.orientation);
        assert_true(before.radius[i] == now.radius[j] && before.mass[i] == now.mass[j]);
        assert_string_equal(group_of(talus_result_sim(result), i), group_of(sim, j));
        assert_int_equal(now.material[j], strcmp(group_of(sim, j), "upper") == 0 ? 0 : 1);
    }
    assert_true(talus_sim_time(sim) == 0.0);
    talus_sim_destroy(sim);
    talus_result_free(result);
}

static double largest_difference(const talus_sim *a, const talus_sim *b) {
    talus_body_view one = talus_sim_bodies(a), other = talus_sim_bodies(b);
    double largest = 0.0;
    assert_int_equal(one.count, other.count);
    for (size_t i = 0; i < one.count; i++)
        largest = fmax(largest, hypot(one.position[i].x - other.position[i].x,
                                      one.position[i].y - other.position[i].y));
    return largest;
}

/* The same scene, from the middle on: with impulses, bonds and springs brought along it goes the same way as the
 * run that went on. */
static void contacts_are_brought_along(void **state) {
    (void)state;
    const char *const worlds[][2] = {{RIGID, rigid_grains}, {SOFT, soft_grains}};
    const char *const times[][3] = {
        {"time: { dt: 1 ms, steps: 200 }\n", "time: { dt: 1 ms, steps: 220 }\n",
         "from: first\ntime: { dt: 1 ms, steps: 20 }\n"},
        {"time: { dt: 0.1 ms, steps: 800 }\n", "time: { dt: 0.1 ms, steps: 840 }\n",
         "from: first\ntime: { dt: 0.1 ms, steps: 40 }\n"}};
    for (int k = 0; k < 2; k++) {
        talus_result_free(run("first", join(worlds[k][0], worlds[k][1], times[k][0])));
        talus_result *whole = run("whole", join(worlds[k][0], worlds[k][1], times[k][1]));
        talus_result *rest = run("rest", join(worlds[k][0], "", times[k][2]));
        /* Rigid: forces are solved to 1 % only, from the same first guess. Soft: the first dashpots see velocities that
         * are not predicted; without their springs the grains are 5e-5 m off. */
        double difference = largest_difference(talus_result_sim(whole), talus_result_sim(rest));
        assert_near(difference, 0.0, k == 0 ? 2e-6 : 2e-8);
        talus_result_free(whole);
        talus_result_free(rest);
    }
}

/* Settled grains need few sweeps for their first step, because its forces are known. */
static void the_first_guess_is_warm(void **state) {
    (void)state;
    const char *const solvers[2] = {
        "solver: { stop: residual, tolerance: 1e-8 }\n",
        "solver: { stop: residual, tolerance: 1e-8, warm_start: false }\n"};
    int sweeps[2];
    char text[4096];
    snprintf(text, sizeof text, "%stime: { dt: 1 ms, steps: 1500 }\n", solvers[0]);
    talus_result_free(run("first", join(RIGID, rigid_grains, text)));
    for (int k = 0; k < 2; k++) {
        talus_step_report report;
        snprintf(text, sizeof text, "%sfrom: first\ntime: { dt: 1 ms, steps: 1 }\n", solvers[k]);
        talus_sim *sim = build(join(RIGID, "", text));
        assert_ok(talus_sim_step(sim, &report, NULL));
        sweeps[k] = report.sweeps;
        talus_sim_destroy(sim);
    }
    if (sweeps[0] > sweeps[1] / 2) fail_msg("%d sweeps, cold %d", sweeps[0], sweeps[1]);
}

/* A scene that began from another one is resumed like any other, also when that one is gone. */
static bool stop_at_5(const talus_progress *progress, void *context) {
    (void)context;
    return progress->step < 5;
}

static void it_can_be_resumed_itself(void **state) {
    (void)state;
    const char *text = join(RIGID, "", "from: first\ntime: { dt: 1 ms, steps: 20 }\n");
    char second[128], path[128];
    talus_result_free(run("first", join(RIGID, rigid_grains, "time: { dt: 1 ms, steps: 100 }\n")));
    text = join(RIGID, "", "from: first\ntime: { dt: 1 ms, steps: 20 }\n");
    talus_result *whole = run("whole", text);
    talus_scene *scene = scene_ok(text);
    talus_run_config config = talus_run_config_default();
    talus_result *result;
    talus_error err;
    snprintf(second, sizeof second, "%s", scene_path("second"));
    snprintf(path, sizeof path, "%s", scene_path("first/checkpoint.h5"));
    config.directory = second;
    config.progress = stop_at_5;
    assert_int_equal(talus_run(scene, &config, &result, NULL), TALUS_WARN_INTERRUPTED);
    talus_result_free(result);
    talus_scene_free(scene);
    assert_int_equal(remove(path), 0);
    if (talus_run_resume(second, NULL, 0, NULL, &result, &err) < 0) fail_msg("%s", err.text);
    assert_true(talus_sim_hash(talus_result_sim(result)) ==
                talus_sim_hash(talus_result_sim(whole)));
    talus_result_free(result);
    talus_result_free(whole);
}

/* ---- messages ---------------------------------------------------------------------------------- */

static double dt_of(const char *text) {
    talus_sim *sim = build(text);
    double dt = talus_sim_dt(sim);
    talus_sim_destroy(sim);
    return dt;
}

/* dt: auto heeds grains that come from another run as it heeds those of the scene, and those of sources beside them. */
static void auto_dt_is_that_of_the_grains(void **state) {
    (void)state;
    static const struct {
        const char *frame, *grains, *bring;
    } cases[] = {{SOFT, soft_grains, "from: softly\n"}, {RIGID, rigid_grains, "from: rigidly\n"}};
    static const char source[] = "sources: [ { name: tap, box: { low: [1 cm, 8 cm], high: [7 cm, 9 "
                                 "cm] }, rate: 10, count: 5, "
                                 "radius: 1 mm, material: %s, velocity: [0, -1 m/s] } ]\n";
    for (size_t k = 0; k < 2; k++) {
        char grains[2048], brought[2048], poured[512];
        talus_result_free(
            run(k == 0 ? "softly" : "rigidly",
                join(cases[k].frame, cases[k].grains, "time: { dt: 1 ns, steps: 1 }\n")));
        double own = dt_of(join(cases[k].frame, cases[k].grains, "time: { dt: auto, steps: 1 }\n"));
        double from = dt_of(join(cases[k].frame, cases[k].bring, "time: { dt: auto, steps: 1 }\n"));
        assert_near(from, own, 1e-6 * own);
        snprintf(poured, sizeof poured, source, k == 0 ? "grain" : "a");
        snprintf(grains, sizeof grains, "%s%s", cases[k].grains, poured);
        snprintf(brought, sizeof brought, "%s%s", cases[k].bring, poured);
        own = dt_of(join(cases[k].frame, grains, "time: { dt: auto, steps: 1 }\n"));
        assert_true(own < 0.6 * from);
        from = dt_of(join(cases[k].frame, brought, "time: { dt: auto, steps: 1 }\n"));
        assert_near(from, own, 1e-6 * own);
    }
}

static void what_does_not_fit_is_said(void **state) {
    (void)state;
    talus_result_free(run("first", join(RIGID, rigid_grains, "time: { dt: 1 ms, steps: 5 }\n")));
    const char *end = "from: first\ntime: { dt: 1 ms, steps: 5 }\n";
    build_refused(join("dimension: 2\n", "materials: [ { name: a, density: 1 } ]\n", end),
                  "are of material 'b', which this scene does not have; add it to materials");
    build_refused(join("dimension: 3\n", "materials: [ { name: a, density: 1 } ]\n", end),
                  "has 2 dimensions, this scene 3");
    build_refused(join(RIGID, "forces: [ { name: up, on: nobody, force: [0, 1] } ]\n", end),
                  "there is no group 'nobody', neither here nor in");
    build_refused(join(RIGID, "", "from: .\ntime: { dt: 1 ms, steps: 5 }\n"),
                  "holds no checkpoint.h5");
    talus_result_free(run("shapes", join("dimension: 2\nshapes: [ { name: brick, box: [2, 1] } ]\n",
                                         "grains: [ { list: [ { at: [0, 0] } ], shape: brick } ]\n",
                                         "time: { dt: 1 ms, steps: 5 }\n")));
    end = "from: shapes\ntime: { dt: 1 ms, steps: 5 }\n";
    build_refused(join("dimension: 2\n", "", end),
                  "have the shape 'brick', which this scene does not have; add it to shapes");
    talus_sim *sim =
        build(join("dimension: 2\n", "shapes: [ { name: brick, box: [2, 1] } ]\n", end));
    assert_int_equal(talus_sim_bodies(sim).form[0], 1);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_are_as_they_were),
        cmocka_unit_test(contacts_are_brought_along),
        cmocka_unit_test(the_first_guess_is_warm),
        cmocka_unit_test(it_can_be_resumed_itself),
        cmocka_unit_test(what_does_not_fit_is_said),
        cmocka_unit_test(auto_dt_is_that_of_the_grains),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
