/* SPDX-License-Identifier: Apache-2.0
 * Soft grains: what they cannot do, what they own. */
#include "law/soft.h"

#include "base/error.h"
#include "sim/sim.h"
#include "world/membrane.h"

/* Is there a grain of one and something else of the other? Walls do not meet walls. */
static bool can_meet(const talus_sim *sim, int a, int b) {
    const struct bodies *bodies = &sim->world.bodies;
    size_t grains[2] = {0, 0}, all[2] = {0, 0};
    const int materials[2] = {a, b};
    for (size_t i = 0; i < bodies->count; i++)
        for (int side = 0; side < 2; side++) {
            if (bodies->material[i] != materials[side]) continue;
            all[side]++;
            grains[side] += bodies->kind[i] == TALUS_BODY_GRAIN;
        }
    if (a == b) return grains[0] > 0 && all[0] > 1;
    return (grains[0] > 0 && all[1] > 0) || (grains[1] > 0 && all[0] > 0);
}

static talus_status check_pair(const talus_sim *sim, int a, int b, talus_error *err) {
    const struct world *world = &sim->world;
    const talus_pair_law *law = world_pair(world, a, b);
    const char *names[2] = {world->materials[a].name.text, world->materials[b].name.text};
    if (!soft_is_on(&law->soft) && can_meet(sim, a, b))
        return error_set(err, TALUS_ERR_INPUT,
                         "materials '%s' and '%s': soft grains (method md) need a stiffness; give "
                         "the pair a soft law",
                         names[0], names[1]);
    const talus_restitution_law *rebound = &law->restitution;
    bool taken = rebound->normal == 0.0 || rebound->normal == law->soft.restitution;
    bool strange = !taken || rebound->tangential != 0.0 || rebound->threshold != 0.0;
    if (strange && soft_is_on(&law->soft))
        return error_set(
            err, TALUS_ERR_INPUT,
            "materials '%s' and '%s': soft grains (method md) take restitution.normal "
            "only if their soft law has no damping or restitution of its own, and know "
            "no tangential restitution and no threshold",
            names[0], names[1]);
    return TALUS_OK;
}

talus_status sim_soft_check(const talus_sim *sim, talus_error *err) {
    const struct world *world = &sim->world;
    TALUS_TRY(sim_soft_check_forms(sim, err));
    for (int a = 0; a < (int)world->material_count; a++)
        for (int b = a; b < (int)world->material_count; b++) TALUS_TRY(check_pair(sim, a, b, err));
    return TALUS_OK;
}

void sim_soft_rescale(talus_sim *sim, double scale) {
    for (size_t i = 0; i < sim->soft.more_capacity; i++) {
        struct soft_more *more = &sim->soft.state.more[i];
        double power = scale * scale * scale;
        for (int n = 0; n < INTEGRATOR_MORE; n++, power *= scale) {
            more->slide[n] = vec3_scale(power, more->slide[n]);
            more->turn[n] = vec3_scale(power, more->turn[n]);
        }
    }
}

#define FREE(field, capacity) memory_free(&sim->memory, field, capacity, sizeof *(field));

void sim_soft_free(talus_sim *sim) {
    struct soft *soft = &sim->soft;
    struct soft_near *near = &soft->near;
    struct soft_wave *wave = &soft->wave;
    FREE(soft->state.bodies, soft->body_capacity)
    FREE(soft->state.more, soft->more_capacity)
    FREE(soft->outside, soft->outside_capacity)
    FREE(soft->order, soft->order_capacity)
    FREE(soft->row_room, soft->row_capacity)
    FREE(soft->images, soft->image_capacity)
    FREE(soft->row_of, soft->row_of_capacity)
    FREE(soft->wall_of, soft->wall_of_capacity)
    FREE(soft->pair_sums, soft->pair_sum_capacity)
    FREE(soft->wall_sums, soft->wall_sum_capacity)
    FREE(soft->body_sums, soft->body_sum_capacity)
    FREE(soft->published, soft->published_capacity)
    FREE(near->block_room, near->block_capacity)
    FREE(near->laws, near->law_capacity)
    FREE(near->laws_of, near->law_of_capacity)
    FREE(near->entry_room, near->entry_capacity)
    FREE(soft->seen, soft->seen_capacity)
    FREE(near->slip_stiffness, near->slip_capacity)
    FREE(near->candidate, near->candidate_capacity)
    FREE(near->general, near->general_capacity)
    FREE(near->classes, near->class_capacity)
    FREE(near->incident, near->incident_capacity)
    FREE(near->incident_first, near->incident_first_capacity)
    FREE(wave->tasks, wave->task_capacity)
    FREE(wave->first_need, wave->first_need_capacity)
    FREE(wave->last_need, wave->last_need_capacity)
    FREE(wave->predict, wave->predict_capacity)
    FREE(wave->move, wave->move_capacity)
    FREE(wave->apart, wave->apart_capacity)
    FREE(wave->predict_first, wave->predict_first_capacity)
    FREE(wave->move_first, wave->move_first_capacity)
}
