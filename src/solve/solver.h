/* SPDX-License-Identifier: Apache-2.0
 *
 * Solvers of the frictional contact problem: config in, private workspace, report out.
 *
 * A solver is one file with init/iterate/finish and one line in solvers.def. The loop, the stopping
 * rules and the report are common (solver.c), and so is the residual (problem.h).
 */
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "base/memory.h"
#include "base/random.h"
#include "solve/apgd.h"
#include "solve/batch.h"
#include "solve/islands.h"
#include "solve/measures.h"
#include "solve/nesterov.h"
#include "solve/problem.h"
#include "talus/catalog.h"

struct solve_work { /* scratch of the solvers; grows only in solver_reserve */
    struct memory *memory;
    talus_index *order;
    size_t order_capacity;
    struct combined_impulse *scratch; /* one for each contact: momentum or parallel update */
    size_t scratch_capacity;
    struct combined_impulse *start; /* first guess, for the fallback */
    size_t start_capacity;
    struct solve_body *previous, *free; /* bodies after the last sweep; at the first guess */
    size_t previous_capacity, free_capacity;
    struct balance_room room; /* of the balance */
    size_t end_capacity, body_order_capacity, touch_capacity;
    struct combined_impulse *seen; /* at an earlier look, for the balance */
    size_t seen_capacity;
    struct apgd_contact *projected; /* of projected gradients; and how often bodies are pushed */
    struct apgd_body *pushed;
    size_t projected_capacity, pushed_capacity;
    struct batches batches; /* for the batched sweep */
    struct islands islands;
    struct batches *more_batches; /* of islands, but for the largest */
    size_t more_capacity;
    struct solve_report *reports; /* of islands */
    size_t report_capacity;
    int threads;
};

struct solve_report {
    int sweeps;              /* the most that any island had */
    int64_t updates;         /* of contacts: the sum over islands of sweeps times contacts */
    int64_t islands;         /* that were solved for themselves */
    int restarts, fallbacks; /* of all islands */
    int64_t handovers;       /* auto: islands with which projected gradients went on */
    int64_t handover_sweeps; /* iterations of these, of all islands */
    int64_t factor_turns;    /* auto: turns in which the problem was factorised, of all islands */
    int64_t factor_steps;    /* of Newton's method in these */
    bool converged;          /* every island */
    double residual;         /* at the end, of one island, if the rule looks at it; else -1 */
    double balance; /* at the end, if the rule asks for it, the worst of all islands; else -1 */
};

struct solve_key { /* which random numbers: (seed, step) */
    uint64_t seed, step;
};

struct sweep_change {   /* what one sweep did */
    double impulse_sum; /* sum |P| */
    double change2_sum; /* sum |dP|^2 */
    double turn_sum;    /* momentum only: sum (P_before - P).(P - P_previous sweep) */
    double
        growth_sum; /* momentum only: sum P.dP, of forces; above 0 while the load is being built up */
    bool local_met; /* |dP| <= tolerance |P| + cutoff everywhere */
};

struct solve_error { /* first by the residual, then by the balance */
    double residual, balance;
};

enum solve_turn { TURN_SWEEPS, TURN_FACTORS, TURN_GRADIENTS };

struct factor_turn;

struct solve_turns { /* auto */
    enum solve_turn whose;
    int length, end;            /* sweeps of a turn; the number of the first sweep after this one */
    int factored, factor_steps; /* turns with factorisations, and Newton's steps in them, so far */
    int counted;                /* sweeps that were counted for work still to be done */
    struct factor_turn *factors; /* one that goes on; else NULL */
    bool factors_over, factors_done;
    int projected;            /* iterations of projected gradients so far */
    double residual, balance; /* at the beginning of the turn; HUGE_VAL, -1: not looked for */
    double strictness;        /* that sweeps need, meanwhile */
    struct solve_error kept;  /* of what is kept; HUGE_VAL: nothing */
};

struct solve_run { /* one solve in progress */
    struct problem *problem;
    const talus_solver_config *config;
    struct solve_work *work;
    struct solve_report *report;
    struct crew *crew; /* NULL: nobody helps */
    struct solve_key key;
    int sweep;        /* number of the present one, from 0 */
    bool keeps_order; /* orders are drawn once for the solve */
    bool everyone;    /* this sweep must not leave out contacts that stay open */
    double cutoff;    /* N s: impulse changes below count as none in the local rule */
    struct sweep_change change;
    /* momentum */
    double theta, gradient_first;
    struct nesterov_guard guard;
    int age; /* sweeps since the last restart */
    double start2, grown,
        growth_last;   /* sum |P|^2 at first; sum of all growth_sum; the last of them */
    int damped_until;  /* the sweep; 0: the longest wave has not arrived yet */
    double damped_cap; /* until then the momentum factor is at most this */
    int restarts, fallbacks, sweeps_again; /* sweeps of the fallback */
    int patience;   /* nnsgs: momentum that is younger is not asked what it is worth */
    double slender; /* share of the tolerance that this problem needs, of what balances; else 1 */
    double strictness;     /* factor of the tolerance while sweeps go on */
    double balance;        /* when it was last looked for, */
    int balance_after;     /* after so many sweeps */
    int next_balance;      /* not before so many sweeps */
    bool hopes, has_hoped; /* the rule was called met before the balance was measured: now; once */
    int next_seen; /* impulses are kept for the balance when so many have been done; 0: none yet */
    bool lost; /* more sweeps will not help: numbers that are none, or motion that should be rest */
    double residual;    /* when it was last looked for, */
    int residual_after; /* after so many sweeps */
    bool in_batches;    /* impulses and velocities are there, not in the problem */
    struct apgd_state apgd;
    struct solve_turns turns;
};

struct solver_type {
    talus_entry entry;
    bool needs_history; /* wants scratch, start, previous, free */
    bool projects;      /* wants projected, pushed */
    bool has_no_order;  /* of contacts: `sweep` means nothing to it */
    void (*init)(struct solve_run *run);
    void (*iterate)(struct solve_run *run); /* one sweep and what follows it */
    int (*closing)(const struct solve_run *run,
                   int sweeps);                        /* sweeps kept for finish; NULL: none */
    void (*finish)(struct solve_run *run, int sweeps); /* NULL: nothing is left to do */
    void (*again)(struct solve_run *run); /* after finish, iterate will follow; NULL: it just can */
};

#define SOLVER(name) extern const struct solver_type solver_##name;
#include "solve/solvers.def"
#undef SOLVER

#define SOLVER(name) SOLVER_##name,
enum solver_index {
#include "solve/solvers.def"
    SOLVER_COUNT
};
#undef SOLVER

const struct solver_type *solver_get(int index);
const struct solver_type *solver_find(const char *name); /* NULL if there is none */

/* Room for a problem of this size; false when memory is refused. */
bool solver_reserve(struct solve_work *work, const talus_solver_config *config, size_t bodies,
                    size_t contacts);
/* Room for problem_balance; false when memory is refused. */
bool solver_reserve_balance(struct solve_work *work, size_t bodies, size_t contacts);
/* Of the problem as it stands; kept in the run. */
double solver_balance(struct solve_run *run);
double solver_residual(struct solve_run *run);
/* With all contacts set up: what the sweep needs beside them; false when memory is refused. */
bool solver_prepare(struct solve_work *work, const talus_solver_config *config,
                    const struct problem *problem, struct solve_key key);
/* The same for a problem that has no islands, or is one. */
bool solver_prepare_one(struct solve_work *work, const talus_solver_config *config,
                        const struct problem *problem, struct solve_key key);
void solver_free(struct solve_work *work);

/* Impulses and velocities to where everybody looks for them. */
void solver_bring_back(struct solve_run *run);
/* The other way: batches, if there are any, take up what is there. */
void solver_hand_over(struct solve_run *run);
/* Work that was no sweep counts as so many, and so many more that the rule is looked at next, if there are that many; the iteration that did it is
 * the last of them. How many. */
int solver_count_as(struct solve_run *run, int sweeps);

/* Rules that look at impulses and velocities, not at what a sweep changes. */
static inline bool stop_is_measured(talus_stop stop) {
    return stop >= TALUS_STOP_RESIDUAL;
}

/* problem_start must have been called. */
struct solve_report solver_solve(struct problem *problem, const talus_solver_config *config,
                                 struct solve_work *work, struct solve_key key);
/* The same without looking for islands. */
struct solve_report solver_solve_one(struct problem *problem, const talus_solver_config *config,
                                     struct solve_work *work, struct solve_key key);
/* island_solve.c: with islands found, more than one. */
bool islands_reserve_small(struct solve_work *work, const talus_solver_config *config,
                           size_t contacts);
bool islands_prepare(struct solve_work *work, const talus_solver_config *config,
                     const struct problem *problem, struct solve_key key);
struct solve_report islands_solve(struct problem *problem, const talus_solver_config *config,
                                  struct solve_work *work, struct solve_key key);

/* sweep.c: one sweep over all contacts in the configured order. `watch` fills run->change. */
void sweep_once(struct solve_run *run, bool watch);
/* The same, also comparing with run->work->scratch for the momentum solver. */
void sweep_with_history(struct solve_run *run);
/* One contact that is no plain one, in a problem with the same contacts and other bodies; `change` is added to. */
void sweep_visit(const struct solve_run *run, struct problem *problem,
                 struct solve_contact *contact, size_t at, bool history,
                 struct sweep_change *change);
/* What a contact's change means to the rules that watch changes; `sums` is added to. */
void sweep_watch(const struct solve_run *run, const struct solve_contact *contact,
                 const struct combined_impulse *change, struct sweep_change *sums);
/* apgd.c: from the present impulses on, and one iteration. */
void apgd_start(struct solve_run *run);
void apgd_iterate(struct solve_run *run);
/* batch_sweep.c */
void batch_sweep(struct solve_run *run, bool watch, bool history);
void batch_momentum(struct solve_run *run, double beta);
/* nnsgs.c: (x, x_previous) = (x + beta (x - x_previous), x) */
/* Are forces still being built up from nothing, or from little? */
bool momentum_is_building_up(const struct solve_run *run);
/* Begin anew from the impulses of the problem, whoever left them there. */
void momentum_again(struct solve_run *run);
void momentum_of_contact(struct solve_run *run, size_t at, double beta);
void momentum_of_body(struct solve_body *body, struct solve_body *previous, double beta);
/* q of [Unger2002, app. A]: how much of a force disturbance one sweep passes on; 0 = no theory. */
double sweep_efficiency(talus_sweep sweep);

#endif
