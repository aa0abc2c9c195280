/* SPDX-License-Identifier: Apache-2.0 */
#include "law/restitution.h"

#include <math.h>

#include "law/law.h"

static const talus_parameter parameters[] = {
    {"restitution.normal", "1", "e_n: rebound over approach velocity", 0.0, 0.0, 1.0},
    {"restitution.tangential", "1", "e_t: the same along the surface, limited by Coulomb friction",
     0.0, -1.0, 1.0},
    {"restitution.threshold", "m/s", "impacts slower than this do not rebound", 0.0, 0.0, 1e30},
};

static bool check(const talus_pair_law *pair, struct law_complaint *complaint) {
    const talus_restitution_law *law = &pair->restitution;
    return law_in_range("restitution.normal", law->normal, 0.0, 1.0, "must be between 0 and 1",
                        complaint) &&
           law_in_range("restitution.tangential", law->tangential, -1.0, 1.0,
                        "must be between -1 and 1", complaint) &&
           law_in_range("restitution.threshold", law->threshold, 0.0, 1e300, "must be >= 0",
                        complaint);
}

const struct law_type law_restitution = {
    .entry =
        {"law", "restitution", "impacts rebound with -e_n, -e_t times the approach velocity",
         "[Moreau1988; Unger2003, sect. Contact laws]",
         "Two grains that meet part with e_n times the velocity of approach, and along the "
         "surface with e_t times the old slip turned round, as far as Coulomb friction allows. "
         "Contacts that carry a load, and approaches slower than the threshold or than what "
         "external forces do in one step, are no impacts: they end at rest. Several impacts at "
         "once follow Moreau's simultaneous law, which is not what a cradle of touching balls "
         "does; if it would make energy (unequal coefficients with friction), the coefficients "
         "of that step are reduced and the step report says so.",
         parameters, 3},
    .check = check,
};

bool restitution_impact(const talus_restitution_law *law, const struct approach *approach,
                        double dt, double share, double *rebound) {
    double speed = -approach->before;
    double least = fmax(law->threshold, fmax(approach->jolt, approach->carried));
    if (!(speed > least)) return false;
    double closing = approach->gap > 0.0 ? -approach->gap / dt : 0.0;
    if (!(approach->free < closing)) return false;
    double velocity = share * law->normal * speed + (approach->free - approach->before);
    if (law->normal > 0.0 && !(velocity > 0.0)) return false; /* it would fall back at once */
    *rebound = fmax(velocity, 0.0);
    return true;
}

bool restitution_waits(const talus_restitution_law *law, double speed, double jolt, double gap,
                       double dt) {
    return speed > fmax(law->threshold, jolt) && (1.0 - law->normal) * speed * dt <= fmax(gap, 0.0);
}
