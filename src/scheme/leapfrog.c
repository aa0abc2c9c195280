/* SPDX-License-Identifier: Apache-2.0 */
#include "scheme/leapfrog.h"

#include "scheme/implicit_euler.h"

static const talus_free_motion *guide_of(const struct world *world, talus_index body) {
    int32_t boundary = world->bodies.boundary[body];
    return boundary < 0 ? NULL : &world->boundaries[boundary].free;
}

vec3 leapfrog_acceleration(const struct world *world, talus_index body, vec3 force) {
    const talus_free_motion *guide = guide_of(world, body);
    uint32_t locks = world->bodies.locks[body];
    double w = world->bodies.inverse_mass[body];
    if (guide != NULL) return vec3_scale(w * vec3_dot(force, guide->direction), guide->direction);
    return vec3_make(locks & TALUS_LOCK_X ? 0.0 : w * force.x,
                     locks & TALUS_LOCK_Y ? 0.0 : w * force.y,
                     locks & TALUS_LOCK_Z ? 0.0 : w * force.z);
}

vec3 leapfrog_spin_rate(const struct world *world, talus_index body, vec3 torque) {
    const talus_free_motion *guide = guide_of(world, body);
    double w = world->bodies.inverse_inertia[body];
    if (guide != NULL) return vec3_scale(w * vec3_dot(torque, guide->axis), guide->axis);
    return vec3_scale(w, torque);
}

static bool is_prescribed(const struct world *world, talus_index body) {
    int32_t boundary = world->bodies.boundary[body];
    return boundary >= 0 && !world->boundaries[boundary].is_free;
}

struct leapfrog_way leapfrog_predict(struct world *world, talus_index body,
                                     const struct soft_motion *motion, double dt) {
    struct bodies *bodies = &world->bodies;
    struct leapfrog_way way;
    if (is_prescribed(world, body)) {
        const struct boundary *boundary = &world->boundaries[bodies->boundary[body]];
        boundary_prescribed(world, boundary, world->time + dt, dt, &bodies->velocity[body],
                            &bodies->omega[body]);
        way = (struct leapfrog_way){vec3_scale(dt, bodies->velocity[body]),
                                    vec3_scale(dt, bodies->omega[body])};
    } else {
        vec3 half_v = vec3_add_scaled(bodies->velocity[body], 0.5 * dt, motion->acceleration);
        vec3 half_w = vec3_add_scaled(bodies->omega[body], 0.5 * dt, motion->spin_rate);
        way = (struct leapfrog_way){vec3_scale(dt, half_v), vec3_scale(dt, half_w)};
        bodies->velocity[body] = vec3_add_scaled(half_v, 0.5 * dt, motion->acceleration);
        bodies->omega[body] = vec3_add_scaled(half_w, 0.5 * dt, motion->spin_rate);
    }
    euler_shift(world, body, way.shift, way.turn);
    return way;
}

void leapfrog_correct(struct world *world, talus_index body, const struct soft_motion *before,
                      const struct soft_motion *now, double dt) {
    struct bodies *bodies = &world->bodies;
    if (is_prescribed(world, body)) return;
    vec3 dv = vec3_sub(now->acceleration, before->acceleration);
    vec3 dw = vec3_sub(now->spin_rate, before->spin_rate);
    bodies->velocity[body] = vec3_add_scaled(bodies->velocity[body], 0.5 * dt, dv);
    bodies->omega[body] = vec3_add_scaled(bodies->omega[body], 0.5 * dt, dw);
}
