/* SPDX-License-Identifier: Apache-2.0
 *
 * Friction in two directions that answer unequally: the p with |p| <= limit that is either p = -W^-1 b
 * (no slip) or at the limit with slip W p + b = -lambda p, lambda >= 0. It is the minimum of
 * p.W p/2 + b.p over the disc; W = [a b; b c] symmetric, positive semidefinite.
 */
#ifndef LAW_DISC_MINIMUM_H
#define LAW_DISC_MINIMUM_H

struct disc_point {
    double t, s;
};

struct disc_point disc_minimum(double a, double b, double c, double free_t, double free_s,
                               double limit);

#endif
