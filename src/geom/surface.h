/* SPDX-License-Identifier: Apache-2.0
 *
 * A surface of triangles, for boundaries: hoppers, mixers, blades. Thin, with grains on both sides.
 *
 * Each triangle is a flat convex part of its own. Where the surface goes on beyond an edge or a corner of a
 * triangle, that edge or corner must not act as one: surface_bears says whether it does (no ghost bumps).
 */
#ifndef GEOM_SURFACE_H
#define GEOM_SURFACE_H

#include "base/memory.h"
#include "geom/convex.h"

struct surface_node { /* of a tree of boxes */
    vec3 low, high;
    int32_t first,
        count; /* leaf: order[first ...]; inner: count = 0, children at first and first + 1 */
};

struct surface {
    vec3 *vertices;
    size_t vertex_count, triangle_count;
    int32_t (*triangles)[3];
    int32_t (*neighbours)[3]; /* across the side from vertex k to k + 1; < 0: none */
    vec3 *normals;            /* unit */
    struct convex *hulls;     /* of each triangle */
    struct surface_node *nodes;
    size_t node_count;
    int32_t *order;
    double reach; /* m, of the farthest vertex from the origin */
};

/* Triangles without area are an error: CONVEX_NO_EXTENT. To be freed also after a failure. */
enum convex_status surface_make(struct memory *memory, struct surface *mesh, const vec3 *vertices,
                                size_t vertex_count, const int32_t (*triangles)[3],
                                size_t triangle_count);
void surface_free(struct memory *memory, struct surface *mesh);

/* The triangles whose boxes a ball meets, at most `capacity` of them into `out`; returns how many there are. */
size_t surface_near(const struct surface *mesh, vec3 centre, double radius, int32_t *out,
                    size_t capacity);

/* m, of a point from a triangle. */
double triangle_distance(vec3 point, vec3 a, vec3 b, vec3 c);

/* Does a point of its plane lie on the triangle, to rounding? */
bool surface_covers(const struct surface *mesh, int32_t triangle, vec3 point);

/* Does the surface really end or bend at this point of the triangle so that it can push along `away` (unit, from the
 * surface towards the grain)? False where another triangle is nearer to what pushes. */
bool surface_bears(const struct surface *mesh, int32_t triangle, vec3 point, vec3 away);

#endif
