/* SPDX-License-Identifier: Apache-2.0
 *
 * One time step of Contact Dynamics, all of it (soft grains: soft_step.c):
 *
 *     predict   free velocities of all bodies; membranes press       scheme/, world/membrane.c
 *     detect    candidates (made anew if needed), then contacts     detect/
 *     build     the frictional contact problem                      sim/problem_build.c
 *     solve     its impulses and the new velocities                 solve/
 *     check     would any other candidate have closed? then again   detect/
 *               has friction or restitution changed its mind? again  sim/contact_laws.c
 *     account   energies, forces on boundaries                      sim/ledger.c
 *     project   displacements that undo overlaps, if asked for       sim/project.c
 *     advance   positions and orientations                          scheme/
 */
#include <math.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/error.h"
#include "scheme/implicit_euler.h"
#include "sim/sim.h"
#include "world/membrane.h"

/* A round that turns out to have missed a contact is thrown away and solved again with it, from the same
 * first guess, so the result is as if the contact had been there from the start. The same is done when a
 * contact held by static friction slips, or restitution has to be judged anew. Each contact changes its
 * mind a few times at most, but in a large avalanche one may follow the other for long. */
enum { ROUNDS_MAX = 24 };

static struct velocities rows(const talus_sim *sim) {
    const struct solve_body *first = sim->problem.bodies;
    return (struct velocities){&first->velocity, &first->omega, sizeof *first};
}

static talus_status detect(talus_sim *sim, bool again, talus_error *err) {
    struct detect *detect = &sim->detect;
    struct velocities velocities = rows(sim);
    double start = clock_seconds();
    talus_sweep sweep = sim->solver.sweep;
    bool sort =
        sweep == TALUS_SWEEP_WINDOWED || sweep == TALUS_SWEEP_BATCHED || sweep == TALUS_SWEEP_AUTO;
    detect->sort = sort ? DETECT_CURVE : DETECT_NUMBERS;
    detect_set_reach(detect, &sim->world, &velocities, sim->dt, again);
    detect_place_walls(detect, &sim->world);
    bool current = detect->valid && detect->listed_bodies == sim->world.bodies.count &&
                   detect->sorted == detect->sort;
    if (!current || !detect_covers(detect, &sim->world)) {
        TALUS_TRY(detect_rebuild(detect, &sim->world, err));
        sim->report.rebuilt = true;
        again = false;
    }
    if (detect->has_forms && !again) detect_forms_place(detect, &sim->world);
    TALUS_TRY(detect_contacts(detect, &sim->world, &velocities, sim->dt, err));
    sim->report.seconds_detect += clock_seconds() - start;
    return TALUS_OK;
}

static talus_status build(talus_sim *sim, talus_error *err) {
    double start = clock_seconds();
    TALUS_TRY(sim_build_problem(sim, err));
    problem_start(&sim->problem);
    sim->report.seconds_build += clock_seconds() - start;
    return TALUS_OK;
}

static void solve(talus_sim *sim) {
    double start = clock_seconds();
    struct solve_key key = {sim->seed, (uint64_t)sim->solved};
    sim->work.threads = sim->threads;
    struct solve_report report = solver_solve(&sim->problem, &sim->solver, &sim->work, key);
    sim->report.sweeps = report.sweeps;
    sim->report.updates += report.updates;
    sim->report.islands = sim->problem.contact_count > 0 ? report.islands : 0;
    sim->report.restarts = report.restarts;
    sim->report.fallbacks = report.fallbacks;
    sim->report.handovers += report.handovers;
    sim->report.handover_sweeps += report.handover_sweeps;
    sim->report.factor_turns += report.factor_turns;
    sim->report.factor_steps += report.factor_steps;
    sim->report.converged = report.converged;
    sim->report.residual = report.residual;
    sim->report.balance = report.balance;
    sim->report.rounds++;
    sim->report.seconds_solve += clock_seconds() - start;
}

/* No candidate left out would close, and no body left its skin. */
static bool is_complete(talus_sim *sim) {
    struct velocities velocities = rows(sim);
    detect_set_reach(&sim->detect, &sim->world, &velocities, sim->dt, true);
    size_t missed = detect_missed(&sim->detect, &sim->world, &velocities, sim->dt);
    return missed == 0 && detect_covers(&sim->detect, &sim->world);
}

static talus_status check_finite(const talus_sim *sim, talus_error *err) {
    for (size_t i = 0; i < sim->problem.body_count; i++) {
        const struct solve_body *row = &sim->problem.bodies[i];
        /* The squares too: an energy that overflows is as lost as a velocity. */
        if (isfinite(vec3_norm2(row->velocity)) && isfinite(vec3_norm2(row->omega))) continue;
        return error_set(
            err, TALUS_ERR_DIVERGED,
            "step %lld: the velocity of body %lld is not finite; the state of the step "
            "before is kept",
            (long long)sim->step + 1, (long long)sim->world.bodies.gid[i]);
    }
    return TALUS_OK;
}

static void advance(talus_sim *sim) {
    struct world *world = &sim->world;
    double fastest = 0.0;
    for (size_t i = 0; i < world->bodies.count; i++) {
        const struct solve_body *row = &sim->problem.bodies[i];
        if (world->bodies.kind[i] == TALUS_BODY_GRAIN)
            fastest = fmax(fastest, vec3_norm(row->velocity));
        euler_advance(world, (talus_index)i, row->velocity, row->omega, sim->dt);
    }
    if (sim->solver.gap == TALUS_GAP_PROJECTED) sim_apply_projection(sim);
    sim->solved++;
    world->time += sim->dt;
    detect_walls_moved(&sim->detect, world);
    detect_clear_activated(&sim->detect);
    sim->report.speed_max = fastest;
    sim->report.travel_max = world->thinnest > 0.0 ? fastest * sim->dt / world->thinnest : 0.0;
}

static void finish_report(talus_sim *sim, double start) {
    talus_step_report *report = &sim->report;
    report->time = sim->world.time;
    report->candidates = (int64_t)sim->detect.candidate_count;
    report->contacts = (int64_t)sim->detect.contact_count;
    report->closed = 0;
    if (sim->method == TALUS_METHOD_MD) report->closed = report->contacts;
    for (size_t k = 0; k < sim->problem.contact_count && sim->method == TALUS_METHOD_CD; k++)
        if (vec3_norm2(sim->problem.contacts[k].impulse) > 0.0) report->closed++;
    report->seconds_other = clock_seconds() - start - report->seconds_detect -
                            report->seconds_build - report->seconds_solve;
    struct run_record *record = &sim->record;
    record->steps++;
    if (report->contacts > 0) record->steps_with_contacts++;
    record->sweeps += report->sweeps;
    if (!report->converged) record->not_converged++;
    if (report->rounds > 1) record->resolved++;
    record->residual_max = fmax(record->residual_max, report->residual);
    if (report->contacts > 0 && report->balance < 0.0) record->not_balanced++;
    record->balance_max = fmax(record->balance_max, report->balance);
    record->travel_max = fmax(record->travel_max, report->travel_max);
}

/* Rounds of predict, detect, build, solve until the check is passed. */
static talus_status find_impulses(talus_sim *sim, talus_error *err) {
    TALUS_TRY(sim_reserve_bodies(sim, err));
    TALUS_TRY(detect_reserve(&sim->detect, &sim->world, err));
    TALUS_TRY(sim_need_memory(sim, err));
    TALUS_TRY(detect_forms_reserve(&sim->detect, &sim->world, err));
    TALUS_TRY(membranes_prepare(&sim->world, err));
    membranes_press(&sim->world, sim->world.time + sim->dt);
    for (sim->round = 0; sim->round < ROUNDS_MAX; sim->round++) {
        sim_predict(sim);
        TALUS_TRY(detect(sim, sim->round > 0, err));
        TALUS_TRY(build(sim, err));
        solve(sim);
        TALUS_TRY(check_finite(sim, err));
        if (!is_complete(sim)) continue;
        if (sim_laws_look(sim) == 0) return TALUS_OK;
    }
    sim->report.converged = false;
    return TALUS_OK;
}

/* After a failed step: contacts as they stand, with the impulses of the last good step. */
static void look_again(talus_sim *sim) {
    if (sim_reserve_bodies(sim, NULL) >= 0 &&
        detect_reserve(&sim->detect, &sim->world, NULL) >= 0) {
        sim_predict(sim);
        if (sim_need_memory(sim, NULL) >= 0 &&
            detect_forms_reserve(&sim->detect, &sim->world, NULL) >= 0 &&
            detect(sim, false, NULL) >= 0 && sim_build_problem(sim, NULL) >= 0)
            return;
    }
    sim->detect.contact_count = sim->problem.contact_count = 0;
}

/* Rigid grains: Contact Dynamics. */
static talus_status rigid_step(talus_sim *sim, talus_error *err) {
    talus_status status = find_impulses(sim, err);
    if (status < 0) {
        look_again(sim);
        return status;
    }
    sim_keep_impulses(sim);
    if (sim->report.residual < 0.0) sim->report.residual = problem_residual(&sim->problem);
    sim->report.penetration_new = problem_penetration(&sim->problem, sim->dt);
    sim_laws_finish(sim);
    ledger_step(sim);
    ledger_boundaries(sim);
    if (sim->solver.gap == TALUS_GAP_PROJECTED) sim_project(sim);
    advance(sim);
    return TALUS_OK;
}

static talus_status substep(talus_sim *sim, talus_error *err) {
    double start = clock_seconds();
    talus_step_report last = sim->report;
    sim->report = (talus_step_report){.converged = true, .balance = -1.0};
    bool soft = sim->method == TALUS_METHOD_MD;
    talus_status status = soft ? sim_soft_step(sim, err) : rigid_step(sim, err);
    if (status < 0)
        sim->report = last;
    else
        finish_report(sim, start);
    return status;
}

/* `to` becomes the report of all substeps up to it. */
static void add_before(talus_step_report *to, const talus_step_report *before) {
    to->sweeps += before->sweeps;
    to->updates += before->updates;
    to->rounds += before->rounds;
    to->restarts += before->restarts;
    to->fallbacks += before->fallbacks;
    to->handovers += before->handovers;
    to->handover_sweeps += before->handover_sweeps;
    to->factor_turns += before->factor_turns;
    to->factor_steps += before->factor_steps;
    to->switched += before->switched;
    to->impacts += before->impacts;
    to->softened += before->softened;
    to->converged = to->converged && before->converged;
    to->residual = fmax(to->residual, before->residual);
    to->balance = fmax(to->balance, before->balance);
    to->penetration_new = fmax(to->penetration_new, before->penetration_new);
    to->speed_max = fmax(to->speed_max, before->speed_max);
    to->travel_max = fmax(to->travel_max, before->travel_max);
    to->rebuilt = to->rebuilt || before->rebuilt;
    to->seconds_detect += before->seconds_detect;
    to->seconds_build += before->seconds_build;
    to->seconds_solve += before->seconds_solve;
    to->seconds_other += before->seconds_other;
}

talus_status talus_sim_step(talus_sim *sim, talus_step_report *report, talus_error *err) {
    for (int k = 0; k < sim_substeps(sim); k++) {
        talus_step_report before = sim->report;
        TALUS_TRY(substep(sim, err));
        if (k > 0) add_before(&sim->report, &before);
    }
    if (sim->method == TALUS_METHOD_CD) sim->step++;
    sim->report.step = sim->step;
    if (report != NULL) *report = sim->report;
    if (!sim->report.converged) return TALUS_WARN_NOT_CONVERGED;
    return sim->report.travel_max > TALUS_TRAVEL_LIMIT ? TALUS_WARN_TIME_STEP : TALUS_OK;
}
