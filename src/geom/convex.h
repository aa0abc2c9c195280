/* SPDX-License-Identifier: Apache-2.0
 *
 * A convex part of a grain: the hull of some points, swept by a sphere (in plane worlds a disc) of
 * radius `rounding`. One point is a sphere, two are a capsule, flat hulls are plates; a polygon of a
 * plane world lies in z = 0 and its faces are its sides. Coordinates are those of the grain's own
 * frame.
 */
#ifndef GEOM_CONVEX_H
#define GEOM_CONVEX_H

#include <stdbool.h>
#include <stddef.h>

#include "math/vec3.h"

struct convex_face {
    vec3 normal;          /* unit, outward */
    double offset;        /* m, normal . x on the face */
    int32_t first, count; /* its vertices loops[first ...], counter-clockwise seen from outside; the
                             sides of a polygon: two vertices, counter-clockwise around z */
};

struct convex_edge {
    int32_t tail, head;
    int32_t left, right; /* faces; the loop of `left` runs from tail to head; -1: there is none */
};

struct convex {
    int dim;         /* 2: polygon of a plane world, 3 */
    double rounding; /* m, >= 0 */
    double reach;    /* m, of the farthest point from the origin of the frame, rounding included */
    int32_t vertex_count, face_count, edge_count, loop_count;
    vec3 *vertices; /* polygon: counter-clockwise */
    struct convex_face *faces;
    struct convex_edge *edges; /* 3D only; a capsule has one, without faces */
    int32_t *loops;
    int32_t *
        near_first; /* vertex_count + 1: neighbours of v are near[near_first[v] ... near_first[v + 1] - 1] */
    int32_t *near;
};

/* Why a hull could not be made. */
enum convex_status {
    CONVEX_OK,
    CONVEX_NO_MEMORY,
    CONVEX_NO_POINTS, /* no point, or one that is not finite */
    CONVEX_NO_EXTENT, /* the points have no area (2D) or no volume (3D) and there is no rounding, or
                             flatness was not allowed */
    CONVEX_FAILED     /* Qhull gave up */
};

/* The hull of `points` in 2D or 3D; coplanar facets are merged into one face, points inside or on a
 * face are dropped. Faces are flat and the body convex to 1e-13 of the extent; points that stick out
 * less than about 1e-12 of it, or lie that close to another vertex, count as on a face. The vertices
 * are given points, unchanged; in 3D in their given order. Face loops may hold straight angles where
 * more faces meet. `flat` allows points on one plane, line or spot without rounding too (parts of
 * boundaries). Free with convex_free. */
enum convex_status convex_make(struct convex *out, int dim, const vec3 *points, size_t count,
                               double rounding, bool flat);
void convex_free(struct convex *convex);

/* Volume (2D: area), centre of mass and tensor of inertia about that centre for density 1, exact
 * also with rounding (Steiner's formula and its moments). Plane shapes: inertia.m[2][2] about z; the
 * rest is what the tensor of a plate of unit mass per area gives. */
struct convex_mass {
    double volume;
    vec3 centre;
    mat3 inertia; /* kg m^2 for density 1 kg/m^dim */
};
struct convex_mass convex_mass(const struct convex *convex);

/* Move all vertices by `by` and everything that follows from them. */
void convex_shift(struct convex *convex, vec3 by);

/* The vertex farthest along `direction` (of any length), by hill climbing from `start` (or any; a
 * number that is no vertex starts anywhere). Small hulls are looked through instead. */
int32_t convex_support(const struct convex *convex, vec3 direction, int32_t start);

#endif
