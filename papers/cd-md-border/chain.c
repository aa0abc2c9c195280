/* SPDX-License-Identifier: Apache-2.0
 *
 * The theory of the border in the case it is exact for: a row of N equal grains against a wall, a force on the last one.
 * From no forces at all, how many sweeps bring an error of long waves down by a factor e?
 */
#include <math.h>

#include "papers/cd-md-border/border.h"

static talus_status build(int count, const talus_config *config, talus_sim **out,
                          talus_error *err) {
    talus_material grain;
    talus_boundary_def wall = talus_boundary_def_default();
    talus_signal pull = {.mean = 1.0};
    talus_status status = talus_sim_create(config, out, err);
    if (status >= 0) status = talus_material_add(*out, "grain", 1.0, &grain, err);
    wall.name = "wall";
    wall.normal = (talus_vec3){1, 0, 0};
    if (status >= 0) status = talus_boundary_add(*out, &wall, err);
    for (int i = 0; i < count && status >= 0; i++) {
        talus_body_def def = talus_body_def_default(*out);
        def.radius = 0.5;
        def.mass = 1.0;
        def.position.x = i + 0.5;
        if (i == count - 1) def.group = "last";
        status = talus_bodies_add(*out, &def, 1, NULL, err);
    }
    if (status >= 0)
        status = talus_force_set(*out, "push", "last", (talus_vec3){-1, 0, 0}, &pull, err);
    return status;
}

/* Sweeps of the first step, which has no guess. */
static talus_status sweeps_to(int count, const char *solver, double error, double *out,
                              talus_error *err) {
    const double two_over_pi = 0.6366197723675814;
    double wave = two_over_pi * count; /* 1/(k d) of the longest wave */
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    talus_step_report report;
    talus_sim *sim = NULL;
    config.dim = 1;
    config.solver.name = solver;
    config.solver.stop = TALUS_STOP_RESIDUAL;
    config.solver.tolerance = error / (wave * wave);
    config.solver.max_sweeps = 2000000;
    config.solver.check_every = 1;
    config.solver.momentum_cap = 1.0;
    talus_status status = build(count, &config, &sim, err);
    if (status >= 0) status = talus_sim_step(sim, &report, err);
    if (status >= 0) *out = report.sweeps;
    talus_sim_destroy(sim);
    return status;
}

talus_status border_chain(struct paper_run *run, const char *solver, double *exponent,
                          talus_error *err) {
    enum { LENGTHS = 4 };
    const int lengths[LENGTHS] = {25, 50, 100, 200};
    double grains[LENGTHS], fold[LENGTHS], spread;
    for (int k = 0; k < LENGTHS; k++) {
        double coarse = 0.0, fine = 0.0;
        talus_status status = sweeps_to(lengths[k], solver, 1e-1, &coarse, err);
        if (status >= 0) status = sweeps_to(lengths[k], solver, 1e-4, &fine, err);
        if (status < 0) return status;
        grains[k] = lengths[k];
        fold[k] = (fine - coarse) / log(1e3);
    }
    talus_status status = talus_fit_power(grains, fold, LENGTHS, exponent, &spread, err);
    if (status >= 0)
        paper_note(run, "1D, %s: sweeps for an e-fold of accuracy ~ N^(%.3f +- %.3f), %.0f at 200",
                   solver, *exponent, spread, fold[LENGTHS - 1]);
    return status;
}
