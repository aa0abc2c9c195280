/* SPDX-License-Identifier: Apache-2.0
 *
 * The detachment effect [Wolf2006, sect. 2.4]: N grains, equally spaced by s_0, fly against a wall with velocity v. If
 * they come one by one, s_0 >> v tau (tau: time of a collision), they meet in about N^2/2 collisions of two, each of
 * which takes its share of the energy. If s_0 << v tau there is one collision of all at once, the row is a single
 * elastic body, and it loses no more than one grain would: soft grains dissipate too little where it is dense.
 *
 * Expected: one grain keeps e^2, e = exp(-z w_0 t_c) with w_0 t_c = (pi - atan2(2 z w, w^2 - z^2))/w, w^2 = 1 - z^2, of
 * the spring with dashpot that does not pull. Grains far apart follow instantaneous collisions of two with the same e,
 * which are done here one after the other. Elastic grains exchange velocities: N(N + 1)/2 collisions. Between the
 * limits: an independent integration of the same laws.
 */
#include <math.h>
#include <string.h>

#include "papers/papers.h"

enum { GRAINS_MAX = 10 };
static const double pi = 3.141592653589793, radius = 50.0;
static const int counts[] = {1, 2, 5, 10};

struct row {
    int count;       /* N */
    double spacing;  /* s_0/(v tau) */
    bool elastic;    /* e = 1 */
    int steps_a_tau; /* time steps in one collision */
};

struct rebound {
    double energy;  /* E_final/E_0 */
    int collisions; /* contacts that began */
};

/* Of e = 0.9 with attraction: z = gamma/(2 sqrt(m_r k)). */
static double damping_ratio(void) {
    double decay = -log(0.9);
    return decay / sqrt(pi * pi + decay * decay);
}

static double collision_time(bool elastic) { /* of two, k = 1, m_r = 1/2 */
    double z = elastic ? 0.0 : damping_ratio();
    return pi * sqrt(0.5 / (1.0 - z * z));
}

/* ---- soft grains ------------------------------------------------------------------------------- */

static talus_status make_row(const struct paper_run *run, const struct row *row, talus_sim **out,
                             talus_error *err) {
    char text[4][96];
    const char *overrides[4];
    double z = row->elastic ? 0.0 : damping_ratio(),
           gap = row->spacing * collision_time(row->elastic);
    talus_scene *scene = NULL;
    snprintf(text[0], sizeof text[0], "time.dt=%.17g",
             collision_time(row->elastic) / row->steps_a_tau);
    snprintf(text[1], sizeof text[1], "pairs.0.soft.damping=%.17g", 2.0 * z * sqrt(0.5));
    snprintf(text[2], sizeof text[2], "pairs.1.soft.damping=%.17g", 2.0 * z);
    snprintf(text[3], sizeof text[3], "grains.0.list.0.at=[%.17g, 0, 0]", radius + gap);
    for (int i = 0; i < 4; i++) overrides[i] = text[i];
    talus_status status = paper_scene(run, "scene.yaml", overrides, 4, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, out, err);
    talus_scene_free(scene);
    for (int k = 1; k < row->count && status >= 0; k++) {
        talus_body_def def = talus_body_def_default(*out);
        def.radius = radius;
        def.mass = 1.0;
        def.position.x = (2 * k + 1) * radius + (k + 1) * gap;
        def.velocity.x = -1.0;
        status = talus_bodies_add(*out, &def, 1, NULL, err);
    }
    return status;
}

/* Velocities of the grains from the wall on. */
static void velocities_of(const talus_sim *sim, double velocity[GRAINS_MAX]) {
    talus_body_view bodies = talus_sim_bodies(sim);
    int k = 0;
    for (size_t i = 0; i < bodies.count && k < GRAINS_MAX; i++)
        if (bodies.kind[i] == TALUS_BODY_GRAIN) velocity[k++] = bodies.velocity[i].x;
}

/* Will any two meet again? */
static bool is_over(const double *velocity, int count) {
    bool over = velocity[0] >= 0.0;
    for (int k = 1; k < count; k++) over = over && velocity[k] >= velocity[k - 1];
    return over;
}

static double kinetic(const double *velocity, int count) {
    double sum = 0.0;
    for (int k = 0; k < count; k++) sum += velocity[k] * velocity[k];
    return sum / count; /* of v = 1 */
}

/* Contacts that are there now and were not in the step before; a row has one for each grain at most, named here by its
 * outer grain. */
static int begun(const talus_sim *sim, bool touching[GRAINS_MAX + 1], size_t *closed) {
    talus_contact contacts[GRAINS_MAX + 1];
    bool now[GRAINS_MAX + 1] = {false};
    talus_body_view bodies = talus_sim_bodies(sim);
    int started = 0;
    *closed = talus_sim_contacts(sim, contacts, GRAINS_MAX + 1);
    for (size_t c = 0; c < *closed; c++) {
        bool wall = bodies.kind[contacts[c].b] != TALUS_BODY_GRAIN;
        double inner = bodies.position[contacts[c].a].x, outer = bodies.position[contacts[c].b].x;
        int name = wall ? 0 : (int)floor(fmax(inner, outer) / (2.0 * radius));
        if (name < 0 || name > GRAINS_MAX) continue;
        now[name] = true;
        started += !touching[name];
    }
    memcpy(touching, now, sizeof now);
    return started;
}

static talus_status fly(const struct paper_run *run, const struct row *row, struct rebound *out,
                        talus_error *err) {
    double velocity[GRAINS_MAX], latest = 20.0 * row->count * (row->spacing + 4.0) + 40.0;
    bool touching[GRAINS_MAX + 1] = {false};
    size_t closed = 0;
    talus_sim *sim = NULL;
    *out = (struct rebound){0};
    talus_status status = make_row(run, row, &sim, err);
    latest *= collision_time(row->elastic);
    while (status >= 0 && talus_sim_time(sim) < latest) {
        status = talus_sim_step(sim, NULL, err);
        if (status < 0) break;
        out->collisions += begun(sim, touching, &closed);
        velocities_of(sim, velocity);
        if (closed == 0 && is_over(velocity, row->count)) break;
    }
    if (status >= 0) out->energy = kinetic(velocity, row->count);
    talus_sim_destroy(sim);
    return status;
}

/* ---- collisions of two, one after the other ----------------------------------------------------- */

static double restitution(double z) {
    double w = sqrt(1.0 - z * z);
    return exp(-z * (pi - atan2(2.0 * z * w, w * w - z * z)) / w);
}

/* Points at 1, 2, 3, ... and a wall at 0: E_final/E_0. */
static double one_by_one(int count, double e) {
    double x[GRAINS_MAX], v[GRAINS_MAX];
    for (int k = 0; k < count; k++) {
        x[k] = k + 1.0;
        v[k] = -1.0;
    }
    while (!is_over(v, count)) {
        int next = -1;
        double soonest = HUGE_VAL;
        for (int k = 0; k < count; k++) {
            double approach = k > 0 ? v[k - 1] - v[k] : -v[k], gap = k > 0 ? x[k] - x[k - 1] : x[k];
            if (approach > 0.0 && gap / approach < soonest) {
                soonest = gap / approach;
                next = k;
            }
        }
        for (int k = 0; k < count; k++) x[k] += soonest * v[k];
        if (next == 0) {
            v[0] *= -e;
            continue;
        }
        double half = 0.5 * (1.0 + e) * (v[next - 1] - v[next]);
        v[next - 1] -= half;
        v[next] += half;
    }
    return kinetic(v, count);
}

/* ---- the entry ---------------------------------------------------------------------------------- */

/* One curve of the figure. */
static talus_status curve(struct paper_run *run, int count, FILE *table, talus_error *err) {
    int a_decade = run->quick ? 2 : 6, decades = run->quick ? 4 : 5;
    fprintf(table, "# N = %d: s_0/(v tau)\tE_final/E_0\tone by one\n", count);
    double limit = one_by_one(count, restitution(damping_ratio()));
    for (int k = 0; k <= decades * a_decade; k++) {
        struct row row = {count, pow(10.0, -3.0 + (double)k / a_decade), false, 200};
        struct rebound found;
        talus_status status = fly(run, &row, &found, err);
        if (status < 0) return status;
        fprintf(table, "%.9g\t%.9g\t%.9g\n", row.spacing, found.energy, limit);
    }
    fputs("\n\n", table);
    return TALUS_OK;
}

/* The numbers to compare, with twice as short a step. */
static talus_status numbers(struct paper_run *run, int count, talus_error *err) {
    static const double spacings[] = {0.001, 0.1, 1.0, 10.0, 100.0};
    char name[PAPER_NAME];
    for (int k = 0; k < (run->quick ? 4 : 5); k++) {
        struct row row = {count, spacings[k], false, 400};
        struct rebound found;
        talus_status status = fly(run, &row, &found, err);
        if (status < 0) return status;
        snprintf(name, sizeof name, "energy_N%d_at_%g", count, spacings[k]);
        paper_record(run, name, found.energy);
        paper_note(run, "N = %2d, s_0/(v tau) = %5g: E_final/E_0 = %.4f", count, spacings[k],
                   found.energy);
        if (spacings[k] != 10.0) continue;
        snprintf(name, sizeof name, "apart_N%d_over_theory", count);
        paper_record(run, name, found.energy / one_by_one(count, restitution(damping_ratio())));
    }
    return TALUS_OK;
}

/* e = 1: how many collisions, and is the energy kept? */
static talus_status elastic(struct paper_run *run, int count, talus_error *err) {
    struct row row = {count, 10.0, true, 400};
    struct rebound found;
    char name[PAPER_NAME];
    talus_status status = fly(run, &row, &found, err);
    if (status < 0) return status;
    snprintf(name, sizeof name, "collisions_N%d", count);
    paper_record(run, name, found.collisions);
    snprintf(name, sizeof name, "energy_kept_N%d", count);
    paper_record(run, name, found.energy);
    paper_note(run, "e = 1, N = %2d: %d collisions, E_final/E_0 = %.6f", count, found.collisions,
               found.energy);
    return TALUS_OK;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    FILE *table;
    talus_status status = paper_table_open(run, "energy.tsv", &table, err);
    if (status < 0) return status;
    for (int i = 0; i < 4 && status >= 0; i++) {
        status = curve(run, counts[i], table, err);
        if (status >= 0) status = numbers(run, counts[i], err);
        if (status >= 0) status = elastic(run, counts[i], err);
    }
    talus_status closed = paper_table_close(table, "energy.tsv", status < 0 ? NULL : err);
    return status < 0 ? status : closed;
}

const struct paper detachment_paper = {
    .name = "detachment",
    .title = "The detachment effect: soft grains that collide all at once dissipate too little",
    .source = "D. E. Wolf, lecture on MD and CD of granular matter, section 2.4",
    .measure = measure,
};
