/* SPDX-License-Identifier: Apache-2.0
 *
 * The rigid limit: what it costs to make grains rigid. One step of a packing at rest under its weight, from no forces,
 * until no level bears a force that is wrong by more than 1 % of the weight (bench/cold.h), for packings of n discs and of
 * n spheres, as wide as they are high. Without momentum forces diffuse: sweeps (L/d)^2, hence n in the plane and
 * n^(2/3) in space, cost per step n^2 and n^(5/3) [Unger2003, eqs. 47-50]. With momentum they travel:
 * sweeps L/d, n^(1/2) and n^(1/3) (docs/theory/momentum.md), cost n^(3/2) and n^(4/3).
 *
 * Judged are the exponents of the sweeps, which repeat exactly. Those of the seconds belong to the machine and are told.
 * Sweeps are batched; packings are made with friction 0.3 and solved with 0.5; means over packings are geometric.
 */
#include <math.h>
#include <string.h>

#include "bench/cold.h"
#include "papers/papers.h"

enum { SIZES_MOST = 6, SEEDS_MOST = 3, SOLVERS = 2, SWEEPS_MOST = 400000 };

static const double goal_error = 0.01, mu_made = 0.3, mu_solved = 0.5;
static const char *const solver_names[SOLVERS] = {"nsgs", "nnsgs"};

struct plan {
    int dim, sizes, seeds;
    size_t n[SIZES_MOST];
};

/* Fewer packings where they are large: relative scatter shrinks with n, and time is short. */
static const struct plan plans[2] = {
    {2, 6, 3, {400, 800, 1600, 3200, 6400, 12800}},
    {3, 5, 3, {300, 1000, 3000, 9000, 27000}},
};
static const struct plan plans_quick[2] = {
    {2, 4, 2, {250, 500, 1000, 2000}},
    {3, 4, 2, {150, 500, 1500, 4000}},
};

struct curve {
    int count;
    double n[SIZES_MOST], sweeps[SIZES_MOST], seconds[SIZES_MOST];
};

struct law {
    double factor, exponent, error;
};

/* ---- one packing ----------------------------------------------------------------------------- */

/* From the sizes before: sweeps grow like a power of n. */
static int first_guess(const struct curve *curve, int solver, double n, double height) {
    if (solver == 1) return (int)height;
    if (curve->count == 0) return (int)(4.0 * height * height);
    int last = curve->count - 1;
    double exponent = last == 0 ? 1.0
                                : log(curve->sweeps[last] / curve->sweeps[last - 1]) /
                                      log(curve->n[last] / curve->n[last - 1]);
    return (int)(curve->sweeps[last] * pow(n / curve->n[last], exponent));
}

static talus_status solve_both(const struct plan *plan, const struct packing *packing,
                               struct curve curves[SOLVERS], struct cold_point points[SOLVERS],
                               FILE *table, talus_error *err) {
    struct cold_load load = {0};
    talus_status status = cold_packing(&load, packing, mu_solved, err);
    for (int k = 0; k < SOLVERS && status >= 0; k++) {
        struct cold_solver solver = {solver_names[k], TALUS_SWEEP_BATCHED};
        struct cold_search search = {.goal = goal_error, .limit = SWEEPS_MOST};
        search.guess = first_guess(&curves[k], k, (double)packing->count, packing_height(packing));
        status = cold_reach(&load, &solver, &search, &points[k], err);
        if (status >= 0)
            cold_row(table, plan->dim == 2 ? "discs" : "spheres", packing->count, solver_names[k],
                     &points[k]);
    }
    cold_free(&load);
    return status;
}

/* Both solvers on each of the packings of one size. */
static talus_status measure_size(struct paper_run *run, const struct plan *plan, int size,
                                 struct curve curves[SOLVERS], FILE *table, talus_error *err) {
    double sweeps[SOLVERS] = {0.0}, seconds[SOLVERS] = {0.0};
    /* the largest are as wide as several of the smaller ones */
    int seeds = size == plan->sizes - 1 ? 1 : plan->seeds;
    talus_status status = TALUS_OK;
    for (int seed = 1; seed <= seeds && status >= 0; seed++) {
        struct packing packing = {0};
        struct cold_point points[SOLVERS] = {{0}};
        struct packing_plan deposit = {plan->dim, plan->n[size], (uint64_t)seed, false};
        status = packing_deposit(&packing, &deposit, err);
        if (status >= 0) status = packing_settle(&packing, mu_made, err);
        if (status >= 0) status = solve_both(plan, &packing, curves, points, table, err);
        packing_free(&packing);
        for (int k = 0; k < SOLVERS && status >= 0; k++) {
            sweeps[k] += log(points[k].sweeps) / seeds;
            seconds[k] += log(points[k].seconds) / seeds;
        }
    }
    if (status < 0) return status;
    for (int k = 0; k < SOLVERS; k++) {
        struct curve *curve = &curves[k];
        curve->n[curve->count] = (double)plan->n[size];
        curve->sweeps[curve->count] = exp(sweeps[k]);
        curve->seconds[curve->count++] = exp(seconds[k]);
    }
    paper_note(run, "%dD, n = %zu: nsgs %.0f sweeps, %.3g s; nnsgs %.0f sweeps, %.3g s", plan->dim,
               plan->n[size], exp(sweeps[0]), exp(seconds[0]), exp(sweeps[1]), exp(seconds[1]));
    return TALUS_OK;
}

/* ---- laws ------------------------------------------------------------------------------------ */

static talus_status fit(const struct curve *curve, const double *y, struct law *law,
                        talus_error *err) {
    double mean = 0.0;
    talus_status status =
        talus_fit_power(curve->n, y, (size_t)curve->count, &law->exponent, &law->error, err);
    for (int k = 0; k < curve->count; k++)
        mean += (log(y[k]) - law->exponent * log(curve->n[k])) / curve->count;
    law->factor = exp(mean);
    return status;
}

/* For gnuplot: a function that is there where it was measured, and its name. */
static void write_law(FILE *script, const char *name, const struct curve *curve,
                      const struct law *law) {
    double least = curve->n[0] / 1.2, most = curve->n[curve->count - 1] * 1.2;
    fprintf(script, "%s(n) = n < %g || n > %g ? NaN : %.9g*n**%.9g\n", name, least, most,
            law->factor, law->exponent);
    fprintf(script, "%s_is = \"n^{%.2f ± %.2f}\"\n", name, law->exponent, law->error);
}

static talus_status judge(struct paper_run *run, int dim, const struct curve curves[SOLVERS],
                          FILE *script, talus_error *err) {
    for (int k = 0; k < SOLVERS; k++) {
        struct law sweeps, seconds;
        char name[PAPER_NAME];
        talus_status status = fit(&curves[k], curves[k].sweeps, &sweeps, err);
        if (status >= 0) status = fit(&curves[k], curves[k].seconds, &seconds, err);
        if (status < 0) return status;
        paper_note(run, "%dD, %s: sweeps n^(%.3f +- %.3f), seconds n^(%.2f +- %.2f)", dim,
                   solver_names[k], sweeps.exponent, sweeps.error, seconds.exponent, seconds.error);
        snprintf(name, sizeof name, "sweeps_%s_%dd", solver_names[k], dim);
        paper_record(run, name, sweeps.exponent);
        write_law(script, name, &curves[k], &sweeps);
        snprintf(name, sizeof name, "seconds_%s_%dd", solver_names[k], dim);
        write_law(script, name, &curves[k], &seconds);
    }
    return TALUS_OK;
}

/* A block of the table for each dimension and solver. */
static void write_curve(FILE *table, int dim, const char *solver, const struct curve *curve) {
    fprintf(table, "# %dD, %s: n\tsweeps\tseconds\n", dim, solver);
    for (int k = 0; k < curve->count; k++)
        fprintf(table, "%.0f\t%.6g\t%.6g\n", curve->n[k], curve->sweeps[k], curve->seconds[k]);
    fputs("\n\n", table);
}

struct files {
    FILE *convergence, *curves, *script;
};

static talus_status measure_dimension(struct paper_run *run, const struct plan *plan,
                                      const struct files *files, talus_error *err) {
    struct curve curves[SOLVERS] = {{0}};
    talus_status status = TALUS_OK;
    for (int size = 0; size < plan->sizes && status >= 0; size++)
        status = measure_size(run, plan, size, curves, files->convergence, err);
    if (status < 0) return status;
    for (int k = 0; k < SOLVERS; k++)
        write_curve(files->curves, plan->dim, solver_names[k], &curves[k]);
    return judge(run, plan->dim, curves, files->script, err);
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    static const char *const names[3] = {"convergence.csv", "curves.tsv", "laws.gp"};
    FILE *open[3] = {NULL, NULL, NULL};
    talus_status status = TALUS_OK;
    for (int k = 0; k < 3 && status >= 0; k++)
        status = paper_table_open(run, names[k], &open[k], err);
    const struct files files = {open[0], open[1], open[2]};
    if (status >= 0) cold_row(files.convergence, NULL, 0, NULL, NULL);
    for (int k = 0; k < 2 && status >= 0; k++)
        status = measure_dimension(run, run->quick ? &plans_quick[k] : &plans[k], &files, err);
    for (int k = 0; k < 3; k++) {
        if (open[k] == NULL) continue;
        talus_status closed = paper_table_close(open[k], names[k], status < 0 ? NULL : err);
        if (status >= 0) status = closed;
    }
    return status;
}

const struct paper rigid_limit_paper = {
    .name = "rigid-limit",
    .title = "What it costs to make grains rigid: sweeps and time per step against n",
    .source = "T. Unger, J. Kertesz, The contact dynamics method for granular media, eqs. 47-50",
    .measure = measure,
};
