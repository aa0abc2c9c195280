/* SPDX-License-Identifier: Apache-2.0
 *
 * mu = mu_0 + c I^alpha through measured points. For a given alpha this is a straight line. A handful
 * of points over one and a half decades of I hardly tell alpha and mu_0 apart: a larger alpha with a
 * larger mu_0 does nearly as well. So there are two fits, with the exponent that is known for
 * frictionless spheres in three dimensions, 0.4 (here +- 0.1), and with alpha free on a grid.
 */
#include <math.h>

#include "papers/pentagons/flow.h"

static const double alpha_spheres = 0.4, alpha_doubt = 0.1;
static const double alpha_low = 0.3, alpha_high = 1.0, alpha_step = 0.01;

struct line {
    double offset, slope, offset_variance, misfit;
};

/* The error of I counts too, through the slope of the last line tried. */
static double weight_of(const struct flow_point *point, double alpha, double c) {
    double steep = alpha * c * pow(point->inertial, alpha - 1.0);
    double error = hypot(point->mu_error, steep * point->inertial_error);
    return 1.0 / (error * error);
}

static struct line straight(const struct flow_point *points, int count, double alpha, double c) {
    double s = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    struct line line = {0};
    for (int i = 0; i < count; i++) {
        double w = weight_of(&points[i], alpha, c), x = pow(points[i].inertial, alpha);
        s += w;
        sx += w * x;
        sy += w * points[i].mu;
        sxx += w * x * x;
        sxy += w * x * points[i].mu;
    }
    double determinant = s * sxx - sx * sx;
    line.offset = (sxx * sy - sx * sxy) / determinant;
    line.slope = (s * sxy - sx * sy) / determinant;
    line.offset_variance = sxx / determinant;
    for (int i = 0; i < count; i++) {
        double off = points[i].mu - line.offset - line.slope * pow(points[i].inertial, alpha);
        line.misfit += weight_of(&points[i], alpha, c) * off * off;
    }
    return line;
}

/* The weights depend on the line a little; twice is enough. */
static struct line line_at(const struct flow_point *points, int count, double alpha) {
    struct line line = straight(points, count, alpha, 0.0);
    for (int k = 0; k < 2; k++) line = straight(points, count, alpha, line.slope);
    return line;
}

/* If the points scatter more than their errors say, the errors grow accordingly. */
struct flow_fit flow_fit_spheres(const struct flow_point *points, int count) {
    struct line line = line_at(points, count, alpha_spheres);
    double low = line_at(points, count, alpha_spheres - alpha_doubt).offset;
    double high = line_at(points, count, alpha_spheres + alpha_doubt).offset;
    double scatter = count > 2 ? line.misfit / (count - 2) : 0.0;
    return (struct flow_fit){
        .mu_0 = line.offset,
        .error = hypot(sqrt(line.offset_variance * fmax(scatter, 1.0)), 0.5 * (high - low)),
        .c = line.slope,
        .alpha = alpha_spheres,
        .scatter = scatter};
}

static struct flow_fit best_of(const struct flow_point *points, int count) {
    struct flow_fit fit = {.scatter = HUGE_VAL};
    for (double alpha = alpha_low; alpha < alpha_high + 0.5 * alpha_step; alpha += alpha_step) {
        struct line line = line_at(points, count, alpha);
        if (line.misfit >= fit.scatter) continue;
        fit = (struct flow_fit){
            .mu_0 = line.offset, .c = line.slope, .alpha = alpha, .scatter = line.misfit};
    }
    return fit;
}

/* Every alpha counts by its likelihood exp(-misfit/2): the error of mu_0 has the part within a line
 * and the part from not knowing alpha. */
struct flow_fit flow_fit_free(const struct flow_point *points, int count) {
    struct flow_fit fit = best_of(points, count);
    double best = fit.scatter, total = 0.0, square = 0.0;
    fit.scatter = count > 3 ? best / (count - 3) : 0.0;
    double widen = fmax(fit.scatter, 1.0);
    for (double alpha = alpha_low; alpha < alpha_high + 0.5 * alpha_step; alpha += alpha_step) {
        struct line line = line_at(points, count, alpha);
        double likelihood = exp(-0.5 * (line.misfit - best) / widen);
        double off = line.offset - fit.mu_0;
        total += likelihood;
        square += likelihood * (off * off + widen * line.offset_variance);
    }
    fit.error = sqrt(square / total);
    return fit;
}
