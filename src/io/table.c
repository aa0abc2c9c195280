/* SPDX-License-Identifier: Apache-2.0 */
#include "io/table.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/number.h"

/* Tables stand alone, so there is no simulation whose heap they would count with. */
static struct memory no_account(void) {
    struct memory memory = {0};
    return memory;
}

/* ---- making one ------------------------------------------------------------------------------ */

talus_status talus_table_add_column(talus_table *table, const char *name, const char *unit,
                                    talus_error *err) {
    if (strpbrk(name, "[\t\r\n") != NULL || strlen(name) >= TALUS_COLUMN_NAME ||
        strlen(unit) >= TALUS_COLUMN_UNIT)
        return error_set(err, TALUS_ERR_INPUT, "'%.200s' cannot be the name of a column", name);
    struct memory memory = no_account();
    talus_column *columns = (talus_column *)memory_reserve(
        &memory, table->columns, &table->column_capacity, table->column_count + 1, sizeof *columns);
    if (columns == NULL) return error_memory(err);
    table->columns = columns;
    talus_column *column = &columns[table->column_count++];
    strcpy(column->name, name);
    strcpy(column->unit, unit);
    return TALUS_OK;
}

talus_status talus_table_add_row(talus_table *table, const double *values, talus_error *err) {
    struct memory memory = no_account();
    size_t filled = table->row_count * table->column_count;
    double *room = (double *)memory_reserve(&memory, table->values, &table->value_capacity,
                                            filled + table->column_count, sizeof *room);
    if (room == NULL) return error_memory(err);
    table->values = room;
    memcpy(room + filled, values, table->column_count * sizeof *values);
    table->row_count++;
    return TALUS_OK;
}

void talus_table_note(talus_table *table, const char *format, ...) {
    size_t used = strlen(table->notes);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(table->notes + used, TALUS_TABLE_NOTES - used, format, arguments);
    va_end(arguments);
    used = strlen(table->notes);
    if (used + 1 < TALUS_TABLE_NOTES) strcpy(table->notes + used, "\n");
}

void talus_table_free(talus_table *table) {
    struct memory memory = no_account();
    memory_free(&memory, table->columns, table->column_capacity, sizeof *table->columns);
    memory_free(&memory, table->values, table->value_capacity, sizeof *table->values);
    memset(table, 0, sizeof *table);
}

size_t talus_table_find(const talus_table *table, const char *name) {
    size_t column = 0;
    while (column < table->column_count && strcmp(table->columns[column].name, name) != 0) column++;
    return column;
}

/* ---- as a file ------------------------------------------------------------------------------- */

/* A file in the memory, with an end of string behind it. */
struct text {
    char *bytes;
    size_t size, capacity;
};

static talus_status read_all(const char *path, struct text *text, talus_error *err) {
    FILE *from = file_read(path, err);
    if (from == NULL) return TALUS_ERR_FILE;
    struct memory memory = no_account();
    talus_status status = TALUS_OK;
    for (;;) {
        char *bytes = (char *)memory_reserve(&memory, text->bytes, &text->capacity,
                                             text->size + (size_t)BUFSIZ + 1, 1);
        if (bytes == NULL) {
            status = error_memory(err);
            break;
        }
        text->bytes = bytes;
        size_t got = fread(bytes + text->size, 1, text->capacity - text->size - 1, from);
        text->size += got;
        bytes[text->size] = '\0';
        if (got == 0) break;
    }
    if (status == TALUS_OK && ferror(from))
        status = error_set(err, TALUS_ERR_FILE, "%s: cannot be read", path);
    fclose(from);
    return status;
}

/* The next line without its end; NULL if there is no complete one. */
static char *next_line(char **at) {
    char *line = *at, *end = strchr(line, '\n');
    if (end == NULL) return NULL;
    *end = '\0';
    *at = end + 1;
    if (end > line && end[-1] == '\r') end[-1] = '\0';
    return line;
}

/* "name[unit]" up to a tab. */
static talus_status read_heading(const char *path, char *heading, talus_table *table,
                                 talus_error *err) {
    char *open = strchr(heading, '['), *close = strrchr(heading, ']');
    char *unit = heading + strlen(heading);
    if (open != NULL && (close == NULL || close < open || close[1] != '\0'))
        return error_set(err, TALUS_ERR_INPUT, "%s: '%.100s' is no name[unit]", path, heading);
    if (open != NULL) {
        *open = *close = '\0';
        unit = open + 1;
    }
    if (talus_table_add_column(table, heading, unit, NULL) < 0)
        return error_set(err, TALUS_ERR_INPUT, "%s: '%.100s' is no name of a column", path,
                         heading);
    return TALUS_OK;
}

static talus_status read_headings(const char *path, char *line, talus_table *table,
                                  talus_error *err) {
    for (char *heading = line, *tab; heading != NULL; heading = tab) {
        tab = strchr(heading, '\t');
        if (tab != NULL) *tab++ = '\0';
        TALUS_TRY(read_heading(path, heading, table, err));
    }
    return TALUS_OK;
}

static talus_status read_row(const char *path, size_t number, char *line, double *row,
                             talus_table *table, talus_error *err) {
    char *at = line;
    for (size_t k = 0; k < table->column_count; k++) {
        char *end;
        row[k] = strtod(at, &end);
        char wanted = k + 1 < table->column_count ? '\t' : '\0';
        if (end == at || *end != wanted)
            return error_set(err, TALUS_ERR_INPUT,
                             "%s:%zu: column '%s' is no number, or the row has not %zu of them",
                             path, number, table->columns[k].name, table->column_count);
        at = end + 1;
    }
    return talus_table_add_row(table, row, err);
}

static talus_status read_lines(const char *path, char *text, talus_table *table, double **row,
                               struct memory *memory, talus_error *err) {
    size_t number = 0;
    for (char *line; (line = next_line(&text)) != NULL;) {
        number++;
        if (line[0] == '#') {
            talus_table_note(table, "%s", line + 1 + (line[1] == ' '));
        } else if (*row == NULL) {
            TALUS_TRY(read_headings(path, line, table, err));
            *row = (double *)memory_resize(memory, NULL, 0, table->column_count, sizeof **row);
            if (*row == NULL) return error_memory(err);
        } else {
            TALUS_TRY(read_row(path, number, line, *row, table, err));
        }
    }
    if (*row == NULL)
        return error_set(err, TALUS_ERR_INPUT, "%s: there is no line of column names", path);
    return TALUS_OK;
}

talus_status talus_table_read(const char *path, talus_table *out, talus_error *err) {
    memset(out, 0, sizeof *out);
    struct text text = {0};
    struct memory memory = no_account();
    double *row = NULL;
    talus_status status = read_all(path, &text, err);
    if (status == TALUS_OK && strlen(text.bytes) < text.size)
        status = error_set(err, TALUS_ERR_INPUT, "%s: is no text", path);
    if (status == TALUS_OK) status = read_lines(path, text.bytes, out, &row, &memory, err);
    memory_free(&memory, row, out->column_count, sizeof *row);
    memory_free(&memory, text.bytes, text.capacity, 1);
    if (status < 0) talus_table_free(out);
    return status;
}

static void write_notes(FILE *to, const char *notes) {
    while (*notes != '\0') {
        int length = (int)strcspn(notes, "\n");
        fprintf(to, "# %.*s\n", length, notes);
        notes += length + (notes[length] == '\n');
    }
}

static void write_headings(FILE *to, const talus_table *table) {
    for (size_t k = 0; k < table->column_count; k++) {
        const talus_column *column = &table->columns[k];
        fprintf(to, "%s%s", k > 0 ? "\t" : "", column->name);
        if (column->unit[0] != '\0') fprintf(to, "[%s]", column->unit);
    }
    fputc('\n', to);
}

void table_print_rows(const talus_table *table, FILE *to) {
    char text[NUMBER_TEXT];
    for (size_t row = 0; row < table->row_count; row++)
        for (size_t k = 0; k < table->column_count; k++)
            fprintf(to, "%s%c", number_text(talus_table_at(table, row, k), text),
                    k + 1 < table->column_count ? '\t' : '\n');
}

void talus_table_print(const talus_table *table, FILE *to) {
    write_notes(to, table->notes);
    write_headings(to, table);
    table_print_rows(table, to);
}

talus_status talus_table_write(const talus_table *table, const char *path, talus_error *err) {
    const char *slash = strrchr(path, '/');
    char directory[FILE_PATH] = ".";
    if (slash != NULL)
        snprintf(directory, sizeof directory, "%.*s", slash == path ? 1 : (int)(slash - path),
                 path);
    struct file file = {0};
    TALUS_TRY(file_open(&file, directory, slash == NULL ? path : slash + 1, FILE_WHOLE, err));
    talus_table_print(table, file.stream);
    return file_close(&file, err);
}
