/* SPDX-License-Identifier: Apache-2.0
 *
 * What the ways to integrate over a union of convex parts share. The parts have been moved and scaled
 * so that they lie in the cube from -1 to 1 and fill it in one direction at least: tolerances are
 * plain numbers. No part lies within another.
 */
#ifndef GEOM_UNION_MASS_PARTS_H
#define GEOM_UNION_MASS_PARTS_H

#include "geom/convex.h"
#include "geom/scratch.h"
#include "geom/union_mass.h"

struct union_moments {
    double m0; /* int 1 dV */
    vec3 m1;   /* int x dV */
    mat3 m2;   /* int x x^T dV */
};

/* Parts, and the sphere around each. */
struct union_part {
    struct convex hull;
    vec3 centre;
    double radius;
};

struct union_parts {
    int32_t count;
    struct union_part part[UNION_PARTS_MAX];
};

/* Simplex of content `content` with a corner at the origin and `given` others. */
void union_add_simplex(struct union_moments *sum, double content, const vec3 *corners, int given);

/* Signed distance of a point from the core of a part: below zero only within a core that has volume
 * (2D: area). Points farther than `limit` get a lower bound of their distance that is no less than
 * `limit`. `normal` (may be NULL) is the direction in which the distance grows; not set for those. */
double union_core_gap(const struct convex *core, vec3 x, double limit, vec3 *normal);

/* Is the point on the face, or within `tolerance` of it, seen along its normal? */
bool union_face_covers(const struct convex *core, int32_t face, vec3 x, double tolerance);

/* The ways. `error` is the estimated absolute error of the moments. */
enum union_status union_plane(const struct union_parts *parts, struct union_moments *out,
                              double *error);
/* UNION_INACCURATE: given up, because there were too many pieces. */
enum union_status union_solid(const struct union_parts *parts, struct union_moments *out);
enum union_status union_round(const struct union_parts *parts, struct union_moments *out,
                              double *error);

#endif
