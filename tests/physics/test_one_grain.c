/* SPDX-License-Identifier: Apache-2.0
 *
 * One grain on a plane, in a drum, on a moving table: rolling, slipping, curved paths, pendulum.
 * All answers are elementary mechanics; Contact Dynamics gives them to first order in dt, so errors are
 * checked at dt and dt/2 where the answer is not exact in the step.
 */
#include "support.h"

static const double g = 9.81, pi = 3.141592653589793;

/* A grain of radius 1 and mass 1 on a plane through the origin with upward normal z (y for discs);
 * gravity is tilted by theta so that "down the slope" is +x. */
static talus_sim *slope(const char *shape, double theta, double mu, double dt, talus_vec3 velocity,
                        talus_vec3 omega) {
    bool disc = strcmp(shape, "disc") == 0;
    talus_config config = support_config(disc ? 2 : 3, dt);
    config.gravity =
        disc ? vec(g * sin(theta), -g * cos(theta), 0) : vec(g * sin(theta), 0, -g * cos(theta));
    talus_sim *sim = support_sim(&config, mu);
    support_plane(sim, "floor", vec(0, 0, 0), disc ? vec(0, 1, 0) : vec(0, 0, 1));
    talus_body_def def = talus_body_def_default(sim);
    def.radius = 1.0;
    def.mass = 1.0;
    def.position = disc ? vec(0, 1, 0) : vec(0, 0, 1);
    def.velocity = velocity;
    def.omega = omega;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    return sim;
}

/* Rolls if tan theta <= 3.5 mu (sphere), 3 mu (disc), with a = 5/7 or 2/3 g sin theta; else slips. */
static void incline(void **state) {
    (void)state;
    const struct {
        const char *shape;
        double mu, acceleration, spin;
    } cases[] = {
        {"sphere", 0.3, 3.5036, 3.5036},
        {"sphere", 0.1, 4.0554, 2.1239},
        {"disc", 0.3, 3.27, 3.27},
        {"disc", 0.1, 4.0554, 2.0 * 0.1 * 9.81 * 0.8660254},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        talus_sim *sim =
            slope(cases[k].shape, pi / 6, cases[k].mu, 1e-3, vec(0, 0, 0), vec(0, 0, 0));
        support_steps(sim, 1000);
        talus_body_view view = talus_sim_bodies(sim);
        double turn = strcmp(cases[k].shape, "disc") == 0 ? -view.omega[1].z : view.omega[1].y;
        assert_near(view.velocity[1].x, cases[k].acceleration, 0.003 * cases[k].acceleration);
        assert_near(turn, cases[k].spin, 0.003 * cases[k].spin);
        talus_sim_destroy(sim);
    }
}

struct billiard {
    double speed, time, distance;
    double later; /* position at t = 0.4 s, when all have rolled for a while */
};

/* Slide until the slip vanishes; speed, time and distance then. */
static struct billiard roll_out(const char *shape, double v0, double spin, double mu, double dt) {
    bool disc = strcmp(shape, "disc") == 0;
    talus_sim *sim =
        slope(shape, 0.0, mu, dt, vec(v0, 0, 0), disc ? vec(0, 0, -spin) : vec(0, spin, 0));
    struct billiard end = {0};
    int steps = (int)lround(0.4 / dt), step = 0;
    double slip = 1.0;
    for (; step < steps && slip > 1e-12; step++) {
        support_steps(sim, 1);
        talus_body_view view = talus_sim_bodies(sim);
        double turn = disc ? -view.omega[1].z : view.omega[1].y;
        slip = fabs(view.velocity[1].x - turn);
        end = (struct billiard){view.velocity[1].x, talus_sim_time(sim), view.position[1].x, 0.0};
    }
    support_steps(sim, steps - step);
    end.later = talus_sim_bodies(sim).position[1].x;
    assert_near(talus_sim_bodies(sim).velocity[1].x, end.speed, 1e-12);
    talus_sim_destroy(sim);
    return end;
}

static void slip_to_roll(void **state) {
    (void)state;
    const double v0 = 2.0, mu = 0.2;
    for (int shape = 0; shape < 2; shape++) {
        double speed = shape == 0 ? 5.0 / 7.0 * v0 : 2.0 / 3.0 * v0;
        double time = shape == 0 ? 2 * v0 / (7 * mu * g) : v0 / (3 * mu * g);
        double distance = shape == 0 ? 12 * v0 * v0 / (49 * mu * g) : 5 * v0 * v0 / (18 * mu * g);
        const char *name = shape == 0 ? "sphere" : "disc";
        struct billiard coarse = roll_out(name, v0, 0.0, mu, 4e-4),
                        fine = roll_out(name, v0, 0.0, mu, 2e-4);
        assert_near(fine.speed, speed,
                    1e-10); /* exact: sliding friction conserves it in every step */
        assert_near(fine.time, time, 0.003 * time);
        assert_near(fine.distance, distance, 0.003 * distance);
        /* The position at a fixed time is of first order in dt. */
        double later = distance + speed * (0.4 - time);
        assert_near((coarse.later - later) / (fine.later - later), 2.0, 0.05);
    }
    assert_near(roll_out("sphere", 2.0, 0.0, 0.2, 1e-4).time, 0.29125, 0.003 * 0.29125);
    assert_near(roll_out("sphere", 2.0, 1.0, 0.2, 1e-4).speed, (5 * 2.0 + 2 * 1.0) / 7, 1e-10);
    assert_near(roll_out("sphere", 0.4, -1.0, 0.2, 1e-4).speed, 0.0,
                1e-10); /* draw shot stops dead */
}

/* Slip direction stays constant: a parabola, then straight at v0 - 2/7 s0 after 2|s0|/(7 mu g). */
static void curved_path(void **state) {
    (void)state;
    const double mu = 0.3, dt = 1e-4;
    /* Slip s = v + w x (-r n) = (v.x - w.y, v.y + w.x): v0 = (1, 0), w = (0.5, 0, 0) gives s0 = (1, 0.5). */
    talus_sim *sim = slope("sphere", 0.0, mu, dt, vec(1, 0, 0), vec(0.5, 0, 0));
    const double s0 = hypot(1.0, 0.5), slip_time = 2 * s0 / (7 * mu * g);
    int steps = (int)(0.5 * slip_time / dt);
    support_steps(sim, steps);
    talus_body_view view = talus_sim_bodies(sim);
    double t = steps * dt;
    assert_near(view.velocity[1].x, 1.0 - mu * g * t / s0, 1e-10);
    assert_near(view.velocity[1].y, -mu * g * t * 0.5 / s0, 1e-10);
    double slip_x = view.velocity[1].x - view.omega[1].y,
           slip_y = view.velocity[1].y + view.omega[1].x;
    assert_near(slip_y / slip_x, 0.5, 1e-10);
    support_steps(sim, (int)(slip_time / dt));
    assert_near(view.velocity[1].x, 1.0 - 2.0 / 7.0 * 1.0, 1e-10);
    assert_near(view.velocity[1].y, 0.0 - 2.0 / 7.0 * 0.5, 1e-10);
    talus_sim_destroy(sim);
}

/* Rolling on a slope with sideways velocity: a parabola with 5/7 g sin theta; the spin about the normal
 * stays what it was. */
static void rolling_with_sideways_velocity(void **state) {
    (void)state;
    const double theta = 0.3, dt = 1e-3;
    /* Rolling without slip: w = n x v / r, plus a spin of 2 about z. */
    talus_sim *sim = slope("sphere", theta, 0.5, dt, vec(0, 1, 0), vec(-1, 0, 2));
    support_steps(sim, 1000);
    talus_body_view view = talus_sim_bodies(sim);
    double a = 5.0 / 7.0 * g * sin(theta);
    assert_near(view.velocity[1].x, a, 1e-9);
    assert_near(view.velocity[1].y, 1.0, 1e-9);
    assert_near(view.position[1].y, 1.0, 1e-9);
    assert_near(view.position[1].x, 0.5 * a, 1e-3 * a);
    assert_near(view.omega[1].z, 2.0, 1e-12);
    talus_sim_destroy(sim);
}

/* Period of a grain rolling inside a fixed cylinder, by the zero crossings of x. */
static double drum_period(const char *shape, double mu, double amplitude, double dt) {
    bool disc = strcmp(shape, "disc") == 0;
    talus_config config = support_config(disc ? 2 : 3, dt);
    config.gravity = vec(0, -g, 0);
    config.solver.max_sweeps = 100;
    talus_sim *sim = support_sim(&config, mu);
    talus_boundary_def drum = talus_boundary_def_default();
    drum.name = "drum";
    drum.shape = TALUS_CYLINDER_INSIDE;
    drum.radius = 1.0;
    drum.normal = vec(0, 0, 1);
    assert_ok(talus_boundary_add(sim, &drum, NULL));
    const double reach = 0.9;
    support_grain(sim, 0.1, 1.0, vec(reach * sin(amplitude), -reach * cos(amplitude), 0),
                  vec(0, 0, 0));
    double first = -1.0, before = reach * sin(amplitude);
    for (int step = 0; step < 1000000; step++) {
        support_steps(sim, 1);
        double x = talus_sim_bodies(sim).position[1].x, t = talus_sim_time(sim);
        if (before > 0.0 && x <= 0.0) { /* downward crossing */
            double cross = t - dt * x / (x - before);
            if (first >= 0.0) {
                talus_sim_destroy(sim);
                return cross - first;
            }
            first = cross;
        }
        before = x;
    }
    fail_msg("no period seen");
    return 0.0;
}

static void pendulum_in_a_drum(void **state) {
    (void)state;
    const double small = 0.02, dt = 2e-4;
    assert_near(drum_period("disc", 1.0, small, dt), 2.3308, 0.005 * 2.3308);
    assert_near(drum_period("sphere", 1.0, small, dt), 2.2518, 0.005 * 2.2518);
    assert_near(drum_period("sphere", 0.0, small, dt), 1.9031, 0.005 * 1.9031);
    assert_near(drum_period("disc", 1.0, pi / 6, dt), 2.3714, 0.005 * 2.3714);
    assert_near(drum_period("sphere", 1.0, pi / 6, dt), 2.2910, 0.005 * 2.2910);
}

/* A grain that cannot turn on a table that moves with `motion`. */
static talus_sim *table(double mu, double dt, const talus_motion *motion) {
    talus_config config = support_config(3, dt);
    config.gravity = vec(0, 0, -g);
    talus_sim *sim = support_sim(&config, mu);
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "table";
    def.motion = *motion;
    assert_ok(talus_boundary_add(sim, &def, NULL));
    talus_body_def block = talus_body_def_default(sim);
    block.radius = 1.0;
    block.mass = 1.0;
    block.position = vec(0, 0, 1);
    block.locks = TALUS_LOCK_ROTATION;
    assert_ok(talus_bodies_add(sim, &block, 1, NULL, NULL));
    return sim;
}

/* Shaken table x = A sin(w t): no relative motion while A w^2 < mu g. */
static void shaken_table(void **state) {
    (void)state;
    const double mu = 0.3, omega = 10.0, dt = 1e-4;
    for (int k = 0; k < 2; k++) {
        double amplitude = (k == 0 ? 2.9 : 3.0) / (omega * omega);
        /* A cosine, so that the block starts with the table at rest. */
        talus_motion motion = {.direction = vec(1, 0, 0),
                               .displacement = {.kind = TALUS_SIGNAL_SINE,
                                                .amplitude = amplitude,
                                                .frequency = omega / (2 * pi),
                                                .phase = pi / 2}};
        talus_sim *sim = table(mu, dt, &motion);
        double slip = 0.0;
        for (int step = 0; step < 15000; step++) {
            support_steps(sim, 1);
            double relative =
                talus_sim_bodies(sim).position[1].x - talus_sim_boundary(sim, 0).point.x;
            slip = fmax(slip, fabs(relative));
        }
        if (k == 0)
            assert_true(slip < 1e-12);
        else
            assert_true(slip > 1e-6);
        talus_sim_destroy(sim);
    }
}

/* Dropped on a belt of speed U: reaches U after U/(mu g), having slid back by U^2/(2 mu g). */
static void conveyor(void **state) {
    (void)state;
    const double mu = 0.4, speed = 1.5, dt = 1e-4;
    talus_motion motion = {.velocity = vec(speed, 0, 0)};
    talus_sim *sim = table(mu, dt, &motion);
    double reached = 0.0;
    for (int step = 0; step < 20000 && reached == 0.0; step++) {
        support_steps(sim, 1);
        if (fabs(talus_sim_bodies(sim).velocity[1].x - speed) < 1e-12)
            reached = talus_sim_time(sim);
    }
    double back = talus_sim_boundary(sim, 0).point.x - talus_sim_bodies(sim).position[1].x;
    assert_near(reached, speed / (mu * g), 2 * dt);
    assert_near(back, speed * speed / (2 * mu * g), 2 * dt * speed);
    support_steps(sim, 1000);
    double later = talus_sim_boundary(sim, 0).point.x - talus_sim_bodies(sim).position[1].x;
    assert_near(later, back, 1e-12);
    talus_sim_destroy(sim);
}

/* A grain that cannot turn in a slowly turning drum: friction carries it up to tan(angle) = mu, and its
 * moment about the axis is the torque on the drum. */
static void turning_drum(void **state) {
    (void)state;
    const double mu = 0.5, rate = 0.05, dt = 1e-3;
    talus_config config = support_config(2, dt);
    config.gravity = vec(0, -g, 0);
    talus_sim *sim = support_sim(&config, mu);
    talus_boundary_def drum = talus_boundary_def_default();
    drum.name = "drum";
    drum.shape = TALUS_CYLINDER_INSIDE;
    drum.radius = 1.0;
    drum.motion = (talus_motion){.axis = vec(0, 0, 1), .rate = rate};
    assert_ok(talus_boundary_add(sim, &drum, NULL));
    talus_body_def block = talus_body_def_default(sim);
    block.radius = 0.1;
    block.mass = 1.0;
    block.position = vec(0, -0.9, 0);
    block.locks = TALUS_LOCK_ROTATION;
    assert_ok(talus_bodies_add(sim, &block, 1, NULL, NULL));
    support_steps(sim, 12000);
    /* Coulomb friction does not damp: it swings about tan(angle) = mu with the speed of the drum, so
     * average over one period. */
    enum { PERIOD = 1901 };
    double angle = 0.0, torque = 0.0, weight = 0.0;
    for (int step = 0; step < PERIOD; step++) {
        support_steps(sim, 1);
        talus_vec3 at = talus_sim_bodies(sim).position[1];
        talus_boundary_view wall = talus_sim_boundary(sim, 0);
        angle += atan2(at.x, -at.y) / PERIOD;
        torque += (wall.torque.z + at.x * g / 0.9) / PERIOD; /* friction acts at R = 1 */
        weight += wall.force.y / PERIOD;
    }
    assert_near(tan(angle), mu, 0.01 * mu);
    assert_near(torque, 0.0, 0.01 * g);
    assert_near(weight, -g, 0.01 * g);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incline),      cmocka_unit_test(slip_to_roll),
        cmocka_unit_test(curved_path),  cmocka_unit_test(rolling_with_sideways_velocity),
        cmocka_unit_test(shaken_table), cmocka_unit_test(conveyor),
        cmocka_unit_test(turning_drum), cmocka_unit_test(pendulum_in_a_drum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
