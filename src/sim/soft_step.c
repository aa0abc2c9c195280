/* SPDX-License-Identifier: Apache-2.0
 *
 * One time step of molecular dynamics, all of it:
 *
 *     list      pairs that can overlap before the step is over     detect/, sim/soft_near.c
 *     predict   positions at t + dt, velocities for the dashpots   scheme/
 *     pairs     forces of all overlaps, springs moved on           sim/soft_forces.c, soft_kernel.c
 *     bodies    add them up; velocities at t + dt                  sim/soft_forces.c, scheme/
 *     account   energies
 *
 * The ledger. Powers are known at each moment, with the velocities that dampers see; their work in a step is dt times the
 * mean of both ends. What goes into springs is compared with what is in them, what moves bodies with their kinetic
 * energy, what gravity does with the way gone: the differences are the error of the finite step, a term of its own.
 */
#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "sim/sim.h"
#include "sim/soft_rows.h"
#include "world/membrane.h"

/* The near list lasts so many steps at the present speed, as long as that is a small way. */
static const double near_steps = 80.0;
static const double near_share = 0.05; /* of the smallest radius */

static double sum_of(const struct soft_losses *cut) {
    return cut->slip + cut->rolling + cut->torsion + cut->bonds + cut->area;
}

/* From the state before to the present one. */
static void ledger_soft(talus_sim *sim, const struct soft_before *state,
                        const struct soft_body_sums *bodies) {
    struct ledger *ledger = &sim->ledger;
    const struct soft *soft = &sim->soft;
    const struct soft_power *now = &soft->power, *before = &state->power;
    double half = 0.5 * sim->dt, boundary = bodies->boundary;
    ledger->impact += half * (before->damping + now->damping) + soft->cut.area;
    ledger->sliding += half * (before->slip + now->slip) + soft->cut.slip;
    ledger->rolling += half * (before->rolling + now->rolling) + soft->cut.rolling;
    ledger->torsion += half * (before->torsion + now->torsion) + soft->cut.torsion;
    ledger->bonds += soft->cut.bonds;
    ledger->work_boundary += boundary;
    ledger->work_force += bodies->force;
    ledger->turnover += fabs(boundary) + bodies->turnover;
    ledger->step_loss += half * (before->elastic + now->elastic) -
                         (soft->stored + sum_of(&soft->cut) - state->stored);
    ledger->step_loss += half * (before->moving + now->moving) - (soft->kinetic - state->kinetic);
    ledger->step_loss += bodies->way - half * (before->outside + now->outside);
    ledger->step_loss += boundary - half * (before->boundary + now->boundary);
}

/* ---- the stages ------------------------------------------------------------------------------ */

/* Farthest that a derivative beyond the second can bring a body in a step. */
static double further_reach(const talus_sim *sim) {
    double far = 0.0;
    if (!sim->soft.integrator->needs_more) return 0.0;
    for (size_t i = 0; i < sim->world.bodies.count; i++) {
        const struct soft_more *more = &sim->soft.state.more[i];
        double sum = vec3_norm(more->slide_fix);
        for (int n = 0; n < INTEGRATOR_MORE; n++) sum += vec3_norm(more->slide[n]);
        far = fmax(far, sum);
    }
    return far;
}

/* Farthest that turning can bring a point of a grain that is not round; reach[] of those. */
static double turning_reach(talus_sim *sim) {
    const struct bodies *bodies = &sim->world.bodies;
    double far = 0.0, dt = sim->dt;
    for (size_t i = 0; i < bodies->count && sim->world.form_count > 0; i++) {
        if (bodies->form[i] == 0) continue;
        double rate = vec3_norm(sim->soft.state.bodies[i].rates.spin_rate);
        double turn = dt * vec3_norm(bodies->omega[i]) + 0.5 * dt * dt * rate;
        sim->detect.reach[i] = turn * bodies->radius[i];
        far = fmax(far, sim->detect.reach[i]);
    }
    return far;
}

/* How far walls and grains can come in the next step: reach[] of the walls, the result of the grains. */
static double set_reach(talus_sim *sim) {
    struct detect *detect = &sim->detect;
    const struct world *world = &sim->world;
    double dt = sim->dt;
    for (size_t k = 0; k < world->boundary_count; k++) {
        const struct boundary *boundary = &world->boundaries[k];
        struct bodies *bodies = &sim->world.bodies;
        vec3 v = bodies->velocity[boundary->body], w = bodies->omega[boundary->body];
        if (!boundary->is_free) boundary_prescribed(world, boundary, world->time + dt, dt, &v, &w);
        detect_set_wall_reach(detect, world, k, v, w, dt);
        const struct soft_rates *rates = &sim->soft.state.bodies[boundary->body].rates;
        detect->reach[boundary->body] += 0.5 * dt * dt * vec3_norm(rates->acceleration);
    }
    double slide = dt * sim->soft.fastest + 0.5 * dt * dt * sim->soft.acceleration;
    return slide + further_reach(sim) + turning_reach(sim);
}

static double largest_wall_reach(const talus_sim *sim) {
    double largest = 0.0;
    for (size_t k = 0; k < sim->world.boundary_count; k++)
        largest = fmax(largest, sim->detect.reach[sim->world.boundaries[k].body]);
    return largest;
}

/* Before the first step nobody has looked at the grains. */
static void look_at_speed(talus_sim *sim) {
    const struct bodies *bodies = &sim->world.bodies;
    double fastest = 0.0;
    sim_soft_sync(sim);
    for (size_t i = 0; i < bodies->count; i++)
        if (bodies->kind[i] == TALUS_BODY_GRAIN)
            fastest = fmax(fastest, vec3_norm(bodies->velocity[i]));
    sim->soft.fastest = fastest;
}

/* The lists anew, the near one for `range` of relative motion. Grains may go half of it, walls all. */
static talus_status list_anew(talus_sim *sim, double range, talus_error *err) {
    struct detect *detect = &sim->detect;
    const struct bodies *bodies = &sim->world.bodies;
    for (size_t i = 0; i < bodies->count; i++)
        detect->reach[i] = bodies->kind[i] == TALUS_BODY_GRAIN ? 0.5 * range : range;
    detect->sort = DETECT_SLABS; /* for the wave */
    detect->skin_steps = 2.0;    /* of these */
    detect_place_walls(detect, &sim->world);
    bool current = detect->valid && detect->listed_bodies == bodies->count;
    sim_soft_sync(sim);
    sim_soft_keep(sim);
    if (!current || !detect_covers(detect, &sim->world)) {
        sim_soft_publish(sim); /* or nobody could look after a rebuild that memory does not allow */
        sim->soft.near.valid = false;
        TALUS_TRY(detect_rebuild(detect, &sim->world, err));
        sim->report.rebuilt = true;
        for (size_t i = 0; i < bodies->count; i++) /* small cells do not allow wide skins */
            if (bodies->kind[i] == TALUS_BODY_GRAIN) range = fmin(range, 2.0 * detect->skin[i]);
    }
    return sim_soft_near(sim, range, err);
}

/* The lists must serve to the end of the step; all memory is taken here, before anything moves. */
static talus_status list(talus_sim *sim, talus_error *err) {
    double start = clock_seconds();
    struct soft_near *near = &sim->soft.near;
    TALUS_TRY(sim_reserve_bodies(sim, err));
    TALUS_TRY(detect_reserve(&sim->detect, &sim->world, err));
    TALUS_TRY(sim_soft_reserve(sim, err));
    TALUS_TRY(sim_need_memory(sim, err));
    TALUS_TRY(detect_forms_reserve(&sim->detect, &sim->world, err));
    TALUS_TRY(membranes_prepare(&sim->world, err));
    if (!sim->soft.ready) look_at_speed(sim);
    double grains = set_reach(sim), walls = largest_wall_reach(sim);
    double needed = grains + fmax(grains, walls);
    bool current = near->valid && sim->detect.valid && sim->soft.ready &&
                   sim->detect.listed_bodies == sim->world.bodies.count;
    if (!current || needed > near->left) {
        double most = fmax(near_share * sim->world.radius_min, 2.0 * needed);
        TALUS_TRY(list_anew(sim, fmin(near_steps * needed, most), err));
        set_reach(sim); /* of the step again */
    }
    if (sim->soft.wave.parts != (size_t)sim->threads) TALUS_TRY(sim_soft_plan_wave(sim, err));
    near->left -= needed;
    sim->report.seconds_detect += clock_seconds() - start;
    return TALUS_OK;
}

/* Prescribed walls move from the beginning, not from the end of their first step. */
static void start_walls(talus_sim *sim) {
    const struct world *world = &sim->world;
    struct bodies *bodies = &sim->world.bodies;
    for (size_t k = 0; k < world->boundary_count; k++) {
        const struct boundary *boundary = &world->boundaries[k];
        if (boundary->is_free) continue;
        boundary_prescribed(world, boundary, world->time + sim->dt, sim->dt,
                            &bodies->velocity[boundary->body], &bodies->omega[boundary->body]);
    }
}

static void restart(talus_sim *sim) {
    struct soft_body_sums sums;
    start_walls(sim);
    for (size_t i = 0; i < sim->world.bodies.count; i++)
        sim->soft.state.bodies[i].shift = sim->soft.state.bodies[i].turn = vec3_zero();
    detect_place_walls(&sim->detect, &sim->world);
    sim_soft_rows(sim, 0, sim->world.bodies.count);
    sim_soft_pairs(sim, 0.0);
    sim_soft_bodies(sim, 0.0, &sums);
    sim_soft_rows(sim, 0, sim->world.bodies.count); /* with their rates */
}

/* After a change from outside: forces as they are now, springs as they were. */
static void refresh(talus_sim *sim) {
    double before = sim->soft.stored;
    const struct soft_losses *cut = &sim->soft.cut;
    restart(sim);
    sim->ledger.impact += cut->area;
    sim->ledger.sliding += cut->slip;
    sim->ledger.rolling += cut->rolling;
    sim->ledger.torsion += cut->torsion;
    sim->ledger.bonds += cut->bonds;
    sim->ledger.input += sim->soft.stored + sum_of(cut) - before;
    sim->soft.ready = true;
}

static void predict_chunk(talus_sim *sim, size_t first, size_t last) {
    const struct soft *soft = &sim->soft;
    talus_index moved[SOFT_CHUNK];
    size_t count = 0;
    if (soft->plain) {
        soft_rows_predict(soft, first, last, sim->dt);
        return;
    }
    for (size_t row = first; row < last; row++) {
        talus_index i = soft->order[row];
        if (!integrator_prescribed(&sim->world, i, &soft->state.bodies[i], sim->dt))
            moved[count++] = i;
    }
    soft->integrator->predict(&sim->world, &soft->state, moved, count, sim->dt);
    sim_soft_rows(sim, first, last);
}

/* Walls beside grains that go by their rows. */
static void predict_walls(talus_sim *sim) {
    const struct soft *soft = &sim->soft;
    for (size_t k = 0; k < sim->world.boundary_count; k++) {
        talus_index i = sim->world.boundaries[k].body;
        size_t row = (size_t)soft->row_of[i];
        if (!integrator_prescribed(&sim->world, i, &soft->state.bodies[i], sim->dt))
            soft->integrator->predict(&sim->world, &soft->state, &i, 1, sim->dt);
        sim_soft_rows(sim, row, row + 1);
    }
}

static void predict(talus_sim *sim) {
    size_t count = sim->world.bodies.count, chunks = (count + SOFT_CHUNK - 1) / SOFT_CHUNK;
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        size_t last = (chunk + 1) * SOFT_CHUNK;
        predict_chunk(sim, chunk * SOFT_CHUNK, last < count ? last : count);
    }
}

static void walls_go(talus_sim *sim) {
    if (sim->soft.plain) predict_walls(sim);
    sim->world.time += sim->dt;
    detect_walls_moved(&sim->detect, &sim->world);
    detect_place_walls(&sim->detect, &sim->world);
}

/* Predict, pairs, bodies. */
static void grains_go(talus_sim *sim, struct soft_body_sums *bodies) {
    if (sim->soft.wave.on) {
        walls_go(sim);
        sim_soft_run_wave(sim, bodies);
        return;
    }
    predict(sim);
    walls_go(sim);
    sim_soft_pairs(sim, sim->dt);
    sim_soft_bodies(sim, sim->dt, bodies);
}

/* m/s. A step that is too long throws grains ever faster; beyond this their forces and energies have no numbers soon. */
static const double runaway = 1e75;

static bool has_failed(const talus_sim *sim) {
    return !isfinite(sim->soft.kinetic) || !(sim->soft.fastest < runaway);
}

static talus_status say_what_failed(const talus_sim *sim, talus_error *err) {
    const struct bodies *bodies = &sim->world.bodies;
    sim_soft_sync(sim);
    for (size_t i = 0; i < bodies->count; i++) {
        double speed = vec3_norm(bodies->velocity[i]);
        if (speed < runaway && isfinite(vec3_norm2(bodies->omega[i]))) continue;
        return error_set(err, TALUS_ERR_DIVERGED,
                         "step %lld: the velocity of body %lld is not finite, or will not be for "
                         "long; take a smaller dt "
                         "(positions are taken back by the way of the step)",
                         (long long)sim->step + 1, (long long)bodies->gid[i]);
    }
    return error_set(err, TALUS_ERR_DIVERGED,
                     "step %lld: the kinetic energy is not finite; take a smaller dt (positions "
                     "are taken back by the way of the step)",
                     (long long)sim->step + 1);
}

talus_status sim_soft_step(talus_sim *sim, talus_error *err) {
    struct soft *soft = &sim->soft;
    if (!soft->ready) TALUS_TRY(sim_soft_check(sim, err));
    TALUS_TRY(list(sim, err));
    if (!soft->ready) {
        refresh(sim);
        TALUS_TRY(list(sim, err)); /* now that the accelerations are known */
    }
    double start = clock_seconds();
    const struct soft_before before = {sim->world.time, soft->stored, soft->kinetic, soft->power};
    struct soft_body_sums bodies;
    grains_go(sim, &bodies);
    if (has_failed(sim)) {
        talus_status status = say_what_failed(sim, err);
        sim_soft_undo(sim, &before);
        return status;
    }
    ledger_soft(sim, &before, &bodies);
    soft->published->current = false;
    sim->step++;
    sim->report.rounds = 1;
    sim->report.speed_max = soft->fastest;
    if (sim->world.thinnest > 0.0)
        sim->report.travel_max = soft->fastest * sim->dt / sim->world.thinnest;
    sim_soft_watch(sim);
    sim->report.seconds_solve = clock_seconds() - start;
    return TALUS_OK;
}
