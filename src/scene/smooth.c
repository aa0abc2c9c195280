/* SPDX-License-Identifier: Apache-2.0
 *
 * A cubic spline through the points of a table. Between points x_i with values y_i, h_i = x_(i+1) - x_i,
 * d_i = (y_(i+1) - y_i)/h_i, its second derivatives m_i at the points follow from
 *
 *   h_(i-1)/6 m_(i-1) + (h_(i-1) + h_i)/3 m_i + h_i/6 m_(i+1) = d_i - d_(i-1),
 *
 * at the first and last point with h and d = 0 beyond: the table is constant there, so the slope ends
 * as zero. A boundary that follows the straight lines of a table instead feels all of its acceleration
 * in the steps that pass a point.
 */
#include <math.h>

#include "scene/read.h"

/* Gauss elimination of the tridiagonal system; `above` is room for one number per point. */
static void second_derivatives(const talus_signal *points, double *above, double *m) {
    const double *x = points->times, *y = points->values;
    double h_before = 0.0, d_before = 0.0;
    for (size_t i = 0; i < points->count; i++) {
        bool last = i + 1 == points->count;
        double h = last ? 0.0 : x[i + 1] - x[i], d = last ? 0.0 : (y[i + 1] - y[i]) / h;
        double below = h_before / 6.0, pivot = (h_before + h) / 3.0;
        pivot -= i > 0 ? below * above[i - 1] : 0.0;
        above[i] = h / 6.0 / pivot;
        m[i] = (d - d_before - (i > 0 ? below * m[i - 1] : 0.0)) / pivot;
        h_before = h;
        d_before = d;
    }
    for (size_t i = points->count - 1; i-- > 0;) m[i] -= above[i] * m[i + 1];
}

static double spline_value(const talus_signal *points, const double *m, size_t i, double time) {
    const double *x = points->times, *y = points->values;
    double h = x[i + 1] - x[i], a = (x[i + 1] - time) / h, b = (time - x[i]) / h;
    return a * y[i] + b * y[i + 1] +
           h * h / 6.0 * ((a * a * a - a) * m[i] + (b * b * b - b) * m[i + 1]);
}

talus_signal smooth_table(struct reader *reader, const talus_signal *points, double step) {
    size_t last = points->count - 1, i = 0;
    double start = points->times[0], end = points->times[last];
    double pieces = ceil((end - start) / step * (1.0 - 1e-9));
    if (last == 0) return *points;
    talus_signal smooth = {.kind = TALUS_SIGNAL_TABLE, .count = (size_t)pieces + 1};
    double *above = read_array(reader, points->count, sizeof *above);
    double *m = read_array(reader, points->count, sizeof *m);
    double *times = read_array(reader, smooth.count, sizeof *times);
    double *values = read_array(reader, smooth.count, sizeof *values);
    if (above == NULL || m == NULL || times == NULL || values == NULL) return *points;
    second_derivatives(points, above, m);
    for (size_t k = 0; k < smooth.count; k++) {
        times[k] = k + 1 < smooth.count ? start + (double)k * step : end;
        while (i + 1 < last && times[k] > points->times[i + 1]) i++;
        values[k] = spline_value(points, m, i, times[k]);
    }
    smooth.times = times;
    smooth.values = values;
    return smooth;
}
