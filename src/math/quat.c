/* SPDX-License-Identifier: Apache-2.0 */
#include "math/vec3.h"

quat quat_product(quat a, quat b) {
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

quat quat_turn(quat q, vec3 turn) {
    double angle = vec3_norm(turn);
    if (angle == 0.0) return q;
    vec3 axis = vec3_scale(sin(0.5 * angle) / angle, turn);
    quat r = quat_product((quat){cos(0.5 * angle), axis.x, axis.y, axis.z}, q);
    double s = 1.0 / sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
    return (quat){s * r.w, s * r.x, s * r.y, s * r.z};
}

vec3 quat_rotate(quat q, vec3 a) {
    vec3 u = {q.x, q.y, q.z};
    vec3 t = vec3_scale(2.0, vec3_cross(u, a));
    return vec3_add(vec3_add_scaled(a, q.w, t), vec3_cross(u, t));
}

mat3 quat_matrix(quat q) {
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (mat3){{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                   {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                   {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}
