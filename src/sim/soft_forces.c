/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: the forces of all near pairs, and what the bodies make of them.
 *
 * Both passes run in chunks of fixed size, by any number of threads. Each chunk has sums of its own, added up
 * in order afterwards.
 */
#include <math.h>
#include <string.h>

#include "scheme/implicit_euler.h"
#include "sim/sim.h"
#include "sim/soft_rows.h"
#include "world/membrane.h"

/* ---- rows ------------------------------------------------------------------------------------- */

static void load_row(talus_sim *sim, size_t row) {
    const struct bodies *bodies = &sim->world.bodies;
    talus_index i = sim->soft.order[row];
    struct soft_row *to = &sim->soft.rows[row];
    const struct soft_body *body = &sim->soft.state.bodies[i];
    quat q = bodies->orientation[i];
    sim->soft.images[row] = bodies->image[i];
    row_put(to->position, bodies->position[i]);
    row_put(to->velocity, bodies->velocity[i]);
    row_put(to->omega, bodies->omega[i]);
    row_put(to->shift, body->shift);
    row_put(to->turn, body->turn);
    row_put(to->acceleration, body->rates.acceleration);
    row_put(to->spin_rate, body->rates.spin_rate);
    to->orientation[0] = q.w;
    to->orientation[1] = q.x;
    to->orientation[2] = q.y;
    to->orientation[3] = q.z;
}

void sim_soft_rows(talus_sim *sim, size_t first, size_t last) {
    for (size_t row = first; row < last; row++) load_row(sim, row);
}

/* The bodies of a world whose rows have moved on. */
void sim_soft_sync(const talus_sim *sim) {
    const struct soft *soft = &sim->soft;
    const struct bodies *bodies = &sim->world.bodies;
    if (soft->published == NULL || !soft->published->ahead) return;
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t row = 0; row < soft->row_count; row++) {
        const struct soft_row *from = &soft->rows[row];
        talus_index i = soft->order[row];
        struct soft_body *body = &soft->state.bodies[i];
        if (soft->wall_of[row] >= 0) continue;
        bodies->image[i] = soft->images[row]; /* when the row was filled; it is not wrapped since */
        bodies->position[i] =
            cell_wrap(&sim->world.cell, row_vector(from->position), &bodies->image[i]);
        bodies->velocity[i] = row_vector(from->velocity);
        bodies->omega[i] = row_vector(from->omega);
        bodies->orientation[i] = (quat){from->orientation[0], from->orientation[1],
                                        from->orientation[2], from->orientation[3]};
        body->shift = row_vector(from->shift);
        body->turn = row_vector(from->turn);
        body->rates =
            (struct soft_rates){row_vector(from->acceleration), row_vector(from->spin_rate)};
    }
    soft->published->ahead = false;
}

/* ---- pairs ------------------------------------------------------------------------------------ */

static void add_sums(struct soft_sums *to, const struct soft_sums *from) {
    to->stored += from->stored;
    to->cut += from->cut;
    to->damping += from->damping;
    to->elastic += from->elastic;
    to->slip += from->slip;
    to->touching += from->touching;
    to->starts += from->starts;
    to->start_speed = fmax(to->start_speed, from->start_speed);
    if (from->pass.share > to->pass.share) to->pass = from->pass;
    to->deepest = fmax(to->deepest, from->deepest);
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* ---- walls ------------------------------------------------------------------------------------ */

/* From the point of the wall to the contact point. */
static vec3 arm_of_wall(const talus_sim *sim, size_t slot) {
    const struct soft *soft = &sim->soft;
    const struct soft_block *block = &soft->near.blocks[slot / SOFT_LANES];
    size_t l = slot % SOFT_LANES;
    const struct soft_row *a = &soft->rows[block->a[l]], *b = &soft->rows[block->b[l]];
    vec3 normal = vec3_make(block->normal[0][l], block->normal[1][l], block->normal[2][l]);
    vec3 centre = cell_branch(&sim->world.cell, row_vector(b->position), row_vector(a->position));
    return vec3_add_scaled(centre, soft->near.entries[slot].part[SOFT_FORCE][SOFT_ARM], normal);
}

/* What a contact does to its boundary, and the power of prescribed ones. */
static void press_wall(const talus_sim *sim, size_t slot, vec3 arm, vec3 torque,
                       struct soft_wall_sum *sum) {
    const struct soft *soft = &sim->soft;
    const struct soft_entry *entry = &soft->near.entries[slot];
    const struct soft_block *block = &soft->near.blocks[slot / SOFT_LANES];
    int32_t row = block->b[slot % SOFT_LANES];
    const struct soft_row *b = &soft->rows[row];
    vec3 force = row_vector(entry->part[SOFT_FORCE]);
    sum->force = vec3_add(sum->force, force);
    sum->torque = vec3_add(sum->torque, vec3_add(vec3_cross(arm, force), torque));
    if (world_answers_forces(&sim->world, (size_t)sim->world.boundaries[soft->wall_of[row]].body))
        return;
    vec3 velocity = vec3_add(row_vector(b->velocity), vec3_cross(row_vector(b->omega), arm));
    sum->power -= vec3_dot(force, velocity) + vec3_dot(torque, row_vector(b->omega));
}

static int32_t wall_of_slot(const struct soft *soft, size_t slot) {
    return soft->wall_of[soft->near.blocks[slot / SOFT_LANES].b[slot % SOFT_LANES]];
}

static struct soft_wall_sum *wall_sums(const talus_sim *sim, size_t chunk) {
    size_t first = sim->soft.near.first_chunk[SOFT_WALLS_LINEAR];
    return sim->soft.wall_sums + (chunk - first) * sim->world.boundary_count;
}

/* Of the pairs in the blocks from `first` to before `last`. */
static void press_walls(const talus_sim *sim, size_t chunk, size_t first, size_t last) {
    const struct soft_near *near = &sim->soft.near;
    struct soft_wall_sum *sums = wall_sums(sim, chunk);
    memset(sums, 0, sim->world.boundary_count * sizeof *sums);
    for (size_t slot = first * SOFT_LANES; slot < last * SOFT_LANES; slot++)
        if (near->entries[slot].part[SOFT_FORCE][SOFT_ARM] != 0.0)
            press_wall(sim, slot, arm_of_wall(sim, slot), vec3_zero(),
                       &sums[wall_of_slot(&sim->soft, slot)]);
}

static void add_wall_sum(talus_sim *sim, size_t wall, const struct soft_wall_sum *sum) {
    struct boundary *boundary = &sim->world.boundaries[wall];
    boundary->force = vec3_add(boundary->force, sum->force);
    boundary->torque = vec3_add(boundary->torque, sum->torque);
    sim->soft.power.boundary += sum->power;
}

/* ---- all pairs --------------------------------------------------------------------------------- */

void sim_soft_press(talus_sim *sim, size_t chunk) {
    struct soft *soft = &sim->soft;
    const struct soft_near *near = &soft->near;
    const struct soft_blocks list = {.rows = soft->rows,
                                     .blocks = near->blocks,
                                     .laws = near->laws,
                                     .laws_of = near->laws_of,
                                     .slip_stiffness = near->slip_stiffness,
                                     .entries = near->entries,
                                     .cell = &sim->world.cell};
    enum soft_class class = sim_soft_class(near, chunk);
    struct soft_range range = sim_soft_blocks(near, chunk);
    bool hertz = class == SOFT_GRAINS_HERTZ || class == SOFT_WALLS_HERTZ;
    enum soft_kind kind = hertz ? SOFT_HERTZ : SOFT_LINEAR;
    if (class == SOFT_GRAINS_LINEAR || class == SOFT_GRAINS_HERTZ) {
        soft->pair_sums[chunk] = soft_kernel_grains(&list, range.first, range.last, kind);
        return;
    }
    soft->pair_sums[chunk] =
        soft_kernel_walls(&list, range.first, range.last, kind, sim->detect.walls, soft->wall_of);
    press_walls(sim, chunk, range.first, range.last);
}

static void press_general(talus_sim *sim, double dt, struct soft_sums *sum) {
    const struct soft_near *near = &sim->soft.near;
    struct soft_general_sums sums = {0};
    size_t first = near->first[SOFT_GENERAL] * SOFT_LANES;
    for (size_t slot = first; slot < near->first[SOFT_CLASSES] * SOFT_LANES; slot++) {
        if (near->candidate[slot] < 0) continue;
        sim_soft_general(sim, slot, dt, &sums);
        int32_t wall = wall_of_slot(&sim->soft, slot);
        const struct soft_general *general = &near->general[slot - first];
        if (wall < 0 || !general->touches) continue;
        struct soft_wall_sum on_wall = {.power = 0.0};
        press_wall(sim, slot, general->arm_b, general->torque, &on_wall);
        add_wall_sum(sim, (size_t)wall, &on_wall);
    }
    add_sums(sum, &sums.sums);
    sim->soft.power.rolling = sums.power.rolling;
    sim->soft.power.torsion = sums.power.torsion;
    sim->soft.cut = sums.cut;
    sim->record.bonds_broken += sums.broken;
}

/* Chunks in their order, whoever has done them. */
static void add_chunks(talus_sim *sim, struct soft_sums *sum) {
    const size_t *first = sim->soft.near.first_chunk;
    for (size_t k = 0; k < first[SOFT_GENERAL]; k++) add_sums(sum, &sim->soft.pair_sums[k]);
    for (size_t k = first[SOFT_WALLS_LINEAR]; k < first[SOFT_GENERAL]; k++)
        for (size_t wall = 0; wall < sim->world.boundary_count; wall++)
            add_wall_sum(sim, wall, &wall_sums(sim, k)[wall]);
}

void sim_soft_pairs_done(talus_sim *sim, double dt) {
    struct soft *soft = &sim->soft;
    struct soft_sums sum = {0};
    soft->power = (struct soft_power){0};
    for (size_t k = 0; k < sim->world.boundary_count; k++)
        sim->world.boundaries[k].force = sim->world.boundaries[k].torque = vec3_zero();
    add_chunks(sim, &sum);
    press_general(sim, dt, &sum);
    for (size_t k = 0; k < sim->world.boundary_count; k++) {
        struct boundary *boundary = &sim->world.boundaries[k];
        boundary->impulse = vec3_add_scaled(boundary->impulse, dt, boundary->force);
    }
    soft->stored = sum.stored;
    soft->cut.slip = sum.cut;
    soft->power.damping = sum.damping;
    soft->power.elastic = sum.elastic;
    soft->power.slip = sum.slip;
    if (dt > 0.0) {
        soft->starts += (int64_t)sum.starts;
        soft->start_speed = fmax(soft->start_speed, sum.start_speed);
        if (sum.pass.share > soft->pass.share) soft->pass = sum.pass;
        soft->deepest = fmax(soft->deepest, sum.deepest);
    }
    sim->detect.contact_count = sim->problem.contact_count = (size_t)sum.touching;
}

void sim_soft_pairs(talus_sim *sim, double dt) {
    if (sim->detect.has_forms) detect_overlaps(&sim->detect, &sim->world);
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t chunk = 0; chunk < sim->soft.near.first_chunk[SOFT_GENERAL]; chunk++)
        sim_soft_press(sim, chunk);
    sim_soft_pairs_done(sim, dt);
}

/* ---- bodies ----------------------------------------------------------------------------------- */

struct load {
    vec3 force, torque;
};

/* What the contacts do to the grain of a row. */
static struct load contact_load(const talus_sim *sim, size_t row) {
    const struct soft_near *near = &sim->soft.near;
    size_t general = near->first[SOFT_GENERAL] * SOFT_LANES;
    size_t end = near->first[SOFT_CLASSES] * SOFT_LANES;
    double fx = 0.0, fy = 0.0, fz = 0.0, tx = 0.0, ty = 0.0, tz = 0.0;
    for (size_t k = near->incident_first[row]; k < near->incident_first[row + 1]; k++) {
        size_t slot = near->incident[k] >> 1;
        bool is_b = near->incident[k] & 1;
        const struct soft_entry *entry = &near->entries[slot];
        double sign = is_b ? 1.0 : -1.0,
               arm = is_b ? entry->part[SOFT_COUPLE][SOFT_ARM] : entry->part[SOFT_FORCE][SOFT_ARM];
        fx += sign * entry->part[SOFT_FORCE][0];
        fy += sign * entry->part[SOFT_FORCE][1];
        fz += sign * entry->part[SOFT_FORCE][2];
        tx -= arm * entry->part[SOFT_COUPLE][0];
        ty -= arm * entry->part[SOFT_COUPLE][1];
        tz -= arm * entry->part[SOFT_COUPLE][2];
        if (slot < general || slot >= end) continue;
        vec3 torque = near->general[slot - general].turns[is_b];
        tx += torque.x;
        ty += torque.y;
        tz += torque.z;
    }
    return (struct load){{fx, fy, fz}, {tx, ty, tz}};
}

static vec3 weight_of(const struct world *world, talus_index i) {
    uint32_t locks = world->bodies.locks[i];
    vec3 weight = vec3_scale(world->bodies.mass[i], world->gravity);
    if (locks & TALUS_LOCK_X) weight.x = 0.0;
    if (locks & TALUS_LOCK_Y) weight.y = 0.0;
    if (locks & TALUS_LOCK_Z) weight.z = 0.0;
    return weight;
}

/* What a chunk of rows is about. */
struct moved {
    struct soft_rates rates[SOFT_CHUNK];
    vec3 weight[SOFT_CHUNK]; /* N */
    struct soft_body_sums sums;
};

/* Any body; forces from outside are kept for the work along the way. */
static void move_any(talus_sim *sim, size_t row, struct moved *to, size_t k,
                     struct soft_outside *outside) {
    const struct world *world = &sim->world;
    const struct bodies *bodies = &world->bodies;
    talus_index i = sim->soft.order[row];
    int32_t wall = sim->soft.wall_of[row];
    *outside = (struct soft_outside){vec3_zero(), vec3_zero()};
    to->weight[k] = to->rates[k].acceleration = to->rates[k].spin_rate = vec3_zero();
    if (!world_answers_forces(world, (size_t)i)) return;
    struct load load = {vec3_zero(), vec3_zero()};
    if (wall < 0)
        load = contact_load(sim, row);
    else
        load = (struct load){world->boundaries[wall].force, world->boundaries[wall].torque};
    if (wall < 0 && !world_has_forces(world)) {
        to->weight[k] = weight_of(world, i);
    } else {
        struct free_motion motion = euler_predict(world, i, 0.0);
        to->weight[k] = motion.weight;
        *outside = (struct soft_outside){vec3_sub(motion.force, motion.weight), motion.torque};
    }
    vec3 given = vec3_add(outside->force, to->weight[k]);
    struct soft_rates *rates = &to->rates[k];
    rates->acceleration = integrator_acceleration(world, i, vec3_add(load.force, given));
    rates->spin_rate = integrator_spin_rate(world, i, vec3_add(load.torque, outside->torque));
    vec3 v = bodies->velocity[i], w = bodies->omega[i];
    to->sums.outside += vec3_dot(given, v) + vec3_dot(outside->torque, w);
    to->sums.moving += bodies->mass[i] * vec3_dot(rates->acceleration, v) +
                       bodies->inertia[i] * vec3_dot(rates->spin_rate, w);
}

/* Work of external forces other than the weight along the way of the step. */
static void add_outside(talus_sim *sim, talus_index i, struct soft_outside now,
                        struct soft_body_sums *sums) {
    const struct soft_body *body = &sim->soft.state.bodies[i];
    struct soft_outside *before = &sim->soft.outside[i];
    vec3 force = vec3_scale(0.5, vec3_add(before->force, now.force));
    vec3 torque = vec3_scale(0.5, vec3_add(before->torque, now.torque));
    double work = vec3_dot(force, body->shift) + vec3_dot(torque, body->turn);
    sums->way += work;
    sums->force += work;
    sums->turnover += fabs(work);
}

/* After the corrector: the work of gravity, which is what the potential loses, and the motion there is now. */
static void add_motion(const talus_sim *sim, size_t row, vec3 weight, struct soft_body_sums *sums) {
    talus_index i = sim->soft.order[row];
    const struct soft_row *body = &sim->soft.rows[row];
    const struct soft_body *state = &sim->soft.state.bodies[i];
    double down = vec3_dot(weight, state->shift);
    double speed2 = vec3_norm2(sim->world.bodies.velocity[i]);
    sums->way += down;
    sums->turnover += fabs(down);
    if (sim->world.bodies.inverse_mass[i] > 0.0) sums->kinetic += 0.5 * body->mass * speed2;
    if (body->inverse_inertia > 0.0)
        sums->kinetic += 0.5 * body->inertia * vec3_norm2(sim->world.bodies.omega[i]);
    if (sim->soft.wall_of[row] >= 0) return;
    double rate2 = vec3_norm2(state->rates.acceleration);
    if (speed2 > sums->fastest2) sums->fastest2 = speed2;
    if (rate2 > sums->acceleration2) sums->acceleration2 = rate2;
}

/* Any bodies, by their rows. With dt = 0 they stay where they are. */
static void move_rows(talus_sim *sim, size_t first, size_t last, double dt, struct moved *to) {
    struct soft *soft = &sim->soft;
    struct soft_outside outside;
    const talus_index *bodies = soft->order + first;
    to->sums = (struct soft_body_sums){0};
    for (size_t row = first; row < last; row++) {
        move_any(sim, row, to, row - first, &outside);
        if (dt > 0.0 && world_answers_forces(&sim->world, (size_t)soft->order[row]))
            add_outside(sim, soft->order[row], outside, &to->sums);
        if (world_answers_forces(&sim->world, (size_t)soft->order[row]))
            soft->outside[soft->order[row]] = outside;
    }
    if (dt > 0.0)
        soft->integrator->correct(&sim->world, &soft->state, bodies, to->rates, last - first, dt);
    for (size_t row = first; row < last; row++) {
        soft->state.bodies[soft->order[row]].rates = to->rates[row - first];
        add_motion(sim, row, to->weight[row - first], &to->sums);
    }
}

/* Grains that are free to move have the shorter way. */
void sim_soft_move(talus_sim *sim, size_t chunk, double dt) {
    struct soft_body_sums *sums = &sim->soft.body_sums[chunk];
    size_t first = chunk * SOFT_CHUNK, last = smaller(first + SOFT_CHUNK, sim->world.bodies.count);
    struct moved moved;
    if (sim->soft.plain && dt > 0.0) {
        *sums = soft_rows_move(&sim->soft, sim->world.gravity, first, last, dt);
        return;
    }
    move_rows(sim, first, last, dt, &moved);
    *sums = moved.sums;
}

/* Of prescribed walls, by the mean of the forces at both ends of their way; these are kept in `outside`. */
static double wall_work(talus_sim *sim, double dt) {
    double sum = 0.0;
    for (size_t k = 0; k < sim->world.boundary_count; k++) {
        const struct boundary *boundary = &sim->world.boundaries[k];
        if (world_answers_forces(&sim->world, (size_t)boundary->body)) continue;
        const struct soft_body *body = &sim->soft.state.bodies[boundary->body];
        struct soft_outside *before = &sim->soft.outside[boundary->body];
        vec3 force = vec3_add(before->force, boundary->force);
        vec3 torque = vec3_add(before->torque, boundary->torque);
        if (dt > 0.0) sum -= 0.5 * (vec3_dot(force, body->shift) + vec3_dot(torque, body->turn));
        *before = (struct soft_outside){boundary->force, boundary->torque};
    }
    return sum;
}

static void add_body_sums(struct soft_body_sums *to, const struct soft_body_sums *from) {
    to->outside += from->outside;
    to->moving += from->moving;
    to->way += from->way;
    to->force += from->force;
    to->turnover += from->turnover;
    to->kinetic += from->kinetic;
    to->fastest2 = fmax(to->fastest2, from->fastest2);
    to->acceleration2 = fmax(to->acceleration2, from->acceleration2);
}

/* Walls beside grains that have gone the shorter way. */
static void move_walls(talus_sim *sim, double dt, struct soft_body_sums *sums) {
    struct moved moved;
    for (size_t k = 0; k < sim->world.boundary_count; k++) {
        size_t row = (size_t)sim->soft.row_of[sim->world.boundaries[k].body];
        move_rows(sim, row, row + 1, dt, &moved);
        add_body_sums(sums, &moved.sums);
    }
}

void sim_soft_bodies_done(talus_sim *sim, double dt, struct soft_body_sums *sums) {
    struct soft *soft = &sim->soft;
    *sums = (struct soft_body_sums){0};
    for (size_t chunk = 0; chunk < sim_soft_chunks(sim); chunk++)
        add_body_sums(sums, &soft->body_sums[chunk]);
    if (soft->plain && dt > 0.0) move_walls(sim, dt, sums);
    sums->boundary = wall_work(sim, dt);
    if (soft->plain && dt > 0.0) soft->published->ahead = true;
    soft->power.outside = sums->outside;
    soft->power.moving = sums->moving;
    soft->kinetic = sums->kinetic;
    soft->fastest = sqrt(sums->fastest2);
    soft->acceleration = sqrt(sums->acceleration2);
}

void sim_soft_bodies(talus_sim *sim, double dt, struct soft_body_sums *sums) {
    membranes_press(&sim->world, sim->world.time);
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t chunk = 0; chunk < sim_soft_chunks(sim); chunk++) sim_soft_move(sim, chunk, dt);
    sim_soft_bodies_done(sim, dt, sums);
}
