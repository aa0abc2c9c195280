/* SPDX-License-Identifier: Apache-2.0
 * The cone of friction and rolling friction: projection and natural map. */
#include "law/rolling_cone.h"

/* The nearest x to p has x_T = p_T cut to mu x_n and x_R = p_R cut to mu_r x_n, so only x_n is to be found: the
 * minimum over x_n >= 0 of
 *     (x_n - p_n)^2/2 + (t - mu x_n)_+^2/2 + (s - mu_r x_n)_+^2/2        t = |p_T|, s = |p_R|
 * Its slope grows and is linear between the points where a bracket vanishes, x_n = t/mu and x_n = s/mu_r. So the
 * brackets are taken as both there, then without the one that vanishes first, then without both: the first zero of
 * the slope below its own vanishing points is the answer. */
static double nearest_normal(const struct rolling_cone *cone, double p_n, double t, double s) {
    double mu = cone->mu, mu_r = cone->mu_r;
    if (mu * t + mu_r * s <= -p_n) return 0.0;
    double both = (p_n + mu * t + mu_r * s) / (1.0 + mu * mu + mu_r * mu_r);
    if (mu * both <= t && mu_r * both <= s) return both;
    if (mu_r * t < mu * s) { /* t/mu < s/mu_r: friction is inside first */
        double rolls = (p_n + mu_r * s) / (1.0 + mu_r * mu_r);
        return mu_r * rolls <= s ? rolls : p_n;
    }
    double slides = (p_n + mu * t) / (1.0 + mu * mu);
    return mu * slides <= t ? slides : p_n;
}

static void cut(double *part, int width, double length, double limit) {
    if (length <= limit) return;
    for (int k = 0; k < width; k++) part[k] *= limit / length;
}

void rolling_cone_project(const struct rolling_cone *cone, double *p) {
    int width = rolling_cone_width(cone);
    double t = rolling_cone_length(&p[1], width), s = rolling_cone_length(&p[1 + width], width);
    p[0] = nearest_normal(cone, p[0], t, s);
    cut(&p[1], width, t, cone->mu * p[0]);
    cut(&p[1 + width], width, s, cone->mu_r * p[0]);
}

double rolling_cone_residual(const struct rolling_cone *cone, const double *p, const double *u) {
    double to[ROLLING_CONE_MOST], sum = 0.0;
    for (int k = 0; k < cone->dim; k++) to[k] = p[k] - u[k];
    to[0] -= rolling_cone_shift(cone, u);
    rolling_cone_project(cone, to);
    for (int k = 0; k < cone->dim; k++) sum += (p[k] - to[k]) * (p[k] - to[k]);
    return sqrt(sum);
}
