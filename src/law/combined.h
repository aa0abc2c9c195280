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
    vec3 shift; /* m/s, tangential: e_t V_t,before at an impact */
};

struct combined_impulse {
    vec3 force, torque; /* N s, N m s on b */
};

struct combined_normal {
    double impulse, velocity; /* present normal parts */
    double solved, load;      /* N s, the new normal impulse; with the tension, >= 0 */
};

/* `closing`: the normal velocity at which the contact closes. */
IN_LOOP struct combined_normal combined_solve_normal(const struct combined *law, vec3 impulse,
                                                     double velocity, vec3 normal, double closing,
                                                     double m_n) {
    struct combined_normal part = {.impulse = vec3_dot(impulse, normal), .velocity = velocity};
    part.solved = cohesion_normal(part.impulse, velocity, closing, m_n, law->tension);
    part.load = part.solved + law->tension;
    return part;
}

/* New impulses from the present ones and the relative velocity and rotation they leave. */
IN_LOOP struct combined_impulse combined_solve_rest(const struct combined *law,
                                                    struct combined_normal part, vec3 impulse,
                                                    vec3 velocity, vec3 turning, vec3 normal,
                                                    double mu) {
    double velocity_n = part.velocity, impulse_n = part.impulse;
    double solved_n = part.solved, load = part.load;
    const struct rolling_block *block = &law->block;
    /* What would stop slip and rolling: force p, torque turned into the tangent plane s. */
    vec3 slip = {velocity.x - velocity_n * normal.x + law->shift.x,
                 velocity.y - velocity_n * normal.y + law->shift.y,
                 velocity.z - velocity_n * normal.z + law->shift.z};
    vec3 roll = vec3_cross(normal, turning), held = vec3_cross(normal, law->torque);
    vec3 p = {impulse.x - impulse_n * normal.x - block->m_pp * slip.x - block->m_ps * roll.x,
              impulse.y - impulse_n * normal.y - block->m_pp * slip.y - block->m_ps * roll.y,
              impulse.z - impulse_n * normal.z - block->m_pp * slip.z - block->m_ps * roll.z};
    vec3 s = {held.x - block->m_ps * slip.x - block->m_ss * roll.x,
              held.y - block->m_ps * slip.y - block->m_ss * roll.y,
              held.z - block->m_ps * slip.z - block->m_ss * roll.z};
    struct rolling_trial trial = {vec3_norm2(p), vec3_dot(p, s), vec3_norm2(s), vec3_norm2(slip),
                                  vec3_norm2(roll)};
    struct rolling_shares shares = {0.0, 0.0, 0.0, 0.0};
    double slide_limit = mu * load, roll_limit = torque_limit_at(&law->rolling, load);
    if (load > 0.0) shares = rolling_solve(block, trial, slide_limit, roll_limit);
    vec3 slide = {shares.pp * p.x + shares.ps * s.x, shares.pp * p.y + shares.ps * s.y,
                  shares.pp * p.z + shares.ps * s.z};
    vec3 turned = {shares.sp * p.x + shares.ss * s.x, shares.sp * p.y + shares.ss * s.y,
                   shares.sp * p.z + shares.ss * s.z};
    /* Within the limits to rounding, also where the two parts cancel. A part at its limit is over it by rounding
     * half of the time: that alone must not take the branch, which is nearly never taken then. */
    const double over = 1.0 + 1e-12;
    double slide2 = vec3_norm2(slide), turned2 = vec3_norm2(turned), cut = 1.0, cut_turned = 1.0;
    if (slide2 > over * slide_limit * slide_limit) cut = slide_limit / sqrt(slide2);
    if (turned2 > over * roll_limit * roll_limit) cut_turned = roll_limit / sqrt(turned2);
    double torsion_limit = torque_limit_at(&law->torsion, load);
    double torsion = vec3_dot(law->torque, normal) - block->m_r * vec3_dot(turning, normal);
    torsion = torsion > torsion_limit    ? torsion_limit
              : torsion < -torsion_limit ? -torsion_limit
                                         : torsion;
    vec3 torque = vec3_scale(cut_turned, vec3_cross(turned, normal));
    return (struct combined_impulse){{solved_n * normal.x + cut * slide.x,
                                      solved_n * normal.y + cut * slide.y,
                                      solved_n * normal.z + cut * slide.z},
                                     {torque.x + torsion * normal.x, torque.y + torsion * normal.y,
                                      torque.z + torsion * normal.z}};
}

IN_LOOP struct combined_impulse combined_solve(const struct combined *law, vec3 impulse,
                                               vec3 velocity, vec3 turning, vec3 normal,
                                               double closing, double m_n, double mu) {
    struct combined_normal part =
        combined_solve_normal(law, impulse, vec3_dot(velocity, normal), normal, closing, m_n);
    return combined_solve_rest(law, part, impulse, velocity, turning, normal, mu);
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
