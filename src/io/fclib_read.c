/* SPDX-License-Identifier: Apache-2.0
 * Reading FCLIB files. Everything in them is checked before it is used. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "io/fclib_reader.h"

static void name_in(const struct fclib_reader *reader, const char *name, char out[FCLIB_NAME]) {
    snprintf(out, FCLIB_NAME, "%s/%s", reader->group, name);
}

static talus_status wrong(const struct fclib_reader *reader, const char *name, const char *what) {
    return error_set(reader->err, TALUS_ERR_INPUT, "%s: %s/%s %s", reader->file.path, reader->group,
                     name, what);
}

/* ---- vectors --------------------------------------------------------------------------------- */

static talus_status read_vector(struct fclib_reader *reader, const char *name, size_t wanted,
                                double **out) {
    char path[FCLIB_NAME];
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

/* The length of vectors/mu is the number of contacts. */
static talus_status count_contacts(struct fclib_reader *reader, size_t *count) {
    char path[FCLIB_NAME];
    name_in(reader, "vectors/mu", path);
    if (!hdf5_has(&reader->file, path)) return wrong(reader, "vectors/mu", "is missing");
    hid_t set = H5Dopen2(reader->file.id, path, H5P_DEFAULT);
    if (set < 0) return wrong(reader, "vectors/mu", "must be a data set");
    hid_t space = H5Dget_space(set);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Dclose(set);
    if (points < 0 || points > INT32_MAX / 8)
        return wrong(reader, "vectors/mu", "has a size that makes no sense");
    *count = (size_t)points;
    return TALUS_OK;
}

static talus_status read_coefficients(struct fclib_reader *reader, const char *name, size_t count,
                                      double **out) {
    TALUS_TRY(read_vector(reader, name, count, out));
    for (size_t k = 0; k < count; k++)
        if ((*out)[k] < 0.0)
            return error_set(reader->err, TALUS_ERR_INPUT, "%s: %s/%s[%zu] = %g, must be 0 or more",
                             reader->file.path, reader->group, name, k, (*out)[k]);
    return TALUS_OK;
}

/* ---- the two forms --------------------------------------------------------------------------- */

/* Which groups there are, and what they mean. FCLIB itself knows the first three. */
struct form {
    const char *group;
    bool global, rolls;
};
static const struct form forms[] = {
    {"fclib_global_rolling", true, true}, {"fclib_local", false, false},
    {"fclib_global", true, false},        {"fclib_rolling_global", true, true},
    {"fclib_local_rolling", false, true}, {"fclib_rolling_local", false, true},
};

/* Numbers of a contact. */
static talus_status read_dimension(struct fclib_reader *reader, bool rolls, int *dim) {
    int64_t value = 0;
    char path[FCLIB_NAME];
    name_in(reader, "spacedim", path);
    TALUS_TRY(hdf5_read_integer(&reader->file, path, &value, reader->err));
    if (rolls ? value != 3 && value != 5 : value != 2 && value != 3)
        return error_set(reader->err, TALUS_ERR_INPUT, "%s: %s = %" PRId64 ", must be %s",
                         reader->file.path, path, value,
                         rolls ? "3 (in a plane) or 5 (in space) with rolling friction" : "2 or 3");
    *dim = (int)value;
    return TALUS_OK;
}

static bool has(const struct fclib_reader *reader, const char *name) {
    char path[FCLIB_NAME];
    name_in(reader, name, path);
    return hdf5_has(&reader->file, path);
}

static talus_status read_local(struct fclib_reader *reader, int dim, size_t count,
                               struct delassus_friction friction) {
    struct memory *memory = &reader->to->memory;
    size_t size = (size_t)dim * count;
    double *q = NULL;
    struct sparse w = {0};
    if (has(reader, "V") || has(reader, "R"))
        return wrong(reader, "V and R",
                     "are equality constraints, which are supported in global problems only");
    talus_status status = read_vector(reader, "vectors/q", size, &q);
    if (status >= 0) status = fclib_read_matrix(reader, "W", size, size, &w);
    if (status >= 0 && !delassus_make(&reader->to->problem, memory, dim, count, &w, q, friction))
        status = error_memory(reader->err);
    sparse_free(&w, memory);
    memory_free(memory, q, size, sizeof *q);
    return status;
}

/* [f; -b] */
static talus_status read_loads(struct fclib_reader *reader, struct fclib_bodies *bodies) {
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

/* M, with G and its transpose beside it if there are constraints, and the loads. */
static talus_status read_mass(struct fclib_reader *reader, struct fclib_bodies *bodies) {
    struct memory *memory = &reader->to->memory;
    struct triplets m = {0}, g = {0}, all = {0};
    bool constrained = has(reader, "G");
    talus_status status = fclib_read_triplets(reader, "M", &m);
    if (status >= 0 && m.rows != m.columns)
        status = fclib_wrong_matrix(reader, "M", "must be square");
    if (status >= 0 && constrained) status = fclib_read_triplets(reader, "G", &g);
    if (status >= 0 && constrained && g.rows != m.rows)
        status = fclib_wrong_matrix(reader, "G", "must have as many rows as M");
    bodies->freedoms = m.rows;
    bodies->equations = g.columns;
    size_t size = m.rows + g.columns;
    /* M can claim any size with no entries at all; the vectors have to be there. */
    if (status >= 0) status = read_loads(reader, bodies);
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

static talus_status read_global(struct fclib_reader *reader, int dim, size_t count,
                                struct delassus_friction friction) {
    struct fclib_bodies *bodies = &reader->to->bodies;
    size_t size = (size_t)dim * count;
    bodies->present = true;
    bodies->contact_rows = size;
    TALUS_TRY(read_mass(reader, bodies));
    TALUS_TRY(read_vector(reader, "vectors/w", size, &bodies->w));
    TALUS_TRY(fclib_read_matrix(reader, "H", bodies->freedoms, size, &bodies->h));
    return fclib_reduce(reader->to, reader->file.path, dim, count, friction, reader->err);
}

static talus_status choose_form(struct fclib_reader *reader, const struct form **form) {
    *form = NULL;
    for (size_t k = 0; k < sizeof forms / sizeof *forms && *form == NULL; k++)
        if (hdf5_has(&reader->file, forms[k].group)) *form = &forms[k];
    if (*form == NULL)
        return error_set(reader->err, TALUS_ERR_INPUT,
                         "%s: holds neither fclib_local nor fclib_global: not an FCLIB file",
                         reader->file.path);
    reader->group = (*form)->group;
    if (!(*form)->rolls && has(reader, "vectors/mu_r"))
        return wrong(reader, "vectors/mu_r",
                     "is rolling friction: its group must be fclib_global_rolling or "
                     "fclib_local_rolling");
    return TALUS_OK;
}

static talus_status read_all(struct fclib_reader *reader) {
    struct fclib *to = reader->to;
    char path[FCLIB_NAME];
    int dim = 0;
    size_t count = 0;
    double *mu = NULL, *mu_r = NULL;
    const struct form *form;
    TALUS_TRY(choose_form(reader, &form));
    TALUS_TRY(read_dimension(reader, form->rolls, &dim));
    name_in(reader, "info/title", path);
    hdf5_read_text(&reader->file, path, to->title, sizeof to->title);
    name_in(reader, "info/description", path);
    hdf5_read_text(&reader->file, path, to->description, sizeof to->description);
    TALUS_TRY(count_contacts(reader, &count));
    talus_status status = read_coefficients(reader, "vectors/mu", count, &mu);
    if (status >= 0 && form->rolls)
        status = read_coefficients(reader, "vectors/mu_r", count, &mu_r);
    if (status >= 0)
        status = (form->global ? read_global : read_local)(reader, dim, count,
                                                           (struct delassus_friction){mu, mu_r});
    memory_free(&to->memory, mu, count, sizeof *mu);
    memory_free(&to->memory, mu_r, count, sizeof *mu_r);
    return status;
}

talus_status fclib_read(struct fclib *fclib, const char *path, talus_error *err) {
    struct fclib_reader reader = {.to = fclib, .err = err};
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
