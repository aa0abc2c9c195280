/* SPDX-License-Identifier: Apache-2.0
 *
 * Gap, normal and contact point of two shapes. Stateless.
 *
 * The normal points from the first shape to the second. The contact point lies in the middle of the
 * gap (or overlap): both bodies see the same point, so the moments of a contact force cancel exactly.
 */
#ifndef GEOM_DISTANCE_H
#define GEOM_DISTANCE_H

#include "math/vec3.h"
#include "talus/sim.h"

struct touch {
    vec3 normal;      /* unit, from the first to the second */
    double gap;       /* m, negative = overlap */
    double curvature; /* 1/m, of a wall where it is touched: > 0 convex, < 0 concave */
};

/* Two spheres or discs; `branch` leads from the centre of the first to that of the second. */
static inline struct touch touch_spheres(vec3 branch, double radius_a, double radius_b) {
    double distance = vec3_norm(branch);
    struct touch touch = {.curvature = 0.0};
    touch.gap = distance - (radius_a + radius_b);
    /* Coincident centres have no direction of their own; any will do to part them. */
    touch.normal = distance > 0.0
                       ? vec3_make(branch.x / distance, branch.y / distance, branch.z / distance)
                       : vec3_make(1.0, 0.0, 0.0);
    return touch;
}

/* A boundary as it stands now, in world coordinates. */
struct wall {
    talus_boundary_shape shape;
    vec3 point, normal, edge;       /* as in talus_boundary_def */
    double size[2], radius, length; /* mesh: radius of the sphere around it, about its point */
};

/* A sphere at `position` relative to wall.point; the normal points from the sphere into the wall. */
struct touch touch_wall(const struct wall *wall, vec3 position, double radius);

#endif
