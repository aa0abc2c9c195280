/* SPDX-License-Identifier: Apache-2.0
 *
 * Observables of a state, and how far to trust the run that made it.
 *
 * Unfinished relaxation makes rigid grains behave like soft ones [Unger2002]:
 *     kappa = q m N_I/dt^2 [Unger2003, eq. 67],  c = sqrt(q N_I) d/dt,  l_diff = sqrt(4 q N_I) d
 * Rigid behaviour needs l_diff > L.
 */
#include <math.h>

#include "base/error.h"
#include "measure/network.h"
#include "measure/packing.h"
#include "sim/sim.h"

/* Where nothing moves nothing is turned over, and rounding would look like a leak. */
static double energy_scale(const talus_sim *sim, double kinetic) {
    const struct bodies *bodies = &sim->world.bodies;
    double weight = 0.0, g = vec3_norm(sim->world.gravity);
    for (size_t i = 0; i < bodies->count; i++)
        if (bodies->kind[i] == TALUS_BODY_GRAIN)
            weight += 2.0 * bodies->radius[i] * bodies->mass[i] * g;
    return fmax(sim->ledger.turnover, fmax(weight, kinetic));
}

static talus_energy energies(const talus_sim *sim) {
    const struct ledger *ledger = &sim->ledger;
    talus_energy energy = {.input = ledger->input,
                           .work_force = ledger->work_force,
                           .work_boundary = ledger->work_boundary,
                           .work_projection = ledger->work_projection,
                           .dissipation_impact = ledger->impact,
                           .dissipation_sliding = ledger->sliding,
                           .dissipation_rolling = ledger->rolling,
                           .dissipation_torsion = ledger->torsion,
                           .dissipation_bonds = ledger->bonds,
                           .elastic = sim->soft.stored,
                           .step_loss = ledger->step_loss};
    energy.dissipation =
        ledger->impact + ledger->sliding + ledger->rolling + ledger->torsion + ledger->bonds;
    energy.kinetic_translation = sim_energy_kinetic(sim, &energy.kinetic_rotation);
    energy.potential = sim_energy_potential(sim);
    energy.scale = energy_scale(sim, energy.kinetic_translation + energy.kinetic_rotation);
    energy.error = energy.kinetic_translation + energy.kinetic_rotation + energy.potential +
                   energy.elastic - energy.input - energy.work_force - energy.work_boundary -
                   energy.work_projection + energy.dissipation + energy.step_loss;
    return energy;
}

static int64_t count_bonds(const struct detect *detect) {
    int64_t bonds = 0;
    if (detect->remembers && detect->remembered)
        for (size_t k = 0; k < detect->candidate_count; k++) bonds += detect->memories[k].bonded;
    return bonds;
}

/* What the last step left. */
static struct step_sums last_sums(const talus_sim *sim) {
    const struct soft_published *published = sim->soft.published;
    if (sim->method == TALUS_METHOD_CD) return sim->sums;
    return published != NULL && published->current ? published->sums : (struct step_sums){0};
}

talus_observables talus_sim_observe(const talus_sim *sim) {
    sim_soft_publish(sim);
    struct packing packing = measure_packing(&sim->world);
    struct network network = {0};
    if (sim->degree_capacity >= sim->world.bodies.count)
        network = measure_network(&sim->world, &sim->detect, sim->degree);
    double diameter = packing.diameter_mean > 0.0 ? packing.diameter_mean : 1.0;
    double force = network.impulse_mean / sim->dt;
    double grains = (double)sim->world.grain_count;
    struct step_sums sums = last_sums(sim);
    talus_observables out = {.time = sim->world.time,
                             .step = sim->step,
                             .energy = energies(sim),
                             .grains = (int64_t)sim->world.grain_count,
                             .contacts = network.closed,
                             .rattlers = network.rattlers,
                             .bonds = count_bonds(&sim->detect),
                             .bonds_broken = sim->record.bonds_broken,
                             .coordination = network.coordination,
                             .coordination_no_rattlers = network.coordination_no_rattlers,
                             .packing_fraction = packing.fraction,
                             .overlap_mean = network.overlap_mean / diameter,
                             .overlap_max = network.overlap_max / diameter,
                             .residual = sim->report.residual,
                             .sweeps = sim->report.sweeps,
                             .speed_max = sim->report.speed_max,
                             .force_mean = force};
    if (force > 0.0 && grains > 0.0) out.unbalanced_force = sums.net_force_sum / grains / force;
    if (sums.applied > 0.0) out.balance_error = vec3_norm(sums.momentum_change) / sums.applied;
    return out;
}

talus_status talus_sim_measures(talus_sim *sim, talus_measures *out, talus_error *err) {
    *out = (talus_measures){.unbalanced_force = talus_sim_observe(sim).unbalanced_force};
    if (sim->method == TALUS_METHOD_MD) return TALUS_OK;
    struct problem *problem = &sim->problem;
    if (!solver_reserve_balance(&sim->work, problem->body_count, problem->contact_count))
        return error_memory(err);
    /* Bodies may have come or gone since. */
    bool same = problem->body_count == sim->world.bodies.count;
    problem->positions = same ? sim->world.bodies.position : NULL;
    struct solve_measures found = problem_measures(problem, &sim->work.room, sim->dt);
    out->residual = found.residual;
    out->residual_siconos = found.residual_siconos;
    out->balance = sim->report.balance = found.balance;
    out->penetration_new = found.penetration_new;
    return TALUS_OK;
}

/* Momentum has no theory of its softness, but force errors then travel like waves: on cold chains of
 * 25 to 400 discs they first come within 1 % after 3.3 to 4.1 sweeps for each diameter and then ring by
 * a few percent. */
static const double momentum_sweeps = 4.0;

talus_trust talus_sim_trust(const talus_sim *sim) {
    sim_soft_sync(sim);
    struct packing packing = measure_packing(&sim->world);
    talus_observables now = talus_sim_observe(sim);
    const struct run_record *record = &sim->record;
    bool momentum = solver_find(sim->solver.name)->needs_history;
    talus_trust trust = {.q = momentum ? 0.0 : sweep_efficiency(sim->solver.sweep),
                         .system_size = packing.size,
                         .residual_last = now.residual,
                         .residual_max = record->residual_max,
                         .balance = sim->report.balance,
                         .balance_max = record->not_balanced > 0 ? -1.0 : record->balance_max,
                         .overlap_mean = now.overlap_mean,
                         .overlap_max = now.overlap_max,
                         .travel_max = record->travel_max,
                         .steps = record->steps,
                         .steps_not_converged = record->not_converged,
                         .steps_resolved = record->resolved,
                         .audits = record->audits,
                         .audits_unfinished = record->audits_unfinished,
                         .audit_updates = record->audit_updates,
                         .audit_forces_max = record->audit_force_max,
                         .audit_motion_max = record->audit_motion_max};
    if (record->audits > 0) {
        trust.audit_forces = record->audit_force_sum / (double)record->audits;
        trust.audit_motion = record->audit_motion_sum / (double)record->audits;
    }
    if (record->steps_with_contacts > 0)
        trust.sweeps_mean = (double)record->sweeps / (double)record->steps_with_contacts;
    double strength = trust.q * trust.sweeps_mean;                        /* q N_I */
    trust.stiffness = strength * packing.mass_mean / (sim->dt * sim->dt); /* [Unger2003, eq. 67] */
    trust.sound_speed = sqrt(strength) * packing.diameter_mean / sim->dt; /* [Unger2002, eq. 17] */
    trust.diffusion_length =
        momentum ? trust.sweeps_mean * packing.diameter_mean / momentum_sweeps
                 : sqrt(4.0 * strength) * packing.diameter_mean; /* [Unger2003, eq. 47] */
    if (packing.size > 0.0) trust.rigidity = trust.diffusion_length / packing.size;
    if (trust.rigidity > 0.0) /* diffusion: the square; momentum: the first power of the length */
        trust.sweeps_rigid =
            trust.sweeps_mean / (momentum ? trust.rigidity : trust.rigidity * trust.rigidity);
    if (now.energy.scale > 0.0) {
        double lost = now.energy.dissipation + now.energy.step_loss - now.energy.work_projection;
        trust.energy_error = fabs(now.energy.error) / now.energy.scale;
        /* Soft grains: steps that make energy are not excused by what contacts take. */
        if (sim->method == TALUS_METHOD_MD) lost = now.energy.step_loss;
        trust.energy_created = fmax(0.0, -lost) / now.energy.scale;
    }
    double long_wave_worst = 0.0;
    if (packing.diameter_mean > 0.0) {
        const double two_over_pi = 0.6366197723675814;
        double wave =
            two_over_pi * packing.size / packing.diameter_mean; /* 1/(k d), k = pi/(2 L) */
        trust.long_wave_error = trust.residual_last * wave * wave;
        long_wave_worst = trust.residual_max * wave * wave;
    }
    if (sim->method == TALUS_METHOD_MD) {
        sim_soft_trust(sim, now.speed_max, &trust);
        if (packing.diameter_mean > 0.0) /* of the whole run */
            trust.overlap_max = fmax(trust.overlap_max, sim->soft.deepest / packing.diameter_mean);
    }
    verdict_write(&trust, now.contacts, long_wave_worst);
    return trust;
}
