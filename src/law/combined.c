/* SPDX-License-Identifier: Apache-2.0
 *
 * The combined law where normal, tangential and angular parts couple: block descent over normal impulse,
 * friction, torsion and rolling, each part solved exactly with the others held, until nothing changes.
 */
#include "law/combined.h"

#include <float.h>

#include "law/disc_minimum.h"

enum { ROUNDS_MAX = 1000 };

static vec3 transposed_apply(const mat3 *m, vec3 a) {
    return vec3_make(m->m[0][0] * a.x + m->m[1][0] * a.y + m->m[2][0] * a.z,
                     m->m[0][1] * a.x + m->m[1][1] * a.y + m->m[2][1] * a.z,
                     m->m[0][2] * a.x + m->m[1][2] * a.y + m->m[2][2] * a.z);
}

struct parts {
    vec3 velocity, turning; /* with the present impulses */
};

static struct parts respond(const struct combined_response *response,
                            const struct combined_free *free,
                            const struct combined_impulse *impulse) {
    struct parts parts = {vec3_add(free->velocity, mat3_apply(&response->ww, impulse->force)),
                          vec3_add(free->turning, transposed_apply(&response->wt, impulse->force))};
    parts.velocity = vec3_add(parts.velocity, mat3_apply(&response->wt, impulse->torque));
    parts.turning = vec3_add(parts.turning, mat3_apply(&response->tt, impulse->torque));
    return parts;
}

/* The two components across the normal, best within a disc, given the velocity that they leave. */
static vec3 solve_across(const mat3 *w, vec3 now, vec3 velocity, double limit) {
    double a = w->m[1][1], b = w->m[1][2], c = w->m[2][2];
    double free_t = velocity.y - a * now.y - b * now.z, free_s = velocity.z - b * now.y - c * now.z;
    struct disc_point best = disc_minimum(a, b, c, free_t, free_s, limit);
    return vec3_make(now.x, best.t, best.s);
}

static double solve_torsion(const struct combined_response *response, vec3 torque, vec3 turning,
                            double limit) {
    double w = response->tt.m[0][0];
    if (!(w > 0.0) || !(limit > 0.0)) return 0.0;
    double solved = torque.x - turning.x / w;
    return solved > limit ? limit : solved < -limit ? -limit : solved;
}

static struct combined_impulse descend(const struct combined *law,
                                       const struct combined_response *response,
                                       const struct combined_free *free, double closing, double mu,
                                       struct combined_impulse impulse) {
    double w_n = response->ww.m[0][0];
    struct parts parts = respond(response, free, &impulse);
    impulse.force.x = w_n > 0.0 ? cohesion_normal(impulse.force.x, parts.velocity.x, closing,
                                                  1.0 / w_n, law->tension)
                                : 0.0;
    double load = impulse.force.x + law->tension;
    if (!(load > 0.0)) {
        impulse.force.y = impulse.force.z = 0.0;
        impulse.torque = vec3_zero();
        return impulse;
    }
    parts = respond(response, free, &impulse);
    impulse.force = solve_across(&response->ww, impulse.force, parts.velocity, mu * load);
    parts = respond(response, free, &impulse);
    impulse.torque.x = solve_torsion(response, impulse.torque, parts.turning,
                                     torque_limit_at(&law->torsion, load));
    parts = respond(response, free, &impulse);
    impulse.torque = solve_across(&response->tt, impulse.torque, parts.turning,
                                  torque_limit_at(&law->rolling, load));
    return impulse;
}

static double trace(const mat3 *m) {
    return m->m[0][0] + m->m[1][1] + m->m[2][2];
}

/* The velocities that the change makes against those there are; rotations count by a length. */
static bool is_settled(const struct combined_response *response, const struct combined_free *free,
                       const struct combined_impulse *before,
                       const struct combined_impulse *after) {
    struct combined_impulse change = {vec3_sub(after->force, before->force),
                                      vec3_sub(after->torque, before->torque)};
    struct combined_free none = {vec3_zero(), vec3_zero()};
    struct parts parts = respond(response, &none, &change);
    double turn = trace(&response->tt), length2 = turn > 0.0 ? trace(&response->ww) / turn : 0.0;
    double size = vec3_norm2(free->velocity) + length2 * vec3_norm2(free->turning);
    double moved = vec3_norm2(parts.velocity) + length2 * vec3_norm2(parts.turning);
    return moved <= 4.0 * DBL_EPSILON * DBL_EPSILON * size;
}

struct combined_impulse combined_solve_general(const struct combined *law,
                                               const struct combined_response *response,
                                               const struct combined_free *free, double closing,
                                               double mu, struct combined_impulse guess) {
    struct combined_impulse impulse = guess;
    for (int round = 0; round < ROUNDS_MAX; round++) {
        struct combined_impulse before = impulse;
        impulse = descend(law, response, free, closing, mu, impulse);
        if (is_settled(response, free, &before, &impulse)) break;
    }
    return impulse;
}

static vec3 cut_to_disc(vec3 a, double limit) {
    double square = vec3_norm2(a);
    return square > limit * limit ? vec3_scale(limit / sqrt(square), a) : a;
}

static vec3 across(vec3 a) {
    return vec3_make(0.0, a.y, a.z);
}

/* (now - cut(now - rho rate))/rho */
static double disc_map(vec3 now, vec3 rate, double rho, double limit) {
    vec3 wanted = cut_to_disc(vec3_add_scaled(now, -rho, rate), limit);
    return vec3_norm(vec3_sub(now, wanted)) / rho;
}

double combined_residual(const struct combined *law, struct combined_impulse impulse,
                         struct combined_free velocity, double closing, double m_n, double m_t,
                         double mu) {
    double wanted =
        cohesion_normal(impulse.force.x, velocity.velocity.x, closing, m_n, law->tension);
    double load = fmax(0.0, impulse.force.x + law->tension), m_r = law->block.m_r;
    double normal = (impulse.force.x - wanted) / m_n;
    double sliding = disc_map(across(impulse.force), across(velocity.velocity), m_t, mu * load);
    if (!(m_r > 0.0)) return hypot(normal, sliding);
    double rolling = disc_map(across(impulse.torque), across(velocity.turning), m_r,
                              torque_limit_at(&law->rolling, load));
    double torsion =
        disc_map(vec3_make(impulse.torque.x, 0.0, 0.0), vec3_make(velocity.turning.x, 0.0, 0.0),
                 m_r, torque_limit_at(&law->torsion, load));
    /* A rotation becomes a velocity through the length sqrt(1/(w_r m_n)): equal kinetic energies. */
    return sqrt(normal * normal + sliding * sliding +
                (rolling * rolling + torsion * torsion) * m_r / m_n);
}
