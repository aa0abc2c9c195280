/* SPDX-License-Identifier: Apache-2.0
 * Invariants of tensors in one, two and three dimensions. */
#ifndef MEASURE_TENSOR_H
#define MEASURE_TENSOR_H

#include "measure/measure.h"

/* Of the symmetric part; the first `dim` values, the largest first. Directions begin with a component that is positive. */
struct principal {
    double mean; /* trace/dim */
    double
        deviation; /* in space sqrt(3/2 d:d), in the plane sqrt(2 d:d) = v1 - v2; d the deviator */
    double values[3];
    vec3 axes[3];
};
struct principal tensor_principal(const mat3 *tensor, int dim);

/* Columns prefix1, prefix2, ... and direction1_x, ...; the same as values. */
talus_status principal_columns(talus_table *table, const char *prefix, const char *unit, int dim,
                               talus_error *err);
double *principal_put(double *row, const struct principal *principal, int dim);

/* += s a (x) b */
void tensor_add(mat3 *tensor, double s, vec3 a, vec3 b);
mat3 tensor_scaled(const mat3 *tensor, double s);

#endif
