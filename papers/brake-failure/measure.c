/* SPDX-License-Identifier: Apache-2.0
 *
 * Brake failure [Wolf2006, sect. 2.4, eqs. 23-26]: two soft spheres of radius R meet with relative velocity V along z,
 * at the angle psi between V and the line of centres. Up to V_c = 4 R cos(psi)/tau they are reflected, and the change
 * Delta V_z grows with V. Faster ones have passed through each other before their force could act, and the change falls
 * with V: grains do not brake each other. No shorter time step helps.
 *
 * Expected (reduced mass m, psi = 45 degrees, b = 2 R sin(psi) the distance at which they pass):
 *   slow         reflection: 2 V cos^2(psi) = V; with friction, which slides all the time at mu = 0.5,
 *                2 V cos(psi)(cos(psi) + mu sin(psi)) = 1.5 V
 *   fast         the force along the straight path gives a sideways velocity A/V,
 *                A = (k/m) int (2R - r) b/r dz = (2 k b/m)(2R asinh(z_0/b) - z_0),  z_0 = 2 R cos(psi)
 *                its first order along z cancels by symmetry, and with the energy kept
 *                Delta V_z = A^2/(2 V^3); friction gives mu A/V at once. The lecture's 1/V needs friction.
 * Between: an independent integration of the same law.
 */
#include <math.h>

#include "papers/papers.h"

static const double pi = 3.141592653589793, half = 0.70710678118654752; /* sin, cos of 45 degrees */
static const double reduced = 0.5, friction = 0.5;                      /* kg, 1; k = R = 1 */
static const double sliding =
    1e3; /* kg/s: a dashpot that asks for more than mu R_n from the start */

static double collision_time(void) {
    return pi * sqrt(reduced);
}

static double critical_speed(void) {
    return 4.0 * half / collision_time();
}

struct meeting {
    double speed; /* V/V_c */
    double mu;
    double steps; /* in the shorter of collision and passage */
};

static talus_status make(const struct paper_run *run, const struct meeting *meeting,
                         talus_sim **out, talus_error *err) {
    char text[5][96];
    const char *overrides[5];
    double v = meeting->speed * critical_speed();
    talus_scene *scene = NULL;
    snprintf(text[0], sizeof text[0], "time.dt=%.17g",
             fmin(collision_time(), 4.0 * half / v) / meeting->steps);
    snprintf(text[1], sizeof text[1], "pairs.0.mu=%.17g", meeting->mu);
    snprintf(text[2], sizeof text[2], "pairs.0.soft.tangential_damping=%.17g",
             meeting->mu > 0.0 ? sliding : 0.0);
    snprintf(text[3], sizeof text[3], "grains.0.list.0.velocity=[0, 0, %.17g]", 0.5 * v);
    snprintf(text[4], sizeof text[4], "grains.0.list.1.velocity=[0, 0, %.17g]", -0.5 * v);
    for (int i = 0; i < 5; i++) overrides[i] = text[i];
    talus_status status = paper_scene(run, "scene.yaml", overrides, 5, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, out, err);
    talus_scene_free(scene);
    return status;
}

/* Delta V_z/V_c. They touch from the first step on. */
static talus_status brake(const struct paper_run *run, const struct meeting *meeting, double *out,
                          talus_error *err) {
    talus_sim *sim = NULL;
    talus_step_report report = {0};
    double v = meeting->speed * critical_speed();
    talus_status status = make(run, meeting, &sim, err);
    int64_t longest = (int64_t)(100.0 * meeting->steps);
    for (int64_t k = 0; k < longest && status >= 0; k++) {
        status = talus_sim_step(sim, &report, err);
        if (k > 1 && report.contacts == 0) break;
    }
    if (status >= 0) {
        talus_body_view bodies = talus_sim_bodies(sim);
        *out = (bodies.velocity[1].z - bodies.velocity[0].z + v) / critical_speed();
    }
    talus_sim_destroy(sim);
    return status;
}

/* ---- the theory of slow and fast ----------------------------------------------------------------- */

static double deflection(void) { /* A, m^2/s^2 */
    double b = 2.0 * half, z = 2.0 * half;
    return 2.0 * b / reduced * (2.0 * asinh(z / b) - z);
}

static double slow_theory(double speed, double mu) {
    return 2.0 * speed * half * (half + mu * half);
}

static double fast_theory(double speed, double mu) {
    double v_c = critical_speed(), v = speed * v_c, a = deflection();
    return (0.5 * a * a / (v * v * v) + mu * a / v) / v_c;
}

/* ---- the entry ----------------------------------------------------------------------------------- */

/* One curve, each point at dt and dt/2; the largest relative difference in *worst. */
static talus_status curve(struct paper_run *run, double mu, FILE *table, double *worst,
                          talus_error *err) {
    int a_decade = run->quick ? 3 : 10;
    fprintf(table, "# mu = %g: V/V_c\tDelta V_z/V_c\tslow\tfast\n", mu);
    for (int k = -2 * a_decade; k <= 2 * a_decade; k++) {
        struct meeting meeting = {pow(10.0, (double)k / a_decade), mu, run->quick ? 1000 : 2000};
        double coarse = 0.0, fine = 0.0;
        talus_status status = brake(run, &meeting, &coarse, err);
        meeting.steps *= 2.0;
        if (status >= 0) status = brake(run, &meeting, &fine, err);
        if (status < 0) return status;
        if (meeting.speed < 30.0) *worst = fmax(*worst, fabs(coarse / fine - 1.0));
        fprintf(table, "%.9g\t%.9g\t%.9g\t%.9g\n", meeting.speed, fine,
                slow_theory(meeting.speed, mu), fast_theory(meeting.speed, mu));
    }
    fputs("\n\n", table);
    return TALUS_OK;
}

static talus_status numbers(struct paper_run *run, double mu, talus_error *err) {
    static const double speeds[] = {0.01, 0.02, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0};
    const char *kind = mu > 0.0 ? "friction" : "smooth";
    double found[9];
    char name[PAPER_NAME];
    for (int k = 0; k < 9; k++) {
        struct meeting meeting = {speeds[k], mu, 4000};
        talus_status status = brake(run, &meeting, &found[k], err);
        if (status < 0) return status;
        paper_note(run, "mu = %g, V/V_c = %5g: Delta V_z/V_c = %.5g", mu, speeds[k], found[k]);
        if (k < 2) continue;
        snprintf(name, sizeof name, "%s_at_%g", kind, speeds[k]);
        paper_record(run, name, found[k]);
    }
    snprintf(name, sizeof name, "%s_slope_slow", kind);
    paper_record(run, name, log2(found[1] / found[0]));
    snprintf(name, sizeof name, "%s_slope_fast", kind);
    paper_record(run, name, log2(found[8] / found[7]));
    snprintf(name, sizeof name, "%s_over_slow_theory", kind);
    paper_record(run, name, found[0] / slow_theory(speeds[0], mu));
    snprintf(name, sizeof name, "%s_over_fast_theory", kind);
    paper_record(run, name, found[8] / fast_theory(speeds[8], mu));
    return TALUS_OK;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    FILE *table;
    double worst = 0.0;
    talus_status status = paper_table_open(run, "braking.tsv", &table, err);
    if (status < 0) return status;
    status = curve(run, 0.0, table, &worst, err);
    if (status >= 0) status = curve(run, friction, table, &worst, err);
    talus_status closed = paper_table_close(table, "braking.tsv", status < 0 ? NULL : err);
    if (status >= 0) status = closed;
    if (status >= 0) status = numbers(run, 0.0, err);
    if (status >= 0) status = numbers(run, friction, err);
    paper_note(run, "dt against dt/2: at most %.2g relative", worst);
    paper_record(run, "change_by_dt", worst);
    return status;
}

const struct paper brake_failure_paper = {
    .name = "brake-failure",
    .title = "Brake failure: fast soft spheres pass through each other",
    .source = "D. E. Wolf, lecture on MD and CD of granular matter, section 2.4, eqs. 23-26",
    .measure = measure,
};
