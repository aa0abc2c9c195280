/* SPDX-License-Identifier: Apache-2.0
 *
 * The frictional contact problem of one step: bodies with their mobility and free velocity, contacts
 * with frame, arms, law and first guess. It knows no world, no shape and no file; scenes, files of
 * other programs and parallel domains all make this struct, and one residual judges every solver.
 *
 * Unknown: the impulses P (on body b, -P on body a) and velocities with
 *     v = v_free + M^-1 sum H P,    every contact obeying its law: volume exclusion and Coulomb friction
 * (law/coulomb.h), or all laws together (law/combined.h), then with torques beside the impulses.
 * A solver keeps both sides of this equation true at all times; only the law is iterated.
 */
#ifndef SOLVE_PROBLEM_H
#define SOLVE_PROBLEM_H

#include "base/crew.h"
#include "law/combined.h"
#include "law/cone.h"
#include "math/vec3.h"
#include "talus/sim.h"

struct solve_body { /* one cache line */
    vec3 velocity;
    double inverse_mass;
    vec3 omega;
    double inverse_inertia;
};

struct solve_contact {
    talus_index a, b;
    vec3 normal;         /* from a to b */
    double arm_a, arm_b; /* m, contact point at x_a + arm_a n = x_b - arm_b n */
    double m_n, m_t;     /* kg, reduced masses */
    double bias;         /* m/s, g+/dt; at an impact minus the rebound; HUGE_VAL: stays open */
    double mu;           /* the friction coefficient in force */
    vec3 impulse;        /* N s on b: first guess and result */
    int32_t general;  /* index of its general part; -1: both bodies are isotropic, arms along n */
    int32_t combined; /* index of its combined law; -1: plain Coulomb */
};

static inline bool contact_is_plain(const struct solve_contact *contact) {
    return (contact->general & contact->combined) == -1; /* both are -1: one test in the loop */
}

/* A body that moves only along some directions, or turns unequally about them. */
struct solve_mobility {
    sym3 inverse_inertia, inverse_mass;
    bool slides_alike; /* the mass is the same in all directions */
};

/* A contact whose arms do not lie along the normal or whose bodies have such a mobility: grains with faces,
 * turning walls, pistons, locked grains. */
struct solve_general {
    vec3 arm_a, arm_b;        /* m, from the reference points to the contact point */
    sym3 inverse;             /* kg, W^-1 in the world's frame; not a number where W has none */
    vec3 own;                 /* 1/kg, W n: what the own impulse does to the velocity along n */
    int32_t slide_a, slide_b; /* mobilities for sliding, and for turning; -1: isotropic */
    int32_t turn_a, turn_b;
    int32_t coupling; /* with the combined law: index of its matrices; else -1 */
    vec3 tangent;     /* frame: n, tangent, n x tangent */
    struct cone cone; /* 1/kg, W = H^T M^-1 H in this frame, for plain friction */
};

/* How such a contact answers force and torque, in the same frame. */
struct solve_coupling {
    mat3 w;                /* 1/kg */
    mat3 w_torque, w_turn; /* what torques do to V, and to the relative rotation */
    bool is_round;         /* like a contact of spheres: the closed forms hold */
};

struct problem {
    struct solve_body *bodies;
    size_t body_count;
    struct solve_contact *contacts;
    size_t contact_count;
    struct solve_general *general;
    size_t general_count;
    struct solve_coupling *couplings;
    size_t coupling_count;
    struct combined *combined;
    size_t combined_count;
    struct solve_mobility *mobilities;
    size_t mobility_count;
    double dt;             /* s, of the step; only for new overlaps */
    const vec3 *positions; /* m, of the bodies; NULL: contacts stand in the order of space. Only for
                              problem_balance */
    const vec3 *
        velocities_before; /* m/s, of the bodies, without this step's forces; NULL: not known. Only for
                                      problem_unbalanced */
    double
        q_norm; /* m/s, norm of free velocity + bias over all contacts: scale of the residual; with
                      the combined law free rotations count by a length */
};

/* Relative velocity of the contact points, b against a; and relative rotation. */
vec3 problem_velocity(const struct problem *problem, const struct solve_contact *contact);
vec3 problem_turning(const struct problem *problem, const struct solve_contact *contact);
/* Add the effect of an impulse, or of a torque, to the two bodies. */
void problem_apply(struct problem *problem, const struct solve_contact *contact, vec3 impulse);
void problem_apply_torque(struct problem *problem, const struct solve_contact *contact,
                          vec3 torque);
/* W of the contact alone, in the world's frame, with each body's sliding and turning multiplied by a weight. */
struct response_weights {
    double slide_a, slide_b, turn_a, turn_b;
};
sym3 problem_response(const struct problem *problem, const struct solve_contact *contact,
                      const struct response_weights *weights);
/* Reduced masses, or W for a general contact. Call once when the contact is set up. */
void problem_prepare(struct problem *problem, struct solve_contact *contact);

/* With the free velocities in the bodies: ||q||, see q_norm. */
double problem_free_norm(const struct problem *problem);
/* The same: fix q_norm, then apply the first guess. */
void problem_start(struct problem *problem);

/* Natural-map residual over ||q||; 0 without contacts (docs/theory/residual.md). */
double problem_residual(const struct problem *problem);
double problem_residual_by(const struct problem *problem, struct crew *crew); /* the same bits */

/* Relative velocity at a general contact, and what an impulse at it does to the bodies: in the loop. */
static inline vec3 general_velocity(const struct solve_body *a, const struct solve_body *b,
                                    const struct solve_general *general) {
    return vec3_sub(vec3_add(b->velocity, vec3_cross(b->omega, general->arm_b)),
                    vec3_add(a->velocity, vec3_cross(a->omega, general->arm_a)));
}

static inline vec3 mobility_slide(const struct problem *problem, const struct solve_body *body,
                                  int32_t mobility, vec3 impulse) {
    if (mobility < 0) return vec3_scale(body->inverse_mass, impulse);
    return sym3_apply(&problem->mobilities[mobility].inverse_mass, impulse);
}

static inline vec3 mobility_turn(const struct problem *problem, const struct solve_body *body,
                                 int32_t mobility, vec3 moment) {
    if (mobility < 0) return vec3_scale(body->inverse_inertia, moment);
    return sym3_apply(&problem->mobilities[mobility].inverse_inertia, moment);
}

static inline void general_apply(struct problem *problem, struct solve_body *a,
                                 struct solve_body *b, const struct solve_general *general,
                                 vec3 impulse) {
    vec3 moment_a = vec3_cross(general->arm_a, impulse);
    vec3 moment_b = vec3_cross(general->arm_b, impulse);
    a->velocity = vec3_sub(a->velocity, mobility_slide(problem, a, general->slide_a, impulse));
    b->velocity = vec3_add(b->velocity, mobility_slide(problem, b, general->slide_b, impulse));
    a->omega = vec3_sub(a->omega, mobility_turn(problem, a, general->turn_a, moment_a));
    b->omega = vec3_add(b->omega, mobility_turn(problem, b, general->turn_b, moment_b));
}

/* Plain friction at a general contact: its new impulse, by law/cone.h. */
vec3 general_solve_cone(const struct solve_contact *contact, const struct solve_general *general,
                        vec3 velocity);

/* The same. Contacts that stay open or stick, which are most, need no frame: sticking, the impulse that is missing
 * is -W^-1 u. The conditions are those of law/cone.h, in the same order. */
IN_LOOP vec3 general_solve(const struct solve_contact *contact, const struct solve_general *general,
                           vec3 velocity) {
    vec3 n = contact->normal;
    double without =
        vec3_dot(velocity, n) + contact->bias - vec3_dot(general->own, contact->impulse);
    if (without >= 0.0) return vec3_zero();
    vec3 wanted = vec3_add_scaled(velocity, contact->bias, n);
    vec3 p = vec3_sub(contact->impulse, sym3_apply(&general->inverse, wanted));
    double p_n = vec3_dot(p, n), limit = contact->mu * p_n;
    vec3 friction = vec3_add_scaled(p, -p_n, n);
    if (p_n > 0.0 && vec3_norm2(friction) <= limit * limit) return p;
    return general_solve_cone(contact, general, velocity);
}

/* One contact that is not plain, with the present impulses of all others: its new impulses. */
struct combined_impulse problem_solve_special(const struct problem *problem,
                                              const struct solve_contact *contact);

/* The torque of a contact, zero without the combined law. */
static inline vec3 problem_torque(const struct problem *problem,
                                  const struct solve_contact *contact) {
    return contact->combined < 0 ? vec3_zero() : problem->combined[contact->combined].torque;
}

static inline struct combined_impulse problem_impulses(const struct problem *problem,
                                                       const struct solve_contact *contact) {
    return (struct combined_impulse){contact->impulse, problem_torque(problem, contact)};
}
static inline void problem_set_impulses(struct problem *problem, struct solve_contact *contact,
                                        const struct combined_impulse *to) {
    contact->impulse = to->force;
    if (contact->combined >= 0) problem->combined[contact->combined].torque = to->torque;
}

/* Fast paths used everywhere: both bodies isotropic. */
static inline vec3 contact_velocity(const struct solve_body *a, const struct solve_body *b,
                                    const struct solve_contact *contact) {
    vec3 turn = {contact->arm_a * a->omega.x + contact->arm_b * b->omega.x,
                 contact->arm_a * a->omega.y + contact->arm_b * b->omega.y,
                 contact->arm_a * a->omega.z + contact->arm_b * b->omega.z};
    vec3 n = contact->normal;
    return vec3_make(b->velocity.x - a->velocity.x + (n.y * turn.z - n.z * turn.y),
                     b->velocity.y - a->velocity.y + (n.z * turn.x - n.x * turn.z),
                     b->velocity.z - a->velocity.z + (n.x * turn.y - n.y * turn.x));
}

static inline void contact_apply(struct solve_body *a, struct solve_body *b,
                                 const struct solve_contact *contact, vec3 impulse) {
    vec3 moment = vec3_cross(contact->normal, impulse);
    a->velocity = vec3_add_scaled(a->velocity, -a->inverse_mass, impulse);
    b->velocity = vec3_add_scaled(b->velocity, b->inverse_mass, impulse);
    a->omega = vec3_add_scaled(a->omega, -contact->arm_a * a->inverse_inertia, moment);
    b->omega = vec3_add_scaled(b->omega, -contact->arm_b * b->inverse_inertia, moment);
}

static inline void contact_apply_torque(struct solve_body *a, struct solve_body *b, vec3 torque) {
    a->omega = vec3_add_scaled(a->omega, -a->inverse_inertia, torque);
    b->omega = vec3_add_scaled(b->omega, b->inverse_inertia, torque);
}

#endif
