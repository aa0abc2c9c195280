/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/tensor.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"

void tensor_add(mat3 *tensor, double s, vec3 a, vec3 b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            tensor->m[i][j] += s * vec3_component(a, i) * vec3_component(b, j);
}

mat3 tensor_scaled(const mat3 *tensor, double s) {
    mat3 out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out.m[i][j] = s * tensor->m[i][j];
    return out;
}

static vec3 with_sign(vec3 a) {
    const double small = 1e-12;
    for (int axis = 0; axis < 3; axis++) {
        double x = vec3_component(a, axis);
        if (fabs(x) > small) return x < 0.0 ? vec3_scale(-1.0, a) : a;
    }
    return a;
}

static void swap(struct principal *principal, int i, int j) {
    double value = principal->values[i];
    vec3 axis = principal->axes[i];
    principal->values[i] = principal->values[j];
    principal->axes[i] = principal->axes[j];
    principal->values[j] = value;
    principal->axes[j] = axis;
}

struct principal tensor_principal(const mat3 *tensor, int dim) {
    struct principal out = {.mean = 0.0};
    mat3 part = mat3_zero();
    double square = 0.0;
    for (int i = 0; i < dim; i++) out.mean += tensor->m[i][i] / dim;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            part.m[i][j] = 0.5 * (tensor->m[i][j] + tensor->m[j][i]);
            double deviator = part.m[i][j] - (i == j ? out.mean : 0.0);
            square += deviator * deviator;
        }
    out.deviation = dim == 3 ? sqrt(1.5 * square) : dim == 2 ? sqrt(2.0 * square) : 0.0;
    sym3 symmetric = sym3_of(&part);
    sym3_axes(&symmetric, out.axes, out.values);
    /* In the plane z stays an axis of its own, the last one. */
    if (dim > 1 && out.values[0] < out.values[1]) swap(&out, 0, 1);
    if (dim > 2 && out.values[1] < out.values[2]) swap(&out, 1, 2);
    if (dim > 2 && out.values[0] < out.values[1]) swap(&out, 0, 1);
    for (int k = 0; k < dim; k++) out.axes[k] = with_sign(out.axes[k]);
    return out;
}

talus_status principal_columns(talus_table *table, const char *prefix, const char *unit, int dim,
                               talus_error *err) {
    char name[TALUS_COLUMN_NAME];
    for (int k = 0; k < dim; k++) {
        snprintf(name, sizeof name, "%s%d", prefix, k + 1);
        TALUS_TRY(talus_table_add_column(table, name, unit, err));
    }
    for (int k = 0; k < dim && dim > 1; k++) {
        snprintf(name, sizeof name, "direction%d_", k + 1);
        TALUS_TRY(measure_vector_columns(table, name, "", dim, err));
    }
    return TALUS_OK;
}

double *principal_put(double *row, const struct principal *principal, int dim) {
    for (int k = 0; k < dim; k++) *row++ = principal->values[k];
    for (int k = 0; k < dim && dim > 1; k++) row = measure_put_vector(row, principal->axes[k], dim);
    return row;
}
