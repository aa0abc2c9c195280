/* SPDX-License-Identifier: Apache-2.0
 * External forces on groups of bodies. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/world.h"

static struct force *find(const struct world *world, const char *name) {
    for (size_t i = 0; i < world->force_count; i++)
        if (strcmp(world->forces[i].name.text, name) == 0) return &world->forces[i];
    return NULL;
}

talus_status world_set_force(struct world *world, const char *name, const char *group,
                             vec3 direction, const talus_signal *signal, talus_error *err) {
    struct force force = {.direction = direction};
    TALUS_TRY(name_check(&force.name, "force", name, err));
    if (!vec3_is_finite(direction))
        return error_set(err, TALUS_ERR_INPUT, "force '%s': the direction must be finite", name);
    TALUS_TRY(world_group(world, group, &force.group, err));
    struct force *forces = memory_reserve(world->memory, world->forces, &world->force_capacity,
                                          world->force_count + 1, sizeof *forces);
    if (forces == NULL) return error_memory(err);
    world->forces = forces;
    TALUS_TRY(signal_copy(world->memory, signal, name, &force.signal, err));
    struct force *old = find(world, name);
    if (old != NULL)
        signal_free(world->memory, &old->signal);
    else
        old = &world->forces[world->force_count++];
    *old = force;
    return TALUS_OK;
}

talus_status world_remove_force(struct world *world, const char *name, talus_error *err) {
    struct force *force = find(world, name);
    if (force == NULL)
        return error_set(err, TALUS_ERR_UNKNOWN_NAME, "there is no force '%s'", name);
    signal_free(world->memory, &force->signal);
    *force = world->forces[--world->force_count];
    return TALUS_OK;
}

vec3 world_force(const struct world *world, talus_index body, double time) {
    vec3 sum = vec3_zero();
    for (size_t k = 0; k < world->force_count; k++) {
        const struct force *force = &world->forces[k];
        if (force->group != world->bodies.group[body]) continue;
        sum = vec3_add_scaled(sum, signal_value(&force->signal, time), force->direction);
    }
    if ((size_t)body < world->membrane_force_count)
        sum = vec3_add(sum, world->membrane_forces[body]);
    return world_project(world, sum);
}
