/* SPDX-License-Identifier: Apache-2.0
 * Matrices of FCLIB files: triplets, compressed columns or compressed rows, checked before they are used. */
#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "io/fclib_reader.h"

struct raw_matrix { /* as in the file */
    int64_t m, n, nz, nzmax;
    int64_t *p, *i;
    double *x;
    size_t p_count, i_count, x_count;
};

static talus_status read_raw(struct fclib_reader *reader, const char *matrix,
                             struct raw_matrix *raw) {
    struct memory *memory = &reader->to->memory;
    char path[FCLIB_NAME];
    struct {
        const char *name;
        int64_t *to;
    } numbers[] = {{"m", &raw->m}, {"n", &raw->n}, {"nz", &raw->nz}, {"nzmax", &raw->nzmax}};
    for (size_t k = 0; k < 4; k++) {
        snprintf(path, FCLIB_NAME, "%s/%s/%s", reader->group, matrix, numbers[k].name);
        TALUS_TRY(hdf5_read_integer(&reader->file, path, numbers[k].to, reader->err));
    }
    snprintf(path, FCLIB_NAME, "%s/%s/p", reader->group, matrix);
    TALUS_TRY(hdf5_read_integers(&reader->file, path, memory, &raw->p, &raw->p_count, reader->err));
    snprintf(path, FCLIB_NAME, "%s/%s/i", reader->group, matrix);
    TALUS_TRY(hdf5_read_integers(&reader->file, path, memory, &raw->i, &raw->i_count, reader->err));
    snprintf(path, FCLIB_NAME, "%s/%s/x", reader->group, matrix);
    return hdf5_read_doubles(&reader->file, path, memory, &raw->x, &raw->x_count, reader->err);
}

static void free_raw(struct fclib_reader *reader, struct raw_matrix *raw) {
    struct memory *memory = &reader->to->memory;
    memory_free(memory, raw->p, raw->p_count, sizeof *raw->p);
    memory_free(memory, raw->i, raw->i_count, sizeof *raw->i);
    memory_free(memory, raw->x, raw->x_count, sizeof *raw->x);
}

talus_status fclib_wrong_matrix(const struct fclib_reader *reader, const char *matrix,
                                const char *what) {
    return error_set(reader->err, TALUS_ERR_INPUT, "%s: %s/%s: %s", reader->file.path,
                     reader->group, matrix, what);
}

/* How many entries there are, after the sizes of the arrays were found to be right. */
static talus_status count_entries(const struct fclib_reader *reader, const char *matrix,
                                  const struct raw_matrix *raw, size_t *count) {
    if (raw->m < 0 || raw->n < 0 || raw->m >= INT32_MAX || raw->n >= INT32_MAX)
        return fclib_wrong_matrix(reader, matrix, "m and n must be sizes from 0 to 2^31");
    if (raw->nz < -2)
        return fclib_wrong_matrix(
            reader, matrix,
            "nz must be the number of triplets, -1 (compressed columns) or -2 "
            "(compressed rows)");
    if (raw->nz >= 0) {
        *count = (size_t)raw->nz;
        if (raw->p_count < *count || raw->i_count < *count || raw->x_count < *count)
            return fclib_wrong_matrix(reader, matrix, "p, i or x holds fewer than nz entries");
        return TALUS_OK;
    }
    size_t lines = (size_t)(raw->nz == -1 ? raw->n : raw->m);
    if (raw->p_count != lines + 1)
        return fclib_wrong_matrix(reader, matrix,
                                  "p must hold one number more than there are columns "
                                  "(rows, if nz = -2)");
    if (raw->p[0] != 0) return fclib_wrong_matrix(reader, matrix, "p must begin with 0");
    for (size_t k = 0; k < lines; k++)
        if (raw->p[k + 1] < raw->p[k])
            return fclib_wrong_matrix(reader, matrix, "p must not descend");
    *count = (size_t)raw->p[lines];
    if (raw->i_count < *count || raw->x_count < *count)
        return fclib_wrong_matrix(reader, matrix, "i or x holds fewer entries than p says");
    return TALUS_OK;
}

static bool inside(int64_t index, int64_t size) {
    return index >= 0 && index < size;
}

static talus_status fill(const struct fclib_reader *reader, const char *matrix,
                         const struct raw_matrix *raw, size_t count, struct triplets *triplets) {
    size_t line = 0;
    for (size_t k = 0; k < count; k++) {
        int64_t row = raw->i[k], column = 0;
        if (raw->nz >= 0) {
            column = raw->p[k];
        } else {
            while (k >= (size_t)raw->p[line + 1]) line++;
            column = (int64_t)line;
        }
        if (raw->nz == -2) {
            row = (int64_t)line;
            column = raw->i[k];
        }
        if (!inside(row, raw->m) || !inside(column, raw->n))
            return error_set(reader->err, TALUS_ERR_INPUT,
                             "%s: %s/%s: entry %zu stands at (%" PRId64 ", %" PRId64
                             "), outside of %" PRId64 " x %" PRId64,
                             reader->file.path, reader->group, matrix, k, row, column, raw->m,
                             raw->n);
        if (!isfinite(raw->x[k]))
            return error_set(reader->err, TALUS_ERR_INPUT,
                             "%s: %s/%s: entry %zu is not a finite number", reader->file.path,
                             reader->group, matrix, k);
        triplets_add(triplets, (size_t)row, (size_t)column, raw->x[k]);
    }
    return TALUS_OK;
}

talus_status fclib_read_triplets(struct fclib_reader *reader, const char *matrix,
                                 struct triplets *triplets) {
    struct raw_matrix raw = {0};
    size_t count = 0;
    talus_status status = read_raw(reader, matrix, &raw);
    if (status >= 0) status = count_entries(reader, matrix, &raw, &count);
    if (status >= 0 &&
        !triplets_make(triplets, &reader->to->memory, (size_t)raw.m, (size_t)raw.n, count))
        status = error_memory(reader->err);
    if (status >= 0) status = fill(reader, matrix, &raw, count, triplets);
    free_raw(reader, &raw);
    return status;
}

talus_status fclib_read_matrix(struct fclib_reader *reader, const char *matrix, size_t rows,
                               size_t columns, struct sparse *out) {
    struct triplets triplets = {0};
    talus_status status = fclib_read_triplets(reader, matrix, &triplets);
    if (status >= 0 && ((rows != SIZE_MAX && triplets.rows != rows) ||
                        (columns != SIZE_MAX && triplets.columns != columns)))
        status = error_set(reader->err, TALUS_ERR_INPUT,
                           "%s: %s/%s is %zu x %zu, must have %zu columns and as many rows as the "
                           "vectors say",
                           reader->file.path, reader->group, matrix, triplets.rows,
                           triplets.columns, columns);
    if (status >= 0 && !sparse_make(out, &reader->to->memory, &triplets))
        status = error_memory(reader->err);
    triplets_free(&triplets, &reader->to->memory);
    return status;
}
