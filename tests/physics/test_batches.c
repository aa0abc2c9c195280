/* SPDX-License-Identifier: Apache-2.0
 *
 * The batched sweep: the same bits with any number of threads, for contacts of all kinds side by side; and it converges
 * as the random sweep does, sweep by sweep.
 */
#include <math.h>

#include "support.h"

enum { COLUMNS = 74, ROWS = 74 }; /* 16,000 contacts: four parts */
enum { TWO_PARTS = 12288 };       /* contacts: as many, or more, are more than two parts */

enum {
    MANY_THREADS = SANITIZED ? 3 : 8,
    SWEEPS = SANITIZED ? 3 : 12,
    SWEEPS_MOST = SANITIZED ? 80 : 320
};

struct heap {
    const char *name, *solver;
    bool laws, piston, wheel, polygons;
};

static const struct heap heaps[] = {
    {.name = "plain", .solver = "nsgs"},
    {.name = "plain, momentum", .solver = "nnsgs"},
    {.name = "laws", .solver = "nnsgs", .laws = true},
    {.name = "piston", .solver = "nnsgs", .piston = true},
    {.name = "piston and laws", .solver = "nsgs", .piston = true, .laws = true},
    {.name = "large wheel on top", .solver = "nnsgs", .wheel = true},
    {.name = "polygons", .solver = "nnsgs", .polygons = true},
};
enum { HEAPS = sizeof heaps / sizeof heaps[0] };

static const double high = 0.8660254037844386; /* of a row: sqrt(3)/2 */

static double noise(int k) { /* -1..1, the same everywhere */
    return 2.0 * fmod(0.754877666 * (k + 1), 1.0) - 1.0;
}

static void add_grains(talus_sim *sim, const struct heap *heap) {
    static const talus_vec3 corners[5] = {
        {-0.35, -0.3, 0}, {0.3, -0.35, 0}, {0.45, 0.1, 0}, {0.1, 0.45, 0}, {-0.4, 0.2, 0}};
    talus_shape_part part = {.points = corners, .count = 5};
    if (heap->polygons) assert_ok(talus_shape_add(sim, "pentagon", &part, 1, NULL));
    for (int k = 0; k < COLUMNS * ROWS; k++) {
        int row = k / COLUMNS;
        talus_body_def def = talus_body_def_default(sim);
        def.position = vec(0.5 + k % COLUMNS + 0.5 * (row % 2), 0.5 + high * row, 0);
        def.radius = 0.5;
        def.velocity = vec(0.05 * noise(k), 0.05 * noise(3 * k + 1), 0);
        if (heap->polygons && k % 10 == 0) def.shape = "pentagon";
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    }
    if (heap->wheel) /* as heavy as a column of grains, on all grains of the upper row */
        support_grain(sim, 1e5, 100.0, vec(0.5 * COLUMNS, high * ROWS + 0.2 + 1e5, 0),
                      vec(0, 0, 0));
}

static talus_sim *make(const struct heap *heap, int threads, talus_sweep sweep, int sweeps) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dim = 2;
    config.dt = 0.01;
    config.gravity = vec(0, -9.81, 0);
    config.threads = threads;
    config.solver.name = heap->solver;
    config.solver.sweep = sweep;
    config.solver.sweeps = sweeps;
    talus_sim *sim = support_sim(&config, 0.4);
    if (heap->laws) {
        talus_pair_law law = {.mu_static = 0.4,
                              .mu_sliding = 0.3,
                              .rolling = {.coefficient = 0.02},
                              .cohesion = {.force = 1.0, .range = 1e-3}};
        assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    }
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    support_plane(sim, "left", vec(0, 0, 0), vec(1, 0, 0));
    support_plane(sim, "right", vec(COLUMNS + 0.5, 0, 0), vec(-1, 0, 0));
    talus_boundary_def piston = talus_boundary_def_default();
    piston.name = "piston";
    piston.point = vec(0, 0.5 + high * ROWS + 0.2, 0);
    piston.normal = vec(0, -1, 0);
    piston.free =
        (talus_free_motion){.mass = 20.0, .direction = piston.normal, .force = {.mean = 500.0}};
    if (heap->piston) assert_ok(talus_boundary_add(sim, &piston, NULL));
    add_grains(sim, heap);
    return sim;
}

static void threads_change_no_bit(void **state) {
    (void)state;
    for (int h = 0; h < HEAPS; h++) {
        /* More threads than sets, or processors, take their time: each kind with some, not with all. */
        const int threads[2] = {1, h % 3 == 1 ? MANY_THREADS : 2 + h % 2};
        uint64_t hash = 0;
        for (int k = 0; k < 2; k++) {
            talus_sim *sim = make(&heaps[h], threads[k], TALUS_SWEEP_BATCHED, SWEEPS);
            support_steps(sim, 2);
            if (k == 0) hash = talus_sim_hash(sim);
            if (talus_sim_hash(sim) != hash)
                fail_msg("%s: other bits with %d threads", heaps[h].name, threads[k]);
            assert_true(talus_sim_contacts(sim, NULL, 0) > TWO_PARTS);
            talus_sim_destroy(sim);
        }
    }
}

/* ---- in space --------------------------------------------------------------------------------------- */

struct block {
    const char *name, *solver;
    int cube;  /* every so many grains is a cube, the others are spheres; 0: none */
    bool laws; /* all of them, with limits of torques that grow with the force or not */
    bool hertz, drum;
};

static const struct block blocks[] = {
    {.name = "cubes", .solver = "nnsgs", .cube = 1},
    {.name = "cubes, plain sweeps", .solver = "nsgs", .cube = 1},
    {.name = "spheres with all laws", .solver = "nnsgs", .laws = true},
    {.name = "spheres, Hertz", .solver = "nsgs", .laws = true, .hertz = true},
    {.name = "cubes and spheres with all laws", .solver = "nnsgs", .cube = 5, .laws = true},
    {.name = "cubes and spheres on a floor that turns", .solver = "nnsgs", .cube = 2, .drum = true},
};
enum { BLOCKS = sizeof blocks / sizeof blocks[0] };

static int side_of(const struct block *block) { /* cubes have more contacts */
    return block->cube == 1 ? 11 : 17;
}

static void add_block(talus_sim *sim, const struct block *block) {
    int side = side_of(block);
    talus_vec3 corners[8];
    for (int k = 0; k < 8; k++)
        corners[k] = vec(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
    talus_shape_part part = {.points = corners, .count = 8};
    if (block->cube > 0) assert_ok(talus_shape_add(sim, "cube", &part, 1, NULL));
    for (int k = 0; k < side * side * side; k++) {
        int x = k % side, y = k / side % side, z = k / side / side;
        talus_body_def def = talus_body_def_default(sim);
        def.position = vec(0.5 + x, 0.5 + y, 0.5 + z);
        def.radius = 0.5;
        def.velocity = vec(0.1 * noise(k), 0.1 * noise(3 * k + 1), 0.1 * noise(7 * k + 2));
        if (block->cube > 0 && k % block->cube == 0) {
            def.shape = "cube";
            def.radius = 0.0;
            def.material = 1;
        }
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    }
}

static talus_sim *make_block(const struct block *block, int threads) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dt = 0.01;
    config.gravity = vec(0.5, 0.3, -9.81);
    config.threads = threads;
    config.solver.name = block->solver;
    config.solver.sweep = TALUS_SWEEP_BATCHED;
    config.solver.sweeps = SWEEPS;
    talus_sim *sim = support_sim(&config, 0.4);
    talus_pair_law law = {.mu_static = 0.4,
                          .mu_sliding = 0.4,
                          .rolling = {.coefficient = 0.05},
                          .torsion = {.coefficient = 0.02},
                          .cohesion = {.force = 0.5, .range = 1e-3}};
    if (block->hertz) {
        law.rolling =
            (talus_torque_law){.scale = TALUS_TORQUE_HERTZ, .coefficient = 0.3, .modulus = 1e4};
        law.torsion = law.rolling;
    }
    if (block->laws) assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    talus_material stone; /* of the cubes, which have no torques */
    talus_pair_law plain = {.mu_static = 0.5, .mu_sliding = 0.5};
    assert_ok(talus_material_add(sim, "stone", 2.0, &stone, NULL));
    assert_ok(talus_pair_set(sim, 0, stone, &plain, NULL));
    assert_ok(talus_pair_set(sim, stone, stone, &plain, NULL));
    talus_boundary_def floor_def = talus_boundary_def_default();
    floor_def.name = "floor";
    if (block->drum) {
        floor_def.motion.rate = 0.5;
        floor_def.motion.axis = vec(0, 0, 1);
    }
    assert_ok(talus_boundary_add(sim, &floor_def, NULL));
    add_block(sim, block);
    return sim;
}

static void threads_change_no_bit_in_space(void **state) {
    (void)state;
    for (int b = 0; b < BLOCKS; b++) {
        const int threads[2] = {1, b % 3 == 2 ? MANY_THREADS : 2 + b % 2};
        uint64_t hash = 0;
        size_t most = 0;
        for (int k = 0; k < 2; k++) {
            talus_sim *sim = make_block(&blocks[b], threads[k]);
            support_steps(sim, 2);
            if (k == 0) hash = talus_sim_hash(sim);
            if (talus_sim_hash(sim) != hash)
                fail_msg("%s: other bits with %d threads", blocks[b].name, threads[k]);
            most = talus_sim_contacts(sim, NULL, 0);
            talus_sim_destroy(sim);
        }
        assert_true(most > TWO_PARTS);
    }
}

/* What momentum left behind is of no use to plain sweeps of a larger problem. */
static void solver_may_change(void **state) {
    (void)state;
    const struct heap *heap = &heaps[1];
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dim = 2;
    config.gravity = vec(0, -9.81, 0);
    config.solver.name = "nnsgs";
    config.solver.sweep = TALUS_SWEEP_BATCHED;
    talus_sim *sim = support_sim(&config, 0.4);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    support_grain(sim, 0.5, 1.0, vec(-2, 0.5, 0), vec(0, 0, 0));
    support_steps(sim, 2);
    config.solver.name = "nsgs";
    assert_ok(talus_sim_set_solver(sim, &config.solver, NULL));
    add_grains(sim, heap);
    support_steps(sim, 1);
    assert_true(talus_sim_contacts(sim, NULL, 0) > TWO_PARTS);
    talus_sim_destroy(sim);
}

static double residual_after(const struct heap *heap, talus_sweep sweep, int sweeps) {
    talus_sim *sim = make(heap, 1, sweep, sweeps);
    talus_step_report report;
    assert_ok(talus_sim_step(sim, &report, NULL));
    talus_sim_destroy(sim);
    return report.residual;
}

/* Of plain sweeps from zero impulses; with momentum the residual is no smooth function of the sweeps. */
static void converges_as_random_sweeps(void **state) {
    (void)state;
    for (int sweeps = 20; sweeps <= SWEEPS_MOST; sweeps *= 4) {
        double random = residual_after(&heaps[0], TALUS_SWEEP_RANDOM, sweeps);
        double batched = residual_after(&heaps[0], TALUS_SWEEP_BATCHED, sweeps);
        assert_near(batched / random, 1.0, 0.05);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(threads_change_no_bit_in_space),
        cmocka_unit_test(solver_may_change),
        cmocka_unit_test(converges_as_random_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
