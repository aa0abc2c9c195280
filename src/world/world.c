/* SPDX-License-Identifier: Apache-2.0 */
#include "world/world.h"

#include "world/membrane.h"

vec3 world_project(const struct world *world, vec3 a) {
    if (world->dim < 3) a.z = 0.0;
    if (world->dim < 2) a.y = 0.0;
    return a;
}

void world_free(struct world *world) {
    struct memory *memory = world->memory;
    for (size_t i = 0; i < world->boundary_count; i++) {
        boundary_free(world, &world->boundaries[i]);
        surface_free(memory, &world->boundaries[i].mesh);
    }
    for (size_t i = 0; i < world->force_count; i++) signal_free(memory, &world->forces[i].signal);
    membranes_free(world);
    bodies_free(world);
    for (size_t i = 0; i < world->form_count; i++) body_form_free(world, &world->forms[i]);
    memory_free(memory, world->forms, world->form_capacity, sizeof *world->forms);
    memory_free(memory, world->materials, world->material_capacity, sizeof *world->materials);
    memory_free(memory, world->pairs, world->material_capacity * world->material_capacity,
                sizeof *world->pairs);
    memory_free(memory, world->groups, world->group_capacity, sizeof *world->groups);
    memory_free(memory, world->boundaries, world->boundary_capacity, sizeof *world->boundaries);
    memory_free(memory, world->forces, world->force_capacity, sizeof *world->forces);
}
