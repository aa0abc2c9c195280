/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: one contact of any law and any wall, for what the kernel of blocks does not do. The springs of such
 * a contact stand in the memory of its candidate.
 */
#include <math.h>

#include "law/soft.h"
#include "sim/sim.h"

static vec3 vector(const double a[3]) {
    return vec3_make(a[0], a[1], a[2]);
}

static void put(double to[3], vec3 from) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

/* A pair as it meets. */
struct meeting {
    const struct soft_row *a, *b;
    const talus_pair_law *law;
    struct contact_memory *memory;
    vec3 normal, arm_a, arm_b; /* arms from each centre to the contact point */
    vec3 velocity;             /* of b against a there */
    double overlap;            /* m */
    bool is_wall;
};

static struct meeting meet(talus_sim *sim, size_t slot) {
    const struct soft *soft = &sim->soft;
    const struct soft_block *block = &soft->near.blocks[slot / SOFT_LANES];
    size_t candidate = (size_t)soft->near.candidate[slot], l = slot % SOFT_LANES;
    const int32_t *material = sim->world.bodies.material;
    const struct candidate *bodies = &sim->detect.candidates[candidate];
    struct meeting pair = {.a = &soft->rows[block->a[l]],
                           .b = &soft->rows[block->b[l]],
                           .law = world_pair(&sim->world, material[bodies->a], material[bodies->b]),
                           .memory = &sim->detect.memories[candidate],
                           .is_wall = soft->wall_of[block->b[l]] >= 0};
    vec3 branch = cell_branch(&sim->world.cell, vector(pair.b->position), vector(pair.a->position));
    struct touch touch =
        pair.is_wall
            ? touch_wall(&sim->detect.walls[soft->wall_of[block->b[l]]], branch, pair.a->radius)
            : touch_spheres(vec3_scale(-1.0, branch), pair.a->radius, pair.b->radius);
    pair.normal = touch.normal;
    pair.overlap = -touch.gap;
    pair.arm_a = vec3_scale(pair.a->radius + 0.5 * touch.gap, touch.normal);
    pair.arm_b = vec3_add(branch, pair.arm_a);
    vec3 on_a = vec3_add(vector(pair.a->velocity), vec3_cross(vector(pair.a->omega), pair.arm_a));
    vec3 on_b = vec3_add(vector(pair.b->velocity), vec3_cross(vector(pair.b->omega), pair.arm_b));
    pair.velocity = vec3_sub(on_b, on_a);
    return pair;
}

/* The way of b against a at the contact point in the last step: how the bodies went, to the order of the integrator
 * [Pena2009, sect. 4]; or the velocity at its end times dt. The paper's own factor on the sliding of the centres is
 * there for comparison: with it static displacements are wrong. */
static vec3 relative_way(const struct meeting *pair, double dt) {
    if (pair->law->soft.slip == TALUS_SLIP_VELOCITY) return vec3_scale(dt, pair->velocity);
    vec3 slide = vec3_sub(vector(pair->b->shift), vector(pair->a->shift));
    vec3 turn = vec3_sub(vec3_cross(vector(pair->b->turn), pair->arm_b),
                         vec3_cross(vector(pair->a->turn), pair->arm_a));
    if (pair->law->soft.slip == TALUS_SLIP_PENA && !pair->is_wall)
        slide = vec3_scale(pair->a->radius / (pair->a->radius + pair->b->radius), slide);
    return vec3_add(slide, turn);
}

/* The spring of the last step, turned with the contact; a step of length 0 turns nothing. */
static vec3 carry(const struct meeting *pair, double dt) {
    const struct contact_memory *memory = pair->memory;
    if (dt == 0.0 || vec3_norm2(memory->stretch) == 0.0) return memory->stretch;
    vec3 turn = vec3_add(vector(pair->a->turn), vector(pair->b->turn));
    return soft_carry(&pair->law->soft, memory->stretch, memory->normal, pair->normal,
                      0.5 * vec3_dot(turn, pair->normal));
}

static struct soft_drag drag_of(const struct meeting *pair, double push, double dt) {
    struct contact_memory *memory = pair->memory;
    vec3 n = pair->normal, carried = carry(pair, dt), way = vec3_zero();
    if (dt > 0.0) way = vec3_tangential(relative_way(pair, dt), n);
    const double mu[2] = {pair->law->mu_static, pair->law->mu_sliding};
    memory->stretch = vec3_add(carried, way); /* [Wolf2006, eq. 21] */
    return soft_drag(&pair->law->soft, mu, push, vec3_tangential(pair->velocity, n), carried,
                     &memory->stretch);
}

/* Springs of pairs that no longer touch are gone, with what they held. */
static void let_go(const struct meeting *pair, struct soft_sums *sums) {
    sums->cut += 0.5 * pair->law->soft.tangential_stiffness * vec3_norm2(pair->memory->stretch);
    pair->memory->stretch = pair->memory->normal = vec3_zero();
}

void sim_soft_general(talus_sim *sim, size_t slot, double dt, struct soft_general_sums *all) {
    struct soft_near *near = &sim->soft.near;
    struct soft_entry *entry = &near->entries[slot];
    struct soft_general *general = &near->general[slot - near->first[SOFT_GENERAL] * SOFT_LANES];
    struct soft_block *block = &near->blocks[slot / SOFT_LANES];
    struct soft_sums *sums = &all->sums;
    struct meeting pair = meet(sim, slot);
    *entry = (struct soft_entry){.part = {{0.0}}};
    *general = (struct soft_general){.touches = pair.overlap > 0.0};
    if (!general->touches) {
        let_go(&pair, sums);
        return;
    }
    if (vec3_norm2(pair.memory->normal) == 0.0) {
        vec3 meeting = vec3_sub(vector(pair.b->velocity), vector(pair.a->velocity));
        sums->starts += 1.0;
        if (!pair.is_wall) sums->start_speed2 = fmax(sums->start_speed2, vec3_norm2(meeting));
    }
    sums->touching += 1.0;
    vec3 n = pair.normal;
    double opening = vec3_dot(pair.velocity, n), k_t = pair.law->soft.tangential_stiffness;
    struct soft_push push = soft_push(&pair.law->soft, pair.overlap, -opening);
    struct soft_drag drag = drag_of(&pair, push.force, dt);
    pair.memory->normal = n;
    for (int axis = 0; axis < 3; axis++) /* for the sums over walls */
        block->normal[axis][slot % SOFT_LANES] = vec3_component(n, axis);
    double spring2 = vec3_norm2(drag.spring);
    sums->stored += push.energy + (spring2 > 0.0 ? 0.5 * spring2 / k_t : 0.0);
    sums->cut += drag.lost;
    sums->damping -= (push.force - push.elastic) * opening;
    sums->elastic -= push.elastic * opening + vec3_dot(drag.spring, pair.velocity);
    sums->slip -= vec3_dot(vec3_sub(drag.force, drag.spring), pair.velocity);
    put(entry->part[SOFT_FORCE], vec3_add_scaled(drag.force, push.force, n));
    put(entry->part[SOFT_COUPLE], vec3_cross(n, drag.force));
    entry->part[SOFT_FORCE][SOFT_ARM] = vec3_dot(pair.arm_a, n);
    entry->part[SOFT_COUPLE][SOFT_ARM] = pair.is_wall ? 0.0 : -vec3_dot(pair.arm_b, n);
}
