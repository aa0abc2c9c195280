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

/* ---- a stage --------------------------------------------------------------------------------- */

struct watch { /* what a stage has reached */
    double *best;
    struct delassus_measure measure; /* of best */
    int64_t next_check;
    double mark; /* residual at the last mark, and the iteration of it: for patience */
    int64_t mark_at;
    double clock_start, clock_shown;
    bool interrupted;
};

static bool asks_to_stop(const struct delassus_type *type, const struct delassus_run *run,
                         const struct delassus_limits *limits, struct watch *watch) {
    const talus_solve_config *config = limits->config;
    double now = clock_seconds();
    if (config == NULL || config->progress == NULL || now - watch->clock_shown < 0.05) return false;
    watch->clock_shown = now;
    talus_solve_progress progress = {type->entry.name, run->iterations, now - limits->clock_start,
                                     watch->measure.q};
    watch->interrupted = !config->progress(&progress, config->context);
    return watch->interrupted;
}

/* True if the stage is to end. */
static bool look(const struct delassus_type *type, struct delassus_run *run,
                 const struct delassus_limits *limits, struct watch *watch) {
    size_t size = delassus_size(run->problem);
    struct delassus_measure now = delassus_measure(run->problem, run->r, run->u);
    run->natural = now.natural;
    if (now.q < watch->measure.q || run->iterations == 0) {
        watch->measure = now;
        memcpy(watch->best, run->r, size * sizeof *run->r);
    }
    if (watch->measure.q <= limits->tolerance) return true;
    if (run->stuck || !isfinite(now.q)) return true;
    if (watch->measure.q <= limits->progress * watch->mark) {
        watch->mark = watch->measure.q;
        watch->mark_at = run->iterations;
    }
    if (limits->patience > 0 && run->iterations - watch->mark_at >= limits->patience) return true;
    if (run->iterations >= limits->iterations || clock_seconds() >= run->deadline) return true;
    int64_t more = run->iterations / 4;
    more = more < type->check_first  ? type->check_first
           : more > type->check_most ? type->check_most
                                     : more;
    watch->next_check = run->iterations + more;
    if (watch->next_check > limits->iterations) watch->next_check = limits->iterations;
    return asks_to_stop(type, run, limits, watch);
}

static void walk(const struct delassus_type *type, struct delassus_run *run,
                 const struct delassus_limits *limits, struct watch *watch) {
    while (!look(type, run, limits, watch))
        while (run->iterations < watch->next_check && !run->stuck) {
            type->iterate(run);
            run->iterations++;
        }
}

bool delassus_stage(const struct delassus_type *type, const struct delassus *problem,
                    struct memory *memory, const struct delassus_limits *limits, double *r,
                    double *u, struct delassus_end *end) {
    size_t size = delassus_size(problem);
    double start = clock_seconds();
    double scale = problem->q_norm > 0.0 ? problem->q_norm : 1.0;
    struct watch watch = {.measure = {.q = HUGE_VAL}, .clock_start = start, .mark = HUGE_VAL};
    struct delassus_run run = {.problem = problem,
                               .memory = memory,
                               .r = r,
                               .u = u,
                               .tolerance = limits->tolerance,
                               .goal = limits->tolerance * scale,
                               .deadline = start + limits->seconds};
    watch.best = memory_resize(memory, NULL, 0, size, sizeof *watch.best);
    if (watch.best == NULL) return false;
    bool good = type->init(&run);
    if (good) {
        walk(type, &run, limits, &watch);
        memcpy(r, watch.best, size * sizeof *r);
        delassus_velocity(problem, r, u);
    }
    type->finish(&run);
    memory_free(memory, watch.best, size, sizeof *watch.best);
    *end = (struct delassus_end){watch.measure, run.iterations, clock_seconds() - start,
                                 watch.interrupted};
    return good;
}

/* ---- a solve --------------------------------------------------------------------------------- */

talus_solve_config talus_solve_config_default(void) {
    return (talus_solve_config){
        .solver = "auto", .tolerance = 1e-8, .max_seconds = 10.0, .max_iterations = INT64_MAX};
}

static talus_status one_solver(const struct delassus_type *type, const struct delassus *problem,
                               struct memory *memory, const talus_solve_config *config,
                               double start, double *r, double *u, talus_solve_report *report,
                               talus_error *err) {
    struct delassus_limits limits = {.tolerance = config->tolerance,
                                     .seconds = config->max_seconds,
                                     .iterations = config->max_iterations,
                                     .config = config,
                                     .clock_start = start};
    struct delassus_end end;
    if (!delassus_stage(type, problem, memory, &limits, r, u, &end)) return error_memory(err);
    report->iterations = end.iterations;
    report->interrupted = end.interrupted;
    talus_solve_stage *stage = &report->stages[report->stage_count++];
    *stage = (talus_solve_stage){.contacts = (int64_t)problem->count,
                                 .iterations = end.iterations,
                                 .seconds = end.seconds,
                                 .residual_q = end.measure.q};
    snprintf(stage->solver, TALUS_SOLVE_NAME, "%s", type->entry.name);
    return TALUS_OK;
}

talus_status delassus_solve(const struct delassus *problem, struct memory *memory,
                            const talus_solve_config *config, double *r, double *u,
                            talus_solve_report *report, talus_error *err) {
    double start = clock_seconds();
    const struct delassus_type *type = delassus_solver_find(config->solver);
    *report = (talus_solve_report){0};
    memset(r, 0, delassus_size(problem) * sizeof *r);
    if (type != NULL)
        TALUS_TRY(one_solver(type, problem, memory, config, start, r, u, report, err));
    else
        TALUS_TRY(delassus_auto(problem, memory, config, start, r, u, report, err));
    struct delassus_measure measure = delassus_measure(problem, r, u);
    snprintf(report->solver, TALUS_SOLVE_NAME, "%s", type != NULL ? type->entry.name : "auto");
    report->residual_q = measure.q;
    report->residual_siconos = measure.siconos;
    report->converged = measure.q <= config->tolerance;
    report->seconds = clock_seconds() - start;
    return report->converged ? TALUS_OK : TALUS_WARN_NOT_CONVERGED;
}
