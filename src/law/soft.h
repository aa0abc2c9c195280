/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: what two grains do that overlap by xi, in molecular dynamics [Wolf2006, sect. 2].
 *
 * Normal force [Wolf2006, eqs. 10-11]: R_n = max(0, k xi^alpha + gamma xi^beta dxi/dt). alpha = 1 is the linear
 * spring with dashpot, alpha = 3/2 Hertz's law for spheres; beta = alpha - 1 viscoelastic damping, beta = (alpha - 1)/2
 * a restitution that does not depend on the velocity [Tsuji1992]. The max leaves out the attraction by which the damping
 * would hold grains that part; with it e is larger.
 *
 * Tangential force [Wolf2006, eqs. 18-22]: a spring xi_t with a dashpot, R* = -k_t xi_t - gamma_t V_t, cut back to
 * mu R_n; the spring itself is cut so that k_t |xi_t| <= mu R_n. Between two steps it turns with the contact. Rolling
 * and torsion have springs of the same kind (law/soft_torque.h).
 *
 * Where k_t depends on the overlap, the force grows by k_t times the slip; a growing k_t leaves it as it is, so that the
 * stretch becomes smaller, and a falling k_t takes it along, so that the stretch stays. Either way what is stored, R_t^2/
 * 2 k_t, can only fall. Without the second half a contact loaded on a stiff and unloaded on a soft spring would give back
 * more than it got [Elata1996].
 */
#ifndef LAW_SOFT_H
#define LAW_SOFT_H

#include "base/inlining.h"
#include "law/soft_parameters.h"
#include "math/vec3.h"

struct soft_push {
    double force;   /* N, R_n */
    double elastic; /* N, k xi^alpha */
    double energy;  /* J, stored */
    double slope;   /* N/m, of the elastic force */
    double drag;    /* N s/m, gamma xi^beta */
};

IN_LOOP double soft_power(double overlap, double exponent) {
    if (exponent == 0.0) return 1.0;
    if (exponent == 0.5) return sqrt(overlap);
    if (exponent == 0.25) return sqrt(sqrt(overlap));
    return pow(overlap, exponent);
}

/* `overlap` > 0; `rate`: dxi/dt; R_n is not less than `least`. */
IN_LOOP struct soft_push soft_push_above(const struct soft_numbers *numbers, double overlap,
                                         double rate, double least) {
    double power = soft_power(overlap, numbers->exponent - 1.0);
    struct soft_push push = {.elastic = numbers->stiffness * power * overlap};
    push.drag = numbers->damping * soft_power(overlap, numbers->damping_exponent);
    push.force = push.elastic + push.drag * rate;
    if (push.force < least) push.force = least;
    push.energy = push.elastic * overlap / (numbers->exponent + 1.0);
    push.slope = numbers->exponent * numbers->stiffness * power;
    return push;
}

IN_LOOP struct soft_push soft_push(const struct soft_numbers *numbers, double overlap,
                                   double rate) {
    return soft_push_above(numbers, overlap, rate, numbers->attracts ? -HUGE_VAL : 0.0);
}

struct soft_spring { /* against slip (N/m, kg/s, N) or turning (N m, N m s, N m) */
    double stiffness, damping;
    double limits[2]; /* static, sliding */
    bool is_secant;   /* keeps its stretch also when it becomes stiffer */
};

IN_LOOP struct soft_spring soft_slip_spring(const struct soft_numbers *numbers,
                                            const struct soft_push *push, const double mu[2],
                                            double load) {
    return (struct soft_spring){numbers->slip_stiffness + numbers->slip_ratio * push->slope,
                                numbers->slip_damping + numbers->slip_damping_ratio * push->drag,
                                {mu[0] * load, mu[1] * load},
                                numbers->is_secant};
}

/* The stretch of a spring whose stiffness was `before`; what it loses by becoming stiffer or softer, J. A secant spring
 * keeps its stretch, and gains by becoming stiffer. */
IN_LOOP double soft_fade(double before, double now, bool is_secant, vec3 *stretch) {
    double size2 = vec3_norm2(*stretch);
    if (before == now || size2 == 0.0) return 0.0;
    double share = now > before && !is_secant ? before / now : 1.0;
    *stretch = vec3_scale(share, *stretch);
    return 0.5 * size2 * (before - now * share * share);
}

struct soft_drag {
    vec3 force;    /* N, R_t on the second body */
    vec3 spring;   /* N, its part -k_t xi_t */
    double stored; /* J */
    double lost;   /* J, by slip that cut the spring back */
};

/* `carried` is the spring of the last step turned with the contact, `*stretch` the same with the slip of the step
 * added; it is cut back. What that costs is the slip cut off times the force, half old and half new. */
IN_LOOP struct soft_drag soft_drag(const struct soft_spring *spring, vec3 slip, vec3 carried,
                                   vec3 *stretch) {
    double k = spring->stiffness, limit = spring->limits[0];
    vec3 test = vec3_scale(-k, *stretch); /* [Wolf2006, eq. 18] */
    test = vec3_add_scaled(test, -spring->damping, slip);
    double size2 = vec3_norm2(test);
    if (size2 > limit * limit) { /* [Wolf2006, eqs. 19-20] */
        limit = spring->limits[1];
        test = vec3_scale(limit / sqrt(size2), test);
    }
    double stretch2 = vec3_norm2(*stretch), pull2 = k * k * stretch2, lost = 0.0;
    if (pull2 > limit * limit) { /* [Wolf2006, eq. 22] */
        vec3 cut = vec3_scale(limit / sqrt(pull2), *stretch);
        lost = 0.5 * k * vec3_dot(vec3_add(cut, carried), vec3_sub(*stretch, cut));
        *stretch = cut;
        stretch2 = vec3_norm2(cut);
    }
    return (struct soft_drag){test, vec3_scale(-k, *stretch), 0.5 * k * stretch2, lost};
}

struct soft_slip {
    vec3 carried; /* m or rad, the spring of the last step, turned with the contact */
    vec3 way;     /* how far it has slipped or turned since */
    vec3 rate;    /* m/s or rad/s, now */
};

/* A step of a spring whose stiffness was `before`: all that happens to it. */
IN_LOOP struct soft_drag soft_step(const struct soft_spring *spring, double before,
                                   struct soft_slip slip, vec3 *stretch) {
    double faded = soft_fade(before, spring->stiffness, spring->is_secant, &slip.carried);
    *stretch = vec3_add(slip.carried, slip.way); /* [Wolf2006, eq. 21] */
    struct soft_drag drag = soft_drag(spring, slip.rate, slip.carried, stretch);
    drag.lost += faded;
    return drag;
}

/* The spring of a contact whose normal has turned from `before` to `normal` and whose bodies have turned about it by
 * `twist` (rad) in the mean. */
vec3 soft_carry(const talus_soft_law *law, vec3 stretch, vec3 before, vec3 normal, double twist);

/* Can the kernel of blocks do it? Everything else is done one by one. */
static inline bool soft_is_simple(const talus_pair_law *pair, const struct soft_numbers *numbers) {
    const talus_soft_law *law = &pair->soft;
    bool linear = numbers->exponent == 1.0;
    bool hertz = numbers->exponent == 1.5 &&
                 (numbers->damping_exponent == 0.5 || numbers->damping_exponent == 0.25);
    bool forces_only = pair->rolling.coefficient == 0.0 && pair->torsion.coefficient == 0.0 &&
                       pair->cohesion.force == 0.0;
    return (linear || hertz) && forces_only && !law->attracts && !numbers->is_secant &&
           law->slip == TALUS_SLIP_POSITION && law->spring == TALUS_SPRING_ROTATED;
}

#endif
