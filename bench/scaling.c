/* SPDX-License-Identifier: Apache-2.0
 *
 * How the time of a step grows with the number of grains: beds at rest of 10^3 to 10^6 spheres, 50 sweeps
 * in every step, one core. The exponent of time against n must be 1.0 +- 0.1, everything but the solver
 * below 30 % of the step, and 10^6 spheres must fit in 2 GB.
 */
#include "bench/bed.h"
#include "bench/bench.h"

enum { SIZES = 4, WARM = 2 };
static const int tiles[SIZES] = {1, 3, 10, 32};
static const int timed[SIZES] = {200, 40, 8, 3}; /* steps */

struct timing {
    double step, solve, updates;
};

static talus_status time_size(talus_sim *sim, int steps, struct timing *timing,
                              talus_step_report *report, talus_error *err) {
    double solve = 0.0, updates = 0.0, start = 0.0;
    for (int k = 0; k < WARM + steps; k++) {
        if (k == WARM) start = bench_seconds();
        talus_status status = talus_sim_step(sim, report, err);
        if (status < 0) return status;
        if (k < WARM) continue;
        solve += report->seconds_solve;
        updates += (double)report->contacts * report->sweeps;
    }
    timing->step = (bench_seconds() - start) / steps;
    timing->solve = solve / steps;
    timing->updates = updates / solve;
    return TALUS_OK;
}

static talus_status measure(struct bench_run *run, talus_error *err) {
    static struct bed bed;
    double n[SIZES], seconds[SIZES], exponent, deviation;
    talus_solver_config solver = talus_solver_plain();
    solver.sweep = TALUS_SWEEP_WINDOWED;
    talus_status status = bed_settle(&bed, err);
    for (int k = 0; k < SIZES && status >= 0; k++) {
        talus_sim *sim = NULL;
        talus_step_report report = {0};
        struct timing timing = {0};
        status = bed_tile(&bed, tiles[k], &solver, &sim, err);
        if (status >= 0) status = time_size(sim, timed[k], &timing, &report, err);
        if (status >= 0) {
            n[k] = (double)BED_GRAINS * tiles[k] * tiles[k];
            seconds[k] = timing.step;
            bench_case(run, "bed at rest", (int64_t)n[k], report.contacts, report.residual);
            bench_figure(run, "step", 1e3 * timing.step, "ms");
            bench_figure(run, "updates", 1e-6 * timing.updates, "M contacts/s");
            bench_figure(run, "memory", 1e-6 * (double)talus_sim_memory(sim), "MB");
            bench_ratio(run, "all but solve", 1.0 - timing.solve / timing.step, "step");
        }
        talus_sim_destroy(sim);
    }
    if (status >= 0) status = talus_fit_power(n, seconds, SIZES, &exponent, &deviation, err);
    if (status >= 0) {
        bench_figure(run, "exponent of time", exponent, "1");
        bench_figure(run, "its standard error", deviation, "1");
    }
    return status;
}

const struct bench scaling_bench = {
    .name = "scaling",
    .summary =
        "time of a step against the number of grains, 10^3 to 10^6 spheres at rest, 50 sweeps",
    .measure = measure,
};
