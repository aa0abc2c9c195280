/* SPDX-License-Identifier: Apache-2.0 */
#include "law/cohesion.h"

#include <math.h>

#include "law/law.h"

static const talus_parameter parameters[] = {
    {"cohesion.force", "N", "largest tension F_C", 0.0, 0.0, 1e30},
    {"cohesion.force_per_radius", "N/m", "instead: F_C divided by the reduced radius r*", 0.0, 0.0,
     1e30},
    {"cohesion.range", "m", "d_C, how far a bond opens before it breaks; 0: the zero-range law",
     0.0, 0.0, 1e30},
    {"cohesion.energy", "J", "instead: E_C = F_C d_C, the energy that breaks a bond", 0.0, 0.0,
     1e30},
};

static bool check(const talus_pair_law *pair, struct law_complaint *complaint) {
    const talus_cohesion_law *law = &pair->cohesion;
    if (!law_in_range("cohesion.force", law->force, 0.0, 1e300, "must be >= 0", complaint) ||
        !law_in_range("cohesion.range", law->range, 0.0, 1e300, "must be >= 0", complaint) ||
        !law_in_range("cohesion.energy", law->energy, 0.0, 1e300, "must be >= 0", complaint))
        return false;
    if (law->range > 0.0 && law->energy > 0.0) {
        *complaint = (struct law_complaint){"cohesion.energy", law->energy,
                                            "must be 0 if the range is given"};
        return false;
    }
    return true;
}

const struct law_type law_cohesion = {
    .entry =
        {"law", "cohesion", "contacts bear tension up to F_C and break when the work E_C is done",
         "[Brendel2004, sect. 1.8]",
         "A contact that has touched is bonded: it bears tension up to F_C, and opening it by "
         "d_C = E_C/F_C takes the energy E_C, after which it is broken until it touches again. "
         "A bond that has opened a little is never pulled back, but closes freely when pushed "
         "and is then as strong as before. Friction, rolling and torsion limits use R_n + F_C. "
         "With range 0 any opening breaks it, and then the time step decides what a shock does: "
         "that variant is for comparison. Bonds form at the first touch, or only when told "
         "(cohesion.forms: command, and bond_contacts of a phase), as in a sintered sample.",
         parameters, 4},
    .check = check,
};

/* L, and x = d_C by the choice of L, are reached only to rounding. */
static const double share = 1e-9;

struct cohesion cohesion_of(const talus_cohesion_law *law, double reduced_radius) {
    double force = law->per_radius ? law->force * reduced_radius : law->force;
    double range = law->energy > 0.0 && force > 0.0 ? law->energy / force : law->range;
    return (struct cohesion){force, range};
}

double cohesion_limit(const struct cohesion *bond, double opening, const struct cohesion_end *end,
                      double m_n) {
    double pull = -end->impulse;
    double energy_left =
        bond->force * fmax(0.0, bond->range - opening); /* the law may have changed */
    double taken = 0.5 * pull * (end->before + end->after);
    if (bond->range == 0.0 || !(taken > energy_left * (1.0 + share))) return end->tension;
    /* The smaller root p of p (before + free - p/m_n)/2 = energy left, free: without this contact. */
    double sum = end->before + end->after + pull / m_n;
    double root = sqrt(fmax(0.0, sum * sum - 8.0 * energy_left / m_n));
    return fmin(end->tension, 4.0 * energy_left / (sum + root));
}

double cohesion_open(const struct cohesion *bond, double opening, const struct cohesion_end *end,
                     double dt) {
    if (end->impulse > 0.0) return 0.0;
    double mean = 0.5 * (end->before + end->after);
    double change = end->impulse < 0.0 ? -end->impulse * mean / bond->force : dt * mean;
    return fmax(0.0, opening + change);
}

bool cohesion_breaks(const struct cohesion *bond, double opening, const struct cohesion_end *end) {
    if (end->impulse > 0.0) return false;
    if (bond->range > 0.0) return opening >= bond->range * (1.0 - share);
    return end->after > 0.0 && end->impulse <= -end->tension * (1.0 - share);
}
