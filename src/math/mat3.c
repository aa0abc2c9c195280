/* SPDX-License-Identifier: Apache-2.0 */
#include "math/vec3.h"

mat3 mat3_transposed(const mat3 *a) {
    mat3 out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out.m[i][j] = a->m[j][i];
    return out;
}

mat3 mat3_product(const mat3 *a, const mat3 *b) {
    mat3 out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.m[i][j] =
                a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return out;
}

mat3 mat3_turned(const mat3 *rotation, const mat3 *a) {
    mat3 half = mat3_product(rotation, a), back = mat3_transposed(rotation);
    mat3 out = mat3_product(&half, &back);
    for (int i = 0; i < 3; i++) /* symmetric to the last bit */
        for (int j = 0; j < i; j++) out.m[i][j] = out.m[j][i];
    return out;
}

mat3 mat3_inverse(const mat3 *a) {
    const double(*m)[3] = a->m;
    vec3 x = {m[0][0], m[0][1], m[0][2]}, y = {m[1][0], m[1][1], m[1][2]},
         z = {m[2][0], m[2][1], m[2][2]};
    vec3 yz = vec3_cross(y, z), zx = vec3_cross(z, x), xy = vec3_cross(x, y);
    double per = 1.0 / vec3_dot(x, yz);
    return (mat3){{{per * yz.x, per * zx.x, per * xy.x},
                   {per * yz.y, per * zx.y, per * xy.y},
                   {per * yz.z, per * zx.z, per * xy.z}}};
}

/* Jacobi's method: turn in the plane of the axes i and j until a_ij is zero; columns of `axes` turn along. */
static void turn_plane(double a[3][3], vec3 axes[3], int i, int j) {
    if (a[i][j] == 0.0) return;
    double tau = (a[j][j] - a[i][i]) / (2.0 * a[i][j]);
    double t = (tau >= 0.0 ? 1.0 : -1.0) / (fabs(tau) + sqrt(1.0 + tau * tau));
    double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    for (int k = 0; k < 3; k++) {
        double x = a[k][i], y = a[k][j];
        a[k][i] = c * x - s * y;
        a[k][j] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
        double x = a[i][k], y = a[j][k];
        a[i][k] = c * x - s * y;
        a[j][k] = s * x + c * y;
    }
    a[i][j] = a[j][i] = 0.0;
    vec3 x = axes[i], y = axes[j];
    axes[i] = vec3_add_scaled(vec3_scale(c, x), -s, y);
    axes[j] = vec3_add_scaled(vec3_scale(c, y), s, x);
}

void sym3_axes(const sym3 *a, vec3 axes[3], double values[3]) {
    enum { SWEEPS = 12 }; /* converges quadratically: four or five do */
    double m[3][3] = {{a->xx, a->xy, a->xz}, {a->xy, a->yy, a->yz}, {a->xz, a->yz, a->zz}};
    axes[0] = vec3_make(1.0, 0.0, 0.0);
    axes[1] = vec3_make(0.0, 1.0, 0.0);
    axes[2] = vec3_make(0.0, 0.0, 1.0);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        turn_plane(m, axes, 0, 1);
        turn_plane(m, axes, 0, 2);
        turn_plane(m, axes, 1, 2);
    }
    for (int k = 0; k < 3; k++) values[k] = m[k][k];
}
