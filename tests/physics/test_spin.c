/* SPDX-License-Identifier: Apache-2.0
 *
 * Bodies with unequal moments of inertia, turning freely: [validation 78, 79]. The gyroscopic torque is
 * part of the step; angular momentum and energy are kept to rounding by the midpoint rule, angles are of
 * second order in dt.
 */
#include "math/vec3.h"
#include "support.h"

static talus_sim *spinning_box(double a, double b, double c, double dt, vec3 omega, quat turn) {
    talus_config config = support_config(3, dt);
    config.gravity = vec3_zero();
    talus_sim *sim = support_sim(&config, 0.5);
    vec3 corners[8];
    for (int k = 0; k < 8; k++)
        corners[k] =
            vec3_make((k & 1 ? 0.5 : -0.5) * a, (k & 2 ? 0.5 : -0.5) * b, (k & 4 ? 0.5 : -0.5) * c);
    talus_shape_part part = {.points = corners, .count = 8, .rounding = 0.0};
    assert_ok(talus_shape_add(sim, "box", &part, 1, NULL));
    talus_body_def def = talus_body_def_default(sim);
    def.shape = "box";
    def.mass = 1.0;
    def.radius = 0.0;
    def.orientation = turn;
    def.omega = quat_rotate(turn, omega);
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    return sim;
}

static vec3 body_omega(const talus_sim *sim) {
    talus_body_view view = talus_sim_bodies(sim);
    quat q = view.orientation[0], back = {q.w, -q.x, -q.y, -q.z};
    return quat_rotate(back, view.omega[0]);
}

static vec3 angular_momentum(const talus_sim *sim, vec3 moments) {
    talus_body_view view = talus_sim_bodies(sim);
    vec3 w = body_omega(sim);
    return quat_rotate(view.orientation[0],
                       vec3_make(moments.x * w.x, moments.y * w.y, moments.z * w.z));
}

static double energy(const talus_sim *sim, vec3 moments) {
    vec3 w = body_omega(sim);
    return 0.5 * (moments.x * w.x * w.x + moments.y * w.y * w.y + moments.z * w.z * w.z);
}

/* When the middle component of the body's own angular velocity changes sign. */
static void find_crossings(double dt, double crossings[3]) {
    const vec3 moments = {13.0 / 12.0, 10.0 / 12.0, 5.0 / 12.0};
    quat turn = quat_turn(quat_identity(), vec3_make(0.3, -0.7, 1.1));
    talus_sim *sim = spinning_box(1.0, 2.0, 3.0, dt, vec3_make(0.01, 1.0, 0.01), turn);
    vec3 momentum = angular_momentum(sim, moments);
    double start = energy(sim, moments), before = body_omega(sim).y;
    for (int found = 0; found < 3;) {
        support_steps(sim, 1);
        double now = body_omega(sim).y;
        if ((now < 0.0) != (before < 0.0))
            crossings[found++] = talus_sim_time(sim) - dt * now / (now - before);
        before = now;
        assert_true(talus_sim_time(sim) < 70.0);
    }
    vec3 lost = vec3_sub(angular_momentum(sim, moments), momentum);
    /* Rounding: some 1e-16 a step, over thousands of steps. */
    assert_near(vec3_norm(lost) / vec3_norm(momentum), 0.0, 1e-11);
    assert_near(energy(sim, moments) / start, 1.0, 1e-11);
    talus_sim_destroy(sim);
}

static void test_intermediate_axis_turns_over(void **state) {
    (void)state;
    const double expected[3] = {10.485, 36.036, 61.586};
    double coarse[3], fine[3];
    find_crossings(0.04, coarse);
    find_crossings(0.02, fine);
    for (int k = 0; k < 3; k++) {
        double best = fine[k] + (fine[k] - coarse[k]) / 3.0; /* second order in dt */
        assert_near(best, expected[k], 1e-3);
        assert_near(fine[k], expected[k], 0.02);
    }
}

/* A body with an axis of symmetry: in its own frame the angular velocity goes around that axis at the rate
 * (I3 - I1)/I1 w3. */
static void test_symmetric_prism_precesses(void **state) {
    (void)state;
    const double i1 = (1.0 + 9.0) / 12.0, i3 = 2.0 / 12.0, w3 = 0.8, dt = 1e-3;
    talus_sim *sim = spinning_box(1.0, 1.0, 3.0, dt, vec3_make(0.3, 0.0, w3), quat_identity());
    double rate = (i3 - i1) / i1 * w3, turned = 0.0;
    vec3 before = body_omega(sim);
    for (int step = 0; step < 4000; step++) {
        support_steps(sim, 1);
        vec3 now = body_omega(sim);
        turned += atan2(before.x * now.y - before.y * now.x, before.x * now.x + before.y * now.y);
        before = now;
    }
    assert_near(turned / 4.0, rate, 1e-6);
    assert_near(before.z, w3, 1e-11);
    assert_near(hypot(before.x, before.y), 0.3, 1e-11);
    talus_sim_destroy(sim);
}

/* A thin rod that spins about its long axis and tumbles: the rule is implicit and must be solved, also where its
 * fixed point repels. */
static void test_needle_keeps_energy(void **state) {
    (void)state;
    for (double rate = 10.0; rate < 2000.0; rate *= 2.0) {
        const vec3 moments = {(1e-4 + 1.0) / 12.0, (1e-4 + 1.0) / 12.0, 2e-4 / 12.0};
        talus_sim *sim = spinning_box(0.01, 0.01, 1.0, 1e-3,
                                      vec3_make(rate, 0.3 * rate, 5.0 * rate), quat_identity());
        vec3 momentum = angular_momentum(sim, moments);
        double start = energy(sim, moments);
        support_steps(sim, 200);
        vec3 lost = vec3_sub(angular_momentum(sim, moments), momentum);
        assert_near(energy(sim, moments) / start, 1.0, 1e-9);
        assert_near(vec3_norm(lost) / vec3_norm(momentum), 0.0, 1e-9);
        talus_sim_destroy(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_intermediate_axis_turns_over),
        cmocka_unit_test(test_symmetric_prism_precesses),
        cmocka_unit_test(test_needle_keeps_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
