/* SPDX-License-Identifier: Apache-2.0
 * The list of candidates: when it has to be made anew, making it, moving the impulses over. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "detect/detect.h"
#include "detect/spatial_order.h"

/* A skin is a share of the radius, for grains that hardly move, plus the way of some steps at the
 * present speed, for those that do. Wider: fewer rebuilds, more candidates. */
static const double skin_share = 0.05;
static const double skin_steps = 8.0;

void detect_free(struct detect *detect) {
    struct memory *memory = detect->memory;
    size_t bodies = detect->body_capacity;
    grid_free(&detect->grid);
    detect_forms_free(detect);
    memory_free(memory, detect->candidates, detect->candidate_capacity, sizeof(struct candidate));
    memory_free(memory, detect->previous, detect->previous_capacity, sizeof(struct candidate));
    memory_free(memory, detect->memories, detect->memory_capacity, sizeof *detect->memories);
    memory_free(memory, detect->previous_memories, detect->previous_memory_capacity,
                sizeof *detect->previous_memories);
    memory_free(memory, detect->activated, detect->activated_capacity, 1);
    memory_free(memory, detect->first, bodies, sizeof *detect->first);
    memory_free(memory, detect->count, bodies, sizeof *detect->count);
    memory_free(memory, detect->order, bodies, sizeof *detect->order);
    memory_free(memory, detect->keys, 2 * bodies, sizeof *detect->keys);
    memory_free(memory, detect->reference, bodies, sizeof *detect->reference);
    memory_free(memory, detect->skin, bodies, sizeof *detect->skin);
    memory_free(memory, detect->reach, bodies, sizeof *detect->reach);
    memory_free(memory, detect->inflated, bodies, sizeof *detect->inflated);
    memory_free(memory, detect->turned, bodies, sizeof *detect->turned);
    memory_free(memory, detect->slots, detect->slot_capacity, sizeof *detect->slots);
    memory_free(memory, detect->previous_slots, detect->previous_slot_capacity,
                sizeof *detect->previous_slots);
    memory_free(memory, detect->walls, detect->wall_capacity, sizeof *detect->walls);
    memory_free(memory, detect->way, detect->way_capacity, sizeof *detect->way);
    memory_free(memory, detect->contacts, detect->contact_capacity, sizeof *detect->contacts);
}

#define GROW(field, old, grown)                                                              \
    {                                                                                        \
        void *moved =                                                                        \
            memory_resize(detect->memory, detect->field, old, grown, sizeof *detect->field); \
        if (moved == NULL) return error_memory(err);                                         \
        detect->field = moved;                                                               \
    }

talus_status detect_reserve(struct detect *detect, const struct world *world, talus_error *err) {
    size_t old = detect->body_capacity, grown = world->bodies.capacity;
    if (grown == 0) grown = 1; /* an empty world waits for its grains */
    if (grown > old) {
        GROW(first, old, grown)
        GROW(count, old, grown)
        GROW(order, old, grown)
        GROW(keys, 2 * old, 2 * grown)
        GROW(reference, old, grown)
        GROW(skin, old, grown)
        GROW(reach, old, grown)
        GROW(inflated, old, grown)
        GROW(turned, old, grown)
        detect->body_capacity = grown;
    }
    struct wall *walls = memory_reserve(detect->memory, detect->walls, &detect->wall_capacity,
                                        world->boundary_count, sizeof *walls);
    if (walls == NULL) return error_memory(err);
    detect->walls = walls;
    double *way = memory_reserve(detect->memory, detect->way, &detect->way_capacity,
                                 world->boundary_count, sizeof *way);
    if (way == NULL) return error_memory(err);
    detect->way = way;
    return TALUS_OK;
}

/* How far from its own point a turning wall can meet a grain. A wall that turns within itself, a
 * cylinder about its axis or a plane about its normal, sweeps nothing. */
static double turning_radius(const struct world *world, const struct boundary *boundary) {
    const struct bodies *bodies = &world->bodies;
    struct wall wall = boundary_wall(world, boundary);
    vec3 axis = boundary->is_free ? boundary->free.axis : boundary->motion.axis;
    bool aligned = vec3_norm(vec3_cross(axis, wall.normal)) < 1e-12;
    if (aligned && wall.shape != TALUS_RECTANGLE && wall.shape != TALUS_MESH) return 0.0;
    if (wall.shape == TALUS_RECTANGLE) return 0.5 * (wall.size[0] + wall.size[1]);
    if (wall.shape == TALUS_MESH) return wall.radius;
    double far = 0.0;
    for (size_t i = 0; i < bodies->count; i++)
        if (bodies->kind[i] == TALUS_BODY_GRAIN)
            far = fmax(far, vec3_norm2(cell_branch(&world->cell, wall.point, bodies->position[i])));
    return sqrt(far);
}

void detect_set_wall_reach(struct detect *detect, const struct world *world, size_t index,
                           vec3 velocity, vec3 omega, double dt) {
    const struct boundary *boundary = &world->boundaries[index];
    double reach = dt * vec3_norm(velocity), turn = vec3_norm(omega);
    if (turn > 0.0) reach += dt * turn * turning_radius(world, boundary);
    detect->reach[boundary->body] = reach;
}

void detect_set_reach(struct detect *detect, const struct world *world,
                      const struct velocities *velocities, double dt, bool widen) {
    const struct bodies *bodies = &world->bodies;
    for (size_t i = 0; i < bodies->count; i++) {
        talus_index body = (talus_index)i;
        double reach =
            dt * vec3_norm(velocities_at(velocities->velocity, velocities->stride, body));
        if (bodies->kind[i] == TALUS_BODY_BOUNDARY) {
            const struct boundary *boundary = &world->boundaries[bodies->boundary[i]];
            double turn = vec3_norm(velocities_at(velocities->omega, velocities->stride, body));
            if (turn > 0.0) reach += dt * turn * turning_radius(world, boundary);
        } else if (bodies->form[i] > 0) {
            double turn = vec3_norm(velocities_at(velocities->omega, velocities->stride, body));
            reach += dt * turn * bodies->radius[i];
        }
        if (!widen || reach > detect->reach[i]) detect->reach[i] = reach;
    }
}

/* The list knows of its parts, which move when it turns. */
static bool has_parts(const struct world *world, size_t body) {
    const struct body_form *form = world_form(world, body);
    return form != NULL && (form->part_count > 1 || world->mesh_count > 0);
}

void detect_walls_moved(struct detect *detect, const struct world *world) {
    for (size_t k = 0; k < world->boundary_count; k++)
        detect->way[k] += detect->reach[world->boundaries[k].body];
    for (size_t i = 0; i < world->bodies.count && detect->has_forms; i++)
        if (has_parts(world, i)) detect->turned[i] += detect->reach[i];
}

bool detect_covers(const struct detect *detect, const struct world *world) {
    const struct bodies *bodies = &world->bodies;
    for (size_t i = 0; i < bodies->count; i++) {
        bool wall = bodies->kind[i] == TALUS_BODY_BOUNDARY;
        double gone =
            wall ? detect->way[bodies->boundary[i]]
                 : vec3_norm(cell_branch(&world->cell, detect->reference[i], bodies->position[i]));
        if (detect->has_forms) gone += detect->turned[i];
        if (!(gone + detect->reach[i] <= detect->skin[i])) return false;
    }
    return true;
}

/* In a periodic cell two spheres with their skins must not meet around both sides. */
static double skin_limit(const struct world *world, double radius) {
    double limit = HUGE_VAL;
    for (int axis = 0; axis < 3; axis++)
        if (world->cell.periodic[axis])
            limit = fmin(limit, 0.25 * vec3_component(world->cell.size, axis) - radius);
    return limit;
}

static void choose_skins(struct detect *detect, const struct world *world) {
    const struct bodies *bodies = &world->bodies;
    double steps = detect->skin_steps > 0.0 ? detect->skin_steps : skin_steps;
    for (size_t i = 0; i < bodies->count; i++) {
        bool wall = bodies->kind[i] == TALUS_BODY_BOUNDARY;
        double radius = wall ? world->radius_min : bodies->radius[i];
        double skin = skin_share * radius + steps * detect->reach[i];
        if (!wall) skin = fmin(skin, skin_limit(world, radius));
        detect->skin[i] = skin;
        detect->inflated[i] = wall ? 0.0 : radius + skin + 0.5 * detect->range;
        detect->reference[i] = bodies->position[i];
    }
    memset(detect->way, 0, world->boundary_count * sizeof *detect->way);
    memset(detect->turned, 0, bodies->count * sizeof *detect->turned);
}

static talus_status find_wall_pairs(struct detect *detect, const struct world *world,
                                    talus_error *err) {
    const struct bodies *bodies = &world->bodies;
    for (size_t k = 0; k < world->boundary_count; k++) {
        if (!world->boundaries[k].present) continue;
        const struct wall *wall = &detect->walls[k];
        talus_index b = world->boundaries[k].body;
        for (size_t i = 0; i < bodies->count; i++) {
            if (bodies->kind[i] == TALUS_BODY_BOUNDARY) continue;
            vec3 at = cell_branch(&world->cell, wall->point, bodies->position[i]);
            double gap = touch_wall(wall, at, bodies->radius[i]).gap;
            if (bodies->form[i] > 0) gap -= world->boundaries[k].mesh_error;
            if (gap >= detect->skin[i] + detect->skin[b] + detect->range) continue;
            if (!grid_add_pair(&detect->grid, (talus_index)i, b)) return error_memory(err);
        }
    }
    return TALUS_OK;
}

static int by_partner(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    return (a->b > b->b) - (a->b < b->b);
}

/* Sort the pairs by their first body in the order of the bodies, then by partner. */
static void fill_candidates(struct detect *detect, const struct world *world) {
    size_t bodies = world->bodies.count;
    const struct grid *grid = &detect->grid;
    memset(detect->count, 0, bodies * sizeof *detect->count);
    for (size_t k = 0; k < grid->pair_count; k++) detect->count[grid->pairs[k].a]++;
    talus_index next = 0;
    for (size_t k = 0; k < bodies; k++) {
        talus_index body = detect->order[k];
        detect->first[body] = next;
        next += detect->count[body];
    }
    memset(detect->count, 0, bodies * sizeof *detect->count);
    for (size_t k = 0; k < grid->pair_count; k++) {
        struct pair pair = grid->pairs[k];
        talus_index at = detect->first[pair.a] + detect->count[pair.a]++;
        detect->candidates[at] = (struct candidate){.a = pair.a, .b = pair.b};
    }
    for (size_t i = 0; i < bodies; i++)
        qsort(detect->candidates + detect->first[i], (size_t)detect->count[i],
              sizeof(struct candidate), by_partner);
}

/* Candidates of the same two bodies differ by their slots. */
static bool is_same_slot(const struct detect *detect, size_t now, size_t before) {
    if (!detect->has_forms || !detect->had_forms) return true;
    const struct slot *a = &detect->slots[now], *b = &detect->previous_slots[before];
    return a->part_a == b->part_a && a->part_b == b->part_b && a->index == b->index &&
           a->count == b->count;
}

static void move_one(struct detect *detect, size_t to, size_t from) {
    detect->candidates[to].impulse = detect->previous[from].impulse;
    if (detect->remembers && detect->remembered)
        detect->memories[to] = detect->previous_memories[from];
    if (detect->has_forms && detect->had_forms) detect->slots[to] = detect->previous_slots[from];
}

/* Put the impulses and memories of the old list (grouped by first body, sorted by partner) into the new one. The
 * groups of the old list are found again through `old_first`, stored in keys[] for the move. */
static void move_impulses(struct detect *detect, size_t old_bodies) {
    const talus_index *old_first = (const talus_index *)(const void *)detect->keys;
    talus_index body = -1;
    size_t from = 0; /* in the old list: the first with the present partner or a later one */
    for (size_t k = 0; k < detect->candidate_count; k++) {
        const struct candidate *to = &detect->candidates[k];
        if ((size_t)to->a >= old_bodies) continue;
        if (to->a != body) from = (size_t)old_first[to->a];
        body = to->a;
        while (from < detect->previous_count && detect->previous[from].a == body &&
               detect->previous[from].b < to->b)
            from++;
        for (size_t o = from; o < detect->previous_count; o++) {
            if (detect->previous[o].a != body || detect->previous[o].b != to->b) break;
            if (!is_same_slot(detect, k, o)) continue;
            move_one(detect, k, o);
            break;
        }
    }
}

static void swap_lists(struct detect *detect) {
    struct candidate *list = detect->candidates;
    size_t capacity = detect->candidate_capacity;
    detect->candidates = detect->previous;
    detect->candidate_capacity = detect->previous_capacity;
    detect->previous = list;
    detect->previous_capacity = capacity;
    detect->previous_count = detect->candidate_count;
    detect->candidate_count = 0;
    struct contact_memory *memories = detect->memories;
    size_t memory_capacity = detect->memory_capacity;
    detect->memories = detect->previous_memories;
    detect->memory_capacity = detect->previous_memory_capacity;
    detect->previous_memories = memories;
    detect->previous_memory_capacity = memory_capacity;
    struct slot *slots = detect->slots;
    size_t slot_capacity = detect->slot_capacity;
    detect->slots = detect->previous_slots;
    detect->slot_capacity = detect->previous_slot_capacity;
    detect->previous_slots = slots;
    detect->previous_slot_capacity = slot_capacity;
}

#define RESERVE(field, capacity)                                                              \
    {                                                                                         \
        void *block = memory_reserve(detect->memory, detect->field, &detect->capacity, count, \
                                     sizeof *detect->field);                                  \
        if (block == NULL) return error_memory(err);                                          \
        detect->field = block;                                                                \
    }

/* In the lists that are to become the present ones. */
static talus_status reserve_candidates(struct detect *detect, size_t count, talus_error *err) {
    RESERVE(previous, previous_capacity)
    RESERVE(activated, activated_capacity)
    if (detect->remembers) RESERVE(previous_memories, previous_memory_capacity)
    if (detect->has_forms) RESERVE(previous_slots, previous_slot_capacity)
    return TALUS_OK;
}

/* How many candidates the pairs make. */
static size_t count_candidates(const struct detect *detect, const struct world *world) {
    const struct grid *grid = &detect->grid;
    if (!detect->has_forms) return grid->pair_count;
    size_t count = 0;
    for (size_t k = 0; k < grid->pair_count; k++)
        count += detect_forms_list(detect, world, grid->pairs[k].a, grid->pairs[k].b, NULL, NULL);
    return count;
}

/* Put the slots of each pair in the place of the pair. */
static void list_slots(struct detect *detect, const struct world *world) {
    struct grid *grid = &detect->grid;
    for (size_t k = 0; k < grid->pair_count; k++)
        grid->pairs[k] = (struct pair){detect->candidates[k].a, detect->candidates[k].b};
    size_t next = 0;
    for (size_t k = 0; k < grid->pair_count; k++) {
        struct pair pair = grid->pairs[k];
        if (k == 0 || grid->pairs[k - 1].a != pair.a) detect->first[pair.a] = (talus_index)next;
        next += detect_forms_list(detect, world, pair.a, pair.b, detect->candidates + next,
                                  detect->slots + next);
    }
}

static void order_bodies(struct detect *detect, const struct world *world) {
    const struct bodies *bodies = &world->bodies;
    if (detect->sort == DETECT_CURVE)
        spatial_order(bodies->position, bodies->count, detect->order, detect->keys);
    else if (detect->sort == DETECT_SLABS)
        spatial_order_slabs(bodies->position, bodies->boundary, bodies->count, DETECT_SLAB,
                            detect->order, detect->keys);
    else
        for (size_t i = 0; i < bodies->count; i++) detect->order[i] = (talus_index)i;
}

talus_status detect_rebuild(struct detect *detect, const struct world *world, talus_error *err) {
    const struct bodies *bodies = &world->bodies;
    detect->valid = false; /* until all of it is done */
    choose_skins(detect, world);
    if (!grid_find_pairs(&detect->grid, &world->cell, bodies->position, detect->inflated,
                         bodies->count))
        return error_memory(err);
    TALUS_TRY(find_wall_pairs(detect, world, err));
    size_t count = count_candidates(detect, world);
    size_t room = count > detect->grid.pair_count ? count : detect->grid.pair_count;
    TALUS_TRY(reserve_candidates(detect, room, err));
    size_t old_bodies = detect->listed_bodies;
    swap_lists(detect);
    order_bodies(detect, world);
    memcpy(detect->keys, detect->first, old_bodies * sizeof *detect->first);
    fill_candidates(detect, world);
    if (detect->has_forms) list_slots(detect, world);
    detect->candidate_count = count;
    if (detect->remembers)
        memset(detect->memories, 0, detect->candidate_count * sizeof *detect->memories);
    move_impulses(detect, old_bodies);
    detect->remembered = detect->remembers;
    detect->had_forms = detect->has_forms;
    memset(detect->activated, 0, detect->candidate_count);
    detect->listed_bodies = bodies->count;
    detect->sorted = detect->sort;
    detect->valid = true;
    return TALUS_OK;
}
