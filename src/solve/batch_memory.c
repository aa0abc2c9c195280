/* SPDX-License-Identifier: Apache-2.0
 * Batches of contacts: their memory, and what goes in and out of them. */
#include <string.h>

#include "solve/batch.h"

#define RESERVE(field, capacity, needed)                                                          \
    {                                                                                             \
        void *block = memory_reserve(batches->memory, batches->field, &batches->capacity, needed, \
                                     sizeof *batches->field);                                     \
        if (block == NULL) return false;                                                          \
        batches->field = block;                                                                   \
    }

/* The first line of cache in the room. */
static void *align(void *room) {
    return (char *)room + (64 - (uintptr_t)room % 64) % 64;
}

bool batches_reserve(struct batches *batches, const struct problem *problem) {
    size_t contacts = problem->contact_count;
    RESERVE(bodies, body_capacity, problem->body_count)
    RESERVE(pairs, pair_capacity, (size_t)1)
    RESERVE(body_of, body_of_capacity, problem->body_count)
    RESERVE(set_of, set_of_capacity, contacts)
    RESERVE(row_a, row_a_capacity, contacts)
    RESERVE(row_b, row_b_capacity, contacts)
    RESERVE(sorted, sorted_capacity, contacts)
    RESERVE(singles, single_capacity, contacts)
    RESERVE(contact_of, contact_of_capacity, contacts * BATCH_LANES) /* at worst one in each */
    RESERVE(window_first, window_capacity, contacts + 1)
    RESERVE(windows, window_kind_capacity, contacts)
    return true;
}

bool batches_reserve_colours(struct batches *batches, size_t count) {
    RESERVE(colour_first, colour_capacity, count)
    return true;
}

bool batches_reserve_sets(struct batches *batches, size_t count) {
    RESERVE(sets, set_capacity, count)
    RESERVE(set_first, set_first_capacity, count)
    return true;
}

bool batches_reserve_rows(struct batches *batches, size_t more, bool with_history,
                          bool with_turns) {
    size_t rows = batches->moving_count + more;
    RESERVE(body_of, body_of_capacity, rows)
    RESERVE(row_room, row_capacity, rows + 1)
    batches->rows = align(batches->row_room);
    if (with_history) RESERVE(last_rows, last_row_capacity, batches->moving_count)
    if (!with_turns) return true;
    RESERVE(turn_room, turn_capacity, rows + 1)
    batches->turns = align(batches->turn_room);
    return true;
}

bool batches_reserve_records(struct batches *batches, bool with_history) {
    const size_t *count = batches->record_count;
    RESERVE(idle, idle_capacity, batches->batch_count)
    if (count[BATCH_COULOMB] > 0) {
        RESERVE(batch_room, batch_capacity, count[BATCH_COULOMB] + 1)
        if (with_history) RESERVE(history, history_capacity, count[BATCH_COULOMB])
        batches->batches = align(batches->batch_room);
    }
    if (count[BATCH_LAWS] > 0) {
        RESERVE(laws_room, laws_capacity, count[BATCH_LAWS] + 1)
        if (with_history) RESERVE(laws_history, laws_history_capacity, count[BATCH_LAWS])
        batches->laws = align(batches->laws_room);
    }
    if (count[BATCH_SKEW] > 0) {
        RESERVE(skew_room, skew_capacity, count[BATCH_SKEW] + 1)
        if (with_history) RESERVE(skew_history, skew_history_capacity, count[BATCH_SKEW])
        batches->skew = align(batches->skew_room);
    }
    return true;
}

#define FREE(field, capacity) \
    memory_free(batches->memory, batches->field, batches->capacity, sizeof *batches->field);

void batches_free(struct batches *batches) {
    FREE(bodies, body_capacity)
    FREE(pairs, pair_capacity)
    FREE(body_of, body_of_capacity)
    FREE(set_of, set_of_capacity)
    FREE(row_a, row_a_capacity)
    FREE(row_b, row_b_capacity)
    FREE(sorted, sorted_capacity)
    FREE(singles, single_capacity)
    FREE(contact_of, contact_of_capacity)
    FREE(window_first, window_capacity)
    FREE(colour_first, colour_capacity)
    FREE(sets, set_capacity)
    FREE(set_first, set_first_capacity)
    FREE(row_room, row_capacity)
    FREE(last_rows, last_row_capacity)
    FREE(turn_room, turn_capacity)
    FREE(windows, window_kind_capacity)
    FREE(idle, idle_capacity)
    FREE(batch_room, batch_capacity)
    FREE(history, history_capacity)
    FREE(laws_room, laws_capacity)
    FREE(laws_history, laws_history_capacity)
    FREE(skew_room, skew_capacity)
    FREE(skew_history, skew_history_capacity)
}

/* ---- in and out ---------------------------------------------------------------------------------- */

void batch_set_rows(struct batches *batches, enum batch_kind kind, size_t record, int lane,
                    const int32_t rows[2]) {
    int32_t *first = kind == BATCH_COULOMB ? batches->batches[record].a
                     : kind == BATCH_LAWS  ? batches->laws[record].a
                                           : batches->skew[record].a;
    first[lane] = rows[0];
    first[BATCH_LANES + lane] = rows[1];
}

double (*batch_impulses(const struct batches *batches, enum batch_kind kind,
                        size_t record))[BATCH_LANES] {
    if (kind == BATCH_LAWS) return batches->laws[record].impulse;
    return kind == BATCH_SKEW ? batches->skew[record].impulse : batches->batches[record].impulse;
}

double (*batch_last(const struct batches *batches, enum batch_kind kind,
                    size_t record))[BATCH_LANES] {
    if (kind == BATCH_LAWS) return batches->laws_history[record].last;
    return kind == BATCH_SKEW ? batches->skew_history[record].last : batches->history[record].last;
}

/* A batch of the window `window`, by its number among all batches. */
struct place {
    enum batch_kind kind;
    size_t record;
    int components;
};

static struct place place_of(const struct batches *batches, size_t window, size_t batch) {
    const struct batch_window *here = &batches->windows[window];
    return (struct place){here->kind, here->record + (batch - batches->window_first[window]),
                          here->kind == BATCH_LAWS ? 6 : 3};
}

static void load_lanes(const struct batches *batches, const struct problem *problem,
                       struct place place, const talus_index *contacts) {
    double(*impulse)[BATCH_LANES] = batch_impulses(batches, place.kind, place.record);
    for (int l = 0; l < BATCH_LANES; l++) {
        struct combined_impulse from = {vec3_zero(), vec3_zero()};
        if (contacts[l] >= 0) from = problem_impulses(problem, &problem->contacts[contacts[l]]);
        for (int k = 0; k < place.components; k++)
            impulse[k][l] = vec3_component(k < 3 ? from.force : from.torque, k % 3);
    }
    if (batches->has_history)
        memcpy(batch_last(batches, place.kind, place.record), impulse,
               (size_t)place.components * sizeof *impulse);
}

/* With the momentum that the velocities have already. */
static void store_lanes(const struct batches *batches, struct problem *problem, struct place place,
                        const talus_index *contacts) {
    double(*impulse)[BATCH_LANES] = batch_impulses(batches, place.kind, place.record);
    for (int l = 0; l < BATCH_LANES; l++) {
        double p[6] = {0.0};
        if (contacts[l] < 0) continue;
        for (int k = 0; k < place.components; k++) {
            p[k] = impulse[k][l];
            if (batches->beta != 0.0)
                p[k] +=
                    batches->beta * (p[k] - batch_last(batches, place.kind, place.record)[k][l]);
        }
        struct combined_impulse to = {{p[0], p[1], p[2]}, {p[3], p[4], p[5]}};
        problem_set_impulses(problem, &problem->contacts[contacts[l]], &to);
    }
}

struct exchange { /* between batches and problem */
    struct batches *batches;
    const struct problem *from;
    struct problem *to;
};

static void load_rows(struct batches *batches, const struct problem *problem, size_t first,
                      size_t end) {
    for (size_t row = first; row < end; row++) {
        talus_index body = batches->body_of[row];
        batches->rows[row] =
            body >= 0 ? problem->bodies[body] : (struct solve_body){.inverse_mass = 0.0};
        if (batches->has_history && row < batches->moving_count)
            batches->last_rows[row] = batches->rows[row];
    }
}

static void load_piece(void *context, size_t piece) {
    const struct exchange *exchange = context;
    struct batches *batches = exchange->batches;
    size_t end = batch_piece_begin(batches->window_count, piece + 1);
    load_rows(batches, exchange->from, batch_piece_begin(batches->row_count, piece),
              batch_piece_begin(batches->row_count, piece + 1));
    for (size_t window = batch_piece_begin(batches->window_count, piece); window < end; window++)
        for (size_t k = batches->window_first[window]; k < batches->window_first[window + 1]; k++)
            load_lanes(batches, exchange->from, place_of(batches, window, k),
                       batches->contact_of + k * BATCH_LANES);
}

void batches_load(struct batches *batches, const struct problem *problem, struct crew *crew) {
    struct exchange exchange = {.batches = batches, .from = problem};
    crew_do(crew, BATCH_PIECES, load_piece, &exchange);
    memset(batches->idle, 0, batches->batch_count * sizeof *batches->idle);
    batches->beta = 0.0;
}

static void store_piece(void *context, size_t piece) {
    const struct exchange *exchange = context;
    const struct batches *batches = exchange->batches;
    size_t end = batch_piece_begin(batches->moving_count, piece + 1);
    for (size_t row = batch_piece_begin(batches->moving_count, piece); row < end; row++)
        exchange->to->bodies[batches->body_of[row]] = batches->rows[row];
    end = batch_piece_begin(batches->window_count, piece + 1);
    for (size_t window = batch_piece_begin(batches->window_count, piece); window < end; window++)
        for (size_t k = batches->window_first[window]; k < batches->window_first[window + 1]; k++)
            store_lanes(batches, exchange->to, place_of(batches, window, k),
                        batches->contact_of + k * BATCH_LANES);
}

void batches_store(struct batches *batches, struct problem *problem, struct crew *crew) {
    struct exchange exchange = {.batches = batches, .to = problem};
    crew_do(crew, BATCH_PIECES, store_piece, &exchange);
}
