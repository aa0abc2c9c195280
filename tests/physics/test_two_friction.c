/* SPDX-License-Identifier: Apache-2.0
 *
 * Static and sliding friction with different coefficients, mu_s > mu_d [Unger2003; Wolf2006]: a contact at rest
 * holds up to mu_s, one that slides is braked with mu_d until it comes to rest. Then one small scene with
 * all laws at once by every solver, order and stopping rule.
 *
 * Grains here cannot turn unless said otherwise, so that they are blocks.
 */
#include "math/vec3.h"
#include "support.h"

static const double g = 9.81, pi = 3.141592653589793;

enum { GRAIN = 1 };

/* ---- on a slope -------------------------------------------------------------------------------- */

struct slope {
    bool disc, turns;
    double tangent, azimuth, dt; /* of the slope; its direction in the plane z = 0 (3D) */
    double mu_static, mu_sliding;
    talus_vec3 velocity, omega;
};

static const struct slope usual = {.tangent = 0.5, .dt = 1e-2, .mu_static = 0.6, .mu_sliding = 0.3};

/* A grain of mass and radius 1; down the slope is (cos azimuth, sin azimuth, 0), +x for a disc. */
static talus_sim *slope_sim(const struct slope *s) {
    talus_config config = support_config(s->disc ? 2 : 3, s->dt);
    talus_vec3 up = s->disc ? vec(0, 1, 0) : vec(0, 0, 1);
    double theta = atan(s->tangent), along = g * sin(theta);
    config.gravity = vec3_add_scaled(vec(along * cos(s->azimuth), along * sin(s->azimuth), 0),
                                     -g * cos(theta), up);
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = {.mu_static = s->mu_static, .mu_sliding = s->mu_sliding};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    support_plane(sim, "floor", vec(0, 0, 0), up);
    talus_body_def def = talus_body_def_default(sim);
    def.radius = def.mass = 1.0;
    def.position = up;
    def.velocity = s->velocity;
    def.omega = s->omega;
    def.locks = s->turns ? 0 : TALUS_LOCK_ROTATION;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    return sim;
}

static talus_vec3 velocity_of(const talus_sim *sim) {
    return talus_sim_bodies(sim).velocity[GRAIN];
}

static void stays_for(talus_sim *sim, int steps) {
    talus_vec3 start = talus_sim_bodies(sim).position[GRAIN];
    for (int k = 0; k < steps; k++) {
        support_steps(sim, 1);
        assert_near(vec3_norm(velocity_of(sim)), 0.0, 1e-13);
    }
    assert_near(vec3_norm(vec3_sub(talus_sim_bodies(sim).position[GRAIN], start)), 0.0, 1e-12);
}

static talus_contact only_contact(const talus_sim *sim) {
    talus_contact contact;
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    return contact;
}

/* mu_d < tan < mu_s: at rest it stays, shoved it slides with g (sin - mu_d cos); tan > mu_s: it starts. */
static void rest_and_shove(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct slope s = usual;
        s.disc = k == 0;
        s.azimuth = k == 0 ? 0.0 : k * pi / 7;
        s.tangent = k < 2 ? 0.5 : 0.6 * (1.0 - 1e-6);
        talus_sim *sim = slope_sim(&s);
        stays_for(sim, 1000);
        assert_true(only_contact(sim).mu == 0.6 && !only_contact(sim).sliding);
        assert_near(support_ledger(sim).dissipation, 0.0, 1e-12);
        talus_sim_destroy(sim);
        for (int shoved = 0; shoved < 2; shoved++) {
            talus_vec3 down = vec(cos(s.azimuth), sin(s.azimuth), 0);
            s.tangent = shoved ? 0.5 : 0.6 * (1.0 + 1e-6);
            s.velocity = vec3_scale(shoved ? 1e-3 : 0.0, down);
            sim = slope_sim(&s);
            support_steps(sim, 100);
            double theta = atan(s.tangent), a = g * (sin(theta) - 0.3 * cos(theta));
            double v = vec3_norm(s.velocity) + a;
            assert_near(vec3_norm(vec3_sub(velocity_of(sim), vec3_scale(v, down))), 0.0, 1e-10);
            assert_true(only_contact(sim).mu == 0.3 && only_contact(sim).sliding);
            /* mu_d N times the way, with the mean velocity of each step. */
            talus_energy e = support_ledger(sim);
            double way = (v * v - vec3_norm2(s.velocity)) / (2 * a);
            assert_near(e.dissipation_sliding, 0.3 * g * cos(theta) * way, 1e-9);
            talus_sim_destroy(sim);
        }
    }
}

/* Thrown uphill it is braked with g (sin + mu_d cos), stops and stays, however the last step falls. */
static void thrown_uphill(void **state) {
    (void)state;
    double theta = atan(0.5), b = g * (sin(theta) + 0.3 * cos(theta));
    for (int k = 0; k < 100; k++) {
        struct slope s = usual;
        s.disc = k % 2 == 0;
        s.azimuth = s.disc ? 0.0 : 1.1;
        double speed = 0.5 + 0.0071 * k, last = floor(speed / (b * s.dt));
        s.velocity = vec(-speed * cos(s.azimuth), -speed * sin(s.azimuth), 0);
        talus_sim *sim = slope_sim(&s);
        support_steps(sim, (int)last);
        assert_near(vec3_norm(velocity_of(sim)), speed - last * b * s.dt, 1e-12);
        support_steps(sim, 1);
        stays_for(sim, 100);
        double way = s.dt * (last * speed - 0.5 * b * s.dt * last * (last + 1.0));
        talus_vec3 at = talus_sim_bodies(sim).position[GRAIN];
        assert_near(hypot(at.x, s.disc ? 0.0 : at.y), way, 1e-12);
        assert_near(way, speed * speed / (2 * b), 0.51 * speed * s.dt);
        (void)support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* dv/dt = g sin e_x - mu_d g cos v/|v| for one second, by the classical Runge-Kutta method. */
static talus_vec3 gliding(talus_vec3 v, double theta, double mu) {
    enum { STEPS = 20000 };
    const double h = 1.0 / STEPS;
    for (int step = 0; step < STEPS; step++) {
        vec3 slope[4], at = v;
        for (int k = 0; k < 4; k++) {
            slope[k] = vec3_scale(-mu * g * cos(theta) / vec3_norm(at), at);
            slope[k].x += g * sin(theta);
            at = vec3_add_scaled(v, k == 2 ? h : 0.5 * h, slope[k]);
        }
        vec3 inner = vec3_add(slope[1], slope[2]), outer = vec3_add(slope[0], slope[3]);
        v = vec3_add_scaled(v, h / 6.0, vec3_add_scaled(outer, 2.0, inner));
    }
    return v;
}

/* Thrown uphill and to the side it turns round without ever resting. */
static void thrown_across(void **state) {
    (void)state;
    struct slope s = usual;
    s.velocity = vec(-1, 0.4, 0);
    talus_vec3 expected = gliding(s.velocity, atan(s.tangent), s.mu_sliding);
    double error[2];
    for (int k = 0; k < 2; k++) {
        s.dt = k == 0 ? 2e-3 : 1e-3;
        talus_sim *sim = slope_sim(&s);
        support_steps(sim, k == 0 ? 500 : 1000);
        error[k] = vec3_norm(vec3_sub(velocity_of(sim), expected));
        (void)support_ledger(sim);
        talus_sim_destroy(sim);
    }
    assert_near(error[0] / error[1], 2.0, 0.1);
    assert_true(error[1] < 0.01);
}

/* A grain that can turn, on a slope where rolling needs more than mu_d and less than mu_s (2/7 tan for spheres, 1/3
 * tan for discs): from rest it rolls; once it slips it goes on slipping; with too much spin downhill the slip
 * ends and it rolls. */
static void rolling_or_slipping(void **state) {
    (void)state;
    for (int disc = 0; disc < 2; disc++) {
        struct slope s = {.disc = disc, .turns = true, .tangent = 1.0, .dt = 1e-3};
        double share = disc ? 0.5 : 0.4, c = g * sqrt(0.5);
        s.mu_static = disc ? 0.4 : 0.35;
        s.mu_sliding = disc ? 0.25 : 0.2;
        for (int start = 0; start < 3; start++) {
            double spin = start == 2 ? 1.0 : 0.0;
            s.velocity = vec(start == 1 ? 0.01 : 0.0, 0, 0);
            s.omega = disc ? vec(0, 0, -spin) : vec(0, spin, 0);
            talus_sim *sim = slope_sim(&s);
            support_steps(sim, 500);
            double half = velocity_of(sim).x;
            support_steps(sim, 500);
            double a = start == 1 ? c * (1.0 - s.mu_sliding) : c / (1.0 + share);
            double alpha = start == 1 ? s.mu_sliding * c / share : a;
            talus_vec3 omega = talus_sim_bodies(sim).omega[GRAIN];
            double turn = disc ? -omega.z : omega.y;
            assert_near(velocity_of(sim).x - half, 0.5 * a, 1e-9);
            assert_near(turn, start == 2 ? velocity_of(sim).x : alpha, 1e-9);
            (void)support_ledger(sim);
            talus_sim_destroy(sim);
        }
    }
}

/* ---- several contacts: the order of the sweep decides nothing ----------------------------------------- */

struct method {
    const char *name;
    talus_sweep sweep;
    uint64_t seed;
    bool warm_start;
    double tolerance;
};

enum { METHODS = 2 * 4 * 3 * 2 * 2 };

static struct method method(int k) {
    static const talus_sweep sweeps[4] = {TALUS_SWEEP_RANDOM, TALUS_SWEEP_WINDOWED,
                                          TALUS_SWEEP_SEQUENTIAL, TALUS_SWEEP_SYMMETRIC};
    return (struct method){.name = k % 2 == 0 ? "nsgs" : "nnsgs",
                           .warm_start = k / 2 % 2 == 0,
                           .tolerance = k / 4 % 2 == 0 ? 1e-13 : 1e-6,
                           .sweep = sweeps[k / 8 % 4],
                           .seed = 1 + (uint64_t)(k / 32)};
}

static talus_config method_config(int dim, const struct method *m) {
    talus_config config = support_config(dim, 1e-2);
    config.solver.name = m->name;
    config.solver.sweep = m->sweep;
    config.solver.warm_start = m->warm_start;
    config.solver.tolerance = m->tolerance;
    config.seed = m->seed;
    return config;
}

enum { COLUMN = 3 };
static const double static_mu = 0.6, sliding_mu = 0.3;

/* A block in a groove along x between two planes at right angles, the groove inclined: each plane bears N = m g
 * cos/sqrt(2), so it holds up to tan = sqrt(2) mu_s. */
static talus_sim *groove(const struct method *m, double tangent, double speed) {
    talus_config config = method_config(3, m);
    double theta = atan(tangent), h = sqrt(0.5);
    config.gravity = vec(g * sin(theta), 0, -g * cos(theta));
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = {.mu_static = static_mu, .mu_sliding = sliding_mu};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    support_plane(sim, "left", vec(0, 0, 0), vec(0, h, h));
    support_plane(sim, "right", vec(0, 0, 0), vec(0, -h, h));
    talus_body_def def = talus_body_def_default(sim);
    def.radius = def.mass = 1.0;
    def.position = vec(0, 0, sqrt(2.0));
    def.velocity = vec(speed, 0, 0);
    def.locks = TALUS_LOCK_ROTATION;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    return sim;
}

/* Blocks one on top of the other on a slope: all contacts have the same share of their limit. */
static talus_sim *column(const struct method *m, double tangent, double speed) {
    talus_config config = method_config(2, m);
    double theta = atan(tangent);
    config.gravity = vec(g * sin(theta), -g * cos(theta), 0);
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = {.mu_static = static_mu, .mu_sliding = sliding_mu};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    for (int i = 0; i < COLUMN; i++) {
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 0.5;
        def.mass = 1.0 + 0.5 * i;
        def.position = vec(0, 0.5 + i, 0);
        def.velocity = vec(speed, 0, 0);
        def.locks = TALUS_LOCK_ROTATION;
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    }
    return sim;
}

/* All grains move along x with `speed`. */
static void assert_moves(const talus_sim *sim, double speed, double tolerance) {
    talus_body_view view = talus_sim_bodies(sim);
    for (size_t i = 0; i < view.count; i++)
        if (view.kind[i] == TALUS_BODY_GRAIN) {
            vec3 rest = vec3_sub(view.velocity[i], vec(speed, 0, 0));
            assert_near(vec3_norm(rest), 0.0, tolerance);
        }
}

/* At 0.95 of the limit it holds for one second, at 1.05 it goes with g (sin - k mu_d cos); shoved at 0.95 too; k = 1
 * for the column, sqrt(2) in the groove. */
static void order_decides_nothing(void **state) {
    (void)state;
    for (int k = 0; k < METHODS; k++) {
        struct method m = method(k);
        double tolerance = m.tolerance < 1e-9 ? 1e-10 : 1e-4;
        for (int scene = 0; scene < 2; scene++)
            for (int load = 0; load < 3; load++) {
                double wedge = scene == 0 ? sqrt(2.0) : 1.0, shove = load == 2 ? 0.01 : 0.0;
                double tangent = (load == 1 ? 1.05 : 0.95) * wedge * static_mu;
                talus_sim *sim = (scene == 0 ? groove : column)(&m, tangent, shove);
                support_steps(sim, 100);
                double theta = atan(tangent),
                       a = g * (sin(theta) - wedge * sliding_mu * cos(theta));
                assert_moves(sim, load == 0 ? 0.0 : shove + a, tolerance);
                (void)support_ledger(sim);
                talus_sim_destroy(sim);
            }
    }
}

/* ---- everything at once --------------------------------------------------------------------------- */

enum { BALLS = 4 };

/* Three balls on the floor, a fourth falls into the hollow between them, with spin. */
static talus_sim *mixed(const talus_config *config) {
    talus_sim *sim = support_sim(config, 0.0);
    talus_pair_law law = {.mu_static = 0.5,
                          .mu_sliding = 0.3,
                          .rolling = {.coefficient = 0.05},
                          .torsion = {.coefficient = 0.02},
                          .cohesion = {.force = 0.5, .range = 1e-3},
                          .restitution = {.normal = 0.4, .tangential = 0.1, .threshold = 0.1}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    const talus_vec3 position[BALLS] = {
        {0, 0, 0.5}, {1, 0, 0.5}, {0.5, 0.87, 0.5}, {0.45, 0.25, 1.6}};
    for (int i = 0; i < BALLS; i++) {
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 0.5;
        def.mass = 1.0;
        def.position = position[i];
        if (i == BALLS - 1) {
            def.velocity = vec(0.1, -0.2, -1.0);
            def.omega = vec(2, 3, 5);
        }
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    }
    return sim;
}

static talus_config mixed_config(const char *name, talus_sweep sweep, talus_stop stop) {
    talus_config config = support_config(3, 1e-3);
    config.gravity = vec(0, 0, -g);
    config.solver.name = name;
    config.solver.sweep = sweep;
    config.solver.stop = stop;
    config.solver.tolerance = stop == TALUS_STOP_RESIDUAL ? 1e-12 : 1e-9;
    config.solver.cutoff = 1e-6;
    config.solver.max_sweeps = 500;
    config.solver.sweeps = 60;
    return config;
}

/* The books are in order whatever the solver did; where it converged the answer is the same. */
static void every_solver(void **state) {
    (void)state;
    enum { STEPS = 300 };
    talus_config config = mixed_config("nsgs", TALUS_SWEEP_RANDOM, TALUS_STOP_RESIDUAL);
    talus_sim *best = mixed(&config);
    support_steps(best, STEPS);
    talus_energy e = support_ledger(best);
    assert_true(e.dissipation_impact > 0.01 && e.dissipation_sliding > 0.01);
    assert_true(e.dissipation_rolling > 1e-4 && e.dissipation_torsion > 1e-4);
    assert_true(e.dissipation_bonds > 1e-5);
    for (int k = 0; k < 2 * 5 * 4; k++) {
        talus_sweep sweep = (talus_sweep)(k / 2 % 5);
        talus_stop stop = (talus_stop)(k / 10);
        if (k % 2 == 1 && sweep == TALUS_SWEEP_PARALLEL) continue; /* refused */
        config = mixed_config(k % 2 == 0 ? "nsgs" : "nnsgs", sweep, stop);
        talus_sim *sim = mixed(&config);
        double residual = 0.0;
        for (int step = 0; step < STEPS; step++) {
            talus_step_report report;
            assert_ok(talus_sim_step(sim, &report, NULL));
            residual = fmax(residual, report.residual);
        }
        (void)support_ledger(sim);
        double apart = 0.0;
        for (int i = GRAIN; i <= BALLS; i++)
            apart = fmax(apart, vec3_norm(vec3_sub(talus_sim_bodies(sim).position[i],
                                                   talus_sim_bodies(best).position[i])));
        if (stop == TALUS_STOP_RESIDUAL) assert_true(residual <= 1e-12);
        assert_near(apart, 0.0, 1e-10 + residual);
        talus_sim_destroy(sim);
    }
    talus_sim_destroy(best);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_and_shove),        cmocka_unit_test(thrown_uphill),
        cmocka_unit_test(thrown_across),         cmocka_unit_test(rolling_or_slipping),
        cmocka_unit_test(order_decides_nothing), cmocka_unit_test(every_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
