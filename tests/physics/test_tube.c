/* SPDX-License-Identifier: Apache-2.0
 *
 * Cylinders of finite length and grains with faces: inside a tube, over its rim, on and beside a post. They are strips
 * there (src/world/boundary_tube.c), off by 3.02e-4 of the radius at most; round grains meet the true cylinder.
 */
#include "shapes.h"

static const double off = 3.02e-4; /* 1/cos(pi/128) - 1 = 3.0123e-4 */

static talus_sim *with_cylinder(talus_boundary_shape shape, vec3 axis, double radius,
                                double length) {
    talus_config config = shapes_config(3, 0.002);
    config.gravity = vec(0, 0, -g);
    config.solver.gap = TALUS_GAP_PROJECTED;
    talus_sim *sim = support_sim(&config, 0.4);
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "cylinder";
    def.shape = shape;
    def.radius = radius;
    def.length = length;
    def.normal = axis;
    assert_ok(talus_boundary_add(sim, &def, NULL));
    return sim;
}

/* A cube of side a on the bottom of a lying tube: its lower edges touch, at height -sqrt(R^2 - a^2/4). */
static void test_lying_tube(void **state) {
    (void)state;
    const double radius = 1.0, a = 0.5;
    double lowest = -sqrt(radius * radius - 0.25 * a * a);
    talus_sim *sim = with_cylinder(TALUS_CYLINDER_INSIDE, vec(0, 1, 0), radius, 3.0);
    shape_box(sim, "cube", a, a, a);
    talus_index cube = add_shaped(sim, "cube", vec(0, 0, lowest + 0.5 * a + 0.01));
    support_steps(sim, 400);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(view.position[cube].z, lowest + 0.5 * a, 1.5 * off * radius);
    assert_near(vec3_norm(view.velocity[cube]), 0.0, 1e-6);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* Beyond its end there is no tube: a cube whose middle is past the rim tips over it and falls. */
static void test_end_of_tube(void **state) {
    (void)state;
    const double radius = 1.0, a = 0.5;
    double lowest = -sqrt(radius * radius - 0.25 * a * a);
    for (int k = 0; k < 2; k++) {
        talus_sim *sim = with_cylinder(TALUS_CYLINDER_INSIDE, vec(0, 1, 0), radius, 3.0);
        shape_box(sim, "cube", a, a, a);
        double y = 1.5 + (k == 0 ? -0.1 : 0.1) * a;
        talus_index cube = add_shaped(sim, "cube", vec(0, y, lowest + 0.5 * a + 1e-3));
        support_steps(sim, 750);
        double fallen = lowest + 0.5 * a - talus_sim_bodies(sim).position[cube].z;
        if (k == 0)
            assert_near(fallen, 0.0, 2.0 * off * radius);
        else
            assert_true(fallen > 0.5);
        talus_sim_destroy(sim);
    }
}

/* A plank across the rim of a standing tube lies on it. */
static void test_rim(void **state) {
    (void)state;
    talus_sim *sim = with_cylinder(TALUS_CYLINDER_INSIDE, vec(0, 0, 1), 1.0, 2.0);
    shape_box(sim, "plank", 2.6, 0.6, 0.2);
    talus_index plank = add_shaped(sim, "plank", vec(0.02, 0.01, 1.1 + 0.01));
    support_steps(sim, 400);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(view.position[plank].z, 1.1, 1e-6);
    assert_near(vec3_norm(view.velocity[plank]), 0.0, 1e-6);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* On the lid of a post, and a ball beside it against the true cylinder. */
static void test_post(void **state) {
    (void)state;
    talus_sim *sim = with_cylinder(TALUS_CYLINDER_OUTSIDE, vec(0, 0, 1), 1.0, 2.0);
    support_plane(sim, "floor", vec(0, 0, -1), vec(0, 0, 1));
    shape_box(sim, "cube", 0.5, 0.5, 0.5);
    talus_index on = add_shaped(sim, "cube", vec(0.3, 0.2, 1.26));
    talus_index beside = add_shaped(sim, "cube", vec(1.3, 0, -0.75));
    talus_body_def def = talus_body_def_default(sim);
    def.radius = 0.5;
    def.position = vec(-1.6, 0, -0.5);
    def.velocity = vec(1, 0, 0);
    talus_index ball = add_body(sim, &def);
    support_steps(sim, 400);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(view.position[on].z, 1.25, 1e-6);
    assert_near(view.position[beside].x, 1.3, 1e-6); /* in touch with the floor alone */
    assert_true(view.position[ball].x <= -1.5 + 1e-6);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* A cube pushed against a post stops at its surface. */
static void test_against_post(void **state) {
    (void)state;
    talus_sim *sim = with_cylinder(TALUS_CYLINDER_OUTSIDE, vec(0, 0, 1), 1.0, 2.0);
    assert_ok(talus_sim_set_gravity(sim, vec(-g, 0, 0), NULL));
    shape_box(sim, "cube", 0.5, 0.5, 0.5);
    talus_index cube = add_shaped(sim, "cube", vec(1.3, 0, 0));
    support_steps(sim, 300);
    double x = talus_sim_bodies(sim).position[cube].x;
    assert_true(x >= 1.25 - 1.01 * off && x <= 1.25 + 1e-6);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lying_tube),   cmocka_unit_test(test_end_of_tube),
        cmocka_unit_test(test_rim),          cmocka_unit_test(test_post),
        cmocka_unit_test(test_against_post),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
