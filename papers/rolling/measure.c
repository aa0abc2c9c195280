/* SPDX-License-Identifier: Apache-2.0
 *
 * Rolling and torsion friction as constraints [Brendel2004, eq. 1.40]: |T_t| <= mu_t R_n,
 * |T_n| <= mu_n R_n with lengths mu_t, mu_n. For one ball on a plane, inertia beta m r^2 (sphere
 * 2/5, disc 1/2), all follows from two equations:
 *
 *   on an incline      static iff tan(theta) <= mu_t/r, else
 *                      a = g (sin(theta) - (mu_t/r) cos(theta))/(1 + beta)
 *   rolling at v       stops after t = v (1 + beta) r/(mu_t g), s = v t/2, and stays
 *   spinning at w      about the vertical: stops after t = beta r^2 w/(mu_n g)
 *
 * The implicit step integrates a constant force without error in the velocity, and is one step of
 * O(dt) off in the distance. With a material coefficient c instead of a length, mu_t = c r*,
 * r* = r1 r2/(r1 + r2) [Brendel2004, eq. 1.41]; a wall that is hollow with R has -R in place of r2.
 */
#include <math.h>

#include "papers/papers.h"

static const double pi = 3.141592653589793, gravity = 9.81;
static const double still = 1e-10; /* m/s and rad/s: what counts as no motion */

struct ball {
    int dim;        /* 3: sphere, 2: disc */
    double theta;   /* rad, of the incline */
    double rolling; /* m, mu_t */
    double torsion; /* m, mu_n */
    double speed;   /* m/s, rolling without slip, down the incline */
    double spin;    /* rad/s, about the normal */
    double dt;      /* s */
};

static talus_status make_ball(const struct paper_run *run, const struct ball *ball, talus_sim **out,
                              talus_error *err) {
    char text[7][96];
    const char *overrides[7];
    talus_scene *scene = NULL;
    snprintf(text[0], sizeof text[0], "dimension=%d", ball->dim);
    snprintf(text[1], sizeof text[1], "gravity=[%.17g, %.17g, 0]", gravity * sin(ball->theta),
             -gravity * cos(ball->theta));
    snprintf(text[2], sizeof text[2], "time.dt=%.17g", ball->dt);
    snprintf(text[3], sizeof text[3], "pairs.0.rolling.length=%.17g", ball->rolling);
    snprintf(text[4], sizeof text[4], "pairs.0.torsion.length=%.17g", ball->torsion);
    snprintf(text[5], sizeof text[5], "grains.0.velocity=[%.17g, 0, 0]", ball->speed);
    snprintf(text[6], sizeof text[6], "grains.0.omega=[0, %.17g, %.17g]", ball->spin, -ball->speed);
    for (int i = 0; i < 7; i++) overrides[i] = text[i];
    talus_status status = paper_scene(run, "scene.yaml", overrides, 7, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, out, err);
    talus_scene_free(scene);
    return status;
}

static talus_status steps(talus_sim *sim, int count, talus_error *err) {
    talus_status status = TALUS_OK;
    for (int k = 0; k < count && status >= 0; k++) status = talus_sim_step(sim, NULL, err);
    return status;
}

static double norm(talus_vec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

/* The index of the only grain. */
static size_t ball_of(const talus_sim *sim) {
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t i = 0;
    while (bodies.kind[i] != TALUS_BODY_GRAIN) i++;
    return i;
}

/* ---- on the incline -------------------------------------------------------------------------- */

/* The speed after so many steps from rest. */
static talus_status release(const struct paper_run *run, const struct ball *ball, int count,
                            double *speed, talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = make_ball(run, ball, &sim, err);
    if (status >= 0) status = steps(sim, count, err);
    if (status >= 0) *speed = norm(talus_sim_bodies(sim).velocity[ball_of(sim)]);
    talus_sim_destroy(sim);
    return status;
}

/* The largest angle at which the ball stays, by bisection. */
static talus_status threshold(const struct paper_run *run, struct ball ball, double *degrees,
                              talus_error *err) {
    double stays = 0.0, moves = 0.25 * pi;
    while (moves - stays > 1e-9) {
        double speed = 0.0;
        ball.theta = 0.5 * (stays + moves);
        talus_status status = release(run, &ball, 20, &speed, err);
        if (status < 0) return status;
        if (speed < still)
            stays = ball.theta;
        else
            moves = ball.theta;
    }
    *degrees = stays * 180.0 / pi;
    return TALUS_OK;
}

static talus_status thresholds(struct paper_run *run, talus_error *err) {
    struct ball ball = {.dim = 3, .rolling = 0.2, .dt = 1e-3};
    double sphere = 0.0, disc = 0.0, below = 0.0, above = 0.0;
    talus_status status = threshold(run, ball, &sphere, err);
    ball.dim = 2;
    if (status >= 0) status = threshold(run, ball, &disc, err);
    ball.dim = 3;
    ball.theta = 11.0 * pi / 180.0;
    if (status >= 0) status = release(run, &ball, 10000, &below, err);
    ball.theta = 11.6 * pi / 180.0;
    if (status >= 0) status = release(run, &ball, 10000, &above, err);
    if (status < 0) return status;
    paper_note(run, "incline, mu_t/r = 0.2: stays up to %.6f (sphere), %.6f deg (disc)", sphere,
               disc);
    paper_record(run, "threshold_sphere_deg", sphere);
    paper_record(run, "threshold_disc_deg", disc);
    paper_record(run, "speed_at_11.0_deg", below);
    paper_record(run, "speed_at_11.6_deg", above);
    return TALUS_OK;
}

static double acceleration_theory(const struct ball *ball) {
    double beta = ball->dim == 3 ? 0.4 : 0.5;
    double drive = sin(ball->theta) - ball->rolling * cos(ball->theta); /* r = 1 */
    return drive > 0.0 ? gravity * drive / (1.0 + beta) : 0.0;
}

static talus_status acceleration(const struct paper_run *run, const struct ball *ball, double *out,
                                 talus_error *err) {
    const int count = 500;
    talus_status status = release(run, ball, count, out, err);
    *out /= count * ball->dt;
    return status;
}

/* Both shapes at one angle; the largest relative departure from the theory so far in *worst. */
static talus_status accelerate_both(const struct paper_run *run, struct ball ball, FILE *table,
                                    double *worst, talus_error *err) {
    double found[2] = {0.0}, theory[2];
    for (int i = 0; i < 2; i++) {
        ball.dim = 3 - i;
        theory[i] = acceleration_theory(&ball);
        talus_status status = acceleration(run, &ball, &found[i], err);
        if (status < 0) return status;
        *worst = fmax(*worst, fabs(found[i] - theory[i]) / gravity);
    }
    fprintf(table, "%.9g\t%.9g\t%.9g\t%.9g\t%.9g\n", ball.theta * 180.0 / pi, found[0], theory[0],
            found[1], theory[1]);
    return TALUS_OK;
}

static talus_status accelerations(struct paper_run *run, talus_error *err) {
    static const double rolling[] = {0.1, 0.3};
    struct ball ball = {.dim = 3, .theta = 20.0 * pi / 180.0, .rolling = 0.1, .dt = 1e-3};
    double sphere = 0.0, disc = 0.0, worst = 0.0;
    FILE *table;
    talus_status status = acceleration(run, &ball, &sphere, err);
    ball.dim = 2;
    if (status >= 0) status = acceleration(run, &ball, &disc, err);
    if (status >= 0) status = paper_table_open(run, "acceleration.tsv", &table, err);
    if (status < 0) return status;
    for (int i = 0; i < 2; i++) {
        fprintf(table, "# mu_t/r = %g: theta[deg]\ta_sphere[m/s^2]\ttheory\ta_disc\ttheory\n",
                rolling[i]);
        ball.rolling = rolling[i];
        for (int degrees = 0; degrees <= 40 && status >= 0; degrees += 2) {
            ball.theta = degrees * pi / 180.0;
            status = accelerate_both(run, ball, table, &worst, err);
        }
        fputs("\n\n", table);
    }
    talus_status closed = paper_table_close(table, "acceleration.tsv", status < 0 ? NULL : err);
    if (status < 0) return status;
    paper_note(run, "incline, 20 deg, mu_t/r = 0.1: a = %.6f (sphere), %.6f m/s^2 (disc)", sphere,
               disc);
    paper_record(run, "acceleration_sphere", sphere);
    paper_record(run, "acceleration_disc", disc);
    paper_record(run, "acceleration_worst", worst);
    return closed;
}

/* ---- to a stop ------------------------------------------------------------------------------- */

struct stop {
    double time, distance; /* s, m */
    double after;          /* fastest motion in the second after the stop, m/s or rad/s */
    double drift;          /* m, of the centre from its start, sideways for a rolling ball */
};

/* Velocity and spin about the normal, whichever is not nought. */
static double motion_of(const talus_sim *sim) {
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t ball = ball_of(sim);
    return fmax(norm(bodies.velocity[ball]), norm(bodies.omega[ball]));
}

static talus_status watch_rest(talus_sim *sim, struct stop *out, talus_error *err) {
    talus_status status = TALUS_OK;
    int count = (int)(1.0 / talus_sim_dt(sim));
    for (int k = 0; k < count && status >= 0; k++) {
        status = talus_sim_step(sim, NULL, err);
        out->after = fmax(out->after, motion_of(sim));
    }
    return status;
}

/* Time, speed and spin go to the table every 50 ms, if there is one. */
static talus_status run_to_stop(const struct paper_run *run, const struct ball *ball, FILE *table,
                                struct stop *out, talus_error *err) {
    const double longest = 20.0;
    int every = (int)(0.05 / ball->dt + 0.5);
    talus_sim *sim = NULL;
    *out = (struct stop){0};
    talus_status status = make_ball(run, ball, &sim, err);
    for (int k = 0; status >= 0 && motion_of(sim) > still && k * ball->dt < longest; k++) {
        talus_body_view bodies = talus_sim_bodies(sim);
        if (table != NULL && k % every == 0)
            fprintf(table, "%.9g\t%.9g\t%.9g\n", talus_sim_time(sim),
                    bodies.velocity[ball_of(sim)].x, bodies.omega[ball_of(sim)].y);
        status = talus_sim_step(sim, NULL, err);
    }
    if (status >= 0) {
        talus_vec3 end = talus_sim_bodies(sim).position[ball_of(sim)];
        out->time = talus_sim_time(sim);
        out->distance = end.x;
        out->drift = fmax(fabs(end.z), fabs(end.y - 1.0));
        if (table != NULL) fprintf(table, "%.9g\t0\t0\n\n\n", out->time);
        status = watch_rest(sim, out, err);
    }
    talus_sim_destroy(sim);
    return status;
}

/* Case 1: rolling; the distance converges with the first order. */
static talus_status roll_to_stop(struct paper_run *run, talus_error *err) {
    static const double rolling[] = {0.025, 0.05, 0.1};
    struct ball ball = {.dim = 3, .rolling = 0.05, .speed = 1.0, .dt = 1e-3};
    struct stop coarse, fine, other;
    double exact = 0.7 / (0.05 * gravity); /* v^2 (1 + beta)/(2 (mu_t/r) g) */
    FILE *table;
    talus_status status = run_to_stop(run, &ball, NULL, &coarse, err);
    ball.dt = 5e-4;
    if (status >= 0) status = run_to_stop(run, &ball, NULL, &fine, err);
    if (status >= 0) status = paper_table_open(run, "rolling.tsv", &table, err);
    if (status < 0) return status;
    for (int i = 0; i < 3 && status >= 0; i++) {
        fprintf(table, "# mu_t/r = %g: t[s]\tv[m/s]\tspin[rad/s]\n", rolling[i]);
        ball.rolling = rolling[i];
        ball.dt = 1e-3;
        status = run_to_stop(run, &ball, table, &other, err);
    }
    talus_status closed = paper_table_close(table, "rolling.tsv", status < 0 ? NULL : err);
    if (status < 0) return status;
    paper_note(run, "rolling, mu_t/r = 0.05: stops after %.4f s, %.5f m (half the step: %.5f m)",
               coarse.time, coarse.distance, fine.distance);
    paper_record(run, "rolling_stop_time", coarse.time);
    paper_record(run, "rolling_stop_distance", coarse.distance);
    paper_record(run, "rolling_distance_extrapolated", 2.0 * fine.distance - coarse.distance);
    paper_record(run, "rolling_distance_order",
                 log2((exact - coarse.distance) / (exact - fine.distance)));
    paper_record(run, "rolling_speed_after_stop", coarse.after);
    return closed;
}

/* Case 2: torsion. */
static talus_status spin_to_stop(struct paper_run *run, talus_error *err) {
    struct ball ball = {.dim = 3, .torsion = 0.01, .spin = 1.0, .dt = 1e-3};
    struct stop stop;
    FILE *table;
    talus_status status = paper_table_open(run, "torsion.tsv", &table, err);
    if (status < 0) return status;
    fputs("# mu_n/r = 0.01: t[s]\tv[m/s]\tspin[rad/s]\n", table);
    status = run_to_stop(run, &ball, table, &stop, err);
    talus_status closed = paper_table_close(table, "torsion.tsv", status < 0 ? NULL : err);
    if (status < 0) return status;
    paper_note(run, "spinning, mu_n/r = 0.01: stops after %.4f s", stop.time);
    paper_record(run, "torsion_stop_time", stop.time);
    paper_record(run, "torsion_drift", fmax(stop.drift, fabs(stop.distance)));
    paper_record(run, "torsion_spin_after_stop", stop.after);
    return closed;
}

/* ---- the reduced radius ---------------------------------------------------------------------- */

/* What a ball of radius 1 rolls on. */
enum ground { PLANE, BALL, HOLLOW, ROUND };

static const double coefficient = 0.2; /* of rolling friction, times r* */

static talus_status add_round_ground(talus_sim *sim, enum ground ground, double radius,
                                     talus_error *err) {
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "ground";
    def.shape = ground == PLANE    ? TALUS_PLANE
                : ground == HOLLOW ? TALUS_CYLINDER_INSIDE
                                   : TALUS_CYLINDER_OUTSIDE;
    def.normal = ground == PLANE ? (talus_vec3){0, 1, 0} : (talus_vec3){0, 0, 1};
    def.point = (talus_vec3){0, ground == PLANE ? 0.0 : ground == HOLLOW ? radius : -radius, 0};
    def.radius = ground == PLANE ? 0.0 : radius;
    return talus_boundary_add(sim, &def, err);
}

static talus_status add_ground(talus_sim *sim, enum ground ground, double radius,
                               talus_error *err) {
    if (ground != BALL) return add_round_ground(sim, ground, radius, err);
    talus_body_def def = talus_body_def_default(sim);
    def.radius = radius;
    def.position = (talus_vec3){0, -radius, 0};
    def.locks = TALUS_LOCK_X | TALUS_LOCK_Y | TALUS_LOCK_Z | TALUS_LOCK_ROTATION;
    return talus_bodies_add(sim, &def, 1, NULL, err);
}

/* A plane world of one material with rolling friction, or one of three dimensions. */
static talus_status make_world(int dim, talus_sim **out, talus_error *err) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    talus_pair_law law = {.mu_static = 1.0, .mu_sliding = 1.0};
    config.dim = dim;
    config.gravity = (talus_vec3){0, -gravity, 0};
    law.rolling.coefficient = coefficient;
    talus_status status = talus_sim_create(&config, out, err);
    if (status >= 0) status = talus_material_add(*out, "stone", 1000.0, &(talus_material){0}, err);
    if (status >= 0) status = talus_pair_set(*out, 0, 0, &law, err);
    return status;
}

static talus_status make_rolling(int dim, enum ground ground, double radius, talus_sim **out,
                                 talus_error *err) {
    talus_status status = make_world(dim, out, err);
    if (status < 0) return status;
    talus_body_def def = talus_body_def_default(*out);
    def.radius = 1.0;
    def.position = (talus_vec3){0, 1, 0};
    def.velocity = (talus_vec3){1, 0, 0};
    def.omega = (talus_vec3){0, 0, -1};
    status = talus_bodies_add(*out, &def, 1, NULL, err);
    return status >= 0 ? add_ground(*out, ground, radius, err) : status;
}

/* r*: the torque against rolling over the normal force, over the coefficient. */
static talus_status reduced_radius(int dim, enum ground ground, double radius, double *out,
                                   talus_error *err) {
    talus_sim *sim = NULL;
    talus_contact contact = {0};
    talus_status status = make_rolling(dim, ground, radius, &sim, err);
    if (status >= 0) status = talus_sim_step(sim, NULL, err);
    if (status >= 0) talus_sim_contacts(sim, &contact, 1);
    *out = norm(contact.torque) / fabs(contact.force.y) / coefficient;
    talus_sim_destroy(sim);
    return status;
}

static talus_status reduced_radii(struct paper_run *run, talus_error *err) {
    static const struct {
        const char *name;
        int dim;
        enum ground ground;
        double radius;
    } cases[] = {{"reduced_radius_spheres_1_3", 3, BALL, 3.0},
                 {"reduced_radius_discs_1_3", 2, BALL, 3.0},
                 {"reduced_radius_plane", 3, PLANE, 0.0},
                 {"reduced_radius_in_drum_10", 2, HOLLOW, 10.0},
                 {"reduced_radius_on_drum_10", 2, ROUND, 10.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double radius = 0.0;
        talus_status status =
            reduced_radius(cases[i].dim, cases[i].ground, cases[i].radius, &radius, err);
        if (status < 0) return status;
        paper_record(run, cases[i].name, radius);
    }
    return TALUS_OK;
}

static const double drum_radius = 10.0, drum_rate = 0.1;

/* A disc at this angle up the wall of a turning drum, spinning in place. */
static talus_status make_drum(double theta, talus_sim **out, talus_error *err) {
    double orbit = drum_radius - 1.0;
    talus_status status = make_world(2, out, err);
    if (status < 0) return status;
    talus_body_def disc = talus_body_def_default(*out);
    disc.radius = 1.0;
    disc.position = (talus_vec3){orbit * sin(theta), -orbit * cos(theta), 0};
    disc.omega = (talus_vec3){0, 0, drum_rate * drum_radius};
    talus_boundary_def drum = talus_boundary_def_default();
    drum.name = "drum";
    drum.shape = TALUS_CYLINDER_INSIDE;
    drum.normal = drum.motion.axis = (talus_vec3){0, 0, 1};
    drum.radius = drum_radius;
    drum.motion.rate = drum_rate;
    status = talus_bodies_add(*out, &disc, 1, NULL, err);
    return status >= 0 ? talus_boundary_add(*out, &drum, err) : status;
}

/* The disc sits where tan(theta) = mu_t/r. Started below this place it swings about it; the mean is
 * over three periods 2 pi sqrt((1 + beta)(R - r)/g'), g' = g/cos(theta) being what weight and
 * torque make together. */
static talus_status sit_in_drum(struct paper_run *run, talus_error *err) {
    double place = atan(coefficient * drum_radius / (drum_radius - 1.0)), mean = 0.0;
    double period = 2.0 * pi * sqrt(1.5 * (drum_radius - 1.0) * cos(place) / gravity);
    talus_sim *sim = NULL;
    talus_status status = make_drum(0.9 * place, &sim, err);
    int count = status >= 0 ? (int)(3.0 * period / talus_sim_dt(sim) + 0.5) : 0;
    for (int k = 0; k < count && status >= 0; k++) {
        status = talus_sim_step(sim, NULL, err);
        talus_vec3 at = talus_sim_bodies(sim).position[0];
        mean += atan2(at.x, -at.y) / count;
    }
    talus_sim_destroy(sim);
    if (status < 0) return status;
    paper_note(run, "turning drum, coefficient 0.2: tan(theta) = %.6f", tan(mean));
    paper_record(run, "drum_tan_theta", tan(mean));
    return TALUS_OK;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    talus_status status = thresholds(run, err);
    if (status >= 0) status = accelerations(run, err);
    if (status >= 0) status = roll_to_stop(run, err);
    if (status >= 0) status = spin_to_stop(run, err);
    if (status >= 0) status = reduced_radii(run, err);
    if (status >= 0) status = sit_in_drum(run, err);
    return status;
}

const struct paper rolling_paper = {
    .name = "rolling",
    .title = "Rolling and torsion friction of one ball: thresholds, accelerations, stops",
    .source = "L. Brendel, T. Unger, D. E. Wolf, Contact dynamics for beginners, section 1.7",
    .measure = measure,
};
