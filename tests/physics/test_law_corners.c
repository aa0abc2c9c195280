/* SPDX-License-Identifier: Apache-2.0
 *
 * Corners of the contact laws: guided and locked bodies, bonds side by side, ranges and radii that do not
 * fit, laws changed in the middle of a run.
 */
#include <math.h>
#include <string.h>

#include "support.h"

static const talus_pair_law everything = {
    .mu_static = 0.6,
    .mu_sliding = 0.5,
    .rolling = {.coefficient = 0.1},
    .torsion = {.coefficient = 0.1},
    .cohesion = {.force = 100.0, .range = 0.01},
    .restitution = {.normal = 0.7, .tangential = 0.5},
};

static talus_sim *box_of_discs(unsigned locks, const talus_pair_law *law) {
    talus_config config = support_config(2, 1e-3);
    config.gravity = vec(1, -9.81, 0);
    config.solver.stop = TALUS_STOP_FIXED;
    talus_sim *sim = support_sim(&config, 0.5);
    assert_ok(talus_pair_set(sim, 0, 0, law, NULL));
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    support_plane(sim, "left", vec(0, 0, 0), vec(1, 0, 0));
    support_plane(sim, "right", vec(1, 0, 0), vec(-1, 0, 0));
    for (int i = 0; i < 30; i++) {
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 0.04;
        def.mass = 1.0;
        def.position = vec(0.1 + 0.13 * (i % 7), 0.1 + 0.11 * (i / 7), 0);
        def.velocity = vec(sin(i), cos(2 * i), 0);
        def.locks = i % 7 == 0 ? locks : 0;
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    }
    return sim;
}

/* Discs that can move along one line only have coupled contacts; nothing of it leaves the plane. */
static void a_plane_world_stays_plane(void **state) {
    (void)state;
    const unsigned locks[3] = {TALUS_LOCK_X, TALUS_LOCK_Y, TALUS_LOCK_Z};
    for (int k = 0; k < 6; k++) {
        talus_pair_law law = everything;
        if (k >= 3) law.restitution = (talus_restitution_law){0};
        talus_sim *sim = box_of_discs(locks[k % 3], &law);
        support_steps(sim, 1000);
        talus_body_view view = talus_sim_bodies(sim);
        for (size_t i = 0; i < view.count; i++)
            assert_true(view.position[i].z == 0.0 && view.velocity[i].z == 0.0 &&
                        view.omega[i].x == 0.0 && view.omega[i].y == 0.0);
        (void)support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

static double kinetic(const talus_sim *sim) {
    talus_energy energy = support_ledger(sim);
    return energy.kinetic_translation + energy.kinetic_rotation;
}

/* A disc guided along y meets an incline: normal and tangent couple, and Newton's law with friction would
 * give energy (48 % for the first of these). */
static void a_guided_impact_gains_nothing(void **state) {
    (void)state;
    const double degrees[3] = {80, 50, 65}, mus[3] = {0.1, 0.3, 0.4}, spins[3] = {0, 20, -20};
    for (int k = 0; k < 27; k++) {
        double angle = degrees[k % 3] * 3.141592653589793 / 180.0;
        talus_config config = support_config(2, 1e-3);
        talus_sim *sim = support_sim(&config, 0);
        talus_pair_law law = {.mu_static = mus[k / 3 % 3],
                              .mu_sliding = mus[k / 3 % 3],
                              .restitution = {1.0, k % 2 == 0 ? 0.0 : -1.0, 0.0}};
        assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
        support_plane(sim, "slope", vec(0, 0, 0), vec(sin(angle), cos(angle), 0));
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 0.1;
        def.mass = 1.0;
        def.position = vec(0.1005 * sin(angle), 0.1005 * cos(angle), 0);
        def.velocity = vec(0, -1, 0);
        def.omega = vec(0, 0, spins[k / 9]);
        def.locks = TALUS_LOCK_X;
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        double before = kinetic(sim);
        support_steps(sim, 30);
        assert_true(kinetic(sim) <= before * (1.0 + 1e-6));
        assert_true(talus_sim_bodies(sim).velocity[1].y > -1.0); /* it did meet the slope */
        talus_sim_destroy(sim);
    }
}

/* e_t = 1 under a force along the wall, and e_t with rolling friction: alone on a wall, never a gain. */
static void slip_restitution_gains_nothing(void **state) {
    (void)state;
    for (int k = 0; k < 16; k++) {
        talus_config config = support_config(k % 2 == 0 ? 2 : 3, 1e-3);
        config.gravity = vec(k / 2 % 2 == 0 ? 9 : -9, 0, 0);
        talus_sim *sim = support_sim(&config, 0);
        talus_pair_law law = {.mu_static = 10, .mu_sliding = 10};
        law.restitution = (talus_restitution_law){1.0, k / 4 % 2 == 0 ? 1.0 : -0.9, 0.0};
        law.rolling.coefficient = k / 8 == 0 ? 0.0 : 0.3;
        assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
        support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 0.1;
        def.mass = 1.0;
        def.position = vec(0, 0.1105, 0);
        def.velocity = vec(5, -1, 0);
        def.omega = vec(0, 0, 30);
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        double last = kinetic(sim) + talus_sim_observe(sim).energy.potential;
        for (int step = 0; step < 30; step++) {
            support_steps(sim, 1);
            double now = kinetic(sim) + talus_sim_observe(sim).energy.potential;
            assert_true(now <= last + 1e-6 * 13.0);
            last = now;
        }
        assert_true(talus_sim_bodies(sim).velocity[1].y > 0.99);
        talus_sim_destroy(sim);
    }
}

/* N bonds hold N F_C at any range, however short against what the load would do in one step. */
static void bonds_side_by_side(void **state) {
    (void)state;
    const double ranges[4] = {1e-2, 1e-6, 1e-8, 0.0};
    for (int k = 0; k < 12; k++) {
        int bonds = 1 + 3 * (k % 3);
        double load = k % 2 == 0 ? 0.95 : 0.9;
        talus_config config = support_config(2, 1e-3);
        talus_sim *sim = support_sim(&config, 0);
        talus_pair_law law = {.cohesion = {.force = 1.0, .range = ranges[k / 3]}};
        assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
        talus_boundary_def piston = talus_boundary_def_default();
        piston.name = "piston";
        piston.point = vec(0, 1, 0);
        piston.normal = vec(0, -1, 0);
        piston.free = (talus_free_motion){.mass = 1, .direction = vec(0, 1, 0)};
        piston.free.force = (talus_signal){.mean = load * bonds};
        assert_ok(talus_boundary_add(sim, &piston, NULL));
        for (int i = 0; i < bonds; i++) {
            talus_body_def def = talus_body_def_default(sim);
            def.radius = 0.5;
            def.mass = 1.0;
            def.position = vec(2.0 * i, 0.5, 0);
            def.locks = TALUS_LOCK_X | TALUS_LOCK_Y | TALUS_LOCK_ROTATION;
            assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        }
        support_steps(sim, 50);
        assert_int_equal(talus_sim_observe(sim).bonds, bonds);
        assert_near(talus_sim_boundary(sim, 0).point.y, 1.0, 1e-12);
        talus_sim_destroy(sim);
    }
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    talus_error err;
    talus_config config = support_config(2, 1e-3);
    config.cell.periodic[0] = true;
    config.cell.size = vec(4, 0, 0);
    talus_sim *sim = support_sim(&config, 0);
    talus_pair_law law = {.cohesion = {.force = 1.0, .range = 1.5}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    support_grain(sim, 0.5, 0.0, vec(0, 0, 0), vec(0, 0, 0));
    assert_int_equal(talus_sim_step(sim, NULL, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "does not fit into the cell: along x"));
    assert_int_equal(talus_sim_step_count(sim), 0);
    talus_sim_destroy(sim);

    config = support_config(2, 1e-3);
    sim = support_sim(&config, 0);
    talus_boundary_def drum = talus_boundary_def_default();
    drum.name = "drum";
    drum.shape = TALUS_CYLINDER_INSIDE;
    drum.radius = 1.0;
    assert_ok(talus_boundary_add(sim, &drum, NULL));
    talus_body_def def = talus_body_def_default(sim);
    def.radius = def.mass = 1.0;
    assert_int_equal(talus_bodies_add(sim, &def, 1, NULL, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "must be smaller than that of the cylinder 'drum', 1"));
    talus_boundary_def plate = talus_boundary_def_default();
    plate.name = "plate";
    plate.shape = TALUS_RECTANGLE;
    plate.normal = vec(0, 1, 0);
    plate.edge = vec(1, 0, 0);
    plate.size[0] = plate.size[1] = 1.0;
    plate.point = vec(0, 0, 0.6);
    assert_int_equal(talus_boundary_add(sim, &plate, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "must cross the plane z = 0"));
    talus_sim_destroy(sim);
}

/* Laws that come and go while grains move: the ledger closes and no tension is ever negative. */
static void laws_change_on_the_way(void **state) {
    (void)state;
    talus_sim *sim = box_of_discs(TALUS_LOCK_X, &everything);
    static talus_contact contacts[500];
    for (int k = 0; k < 20; k++) {
        talus_pair_law law = everything;
        law.cohesion.range = k % 3 == 0 ? 1e-4 : 0.02;
        if (k % 4 == 1) law.cohesion.force = 0.0;
        if (k % 5 == 2) law.rolling.coefficient = law.torsion.coefficient = 0.0;
        if (k % 2 == 1) law.restitution = (talus_restitution_law){0};
        assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
        support_steps(sim, 50);
        size_t count = talus_sim_contacts(sim, contacts, 500);
        for (size_t c = 0; c < count; c++) assert_true(contacts[c].tension >= 0.0);
        (void)support_ledger(sim);
    }
    talus_sim_destroy(sim);
}

/* The speed of two bonded balls of mass 1 apart, along n; then steps without a force. */
static void pull_apart(talus_sim *sim, talus_vec3 n, double speed, double seconds) {
    const char *names[2] = {"one", "two"};
    for (int k = 0; k < 2; k++) {
        double half = k == 0 ? -0.5 * speed : 0.5 * speed;
        assert_ok(
            talus_group_set_velocity(sim, names[k], vec(half * n.x, half * n.y, half * n.z), NULL));
    }
    support_steps(sim, (int)lround(seconds / talus_sim_dt(sim)));
}

/* A bond that opened by x and then closed a little, with friction on and in any direction, has not forgotten x. Opened
 * at 0.15 m/s with m_n = 0.5 and F_C = 1: x = 0.005625 of d_C = 0.01; 0.0044 J are left, so 0.12 m/s does not break
 * it and 0.14 m/s does. */
static void a_weakened_bond_remembers(void **state) {
    (void)state;
    for (int k = 0; k < 40; k++) {
        bool breaks = k % 2 == 1;
        double a = 0.7 * k, c = cos(1.3 * k), s = sqrt(1.0 - c * c);
        talus_vec3 n = vec(s * cos(a), s * sin(a), c);
        talus_config config = support_config(3, 1e-3);
        talus_sim *sim = support_sim(&config, 0.5);
        talus_pair_law law = {
            .mu_static = 0.5, .mu_sliding = 0.5, .cohesion = {.force = 1.0, .range = 0.01}};
        assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
        for (int side = 0; side < 2; side++) {
            talus_body_def def = talus_body_def_default(sim);
            double at = side == 0 ? -0.1 : 0.1;
            def.radius = 0.1;
            def.mass = 1.0;
            def.group = side == 0 ? "one" : "two";
            def.position = vec(at * n.x, at * n.y, at * n.z);
            def.omega = vec(0.3, -0.2, 0.1 * side);
            assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        }
        support_steps(sim, 2);
        pull_apart(sim, n, 0.15, 0.2);
        pull_apart(sim, n, -0.001, 0.02); /* closes by 2e-5 m */
        pull_apart(sim, n, breaks ? 0.14 : 0.12, 0.2);
        assert_int_equal(talus_sim_observe(sim).bonds_broken, breaks ? 1 : 0);
        (void)support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* A ball that can move up and down and turn: friction and rolling torque do the same to it, each up to its limit. It spins
 * down with (mu + mu_t/r) m g r. */
static void a_ball_that_can_only_turn(void **state) {
    (void)state;
    const double radii[4] = {0.1, 0.028233, 0.5, 0.3333}, g = 9.81, mu = 0.4, rolling = 0.1;
    for (int k = 0; k < 4; k++) {
        talus_config config = support_config(3, 1e-3);
        config.gravity = vec(0, 0, -g);
        talus_sim *sim = support_sim(&config, mu);
        talus_pair_law law = {
            .mu_static = mu, .mu_sliding = mu, .rolling = {.coefficient = rolling}};
        assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
        support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
        talus_body_def def = talus_body_def_default(sim);
        def.radius = radii[k];
        def.mass = 1.0;
        def.position = vec(0, 0, radii[k]);
        def.omega = vec(100, 0, 0);
        def.locks = TALUS_LOCK_X | TALUS_LOCK_Y;
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        support_steps(sim, 10);
        double lost = (mu + rolling) * g / (0.4 * radii[k]) * 0.01;
        assert_near(talus_sim_bodies(sim).omega[1].x, 100.0 - lost, 1e-10 * lost);
        (void)support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_world_stays_plane),
        cmocka_unit_test(a_guided_impact_gains_nothing),
        cmocka_unit_test(slip_restitution_gains_nothing),
        cmocka_unit_test(bonds_side_by_side),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(laws_change_on_the_way),
        cmocka_unit_test(a_weakened_bond_remembers),
        cmocka_unit_test(a_ball_that_can_only_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
