/* SPDX-License-Identifier: Apache-2.0
 * Making a simulation and changing it between steps. */
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "law/soft_parameters.h"
#include "world/membrane.h"

talus_config talus_config_default(void) {
    return (talus_config){
        .dim = 3,
        .dt = 1e-3,
        .seed = 1,
        .integrator = "leapfrog",
        .threads = 1,
        .solver = {.name = "auto",
                   .sweep = TALUS_SWEEP_AUTO,
                   .stop = TALUS_STOP_BALANCE,
                   .sweeps = 50,
                   .max_sweeps = 10000,
                   .check_every = 10,
                   .window = 256,
                   .tolerance = 1e-2,
                   .cutoff = 1e-3,
                   .momentum_cap = 1.0,
                   .warm_start = true,
                   .carry = 0.0,
                   .islands = true,
                   .gap = TALUS_GAP_POSITIVE,
                   .audit = 0.02,
                   .substeps = 1},
    };
}

talus_solver_config talus_solver_plain(void) {
    talus_solver_config solver = talus_config_default().solver;
    solver.name = "nsgs";
    solver.sweep = TALUS_SWEEP_RANDOM;
    solver.stop = TALUS_STOP_FIXED;
    solver.tolerance = 1e-6;
    return solver;
}

static talus_status check_range(const char *key, double value, double low, double high,
                                talus_error *err) {
    if (value >= low && value <= high) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT, "%s = %g, must be between %g and %g", key, value, low,
                     high);
}

static talus_status check_solver(const talus_solver_config *solver, talus_error *err) {
    if (solver->name == NULL || solver_find(solver->name) == NULL)
        return error_set(err, TALUS_ERR_UNKNOWN_NAME, "there is no solver '%s'",
                         solver->name == NULL ? "" : solver->name);
    const struct solver_type *type = solver_find(solver->name);
    if (type->needs_history && !type->has_no_order && solver->sweep == TALUS_SWEEP_PARALLEL)
        return error_set(err, TALUS_ERR_INPUT,
                         "solver '%s' does not work with parallel sweeps: momentum on an unstable "
                         "iteration diverges",
                         solver->name);
    TALUS_TRY(check_range("solver.sweeps", solver->sweeps, 1, 1e9, err));
    TALUS_TRY(check_range("solver.max_sweeps", solver->max_sweeps, 1, 1e9, err));
    TALUS_TRY(check_range("solver.substeps", solver->substeps, 1, 1e4, err));
    TALUS_TRY(check_range("solver.check_every", solver->check_every, 1, 1e9, err));
    TALUS_TRY(check_range("solver.window", solver->window, 2, 65536, err));
    TALUS_TRY(check_range("solver.tolerance", solver->tolerance, 1e-300, 1.0, err));
    TALUS_TRY(check_range("solver.cutoff", solver->cutoff, 0.0, 1.0, err));
    TALUS_TRY(check_range("solver.audit", solver->audit, 0.0, 1.0, err));
    TALUS_TRY(check_range("solver.carry", solver->carry, 0.0, 0.5, err));
    return check_range("solver.momentum_cap", solver->momentum_cap, 0.0, 1.0, err);
}

static talus_status check_dt(double dt, talus_error *err) {
    if (dt > 0.0 && isfinite(dt)) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT, "dt = %g, must be > 0", dt);
}

static talus_status check_config(const talus_config *config, talus_error *err) {
    if (config->method != TALUS_METHOD_CD && config->method != TALUS_METHOD_MD)
        return error_set(err, TALUS_ERR_INPUT, "method = %d, must be cd or md",
                         (int)config->method);
    if (config->dim < 1 || config->dim > 3)
        return error_set(err, TALUS_ERR_INPUT, "dim = %d, must be 1, 2 or 3", config->dim);
    TALUS_TRY(check_dt(config->dt, err));
    if (!vec3_is_finite(config->gravity))
        return error_set(err, TALUS_ERR_INPUT, "gravity must be finite");
    for (int axis = 0; axis < 3; axis++) {
        double size = vec3_component(config->cell.size, axis);
        if (!config->cell.periodic[axis]) continue;
        if (!(size > 0.0) || !isfinite(size))
            return error_set(err, TALUS_ERR_INPUT, "cell.size along %c = %g, must be > 0",
                             "xyz"[axis], size);
        if (axis >= config->dim)
            return error_set(err, TALUS_ERR_INPUT, "cell: %c does not exist in %d dimensions",
                             "xyz"[axis], config -> dim);
    }
    if (config->integrator == NULL || integrator_find(config->integrator) == NULL)
        return error_set(err, TALUS_ERR_UNKNOWN_NAME, "there is no integrator '%s'",
                         config->integrator == NULL ? "" : config->integrator);
    TALUS_TRY(check_range("threads", config->threads, 1, 1024, err));
    return check_solver(&config->solver, err);
}

/* The name is kept as the solver's own, so the caller's string may go away. */
static void keep_solver(talus_sim *sim, const talus_solver_config *solver) {
    sim->solver = *solver;
    sim->solver.name = solver_find(solver->name)->entry.name;
}

talus_status talus_sim_create(const talus_config *config, talus_sim **out, talus_error *err) {
    TALUS_TRY(check_config(config, err));
    struct memory memory = {.refuse_at = config->refuse_allocation};
    talus_sim *sim = memory_resize(&memory, NULL, 0, 1, sizeof *sim);
    if (sim == NULL) return error_memory(err);
    sim->memory = memory;
    sim->world.memory = sim->detect.memory = sim->detect.grid.memory = sim->work.memory =
        &sim->memory;
    sim->world.dim = config->dim;
    sim->world.gravity = world_project(&sim->world, config->gravity);
    sim->world.cell = cell_make(&config->cell);
    sim->method = config->method;
    sim->threads = config->threads;
    sim->detect.soft = config->method == TALUS_METHOD_MD;
    sim->soft.integrator = integrator_find(config->integrator);
    sim->seed = config->seed;
    keep_solver(sim, &config->solver);
    sim->step_dt = config->dt;
    sim->dt = config->dt / sim_substeps(sim);
    *out = sim;
    return TALUS_OK;
}

void talus_sim_destroy(talus_sim *sim) {
    if (sim == NULL) return;
    struct memory *memory = &sim->memory;
    world_free(&sim->world);
    detect_free(&sim->detect);
    solver_free(&sim->work);
    sim_free_projection(sim);
    sim_soft_free(sim);
    memory_free(memory, sim->problem.bodies, sim->body_capacity, sizeof *sim->problem.bodies);
    memory_free(memory, sim->mobility_of, sim->body_capacity, sizeof *sim->mobility_of);
    memory_free(memory, sim->problem.contacts, sim->contact_capacity,
                sizeof *sim->problem.contacts);
    memory_free(memory, sim->problem.general, sim->general_capacity, sizeof *sim->problem.general);
    memory_free(memory, sim->problem.couplings, sim->coupling_capacity,
                sizeof *sim->problem.couplings);
    memory_free(memory, sim->problem.combined, sim->combined_capacity,
                sizeof *sim->problem.combined);
    memory_free(memory, sim->problem.mobilities, sim->mobility_capacity,
                sizeof *sim->problem.mobilities);
    memory_free(memory, sim->audit.bodies, sim->audit.body_capacity, sizeof *sim->audit.bodies);
    memory_free(memory, sim->audit.impulses, sim->audit.impulse_capacity,
                sizeof *sim->audit.impulses);
    memory_free(memory, sim->degree, sim->degree_capacity, sizeof *sim->degree);
    struct memory last = *memory; /* the struct lives inside the block that goes now */
    memory_free(&last, sim, 1, sizeof *sim);
}

talus_status talus_sim_check(const talus_sim *sim, talus_error *err) {
    return sim->method == TALUS_METHOD_MD ? sim_soft_check(sim, err) : TALUS_OK;
}

static double energy(const talus_sim *sim) {
    sim_soft_sync(sim);
    double rotation, translation = sim_energy_kinetic(sim, &rotation);
    return translation + rotation + sim_energy_potential(sim);
}

/* A change between steps: what it adds to the energy is input. */
static void account_change(talus_sim *sim, double before) {
    double change = energy(sim) - before;
    sim->soft.ready = false;
    sim->ledger.input += change;
    sim->ledger.turnover += fabs(change);
}

talus_status talus_material_add(talus_sim *sim, const char *name, double density,
                                talus_material *out, talus_error *err) {
    return world_add_material(&sim->world, name, density, out, err);
}

talus_status talus_pair_set(talus_sim *sim, talus_material a, talus_material b,
                            const talus_pair_law *law, talus_error *err) {
    struct law_complaint complaint;
    int count = (int)sim->world.material_count;
    talus_pair_law kept = *law;
    soft_complete(&kept, sim->method == TALUS_METHOD_MD);
    bool known = a >= 0 && b >= 0 && a < count && b < count;
    if (known && !law_check(&kept, &complaint))
        return error_set(err, TALUS_ERR_INPUT, "pair (%s, %s): %s = %g, %s",
                         sim->world.materials[a].name.text, sim->world.materials[b].name.text,
                         complaint.key, complaint.value, complaint.allowed);
    if (known) soft_find(&kept);
    return sim_changed(sim, world_set_pair(&sim->world, a, b, &kept, err));
}

talus_body_def talus_body_def_default(const talus_sim *sim) {
    return (talus_body_def){.shape = sim->world.dim == 3 ? "sphere" : "disc",
                            .orientation = quat_identity(),
                            .group = "grains"};
}

talus_status talus_shape_add(talus_sim *sim, const char *name, const talus_shape_part *parts,
                             size_t count, talus_error *err) {
    return world_add_form(&sim->world, name, parts, count, err);
}

talus_status talus_bodies_add(talus_sim *sim, const talus_body_def *defs, size_t count,
                              talus_gid *first_gid, talus_error *err) {
    const struct bodies *bodies = &sim->world.bodies;
    size_t first = bodies->count;
    sim_soft_sync(sim);
    talus_gid gid = sim->world.next_gid;
    TALUS_TRY(world_add_bodies(&sim->world, defs, count, err));
    sim->soft.ready = false;
    for (size_t i = first; i < bodies->count; i++) {
        vec3 position = cell_unwrap(&sim->world.cell, bodies->position[i], bodies->image[i]);
        double kinetic = 0.5 * bodies->mass[i] * vec3_norm2(bodies->velocity[i]);
        if (bodies->inverse_inertia[i] > 0.0)
            kinetic += world_spin_energy(&sim->world, i, bodies->omega[i]);
        sim->ledger.input += kinetic - bodies->mass[i] * vec3_dot(sim->world.gravity, position);
        sim->ledger.turnover += kinetic;
    }
    if (first_gid != NULL) *first_gid = gid;
    return TALUS_OK;
}

talus_boundary_def talus_boundary_def_default(void) {
    return (talus_boundary_def){.shape = TALUS_PLANE, .normal = {0.0, 0.0, 1.0}};
}

talus_status talus_boundary_add(talus_sim *sim, const talus_boundary_def *def, talus_error *err) {
    double before = energy(sim);
    TALUS_TRY(world_add_boundary(&sim->world, def, err));
    account_change(sim, before);
    sim->detect.valid = false;
    return TALUS_OK;
}

talus_status talus_boundary_remove(talus_sim *sim, const char *name, talus_error *err) {
    struct boundary *boundary = world_find_boundary(&sim->world, name, err);
    if (boundary == NULL) return TALUS_ERR_UNKNOWN_NAME;
    const struct membrane *membrane = membrane_at(&sim->world, boundary);
    if (membrane != NULL)
        return error_set(err, TALUS_ERR_INPUT,
                         "boundary '%s' is a plate of membrane '%s', which must be removed first",
                         name, membrane->name.text);
    double before = energy(sim);
    TALUS_TRY(boundary_set_motion(&sim->world, boundary, &(talus_motion){0}, err));
    boundary->present = false;
    boundary->force = boundary->torque = vec3_zero();
    account_change(sim, before);
    sim->detect.valid = false;
    return TALUS_OK;
}

talus_status talus_boundary_set_motion(talus_sim *sim, const char *name, const talus_motion *motion,
                                       talus_error *err) {
    struct boundary *boundary = world_find_boundary(&sim->world, name, err);
    if (boundary == NULL) return TALUS_ERR_UNKNOWN_NAME;
    double before = energy(sim);
    TALUS_TRY(boundary_set_motion(&sim->world, boundary, motion, err));
    account_change(sim, before);
    return TALUS_OK;
}

talus_status talus_boundary_set_free(talus_sim *sim, const char *name,
                                     const talus_free_motion *free_motion, talus_error *err) {
    struct boundary *boundary = world_find_boundary(&sim->world, name, err);
    if (boundary == NULL) return TALUS_ERR_UNKNOWN_NAME;
    double before = energy(sim);
    TALUS_TRY(boundary_set_free(&sim->world, boundary, free_motion, err));
    account_change(sim, before);
    return TALUS_OK;
}

talus_status talus_force_set(talus_sim *sim, const char *name, const char *group,
                             talus_vec3 direction, const talus_signal *signal, talus_error *err) {
    return sim_changed(sim, world_set_force(&sim->world, name, group, direction, signal, err));
}

talus_status talus_force_remove(talus_sim *sim, const char *name, talus_error *err) {
    return sim_changed(sim, world_remove_force(&sim->world, name, err));
}

talus_status talus_sim_set_gravity(talus_sim *sim, talus_vec3 gravity, talus_error *err) {
    if (!vec3_is_finite(gravity)) return error_set(err, TALUS_ERR_INPUT, "gravity must be finite");
    double before = energy(sim);
    sim->world.gravity = world_project(&sim->world, gravity);
    account_change(sim, before);
    return TALUS_OK;
}

/* The impulses of the last step, the first guess of the next, are forces times dt: they scale. */
static void set_lengths(talus_sim *sim, double step_dt) {
    double dt = step_dt / sim_substeps(sim);
    sim->step_dt = step_dt;
    if (dt == sim->dt) return;
    double scale = dt / sim->dt;
    struct detect *detect = &sim->detect;
    for (size_t k = 0; k < detect->candidate_count; k++) {
        detect->candidates[k].impulse = vec3_scale(scale, detect->candidates[k].impulse);
        if (!detect->remembers) continue;
        detect->memories[k].torque = vec3_scale(scale, detect->memories[k].torque);
        detect->memories[k].older = vec3_scale(scale, detect->memories[k].older);
    }
    sim_soft_rescale(sim, scale);
    sim->dt = dt;
    sim->soft.ready = false;
}

talus_status talus_sim_set_dt(talus_sim *sim, double dt, talus_error *err) {
    TALUS_TRY(check_dt(dt, err));
    set_lengths(sim, dt);
    return TALUS_OK;
}

talus_status talus_sim_set_threads(talus_sim *sim, int threads, talus_error *err) {
    TALUS_TRY(check_range("threads", threads, 1, 1024, err));
    sim->threads = threads;
    return TALUS_OK;
}

talus_status talus_sim_set_solver(talus_sim *sim, const talus_solver_config *solver,
                                  talus_error *err) {
    TALUS_TRY(check_solver(solver, err));
    keep_solver(sim, solver);
    set_lengths(sim, sim->step_dt);
    return TALUS_OK;
}

talus_status talus_group_set_velocity(talus_sim *sim, const char *group, talus_vec3 velocity,
                                      talus_error *err) {
    int32_t index = world_find_group(&sim->world, group);
    if (index < 0) return error_set(err, TALUS_ERR_UNKNOWN_NAME, "there is no group '%s'", group);
    if (!vec3_is_finite(velocity))
        return error_set(err, TALUS_ERR_INPUT, "group '%s': the velocity must be finite", group);
    double before = energy(sim);
    struct bodies *bodies = &sim->world.bodies;
    vec3 allowed = world_project(&sim->world, velocity);
    for (size_t i = 0; i < bodies->count; i++) {
        if (bodies->group[i] != index || bodies->kind[i] != TALUS_BODY_GRAIN) continue;
        uint32_t locks = bodies->locks[i];
        bodies->velocity[i] = vec3_make(locks & TALUS_LOCK_X ? 0.0 : allowed.x,
                                        locks & TALUS_LOCK_Y ? 0.0 : allowed.y,
                                        locks & TALUS_LOCK_Z ? 0.0 : allowed.z);
    }
    account_change(sim, before);
    return TALUS_OK;
}

talus_status sim_look_at_pairs(talus_sim *sim, talus_error *err) {
    sim_soft_sync(sim);
    sim_soft_keep(sim);
    sim->soft.near.valid = sim->soft.ready = false;
    TALUS_TRY(sim_reserve_bodies(sim, err));
    TALUS_TRY(detect_reserve(&sim->detect, &sim->world, err));
    TALUS_TRY(sim_need_memory(sim, err));
    memset(sim->detect.reach, 0, sim->world.bodies.count * sizeof *sim->detect.reach);
    detect_place_walls(&sim->detect, &sim->world);
    return detect_rebuild(&sim->detect, &sim->world, err);
}

talus_status talus_sim_preload(talus_sim *sim, double normal_impulse, talus_error *err) {
    if (!(normal_impulse >= 0.0) || !isfinite(normal_impulse))
        return error_set(err, TALUS_ERR_INPUT, "normal_impulse = %g, must be >= 0", normal_impulse);
    TALUS_TRY(sim_look_at_pairs(sim, err));
    for (size_t k = 0; k < sim->detect.candidate_count; k++) {
        struct contact contact = detect_contact(&sim->detect, &sim->world, k);
        double size = detect_is_closed(&contact) ? normal_impulse : 0.0;
        sim->detect.candidates[k].impulse = vec3_scale(size, contact.normal);
    }
    return TALUS_OK;
}

talus_status talus_sim_bond_contacts(talus_sim *sim, int64_t *count, talus_error *err) {
    TALUS_TRY(sim_look_at_pairs(sim, err));
    const struct bodies *bodies = &sim->world.bodies;
    struct detect *detect = &sim->detect;
    int64_t bonded = 0;
    for (size_t k = 0; k < detect->candidate_count; k++) {
        const struct candidate *pair = &detect->candidates[k];
        const talus_pair_law *law =
            world_pair(&sim->world, bodies->material[pair->a], bodies->material[pair->b]);
        struct contact contact = detect_contact(detect, &sim->world, k);
        bool closed = detect_is_closed(&contact) || vec3_dot(pair->impulse, contact.normal) > 0.0;
        if (!closed || !(law->cohesion.force > 0.0)) continue;
        detect->memories[k].bonded = true;
        detect->memories[k].opening = 0.0;
        bonded++;
    }
    if (count != NULL) *count = bonded;
    return TALUS_OK;
}
