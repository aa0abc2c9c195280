/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of numbers: what a measure finds, what series.tsv holds, what a figure is drawn from. As a file: lines of notes
 * beginning with '#', a line of names with units, `time[s]`, then rows of numbers, all parted by tabs.
 */
#ifndef TALUS_TABLE_H
#define TALUS_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include "talus/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TALUS_COLUMN_NAME = 112, TALUS_COLUMN_UNIT = 24, TALUS_TABLE_NOTES = 2048 };

typedef struct talus_column {
    char name[TALUS_COLUMN_NAME];
    char unit[TALUS_COLUMN_UNIT]; /* "" = a pure number */
} talus_column;

/* Zero it before the first use; free it after the last. */
typedef struct talus_table {
    char notes[TALUS_TABLE_NOTES]; /* lines: what it is and how it was made; may be empty */
    size_t column_count, row_count;
    talus_column *columns;
    double *values; /* row after row */
    size_t column_capacity, value_capacity;
} talus_table;

/* Columns come before rows. Names hold no tab, line break or '['. */
talus_status talus_table_add_column(talus_table *table, const char *name, const char *unit,
                                    talus_error *err);
/* `values`: one for each column. */
talus_status talus_table_add_row(talus_table *table, const double *values, talus_error *err);
/* A line more of notes; what does not fit is cut off. */
void talus_table_note(talus_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void talus_table_free(talus_table *table);

/* The number of a column, by its name without unit; column_count if there is none. */
size_t talus_table_find(const talus_table *table, const char *name);
static inline double talus_table_at(const talus_table *table, size_t row, size_t column) {
    return table->values[row * table->column_count + column];
}

/* A row that is not complete yet, at the end of a file that is being written, is left out. `out` is zeroed first. */
talus_status talus_table_read(const char *path, talus_table *out, talus_error *err);
/* Numbers with as many digits as give back the same double. */
talus_status talus_table_write(const talus_table *table, const char *path, talus_error *err);
/* The same text. */
void talus_table_print(const talus_table *table, FILE *to);

#ifdef __cplusplus
}
#endif
#endif
