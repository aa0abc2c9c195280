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

static talus_status make_left_out(struct run *run, talus_error *err) {
    talus_result *result = run->result;
    size_t count = run->measures->count;
    result->left_out = memory_resize(&result->memory, NULL, 0, count, sizeof *result->left_out);
    if (result->left_out == NULL) return error_memory(err);
    result->measure_count = count;
    for (size_t k = 0; k < count; k++)
        snprintf(result->left_out[k].label, RUN_NAME, "%.63s", measure_of(run, k)->label);
    return TALUS_OK;
}

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
    measures->widths = memory_resize(&measures->memory, NULL, 0, count, sizeof *measures->widths);
    if (measures->files == NULL || measures->bytes == NULL || measures->widths == NULL)
        return error_memory(err);
    return make_left_out(run, err);
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
    memory_free(&measures->memory, measures->widths, measures->count, sizeof *measures->widths);
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
                                  .memory = &measures->memory,
                                  .running = true};
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
        measures->widths[k] = table.column_count;
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
        if (run->measures->bytes[k] == 0) continue; /* there was no row of it yet */
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

/* Its values, or nan if they are missing; returns their end. */
static double *put_values(const struct run *run, size_t k, const talus_table *table,
                          double *value) {
    size_t count = run->measures->widths[k];
    for (size_t c = 0; c < count; c++) value[c] = table != NULL ? table->values[c] : MEASURE_NONE;
    return value + count;
}

/* Its values go into the row, or a block into its table. */
static talus_status keep_table(struct run *run, size_t k, const talus_table *table, double **value,
                               talus_error *err) {
    if (!measure_is_one_row(&measure_of(run, k)->values)) return write_block(run, k, table, err);
    *value = put_values(run, k, table, *value);
    return TALUS_OK;
}

/* A measure that cannot be made is no reason to end a run that goes well: its row is left out, and that is told. Only a file
 * that cannot be written ends it, as everywhere. `why`: of an earlier failure, then there is nothing to look at. */
static talus_status take_all(struct run *run, talus_error *why) {
    double *value = run->measures->values;
    bool seen = why->status >= 0;
    for (size_t k = 0; k < run->measures->count; k++) {
        talus_table table;
        talus_status status = seen ? take_one(run, k, &table, why) : why->status;
        if (status >= 0) {
            status = keep_table(run, k, &table, &value, why);
            talus_table_free(&table);
        } else if (measure_is_one_row(&measure_of(run, k)->values)) {
            value = put_values(run, k, NULL, value);
        }
        if (status == TALUS_ERR_FILE) return status;
        if (status < 0) run_warn_left_out(run, k, why);
    }
    return TALUS_OK;
}

talus_status run_measures_take(struct run *run, bool regular, talus_error *err) {
    struct run_measures *measures = run->measures;
    talus_error why = {.status = TALUS_OK};
    if (measures == NULL) return TALUS_OK;
    bool seen = snapshot_from_sim(measures->now, &measures->live, run->result->sim, &why) >= 0;
    if (take_all(run, &why) < 0) return error_set(err, why.status, "%s", why.text);
    if (!regular || !measures->compares || !seen) return TALUS_OK;
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
    ARCHIVE(archive, "run/measure_left_out", "", run->result->left_out, measures->count);
    if (measures->compares) archive_before(measures, archive);
}
