/* SPDX-License-Identifier: Apache-2.0
 *
 * Exponent of y ~ x^p: the straight line of least squares through (log x, log y).
 *
 *   p = sum (u - <u>)(w - <w>) / sum (u - <u>)^2,   u = log x, w = log y
 *   standard error of p = sqrt( sum r^2 / (n - 2) / sum (u - <u>)^2 ),   r = what the line misses
 *
 * Proved by tests/unit/test_fit.c.
 */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "talus/fit.h"

enum { POINTS_NEEDED = 3 }; /* two determine a line and say nothing about its error */

static talus_status check(const double *x, const double *y, size_t n, talus_error *err) {
    if (n < POINTS_NEEDED)
        return error_set(err, TALUS_ERR_INPUT, "power law: %zu points, at least %d are needed", n,
                         POINTS_NEEDED);
    for (size_t p = 0; p < n; p++)
        if (!(x[p] > 0.0) || !(y[p] > 0.0) || !isfinite(x[p]) || !isfinite(y[p]))
            return error_set(err, TALUS_ERR_INPUT,
                             "power law: point %zu is (%g, %g), must be finite and > 0", p, x[p],
                             y[p]);
    return TALUS_OK;
}

talus_status talus_fit_power(const double *x, const double *y, size_t n, double *exponent,
                             double *standard_error, talus_error *err) {
    TALUS_TRY(check(x, y, n, err));
    double u_mean = 0.0, w_mean = 0.0, uu = 0.0, uw = 0.0, missed = 0.0;
    for (size_t p = 0; p < n; p++) {
        u_mean += log(x[p]) / (double)n;
        w_mean += log(y[p]) / (double)n;
    }
    for (size_t p = 0; p < n; p++) {
        double u = log(x[p]) - u_mean;
        uu += u * u;
        uw += u * (log(y[p]) - w_mean);
    }
    double rounding = 8.0 * DBL_EPSILON * (fabs(u_mean) + 1.0);
    if (!(uu > rounding * rounding * (double)n))
        return error_set(err, TALUS_ERR_INPUT,
                         "power law: all values of x are %.9g, they must differ", x[0]);
    double slope = uw / uu;
    for (size_t p = 0; p < n; p++) {
        double r = log(y[p]) - w_mean - slope * (log(x[p]) - u_mean);
        missed += r * r;
    }
    *exponent = slope;
    if (standard_error != NULL) *standard_error = sqrt(missed / (double)(n - 2) / uu);
    return TALUS_OK;
}
