/* SPDX-License-Identifier: Apache-2.0
 *
 * A whole solve. The law is homogeneous: impulses of s q are s times those of q, for every s > 0. So solvers get q scaled
 * by a power of two, near 1, and no square of theirs overflows or vanishes; no bit is changed by it. Contacts that
 * approach and that nothing can move have no solution. They are found beforehand and named, and the solvers get the
 * problem without them, so that the rest is solved.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "solve/delassus_solver.h"

/* Own blocks beyond these bounds: products of four of their entries might leave the range of numbers. */
static const double block_least = 1e-60, block_most = 1e60;
/* Entries of W below this part of the own block are rounding: the normal cannot move. */
static const double mobility = 16.0 * DBL_EPSILON;

talus_solve_config talus_solve_config_default(void) {
    return (talus_solve_config){
        .solver = "auto", .tolerance = 1e-8, .max_seconds = 9.0, .max_iterations = INT64_MAX};
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
    bool good = delassus_begin(&walk, type, problem, memory, NULL);
    if (good) {
        report->interrupted = !delassus_go_on(&walk, &limits);
        delassus_note(report, &walk, walk.run.iterations, walk.seconds);
        memcpy(r, walk.best, delassus_size(problem) * sizeof *r);
    }
    delassus_end(&walk);
    return good ? TALUS_OK : error_memory(err);
}

/* ---- what is solved --------------------------------------------------------------------------- */

static bool has_numbers(const struct delassus *problem, size_t i) {
    size_t dim = (size_t)problem->dim;
    const double *own = &problem->block[dim * dim * problem->diagonal[i]];
    bool finite = true;
    for (size_t k = 0; k < dim * dim; k++) finite = finite && isfinite(own[k]);
    return finite;
}

/* Numbers that are none are not its business: with them nothing converges. */
static talus_status check_range(const struct delassus *problem, talus_error *err) {
    bool finite = true;
    for (size_t k = 0; k < delassus_size(problem); k++) finite = finite && isfinite(problem->q[k]);
    if (finite && !isfinite(problem->q_norm))
        return error_set(err, TALUS_ERR_INPUT, "||q|| is too large for a number: scale q down");
    for (size_t i = 0; i < problem->count; i++) {
        double own = delassus_own_size(problem, i);
        if (has_numbers(problem, i) && own != 0.0 &&
            !(fabs(own) >= block_least && fabs(own) <= block_most))
            return error_set(err, TALUS_ERR_INPUT,
                             "contact %zu: its block of W is of the size %.3g, supported are %g to "
                             "%g: choose other units of mass",
                             i, own, block_least, block_most);
    }
    return TALUS_OK;
}

/* Whether nothing changes the normal velocity of a contact. */
static bool is_immovable(const struct delassus *problem, size_t i) {
    size_t dim = (size_t)problem->dim;
    const double *own = &problem->block[dim * dim * problem->diagonal[i]];
    double largest = 0.0, along = 0.0;
    for (size_t a = 0; a < dim; a++) largest = fmax(largest, fabs(own[a * (dim + 1)]));
    for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++)
        for (size_t c = 0; c < dim; c++)
            along = fmax(along, fabs(problem->block[dim * dim * k + c]));
    return along <= mobility * largest;
}

/* Takes out of q what cannot be solved. */
static void leave_out_immovable(struct delassus *problem, double tolerance,
                                talus_solve_report *report) {
    double harmless = tolerance / DELASSUS_APART_SHARE * problem->q_norm;
    for (size_t i = 0; i < problem->count; i++) {
        double *q_n = &problem->q[(size_t)problem->dim * i];
        if (!(-*q_n > harmless) || !is_immovable(problem, i)) continue;
        if (report->immovable++ == 0) report->immovable_first = (int64_t)i;
        report->immovable_approach = fmax(report->immovable_approach, -*q_n);
        *q_n = 0.0;
    }
}

/* ---- what came out ---------------------------------------------------------------------------- */

static void judge(const struct delassus *problem, const talus_solve_config *config, const double *r,
                  double *u, talus_solve_report *report) {
    struct delassus_measure measure = delassus_measure(problem, r, u);
    report->residual_q = measure.q;
    report->residual_siconos = measure.siconos;
    report->residual_normal = measure.normal;
    report->residual_friction = measure.friction;
    report->worst = config->siconos ? measure.siconos : measure.worst;
    report->rounding = delassus_rounding(problem, r);
}

/* r, of the scaled problem, becomes that of the problem. The numbers that are handed out are those that are judged. */
static talus_status scale_back(const struct delassus *problem, const struct delassus *scaled,
                               const talus_solve_config *config, double *r, double *u,
                               talus_solve_report *report, talus_error *err) {
    double unit = delassus_unit(problem), tolerance = config->tolerance;
    struct delassus_measure measure = delassus_measure(scaled, r, u);
    double before = config->siconos ? measure.siconos : measure.worst;
    for (size_t k = 0; k < delassus_size(problem); k++) r[k] /= unit;
    judge(problem, config, r, u, report);
    bool lost = !isfinite(report->worst) && isfinite(before);
    if (report->immovable == 0 && before <= tolerance && !(report->worst <= tolerance)) lost = true;
    if (!lost) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "||q|| = %.3g: impulses or velocities of this problem are too %s for numbers: "
                     "choose other units",
                     problem->q_norm, problem->q_norm > 1.0 ? "large" : "small");
}

static talus_status solve_scaled(struct delassus *scaled, struct memory *memory,
                                 const talus_solve_config *config, double start, double *r,
                                 talus_solve_report *report, talus_error *err) {
    const struct delassus_type *type = delassus_solver_find(config->solver);
    double unit = delassus_unit(scaled);
    size_t size = delassus_size(scaled);
    for (size_t k = 0; k < size; k++) scaled->q[k] *= unit;
    scaled->q_norm *= unit;
    leave_out_immovable(scaled, config->tolerance, report);
    report->immovable_approach /= unit;
    snprintf(report->solver, TALUS_SOLVE_NAME, "%s", type != NULL ? type->entry.name : "auto");
    if (type == NULL) return delassus_auto(scaled, memory, config, start, r, report, err);
    return one_solver(type, scaled, memory, config, start, r, report, err);
}

talus_status delassus_solve(const struct delassus *problem, struct memory *memory,
                            const talus_solve_config *config, double *r, double *u,
                            talus_solve_report *report, talus_error *err) {
    double start = clock_seconds();
    size_t size = delassus_size(problem);
    struct delassus scaled = *problem; /* all but q is shared */
    *report = (talus_solve_report){.immovable_first = -1};
    memset(r, 0, size * sizeof *r);
    TALUS_TRY(check_range(problem, err));
    scaled.q = memory_resize(memory, NULL, 0, size, sizeof *scaled.q);
    if (scaled.q == NULL) return error_memory(err);
    if (size > 0) memcpy(scaled.q, problem->q, size * sizeof *scaled.q);
    talus_status status = solve_scaled(&scaled, memory, config, start, r, report, err);
    if (status >= 0) status = scale_back(problem, &scaled, config, r, u, report, err);
    memory_free(memory, scaled.q, size, sizeof *scaled.q);
    if (status < 0) return status;
    report->converged = report->worst <= config->tolerance && isfinite(problem->q_norm);
    report->seconds = clock_seconds() - start;
    return report->converged ? TALUS_OK : TALUS_WARN_NOT_CONVERGED;
}
