/* SPDX-License-Identifier: Apache-2.0
 * No allocation in a settled step; every refused allocation is survived; bad values change nothing. */
#include "support.h"

static const talus_pair_law plain_law = {.mu_static = 0.3, .mu_sliding = 0.3};
static const talus_pair_law every_law = {
    .mu_static = 0.4,
    .mu_sliding = 0.3,
    .rolling = {.coefficient = 0.1},
    .torsion = {.coefficient = 0.1},
    .cohesion = {.force = 0.1, .range = 0.01},
    .restitution = {.normal = 0.5, .tangential = 0.1},
};

static talus_status build_and_step(const talus_config *config, const talus_pair_law *law, int steps,
                                   talus_sim **out) {
    talus_sim *sim = NULL;
    talus_error err;
    talus_status status = talus_sim_create(config, &sim, &err);
    *out = NULL;
    if (status < 0) return status;
    talus_material material;
    const double times[2] = {0, 1}, values[2] = {0, 0.001};
    talus_boundary_def floor = talus_boundary_def_default();
    floor.name = "floor";
    floor.motion.direction = vec(0, 0, 1);
    floor.motion.displacement =
        (talus_signal){.kind = TALUS_SIGNAL_TABLE, .times = times, .values = values, .count = 2};
    talus_boundary_def piston = talus_boundary_def_default();
    piston.name = "piston";
    piston.point = vec(0, 0, 6); /* just above the grains */
    piston.normal = vec(0, 0, -1);
    piston.free = (talus_free_motion){.mass = 1, .direction = vec(0, 0, -1)};
    talus_boundary_def tube =
        talus_boundary_def_default(); /* or what has no rolling friction rolls away */
    tube.name = "tube";
    tube.shape = TALUS_CYLINDER_INSIDE;
    tube.point = vec(1.01, 1.01, 0);
    tube.normal = vec(0, 0, 1);
    tube.radius = 2.2;
    if (status >= 0) status = talus_material_add(sim, "stuff", 1.0, &material, &err);
    if (status >= 0) status = talus_pair_set(sim, 0, 0, law, &err);
    if (status >= 0) status = talus_boundary_add(sim, &floor, &err);
    if (status >= 0) status = talus_boundary_add(sim, &piston, &err);
    if (status >= 0) status = talus_boundary_add(sim, &tube, &err);
    for (int i = 0; i < 40 && status >= 0; i++) {
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 0.5;
        def.position = vec(i % 3 * 1.01, i / 3 % 3 * 1.01, 0.5 + i / 9);
        status = talus_bodies_add(sim, &def, 1, NULL, &err);
    }
    if (status >= 0)
        status =
            talus_force_set(sim, "f", "grains", vec(0, 0, -1), &(talus_signal){.mean = 0.1}, &err);
    talus_membrane_def skin = talus_membrane_def_default();
    skin.name = "skin";
    skin.plates[0] = "floor";
    skin.plates[1] = "piston";
    skin.pressure =
        (talus_signal){.kind = TALUS_SIGNAL_TABLE, .times = times, .values = values, .count = 2};
    if (status >= 0) status = talus_membrane_add(sim, &skin, &err);
    if (status >= 0)
        status = talus_membrane_set_pressure(sim, "skin", &(talus_signal){.mean = 0.001}, &err);
    for (int k = 0; k < steps && status >= 0; k++) status = talus_sim_step(sim, NULL, &err);
    if (status < 0)
        talus_sim_destroy(sim);
    else
        *out = sim;
    return status;
}

static talus_config settled_config(void) {
    talus_config config = talus_config_default();
    config.dt = 0.005;
    config.gravity = vec(0, 0, -9.81);
    config.solver.tolerance = 1e-6; /* or loose grains find new neighbours for long */
    config.solver.max_sweeps = 200; /* some steps with every law creep */
    return config;
}

static void settled_steps_allocate_nothing(void **state) {
    (void)state;
    const char *solvers[2] = {"nsgs", "auto"}; /* which has what nnsgs and apgd have */
    for (int k = 0; k < 6; k++) {
        talus_config config = settled_config();
        config.solver.name = solvers[k % 2];
        if (k >= 4) config.solver.sweep = TALUS_SWEEP_BATCHED;
        talus_sim *sim;
        int settling = k < 2 ? 700 : 300; /* with every law grains find no new neighbours sooner */
        assert_ok(build_and_step(&config, k < 2 ? &plain_law : &every_law, settling, &sim));
        int64_t before = talus_sim_allocations(sim);
        support_steps(sim, 200);
        assert_int_equal(talus_sim_allocations(sim), before);
        talus_sim_destroy(sim);
    }
}

static void every_refused_allocation_is_survived(void **state) {
    (void)state;
    const char *solvers[2] = {"nsgs", "auto"}; /* which has what nnsgs and apgd have */
    for (int k = 0; k < 8; k++) {
        int refused = 0;
        for (int64_t at = 1;; at++) {
            talus_config config = settled_config();
            config.solver.name = solvers[k % 2];
            if (k >= 4) config.solver.sweep = TALUS_SWEEP_BATCHED;
            config.refuse_allocation = at;
            talus_sim *sim;
            talus_status status =
                build_and_step(&config, k % 4 < 2 ? &plain_law : &every_law, 3, &sim);
            if (status >= 0) {
                talus_sim_destroy(sim);
                break;
            }
            assert_int_equal(status, TALUS_ERR_MEMORY);
            refused++;
        }
        assert_true(refused > 30);
    }
}

/* After a refused step the same simulation goes on when memory is back. */
static void a_refused_step_changes_nothing(void **state) {
    (void)state;
    for (int k = 0; k < 12; k++) {
        const talus_pair_law *law = k % 2 == 0 ? &plain_law : &every_law;
        talus_config config = settled_config();
        if (k % 4 >= 2) config.solver.sweep = TALUS_SWEEP_BATCHED;
        talus_sim *calm;
        assert_ok(build_and_step(&config, law, 0, &calm));
        int64_t first_step_call = talus_sim_allocations(calm) + 1;
        support_steps(calm, 5);
        config.refuse_allocation = first_step_call + 3 + k;
        talus_sim *sim;
        assert_ok(build_and_step(&config, law, 0, &sim));
        uint64_t before = talus_sim_hash(sim);
        assert_int_equal(talus_sim_step(sim, NULL, NULL), TALUS_ERR_MEMORY);
        assert_int_equal(talus_sim_step_count(sim), 0);
        assert_true(talus_sim_hash(sim) == before);
        support_steps(sim, 5);
        assert_true(talus_sim_hash(sim) == talus_sim_hash(calm));
        talus_sim_destroy(calm);
        talus_sim_destroy(sim);
    }
}

static void bad_values_are_refused(void **state) {
    (void)state;
    talus_sim *sim = NULL;
    talus_error err;
    talus_config config = talus_config_default();
    config.dt = -1;
    assert_int_equal(talus_sim_create(&config, &sim, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "dt = -1"));
    config = talus_config_default();
    config.dim = 4;
    assert_int_equal(talus_sim_create(&config, &sim, &err), TALUS_ERR_INPUT);
    config = talus_config_default();
    config.solver.name = "magic";
    assert_int_equal(talus_sim_create(&config, &sim, &err), TALUS_ERR_UNKNOWN_NAME);
    config.solver.name = "nnsgs";
    config.solver.sweep = TALUS_SWEEP_PARALLEL;
    assert_int_equal(talus_sim_create(&config, &sim, &err), TALUS_ERR_INPUT);
    config = talus_config_default();
    config.cell.periodic[1] = true;
    assert_int_equal(talus_sim_create(&config, &sim, &err), TALUS_ERR_INPUT);
    config = talus_config_default();
    config.dim = 2;
    sim = support_sim(&config, 0.1);
    talus_body_def def = talus_body_def_default(sim);
    def.radius = -1;
    assert_int_equal(talus_bodies_add(sim, &def, 1, NULL, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "radius"));
    def.radius = 1;
    def.position.z = 1;
    assert_int_equal(talus_bodies_add(sim, &def, 1, NULL, &err), TALUS_ERR_INPUT);
    def.position = vec(0, (double)NAN, 0);
    assert_int_equal(talus_bodies_add(sim, &def, 1, NULL, &err), TALUS_ERR_INPUT);
    def.position = vec(0, 0, 0);
    def.shape = "banana";
    assert_int_equal(talus_bodies_add(sim, &def, 1, NULL, &err), TALUS_ERR_UNKNOWN_NAME);
    def.shape = "disc";
    def.material = 7;
    assert_int_equal(talus_bodies_add(sim, &def, 1, NULL, &err), TALUS_ERR_INPUT);
    assert_int_equal(
        talus_pair_set(sim, 0, 0, &(talus_pair_law){.mu_static = 0.1, .mu_sliding = 0.2}, &err),
        TALUS_ERR_INPUT);
    assert_int_equal(
        talus_pair_set(sim, 0, 3, &(talus_pair_law){.mu_static = 0.1, .mu_sliding = 0.1}, &err),
        TALUS_ERR_INPUT);
    talus_material material;
    assert_int_equal(talus_material_add(sim, "stuff", 1, &material, &err), TALUS_ERR_INPUT);
    assert_int_equal(talus_material_add(sim, "", 1, &material, &err), TALUS_ERR_INPUT);
    assert_int_equal(talus_boundary_remove(sim, "nobody", &err), TALUS_ERR_UNKNOWN_NAME);
    talus_boundary_def wall = talus_boundary_def_default();
    wall.name = "wall";
    wall.normal = vec(0, 2, 0);
    assert_int_equal(talus_boundary_add(sim, &wall, &err), TALUS_ERR_INPUT);
    wall.normal = vec(0, 1, 0);
    wall.shape = TALUS_CYLINDER_INSIDE;
    assert_int_equal(talus_boundary_add(sim, &wall, &err), TALUS_ERR_INPUT);
    wall.shape = TALUS_PLANE;
    wall.free.mass = -1;
    assert_int_equal(talus_boundary_add(sim, &wall, &err), TALUS_ERR_INPUT);
    assert_int_equal(talus_sim_bodies(sim).count, 0);
    assert_int_equal(talus_sim_boundary_count(sim), 0);
    assert_int_equal(talus_sim_set_dt(sim, (double)NAN, &err), TALUS_ERR_INPUT);
    assert_int_equal(talus_sim_set_gravity(sim, vec((double)NAN, 0, 0), &err), TALUS_ERR_INPUT);
    talus_signal table = {.kind = TALUS_SIGNAL_TABLE};
    assert_int_equal(talus_force_set(sim, "f", "grains", vec(1, 0, 0), &table, &err),
                     TALUS_ERR_INPUT);
    assert_int_equal(talus_force_remove(sim, "f", &err), TALUS_ERR_UNKNOWN_NAME);
    talus_sim_destroy(sim);
}

/* A world without a single body can be stepped: its grains may come later. */
static void empty_world_steps(void **state) {
    (void)state;
    const talus_sweep sweeps[3] = {TALUS_SWEEP_RANDOM, TALUS_SWEEP_WINDOWED, TALUS_SWEEP_BATCHED};
    for (int k = 0; k < 6; k++) {
        talus_config config = talus_config_default();
        config.solver.name = k < 3 ? "nsgs" : "nnsgs";
        config.solver.sweep = sweeps[k % 3];
        talus_sim *sim = support_sim(&config, 0.0);
        support_steps(sim, 3);
        assert_int_equal(talus_sim_observe(sim).grains, 0);
        assert_true(talus_sim_trust(sim).steps == 3);
        support_grain(sim, 1.0, 1.0, vec(0, 0, 0), vec(1, 0, 0));
        support_steps(sim, 3);
        assert_near(talus_sim_bodies(sim).position[0].x, 3e-3, 1e-15);
        talus_sim_destroy(sim);
    }
}

/* Walls that lead out of a plane world or do not repeat with the cell are refused. */
static void walls_fit_their_world(void **state) {
    (void)state;
    talus_error err;
    talus_config config = talus_config_default();
    config.dim = 2;
    talus_sim *flat = support_sim(&config, 0.5);
    talus_boundary_def wall = talus_boundary_def_default();
    wall.name = "wall";
    wall.normal = vec(0, 0.6, 0.8);
    assert_int_equal(talus_boundary_add(flat, &wall, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "2-dimensional"));
    wall.normal = vec(0, 1, 0);
    wall.motion.velocity = vec(0, 0, 1);
    assert_int_equal(talus_boundary_add(flat, &wall, &err), TALUS_ERR_INPUT);
    wall.motion = (talus_motion){.axis = vec(1, 0, 0), .rate = 1.0};
    assert_int_equal(talus_boundary_add(flat, &wall, &err), TALUS_ERR_INPUT);
    wall.motion = (talus_motion){.velocity = vec(0, 0, 0)};
    wall.free = (talus_free_motion){.mass = 1.0, .direction = vec(0, 0, 1)};
    assert_int_equal(talus_boundary_add(flat, &wall, &err), TALUS_ERR_INPUT);
    wall.free = (talus_free_motion){.mass = 0.0};
    assert_int_equal(talus_boundary_add(flat, &wall, &err), TALUS_OK);
    talus_boundary_def drum = wall; /* free to turn, with an unused direction along its axis */
    drum.name = "drum";
    drum.shape = TALUS_CYLINDER_INSIDE;
    drum.radius = 1.0;
    drum.normal = vec(0, 0, 1);
    drum.free = (talus_free_motion){.inertia = 1, .axis = vec(0, 0, 1), .direction = vec(0, 0, 1)};
    assert_int_equal(talus_boundary_add(flat, &drum, &err), TALUS_OK);
    assert_int_equal(talus_boundary_add(flat, &wall, &err),
                     TALUS_ERR_INPUT); /* the name is taken */
    assert_ok(talus_boundary_remove(flat, "wall", NULL));
    assert_int_equal(talus_boundary_add(flat, &wall, &err), TALUS_OK); /* and free again */
    talus_sim_destroy(flat);
    config = talus_config_default();
    config.cell.periodic[0] = true;
    config.cell.size = vec(10, 0, 0);
    talus_sim *round = support_sim(&config, 0.5);
    wall.normal = vec(1, 0, 0);
    assert_int_equal(talus_boundary_add(round, &wall, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "period along x"));
    wall.normal = vec(0, 0, 1); /* a floor, but turning about y it would lift its images */
    wall.motion = (talus_motion){.axis = vec(0, 1, 0), .rate = 1.0};
    assert_int_equal(talus_boundary_add(round, &wall, &err), TALUS_ERR_INPUT);
    wall.motion = (talus_motion){.velocity = vec(0, 0, 0)};
    wall.shape = TALUS_RECTANGLE; /* a slanted plate longer than its period */
    wall.normal = vec(-0.6, 0, 0.8);
    wall.edge = vec(0.8, 0, 0.6);
    wall.size[0] = 20;
    wall.size[1] = 1;
    assert_int_equal(talus_boundary_add(round, &wall, &err), TALUS_ERR_INPUT);
    wall.name = "plate";
    wall.size[0] = 5;
    assert_int_equal(talus_boundary_add(round, &wall, &err), TALUS_OK);
    wall.name = "post"; /* a row of posts across the period */
    wall.shape = TALUS_CYLINDER_OUTSIDE;
    wall.normal = vec(0, 1, 0);
    wall.radius = 1;
    assert_int_equal(talus_boundary_add(round, &wall, &err), TALUS_OK);
    wall.name = "wall";
    wall.shape = TALUS_PLANE;
    wall.normal = vec(0.6, 0, 0.8);
    assert_int_equal(talus_boundary_add(round, &wall, &err), TALUS_ERR_INPUT);
    wall.shape = TALUS_CYLINDER_INSIDE;
    wall.radius = 1.0;
    wall.normal = vec(0, 0, 1);
    assert_int_equal(talus_boundary_add(round, &wall, &err), TALUS_ERR_INPUT);
    wall.normal = vec(1, 0, 0);
    assert_int_equal(talus_boundary_add(round, &wall, &err), TALUS_OK);
    talus_sim_destroy(round);
}

/* A force that overflows: the step is refused with body and step, the state stays. */
static void overflow_is_reported(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    talus_sim *sim = support_sim(&config, 0.0);
    support_grain(sim, 1.0, 1e-300, vec(0, 0, 0), vec(0, 0, 0));
    assert_ok(
        talus_force_set(sim, "f", "grains", vec(1, 0, 0), &(talus_signal){.mean = 1e300}, NULL));
    talus_error err;
    assert_int_equal(talus_sim_step(sim, NULL, &err), TALUS_ERR_DIVERGED);
    assert_non_null(strstr(err.text, "body 0"));
    assert_true(talus_sim_bodies(sim).velocity[0].x == 0.0);
    assert_int_equal(talus_sim_step_count(sim), 0);
    /* Finite, but its square is not. */
    assert_ok(talus_force_remove(sim, "f", NULL));
    assert_ok(talus_group_set_velocity(sim, "grains", vec(1, 0, 0), NULL));
    support_steps(sim, 1);
    double speed = talus_sim_observe(sim).speed_max;
    assert_ok(talus_group_set_velocity(sim, "grains", vec(1e200, 0, 0), NULL));
    assert_int_equal(talus_sim_step(sim, NULL, &err), TALUS_ERR_DIVERGED);
    assert_true(talus_sim_observe(sim).speed_max ==
                speed); /* the last good step is what is reported */
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settled_steps_allocate_nothing),
        cmocka_unit_test(every_refused_allocation_is_survived),
        cmocka_unit_test(a_refused_step_changes_nothing),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(empty_world_steps),
        cmocka_unit_test(walls_fit_their_world),
        cmocka_unit_test(overflow_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
