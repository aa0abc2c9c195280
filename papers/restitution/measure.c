/* SPDX-License-Identifier: Apache-2.0
 *
 * What a soft collision returns and how long it takes, against its velocity V [Wolf2006, sect. 2.1]. Reduced mass and
 * stiffness are 1: R_n = max(0, xi^alpha + gamma xi^(alpha - 1) dxi/dt).
 *
 * Expected:
 *   alpha = 1     e does not depend on V. With attraction e = exp(-pi z/w), z = gamma/2, w^2 = 1 - z^2; without it the
 *                 grains part when the force is zero, at w_0 t_c = (pi - atan2(2 z w, w^2 - z^2))/w, e = exp(-z w_0 t_c)
 *   alpha = 3/2   viscoelastic spheres: e = 1 - 1.15344 x + 0.79826 x^2 + ..., x = gamma V^(1/5), so 1 - e ~ V^(1/5)
 *                 [Wolf2006, eq. 17]; the table is an independent integration
 *   without gamma t_c = 2 (xi_max/V) sqrt(pi) Gamma(1 + 1/p)/Gamma(1/2 + 1/p), p = alpha + 1,
 *                 xi_max = (p V^2/2)^(1/p): t_c ~ V^(-(alpha - 1)/(alpha + 1)) [Wolf2006, eq. 15]
 */
#include <math.h>

#include "papers/papers.h"

static const double pi = 3.141592653589793, radius = 50.0;

struct collision {
    double exponent, damping, velocity;
    bool attracts;
};

struct outcome {
    double restitution, time, deepest;
};

static double duration_theory(double exponent, double velocity) {
    double p = exponent + 1.0, deepest = pow(0.5 * p * velocity * velocity, 1.0 / p);
    return 2.0 * deepest / velocity * sqrt(pi) * tgamma(1.0 + 1.0 / p) / tgamma(0.5 + 1.0 / p);
}

static double step_of(const struct collision *collision) {
    return duration_theory(collision->exponent, collision->velocity) / 4000.0;
}

static talus_status make(const struct paper_run *run, const struct collision *collision,
                         talus_sim **out, talus_error *err) {
    enum { COUNT = 8 };
    char text[COUNT][96];
    const char *overrides[COUNT];
    double dt = step_of(collision), v = 0.5 * collision->velocity, away = radius + 0.5 * v * dt;
    talus_scene *scene = NULL;
    snprintf(text[0], sizeof text[0], "time.dt=%.17g", dt);
    snprintf(text[1], sizeof text[1], "pairs.0.soft.exponent=%.17g", collision->exponent);
    snprintf(text[2], sizeof text[2], "pairs.0.soft.damping=%.17g", collision->damping);
    snprintf(text[3], sizeof text[3], "pairs.0.soft.attraction=%s",
             collision->attracts ? "true" : "false");
    snprintf(text[4], sizeof text[4], "grains.0.list.0.at=[%.17g, 0, 0]", -away);
    snprintf(text[5], sizeof text[5], "grains.0.list.1.at=[%.17g, 0, 0]", away);
    snprintf(text[6], sizeof text[6], "grains.0.list.0.velocity=[%.17g, 0, 0]", v);
    snprintf(text[7], sizeof text[7], "grains.0.list.1.velocity=[%.17g, 0, 0]", -v);
    for (int i = 0; i < COUNT; i++) overrides[i] = text[i];
    talus_status status = paper_scene(run, "scene.yaml", overrides, COUNT, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, out, err);
    talus_scene_free(scene);
    return status;
}

/* From the first to the last overlap; the end is found on a straight line in its step. */
static talus_status collide(const struct paper_run *run, const struct collision *collision,
                            struct outcome *out, talus_error *err) {
    talus_sim *sim = NULL;
    double dt = step_of(collision), before = 0.0;
    *out = (struct outcome){0};
    talus_status status = make(run, collision, &sim, err);
    for (int k = 0; k < 100000 && status >= 0; k++) {
        status = talus_sim_step(sim, NULL, err);
        if (status < 0) break;
        talus_body_view bodies = talus_sim_bodies(sim);
        double overlap = 2.0 * radius - (bodies.position[1].x - bodies.position[0].x);
        out->deepest = fmax(out->deepest, overlap);
        out->restitution = (bodies.velocity[1].x - bodies.velocity[0].x) / collision->velocity;
        if (k > 0 && overlap <= 0.0) {
            out->time = (k + before / (before - overlap) - 0.5) * dt;
            break;
        }
        before = overlap;
    }
    talus_sim_destroy(sim);
    return status;
}

/* ---- restitution against velocity ---------------------------------------------------------------- */

static double series(double damping, double velocity) {
    double x = damping * pow(velocity, 0.2);
    return 1.0 - 1.15344 * x + 0.79826 * x * x;
}

static const struct {
    const char *name;
    double exponent, damping;
    bool attracts;
} laws[] = {{"linear_clipped", 1.0, 0.2, false},
            {"linear_unclipped", 1.0, 0.2, true},
            {"viscoelastic_weak", 1.5, 0.075, false},
            {"viscoelastic_strong", 1.5, 0.3, false},
            {"viscoelastic_unclipped", 1.5, 0.3, true}};
enum { LAWS = sizeof laws / sizeof laws[0] };

/* Velocities 1e-6 to 1; those of whole powers from 1e-3 on are compared, and the slope at the slow end. */
static talus_status restitution_curve(struct paper_run *run, int law, FILE *table,
                                      talus_error *err) {
    int a_decade = run->quick ? 1 : 4;
    double slow[2] = {0.0};
    char name[PAPER_NAME];
    fprintf(table, "# %s: V\te\t1 - e\tseries\n", laws[law].name);
    for (int k = 0; k <= 6 * a_decade; k++) {
        struct collision collision = {laws[law].exponent, laws[law].damping,
                                      pow(10.0, -6.0 + (double)k / a_decade), laws[law].attracts};
        struct outcome found;
        talus_status status = collide(run, &collision, &found, err);
        if (status < 0) return status;
        fprintf(table, "%.9g\t%.9g\t%.9g\t%.9g\n", collision.velocity, found.restitution,
                1.0 - found.restitution, series(collision.damping, collision.velocity));
        if (k == 0) slow[0] = 1.0 - found.restitution;
        if (k == a_decade) slow[1] = 1.0 - found.restitution;
        if (k % a_decade != 0 || k < 3 * a_decade) continue;
        snprintf(name, sizeof name, "%s_1e%d", laws[law].name, k / a_decade - 6);
        paper_record(run, name, found.restitution);
        paper_note(run, "%s, V = %g: e = %.6f", laws[law].name, collision.velocity,
                   found.restitution);
    }
    snprintf(name, sizeof name, "%s_slope", laws[law].name);
    paper_record(run, name, log10(slow[1] / slow[0]));
    fputs("\n\n", table);
    return TALUS_OK;
}

/* ---- duration against velocity ------------------------------------------------------------------- */

static talus_status duration_curve(struct paper_run *run, double exponent, FILE *table,
                                   talus_error *err) {
    int a_decade = run->quick ? 1 : 4;
    double first = 0.0, last = 0.0, worst = 0.0;
    char name[PAPER_NAME];
    fprintf(table, "# alpha = %g: V\tt_c\ttheory\n", exponent);
    for (int k = 0; k <= 4 * a_decade; k++) {
        struct collision collision = {exponent, 0.0, pow(10.0, -4.0 + (double)k / a_decade), false};
        double theory = duration_theory(exponent, collision.velocity);
        struct outcome found;
        talus_status status = collide(run, &collision, &found, err);
        if (status < 0) return status;
        fprintf(table, "%.9g\t%.9g\t%.9g\n", collision.velocity, found.time, theory);
        if (k == 0) first = found.time;
        last = found.time;
        worst = fmax(worst, fabs(found.time / theory - 1.0));
        if (exponent == 1.5 && k == 4 * a_decade) {
            paper_record(run, "hertz_time_at_V1", found.time);
            paper_record(run, "hertz_depth_at_V1", found.deepest);
        }
    }
    fputs("\n\n", table);
    snprintf(name, sizeof name, "time_exponent_%g", exponent);
    paper_record(run, name, log10(last / first) / 4.0);
    snprintf(name, sizeof name, "time_worst_%g", exponent);
    paper_record(run, name, worst);
    paper_note(run, "alpha = %g: t_c ~ V^%.5f, at most %.1e from the theory", exponent,
               log10(last / first) / 4.0, worst);
    return TALUS_OK;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    static const double exponents[] = {1.0, 1.25, 1.5, 2.0};
    FILE *table;
    talus_status status = paper_table_open(run, "restitution.tsv", &table, err);
    if (status < 0) return status;
    for (int law = 0; law < LAWS && status >= 0; law++)
        status = restitution_curve(run, law, table, err);
    talus_status closed = paper_table_close(table, "restitution.tsv", status < 0 ? NULL : err);
    if (status >= 0) status = closed;
    if (status >= 0) status = paper_table_open(run, "duration.tsv", &table, err);
    if (status < 0) return status;
    for (int k = 0; k < 4 && status >= 0; k++)
        status = duration_curve(run, exponents[k], table, err);
    closed = paper_table_close(table, "duration.tsv", status < 0 ? NULL : err);
    return status < 0 ? status : closed;
}

const struct paper restitution_paper = {
    .name = "restitution",
    .title = "Restitution and duration of soft collisions against their velocity",
    .source = "D. E. Wolf, lecture on MD and CD of granular matter, section 2.1, eqs. 10-17",
    .measure = measure,
};
