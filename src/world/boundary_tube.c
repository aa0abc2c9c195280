/* SPDX-License-Identifier: Apache-2.0
 *
 * Cylinders of finite length as grains with faces and edges see them: many flat strips, and the two lids of a solid
 * one. The strips leave all the room that the true cylinder, which round grains meet, leaves on the side of the
 * grains: their middles touch a tube, their corners a post. The other ends are off by about R/2 (pi/N)^2.
 */
#include <math.h>

#include "base/error.h"
#include "world/world.h"

enum { STRIPS = 128, CORNERS = 2 * STRIPS, TRIANGLES = 2 * STRIPS + 2 * (STRIPS - 2) };

static double corner_radius(const talus_boundary_def *def) {
    bool is_post = def->shape == TALUS_CYLINDER_OUTSIDE;
    return is_post ? def->radius : def->radius / cos(acos(-1.0) / STRIPS);
}

double boundary_tube_error(const talus_boundary_def *def) {
    return def->radius * (1.0 / cos(acos(-1.0) / STRIPS) - 1.0);
}

static void put_corners(const talus_boundary_def *def, vec3 *corners) {
    vec3 u = vec3_perpendicular(def->normal), v = vec3_cross(def->normal, u);
    double radius = corner_radius(def);
    for (int k = 0; k < STRIPS; k++) {
        double angle = 2.0 * acos(-1.0) * k / STRIPS;
        vec3 at = vec3_add_scaled(vec3_scale(radius * cos(angle), u), radius * sin(angle), v);
        corners[2 * k] = vec3_add_scaled(at, -0.5 * def->length, def->normal);
        corners[2 * k + 1] = vec3_add_scaled(at, 0.5 * def->length, def->normal);
    }
}

static void put_triangle(int32_t (*triangles)[3], size_t *count, int32_t a, int32_t b, int32_t c) {
    triangles[*count][0] = a;
    triangles[*count][1] = b;
    triangles[(*count)++][2] = c;
}

static size_t put_triangles(bool has_lids, int32_t (*triangles)[3]) {
    size_t count = 0;
    for (int32_t k = 0; k < STRIPS; k++) {
        int32_t low = 2 * k, next = (low + 2) % CORNERS;
        put_triangle(triangles, &count, low, next, low + 1);
        put_triangle(triangles, &count, next, next + 1, low + 1);
    }
    for (int32_t k = 1; k < STRIPS - 1 && has_lids; k++) {
        put_triangle(triangles, &count, 0, 2 * k + 2, 2 * k);
        put_triangle(triangles, &count, 1, 2 * k + 1, 2 * k + 3);
    }
    return count;
}

talus_status boundary_make_tube(struct world *world, const talus_boundary_def *def,
                                struct surface *mesh, talus_error *err) {
    vec3 corners[CORNERS];
    int32_t triangles[TRIANGLES][3];
    put_corners(def, corners);
    size_t count = put_triangles(def->shape == TALUS_CYLINDER_OUTSIDE, triangles);
    enum convex_status status =
        surface_make(world->memory, mesh, corners, CORNERS, (const int32_t(*)[3])triangles, count);
    if (status == CONVEX_OK) return TALUS_OK;
    surface_free(world->memory, mesh);
    if (status == CONVEX_NO_MEMORY) return error_memory(err);
    return error_set(err, TALUS_ERR_INPUT,
                     "boundary '%s': a cylinder of radius %g m and length %g m is too flat for "
                     "grains that are not round",
                     def->name, def->radius, def->length);
}
