/* SPDX-License-Identifier: Apache-2.0
 *
 * One time step of molecular dynamics, all of it:
 *
 *     list      pairs that can overlap before the step is over     detect/
 *     predict   positions at t + dt, velocities for the dashpots   scheme/
 *     forces    of all overlaps, springs moved on                  sim/soft.c, law/
 *     correct   velocities at t + dt                               scheme/
 *     account   energies, forces on boundaries
 *
 * The ledger. Powers are known at each moment, with the velocities as corrected; their work in a step is dt times the
 * mean of both ends. What goes into springs is compared with what is in them, what moves bodies with their kinetic
 * energy, what gravity does with the way gone: the differences are the error of the finite step, a term of its own.
 */
#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "sim/sim.h"
#include "world/membrane.h"

/* ---- ledger ---------------------------------------------------------------------------------- */

static vec3 velocity_at(const talus_sim *sim, talus_index i, vec3 arm) {
    const struct bodies *bodies = &sim->world.bodies;
    return vec3_add(bodies->velocity[i], vec3_cross(bodies->omega[i], arm));
}

static void add_contact(const talus_sim *sim, size_t k, struct soft_power *power) {
    const struct contact *contact = &sim->detect.contacts[k];
    const struct soft_contact *soft = &sim->soft.contacts[k];
    vec3 branch = cell_branch(&sim->world.cell, sim->world.bodies.position[contact->b],
                              sim->world.bodies.position[contact->a]);
    vec3 on_b = velocity_at(sim, contact->b, vec3_add(branch, contact->arm)), n = contact->normal;
    vec3 velocity = vec3_sub(on_b, velocity_at(sim, contact->a, contact->arm));
    vec3 force = vec3_scale(1.0 / sim->dt, sim->problem.contacts[k].impulse);
    double push = vec3_dot(force, n), opening = vec3_dot(velocity, n);
    power->damping -= (push - soft->elastic) * opening;
    power->slip -= vec3_dot(vec3_sub(vec3_tangential(force, n), soft->spring), velocity);
    power->elastic -= soft->elastic * opening + vec3_dot(soft->spring, velocity);
    if (contact->wall >= 0 && !world_answers_forces(&sim->world, (size_t)contact->b))
        power->boundary -= vec3_dot(force, on_b);
}

static void add_body(const talus_sim *sim, size_t i, struct soft_power *power) {
    const struct bodies *bodies = &sim->world.bodies;
    const struct soft_motion *now = &sim->soft.bodies[i].now;
    vec3 v = bodies->velocity[i], w = bodies->omega[i];
    power->outside += vec3_dot(now->force, v) + vec3_dot(now->torque, w);
    power->moving += bodies->mass[i] * vec3_dot(now->acceleration, v) +
                     bodies->inertia[i] * vec3_dot(now->spin_rate, w);
}

static struct soft_power power_now(const talus_sim *sim) {
    struct soft_power power = {0};
    for (size_t i = 0; i < sim->world.bodies.count; i++)
        if (world_answers_forces(&sim->world, i)) add_body(sim, i, &power);
    for (size_t k = 0; k < sim->detect.contact_count; k++) add_contact(sim, k, &power);
    return power;
}

static double kinetic(const talus_sim *sim) {
    double rotation, translation = sim_energy_kinetic(sim, &rotation);
    return translation + rotation;
}

/* Along the way gone: gravity's work is what the potential loses. */
static double ledger_way(talus_sim *sim) {
    double sum = 0.0;
    for (size_t i = 0; i < sim->world.bodies.count; i++) {
        if (!world_answers_forces(&sim->world, i)) continue;
        const struct soft_body *body = &sim->soft.bodies[i];
        const struct soft_motion *before = &body->before, *now = &body->now;
        double weight = vec3_dot(now->weight, body->shift);
        vec3 force = vec3_scale(0.5, vec3_add(before->force, now->force));
        vec3 torque = vec3_scale(0.5, vec3_add(before->torque, now->torque));
        double all = vec3_dot(force, body->shift) + vec3_dot(torque, body->turn);
        sim->ledger.work_force += all - weight;
        sim->ledger.turnover += fabs(weight) + fabs(all - weight);
        sum += all;
    }
    return sum;
}

/* From the state with kinetic energy `moving` and `stored` in springs to the present one. */
static void ledger_soft(talus_sim *sim, double moving, double stored) {
    struct ledger *ledger = &sim->ledger;
    struct soft *soft = &sim->soft;
    struct soft_power before = soft->power, now = power_now(sim);
    double half = 0.5 * sim->dt, boundary = half * (before.boundary + now.boundary);
    ledger->impact += half * (before.damping + now.damping);
    ledger->sliding += half * (before.slip + now.slip) + soft->cut;
    ledger->work_boundary += boundary;
    ledger->turnover += fabs(boundary);
    ledger->step_loss +=
        half * (before.elastic + now.elastic) - (soft->stored + soft->cut - stored);
    ledger->step_loss += half * (before.moving + now.moving) - (kinetic(sim) - moving);
    ledger->step_loss += ledger_way(sim) - half * (before.outside + now.outside);
    soft->power = now;
}

/* ---- the stages ------------------------------------------------------------------------------ */

static struct velocities present(const talus_sim *sim) {
    const struct bodies *bodies = &sim->world.bodies;
    return (struct velocities){bodies->velocity, bodies->omega, sizeof(vec3)};
}

/* The list must serve to the end of the step; all memory is taken here, before anything moves. */
static talus_status list(talus_sim *sim, talus_error *err) {
    struct detect *detect = &sim->detect;
    double start = clock_seconds();
    TALUS_TRY(sim_reserve_bodies(sim, err));
    TALUS_TRY(detect_reserve(detect, &sim->world, err));
    TALUS_TRY(sim_soft_reserve_bodies(sim, err));
    TALUS_TRY(sim_need_memory(sim, err));
    TALUS_TRY(detect_forms_reserve(detect, &sim->world, err));
    TALUS_TRY(membranes_prepare(&sim->world, err));
    struct velocities velocities = present(sim);
    detect->sort = sim->solver.sweep == TALUS_SWEEP_WINDOWED;
    detect_set_reach(detect, &sim->world, &velocities, sim->dt, false);
    for (size_t i = 0; i < sim->world.bodies.count; i++) /* the second order of the way */
        detect->reach[i] +=
            0.5 * sim->dt * sim->dt * vec3_norm(sim->soft.bodies[i].now.acceleration);
    detect_place_walls(detect, &sim->world);
    bool current = detect->valid && detect->listed_bodies == sim->world.bodies.count;
    if (!current || !detect_covers(detect, &sim->world)) {
        TALUS_TRY(detect_rebuild(detect, &sim->world, err));
        sim->report.rebuilt = true;
    }
    TALUS_TRY(sim_soft_reserve_contacts(sim, err));
    sim->report.seconds_detect += clock_seconds() - start;
    return TALUS_OK;
}

/* After a change from outside: forces as they are now, springs as they were. */
static void refresh(talus_sim *sim) {
    double before = sim->soft.stored;
    sim_soft_forces(sim, 0.0);
    sim->ledger.sliding += sim->soft.cut;
    sim->ledger.input += sim->soft.stored + sim->soft.cut - before;
    sim->soft.power = power_now(sim);
    sim->soft.ready = true;
}

static void predict(talus_sim *sim) {
    for (size_t i = 0; i < sim->world.bodies.count; i++) {
        struct soft_body *body = &sim->soft.bodies[i];
        body->before = body->now;
        if (!integrator_prescribed(&sim->world, (talus_index)i, body, sim->dt))
            sim->soft.integrator->predict(&sim->world, (talus_index)i, body, sim->dt);
    }
    sim->world.time += sim->dt;
    detect_walls_moved(&sim->detect, &sim->world);
}

static void correct(talus_sim *sim) {
    const struct bodies *bodies = &sim->world.bodies;
    struct step_sums *sums = &sim->sums;
    double fastest = 0.0;
    *sums = (struct step_sums){0};
    for (size_t i = 0; i < bodies->count; i++) {
        struct soft_body *body = &sim->soft.bodies[i];
        if (!world_answers_forces(&sim->world, i)) continue;
        sim->soft.integrator->correct(&sim->world, (talus_index)i, body, sim->dt);
        vec3 net = vec3_scale(bodies->mass[i], body->now.acceleration);
        sums->momentum_change = vec3_add_scaled(sums->momentum_change, sim->dt, net);
        sums->applied += sim->dt * vec3_norm(body->now.force);
        if (bodies->kind[i] != TALUS_BODY_GRAIN) continue;
        sums->net_force_sum += vec3_norm(net);
        fastest = fmax(fastest, vec3_norm(bodies->velocity[i]));
    }
    sim->report.speed_max = fastest;
    sim->report.travel_max =
        sim->world.thinnest > 0.0 ? fastest * sim->dt / sim->world.thinnest : 0.0;
}

static talus_status check_finite(const talus_sim *sim, talus_error *err) {
    const struct bodies *bodies = &sim->world.bodies;
    for (size_t i = 0; i < bodies->count; i++) {
        if (isfinite(vec3_norm2(bodies->velocity[i])) && isfinite(vec3_norm2(bodies->omega[i])))
            continue;
        return error_set(err, TALUS_ERR_DIVERGED,
                         "step %lld: the velocity of body %lld is not finite; take a smaller dt",
                         (long long)sim->step, (long long)bodies->gid[i]);
    }
    return TALUS_OK;
}

talus_status sim_soft_step(talus_sim *sim, talus_error *err) {
    if (!sim->soft.ready) TALUS_TRY(sim_soft_check(sim, err));
    TALUS_TRY(list(sim, err));
    if (!sim->soft.ready) refresh(sim);
    double start = clock_seconds(), stored = sim->soft.stored, moving = kinetic(sim);
    predict(sim);
    sim_soft_forces(sim, sim->dt);
    correct(sim);
    ledger_soft(sim, moving, stored);
    ledger_boundaries(sim);
    sim->step++;
    sim->report.rounds = 1;
    sim->report.seconds_solve = clock_seconds() - start;
    return check_finite(sim, err);
}
