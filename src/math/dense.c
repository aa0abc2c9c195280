/* SPDX-License-Identifier: Apache-2.0 */
#include "math/dense.h"

#include <math.h>

static void swap_rows(double *a, size_t n, size_t i, size_t k) {
    for (size_t j = 0; j < n; j++) {
        double kept = a[i * n + j];
        a[i * n + j] = a[k * n + j];
        a[k * n + j] = kept;
    }
}

bool dense_factor(double *a, size_t n, int32_t *pivot, double least) {
    double largest = 0.0;
    for (size_t k = 0; k < n * n; k++) largest = fmax(largest, fabs(a[k]));
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) best = i;
        if (!(fabs(a[best * n + k]) > least * largest)) return false;
        pivot[k] = (int32_t)best;
        if (best != k) swap_rows(a, n, k, best);
        double per = 1.0 / a[k * n + k];
        for (size_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] * per;
            a[i * n + k] = factor;
            if (factor == 0.0) continue;
            for (size_t j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return true;
}

void dense_solve(const double *a, size_t n, const int32_t *pivot, double *x) {
    for (size_t k = 0; k < n; k++) {
        size_t other = (size_t)pivot[k];
        double kept = x[k];
        x[k] = x[other];
        x[other] = kept;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++) x[i] -= a[i * n + j] * x[j];
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
}
