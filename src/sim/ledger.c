/* SPDX-License-Identifier: Apache-2.0
 *
 * The energy ledger. In one step a body gains m v_mean . dv with v_mean = (v + v_new)/2 and
 * m dv = dt F + sum P, exactly. Summed over bodies:
 *     d(kinetic) = sum dt F . v_new  -  sum dt/2 F . dv  +  sum_contacts P . (V + V_new)/2  +  boundary work
 * with T . (W + W_new)/2 beside P . (V + V_new)/2 where a contact has a torque.
 * The first sum is the work of the external forces along the way actually gone (gravity's share is what
 * the potential loses); the second is lost (or gained) by the implicit step itself; the third, with the
 * sign turned, is dissipated in contacts; a prescribed boundary does the work -P . v_boundary. Each term is
 * computed on its own, so the closing error is a check, not a definition.
 */
#include <math.h>

#include "scheme/implicit_euler.h"
#include "sim/sim.h"

double sim_energy_kinetic(const talus_sim *sim, double *rotation) {
    const struct bodies *bodies = &sim->world.bodies;
    double slide = 0.0, turn = 0.0;
    for (size_t i = 0; i < bodies->count; i++) {
        if (!world_answers_forces(&sim->world, i)) continue;
        slide += 0.5 * bodies->mass[i] * vec3_norm2(bodies->velocity[i]);
        if (bodies->inverse_inertia[i] > 0.0)
            turn += world_spin_energy(&sim->world, i, bodies->omega[i]);
    }
    *rotation = turn;
    return slide;
}

double sim_energy_potential(const talus_sim *sim) {
    const struct world *world = &sim->world;
    const struct bodies *bodies = &world->bodies;
    double sum = 0.0;
    for (size_t i = 0; i < bodies->count; i++) {
        if (!world_has_weight(world, i)) continue;
        vec3 position = cell_unwrap(&world->cell, bodies->position[i], bodies->image[i]);
        sum -= bodies->mass[i] * vec3_dot(world->gravity, position);
    }
    return sum;
}

static double step_loss(const talus_sim *sim, size_t i, const struct free_motion *motion) {
    const struct solve_body *row = &sim->problem.bodies[i];
    vec3 dv = vec3_sub(row->velocity, sim->world.bodies.velocity[i]);
    vec3 dw = vec3_sub(row->omega, sim->world.bodies.omega[i]);
    return 0.5 * sim->dt * (vec3_dot(motion->force, dv) + vec3_dot(motion->torque, dw));
}

double ledger_step_loss(const talus_sim *sim) {
    double sum = 0.0;
    for (size_t i = 0; i < sim->world.bodies.count; i++) {
        if (!world_answers_forces(&sim->world, i)) continue;
        struct free_motion motion = euler_predict(&sim->world, (talus_index)i, sim->dt);
        sum += step_loss(sim, i, &motion);
    }
    return sum;
}

static void ledger_bodies(talus_sim *sim) {
    const struct bodies *bodies = &sim->world.bodies;
    struct ledger *ledger = &sim->ledger;
    struct step_sums *sums = &sim->sums;
    *sums = (struct step_sums){0};
    for (size_t i = 0; i < bodies->count; i++) {
        if (!world_answers_forces(&sim->world, i)) continue;
        struct free_motion motion = euler_predict(&sim->world, (talus_index)i, sim->dt);
        const struct solve_body *row = &sim->problem.bodies[i];
        vec3 dv = vec3_sub(row->velocity, bodies->velocity[i]);
        double weight = sim->dt * vec3_dot(motion.weight, row->velocity);
        double all =
            sim->dt * (vec3_dot(motion.force, row->velocity) + vec3_dot(motion.torque, row->omega));
        ledger->work_force += all - weight;
        ledger->step_loss += step_loss(sim, i, &motion);
        ledger->turnover += fabs(weight) + fabs(all - weight);
        vec3 momentum = vec3_scale(bodies->mass[i], dv);
        sums->momentum_change = vec3_add(sums->momentum_change, momentum);
        sums->applied += sim->dt * vec3_norm(motion.force);
        if (bodies->kind[i] == TALUS_BODY_GRAIN)
            sums->net_force_sum += vec3_norm(momentum) / sim->dt;
    }
}

/* Velocity of the wall at the contact point. */
static vec3 wall_velocity(const talus_sim *sim, const struct contact *contact) {
    const struct solve_body *wall = &sim->problem.bodies[contact->b];
    vec3 centre = cell_branch(&sim->world.cell, sim->world.bodies.position[contact->b],
                              sim->world.bodies.position[contact->a]);
    vec3 arm = vec3_add(centre, contact->arm);
    return vec3_add(wall->velocity, vec3_cross(wall->omega, arm));
}

/* The work of one contact, by what did it; what prescribed walls put in is not lost. */
static void ledger_contact(talus_sim *sim, const struct solve_contact *contact) {
    struct ledger *ledger = &sim->ledger;
    struct relative_motion before = sim_motion_before(sim, contact);
    vec3 n = contact->normal, impulse = contact->impulse;
    vec3 mean =
        vec3_scale(0.5, vec3_add(before.velocity, problem_velocity(&sim->problem, contact)));
    double impulse_n = vec3_dot(impulse, n), normal = -impulse_n * vec3_dot(mean, n);
    if (impulse_n < 0.0)
        ledger->bonds += normal;
    else
        ledger->impact += normal;
    ledger->sliding -= vec3_dot(vec3_tangential(impulse, n), mean);
    if (contact->combined < 0) return;
    vec3 torque = problem_torque(&sim->problem, contact);
    vec3 turning =
        vec3_scale(0.5, vec3_add(before.turning, problem_turning(&sim->problem, contact)));
    ledger->torsion -= vec3_dot(torque, n) * vec3_dot(turning, n);
    ledger->rolling -= vec3_dot(vec3_tangential(torque, n), turning);
}

static void ledger_contacts(talus_sim *sim) {
    struct ledger *ledger = &sim->ledger;
    for (size_t k = 0; k < sim->problem.contact_count; k++) {
        const struct solve_contact *contact = &sim->problem.contacts[k];
        vec3 torque = problem_torque(&sim->problem, contact);
        if (vec3_norm2(contact->impulse) == 0.0 && vec3_norm2(torque) == 0.0) continue;
        ledger_contact(sim, contact);
        if (sim->detect.contacts[k].wall < 0) continue;
        if (world_answers_forces(&sim->world, (size_t)contact->b)) continue;
        double work = -vec3_dot(contact->impulse, wall_velocity(sim, &sim->detect.contacts[k])) -
                      vec3_dot(torque, sim->problem.bodies[contact->b].omega);
        ledger->work_boundary += work;
        ledger->turnover += fabs(work);
    }
}

void ledger_step(talus_sim *sim) {
    ledger_bodies(sim);
    ledger_contacts(sim);
}

void ledger_boundaries(talus_sim *sim) {
    struct world *world = &sim->world;
    for (size_t k = 0; k < world->boundary_count; k++)
        world->boundaries[k].force = world->boundaries[k].torque = vec3_zero();
    for (size_t k = 0; k < sim->problem.contact_count; k++) {
        const struct contact *contact = &sim->detect.contacts[k];
        if (contact->wall < 0) continue;
        struct boundary *boundary = &world->boundaries[contact->wall];
        vec3 impulse = sim->problem.contacts[k].impulse;
        vec3 force = vec3_scale(1.0 / sim->dt, impulse);
        vec3 centre = cell_branch(&world->cell, world->bodies.position[contact->b],
                                  world->bodies.position[contact->a]);
        vec3 arm = vec3_add(centre, contact->arm);
        boundary->force = vec3_add(boundary->force, force);
        boundary->torque = vec3_add(boundary->torque, vec3_cross(arm, force));
        boundary->torque = vec3_add(boundary->torque, sim_contact_torque(sim, k));
        boundary->impulse = vec3_add(boundary->impulse, impulse);
    }
}
