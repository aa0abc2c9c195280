/* SPDX-License-Identifier: Apache-2.0 */
#include "scheme/implicit_euler.h"

static struct free_motion predict_grain(const struct world *world, talus_index i, double dt) {
    const struct bodies *bodies = &world->bodies;
    uint32_t locks = bodies->locks[i];
    struct free_motion motion = {.omega = bodies->omega[i]};
    motion.weight = vec3_scale(bodies->mass[i], world->gravity);
    motion.force = vec3_add(motion.weight, world_force(world, i, world->time + dt));
    if (locks & TALUS_LOCK_X) motion.force.x = motion.weight.x = 0.0;
    if (locks & TALUS_LOCK_Y) motion.force.y = motion.weight.y = 0.0;
    if (locks & TALUS_LOCK_Z) motion.force.z = motion.weight.z = 0.0;
    /* [Unger2003, eq. 20] without contact forces */
    motion.velocity =
        vec3_add_scaled(bodies->velocity[i], dt * bodies->inverse_mass[i], motion.force);
    return motion;
}

static struct free_motion predict_boundary(const struct world *world,
                                           const struct boundary *boundary, double dt) {
    const struct bodies *bodies = &world->bodies;
    talus_index i = boundary->body;
    struct free_motion motion = {.omega = bodies->omega[i]};
    if (!boundary->is_free) {
        boundary_prescribed(world, boundary, world->time + dt, dt, &motion.velocity, &motion.omega);
        return motion;
    }
    const talus_free_motion *law = &boundary->free;
    double age = world->time + dt;
    double weight = law->weightless ? 0.0 : law->mass * vec3_dot(world->gravity, law->direction);
    motion.weight = vec3_scale(weight, law->direction);
    motion.force = vec3_scale(weight + signal_value(&law->force, age), law->direction);
    motion.torque = vec3_scale(signal_value(&law->torque, age), law->axis);
    motion.velocity =
        vec3_add_scaled(bodies->velocity[i], dt * bodies->inverse_mass[i], motion.force);
    motion.omega = vec3_add_scaled(motion.omega, dt * bodies->inverse_inertia[i], motion.torque);
    return motion;
}

struct free_motion euler_predict(const struct world *world, talus_index body, double dt) {
    int32_t boundary = world->bodies.boundary[body];
    return boundary < 0 ? predict_grain(world, body, dt)
                        : predict_boundary(world, &world->boundaries[boundary], dt);
}

void euler_advance(struct world *world, talus_index body, vec3 velocity, vec3 omega, double dt) {
    struct bodies *bodies = &world->bodies;
    bodies->velocity[body] = velocity;
    bodies->omega[body] = omega;
    vec3 position = vec3_add_scaled(bodies->position[body], dt, velocity); /* [Unger2003, eq. 1] */
    if (bodies->kind[body] == TALUS_BODY_GRAIN)
        position = cell_wrap(&world->cell, position, &bodies->image[body]);
    bodies->position[body] = position;
    if (omega.x != 0.0 || omega.y != 0.0 || omega.z != 0.0)
        bodies->orientation[body] = quat_turn(bodies->orientation[body], vec3_scale(dt, omega));
}
