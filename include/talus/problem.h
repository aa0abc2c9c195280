/* SPDX-License-Identifier: Apache-2.0
 *
 * Frictional contact problems as programs exchange them (FCLIB files): read one, solve it, write its solution.
 */
#ifndef TALUS_PROBLEM_H
#define TALUS_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "talus/sim.h"
#include "talus/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_problem talus_problem;

typedef struct talus_problem_info {
    bool global; /* M v = H r + f beside the contacts */
    int dim;     /* of space: 2 or 3 */
    int rows;    /* numbers of a contact: dim; with rolling friction 3 or 5 */
    bool rolling;
    int64_t contacts;
    int64_t freedoms;  /* of v; 0 if local */
    int64_t equations; /* equality constraints; 0 if local */
    int64_t blocks;    /* of W, rows x rows each */
    double mu_min, mu_max;
    double mu_r_min, mu_r_max; /* m; 0 without rolling friction */
    double q_norm;
    double asymmetry;                /* max |W - W^T| over max |W| */
    const char *title, *description; /* as long as the problem */
} talus_problem_info;

typedef struct talus_solve_progress {
    const char *stage;
    int64_t iterations;
    double seconds, residual_q;
} talus_solve_progress;

typedef struct talus_solve_config {
    const char *solver; /* default "auto" */
    double tolerance;   /* of the natural-map residual over ||q||; default 1e-8 */
    bool siconos;       /* of the one over max(||q||, ||r||, ||u||) instead, and of nothing else */
    double max_seconds; /* default 9 */
    int64_t max_iterations; /* default: no limit */
    /* Called now and then; return false to stop. May be NULL. */
    bool (*progress)(const talus_solve_progress *progress, void *context);
    void *context;
} talus_solve_config;

enum { TALUS_SOLVE_STAGES = 16, TALUS_SOLVE_NAME = 24 };

typedef struct talus_solve_stage {
    char solver[TALUS_SOLVE_NAME];
    int64_t contacts; /* of the islands it worked on */
    int64_t iterations;
    double seconds;
    double residual_q; /* the best that this solver has reached by then */
} talus_solve_stage;

typedef struct talus_solve_report {
    char solver[TALUS_SOLVE_NAME];
    int64_t iterations; /* of all stages */
    double seconds;
    double residual_q;       /* natural map over ||q|| */
    double residual_siconos; /* over max(||q||, ||r||, ||u||) */
    double residual_normal,
        residual_friction; /* the two laws apart, over ||q||: docs/theory/fclib.md */
    double worst;          /* of residual_q, residual_normal/10, residual_friction/10 */
    double rounding;       /* what rounding alone can make of residual_q */
    double
        impulse_growth; /* the largest ||r|| on the way over what stops each contact alone, || q_i/W_ii || */
    int64_t immovable; /* contacts that approach and that nothing can move: no solution exists */
    int64_t immovable_first;   /* -1: none */
    double immovable_approach; /* the fastest of them, m/s */
    double read_seconds;       /* that reading the file took, before the solve */
    double motion_error;       /* global only: |M v - H r - f| over the largest of the norms */
    bool converged;            /* worst <= tolerance */
    bool interrupted;
    talus_solve_stage stages[TALUS_SOLVE_STAGES];
    int stage_count;
} talus_solve_report;

talus_solve_config talus_solve_config_default(void);

/* A file that is not a good FCLIB problem is TALUS_ERR_INPUT, one that cannot be read TALUS_ERR_FILE. */
talus_status talus_problem_read(const char *path, talus_problem **out, talus_error *err);
void talus_problem_free(talus_problem *problem);
talus_problem_info talus_problem_look(const talus_problem *problem);

/* Solve from r = 0. TALUS_WARN_NOT_CONVERGED: the best found is kept. */
talus_status talus_problem_solve(talus_problem *problem, const talus_solve_config *config,
                                 talus_solve_report *report, talus_error *err);
/* The solution of the last solve, in the problem's own order and units. r, u: rows x contacts numbers. */
const double *talus_problem_impulses(const talus_problem *problem);
const double *talus_problem_velocities(const talus_problem *problem);
/* v of a global problem, `freedoms` numbers; NULL if local. */
const double *talus_problem_body_velocities(const talus_problem *problem);
/* How good the solution held now is, by the same measure that judges every solver. */
talus_status talus_problem_judge(talus_problem *problem, double *residual_q,
                                 double *residual_siconos);
/* solution/r, solution/u, of a global problem solution/v, and solution/l (lambda) with constraints. */
talus_status talus_problem_write_solution(const talus_problem *problem, const char *path,
                                          talus_error *err);

/* The contact problem of the last step of a simulation, with the impulses and velocities that the step found as its
 * solution. Rigid grains with friction and rolling friction only (shapes, walls, pistons, restitution included):
 * TALUS_ERR_INPUT if a contact has torsion, cohesion, or a limit of rolling that is not proportional to its force.
 * Contacts that wait, or that nothing can move, are left out. */
talus_status talus_problem_of_step(const talus_sim *sim, talus_problem **out, talus_error *err);
/* As an FCLIB file, global or local, with the solution held now, if there is one. */
talus_status talus_problem_write(talus_problem *problem, const char *path, bool global,
                                 talus_error *err);

#ifdef __cplusplus
}
#endif
#endif
