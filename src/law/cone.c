/* SPDX-License-Identifier: Apache-2.0
 *
 * Coulomb's law at one contact with a full matrix W, exactly: contract and choice of solution in cone.h.
 *
 * Take b_n < 0, for otherwise the contact opens. Then u_n = 0, and eliminating p_n leaves
 *     p_n = p_0 - w.p_t/W_nn        p_0 = -b_n/W_nn, the impulse without friction;  w = W_tn
 *     u_t = S p_t + c               c = b_t + w p_0, the slip without friction;  S = W_tt - w w^T/W_nn
 * Friction opposes the slip: u_t = -nu p_t with nu >= 0, hence
 *     p_t(nu) = -(S + nu)^-1 c = -q/det(S + nu)          q(nu) = adj(S) c + nu c
 * Sticking is nu = 0. The limit |p_t| = mu p_n, multiplied by det(S + nu), is one equation for nu:
 *     F(nu) = N(nu) - |q(nu)| = 0     N(nu) = mu p_0 det(S + nu) + (mu/W_nn) w.q = mu p_n det(S + nu)
 * N and |q|^2 are quadratic in nu; N^2 = |q|^2 is the quartic of Bonnefon and Daviet (2011) in another
 * variable. What F looks like (S positive definite):
 *   - Sticking lies in the cone if and only if F(0) >= 0, and F > 0 for large nu. So if the contact cannot
 *     stick there is a sliding root, for every mu.
 *   - |q|'' = (c x adj(S) c)^2/|q|^3, and |q| grows, as c.adj(S) c >= 0. So F'' grows: F is concave up to
 *     some nu and convex beyond. From F(0) < 0 there are one or three roots; if three, F falls at the one
 *     in the middle, which is unstable and never taken.
 *   - The energy p.b + p.W p/2 changes by u.dp = -nu p_t.dp_t = nu p_t.(S + nu)^-1 p_t dnu > 0 along the
 *     curve: the smallest root dissipates most, and sticking more than any sliding.
 *   - While F is concave and grows, Newton's method from the left stops short of the smallest root and
 *     cannot jump over it; once F is convex or falls, with F < 0, exactly one root is left.
 *   - N/|q| - 1 has the same roots and is almost linear in nu (exactly, if S is isotropic): Halley's
 *     method on it, kept in a bracket, needs one or two steps from a guess.
 *   - If c is an eigenvector of S, as in a plane, friction points along -c and nothing is to be iterated.
 *
 *     nu multiplier 1/kg    p_0 `bare` N s    c `slip` m/s    mu p_0 `beta` N s    mu w/W_nn `tilt` 1
 */
#include "law/cone.h"

#include <float.h>
#include <stdbool.h>

/* Entries of W below this part of the largest are rounding: the direction cannot move. */
static const double MOBILITY = 16.0 * DBL_EPSILON;
/* Slip below this part of what it is the difference of is rounding. */
static const double SLIP = 64.0 * DBL_EPSILON;
/* Halving a bracket takes no more steps than a double has bits. */
enum { MOST_STEPS = 128 };
/* A Newton step of this relative size was the last: the next would be its square. */
static const double LAST_NEWTON = 2e-9;

/* A tangential vector. */
struct tangent {
    double t, s;
};

static double dot(struct tangent a, struct tangent b) {
    return a.t * b.t + a.s * b.s;
}

static double cross(struct tangent a, struct tangent b) {
    return a.t * b.s - a.s * b.t;
}

static struct tangent scaled(double factor, struct tangent a) {
    return (struct tangent){factor * a.t, factor * a.s};
}

static struct tangent apply_s(const struct cone *cone, struct tangent a) {
    return (struct tangent){cone->s_tt * a.t + cone->s_ts * a.s,
                            cone->s_ts * a.t + cone->s_ss * a.s};
}

static struct tangent apply_adjugate(const struct cone *cone, struct tangent a) {
    return (struct tangent){cone->s_ss * a.t - cone->s_ts * a.s,
                            cone->s_tt * a.s - cone->s_ts * a.t};
}

/* One local problem, normal direction eliminated. */
struct slide {
    const struct cone *cone;
    double mu, bare, beta;
    struct tangent slip, tilt;
};

void cone_prepare(struct cone *cone, const mat3 *w) {
    double w_nn = w->m[0][0], w_nt = w->m[1][0], w_ns = w->m[2][0];
    double largest = fmax(w_nn, fmax(w->m[1][1], w->m[2][2]));
    *cone = (struct cone){.w_nn = w_nn, .w_nt = w_nt, .w_ns = w_ns};
    if (!(w_nn > MOBILITY * largest)) return;
    cone->inverse_nn = 1.0 / w_nn;
    double s_tt = w->m[1][1] - w_nt * w_nt * cone->inverse_nn;
    double s_ss = w->m[2][2] - w_ns * w_ns * cone->inverse_nn;
    double s_ts = w->m[2][1] - w_nt * w_ns * cone->inverse_nn;
    double trace = s_tt + s_ss, det = s_tt * s_ss - s_ts * s_ts;
    if (!(trace > MOBILITY * largest)) return;
    cone->s_tt = s_tt;
    cone->s_ts = s_ts;
    cone->s_ss = s_ss;
    /* det/trace is the smaller eigenvalue, or half of it. */
    cone->s_det = det > MOBILITY * largest * trace ? det : 0.0;
}

/* p_t = mu p_n d with u_n = 0; load = p_0/p_n. */
static vec3 with_friction(const struct slide *slide, struct tangent d, double load) {
    double p_n = slide->bare / load, p_t = slide->mu * p_n;
    return vec3_make(p_n, p_t * d.t, p_t * d.s);
}

/* Sliding along an eigenvector of S with the given eigenvalue: the direction is known. The slip it
 * leaves bounds the load from below. With an eigenvalue of 0 there may be no solution (W_nn + mu w.d <= 0
 * and nothing that could stop the slip); then friction is left out, which loses energy as well. */
static vec3 slide_straight(const struct slide *slide, struct tangent slip, double eigenvalue) {
    double speed = sqrt(dot(slip, slip));
    struct tangent d = scaled(-1.0 / speed, slip);
    double load = fmax(1.0 + dot(slide->tilt, d), slide->beta * eigenvalue / speed);
    if (!(load > 0.0)) return vec3_make(slide->bare, 0.0, 0.0);
    return with_friction(slide, d, load);
}

/* N = n2 nu^2 + n1 nu + n0 and |q|^2 = q2 nu^2 + 2 q1 nu + q0; `turn` = c x adj(S) c. */
struct secular {
    double n2, n1, n0, q2, q1, q0;
    double turn, trace, det;
};

static struct secular secular_make(const struct slide *slide, struct tangent q_start) {
    const struct cone *cone = slide->cone;
    double trace = cone->s_tt + cone->s_ss;
    return (struct secular){
        .n2 = slide->beta,
        .n1 = slide->beta * trace + dot(slide->tilt, slide->slip),
        .n0 = slide->beta * cone->s_det + dot(slide->tilt, q_start),
        .q2 = dot(slide->slip, slide->slip),
        .q1 = dot(slide->slip, q_start),
        .q0 = dot(q_start, q_start),
        .turn = cross(slide->slip, q_start),
        .trace = trace,
        .det = cone->s_det,
    };
}

/* N, |q|^2 and their slopes at nu; the slope of |q|^2 is halved. */
struct point {
    double n, n_slope, q_square, q_slope, q;
};

static struct point at(const struct secular *f, double nu) {
    double q_square = (f->q2 * nu + 2.0 * f->q1) * nu + f->q0;
    return (struct point){.n = (f->n2 * nu + f->n1) * nu + f->n0,
                          .n_slope = 2.0 * f->n2 * nu + f->n1,
                          .q_square = q_square,
                          .q_slope = f->q2 * nu + f->q1,
                          .q = sqrt(q_square)};
}

/* 2 n2 |q|^3 >= turn^2, squared. */
static bool is_convex(const struct secular *f, const struct point *x) {
    double bend = 0.5 * f->turn * f->turn, cube = x->q_square * x->q_square * x->q_square;
    return (f->n2 * f->n2) * cube >= bend * bend;
}

/* Is a step small against the distance from -(smaller eigenvalue of S), which is what p_t feels? */
static bool is_last(const struct secular *f, double step, double nu, double last) {
    return fabs(step) * f->trace <= last * (nu * f->trace + f->det);
}

/* Beyond this F > 0: |q| <= |q(0)| + nu |c|. */
static double upper_bound(const struct secular *f) {
    double linear = sqrt(f->q2) - f->n1, constant = fmax(sqrt(f->q0) - f->n0, 0.0);
    double root = sqrt(linear * linear + 4.0 * f->n2 * constant);
    if (linear > 0.0) return (linear + root) / (2.0 * f->n2);
    return root - linear > 0.0 ? 2.0 * constant / (root - linear) : 0.0;
}

/* Halley's step towards the root of g = N/|q| - 1, from its slope times |q|^3 and its bend times |q|^5, so that one quotient is
 * enough; Newton's where the bend says too much. False: g does not rise. */
static bool step_to_root(const struct secular *f, const struct point *x, double *step) {
    double miss = x->n - x->q, slope = x->n_slope * x->q_square - x->n * x->q_slope;
    double bend = 2.0 * (f->n2 * x->q_square - x->n_slope * x->q_slope) * x->q_square +
                  x->n * (3.0 * x->q_slope * x->q_slope - f->q2 * x->q_square);
    double square = slope * slope, curve = miss * bend;
    curve = fabs(curve) < square ? curve : 0.0;
    *step = -2.0 * miss * slope * x->q_square / (2.0 * square - curve);
    return slope > 0.0;
}

/* A root above `low`, where F < 0, from `nu`. A step that leaves the bracket, and every second one when it takes long, halves
 * it instead. */
static double bracketed_root(const struct secular *f, double low, double nu) {
    double high = HUGE_VAL;
    for (int k = 0; k < MOST_STEPS; k++) {
        struct point x = at(f, nu);
        double step;
        bool rises = step_to_root(f, &x, &step);
        if (rises && is_last(f, step, nu, CONE_LAST_STEP)) return fmax(nu + step, low);
        if (x.n < x.q)
            low = nu;
        else
            high = nu;
        nu += step;
        bool is_slow = k >= CONE_PATIENT_STEPS && k % 2 == 0;
        if (rises && nu > low && nu < high && !is_slow) continue;
        if (high == HUGE_VAL) high = 2.0 * upper_bound(f); /* twice: rounding */
        nu = 0.5 * (low + high);
    }
    return nu;
}

/* The multiplier if friction points against a, Rayleigh's quotient of u_t = -nu p_t. */
static double multiplier_against(const struct slide *slide, struct tangent a) {
    double square = dot(a, a), load = sqrt(square) - dot(slide->tilt, a); /* times |a| */
    double push = dot(a, slide->slip) * load - slide->beta * dot(a, apply_s(slide->cone, a));
    double nu = push / (square * slide->beta);
    return load > 0.0 && nu > 0.0 ? nu : 0.0;
}

/* The smallest root, given F(0) < 0. A step can pass a root only beyond the point where F turns convex, and
 * then it is the only one. */
static double smallest_root(const struct slide *slide, const struct secular *f) {
    double low = 0.0, nu = 0.0;
    for (int k = 0; k < MOST_STEPS; k++) {
        struct point x = at(f, nu);
        double slope = x.n_slope - x.q_slope / x.q, step = (x.q - x.n) / slope;
        if (x.n < x.q) low = nu;
        if (is_convex(f, &x) || !(slope > 0.0)) break;
        if (is_last(f, step, nu, LAST_NEWTON)) return nu + step;
        nu += step;
    }
    return bracketed_root(f, low, fmax(nu, multiplier_against(slide, slide->slip)));
}

/* The largest root, or a negative number if there is none; F(0) may have any sign. Newton's method from the
 * right, where F > 0 is convex, cannot jump over it. */
static double largest_root(const struct secular *f) {
    double nu = upper_bound(f);
    for (int k = 0; k < MOST_STEPS; k++) {
        struct point x = at(f, nu);
        double slope = x.n_slope - x.q_slope / x.q;
        double step = (x.q - x.n) / slope;
        if (!is_convex(f, &x) || !(slope > 0.0) || nu + step < 0.0) return -1.0;
        if (is_last(f, step, nu, LAST_NEWTON)) return nu + step;
        nu += step;
    }
    return nu;
}

/* The impulse that belongs to a root. |q| p_0/p_n has two forms, equal at the root. */
static vec3 impulse_at(const struct slide *slide, struct tangent q_start, double nu) {
    const struct cone *cone = slide->cone;
    struct tangent q = {q_start.t + nu * slide->slip.t, q_start.s + nu * slide->slip.s};
    double length = sqrt(dot(q, q)), left = length - dot(slide->tilt, q);
    if (!(left > CONE_LOAD_CANCELS * length))
        left = slide->beta * (nu * (nu + cone->s_tt + cone->s_ss) + cone->s_det);
    double scale = slide->bare / left, friction = -slide->mu * scale;
    return vec3_make(scale * length, friction * q.t, friction * q.s);
}

/* S regular and sticking outside of the cone. */
static vec3 slide_solve(const struct slide *slide, struct tangent q_start, vec3 guess) {
    if (cross(slide->slip, q_start) == 0.0) {
        double eigenvalue = dot(slide->slip, apply_s(slide->cone, slide->slip));
        return slide_straight(slide, slide->slip, eigenvalue / dot(slide->slip, slide->slip));
    }
    struct secular f = secular_make(slide, q_start);
    /* On the edge of the cone rounding may let the two tests differ. */
    if (f.n0 > 0.0 && f.n0 * f.n0 >= f.q0) return impulse_at(slide, q_start, 0.0);
    struct tangent known = {-guess.y, -guess.z};
    if (known.t == 0.0 && known.s == 0.0)
        return impulse_at(slide, q_start, smallest_root(slide, &f));
    double start = multiplier_against(slide, known);
    return impulse_at(slide, q_start, bracketed_root(&f, 0.0, start));
}

/* Sticking and sliding along the unit vector `axis` alone, with mobility S_ff > 0. */
static vec3 solve_on_line(const struct slide *slide, struct tangent axis, double mobility) {
    double slip = dot(slide->slip, axis);
    double p_t = -slip / mobility;
    double limit = slide->beta - dot(slide->tilt, axis) * p_t; /* mu p_n */
    if (fabs(p_t) > limit) return slide_straight(slide, scaled(slip, axis), mobility);
    return vec3_make(limit / slide->mu, p_t * axis.t, p_t * axis.s);
}

/* The direction in which a singular S, not zero, can move. */
static struct tangent mobile_axis(const struct cone *cone) {
    bool first = cone->s_tt >= cone->s_ss;
    if (cone->s_ts == 0.0) return first ? (struct tangent){1.0, 0.0} : (struct tangent){0.0, 1.0};
    struct tangent row =
        first ? (struct tangent){cone->s_tt, cone->s_ts} : (struct tangent){cone->s_ts, cone->s_ss};
    return scaled(1.0 / sqrt(dot(row, row)), row);
}

/* S singular. `rounding` is the slip that counts as none. A slip in the direction that cannot move stays,
 * so the contact slides; if then no solution exists (possible only with W_nn + mu w.d <= 0) that direction
 * is left out. */
static vec3 solve_singular(const struct slide *slide, double rounding) {
    const struct cone *cone = slide->cone;
    double trace = cone->s_tt + cone->s_ss;
    if (trace == 0.0) {
        if (sqrt(dot(slide->slip, slide->slip)) <= rounding)
            return vec3_make(slide->bare, 0.0, 0.0);
        return slide_straight(slide, slide->slip, 0.0);
    }
    struct tangent axis = mobile_axis(cone);
    if (fabs(cross(axis, slide->slip)) <= rounding) return solve_on_line(slide, axis, trace);
    struct tangent q_start = apply_adjugate(cone, slide->slip);
    struct secular f = secular_make(slide, q_start);
    bool is_usual = f.n0 < sqrt(f.q0);
    double nu = is_usual ? smallest_root(slide, &f) : largest_root(&f);
    return nu > 0.0 ? impulse_at(slide, q_start, nu) : solve_on_line(slide, axis, trace);
}

vec3 cone_solve_any(const struct cone *cone, vec3 free_velocity, double mu, vec3 guess) {
    if (free_velocity.x >= 0.0 || cone->inverse_nn == 0.0) return vec3_zero();
    double bare = -free_velocity.x * cone->inverse_nn;
    if (mu < CONE_MU_NONE) return vec3_make(bare, 0.0, 0.0);
    struct tangent slip = {free_velocity.y + cone->w_nt * bare,
                           free_velocity.z + cone->w_ns * bare};
    double steep = mu * cone->inverse_nn;
    struct slide slide = {.cone = cone,
                          .mu = mu,
                          .bare = bare,
                          .beta = mu * bare,
                          .slip = slip,
                          .tilt = {steep * cone->w_nt, steep * cone->w_ns}};
    if (cone->s_det == 0.0) {
        double size = fabs(free_velocity.y) + fabs(free_velocity.z) +
                      (fabs(cone->w_nt) + fabs(cone->w_ns)) * bare;
        return solve_singular(&slide, SLIP * size);
    }
    struct tangent q_start = apply_adjugate(cone, slip);
    struct tangent p_t = scaled(-1.0 / cone->s_det, q_start);
    double p_n = bare - (cone->w_nt * p_t.t + cone->w_ns * p_t.s) * cone->inverse_nn;
    double limit = mu * p_n;
    if (p_n > 0.0 && dot(p_t, p_t) <= limit * limit) return vec3_make(p_n, p_t.t, p_t.s);
    return slide_solve(&slide, q_start, guess);
}
