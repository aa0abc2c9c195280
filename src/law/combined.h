/* SPDX-License-Identifier: Apache-2.0
 *
 * All contact laws together at one contact between spheres or discs: cohesion, Coulomb friction,
 * rolling, torsion, restitution. Not a sum of approximations but one law; the normal impulse does not
 * depend on the others for such bodies, so exactly in this order:
 *     normal       graph of law/cohesion.h (without a bond: Signorini); restitution shifts its velocity
 *     load         P_n + L, L the tension impulse of the bond [Brendel2004, sect. 1.8]
 *     tangential   force and rolling torque coupled, |P_t| <= mu load, |T_t| <= limit(load)
 *     torsion      |T_n| <= limit(load)
 * Contacts that need none of this take the short way of law/coulomb.h.
 */
#ifndef LAW_COMBINED_H
#define LAW_COMBINED_H

#include "law/cohesion.h"
#include "law/rolling.h"
#include "law/torque_limit.h"
#include "math/vec3.h"

struct combined {   /* what such a contact has beyond a plain one */
    vec3 torque;    /* N m s on b: first guess and result */
    double tension; /* N s, L */
    struct torque_limit rolling, torsion;
    struct rolling_block block;
    vec3 tangent;            /* frame: n, tangent, n x tangent */
    double shift_t, shift_s; /* m/s, tangential: e_t V_t,before at an impact */
};

struct combined_impulse {
    vec3 force, torque; /* N s, N m s on b */
};

struct combined_normal {
    double solved, load; /* N s, the new normal impulse; with the tension, >= 0 */
};

struct combined_motion {
    vec3 velocity, turning; /* m/s, 1/s, of b against a, with the present impulses */
};

/* `closing`: the normal velocity at which the contact closes. */
IN_LOOP struct combined_normal combined_solve_normal(const struct combined *law, double impulse,
                                                     double velocity, double closing, double m_n) {
    double solved = cohesion_normal(impulse, velocity, closing, m_n, law->tension);
    return (struct combined_normal){solved, solved + law->tension};
}

/* New impulses from the present ones and the relative velocity and rotation they leave, all in the frame. */
IN_LOOP struct combined_impulse combined_solve_rest(const struct combined *law,
                                                    struct combined_normal part,
                                                    struct combined_impulse own,
                                                    struct combined_motion motion, double mu) {
    const struct rolling_block *block = &law->block;
    /* What would stop slip and rolling: force p, torque turned into the tangent plane q = n x T. */
    double slip_t = motion.velocity.y + law->shift_t, slip_s = motion.velocity.z + law->shift_s;
    double roll_t = -motion.turning.z, roll_s = motion.turning.y;
    double p_t = own.force.y - block->m_pp * slip_t - block->m_ps * roll_t;
    double p_s = own.force.z - block->m_pp * slip_s - block->m_ps * roll_s;
    double q_t = -own.torque.z - block->m_ps * slip_t - block->m_ss * roll_t;
    double q_s = own.torque.y - block->m_ps * slip_s - block->m_ss * roll_s;
    struct rolling_trial trial = {p_t * p_t + p_s * p_s, p_t * q_t + p_s * q_s,
                                  q_t * q_t + q_s * q_s, slip_t * slip_t + slip_s * slip_s,
                                  roll_t * roll_t + roll_s * roll_s};
    struct rolling_shares shares = {0.0, 0.0, 0.0, 0.0};
    double load = part.load;
    double slide_limit = mu * load, roll_limit = torque_limit_at(&law->rolling, load);
    if (load > 0.0) shares = rolling_solve(block, trial, slide_limit, roll_limit);
    double slide_t = shares.pp * p_t + shares.ps * q_t, slide_s = shares.pp * p_s + shares.ps * q_s;
    double turned_t = shares.sp * p_t + shares.ss * q_t;
    double turned_s = shares.sp * p_s + shares.ss * q_s;
    /* Within the limits to rounding, also where the two parts cancel. A part at its limit is over it by rounding
     * half of the time: that alone must not take the branch, which is nearly never taken then. */
    const double over = 1.0 + 1e-12;
    double slide2 = slide_t * slide_t + slide_s * slide_s;
    double turned2 = turned_t * turned_t + turned_s * turned_s;
    if (slide2 > over * slide_limit * slide_limit) {
        double cut = slide_limit / sqrt(slide2);
        slide_t *= cut, slide_s *= cut;
    }
    if (turned2 > over * roll_limit * roll_limit) {
        double cut = roll_limit / sqrt(turned2);
        turned_t *= cut, turned_s *= cut;
    }
    double torsion_limit = torque_limit_at(&law->torsion, load);
    double torsion = own.torque.x - block->m_r * motion.turning.x;
    torsion = torsion < torsion_limit ? torsion : torsion_limit;
    torsion = torsion > -torsion_limit ? torsion : -torsion_limit;
    return (struct combined_impulse){{part.solved, slide_t, slide_s},
                                     {torsion, turned_s, -turned_t}};
}

IN_LOOP struct combined_impulse combined_solve(const struct combined *law,
                                               struct combined_impulse own,
                                               struct combined_motion motion, double closing,
                                               double m_n, double mu) {
    struct combined_normal part =
        combined_solve_normal(law, own.force.x, motion.velocity.x, closing, m_n);
    return combined_solve_rest(law, part, own, motion, mu);
}

/* The same for any symmetric response of the contact to force and torque (locked or guided bodies,
 * turning walls), in the frame (n, t, s): velocity = free + ww P + wt T, turning = free + wt' P + tt T. */
struct combined_response {
    mat3 ww, wt, tt;
};
struct combined_free {
    vec3 velocity, turning; /* without the contact's own impulses; the shift is in */
};
struct combined_impulse combined_solve_general(const struct combined *law,
                                               const struct combined_response *response,
                                               const struct combined_free *free, double closing,
                                               double mu, struct combined_impulse guess);

/* How far (P, T) and the velocities they leave are from the law, in m/s: zero if and only if they obey
 * it. Components (n, t, s); rho = m_n, m_t, and 1/w_r for torques (docs/theory/residual.md). */
double combined_residual(const struct combined *law, struct combined_impulse impulse,
                         struct combined_free velocity, double closing, double m_n, double m_t,
                         double mu);

#endif
