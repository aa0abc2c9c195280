/* SPDX-License-Identifier: Apache-2.0
 *
 * What a boundary must obey: unit vectors, sizes, and that it fits its world. In a plane world nothing of
 * it may lead out of the plane. Along a periodic axis an infinite boundary must look the same
 * everywhere, else its images would be walls in mid-air.
 */
#include <math.h>

#include "base/error.h"
#include "world/world.h"

static const double unit_tolerance = 1e-9; /* how far from 1 the length of a unit vector may be */

static bool is_unit(vec3 a) {
    return vec3_is_finite(a) && fabs(vec3_norm(a) - 1.0) < unit_tolerance;
}

static talus_status check_mesh(const talus_boundary_def *def, talus_error *err) {
    if (def->vertex_count < 3 || def->triangle_count < 1 || def->vertex_count > INT32_MAX / 4 ||
        def->triangle_count > INT32_MAX / 4)
        return error_set(err, TALUS_ERR_INPUT,
                         "boundary '%s': a mesh of %zu vertices and %zu triangles; it needs at "
                         "least 3 and 1",
                         def->name, def->vertex_count, def->triangle_count);
    for (size_t k = 0; k < def->vertex_count; k++)
        if (!vec3_is_finite(def->vertices[k]))
            return error_set(err, TALUS_ERR_INPUT, "boundary '%s': vertex %zu is not finite",
                             def->name, k);
    for (size_t k = 0; k < 3 * def->triangle_count; k++) {
        int32_t vertex = def->triangles[k / 3][k % 3];
        if (vertex < 0 || (size_t)vertex >= def->vertex_count)
            return error_set(err, TALUS_ERR_INPUT,
                             "boundary '%s': triangle %zu names vertex %d, but there are %zu",
                             def->name, k / 3, vertex, def->vertex_count);
    }
    return TALUS_OK;
}

static talus_status check_sizes(const talus_boundary_def *def, talus_error *err) {
    if (!vec3_is_finite(def->point))
        return error_set(err, TALUS_ERR_INPUT, "boundary '%s': the point must be finite",
                         def->name);
    if (!is_unit(def->normal))
        return error_set(err, TALUS_ERR_INPUT,
                         "boundary '%s': normal (%g, %g, %g) must have length 1", def->name,
                         def->normal.x, def->normal.y, def->normal.z);
    if (def->shape == TALUS_RECTANGLE) {
        if (!is_unit(def->edge) || fabs(vec3_dot(def->edge, def->normal)) > unit_tolerance)
            return error_set(
                err, TALUS_ERR_INPUT,
                "boundary '%s': edge must have length 1 and be perpendicular to normal", def->name);
        if (!(def->size[0] > 0.0) || !(def->size[1] > 0.0))
            return error_set(err, TALUS_ERR_INPUT, "boundary '%s': size = %g x %g, must be > 0",
                             def->name, def->size[0], def->size[1]);
    } else if (def->shape == TALUS_MESH) {
        return check_mesh(def, err);
    } else if (def->shape != TALUS_PLANE) {
        if (!(def->radius > 0.0) || !isfinite(def->radius))
            return error_set(err, TALUS_ERR_INPUT, "boundary '%s': radius = %g, must be > 0",
                             def->name, def->radius);
        if (!(def->length >= 0.0) || !isfinite(def->length))
            return error_set(err, TALUS_ERR_INPUT, "boundary '%s': length = %g, must be >= 0",
                             def->name, def->length);
    }
    return TALUS_OK;
}

static bool is_cylinder(talus_boundary_shape shape) {
    return shape == TALUS_CYLINDER_INSIDE || shape == TALUS_CYLINDER_OUTSIDE;
}

/* A direction of motion, or a normal, that a world of this dimension has. */
static talus_status check_stays(const struct world *world, const char *name, const char *what,
                                vec3 direction, talus_error *err) {
    vec3 kept = world_project(world, direction);
    if (kept.y == direction.y && kept.z == direction.z) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "boundary '%s': %s (%g, %g, %g) leads out of a %d-dimensional world", name,
                     what, direction.x, direction.y, direction.z, world->dim);
}

/* An axis of rotation: along z in a plane, none on a line. */
static talus_status check_turns(const struct world *world, const char *name, const char *what,
                                vec3 axis, talus_error *err) {
    bool fits =
        world->dim == 3 || (axis.x == 0.0 && axis.y == 0.0 && (world->dim == 2 || axis.z == 0.0));
    if (fits) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "boundary '%s': %s (%g, %g, %g) turns it out of a %d-dimensional world", name,
                     what, axis.x, axis.y, axis.z, world->dim);
}

/* Half the length of a finite wall, or of the section of a post, along a periodic axis. */
static double half_extent(const talus_boundary_def *def, vec3 axis) {
    if (def->shape == TALUS_MESH) {
        double far = 0.0;
        for (size_t k = 0; k < def->vertex_count; k++)
            far = fmax(far, fabs(vec3_dot(vec3_sub(def->vertices[k], def->point), axis)));
        return far;
    }
    if (def->shape == TALUS_RECTANGLE) {
        vec3 side = vec3_cross(def->normal, def->edge);
        return 0.5 * (def->size[0] * fabs(vec3_dot(def->edge, axis)) +
                      def->size[1] * fabs(vec3_dot(side, axis)));
    }
    double along = vec3_dot(def->normal, axis), across = sqrt(fmax(0.0, 1.0 - along * along));
    return 0.5 * def->length * fabs(along) + def->radius * across;
}

/* Does the wall look the same everywhere along the axis? */
static bool is_uniform(const talus_boundary_def *def, vec3 axis) {
    double along = fabs(vec3_dot(def->normal, axis));
    if (def->shape == TALUS_MESH) return false;
    if (is_cylinder(def->shape)) return along > 1.0 - unit_tolerance;
    if (along > unit_tolerance) return false;
    if (def->shape == TALUS_PLANE) return true;
    double edge = fabs(vec3_dot(def->edge, axis));
    return edge < unit_tolerance || edge > 1.0 - unit_tolerance;
}

/* Grains look at the nearest image of a wall only: it must be uniform along a periodic axis, or so
 * short that with a grain (at most a fifth of the period) it fits in half a period. */
static talus_status check_period(const struct world *world, const talus_boundary_def *def,
                                 talus_error *err) {
    const double share = 0.3;
    for (int axis = 0; axis < 3; axis++) {
        if (!world->cell.periodic[axis]) continue;
        vec3 unit = vec3_zero();
        vec3_set_component(&unit, axis, 1.0);
        if (is_uniform(def, unit)) continue;
        bool endless = def->shape == TALUS_PLANE || def->shape == TALUS_CYLINDER_INSIDE ||
                       fabs(vec3_dot(def->normal, unit)) > unit_tolerance;
        if (def->shape == TALUS_RECTANGLE || def->shape == TALUS_MESH ||
            (is_cylinder(def->shape) && def->length > 0.0))
            endless = false;
        double limit = share * vec3_component(world->cell.size, axis);
        if (!endless && half_extent(def, unit) <= limit) continue;
        return error_set(
            err, TALUS_ERR_INPUT,
            "boundary '%s' does not fit the period along %c: it must be the same everywhere "
            "along %c, or at most %g m long there",
            def->name, "xyz"[axis], "xyz"[axis], 2.0 * limit);
    }
    return TALUS_OK;
}

/* In a periodic cell a wall may turn only within itself. */
static talus_status check_turning_period(const struct world *world, const char *name,
                                         const struct wall *local, vec3 axis, talus_error *err) {
    if (!world->cell.any || vec3_norm(vec3_cross(axis, local->normal)) < unit_tolerance)
        return TALUS_OK;
    return error_set(
        err, TALUS_ERR_INPUT,
        "boundary '%s': in a periodic cell a wall can turn only about its normal or axis", name);
}

/* A rectangle beside the plane of the world would be met at its edge, and push grains out of the plane. */
static talus_status check_reaches_plane(const struct world *world, const talus_boundary_def *def,
                                        talus_error *err) {
    if (world->dim == 3 || def->shape != TALUS_RECTANGLE) return TALUS_OK;
    vec3 side = vec3_cross(def->normal, def->edge);
    double reach = 0.5 * (fabs(def->edge.z) * def->size[0] + fabs(side.z) * def->size[1]);
    if (fabs(def->point.z) <= reach) return TALUS_OK;
    return error_set(
        err, TALUS_ERR_INPUT,
        "boundary '%s': point.z = %g, but it reaches only %g along z; it must cross the "
        "plane z = 0 of this world",
        def->name, def->point.z, reach);
}

talus_status boundary_check_shape(const struct world *world, const talus_boundary_def *def,
                                  talus_error *err) {
    TALUS_TRY(check_sizes(def, err));
    if (def->shape == TALUS_MESH && world->dim < 3)
        return error_set(err, TALUS_ERR_INPUT,
                         "boundary '%s': a mesh needs 3 dimensions; here are %d", def->name,
                         world->dim);
    if (def->shape == TALUS_CYLINDER_INSIDE && def->length == 0.0 &&
        world->radius_max >= def->radius)
        return error_set(
            err, TALUS_ERR_INPUT,
            "boundary '%s': radius = %g, must be larger than that of the largest grain, "
            "%g, which cannot be inside",
            def->name, def->radius, world->radius_max);
    TALUS_TRY(check_reaches_plane(world, def, err));
    if (is_cylinder(def->shape))
        TALUS_TRY(check_turns(world, def->name, "axis", def->normal, err));
    else
        TALUS_TRY(check_stays(world, def->name, "normal", def->normal, err));
    return check_period(world, def, err);
}

talus_status boundary_check_motion(const struct world *world, const char *name,
                                   const struct wall *local, const talus_motion *motion,
                                   talus_error *err) {
    if (!vec3_is_finite(motion->velocity) || !vec3_is_finite(motion->direction) ||
        !isfinite(motion->rate) || !vec3_is_finite(motion->axis_point))
        return error_set(err, TALUS_ERR_INPUT, "boundary '%s': its motion must be finite", name);
    TALUS_TRY(check_stays(world, name, "motion.velocity", motion->velocity, err));
    if (motion->displacement.kind != TALUS_SIGNAL_CONSTANT)
        TALUS_TRY(check_stays(world, name, "motion.direction", motion->direction, err));
    bool turns = motion->rate != 0.0 || motion->angle.kind != TALUS_SIGNAL_CONSTANT;
    if (!turns) return TALUS_OK;
    if (!is_unit(motion->axis))
        return error_set(err, TALUS_ERR_INPUT,
                         "boundary '%s': the axis of rotation must have length 1", name);
    TALUS_TRY(check_turns(world, name, "motion.axis", motion->axis, err));
    return check_turning_period(world, name, local, motion->axis, err);
}

talus_status boundary_check_free(const struct world *world, const char *name,
                                 const struct wall *local, const talus_free_motion *free_motion,
                                 talus_error *err) {
    if (!(free_motion->mass >= 0.0) || !isfinite(free_motion->mass))
        return error_set(err, TALUS_ERR_INPUT, "boundary '%s': mass = %g, must be >= 0", name,
                         free_motion->mass);
    if (!(free_motion->inertia >= 0.0) || !isfinite(free_motion->inertia))
        return error_set(err, TALUS_ERR_INPUT, "boundary '%s': inertia = %g, must be >= 0", name,
                         free_motion->inertia);
    if (free_motion->mass > 0.0) {
        if (!is_unit(free_motion->direction))
            return error_set(err, TALUS_ERR_INPUT,
                             "boundary '%s': the direction must have length 1", name);
        TALUS_TRY(check_stays(world, name, "free.direction", free_motion->direction, err));
    }
    if (free_motion->inertia == 0.0) return TALUS_OK;
    if (!is_unit(free_motion->axis))
        return error_set(err, TALUS_ERR_INPUT, "boundary '%s': the axis must have length 1", name);
    TALUS_TRY(check_turns(world, name, "free.axis", free_motion->axis, err));
    return check_turning_period(world, name, local, free_motion->axis, err);
}
