/* SPDX-License-Identifier: Apache-2.0
 *
 * One time step of molecular dynamics, all of it:
 *
 *     list      pairs that can overlap before the step is over     detect/
 *     kick      half a step with the forces at t (ledger)
 *     drift     positions at t + dt                                scheme/
 *     forces    of all overlaps, springs moved on                  sim/soft.c, law/
 *     kick      half a step with the forces at t + dt (ledger)
 *
 * The ledger. A kick of dt/2 by a force F changes the kinetic energy by exactly dt/2 F . v_mean, v_mean half way
 * through the kick, v -+ dt/4 a. For contacts this is split into what goes into the springs and what is lost; the
 * springs' energy is known from the overlaps, and what the two differ by is the error of the finite step, a term
 * of its own, like that of gravity's work in the kicks and along the way gone.
 */
#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "sim/sim.h"

/* ---- ledger ---------------------------------------------------------------------------------- */

static void ledger_body(talus_sim *sim, size_t i, double half, double sign) {
    const struct bodies *bodies = &sim->world.bodies;
    const struct soft_motion *now = &sim->soft.bodies[i].now;
    vec3 v = vec3_add_scaled(bodies->velocity[i], 0.5 * sign * half, now->acceleration);
    vec3 w = vec3_add_scaled(bodies->omega[i], 0.5 * sign * half, now->spin_rate);
    sim->ledger.step_loss -= half * (vec3_dot(now->force, v) + vec3_dot(now->torque, w));
}

static vec3 mean_velocity(const talus_sim *sim, talus_index i, vec3 arm, double quarter) {
    const struct soft_motion *now = &sim->soft.bodies[i].now;
    vec3 v = vec3_add_scaled(sim->world.bodies.velocity[i], quarter, now->acceleration);
    vec3 w = vec3_add_scaled(sim->world.bodies.omega[i], quarter, now->spin_rate);
    return vec3_add(v, vec3_cross(w, arm));
}

static void ledger_contact(talus_sim *sim, size_t k, double half, double sign) {
    const struct contact *contact = &sim->detect.contacts[k];
    const struct soft_contact *soft = &sim->soft.contacts[k];
    struct ledger *ledger = &sim->ledger;
    vec3 branch = cell_branch(&sim->world.cell, sim->world.bodies.position[contact->b],
                              sim->world.bodies.position[contact->a]);
    double quarter = 0.5 * sign * half;
    vec3 on_a = mean_velocity(sim, contact->a, contact->arm, quarter);
    vec3 on_b = mean_velocity(sim, contact->b, vec3_add(branch, contact->arm), quarter);
    vec3 n = contact->normal, velocity = vec3_sub(on_b, on_a);
    vec3 force = vec3_scale(1.0 / sim->dt, sim->problem.contacts[k].impulse);
    double push = vec3_dot(force, n), opening = vec3_dot(velocity, n);
    vec3 drag = vec3_tangential(force, n);
    ledger->impact -= half * (push - soft->elastic) * opening;
    ledger->sliding -= half * vec3_dot(vec3_sub(drag, soft->spring), velocity);
    ledger->step_loss -= half * (soft->elastic * opening + vec3_dot(soft->spring, velocity));
    if (contact->wall < 0 || world_answers_forces(&sim->world, (size_t)contact->b)) return;
    double work = -half * vec3_dot(force, on_b);
    ledger->work_boundary += work;
    ledger->turnover += fabs(work);
}

/* The work of all forces in half a step, before (+1) or after (-1) the present velocities. */
static void ledger_kick(talus_sim *sim, double sign) {
    double half = 0.5 * sim->dt;
    for (size_t i = 0; i < sim->world.bodies.count; i++)
        if (world_answers_forces(&sim->world, i)) ledger_body(sim, i, half, sign);
    for (size_t k = 0; k < sim->detect.contact_count; k++) ledger_contact(sim, k, half, sign);
}

/* Along the way gone. */
static void ledger_way(talus_sim *sim, size_t i, const struct leapfrog_way *way) {
    const struct soft_motion *motion = &sim->soft.bodies[i].before;
    double weight = vec3_dot(motion->weight, way->shift);
    double all = vec3_dot(motion->force, way->shift) + vec3_dot(motion->torque, way->turn);
    sim->ledger.work_force += all - weight;
    sim->ledger.step_loss += all;
    sim->ledger.turnover += fabs(weight) + fabs(all - weight);
}

/* What is in the springs now against what was there; what cutting them took is lost by sliding. */
static void ledger_springs(talus_sim *sim, double before) {
    sim->ledger.sliding += sim->soft.cut;
    sim->ledger.step_loss -= sim->soft.stored + sim->soft.cut - before;
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
    sim->soft.ready = true;
}

static void drift(talus_sim *sim) {
    for (size_t i = 0; i < sim->world.bodies.count; i++) {
        struct soft_body *body = &sim->soft.bodies[i];
        body->before = body->now;
        struct leapfrog_way way =
            leapfrog_predict(&sim->world, (talus_index)i, &body->before, sim->dt);
        if (world_answers_forces(&sim->world, i)) ledger_way(sim, i, &way);
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
        const struct soft_body *body = &sim->soft.bodies[i];
        leapfrog_correct(&sim->world, (talus_index)i, &body->before, &body->now, sim->dt);
        if (!world_answers_forces(&sim->world, i)) continue;
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
    TALUS_TRY(sim_soft_check(sim, err));
    TALUS_TRY(list(sim, err));
    if (!sim->soft.ready) refresh(sim);
    double start = clock_seconds(), stored = sim->soft.stored;
    ledger_kick(sim, 1.0);
    drift(sim);
    sim_soft_forces(sim, sim->dt);
    correct(sim);
    ledger_kick(sim, -1.0);
    ledger_springs(sim, stored);
    ledger_boundaries(sim);
    sim->step++;
    sim->report.rounds = 1;
    sim->report.seconds_solve = clock_seconds() - start;
    return check_finite(sim, err);
}
