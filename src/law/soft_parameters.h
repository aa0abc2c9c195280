/* SPDX-License-Identifier: Apache-2.0
 *
 * From what is given of a soft law to the numbers of one contact.
 *
 *     stiffness            k
 *     collision_time t_c   k = m (tau/t_c)^2, tau = t_c sqrt(k/m) of the linear law with this e
 *     young, poisson       k = 4/3 E* sqrt(r*)                                     [Johnson1985, eq. 4.23]
 *     restitution          gamma = D m v (k/(m v^2))^((beta + 1)/(alpha + 1)), D from law/soft_collision.h
 *     tangential_ratio     k_t = ratio alpha k xi^(alpha - 1)
 *     mindlin              k_t = 8 G* sqrt(r* xi) [Mindlin1953]: ratio = 4 G* : E* = 2 (1 - nu)/(2 - nu)
 * m and r* are the reduced mass and radius. What does not depend on them is found once, by soft_find.
 */
#ifndef LAW_SOFT_PARAMETERS_H
#define LAW_SOFT_PARAMETERS_H

#include <math.h>

#include "law/law.h"

struct soft_numbers {                        /* of one contact */
    double stiffness, damping;               /* k, gamma */
    double exponent, damping_exponent;       /* alpha, beta */
    double slip_stiffness, slip_ratio;       /* k_t = the first + the second dR_n/dxi */
    double slip_damping, slip_damping_ratio; /* gamma_t likewise, of gamma xi^beta */
    bool attracts;
    bool is_secant; /* of the tangential spring: law/soft.h */
};

/* Does the pair have a soft law? */
static inline bool soft_is_on(const talus_soft_law *law) {
    return law->stiffness > 0.0 || law->collision_time > 0.0 || law->young > 0.0;
}

/* Defaults. With `soft` grains a law without damping of its own takes the restitution of the pair. */
void soft_complete(talus_pair_law *pair, bool soft);
/* Of a completed law. */
bool soft_check(const talus_pair_law *pair, struct law_complaint *complaint);
/* What has to be found numerically, of a law that was checked: some 10 ms if e depends on the velocity. */
void soft_find(talus_pair_law *pair);

/* k_t over the normal stiffness: 4 G* : E*. The same with a rigid partner. */
static inline double soft_mindlin_ratio(const talus_soft_law *law) {
    return 2.0 * (1.0 - law->poisson) / (2.0 - law->poisson);
}

struct soft_numbers soft_resolve(const talus_pair_law *pair, double reduced_mass,
                                 double reduced_radius);

/* s, how long a collision of reduced mass m with this approach velocity lasts without damping. */
double soft_collision_time(const struct soft_numbers *numbers, double m, double velocity);

#endif
