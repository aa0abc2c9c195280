/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: one contact of any law and any wall, for what the kernel of blocks does not do. The springs of such
 * a contact stand in the memory of its candidate.
 */
#include <math.h>

#include "law/soft_bond.h"
#include "law/soft_torque.h"
#include "sim/sim.h"

/* A pair as it meets. */
struct meeting {
    const struct soft_row *a, *b;
    const talus_pair_law *law;
    struct contact_memory *memory;
    vec3 normal, arm_a, arm_b; /* arms from each centre to the contact point */
    vec3 velocity;             /* of b against a there */
    struct soft_general *general;
    double overlap;         /* m */
    struct contact contact; /* of polygons */
    bool is_wall, is_plane, has_form;
};

/* `branch`: from the centre of b to that of a. */
static void meet_round(const talus_sim *sim, int32_t row_b, vec3 branch, struct meeting *pair) {
    const struct wall *walls = sim->detect.walls;
    struct touch touch =
        pair->is_wall ? touch_wall(&walls[sim->soft.wall_of[row_b]], branch, pair->a->radius)
                      : touch_spheres(vec3_scale(-1.0, branch), pair->a->radius, pair->b->radius);
    pair->normal = touch.normal;
    pair->overlap = -touch.gap;
    pair->arm_a = vec3_scale(pair->a->radius + 0.5 * touch.gap, touch.normal);
}

/* Polygons: detect/overlaps.c has found what they have in common. */
static void meet_forms(const talus_sim *sim, size_t candidate, struct meeting *pair) {
    pair->contact = detect_contact(&sim->detect, &sim->world, candidate);
    pair->normal = pair->contact.normal;
    pair->overlap = -pair->contact.gap;
    pair->arm_a = pair->contact.arm;
}

static struct meeting meet(talus_sim *sim, size_t slot) {
    const struct soft *soft = &sim->soft;
    const struct soft_block *block = &soft->near.blocks[slot / SOFT_LANES];
    size_t candidate = (size_t)soft->near.candidate[slot], l = slot % SOFT_LANES;
    size_t first = soft->near.first[SOFT_GENERAL] * SOFT_LANES;
    const int32_t *material = sim->world.bodies.material;
    const struct candidate *bodies = &sim->detect.candidates[candidate];
    struct meeting pair = {.a = &soft->rows[block->a[l]],
                           .b = &soft->rows[block->b[l]],
                           .law = world_pair(&sim->world, material[bodies->a], material[bodies->b]),
                           .memory = &sim->detect.memories[candidate],
                           .general = &soft->near.general[slot - first],
                           .is_wall = soft->wall_of[block->b[l]] >= 0,
                           .is_plane = sim->world.dim < 3};
    vec3 branch =
        cell_branch(&sim->world.cell, row_vector(pair.b->position), row_vector(pair.a->position));
    pair.has_form = sim->detect.has_forms && sim->detect.slots[candidate].count > 0;
    if (pair.has_form)
        meet_forms(sim, candidate, &pair);
    else
        meet_round(sim, block->b[l], branch, &pair);
    pair.arm_b = vec3_add(branch, pair.arm_a);
    vec3 on_a =
        vec3_add(row_vector(pair.a->velocity), vec3_cross(row_vector(pair.a->omega), pair.arm_a));
    vec3 on_b =
        vec3_add(row_vector(pair.b->velocity), vec3_cross(row_vector(pair.b->omega), pair.arm_b));
    pair.velocity = vec3_sub(on_b, on_a);
    return pair;
}

/* The way of b against a at the contact point in the last step: how the bodies went, to the order of the integrator
 * [Pena2009, sect. 4]; or the velocity at its end times dt. The paper's own factor on the sliding of the centres is
 * there for comparison: with it static displacements are wrong. */
static vec3 relative_way(const talus_sim *sim, const struct meeting *pair, double dt) {
    if (pair->law->soft.slip == TALUS_SLIP_VELOCITY) return vec3_scale(dt, pair->velocity);
    if (pair->has_form) return sim_soft_forms_slip(sim, &pair->contact, pair->law->soft.slip);
    vec3 slide = vec3_sub(row_vector(pair->b->shift), row_vector(pair->a->shift));
    vec3 turn = vec3_sub(vec3_cross(row_vector(pair->b->turn), pair->arm_b),
                         vec3_cross(row_vector(pair->a->turn), pair->arm_a));
    if (pair->law->soft.slip == TALUS_SLIP_PENA && !pair->is_wall)
        slide = vec3_scale(pair->a->radius / (pair->a->radius + pair->b->radius), slide);
    return vec3_add(slide, turn);
}

/* A spring of the last step, turned with the contact; a step of length 0 turns nothing. */
static vec3 carry(const struct meeting *pair, vec3 spring, double dt) {
    if (dt == 0.0 || vec3_norm2(spring) == 0.0) return spring;
    vec3 turn = vec3_add(row_vector(pair->a->turn), row_vector(pair->b->turn));
    return soft_carry(&pair->law->soft, spring, pair->memory->normal, pair->normal,
                      0.5 * vec3_dot(turn, pair->normal));
}

static struct soft_drag drag_of(const talus_sim *sim, const struct meeting *pair,
                                const struct soft_spring *spring, double dt) {
    struct contact_memory *memory = pair->memory;
    vec3 n = pair->normal;
    struct soft_slip slip = {.carried = carry(pair, memory->stretch, dt),
                             .rate = vec3_tangential(pair->velocity, n)};
    if (dt > 0.0) slip.way = vec3_tangential(relative_way(sim, pair, dt), n);
    struct soft_drag drag = soft_step(spring, memory->slip_stiffness, slip, &memory->stretch);
    memory->slip_stiffness = spring->stiffness;
    return drag;
}

/* The angle of the last step: its part along the normal stays there. */
static vec3 carry_angle(const struct meeting *pair, double dt) {
    const struct contact_memory *memory = pair->memory;
    double twisted = vec3_dot(memory->angle, memory->normal);
    vec3 rolled = vec3_add_scaled(memory->angle, -twisted, memory->normal);
    return vec3_add_scaled(carry(pair, rolled, dt), twisted, pair->normal);
}

static struct soft_spring torque_spring(const struct meeting *pair, const talus_torque_law *law,
                                        const struct soft_push *push, double load) {
    struct soft_torque torque =
        soft_torque_make(law, pair->general->reduced_radius, pair->is_plane);
    return soft_torque_spring(&torque, push, load);
}

/* Rolling and torsion. */
static void resist(const struct meeting *pair, const struct soft_push *push, double load, double dt,
                   struct soft_general_sums *all) {
    const talus_pair_law *law = pair->law;
    struct contact_memory *memory = pair->memory;
    bool any = law->rolling.coefficient > 0.0 || law->torsion.coefficient > 0.0;
    if (!any && vec3_norm2(memory->angle) == 0.0) return; /* else the law has been taken away */
    const struct soft_spring springs[2] = {torque_spring(pair, &law->rolling, push, load),
                                           torque_spring(pair, &law->torsion, push, load)};
    const double before[2] = {memory->roll_stiffness, memory->twist_stiffness};
    vec3 turning = vec3_sub(row_vector(pair->b->omega), row_vector(pair->a->omega));
    struct soft_slip turn = {.carried = carry_angle(pair, dt), .rate = turning};
    if (dt > 0.0) turn.way = vec3_sub(row_vector(pair->b->turn), row_vector(pair->a->turn));
    struct soft_resistance now = soft_resist(springs, before, turn, pair->normal);
    memory->angle = any ? now.angle : vec3_zero();
    memory->roll_stiffness = springs[0].stiffness;
    memory->twist_stiffness = springs[1].stiffness;
    pair->general->torque = now.torque;
    double twist = vec3_dot(turning, pair->normal) * now.twist_drag;
    all->power.torsion -= twist;
    all->power.rolling -= vec3_dot(vec3_sub(now.torque, now.spring), turning) - twist;
    all->sums.elastic -= vec3_dot(now.spring, turning);
    all->sums.stored += now.stored;
    all->cut.rolling += now.rolling_lost;
    all->cut.torsion += now.torsion_lost;
}

/* The normal force of a contact that opens at this rate, with the state of its bond. */
static struct soft_push push_of(const struct meeting *pair, double opening,
                                struct soft_general_sums *all) {
    const struct soft_numbers *numbers = &pair->general->numbers;
    const talus_cohesion_law *law = &pair->law->cohesion;
    struct contact_memory *memory = pair->memory;
    if (!(law->force > 0.0)) memory->bonded = false; /* or it has been taken away */
    bool bonds = law->force > 0.0 && (memory->bonded || !law->on_command);
    if (!bonds && pair->overlap > 0.0) return soft_push(numbers, pair->overlap, -opening);
    if (!bonds) return (struct soft_push){.force = 0.0};
    struct cohesion cohesion = cohesion_of(law, pair->general->reduced_radius);
    struct soft_bond bond = soft_bond(numbers, &cohesion, -pair->overlap, opening, memory->opening);
    memory->bonded = !bond.broken;
    memory->opening = bond.broken ? 0.0 : bond.opening;
    all->cut.bonds += bond.lost;
    all->broken += bond.broken;
    pair->general->tension = bond.broken ? 0.0 : cohesion.force;
    return bond.push;
}

/* Springs of pairs that no longer touch are gone, with what they held. */
static void let_go(talus_sim *sim, const struct meeting *pair, struct soft_general_sums *all) {
    struct contact_memory *memory = pair->memory;
    if (pair->has_form)
        all->cut.area += sim_soft_forms_release(sim, (size_t)pair->contact.candidate);
    if (vec3_norm2(memory->normal) == 0.0) return; /* it was no contact */
    double twisted = vec3_dot(memory->angle, memory->normal), twisted2 = twisted * twisted;
    all->sums.cut += 0.5 * memory->slip_stiffness * vec3_norm2(memory->stretch);
    all->cut.rolling += 0.5 * memory->roll_stiffness * (vec3_norm2(memory->angle) - twisted2);
    all->cut.torsion += 0.5 * memory->twist_stiffness * twisted2;
    *memory = (struct contact_memory){.opening = 0.0};
}

static void count(const struct meeting *pair, struct soft_sums *sums) {
    sums->touching += 1.0;
    sums->deepest = fmax(sums->deepest, pair->overlap);
    if (vec3_norm2(pair->memory->normal) > 0.0) return;
    vec3 meeting = vec3_sub(row_vector(pair->b->velocity), row_vector(pair->a->velocity));
    sums->starts += 1.0;
    sums->start_speed = fmax(sums->start_speed, -vec3_dot(pair->velocity, pair->normal));
    double gives = pair->a->inverse_mass + pair->b->inverse_mass;
    if (pair->is_wall || gives == 0.0) return;
    soft_begin(&pair->general->numbers, 1.0 / gives, pair->a->radius + pair->b->radius,
               vec3_norm(meeting), sums);
}

/* All forces of a pair that touches or is bonded. */
static vec3 press(talus_sim *sim, const struct meeting *pair, double dt,
                  struct soft_general_sums *all) {
    const talus_pair_law *law = pair->law;
    struct soft_sums *sums = &all->sums;
    double opening = vec3_dot(pair->velocity, pair->normal);
    struct soft_push push = push_of(pair, opening, all);
    if (pair->has_form) push.energy = sim_soft_forms_hold(sim, &pair->contact, push.elastic, dt);
    double load = push.force + pair->general->tension;
    if (!(load > 0.0)) load = 0.0;
    const double mu[2] = {law->mu_static, law->mu_sliding};
    struct soft_spring spring = soft_slip_spring(&pair->general->numbers, &push, mu, load);
    struct soft_drag drag = drag_of(sim, pair, &spring, dt);
    resist(pair, &push, load, dt, all);
    pair->memory->normal = pair->normal; /* not sooner: springs are carried from the old one */
    sums->stored += push.energy + drag.stored;
    sums->cut += drag.lost;
    sums->damping -= (push.force - push.elastic) * opening;
    sums->elastic -= push.elastic * opening + vec3_dot(drag.spring, pair->velocity);
    sums->slip -= vec3_dot(vec3_sub(drag.force, drag.spring), pair->velocity);
    return vec3_add_scaled(drag.force, push.force, pair->normal);
}

void sim_soft_general(talus_sim *sim, size_t slot, double dt, struct soft_general_sums *all) {
    struct soft_near *near = &sim->soft.near;
    struct soft_entry *entry = &near->entries[slot];
    struct soft_block *block = &near->blocks[slot / SOFT_LANES];
    struct meeting pair = meet(sim, slot);
    *entry = (struct soft_entry){.part = {{0.0}}};
    pair.general->torque = pair.general->turns[0] = pair.general->turns[1] = vec3_zero();
    pair.general->tension = 0.0;
    pair.general->touches = pair.overlap > 0.0 || pair.memory->bonded;
    if (!pair.general->touches) {
        let_go(sim, &pair, all);
        return;
    }
    count(&pair, &all->sums);
    vec3 n = pair.normal, force = press(sim, &pair, dt, all);
    for (int axis = 0; axis < 3; axis++) /* for the sums over walls */
        block->normal[axis][slot % SOFT_LANES] = vec3_component(n, axis);
    row_put(entry->part[SOFT_FORCE], force);
    pair.general->arm_b = pair.arm_b;
    pair.general->turns[0] = vec3_scale(-1.0, pair.general->torque);
    pair.general->turns[1] = pair.general->torque;
    if (pair.has_form) { /* their arms do not lie along the normal */
        vec3 *turns = pair.general->turns;
        turns[0] = vec3_sub(turns[0], vec3_cross(pair.arm_a, force));
        turns[1] = vec3_add(turns[1], vec3_cross(pair.arm_b, force));
        return;
    }
    row_put(entry->part[SOFT_COUPLE], vec3_cross(n, force));
    entry->part[SOFT_FORCE][SOFT_ARM] = vec3_dot(pair.arm_a, n);
    entry->part[SOFT_COUPLE][SOFT_ARM] = pair.is_wall ? 0.0 : -vec3_dot(pair.arm_b, n);
}
