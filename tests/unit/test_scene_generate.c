/* SPDX-License-Identifier: Apache-2.0
 * Grains at the start: positions of lattices, no overlaps, fractions, periodic cells, text
 * files. */
#define _POSIX_C_SOURCE 200809L
#include "scene_support.h"

#include "scene/generate.h"

/* All grains of a scene; to be freed. */
static struct grains generated(const talus_scene *scene) {
    struct grains grains = {.count = 0};
    for (size_t g = 0; g < scene->generator_count; g++) {
        struct generate generate = {scene, &scene->generators[g], g, &grains};
        talus_error err;
        if (generate_grains(&generate, &err) < 0) fail_msg("%s", err.text);
    }
    return grains;
}

static double nearest(double difference, double period) {
    return period > 0.0 ? difference - period * rint(difference / period) : difference;
}

/* The smallest gap between any two, over the sum of their radii; with periods (0 = open). */
static double smallest_gap(const struct grains *grains, talus_vec3 period) {
    double smallest = HUGE_VAL;
    for (size_t i = 0; i < grains->count; i++) {
        for (size_t j = 0; j < i; j++) {
            const struct grain *a = &grains->items[i], *b = &grains->items[j];
            double x = nearest(a->position.x - b->position.x, period.x);
            double y = nearest(a->position.y - b->position.y, period.y);
            double z = nearest(a->position.z - b->position.z, period.z);
            double reach = a->radius + b->radius;
            smallest = fmin(smallest, (sqrt(x * x + y * y + z * z) - reach) / reach);
        }
    }
    return smallest;
}

static void assert_at(const struct grain *grain, double x, double y, double z) {
    assert_near(grain->position.x, x, 1e-14);
    assert_near(grain->position.y, y, 1e-14);
    assert_near(grain->position.z, z, 1e-14);
}

/* Grains that have `neighbours` others exactly at the distance d. */
static size_t count_coordinated(const struct grains *grains, double d, size_t neighbours) {
    size_t count = 0;
    for (size_t i = 0; i < grains->count; i++) {
        size_t found = 0;
        for (size_t j = 0; j < grains->count; j++) {
            double away = vec3_norm(vec3_sub(grains->items[i].position, grains->items[j].position));
            found += fabs(away - d) < 1e-9 * d;
        }
        count += found == neighbours;
    }
    return count;
}

static void test_row(void **state) {
    (void)state;
    talus_scene *scene = scene_ok("grains: [ { row: { count: 4, start: [1, 2, 3], direction: [0, "
                                  "0, 5], spacing: 2.385 }, radius: 1 } ]\n" SMALL_END);
    struct grains grains = generated(scene);
    assert_int_equal(grains.count, 4);
    for (int i = 0; i < 4; i++) assert_at(&grains.items[i], 1.0, 2.0, 3.0 + 2.385 * i);
    grains_free(&grains);
    talus_scene_free(scene);
}

static struct grains lattice(const char *keys, const char *radius, int dimension) {
    char text[400];
    snprintf(text, sizeof text, "dimension: %d\ngrains: [ { lattice: { %s }, radius: %s } ]\n%s",
             dimension, keys, radius, SMALL_END);
    talus_scene *scene = scene_ok(text);
    struct grains grains = generated(scene);
    talus_scene_free(scene);
    return grains;
}

static void test_lattices(void **state) {
    (void)state;
    talus_vec3 open = {0, 0, 0};
    struct grains grains = lattice("kind: square, cells: [3, 2], start: [1, 1]", "0.5", 2);
    assert_int_equal(grains.count, 6);
    assert_at(&grains.items[4], 2, 2, 0);
    grains_free(&grains);

    grains = lattice("kind: hexagonal, cells: [6, 6], spacing: 2", "1", 2);
    assert_int_equal(grains.count, 36);
    assert_at(&grains.items[7], 3, sqrt(3.0), 0);
    assert_near(smallest_gap(&grains, open), 0.0, 1e-14);     /* all touch */
    assert_int_equal(count_coordinated(&grains, 2.0, 6), 16); /* the inner 4 x 4 */
    grains_free(&grains);

    grains = lattice("kind: cubic, cells: [4, 4, 4]", "0.5", 3);
    assert_int_equal(grains.count, 64);
    assert_int_equal(count_coordinated(&grains, 1.0, 6), 8);
    grains_free(&grains);

    grains = lattice("kind: fcc, cells: [3, 3, 3]", "0.5", 3);
    assert_int_equal(grains.count, 108);
    assert_near(smallest_gap(&grains, open), 0.0, 1e-14);
    assert_true(count_coordinated(&grains, 1.0, 12) > 0);
    grains_free(&grains);
}

static void test_jitter(void **state) {
    (void)state;
    talus_vec3 open = {0, 0, 0};
    static const char *const kinds[] = {"square", "hexagonal", "cubic", "fcc"};
    for (int k = 0; k < 4; k++) {
        char keys[200];
        snprintf(keys, sizeof keys, "kind: %s, cells: [5, 5%s], spacing: 3, jitter: 1", kinds[k],
                 k < 2 ? "" : ", 5");
        struct grains moved = lattice(keys, "{ uniform: [0.5, 1] }", k < 2 ? 2 : 3);
        keys[strlen(keys) - 1] = '0';
        struct grains still = lattice(keys, "{ uniform: [0.5, 1] }", k < 2 ? 2 : 3);
        double largest = 0.0;
        for (size_t i = 0; i < moved.count; i++) {
            vec3 shift = vec3_sub(moved.items[i].position, still.items[i].position);
            largest = fmax(largest, vec3_norm(shift));
            assert_true(moved.items[i].radius == still.items[i].radius);
            if (k < 2) assert_true(moved.items[i].position.z == 0.0);
        }
        assert_true(largest > 0.4 && largest <= 0.5);
        assert_true(smallest_gap(&moved, open) >= 0.0);
        grains_free(&moved);
        grains_free(&still);
    }
}

static void assert_inside_box(const struct grains *grains, double low, double high, int dimension) {
    for (size_t i = 0; i < grains->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            double at = vec3_component(grains->items[i].position, axis),
                   r = grains->items[i].radius;
            if (axis < dimension)
                assert_true(at - r >= low - 1e-12 && at + r <= high + 1e-12);
            else
                assert_true(at == 0.0);
        }
    }
}

static void check_fill(int dimension, const char *fraction, const char *radius) {
    char text[400];
    snprintf(text, sizeof text,
             "dimension: %d\nseed: 5\ngrains: [ { fill: { box: { low: [-10, -10, -10], high: [10, "
             "10, 10] }, "
             "fraction: %s }, radius: %s } ]\n%s",
             dimension, fraction, radius, SMALL_END);
    talus_scene *scene = scene_ok(text);
    struct grains grains = generated(scene), again = generated(scene);
    double measure = 0.0, largest = 0.0;
    for (size_t i = 0; i < grains.count; i++) {
        measure += grain_measure(grains.items[i].radius, dimension);
        largest = fmax(largest, grain_measure(grains.items[i].radius, dimension));
    }
    double all = pow(20.0, dimension), wanted = strtod(fraction, NULL);
    assert_true(measure >= wanted * all - 1e-9 && measure - largest < wanted * all);
    assert_true(smallest_gap(&grains, (talus_vec3){0, 0, 0}) >= 0.0);
    assert_inside_box(&grains, -10, 10, dimension);
    assert_int_equal(grains.count, again.count);
    assert_memory_equal(grains.items, again.items, grains.count * sizeof *grains.items);
    grains_free(&grains);
    grains_free(&again);
    talus_scene_free(scene);
}

static void test_fill(void **state) {
    (void)state;
    check_fill(1, "0.6", "{ uniform: [0.05, 0.1] }");
    check_fill(2, "0.5", "{ uniform: [0.2, 0.4] }");
    check_fill(3, "0.3", "0.7");
    check_fill(3, "0.3", "{ power: { low: 0.3, high: 4, exponent: 3 } }");
    check_fill(2, "0.45", "{ two: { small: 0.1, large: 1.5, share: 0.99 } }");
}

/* Near saturation, where places are drawn from the cubes still open: dense, without overlap, and
 * not drawn to any side (the centre of mass within 4.5 standard errors of independent places). */
static void test_dense(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(
        "dimension: 2\ngrains: [ { fill: { box: { low: [-10, -10], high: [10, 10] }, fraction: "
        "0.53 }, radius: 0.1 } ]\n" SMALL_END);
    struct grains grains = generated(scene);
    assert_int_equal(grains.count, 6749);
    assert_true(smallest_gap(&grains, (talus_vec3){0, 0, 0}) >= 0.0);
    assert_inside_box(&grains, -10, 10, 2);
    vec3 sum = vec3_zero();
    for (size_t i = 0; i < grains.count; i++) sum = vec3_add(sum, grains.items[i].position);
    double error = 20.0 / sqrt(12.0 * (double)grains.count);
    assert_near(sum.x / (double)grains.count, 0.0, 4.5 * error);
    assert_near(sum.y / (double)grains.count, 0.0, 4.5 * error);
    grains_free(&grains);
    talus_scene_free(scene);
}

static void test_cylinder(void **state) {
    (void)state;
    talus_scene *scene =
        scene_ok("grains: [ { fill: { cylinder: { point: [1, 2, 3], axis: [1, 2, 2], radius: 4, "
                 "length: 12 }, fraction: 0.25 }, radius: { uniform: [0.3, 0.6] } } ]\n" SMALL_END);
    struct grains grains = generated(scene);
    vec3 axis = vec3_make(1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0), centre = vec3_make(1, 2, 3);
    double highest = 0.0;
    for (size_t i = 0; i < grains.count; i++) {
        vec3 away = vec3_sub(grains.items[i].position, centre);
        double along = vec3_dot(away, axis), r = grains.items[i].radius;
        assert_true(fabs(along) + r <= 6.0 + 1e-9);
        assert_true(vec3_norm(vec3_tangential(away, axis)) + r <= 4.0 + 1e-9);
        highest = fmax(highest, fabs(along));
    }
    assert_true(highest > 5.0); /* the ends are reached */
    assert_true(smallest_gap(&grains, (talus_vec3){0, 0, 0}) >= 0.0);
    grains_free(&grains);
    talus_scene_free(scene);
}

/* Circles and cylinders near saturation: places come from the cubes of the box around them. */
static void test_cylinder_dense(void **state) {
    (void)state;
    talus_scene *scene = scene_ok("dimension: 2\ngrains: [ { fill: { cylinder: { point: [3, 2], "
                                  "radius: 10 }, fraction: 0.52 }, radius: 0.15 } ]\n" SMALL_END);
    struct grains grains = generated(scene);
    for (size_t i = 0; i < grains.count; i++) {
        vec3 p = grains.items[i].position;
        assert_true(hypot(p.x - 3.0, p.y - 2.0) + 0.15 <= 10.0 + 1e-9 && p.z == 0.0);
    }
    assert_true(smallest_gap(&grains, (talus_vec3){0, 0, 0}) >= 0.0);
    grains_free(&grains);
    talus_scene_free(scene);
    scene = scene_ok(
        "grains: [ { fill: { cylinder: { point: [1, 2, 3], axis: [1, 2, 2], radius: 6, length: "
        "20 }, fraction: 0.31 }, radius: 0.5 } ]\n" SMALL_END);
    grains = generated(scene);
    vec3 axis = vec3_make(1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0), centre = vec3_make(1, 2, 3);
    for (size_t i = 0; i < grains.count; i++) {
        vec3 away = vec3_sub(grains.items[i].position, centre);
        assert_true(fabs(vec3_dot(away, axis)) + 0.5 <= 10.0 + 1e-9);
        assert_true(vec3_norm(vec3_tangential(away, axis)) + 0.5 <= 6.0 + 1e-9);
    }
    assert_true(smallest_gap(&grains, (talus_vec3){0, 0, 0}) >= 0.0);
    grains_free(&grains);
    talus_scene_free(scene);
}

/* Periods of a few diameters only: every cell of the grid is everybody's neighbour. */
static void test_small_period(void **state) {
    (void)state;
    for (int seed = 1; seed <= 20; seed++) {
        char text[400];
        snprintf(text, sizeof text,
                 "seed: %d\ncell: { periodic: [x, y, z], origin: [1, 2, 3], size: [5.1, 5.5, 7] }\n"
                 "grains: [ { fill: { box: { low: [1, 2, 3], high: [6.1, 7.5, 10] }, count: 11 }, "
                 "radius: { uniform: [0.8, 1] } } ]\n%s",
                 seed, SMALL_END);
        talus_scene *scene = scene_ok(text);
        struct grains grains = generated(scene);
        assert_true(smallest_gap(&grains, (talus_vec3){5.1, 5.5, 7}) >= 0.0);
        grains_free(&grains);
        talus_scene_free(scene);
    }
}

static void test_periodic(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(
        "dimension: 2\ncell: { periodic: [x, y], origin: [-3, 0], size: [10, 8] }\ngrains:\n"
        "  - { list: [ { at: [6.9, 0.1], radius: 1 } ] }\n"
        "  - { fill: { box: { low: [-3, 0], high: [7, 8] }, fraction: 0.45 }, radius: 0.4 "
        "}\n" SMALL_END);
    struct grains grains = generated(scene);
    assert_true(smallest_gap(&grains, (talus_vec3){10, 8, 0}) >= 0.0);
    double lowest = HUGE_VAL;
    for (size_t i = 0; i < grains.count; i++) lowest = fmin(lowest, grains.items[i].position.x);
    assert_true(lowest < -3.0 + 0.4); /* grains stand across the sides */
    grains_free(&grains);
    talus_scene_free(scene);
}

/* A filling keeps clear of what earlier entries have put there, large or small. */
static void test_around_others(void **state) {
    (void)state;
    talus_scene *scene = scene_ok("grains:\n"
                                  "  - { list: [ { at: [5, 5, 5], radius: 3 }, { at: [-0.5, 5, 5], "
                                  "radius: 1 }, { at: [1, 1, 1], radius: 0.01 } ] }\n"
                                  "  - { lattice: { kind: cubic, cells: [4, 4, 4], start: [1, 1, "
                                  "7], spacing: 0.6 }, radius: 0.05 }\n"
                                  "  - { fill: { box: { low: [0, 0, 0], high: [10, 10, 10] }, "
                                  "fraction: 0.2 }, radius: { uniform: [0.3, 0.5] } }\n" SMALL_END);
    struct grains grains = generated(scene);
    assert_true(grains.count > 300);
    assert_true(smallest_gap(&grains, (talus_vec3){0, 0, 0}) >= 0.0);
    grains_free(&grains);
    talus_scene_free(scene);
}

/* Fills of the box from -5 to 5 with something in it. */
static struct grains fill_beside(const char *boundary, const char *amount, int dimension) {
    char text[600];
    snprintf(
        text, sizeof text,
        "dimension: %d\ngrains: [ { fill: { box: { low: [-5, -5, %d], high: [5, 5, %d] }, %s }, "
        "radius: { uniform: [0.2, 0.4] } } ]\nboundaries: [ { name: w, %s } ]\n%s",
        dimension, dimension == 3 ? -5 : 0, dimension == 3 ? 5 : 0, amount, boundary, SMALL_END);
    talus_scene *scene = scene_ok(text);
    struct grains grains = generated(scene);
    talus_scene_free(scene);
    assert_true(smallest_gap(&grains, (talus_vec3){0, 0, 0}) >= 0.0);
    return grains;
}

/* No grain in or behind a wall; on both sides of what is thin. */
static void test_beside_walls(void **state) {
    (void)state;
    struct grains grains = fill_beside("plane: { normal: [0, 1, 0] }", "fraction: 0.15", 3);
    for (size_t i = 0; i < grains.count; i++)
        assert_true(grains.items[i].position.y >= grains.items[i].radius * (1.0 - 1e-8));
    grains_free(&grains);
    grains = fill_beside("cylinder: { radius: 3 }", "count: 30", 2);
    for (size_t i = 0; i < grains.count; i++)
        assert_true(vec3_norm(grains.items[i].position) + grains.items[i].radius <= 3.0 + 1e-8);
    grains_free(&grains);
    grains = fill_beside("rectangle: { center: [0, 0], normal: [0, 1], size: [20] }",
                         "fraction: 0.4", 2);
    size_t above = 0;
    for (size_t i = 0; i < grains.count; i++) {
        double y = grains.items[i].position.y;
        assert_true(fabs(y) >= grains.items[i].radius * (1.0 - 1e-8));
        above += y > 0.0;
    }
    assert_true(4 * above > grains.count && 4 * above < 3 * grains.count);
    grains_free(&grains);
}

/* So little is left of the region that places are looked for in the open cubes only. */
static void test_beside_walls_rare(void **state) {
    (void)state;
    struct grains grains =
        fill_beside("plane: { point: [0, 4.1, 0], normal: [0, 1, 0] }", "count: 60", 3);
    assert_int_equal(grains.count, 60);
    for (size_t i = 0; i < grains.count; i++)
        assert_true(grains.items[i].position.y - 4.1 >= grains.items[i].radius * (1.0 - 1e-8));
    grains_free(&grains);
}

/* A region just as wide as a grain, on a wall: rounding must not refuse it. */
static void test_on_wall(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(
        "dimension: 2\ngrains: [ { fill: { box: { low: [0, 0.1], high: [9, 0.8] }, count: 5 }, "
        "radius: 0.35 } ]\nboundaries: [ { name: f, plane: { point: [0, 0.1], normal: [0, 1] } }, "
        "{ name: g, plane: { point: [0, 0.8], normal: [0, -1] } } ]\n" SMALL_END);
    struct grains grains = generated(scene);
    assert_int_equal(grains.count, 5);
    grains_free(&grains);
    talus_scene_free(scene);
}

/* Neighbours in the array are neighbours in space. */
static void test_order(void **state) {
    (void)state;
    talus_scene *scene =
        scene_ok("grains: [ { fill: { box: { low: [0, 0, 0], high: [40, 40, 40] }, count: 4000 }, "
                 "radius: 0.5 } ]\n" SMALL_END);
    struct grains grains = generated(scene);
    double sum = 0.0;
    for (size_t i = 1; i < grains.count; i++) {
        sum += vec3_norm(vec3_sub(grains.items[i].position, grains.items[i - 1].position));
    }
    assert_true(sum / (double)grains.count < 6.0); /* at random it would be 26 */
    grains_free(&grains);
    talus_scene_free(scene);
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

static void test_full(void **state) {
    (void)state;
    build_refused("grains: [ { fill: { box: { low: [0, 0, 0], high: [10, 10, 10] }, fraction: 0.6, "
                  "attempts: 200 }, "
                  "radius: 1 } ]\n" SMALL_END,
                  "of 144 placed, solid fraction 0.");
    build_refused("grains: [ { fill: { box: { low: [0, 0, 0], high: [1, 1, 1] }, fraction: 0.3 }, "
                  "radius: 1 um } ]\n" SMALL_END,
                  "needs about 7.2e+16 grains; is a unit wrong?");
    build_refused(
        "grains: [ { fill: { box: { low: [0, 0, 0], high: [10, 10, 10] }, fraction: 0.3, "
        "attempts: 2000 }, radius: 1 } ]\nboundaries: [ { name: f, plane: { point: [0, 0, "
        "5], normal: [0, 0, 1] } } ]\n" SMALL_END,
        "; boundaries exclude part of the region; use");
}

static void test_file(void **state) {
    (void)state;
    const char *text = "dimension: 2\ngrains: [ { file: { path: pile.txt } } ]\n" SMALL_END;
    scene_file("pile.txt",
               "3 2 10.5\n# x y z r\n0.5 1 0 0.25\n\n1.5,1,0,0.25 # comment\r\n2.5 1 0 1e-1");
    talus_scene *scene = scene_ok(text);
    struct grains grains = generated(scene);
    assert_int_equal(grains.count, 3);
    assert_at(&grains.items[1], 1.5, 1, 0);
    assert_true(grains.items[2].radius == 0.1);
    grains_free(&grains);
    talus_scene_free(scene);
    scene_file("pile.txt", "0 0 0 1\n1 2 3\n");
    scene_refused(text, "pile.txt:2: a line must have four finite numbers, at most 1e30: x y z r");
    scene_file("pile.txt", "0 0 0 1 5\n");
    scene_refused(text, "pile.txt:1: a line must have four");
    scene_file("pile.txt", "0 0 0 nan\n");
    scene_refused(text, "pile.txt:1: a line must have four finite");
    scene_file("pile.txt", "0 0 x 1\n");
    scene_refused(text, "pile.txt:1: ");
    scene_file("pile.txt", "0 0 0 -1\n");
    scene_refused(text, "the radius must be greater than 0");
    scene_file("pile.txt", "0 0 1 1\n");
    scene_refused(text, "z must be 0");
    scene_file("pile.txt", "5 2 1\n0 0 0 1\n");
    scene_refused(text, "the first line says 5 grains, but there are 1");
    scene_file("pile.txt", "0.5 2 1\n0 0 0 1\n");
    scene_refused(text, "must be N, dim, L");
    scene_file("pile.txt", "# nothing\n");
    scene_refused(text, "there are no grains in it");
    char longer[800];
    memset(longer, ' ', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    scene_file("pile.txt", longer);
    scene_refused(text, "the line is longer");
    unlink(scene_path("pile.txt"));
    scene_refused(text, "cannot read");
    scene_refused("grains: [ { file: { path: . } } ]\n" SMALL_END, "it is not a regular file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row),
        cmocka_unit_test(test_lattices),
        cmocka_unit_test(test_jitter),
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_cylinder_dense),
        cmocka_unit_test(test_small_period),
        cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_around_others),
        cmocka_unit_test(test_beside_walls),
        cmocka_unit_test(test_beside_walls_rare),
        cmocka_unit_test(test_on_wall),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_file),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
