/* SPDX-License-Identifier: Apache-2.0
 *
 * Rolling friction, solved together with sliding friction.
 *
 * A tangential force turns both bodies and a rolling torque moves the contact points, so the two are
 * one problem. With s = n x T (the torque turned into the tangent plane) and y = n x W, for spheres and
 * discs the same 2 x 2 matrix acts in each tangential direction:
 *     v = v_0 + w_t p + kappa s          w_t = 1/m_n + l_a^2/I_a + l_b^2/I_b
 *     y = y_0 + kappa p + w_r s          w_r = 1/I_a + 1/I_b,  kappa = l_b/I_b - l_a/I_a
 * It is the tangential part of the 6 x 6 reduced mass matrix of [Brendel2004, sect. 1.7]. Friction asks for
 *     |p| <= A with -v along p if |p| = A, v = 0 inside;    |s| <= B with -y along s, y = 0 inside,
 * which is the minimum of a strictly convex quadratic function over the product of two discs: for given
 * A and B it exists and is unique. Found case by case: both stick; one slides and the other sticks
 * (closed forms); both at their limits: Newton's method for the two multipliers, and where that fails
 * block descent, a contraction by at most kappa^2/(w_t w_r) <= 5/7 for solid spheres (2/3 for discs).
 */
#ifndef LAW_ROLLING_H
#define LAW_ROLLING_H

#include <math.h>
#include <stdbool.h>

#include "base/inlining.h"

struct rolling_block {
    double m_pp, m_ps, m_ss; /* the inverse matrix: kg, kg m, kg m^2 */
    double per_t, per_r;     /* kappa/w_t, kappa/w_r */
    double m_r;              /* 1/w_r; 0 if neither body turns */
    double w_t, w_r, kappa;  /* 1/kg, 1/(kg m^2), 1/(kg m) */
};

struct rolling_block rolling_block_make(double w_t, double kappa, double w_r);

/* The solution is a combination of the two impulses that would stop slip and rolling together, p and s:
 * new p = pp p + ps s,  new s = sp p + ss s. So all that has to be found are four numbers. */
struct rolling_shares {
    double pp, ps, sp, ss;
};

struct rolling_trial {   /* of the stopping impulses */
    double p2, ps, s2;   /* |p|^2, p.s, |s|^2 */
    double slip2, roll2; /* squared velocities with the present impulses: a first guess */
};

/* Newton's method for the case that both are at their limits. A step smaller than this is the last; what it leaves is of
 * the order of its square. The first guess comes from the velocities with the present impulses: it is exact once the sweeps
 * have converged, and until then the error goes on being squared from visit to visit. With 1e-4 the residual of the bench's
 * bed after 50 sweeps was 5.907e-3 instead of 5.909e-3, and the sweep a seventh slower. */
#define ROLLING_SETTLED 1e-1
enum { ROLLING_STEPS = 12 };

/* When both are at their limits. */
struct rolling_shares rolling_solve_both(const struct rolling_block *block,
                                         struct rolling_trial trial, double force_limit,
                                         double torque_limit);

IN_LOOP struct rolling_shares rolling_solve(const struct rolling_block *block,
                                            struct rolling_trial trial, double force_limit,
                                            double torque_limit) {
    /* Rest is what most contacts of a packing do, and do again: that branch is worth its while. */
    if (trial.p2 <= force_limit * force_limit && trial.s2 <= torque_limit * torque_limit)
        return (struct rolling_shares){1.0, 0.0, 0.0, 1.0};
    /* Sliding without rolling: the force is cut back, and that changes what stops the rolling; or the
     * other way round. Which of them it is, or neither, changes from visit to visit and cannot be
     * predicted: no branch. (0/0 is rest.) */
    double slide = force_limit / sqrt(trial.p2), roll = torque_limit / sqrt(trial.s2);
    slide = slide < 1.0 ? slide : 1.0;
    roll = roll < 1.0 ? roll : 1.0;
    double turn = block->per_r * (1.0 - slide), drag = block->per_t * (1.0 - roll);
    double s2 = trial.s2 + turn * (2.0 * trial.ps + turn * trial.p2);
    double p2 = trial.p2 + drag * (2.0 * trial.ps + drag * trial.s2);
    bool holds = s2 <= torque_limit * torque_limit, sticks = p2 <= force_limit * force_limit;
    if (!(holds | sticks)) return rolling_solve_both(block, trial, force_limit, torque_limit);
    double one = holds, other = 1.0 - one;
    return (struct rolling_shares){slide > other ? slide : other, other * drag, one * turn,
                                   roll > one ? roll : one};
}

#endif
