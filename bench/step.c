/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the time of a step goes: a box of n spheres settles under gravity with the fixed rule,
 * then a number of steps is timed by stage. What is not the solver should stay below 30 % at 50
 * sweeps.
 */
#include <math.h>
#include <stdlib.h>

#include "bench/bench.h"

enum { SETTLE = 150, TIMED = 40, SWEEPS = 50 };

static const double radius = 0.5e-3; /* m */
static const double dt = 2e-4;       /* s */

static talus_status add_walls(talus_sim *sim, talus_material material, double width,
                              talus_error *err) {
    static const char *const names[5] = {"floor", "left", "right", "front", "back"};
    const talus_vec3 normals[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int w = 0; w < 5; w++) {
        talus_boundary_def def = talus_boundary_def_default();
        def.name = names[w];
        def.shape = TALUS_PLANE;
        def.material = material;
        def.normal = normals[w];
        def.point = (talus_vec3){w == 2 ? width : 0.0, w == 4 ? width : 0.0, 0.0};
        talus_status status = talus_boundary_add(sim, &def, err);
        if (status < 0) return status;
    }
    return TALUS_OK;
}

/* A cubic lattice, each sphere a little off its place so that it does not stay one. */
static talus_status add_grains(talus_sim *sim, talus_material material, int side,
                               talus_error *err) {
    size_t n = (size_t)side * (size_t)side * (size_t)side;
    talus_body_def *defs = malloc(n * sizeof *defs);
    if (defs == NULL) return TALUS_ERR_MEMORY;
    double spacing = 2.2 * radius;
    for (size_t i = 0; i < n; i++) {
        size_t s = (size_t)side, ix = i % s, iy = i / s % s, iz = i / s / s;
        defs[i] = talus_body_def_default(sim);
        defs[i].radius = radius * (1.0 - 0.05 * (double)(i % 7) / 7.0);
        defs[i].material = material;
        defs[i].position =
            (talus_vec3){spacing * ((double)ix + 0.5) + 0.04 * radius * sin((double)i),
                         spacing * ((double)iy + 0.5) + 0.04 * radius * cos((double)i),
                         spacing * ((double)iz + 0.5)};
    }
    talus_status status = talus_bodies_add(sim, defs, n, NULL, err);
    free(defs);
    return status;
}

static talus_status build(int side, talus_sim **out, talus_error *err) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    talus_material glass = 0;
    talus_sim *sim = NULL;
    config.gravity = (talus_vec3){0.0, 0.0, -9.81};
    config.dt = dt;
    config.solver.stop = TALUS_STOP_FIXED;
    config.solver.sweeps = SWEEPS;
    talus_status status = talus_sim_create(&config, &sim, err);
    if (status >= 0) status = talus_material_add(sim, "glass", 2500.0, &glass, err);
    if (status >= 0)
        status = talus_pair_set(sim, glass, glass,
                                &(talus_pair_law){.mu_static = 0.5, .mu_sliding = 0.5}, err);
    if (status >= 0) status = add_walls(sim, glass, 2.2 * radius * side, err);
    if (status >= 0) status = add_grains(sim, glass, side, err);
    if (status < 0) {
        talus_sim_destroy(sim);
        return status;
    }
    *out = sim;
    return TALUS_OK;
}

struct stages {
    double detect, build, solve, other, all, updates;
};

static talus_status time_steps(talus_sim *sim, struct stages *sum, talus_step_report *report,
                               talus_error *err) {
    double start = bench_seconds();
    for (int i = 0; i < TIMED; i++) {
        talus_status status = talus_sim_step(sim, report, err);
        if (status < 0) return status;
        sum->detect += report->seconds_detect / TIMED;
        sum->build += report->seconds_build / TIMED;
        sum->solve += report->seconds_solve / TIMED;
        sum->other += report->seconds_other / TIMED;
        sum->updates += (double)report->contacts * report->sweeps;
    }
    sum->all = (bench_seconds() - start) / TIMED;
    sum->updates /= TIMED * sum->solve;
    return TALUS_OK;
}

static talus_status measure_size(struct bench_run *run, int side, talus_error *err) {
    talus_sim *sim = NULL;
    talus_step_report report = {0};
    struct stages stages = {0};
    talus_status status = build(side, &sim, err);
    for (int i = 0; i < SETTLE && status >= 0; i++) status = talus_sim_step(sim, &report, err);
    if (status >= 0) status = time_steps(sim, &stages, &report, err);
    if (status >= 0) {
        bench_case(run, "settling box", side * side * side, report.contacts, report.residual);
        bench_figure(run, "step", 1e3 * stages.all, "ms");
        bench_figure(run, "detect", 1e3 * stages.detect, "ms");
        bench_figure(run, "build", 1e3 * stages.build, "ms");
        bench_figure(run, "solve", 1e3 * stages.solve, "ms");
        bench_figure(run, "other", 1e3 * stages.other, "ms");
        bench_figure(run, "updates", 1e-6 * stages.updates, "M contacts/s");
        bench_ratio(run, "all but solve", 1.0 - stages.solve / stages.all, "step");
    }
    talus_sim_destroy(sim);
    return status;
}

static talus_status measure(struct bench_run *run, talus_error *err) {
    const int sides[] = {10, 20};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        talus_status status = measure_size(run, sides[i], err);
        if (status < 0) return status;
    }
    return TALUS_OK;
}

const struct bench step_bench = {
    .name = "step",
    .summary = "time of a step by stage: spheres settling in a box, 50 sweeps",
    .measure = measure,
};
