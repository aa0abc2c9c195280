/* SPDX-License-Identifier: Apache-2.0
 * From contacts and bodies to the problem that a solver sees. */
#include <string.h>

#include "base/error.h"
#include "scheme/implicit_euler.h"
#include "sim/sim.h"

static bool resize(talus_sim *sim, void **block, size_t *capacity, size_t needed, size_t size) {
    void *moved = memory_reserve(&sim->memory, *block, capacity, needed, size);
    if (moved != NULL) *block = moved;
    return moved != NULL;
}

talus_status sim_reserve_bodies(talus_sim *sim, talus_error *err) {
    size_t count = sim->world.bodies.count, capacity = sim->body_capacity;
    if (!resize(sim, (void **)&sim->problem.bodies, &capacity, count, sizeof(struct solve_body)))
        return error_memory(err);
    capacity = sim->body_capacity;
    if (!resize(sim, (void **)&sim->mobility_of, &capacity, count, sizeof(int32_t)))
        return error_memory(err);
    sim->body_capacity = capacity;
    if (!resize(sim, (void **)&sim->degree, &sim->degree_capacity, count, sizeof(int32_t)))
        return error_memory(err);
    return TALUS_OK;
}

/* The directions of this world along which a grain is locked. */
static uint32_t locks_of(const struct world *world, talus_index i) {
    return world->bodies.locks[i] & world_all_locks(world);
}

/* Free velocities of all bodies; from here to the end of the step the problem holds them. */
void sim_predict(talus_sim *sim) {
    const struct bodies *bodies = &sim->world.bodies;
    sim->problem.body_count = bodies->count;
    for (size_t i = 0; i < bodies->count; i++) {
        struct free_motion motion = euler_predict(&sim->world, (talus_index)i, sim->dt);
        bool held = bodies->boundary[i] < 0 && world_is_held(&sim->world, i);
        sim->problem.bodies[i] =
            (struct solve_body){motion.velocity, held ? 0.0 : bodies->inverse_mass[i], motion.omega,
                                bodies->inverse_inertia[i]};
    }
}

static mat3 locked_inverse_mass(const struct bodies *bodies, talus_index i) {
    double w = bodies->inverse_mass[i];
    uint32_t locks = bodies->locks[i];
    return mat3_diagonal(vec3_make(locks & TALUS_LOCK_X ? 0.0 : w, locks & TALUS_LOCK_Y ? 0.0 : w,
                                   locks & TALUS_LOCK_Z ? 0.0 : w));
}

/* Bodies whose mobility is no multiple of the identity. Turning walls belong to them because their
 * arms do not lie along the normal. */
static bool is_special(const struct world *world, const struct solve_body *row, talus_index i) {
    int32_t boundary = world->bodies.boundary[i];
    if (boundary < 0)
        return (locks_of(world, i) != 0 && !world_is_held(world, (size_t)i)) ||
               world_is_anisotropic(world, (size_t)i);
    return world->boundaries[boundary].is_free || vec3_norm2(row->omega) > 0.0;
}

static struct solve_mobility mobility(const struct world *world, talus_index i) {
    const struct bodies *bodies = &world->bodies;
    int32_t boundary = bodies->boundary[i];
    double turn = bodies->inverse_inertia[i];
    mat3 slides, turns = mat3_diagonal(vec3_make(turn, turn, turn));
    if (boundary < 0) {
        slides = locked_inverse_mass(bodies, i);
        if (world_is_anisotropic(world, (size_t)i)) turns = world_inverse_inertia(world, (size_t)i);
    } else {
        const talus_free_motion *law = &world->boundaries[boundary].free;
        slides = mat3_outer(bodies->inverse_mass[i], law->direction);
        turns = mat3_outer(turn, law->axis);
    }
    return (struct solve_mobility){sym3_of(&turns), sym3_of(&slides),
                                   boundary < 0 && locks_of(world, i) == 0};
}

static talus_status find_mobilities(talus_sim *sim, talus_error *err) {
    struct problem *problem = &sim->problem;
    problem->mobility_count = 0;
    for (size_t i = 0; i < problem->body_count; i++) {
        sim->mobility_of[i] = -1;
        if (!is_special(&sim->world, &problem->bodies[i], (talus_index)i)) continue;
        if (!resize(sim, (void **)&problem->mobilities, &sim->mobility_capacity,
                    problem->mobility_count + 1, sizeof *problem->mobilities))
            return error_memory(err);
        problem->mobilities[problem->mobility_count] = mobility(&sim->world, (talus_index)i);
        sim->mobility_of[i] = (int32_t)problem->mobility_count++;
    }
    return TALUS_OK;
}

static int32_t slide_mobility(const talus_sim *sim, talus_index body) {
    int32_t mobility = sim->mobility_of[body];
    return mobility >= 0 && sim->problem.mobilities[mobility].slides_alike ? -1 : mobility;
}

/* Arms of a contact with a body that is special, from the reference points of the two. */
static struct solve_general general_part(const talus_sim *sim, const struct contact *contact) {
    struct solve_general general = {.tangent = vec3_perpendicular(contact->normal),
                                    .slide_a = slide_mobility(sim, contact->a),
                                    .slide_b = slide_mobility(sim, contact->b),
                                    .turn_a = sim->mobility_of[contact->a],
                                    .turn_b = sim->mobility_of[contact->b],
                                    .coupling = -1};
    general.arm_a = contact->arm;
    general.arm_b = vec3_scale(-contact->arm_b, contact->normal);
    if (contact->wall >= 0 || contact->has_form) {
        vec3 centre = cell_branch(&sim->world.cell, sim->world.bodies.position[contact->b],
                                  sim->world.bodies.position[contact->a]);
        general.arm_b = vec3_add(centre, general.arm_a);
    }
    return general;
}

static talus_status reserve_contacts(talus_sim *sim, talus_error *err) {
    struct problem *problem = &sim->problem;
    size_t count = sim->detect.contact_count;
    if (!resize(sim, (void **)&problem->contacts, &sim->contact_capacity, count,
                sizeof *problem->contacts))
        return error_memory(err);
    if (!solver_reserve(&sim->work, &sim->solver, problem->body_count, count))
        return error_memory(err);
    return TALUS_OK;
}

static talus_status add_general(talus_sim *sim, const struct contact *from,
                                struct solve_contact *to, talus_error *err) {
    struct problem *problem = &sim->problem;
    bool isotropic = sim->mobility_of[from->a] < 0 && sim->mobility_of[from->b] < 0;
    if (isotropic && !from->has_form) return TALUS_OK;
    if (!resize(sim, (void **)&problem->general, &sim->general_capacity, problem->general_count + 1,
                sizeof *problem->general))
        return error_memory(err);
    problem->general[problem->general_count] = general_part(sim, from);
    to->general = (int32_t)problem->general_count++;
    return TALUS_OK;
}

static talus_status add_combined(talus_sim *sim, const struct contact *from,
                                 struct solve_contact *to, talus_error *err) {
    struct problem *problem = &sim->problem;
    if (!sim_law_is_combined(sim, from)) return TALUS_OK;
    if (!resize(sim, (void **)&problem->combined, &sim->combined_capacity,
                problem->combined_count + 1, sizeof *problem->combined))
        return error_memory(err);
    problem->combined[problem->combined_count] = (struct combined){.tension = 0.0};
    to->combined = (int32_t)problem->combined_count++;
    if (to->general < 0) return TALUS_OK;
    if (!resize(sim, (void **)&problem->couplings, &sim->coupling_capacity,
                problem->coupling_count + 1, sizeof *problem->couplings))
        return error_memory(err);
    problem->general[to->general].coupling = (int32_t)problem->coupling_count++;
    return TALUS_OK;
}

/* A contact whose force changes by more than this share of it is in no slow flow, and is not followed further. */
static const double carried_most = 0.3;

/* The impulse of the last step and, as momentum across steps, a share of how it changed in it (docs/theory/sweeps.md). */
static vec3 first_guess(const talus_sim *sim, talus_index candidate) {
    vec3 last = sim->detect.candidates[candidate].impulse;
    if (!(sim->solver.carry > 0.0)) return last;
    vec3 older = sim->detect.memories[candidate].older;
    if (vec3_norm2(last) == 0.0 || vec3_norm2(older) == 0.0) return last;
    vec3 change = vec3_sub(last, older);
    double share = sim->solver.carry, length = vec3_norm(change);
    double most = carried_most * vec3_norm(last);
    return vec3_add_scaled(last, share * length > most ? most / length : share, change);
}

talus_status sim_build_problem(talus_sim *sim, talus_error *err) {
    struct problem *problem = &sim->problem;
    TALUS_TRY(find_mobilities(sim, err));
    TALUS_TRY(reserve_contacts(sim, err));
    problem->contact_count = sim->detect.contact_count;
    problem->positions = sim->world.bodies.position;
    problem->velocities_before =
        sim->solver.stop == TALUS_STOP_UNBALANCED ? sim->world.bodies.velocity : NULL;
    problem->dt = sim->dt;
    problem->general_count = problem->combined_count = problem->coupling_count = 0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct contact *from = &sim->detect.contacts[k];
        struct solve_contact *to = &problem->contacts[k];
        double gap = sim->solver.gap == TALUS_GAP_SIGNED || from->gap > 0.0 ? from->gap : 0.0;
        *to = (struct solve_contact){.a = from->a,
                                     .b = from->b,
                                     .normal = from->normal,
                                     .arm_a = from->arm_a,
                                     .arm_b = from->arm_b,
                                     .bias = gap / sim->dt,
                                     .general = -1,
                                     .combined = -1};
        if (sim->solver.warm_start) to->impulse = first_guess(sim, from->candidate);
        TALUS_TRY(add_general(sim, from, to, err));
        TALUS_TRY(add_combined(sim, from, to, err));
        problem_prepare(problem, to);
        sim_law_set(sim, from, to);
    }
    if (sim->solver.gap == TALUS_GAP_PROJECTED) TALUS_TRY(sim_reserve_projection(sim, err));
    struct solve_key key = {sim->seed, (uint64_t)sim->solved};
    if (!solver_prepare(&sim->work, &sim->solver, problem, key)) return error_memory(err);
    return TALUS_OK;
}

/* Contacts stand in the order of the candidates; candidates that are no contacts have no impulse. */
void sim_keep_impulses(talus_sim *sim) {
    struct detect *detect = &sim->detect;
    size_t next = 0;
    for (size_t k = 0; k < detect->candidate_count; k++) {
        bool is_contact =
            next < detect->contact_count && (size_t)detect->contacts[next].candidate == k;
        if (sim->solver.carry > 0.0) detect->memories[k].older = detect->candidates[k].impulse;
        detect->candidates[k].impulse =
            is_contact ? sim->problem.contacts[next++].impulse : vec3_zero();
    }
}
