/* SPDX-License-Identifier: Apache-2.0
 *
 * The cone x_0 >= |(x_1, x_2)| and the algebra by which interior point methods move in it [Nesterov1997]. With width 2
 * it is a wedge, with width 1 a half-line; all formulas hold. The product is
 *     a o b = (a.b, a_0 b_k + b_0 a_k)            unit (1, 0, 0),     det a = a_0^2 - a_1^2 - a_2^2
 * and the inverse of a is (a_0, -a_1, -a_2)/det a.
 */
#ifndef MATH_LORENTZ_H
#define MATH_LORENTZ_H

enum { LORENTZ_MOST = 3 };

double lorentz_determinant(const double *x, int width);
/* y = a o b; y may be a or b. */
void lorentz_multiply(const double *a, const double *b, int width, double *y);
/* y with a o y = v, for a inside. */
void lorentz_divide(const double *a, const double *v, int width, double *y);
/* The largest t with x + t d in the cone, for x inside; HUGE_VAL: none. */
double lorentz_reach(const double *x, const double *d, int width);

/* The symmetric map P of the cone onto itself with P x = P^-1 z [Nesterov1997]. D = P^2 takes x to z. */
struct lorentz_scaling {
    int width;
    double size;            /* sqrt(det z/det x) */
    double w[LORENTZ_MOST]; /* of determinant 1: D = size (2 w w^T - diag(1, -1, -1)) */
};

/* x and z inside. */
struct lorentz_scaling lorentz_scale(const double *x, const double *z, int width);
void lorentz_apply_square(const struct lorentz_scaling *scaling, const double *x, double *y);
void lorentz_apply(const struct lorentz_scaling *scaling, const double *x, double *y);
void lorentz_apply_inverse(const struct lorentz_scaling *scaling, const double *x, double *y);

#endif
