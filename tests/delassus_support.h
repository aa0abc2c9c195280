/* SPDX-License-Identifier: Apache-2.0
 * Contact problems in matrix form for tests: made from dense rows, solved by every solver; and places for their files. */
#ifndef TESTS_DELASSUS_SUPPORT_H
#define TESTS_DELASSUS_SUPPORT_H

#include "support.h"

#include <stdlib.h>
#include <unistd.h>

#include "solve/delassus_solver.h"

enum { SAMPLE_SIZE = 512 }; /* numbers of r at most */

struct sample {
    struct memory memory;
    struct delassus problem;
    double r[SAMPLE_SIZE], u[SAMPLE_SIZE];
};

static inline void sample_make_rolling(struct sample *sample, int dim, size_t count,
                                       const double *w, const double *q,
                                       struct delassus_friction friction) {
    size_t size = (size_t)dim * count;
    struct triplets triplets;
    struct sparse rows;
    assert_true(size <= SAMPLE_SIZE);
    *sample = (struct sample){.memory = {0}};
    assert_true(triplets_make(&triplets, &sample->memory, size, size, size * size));
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++)
            if (w[i * size + j] != 0.0) triplets_add(&triplets, i, j, w[i * size + j]);
    assert_true(sparse_make(&rows, &sample->memory, &triplets));
    assert_true(delassus_make(&sample->problem, &sample->memory, dim, count, &rows, q, friction));
    triplets_free(&triplets, &sample->memory);
    sparse_free(&rows, &sample->memory);
}

static inline void sample_make(struct sample *sample, int dim, size_t count, const double *w,
                               const double *q, const double *mu) {
    sample_make_rolling(sample, dim, count, w, q, (struct delassus_friction){.mu = mu});
}

static inline void sample_free(struct sample *sample) {
    delassus_free(&sample->problem);
    assert_int_equal(sample->memory.bytes, 0);
}

/* The solvers, and behind them auto: 0 to delassus_solver_count(). */
static inline const char *sample_solver(size_t k) {
    return k < delassus_solver_count() ? delassus_solver_get(k)->entry.name : "auto";
}

/* By solver k, which must get there; the report must be that of what it leaves. */
static inline void sample_solve_by(struct sample *sample, size_t k, double tolerance) {
    talus_solve_config config = talus_solve_config_default();
    talus_solve_report report;
    config.solver = sample_solver(k);
    config.tolerance = tolerance;
    assert_ok(delassus_solve(&sample->problem, &sample->memory, &config, sample->r, sample->u,
                             &report, NULL));
    struct delassus_measure measure = delassus_measure(&sample->problem, sample->r, sample->u);
    if (!report.converged || !(measure.q <= tolerance) || measure.q != report.residual_q)
        fail_msg("%s: residual %g after %lld iterations", config.solver, report.residual_q,
                 (long long)report.iterations);
}

/* Where a file of a test may stand while it runs. */
static inline void sample_path(char path[512], const char *name) {
    const char *directory = getenv("TMPDIR");
    snprintf(path, 512, "%s/talus_fclib_%d_%s", directory != NULL ? directory : "/tmp",
             (int)getpid(), name);
}

#endif
