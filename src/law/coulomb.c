/* SPDX-License-Identifier: Apache-2.0
 *
 * Catalog entry and residual of Coulomb's law; the local problem with a coupling W is solved in cone.c.
 */
#include "law/coulomb.h"

#include <stdbool.h>

#include "law/cone.h"
#include "law/law.h"

static const talus_parameter parameters[] = {
    {"mu", "1", "friction coefficient, static and sliding", 0.0, 0.0, 1e30},
};

static bool check(const talus_pair_law *pair, struct law_complaint *complaint) {
    return law_in_range("mu", pair->mu_sliding, 0.0, 1e300, "must be >= 0", complaint);
}

const struct law_type law_coulomb = {
    .entry = {"law", "coulomb", "perfect volume exclusion and Coulomb friction; exact cone",
              "[Unger2003, eqs. 25-34]",
              "Grains do not penetrate: the normal force is what keeps them apart and it only "
              "pushes. Friction is what keeps the contact from slipping, up to mu times the normal "
              "force; at that limit it opposes the slip. The cone is the round one, not a pyramid, "
              "and nothing is softened.",
              parameters, 1},
    .check = check,
};

vec3 coulomb_solve_general(const mat3 *w, vec3 free_velocity, double mu) {
    struct cone cone;
    cone_prepare(&cone, w);
    return cone_solve(&cone, free_velocity, mu, vec3_zero());
}

double coulomb_residual(vec3 p, vec3 u, double rho, double mu) {
    double slip = sqrt(u.y * u.y + u.z * u.z);
    vec3 shifted = {p.x - rho * (u.x + mu * slip), p.y - rho * u.y, p.z - rho * u.z};
    return vec3_norm(vec3_sub(p, coulomb_project(shifted, mu))) / rho;
}
