/* SPDX-License-Identifier: Apache-2.0
 *
 * Which points span a hull, as loops of point numbers. The points are of order one and near the origin
 * (convex_make sees to that), `tolerance` is the distance below which things count as flat.
 */
#ifndef GEOM_HULL_H
#define GEOM_HULL_H

#include "geom/convex.h"

/* The faces of a hull: the loop of face f is loops[first[f] ... first[f + 1] - 1], counter-clockwise
 * seen from outside. */
struct hull {
    int32_t face_count;
    int32_t *first;
    int32_t *loops;
};

/* Three axes through `origin` along which the points spread most, then second most, then least; how far
 * they spread says whether they are a spot (0), a line (1), flat (2) or solid (3). */
struct spread {
    int rank;
    vec3 origin;
    vec3 axis[3];
    double extent[3]; /* farthest point from origin, from the line, from the plane */
};
struct spread hull_spread(const vec3 *points, size_t count, double tolerance);

/* A point of the plane with its number. */
struct hull_place {
    double x, y;
    int32_t number;
};

/* Convex polygon around places (which it sorts), counter-clockwise, by Andrew's monotone chain;
 * `ring` has room for 2 count numbers and gets positions in the sorted array. Returns how many it
 * has: 3 or more, or fewer when there are fewer different places. Places that stick out less than
 * `tolerance` are left out. */
int32_t hull_ring(struct hull_place *places, int32_t count, double tolerance, int32_t *ring);

/* Solid hull by Qhull, coplanar facets merged. CONVEX_NO_EXTENT when nothing solid is left after
 * that. */
enum convex_status hull_solid(struct hull *out, const vec3 *points, int32_t count,
                              const struct spread *spread, double tolerance);
void hull_free(struct hull *hull);

/* Points, the numbers of those that are vertices (-1: the others), and what counts as flat. */
struct hull_cloud {
    const vec3 *points;
    const int32_t *number;
    int32_t count;
    double tolerance;
};

/* Outward unit normal of the face with this loop of points. */
vec3 hull_normal(const struct hull_cloud *cloud, const int32_t *loop, int32_t count);

#endif
