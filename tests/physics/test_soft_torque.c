/* SPDX-License-Identifier: Apache-2.0
 *
 * Rolling and torsion of soft grains: a ball on a plane, against the rigid law (validation cases 21-23, 25) and against
 * the angle that the spring predicts.
 */
#include "math/vec3.h"
#include "support.h"

static const double g = 9.81, pi = 3.141592653589793;

/* A ball of radius 1 and mass 1 that has sunk in as its weight demands; gravity inclined by `angle`. */
struct ball {
    talus_pair_law law;
    double angle, sunk; /* rad, m */
    vec3 velocity, omega;
    double dt;
    bool is_disc; /* in the plane, by Gear's integrator */
};

static const talus_soft_law stiff = {.stiffness = 1e6,
                                     .restitution = 0.3,
                                     .tangential_ratio = 2.0 / 7.0,
                                     .tangential_damping_ratio = 2.0 / 7.0};

static talus_sim *put_down(const struct ball *ball) {
    talus_config config = talus_config_default();
    vec3 up = ball->is_disc ? vec3_make(0, 1, 0) : vec3_make(0, 0, 1);
    config.method = TALUS_METHOD_MD;
    config.dt = ball->dt;
    if (ball->is_disc) {
        config.dim = 2;
        config.integrator = "gear5";
    }
    config.gravity =
        vec3_add_scaled(vec3_make(g * sin(ball->angle), 0, 0), -g * cos(ball->angle), up);
    talus_sim *sim = support_sim(&config, 0.0);
    assert_ok(talus_pair_set(sim, 0, 0, &ball->law, NULL));
    support_plane(sim, "floor", vec(0, 0, 0), up);
    talus_body_def def = talus_body_def_default(sim);
    def.radius = 1.0;
    def.mass = 1.0;
    def.position = vec3_scale(1.0 - ball->sunk, up);
    def.velocity = ball->velocity;
    def.omega = ball->omega;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    return sim;
}

static talus_index ball_of(talus_sim *sim) {
    return (talus_index)(talus_sim_bodies(sim).count - 1);
}

/* m/s, gained in a second, after half a second. */
static double gain(struct ball ball) {
    talus_sim *sim = put_down(&ball);
    talus_index i = ball_of(sim);
    support_steps(sim, 10000);
    double before = talus_sim_bodies(sim).velocity[i].x;
    support_steps(sim, 20000);
    double now = talus_sim_bodies(sim).velocity[i].x;
    support_ledger(sim);
    talus_sim_destroy(sim);
    return now - before;
}

static struct ball rolling_ball(double length, double angle) {
    return (struct ball){.law = {.mu_static = 1.0,
                                 .mu_sliding = 1.0,
                                 .rolling = {.coefficient = length, .scale = TALUS_TORQUE_LENGTH},
                                 .soft = stiff},
                         .angle = angle,
                         .sunk = g * cos(angle) / stiff.stiffness,
                         .dt = 5e-5}; /* a sixtieth of a collision */
}

/* Case 23: v = 1, L/r = 0.05: stops after 2.854 s and 1.427 m, and stays. */
static void test_rolls_to_a_stop(void **state) {
    (void)state;
    struct ball ball = rolling_ball(0.05, 0.0);
    ball.law.rolling.damping = 30.0; /* to swing no longer than needed */
    ball.velocity = vec3_make(1, 0, 0);
    ball.omega = vec3_make(0, 1, 0);
    talus_sim *sim = put_down(&ball);
    support_steps(sim, 20000); /* 1 s */
    talus_index i = ball_of(sim);
    assert_near(talus_sim_bodies(sim).velocity[i].x, 1.0 - 0.35036, 5e-4);
    support_steps(sim, 60000);
    double rest = talus_sim_bodies(sim).position[i].x;
    assert_near(rest, 1.4271, 1e-3);
    support_steps(sim, 20000);
    assert_near(talus_sim_bodies(sim).position[i].x, rest, 1e-4);
    assert_near(vec3_norm(talus_sim_bodies(sim).velocity[i]), 0.0, 1e-4);
    talus_energy energy = support_ledger(sim);
    assert_near(energy.dissipation_rolling, 0.7, 2e-3); /* (1 + 2/5) m v^2/2 */
    assert_near(energy.dissipation_torsion, 0.0, 1e-15);
    talus_sim_destroy(sim);
}

/* Cases 21 and 22: below L/r it holds, turned by m g sin r/k_r, and does not creep; above it moves off as a rigid one. */
static void test_rolling_on_a_slope(void **state) {
    (void)state;
    const double length = 0.2, angle = 5.0 * pi / 180.0; /* it swings up to twice its load */
    struct ball ball = rolling_ball(length, angle);
    ball.law.rolling.damping = 500.0; /* to come to rest soon */
    talus_sim *sim = put_down(&ball);
    talus_index i = ball_of(sim);
    support_steps(sim, 100000);
    double pull = g * sin(angle), turned = pull / (stiff.stiffness * length * length);
    double rest = talus_sim_bodies(sim).position[i].x,
           slipped = pull / (2.0 / 7.0 * stiff.stiffness);
    assert_near(rest / (turned + slipped), 1.0, 1e-3);
    talus_contact contact;
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    assert_near(vec3_norm(contact.torque), pull, 1e-4 * pull); /* to the overlap, 1e-5 r */
    support_steps(sim, 100000);
    assert_near(talus_sim_bodies(sim).position[i].x, rest, 1e-12);
    support_ledger(sim);
    talus_sim_destroy(sim);
    ball = rolling_ball(length, 11.0 * pi / 180.0); /* limit: 11.31 degrees */
    ball.law.rolling.damping = 500.0;
    sim = put_down(&ball);
    support_steps(sim, 100000);
    rest = talus_sim_bodies(sim).position[i].x;
    support_steps(sim, 100000);
    assert_near(talus_sim_bodies(sim).position[i].x, rest, 1e-12);
    talus_sim_destroy(sim);
    ball = rolling_ball(length, 11.6 * pi / 180.0);
    sim = put_down(&ball);
    support_steps(sim, 100000);
    assert_true(talus_sim_bodies(sim).position[i].x > 0.1);
    talus_sim_destroy(sim);
    assert_near(gain(rolling_ball(0.1, 20.0 * pi / 180.0)), 1.7381, 2e-3);
}

/* Hertz: k_r = 1.5 k sqrt(xi) L^2 with the overlap of the weight; and a stiffness of one's own. */
static void test_rolling_stiffness(void **state) {
    (void)state;
    const double length = 0.2, angle = 0.1;
    for (int own = 0; own < 2; own++) {
        struct ball ball = rolling_ball(length, angle);
        ball.law.soft = (talus_soft_law){.young = 5e8,
                                         .poisson = 0.2,
                                         .rigid_partner = true,
                                         .restitution = 0.3,
                                         .damping_form = TALUS_DAMPING_CONSTANT,
                                         .tangential = TALUS_TANGENTIAL_MINDLIN,
                                         .tangential_damping_ratio = 0.9};
        double modulus = 5e8 / (1.0 - 0.04), k = 4.0 / 3.0 * modulus;
        ball.sunk = pow(g * cos(angle) / k, 2.0 / 3.0);
        double slope = 1.5 * k * sqrt(ball.sunk), k_r = own ? 3e3 : slope * length * length;
        ball.law.rolling.damping = 100.0;
        if (own) ball.law.rolling.stiffness = k_r;
        talus_sim *sim = put_down(&ball);
        support_steps(sim, 200000);
        double pull = g * sin(angle), slip = pull / (slope * 2.0 * 0.8 / 1.8);
        double rest = talus_sim_bodies(sim).position[ball_of(sim)].x;
        assert_near(rest / (pull / k_r + slip), 1.0, 2e-3);
        support_steps(sim, 100000);
        assert_near(talus_sim_bodies(sim).position[ball_of(sim)].x, rest, 1e-9 * rest);
        support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* Case 22 in the plane, with Gear's integrator: a disc. */
static void test_disc_on_a_slope(void **state) {
    (void)state;
    struct ball disc = rolling_ball(0.1, 20.0 * pi / 180.0);
    disc.is_disc = true;
    assert_near(gain(disc), 1.6223, 2e-3);
}

/* Case 25: w = 1, L = 0.01 r: dw/dt = -5 L g/(2 r^2), stops after 4.077 s; the centre stays. */
static void test_spins_to_a_stop(void **state) {
    (void)state;
    struct ball ball = rolling_ball(0.0, 0.0);
    ball.law.torsion = (talus_torque_law){.coefficient = 0.01, .scale = TALUS_TORQUE_LENGTH};
    ball.law.torsion.damping = 3.0; /* to swing no longer than needed */
    ball.omega = vec3_make(0, 0, 1);
    talus_sim *sim = put_down(&ball);
    talus_index i = ball_of(sim);
    support_steps(sim, 2000); /* the spring has come to its limit */
    double first = talus_sim_bodies(sim).omega[i].z;
    for (int k = 1; k <= 3; k++) {
        support_steps(sim, 20000);
        assert_near(talus_sim_bodies(sim).omega[i].z, first - 0.24525 * k, 1e-9);
    }
    support_steps(sim, 18000);
    assert_true(talus_sim_bodies(sim).omega[i].z > 0.005); /* at 4 s: 0.019 left */
    support_steps(sim, 22000);
    assert_near(talus_sim_bodies(sim).omega[i].z, 0.0, 1e-6);
    assert_near(talus_sim_bodies(sim).position[i].x, 0.0, 1e-15);
    assert_near(talus_sim_bodies(sim).position[i].y, 0.0, 1e-15);
    talus_energy energy = support_ledger(sim);
    assert_near(energy.dissipation_torsion, 0.2, 1e-4); /* I w^2/2 */
    assert_near(energy.dissipation_rolling, 0.0, 1e-15);
    talus_sim_destroy(sim);
}

/* Two grains in mid-air turned against each other about any axis: momenta are kept, both laws take energy, the ledger
 * closes. */
static void test_pair_in_the_air(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.dt = 1e-5;
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = {.mu_static = 0.5,
                          .mu_sliding = 0.5,
                          .rolling = {.coefficient = 0.1},
                          .torsion = {.coefficient = 0.1},
                          .cohesion = {.force = 20.0, .range = 1e-3},
                          .soft = stiff};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    const vec3 n = {0.48, 0.6, 0.64}, spins[2] = {{0.3, -0.7, 1.1}, {-0.5, 0.2, 0.9}};
    const double radii[2] = {0.1, 0.15}, masses[2] = {1.0, 2.0};
    vec3 angular = vec3_zero();
    for (int k = 0; k < 2; k++) {
        talus_body_def def = talus_body_def_default(sim);
        def.radius = radii[k];
        def.mass = masses[k];
        def.position = vec3_scale(k == 0 ? 0.0 : radii[0] + radii[1] - 1e-6, n);
        def.omega = spins[k];
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        angular = vec3_add_scaled(angular, 0.4 * masses[k] * radii[k] * radii[k], spins[k]);
    }
    support_steps(sim, 200000);
    talus_body_view view = talus_sim_bodies(sim);
    vec3 now = vec3_zero();
    for (int k = 0; k < 2; k++) {
        now = vec3_add_scaled(now, 0.4 * masses[k] * radii[k] * radii[k], view.omega[k]);
        now = vec3_add_scaled(now, masses[k], vec3_cross(view.position[k], view.velocity[k]));
    }
    assert_near(vec3_norm(vec3_sub(now, angular)) / vec3_norm(angular), 0.0, 1e-5);
    talus_energy energy = support_ledger(sim);
    assert_true(energy.dissipation_rolling > 0.0 && energy.dissipation_torsion > 0.0);
    assert_near(energy.step_loss / energy.scale, 0.0, 1e-5);
    /* bonded and at rest against each other: they turn as one */
    assert_near(vec3_norm(vec3_sub(view.omega[0], view.omega[1])), 0.0, 1e-3);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rolls_to_a_stop),   cmocka_unit_test(test_rolling_on_a_slope),
        cmocka_unit_test(test_rolling_stiffness), cmocka_unit_test(test_spins_to_a_stop),
        cmocka_unit_test(test_pair_in_the_air),   cmocka_unit_test(test_disc_on_a_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
