/* SPDX-License-Identifier: Apache-2.0
 * Measures of stored states and of the present one. */
#include "talus/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/snapshot_frame.h"
#include "io/stored.h"
#include "measure/love_weber.h"
#include "measure/tensor.h"
#include "run/final_state.h"
#include "run/measure.h"
#include "scene/measure_values.h"

/* ---- tables ---------------------------------------------------------------------------------- */

talus_status measure_append(talus_table *out, const talus_table *block, bool timed, double time,
                            talus_error *err) {
    struct memory memory = {0};
    if (out->column_count == 0) {
        memcpy(out->notes, block->notes, sizeof out->notes);
        if (timed) TALUS_TRY(talus_table_add_column(out, "time", "s", err));
        for (size_t k = 0; k < block->column_count; k++)
            TALUS_TRY(
                talus_table_add_column(out, block->columns[k].name, block->columns[k].unit, err));
    }
    double *row = memory_resize(&memory, NULL, 0, out->column_count, sizeof *row);
    if (row == NULL) return error_memory(err);
    talus_status status = TALUS_OK;
    for (size_t r = 0; r < block->row_count && status >= 0; r++) {
        row[0] = time;
        memcpy(row + timed, block->values + r * block->column_count,
               block->column_count * sizeof *row);
        status = talus_table_add_row(out, row, err);
    }
    memory_free(&memory, row, out->column_count, sizeof *row);
    return status;
}

/* ---- stored ---------------------------------------------------------------------------------- */

/* What is needed to go through frames: the present one, the one before it, the first one. */
struct walk {
    const talus_measure_config *config;
    struct measure_values values;
    struct memory memory;
    struct stored stored;
    struct frame frame;
    struct snapshot snapshots[3];
    struct snapshot *now, *before, *first;
    bool timed;
};

talus_measure_config talus_measure_config_default(void) {
    return (talus_measure_config){.first = -1, .stop = INT64_MAX, .step = 1};
}

/* What a message is about: the frame. */
static talus_status name_frame(const struct walk *walk, int64_t number, talus_status status,
                               talus_error *err) {
    const struct stored *stored = &walk->stored;
    if (err == NULL || status == TALUS_ERR_MEMORY) return status;
    talus_error inner = *err;
    if (!stored->only_final)
        return error_set(err, status, "%s/%s: %.3000s", stored->frames,
                         stored->list.entries[number].file, inner.text);
    bool missing = strstr(inner.text, "not stored") != NULL;
    return error_set(err, status, "%s, final state: %.3000s%s", stored->results, inner.text,
                     missing ? "; final.txt does not tell it, frames do (output: {frames: ...})"
                             : "");
}

/* Where final.txt is of a version that did not tell the periodic cell, without which branches across its sides would go the
 * long way, the checkpoint does, and also by how much contact points are older. */
static talus_status add_cell(struct walk *walk, talus_error *err) {
    static const char *const facts[] = {"cell_periodic", "cell_origin", "cell_size", "contact_lag"};
    struct final_state final = {.memory = {0}};
    TALUS_TRY(stored_add_final_cell(&walk->frame, walk->stored.results, err));
    if (frame_find_fact(&walk->frame.blocks[FRAME_PARTICLES], facts[0]) != NULL) return TALUS_OK;
    FILE *nowhere = fopen("/dev/null", "w");
    talus_status status = nowhere == NULL
                              ? error_set(err, TALUS_ERR_FILE, "/dev/null: cannot be written")
                              : final_state_read(&final, walk->stored.results, nowhere, err);
    if (nowhere != NULL) fclose(nowhere);
    for (int k = 0; k < 4 && status >= 0; k++) {
        const struct frame_array *fact =
            frame_find_fact(&final.frame.blocks[FRAME_PARTICLES], facts[k]);
        if (fact != NULL)
            status = frame_put_fact(&walk->frame.blocks[FRAME_PARTICLES], &walk->frame.memory,
                                    facts[k], fact->values, k < 3 ? 3 : 1, err);
    }
    final_state_free(&final);
    return status;
}

static talus_status read_snapshot(struct walk *walk, int64_t number, struct snapshot *to,
                                  talus_error *err) {
    TALUS_TRY(stored_read(&walk->stored, (size_t)number, &walk->frame, err));
    if (walk->stored.only_final) TALUS_TRY(add_cell(walk, err));
    talus_status status = snapshot_from_frame(to, &walk->frame, err);
    return status < 0 ? name_frame(walk, number, status, err) : status;
}

static talus_status take_frame(struct walk *walk, int64_t number, bool has_before, talus_table *out,
                               talus_error *err) {
    talus_table block;
    struct measure_input input = {.now = walk->now,
                                  .before = has_before ? walk->before : NULL,
                                  .first = walk->first,
                                  .values = &walk->values,
                                  .memory = &walk->memory,
                                  .table = &block};
    TALUS_TRY(read_snapshot(walk, number, walk->now, err));
    talus_status status = measure_take(&input, err);
    if (status < 0) return name_frame(walk, number, status, err);
    if (out->column_count > 0 && out->column_count != block.column_count + walk->timed)
        status = error_set(err, TALUS_ERR_INPUT, "%s: frames of different dimension or content",
                           walk->stored.results);
    else
        status = measure_append(out, &block, walk->timed, walk->now->time, err);
    talus_table_free(&block);
    return status;
}

static void swap_states(struct walk *walk) {
    struct snapshot *old = walk->before;
    walk->before = walk->now;
    walk->now = old;
}

static talus_status take_all(struct walk *walk, talus_table *out, talus_error *err) {
    const talus_measure_config *config = walk->config;
    struct stored_range range;
    TALUS_TRY(stored_choose(&walk->stored, config->first, config->stop, &range, err));
    bool several = range.stop - range.first > config->step;
    walk->timed = config->time || several;
    bool two = walk->values.type->two_states, has_before = two && range.first > 0;
    if (two) {
        TALUS_TRY(read_snapshot(walk, several ? range.first : 0, &walk->snapshots[2], err));
        walk->first = &walk->snapshots[2];
    }
    if (has_before) TALUS_TRY(read_snapshot(walk, range.first - 1, walk->before, err));
    for (int64_t i = range.first; i < range.stop; i += config->step) {
        TALUS_TRY(take_frame(walk, i, has_before, out, err));
        swap_states(walk);
        has_before = two;
        if (config->step > range.stop - i) break;
    }
    if (several)
        talus_table_note(out, "%s: numbers in these notes are those of the first frame",
                         config->name);
    return TALUS_OK;
}

talus_status talus_measure_stored(const talus_measure_config *config, talus_table *out,
                                  talus_error *err) {
    struct walk walk = {.config = config};
    memset(out, 0, sizeof *out);
    walk.now = &walk.snapshots[0];
    walk.before = &walk.snapshots[1];
    if (config->from == NULL || config->step < 1)
        return error_set(err, TALUS_ERR_INPUT, "step is %" PRId64 ", but must be 1 or more",
                         config->step);
    TALUS_TRY(measure_values_read(&walk.values, config->name, config->parameters,
                                  config->parameter_count, err));
    talus_status status = stored_find(&walk.stored, config->from, err);
    if (status >= 0) status = take_all(&walk, out, err);
    stored_free(&walk.stored);
    frame_free(&walk.frame);
    for (int k = 0; k < 3; k++) snapshot_discard(&walk.snapshots[k]);
    if (status < 0) talus_table_free(out);
    return status;
}

/* ---- now ------------------------------------------------------------------------------------- */

talus_status talus_measure_sim(const talus_sim *sim, const char *name,
                               const char *const *parameters, size_t parameter_count,
                               talus_table *out, talus_error *err) {
    struct measure_values values;
    struct snapshot snapshot = {.dim = 0};
    struct live live = {.room = {.shapes = NULL}};
    memset(out, 0, sizeof *out);
    TALUS_TRY(measure_values_read(&values, name, parameters, parameter_count, err));
    talus_status status = snapshot_from_sim(&snapshot, &live, sim, err);
    struct memory memory = {0};
    struct measure_input input = {
        .now = &snapshot, .values = &values, .table = out, .memory = &memory};
    if (status >= 0) status = measure_take(&input, err);
    snapshot_discard(&snapshot);
    live_free(&live);
    return status;
}

talus_status talus_measure_stress(const talus_sim *sim, talus_stress *out, talus_error *err) {
    struct snapshot snapshot = {.dim = 0};
    struct live live = {.room = {.shapes = NULL}};
    *out = (talus_stress){.volume = 0.0};
    talus_status status = snapshot_from_sim(&snapshot, &live, sim, err);
    if (status >= 0) {
        struct axis_box box = snapshot_box(&snapshot);
        struct stress_sums sums = stress_in_box(&snapshot, &box, true);
        memcpy(out->tensor, sums.contact.m, sizeof out->tensor);
        out->pressure = tensor_principal(&sums.contact, snapshot.dim).mean;
        out->volume = sums.volume;
    }
    snapshot_discard(&snapshot);
    live_free(&live);
    return status;
}

/* ---- what they can be told ------------------------------------------------------------------- */

bool talus_measure_parameter_get(const char *measure, size_t index, talus_measure_parameter *out) {
    const struct measure_type *type = measure_find(measure);
    size_t count = 0;
    const struct measure_parameter *own = type != NULL ? measure_parameters(type, &count) : NULL;
    if (index >= count) return false;
    *out = (talus_measure_parameter){.name = own[index].name,
                                     .unit = own[index].unit,
                                     .initial = own[index].initial,
                                     .words = own[index].words,
                                     .meaning = own[index].meaning,
                                     .minimum = own[index].low,
                                     .maximum = own[index].high};
    return true;
}
