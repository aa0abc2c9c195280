/* SPDX-License-Identifier: Apache-2.0
 * What the makers of manifolds share. */
#ifndef GEOM_MANIFOLD_CLIP_H
#define GEOM_MANIFOLD_CLIP_H

#include "geom/manifold.h"
#include "geom/nearest.h"

/* Faces and edges this close to the common tangent plane touch with all their points: cos, sin and tan
 * of 15 degrees. */
#define MANIFOLD_COS 0.9659258262890683
#define MANIFOLD_SIN 0.25881904510252074
#define MANIFOLD_TAN 0.2679491924311227

/* Of the size of the features: points this close are one, and a vertex this far outside a face is still
 * over it, so that aligned bodies keep their points and names when they shift by rounding. */
#define MANIFOLD_SAME 1e-6
/* Of the largest: areas, lengths this close are equal when a few points are chosen out of many. */
#define MANIFOLD_EVEN 1e-3

/* A face of more corners is thinned out to this many. */
enum { MANIFOLD_CORNERS = 64 };
/* The common part of two convex polygons has no more corners than both together. */
enum { MANIFOLD_SPOTS = 2 * MANIFOLD_CORNERS };

/* One place where the cores meet along the normal. */
struct spot {
    double u, v;      /* m, in the tangent plane */
    double height;    /* m, along the normal, of the surface of a's core */
    double gap;       /* m, between the cores */
    uint32_t feature; /* as in manifold_point */
};

struct spots {
    int count;
    double extent; /* m, size of the features, for tolerances */
    struct spot at[MANIFOLD_SPOTS];
};

/* Names of points. */
uint32_t feature_vertex(bool of_b, int32_t vertex);
uint32_t feature_crossing(const int32_t a[2], const int32_t b[2]);

/* Add a spot, or join it to one at the same place. */
void spots_add(struct spots *spots, struct spot spot);
/* Leave at most `limit` (up to MANIFOLD_MAX): the deepest, then those that span most. */
void spots_reduce(struct spots *spots, int limit);
/* How many points a part can touch with: a ball 1, a line and a polygon of a plane world 2. */
int spots_limit(const struct convex *shape);

/* The face of `posed` most along `direction` among those of `vertex`, or -1 if none is within 15 degrees. */
int32_t face_towards(const struct posed *posed, vec3 direction, int32_t vertex);
/* The neighbour of `vertex` along the edge that is most level across `direction`, or -1 likewise. */
int32_t neighbour_across(const struct posed *posed, vec3 direction, int32_t vertex);

/* Side on side in plane worlds: where they lie over each other. */
void spots_flat(const struct pair *pair, vec3 normal, const int32_t faces[2], struct spots *out);

#endif
