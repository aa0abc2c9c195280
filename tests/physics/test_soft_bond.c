/* SPDX-License-Identifier: Apache-2.0
 *
 * Cohesion of soft grains: slow pull, impact, ceiling and wall (validation cases 27-30 with springs).
 */
#include "math/vec3.h"
#include "support.h"

static const double force = 1.0, range = 0.01; /* F_C, d_C: E_C = 0.01 J */

struct setting {
    talus_pair_law law;
    talus_vec3 gravity;
    double mass, dt, depth; /* depth: overlap at the start */
    unsigned locks;
    double plane_velocity;
};

/* A ball of radius 0.1 on a plane z = 0. */
static talus_sim *stuck(const struct setting *setting) {
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.dt = setting->dt;
    config.gravity = setting->gravity;
    talus_sim *sim = support_sim(&config, 0.0);
    assert_ok(talus_pair_set(sim, 0, 0, &setting->law, NULL));
    talus_boundary_def plane = talus_boundary_def_default();
    plane.name = "plane";
    plane.normal = vec(0, 0, 1);
    plane.motion.velocity = vec(0, 0, setting->plane_velocity);
    assert_ok(talus_boundary_add(sim, &plane, NULL));
    talus_body_def def = talus_body_def_default(sim);
    def.radius = 0.1;
    def.mass = setting->mass;
    def.position = vec(0, 0, 0.1 - setting->depth);
    def.locks = setting->locks;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    return sim;
}

static vec3 ball_at(const talus_sim *sim) {
    talus_body_view view = talus_sim_bodies(sim);
    return view.position[view.count - 1];
}

static vec3 ball_velocity(const talus_sim *sim) {
    talus_body_view view = talus_sim_bodies(sim);
    return view.velocity[view.count - 1];
}

static const talus_soft_law linear = {.stiffness = 1e4},
                            hertz = {.stiffness = 1e6, .exponent = 1.5};

static double stretch_of(const talus_soft_law *law) {
    return law->exponent > 1.0 ? pow(force / law->stiffness, 1.0 / law->exponent)
                               : force / law->stiffness;
}

static double stored_of(const talus_soft_law *law) {
    return force * stretch_of(law) / (law->exponent > 1.0 ? 2.5 : 2.0);
}

/* A plane goes away slowly from a ball so heavy that it stays: the work to break the bond is E_C and what its spring
 * held, the force never more than F_C, and with range 0 it breaks at the stretch of the spring. */
static void pull_apart(const talus_soft_law *soft, double reach, double dt) {
    const double speed = 0.02;
    struct setting setting = {.law = {.cohesion = {.force = force, .range = reach}, .soft = *soft},
                              .mass = 1e7,
                              .dt = dt,
                              .depth = 1e-9,
                              .plane_velocity = -speed};
    talus_sim *sim = stuck(&setting);
    double most = 0.0, broke = 0.0;
    for (int k = 0; talus_sim_time(sim) < (range + 5e-4) / speed; k++) {
        support_steps(sim, 1);
        talus_contact contact = {.force = {0, 0, 0}};
        talus_sim_contacts(sim, &contact, 1);
        most = fmax(most, vec3_norm(contact.force));
        if (talus_sim_observe(sim).bonds == 0 && broke == 0.0) broke = speed * talus_sim_time(sim);
    }
    double expected = force * reach + stored_of(soft), step = speed * dt;
    assert_true(most <= force * (1.0 + 1e-12) && most > 0.99 * force);
    assert_near(broke, reach + stretch_of(soft), 2.0 * step);
    talus_observables seen = talus_sim_observe(sim);
    assert_int_equal(seen.bonds_broken, 1);
    talus_energy energy = support_ledger(sim);
    assert_near(energy.work_boundary, expected, 0.51 * force * step + 5e-9); /* order 1 */
    assert_near(energy.dissipation_bonds, expected, 1e-9 + 0.01 * force * step);
    talus_sim_destroy(sim);
}

static void test_slow_pull(void **state) {
    (void)state;
    const talus_soft_law *laws[2] = {&linear, &hertz};
    for (int k = 0; k < 4; k++) {
        pull_apart(laws[k % 2], k / 2 ? range : 0.0, 1e-5);
        pull_apart(laws[k % 2], k / 2 ? range : 0.0, 2.5e-6);
    }
}

/* A ball of mass 0.5 leaves the plane with speed v; the largest gap and the speed afterwards. */
struct leap {
    double highest, speed;
    bool broken;
};

static struct leap leap(const talus_soft_law *soft, double speed, double dt) {
    struct setting setting = {.law = {.cohesion = {.force = force, .range = range}, .soft = *soft},
                              .mass = 0.5,
                              .dt = dt,
                              .depth = 1e-12};
    struct leap out = {.highest = 0.0};
    talus_sim *sim = stuck(&setting);
    support_steps(sim, 1); /* it touches */
    assert_ok(talus_group_set_velocity(sim, "grains", vec(0, 0, speed), NULL));
    while (talus_sim_time(sim) < 0.15) {
        support_steps(sim, 1);
        out.highest = fmax(out.highest, ball_at(sim).z - 0.1);
    }
    out.speed = ball_velocity(sim).z;
    out.broken = talus_sim_observe(sim).bonds_broken > 0;
    talus_energy energy = support_ledger(sim);
    if (out.broken) assert_near(energy.dissipation_bonds, force * range + stored_of(soft), 1e-9);
    talus_sim_destroy(sim);
    return out;
}

/* Case 28: breaks iff its energy is more than E_C and what the spring takes; the same for every dt. */
static void test_impact_against_energy(void **state) {
    (void)state;
    const talus_soft_law hard = {.stiffness = 1e6};
    double threshold = sqrt(2.0 * (force * range + stored_of(&hard)) / 0.5);
    for (double dt = 1e-4; dt > 5e-6; dt *= 0.3) { /* a 20th to a 250th of a collision */
        struct leap stays = leap(&hard, 0.19, dt), leaves = leap(&hard, 0.25, dt);
        assert_false(stays.broken);
        assert_near(stays.highest, 0.009025 + 0.5 * stretch_of(&hard),
                    1e-6 + 0.1 * dt); /* v dt/2 */
        assert_true(fabs(stays.speed) < 1.05 * sqrt(2.0 * stored_of(&hard) / 0.5));
        assert_true(leaves.broken);
        assert_near(leaves.speed, sqrt(0.0625 - threshold * threshold), 0.3 * dt / 0.1);
        assert_false(leap(&hard, threshold * (1.0 - 10.0 * dt), dt).broken);
        assert_true(leap(&hard, threshold * (1.0 + 10.0 * dt), dt).broken);
    }
}

/* Case 29: pushed together again it is as strong as new. */
static void test_closes_again(void **state) {
    (void)state;
    struct setting setting = {.law = {.cohesion = {.force = force, .range = range}, .soft = linear},
                              .mass = 0.5,
                              .dt = 1e-5,
                              .depth = 1e-12};
    talus_sim *sim = stuck(&setting);
    support_steps(sim, 1);
    for (int k = 0; k < 3; k++) {
        double highest = 0.0;
        assert_ok(talus_group_set_velocity(sim, "grains", vec(0, 0, 0.19), NULL));
        for (int step = 0; step < 10000; step++) {
            support_steps(sim, 1);
            highest = fmax(highest, ball_at(sim).z - 0.1);
        }
        assert_near(highest, 0.009025 + 0.5 * stretch_of(&linear), 1e-5);
        assert_ok(talus_group_set_velocity(sim, "grains", vec(0, 0, -0.01), NULL));
        while (ball_at(sim).z > 0.1) support_steps(sim, 1);
    }
    assert_int_equal(talus_sim_observe(sim).bonds_broken, 0);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* Case 30: holds below the ceiling iff m g <= F_C, on a vertical wall iff m g <= mu F_C. */
static bool holds(const talus_soft_law *soft, double share, bool ceiling) {
    const double mu = 0.4;
    double weight = share * force * (ceiling ? 1.0 : mu);
    struct setting setting = {.law = {.mu_static = mu,
                                      .mu_sliding = mu,
                                      .cohesion = {.force = force, .range = 1e-4},
                                      .soft = *soft},
                              .mass = weight / 9.81,
                              .dt = 2e-5,
                              .depth = 1e-9,
                              .locks = TALUS_LOCK_ROTATION};
    setting.law.soft.restitution = 0.2;
    setting.law.soft.damping_form = TALUS_DAMPING_CONSTANT;
    setting.law.soft.tangential_ratio = setting.law.soft.tangential_damping_ratio = 0.5;
    talus_sim *sim = stuck(&setting);
    const double away = ceiling ? 1.0 : 0.0, along = 1.0 - away;
    for (int k = 1; k <= 100; k++) { /* slowly, so that it does not swing */
        double now = 9.81 * k / 100.0;
        assert_ok(talus_sim_set_gravity(sim, vec(along * now, 0, away * now), NULL));
        support_steps(sim, 500);
    }
    support_steps(sim, 10000);
    double moved = vec3_norm(ball_velocity(sim));
    talus_energy energy = talus_sim_observe(sim).energy;
    assert_near(energy.error, 0.0, 1e-10 * energy.scale);
    talus_sim_destroy(sim);
    return moved < 1e-4;
}

static void test_ceiling_and_wall(void **state) {
    (void)state;
    const talus_soft_law *laws[2] = {&linear, &hertz};
    for (int k = 0; k < 4; k++) {
        assert_true(holds(laws[k % 2], 0.99, k / 2));
        assert_false(holds(laws[k % 2], 1.01, k / 2));
    }
}

/* Free to turn it rolls down unless L F_C >= m g r too. */
static void test_rolls_down_the_wall(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct setting setting = {.law = {.mu_static = 1.0,
                                          .mu_sliding = 1.0,
                                          .rolling = {.coefficient = 0.2, .damping = 0.02},
                                          .cohesion = {.force = force, .range = 1e-4},
                                          .soft = {.stiffness = 1e4, .tangential_ratio = 0.5}},
                                  .mass = (k == 0 ? 0.98 : 1.02) * 0.2 * force / 9.81,
                                  .dt = 2e-5,
                                  .depth = 1e-9};
        setting.law.soft.restitution = 0.2;
        setting.law.soft.tangential_damping_ratio = 0.5;
        talus_sim *sim = stuck(&setting);
        for (int n = 1; n <= 100; n++) {
            assert_ok(talus_sim_set_gravity(sim, vec(9.81 * n / 100.0, 0, 0), NULL));
            support_steps(sim, 500);
        }
        support_steps(sim, 20000);
        double moving = vec3_norm(ball_velocity(sim));
        assert_true(k == 0 ? moving < 1e-5 : moving > 1e-2);
        support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* Bonds that form on command only. */
static void test_bonds_on_command(void **state) {
    (void)state;
    struct setting setting = {
        .law = {.cohesion = {.force = force, .range = range, .on_command = true}, .soft = linear},
        .mass = 0.5,
        .dt = 1e-5,
        .depth = 1e-9};
    setting.law.soft.damping = 50.0;
    for (int command = 0; command < 2; command++) {
        talus_sim *sim = stuck(&setting);
        support_steps(sim, 1);
        int64_t count = -1;
        if (command) assert_ok(talus_sim_bond_contacts(sim, &count, NULL));
        assert_int_equal(count, command ? 1 : -1);
        assert_ok(talus_group_set_velocity(sim, "grains", vec(0, 0, 0.1), NULL));
        support_steps(sim, 20000);
        assert_int_equal(talus_sim_observe(sim).bonds, command);
        double gap = ball_at(sim).z - 0.1;
        assert_true(command ? gap < 0.0026 : gap > 0.0199); /* m v^2/2 F_C = 0.0025 */
        talus_contact contact = {.tension = 0.0};
        assert_int_equal(talus_sim_contacts(sim, &contact, 1), command);
        assert_true(contact.bonded == command);
        assert_near(contact.tension, command * force, 0.0);
        support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* Everything at once: sticky grains that roll, fall into a box. */
static void test_sticky_pile(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.dt = 2e-5;
    config.gravity = vec(0, 0, -9.81);
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = {.mu_static = 0.5,
                          .mu_sliding = 0.4,
                          .rolling = {.coefficient = 0.1},
                          .torsion = {.coefficient = 0.1},
                          .cohesion = {.force = 0.05, .range = 1e-4},
                          .soft = {.young = 2e6,
                                   .poisson = 0.25,
                                   .restitution = 0.5,
                                   .damping_form = TALUS_DAMPING_CONSTANT,
                                   .tangential = TALUS_TANGENTIAL_MINDLIN,
                                   .tangential_damping_ratio = 0.85}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    for (int k = 0; k < 48; k++) {
        double x = k % 4, y = k / 4 % 4, z = k / 16;
        support_grain(sim, 0.01, 0.01, vec(0.021 * x + 0.003 * z, 0.021 * y, 0.011 + 0.021 * z),
                      vec(0.05 * sin(k), 0.05 * cos(3.0 * k), -0.5));
    }
    support_steps(sim, 50000);
    talus_energy energy = support_ledger(sim);
    assert_near(energy.step_loss / energy.scale, 0.0, 2e-3);
    assert_true(energy.dissipation_impact > 0.0 && energy.dissipation_sliding > 0.0);
    assert_true(energy.dissipation_rolling > 0.0 && energy.dissipation_torsion > 0.0);
    assert_true(energy.dissipation_bonds > 0.0);
    assert_true(talus_sim_observe(sim).bonds > 48);
    assert_ok(talus_sim_validate(sim, NULL));
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_pull),           cmocka_unit_test(test_impact_against_energy),
        cmocka_unit_test(test_closes_again),        cmocka_unit_test(test_ceiling_and_wall),
        cmocka_unit_test(test_bonds_on_command),    cmocka_unit_test(test_sticky_pile),
        cmocka_unit_test(test_rolls_down_the_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
