/* SPDX-License-Identifier: Apache-2.0 */
#include "law/soft.h"

#include "law/law.h"

static const talus_parameter push_parameters[] = {
    {"soft.stiffness", "N/m", "k; with an exponent alpha in N/m^alpha", 0.0, 0.0, 1e300},
    {"soft.damping", "kg/s", "gamma; with an exponent alpha in N s/m^alpha", 0.0, 0.0, 1e300},
    {"soft.exponent", "1", "alpha: 1 linear, 1.5 Hertz", 1.0, 1.0, 10.0},
};

static const talus_parameter drag_parameters[] = {
    {"soft.tangential_stiffness", "N/m", "k_t", 0.0, 0.0, 1e300},
    {"soft.tangential_damping", "kg/s", "gamma_t", 0.0, 0.0, 1e300},
};

static bool check_push(const talus_pair_law *pair, struct law_complaint *complaint) {
    const talus_soft_law *law = &pair->soft;
    return law_in_range("soft.stiffness", law->stiffness, 0.0, 1e300, "must be >= 0", complaint) &&
           law_in_range("soft.damping", law->damping, 0.0, 1e300, "must be >= 0", complaint) &&
           (law->exponent == 0.0 || law_in_range("soft.exponent", law->exponent, 1.0, 10.0,
                                                 "must be between 1 and 10", complaint));
}

static bool check_drag(const talus_pair_law *pair, struct law_complaint *complaint) {
    const talus_soft_law *law = &pair->soft;
    return law_in_range("soft.tangential_stiffness", law->tangential_stiffness, 0.0, 1e300,
                        "must be >= 0", complaint) &&
           law_in_range("soft.tangential_damping", law->tangential_damping, 0.0, 1e300,
                        "must be >= 0", complaint);
}

const struct law_type law_soft_push = {
    .entry =
        {"law", "soft_push", "soft grains (md): spring and dashpot along the normal",
         "[Wolf2006, eqs. 10-17]",
         "Grains may overlap by xi; the force between them is k xi^alpha plus a damping "
         "gamma xi^(alpha - 1) dxi/dt, and never pulls unless `attraction` allows it. alpha = 1 "
         "suits discs: restitution and collision time do not depend on the velocity. alpha = "
         "1.5 is Hertz's law for spheres with viscoelastic damping: fast impacts last shorter "
         "and lose more. Needs a time step of about a hundredth of the collision time. Between "
         "polygons (2D) xi is A/l_c: the area they share over the sum of both sqrt(area/pi) "
         "[Pena2009, eq. 5]; their alpha is 1.",
         push_parameters, 3},
    .check = check_push,
};

const struct law_type law_soft_drag = {
    .entry = {"law", "soft_drag", "soft grains (md): tangential spring, cut back at mu R_n",
              "[Wolf2006, eqs. 18-22]",
              "From the first touch on a spring with a dashpot resists slip, up to mu times the "
              "normal force; then the contact slides and the spring stays at that limit. The "
              "spring turns with the contact (`spring: rotated`, its length is kept) or is "
              "projected on the new tangent plane.",
              drag_parameters, 2},
    .check = check_drag,
};

/* The rotation that takes one unit vector to another the short way, applied to a. */
static vec3 turn_along(vec3 a, vec3 from, vec3 to) {
    vec3 axis = vec3_cross(from, to);
    double cosine = vec3_dot(from, to);
    if (!(cosine > -0.5)) return a; /* no contact turns that far in one step */
    vec3 turned = vec3_add(vec3_scale(cosine, a), vec3_cross(axis, a));
    return vec3_add_scaled(turned, vec3_dot(axis, a) / (1.0 + cosine), axis);
}

vec3 soft_carry(const talus_soft_law *law, vec3 stretch, vec3 before, vec3 normal, double twist) {
    if (law->spring == TALUS_SPRING_PROJECTED) return vec3_tangential(stretch, normal);
    vec3 turned = vec3_tangential(turn_along(stretch, before, normal), normal);
    vec3 aside = vec3_cross(normal, turned);
    return vec3_add(vec3_scale(cos(twist), turned), vec3_scale(sin(twist), aside));
}

/* Half the kinetic energy goes back and forth into k xi^(alpha + 1)/(alpha + 1); the integral over the overlap is a
 * beta function. alpha = 3/2: 2.943 xi_max/v. */
double soft_collision_time(const talus_soft_law *law, double m, double velocity) {
    const double root_pi = 1.7724538509055160;
    double p = law->exponent + 1.0;
    if (law->exponent == 1.0) velocity = 1.0; /* any */
    double deepest = pow(0.5 * p * m * velocity * velocity / law->stiffness, 1.0 / p);
    return 2.0 * deepest / velocity * root_pi * tgamma(1.0 + 1.0 / p) / tgamma(0.5 + 1.0 / p);
}
