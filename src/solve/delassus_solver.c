/* SPDX-License-Identifier: Apache-2.0
 * The list of solvers of the matrix form, and the loop with its measures. A whole solve: delassus_solve.c. */
#include "solve/delassus_solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"

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

static const double at_floor = 4.0; /* times the floor of rounding: sweeps get no further */

/* ---- a walk ---------------------------------------------------------------------------------- */

bool delassus_begin(struct delassus_walk *walk, const struct delassus_type *type,
                    const struct delassus *problem, struct memory *memory, struct block_lu *lent) {
    size_t size = delassus_size(problem);
    *walk = (struct delassus_walk){.type = type,
                                   .run = {.problem = problem, .memory = memory, .lent = lent},
                                   .measure = {.q = HUGE_VAL, .worst = HUGE_VAL, .rank = HUGE_VAL}};
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

bool delassus_is_better(const struct delassus_measure *one, const struct delassus_measure *than,
                        double tolerance) {
    bool done = one->worst <= tolerance, was_done = than->worst <= tolerance;
    return done != was_done ? done : one->rank < than->rank;
}

static void measure(struct delassus_walk *walk, const struct delassus_limits *limits) {
    struct delassus_run *run = &walk->run;
    double tolerance = limits->tolerance;
    struct delassus_measure now = delassus_measure(run->problem, run->r, run->u);
    if (limits->config->siconos) now.worst = now.siconos;
    walk->lost = isnan(now.worst);
    if (delassus_is_better(&now, &walk->measure, tolerance)) {
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

bool delassus_is_done(const struct delassus_measure *measure, double tolerance) {
    if (measure->worst <= tolerance) return true;
    if (tolerance < DBL_EPSILON) return false; /* as well as time allows */
    double apart = DELASSUS_APART_SHARE * fmax(measure->normal, measure->friction);
    return apart <= tolerance && measure->floor > tolerance &&
           measure->q <= at_floor * measure->floor;
}

bool delassus_go_on(struct delassus_walk *walk, const struct delassus_limits *limits) {
    struct delassus_run *run = &walk->run;
    double start = clock_seconds(), shown = start;
    int64_t last = limits->iterations < INT64_MAX - run->iterations
                       ? run->iterations + limits->iterations
                       : INT64_MAX;
    double before = (double)run->iterations + run->work;
    bool go_on = true;
    run->deadline = limits->deadline;
    run->round_over = false;
    if (run->iterations == 0) measure(walk, limits);
    while (go_on && !walk->lost && !delassus_is_done(&walk->measure, limits->tolerance) &&
           run->iterations < last && clock_seconds() < limits->deadline &&
           !(limits->to_round && run->round_over) &&
           (limits->work == 0.0 || (double)run->iterations + run->work - before < limits->work)) {
        while (run->iterations < walk->next_check && run->iterations < last &&
               clock_seconds() < limits->deadline) {
            walk->type->iterate(run);
            run->iterations++;
        }
        measure(walk, limits);
        go_on = may_go_on(walk, limits, &shown);
    }
    walk->seconds += clock_seconds() - start;
    return go_on;
}
