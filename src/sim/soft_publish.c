/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: contacts where observers look for them. It costs more than a step, so it is done when somebody looks,
 * not in every step. To the caller nothing changes: what is written here was room before.
 */
#include "sim/sim.h"

static bool touches(const struct soft_near *near, size_t slot) {
    size_t general = near->first[SOFT_GENERAL] * SOFT_LANES;
    if (near->candidate[slot] < 0) return false;
    return slot < general ? near->entries[slot].part[SOFT_FORCE][SOFT_ARM] != 0.0
                          : near->general[slot - general].touches;
}

static void publish(const talus_sim *sim, size_t slot, size_t to) {
    const struct soft_near *near = &sim->soft.near;
    size_t candidate = (size_t)near->candidate[slot];
    struct contact contact = detect_contact(&sim->detect, &sim->world, candidate);
    const int32_t *material = sim->world.bodies.material;
    const talus_pair_law *law = world_pair(&sim->world, material[contact.a], material[contact.b]);
    vec3 impulse = vec3_scale(sim->dt, row_vector(near->entries[slot].part[SOFT_FORCE]));
    sim->detect.candidates[candidate].impulse = impulse;
    sim->detect.contacts[to] = contact;
    sim->problem.contacts[to] = (struct solve_contact){.a = contact.a,
                                                       .b = contact.b,
                                                       .normal = contact.normal,
                                                       .arm_a = contact.arm_a,
                                                       .arm_b = contact.arm_b,
                                                       .mu = law->mu_sliding,
                                                       .impulse = impulse,
                                                       .general = -1,
                                                       .combined = -1};
    size_t general = near->first[SOFT_GENERAL] * SOFT_LANES;
    struct soft_seen *seen = &sim->soft.seen[to];
    *seen = (struct soft_seen){.tension = 0.0};
    if (slot >= general)
        *seen = (struct soft_seen){near->general[slot - general].torque,
                                   near->general[slot - general].tension};
}

/* In parts, so that threads can share them; the order of the contacts is that of the slots, whoever does it. */
enum { PARTS = 64 };

static size_t part_start(size_t slots, size_t part) {
    return slots * part / PARTS;
}

static void publish_contacts(const talus_sim *sim) {
    const struct soft_near *near = &sim->soft.near;
    size_t slots = near->first[SOFT_CLASSES] * SOFT_LANES, first[PARTS + 1] = {0};
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t part = 0; part < PARTS; part++)
        for (size_t slot = part_start(slots, part); slot < part_start(slots, part + 1); slot++)
            first[part + 1] += touches(near, slot);
    for (size_t part = 0; part < PARTS; part++) first[part + 1] += first[part];
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t part = 0; part < PARTS; part++) {
        size_t to = first[part];
        for (size_t slot = part_start(slots, part); slot < part_start(slots, part + 1); slot++)
            if (touches(near, slot)) publish(sim, slot, to++);
    }
}

/* Net forces of the last step. */
static struct step_sums sum_up(const talus_sim *sim) {
    const struct bodies *bodies = &sim->world.bodies;
    struct step_sums sums = {0};
    for (size_t i = 0; i < bodies->count; i++) {
        if (!world_answers_forces(&sim->world, i)) continue;
        vec3 net = vec3_scale(bodies->mass[i], sim->soft.state.bodies[i].rates.acceleration);
        vec3 weight = vec3_scale(bodies->mass[i], sim->world.gravity);
        sums.momentum_change = vec3_add_scaled(sums.momentum_change, sim->dt, net);
        sums.applied += sim->dt * vec3_norm(vec3_add(weight, sim->soft.outside[i].force));
        if (bodies->kind[i] == TALUS_BODY_GRAIN) sums.net_force_sum += vec3_norm(net);
    }
    return sums;
}

void sim_soft_publish(const talus_sim *sim) {
    const struct soft_near *near = &sim->soft.near;
    struct soft_published *published = sim->soft.published;
    sim_soft_sync(sim);
    if (published == NULL || published->current || !near->valid || !sim->soft.ready) return;
    for (size_t k = 0; k < sim->detect.candidate_count; k++)
        sim->detect.candidates[k].impulse = vec3_zero();
    publish_contacts(sim);
    published->sums = sum_up(sim);
    published->current = true;
}
