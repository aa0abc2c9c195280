/* SPDX-License-Identifier: Apache-2.0 */
#include "geom/manifold_hollow.h"

/* Vertex k against the surface. */
static struct hollow_point touch_vertex(const struct placed *part, int32_t k, vec3 axis_point,
                                        vec3 axis, double radius) {
    vec3 local = vec3_scale(part->scale, part->shape->vertices[k]);
    vec3 at = vec3_add(part->position, mat3_apply(&part->rotation, local));
    vec3 radial = vec3_tangential(vec3_sub(at, axis_point), axis);
    double rho = vec3_norm(radial), rounding = part->scale * part->shape->rounding;
    struct hollow_point touch = {.feature = (uint32_t)k + 1, .gap = radius - rho - rounding};
    touch.normal = rho > 0.0 ? vec3_scale(1.0 / rho, radial) : vec3_perpendicular(axis);
    touch.point = vec3_add_scaled(at, rounding + 0.5 * touch.gap, touch.normal);
    return touch;
}

/* How far a point is from the nearest of those chosen. */
static double clearance(const struct hollow_point *chosen, int count, vec3 point) {
    double least = HUGE_VAL;
    for (int k = 0; k < count; k++)
        least = fmin(least, vec3_norm2(vec3_sub(chosen[k].point, point)));
    return least;
}

int manifold_hollow(const struct placed *part, vec3 axis_point, vec3 axis, double radius,
                    double margin, struct hollow_point *out) {
    int wanted = part->shape->dim < 3 ? MANIFOLD_PLANE_FLAT : MANIFOLD_MAX, count = 0;
    while (count < wanted) {
        double best = -HUGE_VAL;
        for (int32_t k = 0; k < part->shape->vertex_count; k++) {
            struct hollow_point touch = touch_vertex(part, k, axis_point, axis, radius);
            if (touch.gap > margin) continue;
            double rank = count == 0 ? -touch.gap : clearance(out, count, touch.point);
            if (!(rank > best) || rank == 0.0) continue;
            best = rank;
            out[count] = touch;
        }
        if (best == -HUGE_VAL) break;
        count++;
    }
    return count;
}
