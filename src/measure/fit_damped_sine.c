/* SPDX-License-Identifier: Apache-2.0
 *
 * Fit of x0 + A exp(-t/tau) sin(omega t + phase), the motion a standing wave leaves at a free end.
 *
 * Inside, time s = (t - t_first)/span and the signal y = (x - mean)/scale are both of order one,
 * and the model is b0 + exp(-gamma s) (b1 cos(nu s) + b2 sin(nu s)): linear in b, so only (gamma,
 * nu) need searching. Three stages, each starting from the one before:
 *   1. a coarse grid of (gamma, nu) around the caller's values, b solved exactly at each point;
 *   2. variable projection: Levenberg-Marquardt on (gamma, nu), b solved exactly inside;
 *   3. Levenberg-Marquardt on all five with the analytic Jacobian, to rounding.
 * The grid is what makes the result insensitive to start values wrong by a factor of two.
 *
 * Variable projection: [Golub1973]. Levenberg-Marquardt: MINPACK's lmdif and lmder [More1978].
 * Proved by tests/unit/test_fit.c.
 */
#include <cminpack.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"
#include "talus/fit.h"

enum {
    LINEAR = 3, /* b0, b1, b2 */
    ALL = 5,    /* and gamma, nu */
    POINTS_NEEDED = ALL + 1,
    GRID_NU = 41,      /* grid points of nu, from start/2 to start*2 */
    GRID_GAMMA = 9,    /* grid points of gamma, from start/4 to start*4 */
    EVALUATIONS = 2000 /* cap of each Levenberg-Marquardt run */
};

struct problem {
    int n;
    const double *s, *y; /* scaled data */
    double b[LINEAR];    /* of the last linear solve */
};

/* Everything a fit needs, in one block. */
struct workspace {
    struct memory memory;
    double *block;
    size_t count;
    double *s, *y, *residual, *jacobian, *row_scratch;
};

static talus_status workspace_make(struct workspace *work, size_t n, talus_error *err) {
    *work = (struct workspace){0};
    work->count = n * (4 + ALL);
    work->block = memory_resize(&work->memory, NULL, 0, work->count, sizeof(double));
    if (work->block == NULL) return error_memory(err);
    work->s = work->block;
    work->y = work->s + n;
    work->residual = work->y + n;
    work->row_scratch = work->residual + n;
    work->jacobian = work->row_scratch + n;
    return TALUS_OK;
}

static void workspace_free(struct workspace *work) {
    memory_free(&work->memory, work->block, work->count, sizeof(double));
}

/* Solve the symmetric positive definite 3x3 system by Cholesky; false if it is singular. */
static bool solve_normal(double a[LINEAR][LINEAR], double b[LINEAR]) {
    for (int j = 0; j < LINEAR; j++) {
        double full = a[j][j];
        for (int k = 0; k < j; k++) a[j][j] -= a[j][k] * a[j][k];
        if (!(a[j][j] > 1e-14 * full)) return false;
        a[j][j] = sqrt(a[j][j]);
        for (int i = j + 1; i < LINEAR; i++) {
            for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    for (int i = 0; i < LINEAR; i++) {
        for (int k = 0; k < i; k++) b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (int i = LINEAR - 1; i >= 0; i--) {
        for (int k = i + 1; k < LINEAR; k++) b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
    return true;
}

static void basis(double gamma, double nu, double s, double phi[LINEAR]) {
    double decay = exp(-gamma * s);
    phi[0] = 1.0;
    phi[1] = decay * cos(nu * s);
    phi[2] = decay * sin(nu * s);
}

/* The best b for this (gamma, nu); false if the three functions cannot be told apart. */
static bool solve_linear(struct problem *problem, double gamma, double nu) {
    double a[LINEAR][LINEAR] = {{0.0}}, b[LINEAR] = {0.0};
    for (int p = 0; p < problem->n; p++) {
        double phi[LINEAR];
        basis(gamma, nu, problem->s[p], phi);
        for (int i = 0; i < LINEAR; i++) {
            b[i] += phi[i] * problem->y[p];
            for (int j = 0; j <= i; j++) a[i][j] += phi[i] * phi[j];
        }
    }
    if (!solve_normal(a, b)) return false;
    for (int i = 0; i < LINEAR; i++) problem->b[i] = b[i];
    return isfinite(b[0]) && isfinite(b[1]) && isfinite(b[2]);
}

static double model(const double b[LINEAR], double gamma, double nu, double s) {
    double phi[LINEAR];
    basis(gamma, nu, s, phi);
    return b[0] + b[1] * phi[1] + b[2] * phi[2];
}

/* Stage 1: the sum of squares at one grid point, infinite where the linear part is singular. */
static double projected_squares(struct problem *problem, double gamma, double nu) {
    if (!solve_linear(problem, gamma, nu)) return HUGE_VAL;
    double sum = 0.0;
    for (int p = 0; p < problem->n; p++) {
        double difference = model(problem->b, gamma, nu, problem->s[p]) - problem->y[p];
        sum += difference * difference;
    }
    return sum;
}

static bool search_grid(struct problem *problem, double start[2]) {
    double best = HUGE_VAL, gamma_start = start[0], nu_start = start[1];
    for (int i = 0; i < GRID_GAMMA; i++) {
        double gamma = gamma_start * pow(4.0, 2.0 * i / (GRID_GAMMA - 1) - 1.0);
        for (int j = 0; j < GRID_NU; j++) {
            double nu = nu_start * pow(2.0, 2.0 * j / (GRID_NU - 1) - 1.0);
            double squares = projected_squares(problem, gamma, nu);
            if (squares >= best) continue;
            best = squares;
            start[0] = gamma;
            start[1] = nu;
        }
    }
    return isfinite(best);
}

/* Stage 2, in the form lmdif wants: residuals with the linear part solved away. */
static int projected_residuals(void *context, int m, int n, const double *x, double *f, int flag) {
    struct problem *problem = context;
    (void)n;
    (void)flag;
    if (!solve_linear(problem, x[0], x[1])) return -1;
    for (int p = 0; p < m; p++) f[p] = model(problem->b, x[0], x[1], problem->s[p]) - problem->y[p];
    return 0;
}

static void refine_projected(struct problem *problem, struct workspace *work, double x[2]) {
    int calls, pivot[2];
    double diagonal[2], qtf[2], w1[2], w2[2], w3[2], tried[2] = {x[0], x[1]};
    const double tolerance = 1e-10; /* stage 3 does the rest */
    int info = lmdif(projected_residuals, problem, problem->n, 2, tried, work->residual, tolerance,
                     tolerance, 0.0, EVALUATIONS, 0.0, diagonal, 1, 1.0, 0, &calls, work->jacobian,
                     problem->n, pivot, qtf, w1, w2, w3, work->row_scratch);
    if (info < 0 || !isfinite(tried[0]) || !isfinite(tried[1])) return;
    x[0] = tried[0];
    x[1] = tried[1];
}

/* Stage 3, in the form lmder wants: parameters b0, b1, b2, gamma, nu. */
static int all_residuals(void *context, int m, int n, const double *x, double *f, double *jacobian,
                         int stride, int flag) {
    const struct problem *problem = context;
    (void)n;
    for (int p = 0; p < m; p++) {
        double s = problem->s[p], phi[LINEAR];
        basis(x[3], x[4], s, phi);
        if (flag == 1) f[p] = x[0] + x[1] * phi[1] + x[2] * phi[2] - problem->y[p];
        if (flag != 2) continue;
        for (int i = 0; i < LINEAR; i++) jacobian[p + i * stride] = phi[i];
        jacobian[p + 3 * stride] = -s * (x[1] * phi[1] + x[2] * phi[2]);
        jacobian[p + 4 * stride] = s * (x[2] * phi[1] - x[1] * phi[2]);
    }
    return 0;
}

/* Returns MINPACK's reason for ending: 1..4 and 6..8 are at the minimum to rounding. */
static int refine_all(struct problem *problem, struct workspace *work, double x[ALL]) {
    int calls, jacobian_calls, pivot[ALL];
    double diagonal[ALL], qtf[ALL], w1[ALL], w2[ALL], w3[ALL];
    return lmder(all_residuals, problem, problem->n, ALL, x, work->residual, work->jacobian,
                 problem->n, DBL_EPSILON, DBL_EPSILON, 0.0, EVALUATIONS, diagonal, 1, 1.0, 0,
                 &calls, &jacobian_calls, pivot, qtf, w1, w2, w3, work->row_scratch);
}

static talus_status check(const double *t, const double *x, size_t n, const talus_damped_sine *fit,
                          talus_error *err) {
    if (n < POINTS_NEEDED || n > INT_MAX / ALL)
        return error_set(err, TALUS_ERR_INPUT, "damped sine: %zu points, from %d to %d are needed",
                         n, POINTS_NEEDED, INT_MAX / ALL);
    for (size_t p = 0; p < n; p++)
        if (!isfinite(t[p]) || !isfinite(x[p]))
            return error_set(err, TALUS_ERR_INPUT,
                             "damped sine: point %zu is (%g, %g), must be finite", p, t[p], x[p]);
    if (!(fit->tau > 0.0) || !(fit->omega > 0.0) || !isfinite(fit->tau) || !isfinite(fit->omega))
        return error_set(err, TALUS_ERR_INPUT,
                         "damped sine: start values tau = %g, omega = %g, must be finite and > 0",
                         fit->tau, fit->omega);
    return TALUS_OK;
}

/* How the scaled variables relate to the caller's. */
struct scaling {
    double t_first, span, mean, deviation;
};

static talus_status scale(const double *t, const double *x, size_t n, struct workspace *work,
                          struct scaling *scaling, talus_error *err) {
    double low = t[0], high = t[0], mean = 0.0, squares = 0.0;
    for (size_t p = 0; p < n; p++) {
        low = fmin(low, t[p]);
        high = fmax(high, t[p]);
        mean += (x[p] - x[0]) / (double)n;
    }
    mean += x[0];
    for (size_t p = 0; p < n; p++) squares += (x[p] - mean) * (x[p] - mean);
    double deviation = sqrt(squares / (double)n);
    /* Values that differ by rounding alone carry no oscillation either. */
    if (!(deviation > 8.0 * DBL_EPSILON * fabs(mean)) || !isfinite(deviation))
        return error_set(err, TALUS_ERR_INPUT,
                         "damped sine: all values of x are %.9g, there is nothing to fit", x[0]);
    if (!(high > low) || !isfinite(high - low))
        return error_set(err, TALUS_ERR_INPUT,
                         "damped sine: t runs from %g to %g, it must span some time", low, high);
    *scaling = (struct scaling){low, high - low, mean, deviation};
    for (size_t p = 0; p < n; p++) {
        work->s[p] = (t[p] - low) / (high - low);
        work->y[p] = (x[p] - mean) / deviation;
    }
    return TALUS_OK;
}

/* From the scaled parameters back to the caller's, amplitude >= 0 and omega >= 0. */
static void unscale(const double x[ALL], const struct scaling *scaling, const double *residual,
                    int n, talus_damped_sine *fit) {
    double sign = x[4] < 0.0 ? -1.0 : 1.0; /* sin(-nu s) = -sin(nu s) */
    double rate = x[3] / scaling->span, squares = 0.0;
    for (int p = 0; p < n; p++) squares += residual[p] * residual[p];
    fit->x0 = scaling->mean + scaling->deviation * x[0];
    fit->omega = sign * x[4] / scaling->span;
    fit->tau = 1.0 / rate;
    fit->amplitude = scaling->deviation * hypot(x[1], x[2]) * exp(rate * scaling->t_first);
    fit->phase =
        remainder(atan2(x[1], sign * x[2]) - fit->omega * scaling->t_first, 6.283185307179586);
    fit->rms = scaling->deviation * sqrt(squares / n);
}

static talus_status fit_scaled(struct workspace *work, const struct scaling *scaling, int n,
                               talus_damped_sine *fit, talus_error *err) {
    struct problem problem = {.n = n, .s = work->s, .y = work->y};
    double start[2] = {scaling->span / fit->tau, scaling->span * fit->omega};
    if (!search_grid(&problem, start))
        return error_set(err, TALUS_ERR_INPUT,
                         "damped sine: no oscillation near tau = %g, omega = %g can be told from a "
                         "constant over a time of %g",
                         fit->tau, fit->omega, scaling->span);
    refine_projected(&problem, work, start);
    if (!solve_linear(&problem, start[0], start[1]))
        return error_set(err, TALUS_ERR_INPUT,
                         "damped sine: the fit is singular at tau = %g, "
                         "omega = %g",
                         scaling->span / start[0], start[1] / scaling->span);
    double x[ALL] = {problem.b[0], problem.b[1], problem.b[2], start[0], start[1]};
    int info = refine_all(&problem, work, x);
    talus_damped_sine found;
    unscale(x, scaling, work->residual, n, &found);
    if (!isfinite(found.x0) || !isfinite(found.amplitude) || !isfinite(found.omega))
        return error_set(err, TALUS_ERR_INPUT,
                         "damped sine: the fit ran away (tau = %g, omega = %g)", found.tau,
                         found.omega);
    *fit = found;
    if (info == 5)
        return error_set(err, TALUS_WARN_NOT_CONVERGED,
                         "damped sine: not converged after %d evaluations", EVALUATIONS);
    return TALUS_OK;
}

talus_status talus_fit_damped_sine(const double *t, const double *x, size_t n,
                                   talus_damped_sine *fit, talus_error *err) {
    TALUS_TRY(check(t, x, n, fit, err));
    struct workspace work;
    struct scaling scaling = {0};
    TALUS_TRY(workspace_make(&work, n, err));
    talus_status status = scale(t, x, n, &work, &scaling, err);
    if (status >= 0) status = fit_scaled(&work, &scaling, (int)n, fit, err);
    workspace_free(&work);
    return status;
}
