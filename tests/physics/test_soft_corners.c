/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains where it is easy to go wrong: clusters that spin on the spot, grains that pass each other head-on, laws that
 * change under load, the work of walls that are shaken, time steps of scenes in which only a wall moves.
 */
#include "support.h"

static talus_sim *soft_sim(int dim, double dt, const talus_pair_law *law) {
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.dim = dim;
    config.dt = dt;
    talus_sim *sim = support_sim(&config, 0.0);
    assert_ok(talus_pair_set(sim, 0, 0, law, NULL));
    return sim;
}

/* Two blocks at the ends of a bar; a disc stands in the way of one of them. */
static double speed_of_struck_disc(double centre_speed) {
    const talus_vec3 right[4] = {{1, -.1, 0}, {1.2, -.1, 0}, {1.2, .1, 0}, {1, .1, 0}};
    const talus_vec3 left[4] = {{-1.2, -.1, 0}, {-1, -.1, 0}, {-1, .1, 0}, {-1.2, .1, 0}};
    const talus_vec3 bar[4] = {{-1, -.02, 0}, {1, -.02, 0}, {1, .02, 0}, {-1, .02, 0}};
    const talus_shape_part parts[3] = {
        {.points = right, .count = 4}, {.points = left, .count = 4}, {.points = bar, .count = 4}};
    talus_sim *sim = soft_sim(2, 1e-4, &(talus_pair_law){.soft = {.stiffness = 1e4}});
    assert_ok(talus_shape_add(sim, "club", parts, 3, NULL));
    talus_body_def def = talus_body_def_default(sim);
    def.shape = "club";
    def.omega.z = 5.0;
    def.velocity.y = centre_speed;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    talus_index disc = support_grain(sim, 0.1, 0.0, vec(0, 1.15, 0), vec(0, 0, 0));
    support_steps(sim, 6000);
    talus_vec3 v = talus_sim_bodies(sim).velocity[disc];
    talus_sim_destroy(sim);
    return sqrt(v.x * v.x + v.y * v.y);
}

static void test_spinning_cluster(void **state) {
    (void)state;
    double fast = speed_of_struck_disc(0.016);
    assert_true(fast > 5.0);
    assert_near(speed_of_struck_disc(0.0), fast, 0.05);
    assert_near(speed_of_struck_disc(1e-3), fast, 0.05);
}

/* Too soft to stop each other, exactly head-on: the normal is reversed between two steps. */
static void test_passing_head_on(void **state) {
    (void)state;
    talus_pair_law law = {.mu_static = 0.3,
                          .mu_sliding = 0.3,
                          .soft = {.stiffness = 1e3, .tangential_stiffness = 300}};
    talus_sim *sim = soft_sim(2, 1e-4, &law);
    talus_index one = support_grain(sim, 0.5, 1.0, vec(-0.6, 0, 0), vec(40, 0, 0));
    support_grain(sim, 0.5, 1.0, vec(0.6, 0, 0), vec(-40, 0, 0));
    support_steps(sim, 2000);
    assert_near(talus_sim_bodies(sim).velocity[one].x, 40.0, 0.1);
    talus_sim_destroy(sim);
}

/* A grain held by friction on a floor while its tangential spring is made ten times as stiff: the force stays. */
static double friction_after_change(double torsion) {
    talus_pair_law law = {.mu_static = 0.5,
                          .mu_sliding = 0.5,
                          .torsion = {.coefficient = torsion}, /* sends it the other way */
                          .soft = {.stiffness = 1e6,
                                   .damping = 300,
                                   .tangential_stiffness = 1e5,
                                   .tangential_damping = 100}};
    talus_sim *sim = soft_sim(3, 1e-5, &law);
    talus_signal pull = {.mean = 1.0};
    talus_body_def def = talus_body_def_default(sim);
    talus_contact contact;
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    assert_ok(talus_sim_set_gravity(sim, vec(0, 0, -9.81), NULL));
    def.radius = 0.1;
    def.mass = 1.0;
    def.position = vec(0, 0, 0.1);
    def.locks = TALUS_LOCK_ROTATION;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    assert_ok(talus_force_set(sim, "pull", "grains", vec(1, 0, 0), &pull, NULL));
    support_steps(sim, 60000);
    law.soft.tangential_stiffness = 1e6;
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    support_steps(sim, 1);
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    support_ledger(sim);
    talus_sim_destroy(sim);
    return fabs(contact.force.x);
}

static void test_law_changed_under_load(void **state) {
    (void)state;
    assert_near(friction_after_change(0.0), 1.0, 0.01);
    assert_near(friction_after_change(1e-12), 1.0, 0.01);
}

/* An elastic disc thrown back by a wall that swings to and fro: what the wall did is what the disc has more. */
static double error_of_wall_work(double dt) {
    talus_sim *sim = soft_sim(2, dt, &(talus_pair_law){.soft = {.stiffness = 1e4}});
    talus_motion motion = {
        .direction = {1, 0, 0},
        .displacement = {.kind = TALUS_SIGNAL_SINE, .amplitude = 0.05, .frequency = 5.0}};
    support_plane(sim, "wall", vec(0, 0, 0), vec(1, 0, 0));
    assert_ok(talus_boundary_set_motion(sim, "wall", &motion, NULL));
    support_grain(sim, 0.1, 1.0, vec(0.5, 0, 0), vec(-3, 0, 0));
    double before = talus_sim_observe(sim).energy.kinetic_translation;
    support_steps(sim, (int)(0.4 / dt));
    talus_energy e = support_ledger(sim);
    talus_sim_destroy(sim);
    assert_true(fabs(e.work_boundary) > 0.5);
    return fabs(e.kinetic_translation - before - e.work_boundary);
}

static void test_work_of_shaken_wall(void **state) {
    (void)state;
    double coarse = error_of_wall_work(2e-4), fine = error_of_wall_work(5e-5);
    assert_true(coarse < 0.01);
    assert_true(fine < coarse / 4.0); /* beyond the first order */
}

/* Nothing moves but a piston pushed from outside: the advised step must resolve what it will do. */
static void test_step_of_a_piston(void **state) {
    (void)state;
    talus_pair_law law = {.soft = {.young = 1e7,
                                   .poisson = 0.3,
                                   .restitution = 0.8,
                                   .damping_form = TALUS_DAMPING_CONSTANT}};
    talus_sim *sim = soft_sim(3, 1e-3, &law);
    talus_boundary_def def = talus_boundary_def_default();
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    def.name = "piston";
    def.point = vec(0, 0, 0.25);
    def.normal = vec(0, 0, -1);
    def.free = (talus_free_motion){.mass = 1.0, .direction = {0, 0, -1}, .force = {.mean = 100.0}};
    assert_ok(talus_boundary_add(sim, &def, NULL));
    support_grain(sim, 0.1, 1.0, vec(0, 0, 0.1), vec(0, 0, 0));
    double dt = talus_sim_advise_dt(sim);
    assert_true(dt < 2e-4);
    assert_ok(talus_sim_set_dt(sim, dt, NULL));
    support_steps(sim, (int)(0.5 / dt));
    talus_trust trust = talus_sim_trust(sim);
    assert_true(trust.collision_steps > 40.0);
    assert_null(strstr(trust.verdict, "do not trust"));
    talus_sim_destroy(sim);
}

/* A ball that a moving floor meets from the first moment on: velocity against the floor in the middle of the collision. */
static double bounced(double floor_speed, double dt) {
    talus_pair_law law = {.soft = {.stiffness = 1e3, .damping = 5.0}};
    talus_sim *sim = soft_sim(3, dt, &law);
    talus_boundary_def floor = talus_boundary_def_default();
    floor.name = "floor";
    floor.normal = vec(0, 0, 1);
    floor.motion = (talus_motion){.velocity = vec(0, 0, floor_speed)};
    assert_ok(talus_boundary_add(sim, &floor, NULL));
    talus_index ball = support_grain(sim, 0.5, 1.0, vec(0, 0, 0.49), vec(0, 0, floor_speed - 0.5));
    support_steps(sim, (int)(0.05 / dt + 0.5));
    double speed = talus_sim_bodies(sim).velocity[ball].z - floor_speed;
    talus_sim_destroy(sim);
    return speed;
}

/* The same as seen from the floor, and second order in dt. */
static void test_floor_moves_from_the_start(void **state) {
    (void)state;
    double difference[3];
    for (int k = 0; k < 3; k++) {
        double dt = 1e-3 / (1 << k);
        assert_near(bounced(0.7, dt), bounced(0.0, dt), 1e-9);
        difference[k] = bounced(0.7, dt) - bounced(0.7, 0.5 * dt);
    }
    assert_near(difference[0] / difference[1], 4.0, 0.1);
    assert_near(difference[1] / difference[2], 4.0, 0.1);
}

/* A call that fails has no effect, to the last bit. */
static void test_failed_calls_change_nothing(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        talus_pair_law law = {.mu_static = 0.3,
                              .mu_sliding = 0.3,
                              .soft = {.stiffness = 1e3,
                                       .damping = 2.0,
                                       .tangential_stiffness = 300,
                                       .tangential_damping = 1.0}};
        talus_sim *sim = soft_sim(2, 1e-3, &law);
        support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
        support_grain(sim, 0.5, 1.0, vec(0, 0.49, 0), vec(0.3, -0.5, 0));
        support_grain(sim, 0.5, 1.0, vec(0.9, 0.49, 0), vec(-0.2, -0.1, 0));
        support_steps(sim, 20);
        if (k == 1) {
            assert_true(talus_force_remove(sim, "nothing", NULL) < 0);
            assert_true(talus_pair_set(sim, 0, 5, &law, NULL) < 0);
            assert_true(talus_membrane_remove(sim, "nothing", NULL) < 0);
            assert_true(talus_sim_set_dt(sim, -1.0, NULL) < 0);
            assert_ok(talus_sim_set_dt(sim, 1e-3, NULL));
        }
        support_steps(sim, 30);
        hash[k] = talus_sim_hash(sim);
        talus_sim_destroy(sim);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spinning_cluster),
        cmocka_unit_test(test_passing_head_on),
        cmocka_unit_test(test_law_changed_under_load),
        cmocka_unit_test(test_work_of_shaken_wall),
        cmocka_unit_test(test_step_of_a_piston),
        cmocka_unit_test(test_floor_moves_from_the_start),
        cmocka_unit_test(test_failed_calls_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
