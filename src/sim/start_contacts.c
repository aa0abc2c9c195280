/* SPDX-License-Identifier: Apache-2.0
 *
 * Contacts that grains bring along from another run: their impulses are the first guess of the first step, and what laws
 * remember of them (bonds, springs, rest) goes on. Grains that are not round touch in points that the next step has
 * to find first: these begin anew.
 */
#include <stdlib.h>

#include "base/error.h"
#include "sim/sim.h"

static int by_pair(const void *left, const void *right) {
    const struct sim_contact_start *a = left, *b = right;
    if (a->pair.a != b->pair.a) return a->pair.a < b->pair.a ? -1 : 1;
    return (a->pair.b > b->pair.b) - (a->pair.b < b->pair.b);
}

static void remember(talus_sim *sim, size_t k, const struct contact_memory *from, double scale) {
    const struct candidate *pair = &sim->detect.candidates[k];
    const int32_t *material = sim->world.bodies.material;
    const talus_pair_law *law = world_pair(&sim->world, material[pair->a], material[pair->b]);
    struct contact_memory *to = &sim->detect.memories[k];
    *to = *from;
    to->torque = vec3_scale(scale, from->torque);
    to->older = vec3_scale(scale, from->older);
    if (law->cohesion.force > 0.0) return;
    to->bonded = to->broken = 0; /* a law that knows no bonds */
    to->opening = 0.0;
}

talus_status sim_start_contacts(talus_sim *sim, struct sim_contact_start *list, size_t count,
                                double scale, talus_error *err) {
    TALUS_TRY(sim_look_at_pairs(sim, err));
    if (sim->world.form_count > 0 || sim->world.mesh_count > 0) return TALUS_OK;
    qsort(list, count, sizeof *list, by_pair);
    struct detect *detect = &sim->detect;
    for (size_t k = 0; k < detect->candidate_count; k++) {
        struct sim_contact_start wanted = {.pair = detect->candidates[k]};
        const struct sim_contact_start *found =
            count > 0 ? bsearch(&wanted, list, count, sizeof *list, by_pair) : NULL;
        if (found == NULL) continue;
        detect->candidates[k].impulse = vec3_scale(scale, found->pair.impulse);
        if (detect->remembers && found->memory != NULL) remember(sim, k, found->memory, scale);
    }
    return TALUS_OK;
}
