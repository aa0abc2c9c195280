/* SPDX-License-Identifier: Apache-2.0
 *
 * Two coefficients of friction: a contact at rest holds up to mu_static, a sliding one is braked with
 * mu_sliding.
 *
 * Inside one solve every contact has one coefficient, fixed before the first sweep, so that what is
 * solved is plain Coulomb friction and no order of the sweep can decide between holding and sliding. A
 * contact that was at rest when the step began holds; all others slide. Then the solution is looked at:
 *     a holding contact that slips all the same       -> it slides, the step is solved again
 *     a sliding contact whose slip has turned round   -> it came to rest on the way: it holds, again
 * Each can happen once to a contact in a step, in this order reversed, so it ends. See
 * docs/theory/friction.md for what is unique and what is not.
 */
#ifndef LAW_STATIC_FRICTION_H
#define LAW_STATIC_FRICTION_H

#include "math/vec3.h"
#include "talus/sim.h"

enum friction_state {                       /* bits, kept with the contact */
                      FRICTION_AT_REST = 1, /* it stuck in the last step */
                      FRICTION_HOLDS = 2,   /* in this step mu_static is its coefficient */
                      FRICTION_REVIVED = 4, /* in this step it went from sliding to holding */
                      FRICTION_BROKE = 8    /* in this step it went from holding to sliding */
};

/* The end of a solve, seen by one contact; tangential parts. */
struct friction_end {
    vec3 impulse;               /* N s */
    vec3 slip_before, slip_now; /* m/s */
    double noise;               /* m/s, slips that the error of the solver may make */
    double load;                /* N s, normal impulse + tension */
    double m_t;                 /* kg */
};

static inline bool friction_has_two(const talus_pair_law *law) {
    return law->mu_static > law->mu_sliding;
}

/* At the start of a step; `speed` is that of the slip before, `tiny` what counts as none. */
unsigned friction_begin(unsigned state, bool carried, double speed, double tiny);
static inline double friction_coefficient(const talus_pair_law *law, unsigned state) {
    return state & FRICTION_HOLDS ? law->mu_static : law->mu_sliding;
}
/* After a solve: the state to solve again with, or the same. */
unsigned friction_look(const talus_pair_law *law, unsigned state, const struct friction_end *end);
/* After the last solve: what the next step has to know. */
unsigned friction_finish(const talus_pair_law *law, unsigned state, const struct friction_end *end);

#endif
