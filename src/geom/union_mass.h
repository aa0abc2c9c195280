/* SPDX-License-Identifier: Apache-2.0
 *
 * Volume, centre of mass and tensor of inertia of convex parts that overlap: of their union, in which
 * every point counts once.
 *
 *   plane worlds         Green's theorem along the boundary of the union, exact to rounding
 *   sharp polyhedra      the parts cut into convex pieces that do not overlap, exact to rounding
 *   balls, rounded parts the surface of the union, one integration in closed form, the other by Gauss's
 *                        rule between the places where the integrand changes its form
 *
 * The last has an error of about 1e-12 (balls) to 1e-10 (faces that coincide); it is estimated, and more
 * than UNION_ACCURACY is refused.
 * Tests: tests/unit/test_union.c.
 */
#ifndef GEOM_UNION_MASS_H
#define GEOM_UNION_MASS_H

#include "geom/convex.h"

enum { UNION_PARTS_MAX = 64 };

#define UNION_ACCURACY 1e-8 /* of the volume, its first and second moments; lengths in extents */

enum union_status {
    UNION_OK,
    UNION_NO_MEMORY,
    UNION_INACCURATE /* the accuracy was not reached */
};

/* group[k]: the lowest number among the parts to which part k is linked by overlaps, its own if it
 * overlaps none. Parts that only touch do not overlap. */
void union_groups(const struct convex *const *parts, int32_t count, int32_t *group);

/* Of parts of one dimension, at most UNION_PARTS_MAX, for density 1. `error` (may be NULL) gets the
 * estimated relative error, also when it is too large. */
enum union_status union_mass(const struct convex *const *parts, int32_t count,
                             struct convex_mass *out, double *error);

#endif
