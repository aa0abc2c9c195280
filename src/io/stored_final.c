/* SPDX-License-Identifier: Apache-2.0
 *
 * final.txt and final_contacts.txt as a frame, so that runs without frames can be exported too. What these files do not
 * tell is not in it: masses, materials, groups; the cell has to be asked for.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/stored.h"

enum { LINE = 4096, WALLS = 1024, COLUMNS = 19 };

struct table {
    FILE *from;
    char path[FILE_PATH];
    char line[LINE];
    size_t rows;
    int64_t walls[WALLS]; /* gids that the head calls boundaries */
    size_t wall_count;
    double time;
    long long step;
    double lag;             /* s, of contact points */
    bool has_cell, has_lag; /* files of earlier versions do not tell them */
    double periodic[3], origin[3], size[3];
};

static talus_status damaged(const struct table *table, talus_error *err) {
    return error_set(err, TALUS_ERR_INPUT, "%s: is not as talus writes it, at \"%.60s\"",
                     table->path, table->line);
}

static void read_head(struct table *table) {
    long long gid;
    if (sscanf(table->line, "# boundary %lld", &gid) == 1 && table->wall_count < WALLS)
        table->walls[table->wall_count++] = gid;
    (void)sscanf(table->line, "# time %lf s, step %lld", &table->time, &table->step);
    if (sscanf(table->line, "# contact_lag %lf", &table->lag) == 1) table->has_lag = true;
    double *p = table->periodic, *o = table->origin, *s = table->size;
    if (sscanf(table->line, "# cell periodic %lf %lf %lf origin %lf %lf %lf size %lf %lf %lf",
               &p[0], &p[1], &p[2], &o[0], &o[1], &o[2], &s[0], &s[1], &s[2]) == 9)
        table->has_cell = true;
}

/* Reads the head and counts the rows, then goes back. */
static talus_status open_table(struct table *table, const char *directory, const char *name,
                               talus_error *err) {
    TALUS_TRY(file_path(table->path, directory, name, err));
    table->from = file_read(table->path, err);
    if (table->from == NULL) return TALUS_ERR_FILE;
    table->rows = 0;
    while (fgets(table->line, LINE, table->from) != NULL) {
        if (table->line[0] == '#')
            read_head(table);
        else
            table->rows++;
    }
    rewind(table->from);
    return TALUS_OK;
}

/* The next row with at least so many numbers. */
static bool next_row(struct table *table, double *values, int count) {
    do {
        if (fgets(table->line, LINE, table->from) == NULL) return false;
    } while (table->line[0] == '#');
    char *at = table->line, *end;
    for (int k = 0; k < count; k++, at = end) {
        values[k] = strtod(at, &end);
        if (end == at) return false;
    }
    return true;
}

/* An array of a block, and the columns of the table it is made of. */
struct column {
    const char *name;
    enum frame_type type;
    int components, first;
};

static const struct column grain_columns[] = {{"id", FRAME_INT64, 1, 0},
                                              {"radius", FRAME_FLOAT64, 1, 4},
                                              {"v", FRAME_FLOAT64, 3, 5},
                                              {"omega", FRAME_FLOAT64, 3, 8},
                                              {"orientation", FRAME_FLOAT64, 4, 11}};
static const struct column contact_columns[] = {
    {"id1", FRAME_INT64, 1, 0},       {"id2", FRAME_INT64, 1, 1},
    {"point", FRAME_FLOAT64, 3, 5},   {"normal", FRAME_FLOAT64, 3, 2},
    {"force", FRAME_FLOAT64, 3, 8},   {"gap", FRAME_FLOAT64, 1, 14},
    {"sliding", FRAME_INT32, 1, 17},  {"bonded", FRAME_INT32, 1, 18},
    {"torque", FRAME_FLOAT64, 3, 11}, {"mu", FRAME_FLOAT64, 1, 15},
    {"tension", FRAME_FLOAT64, 1, 16}};
enum {
    GRAIN_COLUMNS = sizeof grain_columns / sizeof grain_columns[0],
    CONTACT_COLUMNS = sizeof contact_columns / sizeof contact_columns[0]
};

static talus_status add_arrays(struct frame *frame, struct frame_block *block,
                               const struct column *columns, int count, size_t rows,
                               talus_error *err) {
    for (int c = 0; c < count; c++) {
        struct frame_shape_of shape = {columns[c].name, columns[c].type, columns[c].components,
                                       rows};
        if (frame_add_data(block, &frame->memory, shape, err) == NULL) return TALUS_ERR_MEMORY;
    }
    return TALUS_OK;
}

static void put_row(struct frame_block *block, const struct column *columns, size_t row,
                    const double *values) {
    for (size_t d = 0; d < block->data_count; d++) {
        struct frame_array *array = &block->data[d];
        for (int k = 0; k < array->components; k++) {
            double value = values[columns[d].first + k];
            if (array->type == FRAME_INT64)
                ((int64_t *)array->values)[row] = (int64_t)value;
            else if (array->type == FRAME_INT32)
                ((int32_t *)array->values)[row] = (int32_t)value;
            else
                frame_set_real(array, row, k, value);
        }
    }
}

/* ---- grains ---------------------------------------------------------------------------------- */

static talus_status read_grains(struct frame *frame, struct table *table, talus_error *err) {
    struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    size_t n = table->rows;
    double values[COLUMNS];
    TALUS_TRY(frame_block_size(block, &frame->memory, FRAME_VERTICES, FRAME_FLOAT64,
                               (struct frame_sizes){n, n, n}, err));
    TALUS_TRY(add_arrays(frame, block, grain_columns, GRAIN_COLUMNS, n, err));
    for (size_t i = 0; i < n; i++) {
        if (!next_row(table, values, 15)) return damaged(table, err);
        put_row(block, grain_columns, i, values);
        frame_set_vector(&block->points, i, (talus_vec3){values[1], values[2], values[3]});
        ((int64_t *)block->connectivity.values)[i] = (int64_t)i;
        ((int64_t *)block->offsets.values)[i] = (int64_t)i + 1;
    }
    frame->time = table->time;
    frame->step = table->step;
    TALUS_TRY(frame_put_fact(block, &frame->memory, "TimeValue", &frame->time, 1, err));
    TALUS_TRY(frame_put_count(block, &frame->memory, "step", frame->step, err));
    return frame_put_count(block, &frame->memory, "dimension", frame->dim, err);
}

/* ---- contacts -------------------------------------------------------------------------------- */

static bool is_wall(const struct table *table, double gid) {
    for (size_t w = 0; w < table->wall_count; w++)
        if (table->walls[w] == (int64_t)gid) return true;
    return false;
}

/* Columns of the text: a b normal point force torque gap mu tension sliding bonded. The grain comes first. */
static bool is_kept(const struct table *grains, double *values, enum frame_kind kind) {
    if (is_wall(grains, values[0])) {
        double a = values[0];
        values[0] = values[1];
        values[1] = a;
        for (int k = 0; k < 3; k++) {
            values[2 + k] = 0.0 - values[2 + k];
            values[8 + k] = 0.0 - values[8 + k];
            values[11 + k] = 0.0 - values[11 + k];
        }
    }
    bool idle = values[14] > 0.0 && values[18] == 0.0;
    for (int k = 8; k < 14; k++) idle = idle && values[k] == 0.0;
    return !idle && is_wall(grains, values[1]) == (kind == FRAME_WALL_CONTACTS);
}

/* Lines from the first grain to the contact point: where the second one is, is not looked up. */
static talus_status read_contacts(struct frame *frame, enum frame_kind kind,
                                  const struct table *grains, struct table *table,
                                  talus_error *err) {
    struct frame_block *block = &frame->blocks[kind];
    size_t n = 0;
    double values[COLUMNS];
    for (size_t i = 0; i < table->rows; i++) {
        if (!next_row(table, values, COLUMNS)) return damaged(table, err);
        n += is_kept(grains, values, kind);
    }
    rewind(table->from);
    TALUS_TRY(frame_block_size(block, &frame->memory, FRAME_LINES, FRAME_FLOAT64,
                               (struct frame_sizes){2 * n, n, 2 * n}, err));
    TALUS_TRY(add_arrays(frame, block, contact_columns, CONTACT_COLUMNS, n, err));
    for (size_t i = 0; i < n && next_row(table, values, COLUMNS);) {
        if (!is_kept(grains, values, kind)) continue;
        talus_vec3 point = {values[5], values[6], values[7]};
        put_row(block, contact_columns, i, values);
        frame_set_vector(&block->points, 2 * i, point);
        frame_set_vector(
            &block->points, 2 * i + 1,
            (talus_vec3){point.x + values[2], point.y + values[3], point.z + values[4]});
        ((int64_t *)block->connectivity.values)[2 * i] = (int64_t)(2 * i);
        ((int64_t *)block->connectivity.values)[2 * i + 1] = (int64_t)(2 * i + 1);
        ((int64_t *)block->offsets.values)[i] = (int64_t)(2 * i + 2);
        i++;
    }
    rewind(table->from);
    return TALUS_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* scene.yaml says it near its start. */
static int find_dimension(const char *directory) {
    char path[FILE_PATH], line[LINE];
    int dim = 3;
    FILE *from = file_path(path, directory, "scene.yaml", NULL) < 0 ? NULL : file_read(path, NULL);
    if (from == NULL) return dim;
    while (fgets(line, LINE, from) != NULL)
        if (sscanf(line, "dimension: %d", &dim) == 1) break;
    fclose(from);
    return dim;
}

static talus_status read_tables(struct frame *frame, const char *directory, struct table *grains,
                                struct table *contacts, talus_error *err) {
    TALUS_TRY(open_table(grains, directory, "final.txt", err));
    TALUS_TRY(open_table(contacts, directory, "final_contacts.txt", err));
    TALUS_TRY(read_grains(frame, grains, err));
    if (contacts->has_lag)
        TALUS_TRY(frame_put_fact(&frame->blocks[FRAME_PARTICLES], &frame->memory, "contact_lag",
                                 &contacts->lag, 1, err));
    TALUS_TRY(read_contacts(frame, FRAME_CONTACTS, grains, contacts, err));
    return read_contacts(frame, FRAME_WALL_CONTACTS, grains, contacts, err);
}

talus_status stored_read_final(struct frame *frame, const char *directory, talus_error *err) {
    struct table grains = {.from = NULL}, contacts = {.from = NULL};
    frame_clear(frame);
    frame->dim = find_dimension(directory);
    talus_status status = read_tables(frame, directory, &grains, &contacts, err);
    if (grains.from != NULL) fclose(grains.from);
    if (contacts.from != NULL) fclose(contacts.from);
    return status;
}

talus_status stored_add_final_cell(struct frame *frame, const char *directory, talus_error *err) {
    struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    struct table grains = {.from = NULL};
    TALUS_TRY(open_table(&grains, directory, "final.txt", err));
    fclose(grains.from);
    if (!grains.has_cell) return TALUS_OK;
    TALUS_TRY(frame_put_fact(block, &frame->memory, "cell_periodic", grains.periodic, 3, err));
    TALUS_TRY(frame_put_fact(block, &frame->memory, "cell_origin", grains.origin, 3, err));
    return frame_put_fact(block, &frame->memory, "cell_size", grains.size, 3, err);
}
