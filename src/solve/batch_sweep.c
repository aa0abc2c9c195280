/* SPDX-License-Identifier: Apache-2.0
 * One sweep over the batches: colours one after the other, the sets of a colour by any number of threads. */
#include <math.h>
#include <string.h>

#include "base/inlining.h"
#include "solve/solver.h"

/* Batches of a window in a new order. */
static void draw_order(uint32_t *order, size_t first, size_t count, uint64_t state) {
    for (size_t k = 0; k < count; k++) {
        size_t other = batch_below(&state, k + 1);
        order[k] = order[other];
        order[other] = (uint32_t)(first + k);
    }
}

/* ---- batches that rest ------------------------------------------------------------------------------ */

/* Without those that rest in this sweep; how many are left. */
static size_t leave_out(const struct batches *batches, size_t window, int sweep, uint32_t *order,
                        size_t count) {
    const struct batch_window *place = &batches->windows[window];
    const uint8_t *idle = batches->idle + batches->window_first[window];
    size_t left = 0;
    for (size_t k = 0; k < count; k++) {
        size_t batch = order[k] - place->record;
        bool rests = idle[batch] >= BATCH_IDLE && ((size_t)sweep + batch) % BATCH_REST != 0;
        order[left] = order[k];
        left += rests ? 0 : 1;
    }
    return left;
}

static bool is_zero(double (*impulse)[BATCH_LANES], int components) {
    for (int k = 0; k < components; k++)
        for (int l = 0; l < BATCH_LANES; l++)
            if (impulse[k][l] != 0.0) return false;
    return true;
}

/* After a visit of these. Those that began with an impulse are not asked. */
static void count_idle(const struct batches *batches, size_t window,
                       const struct batch_order *order) {
    const struct batch_window *place = &batches->windows[window];
    uint8_t *idle = batches->idle + batches->window_first[window];
    int components = place->kind == BATCH_LAWS ? 6 : 3;
    for (size_t k = 0; k < order->count; k++) {
        size_t batch = order->record[k] - place->record;
        if (batch >= place->open) continue;
        bool zero = is_zero(batch_impulses(batches, place->kind, order->record[k]), components);
        idle[batch] = (uint8_t)(!zero                      ? 0
                                : idle[batch] < BATCH_IDLE ? idle[batch] + 1
                                                           : BATCH_IDLE);
    }
}

/* ---- sweeps ------------------------------------------------------------------------------------------ */

static void add_sums(struct batch_sums *to, const struct batch_sums *more) {
    to->impulse += more->impulse;
    to->change2 += more->change2;
    to->turn += more->turn;
    to->growth += more->growth;
    to->unmet += more->unmet;
}

typedef struct batch_sums kernel(const struct batches *batches, const struct batch_order *order,
                                 enum batch_watch watch, const struct batch_rule *rule);
static kernel *const kernels[BATCH_KINDS] = {batch_solve, batch_solve_laws, batch_solve_skew};

/* For this sweep; without those that rest. */
static void choose(const struct solve_run *run, size_t window, struct batch_order *order) {
    const struct batches *batches = &run->work->batches;
    size_t first = batches->windows[window].record;
    uint64_t drawn_for = run->keeps_order ? 1 : (uint64_t)run->sweep + 1;
    order->count = batches->window_first[window + 1] - batches->window_first[window];
    draw_order(order->record, first, order->count, batch_seed(batches->seed, drawn_for, window));
    if (!run->everyone)
        order->count = leave_out(batches, window, run->sweep, order->record, order->count);
    order->known = order->count;
}

static void look_ahead(struct batch_order *order, const struct batch_order *next) {
    for (size_t k = 0; k < next->count && k < BATCHES_AHEAD; k++)
        order->record[order->known++] = next->record[k];
}

static void sweep_windows(const struct solve_run *run, struct batch_set *set,
                          enum batch_watch watch) {
    const struct batches *batches = &run->work->batches;
    const struct batch_rule rule = {run->config->tolerance, run->cutoff, batches->beta,
                                    run->config->stop == TALUS_STOP_LOCAL ||
                                        run->config->stop == TALUS_STOP_GLOBAL};
    struct batch_order orders[2];
    for (size_t window = set->first_window; window < set->last_window; window++) {
        struct batch_order *order = &orders[window % 2], *next = &orders[(window + 1) % 2];
        const struct batch_window *place = &batches->windows[window];
        if (window == set->first_window) choose(run, window, order);
        if (window + 1 < set->last_window) choose(run, window + 1, next);
        if (window + 1 < set->last_window && place[1].kind == place->kind) look_ahead(order, next);
        struct batch_sums sums = kernels[place->kind](batches, order, watch, &rule);
        add_sums(&set->sums, &sums);
        if (place->open > 0) count_idle(batches, window, order);
    }
}

/* Contacts with laws or shapes of their own. */
static void sweep_singles(const struct solve_run *run, struct batch_set *set,
                          enum batch_watch watch) {
    const struct batches *batches = &run->work->batches;
    struct problem view = *run->problem;
    view.bodies = batches->rows;
    for (size_t k = set->first_single; k < set->last_single; k++) {
        const struct batch_single *single = &batches->singles[k];
        struct solve_contact *contact = &run->problem->contacts[single->contact];
        struct solve_contact here = *contact;
        here.a = single->a;
        here.b = single->b;
        struct sweep_change change = {.local_met = true};
        sweep_visit(run, &view, &here, (size_t)single->contact, watch == BATCH_HISTORY, &change);
        contact->impulse = here.impulse;
        set->sums.impulse += change.impulse_sum;
        set->sums.change2 += change.change2_sum;
        set->sums.turn += change.turn_sum;
        set->sums.growth += change.growth_sum;
        set->sums.unmet += change.local_met ? 0.0 : 1.0;
    }
}

static void sweep_set(const struct solve_run *run, struct batch_set *set, enum batch_watch watch) {
    set->sums = (struct batch_sums){0};
    sweep_windows(run, set, watch);
    sweep_singles(run, set, watch);
}

struct set_job {
    const struct solve_run *run;
    struct batch_set *sets;
    enum batch_watch watch;
};

static void do_set(void *context, size_t piece) {
    const struct set_job *job = context;
    sweep_set(job->run, &job->sets[piece], job->watch);
}

void batch_sweep(struct solve_run *run, bool watches, bool history) {
    struct batches *batches = &run->work->batches;
    enum batch_watch watch = watches ? BATCH_WATCH : BATCH_PLAIN;
    struct batch_sums sums = {0};
    /* Plain sweeps after those with momentum: the impulses must have theirs first. */
    if (history || batches->beta != 0.0) watch = BATCH_HISTORY;
    for (size_t colour = 0; colour < batches->colour_count; colour++) {
        size_t first = batches->colour_first[colour];
        struct set_job job = {run, &batches->sets[first], watch};
        crew_do(run->crew, batches->colour_first[colour + 1] - first, do_set, &job);
    }
    batches->beta = 0.0;
    for (size_t set = 0; set < batches->set_count; set++) add_sums(&sums, &batches->sets[set].sums);
    run->change = (struct sweep_change){sums.impulse, sums.change2, sums.turn, sums.growth,
                                        sums.unmet == 0.0};
}

/* momentum_of_body, for rows as they stand: masses do not change, and no momentum comes out of that. */
WIDE static void push_rows(struct solve_body *rows, struct solve_body *last_rows, size_t count,
                           double beta) {
    double *restrict now = (double *)rows, *restrict last = (double *)last_rows;
    for (size_t k = 0; k < 8 * count; k++) {
        double value = now[k];
        now[k] = value + beta * (value - last[k]);
        last[k] = value;
    }
}

struct push_job {
    struct batches *batches;
    double beta;
};

static void push_piece(void *context, size_t piece) {
    const struct push_job *job = context;
    struct batches *batches = job->batches;
    size_t first = batch_piece_begin(batches->moving_count, piece);
    size_t end = batch_piece_begin(batches->moving_count, piece + 1);
    push_rows(&batches->rows[first], &batches->last_rows[first], end - first, job->beta);
}

void batch_momentum(struct solve_run *run, double beta) {
    struct batches *batches = &run->work->batches;
    for (size_t k = 0; k < batches->single_count; k++)
        momentum_of_contact(run, (size_t)batches->singles[k].contact, beta);
    struct push_job job = {batches, beta};
    crew_do(run->crew, BATCH_PIECES, push_piece, &job);
    batches->beta = beta;
}
