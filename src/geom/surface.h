/* SPDX-License-Identifier: Apache-2.0
 *
 * A surface of triangles, for boundaries: hoppers, mixers, blades. Thin, with grains on both sides.
 *
 * Triangles of one plane are joined to convex facets; each facet is a flat convex part of its own. Where the
 * surface goes on beyond an edge or a corner of a facet, that edge or corner must not act as one:
 * surface_bears says whether it does (no ghost bumps). It goes by place and not by shared vertices, so
 * an edge that runs along several others (T-junction) or stands on a facet is none, either.
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

struct facet {
    vec3 normal;          /* unit */
    vec3 low, high;       /* box around it */
    int32_t first, count; /* corners[first ...], counter-clockwise around the normal */
    struct convex hull;
};

struct surface {
    vec3 *vertices; /* as given; those that differ by rounding moved to one place (mesh_join) */
    size_t vertex_count, triangle_count;
    int32_t (*triangles)[3]; /* as given */
    struct facet *facets;
    size_t facet_count, facet_capacity;
    vec3 *corners; /* of the facets */
    size_t corner_count, corner_capacity;
    size_t sliver_count; /* triangles without area to speak of: they belong to no facet */
    struct surface_node *nodes;
    size_t node_count;
    int32_t *order;
    double size;  /* m, diagonal of the box around it */
    double reach; /* m, of the farthest vertex from the origin */
};

/* Triangles lower than 1e-6 of their length (slivers) do not count; if there are no others that is an error:
 * CONVEX_NO_EXTENT. To be freed also after a failure. */
enum convex_status surface_make(struct memory *memory, struct surface *mesh, const vec3 *vertices,
                                size_t vertex_count, const int32_t (*triangles)[3],
                                size_t triangle_count);
void surface_free(struct memory *memory, struct surface *mesh);

/* surface_facets.c: weld the vertices, join the triangles to facets. */
enum convex_status surface_join_facets(struct memory *memory, struct surface *mesh);
/* One more facet, with these corners in one plane across `normal`. */
enum convex_status surface_add_facet(struct memory *memory, struct surface *mesh, vec3 normal,
                                     const vec3 *corners, int32_t count);

/* The facets whose boxes a ball meets, at most `capacity` of them into `out`; returns how many there are. */
size_t surface_near(const struct surface *mesh, vec3 centre, double radius, int32_t *out,
                    size_t capacity);

/* m, of a point from a triangle. */
double triangle_distance(vec3 point, vec3 a, vec3 b, vec3 c);

/* The place of a facet nearest to a point. */
vec3 surface_nearest(const struct surface *mesh, int32_t facet, vec3 point);

/* Does a point of its plane lie on the facet, to rounding? */
bool surface_covers(const struct surface *mesh, int32_t facet, vec3 point);

/* Does the surface really end or bend at this point of the facet so that it can push along `away` (unit, from the
 * surface towards the grain)? False where another facet that goes on from there is nearer to what
 * pushes: to the place at `height` (m, > 0) from the point along `away`. */
bool surface_bears(const struct surface *mesh, int32_t facet, vec3 point, vec3 away, double height);

#endif
