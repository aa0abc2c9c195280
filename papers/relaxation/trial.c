/* SPDX-License-Identifier: Apache-2.0
 * One run of the two grains, and the decay of its kinetic energy. */
#include <math.h>

#include "papers/relaxation/relaxation.h"

static const double restitution = 0.9875;
static const double longest = 8000.0; /* t_c */

struct trial trial_default(void) {
    return (struct trial){.scene = "scene.yaml",
                          .integrator = "gear5",
                          .slip = "position",
                          .share = 0.01,
                          .mu = 500.0,
                          .stiffness = 400.0,
                          .stiffness_ratio = 1.0 / 3.0,
                          .restitution_ratio = exp(-(sqrt(1.0 / 3.0) - 1.0) * -log(restitution)),
                          .reduced_mass = 0.39269908169872414, /* of two discs */
                          .push = 1e-5,
                          .from = 0.3,
                          .to = 2.3};
}

static talus_status make(const struct paper_run *run, const struct trial *trial, talus_sim **out,
                         talus_error *err) {
    enum { COUNT = 12 };
    char text[COUNT][96];
    const char *overrides[COUNT];
    double k = trial->stiffness;
    talus_scene *scene = NULL;
    snprintf(text[0], sizeof text[0], "time.dt=%.17g", trial->share * theory_collision_time(trial));
    snprintf(text[1], sizeof text[1], "time.integrator=%s", trial->integrator);
    snprintf(text[2], sizeof text[2], "pairs.0.mu=%.17g", trial->mu);
    snprintf(text[3], sizeof text[3], "pairs.0.soft.stiffness=%.17g", k);
    snprintf(text[4], sizeof text[4], "pairs.0.soft.damping=%.17g", theory_damping(trial));
    snprintf(text[5], sizeof text[5], "pairs.0.soft.tangential_stiffness=%.17g",
             k * trial->stiffness_ratio);
    snprintf(text[6], sizeof text[6], "pairs.0.soft.tangential_damping=%.17g",
             theory_tangential_damping(trial));
    snprintf(text[7], sizeof text[7], "pairs.0.soft.slip=%s", trial->slip);
    snprintf(text[8], sizeof text[8], "grains.1.lock=%s", trial->turns ? "[y]" : "[y, rotation]");
    snprintf(text[9], sizeof text[9], "forces.push.force=[%.17g, 0, 0]",
             -trial->balanced - trial->push * k);
    snprintf(text[10], sizeof text[10], "grains.1.velocity=[%.17g, 0, 0]", trial->speed);
    snprintf(text[11], sizeof text[11], "grains.1.omega=[0, 0, %.17g]", trial->spin);
    for (int i = 0; i < COUNT; i++) overrides[i] = text[i];
    talus_status status = paper_scene(run, trial->scene, overrides, COUNT, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, out, err);
    talus_scene_free(scene);
    return status;
}

/* A straight line through ln E of the peaks, and the mean place meanwhile. */
struct fit {
    double first, last; /* kinetic energy of the first peak, and of the last one */
    double n, t, y, tt, ty;
    double place, places; /* sum of displacements and their number, over whole swings */
    double since, sinces; /* the same since then */
};

/* A peak in the middle of three values `dt` apart, by a parabola. Between the peaks of the slow mode the remains of the
 * fast one make small ones, which do not count. False: the fit is complete. */
static bool add_peak(struct fit *fit, const struct trial *trial, const double energy[3],
                     double time) {
    double bend = energy[0] - 2.0 * energy[1] + energy[2], tilt = energy[0] - energy[2];
    double peak = energy[1] - 0.125 * tilt * tilt / bend,
           at = time + 0.5 * tilt / bend * trial->share;
    if (fit->first == 0.0) fit->first = peak;
    if (peak < 0.5 * fit->last) return true;
    fit->last = peak;
    double fallen = log(fit->first / peak);
    if (trial->table != NULL) fprintf(trial->table, "%.9g\t%.9g\n", at, peak / fit->first);
    if (fallen < trial->from) return true;
    if (fmod(fit->n, 2.0) == 0.0) { /* a whole swing has two peaks */
        if (fit->n > 0.0) fit->place += fit->since, fit->places += fit->sinces;
        fit->since = fit->sinces = 0.0;
    }
    fit->n += 1.0;
    fit->t += at;
    fit->y += fallen;
    fit->tt += at * at;
    fit->ty += at * fallen;
    return fallen < trial->to || fit->n < 4.0;
}

double trial_inertia(const talus_sim *sim, size_t i) {
    talus_body_view bodies = talus_sim_bodies(sim);
    double r = bodies.radius[i];
    if (bodies.form[i] == 0) return 0.5 * bodies.mass[i] * r * r;
    talus_shape_view shape = talus_sim_shape(sim, (size_t)(bodies.form[i] - 1));
    double size = r / shape.reach;
    return bodies.mass[i] * size * size * shape.inertia[2][2];
}

static double kinetic(const talus_body_view *bodies, size_t i, double inertia) {
    talus_vec3 v = bodies->velocity[i];
    double spin = bodies->omega[i].z;
    return 0.5 * (bodies->mass[i] * (v.x * v.x + v.y * v.y) + inertia * spin * spin);
}

size_t trial_pushed(const talus_sim *sim) {
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t last = 0;
    for (size_t i = 0; i < bodies.count; i++)
        if (bodies.kind[i] == TALUS_BODY_GRAIN) last = i;
    return last;
}

static talus_status watch(talus_sim *sim, const struct trial *trial, struct fit *fit,
                          talus_error *err) {
    size_t grain = trial_pushed(sim);
    double inertia = trial_inertia(sim, grain);
    talus_body_view first = talus_sim_bodies(sim);
    double start = first.position[grain].x, still = kinetic(&first, grain, inertia);
    double energy[3] = {still, still, still}; /* if it moves at once, that is no peak */
    int64_t steps = (int64_t)(longest / trial->share);
    for (int64_t k = 1; k < steps; k++) {
        talus_status status = talus_sim_step(sim, NULL, err);
        if (status < 0) return status;
        talus_body_view bodies = talus_sim_bodies(sim);
        energy[0] = energy[1];
        energy[1] = energy[2];
        energy[2] = kinetic(&bodies, grain, inertia);
        fit->since += start - bodies.position[grain].x;
        fit->sinces += 1.0;
        bool peak = energy[1] > energy[0] && energy[1] >= energy[2];
        if (peak && !add_peak(fit, trial, energy, (double)(k - 1) * trial->share)) break;
    }
    return TALUS_OK;
}

talus_status trial_run(const struct paper_run *run, const struct trial *trial, struct decay *out,
                       talus_error *err) {
    talus_sim *sim = NULL;
    struct fit fit = {0};
    talus_status status = make(run, trial, &sim, err);
    if (status >= 0) status = watch(sim, trial, &fit, err);
    talus_sim_destroy(sim);
    double slope = (fit.n * fit.ty - fit.t * fit.y) / (fit.n * fit.tt - fit.t * fit.t);
    *out = (struct decay){1.0 / slope, fit.place / fit.places / trial->push, (int)fit.n};
    return status;
}
