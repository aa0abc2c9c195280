/* SPDX-License-Identifier: Apache-2.0
 *
 * Islands: which contacts hang together, the same answer as solved together, the same bits with any number of
 * threads, and less work.
 */
#include <math.h>

#include "support.h"

static const double high = 0.8660254037844386; /* of a row: sqrt(3)/2 */

static double noise(int k) { /* -1..1, the same everywhere */
    return 2.0 * fmod(0.754877666 * (k + 1), 1.0) - 1.0;
}

/* A heap of discs on the floor y = 0, each row one shorter than that below; `shake`: velocities. */
static void add_heap(talus_sim *sim, double x, int columns, int rows, double shake) {
    for (int row = 0; row < rows; row++)
        for (int k = 0; k < columns - row; k++)
            support_grain(sim, 0.5, 1.0, vec(x + k + 0.5 * row, 0.5 + high * row, 0),
                          vec(shake * noise(k + 7 * row), shake * noise(3 * k + row), 0));
}

/* Pairs high up that fly against each other, everywhere with another speed. */
static void add_pairs(talus_sim *sim, int count) {
    for (int k = 0; k < count; k++) {
        double x = 3.0 * (k % 100), y = 200.0 + 3.0 * (k / 100), closing = 0.1 * (1 + k % 7);
        support_grain(sim, 0.5, 1.0, vec(x, y, 0), vec(closing, 0.3 * noise(k), 0));
        support_grain(sim, 0.5, 1.0 + k % 3, vec(x + 0.98, y + 0.2, 0), vec(-closing, 0, 0));
    }
}

static talus_config heap_config(const char *solver, talus_stop stop, double tolerance) {
    talus_config config = talus_config_default();
    config.dim = 2;
    config.dt = 0.005;
    config.gravity = vec(0, -9.81, 0);
    config.solver.name = solver;
    config.solver.sweep = TALUS_SWEEP_RANDOM;
    config.solver.stop = stop;
    config.solver.tolerance = tolerance;
    config.solver.max_sweeps = 20000;
    return config;
}

static talus_sim *make(const talus_config *config, double mu) {
    talus_sim *sim = support_sim(config, mu);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    return sim;
}

static talus_step_report one_step(talus_sim *sim) {
    talus_step_report report;
    assert_ok(talus_sim_step(sim, &report, NULL));
    return report;
}

/* ---- which contacts hang together ---------------------------------------------------------------- */

static int64_t islands_of(talus_sim *sim) {
    int64_t islands = one_step(sim).islands;
    talus_sim_destroy(sim);
    return islands;
}

static void fixed_floor_connects_nothing(void **state) {
    (void)state;
    talus_config config = heap_config("nsgs", TALUS_STOP_RESIDUAL, 1e-8);
    talus_sim *sim = make(&config, 0.4);
    assert_int_equal(one_step(sim).islands, 0); /* no contacts */
    add_heap(sim, 0.0, 4, 3, 0.0);
    assert_int_equal(one_step(sim).islands, 1);
    add_heap(sim, 20.0, 4, 3, 0.0);
    for (int k = 0; k < 5; k++) /* single grains: an island is one contact */
        support_grain(sim, 0.5, 1.0, vec(-3.0 - 2 * k, 0.5, 0), vec(0, 0, 0));
    add_pairs(sim, 3);
    assert_int_equal(islands_of(sim), 2 + 5 + 3);
}

static void a_bridge_merges(void **state) {
    (void)state;
    talus_config config = heap_config("nnsgs", TALUS_STOP_RESIDUAL, 1e-8);
    for (int bridge = 0; bridge < 2; bridge++) {
        talus_sim *sim = make(&config, 0.4);
        add_heap(sim, 0.0, 3, 1, 0.0);
        add_heap(sim, 3.6, 3, 1, 0.0);
        if (bridge) /* on the last grain of the one and the first of the other, 1.6 apart */
            support_grain(sim, 0.5, 1.0, vec(2.8, 0.5 + 0.6, 0), vec(0, 0, 0));
        assert_int_equal(islands_of(sim), bridge ? 1 : 2);
    }
}

enum lid { LID_FIXED, LID_MOVED, LID_TURNED, LID_FREE, LID_HINGED };

/* Two columns of grains between floor and lid. */
static void walls_connect_if_they_are_free(void **state) {
    (void)state;
    for (int lid = LID_FIXED; lid <= LID_HINGED; lid++) {
        talus_config config = heap_config("nsgs", TALUS_STOP_RESIDUAL, 1e-8);
        talus_sim *sim = make(&config, 0.4);
        add_heap(sim, 0.0, 1, 1, 0.0);
        add_heap(sim, 5.0, 1, 1, 0.0);
        talus_boundary_def def = talus_boundary_def_default();
        def.name = "lid";
        def.point = vec(2.5, 1.0, 0);
        def.normal = vec(0, -1, 0);
        if (lid == LID_MOVED) def.motion.velocity = vec(0, -1e-3, 0);
        if (lid == LID_TURNED) {
            def.motion.axis = vec(0, 0, 1);
            def.motion.axis_point = def.point;
            def.motion.rate = 1e-3;
        }
        if (lid == LID_FREE) def.free = (talus_free_motion){.mass = 1.0, .direction = {0, -1, 0}};
        if (lid == LID_HINGED) def.free = (talus_free_motion){.inertia = 1.0, .axis = {0, 0, 1}};
        assert_ok(talus_boundary_add(sim, &def, NULL));
        int64_t islands = islands_of(sim);
        if (islands != (lid >= LID_FREE ? 1 : 2))
            fail_msg("lid %d: %lld islands", lid, (long long)islands);
    }
}

/* ---- the same answer ------------------------------------------------------------------------------- */

static talus_sim *make_crowd(const talus_config *config) {
    talus_sim *sim = make(config, 0.0); /* with friction velocities are not unique */
    add_heap(sim, 0.0, 8, 5, 0.3);
    add_heap(sim, 30.0, 3, 3, 0.1);
    add_heap(sim, 60.0, 5, 2, 0.0);
    add_pairs(sim, 20);
    return sim;
}

/* Largest difference of a velocity. */
static double difference(const talus_sim *a, const talus_sim *b) {
    talus_body_view of_a = talus_sim_bodies(a), of_b = talus_sim_bodies(b);
    double largest = 0.0;
    assert_int_equal(of_a.count, of_b.count);
    for (size_t i = 0; i < of_a.count; i++) {
        largest = fmax(largest, fabs(of_a.velocity[i].x - of_b.velocity[i].x));
        largest = fmax(largest, fabs(of_a.velocity[i].y - of_b.velocity[i].y));
        largest = fmax(largest, 0.5 * fabs(of_a.omega[i].z - of_b.omega[i].z));
    }
    return largest;
}

static void same_velocities_as_together(void **state) {
    (void)state;
    const char *solvers[2] = {"nsgs", "nnsgs"};
    const talus_sweep sweeps[4] = {TALUS_SWEEP_RANDOM, TALUS_SWEEP_BATCHED, TALUS_SWEEP_WINDOWED,
                                   TALUS_SWEEP_SYMMETRIC};
    for (int k = 0; k < 16; k++) {
        talus_stop stop = k < 8 ? TALUS_STOP_RESIDUAL : TALUS_STOP_BALANCE;
        talus_config config = heap_config(solvers[k % 2], stop, 1e-10);
        config.solver.sweep = sweeps[k / 2 % 4];
        talus_sim *apart = make_crowd(&config);
        config.solver.islands = false;
        talus_sim *together = make_crowd(&config);
        talus_step_report own = one_step(apart), all = one_step(together);
        assert_int_equal(own.islands, 23);
        assert_int_equal(all.islands, 1);
        assert_true(own.converged && all.converged);
        /* ||q|| is about 7 m/s for all contacts; velocities follow forces by 1/m, 1/gap of W. */
        assert_true(difference(apart, together) < 1e-7);
        assert_true(own.residual < 1e-10); /* each island to its own scale, which is smaller */
        talus_sim_destroy(apart);
        talus_sim_destroy(together);
    }
}

/* ---- less work -------------------------------------------------------------------------------------- */

/* Heaps that rest beside one that is hit, and pairs in the air: only the hit one needs many sweeps. */
static void settled_islands_stop_early(void **state) {
    (void)state;
    int64_t updates[2];
    for (int on = 0; on < 2; on++) {
        talus_config config = heap_config("nsgs", TALUS_STOP_RESIDUAL, 1e-6);
        config.solver.islands = on == 1;
        talus_sim *sim = make(&config, 0.8);
        for (int k = 0; k < 20; k++) add_heap(sim, 10.0 * k, 4, 3, 0.0);
        support_steps(sim, 60);
        talus_step_report rest = one_step(sim);
        assert_int_equal(rest.sweeps, 1);
        assert_int_equal(rest.updates, rest.contacts);
        assert_int_equal(rest.islands, on ? 20 : 1);
        add_heap(sim, 300.0, 6, 5, 1.0);
        add_pairs(sim, 10);
        talus_step_report report = one_step(sim);
        assert_int_equal(report.islands, on ? 31 : 1);
        updates[on] = report.updates;
        talus_sim_destroy(sim);
    }
    /* 400 contacts rest, 60 to 70 do not. */
    assert_true(4 * updates[1] < updates[0]);
}

/* Two grains that touch and fly side by side: ||q|| is rounding, and nothing is to be done. */
static void flight_side_by_side_is_settled(void **state) {
    (void)state;
    const char *solvers[2] = {"nsgs", "nnsgs"};
    for (int k = 0; k < 4; k++) {
        talus_stop stop = k < 2 ? TALUS_STOP_RESIDUAL : TALUS_STOP_BALANCE;
        talus_config config = heap_config(solvers[k % 2], stop, 1e-10);
        config.dt = 1e-4;
        talus_sim *sim = make(&config, 0.4);
        for (int i = 0; i < 40; i++) {
            talus_vec3 v = {37.1 + i, 91.7 - 3 * i, 0};
            double angle = 0.1 * i;
            support_grain(sim, 0.5, 1.0, vec(5.0 * i, 100, 0), v);
            support_grain(sim, 0.5, 1.7, vec(5.0 * i + cos(angle), 100 + sin(angle), 0), v);
        }
        for (int step = 0; step < 20; step++) {
            talus_step_report report = one_step(sim);
            assert_true(report.converged);
            assert_in_range(report.sweeps, 0, 4);
            assert_true(report.balance <= 0.0);
        }
        talus_sim_destroy(sim);
    }
}

/* ---- bits -------------------------------------------------------------------------------------------- */

/* One island with two parts, some with batches, many small ones. */
static talus_sim *make_archipelago(const talus_config *config) {
    talus_sim *sim = make(config, 0.4);
    add_heap(sim, 0.0, 130, 60, 0.02);
    add_heap(sim, 200.0, 40, 15, 0.05);
    add_heap(sim, -100.0, 30, 20, 0.1);
    add_pairs(sim, 300);
    return sim;
}

static void threads_change_no_bit(void **state) {
    (void)state;
    const int threads[4] = {1, 2, 3, 8};
    for (int k = 0; k < 3; k++) {
        uint64_t hash = 0;
        for (int t = 0; t < 4; t++) {
            talus_config config = heap_config(k == 0 ? "nsgs" : "nnsgs", TALUS_STOP_BALANCE, 0.03);
            config.solver.sweep = k == 2 ? TALUS_SWEEP_RANDOM : TALUS_SWEEP_BATCHED;
            config.solver.max_sweeps = 40;
            config.threads = threads[t];
            talus_sim *sim = make_archipelago(&config);
            talus_step_report report = one_step(sim);
            assert_true(report.contacts > 20000);
            assert_int_equal(report.islands, 303);
            support_steps(sim, 1);
            if (t == 0) hash = talus_sim_hash(sim);
            if (talus_sim_hash(sim) != hash)
                fail_msg("case %d: other bits with %d threads", k, threads[t]);
            talus_sim_destroy(sim);
        }
    }
}

static uint64_t hash_after(talus_config config, bool islands, bool crowd) {
    config.solver.islands = islands;
    talus_sim *sim = make(&config, 0.4);
    add_heap(sim, 0.0, 9, 6, 0.2);
    if (crowd) add_pairs(sim, 10);
    support_steps(sim, 5);
    uint64_t hash = talus_sim_hash(sim);
    talus_sim_destroy(sim);
    return hash;
}

/* The papers' rule does not notice; one island is solved where it stands. */
static void one_island_has_the_same_bits(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        talus_config config = heap_config(k % 2 ? "nnsgs" : "nsgs", TALUS_STOP_FIXED, 1e-6);
        config.solver.sweep = k < 2 ? TALUS_SWEEP_RANDOM : TALUS_SWEEP_BATCHED;
        assert_true(hash_after(config, true, false) == hash_after(config, false, false));
        if (k % 2 == 0)
            assert_true(hash_after(config, true, true) == hash_after(config, false, true));
        config.solver.stop = TALUS_STOP_BALANCE;
        assert_true(hash_after(config, true, false) == hash_after(config, false, false));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_floor_connects_nothing),
        cmocka_unit_test(a_bridge_merges),
        cmocka_unit_test(walls_connect_if_they_are_free),
        cmocka_unit_test(same_velocities_as_together),
        cmocka_unit_test(settled_islands_stop_early),
        cmocka_unit_test(flight_side_by_side_is_settled),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(one_island_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
