/* SPDX-License-Identifier: Apache-2.0
 *
 * Cohesion with a force F_C and an energy E_C = F_C d_C [Brendel2004, sect. 1.8, fig. 1.9].
 *
 * A bonded contact bears tension up to F_C. The graph of the normal impulse against the normal velocity
 * (gap g, closing velocity g+/dt; a maximal monotone graph, so the contact has one answer):
 *     V_n = -g+/dt          P_n >= 0            pushed together
 *     -g+/dt < V_n < 0      P_n = 0             closes freely, never pulled
 *     V_n = 0               -L <= P_n <= 0      held
 *     V_n > 0               P_n = -L            opens against the full force, L = F_C dt
 * The opening x of the bond is what the energy taken by it has paid for: in a step F_C dx = -P_n (V_n before +
 * V_n after)/2. It breaks at x = d_C. In the step that reaches d_C, L is made smaller so that the
 * energy taken in all is E_C; so whether an impact breaks a bond, and the speed left over, do not
 * depend on dt. When the gap closes x is zero again.
 */
#ifndef LAW_COHESION_H
#define LAW_COHESION_H

#include <stdbool.h>

#include "base/inlining.h"
#include "talus/sim.h"

struct cohesion { /* of one contact */
    double force; /* N, F_C */
    double range; /* m, d_C; 0: zero-range law */
};

struct cohesion cohesion_of(const talus_cohesion_law *law, double reduced_radius);

struct cohesion_end {        /* of a step */
    double impulse, tension; /* N s, normal impulse and L */
    double before, after;    /* m/s, opening velocities at start and end of the step */
};

/* With more than this the bond would have taken more energy than is left to it; the present L if not. */
double cohesion_limit(const struct cohesion *bond, double opening, const struct cohesion_end *end,
                      double m_n);

/* The opening at the end of the step, and whether that is the end of the bond. */
double cohesion_open(const struct cohesion *bond, double opening, const struct cohesion_end *end,
                     double dt);
bool cohesion_breaks(const struct cohesion *bond, double opening, const struct cohesion_end *end);

/* The graph above: `closing` is the velocity at which the gap closes (-g+/dt, or the rebound of an
 * impact), `tension` is L. */
IN_LOOP double cohesion_normal(double impulse, double velocity, double closing, double m_n,
                               double tension) {
    double push = impulse - m_n * (velocity - closing);
    double pull = impulse - m_n * (velocity - (closing > 0.0 ? closing : 0.0));
    double held = pull > -tension ? pull : -tension; /* pull >= push: no branch is needed */
    held = held < 0.0 ? held : 0.0;
    return push > held ? push : held;
}

#endif
