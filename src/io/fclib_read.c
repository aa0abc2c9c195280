/* SPDX-License-Identifier: Apache-2.0
 * Reading FCLIB files. Everything in them is checked before it is used. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "io/fclib.h"

struct reader {
    struct hdf5_file file;
    struct fclib *to;
    const char *group; /* fclib_local or fclib_global */
    talus_error *err;
};

enum { NAME = 128 };

static void name_in(const struct reader *reader, const char *name, char out[NAME]) {
    snprintf(out, NAME, "%s/%s", reader->group, name);
}

static talus_status wrong(const struct reader *reader, const char *name, const char *what) {
    return error_set(reader->err, TALUS_ERR_INPUT, "%s: %s/%s %s", reader->file.path, reader->group,
                     name, what);
}

/* ---- vectors --------------------------------------------------------------------------------- */

static talus_status read_vector(struct reader *reader, const char *name, size_t wanted,
                                double **out) {
    char path[NAME];
    size_t count = 0;
    name_in(reader, name, path);
    struct memory *memory = &reader->to->memory;
    talus_status status = hdf5_read_doubles(&reader->file, path, memory, out, &count, reader->err);
    if (status >= 0 && wanted != SIZE_MAX && count != wanted)
        status = error_set(reader->err, TALUS_ERR_INPUT, "%s: %s holds %zu numbers, must be %zu",
                           reader->file.path, path, count, wanted);
    for (size_t k = 0; status >= 0 && k < count; k++)
        if (!isfinite((*out)[k]))
            status = error_set(reader->err, TALUS_ERR_INPUT, "%s: %s[%zu] is not a finite number",
                               reader->file.path, path, k);
    if (status >= 0) return status;
    memory_free(memory, *out, count, sizeof **out);
    *out = NULL;
    return status;
}

static talus_status read_mu(struct reader *reader, double **mu, size_t *count) {
    char path[NAME];
    hid_t set;
    name_in(reader, "vectors/mu", path);
    /* Its length is the number of contacts. */
    if (!hdf5_has(&reader->file, path)) return wrong(reader, "vectors/mu", "is missing");
    set = H5Dopen2(reader->file.id, path, H5P_DEFAULT);
    if (set < 0) return wrong(reader, "vectors/mu", "must be a data set");
    hid_t space = H5Dget_space(set);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Dclose(set);
    if (points < 0 || points > INT32_MAX / 8)
        return wrong(reader, "vectors/mu", "has a size that makes no sense");
    *count = (size_t)points;
    TALUS_TRY(read_vector(reader, "vectors/mu", *count, mu));
    for (size_t k = 0; k < *count; k++)
        if ((*mu)[k] < 0.0)
            return error_set(reader->err, TALUS_ERR_INPUT, "%s: %s[%zu] = %g, must be 0 or more",
                             reader->file.path, path, k, (*mu)[k]);
    return TALUS_OK;
}

/* ---- matrices -------------------------------------------------------------------------------- */

struct raw_matrix { /* as in the file */
    int64_t m, n, nz, nzmax;
    int64_t *p, *i;
    double *x;
    size_t p_count, i_count, x_count;
};

static talus_status read_raw(struct reader *reader, const char *matrix, struct raw_matrix *raw) {
    struct memory *memory = &reader->to->memory;
    char path[NAME];
    struct {
        const char *name;
        int64_t *to;
    } numbers[] = {{"m", &raw->m}, {"n", &raw->n}, {"nz", &raw->nz}, {"nzmax", &raw->nzmax}};
    for (size_t k = 0; k < 4; k++) {
        snprintf(path, NAME, "%s/%s/%s", reader->group, matrix, numbers[k].name);
        TALUS_TRY(hdf5_read_integer(&reader->file, path, numbers[k].to, reader->err));
    }
    snprintf(path, NAME, "%s/%s/p", reader->group, matrix);
    TALUS_TRY(hdf5_read_integers(&reader->file, path, memory, &raw->p, &raw->p_count, reader->err));
    snprintf(path, NAME, "%s/%s/i", reader->group, matrix);
    TALUS_TRY(hdf5_read_integers(&reader->file, path, memory, &raw->i, &raw->i_count, reader->err));
    snprintf(path, NAME, "%s/%s/x", reader->group, matrix);
    return hdf5_read_doubles(&reader->file, path, memory, &raw->x, &raw->x_count, reader->err);
}

static void free_raw(struct reader *reader, struct raw_matrix *raw) {
    struct memory *memory = &reader->to->memory;
    memory_free(memory, raw->p, raw->p_count, sizeof *raw->p);
    memory_free(memory, raw->i, raw->i_count, sizeof *raw->i);
    memory_free(memory, raw->x, raw->x_count, sizeof *raw->x);
}

static talus_status wrong_matrix(const struct reader *reader, const char *matrix,
                                 const char *what) {
    return error_set(reader->err, TALUS_ERR_INPUT, "%s: %s/%s: %s", reader->file.path,
                     reader->group, matrix, what);
}

/* How many entries there are, after the sizes of the arrays were found to be right. */
static talus_status count_entries(const struct reader *reader, const char *matrix,
                                  const struct raw_matrix *raw, size_t *count) {
    if (raw->m < 0 || raw->n < 0 || raw->m >= INT32_MAX || raw->n >= INT32_MAX)
        return wrong_matrix(reader, matrix, "m and n must be sizes from 0 to 2^31");
    if (raw->nz < -2)
        return wrong_matrix(reader, matrix,
                            "nz must be the number of triplets, -1 (compressed columns) or -2 "
                            "(compressed rows)");
    if (raw->nz >= 0) {
        *count = (size_t)raw->nz;
        if (raw->p_count < *count || raw->i_count < *count || raw->x_count < *count)
            return wrong_matrix(reader, matrix, "p, i or x holds fewer than nz entries");
        return TALUS_OK;
    }
    size_t lines = (size_t)(raw->nz == -1 ? raw->n : raw->m);
    if (raw->p_count != lines + 1)
        return wrong_matrix(reader, matrix,
                            "p must hold one number more than there are columns "
                            "(rows, if nz = -2)");
    if (raw->p[0] != 0) return wrong_matrix(reader, matrix, "p must begin with 0");
    for (size_t k = 0; k < lines; k++)
        if (raw->p[k + 1] < raw->p[k]) return wrong_matrix(reader, matrix, "p must not descend");
    *count = (size_t)raw->p[lines];
    if (raw->i_count < *count || raw->x_count < *count)
        return wrong_matrix(reader, matrix, "i or x holds fewer entries than p says");
    return TALUS_OK;
}

static bool inside(int64_t index, int64_t size) {
    return index >= 0 && index < size;
}

static talus_status fill(const struct reader *reader, const char *matrix,
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

static talus_status read_triplets(struct reader *reader, const char *matrix,
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

/* A matrix of the size it must have. */
static talus_status read_matrix(struct reader *reader, const char *matrix, size_t rows,
                                size_t columns, struct sparse *out) {
    struct triplets triplets = {0};
    talus_status status = read_triplets(reader, matrix, &triplets);
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

/* ---- the two forms --------------------------------------------------------------------------- */

static talus_status read_dimension(struct reader *reader, int *dim) {
    int64_t value = 0;
    char path[NAME];
    name_in(reader, "spacedim", path);
    TALUS_TRY(hdf5_read_integer(&reader->file, path, &value, reader->err));
    if (value != 2 && value != 3)
        return error_set(reader->err, TALUS_ERR_INPUT, "%s: %s = %" PRId64 ", must be 2 or 3",
                         reader->file.path, path, value);
    *dim = (int)value;
    return TALUS_OK;
}

static talus_status read_local(struct reader *reader, int dim, size_t count, const double *mu) {
    struct memory *memory = &reader->to->memory;
    size_t size = (size_t)dim * count;
    double *q = NULL;
    struct sparse w = {0};
    if (hdf5_has(&reader->file, "fclib_local/V") || hdf5_has(&reader->file, "fclib_local/R"))
        return wrong(reader, "V and R",
                     "are equality constraints, which are supported in global problems only");
    talus_status status = read_vector(reader, "vectors/q", size, &q);
    if (status >= 0) status = read_matrix(reader, "W", size, size, &w);
    if (status >= 0 && !delassus_make(&reader->to->problem, memory, dim, count, &w, q, mu))
        status = error_memory(reader->err);
    sparse_free(&w, memory);
    memory_free(memory, q, size, sizeof *q);
    return status;
}

/* M, with G and its transpose beside it if there are constraints. */
static talus_status read_mass(struct reader *reader, struct fclib_bodies *bodies) {
    struct memory *memory = &reader->to->memory;
    struct triplets m = {0}, g = {0}, all = {0};
    bool constrained = hdf5_has(&reader->file, "fclib_global/G");
    talus_status status = read_triplets(reader, "M", &m);
    if (status >= 0 && m.rows != m.columns) status = wrong_matrix(reader, "M", "must be square");
    if (status >= 0 && constrained) status = read_triplets(reader, "G", &g);
    if (status >= 0 && constrained && g.rows != m.rows)
        status = wrong_matrix(reader, "G", "must have as many rows as M");
    bodies->freedoms = m.rows;
    bodies->equations = g.columns;
    size_t size = m.rows + g.columns;
    if (status >= 0 && !triplets_make(&all, memory, size, size, m.count + 2 * g.count))
        status = error_memory(reader->err);
    for (size_t k = 0; status >= 0 && k < m.count; k++)
        triplets_add(&all, (size_t)m.row[k], (size_t)m.column[k], m.value[k]);
    for (size_t k = 0; status >= 0 && k < g.count; k++) {
        triplets_add(&all, (size_t)g.row[k], m.rows + (size_t)g.column[k], -g.value[k]);
        triplets_add(&all, m.rows + (size_t)g.column[k], (size_t)g.row[k], g.value[k]);
    }
    if (status >= 0 && !sparse_make(&bodies->m, memory, &all)) status = error_memory(reader->err);
    triplets_free(&m, memory);
    triplets_free(&g, memory);
    triplets_free(&all, memory);
    return status;
}

/* [f; -b] */
static talus_status read_loads(struct reader *reader, struct fclib_bodies *bodies) {
    struct memory *memory = &reader->to->memory;
    double *f = NULL, *b = NULL;
    size_t size = bodies->freedoms + bodies->equations;
    talus_status status = read_vector(reader, "vectors/f", bodies->freedoms, &f);
    if (status >= 0 && bodies->equations > 0)
        status = read_vector(reader, "vectors/b", bodies->equations, &b);
    if (status >= 0) {
        bodies->f = memory_resize(memory, NULL, 0, size, sizeof *bodies->f);
        if (bodies->f == NULL) status = error_memory(reader->err);
    }
    for (size_t k = 0; status >= 0 && k < size; k++)
        bodies->f[k] = k < bodies->freedoms ? f[k] : -b[k - bodies->freedoms];
    memory_free(memory, f, bodies->freedoms, sizeof *f);
    memory_free(memory, b, bodies->equations, sizeof *b);
    return status;
}

static talus_status read_global(struct reader *reader, int dim, size_t count, const double *mu) {
    struct fclib_bodies *bodies = &reader->to->bodies;
    size_t size = (size_t)dim * count;
    bodies->present = true;
    bodies->contact_rows = size;
    TALUS_TRY(read_mass(reader, bodies));
    TALUS_TRY(read_loads(reader, bodies));
    TALUS_TRY(read_vector(reader, "vectors/w", size, &bodies->w));
    TALUS_TRY(read_matrix(reader, "H", bodies->freedoms, size, &bodies->h));
    return fclib_reduce(reader->to, reader->file.path, dim, mu, count, reader->err);
}

static talus_status choose_group(struct reader *reader) {
    static const char *const rolling[] = {"fclib_local_rolling", "fclib_global_rolling",
                                          "fclib_rolling_local", "fclib_rolling_global"};
    const struct hdf5_file *file = &reader->file;
    for (size_t k = 0; k < sizeof rolling / sizeof *rolling; k++)
        if (hdf5_has(file, rolling[k]))
            return error_set(reader->err, TALUS_ERR_INPUT,
                             "%s: %s: problems with rolling friction are not supported", file->path,
                             rolling[k]);
    reader->group = hdf5_has(file, "fclib_local")    ? "fclib_local"
                    : hdf5_has(file, "fclib_global") ? "fclib_global"
                                                     : NULL;
    if (reader->group == NULL)
        return error_set(reader->err, TALUS_ERR_INPUT,
                         "%s: holds neither fclib_local nor fclib_global: not an FCLIB file",
                         file->path);
    char path[NAME];
    name_in(reader, "vectors/mu_r", path);
    if (hdf5_has(file, path))
        return wrong(reader, "vectors/mu_r", "is rolling friction, which is not supported");
    return TALUS_OK;
}

static talus_status read_all(struct reader *reader) {
    struct fclib *to = reader->to;
    char path[NAME];
    int dim = 0;
    size_t count = 0;
    double *mu = NULL;
    TALUS_TRY(choose_group(reader));
    TALUS_TRY(read_dimension(reader, &dim));
    name_in(reader, "info/title", path);
    hdf5_read_text(&reader->file, path, to->title, sizeof to->title);
    name_in(reader, "info/description", path);
    hdf5_read_text(&reader->file, path, to->description, sizeof to->description);
    talus_status status = read_mu(reader, &mu, &count);
    bool local = strcmp(reader->group, "fclib_local") == 0;
    if (status >= 0)
        status = local ? read_local(reader, dim, count, mu) : read_global(reader, dim, count, mu);
    memory_free(&to->memory, mu, count, sizeof *mu);
    return status;
}

talus_status fclib_read(struct fclib *fclib, const char *path, talus_error *err) {
    struct reader reader = {.to = fclib, .err = err};
    *fclib = (struct fclib){.memory = fclib->memory};
    TALUS_TRY(hdf5_open(&reader.file, path, err));
    talus_status status = read_all(&reader);
    hdf5_close(&reader.file);
    if (status < 0) fclib_free(fclib);
    return status;
}

void fclib_free(struct fclib *fclib) {
    struct memory *memory = &fclib->memory;
    struct fclib_bodies *bodies = &fclib->bodies;
    memory_free(memory, bodies->f, bodies->freedoms + bodies->equations, sizeof *bodies->f);
    memory_free(memory, bodies->w, bodies->contact_rows, sizeof *bodies->w);
    sparse_free(&bodies->m, memory);
    sparse_free(&bodies->h, memory);
    delassus_free(&fclib->problem);
    *bodies = (struct fclib_bodies){0};
}
