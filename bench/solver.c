/* SPDX-License-Identifier: Apache-2.0
 *
 * What momentum gains: nsgs against nnsgs on the same problems in the same run, by sweeps and by seconds.
 *
 * Cold: one step from no forces (bench/cold.h) until the true error stays below 1 %. Chains of discs pressed against a wall
 * (random sweeps, and in order), packings of discs, made with friction 0.3 and solved with 0.5, and piles of spheres (batched
 * sweeps); piles from --data DIR with pile_1000.txt, pile_8000.txt, pile_27000.txt ("n 3 L", then "x y z r"), else
 * deposits of the same sizes. Momentum without a cap, as for any first step.
 * Warm: steps of flows (bench/warm.h), at equal accuracy.
 *
 * Sweeps repeat exactly. Seconds are those of the machine as it is; only their ratios in one run mean much. --quick
 * leaves the large systems out, and with them most of the goals.
 */
#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/cold.h"
#include "bench/warm.h"

enum { PLAIN, MOMENTUM, SOLVERS };
enum { SIZES_MOST = 8, SWEEPS_MOST = 400000, REPEATS = 3 };

static const double pi = 3.141592653589793;

static const double goal_error = 0.01;
static const double mu_made = 0.3, mu_solved = 0.5;

/* What has been found for one kind of problem, size by size. */
struct series {
    struct bench_run *run;
    const char *name;
    talus_sweep sweep;
    double q; /* of the sweep in a chain; 0: no chain */
    int count;
    double n[SIZES_MOST], sweeps[SOLVERS][SIZES_MOST];
};

static const char *const solver_names[SOLVERS] = {[PLAIN] = "nsgs", [MOMENTUM] = "nnsgs"};

/* Where to begin to look. Of a chain: errors fall as 4/pi exp(-q (pi/2n)^2 N) at the wall [Unger2003, eqs. 42-46]. */
static double first_guess(const struct series *series, int solver, double n, double length) {
    if (solver == MOMENTUM) return length;
    if (series->q > 0.0) return log(4.0 / (pi * goal_error)) / (series->q * 0.25 * pi * pi) * n * n;
    int last = series->count - 1;
    if (last < 0) return 4.0 * length * length;
    double exponent = last == 0
                          ? 1.0
                          : log(series->sweeps[PLAIN][last] / series->sweeps[PLAIN][last - 1]) /
                                log(series->n[last] / series->n[last - 1]);
    return series->sweeps[PLAIN][last] * pow(n / series->n[last], exponent);
}

static void report(struct bench_run *run, const char *solver, const struct cold_point *point,
                   const struct cold_search *search) {
    char name[BENCH_NAME];
    const char *how = search->beyond ? ", extrapolated" : "";
    snprintf(name, sizeof name, "%s balance", solver);
    bench_figure(run, name, point->measures.balance, "1");
    snprintf(name, sizeof name, "%s seconds%s", solver, how);
    bench_figure(run, name, point->seconds, "s");
    if (search->first < point->sweeps) {
        snprintf(name, sizeof name, "%s sweeps, first", solver);
        bench_figure(run, name, search->first, "1");
    }
    snprintf(name, sizeof name, "%s sweeps%s", solver, how);
    bench_figure(run, name, point->sweeps, "1");
}

static talus_status measure_solver(struct series *series, const struct cold_load *load, int k,
                                   double length, struct cold_point *point, talus_error *err) {
    struct bench_run *run = series->run;
    double n = series->n[series->count];
    struct cold_solver solver = {solver_names[k], series->sweep};
    struct cold_search search = {
        .goal = goal_error, .guess = (int)first_guess(series, k, n, length), .limit = SWEEPS_MOST};
    talus_status status = cold_reach(load, &solver, &search, point, err);
    for (int again = 0; again < REPEATS && status >= 0 && point->seconds < 1.0; again++) {
        struct cold_point same; /* short times: the best of several */
        status = cold_solve(load, &solver, point->sweeps, &same, err);
        if (status >= 0) point->seconds = fmin(point->seconds, same.seconds);
    }
    if (status < 0) return status;
    series->sweeps[k][series->count] = point->sweeps;
    bench_case(run, series->name, (int64_t)n, point->contacts, point->measures.residual);
    report(run, solver.name, point, &search);
    if (run->convergence != NULL)
        cold_row(run->convergence, series->name, (size_t)n, solver.name, point);
    return TALUS_OK;
}

/* Both solvers on one problem. */
static talus_status measure_load(struct series *series, const struct cold_load *load, double n,
                                 double length, talus_error *err) {
    struct cold_point points[SOLVERS];
    series->n[series->count] = n;
    for (int k = PLAIN; k < SOLVERS; k++) {
        talus_status status = measure_solver(series, load, k, length, &points[k], err);
        if (status < 0) return status;
    }
    series->count++;
    bench_ratio(series->run, "ratio_sweeps", (double)points[PLAIN].sweeps / points[MOMENTUM].sweeps,
                "nsgs");
    bench_ratio(series->run, "ratio_seconds", points[PLAIN].seconds / points[MOMENTUM].seconds,
                "nsgs");
    return TALUS_OK;
}

/* How sweeps grow with n. */
static talus_status fit(struct series *series, double goal, talus_error *err) {
    if (series->count < 3) return TALUS_OK;
    for (int k = PLAIN; k < SOLVERS; k++) {
        double exponent, error;
        char name[BENCH_NAME], unit[BENCH_NAME];
        talus_status status = talus_fit_power(series->n, series->sweeps[k], (size_t)series->count,
                                              &exponent, &error, err);
        if (status < 0) return status;
        snprintf(name, sizeof name, "%s exponent", solver_names[k]);
        snprintf(unit, sizeof unit, "of n, +- %.3f", error);
        bench_figure(series->run, name, exponent, unit);
        if (k == MOMENTUM && goal > 0.0) bench_goal(series->run, BENCH_AT_MOST, goal);
    }
    return TALUS_OK;
}

/* ---- cold: chains, discs, spheres ------------------------------------------------------------ */

/* The largest chain with momentum alone: without it takes minutes, and nothing new comes out. */
static talus_status measure_chains(struct bench_run *run, bool in_order, talus_error *err) {
    const int sizes[5] = {50, 100, 200, 400, 800};
    struct series series = {.run = run,
                            .name = in_order ? "chain in order" : "chain",
                            .sweep = in_order ? TALUS_SWEEP_SEQUENTIAL : TALUS_SWEEP_RANDOM,
                            .q = in_order ? 1.0 : 0.5 * (4.0 * sqrt(exp(1.0)) - 5.0)};
    struct cold_load load;
    talus_status status = TALUS_OK;
    for (int k = 0; k < (run->quick ? 3 : 4) && status >= 0; k++) {
        cold_chain(&load, sizes[k]);
        status = measure_load(&series, &load, sizes[k], sizes[k], err);
    }
    if (status >= 0) status = fit(&series, 0.0, err);
    if (status < 0 || run->quick) return status;
    struct cold_point point;
    series.n[series.count] = sizes[4];
    cold_chain(&load, sizes[4]);
    status = measure_solver(&series, &load, MOMENTUM, sizes[4], &point, err);
    if (status >= 0) bench_goal(run, BENCH_AT_MOST, 2500.0);
    return status;
}

static talus_status measure_packing(struct series *series, const struct packing *packing,
                                    talus_error *err) {
    struct cold_load load = {0};
    double n = (double)packing->count;
    talus_status status = cold_packing(&load, packing, mu_solved, err);
    if (status >= 0) status = measure_load(series, &load, n, packing_height(packing), err);
    cold_free(&load);
    return status;
}

static talus_status measure_deposit(struct series *series, int dim, size_t count,
                                    talus_error *err) {
    struct packing packing = {0};
    struct packing_plan plan = {.dim = dim, .count = count, .seed = 1};
    talus_status status = packing_deposit(&packing, &plan, err);
    if (status >= 0) status = packing_settle(&packing, mu_made, err);
    if (status >= 0) status = measure_packing(series, &packing, err);
    packing_free(&packing);
    return status;
}

static talus_status measure_discs(struct bench_run *run, talus_error *err) {
    const size_t sizes[4] = {500, 1250, 5000, 20000};
    const double goals[4] = {0, 0, 30, 80};
    struct series series = {.run = run, .name = "discs", .sweep = TALUS_SWEEP_BATCHED};
    talus_status status = TALUS_OK;
    for (int k = 0; k < (run->quick ? 3 : 4) && status >= 0; k++) {
        status = measure_deposit(&series, 2, sizes[k], err);
        if (status >= 0 && goals[k] > 0.0) bench_goal(run, BENCH_AT_LEAST, goals[k]);
    }
    return status < 0 ? status : fit(&series, 0.5, err);
}

static talus_status measure_pile(struct series *series, const char *directory, size_t count,
                                 talus_error *err) {
    char path[1024];
    struct packing packing = {0};
    snprintf(path, sizeof path, "%.900s/pile_%zu.txt", directory, count);
    talus_status status = packing_read(&packing, path, err);
    if (status >= 0) status = measure_packing(series, &packing, err);
    packing_free(&packing);
    return status;
}

static talus_status measure_spheres(struct bench_run *run, talus_error *err) {
    const size_t sizes[3] = {1000, 8000, 27000};
    struct series series = {
        .run = run, .name = run->data != NULL ? "piles" : "spheres", .sweep = TALUS_SWEEP_BATCHED};
    talus_status status = TALUS_OK;
    for (int k = 0; k < (run->quick ? 2 : 3) && status >= 0; k++) {
        status = run->data != NULL ? measure_pile(&series, run->data, sizes[k], err)
                                   : measure_deposit(&series, 3, sizes[k], err);
        if (status >= 0 && k == 2) bench_goal(run, BENCH_AT_LEAST, 10.0);
    }
    return status < 0 ? status : fit(&series, 0.35, err);
}

static talus_status measure(struct bench_run *run, talus_error *err) {
    if (run->convergence != NULL) cold_row(run->convergence, NULL, 0, NULL, NULL);
    talus_status status = measure_chains(run, false, err);
    if (status >= 0) status = measure_chains(run, true, err);
    if (status >= 0) status = measure_discs(run, err);
    if (status >= 0) status = measure_spheres(run, err);
    if (status >= 0) status = warm_measure(run, err);
    return status;
}

const struct bench solver_bench = {
    "solver", "sweeps and seconds of nnsgs against nsgs at equal accuracy: cold starts, slow flows",
    measure};
