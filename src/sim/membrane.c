/* SPDX-License-Identifier: Apache-2.0
 * Membranes: adding, changing and reading them back. */
#include "world/membrane.h"

#include "sim/sim.h"

talus_membrane_def talus_membrane_def_default(void) {
    return (talus_membrane_def){.remesh = 0.05};
}

talus_status talus_membrane_add(talus_sim *sim, const talus_membrane_def *def, talus_error *err) {
    sim_soft_sync(sim);
    return sim_changed(sim, membrane_add(&sim->world, def, err));
}

talus_status talus_membrane_set_pressure(talus_sim *sim, const char *name,
                                         const talus_signal *pressure, talus_error *err) {
    return sim_changed(sim, membrane_set_pressure(&sim->world, name, pressure, err));
}

talus_status talus_membrane_remove(talus_sim *sim, const char *name, talus_error *err) {
    sim_soft_sync(sim);
    return sim_changed(sim, membrane_remove(&sim->world, name, err));
}

size_t talus_sim_membrane_count(const talus_sim *sim) {
    return sim->world.membrane_count;
}

/* At rest F - p area is the same at both plates, for the forces on all grains balance. */
static double axial_stress(const talus_sim *sim, const struct membrane *membrane, vec3 axis) {
    const struct boundary *boundaries = sim->world.boundaries;
    double low = -vec3_dot(boundaries[membrane->plates[0]].force, axis);
    double high = vec3_dot(boundaries[membrane->plates[1]].force, axis);
    double beyond =
        0.5 * (low + high - membrane->pressure * (membrane->area[0] + membrane->area[1]));
    return membrane->pressure + beyond * membrane->height / membrane->volume;
}

talus_membrane_view talus_sim_membrane(const talus_sim *sim, size_t index) {
    const struct membrane *membrane = &sim->world.membranes[index];
    vec3 axis = membrane_ends(&sim->world, membrane).axis;
    return (talus_membrane_view){.name = membrane->name.text,
                                 .pressure = membrane->pressure,
                                 .volume = membrane->volume,
                                 .height = membrane->height,
                                 .area = {membrane->area[0], membrane->area[1]},
                                 .axial = axial_stress(sim, membrane, axis),
                                 .axis = axis,
                                 .meshings = membrane->meshings,
                                 .count = membrane->count};
}

int talus_sim_membrane_element(const talus_sim *sim, size_t index, size_t element,
                               talus_vec3 corners[3]) {
    const struct membrane *membrane = &sim->world.membranes[index];
    struct membrane_ends ends = membrane_ends(&sim->world, membrane);
    for (int k = 0; k < sim->world.dim; k++)
        corners[k] = membrane_corner(&sim->world, &ends, &membrane->elements[element], k);
    return sim->world.dim;
}
