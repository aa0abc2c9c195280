/* SPDX-License-Identifier: Apache-2.0
 * What a phase changes when it begins. */
#include <string.h>

#include "scene/build.h"

static talus_status remove_all(const struct scene_change *change, talus_sim *sim,
                               talus_error *err) {
    for (size_t i = 0; i < change->remove_membrane_count; i++) {
        TALUS_TRY(talus_membrane_remove(sim, change->remove_membranes[i], err));
    }
    for (size_t i = 0; i < change->remove_count; i++) {
        TALUS_TRY(talus_boundary_remove(sim, change->remove[i], err));
    }
    for (size_t i = 0; i < change->remove_force_count; i++) {
        TALUS_TRY(talus_force_remove(sim, change->remove_forces[i], err));
    }
    return TALUS_OK;
}

static talus_status set_numbers(const struct scene_change *change, talus_sim *sim,
                                talus_error *err) {
    if (change->has_gravity) TALUS_TRY(talus_sim_set_gravity(sim, change->gravity, err));
    if (change->has_dt) TALUS_TRY(talus_sim_set_dt(sim, change->dt, err));
    if (change->has_solver) TALUS_TRY(talus_sim_set_solver(sim, &change->solver, err));
    return TALUS_OK;
}

static talus_status set_boundaries(const struct scene_change *change, talus_sim *sim,
                                   talus_error *err) {
    for (size_t i = 0; i < change->boundary_count; i++) {
        const struct scene_boundary_change *one = &change->boundaries[i];
        if (one->has_motion)
            TALUS_TRY(talus_boundary_set_motion(sim, one->name, &one->motion, err));
        if (one->has_free) TALUS_TRY(talus_boundary_set_free(sim, one->name, &one->free, err));
    }
    return TALUS_OK;
}

/* A membrane of the same name is replaced. */
static talus_status set_membranes(const struct scene_change *change, talus_sim *sim,
                                  talus_error *err) {
    for (size_t i = 0; i < change->membrane_count; i++) {
        const talus_membrane_def *def = &change->membranes[i].def;
        for (size_t m = 0; m < talus_sim_membrane_count(sim); m++) {
            if (strcmp(talus_sim_membrane(sim, m).name, def->name) != 0) continue;
            TALUS_TRY(talus_membrane_remove(sim, def->name, err));
            break;
        }
        TALUS_TRY(talus_membrane_add(sim, def, err));
    }
    return TALUS_OK;
}

talus_status scene_apply_change(const struct scene_change *change, talus_sim *sim,
                                talus_error *err) {
    TALUS_TRY(remove_all(change, sim, err));
    TALUS_TRY(set_numbers(change, sim, err));
    for (size_t i = 0; i < change->pair_count; i++) {
        const struct scene_pair *pair = &change->pairs[i];
        TALUS_TRY(talus_pair_set(sim, pair->a, pair->b, &pair->law, err));
    }
    for (size_t i = 0; i < change->force_count; i++) {
        const struct scene_force *force = &change->forces[i];
        TALUS_TRY(
            talus_force_set(sim, force->name, force->group, force->direction, &force->signal, err));
    }
    TALUS_TRY(set_membranes(change, sim, err));
    TALUS_TRY(set_boundaries(change, sim, err));
    for (size_t i = 0; i < change->velocity_count; i++) {
        const struct scene_velocity_change *one = &change->velocities[i];
        TALUS_TRY(talus_group_set_velocity(sim, one->group, one->velocity, err));
    }
    if (change->bond_contacts) TALUS_TRY(talus_sim_bond_contacts(sim, NULL, err));
    return TALUS_OK;
}
