/* SPDX-License-Identifier: Apache-2.0
 *
 * Compaction of a cohesive powder. A ballistic deposit of spheres, periodic sideways, is compressed
 * without gravity by a piston whose pressure p rises slowly. What resists is the cohesion force F_C
 * together with friction: sliding, rolling and torsion, whose limits R_n + F_C are there at zero
 * load too. Expected [Bartels2005], [Kadau2003], from which no absolute number is taken:
 *
 *   the porosity falls with p and depends on cohesion by F_C/(p d^2) only;
 *   rolling and torsion friction both raise it, and what they add is about additive;
 *   a power law holds between pressure and porosity [Brendel2004, sect. 1.9].
 *
 * Units: mean diameter d = 1, its mass m = 1, F_C = 1, unless scaled on purpose. Porosity is that
 * between the planes one diameter away from floor and piston: walls order the grains beside them.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "papers/papers.h"

enum { GRAINS = 300, GRAINS_QUICK = 200, LEVELS = 27, STEPS = 30, SEEDS = 4, SEEDS_QUICK = 1 };

static const double pi = 3.141592653589793;
static const double side = 7.0;        /* of the periodic cell */
static const double coefficient = 0.1; /* of rolling and torsion friction, times r* */
static const double range = 0.01;      /* d_C */

/* Levels of pressure: three make a factor of two. Up to the first one that counts the sample
 * without torques is where the first collapse has left it, which is inertia's doing. */
static const double pressure_low = 0.0025;
enum { LEVELS_TO_TWO = 3, LEVEL_FIRST = 12 };

struct powder {
    int seed, grains;
    double cohesion;         /* F_C */
    double rolling, torsion; /* coefficients, times r* */
    double length;           /* factor of all lengths; d = length */
    double pressure;         /* factor of the pressures */
    double dt;
    int steps; /* at the last level of pressure */
};

/* ---- the deposit ----------------------------------------------------------------------------- */

struct ball {
    talus_vec3 at;
    double radius;
};

static double image(double x) {
    return x - side * nearbyint(x / side);
}

/* How high above the floor the falling ball meets the first of the others. */
static double landing_height(const struct ball *balls, int count, const struct ball *falling) {
    double height = falling->radius;
    for (int j = 0; j < count; j++) {
        double x = image(balls[j].at.x - falling->at.x), y = image(balls[j].at.y - falling->at.y);
        /* so little nearer than touching that it is a contact whatever the rounding */
        double reach = (balls[j].radius + falling->radius) * (1.0 - 1e-9);
        double rise = reach * reach - x * x - y * y;
        if (rise > 0.0) height = fmax(height, balls[j].at.z + sqrt(rise));
    }
    return height;
}

/* Radii between 0.45 and 0.55; scaled at the end, so that a factor of two makes the same bits. */
static double make_deposit(struct ball *balls, const struct powder *powder) {
    uint64_t dice = (uint64_t)powder->seed;
    double top = 0.0, length = powder->length;
    for (int i = 0; i < powder->grains; i++) {
        balls[i].radius = 0.45 + 0.1 * paper_random(&dice);
        balls[i].at.x = side * paper_random(&dice);
        balls[i].at.y = side * paper_random(&dice);
        balls[i].at.z = landing_height(balls, i, &balls[i]);
        top = fmax(top, balls[i].at.z + balls[i].radius);
    }
    for (int i = 0; i < powder->grains; i++) {
        talus_vec3 at = balls[i].at;
        balls[i] =
            (struct ball){{length * at.x, length * at.y, length * at.z}, length * balls[i].radius};
    }
    return length * top;
}

/* ---- the sample ------------------------------------------------------------------------------ */

static struct powder powder_default(const struct paper_run *run) {
    return (struct powder){.seed = 1,
                           .grains = run->quick ? GRAINS_QUICK : GRAINS,
                           .cohesion = 1.0,
                           .length = 1.0,
                           .pressure = 1.0,
                           .dt = 0.2,
                           .steps = STEPS};
}

/* The scene with this sample's numbers; in place of its grains the first ball, for it must have
 * one. */
static talus_status make_box(const struct paper_run *run, const struct powder *powder,
                             const struct ball *first, double top, talus_sim **out,
                             talus_error *err) {
    char text[9][192];
    const char *overrides[9];
    talus_scene *scene = NULL;
    double size = side * powder->length;
    snprintf(text[0], sizeof text[0],
             "grains=[{list: [{at: [%.17g, %.17g, %.17g]}], radius: %.17g}]", first->at.x,
             first->at.y, first->at.z, first->radius);
    snprintf(text[1], sizeof text[1], "seed=%d", powder->seed);
    snprintf(text[2], sizeof text[2], "time.dt=%.17g", powder->dt);
    snprintf(text[3], sizeof text[3], "cell.size=[%.17g, %.17g, 0]", size, size);
    snprintf(text[4], sizeof text[4], "pairs.0.rolling.coefficient=%.17g", powder->rolling);
    snprintf(text[5], sizeof text[5], "pairs.0.torsion.coefficient=%.17g", powder->torsion);
    snprintf(text[6], sizeof text[6], "pairs.0.cohesion.force=%.17g", powder->cohesion);
    snprintf(text[7], sizeof text[7], "pairs.0.cohesion.range=%.17g", range * powder->length);
    snprintf(text[8], sizeof text[8], "boundaries.piston.plane.point=[0, 0, %.17g]", top);
    for (int i = 0; i < 9; i++) overrides[i] = text[i];
    talus_status status = paper_scene(run, "scene.yaml", overrides, 9, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, out, err);
    talus_scene_free(scene);
    return status;
}

static talus_status make_powder(const struct paper_run *run, const struct powder *powder,
                                talus_sim **out, talus_error *err) {
    struct ball *balls = malloc((size_t)powder->grains * sizeof *balls);
    if (balls == NULL) return TALUS_ERR_MEMORY;
    double top = make_deposit(balls, powder) * (1.0 - 1e-9);
    talus_status status = make_box(run, powder, &balls[0], top, out, err);
    for (int i = 1; i < powder->grains && status >= 0; i++) {
        talus_body_def def = talus_body_def_default(*out);
        def.radius = balls[i].radius;
        def.position = balls[i].at;
        status = talus_bodies_add(*out, &def, 1, NULL, err);
    }
    free(balls);
    return status;
}

/* ---- porosity -------------------------------------------------------------------------------- */

/* Volume of the part of a ball below the plane `height` above its centre. */
static double volume_below(double radius, double height) {
    double h = fmin(fmax(height, -radius), radius) + radius;
    return pi * h * h * (radius - h / 3.0);
}

static double piston_height(const talus_sim *sim) {
    for (size_t i = 0; i < talus_sim_boundary_count(sim); i++)
        if (talus_sim_boundary(sim, i).normal.z < 0.0) return talus_sim_boundary(sim, i).point.z;
    return nan("");
}

static double porosity_of(const talus_sim *sim, double diameter) {
    talus_body_view bodies = talus_sim_bodies(sim);
    double low = diameter, high = piston_height(sim) - diameter, solid = 0.0;
    for (size_t i = 0; i < bodies.count; i++) {
        if (bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        double z = bodies.position[i].z, r = bodies.radius[i];
        solid += volume_below(r, high - z) - volume_below(r, low - z);
    }
    return 1.0 - solid / (side * side * diameter * diameter * (high - low));
}

/* ---- compaction ------------------------------------------------------------------------------ */

static double pressure_at(int level) {
    return pressure_low * exp2((double)level / LEVELS_TO_TWO);
}

/* Low pressures take longer to act; in full, with p^(-1/2), it would be too long. */
static int steps_at(const struct powder *powder, int level) {
    return (int)(powder->steps * exp2((LEVELS - 1 - level) / (4.0 * LEVELS_TO_TWO)));
}

/* One level of pressure; the piston weighs as much as 40 mean grains. */
static talus_status load(talus_sim *sim, const struct powder *powder, int level, talus_error *err) {
    double length = powder->length, area = side * side * length * length;
    talus_free_motion piston = {.mass = 40.0 * length * length * length,
                                .direction = {0, 0, -1},
                                .force = {.kind = TALUS_SIGNAL_CONSTANT,
                                          .mean = powder->pressure * pressure_at(level) * area}};
    talus_status status = talus_boundary_set_free(sim, "piston", &piston, err);
    for (int k = steps_at(powder, level); k > 0 && status >= 0; k--)
        status = talus_sim_step(sim, NULL, err);
    return status;
}

/* The porosity at the end of each level. */
static talus_status compact(talus_sim *sim, const struct powder *powder, double porosity[LEVELS],
                            talus_error *err) {
    for (int level = 0; level < LEVELS; level++) {
        talus_status status = load(sim, powder, level, err);
        if (status < 0) return status;
        porosity[level] = porosity_of(sim, powder->length);
    }
    return TALUS_OK;
}

static talus_status draw_sample(const struct paper_run *run, const talus_sim *sim, const char *file,
                                talus_error *err) {
    char path[PAPER_PATH];
    talus_picture_config config = talus_picture_config_default();
    config.color = "height";
    config.width = 900;
    snprintf(path, sizeof path, "%s/%s", run->output, file);
    return talus_picture_write(sim, &config, path, err);
}

struct curve {
    int seeds;
    double deposit[SEEDS]; /* porosity before */
    double porosity[SEEDS][LEVELS];
};

/* One sample from deposit to the last level, with pictures if wanted. */
static talus_status run_sample(const struct paper_run *run, const struct powder *powder,
                               bool pictures, struct curve *out, talus_error *err) {
    int i = powder->seed - 1;
    talus_sim *sim = NULL;
    talus_status status = make_powder(run, powder, &sim, err);
    if (status >= 0) out->deposit[i] = porosity_of(sim, powder->length);
    if (status >= 0 && pictures) status = draw_sample(run, sim, "deposit.png", err);
    if (status >= 0) status = compact(sim, powder, out->porosity[i], err);
    if (status >= 0 && pictures) status = draw_sample(run, sim, "compacted.png", err);
    talus_sim_destroy(sim);
    return status;
}

/* ---- one setting, several deposits ----------------------------------------------------------- */

struct estimate {
    double mean, error; /* with the standard error over the deposits */
};

static struct estimate estimate_of(const double *values, int count) {
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < count; i++) sum += values[i];
    for (int i = 0; i < count; i++) squares += pow(values[i] - sum / count, 2);
    return (struct estimate){sum / count, count > 1 ? sqrt(squares / count / (count - 1)) : 0.0};
}

static struct estimate porosity_at(const struct curve *curve, int level) {
    double values[SEEDS];
    for (int i = 0; i < curve->seeds; i++) values[i] = curve->porosity[i][level];
    return estimate_of(values, curve->seeds);
}

static talus_status run_curve(const struct paper_run *run, struct powder powder, bool pictures,
                              struct curve *out, talus_error *err) {
    out->seeds = run->quick ? SEEDS_QUICK : SEEDS;
    for (int i = 0; i < out->seeds; i++) {
        powder.seed = i + 1;
        talus_status status = run_sample(run, &powder, pictures && i == 0, out, err);
        if (status < 0) return status;
    }
    struct estimate low = porosity_at(out, LEVEL_FIRST), high = porosity_at(out, LEVELS - 1);
    paper_note(run,
               "F_C = %g, rolling %g, torsion %g: porosity %.4f +- %.4f at p = %.2f, %.4f +- %.4f "
               "at p = %.2f",
               powder.cohesion, powder.rolling, powder.torsion, low.mean, low.error,
               pressure_at(LEVEL_FIRST), high.mean, high.error, pressure_at(LEVELS - 1));
    return TALUS_OK;
}

/* A block of the table: p d^2/F_C, porosity and its error. */
static void write_curve(FILE *table, const struct powder *powder, const struct curve *curve) {
    fprintf(table, "# F_C = %g, rolling %g, torsion %g: p d^2/F_C\tporosity\terror\n",
            powder->cohesion, powder->rolling, powder->torsion);
    for (int level = 0; level < LEVELS; level++) {
        struct estimate porosity = porosity_at(curve, level);
        fprintf(table, "%.6g\t%.6g\t%.3g\n", pressure_at(level) / powder->cohesion, porosity.mean,
                porosity.error);
    }
    fputs("\n\n", table);
}

/* ---- what is judged -------------------------------------------------------------------------- */

enum { NONE, ROLLING, TORSION, BOTH, WEAK, STRONG, CURVES };

/* What a setting adds to the porosity, mean over the levels that count, deposit by deposit. */
static struct estimate rise(const struct curve *with, const struct curve *without) {
    double values[SEEDS] = {0};
    for (int i = 0; i < with->seeds; i++)
        for (int level = LEVEL_FIRST; level < LEVELS; level++)
            values[i] +=
                (with->porosity[i][level] - without->porosity[i][level]) / (LEVELS - LEVEL_FIRST);
    return estimate_of(values, with->seeds);
}

static void judge_torques(struct paper_run *run, const struct curve curves[CURVES]) {
    struct estimate rolling = rise(&curves[ROLLING], &curves[NONE]);
    struct estimate torsion = rise(&curves[TORSION], &curves[NONE]);
    struct estimate both = rise(&curves[BOTH], &curves[NONE]);
    double ratio = both.mean / (rolling.mean + torsion.mean);
    paper_note(run,
               "added to the porosity: rolling %.4f +- %.4f, torsion %.4f +- %.4f, both %.4f +- "
               "%.4f: %.2f of the sum",
               rolling.mean, rolling.error, torsion.mean, torsion.error, both.mean, both.error,
               ratio);
    paper_record(run, "rise_by_rolling", rolling.mean);
    paper_record(run, "rise_by_torsion", torsion.mean);
    paper_record(run, "rise_by_both", both.mean);
    paper_record(run, "rise_by_both_over_sum", ratio);
}

/* Levels at which the porosity is larger than at the level before by more than its error. */
static void judge_pressure(struct paper_run *run, const struct curve curves[CURVES]) {
    int rises = 0;
    for (int c = 0; c < CURVES; c++) {
        for (int level = 1; level < LEVELS; level++) {
            struct estimate here = porosity_at(&curves[c], level);
            rises += here.mean - here.error > porosity_at(&curves[c], level - 1).mean;
        }
    }
    paper_record(run, "porosity_rises_with_p", rises);
}

/* The same p d^2/F_C with F_C twice as large: mean difference of the porosity. */
static struct estimate shifted(const struct curve *strong, const struct curve *weak) {
    double values[SEEDS] = {0};
    for (int i = 0; i < strong->seeds; i++)
        for (int level = LEVEL_FIRST; level + LEVELS_TO_TWO < LEVELS; level++)
            values[i] += (strong->porosity[i][level + LEVELS_TO_TWO] - weak->porosity[i][level]) /
                         (LEVELS - LEVELS_TO_TWO - LEVEL_FIRST);
    return estimate_of(values, strong->seeds);
}

static void judge_collapse(struct paper_run *run, const struct curve curves[CURVES]) {
    struct estimate weak = shifted(&curves[BOTH], &curves[WEAK]);
    struct estimate strong = shifted(&curves[STRONG], &curves[BOTH]);
    paper_note(run,
               "same p d^2/F_C: F_C = 1 against 1/2 differs by %.4f +- %.4f, 2 against 1 by %.4f "
               "+- %.4f",
               weak.mean, weak.error, strong.mean, strong.error);
    paper_record(run, "collapse_1_0.5", weak.mean);
    paper_record(run, "collapse_2_1", strong.mean);
}

/* porosity ~ p^-alpha, each deposit by itself. */
static talus_status judge_law(struct paper_run *run, const struct curve *curve, talus_error *err) {
    double pressure[LEVELS], exponents[SEEDS], worst = 0.0;
    const int count = LEVELS - LEVEL_FIRST;
    for (int level = 0; level < LEVELS; level++) pressure[level] = pressure_at(level);
    for (int i = 0; i < curve->seeds; i++) {
        double error;
        talus_status status =
            talus_fit_power(pressure + LEVEL_FIRST, curve->porosity[i] + LEVEL_FIRST, (size_t)count,
                            &exponents[i], &error, err);
        if (status < 0) return status;
        worst = fmax(worst, error);
    }
    struct estimate alpha = estimate_of(exponents, curve->seeds);
    paper_note(run, "porosity ~ p^(%.4f +- %.4f), error of one fit at most %.4f", alpha.mean,
               alpha.error, worst);
    paper_record(run, "porosity_exponent", alpha.mean);
    paper_record(run, "porosity_exponent_fit_error", worst);
    return TALUS_OK;
}

static talus_status run_curves(struct paper_run *run, FILE *table, struct curve curves[CURVES],
                               talus_error *err) {
    for (int c = 0; c < CURVES; c++) {
        struct powder powder = powder_default(run);
        powder.rolling = c == NONE || c == TORSION ? 0.0 : coefficient;
        powder.torsion = c == NONE || c == ROLLING ? 0.0 : coefficient;
        powder.cohesion = c == WEAK ? 0.5 : c == STRONG ? 2.0 : 1.0;
        talus_status status = run_curve(run, powder, c == BOTH, &curves[c], err);
        if (status < 0) return status;
        write_curve(table, &powder, &curves[c]);
    }
    return TALUS_OK;
}

static talus_status measure_curves(struct paper_run *run, talus_error *err) {
    struct curve *curves = calloc(CURVES, sizeof *curves);
    FILE *table = NULL;
    talus_status status = curves != NULL ? TALUS_OK : TALUS_ERR_MEMORY;
    if (status >= 0) status = paper_table_open(run, "curves.tsv", &table, err);
    if (status >= 0) status = run_curves(run, table, curves, err);
    if (table != NULL) {
        talus_status closed = paper_table_close(table, "curves.tsv", status < 0 ? NULL : err);
        if (status >= 0) status = closed;
    }
    if (status >= 0) {
        paper_record(run, "deposit_porosity",
                     estimate_of(curves[NONE].deposit, curves[NONE].seeds).mean);
        judge_torques(run, curves);
        judge_pressure(run, curves);
        judge_collapse(run, curves);
        status = judge_law(run, &curves[BOTH], err);
    }
    free(curves);
    return status;
}

/* ---- exact scaling --------------------------------------------------------------------------- */

/* Positions that are not those of the small reference sample times the length. */
static int differing(const talus_sim *one, const talus_sim *two, double length) {
    talus_body_view a = talus_sim_bodies(one), b = talus_sim_bodies(two);
    int found = 0;
    for (size_t i = 0; i < a.count; i++)
        found += length * a.position[i].x != b.position[i].x ||
                 length * a.position[i].y != b.position[i].y ||
                 length * a.position[i].z != b.position[i].z;
    return found;
}

static talus_status run_small(const struct paper_run *run, const struct powder *powder,
                              talus_sim **out, talus_error *err) {
    double porosity[LEVELS];
    talus_status status = make_powder(run, powder, out, err);
    return status >= 0 ? compact(*out, powder, porosity, err) : status;
}

/* Factors of two, so that equal means equal in every bit: d x2 with F_C x4 at the same p, and
 * F_C x4 with p x4 at the same d. Time goes with sqrt(m d/F_C). */
static talus_status exact_scaling(struct paper_run *run, talus_error *err) {
    struct powder small = powder_default(run), larger, stronger;
    talus_sim *one = NULL, *two = NULL, *three = NULL;
    small.rolling = small.torsion = coefficient;
    small.grains = 80;
    small.steps = 8;
    larger = stronger = small;
    larger.length = 2.0;
    larger.cohesion = stronger.cohesion = stronger.pressure = 4.0;
    larger.dt = 2.0 * small.dt;
    stronger.dt = 0.5 * small.dt;
    talus_status status = run_small(run, &small, &one, err);
    if (status >= 0) status = run_small(run, &larger, &two, err);
    if (status >= 0) status = run_small(run, &stronger, &three, err);
    if (status >= 0) {
        paper_record(run, "larger_positions_differing", differing(one, two, 2.0));
        paper_record(run, "stronger_positions_differing", differing(one, three, 1.0));
    }
    talus_sim_destroy(one);
    talus_sim_destroy(two);
    talus_sim_destroy(three);
    return status;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    talus_status status = exact_scaling(run, err);
    return status >= 0 ? measure_curves(run, err) : status;
}

const struct paper compaction_paper = {
    .name = "compaction",
    .title = "A cohesive powder under a piston: what friction and torques leave of its pores",
    .source =
        "G. Bartels, T. Unger, D. Kadau, D. E. Wolf, J. Kertesz, The effect of contact torques "
        "on porosity of cohesive powders",
    .measure = measure,
};
