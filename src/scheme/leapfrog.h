/* SPDX-License-Identifier: Apache-2.0
 *
 * The leapfrog of molecular dynamics [Wolf2006, eqs. 7-9], in the form that has positions and velocities at the same
 * times:
 *     r(t + dt)  = r(t) + dt v(t) + dt^2/2 a(t)
 *     v*(t + dt) = v(t) + dt a(t)                              what damping and friction see
 *     v(t + dt)  = v(t) + dt/2 (a(t) + a(t + dt))
 * At half times this is v(t + dt/2) = v(t - dt/2) + dt a(t), to the bit of rounding. Of second order in dt for forces
 * that depend on positions. Bodies turn the same way; those with equal moments only.
 */
#ifndef SCHEME_LEAPFROG_H
#define SCHEME_LEAPFROG_H

#include "world/world.h"

struct soft_motion { /* of a body, at the time of its position */
    vec3 acceleration, spin_rate;
    vec3 force, torque; /* external, gravity included */
    vec3 weight;        /* the part of force that is gravity */
};

/* What a force and a torque do to a body: locks and guides of pistons and drums are respected. */
vec3 leapfrog_acceleration(const struct world *world, talus_index body, vec3 force);
vec3 leapfrog_spin_rate(const struct world *world, talus_index body, vec3 torque);

/* To the position at t + dt, with v* as its velocity; returns the way gone. Prescribed walls go where they must. */
struct leapfrog_way {
    vec3 shift, turn;
};
struct leapfrog_way leapfrog_predict(struct world *world, talus_index body,
                                     const struct soft_motion *motion, double dt);
/* From v* to v, now that the accelerations at t + dt are known. */
void leapfrog_correct(struct world *world, talus_index body, const struct soft_motion *before,
                      const struct soft_motion *now, double dt);

#endif
