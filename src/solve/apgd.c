/* SPDX-License-Identifier: Apache-2.0
 *
 * Accelerated projected gradients with restarts [Nesterov1983; Odonoghue2015], and around them a loop on the slip. With
 * s held, the laws are the conditions of the convex problem
 *     min  P.W P/2 + P.(q + s n)    P in K,      s = mu |u_t| + rho_r |Omega_t| + rho_s |Omega_n|
 * whose solution gives the next s [Saxce1998]; K is the cone of all limits that follow the load P_n + L
 * (law/product_cone.h), rho_r and rho_s the lengths of rolling and torsion friction, renewed with s where they depend on
 * the load. The laws are exact when s no longer changes. Unlike the sweeps this asks for no inverse and has a convex
 * problem before it, for which momentum is sound.
 *
 * An iteration goes over all contacts twice, for the new impulses, all from the same velocities, and for what they do
 * to the bodies. The step of each contact is 1/D with
 *     P.W P = sum over bodies |sum of its impulses|^2/m + ... <= sum over contacts P.D P
 *     D = sum over its two bodies of (number of contacts that push the body) x (its share of the contact's own W)
 * by Cauchy and Schwarz: no eigenvalue need be estimated, and a body with very many contacts makes steps short at these
 * only. D is diagonal with one number for normal, tangents and torque, in which the cone stays round.
 */
#include <math.h>
#include <string.h>

#include "base/inlining.h"
#include "law/product_cone.h"
#include "solve/solver.h"

/* The slip is renewed when the change of an iteration has fallen to this share of the first one with it, or after a
 * number of iterations that grows each time it was too small: easy problems need not wait for a slip that is nearly
 * right, and hard ones get the convex problem whose solution they need. */
static const double inner_goal = 0.3;
static const double limit_growth = 1.05;

/* ---- step lengths ---------------------------------------------------------------------------------- */

static bool takes_part(const struct solve_contact *contact) {
    return contact->m_n > 0.0 && contact->bias < HUGE_VAL;
}

static void count_pushes(struct solve_run *run) {
    const struct problem *problem = run->problem;
    struct apgd_body *bodies = run->work->pushed;
    memset(bodies, 0, problem->body_count * sizeof *bodies);
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (!takes_part(contact)) continue;
        bool turns = contact->general >= 0 || contact->mu > 0.0;
        double count = (turns ? 1.0 : 0.0) + (contact->combined >= 0 ? 1.0 : 0.0);
        struct apgd_body *a = &bodies[contact->a], *b = &bodies[contact->b];
        a->pushes += 1.0, b->pushes += 1.0;
        a->turns += count, b->turns += count;
    }
}

static double turning_bound(const struct problem *problem, const struct solve_body *body,
                            int32_t turn) {
    if (turn < 0) return body->inverse_inertia;
    const sym3 *inertia = &problem->mobilities[turn].inverse_inertia;
    return inertia->xx + inertia->yy + inertia->zz; /* none of its eigenvalues is larger */
}

/* Tangents along which nothing moves would have no end to their steps. */
static const double tangent_least = 0.1;

/* [a b; b C] <= diag(a, |C|)(1 + |b|/sqrt(a |C|)): the normal and the tangents by themselves. */
static void set_steps(struct apgd_contact *own, const sym3 *w, vec3 n) {
    vec3 t = vec3_perpendicular(n), s = vec3_cross(n, t);
    vec3 w_n = sym3_apply(w, n), w_t = sym3_apply(w, t), w_s = sym3_apply(w, s);
    double a = vec3_dot(n, w_n), b = hypot(vec3_dot(t, w_n), vec3_dot(s, w_n));
    double tt = vec3_dot(t, w_t), ss = vec3_dot(s, w_s), ts = vec3_dot(t, w_s);
    double c = 0.5 * (tt + ss) + hypot(0.5 * (tt - ss), ts);
    double more = 1.0 + (b > 0.0 ? b / sqrt(a * c) : 0.0);
    own->step_n = 1.0 / (more * a);
    own->step_t = 1.0 / fmax(more * c, tangent_least * a);
}

static void choose_steps(struct solve_run *run) {
    const struct problem *problem = run->problem;
    const struct apgd_body *bodies = run->work->pushed;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        struct apgd_contact *own = &run->work->projected[k];
        *own = (struct apgd_contact){.slip = 0.0};
        if (!takes_part(contact)) continue;
        const struct apgd_body *a = &bodies[contact->a], *b = &bodies[contact->b];
        const struct response_weights weights = {a->pushes, b->pushes, a->turns, b->turns};
        sym3 w = problem_response(problem, contact, &weights);
        set_steps(own, &w, contact->normal);
        if (contact->combined < 0) continue;
        const struct solve_general *general =
            contact->general < 0 ? NULL : &problem->general[contact->general];
        double turning = a->turns * turning_bound(problem, &problem->bodies[contact->a],
                                                  general == NULL ? -1 : general->turn_a) +
                         b->turns * turning_bound(problem, &problem->bodies[contact->b],
                                                  general == NULL ? -1 : general->turn_b);
        own->step_r = turning > 0.0 ? 1.0 / turning : 0.0;
    }
}

/* ---- the slip ---------------------------------------------------------------------------------------- */

/* Tangential velocity as the law sees it: with the shift of an impact. */
IN_LOOP vec3 slip_of(const struct problem *problem, const struct solve_contact *contact,
                     vec3 velocity) {
    vec3 n = contact->normal, slip = vec3_tangential(velocity, n);
    if (contact->combined < 0) return slip;
    const struct combined *law = &problem->combined[contact->combined];
    slip = vec3_add_scaled(slip, law->shift_t, law->tangent);
    return vec3_add_scaled(slip, law->shift_s, vec3_cross(n, law->tangent));
}

static void renew_torques(const struct problem *problem, const struct solve_contact *contact,
                          struct apgd_contact *own) {
    const struct combined *law = &problem->combined[contact->combined];
    double load = vec3_dot(contact->impulse, contact->normal) + law->tension;
    vec3 turning = problem_turning(problem, contact);
    double twist = vec3_dot(turning, contact->normal);
    own->rolling = load > 0.0 ? torque_limit_at(&law->rolling, load) / load : law->rolling.factor;
    own->torsion = load > 0.0 ? torque_limit_at(&law->torsion, load) / load : law->torsion.factor;
    own->slip += own->rolling * vec3_norm(vec3_tangential(turning, contact->normal)) +
                 own->torsion * fabs(twist);
}

static void renew_slip(struct solve_run *run) {
    const struct problem *problem = run->problem;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        struct apgd_contact *own = &run->work->projected[k];
        if (!takes_part(contact)) continue;
        vec3 velocity = problem_velocity(problem, contact);
        own->slip = contact->mu * vec3_norm(slip_of(problem, contact, velocity));
        if (contact->combined >= 0) renew_torques(problem, contact, own);
    }
}

/* ---- one step of a contact ---------------------------------------------------------------------------- */

/* Coulomb's cone alone. */
IN_LOOP vec3 project_plain(const struct problem *problem, const struct solve_contact *contact,
                           const struct apgd_contact *own, vec3 y) {
    vec3 n = contact->normal, velocity = problem_velocity(problem, contact);
    double y_n = vec3_dot(y, n), u_n = vec3_dot(velocity, n);
    double p_n = y_n - own->step_n * (u_n + contact->bias + own->slip);
    vec3 p_t = {y.x - y_n * n.x - own->step_t * (velocity.x - u_n * n.x),
                y.y - y_n * n.y - own->step_t * (velocity.y - u_n * n.y),
                y.z - y_n * n.z - own->step_t * (velocity.z - u_n * n.z)};
    double size = sqrt(vec3_norm2(p_t)), mu = contact->mu, share = mu * own->step_n / own->step_t;
    if (size > mu * p_n) {
        if (p_n + share * size <= 0.0) return vec3_zero();
        p_n = (p_n + share * size) / (1.0 + share * mu);
        p_t = vec3_scale(mu * p_n / size, p_t);
    }
    return vec3_add_scaled(p_t, p_n, n);
}

/* Where a bond holds across a gap, closing freely costs nothing and pressing costs the gap (law/cohesion.h): the load
 * with one slope, with the other, or at the kink between them. */
static double combined_load(double without, double bias, double step, double tension,
                            const struct product_part *parts) {
    double load = product_cone_load(without - step * bias, parts, 3);
    if (!(bias > 0.0) || !(tension > 0.0) || load > tension) return load;
    load = product_cone_load(without, parts, 3);
    return load < tension ? load : tension;
}

static struct combined_impulse project_combined(const struct problem *problem,
                                                const struct solve_contact *contact,
                                                const struct apgd_contact *own,
                                                const struct combined_impulse *y) {
    const struct combined *law = &problem->combined[contact->combined];
    vec3 n = contact->normal, velocity = problem_velocity(problem, contact);
    vec3 turning = problem_turning(problem, contact);
    double y_n = vec3_dot(y->force, n), twist_n = vec3_dot(y->torque, n);
    double turning_n = vec3_dot(turning, n);
    vec3 slide = vec3_add_scaled(vec3_tangential(y->force, n), -own->step_t,
                                 slip_of(problem, contact, velocity));
    vec3 roll =
        vec3_add_scaled(vec3_tangential(y->torque, n), -own->step_r, vec3_tangential(turning, n));
    double twist = twist_n - own->step_r * turning_n;
    double per_turn = own->step_r > 0.0 ? own->step_n / own->step_r : 0.0;
    struct product_part parts[3] = {
        {vec3_norm(slide), contact->mu, own->step_n / own->step_t},
        {vec3_norm(roll), own->rolling, per_turn},
        {fabs(twist), own->torsion, per_turn},
    };
    double without = y_n + law->tension - own->step_n * (vec3_dot(velocity, n) + own->slip);
    double load = combined_load(without, contact->bias, own->step_n, law->tension, parts);
    vec3 force = vec3_scale(product_cone_cut(&parts[0], load), slide);
    vec3 torque = vec3_scale(product_cone_cut(&parts[1], load), roll);
    twist *= product_cone_cut(&parts[2], load);
    return (struct combined_impulse){vec3_add_scaled(force, load - law->tension, n),
                                     vec3_add_scaled(torque, twist, n)};
}

IN_LOOP struct combined_impulse project(const struct problem *problem,
                                        const struct solve_contact *contact,
                                        const struct apgd_contact *own,
                                        const struct combined_impulse *y) {
    if (!(own->step_n > 0.0)) return (struct combined_impulse){vec3_zero(), vec3_zero()};
    if (contact->combined >= 0) return project_combined(problem, contact, own, y);
    return (struct combined_impulse){project_plain(problem, contact, own, y->force), vec3_zero()};
}

/* a.D b */
IN_LOOP double product(const struct solve_contact *contact, const struct apgd_contact *own,
                       const struct combined_impulse *a, const struct combined_impulse *b) {
    if (!(own->step_n > 0.0)) return 0.0;
    double normal = vec3_dot(a->force, contact->normal) * vec3_dot(b->force, contact->normal);
    double sum = normal / own->step_n + (vec3_dot(a->force, b->force) - normal) / own->step_t;
    if (own->step_r > 0.0) sum += vec3_dot(a->torque, b->torque) / own->step_r;
    return sum;
}

IN_LOOP struct combined_impulse less(const struct combined_impulse *a,
                                     const struct combined_impulse *b) {
    return (struct combined_impulse){vec3_sub(a->force, b->force), vec3_sub(a->torque, b->torque)};
}

/* ---- an iteration ------------------------------------------------------------------------------------- */

struct moved { /* in the metric D */
    double length2, turn;
};

/* All impulses from the velocities at y = P + beta (P - P before); work->scratch: P before. */
static struct moved project_all(struct solve_run *run, double beta) {
    struct problem *problem = run->problem;
    struct moved moved = {0.0, 0.0};
    bool watches = !stop_is_measured(run->config->stop);
    run->change = (struct sweep_change){.local_met = true};
    for (size_t k = 0; k < problem->contact_count; k++) {
        struct solve_contact *contact = &problem->contacts[k];
        struct apgd_contact *own = &run->work->projected[k];
        struct combined_impulse *last = &run->work->scratch[k];
        struct combined_impulse now = problem_impulses(problem, contact), y = now;
        y.force = vec3_add_scaled(y.force, beta, vec3_sub(now.force, last->force));
        y.torque = vec3_add_scaled(y.torque, beta, vec3_sub(now.torque, last->torque));
        struct combined_impulse to = project(problem, contact, own, &y), step = less(&to, &now);
        own->change = less(&to, &y);
        moved.length2 += product(contact, own, &own->change, &own->change);
        moved.turn -= product(contact, own, &own->change, &step);
        *last = now;
        problem_set_impulses(problem, contact, &to);
        if (watches) sweep_watch(run, contact, &step, &run->change);
    }
    return moved;
}

static void apply_all(struct solve_run *run) {
    struct problem *problem = run->problem;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        const struct combined_impulse *change = &run->work->projected[k].change;
        problem_apply(problem, contact, change->force);
        if (contact->combined >= 0) problem_apply_torque(problem, contact, change->torque);
    }
}

void apgd_start(struct solve_run *run) {
    struct problem *problem = run->problem;
    for (size_t k = 0; k < problem->contact_count; k++)
        run->work->scratch[k] = problem_impulses(problem, &problem->contacts[k]);
    memcpy(run->work->previous, problem->bodies, problem->body_count * sizeof *problem->bodies);
    run->apgd = (struct apgd_state){.theta = 1.0, .limit = 1.0};
    count_pushes(run);
    choose_steps(run);
}

static void choose_momentum(struct solve_run *run, double turn) {
    struct apgd_state *state = &run->apgd;
    state->beta = nesterov_share(&state->theta);
    if (turn > 0.0) { /* [Odonoghue2015, sect. 3.2] */
        state->beta = 0.0;
        state->theta = 1.0;
        run->restarts++;
    }
}

void apgd_iterate(struct solve_run *run) {
    struct apgd_state *state = &run->apgd;
    if (state->inner == 0) renew_slip(run);
    for (size_t i = 0; i < run->problem->body_count; i++)
        momentum_of_body(&run->problem->bodies[i], &run->work->previous[i], state->beta);
    struct moved moved = project_all(run, state->beta);
    apply_all(run);
    choose_momentum(run, moved.turn);
    if (state->inner == 0) state->first = moved.length2;
    state->inner++;
    bool done = moved.length2 <= inner_goal * inner_goal * state->first;
    if (!done && state->inner < state->limit) return;
    if (!done) state->limit *= limit_growth;
    state->inner = 0;
}

const struct solver_type solver_apgd = {
    .entry = {"solver", "apgd",
              "accelerated projected gradients, with a loop on the slip for exact friction; has no "
              "order of contacts (`sweep`)",
              "[Nesterov1983; Odonoghue2015; Saxce1998]", NULL, NULL, 0},
    .needs_history = true,
    .projects = true,
    .has_no_order = true,
    .init = apgd_start,
    .iterate = apgd_iterate,
};
