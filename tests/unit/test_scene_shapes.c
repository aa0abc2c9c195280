/* SPDX-License-Identifier: Apache-2.0
 * Grains that are not round in scene files: shapes, sizes, orientations, mistakes. */
#define _POSIX_C_SOURCE 200809L
#include "geom/form_kinds.h"
#include "scene/schema.h"
#include "scene_support.h"

static const double pi = 3.14159265358979323846;

#define SOLID "dimension: 3\n" SMALL_SCENE
#define PLANE "dimension: 2\nmaterials: [ { name: grain, density: 1 } ]\n" SMALL_SCENE

static const struct scene_variant *only(const talus_scene *scene, size_t shape) {
    assert_true(shape < scene->shape_count);
    assert_int_equal(scene->shapes[shape].variant_count, 1);
    return &scene->shapes[shape].variants[0];
}

/* Volume and reach relative to the wanted ones. */
static void assert_shape(const talus_scene *scene, size_t shape, double volume, double reach) {
    const struct scene_variant *variant = only(scene, shape);
    assert_near(variant->volume / volume, 1.0, 1e-12);
    assert_near(variant->reach / reach, 1.0, 1e-12);
}

static void assert_vector(talus_vec3 v, double x, double y, double z) {
    assert_near(v.x, x, 1e-12);
    assert_near(v.y, y, 1e-12);
    assert_near(v.z, z, 1e-12);
}

/* ---- shapes against closed forms ------------------------------------------------------------- */

static void test_solid(void **state) {
    (void)state;
    talus_scene *scene =
        scene_ok(SOLID "shapes:\n"
                       "  - { name: a, box: [2, 1 m, 100 cm] }\n"
                       "  - { name: b, prism: { sides: 6, radius: 2, height: 3 } }\n"
                       "  - { name: c, tetrahedron: { edge: 2 } }\n"
                       "  - { name: d, octahedron: { edge: 2 } }\n"
                       "  - { name: e, icosahedron: { edge: 2 } }\n"
                       "  - { name: f, ball: { radius: 2 } }\n"
                       "  - { name: g, capsule: { length: 2, radius: 0.5 } }\n"
                       "  - name: h\n"
                       "    voussoir: { inner: 1, outer: 2, from: 0, to: 90 deg,\n"
                       "                depth: 3 }\n"
                       "  - name: i\n"
                       "    points: [[0, 0, 0], [3, 0, 0], [0, 3, 0], [0, 0, 3],\n"
                       "             [0.5, 0.5, 0.5]]\n");
    assert_int_equal(scene->shape_count, 9);
    assert_shape(scene, 0, 2.0, sqrt(1.5));
    assert_shape(scene, 1, 1.5 * sqrt(3.0) * 4.0 * 3.0, 2.5);
    assert_shape(scene, 2, 8.0 / (6.0 * sqrt(2.0)), 2.0 * sqrt(6.0) / 4.0);
    assert_shape(scene, 3, 8.0 * sqrt(2.0) / 3.0, sqrt(2.0));
    assert_shape(scene, 4, 8.0 * 5.0 / 12.0 * (3.0 + sqrt(5.0)), 2.0 * sin(2.0 * pi / 5.0));
    assert_shape(scene, 5, 4.0 / 3.0 * pi * 8.0, 2.0);
    assert_shape(scene, 6, pi * 0.25 * 2.0 + 4.0 / 3.0 * pi * 0.125, 1.5);
    assert_near(only(scene, 7)->volume, 3.0 * (2.0 - 0.5), 1e-12);
    assert_vector(only(scene, 7)->centre, 7.0 / 9.0, 7.0 / 9.0, 0.0);
    assert_near(only(scene, 8)->volume, 4.5, 1e-12);
    assert_vector(only(scene, 8)->centre, 0.75, 0.75, 0.75);
    talus_scene_free(scene);
}

static void test_more_solids(void **state) {
    (void)state;
    talus_scene *scene =
        scene_ok(SOLID "shapes:\n"
                       "  - { name: a, dodecahedron: { edge: 2 } }\n"
                       "  - { name: b, pyramid: { sides: 4, radius: 2, height: 3 } }\n"
                       "  - { name: c, facets: { points: 252, radius: 2 } }\n");
    assert_shape(scene, 0, 2.0 * (15.0 + 7.0 * sqrt(5.0)), 0.5 * sqrt(3.0) * (1.0 + sqrt(5.0)));
    assert_near(only(scene, 1)->volume, 8.0, 1e-12);
    assert_vector(only(scene, 1)->centre, 0.0, 0.0, 0.75);
    double share = only(scene, 2)->volume / (4.0 / 3.0 * pi * 8.0);
    assert_true(share > 0.97 && share < 1.0);
    talus_scene_free(scene);
}

static void test_plane(void **state) {
    (void)state;
    talus_scene *scene =
        scene_ok(PLANE "shapes:\n"
                       "  - { name: a, box: [2, 1] }\n"
                       "  - { name: b, polygon: { sides: 5, radius: 2 } }\n"
                       "  - { name: c, capsule: { length: 2, radius: 0.5 } }\n"
                       "  - { name: d, points: [[0, 0], [3, 0, 0], [0, 3], [1, 1]] }\n"
                       "  - { name: e, voussoir: { inner: 1, outer: 2, from: 0, to: 90 deg } }\n");
    assert_shape(scene, 0, 2.0, 0.5 * sqrt(5.0));
    assert_shape(scene, 1, 2.5 * 4.0 * sin(2.0 * pi / 5.0), 2.0);
    assert_shape(scene, 2, 2.0 + pi * 0.25, 1.5);
    assert_shape(scene, 3, 4.5, sqrt(5.0));
    assert_vector(only(scene, 3)->centre, 1.0, 1.0, 0.0);
    assert_near(only(scene, 4)->volume, 1.5, 1e-12);
    talus_scene_free(scene);
}

/* Rounding takes the corners and leaves the faces: a box of sides s has inside it one of sides s - 2r,
 * which swept by a ball has the volume of Steiner's formula. */
static void test_rounding(void **state) {
    (void)state;
    talus_scene *scene =
        scene_ok(SOLID "shapes:\n"
                       "  - { name: a, box: [3, 2, 1], rounding: 0.1 }\n"
                       "  - { name: b, tetrahedron: { edge: 1 }, rounding: 0.05 }\n");
    double a = 2.8, b = 1.8, c = 0.8, r = 0.1;
    assert_shape(scene, 0,
                 a * b * c + 2.0 * (a * b + b * c + c * a) * r + pi * (a + b + c) * r * r +
                     4.0 / 3.0 * pi * r * r * r,
                 0.5 * sqrt(a * a + b * b + c * c) + r);
    /* The sphere inside the regular tetrahedron has the radius edge/sqrt(24) and loses r. */
    double small = 1.0 - 0.05 * sqrt(24.0);
    assert_near(only(scene, 1)->reach, small * sqrt(6.0) / 4.0 + 0.05, 1e-12);
    talus_scene_free(scene);
    scene = scene_ok(PLANE "shapes: [ { name: a, box: [2, 1], rounding: 0.25 } ]\n");
    assert_shape(scene, 0, 1.5 * 0.5 + 2.0 * 2.0 * 0.25 + pi * 0.0625,
                 0.25 + 0.5 * sqrt(1.5 * 1.5 + 0.25));
    talus_scene_free(scene);
}

static void test_cluster(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(SOLID "shapes:\n"
                                        "  - name: dumbbell\n"
                                        "    cluster:\n"
                                        "      - { ball: { radius: 1 } }\n"
                                        "      - { ball: { radius: 2 }, at: [9, 0, 0] }\n"
                                        "  - name: cross\n"
                                        "    cluster:\n"
                                        "      - { box: [4, 1, 1] }\n"
                                        "      - { box: [4, 1, 1], at: [0, 0, 1],\n"
                                        "          turn: { axis: [0, 0, 2], angle: 90 deg } }\n");
    assert_int_equal(only(scene, 0)->part_count, 2);
    assert_vector(only(scene, 0)->centre, 8.0, 0.0, 0.0); /* 8 to 1 by mass */
    assert_near(only(scene, 0)->reach, 9.0, 1e-12);
    assert_vector(only(scene, 1)->centre, 0.0, 0.0, 0.5);
    assert_near(only(scene, 1)->reach, sqrt(4.0 + 0.25 + 1.0), 1e-12);
    const talus_shape_part *turned = &only(scene, 1)->parts[1];
    double far = 0.0;
    for (size_t i = 0; i < turned->count; i++) far = fmax(far, turned->points[i].y);
    assert_near(far, 2.0, 1e-12);
    talus_scene_free(scene);
    scene = scene_ok(PLANE "shapes:\n"
                           "  - name: angle\n"
                           "    cluster:\n"
                           "      - { box: [4, 1], at: [2, 0] }\n"
                           "      - { box: [4, 1], at: [0, 2], angle: 90 deg, rounding: 0.1 }\n");
    /* Rounding takes (4 - pi) r^2 from a box; the overlap, a quarter less one rounded corner, counts once. */
    double overlap = 0.25 - (1.0 - 0.25 * pi) * 0.01;
    assert_near(only(scene, 0)->volume, 8.0 - (4.0 - pi) * 0.01 - overlap, 1e-12);
    talus_scene_free(scene);
}

/* ---- files ----------------------------------------------------------------------------------- */

static const char tetrahedron_obj[] = "# corner\n"
                                      "v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0 0 3\n"
                                      "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

static void test_file(void **state) {
    (void)state;
    scene_file("stone.obj", tetrahedron_obj);
    talus_scene *scene =
        scene_ok(SOLID "shapes: [ { name: a, file: { path: stone.obj, scale: 2 } } ]\n");
    assert_near(only(scene, 0)->volume, 36.0, 1e-11);
    assert_vector(only(scene, 0)->centre, 1.5, 1.5, 1.5);
    talus_scene_free(scene);
    scene_refused(SOLID "shapes: [ { name: a, file: { path: none.stl } } ]\n",
                  "none.stl': No such file or directory");
    scene_refused(PLANE "shapes: [ { name: a, file: { path: stone.obj } } ]\n",
                  "a file is for 3 dimensions");
    scene_file("bad.obj", "v 0 0\n");
    scene_refused(SOLID "shapes: [ { name: a, file: { path: bad.obj } } ]\n", "bad.obj:1");
    scene_file("bad.stl", "solid x\nfacet normal 0 0 1\nouter\n");
    scene_refused(SOLID "shapes: [ { name: a, file: { path: bad.stl } } ]\n", "bad.stl:");
}

/* ---- random shapes --------------------------------------------------------------------------- */

#define GRAVEL                                                                             \
    "dimension: %d\nseed: %d\ntime: { dt: 1e-3, end: 1 }\n"                                \
    "materials: [ { name: grain, density: 3 } ]\n"                                         \
    "shapes: [ { name: gravel, voronoi: { radius: 0.1, aspect: 1.3, variety: 5 } } ]\n"    \
    "grains: [ { lattice: { kind: square, cells: [20, 10] }, shape: gravel, orientation: " \
    "random } ]\n"

static talus_scene *gravel(int dimension, int seed) {
    char text[1024];
    snprintf(text, sizeof text, GRAVEL, dimension, seed);
    return scene_ok(text);
}

static void check_gravel(int dimension) {
    talus_scene *scene = gravel(dimension, 1), *same = gravel(dimension, 1),
                *other = gravel(dimension, 2);
    const struct scene_shape *shape = &scene->shapes[0];
    double ball = dimension == 3 ? 4.0 / 3.0 * pi * 1e-3 : pi * 1e-2;
    assert_int_equal(shape->variant_count, 5);
    assert_string_equal(shape->variants[4].name, "gravel#5");
    for (size_t k = 0; k < 5; k++) {
        const struct scene_variant *variant = &shape->variants[k];
        assert_near(variant->volume / ball, 1.0, 1e-9);
        assert_true(variant->reach > 0.1 && variant->reach < 0.5);
        assert_true(variant->reach == same->shapes[0].variants[k].reach);
        assert_true(variant->reach != other->shapes[0].variants[k].reach);
    }
    talus_sim *sim;
    assert_ok(talus_scene_build(scene, &sim, NULL));
    talus_body_view view = talus_sim_bodies(sim);
    int found[5] = {0};
    for (size_t i = 0; i < view.count; i++) {
        int form = view.form[i] - 1;
        assert_in_range(form, 0, 4);
        assert_true(view.radius[i] == shape->variants[form].reach);
        assert_near(view.mass[i], 3.0 * shape->variants[form].volume, 1e-12);
        found[form]++;
    }
    for (int k = 0; k < 5; k++) assert_in_range(found[k], 20, 65); /* of 200: 40 +- 5.7 */
    talus_sim_destroy(sim);
    talus_scene_free(scene);
    talus_scene_free(same);
    talus_scene_free(other);
}

static void test_voronoi(void **state) {
    (void)state;
    check_gravel(2);
    check_gravel(3);
}

/* ---- grains ---------------------------------------------------------------------------------- */

#define WEDGE "shapes: [ { name: wedge, points: [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]] } ]\n"
#define END_3D "dimension: 3\n" SMALL_END

static talus_sim *build(talus_scene *scene) {
    talus_sim *sim;
    talus_error err;
    if (talus_scene_build(scene, &sim, &err) < 0) fail_msg("%s", err.text);
    return sim;
}

/* The corner of the wedge is put where it belongs, turned and scaled; its centre of mass is a
 * quarter of the way along the edges. */
static void test_origin(void **state) {
    (void)state;
    talus_scene *scene =
        scene_ok(END_3D WEDGE "grains:\n"
                              "  - shape: wedge\n"
                              "    list:\n"
                              "      - { at: [10, 0, 0] }\n"
                              "      - { at: [20, 0, 0], origin: given }\n"
                              "      - { at: [30, 0, 0], origin: given,\n"
                              "          orientation: { axis: [0, 0, 1], angle: 90 deg } }\n"
                              "      - { at: [40, 0, 0], origin: given, radius: 6.6332495807108,\n"
                              "          orientation: { axis: [1, 0, 0], angle: -90 deg } }\n");
    assert_near(only(scene, 0)->reach, sqrt(11.0), 1e-12); /* (1, 1, 1) to (4, 0, 0) */
    talus_sim *sim = build(scene);
    talus_body_view view = talus_sim_bodies(sim);
    assert_vector(view.position[0], 10.0, 0.0, 0.0);
    assert_vector(view.position[1], 21.0, 1.0, 1.0);
    assert_vector(view.position[2], 29.0, 1.0, 1.0);
    assert_vector(view.position[3], 42.0, 2.0, -2.0); /* twice as large */
    assert_near(view.mass[0], 2500.0 * 64.0 / 6.0, 1e-8);
    assert_near(view.mass[3] / view.mass[0], 8.0, 1e-12);
    assert_near(view.orientation[2].z, sqrt(0.5), 1e-15);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

static void test_plane_angle(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(
        "dimension: 2\n" SMALL_END "shapes: [ { name: brick, box: [2, 1] } ]\n"
        "materials: [ { name: grain, density: 7 kg/m^2 } ]\n"
        "grains:\n"
        "  - { shape: brick, angle: 60 deg, list: [ { at: [0, 0] }, { at: [9, 0], angle: 0 },\n"
        "      { at: [18, 0], orientation: none }, { at: [27, 0], orientation: random } ] }\n"
        "  - { shape: brick, row: { count: 2, start: [0, 9] } }\n");
    talus_sim *sim = build(scene);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(view.orientation[0].z, 0.5, 1e-15);
    assert_true(view.orientation[1].w == 1.0 && view.orientation[2].w == 1.0);
    assert_true(view.orientation[3].z != 0.0 && view.orientation[3].x == 0.0);
    assert_near(view.mass[0], 14.0, 1e-13);
    assert_near(view.position[5].x, sqrt(5.0), 1e-14); /* the spheres around them touch */
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

/* All orientations equally likely: mean of the rotated axes and of their squares. */
static void test_random_orientation(void **state) {
    (void)state;
    talus_scene *scene =
        scene_ok(END_3D "shapes: [ { name: brick, box: [2, 1, 1] } ]\n"
                        "grains: [ { lattice: { kind: cubic, cells: [20, 20, 20] },\n"
                        "            shape: brick, orientation: random } ]\n");
    talus_sim *sim = build(scene);
    talus_body_view view = talus_sim_bodies(sim);
    double sum[3] = {0}, squares[3] = {0}, cosine = 0.0;
    for (size_t i = 0; i < view.count; i++) {
        talus_quat q = view.orientation[i];
        double x[3] = {1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z),
                       2.0 * (q.x * q.z - q.w * q.y)};
        assert_near(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 1e-14);
        for (int k = 0; k < 3; k++) sum[k] += x[k], squares[k] += x[k] * x[k];
        cosine += 2.0 * q.w * q.w - 1.0; /* of the angle of rotation: mean -1/2 */
    }
    double n = (double)view.count;
    for (int k = 0; k < 3; k++) {
        assert_near(sum[k] / n, 0.0, 4.0 / sqrt(3.0 * n));
        assert_near(squares[k] / n, 1.0 / 3.0, 4.0 * sqrt(4.0 / 45.0 / n));
    }
    assert_near(cosine / n, -0.5, 4.0 * 0.5 / sqrt(n));
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

/* A filling counts what the shapes really have, and keeps the spheres around them apart. */
static void test_fill(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(
        END_3D
        "shapes: [ { name: rod, box: [0.4, 0.1, 0.1] } ]\n"
        "grains: [ { fill: { box: { low: [0, 0, 0], high: [4, 4, 4] }, fraction: 0.01 },\n"
        "            radius: { uniform: [0.1, 0.3] }, shape: rod, orientation: random } ]\n");
    talus_sim *sim = build(scene);
    talus_body_view view = talus_sim_bodies(sim);
    double solid = 0.0, reach = sqrt(0.045);
    for (size_t i = 0; i < view.count; i++) {
        solid += view.mass[i] / 2500.0;
        assert_near(view.mass[i] / 2500.0, 0.004 * pow(view.radius[i] / reach, 3.0), 1e-15);
        for (size_t k = 0; k < i; k++) {
            talus_vec3 p = view.position[i], q = view.position[k];
            double d2 =
                (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y) + (p.z - q.z) * (p.z - q.z);
            double sum = view.radius[i] + view.radius[k];
            assert_true(d2 >= sum * sum);
        }
    }
    assert_true(solid >= 0.01 * 64.0 && solid < 0.01 * 64.0 + 0.012);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

static void test_pour(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(
        END_3D "shapes: [ { name: gravel, voronoi: { radius: 0.1, variety: 3 } } ]\n"
               "sources: [ { name: spout, box: { low: [0, 0, 0], high: [4, 4, 4] }, rate: 1e6,\n"
               "             count: 60, shape: gravel, orientation: random } ]\n");
    talus_sim *sim = build(scene);
    struct scene_pour pour;
    talus_step_report report;
    assert_ok(scene_pour_start(scene, &pour, NULL));
    assert_ok(talus_sim_step(sim, &report, NULL));
    assert_ok(scene_pour_step(scene, &pour, sim, NULL));
    talus_body_view view = talus_sim_bodies(sim);
    assert_int_equal(view.count, 60);
    bool turned = false;
    int32_t most = 0;
    for (size_t i = 0; i < view.count; i++) {
        assert_near(view.mass[i], 2500.0 * 4.0 / 3.0 * pi * 1e-3, 1e-8);
        if (view.form[i] > most) most = view.form[i];
        turned = turned || fabs(view.orientation[i].x) > 0.1;
    }
    assert_true(most == 3 && turned);
    assert_ok(talus_sim_step(sim, &report, NULL));
    scene_pour_free(&pour);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

/* Shapes nobody has do not reach the engine, which would restrict its boundaries for them. */
static void test_unused(void **state) {
    (void)state;
    talus_scene *scene =
        scene_ok(SOLID "shapes: [ { name: brick, box: [2, 1, 1] } ]\n"
                       "boundaries: [ { name: tube, cylinder: { radius: 9, length: 9 } } ]\n");
    talus_sim *sim = build(scene);
    talus_shape_view view;
    assert_false(talus_shape_find(sim, "brick", &view));
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

/* ---- writing and memory ---------------------------------------------------------------------- */

static const char everything[] = END_3D
    "shapes:\n"
    "  - { name: brick, box: [2, 1, 1], rounding: 0.01 }\n"
    "  - { name: wedge, points: [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]] }\n"
    "  - { name: gravel, voronoi: { radius: 0.3, aspect: 1.5, variety: 3 }, rounding: 1 cm }\n"
    "  - { name: stone, file: { path: stone.obj } }\n"
    "  - name: cross\n"
    "    cluster:\n"
    "      - { box: [4, 1, 1] }\n"
    "      - { capsule: { length: 1, radius: 0.2 }, at: [0, 0, 1],\n"
    "          turn: { axis: [0, 0, 1], angle: 90 deg } }\n"
    "grains:\n"
    "  - { lattice: { kind: cubic, cells: [2, 2, 2] }, shape: gravel, orientation: random }\n"
    "  - { row: { count: 3, start: [0, 9, 0] }, shape: brick, radius: 1,\n"
    "      orientation: { axis: [0, 1, 1], angle: 30 deg } }\n"
    "  - { list: [ { at: [0, 20, 0], origin: given, orientation: random } ], shape: wedge }\n"
    "  - { row: { count: 2, start: [0, 40, 0] }, shape: cross }\n"
    "  - { row: { count: 2, start: [0, 60, 0] }, shape: stone }\n";

static void test_write(void **state) {
    (void)state;
    scene_file("stone.obj", tetrahedron_obj);
    talus_scene *first = scene_ok(everything), *second;
    FILE *to = fopen(scene_path("again.yaml"), "w");
    assert_non_null(to);
    assert_ok(talus_scene_write(first, to, NULL));
    assert_int_equal(fclose(to), 0);
    talus_error err;
    if (talus_scene_load(scene_path("again.yaml"), NULL, 0, &second, &err) < 0)
        fail_msg("%s", err.text);
    talus_sim *one = build(first), *two = build(second);
    assert_true(talus_sim_hash(one) == talus_sim_hash(two));
    talus_body_view a = talus_sim_bodies(one), b = talus_sim_bodies(two);
    assert_int_equal(a.count, 16);
    assert_memory_equal(a.orientation, b.orientation, a.count * sizeof *a.orientation);
    assert_memory_equal(a.position, b.position, a.count * sizeof *a.position);
    talus_sim_destroy(one);
    talus_sim_destroy(two);
    talus_scene_free(first);
    talus_scene_free(second);
}

static void test_memory(void **state) {
    (void)state;
    scene_file("stone.obj", tetrahedron_obj);
    scene_file("scene.yaml", everything);
    talus_status status = TALUS_ERR_MEMORY;
    for (int64_t n = 1; status != TALUS_OK; n++) {
        talus_scene *scene;
        talus_error err;
        status = scene_load(scene_path("scene.yaml"), NULL, 0, n, &scene, &err);
        assert_true(status == TALUS_OK || status == TALUS_ERR_MEMORY);
        talus_scene_free(scene);
    }
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static void shape_refused(const char *shape, const char *part) {
    char text[2048];
    snprintf(text, sizeof text, SOLID "shapes: [ { name: a, %s } ]\n", shape);
    scene_refused(text, part);
}

static void test_refused_shapes(void **state) {
    (void)state;
    shape_refused("box: [1, 1]",
                  "%:4:27: box has 2 side lengths, but in 3 dimensions 3 are wanted");
    shape_refused("box: [1, 1, 0]", "shapes[0].box[2] is 0, but must be greater than 0");
    shape_refused("box: [1, 1, 1], rounding: 0.5", "rounding");
    shape_refused("box: [1, 1, 1], rounding: 5", "rounding");
    shape_refused("polygon: { sides: 5, radius: 1 }", "a polygon is for 2 dimensions");
    shape_refused("points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]", "no volume");
    shape_refused("points: [0, 1, 2]", "shapes[0].points[0] is '0'");
    shape_refused("points: [[0, 0]]", "shapes[0].points[0] has 2 elements, but 3 are wanted");
    shape_refused("ball: { radius: 1 }, rounding: 0.1", "a ball is round already");
    shape_refused("box: [1, 1, 1], ball: { radius: 1 }", "excludes another key");
    shape_refused("rounding: 0.1", "shapes[0] needs one of: ball, capsule, box, ");
    shape_refused("bocks: [1, 1, 1]", "unknown key 'bocks' in shapes[0]");
    shape_refused("voussoir: { inner: 1, outer: 2, from: 0, to: 1 }", "'depth' is missing");
    shape_refused("voussoir: { inner: 2, outer: 1, from: 0, to: 1, depth: 1 }", "outer");
    shape_refused("voussoir: { inner: 1, outer: 2, from: 0, to: 200 deg, depth: 1 }", "to");
    shape_refused("cluster: [ { ball: { radius: 1 } } ], rounding: 0.1",
                  "rounding goes with the parts of a cluster");
    shape_refused("cluster: [ { ball: { radius: 1 }, angle: 1 } ]", "angle alone is for 2 dimen");
    shape_refused("cluster: [ { box: [1, 1] } ]", "box has 2 side lengths");
    shape_refused("cluster: []", "shapes[0].cluster has 0 elements, but 1 to 64 are wanted");
    shape_refused("voronoi: { radius: 1, variety: 0 }", "variety is 0");
    scene_refused(SOLID "shapes: [ { name: disc, box: [1, 1, 1] } ]\n", "take another name");
    scene_refused(SOLID "shapes: [ { name: a, box: [1, 1, 1] }, { name: a, box: [1, 1, 1] } ]\n",
                  "shape 'a' exists already");
    scene_refused(PLANE "shapes: [ { name: a, prism: { sides: 5, radius: 1, height: 1 } } ]\n",
                  "a prism is for 3 dimensions");
    scene_refused(PLANE "shapes: [ { name: a, points: [[0, 0], [1, 0], [0, 1, 2]] } ]\n",
                  "a shape lies in z = 0, but here z is 2");
    scene_refused(PLANE "shapes: [ { name: a, points: [[0, 0], [1, 1]] } ]\n", "no area");
    scene_refused("dimension: 1\n" SMALL_SCENE "shapes: [ { name: a, box: [1, 1] } ]\n",
                  "in one dimension all grains are discs");
}

static void test_too_many_parts(void **state) {
    (void)state;
    char text[8192] = SOLID "shapes: [ { name: a, cluster: [";
    for (int i = 0; i < 65; i++) strcat(text, "{ ball: { radius: 1 } }, ");
    strcat(text, "] } ]\n");
    scene_refused(text, "has 65 elements, but 1 to 64 are wanted");
}

#define BRICK "shapes: [ { name: brick, box: [2, 1, 1] } ]\n"

static void test_refused_grains(void **state) {
    (void)state;
    scene_refused(END_3D BRICK "grains: [ { row: { count: 2 }, shape: brik } ]\n",
                  "there is no shape 'brik'; did you mean 'brick'? allowed: sphere, disc, brick");
    scene_refused(END_3D BRICK "grains: [ { row: { count: 2 }, shape: sphere } ]\n",
                  "'radius' is missing");
    scene_refused(END_3D "sources: [ { name: a, box: { low: [0, 0, 0], high: [1, 1, 1] }, rate: 1, "
                         "count: 1 } ]\n",
                  "'radius' is missing");
    scene_refused(END_3D BRICK "grains: [ { row: { count: 2 }, shape: brick, angle: 1 } ]\n",
                  "angle alone is for 2 dimensions");
    scene_refused(END_3D BRICK "grains: [ { row: { count: 2 }, shape: brick, orientation: up } ]\n",
                  "grains[0].orientation: 'up' is not known; allowed: none, random");
    scene_refused("dimension: 1\n" SMALL_END
                  "grains: [ { row: { count: 2 }, radius: 1, orientation: random } ]\n",
                  "nothing turns in one dimension");
    scene_refused("dimension: 2\n" SMALL_END "grains: [ { row: { count: 2 }, radius: 1, "
                  "orientation: { axis: [1, 0, 0], angle: 1 } } ]\n",
                  "it must be along z");
    scene_refused(END_3D BRICK "cell: { periodic: [x], size: [5, 9, 9] }\n"
                               "grains: [ { row: { count: 2 }, shape: brick } ]\n",
                  "must be at least 5 radii");
    scene_refused("dimension: 2\n" SMALL_END "shapes: [ { name: brick, box: [2, 1] } ]\n"
                  "materials: [ { name: grain, density: 7 kg/m^3 } ]\n"
                  "grains: [ { row: { count: 2 }, shape: brick } ]\n",
                  "a brick needs a mass per area");
}

static void test_refused_laws(void **state) {
    (void)state;
    scene_refused(END_3D BRICK
                  "materials: [ { name: round, density: 1 }, { name: square, density: 1 } ]\n"
                  "grains: [ { row: { count: 2 }, shape: brick, material: square } ]\n"
                  "pairs:\n"
                  "  - { between: [round, round], mu: 1, rolling: { coefficient: 1 } }\n"
                  "  - { between: [round, square], mu: 1, rolling: { coefficient: 1 } }\n",
                  "%:8:40: rolling friction is a law for round grains, but grains of material "
                  "'square' have the shape 'brick'");
    scene_refused("dimension: 3\n" BRICK "grains: [ { row: { count: 2 }, shape: brick } ]\n"
                  "phases: [ { until: { steps: 1 }, change: { pairs: [ { between: [grain, grain],\n"
                  "            mu: 1, torsion: { length: 1 } } ] } } ]\n",
                  "torsion friction is a law for round grains");
    scene_refused("dimension: 2\n" SMALL_END "shapes: [ { name: brick, box: [2, 1] } ]\n"
                  "grains: [ { row: { count: 2 }, shape: brick } ]\n"
                  "boundaries: [ { name: tube, cylinder: { radius: 9, length: 9 } } ]\n",
                  "in the plane a cylinder of finite length meets only discs");
}

/* Soft polygons are sharp, plane, and between flat walls. */
static void test_refused_soft(void **state) {
    (void)state;
#define SOFT                                                            \
    "method: md\n" SMALL_END "materials: [ { name: m, density: 1 } ]\n" \
    "pairs: [ { between: [m, m], mu: 0, soft: { stiffness: 1 } } ]\n"
    scene_refused("dimension: 2\n" SOFT "shapes: [ { name: pebble, box: [2, 1], rounding: 0.1 } ]\n"
                  "grains: [ { row: { count: 2 }, shape: pebble } ]\n",
                  "shape 'pebble': soft polygons (`method: md`) have sharp corners; leave the "
                  "rounding out");
    scene_refused("dimension: 2\n" SOFT "shapes:\n"
                  "  - name: two\n"
                  "    cluster: [ { box: [2, 1] }, { ball: { radius: 1 } } ]\n"
                  "grains: [ { row: { count: 2 }, shape: two } ]\n",
                  "leave the ball out");
    scene_refused("dimension: 3\n" SOFT "shapes: [ { name: brick, box: [2, 1, 1] } ]\n"
                  "grains: [ { row: { count: 2 }, shape: brick } ]\n",
                  "shape 'brick': with `method: md` grains in three dimensions are spheres");
    scene_refused("dimension: 2\n" SOFT "shapes: [ { name: brick, box: [2, 1] } ]\n"
                  "grains: [ { row: { count: 2 }, shape: brick } ]\n"
                  "boundaries: [ { name: drum, cylinder: { radius: 9 } } ]\n",
                  "walls of soft polygons (`method: md`) are planes, rectangles or boxes");
#undef SOFT
}

/* `talus list shapes` names what the key `shapes` can make, no more and no less. */
static void kinds_and_keys_agree(void **state) {
    (void)state;
    const struct schema_map *shape = schema_find(&schema_scene, "shapes")->map;
    int kinds = 0;
    for (size_t k = 0; k < shape->count; k++) {
        if (shape->keys[k].choice != 1) continue;
        bool listed = false;
        for (int i = 0; i < FORM_KIND_COUNT; i++)
            listed = listed || strcmp(form_kinds[i].name, shape->keys[k].name) == 0;
        assert_true(listed);
        kinds++;
    }
    assert_int_equal(kinds, FORM_KIND_COUNT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_and_keys_agree),
        cmocka_unit_test(test_solid),
        cmocka_unit_test(test_more_solids),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_cluster),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_voronoi),
        cmocka_unit_test(test_origin),
        cmocka_unit_test(test_plane_angle),
        cmocka_unit_test(test_random_orientation),
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_pour),
        cmocka_unit_test(test_unused),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_refused_shapes),
        cmocka_unit_test(test_too_many_parts),
        cmocka_unit_test(test_refused_grains),
        cmocka_unit_test(test_refused_laws),
        cmocka_unit_test(test_refused_soft),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
