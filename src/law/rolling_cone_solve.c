/* SPDX-License-Identifier: Apache-2.0
 *
 * The local problem of friction and rolling friction with any symmetric W.
 *
 * Newton's method for the equations of [Alart1991], from the guess: mostly one step, none once the sweeps have
 * converged. It may go in circles, and W may be singular. Then the load L = p_n is searched for:
 *   - With L held the law of (p_T, p_R) is the minimum of a convex function over two discs, found by turns, each disc
 *     exactly with the other held.
 *   - The normal velocity u_n(L) which that leaves is continuous and begins with b_n < 0.
 *   - It ends above 0 if W is positive definite: for large L p -> L (1, d) with (W (1, d))_i = -lambda_i d_i on the
 *     discs, lambda >= 0, so u_n/L -> (1, d).W (1, d) + sum lambda_i |d_i|^2 > 0.
 * So there is a root, and a bracket finds it. With a singular W there may be none: then the contact bears without
 * friction, which loses energy as well.
 */
#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "law/rolling_cone.h"
#include "math/dense.h"

enum {
    NEWTON_STEPS = 12,
    TURNS_MOST = 200,
    LOAD_STEPS = 100,
    DOUBLINGS = 60,
    MULTIPLIER_STEPS = 60
};
/* Entries of W below this part of the largest are rounding: the direction cannot move. */
static const double mobility = 16.0 * DBL_EPSILON;
/* Sizes of what is left of the law, against b, that end Newton's method: reached, and good enough to be taken when
 * it gets no better. */
static const double reached = 8.0 * DBL_EPSILON, good_enough = 1e-11;

/* Each part in the unit in which its own block is about 1: a length between forces and torques falls out. K stays such
 * a cone, with other coefficients. */
struct local {
    int dim, width;
    double mu[2]; /* of T, of R */
    double w[ROLLING_CONE_MOST * ROLLING_CONE_MOST], b[ROLLING_CONE_MOST];
    double unit[ROLLING_CONE_MOST];
    double size; /* of b */
};

static void velocity(const struct local *local, const double *p, double *u) {
    for (int a = 0; a < local->dim; a++) {
        u[a] = local->b[a];
        for (int c = 0; c < local->dim; c++) u[a] += local->w[a * local->dim + c] * p[c];
    }
}

static void prepare(struct local *local, const struct rolling_cone *cone, const double *w,
                    const double *b) {
    int dim = local->dim = cone->dim, width = local->width = rolling_cone_width(cone);
    double sum = 0.0;
    local->unit[0] = 1.0 / sqrt(w[0]);
    for (int part = 0; part < 2; part++) {
        double trace = 0.0;
        int first = 1 + part * width;
        for (int k = first; k < first + width; k++) trace += w[k * (dim + 1)];
        double unit = trace > 0.0 ? sqrt(width / trace) : local->unit[0];
        for (int k = first; k < first + width; k++) local->unit[k] = unit;
        local->mu[part] = (part == 0 ? cone->mu : cone->mu_r) * local->unit[0] / unit;
    }
    for (int a = 0; a < dim; a++) {
        for (int c = 0; c < dim; c++)
            local->w[a * dim + c] = local->unit[a] * w[a * dim + c] * local->unit[c];
        local->b[a] = local->unit[a] * b[a];
        sum += local->b[a] * local->b[a];
    }
    local->size = sqrt(sum);
}

/* ---- Newton's method ------------------------------------------------------------------------- */

/* One part: F = p - (p - u, cut to mu load) and its rows of the Jacobian; F = u where nothing is cut. */
static void part_equations(const struct local *local, int part, const double *p, const double *u,
                           double *f, double *jacobian) {
    int dim = local->dim, width = local->width, first = 1 + part * width;
    double mu = local->mu[part], load = fmax(p[0] - u[0], 0.0), x[2] = {0.0, 0.0};
    for (int k = 0; k < width; k++) x[k] = p[first + k] - u[first + k];
    double length = rolling_cone_length(x, width);
    if (length <= mu * load) {
        memcpy(&f[first], &u[first], (size_t)width * sizeof *f);
        memcpy(&jacobian[first * dim], &local->w[first * dim], (size_t)(width * dim) * sizeof *f);
        return;
    }
    for (int k = 0; k < width; k++) {
        double direction = x[k] / length;
        f[first + k] = p[first + k] - mu * load * direction;
        for (int c = 0; c < dim; c++) {
            double turned = 0.0; /* the change of x across itself */
            for (int m = 0; m < width; m++) {
                double moved = (c == first + m) - local->w[(first + m) * dim + c];
                turned += ((m == k) - direction * x[m] / length) * moved;
            }
            double loads = load > 0.0 ? (c == 0) - local->w[c] : 0.0;
            jacobian[(first + k) * dim + c] =
                (c == first + k) - mu * (load / length * turned + loads * direction);
        }
    }
}

/* What is left of the law, against b; the equations and their Jacobian beside it. */
static double equations(const struct local *local, const double *p, double *f, double *jacobian) {
    double u[ROLLING_CONE_MOST], sum = 0.0;
    velocity(local, p, u);
    bool closed = p[0] > u[0];
    f[0] = closed ? u[0] : p[0];
    for (int c = 0; c < local->dim; c++) jacobian[c] = closed ? local->w[c] : (c == 0);
    part_equations(local, 0, p, u, f, jacobian);
    part_equations(local, 1, p, u, f, jacobian);
    for (int k = 0; k < local->dim; k++) sum += f[k] * f[k];
    return sqrt(sum) / local->size;
}

/* p becomes the best point seen; what is left there. */
static double newton(const struct local *local, double *p) {
    size_t dim = (size_t)local->dim;
    double f[ROLLING_CONE_MOST], jacobian[ROLLING_CONE_MOST * ROLLING_CONE_MOST];
    double now[ROLLING_CONE_MOST], best = HUGE_VAL;
    int32_t pivot[ROLLING_CONE_MOST];
    memcpy(now, p, dim * sizeof *p);
    for (int step = 0; step < NEWTON_STEPS; step++) {
        double left = equations(local, now, f, jacobian);
        bool better = left < best;
        if (better) {
            memcpy(p, now, dim * sizeof *p);
            best = left;
        }
        if (!(best > reached) || (!better && best <= good_enough)) break;
        if (!dense_factor(jacobian, dim, pivot, mobility)) break;
        dense_solve(jacobian, dim, pivot, f);
        for (size_t k = 0; k < dim; k++) now[k] -= f[k];
    }
    return best;
}

/* ---- search for the load --------------------------------------------------------------------- */

/* Two numbers within a disc: the minimum of p.A p/2 + c.p in |p| <= limit, A = [tt ts; ts ss]. */
struct disc {
    double tt, ts, ss, c[2], limit;
};

/* adj(A + lambda) x */
static void adjugate(const struct disc *disc, double lambda, const double x[2], double out[2]) {
    out[0] = (disc->ss + lambda) * x[0] - disc->ts * x[1];
    out[1] = (disc->tt + lambda) * x[1] - disc->ts * x[0];
}

/* The p that stops all, if it is within the disc. A singular A can stop only what it moves. */
static bool disc_stops(const struct disc *disc, double p[2]) {
    double trace = disc->tt + disc->ss, det = disc->tt * disc->ss - disc->ts * disc->ts;
    const double *c = disc->c;
    if (det > mobility * trace * trace) {
        double a[2];
        adjugate(disc, 0.0, c, a);
        p[0] = -a[0] / det, p[1] = -a[1] / det;
        return hypot(p[0], p[1]) <= disc->limit;
    }
    if (!(trace > 0.0)) return c[0] == 0.0 && c[1] == 0.0;
    double moved[2] = {disc->tt * c[0] + disc->ts * c[1], disc->ts * c[0] + disc->ss * c[1]};
    double per = 1.0 / (trace * trace), aside = fabs(c[0] * moved[1] - c[1] * moved[0]);
    p[0] = -per * moved[0], p[1] = -per * moved[1];
    return aside <= 64.0 * DBL_EPSILON * trace * (c[0] * c[0] + c[1] * c[1]) &&
           hypot(p[0], p[1]) <= disc->limit;
}

/* Else it is at the limit with (A + lambda) p = -c. 1/|p| grows with lambda and bends down, so Newton's method for
 * it from the left stays there. 1/|p| = det(A + lambda)/|a| with a = adj(A + lambda) c is good for a singular A, too. */
static void disc_slips(const struct disc *disc, double p[2]) {
    double trace = disc->tt + disc->ss, a[2], b[2], length = 0.0;
    double lambda = fmax(hypot(disc->c[0], disc->c[1]) / disc->limit - trace, 0.0);
    for (int step = 0; step < MULTIPLIER_STEPS; step++) {
        double det = (disc->tt + lambda) * (disc->ss + lambda) - disc->ts * disc->ts;
        adjugate(disc, lambda, disc->c, a);
        adjugate(disc, lambda, a, b);
        length = hypot(a[0], a[1]);
        double slope = (a[0] * b[0] + a[1] * b[1]) / (length * length * length);
        double change = (1.0 / disc->limit - det / length) / slope;
        if (!(change > 4.0 * DBL_EPSILON * lambda)) break;
        lambda += change;
    }
    double scale = length > 0.0 ? -disc->limit / length : 0.0;
    p[0] = scale * a[0], p[1] = scale * a[1];
}

/* One part with the others held. */
static void solve_part(const struct local *local, int part, double load, double *p) {
    int dim = local->dim, first = 1 + part * local->width;
    const double *w = &local->w[first * (dim + 1)]; /* its own block */
    double u[ROLLING_CONE_MOST], limit = local->mu[part] * load;
    if (!(limit > 0.0)) {
        for (int k = 0; k < local->width; k++) p[first + k] = 0.0;
        return;
    }
    velocity(local, p, u);
    if (local->width == 1) {
        double c = u[first] - w[0] * p[first];
        if (fabs(c) <= w[0] * limit)
            p[first] = w[0] > 0.0 ? -c / w[0] : 0.0;
        else
            p[first] = c > 0.0 ? -limit : limit;
        return;
    }
    struct disc disc = {.tt = w[0], .ts = w[1], .ss = w[dim + 1], .limit = limit};
    disc.c[0] = u[first] - disc.tt * p[first] - disc.ts * p[first + 1];
    disc.c[1] = u[first + 1] - disc.ts * p[first] - disc.ss * p[first + 1];
    if (!disc_stops(&disc, &p[first])) disc_slips(&disc, &p[first]);
}

/* u_n that friction and rolling leave with this load; p becomes them. */
static double normal_velocity(const struct local *local, double load, double *p) {
    double u[ROLLING_CONE_MOST], before[ROLLING_CONE_MOST];
    p[0] = load;
    for (int turn = 0; turn < TURNS_MOST; turn++) {
        double moved = 0.0, all = 0.0;
        memcpy(before, p, (size_t)local->dim * sizeof *p);
        solve_part(local, 0, load, p);
        solve_part(local, 1, load, p);
        for (int k = 1; k < local->dim; k++) {
            moved += (p[k] - before[k]) * (p[k] - before[k]);
            all += p[k] * p[k];
        }
        if (moved <= DBL_EPSILON * DBL_EPSILON * all) break;
    }
    velocity(local, p, u);
    return u[0];
}

/* By false position with halved weights, and halving now and then. */
static void search_load(const struct local *local, double *p) {
    double low = 0.0, u_low = local->b[0], high = -local->b[0];
    double u_high = normal_velocity(local, high, p);
    for (int k = 0; k < DOUBLINGS && u_high < 0.0; k++) {
        low = high, u_low = u_high;
        high *= 2.0;
        u_high = normal_velocity(local, high, p);
    }
    if (!(u_high >= 0.0)) {
        memset(p, 0, (size_t)local->dim * sizeof *p);
        p[0] = -local->b[0];
        return;
    }
    for (int k = 0; k < LOAD_STEPS && high - low > 2.0 * DBL_EPSILON * high; k++) {
        double load =
            k % 4 == 3 ? 0.5 * (low + high) : low - u_low * (high - low) / (u_high - u_low);
        double u = normal_velocity(local, load, p);
        if (u < 0.0) {
            low = load, u_low = u;
            u_high *= 0.5;
        } else {
            high = load, u_high = u;
            u_low *= 0.5;
        }
    }
}

/* ---- both ------------------------------------------------------------------------------------ */

void rolling_cone_solve(const struct rolling_cone *cone, const double *w, const double *b,
                        double *p) {
    struct local local;
    double x[ROLLING_CONE_MOST], guess[ROLLING_CONE_MOST], largest = 0.0;
    size_t bytes = (size_t)cone->dim * sizeof *p;
    for (int k = 0; k <= rolling_cone_width(cone); k++)
        largest = fmax(largest, w[k * (cone->dim + 1)]);
    if (b[0] >= 0.0 || !(w[0] > mobility * largest)) {
        memset(p, 0, bytes);
        return;
    }
    prepare(&local, cone, w, b);
    for (int k = 0; k < cone->dim; k++) guess[k] = x[k] = p[k] / local.unit[k];
    if (newton(&local, x) > good_enough) {
        memcpy(x, guess, bytes);
        search_load(&local, x);
        newton(&local, x);
    }
    for (int k = 0; k < cone->dim; k++) p[k] = x[k] * local.unit[k];
    rolling_cone_project(cone, p); /* inside to the last bit */
}
