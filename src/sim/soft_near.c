/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: which pairs are near enough to matter in the next steps.
 *
 * Two lists. The candidates of detect/ have wide skins and are made anew seldom. Of them the near list takes those
 * that can touch before bodies have moved by a short range, some tens of steps' worth, so that in each step hardly a
 * pair is looked at in vain. Springs live in the near list; when it is made anew they go through the memories
 * of the candidates.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "law/soft.h"
#include "sim/sim.h"

/* ---- room ------------------------------------------------------------------------------------ */

#define RESERVE(field, capacity, count)                                                         \
    {                                                                                           \
        void *block = memory_reserve(&sim->memory, field, &(capacity), count, sizeof *(field)); \
        if (block == NULL) return error_memory(err);                                            \
        (field) = block;                                                                        \
    }

/* The first line of cache in the room: wide loads that cross lines cost twice. */
static void *align(void *room) {
    return (char *)room + (64 - (uintptr_t)room % 64) % 64;
}

talus_status sim_soft_reserve(talus_sim *sim, talus_error *err) {
    struct soft *soft = &sim->soft;
    size_t count = sim->world.bodies.count;
    RESERVE(soft->state.bodies, soft->body_capacity, count)
    if (soft->integrator->needs_more) RESERVE(soft->state.more, soft->more_capacity, count)
    RESERVE(soft->outside, soft->outside_capacity, count)
    RESERVE(soft->order, soft->order_capacity, count)
    RESERVE(soft->row_room, soft->row_capacity, count + 2)
    soft->rows = align(soft->row_room);
    RESERVE(soft->images, soft->image_capacity, count)
    RESERVE(soft->row_of, soft->row_of_capacity, count)
    RESERVE(soft->wall_of, soft->wall_of_capacity, count + 1)
    RESERVE(soft->body_sums, soft->body_sum_capacity, count / SOFT_CHUNK + 1)
    RESERVE(soft->published, soft->published_capacity, (size_t)1)
    return TALUS_OK;
}

/* Does any pair of materials, or any shape, need contacts one by one? */
static bool has_general(const talus_sim *sim) {
    int count = (int)sim->world.material_count;
    bool any = sim->world.form_count > 0;
    for (int a = 0; a < count; a++)
        for (int b = a; b < count && !any; b++) {
            const talus_pair_law *law = world_pair(&sim->world, a, b);
            struct soft_numbers numbers = {0};
            if (!soft_is_on(&law->soft)) continue;
            numbers = soft_resolve(law, 1.0, 1.0);
            any = !soft_is_simple(law, &numbers);
        }
    return any;
}

static size_t count_walls(const talus_sim *sim) {
    size_t count = 0;
    for (size_t k = 0; k < sim->detect.candidate_count; k++)
        if (sim->world.bodies.boundary[sim->detect.candidates[k].b] >= 0) count++;
    return count;
}

/* For all candidates, so that a near list made anew from the same candidates needs no memory. */
talus_status sim_soft_reserve_near(talus_sim *sim, talus_error *err) {
    struct soft_near *near = &sim->soft.near;
    size_t blocks = sim->detect.candidate_count / SOFT_LANES + SOFT_CLASSES;
    size_t slots = blocks * SOFT_LANES, rows = sim->world.bodies.count + 1;
    size_t general = has_general(sim) ? slots : 0;
    RESERVE(near->classes, near->class_capacity, sim->detect.candidate_count)
    RESERVE(near->block_room, near->block_capacity, blocks + 1)
    near->blocks = align(near->block_room);
    RESERVE(near->laws, near->law_capacity, blocks)
    RESERVE(near->laws_of, near->law_of_capacity, blocks)
    RESERVE(near->entry_room, near->entry_capacity, slots + 2)
    near->entries = align(near->entry_room);
    RESERVE(near->candidate, near->candidate_capacity, slots)
    RESERVE(near->slip_stiffness, near->slip_capacity, slots)
    RESERVE(near->general, near->general_capacity, general)
    RESERVE(near->incident, near->incident_capacity, 2 * slots + rows * SOFT_INCIDENT)
    RESERVE(near->incident_first, near->incident_first_capacity, rows + 1)
    RESERVE(sim->soft.pair_sums, sim->soft.pair_sum_capacity,
            blocks / SOFT_CHUNK_WALLS + SOFT_CLASSES)
    size_t wall_chunks = count_walls(sim) / (SOFT_LANES * SOFT_CHUNK_WALLS) + SOFT_CLASSES;
    RESERVE(sim->soft.wall_sums, sim->soft.wall_sum_capacity,
            wall_chunks * sim->world.boundary_count)
    /* What observers will be told of. */
    RESERVE(sim->detect.contacts, sim->detect.contact_capacity, slots)
    RESERVE(sim->problem.contacts, sim->contact_capacity, slots)
    RESERVE(sim->soft.seen, sim->soft.seen_capacity, slots)
    return TALUS_OK;
}

/* ---- which pairs ------------------------------------------------------------------------------ */

/* False: the grain of this row has a shape, or is not free to move. */
static bool fill_row(talus_sim *sim, size_t row, uint32_t locks) {
    struct soft *soft = &sim->soft;
    const struct bodies *bodies = &sim->world.bodies;
    talus_index body = soft->order[row];
    soft->row_of[body] = (int32_t)row;
    soft->wall_of[row] = bodies->boundary[body];
    double turns = bodies->inverse_inertia[body];
    soft->rows[row] = (struct soft_row){.radius = bodies->radius[body],
                                        .mass = bodies->mass[body],
                                        .inertia = turns > 0.0 ? bodies->inertia[body] : 0.0,
                                        .inverse_inertia = turns};
    if (!world_is_held(&sim->world, (size_t)body))
        soft->rows[row].inverse_mass = bodies->inverse_mass[body];
    sim_soft_rows(sim, row, row + 1);
    bool held = (bodies->locks[body] & locks) != 0 || bodies->inverse_mass[body] == 0.0;
    return bodies->form[body] == 0 && (!held || bodies->boundary[body] >= 0);
}

static void order_rows(talus_sim *sim) {
    struct soft *soft = &sim->soft;
    size_t count = sim->world.bodies.count;
    uint32_t locks = world_all_locks(&sim->world);
    bool plain = !world_has_forces(&sim->world) && soft->integrator == &integrator_leapfrog;
    memcpy(soft->order, sim->detect.order, count * sizeof *soft->order);
#pragma omp parallel for num_threads(sim->threads) schedule(static) reduction(&& : plain)
    for (size_t row = 0; row < count; row++) plain = fill_row(sim, row, locks) && plain;
    soft->rows[count] = (struct soft_row){.radius = -1e30}; /* for empty lanes */
    soft->wall_of[count] = -1;
    soft->row_count = count;
    soft->plain = plain;
}

static bool is_near(const talus_sim *sim, const struct candidate *pair, double range) {
    const struct bodies *bodies = &sim->world.bodies;
    int32_t boundary = bodies->boundary[pair->b];
    vec3 at = bodies->position[pair->a];
    range += sim->detect.range;
    if (boundary >= 0) {
        const struct wall *wall = &sim->detect.walls[boundary];
        if (!sim->world.boundaries[boundary].present) return false;
        at = cell_branch(&sim->world.cell, wall->point, at);
        return touch_wall(wall, at, bodies->radius[pair->a]).gap < range;
    }
    vec3 branch = cell_branch(&sim->world.cell, at, bodies->position[pair->b]);
    double reach = bodies->radius[pair->a] + bodies->radius[pair->b] + range;
    return vec3_norm2(branch) < reach * reach;
}

/* Two bodies that no force can move need none. */
static bool can_move(const talus_sim *sim, const struct candidate *pair) {
    return world_answers_forces(&sim->world, (size_t)pair->a) ||
           world_answers_forces(&sim->world, (size_t)pair->b);
}

static const talus_pair_law *law_of(const talus_sim *sim, const struct candidate *pair) {
    const int32_t *material = sim->world.bodies.material;
    return world_pair(&sim->world, material[pair->a], material[pair->b]);
}

static struct soft_numbers numbers_of(const talus_sim *sim, size_t candidate, double *radius) {
    struct contact contact = detect_contact(&sim->detect, &sim->world, candidate);
    *radius = sim_reduced_radius(sim, &contact);
    return soft_resolve(law_of(sim, &sim->detect.candidates[candidate]),
                        sim_reduced_mass(sim, &contact), *radius);
}

/* The class does not depend on sizes and masses. */
static uint8_t class_of(const talus_sim *sim, size_t candidate) {
    const struct candidate *pair = &sim->detect.candidates[candidate];
    const talus_pair_law *law = law_of(sim, pair);
    if (sim->detect.has_forms && sim->detect.slots[candidate].count > 0) return SOFT_GENERAL;
    struct soft_numbers numbers = soft_resolve(law, 1.0, 1.0);
    bool wall = sim->world.bodies.boundary[pair->b] >= 0;
    if (!soft_is_simple(law, &numbers)) return SOFT_GENERAL;
    if (numbers.exponent == 1.0) return wall ? SOFT_WALLS_LINEAR : SOFT_GRAINS_LINEAR;
    return wall ? SOFT_WALLS_HERTZ : SOFT_GRAINS_HERTZ;
}

/* Blocks in a chunk. There are few pairs with walls, so they must not reach too far through the packing. */
static size_t chunk_size(enum soft_class class) {
    return class < SOFT_WALLS_LINEAR ? SOFT_CHUNK_BLOCKS : SOFT_CHUNK_WALLS;
}

enum soft_class sim_soft_class(const struct soft_near *near, size_t chunk) {
    enum soft_class class = SOFT_GRAINS_LINEAR;
    while (chunk >= near->first_chunk[class + 1]) class ++;
    return class;
}

struct soft_range sim_soft_blocks(const struct soft_near *near, size_t chunk) {
    enum soft_class class = sim_soft_class(near, chunk);
    size_t size = chunk_size(class);
    size_t first = near->first[class] + (chunk - near->first_chunk[class]) * size;
    size_t last = first + size, end = near->first[class + 1];
    return (struct soft_range){first, last < end ? last : end};
}

/* Classes of all candidates, and where those of each class begin. */
static void classify(talus_sim *sim, double range) {
    struct soft_near *near = &sim->soft.near;
    size_t count[SOFT_CLASSES + 1] = {0}, block = 0;
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t k = 0; k < sim->detect.candidate_count; k++) {
        const struct candidate *pair = &sim->detect.candidates[k];
        bool wanted = is_near(sim, pair, range) && can_move(sim, pair);
        near->classes[k] = wanted ? class_of(sim, k) : SOFT_CLASSES;
    }
    for (size_t k = 0; k < sim->detect.candidate_count; k++) count[near->classes[k]]++;
    for (int class = 0; class < SOFT_CLASSES; class ++) {
        near->first[class] = block;
        block += (count[class] + SOFT_LANES - 1) / SOFT_LANES;
    }
    near->first[SOFT_CLASSES] = block;
    near->first_chunk[0] = 0;
    for (enum soft_class class = 0; class < SOFT_GENERAL; class ++) {
        size_t size = chunk_size(class), blocks = near->first[class + 1] - near->first[class];
        near->first_chunk[class + 1] = near->first_chunk[class] + (blocks + size - 1) / size;
    }
}

static bool is_hertz(const struct soft_near *near, size_t block) {
    return (block >= near->first[SOFT_GRAINS_HERTZ] && block < near->first[SOFT_WALLS_LINEAR]) ||
           block >= near->first[SOFT_WALLS_HERTZ];
}

/* A lane without a pair: the row that is far from everything, twice; a wall needs one to look at. */
static void empty_lane(talus_sim *sim, size_t slot) {
    struct soft_near *near = &sim->soft.near;
    size_t k = slot / SOFT_LANES, l = slot % SOFT_LANES;
    struct soft_block *block = &near->blocks[k];
    int32_t far = (int32_t)sim->world.bodies.count;
    bool wall = k >= near->first[SOFT_WALLS_LINEAR] && k < near->first[SOFT_GENERAL];
    block->a[l] = far;
    block->b[l] = wall ? block->b[0] : far;
    for (int axis = 0; axis < 3; axis++) block->stretch[axis][l] = block->normal[axis][l] = 0.0;
    near->slip_stiffness[slot] = 0.0;
    struct soft_laws *laws = &near->laws[k]; /* whatever: as its neighbour, to be shared */
    laws->slip_ratio[l] = laws->slip_ratio[0];
    laws->slip_damping_ratio[l] = laws->slip_damping_ratio[0];
    laws->is_constant[l] = laws->is_constant[0];
    laws->stiffness[l] = laws->stiffness[0];
    laws->damping[l] = laws->damping[0];
    laws->tangential_stiffness[l] = laws->tangential_stiffness[0];
    laws->tangential_damping[l] = laws->tangential_damping[0];
    laws->mu_static[l] = laws->mu_static[0];
    laws->mu_sliding[l] = laws->mu_sliding[0];
}

static void fill_law(talus_sim *sim, size_t slot, size_t candidate) {
    struct soft_near *near = &sim->soft.near;
    const talus_pair_law *law = law_of(sim, &sim->detect.candidates[candidate]);
    struct soft_laws *laws = &near->laws[slot / SOFT_LANES];
    size_t l = slot % SOFT_LANES, general = near->first[SOFT_GENERAL] * SOFT_LANES;
    double radius;
    struct soft_numbers numbers = numbers_of(sim, candidate, &radius);
    if (slot >= general)
        near->general[slot - general] =
            (struct soft_general){.numbers = numbers, .reduced_radius = radius};
    laws->stiffness[l] = numbers.stiffness;
    laws->damping[l] = numbers.damping;
    laws->tangential_stiffness[l] = numbers.slip_stiffness;
    laws->tangential_damping[l] = numbers.slip_damping;
    laws->slip_ratio[l] = numbers.slip_ratio;
    laws->slip_damping_ratio[l] = numbers.slip_damping_ratio;
    laws->is_constant[l] = numbers.damping_exponent == 0.25 ? 1.0 : 0.0;
    if (numbers.exponent == 1.0) { /* the slope is k at any overlap */
        laws->tangential_stiffness[l] += numbers.slip_ratio * numbers.stiffness;
        laws->tangential_damping[l] += numbers.slip_damping_ratio * numbers.damping;
    }
    laws->mu_static[l] = law->mu_static;
    laws->mu_sliding[l] = law->mu_sliding;
}

/* What the laws of the kernel do not know is gone when such a law is set; a spring that has become stiffer keeps its force,
 * as it would in soft_general.c. */
static void forget(talus_sim *sim, size_t slot, size_t candidate) {
    const struct soft_near *near = &sim->soft.near;
    struct contact_memory *memory = &sim->detect.memories[candidate];
    double radius;
    struct soft_numbers numbers = numbers_of(sim, candidate, &radius);
    double now = numbers.slip_stiffness + numbers.slip_ratio * numbers.stiffness;
    memory->bonded = 0;
    memory->opening = 0.0;
    memory->angle = vec3_zero();
    if (is_hertz(near, slot / SOFT_LANES) || memory->slip_stiffness == 0.0) return;
    double lost = soft_fade(memory->slip_stiffness, now, false, &memory->stretch);
    sim->ledger.sliding += lost;
    sim->ledger.input += lost; /* what is stored less is taken off by the next look at the forces */
    memory->slip_stiffness = now;
}

/* After changes from outside. */
static void forget_all(talus_sim *sim) {
    const struct soft_near *near = &sim->soft.near;
    for (size_t slot = 0; slot < near->first[SOFT_GENERAL] * SOFT_LANES; slot++)
        if (near->candidate[slot] >= 0) forget(sim, slot, (size_t)near->candidate[slot]);
}

static bool has_touched(const talus_sim *sim, talus_index candidate) {
    return vec3_norm2(sim->detect.memories[candidate].normal) > 0.0;
}

/* In each chunk first the pairs that touch, then the others: whole blocks of those cost little. */
static void part_touching(talus_sim *sim, size_t first, size_t last) {
    enum { SLOTS = SOFT_CHUNK_BLOCKS * SOFT_LANES };
    talus_index apart[SLOTS], *list = sim->soft.near.candidate;
    size_t count = 0, to = first;
    for (size_t slot = first; slot < last; slot++) {
        if (has_touched(sim, list[slot]))
            list[to++] = list[slot];
        else
            apart[count++] = list[slot];
    }
    memcpy(list + to, apart, count * sizeof *apart);
}

/* The candidates of the slots of a class, up to before `last`. */
static void part_class(talus_sim *sim, enum soft_class class, size_t last) {
    size_t first = sim->soft.near.first[class] * SOFT_LANES, step = SOFT_CHUNK_BLOCKS * SOFT_LANES;
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t slot = first; slot < last; slot += step)
        part_touching(sim, slot, slot + step < last ? slot + step : last);
}

static void fill_lane(talus_sim *sim, size_t slot, size_t candidate) {
    struct soft_near *near = &sim->soft.near;
    const struct candidate *pair = &sim->detect.candidates[candidate];
    const struct contact_memory *memory = &sim->detect.memories[candidate];
    struct soft_block *block = &near->blocks[slot / SOFT_LANES];
    size_t l = slot % SOFT_LANES;
    block->a[l] = sim->soft.row_of[pair->a];
    block->b[l] = sim->soft.row_of[pair->b];
    near->slip_stiffness[slot] = memory->slip_stiffness;
    fill_law(sim, slot, candidate);
    for (int axis = 0; axis < 3; axis++) {
        block->stretch[axis][l] = vec3_component(memory->stretch, axis);
        block->normal[axis][l] = vec3_component(memory->normal, axis);
    }
}

/* Pairs into the lanes of their class, in the order of the candidates. */
static void fill(talus_sim *sim) {
    struct soft_near *near = &sim->soft.near;
    size_t next[SOFT_CLASSES];
    for (int class = 0; class < SOFT_CLASSES; class ++)
        next[class] = near->first[class] * SOFT_LANES;
    for (size_t k = 0; k < sim->detect.candidate_count; k++)
        if (near->classes[k] < SOFT_CLASSES)
            near->candidate[next[near->classes[k]]++] = (talus_index)k;
    part_class(sim, SOFT_GRAINS_LINEAR, next[SOFT_GRAINS_LINEAR]);
    part_class(sim, SOFT_GRAINS_HERTZ, next[SOFT_GRAINS_HERTZ]);
    for (int class = 0; class < SOFT_CLASSES; class ++)
        for (size_t slot = next[class]; slot < near->first[class + 1] * SOFT_LANES; slot++)
            near->candidate[slot] = -1;
    if (!sim->soft.ready) forget_all(sim);
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t block = 0; block < near->first[SOFT_CLASSES]; block++)
        for (size_t slot = block * SOFT_LANES; slot < (block + 1) * SOFT_LANES; slot++) {
            near->entries[slot] = (struct soft_entry){.part = {{0.0}}};
            if (near->candidate[slot] >= 0)
                fill_lane(sim, slot, (size_t)near->candidate[slot]);
            else
                empty_lane(sim, slot);
        }
}

/* Blocks with the same laws as the one before share them: mostly all do, and less has to be read in each step. */
static void share_laws(struct soft_near *near) {
    size_t count = 0;
    for (size_t k = 0; k < near->first[SOFT_CLASSES]; k++) {
        bool same =
            count > 0 && memcmp(&near->laws[count - 1], &near->laws[k], sizeof *near->laws) == 0;
        if (!same) near->laws[count++] = near->laws[k];
        near->laws_of[k] = (int32_t)count - 1;
    }
    near->law_count = count;
}

/* ---- which entries belong to which row --------------------------------------------------------- */

static size_t sides_of(const talus_sim *sim, size_t slot, int32_t rows[2]) {
    const struct soft_near *near = &sim->soft.near;
    const struct soft_block *block = &near->blocks[slot / SOFT_LANES];
    if (near->candidate[slot] < 0) return 0;
    rows[0] = block->a[slot % SOFT_LANES];
    rows[1] = block->b[slot % SOFT_LANES];
    return sim->soft.wall_of[rows[1]] >= 0 ? 1 : 2; /* walls are added up for themselves */
}

/* Lists are filled up to a multiple of SOFT_INCIDENT with an entry of nothing: adding four zeros is cheaper than a
 * loop that ends where nobody can guess. */
static void list_incident(talus_sim *sim) {
    struct soft_near *near = &sim->soft.near;
    size_t rows = sim->world.bodies.count, slots = near->first[SOFT_CLASSES] * SOFT_LANES;
    size_t *first = near->incident_first, sum = 0;
    int32_t row[2];
    memset(first, 0, (rows + 2) * sizeof *first);
    for (size_t slot = 0; slot < slots; slot++)
        for (size_t side = 0, sides = sides_of(sim, slot, row); side < sides; side++)
            first[row[side] + 2]++;
    for (size_t k = 2; k < rows + 2; k++) {
        sum += (first[k] + SOFT_INCIDENT - 1) / SOFT_INCIDENT * SOFT_INCIDENT;
        first[k] = sum;
    }
    near->entries[slots] = (struct soft_entry){.part = {{0.0}}};
    for (size_t k = 0; k < sum; k++) near->incident[k] = (uint32_t)(2 * slots);
    for (size_t slot = 0; slot < slots; slot++)
        for (size_t side = 0, sides = sides_of(sim, slot, row); side < sides; side++)
            near->incident[first[row[side] + 1]++] = (uint32_t)(2 * slot + side);
    /* Each list has run to its last entry: up to its end again. */
    for (size_t k = 1; k < rows + 2; k++)
        first[k] = (first[k] + SOFT_INCIDENT - 1) / SOFT_INCIDENT * SOFT_INCIDENT;
}

/* ---- the list ---------------------------------------------------------------------------------- */

talus_status sim_soft_near(talus_sim *sim, double range, talus_error *err) {
    struct soft_near *near = &sim->soft.near;
    TALUS_TRY(sim_soft_reserve_near(sim, err));
    near->valid = false;
    classify(sim, range);
    order_rows(sim);
    fill(sim);
    share_laws(near);
    list_incident(sim);
    TALUS_TRY(sim_soft_plan_wave(sim, err));
    near->left = range;
    near->valid = true;
    return TALUS_OK;
}

void sim_soft_keep(const talus_sim *sim) {
    const struct soft_near *near = &sim->soft.near;
    size_t slots = near->first[SOFT_GENERAL] * SOFT_LANES; /* the others are there already */
    if (!near->valid) return;
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t slot = 0; slot < slots; slot++) {
        if (near->candidate[slot] < 0) continue;
        const struct soft_block *block = &near->blocks[slot / SOFT_LANES];
        size_t l = slot % SOFT_LANES;
        struct contact_memory *memory = &sim->detect.memories[near->candidate[slot]];
        memory->stretch =
            vec3_make(block->stretch[0][l], block->stretch[1][l], block->stretch[2][l]);
        memory->normal = vec3_make(block->normal[0][l], block->normal[1][l], block->normal[2][l]);
        memory->slip_stiffness =
            is_hertz(near, slot / SOFT_LANES)
                ? near->slip_stiffness[slot]
                : near->laws[near->laws_of[slot / SOFT_LANES]].tangential_stiffness[l];
    }
}
