/* SPDX-License-Identifier: Apache-2.0
 *
 * What soft grains do wrong when they are too soft [Wolf2006, sect. 2.4]: a row that hits a wall dissipates less if
 * collisions overlap in time (detachment, validation case 43), and fast grains pass through each other (brake
 * failure, case 44). Reference: independent integrations of the same laws.
 */
#include "math/vec3.h"
#include "support.h"

static const double pi = 3.141592653589793;

/* ---- detachment -------------------------------------------------------------------------------- */

/* Mass, stiffness and velocity 1; the damping belongs to e = 0.9 without attraction's limit, and the wall's to the same
 * ratio with twice the reduced mass. */
static double energy_left(int count, double spacing) {
    const double decay = -log(0.9), z = decay / sqrt(pi * pi + decay * decay);
    const double collision = pi * sqrt(0.5) / sqrt(1.0 - z * z), gap = spacing * collision;
    talus_config config = talus_config_default();
    config.dim = 1;
    config.method = TALUS_METHOD_MD;
    config.dt = collision / 400.0;
    talus_sim *sim = support_sim(&config, 0.0);
    talus_material wall;
    assert_ok(talus_material_add(sim, "wall", 1.0, &wall, NULL));
    talus_pair_law law = {.soft = {.stiffness = 1.0, .damping = 2.0 * z * sqrt(0.5)}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    law.soft.damping = 2.0 * z;
    assert_ok(talus_pair_set(sim, 0, wall, &law, NULL));
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "wall";
    def.normal = vec(1, 0, 0);
    def.material = wall;
    assert_ok(talus_boundary_add(sim, &def, NULL));
    const double radius = 50.0; /* no grain passes through another */
    for (int k = 0; k < count; k++)
        support_grain(sim, radius, 1.0, vec((2 * k + 1) * radius + (k + 1) * gap, 0, 0),
                      vec(-1, 0, 0));
    double before = talus_sim_observe(sim).energy.kinetic_translation;
    double time = 6.0 * count * (gap + 4.0 * collision) + 40.0 * collision;
    support_steps(sim, (int)(time / config.dt));
    talus_energy after = talus_sim_observe(sim).energy;
    assert_near(after.error, 0.0, 1e-10 * after.scale);
    assert_near(after.elastic, 0.0, 1e-6 * before);
    talus_sim_destroy(sim);
    return after.kinetic_translation / before;
}

static void test_detachment(void **state) {
    (void)state;
    const double spacings[4] = {0.001, 0.1, 1.0, 10.0};
    const double expected[3][4] = {
        {0.871, 0.850, 0.671, 0.662}, {0.912, 0.869, 0.372, 0.352}, {0.931, 0.865, 0.182, 0.114}};
    const int counts[3] = {2, 5, 10};
    for (int n = 0; n < 3; n++)
        for (int k = 0; k < 4; k++)
            assert_near(energy_left(counts[n], spacings[k]), expected[n][k], 0.01);
    assert_near(energy_left(1, 1.0), 0.8134, 1e-3);
}

/* ---- brake failure ------------------------------------------------------------------------------ */

/* Change of the relative velocity along itself over V_c = 4 R cos(45 deg)/tau, at `speed` V_c. */
static double braking(double speed, double mu) {
    const double collision = pi * sqrt(0.5), v_c = 4.0 * sqrt(0.5) / collision, v = speed * v_c;
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.dt = fmin(collision, 2.0 / v) / 2000.0;
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = {.mu_static = mu, .mu_sliding = mu, .soft = {.stiffness = 1.0}};
    if (mu > 0.0) law.soft.tangential_damping = 1e3; /* it slides at once */
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? -1.0 : 1.0, half = sqrt(0.5);
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 1.0;
        def.mass = 1.0;
        def.position = vec(sign * half, 0, sign * half * (1.0 + 1e-9));
        def.velocity = vec(0, 0, -0.5 * sign * v);
        def.locks = TALUS_LOCK_ROTATION;
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    }
    support_steps(sim, (int)(3.0 * fmax(collision, 4.0 / v) / config.dt));
    talus_body_view view = talus_sim_bodies(sim);
    double left = view.velocity[1].z - view.velocity[0].z;
    talus_sim_destroy(sim);
    return (left + v) / v_c;
}

static void test_brake_failure(void **state) {
    (void)state;
    const double speeds[5] = {0.1, 0.5, 1.0, 2.0, 5.0};
    const double smooth[5] = {0.0898, 0.2527, 0.1952, 0.0615, 0.00552};
    const double rough[5] = {0.1430, 0.5341, 0.5783, 0.3282, 0.1240};
    for (int k = 0; k < 5; k++) {
        assert_near(braking(speeds[k], 0.0), smooth[k], 0.02 * smooth[k]);
        assert_near(braking(speeds[k], 0.5), rough[k], 0.02 * rough[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detachment),
        cmocka_unit_test(test_brake_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
