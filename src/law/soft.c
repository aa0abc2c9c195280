/* SPDX-License-Identifier: Apache-2.0 */
#include "law/soft.h"

static const talus_parameter push_parameters[] = {
    {"soft.stiffness", "N/m", "k; with an exponent alpha in N/m^alpha", 0.0, 0.0, 1e300},
    {"soft.collision_time", "s", "instead: how long each collision lasts", 0.0, 0.0, 1e300},
    {"soft.young", "Pa", "instead: Young's modulus, for Hertz's law", 0.0, 0.0, 1e300},
    {"soft.poisson", "1", "Poisson's ratio, with young", 0.0, -1.0, 0.5},
    {"soft.exponent", "1", "alpha: 1 linear, 1.5 Hertz", 1.0, 1.0, 10.0},
    {"soft.damping", "kg/s", "gamma; with an exponent alpha in N s/m^(beta + 1)", 0.0, 0.0, 1e300},
    {"soft.restitution", "1", "instead: e, from which gamma follows", 0.0, 0.01, 1.0},
    {"soft.at_velocity", "m/s", "approach velocity at which e holds", 0.0, 0.0, 1e300},
};

static const talus_parameter drag_parameters[] = {
    {"soft.tangential_stiffness", "N/m", "k_t", 0.0, 0.0, 1e300},
    {"soft.tangential_ratio", "1", "instead: k_t over the normal stiffness", 0.0, 0.0, 1e300},
    {"soft.tangential_damping", "kg/s", "gamma_t", 0.0, 0.0, 1e300},
    {"soft.tangential_damping_ratio", "1", "instead: gamma_t over the normal damping", 0.0, 0.0,
     1e300},
};

static bool not_negative(const char *key, double value, struct law_complaint *complaint) {
    return law_in_range(key, value, 0.0, 1e300, "must be >= 0", complaint);
}

static bool check_drag(const talus_pair_law *pair, struct law_complaint *complaint) {
    const talus_soft_law *law = &pair->soft;
    double k_t = law->tangential_stiffness, ratio = law->tangential_ratio;
    bool mindlin = law->tangential != TALUS_TANGENTIAL_GIVEN;
    if (!not_negative("soft.tangential_stiffness", k_t, complaint) ||
        !not_negative("soft.tangential_ratio", ratio, complaint) ||
        !not_negative("soft.tangential_damping", law->tangential_damping, complaint) ||
        !not_negative("soft.tangential_damping_ratio", law->tangential_damping_ratio, complaint))
        return false;
    if (k_t > 0.0 && ratio > 0.0)
        *complaint = (struct law_complaint){"soft.tangential_ratio", ratio,
                                            "must be 0 if the tangential stiffness is given"};
    else if (mindlin && (k_t > 0.0 || ratio > 0.0))
        *complaint = (struct law_complaint){
            "soft.tangential", 1.0, "must be 0 if the tangential stiffness or ratio is given"};
    else if (mindlin && !(law->young > 0.0))
        *complaint = (struct law_complaint){"soft.tangential", 1.0, "goes with young only"};
    else
        return true;
    return false;
}

const struct law_type law_soft_push = {
    .entry =
        {"law", "soft_push", "soft grains (md): spring and dashpot along the normal",
         "[Wolf2006, eqs. 10-17]",
         "Grains may overlap by xi; the force between them is k xi^alpha plus a damping "
         "gamma xi^beta dxi/dt, and never pulls unless `attraction` allows it. alpha = 1 "
         "suits discs: restitution and collision time do not depend on the velocity. alpha = "
         "1.5 is Hertz's law for spheres; with viscoelastic damping (beta = alpha - 1) fast "
         "impacts lose more, with constant damping (beta = (alpha - 1)/2) all lose the same share. "
         "Stiffness and damping can be given, or follow from a collision time, from Young's "
         "modulus, from a restitution. Needs a time step of about a hundredth of the collision "
         "time. Between polygons (2D) xi is A/l_c: the area they share over the sum of both "
         "sqrt(area/pi) [Pena2009, eq. 5]; their alpha is 1.",
         push_parameters, 8},
    .check = soft_check,
};

const struct law_type law_soft_drag = {
    .entry = {"law", "soft_drag", "soft grains (md): tangential spring, cut back at mu R_n",
              "[Wolf2006, eqs. 18-22]",
              "From the first touch on a spring with a dashpot resists slip, up to mu times the "
              "normal force; then the contact slides and the spring stays at that limit. The "
              "spring turns with the contact (`spring: rotated`, its length is kept) or is "
              "projected on the new tangent plane. Its stiffness is given, or a share of the "
              "normal stiffness, or that of Mindlin's theory, which grows with the overlap.",
              drag_parameters, 4},
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
