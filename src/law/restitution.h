/* SPDX-License-Identifier: Apache-2.0
 *
 * Newton's law of impact in Moreau's form [Moreau1988; Unger2003]:
 *     0 <= V_n + e_n V_n,before   complementary to   P_n >= 0,
 * and V_t + e_t V_t,before in the place of V_t in Coulomb's law.
 *
 * Which contacts are impacts is decided before the sweeps. Impact: at the start of the step the two
 * approach faster than a threshold, and their free motion would close the gap in this step. They
 * rebound in this very step, so the approach velocity is that before any contact force has touched it,
 * and no energy is lost and given back in between. Gravity goes on acting as in free flight: the velocity
 * asked for is e_n v + dV_ext. Slower than what external forces give the two bodies in one step, or
 * than what the load carried in the last step amounts to, an approach is no impact: such a contact is
 * at rest, and restitution leaves it alone.
 *
 * A grain that is hit may reach the next one in the same step. Closing that contact at once would take
 * the approach velocity away before it could count, so it is left out of this step and is an impact in
 * the next one, provided that its rebound then undoes the overlap this makes.
 */
#ifndef LAW_RESTITUTION_H
#define LAW_RESTITUTION_H

#include <stdbool.h>

#include "math/vec3.h"
#include "talus/sim.h"

struct approach {   /* normal parts, + is opening */
    double before;  /* m/s, at the start of the step */
    double free;    /* m/s, at its end without contact forces */
    double jolt;    /* m/s, what external forces give the two bodies in one step, added up */
    double carried; /* m/s, last normal impulse over m_n */
    double gap;     /* m */
};

static inline bool restitution_is_on(const talus_restitution_law *law) {
    return law->normal > 0.0 || law->tangential != 0.0;
}

/* Is it an impact? Then `rebound` is the normal velocity asked for. `share` (1: all) scales e_n. */
bool restitution_impact(const talus_restitution_law *law, const struct approach *approach,
                        double dt, double share, double *rebound);

/* What is added to the slip in Coulomb's law at an impact: then without a limit the slip at the end is -e_t
 * times that before plus what external forces (`jolt`) do in the step. */
static inline vec3 restitution_shift(const talus_restitution_law *law, vec3 slip_before, vec3 jolt,
                                     double share) {
    return vec3_add_scaled(vec3_scale(-1.0, jolt), share * law->tangential, slip_before);
}

/* Should a contact that closed in this step, approaching with `speed` by forces of this step, wait? */
bool restitution_waits(const talus_restitution_law *law, double speed, double jolt, double gap,
                       double dt);

#endif
