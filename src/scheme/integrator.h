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

/* What forces do to a body. */
struct soft_rates {
    vec3 acceleration, spin_rate;
};

struct soft_body {
    struct soft_rates
        rates; /* of the present state; between predictor and corrector as predicted */
    /* m, rad: after the corrector the way of the last step, after the predictor the way from where the last forces
     * were found to where the next will be. */
    vec3 shift, turn;
};

/* Derivatives from the third on, times dt^n/n!. */
enum { INTEGRATOR_MORE = 3 };
struct soft_more {
    vec3 slide[INTEGRATOR_MORE], turn[INTEGRATOR_MORE];
    vec3 slide_fix, turn_fix; /* m, rad, by the corrector in the last step */
};

struct integrator_state { /* of all bodies */
    struct soft_body *bodies;
    struct soft_more *more; /* NULL for integrators that do not need it */
};

struct integrator_type {
    talus_entry entry;
    bool needs_more;
    /* Position, orientation, velocity (what damping sees), way and all derivatives at t + dt, for `count` bodies. */
    void (*predict)(struct world *world, const struct integrator_state *state,
                    const talus_index *bodies, size_t count, double dt);
    /* The same bodies, now that the rates there are known. */
    void (*correct)(struct world *world, const struct integrator_state *state,
                    const talus_index *bodies, const struct soft_rates *rates, size_t count,
                    double dt);
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
