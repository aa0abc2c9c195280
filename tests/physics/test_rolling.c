/* SPDX-License-Identifier: Apache-2.0
 *
 * Rolling and torsion friction [Brendel2004, sect. 1.7]: a torque up to mu_t R_n against rolling, up to mu_n R_n
 * against spinning about the normal.
 *
 * One grain on a plane: the implicit step gives velocities and dissipated energy exactly and positions
 * to first order in dt. mu_t and mu_n are measured from the torque of a contact that turns. One contact
 * with everything at once is compared with a slow reference made here from rigid-body mechanics.
 */
#include "math/vec3.h"
#include "support.h"

static const double g = 9.81, pi = 3.141592653589793;

enum { GRAIN = 1 }; /* boundaries are made first */

static talus_pair_law friction(double mu) {
    return (talus_pair_law){.mu_static = mu, .mu_sliding = mu};
}

/* ---- one grain of mass 1 on a plane ------------------------------------------------------------ */

struct slope {
    bool disc;
    double theta, radius, dt;
    talus_pair_law law;
    double speed, spin; /* down the slope, which is +x, and rolling that way */
};

static talus_sim *slope_sim(const struct slope *s) {
    talus_config config = support_config(s->disc ? 2 : 3, s->dt);
    talus_vec3 up = s->disc ? vec(0, 1, 0) : vec(0, 0, 1);
    config.gravity = vec3_add_scaled(vec(g * sin(s->theta), 0, 0), -g * cos(s->theta), up);
    talus_sim *sim = support_sim(&config, 0.0);
    assert_ok(talus_pair_set(sim, 0, 0, &s->law, NULL));
    support_plane(sim, "floor", vec(0, 0, 0), up);
    talus_body_def def = talus_body_def_default(sim);
    def.radius = s->radius;
    def.mass = 1.0;
    def.position = vec3_scale(s->radius, up);
    def.velocity = vec(s->speed, 0, 0);
    def.omega = s->disc ? vec(0, 0, -s->spin) : vec(0, s->spin, 0);
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    return sim;
}

static double inertia_share(const struct slope *s) { /* I/(m r^2) */
    return s->disc ? 0.5 : 0.4;
}

static double speed_of(const talus_sim *sim) {
    return talus_sim_bodies(sim).velocity[GRAIN].x;
}

static double spin_of(const talus_sim *sim, bool disc) {
    talus_vec3 omega = talus_sim_bodies(sim).omega[GRAIN];
    return disc ? -omega.z : omega.y;
}

static double motion_of(const talus_sim *sim) {
    talus_body_view view = talus_sim_bodies(sim);
    return vec3_norm(view.velocity[GRAIN]) + view.radius[GRAIN] * vec3_norm(view.omega[GRAIN]);
}

static talus_torque_law length_law(double length) {
    return (talus_torque_law){.coefficient = length, .scale = TALUS_TORQUE_LENGTH};
}

static void stays_for(talus_sim *sim, int steps) {
    talus_vec3 start = talus_sim_bodies(sim).position[GRAIN];
    for (int k = 0; k < steps; k++) {
        support_steps(sim, 1);
        assert_near(motion_of(sim), 0.0, 1e-10);
    }
    talus_vec3 moved = vec3_sub(talus_sim_bodies(sim).position[GRAIN], start);
    assert_near(vec3_norm(moved), 0.0, 1e-12);
}

/* At rest on a slope if and only if tan(theta) <= mu_t/r = 0.2; given as a length and by a coefficient. */
static void threshold_on_a_slope(void **state) {
    (void)state;
    const double below[2] = {11.0 * pi / 180.0, atan(0.2 * 0.9999)},
                 above[2] = {11.6 * pi / 180.0, atan(0.2 * 1.0001)};
    for (int k = 0; k < 8; k++) {
        struct slope s = {.disc = k % 2 == 1, .radius = 0.7, .dt = 1e-2, .law = friction(1.0)};
        s.law.rolling = k < 4 ? length_law(0.14) : (talus_torque_law){.coefficient = 0.2};
        s.theta = below[k / 2 % 2];
        talus_sim *sim = slope_sim(&s);
        stays_for(sim, 1000);
        assert_near(support_ledger(sim).dissipation, 0.0, 1e-12);
        talus_sim_destroy(sim);
        s.theta = above[k / 2 % 2];
        sim = slope_sim(&s);
        support_steps(sim, 100);
        double a = g * (sin(s.theta) - 0.2 * cos(s.theta)) / (1.0 + inertia_share(&s));
        assert_near(speed_of(sim), a, 1e-10);
        talus_sim_destroy(sim);
    }
}

/* a = g (sin - mu_t/r cos)/(1 + I/(m r^2)), and no slip if mu >= I/(m r^2) a/(g cos) + mu_t/r. */
static void rolling_down(void **state) {
    (void)state;
    for (int disc = 0; disc < 2; disc++) {
        struct slope s = {.disc = disc, .theta = pi / 9, .radius = 0.7, .law = friction(1.0)};
        const double arm = 0.1, expected[2] = {1.7381, 1.6223};
        s.law.rolling.coefficient = arm;
        double a = g * (sin(s.theta) - arm * cos(s.theta)) / (1.0 + inertia_share(&s));
        assert_near(a, expected[disc], 1e-4);
        double error[2];
        for (int k = 0; k < 2; k++) {
            s.dt = k == 0 ? 1e-2 : 5e-3;
            talus_sim *sim = slope_sim(&s);
            support_steps(sim, k == 0 ? 100 : 200);
            assert_near(speed_of(sim), a, 1e-10);
            assert_near(spin_of(sim, disc), a / s.radius, 1e-10);
            error[k] = talus_sim_bodies(sim).position[GRAIN].x - 0.5 * a;
            /* mu_t R_n times the angle, summed with the mean of old and new spin: a t^2/(2 r). */
            talus_energy e = support_ledger(sim);
            assert_near(e.dissipation_rolling, arm * g * cos(s.theta) * 0.5 * a, 1e-10);
            assert_near(e.dissipation, e.dissipation_rolling, 1e-10);
            talus_sim_destroy(sim);
        }
        assert_near(error[0] / error[1], 2.0, 1e-6);
        assert_near(error[1], 0.5 * a * 5e-3, 1e-9);
        double needed = inertia_share(&s) * a / (g * cos(s.theta)) + arm;
        for (int k = 0; k < 2; k++) {
            double mu = needed * (k == 0 ? 1.001 : 0.999);
            s.law.mu_static = s.law.mu_sliding = mu;
            talus_sim *sim = slope_sim(&s);
            support_steps(sim, 200);
            double slides = g * (sin(s.theta) - mu * cos(s.theta));
            double turns = (mu - arm) * g * cos(s.theta) / (inertia_share(&s) * s.radius);
            assert_near(speed_of(sim), k == 0 ? a : slides, 1e-10);
            assert_near(spin_of(sim, disc), k == 0 ? a / s.radius : turns, 1e-10);
            (void)support_ledger(sim);
            talus_sim_destroy(sim);
        }
    }
}

/* tan(theta) = 0.3, mu = 0.15: it slides with g (sin - mu cos). mu_t/r = 0.2 > mu keeps it from turning;
 * with mu_t/r = 0.1 the surplus turns it. */
static void sliding_with_and_without_turning(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct slope s = {.disc = k % 2, .theta = atan(0.3), .radius = 0.7, .dt = 1e-2};
        double arm = k < 2 ? 0.2 : 0.1, c = cos(s.theta);
        s.law = friction(0.15);
        s.law.rolling.coefficient = arm;
        talus_sim *sim = slope_sim(&s);
        support_steps(sim, 100);
        double a = g * (sin(s.theta) - 0.15 * c);
        double turning = fmax(0.0, 0.15 - arm) * g * c / (inertia_share(&s) * s.radius);
        assert_near(speed_of(sim), a, 1e-10);
        assert_near(spin_of(sim, k % 2), turning, 1e-10);
        talus_contact contact;
        talus_sim_contacts(sim, &contact, 1);
        assert_true(contact.sliding);
        assert_near(vec3_norm(contact.torque), fmin(0.15, arm) * s.radius * g * c, 1e-9);
        talus_energy e = support_ledger(sim);
        /* Friction works along the slip, rolling friction along the angle; both exact in the step. */
        double slip = 0.5 * (a - turning * s.radius);
        assert_near(e.dissipation_sliding, 0.15 * g * c * slip, 1e-9);
        assert_near(e.dissipation_rolling, arm * s.radius * g * c * 0.5 * turning, 1e-9);
        talus_sim_destroy(sim);
    }
}

struct stop {
    double time, way;
};

/* Steps until the grain is at rest; then it must stay so. `way` is measured by the caller's mean. */
static struct stop run_to_rest(talus_sim *sim, bool torsion) {
    struct stop end = {0};
    double dt = talus_sim_dt(sim);
    for (int k = 0; k < 100000 && motion_of(sim) > 1e-12; k++) {
        support_steps(sim, 1);
        end.time = talus_sim_time(sim);
        end.way += dt * (torsion ? talus_sim_bodies(sim).omega[GRAIN].z : speed_of(sim));
    }
    stays_for(sim, 1000);
    return end;
}

/* v = 1 on the level, mu_t/r = 0.05: all kinetic energy goes into rolling friction, in
 * t = (1 + I/m r^2) v r/(mu_t g) and s = v t/2. */
static void roll_to_stop(void **state) {
    (void)state;
    for (int disc = 0; disc < 2; disc++) {
        struct slope s = {.disc = disc, .radius = 0.7, .law = friction(0.5), .speed = 1.0};
        s.spin = s.speed / s.radius;
        s.law.rolling.coefficient = 0.05;
        double share = inertia_share(&s), a = 0.05 * g / (1.0 + share), error[3];
        if (!disc) assert_near(a, 0.35036, 1e-5);
        for (int k = 0; k < 3; k++) {
            s.dt = 1e-2 / (1 << k);
            talus_sim *sim = slope_sim(&s);
            struct stop end = run_to_rest(sim, false);
            talus_energy e = support_ledger(sim);
            assert_near(end.time, ceil(1.0 / (a * s.dt)) * s.dt, 1e-9);
            assert_near(end.time, 1.0 / a, s.dt);
            assert_near(end.way, talus_sim_bodies(sim).position[GRAIN].x, 1e-12);
            error[k] = end.way - 0.5 / a;
            assert_near(e.dissipation_rolling, 0.5 * (1.0 + share), 1e-11);
            assert_near(e.dissipation, 0.5 * (1.0 + share), 1e-11);
            assert_near(e.step_loss, 0.0, 1e-12);
            talus_sim_destroy(sim);
        }
        for (int k = 0; k < 2; k++) assert_near(error[k] / error[k + 1], 2.0, 0.02);
        assert_near(error[2], -0.5 * 0.25e-2, 0.02 * 0.5 * 0.25e-2);
    }
}

/* Spinning about the normal: dw/dt = -mu_n m g/I; the centre does not move. With r = 1, mu_n = 0.01, w = 1 it
 * stops after 4.077 s. */
static void torsion_stops_a_spin(void **state) {
    (void)state;
    double error[3];
    for (int k = 0; k < 3; k++) {
        talus_config config = support_config(3, 2e-2 / (1 << k));
        config.gravity = vec(0, 0, -g);
        talus_sim *sim = support_sim(&config, 0.0);
        talus_pair_law law = friction(0.3);
        law.torsion = k == 0 ? length_law(0.01) : (talus_torque_law){.coefficient = 0.01};
        assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
        support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
        talus_body_def def = talus_body_def_default(sim);
        def.radius = def.mass = 1.0;
        def.position = vec(0.3, 0.4, 1);
        def.omega = vec(0, 0, 1);
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        struct stop end = run_to_rest(sim, true);
        double alpha = 2.5 * 0.01 * g;
        assert_near(1.0 / alpha, 4.077, 1e-3);
        assert_near(end.time, ceil(1.0 / (alpha * config.dt)) * config.dt, 1e-9);
        error[k] = end.way - 0.5 / alpha;
        talus_vec3 at = talus_sim_bodies(sim).position[GRAIN];
        assert_near(vec3_norm(vec3_sub(at, def.position)), 0.0, 1e-13);
        talus_quat q = talus_sim_bodies(sim).orientation[GRAIN];
        assert_near(2.0 * atan2(q.z, q.w), end.way, 1e-9);
        talus_energy e = support_ledger(sim);
        assert_near(e.dissipation_torsion, 0.2, 1e-11);
        assert_near(e.dissipation, 0.2, 1e-11);
        talus_sim_destroy(sim);
    }
    for (int k = 0; k < 2; k++) assert_near(error[k] / error[k + 1], 2.0, 0.02);
}

/* ---- the lengths mu_t and mu_n ------------------------------------------------------------------ */

/* Torque over normal force of the only contact, after one step in which it turns. */
static double measured_length(talus_sim *sim, double *load) {
    talus_contact contact;
    support_steps(sim, 1);
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    *load = fabs(vec3_dot(contact.force, contact.normal));
    (void)support_ledger(sim);
    return vec3_norm(contact.torque) / *load;
}

enum place { ON_PLANE, IN_DRUM, ON_CYLINDER };

/* A grain of radius r and mass m turning in its place, gravity pressing it on; no sliding friction. */
static double wall_length(int dim, enum place place, double big, double r, double m,
                          const talus_pair_law *law, talus_vec3 omega) {
    talus_config config = support_config(dim, 1e-3);
    config.gravity = vec(0, -g, 0);
    talus_sim *sim = support_sim(&config, 0.0);
    assert_ok(talus_pair_set(sim, 0, 0, law, NULL));
    talus_boundary_def wall = talus_boundary_def_default();
    wall.name = "wall";
    wall.shape = place == ON_PLANE  ? TALUS_PLANE
                 : place == IN_DRUM ? TALUS_CYLINDER_INSIDE
                                    : TALUS_CYLINDER_OUTSIDE;
    wall.normal = place == ON_PLANE ? vec(0, 1, 0) : vec(0, 0, 1);
    wall.radius = place == ON_PLANE ? 0.0 : big;
    assert_ok(talus_boundary_add(sim, &wall, NULL));
    talus_body_def def = talus_body_def_default(sim);
    def.radius = r;
    def.mass = m;
    def.position = vec(0, place == ON_PLANE ? r : place == IN_DRUM ? r - big : r + big, 0);
    def.omega = omega;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    double load, length = measured_length(sim, &load);
    assert_near(load, m * g, 1e-9 * m * g);
    talus_sim_destroy(sim);
    return length;
}

/* Two grains pressed together with force F = 2, the first one turning. */
static double pair_length(int dim, double r1, double r2, const talus_pair_law *law,
                          talus_vec3 omega) {
    talus_config config = support_config(dim, 1e-3);
    talus_sim *sim = support_sim(&config, 0.0);
    assert_ok(talus_pair_set(sim, 0, 0, law, NULL));
    for (int i = 0; i < 2; i++) {
        talus_body_def def = talus_body_def_default(sim);
        def.radius = i == 0 ? r1 : r2;
        def.mass = 5.0;
        def.position = vec(i == 0 ? -r1 : r2, 0, 0);
        def.omega = i == 0 ? omega : vec(0, 0, 0);
        def.group = i == 0 ? "left" : "right";
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        assert_ok(talus_force_set(sim, def.group, def.group, vec(i == 0 ? 1 : -1, 0, 0),
                                  &(talus_signal){.mean = 2.0}, NULL));
    }
    double load, length = measured_length(sim, &load);
    assert_near(load, 2.0, 1e-12);
    /* The torques are opposite and against the relative rotation. */
    talus_body_view view = talus_sim_bodies(sim);
    double share = dim == 2 ? 0.5 : 0.4;
    vec3 gain[2] = {vec3_scale(share * 5.0 * r1 * r1, vec3_sub(view.omega[0], omega)),
                    vec3_scale(share * 5.0 * r2 * r2, view.omega[1])};
    assert_near(vec3_norm(vec3_add(gain[0], gain[1])), 0.0, 1e-12);
    assert_near(vec3_dot(gain[1], omega), 1e-3 * 2.0 * length * vec3_norm(omega), 1e-10);
    talus_sim_destroy(sim);
    return length;
}

/* mu_t = mubar r*, r* = r1 r2/(r1 + r2), r on a plane, r R/(R - r) in a drum, r R/(R + r) on a cylinder;
 * mu_n likewise [Brendel2004, eqs. 1.41, 1.42]. */
static void reduced_radius(void **state) {
    (void)state;
    talus_pair_law law = {.rolling = {.coefficient = 0.1}, .torsion = {.coefficient = 0.03}};
    const double expected[3] = {1.0, 4.0 / 3.0, 0.8};
    for (enum place place = ON_PLANE; place <= ON_CYLINDER; place++) {
        double r = expected[place];
        assert_near(wall_length(2, place, 4, 1, 1, &law, vec(0, 0, 5)), 0.1 * r, 1e-10);
        assert_near(wall_length(3, place, 4, 1, 1, &law, vec(0, 0, -5)), 0.1 * r, 1e-10);
        assert_near(wall_length(3, place, 4, 1, 1, &law, vec(5, 0, 0)), 0.1 * r, 1e-10);
        assert_near(wall_length(3, place, 4, 1, 1, &law, vec(0, 5, 0)), 0.03 * r, 1e-10);
    }
    assert_near(pair_length(2, 1, 3, &law, vec(0, 0, 5)), 0.075, 1e-10);
    assert_near(pair_length(3, 1, 3, &law, vec(0, 3, 4)), 0.075, 1e-10);
    assert_near(pair_length(3, 3, 1, &law, vec(0, 5, 0)), 0.075, 1e-10);
    assert_near(pair_length(3, 1, 3, &law, vec(5, 0, 0)), 0.03 * 0.75, 1e-10);
    assert_near(pair_length(3, 1, 1, &law, vec(0, 5, 0)), 0.05, 1e-10);
    /* Lengths are what they are. */
    law.rolling = length_law(0.02);
    law.torsion = length_law(0.007);
    assert_near(wall_length(3, IN_DRUM, 4, 1, 1, &law, vec(0, 0, 5)), 0.02, 1e-10);
    assert_near(pair_length(3, 1, 3, &law, vec(0, 5, 0)), 0.02, 1e-10);
    assert_near(pair_length(3, 1, 3, &law, vec(5, 0, 0)), 0.007, 1e-10);
}

/* a = (3 r* R/4 E)^(1/3): the torque grows with R^(4/3); discs a = sqrt(4 r* R/(pi E)), R^(3/2).
 * [Brendel2004, eqs. 1.43-1.45] */
static void contact_size(void **state) {
    (void)state;
    const double modulus = 3e4;
    talus_torque_law hertz = {.coefficient = 0.4, .scale = TALUS_TORQUE_HERTZ, .modulus = modulus};
    talus_pair_law law = {.rolling = hertz, .torsion = hertz};
    double before[3] = {0}, r = 4.0 / 3.0;
    for (int k = 0; k < 3; k++) {
        double m = pow(8.0, k), ball = 0.4 * cbrt(0.75 * r * m * g / modulus),
               plate = 0.4 * sqrt(4 * r * m * g / (pi * modulus));
        double length[3] = {wall_length(3, IN_DRUM, 4, 1, m, &law, vec(0, 0, 9)),
                            wall_length(3, IN_DRUM, 4, 1, m, &law, vec(0, 9, 0)),
                            wall_length(2, IN_DRUM, 4, 1, m, &law, vec(0, 0, 9))};
        assert_near(length[0], ball, 1e-9 * ball);
        assert_near(length[1], ball, 1e-9 * ball);
        assert_near(length[2], plate, 1e-9 * plate);
        for (int i = 0; i < 3; i++) {
            double exponent = 1.0 + log(length[i] / before[i]) / log(8.0);
            if (k > 0) assert_near(exponent, i == 2 ? 1.5 : 4.0 / 3.0, 1e-8);
            before[i] = length[i];
        }
    }
    double pressed = 0.4 * cbrt(0.75 * 0.75 * 2.0 / modulus);
    assert_near(pair_length(3, 1, 3, &law, vec(0, 0, 5)), pressed, 1e-9 * pressed);
    assert_near(pair_length(3, 1, 3, &law, vec(5, 0, 0)), pressed, 1e-9 * pressed);
}

/* ---- in a turning drum ---------------------------------------------------------------------------- */

struct drum {
    talus_pair_law law;
    double rate, dt, angle; /* of the grain, from the bottom, the way the drum turns */
    double velocity, spin;  /* along the circle; about the axis */
    unsigned locks;
};

static const double drum_radius = 1.0, drum_grain = 0.2, reach = 0.8;

static talus_sim *drum_sim(const struct drum *d) {
    talus_config config = support_config(2, d->dt);
    config.gravity = vec(0, -g, 0);
    /* What is solved for are differences of large velocities: rounding ends the residual early. */
    config.solver.tolerance = 1e-10;
    talus_sim *sim = support_sim(&config, 0.0);
    assert_ok(talus_pair_set(sim, 0, 0, &d->law, NULL));
    talus_boundary_def wall = talus_boundary_def_default();
    wall.name = "drum";
    wall.shape = TALUS_CYLINDER_INSIDE;
    wall.radius = drum_radius;
    wall.normal = vec(0, 0, 1);
    wall.motion = (talus_motion){.axis = vec(0, 0, 1), .rate = d->rate};
    assert_ok(talus_boundary_add(sim, &wall, NULL));
    talus_body_def def = talus_body_def_default(sim);
    def.radius = drum_grain;
    def.mass = 1.0;
    def.position = vec(reach * sin(d->angle), -reach * cos(d->angle), 0);
    def.velocity = vec(d->velocity * cos(d->angle), d->velocity * sin(d->angle), 0);
    def.omega = vec(0, 0, d->spin);
    def.locks = d->locks;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    return sim;
}

static double angle_of(const talus_sim *sim) {
    talus_vec3 at = talus_sim_bodies(sim).position[GRAIN];
    return atan2(at.x, -at.y);
}

/* Inside a drum mu_t/r = mubar R/(R - r) = 0.25. On a drum at rest the grain stays below that slope and rolls above;
 * it is carried up by a slowly turning drum and then turns in its place at tan(angle) = mu_t/r. */
static void drum_with_rolling_friction(void **state) {
    (void)state;
    struct drum d = {.law = friction(0.9), .dt = 1e-3};
    d.law.rolling.coefficient = 0.2;
    for (int k = 0; k < 2; k++) {
        d.angle = atan(0.25 * (k == 0 ? 0.999 : 1.001));
        talus_sim *sim = drum_sim(&d);
        if (k == 0)
            stays_for(sim, 1000);
        else
            support_steps(sim, 1000);
        assert_int_equal(motion_of(sim) > 1e-6, k == 1);
        talus_sim_destroy(sim);
    }
    /* The fixed point: at rest in space, its rim as fast as the drum. */
    d.rate = 0.1;
    d.angle = atan(0.25);
    d.spin = d.rate * drum_radius / drum_grain;
    talus_sim *sim = drum_sim(&d);
    support_steps(sim, 2000);
    assert_near(angle_of(sim), d.angle, 1e-9);
    assert_near(talus_sim_bodies(sim).omega[GRAIN].z, d.spin, 1e-9);
    talus_energy e = support_ledger(sim);
    /* Torque mu_t m g cos times the relative rotation; the drum does that work. */
    double power = 0.25 * drum_grain * g * cos(d.angle) * (d.spin - d.rate);
    assert_near(e.dissipation_rolling, 2.0 * power, 1e-6 * power);
    assert_near(e.dissipation_sliding, 0.0, 1e-9);
    assert_near(e.work_boundary, 2.0 * power, 1e-6 * power);
    talus_sim_destroy(sim);
    /* From the bottom: stuck to the drum, later swinging about that angle, which friction of this kind
     * does not damp; so the mean over a period 2 pi sqrt((1 + 1/2) (R - r)/(g cos)). */
    d.angle = 0.0;
    d.rate = 0.1;
    d.spin = d.rate;
    d.velocity = d.rate * reach;
    sim = drum_sim(&d);
    support_steps(sim, 2000);
    assert_near(angle_of(sim), 0.2, 1e-4);
    support_steps(sim, 2500);
    int period = (int)lround(2 * pi * sqrt(1.5 * reach / (g * cos(atan(0.25) * 1.03))) / d.dt);
    double mean = 0.0;
    for (int k = 0; k < period; k++) {
        support_steps(sim, 1);
        mean += angle_of(sim) / period;
    }
    assert_near(tan(mean), 0.25, 0.01 * 0.25);
    (void)support_ledger(sim);
    talus_sim_destroy(sim);
}

/* A grain that cannot turn slides in its place at tan(angle) = mu. */
static void drum_with_a_block(void **state) {
    (void)state;
    struct drum d = {.law = friction(0.5), .dt = 1e-3, .rate = 0.1, .angle = atan(0.5)};
    d.law.rolling.coefficient = 0.2;
    d.locks = TALUS_LOCK_ROTATION;
    talus_sim *sim = drum_sim(&d);
    support_steps(sim, 2000);
    assert_near(angle_of(sim), d.angle, 1e-9);
    talus_energy e = support_ledger(sim);
    assert_near(e.dissipation_sliding, 2.0 * 0.5 * g * cos(d.angle) * d.rate, 1e-6);
    talus_sim_destroy(sim);
}

/* Stuck to the wall it is carried round if W^2 (R - r) > g, else it falls off at cos(angle) = -W^2 (R - r)/g. */
static void centrifuge(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        double share = k == 0 ? 1.03 : 0.9;
        struct drum d = {.law = friction(100.0), .dt = 2e-4, .rate = sqrt(share * g / reach)};
        d.law.rolling.coefficient = 100.0;
        d.velocity = d.rate * reach;
        d.spin = d.rate;
        talus_sim *sim = drum_sim(&d);
        int turn = (int)(2 * pi / (d.rate * d.dt)), step = 0;
        talus_contact contact = {.force = {1, 0, 0}};
        for (; step < turn && vec3_norm(contact.force) > 0.0; step++) {
            support_steps(sim, 1);
            talus_sim_contacts(sim, &contact, 1);
        }
        if (k == 0) {
            assert_int_equal(step, turn);
            assert_near(talus_sim_bodies(sim).omega[GRAIN].z, d.rate, 1e-9);
        } else
            assert_near(angle_of(sim), acos(-share), 0.01);
        (void)support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* ---- one contact with everything at once, against a slow reference --------------------------------- */

/* Mobility along the axes, from elementary mechanics; arm from the centre to the contact. */
struct rigid {
    vec3 slide, turn; /* 1/m, 1/I along x, y, z */
    vec3 velocity, omega, arm;
};

struct impulse {
    vec3 force, torque;
};

static vec3 times(vec3 a, vec3 b) {
    return vec3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

static void push(struct rigid *body, double sign, struct impulse p) {
    vec3 torque = vec3_add(vec3_cross(body->arm, p.force), p.torque);
    body->velocity = vec3_add_scaled(body->velocity, sign, times(body->slide, p.force));
    body->omega = vec3_add_scaled(body->omega, sign, times(body->turn, torque));
}

static vec3 point_velocity(const struct rigid *body) {
    return vec3_add(body->velocity, vec3_cross(body->omega, body->arm));
}

static vec3 cut(vec3 a, double limit) {
    double size = vec3_norm(a);
    return size > limit ? vec3_scale(limit / size, a) : a;
}

struct limits {
    double force, rolling, torsion;
};

/* Velocities after impulse p: projected gradient on the energy over |P_t| <= A, |T_t| <= B, |T_n| <= C. Its minimum
 * is Coulomb's law and that of the torques. `normal` is P_n, known beforehand because no tangential
 * impulse of these scenes changes the normal velocity. */
static struct impulse reference(struct rigid pair[2], vec3 n, double normal,
                                const struct limits *limit) {
    double stiff_force = 0.0, stiff_torque = 0.0;
    for (int i = 0; i < 2; i++) {
        double turn = fmax(pair[i].turn.x, fmax(pair[i].turn.y, pair[i].turn.z));
        stiff_force += fmax(pair[i].slide.x, fmax(pair[i].slide.y, pair[i].slide.z)) +
                       turn * vec3_norm2(pair[i].arm);
        stiff_torque += turn;
    }
    struct impulse p = {vec3_scale(normal, n), vec3_zero()};
    struct rigid start[2] = {pair[0], pair[1]};
    double change = 1.0;
    for (int k = 0; k < 100000 && change > 1e-15; k++) {
        pair[0] = start[0];
        pair[1] = start[1];
        push(&pair[0], -1.0, p);
        push(&pair[1], 1.0, p);
        vec3 v = vec3_sub(point_velocity(&pair[1]), point_velocity(&pair[0]));
        vec3 w = vec3_sub(pair[1].omega, pair[0].omega);
        vec3 force = vec3_add_scaled(p.force, -0.5 / stiff_force, v);
        vec3 torque =
            stiff_torque > 0.0 ? vec3_add_scaled(p.torque, -0.5 / stiff_torque, w) : p.torque;
        double twist = fmin(fmax(vec3_dot(torque, n), -limit->torsion), limit->torsion);
        force = vec3_add_scaled(cut(vec3_tangential(force, n), limit->force), normal, n);
        torque = vec3_add_scaled(cut(vec3_tangential(torque, n), limit->rolling), twist, n);
        change = vec3_norm(vec3_sub(force, p.force)) + vec3_norm(vec3_sub(torque, p.torque));
        p = (struct impulse){force, torque};
    }
    return p;
}

static uint64_t draw_state;

static double draw(double low, double high) {
    draw_state = draw_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(draw_state >> 11) * 0x1p-53;
}

static vec3 draw_vector(double size) {
    return vec3_make(draw(-size, size), draw(-size, size), draw(-size, size));
}

enum partner {
    PLANE,
    SPHERE,
    EQUAL_SPHERE,
    DRUM,
    FREE_DRUM,
    LOCKED_LINE,
    LOCKED_TURN,
    DISC,
    PARTNERS
};

static void add_partner(talus_sim *sim, enum partner partner, vec3 n, struct rigid *body) {
    if (partner == PLANE || partner == LOCKED_LINE || partner == LOCKED_TURN) {
        support_plane(sim, "wall", vec(0, 0, 0), vec3_scale(-1.0, n));
    } else if (partner == DRUM || partner == FREE_DRUM) {
        talus_boundary_def wall = talus_boundary_def_default();
        wall.name = "wall";
        wall.shape = TALUS_CYLINDER_INSIDE;
        wall.radius = 1.9;
        wall.normal = vec(0, 0, 1);
        wall.point = vec3_scale(-1.9, n);
        if (partner == FREE_DRUM)
            wall.free = (talus_free_motion){.inertia = 2.3, .axis = vec(0, 0, 1)};
        else
            wall.motion = (talus_motion){.axis = vec(0, 0, 1), .axis_point = wall.point, .rate = 1};
        assert_ok(talus_boundary_add(sim, &wall, NULL));
        body->arm = vec3_scale(1.9, n);
        body->turn = vec(0, 0, partner == FREE_DRUM ? 1.0 / 2.3 : 0.0);
        body->omega = vec(0, 0, partner == FREE_DRUM ? 0.0 : 1.0);
    } else {
        talus_body_def def = talus_body_def_default(sim);
        def.radius = partner == EQUAL_SPHERE ? 0.7 : 1.3;
        def.mass = partner == EQUAL_SPHERE ? 1.7 : 2.9;
        def.position = vec3_scale(def.radius, n);
        def.velocity = body->velocity = partner == DISC ? vec(0.3, -0.2, 0) : draw_vector(1.0);
        def.omega = body->omega = partner == DISC ? vec(0, 0, draw(-2, 2)) : draw_vector(2.0);
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        double turn = 1.0 / ((partner == DISC ? 0.5 : 0.4) * def.mass * def.radius * def.radius);
        body->slide = vec(1 / def.mass, 1 / def.mass, 1 / def.mass);
        body->turn = vec(turn, turn, turn);
        body->arm = vec3_scale(-def.radius, n);
    }
}

/* The grain under test touches its partner at the origin; n points from it to the partner. */
static void add_grain(talus_sim *sim, enum partner partner, vec3 n, struct rigid *body) {
    talus_body_def def = talus_body_def_default(sim);
    def.radius = 0.7;
    def.mass = 1.7;
    def.position = vec3_scale(-0.7, n);
    def.velocity = draw_vector(2.0);
    def.omega = draw_vector(4.0);
    body->slide = vec(1 / 1.7, 1 / 1.7, 1 / 1.7);
    if (partner == DISC) {
        def.velocity.z = 0.0;
        def.omega = vec(0, 0, def.omega.z);
    }
    if (partner == LOCKED_LINE) {
        def.locks = TALUS_LOCK_X;
        def.velocity.x = 0.0;
        body->slide.x = 0.0;
    }
    double turn = 1.0 / ((partner == DISC ? 0.5 : 0.4) * 1.7 * 0.7 * 0.7);
    if (partner == LOCKED_TURN) {
        def.locks = TALUS_LOCK_ROTATION;
        def.omega = vec(0, 0, 0);
        turn = 0.0;
    }
    /* Towards the partner with a known speed, so that there is a normal impulse. */
    def.velocity = vec3_add_scaled(vec3_tangential(def.velocity, n), 3.0, n);
    body->turn = vec(turn, turn, turn);
    body->velocity = def.velocity;
    body->omega = def.omega;
    body->arm = vec3_scale(0.7, n);
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
}

static vec3 draw_normal(enum partner partner) {
    if (partner == LOCKED_LINE) return vec(0, 0, -1);
    vec3 n = draw_vector(1.0);
    if (partner == DISC || partner == DRUM || partner == FREE_DRUM) n.z = 0.0;
    return vec3_scale(1.0 / vec3_norm(n), n);
}

static void compare(const talus_sim *sim, const struct rigid pair[2]) {
    talus_body_view view = talus_sim_bodies(sim);
    for (int i = 0; i < 2; i++) {
        assert_near(vec3_norm(vec3_sub(view.velocity[i], pair[1 - i].velocity)), 0.0, 1e-11);
        assert_near(vec3_norm(vec3_sub(view.omega[i], pair[1 - i].omega)), 0.0, 1e-11);
    }
}

/* One draw; returns 0 sticks and holds, 1 slides only, 2 rolls only, 3 both. */
static int one_contact(enum partner partner) {
    talus_config config = support_config(partner == DISC ? 2 : 3, 1e-3);
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = friction(draw(0.0, 0.7));
    law.rolling = length_law(draw(0.0, 0.6));
    law.torsion = length_law(draw(0.0, 0.2));
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    vec3 n = draw_normal(partner);
    struct rigid pair[2] = {0};
    add_partner(sim, partner, n, &pair[1]);
    add_grain(sim, partner, n, &pair[0]);
    double yield = vec3_dot(times(pair[0].slide, n), n) + vec3_dot(times(pair[1].slide, n), n);
    double approach = vec3_dot(n, vec3_sub(pair[0].velocity, pair[1].velocity));
    double normal = approach / yield;
    struct limits limit = {law.mu_sliding * normal, law.rolling.coefficient * normal,
                           law.torsion.coefficient * normal};
    struct impulse p = reference(pair, n, normal, &limit);
    support_steps(sim, 1);
    compare(sim, pair);
    talus_contact contact;
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    double way = contact.a == 1 ? 1.0 : -1.0, dt = config.dt; /* the grain is body 1 */
    if (partner < LOCKED_LINE || partner == DISC) {           /* else the impulses are not unique */
        assert_near(vec3_norm(vec3_sub(vec3_scale(way * dt, contact.force), p.force)), 0, 1e-10);
        assert_near(vec3_norm(vec3_sub(vec3_scale(way * dt, contact.torque), p.torque)), 0, 1e-10);
    }
    (void)support_ledger(sim);
    talus_sim_destroy(sim);
    vec3 slip = vec3_sub(point_velocity(&pair[1]), point_velocity(&pair[0]));
    vec3 turn = vec3_tangential(vec3_sub(pair[1].omega, pair[0].omega), n);
    return (vec3_norm(vec3_tangential(slip, n)) > 1e-6) + 2 * (vec3_norm(turn) > 1e-6);
}

static void force_and_torque_together(void **state) {
    (void)state;
    enum { DRAWS = 150 };
    draw_state = 20240607u;
    for (enum partner partner = PLANE; partner < PARTNERS; partner++) {
        int seen[4] = {0};
        for (int k = 0; k < DRAWS; k++) seen[one_contact(partner)]++;
        for (int kind = 0; kind < 4; kind++) {
            bool turns = partner != LOCKED_TURN || kind < 2;
            if (turns != (seen[kind] >= 4))
                print_error("partner %d: %d of kind %d\n", (int)partner, seen[kind], kind);
            assert_true(turns == (seen[kind] >= 4));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threshold_on_a_slope),
        cmocka_unit_test(rolling_down),
        cmocka_unit_test(sliding_with_and_without_turning),
        cmocka_unit_test(roll_to_stop),
        cmocka_unit_test(torsion_stops_a_spin),
        cmocka_unit_test(reduced_radius),
        cmocka_unit_test(contact_size),
        cmocka_unit_test(drum_with_rolling_friction),
        cmocka_unit_test(drum_with_a_block),
        cmocka_unit_test(centrifuge),
        cmocka_unit_test(force_and_torque_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
