/* SPDX-License-Identifier: Apache-2.0
 * The list of solvers, their memory, and the loop with its stopping rules. */
#include "solve/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/slender.h"

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

static talus_sweep sweep_for(const talus_solver_config *config, size_t contacts) {
    if (solver_find(config->name)->has_no_order) return TALUS_SWEEP_SEQUENTIAL;
    if (config->sweep != TALUS_SWEEP_AUTO) return config->sweep;
    return contacts < BATCH_WORTH ? TALUS_SWEEP_RANDOM : TALUS_SWEEP_BATCHED;
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
    const struct solver_type *type = solver_find(config->name);
    bool history = type->needs_history;
    if (config->stop == TALUS_STOP_BALANCE) {
        if (!solver_reserve_balance(work, bodies, contacts)) return false;
        RESERVE(seen, contacts)
    }
    if (needs_order(sweep_for(config, contacts))) RESERVE(order, contacts)
    if (history || config->sweep == TALUS_SWEEP_PARALLEL) RESERVE(scratch, contacts)
    if (type->projects) {
        RESERVE(projected, contacts)
        RESERVE(pushed, bodies)
    }
    if (!history) return true;
    RESERVE(start, contacts)
    RESERVE(previous, bodies)
    RESERVE(free, bodies)
    return true;
}

static bool reserve_indices(struct solve_work *work, talus_index **list, size_t *capacity,
                            size_t needed) {
    void *block = memory_reserve(work->memory, *list, capacity, needed, sizeof **list);
    if (block == NULL) return false;
    *list = block;
    return true;
}

bool solver_reserve_balance(struct solve_work *work, size_t bodies, size_t contacts) {
    struct balance_room *room = &work->room;
    return reserve_indices(work, &room->end, &work->end_capacity, bodies) &&
           reserve_indices(work, &room->order, &work->body_order_capacity, bodies) &&
           reserve_indices(work, &room->touches, &work->touch_capacity, 2 * contacts);
}

bool solver_prepare_one(struct solve_work *work, const talus_solver_config *config,
                        const struct problem *problem, struct solve_key key) {
    if (sweep_for(config, problem->contact_count) != TALUS_SWEEP_BATCHED ||
        problem->contact_count == 0)
        return true;
    work->batches.memory = work->memory;
    return batches_make(&work->batches, problem, solver_find(config->name)->needs_history,
                        batch_seed(key.seed, key.step, 0));
}

/* Plain sweeps in a number that is fixed: islands would not notice. The unbalanced force is a mean over all grains. */
static bool has_use_for_islands(const talus_solver_config *config) {
    return config->islands && config->stop != TALUS_STOP_UNBALANCED &&
           (config->stop != TALUS_STOP_FIXED || solver_find(config->name)->needs_history);
}

bool solver_prepare(struct solve_work *work, const talus_solver_config *config,
                    const struct problem *problem, struct solve_key key) {
    work->islands.count = 0;
    if (has_use_for_islands(config) &&
        (!islands_find(&work->islands, work->memory, problem) ||
         !islands_reserve_small(work, config, problem->contact_count)))
        return false;
    if (config->stop == TALUS_STOP_FIXED && islands_are_nearly_one(&work->islands))
        work->islands.count = 0;
    if (work->islands.count > 1) return islands_prepare(work, config, problem, key);
    return solver_prepare_one(work, config, problem, key);
}

void solver_free(struct solve_work *work) {
    islands_free(&work->islands, work->memory);
    for (size_t k = 0; k < work->more_capacity; k++) {
        work->more_batches[k].memory = work->memory;
        batches_free(&work->more_batches[k]);
    }
    memory_free(work->memory, work->more_batches, work->more_capacity, sizeof *work->more_batches);
    memory_free(work->memory, work->reports, work->report_capacity, sizeof *work->reports);
    work->batches.memory = work->memory;
    batches_free(&work->batches);
    memory_free(work->memory, work->order, work->order_capacity, sizeof *work->order);
    memory_free(work->memory, work->scratch, work->scratch_capacity, sizeof *work->scratch);
    memory_free(work->memory, work->start, work->start_capacity, sizeof *work->start);
    memory_free(work->memory, work->previous, work->previous_capacity, sizeof *work->previous);
    memory_free(work->memory, work->room.end, work->end_capacity, sizeof *work->room.end);
    memory_free(work->memory, work->room.order, work->body_order_capacity,
                sizeof *work->room.order);
    memory_free(work->memory, work->room.touches, work->touch_capacity, sizeof *work->room.touches);
    memory_free(work->memory, work->seen, work->seen_capacity, sizeof *work->seen);
    memory_free(work->memory, work->free, work->free_capacity, sizeof *work->free);
    memory_free(work->memory, work->projected, work->projected_capacity, sizeof *work->projected);
    memory_free(work->memory, work->pushed, work->pushed_capacity, sizeof *work->pushed);
}

void solver_bring_back(struct solve_run *run) {
    if (run->in_batches) batches_store(&run->work->batches, run->problem, run->crew);
}

void solver_hand_over(struct solve_run *run) {
    run->in_batches = run->config->sweep == TALUS_SWEEP_BATCHED;
    if (run->in_batches) batches_load(&run->work->batches, run->problem, run->crew);
}

int solver_count_as(struct solve_run *run, int sweeps) {
    int64_t every = run->config->check_every, before = run->report->sweeps;
    int64_t after = (before + (sweeps > 1 ? sweeps : 1) + every - 1) / every * every;
    if (after > run->config->max_sweeps) after = run->config->max_sweeps;
    if (after <= before) after = before + 1;
    run->report->sweeps = (int)after - 1;
    run->sweep += (int)(after - 1 - before);
    return (int)(after - before);
}

/* Of the velocities of two bodies in the relative one, with what visits add. */
static const double rounding_unit = 16.0 * DBL_EPSILON;

static double rounding_of(const struct problem *problem) {
    double sum = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        const struct solve_body *a = &problem->bodies[contact->a];
        const struct solve_body *b = &problem->bodies[contact->b];
        double arm2_a = contact->arm_a * contact->arm_a, arm2_b = contact->arm_b * contact->arm_b;
        if (contact->general >= 0) {
            arm2_a = vec3_norm2(problem->general[contact->general].arm_a);
            arm2_b = vec3_norm2(problem->general[contact->general].arm_b);
        }
        sum += vec3_norm2(a->velocity) + arm2_a * vec3_norm2(a->omega) + vec3_norm2(b->velocity) +
               arm2_b * vec3_norm2(b->omega);
    }
    return rounding_unit * sqrt(sum);
}

/* Grains that fly side by side have a ||q|| of nothing but rounding; no sweep can make anything of that. */
static bool is_rounding(const struct solve_run *run, double residual) {
    double q_norm = run->problem->q_norm;
    return (q_norm > 0.0 ? residual * q_norm : residual) <= rounding_of(run->problem);
}

double solver_residual(struct solve_run *run) {
    run->residual = problem_residual_by(run->problem, run->crew);
    run->residual_after = run->report->sweeps;
    return run->residual;
}

static double residual_now(struct solve_run *run) {
    double residual = solver_residual(run);
    run->lost = !isfinite(residual);
    return residual;
}

/* After the first sweep from a guess that may have been right (and one contact is solved by one), and then at
 * intervals. */
static bool is_time_to_look(const struct solve_run *run, int done) {
    if (done == 1 && (run->config->warm_start || run->problem->contact_count == 1)) return true;
    return done % run->config->check_every == 0;
}

/* What a guess from the last step leaves undone has the same sign in the next step. Nothing may pile up, so an early end
 * must be better than the rule. */
static const double early_share = 1e-3;
/* Few sweeps have hardly touched waves longer than as many grains, and the error of a wave shows in single contacts by (d/length)^2:
 * who wants to have the forces right on all scales and ends before so many must be better by as much
 * (docs/theory/convergence.md). */
static const double sweeps_enough = 30.0;

static double tolerance_at(const struct solve_run *run, int done) {
    double tolerance = run->strictness * run->config->tolerance;
    if (done < run->config->check_every) return early_share * tolerance;
    double share = run->config->stop == TALUS_STOP_BALANCE ? fmin(1.0, done / sweeps_enough) : 1.0;
    return share * share * tolerance;
}

/* The balance costs as much as three random sweeps, ten to twenty batched ones. Where long waves are slow to die out it is looked for again after a
 * tenth of the sweeps so far. */
enum { BALANCE_PATIENCE = 10 };

double solver_balance(struct solve_run *run) {
    const struct combined_impulse *before = run->next_seen > 0 ? run->work->seen : NULL;
    run->balance = problem_balance(run->problem, before, &run->work->room, run->crew);
    run->balance_after = run->report->sweeps;
    return run->balance;
}

/* How impulses have changed since an earlier look tells the balance where they are going: what is left of the change after so many
 * sweeps is slow. */
enum { SEEN_PATIENCE = 4 };

static void keep_seen(struct solve_run *run, int done) {
    if (done < run->next_seen) return;
    for (size_t k = 0; k < run->problem->contact_count; k++)
        run->work->seen[k] = problem_impulses(run->problem, &run->problem->contacts[k]);
    run->next_seen = done + 1 + done / SEEN_PATIENCE;
}

/* Where few sweeps made many contacts lawful, mostly the balance holds too. It is measured after the closing sweeps anyway; that is
 * enough, and where the hope fails little momentum is lost. */
enum { HOPEFUL_SWEEPS = 20 };

static bool may_hope(struct solve_run *run, int done) {
    bool closes = solver_find(run->config->name)->closing != NULL;
    run->hopes = run->in_batches && closes && run->next_balance == 0 && done > 1 &&
                 done <= HOPEFUL_SWEEPS && run->strictness == 1.0 && !run->has_hoped;
    run->has_hoped = run->has_hoped || run->hopes;
    return run->hopes;
}

/* In single contacts and on the scale of the system. */
static bool balance_met(struct solve_run *run, int done) {
    double tolerance = tolerance_at(run, done);
    if (done < run->next_balance) return false;
    solver_bring_back(run);
    double residual = residual_now(run);
    if (!(residual <= tolerance)) {
        keep_seen(run, done);
        if (!is_rounding(run, residual)) return false;
        run->balance = 0.0;
        return true;
    }
    if (may_hope(run, done)) return true;
    run->next_balance = done + done / BALANCE_PATIENCE;
    solver_balance(run);
    keep_seen(run, done);
    if (run->balance > tolerance && is_rounding(run, residual)) run->balance = 0.0;
    return run->balance <= tolerance;
}

/* No sweep can do more; which is an answer to all rules but the one that does not ask for an answer. */
static bool is_answer(const struct solve_run *run) {
    return run->config->stop != TALUS_STOP_UNBALANCED && is_rounding(run, run->residual);
}

/* What a rule asks for beside the balance. */
static double measured(struct solve_run *run) {
    double residual = residual_now(run);
    if (run->config->stop == TALUS_STOP_SICONOS) return problem_residual_siconos(run->problem);
    if (run->config->stop == TALUS_STOP_PENETRATION)
        return problem_penetration(run->problem, run->problem->dt);
    if (run->config->stop == TALUS_STOP_UNBALANCED) return problem_unbalanced(run->problem);
    return residual;
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
    case TALUS_STOP_BALANCE:
    case TALUS_STOP_SICONOS:
    case TALUS_STOP_PENETRATION:
    case TALUS_STOP_UNBALANCED: break;
    }
    if (!is_time_to_look(run, done)) return false;
    if (config->stop == TALUS_STOP_BALANCE) return balance_met(run, done);
    solver_bring_back(run);
    bool met = measured(run) <= tolerance_at(run, done);
    /* Sweeps for nothing, if grains are really accelerated. */
    run->lost = run->lost || (!met && is_rounding(run, run->residual) && !is_answer(run));
    return met || is_answer(run);
}

/* Contacts that stay open may be left out of some sweeps, but not of those that are judged, nor of the last ones: what
 * has closed meanwhile is found there. */
enum { LAST_SWEEPS = 4 };

static bool needs_everyone(const talus_solver_config *config, int done, int limit) {
    if (done > limit - LAST_SWEEPS) return true;
    if (config->stop == TALUS_STOP_FIXED) return false;
    return !stop_is_measured(config->stop) || done % config->check_every == 0;
}

static double mean_impulse(const struct solve_run *run) {
    return run->change.impulse_sum / (double)run->problem->contact_count;
}

/* Whoever had the last turn may want none. */
static int closing_of(const struct solver_type *type, const struct solve_run *run, int sweeps,
                      int left) {
    int closing = type->closing != NULL ? type->closing(run, sweeps) : 0;
    return closing < left ? closing : left;
}

/* Sweeps until the rule is met; false: it was not. `limit` leaves room for the closing ones. */
static bool sweep_on(const struct solver_type *type, struct solve_run *run,
                     struct solve_report *report, int limit) {
    const talus_solver_config *config = run->config;
    double mean = 0.0, mean_before = 0.0, mean_largest = 0.0;
    bool met = false;
    while (report->sweeps < limit && !met && !run->lost) {
        /* Of the largest mean so far: forces that all die out must be able to meet the rule. */
        run->cutoff = config->cutoff * mean_largest;
        run->everyone = needs_everyone(config, report->sweeps + 1, limit);
        type->iterate(run);
        run->sweep++;
        report->sweeps++;
        mean_before = mean;
        mean = mean_impulse(run);
        mean_largest = fmax(mean_largest, mean);
        met = stop_met(run, mean, mean_before, report->sweeps);
    }
    run->everyone = true;
    return met;
}

/* Closing sweeps make one contact after the other lawful, mostly at little cost of their neighbours. Where it is not little,
 * more of them are needed. */
static bool settle(struct solve_run *run, struct solve_report *report, int limit) {
    const talus_solver_config *config = run->config;
    while (!(measured(run) <= config->tolerance) && !is_answer(run)) {
        int left = limit - report->sweeps;
        int sweeps = left < config->check_every ? left : config->check_every;
        if (left <= 0 || run->lost) return false;
        if (!run->in_batches)
            solver_hand_over(run); /* a solver may have gone back to what was better */
        for (int k = 0; k < sweeps; k++, run->sweep++) sweep_once(run, false);
        report->sweeps += sweeps;
        solver_bring_back(run);
    }
    return true;
}

/* Are the impulses that are handed back an answer? `changed`: they are others than those that met the rule. */
static bool judge_end(struct solve_run *run, struct solve_report *report, bool changed, int limit) {
    const talus_solver_config *config = run->config;
    bool balanced = config->stop == TALUS_STOP_BALANCE, met = report->converged;
    /* Closing sweeps may lose a little of what slender structures are asked for, who stopped for want of sweeps not. */
    double wanted = (met && run->fallbacks == 0 ? 1.0 : run->slender) * config->tolerance;
    if (met && run->fallbacks == 0) {
        if (changed) met = settle(run, report, limit);
        if (changed && balanced) run->balance = is_answer(run) ? 0.0 : solver_balance(run);
    } else {
        met = measured(run) <= wanted || is_answer(run);
        if (balanced) run->balance = is_answer(run) ? 0.0 : solver_balance(run);
    }
    report->residual = run->residual;
    if (!balanced) return met;
    report->balance = run->balance;
    return met && run->balance <= wanted;
}

/* From the sweeps to what is handed back. The closing sweeps may have undone a little too much of long waves, which plain ones
 * do not bring back: then again, with a stricter rule. */
static void solve_in_rounds(const struct solver_type *type, struct solve_run *run,
                            struct solve_report *report) {
    const talus_solver_config *config = run->config;
    bool fixed = config->stop == TALUS_STOP_FIXED; /* [Unger2003, eq. 37] */
    int limit = fixed ? config->sweeps : config->max_sweeps;
    for (;;) {
        int before = report->sweeps, closing = closing_of(type, run, limit, limit - before);
        report->converged = sweep_on(type, run, report, limit - closing) || fixed;
        int done = report->sweeps - before;
        bool early = !fixed && (report->converged || run->lost);
        closing = closing_of(type, run, early ? done : limit, limit - report->sweeps);
        if (early && done <= 1) closing = 0; /* after one sweep there has been no momentum */
        if (type->finish != NULL) type->finish(run, closing);
        solver_bring_back(run);
        report->sweeps += closing + run->sweeps_again;
        run->sweeps_again = 0;
        if (!stop_is_measured(config->stop)) return;
        bool met = report->converged;
        report->converged = judge_end(run, report, closing > 0, limit);
        bool again = met && !report->converged && run->fallbacks == 0 && !run->lost;
        if (!again || config->stop != TALUS_STOP_BALANCE || report->sweeps >= limit - closing)
            return;
        if (!run->hopes) run->strictness *= 0.5;
        run->hopes = false;
        run->next_balance = 0;
        if (type->again != NULL) type->again(run);
    }
}

static void solve_with(struct crew *crew, void *context) {
    struct solve_run *run = context;
    struct solve_report *report = run->report;
    const struct solver_type *type = solver_find(run->config->name);
    run->crew = crew;
    type->init(run);
    solver_hand_over(run);
    solve_in_rounds(type, run, report);
    report->restarts = run->restarts;
    report->fallbacks = run->fallbacks;
    report->handovers = run->turns.projected > 0 ? 1 : 0;
    report->handover_sweeps = run->turns.projected;
    report->factor_turns = run->turns.factored;
    report->factor_steps = run->turns.factor_steps;
    report->updates = (int64_t)report->sweeps * (int64_t)run->problem->contact_count;
}

/* One set has work for one, and the last is mostly empty. */
static int helpful_threads(const struct solve_work *work, talus_sweep sweep) {
    return sweep == TALUS_SWEEP_BATCHED && work->batches.set_count > 2 ? work->threads : 1;
}

struct solve_report solver_solve_one(struct problem *problem, const talus_solver_config *wanted,
                                     struct solve_work *work, struct solve_key key) {
    talus_solver_config settled = *wanted;
    settled.sweep = sweep_for(wanted, problem->contact_count);
    struct solve_report report = {
        .islands = 1, .converged = true, .residual = -1.0, .balance = -1.0};
    if (settled.stop == TALUS_STOP_BALANCE) report.balance = 0.0;
    if (problem->contact_count == 0) return report;
    struct solve_run run = {.problem = problem,
                            .config = &settled,
                            .work = work,
                            .report = &report,
                            .key = key,
                            .slender = 1.0};
    if (settled.stop == TALUS_STOP_BALANCE) run.slender = slender_share(problem, work->room.end);
    run.strictness = run.slender;
    /* Another order is another iteration: what one has left of short waves the next one takes for news, and momentum collects it. */
    run.keeps_order = solver_find(settled.name)->needs_history;
    crew_work(helpful_threads(work, settled.sweep), solve_with, &run);
    return report;
}

struct solve_report solver_solve(struct problem *problem, const talus_solver_config *config,
                                 struct solve_work *work, struct solve_key key) {
    if (work->islands.count > 1) return islands_solve(problem, config, work, key);
    return solver_solve_one(problem, config, work, key);
}
