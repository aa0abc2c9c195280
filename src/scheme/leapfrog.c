/* SPDX-License-Identifier: Apache-2.0
 *
 * The leapfrog of molecular dynamics [Wolf2006, eqs. 7-9], in the form that has positions and velocities at the same
 * times:
 *     r(t + dt)  = r(t) + dt v(t) + dt^2/2 a(t)
 *     v*(t + dt) = v(t) + dt a(t)                              what damping and friction see
 *     v(t + dt)  = v(t) + dt/2 (a(t) + a(t + dt))
 * At half times this is v(t + dt/2) = v(t - dt/2) + dt a(t). Of second order in dt for forces that depend on positions.
 */
#include "scheme/implicit_euler.h"
#include "scheme/integrator.h"

static void predict(struct world *world, talus_index body, struct soft_body *state, double dt) {
    struct bodies *bodies = &world->bodies;
    const struct soft_motion *before = &state->before;
    vec3 half_v = vec3_add_scaled(bodies->velocity[body], 0.5 * dt, before->acceleration);
    vec3 half_w = vec3_add_scaled(bodies->omega[body], 0.5 * dt, before->spin_rate);
    state->shift = vec3_scale(dt, half_v);
    state->turn = vec3_scale(dt, half_w);
    bodies->velocity[body] = vec3_add_scaled(half_v, 0.5 * dt, before->acceleration);
    bodies->omega[body] = vec3_add_scaled(half_w, 0.5 * dt, before->spin_rate);
    euler_shift(world, body, state->shift, state->turn);
}

static void correct(struct world *world, talus_index body, struct soft_body *state, double dt) {
    struct bodies *bodies = &world->bodies;
    const struct soft_motion *before = &state->before, *now = &state->now;
    vec3 dv = vec3_sub(now->acceleration, before->acceleration);
    vec3 dw = vec3_sub(now->spin_rate, before->spin_rate);
    bodies->velocity[body] = vec3_add_scaled(bodies->velocity[body], 0.5 * dt, dv);
    bodies->omega[body] = vec3_add_scaled(bodies->omega[body], 0.5 * dt, dw);
}

const struct integrator_type integrator_leapfrog = {
    .entry = {"integrator", "leapfrog", "velocity Verlet form of the leapfrog; second order",
              "[Wolf2006, eqs. 7-9]",
              "Positions go on with velocities half a step later, velocities with accelerations. "
              "One evaluation of the forces in a step, time-reversible, no drift of the energy of "
              "elastic grains. A hundred steps in a collision make errors of 1e-4.",
              NULL, 0},
    .predict = predict,
    .correct = correct,
};
