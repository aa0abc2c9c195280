/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/stress.h"

static vec3 branch(const struct world *world, const struct contact *contact) {
    const vec3 *position = world->bodies.position;
    if (contact->wall >= 0) return contact->arm;
    return cell_branch(&world->cell, position[contact->a], position[contact->b]);
}

mat3 measure_stress(const struct world *world, const struct detect *detect, double volume,
                    double dt) {
    mat3 stress = mat3_zero();
    if (!(volume > 0.0)) return stress;
    for (size_t k = 0; k < detect->contact_count; k++) {
        const struct contact *contact = &detect->contacts[k];
        vec3 impulse = detect->candidates[contact->candidate].impulse;
        vec3 l = branch(world, contact);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                stress.m[i][j] += vec3_component(l, i) * vec3_component(impulse, j) / (volume * dt);
    }
    return stress;
}
