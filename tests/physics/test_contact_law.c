/* SPDX-License-Identifier: Apache-2.0
 *
 * One contact in time: the implicit step with the gap law.
 * Two-step inelastic collision, Signorini's branches, overlaps kept or expelled, Coulomb friction at a
 * wall, isotropy of the cone, balls in touch.
 */
#include "support.h"

/* m = 1, dt = 1, g = 0.3, v = (1, 0): the first step closes the gap, the second stops the approach.
 * [Unger2002, eq. 5; Brendel2004, eq. 1.11] */
static void two_step_collision(void **state) {
    (void)state;
    talus_config config = support_config(1, 1.0);
    talus_sim *sim = support_sim(&config, 0.0);
    support_grain(sim, 0.5, 1.0, vec(0, 0, 0), vec(1, 0, 0));
    support_grain(sim, 0.5, 1.0, vec(1.3, 0, 0), vec(0, 0, 0));
    talus_contact contact;
    talus_body_view view = talus_sim_bodies(sim);
    support_steps(sim, 1);
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    assert_near(contact.force.x, 0.35, 1e-14);
    assert_near(view.velocity[0].x, 0.65, 1e-14);
    assert_near(view.velocity[1].x, 0.35, 1e-14);
    assert_near(view.position[1].x - view.position[0].x - 1.0, 0.0, 1e-14);
    support_steps(sim, 1);
    talus_sim_contacts(sim, &contact, 1);
    assert_near(contact.force.x, 0.15, 1e-14);
    support_steps(sim, 10);
    assert_near(view.velocity[0].x, 0.5, 1e-14);
    assert_near(view.velocity[1].x, 0.5, 1e-14);
    talus_sim_destroy(sim);
}

static talus_sim *pair(double gap, double v1, double v2) {
    talus_config config = support_config(1, 1.0);
    talus_sim *sim = support_sim(&config, 0.0);
    support_grain(sim, 0.5, 1.0, vec(0, 0, 0), vec(v1, 0, 0));
    support_grain(sim, 0.5, 1.0, vec(1.0 + gap, 0, 0), vec(v2, 0, 0));
    return sim;
}

/* Too far to touch in this step, and moving apart: no force, velocities untouched. */
static void open_contacts(void **state) {
    (void)state;
    talus_sim *far = pair(2.0, 0.0, -1.0), *parting = pair(0.0, 0.0, 0.1);
    talus_contact contact = {0};
    support_steps(far, 1);
    assert_true(talus_sim_bodies(far).velocity[1].x == -1.0);
    if (talus_sim_contacts(far, &contact, 1) == 1) assert_true(contact.force.x == 0.0);
    support_steps(parting, 1);
    assert_int_equal(talus_sim_contacts(parting, &contact, 1), 1);
    assert_true(contact.force.x == 0.0);
    assert_true(talus_sim_bodies(parting).velocity[1].x == 0.1);
    talus_sim_destroy(far);
    talus_sim_destroy(parting);
}

/* Pressed together by +-F: R = F, at rest, for 10^4 steps. */
static void pressed_pair_rests(void **state) {
    (void)state;
    talus_config config = support_config(1, 1.0);
    talus_sim *sim = support_sim(&config, 0.0);
    const double force = 0.371;
    for (int i = 0; i < 2; i++) {
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 0.5;
        def.mass = 1.0;
        def.position = vec(i, 0, 0);
        def.group = i == 0 ? "left" : "right";
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        assert_ok(talus_force_set(sim, def.group, def.group, vec(i == 0 ? 1 : -1, 0, 0),
                                  &(talus_signal){.mean = force}, NULL));
    }
    talus_contact contact;
    for (int step = 0; step < 10000; step++) {
        support_steps(sim, 1);
        talus_sim_contacts(sim, &contact, 1);
        assert_true(contact.force.x == force);
        assert_true(talus_sim_bodies(sim).velocity[0].x == 0.0);
    }
    assert_true(talus_sim_bodies(sim).position[1].x == 1.0);
    talus_sim_destroy(sim);
}

/* g+: an overlap without load is kept, nothing moves. g: it is gone in one step, at the price of a
 * velocity overlap/dt. [Unger2003, eq. 33] */
static void overlap_kept_or_expelled(void **state) {
    (void)state;
    talus_config config = support_config(2, 0.25);
    for (int variant = 0; variant < 2; variant++) {
        config.solver.gap = variant == 1 ? TALUS_GAP_SIGNED : TALUS_GAP_POSITIVE;
        talus_sim *sim = support_sim(&config, 0.0);
        support_grain(sim, 0.5, 1.0, vec(0, 0, 0), vec(0, 0, 0));
        support_grain(sim, 0.5, 1.0, vec(1.0 - 1e-3, 0, 0), vec(0, 0, 0));
        double before = talus_sim_bodies(sim).position[1].x - talus_sim_bodies(sim).position[0].x;
        support_steps(sim, variant == 0 ? 1000 : 1);
        talus_body_view view = talus_sim_bodies(sim);
        double after = view.position[1].x - view.position[0].x;
        double speed = view.velocity[1].x - view.velocity[0].x;
        if (variant == 0) {
            assert_true(after == before);
            assert_true(speed == 0.0);
        } else {
            assert_near(after, 1.0, 1e-15);
            assert_near(speed, 1e-3 / 0.25, 1e-15);
        }
        talus_sim_destroy(sim);
    }
}

/* A sphere (m = r = 1) hits a wall with velocity (vt, -1), mu = 0.3, in direction `angle`. */
static talus_sim *wall_impact(double vt, double angle, talus_contact *contact) {
    talus_config config = support_config(3, 1.0);
    talus_sim *sim = support_sim(&config, 0.3);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    support_grain(sim, 1.0, 1.0, vec(0, 0, 1), vec(vt * cos(angle), vt * sin(angle), -1));
    support_steps(sim, 1);
    assert_int_equal(talus_sim_contacts(sim, contact, 1), 1);
    return sim;
}

/* Sticking (vt = 1) and sliding (vt = 2), the numbers of [Unger2003, eq. 34] for a sphere. */
static void coulomb_at_a_wall(void **state) {
    (void)state;
    const double speed[2] = {1.0, 2.0}, tangential[2] = {2.0 / 7.0, 0.3},
                 left[2] = {5.0 / 7.0, 1.7};
    const double spin[2] = {5.0 / 7.0, 0.75}, slip[2] = {0.0, 0.95};
    for (int k = 0; k < 2; k++) {
        talus_contact contact;
        talus_sim *sim = wall_impact(speed[k], 0.0, &contact);
        talus_body_view view = talus_sim_bodies(sim);
        /* The normal points into the wall and the force acts on the wall. */
        assert_near(contact.force.z, -1.0, 1e-12);
        assert_near(contact.force.x, tangential[k], 1e-12);
        assert_near(view.velocity[1].x, left[k], 1e-12);
        assert_near(view.velocity[1].z, 0.0, 1e-12);
        assert_near(view.omega[1].y, spin[k], 1e-12);
        assert_near(view.velocity[1].x - view.omega[1].y, slip[k], 1e-12);
        talus_sim_destroy(sim);
    }
}

/* The friction limit is a cone: size and direction of friction do not depend on the direction. */
static void cone_is_isotropic(void **state) {
    (void)state;
    const double pi = 3.141592653589793;
    for (int k = 0; k <= 6; k++)
        for (int sliding = 0; sliding < 2; sliding++) {
            double angle = k * pi / 12.0, vt = sliding ? 2.0 : 1.0;
            talus_contact contact;
            talus_sim *sim = wall_impact(vt, angle, &contact);
            double size = hypot(contact.force.x, contact.force.y);
            double across = contact.force.x * sin(angle) - contact.force.y * cos(angle);
            assert_near(size, sliding ? 0.3 : 2.0 / 7.0, 1e-12);
            assert_near(across, 0.0, 1e-12);
            talus_sim_destroy(sim);
        }
}

/* The first of n touching balls in a row moves at 1: all move at 1/n. */
static void balls_in_touch(void **state) {
    (void)state;
    for (int n = 3; n <= 7; n += 2) {
        talus_config config = support_config(2, 0.01);
        config.solver.tolerance = 1e-15;
        config.solver.max_sweeps = 20000;
        talus_sim *sim = support_sim(&config, 0.0);
        for (int i = 0; i < n; i++)
            support_grain(sim, 0.5, 1.0, vec(i, 0, 0), vec(i == 0 ? 1 : 0, 0, 0));
        support_steps(sim, 1);
        for (int i = 0; i < n; i++)
            assert_near(talus_sim_bodies(sim).velocity[i].x, 1.0 / n, 1e-10);
        talus_sim_destroy(sim);
    }
}

/* mu_static = 0.6, mu_sliding = 0.3: a block at rest holds up to 0.6 of its weight; once it slides the
 * friction is 0.3 of it. */
static void static_and_sliding_friction(void **state) {
    (void)state;
    const double pull[3] = {0.59, 0.61, 0.59}, start[3] = {0.0, 0.0, 1.0};
    for (int k = 0; k < 3; k++) {
        talus_config config = support_config(2, 0.01);
        config.gravity = vec(0, -1, 0);
        talus_sim *sim = support_sim(&config, 0.0);
        assert_ok(talus_pair_set(sim, 0, 0, &(talus_pair_law){.mu_static = 0.6, .mu_sliding = 0.3},
                                 NULL));
        support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 1.0;
        def.mass = 1.0;
        def.position = vec(0, 1, 0);
        def.velocity = vec(start[k], 0, 0);
        def.locks = TALUS_LOCK_ROTATION;
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        assert_ok(talus_force_set(sim, "pull", "grains", vec(1, 0, 0),
                                  &(talus_signal){.mean = pull[k]}, NULL));
        support_steps(sim, 100);
        double expected = k == 0 ? 0.0 : start[k] + (pull[k] - 0.3) * 1.0;
        assert_near(talus_sim_bodies(sim).velocity[1].x, expected, 1e-12);
        talus_sim_destroy(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_step_collision), cmocka_unit_test(open_contacts),
        cmocka_unit_test(pressed_pair_rests), cmocka_unit_test(overlap_kept_or_expelled),
        cmocka_unit_test(coulomb_at_a_wall),  cmocka_unit_test(cone_is_isotropic),
        cmocka_unit_test(balls_in_touch),     cmocka_unit_test(static_and_sliding_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
