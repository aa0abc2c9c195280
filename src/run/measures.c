/* SPDX-License-Identifier: Apache-2.0
 *
 * Every row looks at the simulation through the same snapshot as stored frames do, and changes nothing. A resumed run cuts its
 * tables to the bytes that the checkpoint counted, as it does with the series.
 */
#include "run/measures.h"

#include <stdio.h>
#include <string.h>

#include "base/archive.h"
#include "base/error.h"
#include "io/directory.h"
#include "io/table.h"
#include "run/measure.h"
#include "run/run.h"

static const struct scene_measure *measure_of(const struct run *run, size_t k) {
    return &run->scene->output.measures[k];
}

/* ---- making and freeing ---------------------------------------------------------------------- */

talus_status run_measures_make(struct run *run, talus_error *err) {
    size_t count = run->scene->output.measure_count;
    struct memory memory = {0};
    if (count == 0) return TALUS_OK;
    struct run_measures *measures = memory_resize(&memory, NULL, 0, 1, sizeof *measures);
    if (measures == NULL) return error_memory(err);
    run->measures = measures;
    measures->count = count;
    measures->now = &measures->snapshots[0];
    measures->before = &measures->snapshots[1];
    for (size_t k = 0; k < count; k++)
        if (measure_of(run, k)->values.type->two_states) measures->compares = true;
    measures->files = memory_resize(&measures->memory, NULL, 0, count, sizeof *measures->files);
    measures->bytes = memory_resize(&measures->memory, NULL, 0, count, sizeof *measures->bytes);
    return measures->files != NULL && measures->bytes != NULL ? TALUS_OK : error_memory(err);
}

void run_measures_free(struct run *run) {
    struct run_measures *measures = run->measures;
    struct memory memory = {0};
    if (measures == NULL) return;
    for (size_t k = 0; k < measures->count && measures->files != NULL; k++)
        file_discard(&measures->files[k]);
    live_free(&measures->live);
    for (int k = 0; k < 2; k++) snapshot_discard(&measures->snapshots[k]);
    memory_free(&measures->memory, measures->files, measures->count, sizeof *measures->files);
    memory_free(&measures->memory, measures->bytes, measures->count, sizeof *measures->bytes);
    memory_free(&measures->memory, measures->columns, measures->column_capacity,
                sizeof *measures->columns);
    memory_free(&measures->memory, measures->values, measures->column_count,
                sizeof *measures->values);
    memory_free(&memory, measures, 1, sizeof *measures);
    run->measures = NULL;
}

/* ---- taking ---------------------------------------------------------------------------------- */

static talus_status take_one(struct run *run, size_t k, talus_table *table, talus_error *err) {
    struct run_measures *measures = run->measures;
    struct measure_input input = {.now = measures->now,
                                  .before = measures->has_before ? measures->before : NULL,
                                  .values = &measure_of(run, k)->values,
                                  .table = table,
                                  .memory = &measures->memory};
    return measure_take(&input, err);
}

static talus_status add_columns(struct run_measures *measures, const char *label,
                                const talus_table *table, talus_error *err) {
    for (size_t c = 0; c < table->column_count; c++) {
        talus_column *grown =
            memory_reserve(&measures->memory, measures->columns, &measures->column_capacity,
                           measures->column_count + 1, sizeof *grown);
        if (grown == NULL) return error_memory(err);
        measures->columns = grown;
        talus_column *column = &grown[measures->column_count++];
        snprintf(column->name, sizeof column->name, "%.60s.%.48s", label, table->columns[c].name);
        memcpy(column->unit, table->columns[c].unit, sizeof column->unit);
    }
    return TALUS_OK;
}

static talus_status find_columns(struct run *run, talus_error *err) {
    struct run_measures *measures = run->measures;
    for (size_t k = 0; k < measures->count; k++) {
        talus_table table;
        if (!measure_is_one_row(&measure_of(run, k)->values)) continue;
        TALUS_TRY(take_one(run, k, &table, err));
        talus_status status = add_columns(measures, measure_of(run, k)->label, &table, err);
        talus_table_free(&table);
        if (status < 0) return status;
    }
    measures->values =
        memory_resize(&measures->memory, NULL, 0, measures->column_count, sizeof *measures->values);
    return measures->values != NULL || measures->column_count == 0 ? TALUS_OK : error_memory(err);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void file_name(const struct run *run, size_t k, char name[FILE_PATH]) {
    snprintf(name, FILE_PATH, "%.200s.tsv", measure_of(run, k)->label);
}

static talus_status reopen_tables(struct run *run, talus_error *err) {
    char directory[FILE_PATH], name[FILE_PATH];
    TALUS_TRY(file_path(directory, run->config->directory, DIRECTORY_MEASURES, err));
    for (size_t k = 0; k < run->measures->count; k++) {
        if (measure_is_one_row(&measure_of(run, k)->values)) continue;
        file_name(run, k, name);
        TALUS_TRY(
            file_reopen(&run->measures->files[k], directory, name, run->measures->bytes[k], err));
    }
    return TALUS_OK;
}

talus_status run_measures_open(struct run *run, talus_error *err) {
    struct run_measures *measures = run->measures;
    if (measures == NULL) return TALUS_OK;
    TALUS_TRY(snapshot_from_sim(measures->now, &measures->live, run->result->sim, err));
    TALUS_TRY(find_columns(run, err));
    if (run->config->directory == NULL) return TALUS_OK;
    if (run->resumed) return reopen_tables(run, err);
    for (size_t k = 0; k < measures->count; k++)
        if (!measure_is_one_row(&measure_of(run, k)->values))
            return directory_make_measures(run->config->directory, err);
    return TALUS_OK;
}

/* The first block brings notes and names of the columns. */
static talus_status write_block(struct run *run, size_t k, const talus_table *block,
                                talus_error *err) {
    struct file *file = &run->measures->files[k];
    char directory[FILE_PATH], name[FILE_PATH];
    talus_table timed = {.row_count = 0};
    bool first = file->stream == NULL;
    if (run->config->directory == NULL) return TALUS_OK;
    TALUS_TRY(file_path(directory, run->config->directory, DIRECTORY_MEASURES, err));
    file_name(run, k, name);
    if (first) TALUS_TRY(file_open(file, directory, name, FILE_GROWING, err));
    talus_status status = measure_append(&timed, block, true, run->measures->now->time, err);
    if (status >= 0) {
        if (first)
            talus_table_print(&timed, file->stream);
        else
            table_print_rows(&timed, file->stream);
        status = file_flush(file, err);
    }
    talus_table_free(&timed);
    return status;
}

static talus_status take_all(struct run *run, talus_error *err) {
    double *value = run->measures->values;
    for (size_t k = 0; k < run->measures->count; k++) {
        talus_table table;
        talus_status status = TALUS_OK;
        TALUS_TRY(take_one(run, k, &table, err));
        if (measure_is_one_row(&measure_of(run, k)->values)) {
            memcpy(value, table.values, table.column_count * sizeof *value);
            value += table.column_count;
        } else {
            status = write_block(run, k, &table, err);
        }
        talus_table_free(&table);
        if (status < 0) return status;
    }
    return TALUS_OK;
}

talus_status run_measures_take(struct run *run, bool regular, talus_error *err) {
    struct run_measures *measures = run->measures;
    if (measures == NULL) return TALUS_OK;
    TALUS_TRY(snapshot_from_sim(measures->now, &measures->live, run->result->sim, err));
    TALUS_TRY(take_all(run, err));
    if (!regular || !measures->compares) return TALUS_OK;
    struct snapshot *old = measures->before;
    measures->before = measures->now;
    measures->now = old;
    measures->has_before = true;
    return TALUS_OK;
}

bool run_measures_sync(struct run *run) {
    struct run_measures *measures = run->measures;
    bool well = true;
    for (size_t k = 0; measures != NULL && k < measures->count; k++) {
        if (measures->files[k].stream == NULL) continue;
        measures->bytes[k] = file_sync(&measures->files[k]);
        well = well && measures->bytes[k] >= 0;
    }
    return well;
}

talus_status run_measures_finish(struct run *run, talus_error *err) {
    struct run_measures *measures = run->measures;
    for (size_t k = 0; measures != NULL && k < measures->count; k++)
        if (measures->files[k].stream != NULL) TALUS_TRY(file_close(&measures->files[k], err));
    return TALUS_OK;
}

/* ---- restart --------------------------------------------------------------------------------- */

/* Of the state before, only what the next row compares with: who was where. */
static void archive_before(struct run_measures *measures, struct archive *archive) {
    struct snapshot *before = measures->before;
    size_t count = measures->has_before ? before->count : 0;
    ARCHIVE(archive, "run/before", "", &measures->has_before, 1);
    ARCHIVE(archive, "run/before_count", "", &count, 1);
    if (!archive_is_well(archive) || !measures->has_before) return;
    if (archive->reading && snapshot_resize(before, count, 0, archive->err) < 0) {
        archive_fail(archive, TALUS_ERR_MEMORY, "no memory for the state before");
        return;
    }
    ARCHIVE(archive, "run/before_time", "s", &before->time, 1);
    ARCHIVE(archive, "run/before_has", "", &before->has, 1);
    ARCHIVE(archive, "run/before_id", "", before->id, count);
    ARCHIVE(archive, "run/before_position", "m", before->position, count);
    ARCHIVE(archive, "run/before_image", "", (int32_t *)before->image, 3 * count);
}

void run_measures_archive(struct run *run, struct archive *archive) {
    struct run_measures *measures = run->measures;
    if (measures == NULL) return;
    ARCHIVE(archive, "run/measure_bytes", "", measures->bytes, measures->count);
    if (measures->compares) archive_before(measures, archive);
}
