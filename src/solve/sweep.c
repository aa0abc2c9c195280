/* SPDX-License-Identifier: Apache-2.0
 *
 * One sweep of the iterative solver: every contact once gets the impulse its law asks for, given the
 * present impulses of its neighbours; the result is used at once [Unger2003, sect. Many contacts;
 * Brendel2004, sect. 1.5].
 *
 * Orders: random (a new permutation each sweep, as the papers mean it; with momentum each solve), windowed
 * (random inside blocks of neighbours, kind to the cache), sequential, symmetric, parallel (all from the old impulses). Batched, the fastest:
 * batch.h.
 */
#include <math.h>

#include "base/inlining.h"
#include "law/coulomb.h"
#include "solve/solver.h"

double sweep_efficiency(talus_sweep sweep) {
    switch (sweep) {
    case TALUS_SWEEP_RANDOM:
    case TALUS_SWEEP_WINDOWED:
    case TALUS_SWEEP_AUTO:
    case TALUS_SWEEP_BATCHED: return 0.5 * (4.0 * 1.6487212707001282 - 5.0); /* [Unger2002, A4] */
    case TALUS_SWEEP_SEQUENTIAL:
    case TALUS_SWEEP_SYMMETRIC: return 1.0;
    case TALUS_SWEEP_PARALLEL: return 0.5; /* [Unger2002, eq. 11] */
    }
    return 0.0;
}

static void shuffle(talus_index *order, size_t count, struct random *random) {
    for (size_t k = count; k > 1; k--) {
        size_t other = random_below(random, (uint32_t)k);
        talus_index swap = order[k - 1];
        order[k - 1] = order[other];
        order[other] = swap;
    }
}

/* What a visit changed: the force, and the torque in units of force (by the contact's own length). */
struct visit {
    vec3 force, torque;
};

/* Nothing presses and nothing was there before. */
IN_LOOP bool stays_open(struct combined_normal part, vec3 impulse, vec3 torque) {
    return !(part.load > 0.0) && part.solved == 0.0 && impulse.x == 0.0 && impulse.y == 0.0 &&
           impulse.z == 0.0 && torque.x == 0.0 && torque.y == 0.0 && torque.z == 0.0;
}

/* A contact with the combined law and bodies that answer alike in all directions, in its own frame. */
IN_LOOP struct visit update_combined(struct problem *problem, struct solve_contact *contact) {
    struct combined *law = &problem->combined[contact->combined];
    struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    vec3 n = contact->normal, t = law->tangent, s = vec3_cross(n, t);
    vec3 velocity = vec3_sub(b->velocity, a->velocity);
    double opening = vec3_dot(velocity, n), push = vec3_dot(contact->impulse, n);
    struct combined_normal part =
        combined_solve_normal(law, push, opening, -contact->bias, contact->m_n);
    if (stays_open(part, contact->impulse, law->torque))
        return (struct visit){vec3_zero(), vec3_zero()};
    vec3 omega_a = vec3_into_frame(a->omega, n, t, s), omega_b = vec3_into_frame(b->omega, n, t, s);
    struct combined_motion motion = {
        {opening, vec3_dot(velocity, t) - (contact->arm_a * omega_a.z + contact->arm_b * omega_b.z),
         vec3_dot(velocity, s) + (contact->arm_a * omega_a.y + contact->arm_b * omega_b.y)},
        vec3_sub(omega_b, omega_a)};
    struct combined_impulse own = {
        {push, vec3_dot(contact->impulse, t), vec3_dot(contact->impulse, s)},
        vec3_into_frame(law->torque, n, t, s)};
    struct combined_impulse solved = combined_solve_rest(law, part, own, motion, contact->mu);
    vec3 force = vec3_out_of_frame(solved.force, n, t, s),
         torque = vec3_out_of_frame(solved.torque, n, t, s);
    struct visit change = {vec3_sub(force, contact->impulse), vec3_sub(torque, law->torque)};
    contact->impulse = force;
    law->torque = torque;
    vec3 moment = vec3_cross(n, change.force);
    a->velocity = vec3_add_scaled(a->velocity, -a->inverse_mass, change.force);
    b->velocity = vec3_add_scaled(b->velocity, b->inverse_mass, change.force);
    vec3 on_a = vec3_add_scaled(change.torque, contact->arm_a, moment);
    vec3 on_b = vec3_add_scaled(change.torque, -contact->arm_b, moment);
    a->omega = vec3_add_scaled(a->omega, -a->inverse_inertia, on_a);
    b->omega = vec3_add_scaled(b->omega, b->inverse_inertia, on_b);
    return change;
}

/* Plain friction where arms and mobilities may have any direction. */
IN_LOOP struct visit update_skew(struct problem *problem, struct solve_contact *contact) {
    const struct solve_general *general = &problem->general[contact->general];
    struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    vec3 velocity = general_velocity(a, b, general);
    bool is_free =
        contact->impulse.x == 0.0 && contact->impulse.y == 0.0 && contact->impulse.z == 0.0;
    if (is_free && vec3_dot(velocity, contact->normal) + contact->bias >= 0.0) /* stays open */
        return (struct visit){vec3_zero(), vec3_zero()};
    vec3 solved = general_solve(contact, general, velocity);
    vec3 change = vec3_sub(solved, contact->impulse);
    contact->impulse = solved;
    general_apply(problem, a, b, general, change);
    return (struct visit){change, vec3_zero()};
}

static struct visit update_general(struct problem *problem, struct solve_contact *contact) {
    struct combined_impulse solved = problem_solve_special(problem, contact);
    struct visit change = {vec3_sub(solved.force, contact->impulse),
                           vec3_sub(solved.torque, problem_torque(problem, contact))};
    problem_set_impulses(problem, contact, &solved);
    problem_apply(problem, contact, change.force);
    if (contact->combined >= 0) problem_apply_torque(problem, contact, change.torque);
    return change;
}

IN_LOOP struct visit update_plain(struct problem *problem, struct solve_contact *contact) {
    struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    vec3 solved = coulomb_solve(contact->impulse, contact_velocity(a, b, contact), contact->normal,
                                contact->bias, contact->m_n, contact->m_t, contact->mu);
    vec3 change = vec3_sub(solved, contact->impulse);
    contact->impulse = solved;
    contact_apply(a, b, contact, change);
    return (struct visit){change, vec3_zero()};
}

/* Constant for each caller, so that a sweep over contacts of one kind asks for nothing else. */
enum kinds { ONLY_PLAIN, ONLY_COMBINED, ALL_KINDS };

/* The law at one contact; returns the change of its impulses and applies it to the bodies. */
IN_LOOP struct visit update(struct problem *problem, struct solve_contact *contact,
                            enum kinds kinds) {
    if (kinds == ONLY_PLAIN) return update_plain(problem, contact);
    if (kinds == ONLY_COMBINED) return update_combined(problem, contact);
    if (contact->general >= 0)
        return contact->combined < 0 && contact->bias < HUGE_VAL ? update_skew(problem, contact)
                                                                 : update_general(problem, contact);
    if (contact->combined >= 0) return update_combined(problem, contact);
    return update_plain(problem, contact);
}

/* By which a squared torque counts as a squared force, 1/m^2. */
IN_LOOP double torque_weight(const struct problem *problem, const struct solve_contact *contact) {
    if (contact->combined < 0) return 0.0;
    double m_r = problem->combined[contact->combined].block.m_r;
    return m_r > 0.0 ? contact->m_n / m_r : 0.0;
}

IN_LOOP void watch_change(const struct solve_run *run, const struct problem *problem,
                          const struct solve_contact *contact, const struct visit *change,
                          struct sweep_change *sums) {
    double weight = torque_weight(problem, contact);
    double size2 = vec3_norm2(contact->impulse), change2 = vec3_norm2(change->force);
    if (weight > 0.0) {
        size2 += weight * vec3_norm2(problem_torque(problem, contact));
        change2 += weight * vec3_norm2(change->torque);
    }
    double size = sqrt(size2), allowed = run->config->tolerance * size + run->cutoff;
    sums->impulse_sum += size;
    sums->change2_sum += change2;
    if (change2 > allowed * allowed) sums->local_met = false;
}

void sweep_watch(const struct solve_run *run, const struct solve_contact *contact,
                 const struct combined_impulse *change, struct sweep_change *sums) {
    struct visit visit = {change->force, change->torque};
    watch_change(run, run->problem, contact, &visit, sums);
}

enum watching { PLAIN, WATCH, HISTORY };

/* A shuffled order defeats the processor's own prefetching. So the contacts of a window are read through
 * once in the order of memory before they are visited at random, and their bodies are asked for some
 * visits ahead. Measured on 85,000 contacts the sweep is three times faster with both; asking for
 * the contacts themselves by prefetch instructions gains nothing. */
enum { BODIES_AHEAD = 8 };

static void touch(const struct problem *problem, size_t first, size_t last) {
    double sum = 0.0;
    for (size_t k = first; k < last; k++) { /* both ends of each record */
        const struct solve_contact *contact = &problem->contacts[k];
        sum += contact->a ^ contact->combined;
        if (contact->general >= 0) {
            const struct solve_general *general = &problem->general[contact->general];
            sum += general->arm_a.x + general->tangent.z + general->cone.s_det;
        }
        if (contact->combined < 0) continue;
        const struct combined *law = &problem->combined[contact->combined];
        sum += law->torque.x + law->block.m_pp + law->shift_s;
    }
    volatile double sink = sum; /* the reads are the purpose */
    (void)sink;
}

/* Three cache lines. */
IN_LOOP void prefetch_law(const struct combined *law) {
    PREFETCH_TO_WRITE(&law->torque);
    PREFETCH_TO_WRITE(&law->block.m_pp);
    PREFETCH_TO_WRITE(&law->shift_s);
}

IN_LOOP void prefetch_general(const struct solve_general *general) {
    PREFETCH_TO_WRITE(&general->arm_a);
    PREFETCH_TO_WRITE(&general->tangent.z);
    PREFETCH_TO_WRITE(&general->cone.s_det);
}

/* How far the sweep works against the last one. */
IN_LOOP double against_last(const struct problem *problem, const struct solve_contact *contact,
                            const struct combined_impulse *last, const struct visit *change) {
    double sum = vec3_dot(change->force, vec3_sub(contact->impulse, last->force));
    double weight = torque_weight(problem, contact);
    if (weight > 0.0)
        sum += weight *
               vec3_dot(change->torque, vec3_sub(problem_torque(problem, contact), last->torque));
    return -sum;
}

IN_LOOP void visit_one(struct solve_run *run, size_t at, enum watching watching, enum kinds kinds) {
    struct solve_contact *contact = &run->problem->contacts[at];
    struct visit change = update(run->problem, contact, kinds);
    if (watching == PLAIN) return;
    watch_change(run, run->problem, contact, &change, &run->change);
    if (watching != HISTORY) return;
    run->change.turn_sum += against_last(run->problem, contact, &run->work->scratch[at], &change);
    run->change.growth_sum += vec3_dot(contact->impulse, change.force);
}

void sweep_visit(const struct solve_run *run, struct problem *problem,
                 struct solve_contact *contact, size_t at, bool history,
                 struct sweep_change *change) {
    struct visit visit = update(problem, contact, ALL_KINDS);
    watch_change(run, problem, contact, &visit, change);
    if (!history) return;
    change->turn_sum += against_last(problem, contact, &run->work->scratch[at], &visit);
    change->growth_sum += vec3_dot(contact->impulse, visit.force);
}

/* A contact with the combined law takes so many instructions that the processor does not look far enough ahead by
 * itself: 16 against 17.7 million contacts a second at 269,000 of them. */
enum { LAWS_AHEAD = 6 };

IN_LOOP void prefetch_ahead(const struct problem *problem, size_t at) {
    const struct solve_contact *near = &problem->contacts[at];
    PREFETCH_TO_WRITE(&problem->bodies[near->a]);
    PREFETCH_TO_WRITE(&problem->bodies[near->b]);
    if (near->combined >= 0) prefetch_law(&problem->combined[near->combined]);
}

/* In the order of the contacts, or against it. `watching` is constant for each caller, too: the plain sweep carries
 * none of the bookkeeping. */
IN_LOOP void visit_in_line(struct solve_run *run, enum watching watching, enum kinds kinds) {
    size_t count = run->problem->contact_count;
    bool backward = run->config->sweep == TALUS_SWEEP_SYMMETRIC && run->sweep % 2 == 1;
    bool has_laws = kinds != ONLY_PLAIN && run->problem->combined_count > 0;
    for (size_t k = 0; k < count; k++) {
        size_t ahead = k + LAWS_AHEAD < count ? k + LAWS_AHEAD : k;
        if (has_laws) prefetch_ahead(run->problem, backward ? count - 1 - ahead : ahead);
        visit_one(run, backward ? count - 1 - k : k, watching, kinds);
    }
}

IN_LOOP void visit_window(struct solve_run *run, const talus_index *order, size_t count,
                          enum watching watching) {
    const struct problem *problem = run->problem;
    for (size_t k = 0; k < count; k++) {
        const struct solve_contact *near =
            &problem->contacts[order[k + BODIES_AHEAD < count ? k + BODIES_AHEAD : k]];
        PREFETCH_TO_WRITE(&problem->bodies[near->a]);
        PREFETCH_TO_WRITE(&problem->bodies[near->b]);
        if (near->combined >= 0) prefetch_law(&problem->combined[near->combined]);
        if (near->general >= 0) prefetch_general(&problem->general[near->general]);
        visit_one(run, (size_t)order[k], watching, ALL_KINDS);
    }
}

/* Random inside each window; the random sweep is one window of all contacts. */
IN_LOOP void visit_shuffled(struct solve_run *run, enum watching watching) {
    size_t count = run->problem->contact_count;
    bool windowed = run->config->sweep == TALUS_SWEEP_WINDOWED;
    size_t window = windowed ? (size_t)run->config->window : count;
    talus_index *order = run->work->order;
    struct random random =
        random_start(run->key.seed, RANDOM_SWEEP, run->key.step, (uint32_t)run->sweep);
    for (size_t first = 0; first < count; first += window) {
        size_t last = count - first < window ? count : first + window;
        if (windowed) touch(run->problem, first, last);
        if (run->sweep == 0 || !run->keeps_order) {
            for (size_t k = first; k < last; k++) order[k] = (talus_index)k;
            shuffle(order + first, last - first, &random);
        }
        visit_window(run, order + first, last - first, watching);
    }
}

/* No general contacts, and so many with the combined law. */
static bool is_only(const struct problem *problem, size_t combined) {
    return problem->general_count == 0 && problem->combined_count == combined;
}

IN_LOOP void visit(struct solve_run *run, enum watching watching) {
    talus_sweep sweep = run->config->sweep;
    if (sweep == TALUS_SWEEP_RANDOM || sweep == TALUS_SWEEP_WINDOWED)
        visit_shuffled(run, watching);
    else if (is_only(run->problem, 0))
        visit_in_line(run, watching, ONLY_PLAIN);
    else if (is_only(run->problem, run->problem->contact_count))
        visit_in_line(run, watching, ONLY_COMBINED);
    else
        visit_in_line(run, watching, ALL_KINDS);
}

static struct combined_impulse solve_alone(const struct problem *problem,
                                           const struct solve_contact *contact) {
    if (!contact_is_plain(contact)) return problem_solve_special(problem, contact);
    vec3 impulse =
        coulomb_solve(contact->impulse, problem_velocity(problem, contact), contact->normal,
                      contact->bias, contact->m_n, contact->m_t, contact->mu);
    return (struct combined_impulse){impulse, vec3_zero()};
}

/* Jacobi: all new impulses from the old velocities, then all at once. */
static void parallel(struct solve_run *run, bool watch) {
    struct problem *problem = run->problem;
    struct combined_impulse *solved = run->work->scratch;
    for (size_t k = 0; k < problem->contact_count; k++)
        solved[k] = solve_alone(problem, &problem->contacts[k]);
    for (size_t k = 0; k < problem->contact_count; k++) {
        struct solve_contact *contact = &problem->contacts[k];
        struct visit change = {vec3_sub(solved[k].force, contact->impulse),
                               vec3_sub(solved[k].torque, problem_torque(problem, contact))};
        problem_set_impulses(problem, contact, &solved[k]);
        problem_apply(problem, contact, change.force);
        if (contact->combined >= 0) problem_apply_torque(problem, contact, change.torque);
        if (watch) watch_change(run, problem, contact, &change, &run->change);
    }
}

static void start_watching(struct solve_run *run) {
    run->change = (struct sweep_change){.local_met = true};
}

void sweep_once(struct solve_run *run, bool watch) {
    start_watching(run);
    if (run->config->sweep == TALUS_SWEEP_BATCHED)
        batch_sweep(run, watch, false);
    else if (run->config->sweep == TALUS_SWEEP_PARALLEL)
        parallel(run, watch);
    else if (watch)
        visit(run, WATCH);
    else
        visit(run, PLAIN);
}

void sweep_with_history(struct solve_run *run) {
    start_watching(run);
    if (run->config->sweep == TALUS_SWEEP_BATCHED)
        batch_sweep(run, true, true);
    else
        visit(run, HISTORY);
}
