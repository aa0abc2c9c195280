/* SPDX-License-Identifier: Apache-2.0
 * The errors of single contacts, and the forces left over on single bodies. */
#include "solve/measures.h"

#include <math.h>

#include "law/coulomb.h"

static vec3 in_own_frame(vec3 a, vec3 n) {
    vec3 t = vec3_perpendicular(n);
    return vec3_into_frame(a, n, t, vec3_cross(n, t));
}

double problem_residual_siconos(const struct problem *problem) {
    double sum = 0.0, impulses = 0.0, velocities = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (!contact_counts(contact)) continue;
        vec3 u = problem_velocity(problem, contact);
        u = in_own_frame(vec3_add_scaled(u, contact->bias, contact->normal), contact->normal);
        vec3 p = in_own_frame(contact->impulse, contact->normal);
        double defect = coulomb_residual(p, u, 1.0, contact->mu);
        sum += defect * defect;
        impulses += vec3_norm2(p);
        velocities += vec3_norm2(u);
    }
    double scale = fmax(problem->q_norm, sqrt(fmax(impulses, velocities)));
    return scale > 0.0 ? sqrt(sum) / scale : 0.0;
}

/* The smaller of the two; walls have none. */
static double smaller_arm(const struct solve_contact *contact) {
    if (!(contact->arm_a > 0.0)) return contact->arm_b;
    return contact->arm_b > 0.0 ? fmin(contact->arm_a, contact->arm_b) : contact->arm_a;
}

double problem_penetration(const struct problem *problem, double dt) {
    double largest = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        double arm = smaller_arm(contact);
        if (!contact_counts(contact) || !(arm > 0.0)) continue;
        /* A bias below 0 asks for a rebound or for an overlap to be undone: missing it makes no new one. */
        double opening = vec3_dot(problem_velocity(problem, contact), contact->normal) +
                         fmax(contact->bias, 0.0);
        largest = fmax(largest, -opening * dt / arm);
    }
    return largest;
}

double problem_unbalanced(const struct problem *problem) {
    double net = 0.0, impulses = 0.0;
    size_t bodies = 0, pressing = 0;
    if (problem->velocities_before == NULL) return HUGE_VAL;
    for (size_t i = 0; i < problem->body_count; i++) {
        const struct solve_body *body = &problem->bodies[i];
        if (!(body->inverse_mass > 0.0)) continue;
        net +=
            vec3_norm(vec3_sub(body->velocity, problem->velocities_before[i])) / body->inverse_mass;
        bodies++;
    }
    for (size_t k = 0; k < problem->contact_count; k++) {
        double size = vec3_norm(problem->contacts[k].impulse);
        impulses += size;
        if (size > 0.0) pressing++;
    }
    if (!(net > 0.0)) return 0.0;
    return pressing > 0 ? net / (double)bodies / (impulses / (double)pressing) : HUGE_VAL;
}

struct solve_measures problem_measures(const struct problem *problem,
                                       const struct balance_room *room, double dt) {
    return (struct solve_measures){
        .residual = problem_residual(problem),
        .residual_siconos = problem_residual_siconos(problem),
        .balance = problem_balance(problem, NULL, room, NULL),
        .penetration_new = problem_penetration(problem, dt),
    };
}
