/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of three, unit quaternions, 3x3 matrices. Sums run x, y, z in this order everywhere, so a
 * scene turned by 90 degrees about z gives the same bits.
 */
#ifndef MATH_VEC3_H
#define MATH_VEC3_H

#include <math.h>

#include "talus/types.h"

typedef talus_vec3 vec3;
typedef talus_quat quat;

typedef struct mat3 {
    double m[3][3]; /* row, column */
} mat3;

/* A symmetric one. */
typedef struct sym3 {
    double xx, yy, zz, xy, xz, yz;
} sym3;

static inline vec3 vec3_make(double x, double y, double z) {
    return (vec3){x, y, z};
}

static inline vec3 vec3_zero(void) {
    return (vec3){0.0, 0.0, 0.0};
}

static inline vec3 vec3_add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec3 vec3_sub(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vec3 vec3_scale(double s, vec3 a) {
    return (vec3){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline vec3 vec3_add_scaled(vec3 a, double s, vec3 b) {
    return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double vec3_dot(vec3 a, vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec3_cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec3_norm2(vec3 a) {
    return vec3_dot(a, a);
}

static inline double vec3_norm(vec3 a) {
    return sqrt(vec3_norm2(a));
}

/* The part of a perpendicular to the unit vector n. */
static inline vec3 vec3_tangential(vec3 a, vec3 n) {
    return vec3_add_scaled(a, -vec3_dot(a, n), n);
}

static inline double vec3_component(vec3 a, int axis) {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

static inline void vec3_set_component(vec3 *a, int axis, double value) {
    if (axis == 0)
        a->x = value;
    else if (axis == 1)
        a->y = value;
    else
        a->z = value;
}

static inline int vec3_is_finite(vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/* A unit vector perpendicular to the unit vector n. In a plane world (n.z = 0) it lies in the plane. */
static inline vec3 vec3_perpendicular(vec3 n) {
    if (fabs(n.z) < 0.9) {
        double s = 1.0 / sqrt(n.x * n.x + n.y * n.y);
        return (vec3){-n.y * s, n.x * s, 0.0};
    }
    double s = 1.0 / sqrt(n.x * n.x + n.z * n.z);
    return (vec3){n.z * s, 0.0, -n.x * s};
}

/* Components in the frame of three unit vectors at right angles, and back. */
static inline vec3 vec3_into_frame(vec3 a, vec3 n, vec3 t, vec3 s) {
    return (vec3){vec3_dot(a, n), vec3_dot(a, t), vec3_dot(a, s)};
}

static inline vec3 vec3_out_of_frame(vec3 a, vec3 n, vec3 t, vec3 s) {
    return (vec3){a.x * n.x + a.y * t.x + a.z * s.x, a.x * n.y + a.y * t.y + a.z * s.y,
                  a.x * n.z + a.y * t.z + a.z * s.z};
}

static inline mat3 mat3_zero(void) {
    return (mat3){{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
}

static inline mat3 mat3_diagonal(vec3 d) {
    return (mat3){{{d.x, 0.0, 0.0}, {0.0, d.y, 0.0}, {0.0, 0.0, d.z}}};
}

/* s a a^T */
static inline mat3 mat3_outer(double s, vec3 a) {
    return (mat3){{{s * a.x * a.x, s * a.x * a.y, s * a.x * a.z},
                   {s * a.y * a.x, s * a.y * a.y, s * a.y * a.z},
                   {s * a.z * a.x, s * a.z * a.y, s * a.z * a.z}}};
}

static inline vec3 mat3_apply(const mat3 *a, vec3 b) {
    return (vec3){a->m[0][0] * b.x + a->m[0][1] * b.y + a->m[0][2] * b.z,
                  a->m[1][0] * b.x + a->m[1][1] * b.y + a->m[1][2] * b.z,
                  a->m[2][0] * b.x + a->m[2][1] * b.y + a->m[2][2] * b.z};
}

static inline sym3 sym3_of(const mat3 *a) {
    return (sym3){a->m[0][0], a->m[1][1], a->m[2][2], a->m[0][1], a->m[0][2], a->m[1][2]};
}

static inline vec3 sym3_apply(const sym3 *a, vec3 b) {
    return (vec3){a->xx * b.x + a->xy * b.y + a->xz * b.z, a->xy * b.x + a->yy * b.y + a->yz * b.z,
                  a->xz * b.x + a->yz * b.y + a->zz * b.z};
}

static inline sym3 sym3_add(sym3 a, sym3 b) {
    return (sym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

/* Of one that is positive definite. */
static inline sym3 sym3_inverse(const sym3 *a) {
    double xx = a->yy * a->zz - a->yz * a->yz, xy = a->xz * a->yz - a->xy * a->zz;
    double xz = a->xy * a->yz - a->xz * a->yy;
    double per = 1.0 / (a->xx * xx + a->xy * xy + a->xz * xz);
    return (sym3){per * xx,
                  per * (a->xx * a->zz - a->xz * a->xz),
                  per * (a->xx * a->yy - a->xy * a->xy),
                  per * xy,
                  per * xz,
                  per * (a->xy * a->xz - a->xx * a->yz)};
}

/* R a R^T for a rotation R: the tensor a seen from another frame. */
mat3 mat3_turned(const mat3 *rotation, const mat3 *a);
mat3 mat3_transposed(const mat3 *a);
mat3 mat3_product(const mat3 *a, const mat3 *b);
/* Unit vectors at right angles along which a symmetric matrix is diagonal, and what it is there. A diagonal matrix keeps
 * the axes of the world. */
void sym3_axes(const sym3 *a, vec3 axes[3], double values[3]);
/* Of a symmetric matrix that is positive definite. */
mat3 mat3_inverse(const mat3 *a);

static inline quat quat_identity(void) {
    return (quat){1.0, 0.0, 0.0, 0.0};
}

/* Turn q by the rotation vector `turn` (angle times axis, world frame): exact for constant rate. */
quat quat_turn(quat q, vec3 turn);
vec3 quat_rotate(quat q, vec3 a);
quat quat_product(quat a, quat b); /* first b, then a */
mat3 quat_matrix(quat q);

#endif
