/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: the step as a wave through the packing.
 *
 * A step goes over the rows three times: predict, pairs, move. One whole pass after the other, each row comes from
 * afar (it has left the near cache since the last pass) three times. But rows and pairs stand slab by slab in space, and
 * a pair looks at rows of its own slab and the next ones only. So each chunk of rows is predicted just before the
 * first chunk of pairs that needs it and moved on just after the last one, while it is still near.
 *
 * Each thread has a part of the pairs. Rows that several parts need (and those that nobody needs) are predicted before
 * all pairs and moved after them. Order has no influence on the result: every chunk writes only what is its own, and
 * sums are added up in the order of the chunks.
 */
#include <string.h>

#include "base/error.h"
#include "sim/sim.h"
#include "sim/soft_rows.h"

#define RESERVE(field, capacity, count)                                                         \
    {                                                                                           \
        void *block = memory_reserve(&sim->memory, field, &(capacity), count, sizeof *(field)); \
        if (block == NULL) return error_memory(err);                                            \
        (field) = block;                                                                        \
    }

/* ---- the plan ---------------------------------------------------------------------------------- */

static talus_status reserve(talus_sim *sim, talus_error *err) {
    struct soft_wave *wave = &sim->soft.wave;
    size_t tasks = sim->detect.candidate_count / (SOFT_LANES * SOFT_CHUNK_WALLS) + SOFT_CLASSES;
    size_t rows = sim_soft_chunks(sim);
    RESERVE(wave->tasks, wave->task_capacity, tasks)
    RESERVE(wave->first_need, wave->first_need_capacity, rows)
    RESERVE(wave->last_need, wave->last_need_capacity, rows)
    RESERVE(wave->predict, wave->predict_capacity, rows)
    RESERVE(wave->move, wave->move_capacity, rows)
    RESERVE(wave->apart, wave->apart_capacity, rows)
    RESERVE(wave->predict_first, wave->predict_first_capacity, tasks + 1)
    RESERVE(wave->move_first, wave->move_first_capacity, tasks + 1)
    return TALUS_OK;
}

/* The first row of each class's next chunk decides; pairs of a class stand in the order of their rows. */
static void order_tasks(struct soft_wave *wave, const struct soft_near *near) {
    size_t next[SOFT_GENERAL];
    memcpy(next, near->first_chunk, sizeof next);
    for (size_t k = 0; k < wave->task_count; k++) {
        int best = -1;
        int32_t lowest = 0;
        for (int class = 0; class < SOFT_GENERAL; class ++) {
            if (next[class] == near->first_chunk[class + 1]) continue;
            int32_t row = near->blocks[sim_soft_blocks(near, next[class]).first].a[0];
            if (best >= 0 && row >= lowest) continue;
            best = class;
            lowest = row;
        }
        wave->tasks[k] = (talus_index)next[best]++;
    }
}

static void need(struct soft_wave *wave, int32_t row, size_t task) {
    size_t chunk = (size_t)row / SOFT_CHUNK;
    if (wave->first_need[chunk] < 0) wave->first_need[chunk] = (int32_t)task;
    wave->last_need[chunk] = (int32_t)task;
}

static void find_needs(struct soft_wave *wave, const struct soft *soft, size_t rows) {
    const struct soft_near *near = &soft->near;
    for (size_t k = 0; k < rows; k++) wave->first_need[k] = wave->last_need[k] = -1;
    for (size_t task = 0; task < wave->task_count; task++) {
        struct soft_range range = sim_soft_blocks(near, (size_t)wave->tasks[task]);
        for (size_t slot = range.first * SOFT_LANES; slot < range.last * SOFT_LANES; slot++) {
            const struct soft_block *block = &near->blocks[slot / SOFT_LANES];
            int32_t b = block->b[slot % SOFT_LANES];
            if (near->candidate[slot] < 0) continue;
            need(wave, block->a[slot % SOFT_LANES], task);
            if (soft->wall_of[b] < 0) need(wave, b, task);
        }
    }
}

static size_t part_start(const struct soft_wave *wave, size_t part) {
    return wave->task_count * part / wave->parts;
}

static size_t part_of(const struct soft_wave *wave, int32_t task) {
    size_t part = 0;
    while ((size_t)task >= part_start(wave, part + 1)) part++;
    return part;
}

/* Those that cannot go with the wave. */
static void set_apart(struct soft_wave *wave, size_t rows) {
    wave->apart_count = 0;
    for (size_t k = 0; k < rows; k++) {
        int32_t first = wave->first_need[k], last = wave->last_need[k];
        if (first >= 0 && part_of(wave, first) == part_of(wave, last)) continue;
        wave->first_need[k] = wave->last_need[k] = -1;
        wave->apart[wave->apart_count++] = (talus_index)k;
    }
}

/* Chunks of rows by their task. */
static void sort_by(const int32_t *task, size_t rows, size_t tasks, talus_index *list,
                    size_t *first) {
    memset(first, 0, (tasks + 1) * sizeof *first);
    for (size_t k = 0; k < rows; k++)
        if (task[k] >= 0) first[task[k] + 1]++;
    for (size_t k = 0; k < tasks; k++) first[k + 1] += first[k];
    for (size_t k = 0; k < rows; k++)
        if (task[k] >= 0) list[first[task[k]]++] = (talus_index)k;
    memmove(first + 1, first, tasks * sizeof *first);
    first[0] = 0;
}

/* For the near list and the threads there are. */
talus_status sim_soft_plan_wave(talus_sim *sim, talus_error *err) {
    struct soft *soft = &sim->soft;
    struct soft_wave *wave = &soft->wave;
    size_t rows = sim_soft_chunks(sim);
    wave->on = soft->plain && soft->near.first[SOFT_GENERAL] == soft->near.first[SOFT_CLASSES];
    wave->parts = (size_t)sim->threads;
    if (!wave->on) return TALUS_OK;
    TALUS_TRY(reserve(sim, err));
    wave->task_count = soft->near.first_chunk[SOFT_GENERAL];
    order_tasks(wave, &soft->near);
    find_needs(wave, soft, rows);
    set_apart(wave, rows);
    sort_by(wave->first_need, rows, wave->task_count, wave->predict, wave->predict_first);
    sort_by(wave->last_need, rows, wave->task_count, wave->move, wave->move_first);
    return TALUS_OK;
}

/* ---- the step ---------------------------------------------------------------------------------- */

static void predict_rows(const talus_sim *sim, talus_index chunk) {
    size_t first = (size_t)chunk * SOFT_CHUNK, last = first + SOFT_CHUNK;
    size_t count = sim->world.bodies.count;
    soft_rows_predict(&sim->soft, first, last < count ? last : count, sim->dt);
}

static void run_part(talus_sim *sim, size_t part) {
    const struct soft_wave *wave = &sim->soft.wave;
    size_t end = part_start(wave, part + 1);
    for (size_t task = part_start(wave, part); task < end; task++) {
        for (size_t k = wave->predict_first[task]; k < wave->predict_first[task + 1]; k++)
            predict_rows(sim, wave->predict[k]);
        sim_soft_press(sim, (size_t)wave->tasks[task]);
        for (size_t k = wave->move_first[task]; k < wave->move_first[task + 1]; k++)
            sim_soft_move(sim, (size_t)wave->move[k], sim->dt);
    }
}

void sim_soft_run_wave(talus_sim *sim, struct soft_body_sums *sums) {
    const struct soft_wave *wave = &sim->soft.wave;
#pragma omp parallel num_threads(sim->threads)
    {
#pragma omp for schedule(static)
        for (size_t k = 0; k < wave->apart_count; k++) predict_rows(sim, wave->apart[k]);
#pragma omp for schedule(static)
        for (size_t part = 0; part < wave->parts; part++) run_part(sim, part);
#pragma omp for schedule(static)
        for (size_t k = 0; k < wave->apart_count; k++)
            sim_soft_move(sim, (size_t)wave->apart[k], sim->dt);
    }
    sim_soft_pairs_done(sim, sim->dt);
    sim_soft_bodies_done(sim, sim->dt, sums);
}
