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

/* ---- rows ------------------------------------------------------------------------------------- */

static void put(double to[3], vec3 from) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

void sim_soft_rows(talus_sim *sim) {
    struct soft *soft = &sim->soft;
    const struct bodies *bodies = &sim->world.bodies;
    size_t count = bodies->count;
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t row = 0; row < count; row++) {
        talus_index i = soft->order[row];
        struct soft_row *to = &soft->rows[row];
        to->radius = bodies->radius[i];
        put(to->position, bodies->position[i]);
        put(to->velocity, bodies->velocity[i]);
        put(to->omega, bodies->omega[i]);
        put(to->shift, soft->state.bodies[i].shift);
        put(to->turn, soft->state.bodies[i].turn);
    }
    soft->rows[count] = (struct soft_row){.radius = -1e30}; /* for empty lanes */
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
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static void press_class(talus_sim *sim, enum soft_class class, struct soft_sums *sum) {
    struct soft *soft = &sim->soft;
    const struct soft_near *near = &soft->near;
    const struct soft_blocks list = {soft->rows, near->blocks, near->entries, &sim->world.cell};
    size_t first = near->first[class], last = near->first[class + 1];
    size_t chunks = (last - first + SOFT_CHUNK_BLOCKS - 1) / SOFT_CHUNK_BLOCKS;
    bool hertz = class == SOFT_GRAINS_HERTZ || class == SOFT_WALLS_HERTZ;
    enum soft_kind kind = hertz ? SOFT_HERTZ : SOFT_LINEAR;
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        size_t from = first + chunk * SOFT_CHUNK_BLOCKS,
               to = smaller(from + SOFT_CHUNK_BLOCKS, last);
        soft->pair_sums[chunk] =
            class == SOFT_GRAINS_LINEAR || class == SOFT_GRAINS_HERTZ
                ? soft_kernel_grains(&list, from, to, kind)
                : soft_kernel_walls(&list, from, to, kind, sim->detect.walls, soft->wall_of);
    }
    for (size_t chunk = 0; chunk < chunks; chunk++) add_sums(sum, &soft->pair_sums[chunk]);
}

/* ---- walls ------------------------------------------------------------------------------------ */

static vec3 vector(const double a[3]) {
    return vec3_make(a[0], a[1], a[2]);
}

/* Forces on boundaries, and the power of prescribed ones. */
static void press_wall(talus_sim *sim, size_t slot, vec3 torque) {
    const struct soft *soft = &sim->soft;
    const struct soft_entry *entry = &soft->near.entries[slot];
    const struct soft_block *block = &soft->near.blocks[slot / SOFT_LANES];
    size_t l = slot % SOFT_LANES;
    const struct soft_row *a = &soft->rows[block->a[l]], *b = &soft->rows[block->b[l]];
    struct boundary *boundary = &sim->world.boundaries[soft->wall_of[block->b[l]]];
    vec3 normal = vec3_make(block->normal[0][l], block->normal[1][l], block->normal[2][l]);
    vec3 centre = cell_branch(&sim->world.cell, vector(b->position), vector(a->position));
    vec3 arm = vec3_add_scaled(centre, entry->arm_a, normal), force = vector(entry->force);
    boundary->force = vec3_add(boundary->force, force);
    boundary->torque = vec3_add(boundary->torque, vec3_add(vec3_cross(arm, force), torque));
    if (world_answers_forces(&sim->world, (size_t)boundary->body)) return;
    vec3 velocity = vec3_add(vector(b->velocity), vec3_cross(vector(b->omega), arm));
    sim->soft.power.boundary -=
        vec3_dot(force, velocity) + vec3_dot(torque, vector(b->omega));
}

static void press_walls(talus_sim *sim) {
    const struct soft_near *near = &sim->soft.near;
    for (size_t slot = near->first[SOFT_WALLS_LINEAR] * SOFT_LANES;
         slot < near->first[SOFT_GENERAL] * SOFT_LANES; slot++)
        if (near->entries[slot].arm_a != 0.0) press_wall(sim, slot, vec3_zero());
}

/* ---- all pairs --------------------------------------------------------------------------------- */

static void press_general(talus_sim *sim, double dt, struct soft_sums *sum) {
    const struct soft_near *near = &sim->soft.near;
    struct soft_general_sums sums = {0};
    size_t first = near->first[SOFT_GENERAL] * SOFT_LANES;
    for (size_t slot = first; slot < near->first[SOFT_CLASSES] * SOFT_LANES; slot++) {
        if (near->candidate[slot] < 0) continue;
        sim_soft_general(sim, slot, dt, &sums);
        int32_t b = near->blocks[slot / SOFT_LANES].b[slot % SOFT_LANES];
        const struct soft_general *general = &near->general[slot - first];
        if (sim->soft.wall_of[b] >= 0 && general->touches) press_wall(sim, slot, general->torque);
    }
    add_sums(sum, &sums.sums);
    sim->soft.power.rolling = sums.power.rolling;
    sim->soft.power.torsion = sums.power.torsion;
    sim->soft.power.bonds = sums.power.bonds;
}

void sim_soft_pairs(talus_sim *sim, double dt) {
    struct soft *soft = &sim->soft;
    struct soft_sums sum = {0};
    soft->power = (struct soft_power){0};
    for (size_t k = 0; k < sim->world.boundary_count; k++)
        sim->world.boundaries[k].force = sim->world.boundaries[k].torque = vec3_zero();
    for (enum soft_class class = 0; class < SOFT_GENERAL; class ++)
        press_class(sim, class, &sum);
    press_walls(sim);
    press_general(sim, dt, &sum);
    for (size_t k = 0; k < sim->world.boundary_count; k++) {
        struct boundary *boundary = &sim->world.boundaries[k];
        boundary->impulse = vec3_add_scaled(boundary->impulse, dt, boundary->force);
    }
    soft->stored = sum.stored;
    soft->cut = sum.cut;
    soft->power.damping = sum.damping;
    soft->power.elastic = sum.elastic;
    soft->power.slip = sum.slip;
    soft->starts += dt > 0.0 ? (int64_t)sum.starts : 0;
    sim->detect.contact_count = sim->problem.contact_count = (size_t)sum.touching;
}

/* ---- bodies ----------------------------------------------------------------------------------- */

struct load {
    vec3 force, torque;
};

/* What the contacts do to the grain of a row. */
static struct load contact_load(const talus_sim *sim, size_t row) {
    const struct soft_near *near = &sim->soft.near;
    size_t general = near->first[SOFT_GENERAL] * SOFT_LANES;
    double fx = 0.0, fy = 0.0, fz = 0.0, tx = 0.0, ty = 0.0, tz = 0.0;
    for (size_t k = near->incident_first[row]; k < near->incident_first[row + 1]; k++) {
        size_t slot = near->incident[k] >> 1;
        bool is_b = near->incident[k] & 1;
        const struct soft_entry *entry = &near->entries[slot];
        double sign = is_b ? 1.0 : -1.0, arm = is_b ? entry->arm_b : entry->arm_a;
        fx += sign * entry->force[0];
        fy += sign * entry->force[1];
        fz += sign * entry->force[2];
        tx -= arm * entry->couple[0];
        ty -= arm * entry->couple[1];
        tz -= arm * entry->couple[2];
        if (slot < general) continue;
        vec3 torque = vec3_scale(sign, near->general[slot - general].torque);
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

/* Forces from outside at this moment: weight, and the rest. */
static struct soft_outside outside_of(const talus_sim *sim, talus_index i, vec3 *weight) {
    const struct world *world = &sim->world;
    if (world->bodies.boundary[i] < 0 && !world_has_forces(world)) {
        *weight = weight_of(world, i);
        return (struct soft_outside){vec3_zero(), vec3_zero()};
    }
    struct free_motion motion = euler_predict(world, i, 0.0);
    *weight = motion.weight;
    return (struct soft_outside){vec3_sub(motion.force, motion.weight), motion.torque};
}

static struct load load_of(const talus_sim *sim, size_t row) {
    int32_t wall = sim->soft.wall_of[row];
    if (wall < 0) return contact_load(sim, row);
    return (struct load){sim->world.boundaries[wall].force, sim->world.boundaries[wall].torque};
}

/* Rates of one body, and its powers with the velocity that dampers see. */
static struct soft_rates rates_of(talus_sim *sim, size_t row, struct soft_outside *outside,
                                  vec3 *weight, struct soft_body_sums *sums) {
    const struct world *world = &sim->world;
    const struct bodies *bodies = &world->bodies;
    talus_index i = sim->soft.order[row];
    if (!world_answers_forces(world, (size_t)i)) {
        *weight = vec3_zero();
        *outside = (struct soft_outside){vec3_zero(), vec3_zero()};
        return (struct soft_rates){vec3_zero(), vec3_zero()};
    }
    struct load load = load_of(sim, row);
    *outside = outside_of(sim, i, weight);
    vec3 given = vec3_add(outside->force, *weight);
    vec3 force = vec3_add(load.force, given), torque = vec3_add(load.torque, outside->torque);
    struct soft_rates rates = {integrator_acceleration(world, i, force),
                               integrator_spin_rate(world, i, torque)};
    vec3 v = bodies->velocity[i], w = bodies->omega[i];
    sums->outside += vec3_dot(given, v) + vec3_dot(outside->torque, w);
    sums->moving += bodies->mass[i] * vec3_dot(rates.acceleration, v) +
                    bodies->inertia[i] * vec3_dot(rates.spin_rate, w);
    return rates;
}

/* Work of what acts from outside along the way of the step; gravity's is what the potential loses. */
static void add_way(talus_sim *sim, talus_index i, vec3 weight, struct soft_outside now,
                    struct soft_body_sums *sums) {
    const struct soft_body *body = &sim->soft.state.bodies[i];
    struct soft_outside *before = &sim->soft.outside[i];
    double down = vec3_dot(weight, body->shift);
    vec3 force = vec3_scale(0.5, vec3_add(before->force, now.force));
    vec3 torque = vec3_scale(0.5, vec3_add(before->torque, now.torque));
    double work = vec3_dot(force, body->shift) + vec3_dot(torque, body->turn);
    sums->way += down + work;
    sums->force += work;
    sums->turnover += fabs(down) + fabs(work);
    *before = now;
}

static void add_motion(const talus_sim *sim, talus_index i, struct soft_body_sums *sums) {
    const struct bodies *bodies = &sim->world.bodies;
    double speed2 = vec3_norm2(bodies->velocity[i]);
    const struct soft_rates *rates = &sim->soft.state.bodies[i].rates;
    if (world_answers_forces(&sim->world, (size_t)i)) {
        sums->kinetic += 0.5 * bodies->mass[i] * speed2;
        if (bodies->inverse_inertia[i] > 0.0)
            sums->kinetic += 0.5 * bodies->inertia[i] * vec3_norm2(bodies->omega[i]);
    }
    if (bodies->kind[i] != TALUS_BODY_GRAIN) return;
    sums->fastest2 = fmax(sums->fastest2, speed2);
    sums->acceleration2 = fmax(sums->acceleration2, vec3_norm2(rates->acceleration));
}

static struct soft_body_sums move_chunk(talus_sim *sim, size_t first, size_t last, double dt) {
    struct soft_rates rates[SOFT_CHUNK] = {0};
    struct soft_outside outside[SOFT_CHUNK];
    vec3 weight[SOFT_CHUNK];
    struct soft_body_sums sums = {0};
    const talus_index *bodies = sim->soft.order + first;
    for (size_t k = 0; k < last - first; k++)
        rates[k] = rates_of(sim, first + k, &outside[k], &weight[k], &sums);
    if (dt > 0.0)
        sim->soft.integrator->correct(&sim->world, &sim->soft.state, bodies, rates, last - first,
                                      dt);
    for (size_t k = 0; k < last - first; k++) {
        if (dt > 0.0)
            add_way(sim, bodies[k], weight[k], outside[k], &sums);
        else
            sim->soft.outside[bodies[k]] = outside[k];
        sim->soft.state.bodies[bodies[k]].rates = rates[k];
        add_motion(sim, bodies[k], &sums);
    }
    return sums;
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

void sim_soft_bodies(talus_sim *sim, double dt, struct soft_body_sums *sums) {
    struct soft *soft = &sim->soft;
    size_t count = sim->world.bodies.count, chunks = (count + SOFT_CHUNK - 1) / SOFT_CHUNK;
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t chunk = 0; chunk < chunks; chunk++)
        soft->body_sums[chunk] = move_chunk(sim, chunk * SOFT_CHUNK,
                                            smaller((chunk + 1) * SOFT_CHUNK, count), dt);
    *sums = (struct soft_body_sums){0};
    for (size_t chunk = 0; chunk < chunks; chunk++) add_body_sums(sums, &soft->body_sums[chunk]);
    soft->power.outside = sums->outside;
    soft->power.moving = sums->moving;
    soft->kinetic = sums->kinetic;
    soft->fastest = sqrt(sums->fastest2);
    soft->acceleration = sqrt(sums->acceleration2);
}
