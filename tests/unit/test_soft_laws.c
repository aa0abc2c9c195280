/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft laws one contact at a time: which damping makes which restitution, what a tangential spring whose stiffness
 * changes does with energy, the graph of a bond.
 */
#include "law/soft_bond.h"
#include "law/soft_collision.h"
#include "law/soft_torque.h"
#include "support.h"

/* Validation cases 32, 33 and 37. */
static void test_restitution_tables(void **state) {
    (void)state;
    const double linear[][2] = {{0.01, 0.969265}, {0.05, 0.858758}, {0.1, 0.744079},
                                {0.2, 0.571740},  {0.3, 0.450975},  {0.5, 0.298436}};
    for (size_t k = 0; k < 6; k++)
        assert_near(soft_linear_restitution(linear[k][0], false), linear[k][1], 1e-6);
    assert_near(soft_linear_restitution(0.1, true), 0.729248, 1e-6);
    assert_near(soft_linear_duration(0.1, true), 3.157419, 1e-6);
    assert_near(soft_linear_restitution(1.0, false), exp(-2.0), 1e-12);
    assert_near(soft_linear_duration(1.0 - 2e-5, false), soft_linear_duration(1.0 + 2e-5, false),
                3e-5);
    const double viscous[][2] = {{0.075, 0.918133}, {0.3, 0.722085}};
    struct soft_collision spheres = {1.5, 0.5, false};
    for (size_t k = 0; k < 2; k++)
        assert_near(soft_restitution(&spheres, viscous[k][0]), viscous[k][1], 1e-6);
    spheres.attracts = true;
    assert_near(soft_restitution(&spheres, 0.3), 0.714045, 1e-6);
}

/* There and back, over all that can be asked for; e falls with the damping. */
static void test_damping_is_found(void **state) {
    (void)state;
    const double exponents[] = {1.0, 1.25, 1.5, 2.0, 3.0}, asked[] = {0.01, 0.1, 0.5, 0.9, 0.9999};
    for (int k = 0; k < 5 * 4; k++) {
        double alpha = exponents[k / 4], share = k % 2 ? 0.5 : 1.0, before = HUGE_VAL;
        struct soft_collision collision = {alpha, share * (alpha - 1.0), k / 2 % 2};
        assert_near(soft_damping_for(&collision, 1.0), 0.0, 0.0);
        for (int i = 0; i < 5; i++) {
            double damping = soft_damping_for(&collision, asked[i]);
            assert_near(soft_restitution(&collision, damping), asked[i], 1e-9);
            assert_true(damping < before);
            before = damping;
        }
    }
}

/* The integration and the closed form where both hold: alpha = 1, reached from just beside it. */
static void test_integration_meets_closed_form(void **state) {
    (void)state;
    for (int attracts = 0; attracts < 2; attracts++) {
        struct soft_collision exact = {1.0, 0.0, attracts}, beside = {1.0 + 1e-9, 1e-9, attracts};
        assert_near(soft_restitution(&beside, 0.6), soft_restitution(&exact, 0.6), 1e-7);
    }
}

/* Work done on a tangential spring along a path of overlaps and slips, less what is left in it. */
struct step {
    double stiffness, slip;
};

static double given(const struct step *path, int count, bool is_secant) {
    vec3 stretch = vec3_zero();
    double work = 0.0, before = path[0].stiffness;
    struct soft_drag drag = {.stored = 0.0};
    for (int k = 0; k < count; k++) {
        struct soft_spring spring = {path[k].stiffness, 0.0, {HUGE_VAL, HUGE_VAL}, is_secant};
        struct soft_slip still = {.carried = stretch};
        double pull = -soft_step(&spring, before, still, &stretch).force.x; /* as pressed now */
        before = path[k].stiffness;
        struct soft_slip slip = {.carried = stretch, .way = {path[k].slip, 0, 0}};
        drag = soft_step(&spring, before, slip, &stretch);
        work += 0.5 * (pull - drag.force.x) * path[k].slip;
    }
    return work - drag.stored;
}

/* Slip, press, slip back, lift: the secant spring gives (k2 - k1) s^2/2, the other takes. No path makes energy. */
static void test_no_energy_from_mindlin(void **state) {
    (void)state;
    const struct step cycle[] = {{100.0, 1e-3}, {300.0, 0.0}, {300.0, -1e-3}, {100.0, 0.0}};
    assert_near(given(cycle, 4, true), -0.5 * 200.0 * 1e-6, 1e-15);
    assert_true(given(cycle, 4, false) > 0.0);
    struct step path[200];
    uint64_t seed = 12345;
    for (int trial = 0; trial < 200; trial++) {
        for (int k = 0; k < 200; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            path[k].stiffness = 100.0 * (1.0 + (double)(seed >> 40) * 0x1p-24);
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            path[k].slip = 1e-3 * ((double)(seed >> 40) * 0x1p-24 - 0.5);
        }
        assert_true(given(path, 200, false) >= -1e-15);
    }
}

/* The graph of law/soft_bond.h. */
static void test_bond_graph(void **state) {
    (void)state;
    const struct soft_numbers numbers = {
        .stiffness = 1e4, .damping = 10.0, .exponent = 1.0, .slip_ratio = 0.5};
    const struct cohesion cohesion = {2.0, 1e-3}; /* stretch of the spring: 2e-4 */
    struct soft_bond bond = soft_bond(&numbers, &cohesion, -1e-4, 0.0, 5e-4);
    assert_near(bond.push.force, 1.0, 1e-12);
    assert_near(bond.opening, 0.0, 0.0); /* closed: as new */
    bond = soft_bond(&numbers, &cohesion, -1e-4, 1.0, 0.0);
    assert_near(bond.push.force, -2.0, 0.0); /* not more than F_C */
    bond = soft_bond(&numbers, &cohesion, 3e-4, 1.0, 5e-4);
    assert_near(bond.push.force, 0.0, 0.0); /* inside the rest gap */
    bond = soft_bond(&numbers, &cohesion, 6e-4, 0.0, 5e-4);
    assert_near(bond.push.force, -1.0, 1e-12);
    assert_near(bond.push.energy, 0.5e-4, 1e-15);
    assert_near(soft_bond(&numbers, &cohesion, 6e-4, -1.0, 5e-4).push.force, 0.0, 0.0);
    bond = soft_bond(&numbers, &cohesion, 9e-4, 0.0, 5e-4);
    assert_near(bond.push.force, -2.0, 1e-12); /* yields */
    assert_near(bond.opening, 7e-4, 1e-15);
    assert_near(bond.lost, 2.0 * 2e-4, 1e-15);
    bond = soft_bond(&numbers, &cohesion, 1.3e-3, 0.0, 5e-4);
    assert_true(bond.broken);
    assert_near(bond.push.force, 0.0, 0.0);
    assert_near(bond.lost, 2.0 * 5e-4 + 0.5 * 2.0 * 2e-4, 1e-15);
}

/* A contact of half-width L: k_n L^2, gamma_n L^2, up to L R_n. */
static void test_torque_spring(void **state) {
    (void)state;
    talus_torque_law law = {.coefficient = 0.2};
    struct soft_push push = {.slope = 1e4, .drag = 3.0};
    struct soft_torque torque = soft_torque_make(&law, 0.05, false);
    struct soft_spring spring = soft_torque_spring(&torque, &push, 7.0);
    assert_near(spring.stiffness, 1.0, 1e-15);
    assert_near(spring.damping, 3e-4, 1e-18);
    assert_near(spring.limits[0], 0.07, 1e-15);
    law.stiffness = 5.0;
    law.damping = 0.1;
    torque = soft_torque_make(&law, 0.05, false);
    spring = soft_torque_spring(&torque, &push, 7.0);
    assert_near(spring.stiffness, 5.0, 0.0);
    assert_near(spring.damping, 0.1, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restitution_tables),
        cmocka_unit_test(test_damping_is_found),
        cmocka_unit_test(test_integration_meets_closed_form),
        cmocka_unit_test(test_no_energy_from_mindlin),
        cmocka_unit_test(test_bond_graph),
        cmocka_unit_test(test_torque_spring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
