/* SPDX-License-Identifier: Apache-2.0
 * The arrays of bodies, and adding grains to them. */
#include <math.h>

#include "base/error.h"
#include "world/world.h"

talus_status bodies_reserve(struct world *world, size_t count, talus_error *err) {
    struct bodies *bodies = &world->bodies;
    if (count <= bodies->capacity) return TALUS_OK;
    if (count > INT32_MAX)
        return error_set(err, TALUS_ERR_INPUT, "%zu bodies; at most %d fit in one process", count,
                         INT32_MAX);
    size_t grown = 2 * bodies->capacity > count ? 2 * bodies->capacity : count;
#define FIELD(type, name)                                                                       \
    {                                                                                           \
        type *moved =                                                                           \
            memory_resize(world->memory, bodies->name, bodies->capacity, grown, sizeof *moved); \
        if (moved == NULL) return error_memory(err);                                            \
        bodies->name = moved;                                                                   \
    }
    WORLD_BODY_FIELDS(FIELD)
#undef FIELD
    bodies->capacity = grown;
    return TALUS_OK;
}

void bodies_free(struct world *world) {
    struct bodies *bodies = &world->bodies;
#define FIELD(type, name) \
    memory_free(world->memory, bodies->name, bodies->capacity, sizeof *bodies->name);
    WORLD_BODY_FIELDS(FIELD)
#undef FIELD
}

talus_index bodies_append(struct world *world) {
    struct bodies *bodies = &world->bodies;
    size_t i = bodies->count++;
#define FIELD(type, name) bodies->name[i] = (type){0};
    WORLD_BODY_FIELDS(FIELD)
#undef FIELD
    bodies->orientation[i] = quat_identity();
    bodies->gid[i] = world->next_gid++;
    return (talus_index)i;
}

static talus_status check_numbers(const talus_body_def *def, size_t number, talus_error *err) {
    bool has_form = shape_find(def->shape) < 0;
    if (!(def->radius > 0.0 || (has_form && def->radius == 0.0)) || !isfinite(def->radius))
        return error_set(err, TALUS_ERR_INPUT, "body %zu: radius = %g, must be > 0", number,
                         def->radius);
    if (!(def->mass >= 0.0) || !isfinite(def->mass))
        return error_set(err, TALUS_ERR_INPUT, "body %zu: mass = %g, must be >= 0", number,
                         def->mass);
    if (!vec3_is_finite(def->position) || !vec3_is_finite(def->velocity) ||
        !vec3_is_finite(def->omega))
        return error_set(err, TALUS_ERR_INPUT,
                         "body %zu: position, velocity and omega must be finite", number);
    return TALUS_OK;
}

/* Of the sphere around the grain. */
static double radius_of(const struct world *world, const talus_body_def *def) {
    if (def->radius > 0.0) return def->radius;
    return world->forms[world_find_form(world, def->shape)].reach;
}

/* Moments of inertia go with the fifth power of the size: beyond this they are no numbers any more. */
static const double smallest = 1e-50, largest = 1e50; /* m */

static talus_status check_size(const struct world *world, const talus_body_def *def, size_t number,
                               talus_error *err) {
    double radius = radius_of(world, def);
    if (radius >= smallest && radius <= largest) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "body %zu: the radius of the sphere around it is %g m, must be between %g and "
                     "%g m",
                     number, radius, smallest, largest);
}

/* A plane world holds only bodies that lie and move in its plane. */
static talus_status check_plane(const struct world *world, const talus_body_def *def, size_t number,
                                talus_error *err) {
    vec3 x = def->position, v = def->velocity, w = def->omega;
    bool flat = world->dim == 3 || (x.z == 0.0 && v.z == 0.0 && w.x == 0.0 && w.y == 0.0);
    bool line = world->dim > 1 || (x.y == 0.0 && v.y == 0.0);
    if (flat && line) return TALUS_OK;
    return error_set(
        err, TALUS_ERR_INPUT,
        "body %zu: position (%g, %g, %g), velocity (%g, %g, %g), omega (%g, %g, %g) leave "
        "the %d-dimensional world; what is locked must be 0",
        number, x.x, x.y, x.z, v.x, v.y, v.z, w.x, w.y, w.z, world->dim);
}

static talus_status check_period(const struct world *world, const talus_body_def *def,
                                 size_t number, talus_error *err) {
    for (int axis = 0; axis < 3; axis++) {
        double period = vec3_component(world->cell.size, axis);
        double radius = radius_of(world, def);
        if (world->cell.periodic[axis] && period < 5.0 * radius)
            return error_set(
                err, TALUS_ERR_INPUT,
                "body %zu: radius = %g, but the period along %c is %g; it must be at least "
                "5 radii so that two grains never touch twice",
                number, radius, "xyz"[axis], period);
    }
    return TALUS_OK;
}

/* All grains are inside an endless hollow cylinder, so they must fit. */
static talus_status check_fits(const struct world *world, const talus_body_def *def, size_t number,
                               talus_error *err) {
    double radius = radius_of(world, def);
    for (size_t k = 0; k < world->boundary_count; k++) {
        const struct boundary *boundary = &world->boundaries[k];
        const struct wall *wall = &boundary->local;
        bool hollow = wall->shape == TALUS_CYLINDER_INSIDE && wall->length == 0.0;
        if (!boundary->present || !hollow || radius < wall->radius) continue;
        return error_set(
            err, TALUS_ERR_INPUT,
            "body %zu: radius = %g, must be smaller than that of the cylinder '%s', %g", number,
            radius, boundary->name.text, wall->radius);
    }
    return TALUS_OK;
}

static talus_status check(const struct world *world, const talus_body_def *def, size_t number,
                          talus_error *err) {
    int shape = shape_find(def->shape);
    if (shape < 0 && world_find_form(world, def->shape) < 0)
        return error_set(err, TALUS_ERR_UNKNOWN_NAME, "body %zu: there is no shape '%s'", number,
                         def->shape);
    TALUS_TRY(check_numbers(def, number, err));
    TALUS_TRY(check_size(world, def, number, err));
    TALUS_TRY(check_plane(world, def, number, err));
    TALUS_TRY(check_period(world, def, number, err));
    TALUS_TRY(check_fits(world, def, number, err));
    if (def->material < 0 || (size_t)def->material >= world->material_count)
        return error_set(err, TALUS_ERR_INPUT, "body %zu: material %d, but there are %zu materials",
                         number, def->material, world->material_count);
    if (def->mass == 0.0 && world->materials[def->material].density == 0.0)
        return error_set(err, TALUS_ERR_INPUT,
                         "body %zu: no mass given and material '%s' has no density", number,
                         world->materials[def->material].name.text);
    if (shape >= 0 && shape_get(shape)->dimension_max < world->dim)
        return error_set(err, TALUS_ERR_INPUT, "body %zu: a %s cannot live in %d dimensions",
                         number, def->shape, world->dim);
    return TALUS_OK;
}

/* Volume and moment of inertia for mass 1. */
static void set_round(struct world *world, talus_index i, int shape, double *volume,
                      double *inertia) {
    const struct shape_type *type = shape_get(shape);
    world->bodies.shape[i] = shape;
    *volume = type->volume(world->bodies.radius[i]);
    *inertia = type->inertia(1.0, world->bodies.radius[i]).z;
}

static void set_form(struct world *world, talus_index i, int32_t index, double *weighed,
                     double *inertia) {
    const struct body_form *form = &world->forms[index];
    world->bodies.form[i] = index + 1;
    double scale = world->bodies.radius[i] / form->reach;
    const mat3 *m = &form->inertia;
    *weighed = world_grain_mass(world, (size_t)i);
    *inertia = scale * scale *
               (world->dim < 3 ? m->m[2][2] : (m->m[0][0] + m->m[1][1] + m->m[2][2]) / 3.0);
}

static void set_mass(struct world *world, talus_index i, const talus_body_def *def) {
    struct bodies *bodies = &world->bodies;
    struct material *material = &world->materials[def->material];
    int shape = shape_find(def->shape);
    double volume, inertia;
    if (shape >= 0)
        set_round(world, i, shape, &volume, &inertia);
    else
        set_form(world, i, world_find_form(world, def->shape), &volume, &inertia);
    if (shape < 0) material->has_forms = true;
    double mass = def->mass > 0.0 ? def->mass : material->density * volume;
    bool turns = world->dim > 1 && !(def->locks & TALUS_LOCK_ROTATION);
    bodies->mass[i] = mass;
    bodies->inverse_mass[i] = 1.0 / mass;
    bodies->inertia[i] = mass * inertia;
    bodies->inverse_inertia[i] = turns ? 1.0 / bodies->inertia[i] : 0.0;
    bodies->omega[i] = turns ? def->omega : vec3_zero();
}

static void add(struct world *world, const talus_body_def *def, int32_t group) {
    struct bodies *bodies = &world->bodies;
    double radius = radius_of(world, def);
    talus_index i = bodies_append(world);
    bodies->radius[i] = radius;
    set_mass(world, i, def);
    bodies->position[i] = cell_wrap(&world->cell, def->position, &bodies->image[i]);
    bodies->velocity[i] = def->velocity;
    bodies->orientation[i] = def->orientation;
    bodies->kind[i] = TALUS_BODY_GRAIN;
    bodies->material[i] = def->material;
    bodies->group[i] = group;
    bodies->boundary[i] = -1;
    bodies->locks[i] = def->locks;
    if (def->locks & TALUS_LOCK_X) bodies->velocity[i].x = 0.0;
    if (def->locks & TALUS_LOCK_Y) bodies->velocity[i].y = 0.0;
    if (def->locks & TALUS_LOCK_Z) bodies->velocity[i].z = 0.0;
    if (world->grain_count == 0 || radius < world->radius_min) world->radius_min = radius;
    if (radius > world->radius_max) world->radius_max = radius;
    const struct body_form *form = world_form(world, (size_t)i);
    double inner = form == NULL ? radius : radius / form->reach * form->inner;
    if (world->grain_count == 0 || inner < world->thinnest) world->thinnest = inner;
    world->grain_count++;
}

talus_status world_add_bodies(struct world *world, const talus_body_def *defs, size_t count,
                              talus_error *err) {
    for (size_t k = 0; k < count; k++) TALUS_TRY(check(world, &defs[k], k, err));
    TALUS_TRY(bodies_reserve(world, world->bodies.count + count, err));
    int32_t group = 0;
    for (size_t k = 0; k < count; k++) TALUS_TRY(world_group(world, defs[k].group, &group, err));
    for (size_t k = 0; k < count; k++) {
        (void)world_group(world, defs[k].group, &group, err);
        add(world, &defs[k], group);
    }
    return TALUS_OK;
}
