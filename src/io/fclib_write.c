/* SPDX-License-Identifier: Apache-2.0
 * Writing FCLIB files: solutions and problems. */
#include <stdio.h>

#include "base/error.h"
#include "io/fclib.h"

talus_status fclib_write_solution(const char *path, const struct fclib *fclib, const double *r,
                                  const double *u, const double *v, talus_error *err) {
    struct hdf5_file file;
    size_t size = delassus_size(&fclib->problem);
    talus_status status = hdf5_create(&file, path, err);
    if (status >= 0) status = hdf5_write_doubles(&file, "solution/r", r, size, err);
    if (status >= 0) status = hdf5_write_doubles(&file, "solution/u", u, size, err);
    if (status >= 0 && v != NULL)
        status = hdf5_write_doubles(&file, "solution/v", v, fclib->bodies.freedoms, err);
    if (status >= 0 && v != NULL && fclib->bodies.equations > 0)
        status = hdf5_write_doubles(&file, "solution/l", v + fclib->bodies.freedoms,
                                    fclib->bodies.equations, err);
    if (status < 0) {
        hdf5_discard(&file);
        return status;
    }
    return hdf5_finish(&file, err);
}

/* As triplets. */
talus_status fclib_write_matrix(const struct hdf5_file *file, const char *group,
                                const struct sparse *matrix, struct memory *memory,
                                talus_error *err) {
    char name[128];
    size_t count = matrix->start[matrix->rows];
    int32_t *row = memory_resize(memory, NULL, 0, count, sizeof *row);
    talus_status status = row != NULL ? TALUS_OK : error_memory(err);
    for (size_t i = 0; status >= 0 && i < matrix->rows; i++)
        for (size_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) row[k] = (int32_t)i;
    const int32_t number[] = {(int32_t)matrix->rows, (int32_t)matrix->columns, (int32_t)count,
                              (int32_t)count};
    const char *const names[] = {"m", "n", "nz", "nzmax"};
    for (int k = 0; k < 4 && status >= 0; k++) {
        snprintf(name, sizeof name, "%s/%s", group, names[k]);
        status = hdf5_write_integers(file, name, &number[k], 1, err);
    }
    snprintf(name, sizeof name, "%s/i", group);
    if (status >= 0) status = hdf5_write_integers(file, name, row, count, err);
    snprintf(name, sizeof name, "%s/p", group);
    if (status >= 0) status = hdf5_write_integers(file, name, matrix->column, count, err);
    snprintf(name, sizeof name, "%s/x", group);
    if (status >= 0) status = hdf5_write_doubles(file, name, matrix->value, count, err);
    memory_free(memory, row, count, sizeof *row);
    return status;
}
