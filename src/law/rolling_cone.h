/* SPDX-License-Identifier: Apache-2.0
 *
 * Volume exclusion, Coulomb friction and rolling friction at one contact in matrix form, as FCLIB's rolling problems
 * ask for them. Impulses p = (n, T, R): normal, friction and rolling, T and R of one number in a plane and of two in
 * space; velocities alike. With W symmetric, positive semidefinite, and b the velocity without p, u = W p + b and
 *     0 <= u_n,  p_n >= 0,  u_n p_n = 0
 *     |p_T| <= mu p_n,    u_T != 0 -> p_T = -mu p_n u_T/|u_T|
 *     |p_R| <= mu_r p_n,  u_R != 0 -> p_R = -mu_r p_n u_R/|u_R|
 * The two limits know nothing of each other. The same in the form of [Saxce1998]:
 *     K* contains u + (mu |u_T| + mu_r |u_R|) n,  perpendicular to p in K = { |p_T| <= mu p_n, |p_R| <= mu_r p_n }
 * Derivations: docs/theory/fclib.md. Proved by tests/unit/test_rolling_cone.c.
 */
#ifndef LAW_ROLLING_CONE_H
#define LAW_ROLLING_CONE_H

#include <math.h>

enum { ROLLING_CONE_MOST = 5 };

struct rolling_cone {
    int dim; /* numbers of an impulse: 3 in a plane, 5 in space */
    double mu, mu_r;
};

/* How many numbers T has, and R. */
static inline int rolling_cone_width(const struct rolling_cone *cone) {
    return (cone->dim - 1) / 2;
}

static inline double rolling_cone_length(const double *part, int width) {
    return width == 1 ? fabs(part[0]) : sqrt(part[0] * part[0] + part[1] * part[1]);
}

/* mu |u_T| + mu_r |u_R| */
static inline double rolling_cone_shift(const struct rolling_cone *cone, const double *u) {
    int width = rolling_cone_width(cone);
    return cone->mu * rolling_cone_length(&u[1], width) +
           cone->mu_r * rolling_cone_length(&u[1 + width], width);
}

/* p becomes the nearest point of K. Exact. */
void rolling_cone_project(const struct rolling_cone *cone, double *p);

/* || p - Proj_K(p - (u + (mu |u_T| + mu_r |u_R|) n)) ||: zero if and only if (p, u) obeys the law. */
double rolling_cone_residual(const struct rolling_cone *cone, const double *p, const double *u);

/* p becomes a solution of the law for this W (dim x dim, row by row) and b; what it holds is the first guess. */
void rolling_cone_solve(const struct rolling_cone *cone, const double *w, const double *b,
                        double *p);

#endif
