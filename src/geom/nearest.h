/* SPDX-License-Identifier: Apache-2.0
 *
 * Signed distance of two convex cores (hulls without their rounding) and where they are nearest.
 *
 * All coordinates here have the axes of the world and their origin at the position of `a`, so that errors
 * are relative to the sizes and the distance of the two and not to their place in the world. Lengths are
 * compared to `pair.unit`, the rounding error of one coordinate.
 */
#ifndef GEOM_NEAREST_H
#define GEOM_NEAREST_H

#include <float.h>

#include "geom/convex.h"
#include "geom/manifold.h"

struct posed { /* x = shift + scale turn x_shape */
    const struct convex *shape;
    vec3 shift;
    mat3 turn;
    double scale;
};

struct pair {
    struct posed a, b;
    double unit; /* m, DBL_EPSILON (size a + size b + distance of the frames) */
};

/* Tolerances in units of pair.unit. Coordinates carry some 4 units of error: 3 products and sums for the
 * turn, one for the shift. */
#define NEAREST_TIE 8.0    /* values this close are equal; the first in a fixed order is taken */
#define NEAREST_EXACT 16.0 /* upper and lower bound this close prove a distance */

/* Where two cores are nearest. A feature has one vertex, two (an edge) or three (stands for a face). */
struct nearest {
    double gap;  /* m, of the cores; negative: the smallest displacement that parts them */
    vec3 normal; /* unit, from a to b */
    vec3 point_a, point_b; /* on the surfaces of the cores, point_b - point_a = gap normal */
    int size_a, size_b;    /* vertices of the feature: 1, 2, or 3 for a face */
    int32_t a[2], b[2];    /* the vertices; for a face [0] is the face */
};

/* Two supporting planes with a common normal. */
struct slab {
    vec3 normal;  /* unit, from a to b */
    double gap;   /* m, least normal . x of b less greatest of a: no more than the distance */
    int32_t a, b; /* vertices on the planes */
};

static inline vec3 posed_turn(const struct posed *posed, vec3 direction) {
    return mat3_apply(&posed->turn, direction);
}

static inline vec3 posed_vertex(const struct posed *posed, int32_t vertex) {
    vec3 turned = posed_turn(posed, posed->shape->vertices[vertex]);
    return vec3_add_scaled(posed->shift, posed->scale, turned);
}

static inline vec3 posed_normal(const struct posed *posed, int32_t face) {
    return posed_turn(posed, posed->shape->faces[face].normal);
}

/* From one vertex to another. Their places differ by this, but less well if they are close. */
static inline vec3 posed_step(const struct posed *posed, int32_t from, int32_t to) {
    const vec3 *x = posed->shape->vertices;
    return vec3_scale(posed->scale, posed_turn(posed, vec3_sub(x[to], x[from])));
}

/* Any vertex of a face. */
static inline int32_t posed_corner(const struct posed *posed, int32_t face) {
    return posed->shape->loops[posed->shape->faces[face].first];
}

/* A direction in the frame of the shape. */
static inline vec3 posed_local(const struct posed *posed, vec3 direction) {
    const double(*m)[3] = posed->turn.m;
    return vec3_make(m[0][0] * direction.x + m[1][0] * direction.y + m[2][0] * direction.z,
                     m[0][1] * direction.x + m[1][1] * direction.y + m[2][1] * direction.z,
                     m[0][2] * direction.x + m[1][2] * direction.y + m[2][2] * direction.z);
}

/* The edges of a solid, the sides of a polygon, or the lone point of a shape that has neither (tail and
 * head are then the same vertex). */
static inline int32_t convex_segments(const struct convex *shape) {
    int32_t count = shape->dim == 2 ? shape->face_count : shape->edge_count;
    return count > 0 ? count : 1;
}

static inline void convex_segment(const struct convex *shape, int32_t index, int32_t ends[2]) {
    ends[0] = ends[1] = 0;
    if (shape->dim == 2 && shape->face_count > 0) {
        const int32_t *loop = &shape->loops[shape->faces[index].first];
        ends[0] = loop[0];
        ends[1] = loop[1];
    } else if (shape->edge_count > 0) {
        ends[0] = shape->edges[index].tail;
        ends[1] = shape->edges[index].head;
    }
}

/* The pair in the coordinates of this file. */
struct pair pair_make(const struct placed *a, const struct placed *b);

/* The vertex farthest along `direction`, which need not be a unit vector. */
int32_t posed_support(const struct posed *posed, vec3 direction, int32_t start);

/* The unit vector perpendicular to both edges u and v (of any length) and as exact across u if they are nearly
 * parallel; zero if there is none. */
vec3 edges_across(vec3 u, vec3 v);

/* Does `point`, moved along the normal of the face, fall on the face or within `tolerance` (m) of it? */
bool posed_face_covers(const struct posed *posed, int32_t face, vec3 point, double tolerance);

/* The face most along a unit vector, or -1 if none is within 60 degrees. */
int32_t posed_face_along(const struct posed *posed, vec3 direction);

/* The slab along a unit vector, its vertices sought from those given. */
struct slab slab_along(const struct pair *pair, vec3 normal, int32_t start_a, int32_t start_b);

/* The share of the way from `tail` along `along` at which a segment is nearest to `point`. */
double segment_share(vec3 tail, vec3 along, vec3 point);

/* Shares at which two segments, along u from x and along v from y, are nearest to each other, for segments
 * that are not parallel; good also if they nearly are. */
void segments_cross(vec3 x, vec3 u, vec3 y, vec3 v, double shares[2]);

/* Vertex `vertex` of b over face `face` of a, or the other way round when `of_b`. */
void nearest_on_face(const struct pair *pair, bool of_b, int32_t face, int32_t vertex,
                     struct nearest *out);
/* Two edges where their lines pass each other along the unit vector `normal`, their common perpendicular.
 * False: they pass beyond an end, and the points are not nearest ones. */
bool nearest_on_edges(const struct pair *pair, const int32_t a[2], const int32_t b[2], vec3 normal,
                      struct nearest *out);

/* The direction from a to b between the points of `near`, for features without faces: across the edge or
 * edges to rounding, also where the points nearly touch. */
vec3 nearest_direction(const struct pair *pair, const struct nearest *near);

/* The direction with the widest slab among those of the faces and of the pairs of edges that can carry it:
 * the smallest displacement that parts overlapping cores, exact. `known` is any slab seen before,
 * or NULL; it makes the search quicker and does not change its result beyond rounding. A positive gap
 * says only that the cores are apart. Cores without volume can be apart in the plane or line they share,
 * which no such direction shows: then the gap is zero to rounding. */
void nearest_depth(const struct pair *pair, const struct slab *known, struct nearest *out);

/* Cores that are apart, by trying all features that reach into the skin within which the nearest points
 * must lie; slow, and sure. Cores that overlap by no more than
 * rounding are taken for touching. */
void nearest_apart(const struct pair *pair, const struct slab *slab, struct nearest *out);

/* The nearest features of the pair. False: farther apart than `margin` (m, between the cores), and
 * out->gap is only a lower bound; nothing else is set. */
bool nearest_find(const struct pair *pair, double margin, struct manifold_hint *hint,
                  struct nearest *out);

#endif
