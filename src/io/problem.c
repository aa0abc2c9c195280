/* SPDX-License-Identifier: Apache-2.0
 * The public functions about contact problems in files. */
#include "talus/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "io/fclib_sim.h"
#include "solve/delassus_solver.h"

struct talus_problem {
    struct fclib fclib;
    double *r, *u, *v;
    double read_seconds;
    bool solved;
};

static size_t velocity_count(const struct fclib *fclib) {
    return fclib->bodies.freedoms + fclib->bodies.equations;
}

void talus_problem_free(talus_problem *problem) {
    if (problem == NULL) return;
    struct memory *memory = &problem->fclib.memory;
    size_t size = delassus_size(&problem->fclib.problem);
    memory_free(memory, problem->r, size, sizeof(double));
    memory_free(memory, problem->u, size, sizeof(double));
    memory_free(memory, problem->v, velocity_count(&problem->fclib), sizeof(double));
    fclib_free(&problem->fclib);
    struct memory last = *memory;
    memory_free(&last, problem, 1, sizeof *problem);
}

static talus_problem *make_empty(void) {
    struct memory first = {0};
    talus_problem *problem = memory_resize(&first, NULL, 0, 1, sizeof *problem);
    if (problem != NULL) problem->fclib.memory = first;
    return problem;
}

talus_status talus_problem_of_step(const talus_sim *sim, talus_problem **out, talus_error *err) {
    *out = NULL;
    talus_problem *problem = make_empty();
    if (problem == NULL) return error_memory(err);
    struct fclib *fclib = &problem->fclib;
    talus_status status = fclib_of_step(fclib, sim, &problem->r, &problem->v, err);
    size_t size = delassus_size(&fclib->problem);
    if (status >= 0) {
        problem->u = memory_resize(&fclib->memory, NULL, 0, size, sizeof(double));
        if (problem->u == NULL) status = error_memory(err);
    }
    if (status < 0) {
        talus_problem_free(problem);
        return status;
    }
    delassus_velocity(&fclib->problem, problem->r, problem->u);
    problem->solved = true;
    snprintf(fclib->title, sizeof fclib->title, "Talus, step %lld", (long long)sim->step);
    snprintf(fclib->description, sizeof fclib->description,
             "%zu contacts at t = %.9g s, dt = %.9g s; m/s, N s; the solution is that of the run",
             fclib->problem.count, sim->world.time, sim->dt);
    *out = problem;
    return TALUS_OK;
}

talus_status talus_problem_read(const char *path, talus_problem **out, talus_error *err) {
    *out = NULL;
    talus_problem *problem = make_empty();
    if (problem == NULL) return error_memory(err);
    struct memory *memory = &problem->fclib.memory;
    double start = clock_seconds();
    talus_status status = fclib_read(&problem->fclib, path, err);
    if (status >= 0) {
        size_t size = delassus_size(&problem->fclib.problem);
        problem->r = memory_resize(memory, NULL, 0, size, sizeof(double));
        problem->u = memory_resize(memory, NULL, 0, size, sizeof(double));
        problem->v =
            memory_resize(memory, NULL, 0, velocity_count(&problem->fclib), sizeof(double));
        if (problem->r == NULL || problem->u == NULL || problem->v == NULL)
            status = error_memory(err);
    }
    if (status < 0) {
        talus_problem_free(problem);
        return status;
    }
    problem->read_seconds = clock_seconds() - start;
    *out = problem;
    return TALUS_OK;
}

talus_problem_info talus_problem_look(const talus_problem *problem) {
    const struct fclib *fclib = &problem->fclib;
    const struct delassus *form = &fclib->problem;
    bool rolls = delassus_rolls(form);
    talus_problem_info info = {.global = fclib->bodies.present,
                               .dim = rolls ? (form->dim + 1) / 2 : form->dim,
                               .rows = form->dim,
                               .rolling = rolls,
                               .contacts = (int64_t)form->count,
                               .freedoms = (int64_t)fclib->bodies.freedoms,
                               .equations = (int64_t)fclib->bodies.equations,
                               .blocks = (int64_t)form->block_count,
                               .mu_min = form->count > 0 ? HUGE_VAL : 0.0,
                               .mu_r_min = form->count > 0 && rolls ? HUGE_VAL : 0.0,
                               .q_norm = form->q_norm,
                               .asymmetry = form->asymmetry,
                               .title = fclib->title,
                               .description = fclib->description};
    for (size_t i = 0; i < form->count; i++) {
        info.mu_min = fmin(info.mu_min, form->mu[i]);
        info.mu_max = fmax(info.mu_max, form->mu[i]);
        if (!rolls) continue;
        info.mu_r_min = fmin(info.mu_r_min, form->mu_r[i]);
        info.mu_r_max = fmax(info.mu_r_max, form->mu_r[i]);
    }
    return info;
}

talus_status talus_problem_solve(talus_problem *problem, const talus_solve_config *config,
                                 talus_solve_report *report, talus_error *err) {
    struct fclib *fclib = &problem->fclib;
    const talus_solve_config standard = talus_solve_config_default();
    if (config == NULL) config = &standard;
    if (strcmp(config->solver, "auto") != 0 && delassus_solver_find(config->solver) == NULL)
        return error_set(err, TALUS_ERR_UNKNOWN_NAME, "there is no problem solver \"%s\"",
                         config->solver);
    talus_status status = delassus_solve(&fclib->problem, &fclib->memory, config, problem->r,
                                         problem->u, report, err);
    if (status < 0) return status;
    problem->solved = true;
    report->read_seconds = problem->read_seconds;
    if (fclib->bodies.present)
        TALUS_TRY(fclib_velocities(fclib, problem->r, problem->v, &report->motion_error, err));
    return status;
}

const double *talus_problem_impulses(const talus_problem *problem) {
    return problem->r;
}

const double *talus_problem_velocities(const talus_problem *problem) {
    return problem->u;
}

const double *talus_problem_body_velocities(const talus_problem *problem) {
    return problem->fclib.bodies.present ? problem->v : NULL;
}

talus_status talus_problem_judge(talus_problem *problem, double *residual_q,
                                 double *residual_siconos) {
    struct delassus_measure measure =
        delassus_measure(&problem->fclib.problem, problem->r, problem->u);
    *residual_q = measure.q;
    *residual_siconos = measure.siconos;
    return TALUS_OK;
}

static struct fclib_solution solution_of(const talus_problem *problem, bool global) {
    bool bodies = global && problem->fclib.bodies.present;
    return (struct fclib_solution){problem->r, problem->u, bodies ? problem->v : NULL};
}

talus_status talus_problem_write_solution(const talus_problem *problem, const char *path,
                                          talus_error *err) {
    struct fclib_solution solution = solution_of(problem, true);
    return fclib_write_solution(path, &problem->fclib, &solution, err);
}

talus_status talus_problem_write(talus_problem *problem, const char *path, bool global,
                                 talus_error *err) {
    struct fclib_solution solution = solution_of(problem, global);
    return fclib_write(path, &problem->fclib, global, problem->solved ? &solution : NULL, err);
}
