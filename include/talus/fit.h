/* SPDX-License-Identifier: Apache-2.0
 * Least-squares fits used to judge simulations (Levenberg-Marquardt by cminpack). */
#ifndef TALUS_FIT_H
#define TALUS_FIT_H

#include <stddef.h>

#include "talus/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* x0 + amplitude exp(-t/tau) sin(omega t + phase) */
typedef struct talus_damped_sine {
    double x0, amplitude, tau, omega, phase;
    double rms; /* of the remaining difference */
} talus_damped_sine;

/* Fit n points; `fit` holds the start values of tau and omega on entry (the others are found). */
talus_status talus_fit_damped_sine(const double *t, const double *x, size_t n,
                                   talus_damped_sine *fit, talus_error *err);

/* Exponent p of y ~ x^p by a straight line through the logarithms, with its standard error. */
talus_status talus_fit_power(const double *x, const double *y, size_t n, double *exponent,
                             double *standard_error, talus_error *err);

#ifdef __cplusplus
}
#endif
#endif
