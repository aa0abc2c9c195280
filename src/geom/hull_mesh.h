/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GEOM_HULL_MESH_H
#define GEOM_HULL_MESH_H

#include "geom/hull.h"

/* The faces `raw`, a closed convex surface with loops counter-clockwise from outside, with coplanar
 * neighbours merged. CONVEX_FAILED when they do not form one closed surface, CONVEX_NO_EXTENT when
 * merging left nothing solid. */
enum convex_status hull_merge(struct hull *out, const struct hull *raw, const vec3 *points,
                              int32_t point_count, double tolerance);

/* Set needless[i] = 1 for vertices that stick out of the hull of the others by less than the
 * tolerance, no two of them neighbours: they can go together. */
enum convex_status hull_needless(const struct hull *raw, const vec3 *points, int32_t point_count,
                                 double tolerance, int32_t *needless);

#endif
