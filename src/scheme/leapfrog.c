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

/* Round grains look the same however they are turned, so their orientation need not be exact in the angle: the
 * rotation with tan(angle/2) = turn/2 is short by turn^3/12, less than what the step itself is off. */
static void move_round(struct world *world, talus_index body, vec3 shift, vec3 turn) {
    struct bodies *bodies = &world->bodies;
    vec3 position = vec3_add(bodies->position[body], shift);
    bodies->position[body] = cell_wrap(&world->cell, position, &bodies->image[body]);
    quat q = bodies->orientation[body];
    double x = 0.5 * turn.x, y = 0.5 * turn.y, z = 0.5 * turn.z;
    quat to = {q.w - (x * q.x + y * q.y + z * q.z), q.x + (x * q.w + y * q.z - z * q.y),
               q.y + (y * q.w + z * q.x - x * q.z), q.z + (z * q.w + x * q.y - y * q.x)};
    double per = 1.0 / sqrt(to.w * to.w + to.x * to.x + to.y * to.y + to.z * to.z);
    bodies->orientation[body] = (quat){per * to.w, per * to.x, per * to.y, per * to.z};
}

static void predict_one(struct world *world, struct soft_body *state, talus_index body, double dt) {
    struct bodies *bodies = &world->bodies;
    const struct soft_rates *rates = &state->rates;
    vec3 half_v = vec3_add_scaled(bodies->velocity[body], 0.5 * dt, rates->acceleration);
    vec3 half_w = vec3_add_scaled(bodies->omega[body], 0.5 * dt, rates->spin_rate);
    state->shift = vec3_scale(dt, half_v);
    state->turn = vec3_scale(dt, half_w);
    bodies->velocity[body] = vec3_add_scaled(half_v, 0.5 * dt, rates->acceleration);
    bodies->omega[body] = vec3_add_scaled(half_w, 0.5 * dt, rates->spin_rate);
    if (bodies->kind[body] == TALUS_BODY_GRAIN && bodies->form[body] == 0)
        move_round(world, body, state->shift, state->turn);
    else
        euler_shift(world, body, state->shift, state->turn);
}

static void predict(struct world *world, const struct integrator_state *state,
                    const talus_index *bodies, size_t count, double dt) {
    for (size_t k = 0; k < count; k++) predict_one(world, &state->bodies[bodies[k]], bodies[k], dt);
}

static void correct(struct world *world, const struct integrator_state *state,
                    const talus_index *bodies, const struct soft_rates *rates, size_t count,
                    double dt) {
    vec3 *velocity = world->bodies.velocity, *omega = world->bodies.omega;
    for (size_t k = 0; k < count; k++) {
        talus_index i = bodies[k];
        struct soft_rates *before = &state->bodies[i].rates;
        vec3 dv = vec3_sub(rates[k].acceleration, before->acceleration);
        vec3 dw = vec3_sub(rates[k].spin_rate, before->spin_rate);
        velocity[i] = vec3_add_scaled(velocity[i], 0.5 * dt, dv);
        omega[i] = vec3_add_scaled(omega[i], 0.5 * dt, dw);
        *before = rates[k];
    }
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
