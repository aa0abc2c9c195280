/* SPDX-License-Identifier: Apache-2.0
 *
 * One sweep of the iterative solver: every contact once gets the impulse its law asks for, given the
 * present impulses of its neighbours; the result is used at once [Unger2003, eq. 38 ff;
 * Brendel2004, sect. 1.5].
 *
 * Orders: random (a new permutation each sweep, as the papers mean it), windowed (random inside blocks
 * of neighbours, kind to the cache), sequential, symmetric, parallel (all from the old impulses).
 */
#include <math.h>

#include "law/coulomb.h"
#include "solve/solver.h"

double sweep_efficiency(talus_sweep sweep) {
    switch (sweep) {
    case TALUS_SWEEP_RANDOM:
    case TALUS_SWEEP_WINDOWED: return 0.5 * (4.0 * 1.6487212707001282 - 5.0); /* [Unger2002, A6] */
    case TALUS_SWEEP_SEQUENTIAL:
    case TALUS_SWEEP_SYMMETRIC: return 1.0;
    case TALUS_SWEEP_PARALLEL: return 0.5; /* [Unger2002, eq. 14] */
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

static void make_order(struct solve_run *run) {
    size_t count = run->problem->contact_count;
    size_t window = run->config->sweep == TALUS_SWEEP_RANDOM ? count : (size_t)run->config->window;
    talus_index *order = run->work->order;
    struct random random =
        random_start(run->key.seed, RANDOM_SWEEP, run->key.step, (uint32_t)run->sweep);
    for (size_t k = 0; k < count; k++) order[k] = (talus_index)k;
    for (size_t first = 0; first < count; first += window)
        shuffle(order + first, count - first < window ? count - first : window, &random);
}

/* The law at one contact; returns the change of its impulse and applies it to the bodies. */
static inline vec3 update(struct problem *problem, struct solve_contact *contact) {
    if (contact->general >= 0) {
        vec3 solved = problem_solve_general(problem, contact);
        vec3 change = vec3_sub(solved, contact->impulse);
        contact->impulse = solved;
        problem_apply(problem, contact, change);
        return change;
    }
    struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    vec3 solved =
        coulomb_solve(contact->impulse, contact_velocity(a, b, contact), contact->normal,
                      contact->bias, contact->m_n, contact->m_t, contact->mu_static,
                      contact->mu_sliding);
    vec3 change = vec3_sub(solved, contact->impulse);
    contact->impulse = solved;
    contact_apply(a, b, contact, change);
    return change;
}

static inline void watch_change(struct solve_run *run, vec3 impulse, vec3 change) {
    double size = vec3_norm(impulse), change2 = vec3_norm2(change);
    double allowed = run->config->tolerance * size + run->cutoff;
    run->change.impulse_sum += size;
    run->change.change2_sum += change2;
    if (change2 > allowed * allowed) run->change.local_met = false;
}

enum watching { PLAIN, WATCH, HISTORY };

/* Visit contacts order[0..count), or 0..count-1, or backwards; `watching` is constant for each caller,
 * so the plain sweep carries none of the bookkeeping. */
static inline void visit(struct solve_run *run, const talus_index *order, bool backward,
                         enum watching watching) {
    struct problem *problem = run->problem;
    size_t count = problem->contact_count;
    for (size_t k = 0; k < count; k++) {
        size_t at = order != NULL ? (size_t)order[k] : backward ? count - 1 - k : k;
        struct solve_contact *contact = &problem->contacts[at];
        vec3 change = update(problem, contact);
        if (watching == PLAIN) continue;
        watch_change(run, contact->impulse, change);
        if (watching == HISTORY)
            run->change.turn_sum -=
                vec3_dot(change, vec3_sub(contact->impulse, run->work->scratch[at]));
    }
}

/* Jacobi: all new impulses from the old velocities, then all at once. */
static void parallel(struct solve_run *run, bool watch) {
    struct problem *problem = run->problem;
    vec3 *change = run->work->scratch;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        vec3 solved = contact->general >= 0
                          ? problem_solve_general(problem, contact)
                          : coulomb_solve(contact->impulse, problem_velocity(problem, contact),
                                          contact->normal, contact->bias, contact->m_n, contact->m_t,
                                          contact->mu_static, contact->mu_sliding);
        change[k] = vec3_sub(solved, contact->impulse);
    }
    for (size_t k = 0; k < problem->contact_count; k++) {
        struct solve_contact *contact = &problem->contacts[k];
        contact->impulse = vec3_add(contact->impulse, change[k]);
        problem_apply(problem, contact, change[k]);
        if (watch) watch_change(run, contact->impulse, change[k]);
    }
}

static void start_watching(struct solve_run *run) {
    run->change = (struct sweep_change){.local_met = true};
}

static const talus_index *order_of(struct solve_run *run) {
    talus_sweep sweep = run->config->sweep;
    if (sweep != TALUS_SWEEP_RANDOM && sweep != TALUS_SWEEP_WINDOWED) return NULL;
    make_order(run);
    return run->work->order;
}

static bool is_backward(const struct solve_run *run) {
    return run->config->sweep == TALUS_SWEEP_SYMMETRIC && run->sweep % 2 == 1;
}

void sweep_once(struct solve_run *run, bool watch) {
    start_watching(run);
    if (run->config->sweep == TALUS_SWEEP_PARALLEL) {
        parallel(run, watch);
        return;
    }
    const talus_index *order = order_of(run);
    if (watch) visit(run, order, is_backward(run), WATCH);
    else if (order != NULL) visit(run, order, false, PLAIN);
    else visit(run, NULL, is_backward(run), PLAIN);
}

void sweep_with_history(struct solve_run *run) {
    start_watching(run);
    visit(run, order_of(run), is_backward(run), HISTORY);
}
