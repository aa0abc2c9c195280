/* SPDX-License-Identifier: Apache-2.0
 *
 * `gap: projected`: overlaps are undone by displacements that leave velocities alone. Pairs, weight lifted, the
 * overlap of curved walls, a pressed stack, bodies that spin.
 */
#include "shapes.h"

/* What contacts keep: 1e-9 of the thinnest grain, src/sim/project.c. */
static const double kept = 1e-9;

static talus_config projected(int dim, double dt) {
    talus_config config = shapes_config(dim, dt);
    config.solver.gap = TALUS_GAP_PROJECTED;
    return config;
}

/* Apart in one step, each by what its mass says, and nothing moves. */
static void test_pair(void **state) {
    (void)state;
    talus_config config = projected(2, 0.25);
    talus_sim *sim = support_sim(&config, 0.3);
    support_grain(sim, 0.5, 1.0, vec(0, 0, 0), vec(0, 0, 0));
    support_grain(sim, 0.5, 3.0, vec(1.0 - 1e-3, 0, 0), vec(0, 0, 0));
    support_steps(sim, 1);
    talus_body_view view = talus_sim_bodies(sim);
    double undone = 1e-3 - 0.5 * kept;
    assert_near(view.position[0].x, -0.75 * undone, 1e-15);
    assert_near(view.position[1].x, 1.0 - 1e-3 + 0.25 * undone, 1e-15);
    assert_true(view.velocity[0].x == 0.0 && view.velocity[1].x == 0.0);
    vec3 before = view.position[1];
    support_steps(sim, 100);
    assert_near(view.position[1].x, before.x, 1e-15);
    talus_sim_destroy(sim);
}

/* A large overlap takes several steps, and all of it goes. */
static void test_large_overlap(void **state) {
    (void)state;
    talus_config config = projected(3, 0.01);
    talus_sim *sim = support_sim(&config, 0.3);
    support_grain(sim, 0.5, 1.0, vec(0, 0, 0), vec(0, 0, 0));
    support_grain(sim, 0.5, 1.0, vec(0.7, 0, 0), vec(0, 0, 0));
    support_steps(sim, 20);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(view.position[1].x - view.position[0].x, 1.0, kept);
    assert_true(view.velocity[1].x == 0.0);
    talus_sim_destroy(sim);
}

/* What is lifted against gravity stands in the ledger. */
static void test_weight(void **state) {
    (void)state;
    const double overlap = 1e-3, mass = 2.0;
    talus_config config = projected(3, 0.01);
    config.gravity = vec(0, 0, -10);
    talus_sim *sim = support_sim(&config, 0.3);
    add_floor(sim);
    support_grain(sim, 0.5, mass, vec(0, 0, 0.5 - overlap), vec(0, 0, 0));
    support_steps(sim, 10);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(view.position[1].z, 0.5, kept);
    assert_near(view.velocity[1].z, 0.0, 1e-15);
    talus_energy energy = support_ledger(sim);
    assert_near(energy.work_projection, mass * 10.0 * overlap, mass * 10.0 * kept);
    talus_sim_destroy(sim);
}

/* Along a curved wall a step leaves (v dt)^2/2(R - r): the g+ law adds them up, here only the last is there. */
static void test_curved_wall(void **state) {
    (void)state;
    const double dt = 0.01, speed = 1.0, radius = 1.0, r = 0.1;
    double overlap[2];
    for (int k = 0; k < 2; k++) {
        talus_config config = projected(2, dt);
        if (k == 0) config.solver.gap = TALUS_GAP_POSITIVE;
        talus_sim *sim = support_sim(&config, 0.0);
        talus_boundary_def drum = talus_boundary_def_default();
        drum.name = "drum";
        drum.shape = TALUS_CYLINDER_INSIDE;
        drum.radius = radius;
        drum.normal = vec(0, 0, 1);
        assert_ok(talus_boundary_add(sim, &drum, NULL));
        support_grain(sim, r, 1.0, vec(0, r - radius, 0), vec(speed, 0, 0));
        support_steps(sim, 500);
        overlap[k] = talus_sim_observe(sim).overlap_max * 2.0 * r;
        support_ledger(sim);
        talus_sim_destroy(sim);
    }
    double once = speed * speed * dt * dt / (2.0 * (radius - r));
    assert_true(overlap[0] > 50.0 * once);
    assert_true(overlap[1] <= 1.001 * once && overlap[1] > 0.5 * once);
}

/* Ten blocks, each 1e-3 deep in the next: they end as high as ten blocks and stand still. */
static void test_stack(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        talus_config config = projected(dim, 0.005);
        config.gravity = tilted_gravity(dim, 0.0);
        talus_sim *sim = support_sim(&config, 0.5);
        add_floor(sim);
        shape_block(sim, "block", 1.0, 1.0);
        for (int k = 0; k < 10; k++) add_shaped(sim, "block", place(dim, 0.0, 0.5 + 0.999 * k));
        support_steps(sim, 100);
        talus_body_view view = talus_sim_bodies(sim);
        for (int k = 0; k < 10; k++) {
            assert_near(height(dim, view.position[k + 1]), 0.5 + k, 1e-8);
            assert_near(view.position[k + 1].x, 0.0, 1e-5); /* aside: 1 % of an overlap */
            assert_near(vec3_norm(view.velocity[k + 1]), 0.0, 1e-9);
        }
        talus_energy energy = support_ledger(sim);
        double mass = view.mass[1];
        assert_near(energy.work_projection, mass * g * 1e-3 * 45.0, 1e-5 * mass * g);
        talus_sim_destroy(sim);
    }
}

/* The projection turns a spinning plank; its energy and spin stay. */
static void test_spinning(void **state) {
    (void)state;
    talus_config config = projected(3, 1e-4);
    talus_sim *sim = support_sim(&config, 0.0);
    shape_box(sim, "plank", 2.0, 1.0, 0.3);
    talus_body_def def = shaped(sim, "plank", vec(0, 0, 0));
    def.omega = vec(0.0, 0.0, 3.0);
    def.velocity = vec(0, 0, 1.0); /* away from the ball */
    def.omega.x = 0.2;
    add_body(sim, &def);
    support_grain(sim, 0.5, 1.0, vec(0.7, 0.3, -0.649), vec(0, 0, 0));
    double before = talus_sim_observe(sim).energy.kinetic_rotation;
    support_steps(sim, 1);
    talus_contact contact;
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    assert_near(contact.gap, -1e-3, 1e-12);
    assert_true(contact.force.z == 0.0);
    assert_near(talus_sim_observe(sim).energy.kinetic_rotation, before, 1e-14 * before);
    assert_true(fabs(talus_sim_bodies(sim).orientation[0].y) > 1e-6); /* it did turn */
    support_ledger(sim);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pair),   cmocka_unit_test(test_large_overlap),
        cmocka_unit_test(test_weight), cmocka_unit_test(test_curved_wall),
        cmocka_unit_test(test_stack),  cmocka_unit_test(test_spinning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
