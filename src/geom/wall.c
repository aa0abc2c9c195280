/* SPDX-License-Identifier: Apache-2.0
 * Distance of a sphere from planes, plates and cylinders. The curvature of edges and rims is given as
 * zero, as if they were flat. */
#include <math.h>

#include "geom/distance.h"

static double clamp(double value, double limit) {
    return value > limit ? limit : value < -limit ? -limit : value;
}

/* The touch with the point of the wall nearest to the centre, `delta` away; `fallback` serves when
 * the centre lies on it. */
static struct touch touch_point(vec3 delta, double radius, vec3 fallback) {
    double distance = vec3_norm(delta);
    struct touch touch = {.curvature = 0.0};
    touch.gap = distance - radius;
    touch.normal = distance > 0.0 ? vec3_scale(1.0 / distance, delta) : fallback;
    return touch;
}

static struct touch touch_plane(const struct wall *wall, vec3 position, double radius) {
    struct touch touch = {.curvature = 0.0};
    touch.gap = vec3_dot(position, wall->normal) - radius;
    touch.normal = vec3_scale(-1.0, wall->normal);
    return touch;
}

static struct touch touch_rectangle(const struct wall *wall, vec3 position, double radius) {
    vec3 side = vec3_cross(wall->normal, wall->edge);
    double u = clamp(vec3_dot(position, wall->edge), 0.5 * wall->size[0]);
    double v = clamp(vec3_dot(position, side), 0.5 * wall->size[1]);
    vec3 nearest = vec3_add_scaled(vec3_scale(u, wall->edge), v, side);
    return touch_point(vec3_sub(nearest, position), radius, vec3_scale(-1.0, wall->normal));
}

/* A tube of finite length is a thin shell: grains may be inside, outside or at its rim. */
static struct touch touch_tube(const struct wall *wall, double rho, double beyond, vec3 outward,
                               double radius) {
    vec3 delta = vec3_add_scaled(vec3_scale(-beyond, wall->normal), wall->radius - rho, outward);
    struct touch touch = touch_point(delta, radius, outward);
    if (beyond == 0.0) touch.curvature = (rho < wall->radius ? -1.0 : 1.0) / wall->radius;
    return touch;
}

/* Past the end of a solid cylinder: its lid or its rim. */
static struct touch touch_lid(const struct wall *wall, double rho, double beyond, vec3 outward,
                              double radius) {
    double reach = rho > wall->radius ? wall->radius - rho : 0.0;
    vec3 delta = vec3_add_scaled(vec3_scale(-beyond, wall->normal), reach, outward);
    return touch_point(delta, radius, outward);
}

static struct touch touch_cylinder(const struct wall *wall, vec3 position, double radius) {
    double along = vec3_dot(position, wall->normal);
    vec3 radial = vec3_add_scaled(position, -along, wall->normal);
    double rho = vec3_norm(radial);
    vec3 outward = rho > 0.0 ? vec3_scale(1.0 / rho, radial) : vec3_perpendicular(wall->normal);
    bool inside = wall->shape == TALUS_CYLINDER_INSIDE;
    double beyond = wall->length > 0.0 ? along - clamp(along, 0.5 * wall->length) : 0.0;
    if (inside && wall->length > 0.0) return touch_tube(wall, rho, beyond, outward, radius);
    if (beyond != 0.0) return touch_lid(wall, rho, beyond, outward, radius);
    struct touch touch = {.curvature = 0.0};
    touch.gap = (inside ? wall->radius - rho : rho - wall->radius) - radius;
    touch.normal = inside ? outward : vec3_scale(-1.0, outward);
    touch.curvature = (inside ? -1.0 : 1.0) / wall->radius;
    return touch;
}

struct touch touch_wall(const struct wall *wall, vec3 position, double radius) {
    switch (wall->shape) {
    case TALUS_PLANE: return touch_plane(wall, position, radius);
    case TALUS_RECTANGLE: return touch_rectangle(wall, position, radius);
    case TALUS_MESH: /* a bound; its triangles are looked at one by one */
        return touch_point(
            vec3_scale(-fmax(0.0, 1.0 - wall->radius / vec3_norm(position)), position), radius,
            wall->normal);
    case TALUS_CYLINDER_INSIDE:
    case TALUS_CYLINDER_OUTSIDE: break;
    }
    return touch_cylinder(wall, position, radius);
}
