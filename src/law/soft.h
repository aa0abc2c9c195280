/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: what two grains do that overlap by xi, in molecular dynamics [Wolf2006, sect. 2].
 *
 * Normal force [Wolf2006, eqs. 10-11]: R_n = max(0, k xi^alpha + gamma xi^(alpha - 1) dxi/dt). alpha = 1 is the
 * linear spring with dashpot, alpha = 3/2 Hertz's law for spheres with viscoelastic damping. The max leaves
 * out the attraction by which the damping would hold grains that part; without it e = exp(-pi eta/omega) holds
 * for alpha = 1, with it e is larger.
 *
 * Tangential force [Wolf2006, eqs. 18-22]: a spring xi_t with a dashpot, R* = -k_t xi_t - gamma_t V_t, cut back to
 * mu R_n; the spring itself is cut so that k_t |xi_t| <= mu R_n. Between two steps it turns with the contact.
 */
#ifndef LAW_SOFT_H
#define LAW_SOFT_H

#include <math.h>

#include "base/inlining.h"
#include "math/vec3.h"
#include "talus/sim.h"

struct soft_push {
    double force;   /* N, R_n */
    double elastic; /* N, k xi^alpha */
    double energy;  /* J, stored */
};

/* `overlap` > 0; `rate`: dxi/dt. */
IN_LOOP struct soft_push soft_push(const talus_soft_law *law, double overlap, double rate) {
    double power = 1.0; /* xi^(alpha - 1) */
    if (law->exponent == 1.5)
        power = sqrt(overlap);
    else if (law->exponent != 1.0)
        power = pow(overlap, law->exponent - 1.0);
    struct soft_push push = {.elastic = law->stiffness * power * overlap};
    push.force = push.elastic + law->damping * power * rate;
    if (push.force < 0.0 && !law->attracts) push.force = 0.0;
    push.energy = push.elastic * overlap / (law->exponent + 1.0);
    return push;
}

struct soft_drag {
    vec3 force;  /* N, R_t on the second body */
    vec3 spring; /* N, its part -k_t xi_t */
    double lost; /* J, by slip that cut the spring back */
};

/* `carried` is the spring of the last step turned with the contact, `*stretch` the same with the slip of the step
 * added; it is cut back. What that costs is the slip cut off times the force, half old and half new. */
IN_LOOP struct soft_drag soft_drag(const talus_soft_law *law, const double mu[2], double push,
                                   vec3 slip, vec3 carried, vec3 *stretch) {
    double k = law->tangential_stiffness, load = push > 0.0 ? push : 0.0, limit = mu[0] * load;
    vec3 test = vec3_scale(-k, *stretch); /* [Wolf2006, eq. 18] */
    test = vec3_add_scaled(test, -law->tangential_damping, slip);
    double size2 = vec3_norm2(test);
    if (size2 > limit * limit) { /* [Wolf2006, eqs. 19-20] */
        limit = mu[1] * load;
        test = vec3_scale(limit / sqrt(size2), test);
    }
    double pull2 = k * k * vec3_norm2(*stretch), lost = 0.0;
    if (pull2 > limit * limit) { /* [Wolf2006, eq. 22] */
        vec3 cut = vec3_scale(limit / sqrt(pull2), *stretch);
        lost = 0.5 * k * vec3_dot(vec3_add(cut, carried), vec3_sub(*stretch, cut));
        *stretch = cut;
    }
    return (struct soft_drag){test, vec3_scale(-k, *stretch), lost};
}

/* The spring of a contact whose normal has turned from `before` to `normal` and whose bodies have turned about it by
 * `twist` (rad) in the mean. */
vec3 soft_carry(const talus_soft_law *law, vec3 stretch, vec3 before, vec3 normal, double twist);

/* s, how long a collision of reduced mass m with this approach velocity lasts without damping. */
double soft_collision_time(const talus_soft_law *law, double m, double velocity);

/* Can the kernel of blocks do it? Everything else is done one by one. */
static inline bool soft_is_simple(const talus_pair_law *pair) {
    const talus_soft_law *law = &pair->soft;
    return (law->exponent == 1.0 || law->exponent == 1.5) && !law->attracts &&
           law->slip == TALUS_SLIP_POSITION && law->spring == TALUS_SPRING_ROTATED;
}

/* Does the pair have a soft law? */
static inline bool soft_is_on(const talus_soft_law *law) {
    return law->stiffness > 0.0;
}

#endif
