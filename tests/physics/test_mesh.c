/* SPDX-License-Identifier: Apache-2.0
 *
 * Boundaries made of triangles: they act like the surface they tile, whatever the tiling. No bumps where
 * triangles meet, true edges where the surface ends or bends.
 */
#include "math/vec3.h"
#include "support.h"

enum { CELLS = 6 };

static const double g = 9.81;

/* A square floor of 2 CELLS^2 triangles; with alternating diagonals and lifted by height(x). */
static void add_floor(talus_sim *sim, const char *name, double size, double slope_beyond) {
    vec3 vertices[(CELLS + 1) * (CELLS + 1)];
    int32_t triangles[2 * CELLS * CELLS][3];
    for (int i = 0; i <= CELLS; i++)
        for (int j = 0; j <= CELLS; j++) {
            double x = size * (i / (double)CELLS - 0.5), y = size * (j / (double)CELLS - 0.5);
            vertices[i * (CELLS + 1) + j] = vec3_make(x, y, x > 0.0 ? slope_beyond * x : 0.0);
        }
    int count = 0;
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            int32_t p = i * (CELLS + 1) + j, q = p + CELLS + 1, r = q + 1, s = p + 1;
            int32_t both[2][3] = {{p, q, r}, {p, r, s}}, other[2][3] = {{p, q, s}, {q, r, s}};
            for (int k = 0; k < 2; k++, count++)
                for (int c = 0; c < 3; c++)
                    triangles[count][c] = (i + j) % 2 ? both[k][c] : other[k][c];
        }
    talus_boundary_def def = talus_boundary_def_default();
    def.name = name;
    def.shape = TALUS_MESH;
    def.vertices = vertices;
    def.vertex_count = sizeof vertices / sizeof *vertices;
    def.triangles = (const int32_t(*)[3])triangles;
    def.triangle_count = (size_t)count;
    assert_ok(talus_boundary_add(sim, &def, NULL));
}

static talus_sim *world_with_floor(double dt, double mu, double slope_beyond) {
    talus_config config = support_config(3, dt);
    config.gravity = vec(0, 0, -g);
    talus_sim *sim = support_sim(&config, mu);
    add_floor(sim, "floor", 6.0, slope_beyond);
    return sim;
}

static void add_box(talus_sim *sim, vec3 half, vec3 at, vec3 velocity) {
    vec3 corners[8];
    for (int k = 0; k < 8; k++)
        corners[k] =
            vec3_make(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
    talus_shape_part part = {corners, 8, 0.0};
    assert_ok(talus_shape_add(sim, "box", &part, 1, NULL));
    talus_body_def def = talus_body_def_default(sim);
    def.shape = "box";
    def.radius = 0.0;
    def.position = at;
    def.velocity = velocity;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
}

/* Without friction nothing may slow it down or lift it, across all the edges and corners of the tiling. */
static void test_sphere_glides_without_bumps(void **state) {
    (void)state;
    talus_sim *sim = world_with_floor(1e-3, 0.0, 0.0);
    support_grain(sim, 0.3, 1.0, vec(-2.5, -1.1, 0.3), vec(2.0, 0.9, 0.0));
    for (int step = 0; step < 2200; step++) {
        support_steps(sim, 1);
        talus_body_view view = talus_sim_bodies(sim);
        assert_near(view.position[1].z, 0.3, 1e-9);
        assert_near(view.velocity[1].x, 2.0, 1e-9);
        assert_near(view.velocity[1].y, 0.9, 1e-9);
    }
    talus_sim_destroy(sim);
}

/* It rolls as on a plane: v_f = 5/7 v_0 [validation 59]. */
static void test_sphere_rolls(void **state) {
    (void)state;
    talus_sim *sim = world_with_floor(5e-4, 0.3, 0.0);
    support_grain(sim, 0.3, 1.0, vec(-2.5, -0.05, 0.3), vec(2.0, 0.1, 0.0));
    support_steps(sim, 3000);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(view.velocity[1].x, 2.0 * 5.0 / 7.0, 2e-3);
    assert_near(view.position[1].z, 0.3, 1e-9);
    talus_sim_destroy(sim);
}

static void test_box_slides_without_bumps(void **state) {
    (void)state;
    talus_sim *sim = world_with_floor(1e-3, 0.0, 0.0);
    add_box(sim, vec3_make(0.4, 0.3, 0.2), vec3_make(-2.2, -0.9, 0.2), vec3_make(2.0, 0.7, 0.0));
    for (int step = 0; step < 2000; step++) {
        support_steps(sim, 1);
        talus_body_view view = talus_sim_bodies(sim);
        assert_near(view.position[1].z, 0.2, 1e-8);
        assert_near(view.velocity[1].x, 2.0, 1e-7);
        assert_near(vec3_norm(view.omega[1]), 0.0, 1e-7);
    }
    talus_sim_destroy(sim);
}

/* A block held by friction stays where it is; 27 degrees beyond the ridge it would slide. */
static void test_box_rests(void **state) {
    (void)state;
    talus_sim *sim = world_with_floor(1e-3, 0.5, 0.0);
    add_box(sim, vec3_make(0.7, 0.6, 0.2), vec3_make(0.13, -0.21, 0.2), vec3_zero());
    support_steps(sim, 500);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(vec3_norm(view.velocity[1]), 0.0, 1e-9);
    assert_near(view.position[1].x, 0.13, 1e-9);
    double weight = -talus_sim_boundary(sim, 0).force.z;
    assert_near(weight / (view.mass[1] * g), 1.0, 1e-7);
    talus_sim_destroy(sim);
}

/* Over a ridge the sphere falls along the slope or flies off it, up a valley it climbs: true edges act. The
 * mechanical energy is kept where nothing collides: over a convex ridge from rest, sliding down frictionless. */
static void test_sphere_goes_over_a_ridge(void **state) {
    (void)state;
    double slope = -0.2, angle = atan(0.2);
    talus_sim *sim = world_with_floor(5e-4, 0.0, slope);
    support_grain(sim, 0.3, 1.0, vec(-0.2, 0.07, 0.3), vec(0.2, 0.0, 0.0));
    double start = 0.5 * 0.04 + g * 0.3;
    while (talus_sim_bodies(sim).position[1].x < 1.5) support_steps(sim, 1);
    talus_body_view view = talus_sim_bodies(sim);
    vec3 x = view.position[1], v = view.velocity[1];
    double height = x.x * sin(angle) + x.z * cos(angle);
    assert_near(height, 0.3,
                1e-3); /* touches the slope: distance from its plane through the ridge */
    assert_near(0.5 * vec3_norm2(v) + g * x.z, start, 0.01);
    assert_near(v.z / v.x, slope, 1e-3);
    talus_sim_destroy(sim);
}

/* A tip that has dipped a little below the surface beside a seam is held by it all the same. */
static void test_tip_at_a_seam_is_held(void **state) {
    (void)state;
    for (int k = 0; k < 5; k++) {
        talus_sim *sim = world_with_floor(1e-3, 0.5, 0.0);
        double deep = pow(10.0, -8 + k), aside = 0.1 * deep * k;
        vec3 corners[5] = {
            {0, 0, -1}, {0.05, 0.05, 0}, {-0.05, 0.05, 0}, {-0.05, -0.05, 0}, {0.05, -0.05, 0}};
        talus_shape_part part = {corners, 5, 0.0};
        assert_ok(talus_shape_add(sim, "spike", &part, 1, NULL));
        talus_shape_view shape;
        assert_true(talus_shape_find(sim, "spike", &shape));
        talus_body_def def = talus_body_def_default(sim);
        def.shape = "spike";
        def.radius = 0.0;
        def.position = vec(1.0 + aside, 0.37, 1.0 + shape.centre.z - deep);
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        support_steps(sim, 100);
        talus_body_view view = talus_sim_bodies(sim);
        assert_true(view.position[1].z > def.position.z - 1e-3);
        talus_sim_destroy(sim);
    }
}

static void test_bad_meshes_are_refused(void **state) {
    (void)state;
    talus_config config = support_config(3, 1e-3);
    talus_sim *sim = support_sim(&config, 0.0);
    vec3 vertices[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    int32_t flat[1][3] = {{0, 1, 2}}, wrong[1][3] = {{0, 1, 3}};
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "bad";
    def.shape = TALUS_MESH;
    def.vertices = vertices;
    def.vertex_count = 3;
    def.triangles = (const int32_t(*)[3])flat;
    def.triangle_count = 1;
    talus_error err;
    assert_int_equal(talus_boundary_add(sim, &def, &err), TALUS_ERR_INPUT);
    def.triangles = (const int32_t(*)[3])wrong;
    assert_int_equal(talus_boundary_add(sim, &def, &err), TALUS_ERR_INPUT);
    def.triangle_count = 0;
    assert_int_equal(talus_boundary_add(sim, &def, &err), TALUS_ERR_INPUT);
    assert_int_equal(talus_sim_boundary_count(sim), 0);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_glides_without_bumps),
        cmocka_unit_test(test_sphere_rolls),
        cmocka_unit_test(test_box_slides_without_bumps),
        cmocka_unit_test(test_box_rests),
        cmocka_unit_test(test_sphere_goes_over_a_ridge),
        cmocka_unit_test(test_tip_at_a_seam_is_held),
        cmocka_unit_test(test_bad_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
