/* SPDX-License-Identifier: Apache-2.0
 * Mistakes in scene files: each is found, at its place, with what is allowed. */
#define _POSIX_C_SOURCE 200809L
#include "scene_support.h"

#include "scene/schema.h"

static void test_keys(void **state) {
    (void)state;
    scene_refused("gravty: [0, 0, 1]\n" SMALL_SCENE,
                  "%:1:1: unknown key 'gravty' in the scene; did you mean 'gravity'?");
    scene_refused(SMALL_SCENE "solver: { sweps: 3 }\n",
                  "%:3:11: unknown key 'sweps' in solver; did you mean 'sweeps'?");
    scene_refused(SMALL_SCENE "solver: { zzzzzz: 3 }\n", "allowed: name, sweep, stop");
    scene_refused("title: a\ntitle: b\n" SMALL_SCENE, "%:2:1: key 'title' is given twice");
    scene_refused(SMALL_SCENE "boundaries: [ { name: floor, plane: { } } ]\n",
                  "'normal' is missing in boundaries[0].plane");
    scene_refused(SMALL_SCENE "boundaries: [ { plane: { normal: [0, 0, 1] } } ]\n",
                  "%:3:15: 'name' is missing in boundaries[0]");
    scene_refused(SMALL_SCENE "boundaries: [ { name: w } ]\n",
                  "boundaries[0] needs one of: plane, rectangle, box, cylinder");
    scene_refused("time: { dt: 1, end: 1, steps: 4 }\n" SMALL_GRAINS,
                  "'steps' in time excludes another key; give only one of: end, steps");
}

static void test_types(void **state) {
    (void)state;
    scene_refused(
        SMALL_SCENE "gravity: 9.81\n",
        "gravity is '9.81', but a vector such as [0, 0, 1], each an acceleration (m/s^2)");
    scene_refused(SMALL_SCENE "gravity: [0, 1]\n", "gravity has 2 elements, but 3 are wanted");
    scene_refused(SMALL_SCENE "gravity: [0, 0, 1, 2]\n", "gravity has 4 elements");
    scene_refused(SMALL_SCENE "gravity: { x: 1 }\n", "gravity is a map, but a vector");
    scene_refused(
        SMALL_SCENE "gravity: [0, 0, -9.81 m/s]\n",
        "%:3:17: gravity[2]: '-9.81 m/s' is a velocity, an acceleration (m/s^2) is wanted");
    scene_refused(SMALL_SCENE "seed: 1.5\n", "seed is 1.5, but an integer is wanted");
    scene_refused(SMALL_SCENE "seed: many\n", "seed: 'many' is not a number");
    scene_refused(SMALL_SCENE "seed: 1e17\n", "at most 9007199254740992");
    scene_refused(SMALL_SCENE "seed:\n", "seed is empty, but an integer is wanted");
    scene_refused(SMALL_SCENE "solver: { warm_start: maybe }\n",
                  "solver.warm_start is 'maybe', but true or false is wanted");
    scene_refused(SMALL_SCENE "solver: [1]\n", "solver is a list, but a map of keys is wanted");
    scene_refused(SMALL_SCENE "solver: 3\n", "solver is '3', but a map of keys is wanted");
    scene_refused(SMALL_SCENE "materials: { name: a }\n", "materials is a map");
    scene_refused(SMALL_SCENE "materials: [3]\n",
                  "materials[0] is '3', but a map of keys is wanted");
    scene_refused(SMALL_SCENE "materials: []\n", "materials has 0 elements, but at least 1");
    scene_refused(SMALL_SCENE "title: [1]\n", "title is a list, but a text is wanted");
    scene_refused(SMALL_SCENE "title:\n", "title is empty");
    scene_refused(SMALL_SCENE "materials: [ { name: two words } ]\n", "'two words' is no name");
    scene_refused(SMALL_GRAINS "time: { dt: soon, end: 1 }\n",
                  "time.dt is 'soon', but a time (s) or auto is wanted");
    scene_refused(SMALL_GRAINS "time: { dt: 1 kg, end: 1 }\n",
                  "time.dt: '1 kg' is a mass, a time (s) is wanted");
}

static void test_ranges(void **state) {
    (void)state;
    scene_refused(SMALL_SCENE "dimension: 4\n", "dimension is 4, but must be between 1 and 3");
    scene_refused(SMALL_GRAINS "time: { dt: 0, end: 1 }\n",
                  "time.dt is 0, but must be greater than 0");
    scene_refused(SMALL_GRAINS "time: { end: -2 s }\n",
                  "time.end is -2 s, but must be greater than 0");
    scene_refused(SMALL_GRAINS "time: { dt: .nan, end: 1 }\n", "time.dt");
    scene_refused(SMALL_SCENE "solver: { tolerance: -1 }\n", "must be greater than 0");
    scene_refused(SMALL_SCENE "solver: { window: 1 }\n", "must be between 2 and 65536");
    scene_refused(SMALL_SCENE "solver: { sweeps: 5e9 }\n", "at most 2147483647");
    scene_refused(SMALL_SCENE "materials: [ { name: a, density: -1 } ]\n", "must be 0 or greater");
    scene_refused("grains: [ { row: { count: 0 }, radius: 1 } ]\n" SMALL_END,
                  "grains[0].row.count is 0, but must be greater than 0");
    scene_refused("grains: [ { row: { count: 2 }, radius: -1 } ]\n" SMALL_END, "radius is -1");
    scene_refused("grains: [ { row: { count: 2 }, radius: { uniform: [1] } } ]\n" SMALL_END,
                  "grains[0].radius.uniform has 1 elements, but 2 are wanted");
}

static void test_words(void **state) {
    (void)state;
    scene_refused(
        SMALL_SCENE "solver: { sweep: randm }\n",
        "solver.sweep: 'randm' is not known; did you mean 'random'? allowed: random, windowed");
    scene_refused(SMALL_SCENE "solver: { name: nsg }\n", "did you mean 'nsgs'?");
    scene_refused(SMALL_SCENE "cell: { periodic: [x, w], size: [9, 9, 9] }\n",
                  "cell.periodic[1]: 'w' is not known; ");
    scene_refused(SMALL_SCENE "method: dem\n", "allowed: cd, md");
    scene_refused(SMALL_SCENE "method: md\npairs: [{between: [grain, grain], mu: 0}]\n",
                  "with `method: md` every pair needs `soft`");
    scene_refused("grains: [ { list: [ { at: [0, 0, 0] } ], radius: 1, shape: cube } ]\n" SMALL_END,
                  "there is no shape 'cube'; allowed: sphere, disc");
}

#define SOFT_PAIR(keys) \
    SMALL_SCENE "method: md\npairs:\n- between: [grain, grain]\n  mu: 0\n  soft: {" keys "}\n"

/* Every contradiction of a soft law has one message, where it is written. */
static void test_soft_forms(void **state) {
    (void)state;
    scene_refused(SOFT_PAIR("damping: 1"),
                  ":7:9: pairs[0].soft needs one of: stiffness, collision_time, young");
    scene_refused(SOFT_PAIR("restitution: 0.5"), "needs one of: stiffness, collision_time, young");
    scene_refused(SOFT_PAIR("stiffness: 1, young: 1 GPa, poisson: 0.2"),
                  "give only one of: stiffness, collision_time, young");
    scene_refused(SOFT_PAIR("stiffness: 1, damping: 1, restitution: 0.5"),
                  "give only one of: damping, restitution");
    scene_refused(SOFT_PAIR("stiffness: 1, restitution: 0"), "must be between 0.01 and 1");
    scene_refused(SOFT_PAIR("collision_time: 1 ms"),
                  "soft: restitution must be between 0.01 and 1 with a collision time");
    scene_refused(SOFT_PAIR("collision_time: 1 ms, restitution: 0.5, exponent: 2"),
                  ":7:50: soft: exponent = 2, must be 1 with a collision time");
    scene_refused(SOFT_PAIR("young: 1 GPa"), "young needs poisson beside it");
    scene_refused(SOFT_PAIR("young: 1 GPa, poisson: 0.7"), "must be between -1 and 0.5");
    scene_refused(
        SOFT_PAIR("young: 1 GPa, poisson: 0.2, restitution: 0.5"),
        "soft: at_velocity must be > 0: viscoelastic restitution depends on the velocity");
    scene_refused(SOFT_PAIR("stiffness: 1, restitution: 0.5, at_velocity: 1"),
                  "soft: at_velocity = 1, must be 0 unless a viscoelastic restitution");
    scene_refused(SOFT_PAIR("stiffness: 1, poisson: 0.2"), "goes with young only");
    scene_refused(SOFT_PAIR("stiffness: 1, rigid_partner: true"),
                  "soft: rigid_partner = 1, goes with young only");
    scene_refused(SOFT_PAIR("stiffness: 1, tangential: mindlin"),
                  "soft: tangential: mindlin goes with young only");
    scene_refused(SOFT_PAIR("stiffness: 1, tangential_ratio: 1, tangential_stiffness: 1"),
                  "give only one of: tangential_stiffness, tangential_ratio, tangential");
    scene_refused(SOFT_PAIR("stiffness: 1, tangential_damping: 1, tangential_damping_ratio: 1"),
                  "give only one of: tangential_damping, tangential_damping_ratio");
    scene_refused(SOFT_PAIR("stiffness: 1, damping: 1") "  restitution: {normal: 0.5}\n",
                  "it counts only if `soft` gives neither damping nor restitution");
    scene_refused(SOFT_PAIR("stiffness: 1") "  restitution: {normal: 0.5, tangential: 0.1}\n",
                  "know no tangential restitution");
    scene_refused(SOFT_PAIR("young: 1 GPa, poisson: 0.2") "  restitution: {normal: 0.5}\n",
                  "soft: at_velocity must be > 0");
}

static size_t count_lines(const char *text) {
    size_t lines = 1;
    for (; *text != '\0'; text++) lines += *text == '\n';
    return lines;
}

static void refused_once(const char *text, const char *part) {
    talus_scene *scene;
    talus_error err;
    assert_true(scene_try(text, NULL, NULL, &scene, &err) < 0);
    if (count_lines(err.text) != 1 || strstr(err.text, part) == NULL)
        fail_msg("wanted one message: %s\ngot: %s", part, err.text);
}

/* A key that says nothing sensible is one mistake: what the others would mean with it is not told. */
static void test_one_mistake(void **state) {
    (void)state;
    refused_once(SOFT_PAIR("young: 0 Pa, poisson: 0.2"), "young is 0 Pa, but must be greater");
    refused_once(SOFT_PAIR("young: 0 Pa, rigid_partner: true"), "must be greater than 0");
    refused_once(SOFT_PAIR("young: 1 Gpx, poisson: 0.2, tangential: mindlin"), "young");
    refused_once(SOFT_PAIR("young: 1 GPa, restitution: 0.5"), "young needs poisson");
    refused_once(SOFT_PAIR("young: 1 GPa, poisson: 0.7, restitution: 0.5"), "between -1 and 0.5");
    refused_once(SOFT_PAIR("stiffness: 1, young: 1 GPa, poisson: 0.2"), "give only one of");
    refused_once(SOFT_PAIR("stiffness: 1, poisson: 0.2"), "goes with young only");
    refused_once(SOFT_PAIR("collision_time: -1 ms, damping: 1"), "must be greater than 0");
}

/* Numbers whose powers and products are not finite, or nothing, are refused before anything is run. */
static void test_extreme_numbers(void **state) {
    (void)state;
    refused_once(SOFT_PAIR("stiffness: 1e300"),
                 "stiffness is 1e300, but must be at most 1e+30 N/m");
    refused_once(SOFT_PAIR("stiffness: 1e-300"), "but must be at least 1e-40 N/m");
    refused_once(SOFT_PAIR("stiffness: 1e22 GN/m"), "is 1e22 GN/m, but must be at most 1e+30 N/m");
    refused_once(SMALL_SCENE "gravity: [0, 0, -1e300]\n",
                 "gravity[2] is -1e300, but must be at most");
    talus_scene_free(scene_ok(SMALL_SCENE "gravity: [1e-300, 0, -1e30]\n"));
    const char *const keys[] = {"grains.0.radius=1e300", "grains.0.radius=1e-300",
                                "grains.0.mass=1e300", "grains.0.velocity=[1e300, 0, 0]",
                                "time.dt=1e300"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        scene_refused_set(SMALL_SCENE, keys[k], "but must be at ");
}

static void test_all_at_once(void **state) {
    (void)state;
    talus_scene *scene;
    talus_error err;
    const char *text = "dimension: 5\n"
                       "gravty: 3\n"
                       "time: { dt: 3 kg }\n"
                       "materials: [ { name: a }, { name: a } ]\n"
                       "grains:\n"
                       "  - { row: { count: -3 }, radius: 1, material: b }\n"
                       "  - { radius: 1 }\n"
                       "forces: [ { name: f, on: nobody, force: [1, 0, 0] } ]\n"
                       "boundaries: [ { name: w, plane: { normal: [0, 0, 0] } } ]\n";
    assert_int_equal(scene_try(text, NULL, NULL, &scene, &err), TALUS_ERR_INPUT);
    static const char *const parts[] = {":1:12: dimension is 5",
                                        ":2:1: unknown key 'gravty'",
                                        ":3:13: time.dt: '3 kg'",
                                        ":4:35: material 'a' exists already",
                                        ":6:21: grains[0].row.count is -3",
                                        ":6:48: there is no material 'b'; allowed: a, a",
                                        ":7:5: grains[1] needs one of: list, row",
                                        ":8:26: there is no group 'nobody'",
                                        ":9:43: normal is the zero vector",
                                        "the scene has no end"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strstr(err.text, parts[i]) == NULL) fail_msg("wanted: %s\ngot: %s", parts[i], err.text);
    }
    /* sorted by line */
    assert_true(strstr(err.text, ":2:1:") < strstr(err.text, ":3:13:"));
    assert_true(strstr(err.text, ":6:48:") < strstr(err.text, ":8:26:"));
}

static void test_too_many(void **state) {
    (void)state;
    static char text[20000];
    talus_scene *scene;
    talus_error err;
    strcpy(text, SMALL_SCENE "pairs:\n");
    for (int i = 0; i < 300; i++) strcat(text, "  - { between: [q, r], mu: 1 }\n");
    assert_int_equal(scene_try(text, NULL, NULL, &scene, &err), TALUS_ERR_INPUT);
    assert_true(count_lines(err.text) <= 51);
    const char *tail = strrchr(err.text, '\n');
    assert_non_null(strstr(tail, "... and "));
    assert_int_equal(strtoul(tail + 9, NULL, 10) + count_lines(err.text) - 1, 600);
    /* One message longer than the room is cut, not lost. */
    char *longer = malloc(20000);
    assert_non_null(longer);
    memset(longer, 'k', 19999);
    longer[19999] = '\0';
    memcpy(longer, "title: [", 8);
    assert_true(scene_try(longer, NULL, NULL, &scene, &err) < 0);
    assert_true(strlen(err.text) < sizeof err.text);
    free(longer);
    assert_true(talus_scene_load("nowhere.yaml", NULL, 0, &scene, NULL) == TALUS_ERR_FILE);
}

/* Every default in the table is accepted by the table, and has a meaning. */
static void check_map(const struct schema_map *map, int depth) {
    assert_true(depth < 20);
    for (size_t i = 0; i < map->count; i++) {
        const struct schema_key *key = &map->keys[i];
        assert_non_null(key->meaning);
        assert_true(key->types != 0);
        assert_true(key->choice < SCHEMA_CHOICES);
        assert_false(key->required && (key->initial != NULL || key->initial_is != NULL));
        bool needs_map = (key->types & (TYPE_MAP | TYPE_MAPS)) != 0;
        assert_true(needs_map == (key->map != NULL));
        char word[64];
        bool needs_words = (key->types & (TYPE_WORD | TYPE_WORDS)) != 0;
        assert_true(needs_words == schema_word(key, 0, word, sizeof word));
        if (key->map != NULL) check_map(key->map, depth + 1);
    }
}

static void test_table(void **state) {
    (void)state;
    check_map(&schema_scene, 0);
    assert_non_null(schema_find(&schema_scene, "gravity"));
    assert_null(schema_find(&schema_scene, "nothing"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_soft_forms),
        cmocka_unit_test(test_one_mistake),
        cmocka_unit_test(test_extreme_numbers),
        cmocka_unit_test(test_all_at_once),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
