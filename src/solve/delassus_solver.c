/* SPDX-License-Identifier: Apache-2.0
 * The list of solvers of the matrix form, and the loop with its measures. */
#include "solve/delassus_solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"

#define DELASSUS_SOLVER(name) &delassus_##name,
static const struct delassus_type *const types[] = {
#include "solve/delassus.def"
};
#undef DELASSUS_SOLVER

size_t delassus_solver_count(void) {
    return sizeof types / sizeof types[0];
}

const struct delassus_type *delassus_solver_get(size_t index) {
    return types[index];
}

const struct delassus_type *delassus_solver_find(const char *name) {
    for (size_t k = 0; k < delassus_solver_count(); k++)
        if (strcmp(types[k]->entry.name, name) == 0) return types[k];
    return NULL;
}

/* ---- a walk ---------------------------------------------------------------------------------- */

bool delassus_begin(struct delassus_walk *walk, const struct delassus_type *type,
                    const struct delassus *problem, struct memory *memory) {
    size_t size = delassus_size(problem);
    *walk = (struct delassus_walk){
        .type = type, .run = {.problem = problem, .memory = memory}, .measure = {.q = HUGE_VAL}};
    walk->run.r = memory_resize(memory, NULL, 0, size, sizeof(double));
    walk->run.u = memory_resize(memory, NULL, 0, size, sizeof(double));
    walk->best = memory_resize(memory, NULL, 0, size, sizeof(double));
    if (walk->run.r == NULL || walk->run.u == NULL || walk->best == NULL) return false;
    walk->started = true;
    return type->init(&walk->run);
}

void delassus_end(struct delassus_walk *walk) {
    struct memory *memory = walk->run.memory;
    if (walk->type == NULL) return;
    size_t size = delassus_size(walk->run.problem);
    if (walk->started) walk->type->finish(&walk->run);
    memory_free(memory, walk->run.r, size, sizeof(double));
    memory_free(memory, walk->run.u, size, sizeof(double));
    memory_free(memory, walk->best, size, sizeof(double));
    *walk = (struct delassus_walk){0};
}

static void measure(struct delassus_walk *walk) {
    struct delassus_run *run = &walk->run;
    struct delassus_measure now = delassus_measure(run->problem, run->r, run->u);
    walk->lost = isnan(now.natural);
    if (now.q < walk->measure.q) {
        walk->measure = now;
        memcpy(walk->best, run->r, delassus_size(run->problem) * sizeof *run->r);
    }
    int64_t more = run->iterations / 4, least = walk->type->check_first;
    if (more < least) more = least;
    if (more > walk->type->check_most) more = walk->type->check_most;
    walk->next_check = run->iterations + more;
}

static bool may_go_on(const struct delassus_walk *walk, const struct delassus_limits *limits,
                      double *shown) {
    const talus_solve_config *config = limits->config;
    double now = clock_seconds();
    if (config->progress == NULL || now - *shown < 0.05) return true;
    *shown = now;
    talus_solve_progress progress = {walk->type->entry.name, walk->run.iterations,
                                     now - limits->clock_start, walk->measure.q};
    return config->progress(&progress, config->context);
}

bool delassus_go_on(struct delassus_walk *walk, const struct delassus_limits *limits) {
    struct delassus_run *run = &walk->run;
    double start = clock_seconds(), shown = start;
    int64_t last = limits->iterations < INT64_MAX - run->iterations
                       ? run->iterations + limits->iterations
                       : INT64_MAX;
    double before = (double)run->iterations + run->work;
    bool go_on = true;
    if (run->iterations == 0) measure(walk);
    while (go_on && !walk->lost && walk->measure.q > limits->tolerance && run->iterations < last &&
           clock_seconds() < limits->deadline &&
           (limits->work == 0.0 || (double)run->iterations + run->work - before < limits->work)) {
        while (run->iterations < walk->next_check && run->iterations < last) {
            walk->type->iterate(run);
            run->iterations++;
        }
        measure(walk);
        go_on = may_go_on(walk, limits, &shown);
    }
    walk->seconds += clock_seconds() - start;
    return go_on;
}

/* ---- a solve --------------------------------------------------------------------------------- */

talus_solve_config talus_solve_config_default(void) {
    return (talus_solve_config){
        .solver = "auto", .tolerance = 1e-8, .max_seconds = 8.0, .max_iterations = INT64_MAX};
}

static talus_status one_solver(const struct delassus_type *type, const struct delassus *problem,
                               struct memory *memory, const talus_solve_config *config,
                               double start, double *r, talus_solve_report *report,
                               talus_error *err) {
    struct delassus_limits limits = {.tolerance = config->tolerance,
                                     .deadline = start + config->max_seconds,
                                     .iterations = config->max_iterations,
                                     .config = config,
                                     .clock_start = start};
    struct delassus_walk walk;
    bool good = delassus_begin(&walk, type, problem, memory);
    if (good) {
        report->interrupted = !delassus_go_on(&walk, &limits);
        delassus_note(report, &walk, walk.run.iterations, walk.seconds);
        memcpy(r, walk.best, delassus_size(problem) * sizeof *r);
    }
    delassus_end(&walk);
    return good ? TALUS_OK : error_memory(err);
}

talus_status delassus_solve(const struct delassus *problem, struct memory *memory,
                            const talus_solve_config *config, double *r, double *u,
                            talus_solve_report *report, talus_error *err) {
    double start = clock_seconds();
    const struct delassus_type *type = delassus_solver_find(config->solver);
    *report = (talus_solve_report){0};
    memset(r, 0, delassus_size(problem) * sizeof *r);
    if (type != NULL)
        TALUS_TRY(one_solver(type, problem, memory, config, start, r, report, err));
    else
        TALUS_TRY(delassus_auto(problem, memory, config, start, r, report, err));
    struct delassus_measure measure = delassus_measure(problem, r, u);
    snprintf(report->solver, TALUS_SOLVE_NAME, "%s", type != NULL ? type->entry.name : "auto");
    report->residual_q = measure.q;
    report->residual_siconos = measure.siconos;
    report->converged = measure.q <= config->tolerance && isfinite(problem->q_norm);
    report->seconds = clock_seconds() - start;
    return report->converged ? TALUS_OK : TALUS_WARN_NOT_CONVERGED;
}
