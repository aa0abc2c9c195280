/* SPDX-License-Identifier: Apache-2.0
 *
 * A step of dt made of k substeps is k steps of dt/k, bit by bit; only counting and reports are by steps.
 */
#include <math.h>

#include "support.h"

static const double g = 9.81;

static talus_config heap_config(const char *solver, talus_sweep sweep, double dt) {
    talus_config config = talus_config_default();
    config.dim = 2;
    config.dt = dt;
    config.gravity = vec(0, -g, 0);
    config.solver.name = solver;
    config.solver.sweep = sweep;
    config.solver.stop = TALUS_STOP_RESIDUAL;
    config.solver.tolerance = 1e-4;
    return config;
}

/* Grains that fall on an oscillating floor, with every law that remembers something. */
static talus_sim *make(const talus_config *config) {
    talus_sim *sim = support_sim(config, 0.4);
    talus_pair_law law = {.mu_static = 0.5,
                          .mu_sliding = 0.3,
                          .rolling = {.coefficient = 0.02},
                          .cohesion = {.force = 0.1, .range = 1e-3},
                          .restitution = {.normal = 0.5}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    talus_boundary_def floor = talus_boundary_def_default();
    floor.name = "floor";
    floor.normal = vec(0, 1, 0);
    floor.motion.direction = vec(0, 1, 0);
    floor.motion.displacement =
        (talus_signal){.kind = TALUS_SIGNAL_SINE, .amplitude = 0.01, .frequency = 5.0};
    assert_ok(talus_boundary_add(sim, &floor, NULL));
    for (int k = 0; k < 40; k++)
        support_grain(sim, 0.5, 1.0 + k % 3,
                      vec(1.01 * (k % 8) + 0.2 * (k / 8 % 2), 0.52 + k / 8, 0),
                      vec(0.1 * (k % 5 - 2), -0.3, 0));
    return sim;
}

static void k_substeps_are_k_steps(void **state) {
    (void)state;
    for (int k = 0; k < 8; k++) {
        int substeps = k < 4 ? 2 : 5;
        const char *solver = k % 2 ? "nnsgs" : "nsgs";
        talus_sweep sweep = k / 2 % 2 ? TALUS_SWEEP_BATCHED : TALUS_SWEEP_RANDOM;
        talus_config config = heap_config(solver, sweep, 0.01 / substeps);
        talus_sim *fine = make(&config);
        config.dt = 0.01;
        config.solver.substeps = substeps;
        talus_sim *coarse = make(&config);
        for (int step = 1; step <= 20; step++) {
            talus_step_report report, one;
            int sweeps = 0, rounds = 0;
            int64_t updates = 0, impacts = 0;
            double residual = 0.0;
            assert_ok(talus_sim_step(coarse, &report, NULL));
            for (int j = 0; j < substeps; j++) {
                assert_ok(talus_sim_step(fine, &one, NULL));
                sweeps += one.sweeps;
                updates += one.updates;
                rounds += one.rounds;
                impacts += one.impacts;
                residual = fmax(residual, one.residual);
            }
            assert_true(talus_sim_hash(coarse) == talus_sim_hash(fine));
            assert_true(talus_sim_time(coarse) == talus_sim_time(fine));
            assert_int_equal(report.step, step);
            assert_int_equal(talus_sim_step_count(coarse), step);
            assert_int_equal(report.sweeps, sweeps);
            assert_int_equal(report.updates, updates);
            assert_int_equal(report.rounds, rounds);
            assert_int_equal(report.impacts, impacts);
            assert_true(report.residual == residual);
            assert_int_equal(report.contacts, one.contacts);
            assert_int_equal(report.closed, one.closed);
        }
        assert_true(talus_sim_dt(coarse) == 0.01);
        talus_sim_destroy(coarse);
        talus_sim_destroy(fine);
    }
}

/* Free fall is off by g t dt/2: the error is that of the short steps. */
static void error_is_that_of_the_substeps(void **state) {
    (void)state;
    for (int substeps = 1; substeps <= 16; substeps *= 4) {
        talus_config config = heap_config("nsgs", TALUS_SWEEP_RANDOM, 0.01);
        config.solver.substeps = substeps;
        talus_sim *sim = support_sim(&config, 0.0);
        support_grain(sim, 0.5, 1.0, vec(0, 0, 0), vec(0, 0, 0));
        support_steps(sim, 100);
        double error = -0.5 * g - talus_sim_bodies(sim).position[0].y;
        assert_near(error, 0.5 * g * 0.01 / substeps, 1e-12);
        talus_sim_destroy(sim);
    }
}

/* Forces persist when the number changes: a grain at rest stays so, and its weight is what the floor bears. */
static void number_may_change(void **state) {
    (void)state;
    talus_config config = heap_config("nsgs", TALUS_SWEEP_RANDOM, 0.01);
    config.solver.stop = TALUS_STOP_FIXED;
    config.solver.sweeps = 1;
    talus_sim *sim = support_sim(&config, 0.0);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    /* Two grains: one sweep is not enough, so the first guess must be right. */
    support_grain(sim, 0.5, 1.0, vec(0, 0.5, 0), vec(0, 0, 0));
    support_grain(sim, 0.5, 2.0, vec(0, 1.5, 0), vec(0, 0, 0));
    support_steps(sim, 400);
    for (int substeps = 4; substeps >= 1; substeps--) {
        config.solver.substeps = substeps;
        assert_ok(talus_sim_set_solver(sim, &config.solver, NULL));
        support_steps(sim, 1);
        talus_contact contacts[4];
        assert_int_equal(talus_sim_contacts(sim, contacts, 4), 2);
        assert_near(fabs(contacts[0].force.y) + fabs(contacts[1].force.y), 5.0 * g, 1e-8);
        assert_near(talus_sim_bodies(sim).velocity[2].y, 0.0, 1e-10);
    }
    talus_sim_destroy(sim);
}

static void bad_numbers_are_refused(void **state) {
    (void)state;
    const int bad[3] = {0, -1, 10001};
    for (int k = 0; k < 3; k++) {
        talus_config config = talus_config_default();
        talus_sim *sim = NULL;
        talus_error error;
        config.solver.substeps = bad[k];
        assert_int_equal(talus_sim_create(&config, &sim, &error), TALUS_ERR_INPUT);
        assert_non_null(strstr(error.text, "solver.substeps"));
        assert_non_null(strstr(error.text, "must be between 1 and 10000"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k_substeps_are_k_steps),
        cmocka_unit_test(error_is_that_of_the_substeps),
        cmocka_unit_test(number_may_change),
        cmocka_unit_test(bad_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
