/* SPDX-License-Identifier: Apache-2.0
 * The iterative solver: orders, stopping rules, cap, the unstable parallel update, momentum. */
#include "base/random.h"
#include "support.h"

/* A compressed packing of n x n discs of slightly different size under a piston, mu = 0.05, no gravity. */
static talus_sim *packing(int n, const talus_solver_config *solver, double spread) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dim = 2;
    config.dt = 0.01;
    config.solver = *solver;
    talus_sim *sim = support_sim(&config, 0.05);
    struct random random = random_start(6, RANDOM_TEST, 0, 0);
    support_plane(sim, "left", vec(0, 0, 0), vec(1, 0, 0));
    support_plane(sim, "right", vec(2.05 * n, 0, 0), vec(-1, 0, 0));
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    talus_boundary_def piston = talus_boundary_def_default();
    piston.name = "piston";
    piston.point = vec(0, 2.1 * n, 0);
    piston.normal = vec(0, -1, 0);
    piston.free =
        (talus_free_motion){.mass = 100.0, .direction = vec(0, -1, 0), .force = {.mean = 100}};
    assert_ok(talus_boundary_add(sim, &piston, NULL));
    for (int i = 0; i < n * n; i++)
        support_grain(sim, 1.0 - spread * random_uniform(&random), 0.0,
                      vec(1.02 + i % n * 2.05, 1.02 + i / n * 2.05, 0), vec(0, 0, 0));
    return sim;
}

/* Mean overlap after the same history, for one stopping rule at one strictness. */
static double overlap_after(talus_stop stop, double tolerance, int sweeps) {
    talus_solver_config solver = talus_solver_plain();
    solver.stop = stop;
    solver.tolerance = tolerance;
    solver.sweeps = sweeps;
    solver.max_sweeps = 5000;
    talus_sim *sim = packing(12, &solver, 0.5); /* radii uniform in [r, 2r] */
    support_steps(sim, 400);
    double overlap = talus_sim_observe(sim).overlap_mean;
    talus_sim_destroy(sim);
    return overlap;
}

/* Stricter means less overlap, for every rule. */
static void overlap_falls_with_strictness(void **state) {
    (void)state;
    const talus_stop rules[4] = {TALUS_STOP_LOCAL, TALUS_STOP_GLOBAL, TALUS_STOP_RESIDUAL,
                                 TALUS_STOP_BALANCE};
    for (int k = 0; k < 4; k++) {
        double loose = overlap_after(rules[k], 1e-1, 1), middle = overlap_after(rules[k], 1e-3, 1);
        double strict = overlap_after(rules[k], 1e-5, 1);
        assert_true(loose > middle);
        assert_true(middle > strict);
    }
    double few = overlap_after(TALUS_STOP_FIXED, 1, 3),
           some = overlap_after(TALUS_STOP_FIXED, 1, 15);
    double many = overlap_after(TALUS_STOP_FIXED, 1, 100);
    assert_true(few > some);
    assert_true(some > many);
}

/* The local rule without a cutoff waits for ever on forces that die out; with it, it stops. The cap is
 * reported. */
static void local_rule_needs_its_cutoff(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        talus_solver_config solver = talus_solver_plain();
        solver.stop = TALUS_STOP_LOCAL;
        solver.tolerance = 1e-6;
        solver.cutoff = k == 0 ? 0.0 : 1e-3;
        solver.max_sweeps = 3000;
        /* A chain between fixed walls, first loaded, then free: its forces decay geometrically to zero. */
        talus_config config = talus_config_default();
        config.solver = talus_solver_plain();
        config.dim = 1;
        config.dt = 1.0;
        config.solver = solver;
        talus_sim *sim = support_sim(&config, 0.0);
        for (int i = 0; i < 20; i++) support_grain(sim, 0.5, 1.0, vec(i, 0, 0), vec(0, 0, 0));
        assert_ok(talus_sim_preload(sim, 1.0, NULL));
        talus_step_report report;
        talus_status status = talus_sim_step(sim, &report, NULL);
        if (k == 0) {
            assert_int_equal(status, TALUS_WARN_NOT_CONVERGED);
            assert_false(report.converged);
            assert_int_equal(report.sweeps, 3000);
        } else {
            assert_int_equal(status, TALUS_OK);
            assert_true(report.sweeps < 3000);
        }
        talus_sim_destroy(sim);
    }
}

/* Hexagonal block of 10 x 10 pressed on all sides: the residual after `sweeps` of the one step. */
static double hexagonal_residual(talus_sweep sweep, int sweeps) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dim = 2;
    config.dt = 0.01;
    config.solver.sweep = sweep;
    config.solver.sweeps = sweeps;
    talus_sim *sim = support_sim(&config, 0.0);
    const double high = 0.5 * sqrt(3.0);
    for (int i = 0; i < 100; i++) {
        double x = 0.5 + i % 10 + 0.5 * (i / 10 % 2), y = 0.5 + high * (i / 10);
        support_grain(sim, 0.5, 1.0, vec(x, y, 0),
                      vec(4.75 - x, 4.4 - y, 0)); /* all towards the middle */
    }
    talus_step_report report;
    talus_status status = talus_sim_step(sim, &report, NULL);
    talus_sim_destroy(sim);
    return status == TALUS_ERR_DIVERGED ? HUGE_VAL : report.residual;
}

static void parallel_update_is_unstable(void **state) {
    (void)state;
    assert_true(hexagonal_residual(TALUS_SWEEP_RANDOM, 2000) <
                1e-3 * hexagonal_residual(TALUS_SWEEP_RANDOM, 10));
    assert_true(hexagonal_residual(TALUS_SWEEP_PARALLEL, 400) >
                0.5 * hexagonal_residual(TALUS_SWEEP_PARALLEL, 10));
    assert_true(hexagonal_residual(TALUS_SWEEP_PARALLEL, 400) > 0.05);
}

/* All orders and both solvers reach the same velocities (forces need not be unique). */
static void all_sweeps_agree(void **state) {
    (void)state;
    const talus_sweep sweeps[5] = {TALUS_SWEEP_RANDOM, TALUS_SWEEP_WINDOWED, TALUS_SWEEP_SEQUENTIAL,
                                   TALUS_SWEEP_SYMMETRIC, TALUS_SWEEP_BATCHED};
    double height[10];
    for (int k = 0; k < 10; k++) {
        talus_solver_config solver = talus_solver_plain();
        solver.name = k < 5 ? "nsgs" : "nnsgs";
        solver.sweep = sweeps[k % 5];
        solver.stop = TALUS_STOP_RESIDUAL;
        solver.tolerance = 1e-10;
        solver.max_sweeps = 100000;
        solver.window = 16;
        talus_sim *sim = packing(5, &solver, 0.3);
        support_steps(sim, 30);
        talus_step_report report;
        assert_int_equal(talus_sim_step(sim, &report, NULL), TALUS_OK);
        assert_true(report.residual < 2e-10);
        height[k] = talus_sim_boundary(sim, 3).point.y;
        assert_near(height[k], height[0], 1e-6);
        talus_sim_destroy(sim);
    }
}

/* The residual rule: reported residual is below what was asked; the cap is reported when it cannot be. */
static void residual_rule(void **state) {
    (void)state;
    talus_solver_config solver = talus_solver_plain();
    solver.stop = TALUS_STOP_RESIDUAL;
    solver.tolerance = 1e-8;
    solver.max_sweeps = 50000;
    talus_sim *sim = packing(6, &solver, 0.3);
    talus_step_report report;
    for (int step = 0; step < 300; step++) {
        assert_ok(talus_sim_step(sim, &report, NULL));
        assert_true(report.converged);
        assert_true(report.residual <= 1e-8);
    }
    solver.max_sweeps = 10;
    solver.tolerance = 1e-14;
    assert_ok(talus_sim_set_solver(sim, &solver, NULL));
    assert_ok(talus_group_set_velocity(sim, "grains", vec(1, 0, 0), NULL));
    assert_int_equal(talus_sim_step(sim, &report, NULL), TALUS_WARN_NOT_CONVERGED);
    assert_int_equal(report.sweeps, 10);
    assert_int_equal(talus_sim_trust(sim).steps_not_converged, 1);
    assert_non_null(strstr(talus_sim_trust(sim).verdict, "not converged"));
    talus_sim_destroy(sim);
}

/* Too large a step is said: positive status, numbers, a verdict against the run. */
static void time_step_is_judged(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dt = 0.01;
    talus_sim *sim = support_sim(&config, 0.0);
    support_grain(sim, 0.1, 1.0, vec(0, 0, 0), vec(3, 0, 0));
    talus_step_report report;
    assert_int_equal(talus_sim_step(sim, &report, NULL), TALUS_WARN_TIME_STEP);
    assert_near(report.travel_max, 0.3, 1e-12);
    assert_non_null(strstr(talus_sim_trust(sim).verdict, "smaller dt"));
    assert_non_null(strstr(talus_sim_trust(sim).verdict, "with care"));
    double advised = talus_sim_advise_dt(sim);
    assert_near(advised, 0.05 * 0.1 / 3.0, 1e-15);
    assert_ok(talus_sim_set_dt(sim, advised, NULL));
    assert_int_equal(talus_sim_step(sim, &report, NULL), TALUS_OK);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_falls_with_strictness),
        cmocka_unit_test(local_rule_needs_its_cutoff),
        cmocka_unit_test(parallel_update_is_unstable),
        cmocka_unit_test(all_sweeps_agree),
        cmocka_unit_test(residual_rule),
        cmocka_unit_test(time_step_is_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
