/* SPDX-License-Identifier: Apache-2.0
 * Regions to fill and to pour from. */
#include "scene/generate.h"

static const double pi = 3.14159265358979323846;

double grain_measure(double radius, int dimension) {
    if (dimension == 1) return 2.0 * radius;
    if (dimension == 2) return pi * radius * radius;
    return 4.0 / 3.0 * pi * radius * radius * radius;
}

double region_measure(const struct scene_region *region, int dimension) {
    if (region->kind == SCENE_REGION_CYLINDER) {
        double circle = pi * region->radius * region->radius;
        return dimension == 3 ? circle * region->length : circle;
    }
    double measure = 1.0;
    for (int axis = 0; axis < dimension; axis++) {
        measure *= vec3_component(region->high, axis) - vec3_component(region->low, axis);
    }
    return measure;
}

/* Half the extent of a cylinder along a coordinate direction with cosine c to its axis. */
static double half_extent(const struct scene_region *region, double c, int dimension) {
    double along = dimension == 3 ? 0.5 * region->length * fabs(c) : 0.0;
    return along + region->radius * sqrt(fmax(0.0, 1.0 - c * c));
}

struct region_space region_space(const struct scene_region *region, const talus_config *config) {
    struct region_space space = {.region = *region, .dimension = config->dim};
    for (int axis = 0; axis < config->dim; axis++) {
        double low = vec3_component(region->low, axis), high = vec3_component(region->high, axis);
        double period = vec3_component(config->cell.size, axis);
        if (region->kind == SCENE_REGION_CYLINDER) {
            double centre = vec3_component(region->point, axis);
            double half = half_extent(region, vec3_component(region->axis, axis), config->dim);
            low = centre - half;
            high = centre + half;
        } else if (config->cell.periodic[axis] && high - low >= period * (1.0 - 1e-9)) {
            space.spans[axis] = true;
            high = low + period;
            vec3_set_component(&space.region.high, axis, high);
        }
        vec3_set_component(&space.low, axis, low);
        vec3_set_component(&space.high, axis, high);
    }
    return space;
}

static vec3 draw_in_box(const struct region_space *space, double radius, struct random *random) {
    vec3 at = vec3_zero();
    for (int axis = 0; axis < space->dimension; axis++) {
        double margin = space->spans[axis] ? 0.0 : radius;
        double low = vec3_component(space->low, axis) + margin;
        double width = vec3_component(space->high, axis) - margin - low;
        vec3_set_component(&at, axis, low + fmax(width, 0.0) * random_uniform(random));
    }
    return at;
}

static vec3 draw_in_cylinder(const struct region_space *space, double radius,
                             struct random *random) {
    const struct scene_region *region = &space->region;
    double reach = fmax(region->radius - radius, 0.0) * sqrt(random_uniform(random));
    double angle = 2.0 * pi * random_uniform(random);
    if (space->dimension < 3) {
        return vec3_make(region->point.x + reach * cos(angle), region->point.y + reach * sin(angle),
                         0.0);
    }
    vec3 across = vec3_perpendicular(region->axis), third = vec3_cross(region->axis, across);
    double height = fmax(region->length - 2.0 * radius, 0.0) * (random_uniform(random) - 0.5);
    vec3 at = vec3_add_scaled(region->point, height, region->axis);
    at = vec3_add_scaled(at, reach * cos(angle), across);
    return vec3_add_scaled(at, reach * sin(angle), third);
}

vec3 region_draw(const struct region_space *space, double radius, struct random *random) {
    return space->region.kind == SCENE_REGION_CYLINDER ? draw_in_cylinder(space, radius, random)
                                                       : draw_in_box(space, radius, random);
}

bool region_holds(const struct region_space *space, vec3 at, double radius) {
    const struct scene_region *region = &space->region;
    if (region->kind == SCENE_REGION_CYLINDER) {
        vec3 away = vec3_sub(at, region->point);
        if (space->dimension < 3) away.z = 0.0;
        double along = vec3_dot(away, region->axis);
        double across = vec3_norm(vec3_add_scaled(away, -along, region->axis));
        bool between = space->dimension < 3 || fabs(along) + radius <= 0.5 * region->length;
        return between && across + radius <= region->radius;
    }
    for (int axis = 0; axis < space->dimension; axis++) {
        if (space->spans[axis]) continue;
        double value = vec3_component(at, axis);
        if (value - radius < vec3_component(space->low, axis)) return false;
        if (value + radius > vec3_component(space->high, axis)) return false;
    }
    return true;
}
