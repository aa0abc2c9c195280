/* SPDX-License-Identifier: Apache-2.0
 *
 * Frictionless rigid pentagons in slow shear have an internal friction of 0.183 +- 0.008, and do not
 * dilate: their solid fraction in slow flow is that of a packing that was never sheared [Azema2015].
 *
 * There the grains are sheared between rough walls under a given pressure. Here they flow down a
 * rough slope under their own weight, for then the ratio of shear to normal stress needs no force to
 * be measured: in steady flow statics makes it tan(theta) at every depth, whatever ground and surface
 * do. Instead of waiting for the speed that belongs to a slope, which near the limit is none or many,
 * the slope is controlled so that the layer keeps its mean speed; its mean over time is mu. In the
 * bulk the rate of shear and the weight above give
 *
 *   I = rate d sqrt(density/P),     mu = mu_0 + c I^alpha,
 *
 * and mu_0 is the limit asked for. Discs go first: they have no corners to hold on to, and a known
 * friction of about 0.1. The other way round, at given slopes, the layer comes to rest at about mu_0
 * when the slope is lowered. Where it starts again when the slope is raised differs from run to run (0.19 and 0.22 were
 * seen), and is only told.
 *
 * What mu does not depend on: the step (pentagons at I = 0.015, dt = 0.04 and 0.02: 0.217 and 0.216;
 * discs at I = 0.005, dt = 0.06 and 0.015: 0.151 and 0.150) and the tolerance of the solver (1e-3 and
 * 1e-4: 0.217 both). What it does depend on: overlaps. The g+ law keeps them; they are 1e-3 d in the
 * mean and up to 0.05 d where corners slid past corners, and at I = 0.004 to 0.005 pentagons then had
 * 0.209 and 0.212 instead of 0.194 to 0.205. So the scene has them pushed apart (1e-5 d are left).
 */
#include <math.h>
#include <string.h>

#include "papers/pentagons/flow.h"

enum { STAGES = 4, SERIES = 2 };

struct stage {
    double inertial; /* aimed at; the bulk is measured */
    double strain;   /* of the middle */
    double dt;       /* longer when slow: strain of a step about 1e-3 */
};

struct series {
    const char *name;
    struct flow_choice choice;
    const struct stage *stages;
    int count;
};

struct result {
    struct flow_reading reading[STAGES];
    double solid_at_rest;
};

/* ---- flow at given speeds ---------------------------------------------------------------------- */

/* Before reading begins some strain goes by, and time enough for all depths to get in step. */
static talus_status run_stage(struct flow *flow, const struct stage *stage,
                              struct flow_reading *out, talus_error *err) {
    const double lead = 0.4; /* strain */
    struct flow_drive drive = {
        .hold_speed = true, .speed = flow_speed_at(flow, stage->inertial), .dt = stage->dt};
    drive.duration = fmax(flow_time_of(flow, stage->inertial, lead), flow_height(flow));
    talus_status status = flow_go(flow, &drive, NULL, err);
    drive.duration = flow_time_of(flow, stage->inertial, stage->strain);
    return status >= 0 ? flow_go(flow, &drive, out, err) : status;
}

static talus_status rest(struct flow *flow, double *solid, talus_error *err) {
    struct flow_reading reading = {0};
    const struct flow_drive drive = {.slope = 0.0, .duration = 1.0, .dt = 0.02};
    talus_status status = flow_go(flow, &drive, &reading, err);
    *solid = reading.solid;
    return status;
}

static void tell(const struct paper_run *run, const char *name,
                 const struct flow_reading *reading) {
    paper_note(run,
               "%s: I = %.5f: mu = %.4f +- %.4f, from contact forces %.4f, solid fraction %.4f, "
               "strain %.1f, residual %.0e (%.1f %% of the steps stopped early), overlap %.0e d",
               name, reading->inertial, reading->mu, reading->mu_error, reading->virial,
               reading->solid, reading->strain, reading->residual, 100.0 * reading->unsolved,
               reading->overlap);
}

static talus_status run_series(const struct paper_run *run, const struct series *series,
                               struct flow *flow, struct result *out, talus_error *err) {
    talus_status status = flow_make(run, &series->choice, flow, err);
    if (status >= 0) status = rest(flow, &out->solid_at_rest, err);
    for (int i = 0; i < series->count && status >= 0; i++) {
        status = run_stage(flow, &series->stages[i], &out->reading[i], err);
        if (status >= 0) tell(run, series->name, &out->reading[i]);
    }
    paper_note(run, "%s: solid fraction at rest %.4f", series->name, out->solid_at_rest);
    return status;
}

static void tell_fit(const struct paper_run *run, const char *name, const struct flow_fit *fit) {
    paper_note(run, "%s: mu_0 = %.4f +- %.4f; mu = %.4f + %.3f I^%.2f, chi^2/n %.1f", name,
               fit->mu_0, fit->error, fit->mu_0, fit->c, fit->alpha, fit->scatter);
}

struct fits {
    struct flow_fit spheres, free;
};

/* One law through the points of several series. */
static struct fits fit_of(const struct paper_run *run, const struct series *series,
                          const struct result *result, int series_count) {
    struct flow_point point[SERIES * STAGES];
    int count = 0;
    for (int s = 0; s < series_count; s++)
        for (int i = 0; i < series[s].count; i++) {
            const struct flow_reading *reading = &result[s].reading[i];
            point[count++] = (struct flow_point){reading->mu, reading->mu_error, reading->inertial,
                                                 reading->inertial_error};
        }
    struct fits fits = {flow_fit_spheres(point, count), flow_fit_free(point, count)};
    tell_fit(run, series->name, &fits.spheres);
    tell_fit(run, series->name, &fits.free);
    return fits;
}

static void write_series(FILE *table, const struct series *series, const struct result *result) {
    fprintf(table, "# %s: I\terror\tmu\terror\tsolid\tat rest\tstrain\n", series->name);
    for (int i = 0; i < series->count; i++) {
        const struct flow_reading *reading = &result->reading[i];
        fprintf(table, "%.6g\t%.3g\t%.6g\t%.3g\t%.6g\t%.6g\t%.3g\n", reading->inertial,
                reading->inertial_error, reading->mu, reading->mu_error, reading->solid,
                result->solid_at_rest, reading->strain);
    }
    fputs("\n\n", table);
}

static void write_fits(FILE *table, const char *name, const struct fits *fits) {
    const struct flow_fit both[2] = {fits->spheres, fits->free};
    fprintf(table, "# %s: mu_0\terror\tc\talpha\n", name);
    for (int i = 0; i < 2; i++)
        fprintf(table, "%.6g\t%.3g\t%.6g\t%.3g\n", both[i].mu_0, both[i].error, both[i].c,
                both[i].alpha);
    fputs("\n\n", table);
}

static void write_profile(FILE *table, const char *name, const struct flow_reading *reading) {
    fprintf(table, "# %s, I = %.5f: y/d\tv_x\tsolid\n", name, reading->inertial);
    for (int k = 0; k < reading->bins; k++)
        fprintf(table, "%.3g\t%.6g\t%.6g\n", reading->height[k], reading->speed_at[k],
                reading->solid_at[k]);
    fputs("\n\n", table);
}

/* ---- given slopes ------------------------------------------------------------------------------ */

static const double steepest = 0.27, slope_step = 0.01, hold = 40.0;
static const double resting = 3e-4, moving = 3e-3; /* I, mean of the second half of the time */

static talus_status at_slope(struct flow *flow, double slope, FILE *table, struct flow_reading *out,
                             talus_error *err) {
    struct flow_drive drive = {.slope = slope, .duration = 0.5 * hold, .dt = 0.05};
    talus_status status = flow_go(flow, &drive, NULL, err);
    if (status >= 0) status = flow_go(flow, &drive, out, err);
    if (status >= 0)
        fprintf(table, "%.4g\t%.6g\t%.6g\t%.6g\t%.6g\n", slope, out->speed_end, out->inertial,
                out->inertial_error, out->mu);
    return status;
}

/* Down until it rests, then up until it goes on. The flow is fast at first. */
static talus_status down_and_up(struct flow *flow, FILE *table, double *arrest, double *start,
                                talus_error *err) {
    struct flow_reading reading = {0};
    talus_status status = TALUS_OK;
    double slope = steepest;
    fputs("# lowered: tan(theta)\tspeed at the end\tI\terror\tmu\n", table);
    for (; status >= 0 && slope > 0.0; slope -= slope_step) {
        status = at_slope(flow, slope, table, &reading, err);
        if (reading.inertial < resting) break;
    }
    *arrest = slope;
    fputs("\n\n# raised\n", table);
    while (status >= 0 && slope < 1.0) {
        slope += slope_step;
        status = at_slope(flow, slope, table, &reading, err);
        if (reading.inertial > moving) break;
    }
    *start = slope;
    fputs("\n\n", table);
    return status;
}

/* ---- the parts --------------------------------------------------------------------------------- */

/* Nothing is known of mu_0 from so few and fast grains; a band tells whether it is sane. */
static const struct stage stages_quick[] = {{0.06, 1.5, 0.025}};

static const struct stage stages_full[STAGES] = {
    {0.1, 4.0, 0.02}, {0.03, 4.0, 0.02}, {0.01, 4.0, 0.04}, {0.003, 2.0, 0.05}};

struct tables {
    FILE *friction, *profile, *slopes, *fit;
};

static talus_status picture(const struct paper_run *run, const struct flow *flow,
                            talus_error *err) {
    char path[PAPER_PATH];
    talus_picture_config config = talus_picture_config_default();
    config.color = "speed";
    config.legend = false;
    config.width = 700;
    config.height = 700;
    snprintf(path, sizeof path, "%s/layer.png", run->output);
    return talus_picture_write(flow->sim, &config, path, err);
}

static talus_status quick(struct paper_run *run, const struct tables *tables, talus_error *err) {
    static const struct series both[] = {
        {"discs", {"disc", 90, 8, 1, 1e-3}, stages_quick, 1},
        {"pentagons", {"pentagon", 110, 8, 1, 1e-3}, stages_quick, 1}};
    double mu[2] = {0.0, 0.0};
    talus_status status = TALUS_OK;
    for (int i = 0; i < 2 && status >= 0; i++) {
        struct flow flow;
        struct result result = {0};
        status = run_series(run, &both[i], &flow, &result, err);
        if (status >= 0) write_series(tables->friction, &both[i], &result);
        if (status >= 0) write_profile(tables->profile, both[i].name, &result.reading[0]);
        if (status >= 0 && i == 1) status = picture(run, &flow, err);
        flow_free(&flow);
        mu[i] = result.reading[0].mu;
        if (i == 0) continue;
        paper_record(run, "pentagons_inertial_number", result.reading[0].inertial);
        paper_record(run, "pentagons_virial_over_mu", result.reading[0].virial / mu[1]);
    }
    paper_record(run, "discs_mu", mu[0]);
    paper_record(run, "pentagons_mu", mu[1]);
    return status;
}

/* How much looser than at rest, where it was never sheared. */
static double loosening(const struct result *result, int stage) {
    return 1.0 - result->reading[stage].solid / result->solid_at_rest;
}

/* Mean difference of mu, of the three slowest flows, taller less lower. The inertial numbers are
 * nearly the same. */
static double higher(const struct result result[SERIES]) {
    double sum = 0.0;
    for (int i = 1; i < STAGES; i++) sum += result[1].reading[i].mu - result[0].reading[i].mu;
    return sum / (STAGES - 1);
}

static talus_status slopes(struct paper_run *run, const struct tables *tables, struct flow *flow,
                           talus_error *err) {
    double arrest = 0.0, start = 0.0;
    talus_status status = down_and_up(flow, tables->slopes, &arrest, &start, err);
    if (status < 0) return status;
    paper_note(run, "pentagons: lowered to tan(theta) = %.2f they stop, raised to %.2f they start",
               arrest, start);
    paper_record(run, "pentagons_arrest", arrest);
    return status;
}

/* Two heights, of different grains; what is drawn, and the slopes, are of the lower pentagons. */
static talus_status both_heights(struct paper_run *run, const struct tables *tables,
                                 const struct series series[SERIES], struct result result[SERIES],
                                 talus_error *err) {
    talus_status status = TALUS_OK;
    for (int s = 0; s < SERIES && status >= 0; s++) {
        bool more = s == 0 && strcmp(series[s].choice.shape, "pentagon") == 0;
        struct flow flow;
        status = run_series(run, &series[s], &flow, &result[s], err);
        if (status >= 0) write_series(tables->friction, &series[s], &result[s]);
        if (status >= 0 && more) status = picture(run, &flow, err);
        if (status >= 0 && more) status = slopes(run, tables, &flow, err);
        flow_free(&flow);
    }
    return status;
}

static talus_status discs(struct paper_run *run, const struct tables *tables, talus_error *err) {
    static const struct series series[SERIES] = {
        {"discs", {"disc", 400, 16, 1, 1e-3}, stages_full, STAGES},
        {"discs, taller", {"disc", 640, 16, 2, 1e-3}, stages_full, STAGES}};
    struct result result[SERIES] = {0};
    talus_status status = both_heights(run, tables, series, result, err);
    if (status < 0) return status;
    struct fits fits = fit_of(run, series, result, SERIES);
    write_fits(tables->fit, "discs", &fits);
    paper_record(run, "discs_mu_0", fits.free.mu_0);
    paper_record(run, "discs_mu_0_alpha_0.4", fits.spheres.mu_0);
    return status;
}

static talus_status pentagons(struct paper_run *run, const struct tables *tables,
                              talus_error *err) {
    static const struct series series[SERIES] = {
        {"pentagons", {"pentagon", 500, 16, 1, 1e-3}, stages_full, STAGES},
        {"pentagons, taller", {"pentagon", 800, 16, 2, 1e-3}, stages_full, STAGES}};
    struct result result[SERIES] = {0};
    talus_status status = both_heights(run, tables, series, result, err);
    if (status < 0) return status;
    for (int i = 0; i < STAGES; i++)
        write_profile(tables->profile, "pentagons", &result[0].reading[i]);
    struct fits fits = fit_of(run, series, result, SERIES);
    write_fits(tables->fit, "pentagons", &fits);
    paper_record(run, "pentagons_mu_0", fits.free.mu_0);
    paper_record(run, "pentagons_mu_0_alpha_0.4", fits.spheres.mu_0);
    paper_record(run, "pentagons_virial_over_mu",
                 result[0].reading[2].virial / result[0].reading[2].mu);
    paper_record(run, "pentagons_dilatancy", loosening(&result[0], STAGES - 1));
    paper_record(run, "pentagons_taller_minus_lower", higher(result));
    return status;
}

static talus_status full(struct paper_run *run, const struct tables *tables, talus_error *err) {
    talus_status status = discs(run, tables, err);
    return status >= 0 ? pentagons(run, tables, err) : status;
}

/* ---- tables ------------------------------------------------------------------------------------ */

enum { TABLES = 4 };

static talus_status measure(struct paper_run *run, talus_error *err) {
    static const char *const names[TABLES] = {"friction.tsv", "profile.tsv", "slopes.tsv",
                                              "fit.tsv"};
    FILE *file[TABLES] = {NULL};
    talus_status status = TALUS_OK;
    for (int i = 0; i < TABLES && status >= 0; i++)
        status = paper_table_open(run, names[i], &file[i], err);
    struct tables tables = {file[0], file[1], file[2], file[3]};
    if (status >= 0) status = run->quick ? quick(run, &tables, err) : full(run, &tables, err);
    for (int i = 0; i < TABLES; i++) {
        if (file[i] == NULL) continue;
        talus_status closed = paper_table_close(file[i], names[i], status < 0 ? NULL : err);
        if (status >= 0) status = closed;
    }
    return status;
}

const struct paper pentagons_paper = {
    .name = "pentagons",
    .title = "Internal friction of frictionless pentagons in slow shear",
    .source = "E. Azema, F. Radjai, J.-N. Roux, Phys. Rev. E 91, 010202 (2015)",
    .measure = measure,
};
