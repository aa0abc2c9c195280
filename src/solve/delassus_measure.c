/* SPDX-License-Identifier: Apache-2.0
 *
 * How good impulses are. The natural map with unit step, which FCLIB and its users take, is one number for the whole
 * law, and blind in two directions: where mu is large (r = 0 scores |u_n|/mu while bodies pass through each other), and
 * where impulses are small numbers (r scores at most |r|, whatever it does). Therefore volume exclusion and friction
 * are judged apart as well, as the combined law of a step is (docs/theory/residual.md):
 *     e_n = |r_n - (r_n - rho u_n)_+|/rho
 *     e_t = |r_t - cut(r_t - rho u_t)|/rho         cut: to the disc of radius mu (r_n)_+
 * rho = 1/size of the own block. Neither knows units of mass, and e_n knows no mu. All in m/s.
 */
#include <float.h>
#include <math.h>

#include "law/coulomb.h"
#include "solve/delassus.h"
#include "solve/delassus_rolling.h"

struct sums { /* of squares, in units in which ||q|| is about 1 */
    double natural, r, u, normal, friction;
};

/* A power of two that brings ||q|| to 1 or 2, so that squares neither overflow nor vanish and no bit changes. */
double delassus_unit(const struct delassus *problem) {
    if (!(problem->q_norm > 0.0) || !isfinite(problem->q_norm)) return 1.0;
    int exponent = ilogb(problem->q_norm);
    return ldexp(1.0, exponent < -1020 ? 1020 : -exponent);
}

static double own_step(const struct delassus *problem, size_t i) {
    double own = delassus_own_size(problem, i);
    if (!(own > 0.0)) own = problem->own_largest; /* what cannot move counts as the most mobile */
    return own > 0.0 ? 1.0 / own : 1.0;
}

/* |p - cut(p - rho u)|/rho of `width` numbers. */
static double disc_error(const double *p, const double *u, int width, double rho, double limit) {
    double x[2] = {0.0, 0.0}, sum = 0.0;
    for (int k = 0; k < width; k++) x[k] = p[k] - rho * u[k];
    double length = rolling_cone_length(x, width);
    double scale = length > limit ? limit / length : 1.0;
    for (int k = 0; k < width; k++) sum += (p[k] - scale * x[k]) * (p[k] - scale * x[k]);
    return sqrt(sum) / rho;
}

/* The laws of contact i apart. p and u hold its numbers. */
static void add_apart(const struct delassus *problem, size_t i, double *p, double *u,
                      struct sums *sums) {
    bool rolls = delassus_rolls(problem);
    int width = rolls ? (problem->dim - 1) / 2 : problem->dim - 1;
    double rho = own_step(problem, i), load = fmax(p[0], 0.0);
    double normal = (p[0] - fmax(p[0] - rho * u[0], 0.0)) / rho;
    double slides = disc_error(&p[1], &u[1], width, rho, problem->mu[i] * load), turns = 0.0;
    if (rolls) { /* in the contact's own unit of torque */
        double length = problem->own[i].length;
        for (int k = 1 + width; k < problem->dim; k++) p[k] /= length, u[k] *= length;
        turns =
            disc_error(&p[1 + width], &u[1 + width], width, rho, problem->mu_r[i] / length * load);
    }
    sums->normal += normal * normal;
    sums->friction += slides * slides + turns * turns;
}

static double natural_map(const struct delassus *problem, size_t i, const double *p,
                          const double *u) {
    if (delassus_rolls(problem)) {
        struct rolling_cone cone = delassus_rolling_cone(problem, i);
        return rolling_cone_residual(&cone, p, u);
    }
    double p_s = problem->dim == 3 ? p[2] : 0.0, u_s = problem->dim == 3 ? u[2] : 0.0;
    return coulomb_residual(vec3_make(p[0], p[1], p_s), vec3_make(u[0], u[1], u_s), 1.0,
                            problem->mu[i]);
}

static struct sums add_up(const struct delassus *problem, const double *r, const double *u,
                          double unit) {
    struct sums sums = {0};
    size_t dim = (size_t)problem->dim;
    for (size_t i = 0; i < problem->count; i++) {
        double p[ROLLING_CONE_MOST], v[ROLLING_CONE_MOST];
        for (size_t k = 0; k < dim; k++) {
            p[k] = unit * r[dim * i + k];
            v[k] = unit * u[dim * i + k];
            sums.r += p[k] * p[k];
            sums.u += v[k] * v[k];
        }
        double own = natural_map(problem, i, p, v);
        sums.natural += own * own;
        add_apart(problem, i, p, v, &sums);
    }
    return sums;
}

/* Unlike fmax: what is not a number stays so. */
static double larger(double a, double b) {
    return isnan(a) || a > b ? a : b;
}

struct delassus_measure delassus_measure(const struct delassus *problem, const double *r,
                                         double *u) {
    delassus_velocity(problem, r, u);
    double unit = delassus_unit(problem), q_norm = unit * problem->q_norm;
    struct sums sums = add_up(problem, r, u, unit);
    double natural = sqrt(sums.natural), per = q_norm > 0.0 ? 1.0 / q_norm : 1.0;
    /* r - u rounds to r where r is large enough, and would look like a solution. */
    double rounding = DBL_EPSILON * sqrt(sums.r);
    if (natural < rounding) natural = rounding;
    double scale = fmax(q_norm, sqrt(fmax(sums.r, sums.u)));
    struct delassus_measure measure = {.natural = natural / unit,
                                       .q = q_norm > 0.0 ? natural / q_norm : natural,
                                       .siconos = scale > 0.0 ? natural / scale : natural,
                                       .normal = per * sqrt(sums.normal),
                                       .friction = per * sqrt(sums.friction),
                                       .floor = per * rounding};
    double apart = DELASSUS_APART_SHARE * larger(measure.normal, measure.friction);
    measure.worst = larger(measure.q, apart);
    double shared = measure.q / (1.0 + problem->mu_largest);
    measure.rank = larger(shared, apart);
    return measure;
}

/* What is added up to one number of u, in absolute values. */
static double added_up(const struct delassus *problem, const double *r, size_t i, size_t a,
                       double unit) {
    size_t dim = (size_t)problem->dim;
    double added = unit * fabs(problem->q[dim * i + a]);
    for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++)
        for (size_t c = 0; c < dim; c++)
            added += fabs(problem->block[dim * (dim * k + a) + c]) *
                     fabs(unit * r[dim * (size_t)problem->column[k] + c]);
    return added;
}

double delassus_rounding(const struct delassus *problem, const double *r) {
    size_t dim = (size_t)problem->dim;
    double unit = delassus_unit(problem), sum = 0.0, impulses = 0.0;
    int width = delassus_rolls(problem) ? (problem->dim - 1) / 2 : problem->dim - 1;
    for (size_t i = 0; i < problem->count; i++) {
        double shift = 0.0; /* mu |u_t| is no more exact than u_t */
        for (size_t a = dim; a-- > 0;) {
            double added = added_up(problem, r, i, a, unit), own = unit * r[dim * i + a];
            double mu = a == 0 ? 0.0 : (int)a <= width ? problem->mu[i] : problem->mu_r[i];
            if (own != 0.0) shift = fmax(shift, mu * added);
            if (a == 0) added += shift;
            sum += added * added;
            impulses += own * own;
        }
    }
    double q_norm = unit * problem->q_norm;
    return DBL_EPSILON * sqrt(fmax(sum, impulses)) / (q_norm > 0.0 ? q_norm : 1.0);
}

double delassus_growth(const struct delassus *problem, const double *r) {
    double impulses = 0.0, alone = 0.0, unit = delassus_unit(problem);
    size_t dim = (size_t)problem->dim;
    for (size_t i = 0; i < problem->count; i++) {
        double own = delassus_own_size(problem, i);
        for (size_t k = dim * i; k < dim * (i + 1); k++) {
            double stops = own > 0.0 ? unit * problem->q[k] / own : 0.0;
            impulses += unit * r[k] * (unit * r[k]);
            alone += stops * stops;
        }
    }
    return alone > 0.0 ? sqrt(impulses / alone) : 0.0;
}
