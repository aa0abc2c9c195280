/* SPDX-License-Identifier: Apache-2.0
 *
 * The implicit Euler step of Contact Dynamics [Unger2003, eqs. 1-2, 20-24]:
 *     v_free = v + dt/m F_ext        w_free = w + dt T_ext/I        (external forces at t + dt)
 *     v_new  = v_free + contact impulses/m, ...                      (by the solver)
 *     r_new  = r + dt v_new          orientation turned by w_new dt
 * Spheres and discs have no gyroscopic torque; bodies with unequal moments turn freely between the
 * contact impulses, which changes w_new without changing their angular momentum or energy. The step is of
 * first order in dt.
 */
#ifndef SCHEME_IMPLICIT_EULER_H
#define SCHEME_IMPLICIT_EULER_H

#include "world/world.h"

struct free_motion { /* a body at the end of the step if there were no contacts */
    vec3 velocity, omega;
    vec3 force, torque; /* external, gravity included */
    vec3 weight;        /* the part of force that is gravity */
};

struct free_motion euler_predict(const struct world *world, talus_index body, double dt);
/* Move a body without giving it a velocity; `turn` is a rotation vector. Its energy of turning is kept. */
void euler_shift(struct world *world, talus_index body, vec3 shift, vec3 turn);
void euler_advance(struct world *world, talus_index body, vec3 velocity, vec3 omega, double dt);

#endif
