/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/pentagons/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ------------------------------------------------------------------------------------ */

enum { OVERRIDES = 8, CONTACTS_PER_GRAIN = 16 };
static const double ground_spacing = 1.25; /* d, as in the scene */
static const double room = 1.8;            /* d^2, of the box that is filled, for a grain */

static talus_status build(const struct paper_run *run, const struct flow_choice *choice,
                          talus_sim **out, talus_error *err) {
    char text[OVERRIDES][64];
    const char *overrides[OVERRIDES];
    talus_scene *scene = NULL;
    double width = ground_spacing * choice->columns;
    snprintf(text[0], sizeof text[0], "seed=%d", choice->seed);
    snprintf(text[1], sizeof text[1], "cell.size=[%g, 0]", width);
    snprintf(text[2], sizeof text[2], "grains.0.shape=%s", choice->shape);
    snprintf(text[3], sizeof text[3], "grains.1.shape=%s", choice->shape);
    snprintf(text[4], sizeof text[4], "grains.0.row.count=%d", choice->columns);
    snprintf(text[5], sizeof text[5], "grains.1.fill.count=%d", choice->grains);
    snprintf(text[6], sizeof text[6], "grains.1.fill.box.high=[%g, %g]", width,
             room * choice->grains / width);
    snprintf(text[7], sizeof text[7], "solver.tolerance=%g", choice->tolerance);
    for (int i = 0; i < OVERRIDES; i++) overrides[i] = text[i];
    talus_status status = paper_scene(run, "scene.yaml", overrides, OVERRIDES, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, out, err);
    talus_scene_free(scene);
    return status;
}

static bool in_layer(const struct flow *flow, const talus_body_view *bodies, size_t i) {
    return bodies->kind[i] == TALUS_BODY_GRAIN && bodies->group[i] == flow->layer;
}

talus_status flow_make(const struct paper_run *run, const struct flow_choice *choice,
                       struct flow *out, talus_error *err) {
    *out = (struct flow){.width = ground_spacing * choice->columns, .learnt = 0.2};
    /* The fall from the top of the box takes a third of this. */
    double fall_time = 4.0 * sqrt(room * choice->grains / out->width);
    const struct flow_drive fall = {.slope = 0.0, .duration = fall_time, .dt = 0.02};
    out->contact_capacity = CONTACTS_PER_GRAIN * (size_t)choice->grains;
    out->contacts = calloc(out->contact_capacity, sizeof *out->contacts);
    if (out->contacts == NULL) return TALUS_ERR_MEMORY;
    talus_status status = build(run, choice, &out->sim, err);
    if (status < 0) return status;
    while (strcmp(talus_sim_group_name(out->sim, out->layer), "layer") != 0) out->layer++;
    talus_body_view bodies = talus_sim_bodies(out->sim);
    for (size_t i = 0; i < bodies.count; i++)
        if (in_layer(out, &bodies, i)) out->mass += bodies.mass[i];
    return flow_go(out, &fall, NULL, err);
}

void flow_free(struct flow *flow) {
    talus_sim_destroy(flow->sim);
    free(flow->contacts);
    *flow = (struct flow){0};
}

/* ---- the layer as a whole ---------------------------------------------------------------------- */

double flow_speed(const struct flow *flow) {
    talus_body_view bodies = talus_sim_bodies(flow->sim);
    double momentum = 0.0;
    for (size_t i = 0; i < bodies.count; i++)
        if (in_layer(flow, &bodies, i)) momentum += bodies.mass[i] * bodies.velocity[i].x;
    return momentum / flow->mass;
}

double flow_height(const struct flow *flow) {
    talus_body_view bodies = talus_sim_bodies(flow->sim);
    double moment = 0.0;
    for (size_t i = 0; i < bodies.count; i++)
        if (in_layer(flow, &bodies, i)) moment += bodies.mass[i] * bodies.position[i].y;
    return 2.0 * moment / flow->mass;
}

/* With the pressure (weight above) the rate is I sqrt(P); twice integrated over the height. */
double flow_speed_at(const struct flow *flow, double inertial_number) {
    return 0.4 * inertial_number * sqrt(flow->mass / flow->width) * flow_height(flow);
}

double flow_time_of(const struct flow *flow, double inertial_number, double strain) {
    return strain / (inertial_number * sqrt(0.5 * flow->mass / flow->width));
}

/* ---- tallies ----------------------------------------------------------------------------------- */

struct tally {
    double time, slope; /* s; integral of the slope */
    double start, end;  /* speed of the layer */
    double mass[FLOW_BINS], momentum[FLOW_BINS];
};

/* A grain counts in all layers of thickness 1 that it reaches into, in proportion. */
static void tally_grain(struct tally *tally, double y, double radius, const double amount[2]) {
    int first = (int)floor(y - radius), last = (int)floor(y + radius);
    for (int k = first < 0 ? 0 : first; k <= last && k < FLOW_BINS; k++) {
        double share = (fmin(k + 1.0, y + radius) - fmax(k, y - radius)) / (2.0 * radius);
        tally->mass[k] += share * amount[0];
        tally->momentum[k] += share * amount[1];
    }
}

static void tally_step(struct tally *tally, const struct flow *flow, double slope, double dt) {
    talus_body_view bodies = talus_sim_bodies(flow->sim);
    tally->time += dt;
    tally->slope += slope * dt;
    tally->end = flow_speed(flow);
    for (size_t i = 0; i < bodies.count; i++) {
        if (!in_layer(flow, &bodies, i)) continue;
        double mass = bodies.mass[i] * dt;
        tally_grain(tally, bodies.position[i].y, bodies.radius[i],
                    (double[2]){mass, mass * bodies.velocity[i].x});
    }
}

static void tally_add(struct tally *sum, const struct tally *more) {
    sum->time += more->time;
    sum->slope += more->slope;
    sum->end = more->end;
    for (int k = 0; k < FLOW_BINS; k++) {
        sum->mass[k] += more->mass[k];
        sum->momentum[k] += more->momentum[k];
    }
}

static double tally_mu(const struct tally *tally) {
    return (tally->slope - (tally->end - tally->start)) / tally->time;
}

struct bulk {
    int low, high;
};

/* FLOW_MARGIN from both ends, of a thin layer a quarter of its height. */
static struct bulk bulk_of(const struct flow *flow) {
    double height = flow_height(flow), margin = fmin(FLOW_MARGIN, 0.25 * height);
    return (struct bulk){(int)ceil(margin), (int)floor(height - margin)};
}

struct shear {
    double rate, inertial, solid;
};

/* Means over the bulk. */
static struct shear tally_shear(const struct tally *tally, const struct flow *flow) {
    struct bulk bulk = bulk_of(flow);
    struct shear sum = {0};
    double above = 0.0, area = tally->time * flow->width;
    for (int k = FLOW_BINS - 2; k >= bulk.low; k--) {
        above += 0.5 * (tally->mass[k] + tally->mass[k + 1]) / area;
        if (k >= bulk.high) continue;
        double rate = 0.5 * (tally->momentum[k + 1] / tally->mass[k + 1] -
                             tally->momentum[k - 1] / tally->mass[k - 1]);
        sum.rate += rate;
        sum.inertial += rate / sqrt(above);
        sum.solid += tally->mass[k] / area;
    }
    int count = bulk.high - bulk.low;
    return (struct shear){sum.rate / count, sum.inertial / count, sum.solid / count};
}

/* ---- stress from the contacts ------------------------------------------------------------------ */

struct stress {
    double shear, normal;
};

/* Sums of force times branch over the contacts of the bulk. */
static void stress_add(struct stress *sum, const struct flow *flow) {
    struct bulk bulk = bulk_of(flow);
    talus_body_view bodies = talus_sim_bodies(flow->sim);
    size_t count = talus_sim_contacts(flow->sim, flow->contacts, flow->contact_capacity);
    for (size_t i = 0; i < count && i < flow->contact_capacity; i++) {
        const talus_contact *contact = &flow->contacts[i];
        if (contact->point.y < bulk.low || contact->point.y > bulk.high) continue;
        double branch = bodies.position[contact->b].y - bodies.position[contact->a].y;
        sum->shear -= contact->force.x * branch;
        sum->normal += contact->force.y * branch;
    }
}

/* ---- driving ----------------------------------------------------------------------------------- */

/* The slope learns slowly what holds the speed, and departs from it while the speed is off. */
static double slope_now(struct flow *flow, const struct flow_drive *drive) {
    const double delay = 1.5, steepest = 1.0;
    if (!drive->hold_speed) return drive->slope;
    double missing = (drive->speed - flow_speed(flow)) / delay;
    flow->learnt = fmax(fmin(flow->learnt + missing * drive->dt / (2.0 * delay), 0.6), 0.0);
    return fmax(fmin(flow->learnt + missing, steepest), -steepest);
}

struct progress {
    struct tally block[FLOW_BLOCKS];
    struct stress stress;
    double residual;
    int64_t steps, unsolved;
};

static talus_status step(struct flow *flow, const struct flow_drive *drive, struct tally *tally,
                         struct progress *progress, talus_error *err) {
    enum { STRESS_EVERY = 5 };
    talus_step_report report;
    double slope = slope_now(flow, drive);
    talus_status status = talus_sim_set_gravity(flow->sim, (talus_vec3){slope, -1.0, 0.0}, err);
    if (status >= 0) status = talus_sim_step(flow->sim, &report, err);
    if (status < 0 || tally == NULL) return status;
    tally_step(tally, flow, slope, drive->dt);
    progress->residual += report.residual;
    progress->unsolved += !report.converged;
    if (progress->steps++ % STRESS_EVERY == 0) stress_add(&progress->stress, flow);
    return status;
}

/* Standard error of the mean of the blocks. */
static double error_of(const double value[FLOW_BLOCKS]) {
    double mean = 0.0, squares = 0.0;
    for (int b = 0; b < FLOW_BLOCKS; b++) mean += value[b] / FLOW_BLOCKS;
    for (int b = 0; b < FLOW_BLOCKS; b++) squares += (value[b] - mean) * (value[b] - mean);
    return sqrt(squares / (FLOW_BLOCKS * (FLOW_BLOCKS - 1)));
}

static void read_profile(const struct tally *sum, const struct flow *flow,
                         struct flow_reading *out) {
    const double thinnest = 0.1; /* above the surface there is nothing to read */
    for (int k = 0; k < FLOW_BINS; k++) {
        double solid = sum->mass[k] / (sum->time * flow->width);
        if (k > 0 && solid < thinnest) break;
        out->height[k] = k + 0.5;
        out->solid_at[k] = solid;
        out->speed_at[k] = sum->mass[k] > 0.0 ? sum->momentum[k] / sum->mass[k] : 0.0;
        out->bins = k + 1;
    }
}

static void read(const struct progress *progress, const struct flow *flow,
                 struct flow_reading *out) {
    struct tally sum = progress->block[0];
    double mu[FLOW_BLOCKS], inertial[FLOW_BLOCKS];
    for (int b = 0; b < FLOW_BLOCKS; b++) {
        if (b > 0) tally_add(&sum, &progress->block[b]);
        mu[b] = tally_mu(&progress->block[b]);
        inertial[b] = tally_shear(&progress->block[b], flow).inertial;
    }
    struct shear shear = tally_shear(&sum, flow);
    double steps = (double)progress->steps;
    *out = (struct flow_reading){.mu = tally_mu(&sum),
                                 .mu_error = error_of(mu),
                                 .inertial = shear.inertial,
                                 .inertial_error = error_of(inertial),
                                 .solid = shear.solid,
                                 .strain = shear.rate * sum.time,
                                 .virial = progress->stress.shear / progress->stress.normal,
                                 .residual = progress->residual / steps,
                                 .unsolved = (double)progress->unsolved / steps,
                                 .overlap = talus_sim_observe(flow->sim).overlap_mean,
                                 .speed_end = sum.end};
    read_profile(&sum, flow, out);
}

talus_status flow_go(struct flow *flow, const struct flow_drive *drive,
                     struct flow_reading *reading, talus_error *err) {
    struct progress progress = {0};
    int64_t count = (int64_t)ceil(drive->duration / drive->dt / FLOW_BLOCKS);
    talus_status status = talus_sim_set_dt(flow->sim, drive->dt, err);
    for (int b = 0; b < FLOW_BLOCKS; b++) {
        struct tally *tally = reading != NULL ? &progress.block[b] : NULL;
        progress.block[b].start = flow_speed(flow);
        for (int64_t k = 0; k < count && status >= 0; k++)
            status = step(flow, drive, tally, &progress, err);
    }
    if (status >= 0 && reading != NULL) read(&progress, flow, reading);
    return status;
}
