/* SPDX-License-Identifier: Apache-2.0
 *
 * The general local problem: W couples the normal and the tangential part.
 *
 * Sliding in the direction d(theta): p_t = mu p_n d, u_n = 0 gives p_n(theta) = -b_n/(W_nn + mu W_nt.d),
 * and the slip u_t(theta) must point along -d. The angle is bracketed by a scan of the circle and found
 * by bisection, so it cannot run away.
 */
#include "law/coulomb.h"

#include <float.h>
#include <stdbool.h>

#include "law/law.h"

static const talus_parameter parameters[] = {
    {"mu", "1", "friction coefficient, static and sliding", 0.0, 0.0, 1e30},
};

static bool check(const talus_pair_law *pair, struct law_complaint *complaint) {
    return law_in_range("mu", pair->mu_sliding, 0.0, 1e300, "must be >= 0", complaint);
}

const struct law_type law_coulomb = {
    .entry = {"law", "coulomb", "perfect volume exclusion and Coulomb friction; exact cone",
              "[Unger2003, eqs. 25-34]",
              "Grains do not penetrate: the normal force is what keeps them apart and it only "
              "pushes. Friction is what keeps the contact from slipping, up to mu times the normal "
              "force; at that limit it opposes the slip. The cone is the round one, not a pyramid, "
              "and nothing is softened.",
              parameters, 1},
    .check = check,
};

enum { SCAN = 32, BISECTIONS = 60 };

struct sliding {
    const mat3 *w;
    vec3 b;
    double mu;
};

/* The normal impulse and slip when the friction force points along d = (cos, sin). */
static vec3 slide_impulse(const struct sliding *s, double c, double sn) {
    double stiffness = s->w->m[0][0] + s->mu * (s->w->m[0][1] * c + s->w->m[0][2] * sn);
    double p_n = stiffness > 0.0 ? -s->b.x / stiffness : 0.0;
    return vec3_make(p_n, s->mu * p_n * c, s->mu * p_n * sn);
}

/* Slip across d: zero where friction opposes slip; `along` is negative there for the true root. */
static double slip_across(const struct sliding *s, double angle, double *along) {
    double c = cos(angle), sn = sin(angle);
    vec3 p = slide_impulse(s, c, sn);
    vec3 u = vec3_add(mat3_apply(s->w, p), s->b);
    *along = u.y * c + u.z * sn;
    return c * u.z - sn * u.y;
}

static double bisect(const struct sliding *s, double low, double high, double across_low) {
    double along;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high);
        double across = slip_across(s, middle, &along);
        if ((across < 0.0) == (across_low < 0.0))
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* In a plane world friction acts along the first tangent only, one way or the other: closed form. */
static vec3 slide_in_plane(const struct sliding *s) {
    vec3 forward = slide_impulse(s, 1.0, 0.0), backward = slide_impulse(s, -1.0, 0.0);
    double slip_forward = s->w->m[1][0] * forward.x + s->w->m[1][1] * forward.y + s->b.y;
    double slip_backward = s->w->m[1][0] * backward.x + s->w->m[1][1] * backward.y + s->b.y;
    /* Friction forward is right if the slip then is backward; both can hold only if W is so skew that
     * the sticking solution was lost, and then the one that dissipates more is taken. */
    return forward.x * slip_forward <= -backward.x * slip_backward ? forward : backward;
}

static bool is_plane(const struct sliding *s) {
    return s->b.z == 0.0 && s->w->m[0][2] == 0.0 && s->w->m[1][2] == 0.0;
}

/* Of all roots with slip against friction the one with the fastest slip is taken. */
static vec3 slide(const struct sliding *s) {
    const double two_pi = 6.283185307179586;
    double best_angle = atan2(-s->b.z, -s->b.y), best = HUGE_VAL, along, before_along;
    double before = slip_across(s, 0.0, &before_along), angle_before = 0.0;
    for (int k = 1; k <= SCAN; k++) {
        double angle = two_pi * k / SCAN;
        double across = slip_across(s, angle, &along);
        if ((across < 0.0) != (before < 0.0)) {
            double root = bisect(s, angle_before, angle, before);
            double slip;
            (void)slip_across(s, root, &slip);
            if (slip < best && slip <= 0.0) {
                best = slip;
                best_angle = root;
            }
        }
        before = across;
        angle_before = angle;
    }
    return slide_impulse(s, cos(best_angle), sin(best_angle));
}

/* Solve W p = -b for a symmetric positive semidefinite W, pivots largest first; directions without
 * mobility get nothing. */
static vec3 stick(const mat3 *w, vec3 b) {
    double a[3][4];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a[i][j] = w->m[i][j];
        a[i][3] = -vec3_component(b, i);
    }
    double largest = fmax(a[0][0], fmax(a[1][1], a[2][2]));
    bool used[3] = {false, false, false};
    double p[3] = {0.0, 0.0, 0.0};
    for (int step = 0; step < 3; step++) {
        int pivot = -1;
        for (int i = 0; i < 3; i++)
            if (!used[i] && (pivot < 0 || a[i][i] > a[pivot][pivot])) pivot = i;
        if (!(a[pivot][pivot] > 16.0 * DBL_EPSILON * largest)) break;
        used[pivot] = true;
        for (int i = 0; i < 3; i++) {
            if (i == pivot) continue;
            double factor = a[i][pivot] / a[pivot][pivot];
            for (int j = 0; j < 4; j++) a[i][j] -= factor * a[pivot][j];
        }
    }
    for (int i = 0; i < 3; i++)
        if (used[i]) p[i] = a[i][3] / a[i][i];
    return vec3_make(p[0], p[1], p[2]);
}

vec3 coulomb_solve_general(const mat3 *w, vec3 free_velocity, double mu) {
    if (free_velocity.x >= 0.0 || w->m[0][0] <= 0.0) return vec3_zero();
    vec3 p = stick(w, free_velocity);
    double limit = mu * p.x;
    if (p.x > 0.0 && p.y * p.y + p.z * p.z <= limit * limit) return p;
    struct sliding sliding = {w, free_velocity, mu};
    return is_plane(&sliding) ? slide_in_plane(&sliding) : slide(&sliding);
}

double coulomb_residual(vec3 p, vec3 u, double rho, double mu) {
    double slip = sqrt(u.y * u.y + u.z * u.z);
    vec3 shifted = {p.x - rho * (u.x + mu * slip), p.y - rho * u.y, p.z - rho * u.z};
    return vec3_norm(vec3_sub(p, coulomb_project(shifted, mu))) / rho;
}
