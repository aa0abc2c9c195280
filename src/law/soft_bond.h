/* SPDX-License-Identifier: Apache-2.0
 *
 * Cohesion of soft grains [after Brendel2004, sect. 1.8]: a contact that has touched is a spring that pulls too, up to
 * F_C, and then yields.
 *
 *     g <= 0              R_n = max(-F_C, k xi^alpha + gamma xi^beta dxi/dt),   rest gap g_p = 0
 *     0 < g <= g_p        R_n = 0: never pulled back
 *     x = g - g_p > 0     R_n = -k x^alpha - gamma x^beta dx/dt, between -F_C and 0
 *     k x^alpha > F_C     g_p follows, so that k x^alpha = F_C
 *     g_p > d_C           broken, until it touches again
 *
 * Energy: the spring stores k x^(alpha + 1)/(alpha + 1), at most F_C x_C/(alpha + 1) with k x_C^alpha = F_C. Moving g_p
 * takes F_C dg_p, in all E_C = F_C d_C. So pulling a pair apart slowly takes E_C and what the spring holds, and both are
 * lost. Hard grains (k d_C^alpha >> F_C) need E_C alone. With d_C = 0 the bond breaks at g = x_C.
 *
 * Friction, rolling and torsion have the load R_n + F_C. Their springs are as stiff as at the overlap that this load
 * would make without cohesion (the shift of force of Derjaguin, Muller and Toporov [Derjaguin1975]): for alpha > 1 the
 * overlap itself would leave a contact without load no stiffness at all.
 */
#ifndef LAW_SOFT_BOND_H
#define LAW_SOFT_BOND_H

#include "law/cohesion.h"
#include "law/soft.h"

struct soft_bond {
    struct soft_push push;
    double opening; /* m, g_p now */
    double lost;    /* J, by opening and breaking */
    bool broken;
};

/* m, x_C: how far the spring is stretched by F_C. */
static inline double soft_bond_stretch(const struct soft_numbers *numbers, double force) {
    double ratio = force / numbers->stiffness;
    return numbers->exponent == 1.0 ? ratio : pow(ratio, 1.0 / numbers->exponent);
}

/* Stiffness and damping along the surface. */
static inline void soft_bond_slope(const struct soft_numbers *numbers, double force,
                                   struct soft_push *push) {
    double load = push->elastic + force;
    double overlap = load > 0.0 ? soft_bond_stretch(numbers, load) : 0.0;
    push->slope =
        numbers->exponent * numbers->stiffness * soft_power(overlap, numbers->exponent - 1.0);
    push->drag = numbers->damping * soft_power(overlap, numbers->damping_exponent);
}

/* A bonded contact with gap g that opens with `rate`; `opening`: g_p of the last step. */
static inline struct soft_bond soft_bond(const struct soft_numbers *numbers,
                                         const struct cohesion *cohesion, double gap, double rate,
                                         double opening) {
    struct soft_bond bond = {.opening = gap > 0.0 ? opening : 0.0};
    if (gap <= 0.0) {
        bond.push = soft_push_above(numbers, -gap, -rate, -cohesion->force);
    } else if (gap > opening) {
        double most = soft_bond_stretch(numbers, cohesion->force), x = gap - opening;
        double yielded = x > most ? x - most : 0.0, left = fmax(0.0, cohesion->range - opening);
        bond.broken = yielded > left;
        bond.lost = cohesion->force * fmin(yielded, left);
        if (bond.broken) {
            bond.lost += cohesion->force * most / (numbers->exponent + 1.0);
            return bond;
        }
        bond.opening += yielded;
        struct soft_push pull = soft_push_above(numbers, x - yielded, rate, 0.0);
        bond.push.force = -fmin(pull.force, cohesion->force);
        bond.push.elastic = -pull.elastic;
        bond.push.energy = pull.energy;
    }
    soft_bond_slope(numbers, cohesion->force, &bond.push);
    return bond;
}

#endif
