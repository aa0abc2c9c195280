/* SPDX-License-Identifier: Apache-2.0 */
#include "law/rolling.h"

#include <float.h>

#include "law/torque_limit.h"

static const talus_parameter parameters[] = {
    {"rolling.coefficient", "1", "times r* it gives the length mu_t", 0.0, 0.0, 1e30},
    {"rolling.length", "m", "the length mu_t itself, instead of a coefficient", 0.0, 0.0, 1e30},
    {"rolling.hertz", "1", "times the contact size a it gives mu_t, instead of a coefficient", 0.0,
     0.0, 1e30},
    {"rolling.modulus", "Pa", "effective Young modulus for the contact size", 0.0, 0.0, 1e30},
    {"rolling.stiffness", "N m", "soft grains: of the spring against the angle", 0.0, 0.0, 1e300},
    {"rolling.damping", "N m s", "soft grains: of the dashpot beside it", 0.0, 0.0, 1e300},
};

static bool check(const talus_pair_law *pair, struct law_complaint *complaint) {
    const char *keys[4] = {"rolling.coefficient", "rolling.modulus", "rolling.stiffness",
                           "rolling.damping"};
    return torque_law_check(keys, &pair->rolling, complaint);
}

const struct law_type law_rolling = {
    .entry =
        {"law", "rolling", "torque up to mu_t (R_n + F_C) against rolling; rest stays rest",
         "[Brendel2004, eqs. 1.38-1.45]",
         "Two grains in contact resist rolling over each other with a torque of at most mu_t "
         "times the normal force: below that limit they do not roll at all, at the limit the "
         "torque opposes the relative rotation. mu_t is a length: a material number times the "
         "reduced radius r* = r1 r2/(r1 + r2) (r on a plane, r R/(R - r) inside a cylinder), an "
         "absolute length, or a number times the size of the contact, which grows with the "
         "force as in Hertz's theory. Force and torque are solved together. Soft grains "
         "(md) have a spring with a dashpot in its place, up to the same limit.",
         parameters, 6},
    .check = check,
};

struct rolling_block rolling_block_make(double w_t, double kappa, double w_r) {
    struct rolling_block block = {.m_pp = 1.0 / w_t};
    if (!(w_r > 0.0)) return block; /* neither body turns: there is nothing a torque could do */
    double determinant = w_t * w_r - kappa * kappa;
    block.m_pp = w_r / determinant;
    block.m_ps = -kappa / determinant;
    block.m_ss = w_t / determinant;
    block.per_t = kappa / w_t;
    block.per_r = kappa / w_r;
    block.m_r = 1.0 / w_r;
    block.w_t = w_t;
    block.w_r = w_r;
    block.kappa = kappa;
    return block;
}

/* Equal grains and locked ones: nothing is coupled. */
static struct rolling_shares solve_apart(struct rolling_trial trial, double force_limit,
                                         double torque_limit) {
    struct rolling_shares shares = {1.0, 0.0, 0.0, 1.0};
    if (trial.p2 > force_limit * force_limit) shares.pp = force_limit / sqrt(trial.p2);
    if (trial.s2 > torque_limit * torque_limit) shares.ss = torque_limit / sqrt(trial.s2);
    return shares;
}

/* With both at their limits slip and rolling are -lambda p and -nu s. With a = w_t + lambda and b = w_r + nu
 * the impulses are p = -(b v - kappa y)/d, s = -(a y - kappa v)/d, d = a b - kappa^2, where v and y are the
 * velocities without any impulse, v = -(w_t p* + kappa s*), y = -(kappa p* + w_r s*). */
struct multipliers {
    double a, b;
};

struct both { /* the problem in numbers */
    double vv, vy, yy, kappa;
    double force, torque; /* the limits */
};

enum { DESCENTS_MAX = 200 /* (5/7)^200 < 1e-29 */ };

/* A d = |p d| and B d = |s d| by Newton's method. Its matrix takes A d and B d for the two roots, which is
 * what they become: it need not wait for them. False if it does not settle on a, b > 0. */
static bool find_multipliers(const struct both *now, struct multipliers *at) {
    double k2 = now->kappa * now->kappa, kvy = now->kappa * now->vy;
    for (int step = 0; step < ROLLING_STEPS; step++) {
        double a = at->a, b = at->b, d = a * b - k2;
        double p_b = b * now->vv - kvy, s_a = a * now->yy - kvy;
        double p2 = b * (p_b - kvy) + k2 * now->yy, s2 = a * (s_a - kvy) + k2 * now->vv;
        if (!(a > 0.0) || !(d > 0.0) || !(p2 > 0.0) || !(s2 > 0.0)) return false;
        double f = now->force * d - sqrt(p2), g = now->torque * d - sqrt(s2);
        double f_a = now->force * b, f_b = now->force * a - p_b / (now->force * d);
        double g_b = now->torque * a, g_a = now->torque * b - s_a / (now->torque * d);
        double determinant = f_a * g_b - f_b * g_a;
        if (determinant == 0.0) return false;
        double per_determinant = 1.0 / determinant;
        double da = (f_b * g - f * g_b) * per_determinant,
               db = (f * g_a - f_a * g) * per_determinant;
        at->a += da;
        at->b += db;
        if (fabs(da) <= ROLLING_SETTLED * at->a && fabs(db) <= ROLLING_SETTLED * at->b) return true;
    }
    return false;
}

/* Each impulse in turn within its limit, given the other: a <- |v + kappa s|/A, b <- |y + kappa p|/B, not
 * below w_t, w_r. Converges from anywhere, because the function it descends is convex. */
static void descend(double w_t, double w_r, const struct both *now, struct multipliers *at) {
    double k = now->kappa;
    double cv = 0.0, cy = -1.0 / at->b; /* s = cv v + cy y */
    for (int step = 0; step < DESCENTS_MAX; step++) {
        struct multipliers before = *at;
        /* v + kappa s and y + kappa p, as combinations of v and y */
        double pv = 1.0 + k * cv, py = k * cy;
        double size = sqrt(pv * pv * now->vv + 2.0 * pv * py * now->vy + py * py * now->yy);
        at->a = fmax(w_t, size / now->force);
        double fv = -pv / at->a, fy = -py / at->a;
        double qv = k * fv, qy = 1.0 + k * fy;
        size = sqrt(qv * qv * now->vv + 2.0 * qv * qy * now->vy + qy * qy * now->yy);
        at->b = fmax(w_r, size / now->torque);
        cv = -qv / at->b;
        cy = -qy / at->b;
        if (fabs(at->a - before.a) <= DBL_EPSILON * at->a &&
            fabs(at->b - before.b) <= DBL_EPSILON * at->b)
            break;
    }
}

static double combination2(double c_p, double c_s, struct rolling_trial trial) {
    return c_p * c_p * trial.p2 + 2.0 * c_p * c_s * trial.ps + c_s * c_s * trial.s2;
}

struct rolling_shares rolling_solve_both(const struct rolling_block *block,
                                         struct rolling_trial trial, double force_limit,
                                         double torque_limit) {
    if (block->per_r == 0.0) return solve_apart(trial, force_limit, torque_limit);
    if (!(force_limit > 0.0)) { /* rolling alone: s = -y/w_r, cut */
        double size = sqrt(fmax(0.0, combination2(block->per_r, 1.0, trial)));
        double cut = size > torque_limit ? torque_limit / size : 1.0;
        return (struct rolling_shares){0.0, 0.0, cut * block->per_r, cut};
    }
    if (!(torque_limit > 0.0)) { /* sliding alone: p = -v/w_t, cut */
        double size = sqrt(fmax(0.0, combination2(1.0, block->per_t, trial)));
        double cut = size > force_limit ? force_limit / size : 1.0;
        return (struct rolling_shares){cut, cut * block->per_t, 0.0, 0.0};
    }
    double w_t = block->w_t, w_r = block->w_r, k = block->kappa;
    struct both both = {combination2(w_t, k, trial),
                        w_t * k * trial.p2 + (w_t * w_r + k * k) * trial.ps + k * w_r * trial.s2,
                        combination2(k, w_r, trial),
                        k,
                        force_limit,
                        torque_limit};
    struct multipliers at = {w_t + sqrt(trial.slip2) / force_limit,
                             w_r + sqrt(trial.roll2) / torque_limit};
    if (!find_multipliers(&both, &at) || at.a < w_t || at.b < w_r) descend(w_t, w_r, &both, &at);
    double per_d = 1.0 / (at.a * at.b - k * k);
    return (struct rolling_shares){per_d * (at.b * w_t - k * k), per_d * k * (at.b - w_r),
                                   per_d * k * (at.a - w_t), per_d * (at.a * w_r - k * k)};
}
