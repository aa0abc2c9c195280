/* SPDX-License-Identifier: Apache-2.0 */
#include "law/static_friction.h"

#include <math.h>

#include "law/law.h"

static const talus_parameter parameters[] = {
    {"mu_static", "1", "friction coefficient up to which a contact at rest sticks", 0.0, 0.0, 1e30},
    {"mu_sliding", "1", "friction coefficient of a sliding contact, at most mu_static", 0.0, 0.0,
     1e30},
};

static bool check(const talus_pair_law *pair, struct law_complaint *complaint) {
    return law_in_range("mu_sliding", pair->mu_sliding, 0.0, 1e300, "must be >= 0", complaint) &&
           law_in_range("mu_static", pair->mu_static, pair->mu_sliding, 1e300,
                        "must be >= mu_sliding", complaint);
}

const struct law_type law_static_friction = {
    .entry =
        {"law", "static_friction", "static and sliding friction with different coefficients",
         "[Unger2003, sect. Contact laws; Wolf2006]",
         "A contact at rest holds up to mu_static times the normal force; once it slides it is "
         "braked with mu_sliding until it comes to rest again. In one time step each contact "
         "has one coefficient, chosen by whether it was at rest when the step began; a holding "
         "contact that slips, and a sliding one that stops, have the step solved again. So the "
         "order of the sweep cannot decide between holding and sliding.",
         parameters, 2},
    .check = check,
};

/* An impulse this near to the limit is at it, and a slip that friction would stop in this share of a step
 * is none. */
static const double share = 1e-9;
/* Forces at rest are not unique, so one contact may be at its limit while all is at rest, and the error of
 * the solver is seen there as slip. Slips below that error are not believed, unless friction would need
 * more than this share of a step to stop them. A load that is too large by less adds to the slip step by
 * step until it is seen. */
static const double share_of_noise = 1e-3;

unsigned friction_begin(unsigned state, bool carried, double speed, double tiny) {
    bool at_rest = carried ? (state & FRICTION_AT_REST) != 0 : speed <= tiny;
    return (state & FRICTION_AT_REST) | (at_rest ? FRICTION_HOLDS : 0);
}

static bool slips(const struct friction_end *end, double mu) {
    double limit = mu * end->load, stopping = limit / end->m_t;
    double least = fmax(share * stopping, fmin(end->noise, share_of_noise * stopping));
    return vec3_norm(end->impulse) >= limit * (1.0 - share) && vec3_norm(end->slip_now) > least;
}

unsigned friction_look(const talus_pair_law *law, unsigned state, const struct friction_end *end) {
    if (!(end->load > 0.0) || (state & FRICTION_BROKE)) return state;
    if (state & FRICTION_HOLDS)
        return slips(end, law->mu_static) ? (state ^ FRICTION_HOLDS) | FRICTION_BROKE : state;
    bool turned = vec3_dot(end->slip_before, end->slip_now) < 0.0;
    return turned && slips(end, law->mu_sliding) ? state | FRICTION_HOLDS | FRICTION_REVIVED
                                                 : state;
}

unsigned friction_finish(const talus_pair_law *law, unsigned state,
                         const struct friction_end *end) {
    if (!(end->load > 0.0)) return 0;
    return slips(end, friction_coefficient(law, state)) ? 0 : FRICTION_AT_REST;
}
