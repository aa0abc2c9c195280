/* SPDX-License-Identifier: Apache-2.0
 *
 * The exact local problem of volume exclusion and Coulomb friction when W couples all directions.
 *
 * Given W (symmetric, positive semidefinite, rows n, t, s), the velocity b that the contact would have
 * without its own impulse (bias included) and mu, find p with u = W p + b and
 *     0 <= u_n,  p_n >= 0,  u_n p_n = 0,  |p_t| <= mu p_n,  u_t != 0 -> p_t = -mu p_n u_t/|u_t|
 * Derivation and method: cone.c. Proved by tests/unit/test_cone.c.
 *
 * Which solution, where there are several (mu |W_nt| comparable with W_nn, Painleve's range):
 *     1. open, if b_n >= 0;
 *     2. sticking, if it lies in the cone;
 *     3. sliding: the root that is continuous with the guess; without a guess the one that dissipates
 *        most, which is the one nearest to sticking.
 * Every solution of the law loses energy, p.(u + b)/2 = -mu p_n |u_t| - p.W p/2 <= 0 (b without bias), so
 * none of these choices can make any.
 */
#ifndef LAW_CONE_H
#define LAW_CONE_H

#include "base/inlining.h"
#include "math/vec3.h"

/* Friction below this part of the normal force changes no digit of it; it would overflow nu^2. */
#define CONE_MU_NONE 1e-40
/* A step of this relative size was the last: the next would be of the order of its third power. */
#define CONE_LAST_STEP 1e-5
/* Below this p_0/p_n = 1 + tilt.d has lost digits to cancellation that det(S + nu) still has. */
#define CONE_LOAD_CANCELS 0.01
enum { CONE_PATIENT_STEPS = 8 }; /* two or three are the rule */

/* W without its normal direction: S = W_tt - W_tn W_nt/W_nn, what the tangential velocity answers while
 * u_n is kept. W itself follows from these numbers (cone_apply). One cache line. 1/kg. */
struct cone {
    double w_nn, w_nt, w_ns;
    double
        inverse_nn; /* 1/W_nn, kg; 0 where the normal cannot move: such a contact gets no impulse */
    double s_tt, s_ts, s_ss;
    double s_det; /* det S; 0 where a tangential direction cannot move */
};

/* Once for each step and contact. Only the lower half of W is read. */
void cone_prepare(struct cone *cone, const mat3 *w);

/* The impulse. `guess` is an impulse of the same contact whose friction has about the right direction,
 * e.g. the present one; zero if there is none. Only its direction is used and only for sliding. Ends
 * always; |p_t| <= mu p_n to rounding. A direction that cannot move gets an impulse only where it has a
 * slip, which friction must oppose even though it cannot change it. */
vec3 cone_solve_any(const struct cone *cone, vec3 free_velocity, double mu, vec3 guess);

/* The same; open and sticking contacts, which are most, without a call. */
IN_LOOP vec3 cone_solve(const struct cone *cone, vec3 free_velocity, double mu, vec3 guess) {
    if (free_velocity.x >= 0.0 || cone->inverse_nn == 0.0) return vec3_zero();
    double bare = -free_velocity.x * cone->inverse_nn, per_det = 1.0 / cone->s_det;
    double slip_t = free_velocity.y + cone->w_nt * bare;
    double slip_s = free_velocity.z + cone->w_ns * bare;
    double p_t = -per_det * (cone->s_ss * slip_t - cone->s_ts * slip_s);
    double p_s = -per_det * (cone->s_tt * slip_s - cone->s_ts * slip_t);
    double p_n = bare - (cone->w_nt * p_t + cone->w_ns * p_s) * cone->inverse_nn;
    double limit = mu * p_n;
    if (cone->s_det > 0.0 && p_n > 0.0 && p_t * p_t + p_s * p_s <= limit * limit)
        return vec3_make(p_n, p_t, p_s);
    return cone_solve_any(cone, free_velocity, mu, guess);
}

/* W p. */
static inline vec3 cone_apply(const struct cone *cone, vec3 p) {
    double u_n = cone->w_nn * p.x + cone->w_nt * p.y + cone->w_ns * p.z;
    double along = u_n * cone->inverse_nn; /* what of u_n moves the tangents, too */
    return vec3_make(u_n, cone->w_nt * along + cone->s_tt * p.y + cone->s_ts * p.z,
                     cone->w_ns * along + cone->s_ts * p.y + cone->s_ss * p.z);
}

#endif
