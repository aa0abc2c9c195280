/* SPDX-License-Identifier: Apache-2.0
 *
 * A convex part inside a hollow cylinder: as the surface bends towards it everywhere, only vertices touch.
 */
#ifndef GEOM_MANIFOLD_HOLLOW_H
#define GEOM_MANIFOLD_HOLLOW_H

#include "geom/manifold.h"

struct hollow_point {
    vec3 normal,
        point; /* outward at this point; middle of the gap, in the coordinates of the positions */
    double gap;
    uint32_t feature;
};

/* `axis_point` on the axis, in the coordinates of the positions. Up to MANIFOLD_MAX vertices within the
 * margin (two in a plane): the nearest, then the farthest from it, then those farthest from these. */
int manifold_hollow(const struct placed *part, vec3 axis_point, vec3 axis, double radius,
                    double margin, struct hollow_point *out);

#endif
