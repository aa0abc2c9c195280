/* SPDX-License-Identifier: Apache-2.0
 *
 * Volume exclusion and Coulomb friction at one contact, exactly.
 *
 * Written for the impulse P = R dt that acts on the second body, and for the relative velocity V the
 * contact would have at the end of the step with its present impulse. What the contact would have
 * without it, U of [Unger2003, eq. 23], is U = V - Minv P; inserting this, the three cases of
 * [Unger2003, eqs. 25-34] become
 *     trial            P* = P - M (V + (g+/dt) n)            M = Minv^-1
 *     open             P*_n <= 0          ->  P = 0          (the same as U_n dt + g+ >= 0)
 *     sticking         |P*_t| <= mu P*_n  ->  P = P*
 *     sliding          else               ->  V_n = -g+/dt, P_t = -mu P_n V_t/|V_t|
 * For spheres and discs M is diagonal, (m_n, m_t), and sliding cuts P*_t back to mu P_n in its own
 * direction. Different static and sliding coefficients: law/static_friction.h.
 *
 *     g+ = max(gap, 0)    bias = g+/dt (m/s)     P impulse (N s)     m_n, m_t reduced masses (kg)
 *
 * Proved by tests/unit/test_problem.c and tests/physics/test_contact_law.c.
 */
#ifndef LAW_COULOMB_H
#define LAW_COULOMB_H

#include <math.h>
#include <stdbool.h>

#include "math/vec3.h"

/* The new impulse of a contact between spheres or discs. */
static inline vec3 coulomb_solve(vec3 impulse, vec3 velocity, vec3 normal, double bias, double m_n,
                                 double m_t, double mu) {
    double velocity_n = vec3_dot(velocity, normal);
    double impulse_n = vec3_dot(impulse, normal);
    double trial_n = impulse_n - m_n * (velocity_n + bias); /* [Unger2003, eq. 28] */
    if (!(trial_n > 0.0)) return vec3_zero();
    vec3 trial_t = {impulse.x - impulse_n * normal.x - m_t * (velocity.x - velocity_n * normal.x),
                    impulse.y - impulse_n * normal.y - m_t * (velocity.y - velocity_n * normal.y),
                    impulse.z - impulse_n * normal.z - m_t * (velocity.z - velocity_n * normal.z)};
    double square = vec3_norm2(trial_t);
    double limit = mu * trial_n;
    double scale = 1.0;
    if (square > limit * limit) scale = limit / sqrt(square); /* [Unger2003, eq. 34] */
    return vec3_make(trial_n * normal.x + scale * trial_t.x, trial_n * normal.y + scale * trial_t.y,
                     trial_n * normal.z + scale * trial_t.z);
}

/* The same with a full symmetric 3 x 3 matrix W = Minv (rows n, t, s) and the velocity the contact
 * would have without its own impulse, plus bias, in the same frame. Singular W (locked bodies) is
 * allowed. Which solution is taken where there are several, and the same in two parts for loops that
 * visit a contact often: law/cone.h. */
vec3 coulomb_solve_general(const mat3 *w, vec3 free_velocity, double mu);

/* Projection on the Coulomb cone |p_t| <= mu p_n; n is the first component. */
static inline vec3 coulomb_project(vec3 p, double mu) {
    double p_t = sqrt(p.y * p.y + p.z * p.z);
    if (p.x >= 0.0 && p_t <= mu * p.x) return p;
    if (mu * p_t <= -p.x) return vec3_zero();
    double p_n = (p.x + mu * p_t) / (1.0 + mu * mu);
    double scale = mu * p_n / p_t;
    return vec3_make(p_n, scale * p.y, scale * p.z);
}

/* Natural map of one contact, in velocity units: (p - P_K(p - rho (u + mu |u_t| n)))/rho; zero if and only
 * if (p, u) obeys the law. Components (n, t, s); rho in kg. */
double coulomb_residual(vec3 p, vec3 u, double rho, double mu);

/* The same, squared, of vectors in space: no tangent is needed, only lengths in the plane of contact. */
static inline double coulomb_residual2(vec3 p, vec3 u, vec3 n, double rho, double mu) {
    double p_n = vec3_dot(p, n), u_n = vec3_dot(u, n);
    if (u_n >= 0.0 && p.x == 0.0 && p.y == 0.0 && p.z == 0.0) return 0.0; /* open */
    vec3 p_t = vec3_add_scaled(p, -p_n, n), u_t = vec3_add_scaled(u, -u_n, n);
    double slip = sqrt(vec3_norm2(u_t)), shifted_n = p_n - rho * (u_n + mu * slip);
    vec3 shifted_t = vec3_add_scaled(p_t, -rho, u_t);
    double length = sqrt(vec3_norm2(shifted_t)), n_on_cone = shifted_n, scale = 1.0;
    if (!(shifted_n >= 0.0 && length <= mu * shifted_n)) { /* as coulomb_project */
        bool is_zero = mu * length <= -shifted_n;
        n_on_cone = is_zero ? 0.0 : (shifted_n + mu * length) / (1.0 + mu * mu);
        scale = is_zero ? 0.0 : mu * n_on_cone / length;
    }
    double off = p_n - n_on_cone, per_rho = 1.0 / rho;
    vec3 off_t = vec3_add_scaled(p_t, -scale, shifted_t);
    return (off * off + vec3_norm2(off_t)) * (per_rho * per_rho);
}

/* From here on the natural map says little: where contacts stick it counts slip mu times, and a contact without any force only
 * by 1/mu of the velocity at which it closes (docs/theory/residual.md). */
static const double coulomb_steep = 1.0;

/* The law in two parts, for such mu: volume exclusion, and friction up to mu times the present load; squared. As of
 * combined_residual. */
static inline double coulomb_residual2_steep(vec3 p, vec3 u, vec3 n, double m_n, double m_t,
                                             double mu) {
    double p_n = vec3_dot(p, n), u_n = vec3_dot(u, n), limit = mu * fmax(p_n, 0.0);
    double normal = (p_n - fmax(p_n - m_n * u_n, 0.0)) / m_n;
    if (!(m_t > 0.0)) return normal * normal;
    vec3 p_t = vec3_add_scaled(p, -p_n, n), u_t = vec3_add_scaled(u, -u_n, n);
    vec3 shifted = vec3_add_scaled(p_t, -m_t, u_t);
    double size2 = vec3_norm2(shifted);
    double scale = size2 > limit * limit ? limit / sqrt(size2) : 1.0;
    vec3 off = vec3_add_scaled(p_t, -scale, shifted);
    return normal * normal + vec3_norm2(off) / (m_t * m_t);
}

#endif
