/* SPDX-License-Identifier: Apache-2.0 */
#include "law/soft_collision.h"

#include <math.h>

static const double pi = 3.141592653589793;

/* ---- linear: closed forms ---------------------------------------------------------------------- */

/* X = exp(-z t) sin(w t)/w, w^2 = 1 - z^2. With attraction it ends at w t = pi; else where X + 2 z X' = 0, that is
 * sin(w t) = 2 z w, cos(w t) = 2 z^2 - 1, w t = 2 arccos z [Schwager2007], and exp(-z t) is e there too. For z > 1 the
 * same with w = i s. */
double soft_linear_duration(double z, bool attracts) {
    const double near = 1e-5; /* to z = 1 the next term of the series is smaller than 1e-10 */
    if (attracts) return pi / sqrt(1.0 - z * z);
    if (fabs(z - 1.0) < near) return 2.0 - 2.0 / 3.0 * (z - 1.0);
    return 2.0 * (z > 1.0 ? acosh(z) / sqrt(z * z - 1.0) : acos(z) / sqrt(1.0 - z * z));
}

double soft_linear_restitution(double z, bool attracts) {
    return exp(-z * soft_linear_duration(z, attracts));
}

/* ---- all others: Runge and Kutta --------------------------------------------------------------- */

struct moment {
    double x, v;
};

static struct moment rate_at(const struct soft_collision *collision, double damping,
                             struct moment at) {
    double x = at.x > 0.0 ? at.x : 0.0;
    double spring = pow(x, collision->exponent), dashpot = pow(x, collision->damping_exponent);
    return (struct moment){at.v, -spring - damping * dashpot * at.v};
}

static struct moment moved(struct moment at, double h, struct moment rate) {
    return (struct moment){at.x + h * rate.x, at.v + h * rate.v};
}

static struct moment classical_step(const struct soft_collision *collision, double damping,
                                    struct moment at, double h) {
    struct moment a = rate_at(collision, damping, at);
    struct moment b = rate_at(collision, damping, moved(at, 0.5 * h, a));
    struct moment c = rate_at(collision, damping, moved(at, 0.5 * h, b));
    struct moment d = rate_at(collision, damping, moved(at, h, c));
    struct moment mean = {(a.x + 2.0 * (b.x + c.x) + d.x) / 6.0,
                          (a.v + 2.0 * (b.v + c.v) + d.v) / 6.0};
    return moved(at, h, mean);
}

/* < 0 once it is over. */
static double until_end(const struct soft_collision *collision, double damping, struct moment at) {
    if (at.v >= 0.0) return 1.0;
    if (collision->attracts) return at.x;
    return pow(at.x > 0.0 ? at.x : 0.0, collision->exponent - collision->damping_exponent) +
           damping * at.v;
}

/* The velocity where the end lies inside the step of length h from `at`. */
static double leave(const struct soft_collision *collision, double damping, struct moment at,
                    double h) {
    double low = 0.0, high = h;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        struct moment then = classical_step(collision, damping, at, middle);
        if (until_end(collision, damping, then) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return -classical_step(collision, damping, at, low).v;
}

/* Steps are halved and doubled so that one step and two halves agree: the powers of X are not smooth at X = 0. */
static double integrate(const struct soft_collision *collision, double damping) {
    const double tolerance = 1e-11, smallest = 1e-12;
    struct moment at = {0.0, 1.0};
    double h = 1e-6;
    while (until_end(collision, damping, at) > 0.0) {
        struct moment whole = classical_step(collision, damping, at, h);
        struct moment half = classical_step(collision, damping, at, 0.5 * h);
        struct moment two = classical_step(collision, damping, half, 0.5 * h);
        double error = fabs(whole.x - two.x) + fabs(whole.v - two.v);
        if (error > tolerance && h > smallest) {
            h *= 0.5;
            continue;
        }
        if (!(until_end(collision, damping, two) > 0.0)) return leave(collision, damping, at, h);
        at = two;
        if (error < 0.02 * tolerance) h *= 2.0;
    }
    return -at.v; /* the first step begins at rest with the force: never here */
}

static bool is_closed_form(const struct soft_collision *collision) {
    return collision->damping_exponent == 0.5 * (collision->exponent - 1.0);
}

/* z of the linear law with the same path */
static double linear_number(const struct soft_collision *collision, double damping) {
    return 0.5 * damping * sqrt(2.0 / (collision->exponent + 1.0));
}

double soft_restitution(const struct soft_collision *collision, double damping) {
    if (is_closed_form(collision))
        return soft_linear_restitution(linear_number(collision, damping), collision->attracts);
    return integrate(collision, damping);
}

/* ---- backwards --------------------------------------------------------------------------------- */

double soft_damping_for(const struct soft_collision *collision, double restitution) {
    if (restitution >= 1.0) return 0.0;
    if (is_closed_form(collision) && collision->attracts) {
        double loss = -log(restitution), z = loss / sqrt(pi * pi + loss * loss);
        return 2.0 * z * sqrt(0.5 * (collision->exponent + 1.0));
    }
    double low = 0.0, high = 1.0; /* e falls with D */
    while (soft_restitution(collision, high) > restitution && high < 1e9) high *= 2.0;
    while (high - low > 1e-13 * high) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if (soft_restitution(collision, middle) > restitution)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}
