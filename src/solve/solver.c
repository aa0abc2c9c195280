/* SPDX-License-Identifier: Apache-2.0
 * The list of solvers, their memory, and the loop with its stopping rules. */
#include "solve/solver.h"

#include <math.h>
#include <string.h>

#define SOLVER(name) &solver_##name,
static const struct solver_type *const solvers[SOLVER_COUNT] = {
#include "solve/solvers.def"
};
#undef SOLVER

const struct solver_type *solver_get(int index) {
    return solvers[index];
}

const struct solver_type *solver_find(const char *name) {
    for (int i = 0; i < SOLVER_COUNT; i++)
        if (strcmp(solvers[i]->entry.name, name) == 0) return solvers[i];
    return NULL;
}

static bool needs_order(talus_sweep sweep) {
    return sweep == TALUS_SWEEP_RANDOM || sweep == TALUS_SWEEP_WINDOWED;
}

#define RESERVE(field, needed)                                                                   \
    {                                                                                            \
        void *block = memory_reserve(work->memory, work->field, &work->field##_capacity, needed, \
                                     sizeof *work->field);                                       \
        if (block == NULL) return false;                                                         \
        work->field = block;                                                                     \
    }

bool solver_reserve(struct solve_work *work, const talus_solver_config *config, size_t bodies,
                    size_t contacts) {
    bool history = solver_find(config->name)->needs_history;
    if (config->stop == TALUS_STOP_BALANCE && !solver_reserve_balance(work, bodies)) return false;
    if (needs_order(config->sweep)) RESERVE(order, contacts)
    if (history || config->sweep == TALUS_SWEEP_PARALLEL) RESERVE(scratch, contacts)
    if (!history) return true;
    RESERVE(start, contacts)
    RESERVE(previous, bodies)
    RESERVE(free, bodies)
    return true;
}

bool solver_reserve_balance(struct solve_work *work, size_t bodies) {
    void *block = memory_reserve(work->memory, work->shares, &work->share_capacity, bodies,
                                 sizeof *work->shares);
    if (block == NULL) return false;
    work->shares = block;
    return true;
}

bool solver_prepare(struct solve_work *work, const talus_solver_config *config,
                    const struct problem *problem, struct solve_key key) {
    if (config->sweep != TALUS_SWEEP_BATCHED || problem->contact_count == 0) return true;
    work->batches.memory = work->memory;
    return batches_make(&work->batches, problem, solver_find(config->name)->needs_history,
                        batch_seed(key.seed, key.step, 0));
}

void solver_free(struct solve_work *work) {
    work->batches.memory = work->memory;
    batches_free(&work->batches);
    memory_free(work->memory, work->order, work->order_capacity, sizeof *work->order);
    memory_free(work->memory, work->scratch, work->scratch_capacity, sizeof *work->scratch);
    memory_free(work->memory, work->start, work->start_capacity, sizeof *work->start);
    memory_free(work->memory, work->previous, work->previous_capacity, sizeof *work->previous);
    memory_free(work->memory, work->shares, work->share_capacity, sizeof *work->shares);
    memory_free(work->memory, work->free, work->free_capacity, sizeof *work->free);
}

/* Impulses and velocities to where everybody looks for them. */
static void bring_back(const struct solve_run *run) {
    if (run->config->sweep == TALUS_SWEEP_BATCHED) batches_store(&run->work->batches, run->problem);
}

/* The balance costs as much as three sweeps. Where long waves are slow to die out it is looked for again after a
 * tenth of the sweeps so far. */
enum { BALANCE_PATIENCE = 10 };

/* In single contacts and on the scale of the system. */
static bool balance_met(struct solve_run *run, int done) {
    if (done < run->next_balance) return false;
    bring_back(run);
    if (problem_residual(run->problem) > run->config->tolerance) return false;
    run->next_balance = done + done / BALANCE_PATIENCE;
    run->balance = problem_balance(run->problem, run->work->shares);
    return run->balance <= run->config->tolerance;
}

/* Has the rule been met after the sweep just done? `mean_before` is <|P|> of the sweep before. */
static bool stop_met(struct solve_run *run, double mean, double mean_before, int done) {
    const talus_solver_config *config = run->config;
    switch (config->stop) {
    case TALUS_STOP_FIXED: return false;
    case TALUS_STOP_LOCAL: /* [Unger2003, eq. 35]; the cutoff needs a mean force to refer to */
        return done > 1 && run->change.local_met;
    case TALUS_STOP_GLOBAL: /* [Unger2003, eq. 36] */
        return done > 1 && fabs(mean - mean_before) <= config->tolerance * mean;
    case TALUS_STOP_RESIDUAL:
    case TALUS_STOP_BALANCE: break;
    }
    if (done % config->check_every != 0) return false;
    if (config->stop == TALUS_STOP_BALANCE) return balance_met(run, done);
    bring_back(run);
    return problem_residual(run->problem) <= config->tolerance;
}

/* Contacts that stay open may be left out of some sweeps, but not of those that are judged, nor of the last ones: what
 * has closed meanwhile is found there. */
enum { LAST_SWEEPS = 4 };

static bool needs_everyone(const talus_solver_config *config, int done, int limit) {
    if (done > limit - LAST_SWEEPS) return true;
    if (config->stop == TALUS_STOP_FIXED) return false;
    bool is_rare = config->stop == TALUS_STOP_RESIDUAL || config->stop == TALUS_STOP_BALANCE;
    return !is_rare || done % config->check_every == 0;
}

static double mean_impulse(const struct solve_run *run) {
    return run->change.impulse_sum / (double)run->problem->contact_count;
}

/* Of the impulses that are handed back. */
static void judge_end(const struct solve_run *run, int closing, struct solve_report *report) {
    const talus_solver_config *config = run->config;
    bool balanced = config->stop == TALUS_STOP_BALANCE;
    bool same = report->converged && closing == 0; /* as when the rule was met */
    if (balanced)
        report->balance = same ? run->balance : problem_balance(run->problem, run->work->shares);
    if (!report->converged && (balanced || config->stop == TALUS_STOP_RESIDUAL))
        report->converged = problem_residual(run->problem) <= config->tolerance &&
                            report->balance <= config->tolerance;
}

struct solve_report solver_solve(struct problem *problem, const talus_solver_config *config,
                                 struct solve_work *work, struct solve_key key) {
    const struct solver_type *type = solver_find(config->name);
    struct solve_report report = {.converged = true, .balance = -1.0};
    if (config->stop == TALUS_STOP_BALANCE) report.balance = 0.0;
    if (problem->contact_count == 0) return report;
    struct solve_run run = {.problem = problem, .config = config, .work = work, .key = key};
    bool fixed = config->stop == TALUS_STOP_FIXED; /* [Unger2003, eq. 37] */
    int limit = fixed ? config->sweeps : config->max_sweeps;
    int closing = type->closing(config, limit);
    double mean = 0.0, mean_before = 0.0, mean_largest = 0.0;
    type->init(&run);
    if (config->sweep == TALUS_SWEEP_BATCHED) batches_load(&work->batches, problem);
    report.converged = fixed;
    while (report.sweeps < limit - closing) {
        /* Of the largest mean so far: forces that all die out must be able to meet the rule. */
        run.cutoff = config->cutoff * mean_largest;
        run.everyone = needs_everyone(config, report.sweeps + 1, limit - closing);
        type->iterate(&run);
        run.sweep++;
        report.sweeps++;
        mean_before = mean;
        mean = mean_impulse(&run);
        mean_largest = fmax(mean_largest, mean);
        if (!stop_met(&run, mean, mean_before, report.sweeps)) continue;
        report.converged = true;
        closing = type->closing(config, report.sweeps);
        break;
    }
    run.everyone = true;
    type->finish(&run, closing);
    bring_back(&run);
    judge_end(&run, closing, &report);
    report.sweeps += closing + run.sweeps_again;
    report.restarts = run.restarts;
    report.fallbacks = run.fallbacks;
    return report;
}
