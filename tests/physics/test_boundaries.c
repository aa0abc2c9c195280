/* SPDX-License-Identifier: Apache-2.0
 * Boundaries that move: prescribed exactly, free under a force, turning; plates and cylinders; work. */
#include "support.h"

static const double g = 9.81, pi = 3.141592653589793;

static size_t add(talus_sim *sim, const talus_boundary_def *def) {
    assert_ok(talus_boundary_add(sim, def, NULL));
    return talus_sim_boundary_count(sim) - 1;
}

/* At the end of every step a prescribed wall is where its motion says. */
static void prescribed_motion_is_exact(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    config.dt = 0.013;
    talus_sim *sim = support_sim(&config, 0.0);
    const double times[3] = {0.0, 0.5, 2.0}, values[3] = {0.0, 1.0, -1.0};
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "sine";
    def.point = vec(1, 2, 3);
    def.motion = (talus_motion){
        .velocity = vec(0, 0.5, 0),
        .direction = vec(0, 0, 1),
        .displacement = {
            .kind = TALUS_SIGNAL_SINE, .amplitude = 0.2, .frequency = 3.0, .phase = 0.4}};
    add(sim, &def);
    def.name = "table";
    def.motion = (talus_motion){
        .direction = vec(1, 0, 0),
        .displacement = {.kind = TALUS_SIGNAL_TABLE, .times = times, .values = values, .count = 3}};
    add(sim, &def);
    def.name = "turn"; /* about an axis that is not its own: it goes round */
    def.motion = (talus_motion){.axis = vec(0, 0, 1), .axis_point = vec(0, 2, 0), .rate = 2.0};
    add(sim, &def);
    for (int step = 1; step <= 100; step++) {
        support_steps(sim, 1);
        double t = step * 0.013, sine = 0.2 * (sin(2 * pi * 3.0 * t + 0.4) - sin(0.4));
        talus_vec3 x = talus_sim_boundary(sim, 0).point;
        assert_near(x.y, 2 + 0.5 * t, 1e-12);
        assert_near(x.z, 3 + sine, 1e-12);
        double ramp = t < 0.5 ? 2 * t : 1 - (t - 0.5) / 0.75;
        assert_near(talus_sim_boundary(sim, 1).point.x, 1 + ramp, 1e-12);
        x = talus_sim_boundary(sim, 2).point;
        assert_near(x.x, cos(2 * t), 1e-12);
        assert_near(x.y, 2 + sin(2 * t), 1e-12);
    }
    talus_sim_destroy(sim);
}

/* A piston of mass M under force F on one grain on the floor: it falls freely first, then the floor bears
 * F + (M + m) g. */
static void piston_on_a_grain(void **state) {
    (void)state;
    talus_config config = support_config(3, 1e-3);
    config.gravity = vec(0, 0, -g);
    talus_sim *sim = support_sim(&config, 0.2);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    talus_boundary_def piston = talus_boundary_def_default();
    piston.name = "piston";
    piston.point = vec(0, 0, 2.5);
    piston.normal = vec(0, 0, -1);
    piston.free =
        (talus_free_motion){.mass = 3.0, .direction = vec(0, 0, -1), .force = {.mean = 7.0}};
    size_t index = add(sim, &piston);
    support_grain(sim, 1.0, 2.0, vec(0, 0, 1), vec(0, 0, 0));
    support_steps(sim, 200);
    double a = g + 7.0 / 3.0, t = 0.2;
    assert_near(talus_sim_boundary(sim, index).velocity.z, -a * t, 1e-12);
    assert_near(talus_sim_boundary(sim, index).point.z, 2.5 - 0.5 * a * t * (t + 1e-3), 1e-12);
    support_steps(sim, 1000);
    assert_near(talus_sim_boundary(sim, index).point.z, 2.0, 1e-9);
    assert_near(talus_sim_boundary(sim, index).velocity.z, 0.0, 1e-12);
    assert_near(talus_sim_boundary(sim, index).force.z, 7.0 + 3.0 * g, 1e-9);
    assert_near(talus_sim_boundary(sim, 0).force.z, -(7.0 + 5.0 * g), 1e-9);
    assert_near(talus_sim_observe(sim).energy.error, 0.0,
                1e-12 * talus_sim_observe(sim).energy.scale);
    talus_sim_destroy(sim);
}

/* A weightless piston that slides along a slanted direction on a floor of grains keeps to its guide. */
static void slanted_piston_keeps_to_its_guide(void **state) {
    (void)state;
    talus_config config = support_config(3, 1e-3);
    config.solver.max_sweeps = 5000;
    talus_sim *sim = support_sim(&config, 0.4);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    talus_boundary_def piston = talus_boundary_def_default();
    piston.name = "piston";
    piston.point = vec(0, 0, 2.01);
    piston.normal = vec(0, 0, -1);
    talus_vec3 guide = vec(0.6, 0, -0.8);
    piston.free = (talus_free_motion){
        .mass = 1.0, .direction = guide, .force = {.mean = 5.0}, .weightless = true};
    add(sim, &piston);
    support_grain(sim, 1.0, 1.0, vec(0, 0, 1), vec(0, 0, 0));
    support_steps(sim, 50);
    talus_boundary_view view = talus_sim_boundary(sim, 1);
    talus_vec3 way = vec(view.point.x, view.point.y, view.point.z - 2.01);
    double along = way.x * guide.x + way.z * guide.z;
    assert_true(along > 0.0);
    assert_near(way.x, along * guide.x, 1e-12);
    assert_near(way.y, 0.0, 1e-15);
    assert_near(way.z, along * guide.z, 1e-12);
    assert_true(view.point.z >= 2.0 - 1e-9);
    talus_sim_destroy(sim);
}

/* A free drum with a grain that cannot turn stuck to its wall: together a pendulum about the axis with
 * inertia I + m (R - r)^2, if friction holds. */
static void free_drum(void **state) {
    (void)state;
    const double inertia = 0.5, dt = 2e-4, angle = 0.05;
    talus_config config = support_config(2, dt);
    config.gravity = vec(0, -g, 0);
    talus_sim *sim = support_sim(&config, 1.0);
    talus_boundary_def drum = talus_boundary_def_default();
    drum.name = "drum";
    drum.shape = TALUS_CYLINDER_INSIDE;
    drum.radius = 1.0;
    drum.free = (talus_free_motion){.inertia = inertia, .axis = vec(0, 0, 1)};
    add(sim, &drum);
    talus_body_def grain = talus_body_def_default(sim);
    grain.radius = 0.1;
    grain.mass = 1.0;
    grain.position = vec(0.9 * sin(angle), -0.9 * cos(angle), 0);
    assert_ok(talus_bodies_add(sim, &grain, 1, NULL, NULL));
    /* A rolling disc, inertia m r^2/2, and a drum coupled by rolling contact; small oscillation:
     * T = V_t = 0: (R - r) th' = R W - r w'... eliminating gives an effective mass
     * m_eff = m + 1/(1/(J/r^2) + 1/(I/R^2)) for the motion s = (R - r) th. */
    double disc = 0.5 * 1.0 * 0.1 * 0.1 / (0.1 * 0.1), shell = inertia;
    double mass = 1.0 + 1.0 / (1.0 / disc + 1.0 / shell);
    double expected = 2 * pi * sqrt(mass * 0.9 / g);
    double first = -1.0, before = 1.0, period = 0.0;
    for (int step = 0; step < 40000 && period == 0.0; step++) {
        support_steps(sim, 1);
        double x = talus_sim_bodies(sim).position[1].x, t = talus_sim_time(sim);
        if (before > 0.0 && x <= 0.0) {
            if (first >= 0.0) period = t - first;
            first = t;
        }
        before = x;
    }
    assert_near(period, expected, 0.005 * expected);
    talus_sim_destroy(sim);
}

/* Free first, then driven: from then on the drum does work as any prescribed wall, and the budget closes. */
static void free_drum_taken_in_hand(void **state) {
    (void)state;
    talus_config config = support_config(2, 1e-3);
    config.gravity = vec(0, -g, 0);
    talus_sim *sim = support_sim(&config, 0.6);
    talus_boundary_def drum = talus_boundary_def_default();
    drum.name = "drum";
    drum.shape = TALUS_CYLINDER_INSIDE;
    drum.radius = 1.0;
    drum.free = (talus_free_motion){.inertia = 0.5, .axis = vec(0, 0, 1)};
    add(sim, &drum);
    support_grain(sim, 0.1, 1.0, vec(0.5, -0.7, 0), vec(0, 0, 0));
    support_steps(sim, 300);
    talus_motion motion = {.axis = vec(0, 0, 1), .rate = 1.0};
    assert_ok(talus_boundary_set_motion(sim, "drum", &motion, NULL));
    support_steps(sim, 1000);
    talus_energy energy = talus_sim_observe(sim).energy;
    assert_true(energy.work_boundary != 0.0);
    assert_near(energy.error, 0.0, 1e-11 * energy.scale);
    talus_sim_destroy(sim);
}

/* A grain on a plate of finite size rolls off its edge and falls. */
static void plate_has_an_edge(void **state) {
    (void)state;
    talus_config config = support_config(3, 1e-3);
    config.gravity = vec(0, 0, -g);
    talus_sim *sim = support_sim(&config, 0.5);
    talus_boundary_def plate = talus_boundary_def_default();
    plate.name = "plate";
    plate.shape = TALUS_RECTANGLE;
    plate.edge = vec(1, 0, 0);
    plate.size[0] = plate.size[1] = 2.0;
    add(sim, &plate);
    support_grain(sim, 0.1, 1.0, vec(0, 0, 0.1), vec(1, 0, 0));
    support_steps(sim, 900);
    assert_near(talus_sim_bodies(sim).position[1].z, 0.1, 1e-6); /* still on it */
    support_steps(sim, 1500);
    assert_true(talus_sim_bodies(sim).position[1].z < -1.0);
    talus_sim_destroy(sim);
}

/* Removing the floor lets the grain fall; its name is free of force from then on. */
static void removed_wall(void **state) {
    (void)state;
    talus_config config = support_config(2, 1e-3);
    config.gravity = vec(0, -g, 0);
    talus_sim *sim = support_sim(&config, 0.5);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    support_grain(sim, 0.1, 1.0, vec(0, 0.1, 0), vec(0, 0, 0));
    support_steps(sim, 10);
    assert_near(talus_sim_boundary(sim, 0).force.y, -g, 1e-12);
    assert_ok(talus_boundary_remove(sim, "floor", NULL));
    assert_false(talus_sim_boundary(sim, 0).present);
    support_steps(sim, 100);
    assert_near(talus_sim_bodies(sim).velocity[1].y, -g * 0.1, 1e-12);
    talus_sim_destroy(sim);
}

/* The work of a moving wall is what the grain gains: a wall pushes a grain at constant speed against a
 * constant force. */
static void work_of_a_wall(void **state) {
    (void)state;
    talus_config config = support_config(2, 1e-3);
    talus_sim *sim = support_sim(&config, 0.0);
    talus_boundary_def wall = talus_boundary_def_default();
    wall.name = "wall";
    wall.normal = vec(1, 0, 0);
    wall.motion.velocity = vec(0.5, 0, 0);
    add(sim, &wall);
    support_grain(sim, 0.1, 2.0, vec(0.1, 0, 0), vec(0.5, 0, 0));
    assert_ok(talus_force_set(sim, "against", "grains", vec(-1, 0, 0), &(talus_signal){.mean = 3.0},
                              NULL));
    support_steps(sim, 1000);
    talus_energy energy = talus_sim_observe(sim).energy;
    assert_near(energy.work_boundary, 3.0 * 0.5, 1e-9);
    assert_near(energy.work_force, -3.0 * 0.5, 1e-9);
    assert_near(energy.dissipation, 0.0, 1e-9);
    assert_near(energy.error, 0.0, 1e-12);
    talus_sim_destroy(sim);
}

/* Forces that depend on time. */
static void signals(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    config.dt = 1e-3;
    talus_sim *sim = support_sim(&config, 0.0);
    support_grain(sim, 1.0, 2.0, vec(0, 0, 0), vec(0, 0, 0));
    const double times[2] = {0.2, 0.6}, values[2] = {1.0, 3.0};
    assert_ok(talus_force_set(
        sim, "table", "grains", vec(1, 0, 0),
        &(talus_signal){.kind = TALUS_SIGNAL_TABLE, .times = times, .values = values, .count = 2},
        NULL));
    assert_ok(talus_force_set(
        sim, "sine", "grains", vec(0, 1, 0),
        &(talus_signal){.kind = TALUS_SIGNAL_SINE, .mean = 1.0, .amplitude = 2.0, .frequency = 1.0},
        NULL));
    support_steps(sim, 1000);
    /* Momentum = integral of the force: 0.2 x 1 + 0.4 x 2 + 0.4 x 3; and mean x 1 over a full period. */
    assert_near(2.0 * talus_sim_bodies(sim).velocity[0].x, 2.2, 2e-3);
    assert_near(2.0 * talus_sim_bodies(sim).velocity[0].y, 1.0, 1e-12);
    assert_ok(talus_force_remove(sim, "table", NULL));
    double before = talus_sim_bodies(sim).velocity[0].x;
    support_steps(sim, 10);
    assert_true(talus_sim_bodies(sim).velocity[0].x == before);
    talus_sim_destroy(sim);
}

/* Discs tumbling in a turning drum with a plate in it never leave the plane of their world. */
static void plane_world_stays_plane(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    config.dim = 2;
    config.dt = 2e-3;
    config.gravity = vec(0, -g, 0);
    talus_sim *sim = support_sim(&config, 0.5);
    talus_boundary_def drum = talus_boundary_def_default();
    drum.name = "drum";
    drum.shape = TALUS_CYLINDER_INSIDE;
    drum.radius = 1.0;
    drum.motion = (talus_motion){.axis = vec(0, 0, 1), .rate = 2.0};
    add(sim, &drum);
    talus_boundary_def paddle = talus_boundary_def_default();
    paddle.name = "paddle";
    paddle.shape = TALUS_RECTANGLE;
    paddle.point = vec(0.8, 0, 0);
    paddle.normal = vec(0, 1, 0);
    paddle.edge = vec(1, 0, 0);
    paddle.size[0] = 0.3;
    paddle.size[1] = 1.0;
    paddle.motion = (talus_motion){.axis = vec(0, 0, 1), .axis_point = vec(0, 0, 0), .rate = 2.0};
    add(sim, &paddle);
    for (int i = 0; i < 80; i++)
        support_grain(sim, 0.05, 0.0, vec(-0.5 + i % 10 * 0.105, -0.6 + i / 10 * 0.105, 0),
                      vec(0, 0, 0));
    for (int step = 0; step < 1500; step++) {
        support_steps(sim, 1);
        assert_ok(talus_sim_validate(sim, NULL)); /* z = 0 and v_z = 0 exactly */
    }
    assert_near(talus_sim_observe(sim).energy.error, 0.0,
                1e-10 * talus_sim_observe(sim).energy.scale);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prescribed_motion_is_exact),
        cmocka_unit_test(piston_on_a_grain),
        cmocka_unit_test(slanted_piston_keeps_to_its_guide),
        cmocka_unit_test(free_drum),
        cmocka_unit_test(free_drum_taken_in_hand),
        cmocka_unit_test(plate_has_an_edge),
        cmocka_unit_test(removed_wall),
        cmocka_unit_test(work_of_a_wall),
        cmocka_unit_test(signals),
        cmocka_unit_test(plane_world_stays_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
