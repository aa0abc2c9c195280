/* SPDX-License-Identifier: Apache-2.0
 *
 * Where two convex parts touch or nearly touch: distance, normal, and the points that carry the contact.
 *
 * Separated parts: the true distance and the direction between the nearest points. Overlapping parts: the
 * smallest displacement that parts them, and its direction. Nearly parallel faces and edges (within 15
 * degrees) touch in all corners of their common outline (well-spread ones of it if there are many), in 2D in
 * two points, each with its own gap along the common normal, so that a body at rest has all the points it
 * stands on and one that rocks does not jump from one to the next. Tests: tests/unit/test_manifold.c,
 * tests/property/test_distance.c.
 */
#ifndef GEOM_MANIFOLD_H
#define GEOM_MANIFOLD_H

#include "geom/convex.h"

struct placed { /* x_world = position + scale rotation x */
    const struct convex *shape;
    vec3 position;
    mat3 rotation;
    double scale;
};

enum { MANIFOLD_PLANE_FLAT = 4 }; /* in 2D against a plane or in a hollow */
enum { MANIFOLD_MAX = 8 };        /* two quadrilaterals have at most so many common corners */

enum manifold_kind {
    MANIFOLD_VERTEX_VERTEX,
    MANIFOLD_VERTEX_EDGE,
    MANIFOLD_VERTEX_FACE, /* 2D: vertex and side */
    MANIFOLD_EDGE_EDGE,   /* 3D, crossing */
    MANIFOLD_EDGE_EDGE_PARALLEL,
    MANIFOLD_EDGE_FACE,
    MANIFOLD_FACE_FACE /* 2D: side on side */
};

struct manifold_point {
    vec3 point;       /* m, middle of the gap, in the same coordinates as the positions */
    double gap;       /* m, along the normal; negative = overlap */
    uint32_t feature; /* names the point from step to step; never 0 */
};

struct manifold {
    int count;   /* 0: farther apart than the margin */
    double gap;  /* m, signed distance of the parts */
    vec3 normal; /* unit, from a to b */
    enum manifold_kind kind;
    struct manifold_point points[MANIFOLD_MAX];
};

/* What a pair remembers to be quick next time: the vertices and faces that parted it. Zero to begin with. */
struct manifold_hint {
    int32_t data[4];
};

/* Parts farther apart than `margin` (m, >= 0) give count = 0 and at least the right to be sure of that; the gap
 * is then only a lower bound. The points of features that meet within the margin are all there, also
 * those with gaps larger than that of the nearest. */
void manifold_find(const struct placed *a, const struct placed *b, double margin,
                   struct manifold_hint *hint, struct manifold *out);

/* The same against the half space n . x <= offset below a plane; the normal points into it, -n. */
void manifold_plane(const struct placed *a, vec3 normal, double offset, double margin,
                    struct manifold *out);

#endif
