/* SPDX-License-Identifier: Apache-2.0 */
#include "scheme/integrator.h"

#include <string.h>

#include "scheme/implicit_euler.h"

static const struct integrator_type *const integrators[] = {
#define INTEGRATOR(name) &integrator_##name,
#include "scheme/integrators.def"
#undef INTEGRATOR
};

const struct integrator_type *integrator_get(int index) {
    return integrators[index];
}

const struct integrator_type *integrator_find(const char *name) {
    for (int k = 0; k < INTEGRATOR_COUNT; k++)
        if (strcmp(integrators[k]->entry.name, name) == 0) return integrators[k];
    return NULL;
}

static const talus_free_motion *guide_of(const struct world *world, talus_index body) {
    int32_t boundary = world->bodies.boundary[body];
    return boundary < 0 ? NULL : &world->boundaries[boundary].free;
}

vec3 integrator_acceleration(const struct world *world, talus_index body, vec3 force) {
    const talus_free_motion *guide = guide_of(world, body);
    uint32_t locks = world->bodies.locks[body];
    double w = world->bodies.inverse_mass[body];
    if (guide != NULL) return vec3_scale(w * vec3_dot(force, guide->direction), guide->direction);
    return vec3_make(locks & TALUS_LOCK_X ? 0.0 : w * force.x,
                     locks & TALUS_LOCK_Y ? 0.0 : w * force.y,
                     locks & TALUS_LOCK_Z ? 0.0 : w * force.z);
}

vec3 integrator_spin_rate(const struct world *world, talus_index body, vec3 torque) {
    const talus_free_motion *guide = guide_of(world, body);
    double w = world->bodies.inverse_inertia[body];
    if (guide != NULL) return vec3_scale(w * vec3_dot(torque, guide->axis), guide->axis);
    return vec3_scale(w, torque);
}

bool integrator_prescribed(struct world *world, talus_index body, struct soft_body *state,
                           double dt) {
    struct bodies *bodies = &world->bodies;
    int32_t index = bodies->boundary[body];
    if (index < 0 || world->boundaries[index].is_free) return false;
    boundary_prescribed(world, &world->boundaries[index], world->time + dt, dt,
                        &bodies->velocity[body], &bodies->omega[body]);
    state->shift = vec3_scale(dt, bodies->velocity[body]);
    state->turn = vec3_scale(dt, bodies->omega[body]);
    euler_shift(world, body, state->shift, state->turn);
    return true;
}
