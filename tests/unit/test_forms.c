/* SPDX-License-Identifier: Apache-2.0
 * Ready-made shapes: their corners, faces and volumes; shrinking; random grains without slivers. */
#include "support.h"

#include "geom/forms.h"

static const double pi = 3.141592653589793;

/* The hull has to have this many vertices and faces and this volume. */
static void assert_hull(int dim, const vec3 *points, size_t count, int faces, double volume) {
    struct convex c;
    assert_int_equal(convex_make(&c, dim, points, count, 0.0, false), CONVEX_OK);
    assert_int_equal(c.vertex_count, count);
    assert_int_equal(c.face_count, faces);
    assert_near(convex_mass(&c).volume, volume, 1e-14 * volume);
    convex_free(&c);
}

static void plane_forms(void **state) {
    (void)state;
    vec3 points[100];
    for (int n = 3; n <= 100; n++) {
        assert_int_equal(form_polygon(points, n), n);
        assert_hull(2, points, (size_t)n, n, 0.5 * n * sin(2.0 * pi / n));
        assert_near(points[0].y, points[n - 1].y, 1e-15); /* stands on a side */
        for (int k = 0; k < n; k++) assert_near(vec3_norm(points[k]), 1.0, 1e-15);
    }
    assert_hull(2, points, form_rectangle(points, 3.0, 0.5), 4, 1.5);
    struct form_voussoir stone = {1.0, 1.3, 0.2, 0.5};
    size_t n = form_voussoir(points, &stone);
    assert_hull(2, points, n, 4, 0.5 * sin(0.3) * (1.3 * 1.3 - 1.0));
    n = form_extrude(points, points, n, 0.4);
    assert_hull(3, points, n, 6, 0.2 * sin(0.3) * (1.3 * 1.3 - 1.0));
}

static void solid_forms(void **state) {
    (void)state;
    vec3 points[600];
    double phi = 0.5 * (1.0 + sqrt(5.0));
    assert_hull(3, points, form_box(points, vec3_make(1.0, 2.0, 3.0)), 6, 6.0);
    assert_hull(3, points, form_tetrahedron(points), 4, 8.0 / (9.0 * sqrt(3.0)));
    assert_hull(3, points, form_octahedron(points), 8, 4.0 / 3.0);
    double edge = 1.0 / sin(0.4 * pi); /* of the icosahedron */
    assert_hull(3, points, form_icosahedron(points), 20,
                5.0 / 12.0 * (3.0 + sqrt(5.0)) * edge * edge * edge);
    edge = 2.0 / (sqrt(3.0) * phi);
    assert_hull(3, points, form_dodecahedron(points), 12,
                0.25 * (15.0 + 7.0 * sqrt(5.0)) * edge * edge * edge);
    for (int n = 3; n <= 60; n += 3) {
        double base = 0.5 * n * sin(2.0 * pi / n);
        assert_hull(3, points, form_prism(points, n, 0.7), n + 2, 0.7 * base);
        assert_hull(3, points, form_pyramid(points, n, 0.7), n + 1, 0.7 / 3.0 * base);
    }
}

static void sphere_of_many_faces(void **state) {
    (void)state;
    vec3 points[600];
    struct convex c;
    for (size_t n = 4; n <= 600; n += n < 20 ? 1 : 29) {
        assert_int_equal(form_sphere(points, n), n);
        assert_int_equal(convex_make(&c, 3, points, n, 0.0, false), CONVEX_OK);
        assert_int_equal(c.vertex_count, n);
        assert_int_equal(c.face_count, 2 * n - 4);
        convex_free(&c);
    }
    form_sphere(points, 252);
    assert_int_equal(convex_make(&c, 3, points, 252, 0.0, false), CONVEX_OK);
    assert_int_equal(c.face_count, 500);
    struct convex_mass mass = convex_mass(&c);
    assert_near(mass.volume, 4.0 / 3.0 * pi,
                0.1); /* the corners are on the sphere: 2.3 % missing */
    assert_near(vec3_norm(mass.centre), 0.0, 2e-3);
    for (int32_t f = 0; f < c.face_count; f++) assert_true(c.faces[f].offset > 0.985);
    convex_free(&c);
}

/* Every corner of the shrunk hull lies `by` or more below all faces, and exactly so below enough of
 * them. */
static void assert_inset(int dim, const vec3 *points, size_t count, double by) {
    struct convex hull;
    struct form form;
    assert_int_equal(form_shrink(&form, dim, points, count, by), CONVEX_OK);
    assert_int_equal(convex_make(&hull, dim, points, count, 0.0, false), CONVEX_OK);
    for (size_t k = 0; k < form.count; k++) {
        int on = 0;
        for (int32_t f = 0; f < hull.face_count; f++) {
            double d = hull.faces[f].offset - vec3_dot(hull.faces[f].normal, form.points[k]);
            assert_true(d >= by - 1e-12);
            on += d <= by + 1e-12;
        }
        assert_true(on >= dim);
    }
    convex_free(&hull);
    form_free(&form);
}

static void shrinking_moves_faces_inward(void **state) {
    (void)state;
    vec3 points[100];
    struct form form;
    size_t n = form_box(points, vec3_make(1.0, 2.0, 3.0));
    assert_int_equal(form_shrink(&form, 3, points, n, 0.1), CONVEX_OK);
    assert_hull(3, form.points, form.count, 6, 0.8 * 1.8 * 2.8);
    form_free(&form);
    assert_int_equal(form_shrink(&form, 3, points, n, 0.5), CONVEX_NO_EXTENT);
    assert_int_equal(form_shrink(&form, 3, points, n, 0.6), CONVEX_NO_EXTENT);
    n = form_rectangle(points, 3.0, 1.0);
    assert_int_equal(form_shrink(&form, 2, points, n, 0.25), CONVEX_OK);
    assert_hull(2, form.points, form.count, 4, 2.5 * 0.5);
    form_free(&form);
    n = form_octahedron(points); /* four faces at each corner: none may be split */
    assert_int_equal(form_shrink(&form, 3, points, n, 0.2), CONVEX_OK);
    assert_hull(3, form.points, form.count, 8, 4.0 / 3.0 * pow(1.0 - 0.2 * sqrt(3.0), 3.0));
    form_free(&form);
}

/* The deepest point of a long pyramid is far from its centre of mass. */
static void shrinking_finds_what_is_left(void **state) {
    (void)state;
    vec3 points[100];
    struct form form;
    size_t n = form_pyramid(points, 4, 10.0);
    double a = sqrt(0.5),
           deepest = 10.0 * a / (a + hypot(a, 10.0)); /* of the triangle through the axis */
    assert_inset(3, points, n, 0.5 * deepest);
    assert_inset(3, points, n, 0.99 * deepest);
    assert_inset(3, points, n, (1.0 - 1e-6) * deepest);
    assert_int_equal(form_shrink(&form, 3, points, n, (1.0 + 1e-9) * deepest), CONVEX_NO_EXTENT);
    assert_null(form.points);
    struct random random = random_start(1, RANDOM_TEST, 1, 0);
    for (int trial = 0; trial < 200; trial++) {
        for (int k = 0; k < 20; k++)
            points[k] =
                vec3_make(random_normal(&random), random_normal(&random), random_normal(&random));
        assert_inset(2 + trial % 2, points, 20, 0.3 * random_uniform(&random));
    }
}

static void random_grains_are_no_slivers(void **state) {
    (void)state;
    for (int trial = 0; trial < 600; trial++) {
        struct random random = random_start((uint64_t)trial, RANDOM_TEST, 2, 0);
        int dim = trial % 3 == 0 ? 3 : 2;
        double aspect = trial % 2 ? 1.0 : 2.5;
        struct form form;
        struct convex c;
        assert_int_equal(form_voronoi(&form, dim, aspect, &random), CONVEX_OK);
        assert_int_equal(convex_make(&c, dim, form.points, form.count, 0.0, false), CONVEX_OK);
        assert_int_equal(c.vertex_count, form.count);
        struct convex_mass mass = convex_mass(&c);
        assert_near(mass.volume, dim == 2 ? pi : 4.0 / 3.0 * pi, 1e-13);
        assert_near(vec3_norm(mass.centre), 0.0, 1e-13);
        double across = pow(aspect, -1.0 / dim), along = aspect * across;
        assert_true(c.reach <= FORM_VORONOI_OUTER * along);
        for (int32_t f = 0; f < c.face_count; f++)
            assert_true(c.faces[f].offset >= FORM_VORONOI_INNER * across);
        for (size_t i = 0; i < form.count; i++)
            for (size_t j = 0; j < i; j++)
                assert_true(vec3_norm(vec3_sub(form.points[i], form.points[j])) >=
                            (1.0 - 1e-9) * FORM_VORONOI_EDGE * across);
        convex_free(&c);
        form_free(&form);
    }
}

/* Length to width is the aspect ratio on average; the same seed gives the same grain. */
static void random_grains_are_stretched(void **state) {
    (void)state;
    double second[3] = {0.0};
    struct random random = random_start(7, RANDOM_TEST, 3, 0);
    for (int trial = 0; trial < 300; trial++) {
        struct form form;
        struct convex c;
        assert_int_equal(form_voronoi(&form, 3, 3.0, &random), CONVEX_OK);
        assert_int_equal(convex_make(&c, 3, form.points, form.count, 0.0, false), CONVEX_OK);
        mat3 inertia = convex_mass(&c).inertia;
        double trace = inertia.m[0][0] + inertia.m[1][1] + inertia.m[2][2];
        for (int k = 0; k < 3; k++) second[k] += 0.5 * trace - inertia.m[k][k];
        convex_free(&c);
        form_free(&form);
    }
    assert_near(sqrt(second[0] / second[1]), 3.0, 0.1);
    assert_near(sqrt(second[0] / second[2]), 3.0, 0.1);
    struct form one, two;
    struct random first = random_start(9, RANDOM_TEST, 3, 0), again = first;
    assert_int_equal(form_voronoi(&one, 3, 1.2, &first), CONVEX_OK);
    assert_int_equal(form_voronoi(&two, 3, 1.2, &again), CONVEX_OK);
    assert_int_equal(one.count, two.count);
    assert_memory_equal(one.points, two.points, one.count * sizeof *one.points);
    form_free(&one);
    form_free(&two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plane_forms),
        cmocka_unit_test(solid_forms),
        cmocka_unit_test(sphere_of_many_faces),
        cmocka_unit_test(shrinking_moves_faces_inward),
        cmocka_unit_test(shrinking_finds_what_is_left),
        cmocka_unit_test(random_grains_are_no_slivers),
        cmocka_unit_test(random_grains_are_stretched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
