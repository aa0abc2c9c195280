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
