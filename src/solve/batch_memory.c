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

bool batches_reserve_rows(struct batches *batches, size_t more, bool with_history) {
    size_t rows = batches->moving_count + more;
    RESERVE(body_of, body_of_capacity, rows)
    RESERVE(row_room, row_capacity, rows + 1)
    batches->rows = align(batches->row_room);
    if (with_history) RESERVE(last_rows, last_row_capacity, batches->moving_count)
    return true;
}

bool batches_reserve_records(struct batches *batches, bool with_history) {
    RESERVE(batch_room, batch_capacity, batches->batch_count + 1)
    batches->batches = align(batches->batch_room);
    if (with_history) RESERVE(history, history_capacity, batches->batch_count)
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
    FREE(batch_room, batch_capacity)
    FREE(history, history_capacity)
}

void batches_load(struct batches *batches, const struct problem *problem) {
    for (size_t row = 0; row < batches->row_count; row++) {
        talus_index body = batches->body_of[row];
        batches->rows[row] =
            body >= 0 ? problem->bodies[body] : (struct solve_body){.inverse_mass = 0.0};
    }
    for (size_t slot = 0; slot < batches->batch_count * BATCH_LANES; slot++) {
        talus_index at = batches->contact_of[slot];
        struct batch *batch = &batches->batches[slot / BATCH_LANES];
        vec3 impulse = at >= 0 ? problem->contacts[at].impulse : vec3_zero();
        for (int k = 0; k < 3; k++)
            batch->impulse[k][slot % BATCH_LANES] = vec3_component(impulse, k);
    }
    batches->beta = 0.0;
    if (!batches->has_history) return;
    memcpy(batches->last_rows, batches->rows, batches->moving_count * sizeof *batches->rows);
    for (size_t k = 0; k < batches->batch_count; k++)
        memcpy(batches->history[k].last, batches->batches[k].impulse,
               sizeof batches->history[k].last);
}

/* With the momentum that the velocities have already. */
static vec3 impulse_of(const struct batches *batches, size_t slot) {
    size_t k = slot / BATCH_LANES, l = slot % BATCH_LANES;
    const struct batch *batch = &batches->batches[k];
    double p[3];
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = batch->impulse[axis][l];
        if (batches->beta != 0.0)
            p[axis] += batches->beta * (p[axis] - batches->history[k].last[axis][l]);
    }
    return vec3_make(p[0], p[1], p[2]);
}

void batches_store(const struct batches *batches, struct problem *problem) {
    for (size_t row = 0; row < batches->moving_count; row++)
        problem->bodies[batches->body_of[row]] = batches->rows[row];
    for (size_t slot = 0; slot < batches->batch_count * BATCH_LANES; slot++)
        if (batches->contact_of[slot] >= 0)
            problem->contacts[batches->contact_of[slot]].impulse = impulse_of(batches, slot);
}
