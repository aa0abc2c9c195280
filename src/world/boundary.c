/* SPDX-License-Identifier: Apache-2.0
 *
 * Boundaries: planes, plates and cylinders that stand still, move as prescribed, or answer forces.
 *
 * A prescribed boundary moves so that at the end of every step it is exactly where its motion says:
 * its velocity in a step is the difference quotient, not the derivative.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/world.h"

talus_status boundary_set_motion(struct world *world, struct boundary *boundary,
                                 const talus_motion *motion, talus_error *err) {
    TALUS_TRY(boundary_check_motion(world, boundary->name.text, &boundary->local, motion, err));
    talus_motion copy = *motion;
    TALUS_TRY(signal_copy(world->memory, &motion->displacement, boundary->name.text,
                          &copy.displacement, err));
    talus_status status =
        signal_copy(world->memory, &motion->angle, boundary->name.text, &copy.angle, err);
    if (status < 0) {
        signal_free(world->memory, &copy.displacement);
        return status;
    }
    boundary_free(world, boundary);
    boundary->motion = copy;
    boundary->free = (talus_free_motion){0};
    boundary->is_free = false;
    boundary->motion_start = world->time;
    boundary->base_point = world->bodies.position[boundary->body];
    boundary->base_orientation = world->bodies.orientation[boundary->body];
    world->bodies.mass[boundary->body] = 0.0;
    world->bodies.inverse_mass[boundary->body] = 0.0;
    world->bodies.inertia[boundary->body] = 0.0;
    world->bodies.inverse_inertia[boundary->body] = 0.0;
    world->bodies.velocity[boundary->body] = vec3_zero();
    world->bodies.omega[boundary->body] = vec3_zero();
    return TALUS_OK;
}

talus_status boundary_set_free(struct world *world, struct boundary *boundary,
                               const talus_free_motion *free_motion, talus_error *err) {
    TALUS_TRY(boundary_check_free(world, boundary->name.text, &boundary->local, free_motion, err));
    talus_free_motion copy = *free_motion;
    TALUS_TRY(
        signal_copy(world->memory, &free_motion->force, boundary->name.text, &copy.force, err));
    talus_status status =
        signal_copy(world->memory, &free_motion->torque, boundary->name.text, &copy.torque, err);
    if (status < 0) {
        signal_free(world->memory, &copy.force);
        return status;
    }
    boundary_free(world, boundary);
    struct bodies *bodies = &world->bodies;
    talus_index body = boundary->body;
    boundary->free = copy;
    boundary->motion = (talus_motion){0};
    boundary->is_free = copy.mass > 0.0 || copy.inertia > 0.0;
    bodies->mass[body] = copy.mass;
    bodies->inverse_mass[body] = copy.mass > 0.0 ? 1.0 / copy.mass : 0.0;
    bodies->inertia[body] = copy.inertia;
    bodies->inverse_inertia[body] = copy.inertia > 0.0 ? 1.0 / copy.inertia : 0.0;
    /* Keep only the motion that the guides allow. */
    double slide = copy.mass > 0.0 ? vec3_dot(bodies->velocity[body], copy.direction) : 0.0;
    double turn = copy.inertia > 0.0 ? vec3_dot(bodies->omega[body], copy.axis) : 0.0;
    bodies->velocity[body] = vec3_scale(slide, copy.direction);
    bodies->omega[body] = vec3_scale(turn, copy.axis);
    return TALUS_OK;
}

void boundary_free(struct world *world, struct boundary *boundary) {
    signal_free(world->memory, &boundary->motion.displacement);
    signal_free(world->memory, &boundary->motion.angle);
    signal_free(world->memory, &boundary->free.force);
    signal_free(world->memory, &boundary->free.torque);
}

static bool asks_for_free(const talus_boundary_def *def) {
    return def->free.mass != 0.0 || def->free.inertia != 0.0;
}

/* Vertices come as they stand; the body frame has the reference point as its origin. */
static talus_status make_mesh(struct world *world, const talus_boundary_def *def,
                              struct surface *mesh, talus_error *err) {
    vec3 *local = memory_resize(world->memory, NULL, 0, def->vertex_count, sizeof *local);
    if (local == NULL) return error_memory(err);
    for (size_t k = 0; k < def->vertex_count; k++)
        local[k] = vec3_sub(def->vertices[k], def->point);
    enum convex_status status = surface_make(world->memory, mesh, local, def->vertex_count,
                                             def->triangles, def->triangle_count);
    memory_free(world->memory, local, def->vertex_count, sizeof *local);
    if (status == CONVEX_OK) return TALUS_OK;
    surface_free(world->memory, mesh);
    if (status == CONVEX_NO_MEMORY) return error_memory(err);
    return error_set(err, TALUS_ERR_INPUT, "boundary '%s': no triangle has an area", def->name);
}

static bool is_tube(const struct world *world, const talus_boundary_def *def) {
    bool is_cylinder = def->shape == TALUS_CYLINDER_INSIDE || def->shape == TALUS_CYLINDER_OUTSIDE;
    return world->dim == 3 && is_cylinder && def->length > 0.0;
}

talus_status world_add_boundary(struct world *world, const talus_boundary_def *def,
                                talus_error *err) {
    struct boundary boundary = {.present = true};
    TALUS_TRY(name_check(&boundary.name, "boundary", def->name, err));
    for (size_t i = 0; i < world->boundary_count; i++)
        if (world->boundaries[i].present && strcmp(world->boundaries[i].name.text, def->name) == 0)
            return error_set(err, TALUS_ERR_INPUT, "boundary '%s' exists already", def->name);
    TALUS_TRY(boundary_check_shape(world, def, err));
    if (def->material < 0 || (size_t)def->material >= world->material_count)
        return error_set(err, TALUS_ERR_INPUT, "boundary '%s': material %d, but there are %zu",
                         def->name, def->material, world->material_count);
    struct boundary *boundaries =
        memory_reserve(world->memory, world->boundaries, &world->boundary_capacity,
                       world->boundary_count + 1, sizeof *boundaries);
    if (boundaries == NULL) return error_memory(err);
    world->boundaries = boundaries;
    TALUS_TRY(bodies_reserve(world, world->bodies.count + 1, err));
    if (def->shape == TALUS_MESH) TALUS_TRY(make_mesh(world, def, &boundary.mesh, err));
    if (is_tube(world, def)) {
        TALUS_TRY(boundary_make_tube(world, def, &boundary.mesh, err));
        boundary.mesh_error = boundary_tube_error(def);
    }
    boundary.local = (struct wall){.shape = def->shape,
                                   .normal = def->normal,
                                   .edge = def->edge,
                                   .size = {def->size[0], def->size[1]},
                                   .radius = def->radius,
                                   .length = def->length};
    if (def->shape == TALUS_MESH) boundary.local.radius = boundary.mesh.reach;
    /* The body comes last: with it in place, setting the motion may still refuse. */
    size_t count = world->bodies.count;
    boundary.body = bodies_append(world);
    world->bodies.position[boundary.body] = def->point;
    world->bodies.kind[boundary.body] = TALUS_BODY_BOUNDARY;
    world->bodies.material[boundary.body] = def->material;
    world->bodies.boundary[boundary.body] = (int32_t)world->boundary_count;
    world->bodies.group[boundary.body] = -1;
    talus_status status = asks_for_free(def)
                              ? boundary_set_free(world, &boundary, &def->free, err)
                              : boundary_set_motion(world, &boundary, &def->motion, err);
    if (status < 0) {
        surface_free(world->memory, &boundary.mesh);
        world->bodies.count = count;
        world->next_gid--;
        return status;
    }
    if (boundary.mesh.facet_count > 0) world->mesh_count++;
    world->boundaries[world->boundary_count++] = boundary;
    return TALUS_OK;
}

struct boundary *world_find_boundary(const struct world *world, const char *name,
                                     talus_error *err) {
    for (size_t i = 0; i < world->boundary_count; i++)
        if (world->boundaries[i].present && strcmp(world->boundaries[i].name.text, name) == 0)
            return &world->boundaries[i];
    error_set(err, TALUS_ERR_UNKNOWN_NAME, "there is no boundary '%s'", name);
    return NULL;
}

struct wall boundary_wall(const struct world *world, const struct boundary *boundary) {
    struct wall wall = boundary->local;
    quat orientation = world->bodies.orientation[boundary->body];
    wall.point = world->bodies.position[boundary->body];
    wall.normal = quat_rotate(orientation, wall.normal);
    wall.edge = quat_rotate(orientation, wall.edge);
    return wall;
}

static double signal_change(const talus_signal *signal, double time) {
    return signal_value(signal, time) - signal_value(signal, 0.0);
}

void boundary_prescribed(const struct world *world, const struct boundary *boundary, double time,
                         double dt, vec3 *velocity, vec3 *omega) {
    const talus_motion *motion = &boundary->motion;
    double now = world->time - boundary->motion_start, then = time - boundary->motion_start;
    vec3 shift = vec3_add_scaled(vec3_scale(then, motion->velocity),
                                 signal_change(&motion->displacement, then), motion->direction);
    double angle = motion->rate * then + signal_change(&motion->angle, then);
    double angle_now = motion->rate * now + signal_change(&motion->angle, now);
    vec3 target = vec3_add(boundary->base_point, shift);
    vec3 arm = vec3_sub(boundary->base_point, motion->axis_point);
    if (angle != 0.0 && vec3_norm2(arm) > 0.0) {
        vec3 turned = quat_rotate(quat_turn(quat_identity(), vec3_scale(angle, motion->axis)), arm);
        target = vec3_add(target, vec3_sub(turned, arm));
    }
    vec3 step = vec3_sub(target, world->bodies.position[boundary->body]);
    *velocity = vec3_make(step.x / dt, step.y / dt, step.z / dt);
    *omega = vec3_scale((angle - angle_now) / dt, motion->axis);
}
