/* SPDX-License-Identifier: Apache-2.0
 *
 * An audit: the last step solved again, a hundred times as strictly, from where it ended, and compared.
 *
 * Every measure of convergence is made of what is known before the answer, and there are systems that fool it
 * (docs/theory/convergence.md). An audit looks how far forces and velocities still go,
 *
 *     forces = sqrt( sum |P* - P|^2 / sum |P*|^2 )               over contacts
 *     motion = sqrt( sum m |v* - v|^2 / sum m |v - v_free|^2 )   over bodies, v_free: without contacts; at most 1
 *
 * P* begins at P, so forces that are not unique differ only as far as they have to. The state is not changed by a bit.
 */
#include <math.h>

#include "base/error.h"
#include "sim/sim.h"

static const double audit_share = 1e-2, tolerance_most = 1e-2;

static talus_solver_config strict_solver(const talus_sim *sim, int max_sweeps) {
    talus_solver_config solver = talus_config_default().solver;
    bool is_share =
        sim->solver.stop == TALUS_STOP_BALANCE || sim->solver.stop == TALUS_STOP_RESIDUAL;
    double wanted = is_share ? fmin(sim->solver.tolerance, tolerance_most) : tolerance_most;
    solver.tolerance = audit_share * wanted;
    solver.max_sweeps = max_sweeps;
    return solver;
}

static bool reserve(talus_sim *sim, const talus_solver_config *solver) {
    struct audit_room *room = &sim->audit;
    const struct problem *problem = &sim->problem;
    size_t bodies = problem->body_count, contacts = problem->contact_count;
    void *rows = memory_reserve(&sim->memory, room->bodies, &room->body_capacity, bodies,
                                sizeof *room->bodies);
    if (rows == NULL) return false;
    room->bodies = rows;
    void *impulses = memory_reserve(&sim->memory, room->impulses, &room->impulse_capacity, contacts,
                                    sizeof *room->impulses);
    if (impulses == NULL) return false;
    room->impulses = impulses;
    struct solve_key key = {sim->seed, (uint64_t)sim->solved};
    return solver_reserve(&sim->work, solver, bodies, contacts) &&
           solver_prepare(&sim->work, solver, problem, key);
}

static void keep(const struct problem *problem, struct audit_room *room) {
    for (size_t i = 0; i < problem->body_count; i++) room->bodies[i] = problem->bodies[i];
    for (size_t k = 0; k < problem->contact_count; k++)
        room->impulses[k] = problem_impulses(problem, &problem->contacts[k]);
}

static void put_back(struct problem *problem, const struct audit_room *room) {
    for (size_t i = 0; i < problem->body_count; i++) problem->bodies[i] = room->bodies[i];
    for (size_t k = 0; k < problem->contact_count; k++)
        problem_set_impulses(problem, &problem->contacts[k], &room->impulses[k]);
}

static double ratio(double part2, double whole2) {
    if (!(part2 > 0.0)) return 0.0;
    return whole2 > 0.0 ? sqrt(part2 / whole2) : 1.0;
}

static double force_error(const struct problem *problem, const struct audit_room *room) {
    double change2 = 0.0, whole2 = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        vec3 strict = problem->contacts[k].impulse;
        change2 += vec3_norm2(vec3_sub(strict, room->impulses[k].force));
        whole2 += vec3_norm2(strict);
    }
    return ratio(change2, whole2);
}

static double moved2(const struct problem *problem, const struct solve_body *other) {
    double sum = 0.0;
    for (size_t i = 0; i < problem->body_count; i++) {
        const struct solve_body *row = &problem->bodies[i];
        if (row->inverse_mass > 0.0)
            sum += vec3_norm2(vec3_sub(row->velocity, other[i].velocity)) / row->inverse_mass;
    }
    return sum;
}

/* The strict velocities are gone after it: contacts are undone to find the free ones. */
static double motion_error(struct problem *problem, struct audit_room *room) {
    double change2 = moved2(problem, room->bodies), whole2 = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        problem_apply(problem, contact, vec3_scale(-1.0, contact->impulse));
    }
    whole2 = moved2(problem, room->bodies);
    return ratio(change2, fmax(whole2, change2));
}

static void note(struct run_record *record, const talus_audit *audit) {
    record->audits++;
    if (!audit->converged) record->audits_unfinished++;
    record->audit_updates += audit->updates;
    record->audit_force_sum += audit->forces;
    record->audit_force_max = fmax(record->audit_force_max, audit->forces);
    record->audit_motion_sum += audit->motion;
    record->audit_motion_max = fmax(record->audit_motion_max, audit->motion);
}

talus_status talus_sim_audit(talus_sim *sim, int max_sweeps, talus_audit *out, talus_error *err) {
    struct problem *problem = &sim->problem;
    *out = (talus_audit){.converged = true};
    if (max_sweeps < 1)
        return error_set(err, TALUS_ERR_INPUT, "max_sweeps = %d, must be at least 1", max_sweeps);
    if (sim->method == TALUS_METHOD_MD || sim->solved == 0 || problem->contact_count == 0)
        return TALUS_OK;
    if (problem->body_count != sim->world.bodies.count)
        return error_set(err, TALUS_ERR_INPUT,
                         "an audit is of the last step, but bodies came or went since");
    talus_solver_config solver = strict_solver(sim, max_sweeps);
    out->tolerance = solver.tolerance;
    problem->positions = sim->world.bodies.position; /* the array may have moved */
    if (!reserve(sim, &solver)) return error_memory(err);
    keep(problem, &sim->audit);
    sim->work.threads = sim->threads;
    struct solve_key key = {sim->seed, (uint64_t)sim->solved};
    struct solve_report report = solver_solve(problem, &solver, &sim->work, key);
    out->sweeps = report.sweeps;
    out->updates = report.updates;
    out->converged = report.converged;
    out->forces = force_error(problem, &sim->audit);
    out->motion = motion_error(problem, &sim->audit);
    put_back(problem, &sim->audit);
    note(&sim->record, out);
    return TALUS_OK;
}
