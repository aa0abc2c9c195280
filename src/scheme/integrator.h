/* SPDX-License-Identifier: Apache-2.0
 *
 * Time integrators of molecular dynamics: predict positions and velocities at t + dt, find the forces there, correct.
 * An integrator is one file with an `integrator_type` and one line in integrators.def. Bodies turn the same way as
 * they move; those with equal moments only.
 */
#ifndef SCHEME_INTEGRATOR_H
#define SCHEME_INTEGRATOR_H

#include "talus/catalog.h"
#include "world/world.h"

enum { INTEGRATOR_MORE = 3 };

/* How a body moves along, or turns, at the time of its position. */
struct soft_motion {
    vec3 acceleration, spin_rate;
    vec3 force, torque; /* external, gravity included */
    vec3 weight;        /* the part of force that is gravity */
};

struct soft_body {
    struct soft_motion before, now;                               /* at the last step and at this */
    vec3 more_slide[INTEGRATOR_MORE], more_turn[INTEGRATOR_MORE]; /* derivatives from the third
                                                                   on, times dt^n/n! */
    vec3 shift, turn; /* m, rad, the way of the last step */
};

struct integrator_type {
    talus_entry entry;
    /* From `before` on: position, orientation, velocity (what damping sees) and way; further derivatives. */
    void (*predict)(struct world *world, talus_index body, struct soft_body *state, double dt);
    /* Velocity (and position) now that `now` is known. */
    void (*correct)(struct world *world, talus_index body, struct soft_body *state, double dt);
};

#define INTEGRATOR(name) extern const struct integrator_type integrator_##name;
#include "scheme/integrators.def"
#undef INTEGRATOR

#define INTEGRATOR(name) INTEGRATOR_##name,
enum integrator_index {
#include "scheme/integrators.def"
    INTEGRATOR_COUNT
};
#undef INTEGRATOR

const struct integrator_type *integrator_get(int index);
const struct integrator_type *integrator_find(const char *name); /* NULL: there is none */

/* What a force and a torque do to a body: locks and guides of pistons and drums are respected. */
vec3 integrator_acceleration(const struct world *world, talus_index body, vec3 force);
vec3 integrator_spin_rate(const struct world *world, talus_index body, vec3 torque);

/* Prescribed walls go where they must; false for all other bodies. */
bool integrator_prescribed(struct world *world, talus_index body, struct soft_body *state,
                           double dt);

#endif
