/* SPDX-License-Identifier: Apache-2.0 */
#include "math/lorentz.h"

#include <math.h>

/* As a product, so that a point near the edge keeps its digits. */
double lorentz_determinant(const double *x, int width) {
    double sides = 0.0;
    for (int k = 1; k < width; k++) sides += x[k] * x[k];
    double length = sqrt(sides);
    return (x[0] - length) * (x[0] + length);
}

void lorentz_multiply(const double *a, const double *b, int width, double *y) {
    double product = 0.0, a_0 = a[0], b_0 = b[0];
    for (int k = 0; k < width; k++) product += a[k] * b[k];
    for (int k = 1; k < width; k++) y[k] = a_0 * b[k] + b_0 * a[k];
    y[0] = product;
}

void lorentz_divide(const double *a, const double *v, int width, double *y) {
    double along = 0.0;
    for (int k = 1; k < width; k++) along += a[k] * v[k];
    double first = (a[0] * v[0] - along) / lorentz_determinant(a, width);
    for (int k = 1; k < width; k++) y[k] = (v[k] - first * a[k]) / a[0];
    y[0] = first;
}

static double if_ahead(double t, double before) {
    return t > 0.0 ? fmin(t, before) : before;
}

/* The edge is where det(x + t d) = c + 2 b t + a t^2 vanishes; c > 0, so the first root ahead is the way out. */
double lorentz_reach(const double *x, const double *d, int width) {
    double a = d[0] * d[0], b = x[0] * d[0], c = lorentz_determinant(x, width);
    for (int k = 1; k < width; k++) {
        a -= d[k] * d[k];
        b -= x[k] * d[k];
    }
    double way = d[0] < 0.0 ? -x[0] / d[0] : HUGE_VAL, under = b * b - a * c;
    if (under < 0.0) return way;
    double sum = b > 0.0 ? -(b + sqrt(under)) : -(b - sqrt(under)); /* no cancellation */
    if (a != 0.0) way = if_ahead(sum / a, way);
    if (sum != 0.0) way = if_ahead(c / sum, way);
    return way;
}

struct lorentz_scaling lorentz_scale(const double *x, const double *z, int width) {
    double root_x = sqrt(lorentz_determinant(x, width));
    double root_z = sqrt(lorentz_determinant(z, width)), product = 0.0;
    struct lorentz_scaling scaling = {width, root_z / root_x, {0.0}};
    for (int k = 0; k < width; k++) product += x[k] / root_x * (z[k] / root_z);
    double per = 0.5 / sqrt(0.5 * (1.0 + product));
    for (int k = 0; k < width; k++)
        scaling.w[k] = per * (z[k] / root_z + (k == 0 ? x[k] : -x[k]) / root_x);
    return scaling;
}

void lorentz_apply_square(const struct lorentz_scaling *scaling, const double *x, double *y) {
    double along = 0.0;
    for (int k = 0; k < scaling->width; k++) along += scaling->w[k] * x[k];
    for (int k = 0; k < scaling->width; k++)
        y[k] = scaling->size * (2.0 * scaling->w[k] * along - (k == 0 ? x[k] : -x[k]));
}

/* P = sqrt(size) [w_0, w^T; w, 1 + w w^T/(1 + w_0)], its inverse the same with -w and 1/sqrt(size). */
static void apply_root(const struct lorentz_scaling *scaling, const double *x, double sign,
                       double root, double *y) {
    const double *w = scaling->w;
    double along = 0.0, first = x[0];
    for (int k = 1; k < scaling->width; k++) along += w[k] * x[k];
    for (int k = 1; k < scaling->width; k++)
        y[k] = root * (x[k] + w[k] * (sign * first + along / (1.0 + w[0])));
    y[0] = root * (w[0] * first + sign * along);
}

void lorentz_apply(const struct lorentz_scaling *scaling, const double *x, double *y) {
    apply_root(scaling, x, 1.0, sqrt(scaling->size), y);
}

void lorentz_apply_inverse(const struct lorentz_scaling *scaling, const double *x, double *y) {
    apply_root(scaling, x, -1.0, 1.0 / sqrt(scaling->size), y);
}
