/* SPDX-License-Identifier: Apache-2.0
 *
 * Torsion friction: a torque about the normal, |T_n| <= mu_n (R_n + F_C). For spheres nothing else
 * acts on the spin about the normal, so it is found by itself (law/combined.h).
 */
#include "law/torque_limit.h"

static const talus_parameter parameters[] = {
    {"torsion.coefficient", "1", "times r* it gives the length mu_n", 0.0, 0.0, 1e30},
    {"torsion.length", "m", "the length mu_n itself, instead of a coefficient", 0.0, 0.0, 1e30},
    {"torsion.hertz", "1", "times the contact size a it gives mu_n, instead of a coefficient", 0.0,
     0.0, 1e30},
    {"torsion.modulus", "Pa", "effective Young modulus for the contact size", 0.0, 0.0, 1e30},
    {"torsion.stiffness", "N m", "soft grains: of the spring against the angle", 0.0, 0.0, 1e300},
    {"torsion.damping", "N m s", "soft grains: of the dashpot beside it", 0.0, 0.0, 1e300},
};

static bool check(const talus_pair_law *pair, struct law_complaint *complaint) {
    const char *keys[4] = {"torsion.coefficient", "torsion.modulus", "torsion.stiffness",
                           "torsion.damping"};
    return torque_law_check(keys, &pair->torsion, complaint);
}

const struct law_type law_torsion = {
    .entry =
        {"law", "torsion", "torque up to mu_n (R_n + F_C) against spinning about the normal",
         "[Brendel2004, eq. 1.40]",
         "Two spheres in contact resist spinning against each other about the contact normal "
         "with a torque of at most mu_n times the normal force; below that limit they do not "
         "spin at all. mu_n is a length, given in the same three ways as for rolling. Discs in "
         "a plane do not spin about a normal, so in two dimensions the law does nothing. Soft "
         "grains (md) have a spring with a dashpot in its place, up to the same limit.",
         parameters, 6},
    .check = check,
};
