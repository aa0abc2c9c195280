/* SPDX-License-Identifier: Apache-2.0
 *
 * One collision of soft grains in plain numbers: which damping makes which restitution.
 *
 * m x'' = -k x^alpha - gamma x^beta x' from x = 0 with velocity v. With the length l = (m v^2/k)^(1/(alpha + 1)) and the
 * time l/v all that is left is
 *     X'' = -X^alpha - D X^beta X',   X' = 1 at the start,   D = gamma l^(beta + 1)/(m v),
 * so e depends on D, alpha, beta, and on where the collision ends: where the force would begin to pull, or, with
 * attraction, where X = 0 again.
 *
 * beta = (alpha - 1)/2 [Tsuji1992]: D = gamma/sqrt(m k), whatever the velocity. With Y = sqrt(2/(alpha + 1))
 * X^((alpha + 1)/2) the path in the (Y, X') plane is that of the linear oscillator with 2 z = D sqrt(2/(alpha + 1)),
 * and so is the line on which the force vanishes: e is that of the linear law, in closed form, for every alpha.
 * beta = alpha - 1 [Wolf2006, eq. 11]: D = (gamma/m) (m/k)^(alpha/(alpha + 1)) v^((alpha - 1)/(alpha + 1)); found by
 * integration.
 */
#ifndef LAW_SOFT_COLLISION_H
#define LAW_SOFT_COLLISION_H

#include <stdbool.h>

struct soft_collision {
    double exponent, damping_exponent; /* alpha, beta */
    bool attracts;
};

/* What it can be made: without a bound below damping alone would set the time step, and 0 needs infinite damping. */
#define SOFT_RESTITUTION_LEAST 0.01

/* e of the linear law with z = gamma/(2 sqrt(m k)); with attraction z < 1. */
double soft_linear_restitution(double z, bool attracts);
/* How long its force acts, times sqrt(k/m). */
double soft_linear_duration(double z, bool attracts);

/* e of any law. */
double soft_restitution(const struct soft_collision *collision, double damping);
/* D for this e, SOFT_RESTITUTION_LEAST..1. */
double soft_damping_for(const struct soft_collision *collision, double restitution);

#endif
