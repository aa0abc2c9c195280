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

struct block_lu;

struct delassus_run { /* what a solver works on */
    const struct delassus *problem;
    struct memory *memory;
    double *r; /* size: the present impulses */
    double *u; /* size: of the last measure */
    int64_t iterations;
    double work;     /* beyond one sweep for each iteration, in sweeps */
    double deadline; /* of clock_seconds, for iterations that may take long; 0: none */
    bool round_over; /* a good moment for another solver's turn; set by solvers that have such */
    struct block_lu *
        lent; /* pattern of W and room for factors, of a solver that takes turns with this one; or NULL */
    void *state; /* of the solver */
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

/* A solver on its way, which can be left and taken up again. */
struct delassus_walk {
    const struct delassus_type *type;
    struct delassus_run run;
    double *best;                    /* impulses */
    struct delassus_measure measure; /* of best */
    int64_t next_check;
    double seconds; /* spent */
    bool started;
    bool lost; /* numbers that are none: it will not come back */
};

struct delassus_limits { /* of one turn, whatever comes first */
    double tolerance;
    double deadline;                  /* of clock_seconds */
    int64_t iterations;               /* in this turn */
    double work;                      /* in this turn, in sweeps; 0: any */
    bool to_round;                    /* until the solver says that a round is over */
    const talus_solve_config *config; /* for its progress function */
    double clock_start;               /* of the whole solve */
};

/* From r = 0; with `lent` factors. False when memory is refused; end it all the same. */
bool delassus_begin(struct delassus_walk *walk, const struct delassus_type *type,
                    const struct delassus *problem, struct memory *memory, struct block_lu *lent);
/* False if the caller's progress function asked to stop. */
bool delassus_go_on(struct delassus_walk *walk, const struct delassus_limits *limits);
void delassus_end(struct delassus_walk *walk);

/* Better: within the tolerance, else of lower rank. Done: within the tolerance, or as near as rounding lets the natural map come, with both laws apart within the tolerance. */
bool delassus_is_better(const struct delassus_measure *one, const struct delassus_measure *than,
                        double tolerance);
bool delassus_is_done(const struct delassus_measure *measure, double tolerance);

/* delassus_solve.c: a whole solve, from r = 0, with any solver or auto. */
talus_status delassus_solve(const struct delassus *problem, struct memory *memory,
                            const talus_solve_config *config, double *r, double *u,
                            talus_solve_report *report, talus_error *err);
/* delassus_auto.c */
extern const talus_entry delassus_auto_entry;
talus_status delassus_auto(const struct delassus *problem, struct memory *memory,
                           const talus_solve_config *config, double clock_start, double *r,
                           talus_solve_report *report, talus_error *err);
/* A line of the report for one turn of a walk. */
void delassus_note(talus_solve_report *report, const struct delassus_walk *walk, int64_t iterations,
                   double seconds);

#endif
