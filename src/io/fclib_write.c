/* SPDX-License-Identifier: Apache-2.0
 * Writing FCLIB files: solutions and problems. */
#include <stdio.h>

#include "base/error.h"
#include "io/fclib.h"

static talus_status put_solution(const struct hdf5_file *file, const struct fclib *fclib,
                                 const struct fclib_solution *solution, talus_error *err) {
    size_t size = delassus_size(&fclib->problem), freedoms = fclib->bodies.freedoms;
    TALUS_TRY(hdf5_write_doubles(file, "solution/r", solution->r, size, err));
    TALUS_TRY(hdf5_write_doubles(file, "solution/u", solution->u, size, err));
    if (solution->v == NULL) return TALUS_OK;
    TALUS_TRY(hdf5_write_doubles(file, "solution/v", solution->v, freedoms, err));
    if (fclib->bodies.equations == 0) return TALUS_OK;
    return hdf5_write_doubles(file, "solution/l", solution->v + freedoms, fclib->bodies.equations,
                              err);
}

static talus_status complete(struct hdf5_file *file, talus_status status, talus_error *err) {
    if (status >= 0) return hdf5_finish(file, err);
    hdf5_discard(file);
    return status;
}

talus_status fclib_write_solution(const char *path, const struct fclib *fclib,
                                  const struct fclib_solution *solution, talus_error *err) {
    struct hdf5_file file;
    talus_status status = hdf5_create(&file, path, err);
    if (status >= 0) status = put_solution(&file, fclib, solution, err);
    return complete(&file, status, err);
}

/* ---- problems -------------------------------------------------------------------------------- */

static talus_status put_numbers(const struct hdf5_file *file, const char *group,
                                const struct triplets *matrix, talus_error *err) {
    char name[128];
    const int32_t number[] = {(int32_t)matrix->rows, (int32_t)matrix->columns,
                              (int32_t)matrix->count, (int32_t)matrix->count};
    const char *const names[] = {"m", "n", "nz", "nzmax"};
    for (int k = 0; k < 4; k++) {
        snprintf(name, sizeof name, "%s/%s", group, names[k]);
        TALUS_TRY(hdf5_write_integers(file, name, &number[k], 1, err));
    }
    snprintf(name, sizeof name, "%s/i", group);
    TALUS_TRY(hdf5_write_integers(file, name, matrix->row, matrix->count, err));
    snprintf(name, sizeof name, "%s/p", group);
    TALUS_TRY(hdf5_write_integers(file, name, matrix->column, matrix->count, err));
    snprintf(name, sizeof name, "%s/x", group);
    return hdf5_write_doubles(file, name, matrix->value, matrix->count, err);
}

static talus_status put_matrix(const struct hdf5_file *file, const char *group,
                               const struct sparse *matrix, struct memory *memory,
                               talus_error *err) {
    struct triplets all = {0};
    talus_status status = error_memory(err);
    if (triplets_make(&all, memory, matrix->rows, matrix->columns, matrix->start[matrix->rows])) {
        for (size_t i = 0; i < matrix->rows; i++)
            for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; k++)
                triplets_add(&all, i, (size_t)matrix->column[k], matrix->value[k]);
        status = put_numbers(file, group, &all, err);
    }
    triplets_free(&all, memory);
    return status;
}

static talus_status put_blocks(const struct hdf5_file *file, const char *group,
                               const struct delassus *problem, struct memory *memory,
                               talus_error *err) {
    struct triplets all = {0};
    size_t d = (size_t)problem->dim, size = delassus_size(problem);
    talus_status status = error_memory(err);
    if (triplets_make(&all, memory, size, size, problem->block_count * d * d)) {
        for (size_t i = 0; i < problem->count; i++)
            for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++)
                for (size_t e = 0; e < d * d; e++)
                    triplets_add(&all, d * i + e / d, d * (size_t)problem->column[k] + e % d,
                                 problem->block[k * d * d + e]);
        status = put_numbers(file, group, &all, err);
    }
    triplets_free(&all, memory);
    return status;
}

static talus_status put_vector(const struct hdf5_file *file, const char *group, const char *vector,
                               const double *values, size_t count, talus_error *err) {
    char name[128];
    snprintf(name, sizeof name, "%s/vectors/%s", group, vector);
    return hdf5_write_doubles(file, name, values, count, err);
}

static talus_status put_common(const struct hdf5_file *file, const char *group,
                               const struct fclib *fclib, talus_error *err) {
    char name[128];
    const int32_t dim = fclib->problem.dim;
    const char *const names[] = {"title", "description", "math_info"};
    const char *const texts[] = {fclib->title, fclib->description, ""};
    for (int k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "%s/info/%s", group, names[k]);
        TALUS_TRY(hdf5_write_text(file, name, texts[k], err));
    }
    snprintf(name, sizeof name, "%s/spacedim", group);
    TALUS_TRY(hdf5_write_integers(file, name, &dim, 1, err));
    const struct delassus *problem = &fclib->problem;
    TALUS_TRY(put_vector(file, group, "mu", problem->mu, problem->count, err));
    if (!delassus_rolls(problem)) return TALUS_OK;
    return put_vector(file, group, "mu_r", problem->mu_r, problem->count, err);
}

static talus_status put_local(const struct hdf5_file *file, struct fclib *fclib, talus_error *err) {
    const struct delassus *problem = &fclib->problem;
    bool rolls = delassus_rolls(problem);
    const char *group = rolls ? "fclib_local_rolling" : "fclib_local";
    TALUS_TRY(put_common(file, group, fclib, err));
    TALUS_TRY(put_vector(file, group, "q", problem->q, delassus_size(problem), err));
    return put_blocks(file, rolls ? "fclib_local_rolling/W" : "fclib_local/W", problem,
                      &fclib->memory, err);
}

static talus_status put_global(const struct hdf5_file *file, struct fclib *fclib,
                               talus_error *err) {
    const struct fclib_bodies *bodies = &fclib->bodies;
    bool rolls = delassus_rolls(&fclib->problem);
    const char *group = rolls ? "fclib_global_rolling" : "fclib_global";
    TALUS_TRY(put_common(file, group, fclib, err));
    TALUS_TRY(put_vector(file, group, "f", bodies->f, bodies->freedoms, err));
    TALUS_TRY(put_vector(file, group, "w", bodies->w, delassus_size(&fclib->problem), err));
    TALUS_TRY(put_matrix(file, rolls ? "fclib_global_rolling/M" : "fclib_global/M", &bodies->m,
                         &fclib->memory, err));
    return put_matrix(file, rolls ? "fclib_global_rolling/H" : "fclib_global/H", &bodies->h,
                      &fclib->memory, err);
}

talus_status fclib_write(const char *path, struct fclib *fclib, bool global,
                         const struct fclib_solution *solution, talus_error *err) {
    struct hdf5_file file;
    if (global && (!fclib->bodies.present || fclib->bodies.equations > 0))
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: only problems with bodies and without equality constraints can be "
                         "written as global ones",
                         path);
    talus_status status = hdf5_create(&file, path, err);
    if (status >= 0) status = global ? put_global(&file, fclib, err) : put_local(&file, fclib, err);
    if (status >= 0 && solution != NULL) status = put_solution(&file, fclib, solution, err);
    return complete(&file, status, err);
}
