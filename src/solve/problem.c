/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/problem.h"

#include "law/coulomb.h"

static const struct solve_general *general_of(const struct problem *problem,
                                              const struct solve_contact *contact) {
    return &problem->general[contact->general];
}

vec3 problem_velocity(const struct problem *problem, const struct solve_contact *contact) {
    const struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    if (contact->general < 0) return contact_velocity(a, b, contact);
    const struct solve_general *general = general_of(problem, contact);
    vec3 at_a = vec3_add(a->velocity, vec3_cross(a->omega, general->arm_a));
    vec3 at_b = vec3_add(b->velocity, vec3_cross(b->omega, general->arm_b));
    return vec3_sub(at_b, at_a);
}

static vec3 slide_response(const struct problem *problem, const struct solve_body *body,
                           int32_t mobility, vec3 impulse) {
    if (mobility < 0) return vec3_scale(body->inverse_mass, impulse);
    return mat3_apply(&problem->mobilities[mobility].inverse_mass, impulse);
}

static vec3 turn_response(const struct problem *problem, const struct solve_body *body,
                          int32_t mobility, vec3 moment) {
    if (mobility < 0) return vec3_scale(body->inverse_inertia, moment);
    return mat3_apply(&problem->mobilities[mobility].inverse_inertia, moment);
}

void problem_apply(struct problem *problem, const struct solve_contact *contact, vec3 impulse) {
    struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    if (contact->general < 0) {
        contact_apply(a, b, contact, impulse);
        return;
    }
    const struct solve_general *general = general_of(problem, contact);
    vec3 moment_a = vec3_cross(general->arm_a, impulse);
    vec3 moment_b = vec3_cross(general->arm_b, impulse);
    a->velocity = vec3_sub(a->velocity, slide_response(problem, a, general->mobility_a, impulse));
    b->velocity = vec3_add(b->velocity, slide_response(problem, b, general->mobility_b, impulse));
    a->omega = vec3_sub(a->omega, turn_response(problem, a, general->mobility_a, moment_a));
    b->omega = vec3_add(b->omega, turn_response(problem, b, general->mobility_b, moment_b));
}

/* Components in the frame of a general contact, and back. */
static vec3 to_frame(const struct solve_contact *contact, const struct solve_general *general,
                     vec3 a) {
    vec3 second = vec3_cross(contact->normal, general->tangent);
    return vec3_make(vec3_dot(a, contact->normal), vec3_dot(a, general->tangent),
                     vec3_dot(a, second));
}

static vec3 from_frame(const struct solve_contact *contact, const struct solve_general *general,
                       vec3 a) {
    vec3 second = vec3_cross(contact->normal, general->tangent);
    vec3 sum = vec3_scale(a.x, contact->normal);
    sum = vec3_add_scaled(sum, a.y, general->tangent);
    return vec3_add_scaled(sum, a.z, second);
}

/* How the relative velocity answers a unit impulse along `axis` of the frame. */
static vec3 response(const struct problem *problem, const struct solve_contact *contact,
                     const struct solve_general *general, int axis) {
    const struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    vec3 unit = vec3_zero();
    vec3_set_component(&unit, axis, 1.0);
    vec3 impulse = from_frame(contact, general, unit);
    vec3 turn_a =
        turn_response(problem, a, general->mobility_a, vec3_cross(general->arm_a, impulse));
    vec3 turn_b =
        turn_response(problem, b, general->mobility_b, vec3_cross(general->arm_b, impulse));
    vec3 sum = vec3_add(slide_response(problem, a, general->mobility_a, impulse),
                        slide_response(problem, b, general->mobility_b, impulse));
    sum = vec3_add(sum, vec3_cross(turn_a, general->arm_a));
    sum = vec3_add(sum, vec3_cross(turn_b, general->arm_b));
    return to_frame(contact, general, sum);
}

void problem_prepare(struct problem *problem, struct solve_contact *contact) {
    if (contact->general < 0) {
        const struct solve_body *a = &problem->bodies[contact->a];
        const struct solve_body *b = &problem->bodies[contact->b];
        double w_n = a->inverse_mass + b->inverse_mass; /* [Unger2003, eqs. 17-18] */
        double w_t = w_n + contact->arm_a * contact->arm_a * a->inverse_inertia +
                     contact->arm_b * contact->arm_b * b->inverse_inertia;
        contact->m_n = 1.0 / w_n;
        contact->m_t = 1.0 / w_t;
        return;
    }
    struct solve_general *general = &problem->general[contact->general];
    for (int axis = 0; axis < 3; axis++) {
        vec3 column = response(problem, contact, general, axis);
        for (int row = 0; row < 3; row++) general->w.m[row][axis] = vec3_component(column, row);
    }
    double w_n = general->w.m[0][0], w_t = 0.5 * (general->w.m[1][1] + general->w.m[2][2]);
    contact->m_n = w_n > 0.0 ? 1.0 / w_n : 0.0;
    contact->m_t = w_t > 0.0 ? 1.0 / w_t : 0.0;
}

void problem_start(struct problem *problem) {
    double sum = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        vec3 q = problem_velocity(problem, contact);
        q = vec3_add_scaled(q, contact->bias, contact->normal);
        sum += vec3_norm2(q);
    }
    problem->q_norm = sqrt(sum);
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (vec3_norm2(contact->impulse) > 0.0) problem_apply(problem, contact, contact->impulse);
    }
}

static vec3 frame_tangent(const struct problem *problem, const struct solve_contact *contact) {
    return contact->general < 0 ? vec3_perpendicular(contact->normal)
                                : problem->general[contact->general].tangent;
}

double problem_residual(const struct problem *problem) {
    double sum = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (!(contact->m_n > 0.0)) continue;
        struct solve_general frame = {.tangent = frame_tangent(problem, contact)};
        vec3 u = problem_velocity(problem, contact);
        u = vec3_add_scaled(u, contact->bias, contact->normal);
        double residual = coulomb_residual(to_frame(contact, &frame, contact->impulse),
                                           to_frame(contact, &frame, u), contact->m_n,
                                           contact->mu_static, contact->mu_sliding);
        sum += residual * residual;
    }
    if (sum == 0.0) return 0.0;
    return problem->q_norm > 0.0 ? sqrt(sum) / problem->q_norm : sqrt(sum);
}

vec3 problem_solve_general(const struct problem *problem, const struct solve_contact *contact) {
    const struct solve_general *general = general_of(problem, contact);
    vec3 velocity = problem_velocity(problem, contact);
    velocity = vec3_add_scaled(velocity, contact->bias, contact->normal);
    vec3 own = mat3_apply(&general->w, to_frame(contact, general, contact->impulse));
    vec3 free_velocity = vec3_sub(to_frame(contact, general, velocity), own);
    vec3 impulse =
        coulomb_solve_general(&general->w, free_velocity, contact->mu_static, contact->mu_sliding);
    return from_frame(contact, general, impulse);
}
