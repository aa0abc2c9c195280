/* SPDX-License-Identifier: Apache-2.0
 *
 * Islands, each solved for itself. Large ones have all threads, one after the other; the others are spread over the
 * threads, whose number changes no bit, because nothing is shared but what nobody writes.
 */
#include <math.h>

#include "solve/solver.h"

/* With at least two parts: threads are of use inside. */
enum { LARGE_FROM = BATCH_PARTED };
/* Contacts, of all islands: from here on threads are worth being started. */
enum { THREADS_FROM = 1024 };

/* Orders of two islands have nothing to do with each other. */
static struct solve_key key_of(const struct island *island, struct solve_key key) {
    return (struct solve_key){batch_seed(key.seed, (uint64_t)island->identity + 1, 0), key.step};
}

static bool in_batches(const talus_solver_config *config) {
    return !solver_find(config->name)->has_no_order &&
           (config->sweep == TALUS_SWEEP_BATCHED || config->sweep == TALUS_SWEEP_AUTO);
}

static talus_solver_config config_of(const struct island *island,
                                     const talus_solver_config *config) {
    talus_solver_config own = *config;
    /* In an order that was drawn once: few contacts in another one every time are another iteration every time, and no
     * momentum survives that (docs/theory/sweeps.md). Drawing would also take as long as the visits. */
    if (in_batches(config))
        own.sweep = island->batches < 0 ? TALUS_SWEEP_SEQUENTIAL : TALUS_SWEEP_BATCHED;
    return own;
}

/* Everything that has one entry for each contact or body begins at those of the island. */
static struct solve_work work_of(const struct solve_work *work, const struct island *island) {
    struct solve_work own = *work;
    size_t contact = island->first_contact, body = island->first_body;
    if (work->order != NULL) own.order += contact;
    if (work->scratch != NULL) own.scratch += contact;
    if (work->start != NULL) own.start += contact;
    if (work->previous != NULL) own.previous += body;
    if (work->free != NULL) own.free += body;
    if (work->room.end != NULL) own.room.end += body;
    if (work->room.order != NULL) own.room.order += body;
    if (work->room.touches != NULL) own.room.touches += 2 * contact;
    if (work->seen != NULL) own.seen += contact;
    if (work->projected != NULL) own.projected += contact;
    if (work->pushed != NULL) own.pushed += body;
    own.islands.count = 0;
    own.threads = island->contact_count >= LARGE_FROM ? work->threads : 1;
    if (island->batches > 0) own.batches = work->more_batches[island->batches - 1];
    return own;
}

static size_t largest_of(const struct islands *islands) {
    size_t largest = 0;
    for (size_t i = 1; i < islands->count; i++)
        if (islands->list[i].contact_count > islands->list[largest].contact_count) largest = i;
    return largest;
}

/* The largest island has those of the work, so that their memory stays with it. */
static struct batches *batches_of(struct solve_work *work, int32_t index) {
    return index == 0 ? &work->batches : &work->more_batches[index - 1];
}

static bool make_batches(struct solve_work *work, const talus_solver_config *config,
                         const struct problem *problem, struct solve_key key) {
    struct islands *islands = &work->islands;
    size_t largest = largest_of(islands), count = 0;
    for (size_t i = 0; i < islands->count; i++) {
        struct island *island = &islands->list[i];
        if (island->contact_count < BATCH_WORTH) continue;
        island->batches = i == largest ? 0 : (int32_t)++count;
    }
    if (count > 0) {
        void *more = memory_reserve(work->memory, work->more_batches, &work->more_capacity, count,
                                    sizeof *work->more_batches);
        if (more == NULL) return false;
        work->more_batches = more;
    }
    for (size_t i = 0; i < islands->count; i++) {
        const struct island *island = &islands->list[i];
        struct solve_key own_key = key_of(island, key);
        uint64_t seed = batch_seed(own_key.seed, own_key.step, 0);
        if (island->batches < 0) {
            island_shuffle(islands, island, seed);
            continue;
        }
        struct batches *batches = batches_of(work, island->batches);
        struct problem own = island_problem(islands, problem, island);
        batches->memory = work->memory;
        if (!batches_make(batches, &own, solver_find(config->name)->needs_history, seed))
            return false;
    }
    return true;
}

/* A pile at rest may fall apart and grow together again with every contact that opens for a moment. What is small has room for
 * that from the start; in what is large the copies are made room for when they are needed. */
enum { SMALL_UP_TO = 4096 };

static bool reserve_reports(struct solve_work *work, size_t count) {
    void *reports = memory_reserve(work->memory, work->reports, &work->report_capacity, count,
                                   sizeof *work->reports);
    if (reports != NULL) work->reports = reports;
    return reports != NULL;
}

bool islands_reserve_small(struct solve_work *work, const talus_solver_config *config,
                           size_t contacts) {
    if (contacts == 0 || contacts > SMALL_UP_TO) return true;
    return islands_reserve(&work->islands, work->memory, contacts) &&
           solver_reserve(work, config, 2 * contacts, contacts) && reserve_reports(work, contacts);
}

bool islands_prepare(struct solve_work *work, const talus_solver_config *config,
                     const struct problem *problem, struct solve_key key) {
    struct islands *islands = &work->islands;
    bool measured = stop_is_measured(config->stop);
    if (!islands_copy(islands, work->memory, problem, measured)) return false;
    if (!solver_reserve(work, config, islands->body_count, problem->contact_count)) return false;
    if (!reserve_reports(work, islands->count)) return false;
    return !in_batches(config) || make_batches(work, config, problem, key);
}

static void solve_island(struct problem *problem, const talus_solver_config *config,
                         struct solve_work *work, struct solve_key key, size_t i) {
    struct islands *islands = &work->islands;
    const struct island *island = &islands->list[i];
    island_load(islands, problem, island);
    struct problem own = island_problem(islands, problem, island);
    talus_solver_config own_config = config_of(island, config);
    struct solve_work own_work = work_of(work, island);
    work->reports[i] = solver_solve_one(&own, &own_config, &own_work, key_of(island, key));
    island_store(islands, problem, island);
}

static void add_report(struct solve_report *to, const struct solve_report *more) {
    if (more->sweeps > to->sweeps) to->sweeps = more->sweeps;
    to->updates += more->updates;
    to->restarts += more->restarts;
    to->fallbacks += more->fallbacks;
    to->handovers += more->handovers;
    to->handover_sweeps += more->handover_sweeps;
    to->factor_turns += more->factor_turns;
    to->factor_steps += more->factor_steps;
    to->converged = to->converged && more->converged;
    to->balance = fmax(to->balance, more->balance);
}

struct solve_report islands_solve(struct problem *problem, const talus_solver_config *config,
                                  struct solve_work *work, struct solve_key key) {
    const struct islands *islands = &work->islands;
    size_t count = islands->count, largest = largest_of(islands);
    struct solve_report report = {
        .islands = (int64_t)count, .converged = true, .residual = -1.0, .balance = -1.0};
    for (size_t i = 0; i < count; i++)
        if (islands->list[i].contact_count >= LARGE_FROM)
            solve_island(problem, config, work, key, i);
    int threads = problem->contact_count < THREADS_FROM ? 1 : work->threads;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (size_t k = 0; k < count; k++) {
        size_t i = k == 0 ? largest : k <= largest ? k - 1 : k; /* the longest work first */
        if (islands->list[i].contact_count < LARGE_FROM)
            solve_island(problem, config, work, key, i);
    }
    for (size_t i = 0; i < count; i++) add_report(&report, &work->reports[i]);
    return report;
}
