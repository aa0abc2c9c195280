/* SPDX-License-Identifier: Apache-2.0 */
#include "law/disc_minimum.h"

#include <float.h>
#include <math.h>

enum { BISECTIONS = 200 };

/* Size of p for the multiplier lambda, in the frame in which W is diagonal. */
static double size_at(const double w[2], const double free[2], double lambda) {
    double x = w[0] + lambda > 0.0 ? free[0] / (w[0] + lambda) : 0.0;
    double y = w[1] + lambda > 0.0 ? free[1] / (w[1] + lambda) : 0.0;
    return hypot(x, y);
}

/* |p(lambda)| falls steadily: the root is bracketed by what |b|/limit allows. */
static double multiplier(const double w[2], const double free[2], double limit) {
    double low = 0.0, high = hypot(free[0], free[1]) / limit;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if (size_at(w, free, middle) > limit)
            low = middle;
        else
            high = middle;
    }
    return high;
}

struct disc_point disc_minimum(double a, double b, double c, double free_t, double free_s,
                               double limit) {
    if (!(limit > 0.0)) return (struct disc_point){0.0, 0.0};
    if (a == c && b == 0.0) { /* alike in all directions: cut back in its own */
        double size = hypot(free_t, free_s), scale = a > 0.0 ? 1.0 / a : 0.0;
        if (size * scale > limit) scale = limit / size;
        return (struct disc_point){-scale * free_t, -scale * free_s};
    }
    /* Diagonal already, as in a plane world: not turned at all, so that rounding mixes nothing. */
    double angle = b == 0.0 ? 0.0 : 0.5 * atan2(2.0 * b, a - c);
    double cosine = cos(angle), sine = sin(angle);
    double mean = 0.5 * (a + c), spread = hypot(0.5 * (a - c), b);
    double w[2] = {mean + spread, mean - spread};
    if (b == 0.0) w[0] = a, w[1] = c;
    double free[2] = {cosine * free_t + sine * free_s, cosine * free_s - sine * free_t};
    /* A direction that cannot move gets nothing. */
    for (int k = 0; k < 2; k++)
        if (!(w[k] > 16.0 * DBL_EPSILON * (mean + spread))) w[k] = free[k] = 0.0;
    double lambda = size_at(w, free, 0.0) > limit ? multiplier(w, free, limit) : 0.0;
    double x = w[0] + lambda > 0.0 ? -free[0] / (w[0] + lambda) : 0.0;
    double y = w[1] + lambda > 0.0 ? -free[1] / (w[1] + lambda) : 0.0;
    return (struct disc_point){cosine * x - sine * y, sine * x + cosine * y};
}
