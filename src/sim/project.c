/* SPDX-License-Identifier: Apache-2.0
 *
 * Overlaps undone without velocities. After the impulses of the step are known, the gaps it will leave are
 * g + dt V_n; where these are negative, the bodies are moved apart by the smallest displacements s (in the
 * sense of their masses, sum m |s|^2 + s_turn I s_turn) that leave no overlap:
 *     0 <= g + dt V_n + s_n,    q >= 0,    q (g + dt V_n + s_n) = 0,    s = M^-1 H q
 * the problem of frictionless contact once more, with displacements for velocities [Acary2013]. They
 * are added to positions and orientations and to nothing else, so unlike the g law they make no motion. What
 * they lift against gravity is counted in the ledger (work_projection).
 *
 * The sweeps are few. What they leave is found and undone in the next steps.
 */
#include <math.h>

#include "base/error.h"
#include "scheme/implicit_euler.h"
#include "sim/sim.h"

enum { SWEEPS = 50 };

/* Of the thinnest grain. Contacts keep this overlap: they stay in touch, and a packing at rest costs nothing. */
static const double overlap_kept = 1e-9;
/* Undone at most in one step: the geometry is frozen meanwhile. */
static const double undone_most = 0.05;
/* Of the largest overlap found: below it the sweeps end. */
static const double overlap_left = 1e-2;

talus_status sim_reserve_projection(talus_sim *sim, talus_error *err) {
    struct projection *projection = &sim->projection;
    size_t bodies = sim->problem.body_count, contacts = sim->problem.contact_count;
    struct solve_body *shift =
        memory_reserve(&sim->memory, projection->shift, &projection->body_capacity, bodies,
                       sizeof *projection->shift);
    if (shift == NULL) return error_memory(err);
    projection->shift = shift;
    struct push *push = memory_reserve(&sim->memory, projection->push, &projection->push_capacity,
                                       contacts, sizeof *projection->push);
    if (push == NULL) return error_memory(err);
    projection->push = push;
    return TALUS_OK;
}

void sim_free_projection(talus_sim *sim) {
    struct projection *projection = &sim->projection;
    memory_free(&sim->memory, projection->shift, projection->body_capacity,
                sizeof *projection->shift);
    memory_free(&sim->memory, projection->push, projection->push_capacity,
                sizeof *projection->push);
}

/* The gaps that the step will leave; returns the largest overlap that is not to be kept. */
static double find_rooms(talus_sim *sim) {
    const struct problem *problem = &sim->problem;
    double thinnest = sim->world.thinnest, worst = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        double opening = vec3_dot(problem_velocity(problem, contact), contact->normal);
        double room = sim->detect.contacts[k].gap + sim->dt * opening + overlap_kept * thinnest;
        room = fmax(room, -undone_most * thinnest);
        sim->projection.push[k] = (struct push){room, 0.0};
        if (contact->m_n > 0.0) worst = fmax(worst, -room);
    }
    return worst;
}

/* Returns the largest overlap that the sweep met. */
static double sweep(struct problem *problem, struct push *push, bool backward) {
    double worst = 0.0;
    for (size_t visit = 0; visit < problem->contact_count; visit++) {
        size_t k = backward ? problem->contact_count - 1 - visit : visit;
        const struct solve_contact *contact = &problem->contacts[k];
        double gap = push[k].room + vec3_dot(problem_velocity(problem, contact), contact->normal);
        if ((gap >= 0.0 && push[k].impulse == 0.0) || !(contact->m_n > 0.0)) continue;
        double impulse = fmax(0.0, push[k].impulse - contact->m_n * gap);
        problem_apply(problem, contact, vec3_scale(impulse - push[k].impulse, contact->normal));
        push[k].impulse = impulse;
        worst = fmax(worst, -gap);
    }
    return worst;
}

void sim_project(talus_sim *sim) {
    struct problem *problem = &sim->problem;
    struct projection *projection = &sim->projection;
    double worst = find_rooms(sim), enough = overlap_left * worst;
    projection->is_needed = worst > 0.0;
    if (!projection->is_needed) return;
    for (size_t i = 0; i < problem->body_count; i++)
        projection->shift[i] = (struct solve_body){vec3_zero(), problem->bodies[i].inverse_mass,
                                                   vec3_zero(), problem->bodies[i].inverse_inertia};
    struct solve_body *velocities = problem->bodies;
    problem->bodies = projection->shift; /* the same contacts see displacements now */
    for (int k = 0; k < SWEEPS && worst > enough; k++)
        worst = sweep(problem, projection->push, k % 2 == 1);
    problem->bodies = velocities;
}

void sim_apply_projection(talus_sim *sim) {
    struct world *world = &sim->world;
    struct bodies *bodies = &world->bodies;
    if (!sim->projection.is_needed) return;
    for (size_t i = 0; i < bodies->count; i++) {
        const struct solve_body *shift = &sim->projection.shift[i];
        euler_shift(world, (talus_index)i, shift->velocity, shift->omega);
        if (world_has_weight(world, i))
            sim->ledger.work_projection -=
                bodies->mass[i] * vec3_dot(world->gravity, shift->velocity);
    }
}
