/* SPDX-License-Identifier: Apache-2.0
 *
 * The same for two irregular polygons [Pena2009, fig. 10]: the paper shows them held from turning. Turning, they have two
 * modes, and each is started alone: the corner is given the velocities of the mode.
 *
 * Expected (corner.c): held t_R0/t_c = 108.26, with the plain spring t_R0/(1 + k_t t_x^2 dt/(2 (c_n n_x^2 + c_t t_x^2)));
 * turning 49.6 for the mode that shears the contact, which falls with dt in the same way, and 191.6 for that which rolls on the
 * corner, which does not.
 */
#include <math.h>
#include <string.h>

#include "papers/relaxation/relaxation.h"

static const double way =
    1e-5; /* m, of the first swing: small against the depth, so that it is linear */

struct series {
    const char *name, *slip;
    enum corner_mode mode;
};

/* The blocks of polygons.tsv, in this order. */
static const struct series list[] = {
    {"polygon_plain_held", "velocity", CORNER_HELD},
    {"polygon_improved_held", "position", CORNER_HELD},
    {"polygon_plain_shears", "velocity", CORNER_SHEARS},
    {"polygon_improved_shears", "position", CORNER_SHEARS},
    {"polygon_plain_rolls", "velocity", CORNER_ROLLS},
    {"polygon_improved_rolls", "position", CORNER_ROLLS},
};
enum { SERIES = sizeof list / sizeof list[0] };

static const double shares[] = {0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4};
enum { SHARES = sizeof shares / sizeof shares[0] };

/* The polygons as the scene puts them. */
static talus_status find_corner(const struct paper_run *run, struct corner *out, talus_error *err) {
    talus_scene *scene = NULL;
    talus_sim *sim = NULL;
    talus_status status = paper_scene(run, "polygons.yaml", NULL, 0, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, &sim, err);
    if (status >= 0) status = corner_find(sim, out, err);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
    return status;
}

static struct trial trial_of(const struct corner *corner, const struct series *series,
                             double share) {
    struct trial trial = trial_default();
    trial.scene = "polygons.yaml";
    trial.slip = series->slip;
    trial.turns = series->mode != CORNER_HELD;
    trial.share = share;
    trial.reduced_mass = corner->reduced_mass;
    trial.balanced = corner_load(corner, trial.stiffness) * corner->normal_x;
    trial.from = 0.0;
    trial.to = share < 1e-3 ? 0.2 : 1.0; /* a single mode: a few swings will do */
    if (!trial.turns) return trial;
    struct mode mode = corner_theory(corner, &trial, series->mode);
    double largest = fmax(1.0, fabs(mode.slide));
    trial.push = 0.0;
    trial.spin = way * mode.frequency / largest;
    trial.speed = mode.slide * trial.spin;
    return trial;
}

static talus_status against_step(struct paper_run *run, const struct corner *corner,
                                 const struct series *series, FILE *table, talus_error *err) {
    double worst = 0.0, least = run->quick ? 1e-2 : 1e-4;
    char name[PAPER_NAME];
    fprintf(table, "# %s: dt/t_c\tt_R/t_c\ttheory\n", series->name);
    for (int k = 0; k < SHARES && shares[k] >= 0.99 * least; k++) {
        struct trial trial = trial_of(corner, series, shares[k]);
        struct mode mode = corner_theory(corner, &trial, series->mode);
        struct decay decay;
        talus_status status = trial_run(run, &trial, &decay, err);
        if (status < 0) return status;
        fprintf(table, "%.9g\t%.9g\t%.9g\n", shares[k], decay.time, mode.time);
        worst = fmax(worst, fabs(decay.time / mode.time - 1.0));
        snprintf(name, sizeof name, "%s_%g", series->name, shares[k]);
        bool plain = strcmp(series->slip, "velocity") == 0;
        if (plain ? k % 2 == 0 : k == 2) paper_record(run, name, decay.time);
        snprintf(name, sizeof name, "%s_shift", series->name);
        if (k == 2 && series->mode == CORNER_HELD)
            paper_record(run, name, decay.shift / mode.compliance);
    }
    fputs("\n\n", table);
    snprintf(name, sizeof name, "%s_off_theory", series->name);
    paper_record(run, name, worst);
    paper_note(run, "%s: at most %.2g from the theory", series->name, worst);
    return TALUS_OK;
}

talus_status polygons_measure(struct paper_run *run, talus_error *err) {
    FILE *table;
    struct corner corner;
    talus_status status = find_corner(run, &corner, err);
    if (status >= 0) status = paper_table_open(run, "polygons.tsv", &table, err);
    if (status < 0) return status;
    for (int k = 0; k < SERIES && status >= 0; k++)
        status = against_step(run, &corner, &list[k], table, err);
    talus_status closed = paper_table_close(table, "polygons.tsv", status < 0 ? NULL : err);
    return status < 0 ? status : closed;
}
