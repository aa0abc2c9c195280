/* SPDX-License-Identifier: Apache-2.0
 *
 * How large a torque rolling or torsion friction can bear: limit = length load or coefficient a load, with
 * load = (R_n + F_C) dt and a the size of the contact. Constant length: [Brendel2004, eqs. 1.40-1.42]; contact size that grows with
 * the force: [Brendel2004, eqs. 1.43-1.45].
 */
#ifndef LAW_TORQUE_LIMIT_H
#define LAW_TORQUE_LIMIT_H

#include <math.h>

#include "base/inlining.h"
#include "law/law.h"

struct torque_limit {
    double factor; /* the length, m; or what the contact size is to be multiplied with */
    double size;   /* 0: factor is the length. > 0, m^3/(N s): times the load it is a^3, spheres;
                      < 0, m^2/(N s): a^2 = -size load, discs */
};

/* Spheres: contact radius a = (3 r* R/4 E)^(1/3); discs, 1 m long: half width a = sqrt(4 r* R/(pi E)). */
struct torque_limit torque_limit_make(const talus_torque_law *law, double reduced_radius,
                                      bool discs, double dt);

IN_LOOP double torque_limit_at(const struct torque_limit *limit, double load) {
    double length = limit->factor;
    if (limit->size != 0.0)
        length *= limit->size > 0.0 ? cbrt(limit->size * load) : sqrt(-limit->size * load);
    return length * load;
}

/* Keys: coefficient, modulus, stiffness, damping. */
bool torque_law_check(const char *keys[4], const talus_torque_law *law,
                      struct law_complaint *complaint);

#endif
