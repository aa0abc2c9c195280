/* SPDX-License-Identifier: Apache-2.0
 *
 * Solvers of the matrix form: one file each with init/iterate/finish and a line in delassus.def. The loop, the
 * measures, the clock and the report are common (delassus_solver.c). `auto` chains them by what it sees
 * (delassus_auto.c).
 */
#ifndef SOLVE_DELASSUS_SOLVER_H
#define SOLVE_DELASSUS_SOLVER_H

#include "solve/delassus.h"
#include "talus/catalog.h"
#include "talus/problem.h"

struct delassus_run { /* one stage in progress */
    const struct delassus *problem;
    struct memory *memory;
    double *r;        /* size: first guess, then the present impulses */
    double *u;        /* size: of the last measure */
    double tolerance; /* of the residual over ||q|| that is aimed at */
    double goal;      /* the same as a plain norm */
    double natural;   /* of the last measure, plain norm */
    int64_t iterations;
    double deadline; /* of clock_seconds; a solver whose iterations are long looks at it */
    bool stuck;      /* set by a solver that cannot go on */
    void *state;     /* of the solver */
};

struct delassus_type {
    talus_entry entry;
    int64_t
        check_first; /* iterations before the first measure; then after every quarter more, up to check_most */
    int64_t check_most;
    bool (*init)(struct delassus_run *run); /* false when memory is refused */
    void (*iterate)(struct delassus_run *run);
    void (*finish)(struct delassus_run *run);
};

#define DELASSUS_SOLVER(name) extern const struct delassus_type delassus_##name;
#include "solve/delassus.def"
#undef DELASSUS_SOLVER

size_t delassus_solver_count(void);
const struct delassus_type *delassus_solver_get(size_t index);
const struct delassus_type *delassus_solver_find(const char *name); /* NULL: none, or auto */

struct delassus_limits { /* when a stage ends, whatever comes first */
    double tolerance;
    double seconds;     /* for this stage */
    int64_t iterations; /* the same */
    /* Give up when the residual has not fallen to `progress` of what it was within `patience` iterations;
     * patience 0: never. */
    int64_t patience;
    double progress;
    const talus_solve_config *config; /* for its progress function; may be NULL */
    double clock_start;               /* of the whole solve */
};

struct delassus_end {
    struct delassus_measure measure;
    int64_t iterations;
    double seconds;
    bool interrupted;
};

/* From r; the best r seen is left there, with its u. False when memory is refused. */
bool delassus_stage(const struct delassus_type *type, const struct delassus *problem,
                    struct memory *memory, const struct delassus_limits *limits, double *r,
                    double *u, struct delassus_end *end);

/* A whole solve, from r = 0, with any solver or auto. */
talus_status delassus_solve(const struct delassus *problem, struct memory *memory,
                            const talus_solve_config *config, double *r, double *u,
                            talus_solve_report *report, talus_error *err);
/* delassus_auto.c */
extern const talus_entry delassus_auto_entry;
talus_status delassus_auto(const struct delassus *problem, struct memory *memory,
                           const talus_solve_config *config, double clock_start, double *r,
                           double *u, talus_solve_report *report, talus_error *err);

#endif
