/* SPDX-License-Identifier: Apache-2.0
 *
 * Which method is cheaper? [Wolf2006, sect. 4.1; Brendel2004, sect. 1.6]
 *     T_CD/T_MD ~ N^(2/d) sqrt(m v^2/(K r^2))                                       [Wolf2006, eq. 52]
 * Measured on a dense packing without friction, squeezed slowly (packing.c), at matched accuracy e: md has springs K with
 * F/(K d) = e, cd stops at residual e/(2L/pi d)^2 (docs/theory/compare.md). Work is counted: contact updates and
 * particle-steps for one unit of time. Only the cost of one update of each kind is taken from the clock, as the median
 * over all runs, and no verdict depends on it.
 *
 * A step of cd needs S = a + b ln(1/e) sweeps: b for each e-fold of accuracy, which is the time that force errors take
 * to leave the system, ~ N^(2/d) by diffusion, N^(1/d) with momentum; a depends on how much of the forces is new in a
 * step. The share of new forces falls with the strain of a step, v dt/L, so S itself grows a little more slowly.
 *
 * Judged is what theory says of this: the row of grains (chain.c), the stiffness, the logarithm, momentum. The exponents of
 * plain sweeps in disordered packings without friction are told: they come out below 2/d (2D 0.74 of 1, 3D 0.13 of 0.67
 * at 100 to 1000 grains). Such packings bear forces in one way only, and have slow modes on all lengths, not only
 * the longest; whether larger ones follow the law is not known.
 */
#include <math.h>
#include <stdlib.h>

#include "papers/cd-md-border/border.h"

enum { ERRORS = 2, SERIES = 4, SIZES = 5, COSTS = 512, SEEDS = 8 };
static const double errors[ERRORS] = {1e-2, 1e-3}, series[SERIES] = {1e-2, 1e-3, 1e-4, 1e-5};
static const char *const solvers[2] = {"nsgs", "nnsgs"};

struct size {
    int grains, seeds;
};

struct study {
    const char *name;
    int dim, sizes;
    struct size size[SIZES];
};
static const struct study full[2] = {
    {"2d", 2, 5, {{30, 8}, {100, 6}, {300, 4}, {1000, 1}, {3000, 1}}},
    {"3d", 3, 3, {{100, 6}, {300, 4}, {1000, 1}}}};
static const struct study quick[1] = {{"2d", 2, 3, {{30, 8}, {100, 6}, {300, 2}}}};

/* Geometric means over the seeds, of one size. */
struct point {
    double grains;
    double sweeps[2][ERRORS], updates[2][ERRORS]; /* by solver */
    double particles[ERRORS];
    double speed[ERRORS]; /* sqrt(m v^2/(K r^2)) */
};

struct costs { /* s */
    double rigid[COSTS], soft[COSTS];
    int rigid_count, soft_count;
};

struct border {
    struct paper_run *run;
    struct costs costs;
    struct point points[2][SIZES];
    struct point stiff[SERIES]; /* [0] of its arrays only */
};

/* ---- one packing --------------------------------------------------------------------------------- */

static void note_cost(double *list, int *count, double cost) {
    if (*count < COSTS) list[(*count)++] = cost;
}

static talus_status rigid(struct border *border, const struct border_packing *packing, int solver,
                          double error, struct border_cd *out, talus_error *err) {
    talus_status status =
        border_run_cd(packing, solvers[solver], error, packing->count > 1000 ? 2 : 4, out, err);
    if (status >= 0) note_cost(border->costs.rigid, &border->costs.rigid_count, out->update_cost);
    return status;
}

static talus_status soft(struct border *border, const struct border_packing *packing,
                         double stiffness, int64_t steps, struct border_md *out, talus_error *err) {
    talus_status status = border_run_md(packing, stiffness, steps, out, err);
    if (status >= 0) note_cost(border->costs.soft, &border->costs.soft_count, out->update_cost);
    return status;
}

static double softness(double stiffness) { /* m = 1, r = 1/2 */
    return border_speed / (0.5 * sqrt(stiffness));
}

/* Plain sweeps would take minutes there. */
static int is_large(const struct border_packing *packing) {
    return packing->count > 1000;
}

/* Sums of logarithms; what is not measured stays 0, and shows as 1 sweep. */
static talus_status add_packing(struct border *border, const struct border_packing *packing,
                                struct point *point, talus_error *err) {
    struct border_cd cd;
    struct border_md md;
    int64_t steps = 100000 / (int64_t)packing->count + 100;
    talus_status status = TALUS_OK;
    for (int e = 0; e < ERRORS; e++) {
        for (int s = is_large(packing); s < 2 && status >= 0; s++) {
            status = rigid(border, packing, s, errors[e], &cd, err);
            point->sweeps[s][e] += log(cd.sweeps);
            point->updates[s][e] += log(cd.updates);
        }
        if (status < 0) return status;
        double stiffness = cd.force / errors[e];
        status = soft(border, packing, stiffness, steps, &md, err);
        if (status < 0) return status;
        point->particles[e] += log(md.particles);
        point->speed[e] += log(softness(stiffness));
    }
    return TALUS_OK;
}

static void finish_point(struct point *point, int seeds) {
    for (int e = 0; e < ERRORS; e++) {
        for (int s = 0; s < 2; s++) {
            point->sweeps[s][e] = exp(point->sweeps[s][e] / seeds);
            point->updates[s][e] = exp(point->updates[s][e] / seeds);
        }
        point->particles[e] = exp(point->particles[e] / seeds);
        point->speed[e] = exp(point->speed[e] / seeds);
    }
}

static talus_status measure_point(struct border *border, int dim, struct size size,
                                  struct point *point, talus_error *err) {
    *point = (struct point){.grains = size.grains};
    for (int seed = 1; seed <= size.seeds; seed++) {
        struct border_packing packing;
        talus_status status = border_prepare(dim, size.grains, (uint64_t)seed, &packing, err);
        if (status < 0) return status;
        status = add_packing(border, &packing, point, err);
        border_free(&packing);
        if (status < 0) return status;
    }
    finish_point(point, size.seeds);
    paper_note(border->run,
               "%dD, %5d grains: %.0f sweeps a step, with momentum %.0f; at 1e-3 %.0f, %.0f", dim,
               size.grains, point->sweeps[0][0], point->sweeps[1][0], point->sweeps[0][1],
               point->sweeps[1][1]);
    return TALUS_OK;
}

/* ---- against the length of a row ------------------------------------------------------------------- */

static talus_status against_length(struct border *border, talus_error *err) {
    talus_status status = TALUS_OK;
    for (int s = 0; s < 2 && status >= 0; s++) {
        double exponent = 0.0;
        char name[PAPER_NAME];
        status = border_chain(border->run, solvers[s], &exponent, err);
        snprintf(name, sizeof name, "fold_exponent_1d_%s", solvers[s]);
        if (status >= 0) paper_record(border->run, name, exponent);
    }
    return status;
}

/* ---- against the stiffness ----------------------------------------------------------------------- */

/* Logarithms of one packing, all stiffnesses; they stand at index 0 of the arrays. */
static talus_status add_stiffnesses(struct border *border, const struct border_packing *packing,
                                    double share, talus_error *err) {
    struct border_cd cd;
    struct border_md md;
    for (int k = 0; k < SERIES; k++) {
        struct point *point = &border->stiff[k];
        talus_status status = rigid(border, packing, 0, series[k], &cd, err);
        if (status < 0) return status;
        status = soft(border, packing, cd.force / series[k], 500, &md, err);
        if (status < 0) return status;
        point->sweeps[0][0] += share * log(cd.sweeps);
        point->updates[0][0] += share * log(cd.updates);
        point->particles[0] += share * log(md.particles);
        point->speed[0] += share * log(softness(cd.force / series[k]));
    }
    return TALUS_OK;
}

/* Sweeps are a + b ln(1/e): the middle two against the line through the ends. */
static double off_logarithm(const struct point *points) {
    double first = points[0].sweeps[0][0], off = 0.0;
    double step = (points[SERIES - 1].sweeps[0][0] - first) / (SERIES - 1);
    for (int k = 1; k < SERIES - 1; k++)
        off = fmax(off, fabs(points[k].sweeps[0][0] / (first + k * step) - 1.0));
    return off;
}

static talus_status fit_stiffness(struct border *border, talus_error *err) {
    double stiffness[SERIES], same[SERIES], matched[SERIES], exponent, spread;
    for (int k = 0; k < SERIES; k++) {
        struct point *point = &border->stiff[k];
        finish_point(point, 1);
        stiffness[k] =
            pow(2.0 * border_speed / point->speed[0], 2.0); /* m v^2/r^2 over softness^2 */
        same[k] = border->stiff[0].updates[0][0] / point->particles[0];
        matched[k] = point->updates[0][0] / point->particles[0];
        paper_note(border->run, "2D,   300 grains, overlap %g, K = %.3g: %.0f sweeps a step",
                   series[k], stiffness[k], point->sweeps[0][0]);
    }
    paper_record(border->run, "sweeps_off_logarithm", off_logarithm(border->stiff));
    talus_status status = talus_fit_power(stiffness, same, SERIES, &exponent, &spread, err);
    if (status < 0) return status;
    paper_record(border->run, "stiffness_exponent", exponent);
    status = talus_fit_power(stiffness, matched, SERIES, &exponent, &spread, err);
    if (status < 0) return status;
    paper_record(border->run, "stiffness_exponent_matched", exponent);
    /* What the sweeps make of -1/2: the mean slope of ln(a + b ln K). */
    const struct point *ends = border->stiff;
    paper_note(border->run,
               "T_CD/T_MD at N = 300 ~ K^(%.3f) at matched accuracy, -1/2 at the same; sweeps "
               "alone %+.3f",
               exponent,
               log(ends[SERIES - 1].sweeps[0][0] / ends[0].sweeps[0][0]) /
                   log(stiffness[SERIES - 1] / stiffness[0]));
    return TALUS_OK;
}

static talus_status against_stiffness(struct border *border, talus_error *err) {
    const int seeds = border->run->quick ? 1 : 4;
    for (int k = 0; k < SERIES; k++) border->stiff[k] = (struct point){.grains = 300};
    for (int seed = 1; seed <= seeds; seed++) {
        struct border_packing packing;
        talus_status status = border_prepare(2, 300, (uint64_t)seed, &packing, err);
        if (status < 0) return status;
        status = add_stiffnesses(border, &packing, 1.0 / seeds, err);
        border_free(&packing);
        if (status < 0) return status;
    }
    return fit_stiffness(border, err);
}

/* ---- exponents ------------------------------------------------------------------------------------ */

static talus_status fit_study(struct border *border, const struct study *study, int number,
                              talus_error *err) {
    double grains[SIZES], fold[SIZES], ratio[SIZES], exponent, spread;
    char name[PAPER_NAME];
    for (int s = 0; s < 2; s++) {
        size_t count = 0;
        for (int k = 0; k < study->sizes; k++) {
            const struct point *point = &border->points[number][k];
            if (point->sweeps[s][0] <= 1.0) continue;
            grains[k] = point->grains;
            fold[k] = (point->sweeps[s][1] - point->sweeps[s][0]) / log(errors[0] / errors[1]);
            ratio[k] = point->updates[s][0] / point->particles[0];
            count++; /* the large ones come last */
        }
        talus_status status = talus_fit_power(grains, fold, count, &exponent, &spread, err);
        if (status < 0) return status;
        snprintf(name, sizeof name, "fold_exponent_%s_%s", study->name, solvers[s]);
        paper_record(border->run, name, exponent);
        paper_note(border->run, "%s, %s: sweeps for an e-fold of accuracy ~ N^(%.3f +- %.3f)",
                   study->name, solvers[s], exponent, spread);
        status = talus_fit_power(grains, ratio, count, &exponent, &spread, err);
        if (status < 0) return status;
        snprintf(name, sizeof name, "ratio_exponent_%s_%s", study->name, solvers[s]);
        paper_record(border->run, name, exponent);
        paper_note(border->run, "%s, %s: T_CD/T_MD at one K ~ N^(%.3f +- %.3f)", study->name,
                   solvers[s], exponent, spread);
    }
    return TALUS_OK;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *list, int count) {
    qsort(list, (size_t)count, sizeof *list, by_size);
    return list[count / 2];
}

/* ---- tables --------------------------------------------------------------------------------------- */

/* One block for each dimension and solver; the last one against the stiffness. */
static talus_status write_map(struct border *border, const struct study *studies, int count,
                              talus_error *err) {
    FILE *table;
    double rigid_cost = median(border->costs.rigid, border->costs.rigid_count),
           soft_cost = median(border->costs.soft, border->costs.soft_count);
    paper_note(border->run,
               "on this machine: %.0f ns for a contact update, %.0f ns for a particle-step",
               1e9 * rigid_cost, 1e9 * soft_cost);
    talus_status status = paper_table_open(border->run, "map.tsv", &table, err);
    if (status < 0) return status;
    for (int n = 0; n < count; n++)
        for (int s = 0; s < 2; s++) {
            int count_points = 0;
            double sum = 0.0, power = (s == 0 ? 2.0 : 1.0) / studies[n].dim;
            fprintf(table,
                    "# %s %s: N\tsqrt(m v^2/(K r^2))\terror\tT_CD/T_MD\tsweeps\tsweeps/e-fold\n",
                    studies[n].name, solvers[s]);
            for (int k = 0; k < studies[n].sizes; k++)
                for (int e = 0; e < ERRORS; e++) {
                    const struct point *p = &border->points[n][k];
                    if (p->sweeps[s][e] <= 1.0) continue;
                    count_points++;
                    double ratio = p->updates[s][e] * rigid_cost / (p->particles[e] * soft_cost);
                    fprintf(table, "%g\t%.6g\t%g\t%.6g\t%.6g\t%.6g\n", p->grains, p->speed[e],
                            errors[e], ratio, p->sweeps[s][e],
                            (p->sweeps[s][1] - p->sweeps[s][0]) / log(errors[0] / errors[1]));
                    sum += log(ratio / (pow(p->grains, power) * p->speed[e]));
                }
            fprintf(table, "\n\n");
            paper_note(border->run, "border %s %s: T_CD/T_MD = %.3g N^(%.3g) sqrt(m v^2/(K r^2))",
                       studies[n].name, solvers[s], exp(sum / count_points), power);
        }
    fprintf(table, "# N = 300: error\tsqrt(m v^2/(K r^2))\tT_CD/T_MD\tsweeps\n");
    for (int k = 0; k < SERIES; k++) {
        const struct point *p = &border->stiff[k];
        fprintf(table, "%g\t%.6g\t%.6g\t%.6g\n", series[k], p->speed[0],
                p->updates[0][0] * rigid_cost / (p->particles[0] * soft_cost), p->sweeps[0][0]);
    }
    return paper_table_close(table, "map.tsv", err);
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    struct border border = {.run = run};
    const struct study *studies = run->quick ? quick : full;
    const int count = run->quick ? 1 : 2;
    talus_status status = against_length(&border, err);
    if (status >= 0) status = against_stiffness(&border, err);
    for (int n = 0; n < count && status >= 0; n++) {
        for (int k = 0; k < studies[n].sizes && status >= 0; k++)
            status = measure_point(&border, studies[n].dim, studies[n].size[k],
                                   &border.points[n][k], err);
        if (status >= 0) status = fit_study(&border, &studies[n], n, err);
    }
    return status < 0 ? status : write_map(&border, studies, count, err);
}

const struct paper cd_md_border_paper = {
    .name = "cd-md-border",
    .title = "Rigid or soft grains: which costs less, measured on this machine",
    .source =
        "D. E. Wolf, lecture on MD and CD of granular matter, section 4.1, eqs. 50-52, fig. 6",
    .measure = measure,
};
