/* SPDX-License-Identifier: Apache-2.0
 * From scenes to simulations: what is built, what phases change, what sources pour. */
#define _POSIX_C_SOURCE 200809L
#include "scene_support.h"

#include "scene_samples.h"

static talus_sim *build(const talus_scene *scene) {
    talus_sim *sim;
    talus_error err;
    if (talus_scene_build(scene, &sim, &err) < 0) fail_msg("%s", err.text);
    return sim;
}

/* Grains of a group; *first gets the index of the first. */
static size_t count_group(const talus_sim *sim, const char *group, size_t *first) {
    talus_body_view view = talus_sim_bodies(sim);
    size_t count = 0;
    for (size_t i = 0; i < view.count; i++) {
        if (view.kind[i] != TALUS_BODY_GRAIN) continue;
        if (strcmp(talus_sim_group_name(sim, view.group[i]), group) != 0) continue;
        if (count++ == 0) *first = i;
    }
    return count;
}

static void test_bodies(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(scene_samples[0]);
    talus_sim *sim = build(scene);
    talus_body_view view = talus_sim_bodies(sim);
    size_t probe = 0, grain = 0;
    assert_int_equal(count_group(sim, "probe", &probe), 2);
    assert_true(count_group(sim, "grains", &grain) > 98);
    assert_true(view.mass[probe] == 0.003 && view.radius[probe] == 0.001);
    assert_near(view.mass[probe + 1], 2500.0 * 4.0 / 3.0 * 3.14159265358979 * 8e-9, 1e-16);
    assert_true(view.velocity[probe].x == 0.0 && view.velocity[probe].y == 2.0); /* x is locked */
    assert_int_equal(talus_sim_validate(sim, NULL), TALUS_OK);
    /* the fcc grains have jittered velocities */
    double fastest = 0.0;
    for (size_t i = probe + 10; i < probe + 42; i++)
        fastest = fmax(fastest, fabs(view.velocity[i].x));
    assert_true(fastest > 0.0005 && fastest <= 0.001);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

static void test_same_seed(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(scene_samples[0]);
    talus_scene *other;
    talus_error err;
    assert_int_equal(scene_try(scene_samples[0], "seed=18", NULL, &other, &err), TALUS_OK);
    talus_sim *a = build(scene), *b = build(scene), *c = build(other);
    assert_true(talus_sim_hash(a) == talus_sim_hash(b));
    assert_true(talus_sim_hash(a) != talus_sim_hash(c));
    talus_sim_destroy(a);
    talus_sim_destroy(b);
    talus_sim_destroy(c);
    talus_scene_free(scene);
    talus_scene_free(other);
}

static size_t count_present(const talus_sim *sim) {
    size_t present = 0;
    for (size_t i = 0; i < talus_sim_boundary_count(sim); i++) {
        present += talus_sim_boundary(sim, i).present;
    }
    return present;
}

static void test_phases(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(scene_samples[2]);
    talus_sim *sim = build(scene);
    size_t probe = 0;
    assert_int_equal(count_present(sim), 5);
    assert_int_equal(count_group(sim, "probe", &probe), 1);
    assert_true(talus_sim_dt(sim) == 0.001);
    for (size_t p = 0; p < scene->phase_count; p++) {
        assert_ok(scene_apply_change(&scene->phases[p].change, sim, NULL));
        if (p == 1) {
            assert_true(talus_sim_bodies(sim).velocity[probe].x == 1.0);
            assert_int_equal(count_present(sim), 3);
            assert_true(talus_sim_dt(sim) == 0.002);
        }
        for (int k = 0; k < 3; k++) assert_ok(talus_sim_step(sim, NULL, NULL));
    }
    /* A change that does not fit the state is refused. */
    talus_error err;
    assert_true(scene_apply_change(&scene->phases[1].change, sim, &err) < 0);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

/* Boundaries with every motion can be built and stepped. */
static void test_motions(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(scene_samples[1]);
    talus_sim *sim = build(scene);
    for (int k = 0; k < 3; k++) assert_ok(talus_sim_step(sim, NULL, NULL));
    assert_int_equal(talus_sim_boundary_count(sim), 11);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

static void test_auto_dt(void **state) {
    (void)state;
    /* One grain at 2 m/s: 5 % of its radius in one step. */
    talus_scene *scene =
        scene_ok("grains: [ { row: { count: 2, spacing: 1 }, radius: 0.1, velocity: [2, 0, 0] } ]\n"
                 "time: { end: 1 }\n");
    talus_sim *sim = build(scene);
    assert_near(talus_sim_dt(sim), 0.05 * 0.1 / 2.0, 1e-12);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
    /* Only a source: fall over the box of region and floor point, sqrt(1 + 1 + 9) m. */
    scene =
        scene_ok("gravity: [0, 0, -10]\nsources: [ { name: s, box: { low: [0, 0, 2], high: [1, 1, "
                 "3] }, rate: 1, count: "
                 "1, radius: { uniform: [0.1, 0.2] }, velocity: [0, 0, -3] } ]\n"
                 "boundaries: [ { name: f, plane: { normal: [0, 0, 1] } } ]\ntime: { end: 1 }\n");
    sim = build(scene);
    assert_near(talus_sim_dt(sim), 0.05 * 0.1 / sqrt(9.0 + 20.0 * sqrt(11.0)), 1e-12);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
    /* Soft grains that will be poured: a hundredth of t_c, of two of the smallest or of one of them with the floor. */
    scene = scene_ok(
        "method: md\nmaterials: [ { name: m, density: 1 } ]\npairs: [ { between: [m, m], mu: "
        "0, soft: { stiffness: 1e4 } } ]\nsources: [ { name: s, box: { low: [0, 0, 2], high: "
        "[1, 1, 3] }, rate: 1, count: 1, radius: { uniform: [0.1, 0.2] } } ]\n"
        "boundaries: [ { name: f, plane: { normal: [0, 0, 1] } } ]\ntime: { end: 1 }\n");
    sim = build(scene);
    const double pi = 3.141592653589793;
    double mass = 4.0 / 3.0 * pi * 1e-3;
    assert_near(talus_sim_dt(sim), 0.01 * pi * sqrt(0.5 * mass / 1e4), 1e-12);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
    /* Nothing will move: the engine's default. */
    scene = scene_ok(SMALL_GRAINS "time: { end: 1 }\n");
    sim = build(scene);
    assert_near(talus_sim_dt(sim), 1e-3, 1e-15);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

/* ---- pouring --------------------------------------------------------------------------------- */

static bool any_overlap(const talus_sim *sim, size_t from, double period) {
    talus_body_view view = talus_sim_bodies(sim);
    for (size_t i = from; i < view.count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (view.kind[i] != TALUS_BODY_GRAIN || view.kind[j] != TALUS_BODY_GRAIN) continue;
            double x = view.position[i].x - view.position[j].x,
                   y = view.position[i].y - view.position[j].y;
            double z = view.position[i].z - view.position[j].z;
            if (period > 0.0) {
                x -= period * rint(x / period);
                y -= period * rint(y / period);
            }
            double reach = view.radius[i] + view.radius[j];
            if (x * x + y * y + z * z < reach * reach) return true;
        }
    }
    return false;
}

/* Pour a scene to its end; hash of the result. */
static uint64_t pour_all(const talus_scene *scene, int64_t wanted, double period) {
    talus_sim *sim = build(scene);
    struct scene_pour pour;
    talus_error err;
    assert_ok(scene_pour_start(scene, &pour, &err));
    while (talus_sim_time(sim) < scene->phases[0].duration) {
        size_t before = talus_sim_bodies(sim).count;
        if (scene_pour_step(scene, &pour, sim, &err) < 0) fail_msg("%s", err.text);
        assert_false(any_overlap(sim, before, period));
        double due = scene->sources[0].rate * (talus_sim_time(sim) - scene->sources[0].start);
        assert_true((double)pour.poured[0] <= fmax(due, 0.0) + 1e-5);
        assert_ok(talus_sim_step(sim, NULL, &err));
    }
    int64_t poured = 0;
    for (size_t s = 0; s < pour.count; s++) poured += pour.poured[s];
    assert_int_equal(poured, wanted);
    scene_pour_free(&pour);
    uint64_t hash = talus_sim_hash(sim);
    talus_sim_destroy(sim);
    return hash;
}

static void test_pour(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(scene_samples[3]);
    uint64_t first =
        pour_all(scene, 39, 0.02); /* 30 and 100 Hz x 0.1 s, the tenth one step later */
    assert_true(first == pour_all(scene, 39, 0.02));
    talus_scene_free(scene);
}

/* A region with room for a few grains only: the others wait, nobody overlaps, the rate is not
 * made up. */
static void test_pour_waits(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(
        "dimension: 2\nsources: [ { name: s, box: { low: [0, 0], high: [3, 3] }, rate: 1e4 1/s, "
        "count: 2000, radius: 0.5 } ]\nboundaries: [ { name: f, plane: { normal: [0, 1] } } ]\n"
        "time: { dt: 10 ms, end: 0.1 s }\n");
    talus_sim *sim = build(scene);
    struct scene_pour pour;
    assert_ok(scene_pour_start(scene, &pour, NULL));
    for (int k = 0; k < 10; k++) {
        assert_ok(scene_pour_step(scene, &pour, sim, NULL));
        assert_ok(talus_sim_step(sim, NULL, NULL));
    }
    assert_true(pour.poured[0] >= 3 && pour.poured[0] <= 9);
    assert_int_equal(pour.poured[0] + pour.waiting[0], 900);
    assert_false(any_overlap(sim, 0, 0.0));
    scene_pour_free(&pour);
    scene_pour_free(&pour); /* once more does no harm */
    talus_sim_destroy(sim);
    talus_scene_free(scene);
    scene = scene_ok(SMALL_SCENE);
    assert_ok(scene_pour_start(scene, &pour, NULL)); /* no sources */
    assert_int_equal(pour.count, 0);
    scene_pour_free(&pour);
    talus_scene_free(scene);
}

/* A floor that cuts the region, and a lid that is gone when pouring begins. */
static void test_pour_beside_walls(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(
        "dimension: 2\nsources: [ { name: s, box: { low: [0, -3], high: [6, 3] }, rate: 1000 1/s, "
        "count: 10, start: 10 ms, radius: 0.3 } ]\n"
        "boundaries: [ { name: f, plane: { normal: [0, 1] } }, "
        "{ name: lid, plane: { normal: [0, -1] } } ]\n"
        "phases: [ { change: { remove: [lid] }, until: { time: 0.1 s } } ]\ntime: { dt: 1 ms }\n");
    talus_sim *sim = build(scene);
    struct scene_pour pour;
    assert_ok(scene_pour_start(scene, &pour, NULL));
    assert_ok(scene_apply_change(&scene->phases[0].change, sim, NULL));
    for (int k = 0; k < 40; k++) {
        assert_ok(scene_pour_step(scene, &pour, sim, NULL));
        assert_ok(talus_sim_step(sim, NULL, NULL));
    }
    assert_int_equal(pour.poured[0], 10);
    talus_body_view view = talus_sim_bodies(sim);
    for (size_t i = 0; i < view.count; i++) {
        if (view.kind[i] != TALUS_BODY_GRAIN) continue;
        assert_true(view.position[i].y >= view.radius[i] * (1.0 - 1e-8));
    }
    scene_pour_free(&pour);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),     cmocka_unit_test(test_same_seed),
        cmocka_unit_test(test_phases),     cmocka_unit_test(test_motions),
        cmocka_unit_test(test_auto_dt),    cmocka_unit_test(test_pour),
        cmocka_unit_test(test_pour_waits), cmocka_unit_test(test_pour_beside_walls),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
