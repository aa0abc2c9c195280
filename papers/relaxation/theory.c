/* SPDX-License-Identifier: Apache-2.0
 *
 * The pushed disc as a linear oscillator. With x its displacement and phi = a theta its turning, at 45 degrees the contact
 * is compressed by x/sqrt(2) and sheared by x/sqrt(2) + phi, so
 *
 *     M = diag(m, m/2),   C = c_n N + c_t T,   K = k_n N + k_t T,
 *     N = (1/2, 0; 0, 0),   T = (1/2, 1/sqrt(2); 1/sqrt(2), 1)
 *
 * and the kinetic energy of a mode s, det(M s^2 + C s + K) = 0, decays with t_R = -1/(2 Re s). Held from turning
 * t_R = 2 m/(c_n + c_t). With k_t/k_n = c_t/c_n = 1/3 turning makes it twice as long.
 *
 * A spring that grows by the new velocity times dt is ahead of the true one by half a step, k_t dt/2 V_t: to first order
 * c_t is larger by k_t dt/2, and t_R = t_R0/(1 + k_t dt/(2 (c_n + c_t))).
 */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "papers/relaxation/relaxation.h"

static const double pi = 3.141592653589793;
static const double mass = 0.78539816339744831; /* kg, of the disc */
static const double restitution = 0.9875;       /* e_n */

/* [Pena2009, eq. 8], nu = c */
static double damping(double reduced, double stiffness, double e) {
    double ratio = -log(e) / pi; /* eta/omega */
    return 2.0 * sqrt(reduced * stiffness / (1.0 + 1.0 / (ratio * ratio)));
}

double theory_damping(const struct trial *trial) {
    return damping(trial->reduced_mass, trial->stiffness, restitution);
}

double theory_tangential_damping(const struct trial *trial) {
    return damping(trial->reduced_mass, trial->stiffness * trial->stiffness_ratio,
                   restitution * trial->restitution_ratio);
}

double theory_collision_time(const struct trial *trial) { /* [Pena2009, eq. 10] */
    double m = trial->reduced_mass, eta = 0.5 * theory_damping(trial) / m;
    return pi / sqrt(trial->stiffness / m - eta * eta);
}

/* det(M s^2 + C s + K) and its derivative, by Newton's method from `s` on. */
static double complex root_near(double complex s, const double k[2], const double c[2]) {
    for (int i = 0; i < 50; i++) {
        double complex n = c[0] * s + k[0], t = c[1] * s + k[1];
        double complex a = mass * s * s + 0.5 * n + 0.5 * t, d = 0.5 * mass * s * s + t;
        double complex da = 2.0 * mass * s + 0.5 * c[0] + 0.5 * c[1], dd = mass * s + c[1];
        double complex value = a * d - 0.5 * t * t, slope = da * d + a * dd - c[1] * t;
        double complex step = value / slope;
        s -= step;
        if (cabs(step) < 1e-14 * cabs(s)) break;
    }
    return s;
}

/* The root of the slower decay, -Re s. */
static double slowest(const double k[2], const double c[2]) {
    /* without damping, l = omega^2: (m^2/2) l^2 - m (k_n/4 + 5 k_t/4) l + k_n k_t/2 = 0 */
    double a = 0.5 * mass * mass, b = mass * (0.25 * k[0] + 1.25 * k[1]),
           product = 0.5 * k[0] * k[1];
    double root = sqrt(b * b - 4.0 * a * product), least = HUGE_VAL;
    for (int sign = -1; sign <= 1; sign += 2) {
        double omega = sqrt((b + sign * root) / (2.0 * a));
        least = fmin(least, -creal(root_near((double complex)I * omega, k, c)));
    }
    return least;
}

double theory_time(const struct trial *trial) {
    double k[2] = {trial->stiffness, trial->stiffness * trial->stiffness_ratio};
    double c[2] = {theory_damping(trial), theory_tangential_damping(trial)};
    double t_c = theory_collision_time(trial);
    if (strcmp(trial->slip, "velocity") == 0) c[1] += 0.5 * k[1] * trial->share * t_c;
    if (trial->mu == 0.0) return 2.0 * mass / c[0] / t_c;
    if (!trial->turns) return 2.0 * mass / (c[0] + c[1]) / t_c;
    return 0.5 / slowest(k, c) / t_c;
}
