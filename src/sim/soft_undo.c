/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: what is left of a step that failed, for those who want to see where it went wrong.
 *
 * Grains move in place, so the state before the step is not there any more. But they know the way they went, and that
 * was made of the state before: positions go back by it, and velocities become its mean over the step. Forces, springs
 * that are no numbers and the contacts are lost; energies are those of the last good step.
 */
#include "scheme/implicit_euler.h"
#include "sim/sim.h"

static vec3 finite_or_zero(vec3 a) {
    return vec3_is_finite(a) ? a : vec3_zero();
}

static void go_back(talus_sim *sim, talus_index i) {
    struct bodies *bodies = &sim->world.bodies;
    struct soft_body *body = &sim->soft.state.bodies[i];
    vec3 shift = finite_or_zero(body->shift), turn = finite_or_zero(body->turn);
    if (!vec3_is_finite(bodies->position[i])) bodies->position[i] = shift;
    euler_shift(&sim->world, i, vec3_scale(-1.0, shift), vec3_scale(-1.0, turn));
    bodies->velocity[i] = vec3_scale(1.0 / sim->dt, shift);
    bodies->omega[i] = vec3_scale(1.0 / sim->dt, turn);
    *body = (struct soft_body){.shift = vec3_zero()};
    sim->soft.outside[i] = (struct soft_outside){vec3_zero(), vec3_zero()};
    if (sim->soft.integrator->needs_more)
        sim->soft.state.more[i] = (struct soft_more){.slide_fix = vec3_zero()};
}

static bool is_sound(const struct contact_memory *memory) {
    double numbers = memory->slip_stiffness + memory->roll_stiffness + memory->twist_stiffness +
                     memory->opening + memory->held + memory->pressed;
    return isfinite(numbers) && vec3_is_finite(memory->stretch) && vec3_is_finite(memory->normal) &&
           vec3_is_finite(memory->angle);
}

void sim_soft_undo(talus_sim *sim, const struct soft_before *before) {
    struct soft *soft = &sim->soft;
    sim_soft_sync(sim);
    for (size_t i = 0; i < sim->world.bodies.count; i++) go_back(sim, (talus_index)i);
    for (size_t k = 0; k < sim->world.boundary_count; k++) {
        struct boundary *boundary = &sim->world.boundaries[k];
        boundary->force = boundary->torque = vec3_zero();
        boundary->impulse = finite_or_zero(boundary->impulse);
    }
    for (size_t k = 0; k < sim->detect.candidate_count; k++)
        if (!is_sound(&sim->detect.memories[k]))
            sim->detect.memories[k] = (struct contact_memory){.bonded = 0};
    soft->power = before->power;
    soft->stored = before->stored;
    soft->kinetic = before->kinetic;
    soft->fastest = sim->report.speed_max;
    soft->acceleration = 0.0;
    soft->near.valid = soft->ready = soft->published->current = false;
    sim->detect.contact_count = sim->problem.contact_count = 0;
    sim->world.time = before->time;
}
