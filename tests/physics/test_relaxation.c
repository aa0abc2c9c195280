/* SPDX-License-Identifier: Apache-2.0
 *
 * How the tangential spring relaxes, and what the time step does to it (validation cases 46-48; [Pena2009]): a disc
 * touches a fixed one at 45 degrees, can move along x only, with or without turning, and is pushed by a constant force.
 * Without slip this is linear; its kinetic energy decays as exp(-t/t_R).
 */
#include "math/vec3.h"
#include "support.h"

static const double pi = 3.141592653589793;
static const double k_n = 400.0, e_n = 0.9875; /* N/m, 1: discs of diameter 1 and density 1 */

struct trial {
    const char *integrator;
    talus_slip slip;
    bool turns;
    double mu, share; /* dt over the time of a collision */
};

/* Of two discs, m_r = pi/8: c_n = 2 m_r eta, e = exp(-pi eta/w). */
static double damping_rate(void) {
    double m = pi / 8.0, ratio = -log(e_n) / pi; /* eta/w */
    return sqrt(k_n / m / (1.0 + 1.0 / (ratio * ratio)));
}

static double collision_time(void) {
    double eta = damping_rate();
    return pi / sqrt(k_n * 8.0 / pi - eta * eta);
}

static talus_sim *make(const struct trial *trial, talus_index *disc) {
    double c_n = 2.0 * pi / 8.0 * damping_rate(), at = sqrt(0.5);
    talus_config config = talus_config_default();
    config.dim = 2;
    config.method = TALUS_METHOD_MD;
    config.integrator = trial->integrator;
    config.dt = trial->share * collision_time();
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = {.mu_static = trial->mu,
                          .mu_sliding = trial->mu,
                          .soft = {.stiffness = k_n,
                                   .damping = c_n,
                                   .tangential_stiffness = k_n / 3.0,
                                   .tangential_damping = c_n / 3.0,
                                   .slip = trial->slip}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    for (int k = 0; k < 2; k++) {
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 0.5;
        def.position = k == 0 ? vec(0, 0, 0) : vec(at, at, 0);
        def.group = k == 0 ? "held" : "pushed";
        def.locks = TALUS_LOCK_X | TALUS_LOCK_Y | TALUS_LOCK_ROTATION;
        if (k == 1) def.locks = TALUS_LOCK_Y | (trial->turns ? 0 : TALUS_LOCK_ROTATION);
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    }
    *disc = 1;
    return sim;
}

struct decay {
    double time, shift; /* t_R over the time of a collision; displacement over F/k_n */
};

/* Largest kinetic energy in windows of four collisions, from `first` on to `last` (in collisions); a straight line
 * through their logarithms. */
static struct decay relax(const struct trial *trial, double first, double last) {
    const double force = 1e-5 * k_n, window = 4.0, t_c = collision_time();
    talus_index disc;
    talus_sim *sim = make(trial, &disc);
    talus_signal push = {.kind = TALUS_SIGNAL_CONSTANT, .mean = force};
    assert_ok(talus_force_set(sim, "push", "pushed", vec(-1, 0, 0), &push, NULL));
    double start = talus_sim_bodies(sim).position[disc].x, sums[4] = {0}, where = 0.0;
    double largest = 0.0, left = first, count = 0.0;
    while (talus_sim_time(sim) < last * t_c) {
        assert_ok(talus_sim_step(sim, NULL, NULL));
        talus_body_view view = talus_sim_bodies(sim);
        double time = talus_sim_time(sim) / t_c;
        double kinetic = view.mass[disc] * vec3_norm2(view.velocity[disc]) +
                         0.125 * view.mass[disc] * vec3_norm2(view.omega[disc]);
        where += (view.position[disc].x - start) * trial->share / (last - first) * (time > first);
        if (time < left) continue;
        largest = fmax(largest, kinetic);
        if (time < left + window) continue;
        double y = log(largest);
        sums[0] += left, sums[1] += y, sums[2] += left * left, sums[3] += left * y;
        count++;
        left += window;
        largest = 0.0;
    }
    talus_energy energy = talus_sim_observe(sim).energy;
    assert_near(energy.error, 0.0, 1e-10 * energy.scale);
    talus_sim_destroy(sim);
    double slope = (count * sums[3] - sums[0] * sums[1]) / (count * sums[2] - sums[0] * sums[0]);
    return (struct decay){-1.0 / slope, -where * k_n / force};
}

/* The exact linear theory. */
static void test_relaxation_times(void **state) {
    (void)state;
    struct trial trial = {"leapfrog", TALUS_SLIP_POSITION, false, 500.0, 0.02};
    struct decay held = relax(&trial, 60.0, 500.0);
    assert_near(held.time, 119.25, 0.01 * 119.25);
    assert_near(held.shift, 1.5, 0.01);
    trial.turns = true;
    struct decay turning = relax(&trial, 600.0, 2000.0);
    assert_near(turning.time, 238.5, 0.01 * 238.5);
    assert_near(turning.shift, 2.0, 0.01);
    trial = (struct trial){"leapfrog", TALUS_SLIP_POSITION, false, 0.0, 0.02};
    assert_near(relax(&trial, 60.0, 500.0).time, 159.0, 0.01 * 159.0);
}

/* Cundall's spring with the predicted velocity: t_R = t_R0/(1 + 49.0 dt/t_c). */
static void test_velocity_times_dt(void **state) {
    (void)state;
    const double shares[3] = {0.02, 0.01, 1e-3};
    for (int k = 0; k < 3; k++) {
        double slower = 1.0 + 49.0 * shares[k], expected = 119.25 / slower;
        struct trial trial = {"gear5", TALUS_SLIP_VELOCITY, false, 500.0, shares[k]};
        double last = fmin(4.0 * expected, 360.0);
        assert_near(relax(&trial, 0.5 * expected, last).time, expected, 0.02 * expected);
    }
}

/* By positions it does not depend on dt; the printed factor keeps the time and spoils the place where it comes to rest. */
static void test_positions(void **state) {
    (void)state;
    const double shares[3] = {0.1, 0.02, 0.002};
    for (int k = 0; k < 3; k++) {
        struct trial trial = {"gear5", TALUS_SLIP_POSITION, false, 500.0, shares[k]};
        struct decay decay = relax(&trial, 60.0, 400.0);
        assert_near(decay.time, 119.25, 0.005 * 119.25);
        assert_near(decay.shift, 1.5, 0.01);
        trial.integrator = "leapfrog"; /* damps with a velocity of second order */
        double error = 2.0 * shares[k] * shares[k] + 0.001;
        assert_near(relax(&trial, 60.0, 400.0).time, 119.25, error * 119.25);
    }
    struct trial printed = {"gear5", TALUS_SLIP_PENA, false, 500.0, 0.02};
    assert_near(relax(&printed, 60.0, 400.0).shift, 2.0 / (1.0 + 0.5 / 3.0), 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relaxation_times),
        cmocka_unit_test(test_velocity_times_dt),
        cmocka_unit_test(test_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
