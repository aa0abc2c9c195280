/* SPDX-License-Identifier: Apache-2.0 */
#include "law/soft_parameters.h"

#include "law/soft_collision.h"

static double damping_exponent(const talus_soft_law *law) {
    double viscoelastic = law->exponent - 1.0;
    return law->damping_form == TALUS_DAMPING_CONSTANT ? 0.5 * viscoelastic : viscoelastic;
}

/* Does e depend on the velocity? */
static bool has_fast_losses(const talus_soft_law *law) {
    return law->exponent > 1.0 && law->damping_form == TALUS_DAMPING_VISCOELASTIC;
}

void soft_complete(talus_pair_law *pair, bool soft) {
    talus_soft_law *law = &pair->soft;
    if (law->exponent == 0.0) law->exponent = law->young != 0.0 ? 1.5 : 1.0;
    if (soft && soft_is_on(law) && law->damping == 0.0 && law->restitution == 0.0)
        law->restitution = pair->restitution.normal;
}

void soft_find(talus_pair_law *pair) {
    talus_soft_law *law = &pair->soft;
    law->found.damping = law->found.duration = 0.0;
    if (!(law->restitution > 0.0)) return;
    struct soft_collision collision = {law->exponent, damping_exponent(law), law->attracts};
    law->found.damping = soft_damping_for(&collision, law->restitution);
    law->found.duration = soft_linear_duration(0.5 * law->found.damping, law->attracts);
}

/* ---- what fits together ------------------------------------------------------------------------ */

static bool refuse(struct law_complaint *complaint, const char *key, double value,
                   const char *allowed) {
    *complaint = (struct law_complaint){key, value, allowed};
    return false;
}

static bool not_negative(const char *key, double value, struct law_complaint *complaint) {
    return law_in_range(key, value, 0.0, 1e300, "must be >= 0", complaint);
}

static bool check_stiffness(const talus_soft_law *law, struct law_complaint *complaint) {
    if (!not_negative("soft.stiffness", law->stiffness, complaint) ||
        !not_negative("soft.collision_time", law->collision_time, complaint) ||
        !not_negative("soft.young", law->young, complaint))
        return false;
    if (law->collision_time > 0.0 && law->stiffness > 0.0)
        return refuse(complaint, "soft.collision_time", law->collision_time,
                      "must be 0 if the stiffness is given");
    if (law->young > 0.0 && (law->stiffness > 0.0 || law->collision_time > 0.0))
        return refuse(complaint, "soft.young", law->young,
                      "must be 0 if the stiffness or the collision time is given");
    if (!(law->poisson > -1.0 && law->poisson <= 0.5))
        return refuse(complaint, "soft.poisson", law->poisson, "must be above -1 and at most 0.5");
    if (law->poisson != 0.0 && !(law->young > 0.0))
        return refuse(complaint, "soft.poisson", law->poisson, "goes with young only");
    if (law->rigid_partner && !(law->young > 0.0))
        return refuse(complaint, "soft.rigid_partner", 1.0, "goes with young only");
    return true;
}

static bool check_exponent(const talus_soft_law *law, struct law_complaint *complaint) {
    double alpha = law->exponent;
    if (alpha != 0.0 &&
        !law_in_range("soft.exponent", alpha, 1.0, 10.0, "must be between 1 and 10", complaint))
        return false;
    if (law->young > 0.0 && alpha != 1.5)
        return refuse(complaint, "soft.exponent", alpha, "must be 1.5 with young: Hertz's law");
    if (law->collision_time > 0.0 && alpha != 1.0)
        return refuse(complaint, "soft.exponent", alpha,
                      "must be 1 with a collision time: else it depends on the velocity");
    return true;
}

static bool check_losses(const talus_soft_law *law, struct law_complaint *complaint) {
    double e = law->restitution;
    if (!not_negative("soft.damping", law->damping, complaint) ||
        !not_negative("soft.at_velocity", law->at_velocity, complaint))
        return false;
    if (e != 0.0 &&
        !law_in_range("soft.restitution", e, SOFT_RESTITUTION_LEAST, 1.0,
                      "must be between 0.01 and 1: 0 would need infinite damping", complaint))
        return false;
    if (e > 0.0 && law->damping > 0.0)
        return refuse(complaint, "soft.restitution", e, "must be 0 if the damping is given");
    if (e == 0.0 && law->collision_time > 0.0)
        return refuse(complaint, "soft.restitution", e,
                      "must be between 0.01 and 1 with a collision time");
    if (e > 0.0 && e < 1.0 && has_fast_losses(law) && law->at_velocity == 0.0)
        return refuse(complaint, "soft.at_velocity", law->at_velocity,
                      "must be > 0: viscoelastic restitution depends on the velocity (or take "
                      "damping_form constant)");
    if (law->at_velocity > 0.0 && (e == 0.0 || !has_fast_losses(law)))
        return refuse(complaint, "soft.at_velocity", law->at_velocity,
                      "must be 0 unless a viscoelastic restitution with exponent > 1 is given");
    return true;
}

bool soft_check(const talus_pair_law *pair, struct law_complaint *complaint) {
    const talus_soft_law *law = &pair->soft;
    return check_stiffness(law, complaint) && check_exponent(law, complaint) &&
           check_losses(law, complaint);
}

/* ---- one contact ------------------------------------------------------------------------------- */

static double stiffness_of(const talus_soft_law *law, double m, double radius) {
    if (law->young > 0.0) {
        double modulus = law->young / (1.0 - law->poisson * law->poisson);
        if (!law->rigid_partner) modulus *= 0.5;
        return 4.0 / 3.0 * modulus * sqrt(radius); /* [Johnson1985, eq. 4.23] */
    }
    if (law->collision_time > 0.0) {
        double rate = law->found.duration / law->collision_time;
        return m * rate * rate;
    }
    return law->stiffness;
}

static double damping_of(const talus_soft_law *law, double stiffness, double m) {
    if (law->restitution == 0.0) return law->damping;
    double number = law->found.damping;
    if (number == 0.0) return 0.0;
    if (!has_fast_losses(law)) return number * sqrt(m * stiffness);
    double v = law->at_velocity, alpha = law->exponent;
    return number * m * v * pow(stiffness / (m * v * v), alpha / (alpha + 1.0));
}

struct soft_numbers soft_resolve(const talus_pair_law *pair, double reduced_mass,
                                 double reduced_radius) {
    const talus_soft_law *law = &pair->soft;
    struct soft_numbers numbers = {.stiffness = stiffness_of(law, reduced_mass, reduced_radius),
                                   .exponent = law->exponent,
                                   .damping_exponent = damping_exponent(law),
                                   .slip_stiffness = law->tangential_stiffness,
                                   .slip_ratio = law->tangential_ratio,
                                   .slip_damping = law->tangential_damping,
                                   .slip_damping_ratio = law->tangential_damping_ratio,
                                   .attracts = law->attracts,
                                   .is_secant = law->tangential == TALUS_TANGENTIAL_MINDLIN_SECANT};
    numbers.damping = damping_of(law, numbers.stiffness, reduced_mass);
    if (law->tangential != TALUS_TANGENTIAL_GIVEN)
        numbers.slip_ratio = soft_mindlin_ratio(law); /* [Mindlin1953] */
    return numbers;
}

/* Half the kinetic energy goes back and forth into k xi^(alpha + 1)/(alpha + 1); the integral over the overlap is a
 * beta function. alpha = 3/2: 2.943 xi_max/v. */
double soft_collision_time(const struct soft_numbers *numbers, double m, double velocity) {
    const double root_pi = 1.7724538509055160;
    double p = numbers->exponent + 1.0;
    if (numbers->exponent == 1.0) velocity = 1.0; /* any */
    double deepest = pow(0.5 * p * m * velocity * velocity / numbers->stiffness, 1.0 / p);
    return 2.0 * deepest / velocity * root_pi * tgamma(1.0 + 1.0 / p) / tgamma(0.5 + 1.0 / p);
}
