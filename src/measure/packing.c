/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/packing.h"

static void extend(struct packing *packing, vec3 at, double r, bool first) {
    vec3 low = vec3_make(at.x - r, at.y - r, at.z - r),
         high = vec3_make(at.x + r, at.y + r, at.z + r);
    if (first) {
        packing->low = low;
        packing->high = high;
        return;
    }
    packing->low = vec3_make(fmin(packing->low.x, low.x), fmin(packing->low.y, low.y),
                             fmin(packing->low.z, low.z));
    packing->high = vec3_make(fmax(packing->high.x, high.x), fmax(packing->high.y, high.y),
                              fmax(packing->high.z, high.z));
}

static void close_box(const struct world *world, struct packing *packing) {
    packing->volume = 1.0;
    for (int axis = 0; axis < world->dim; axis++) {
        if (world->cell.periodic[axis]) {
            double low = vec3_component(world->cell.origin, axis);
            vec3_set_component(&packing->low, axis, low);
            vec3_set_component(&packing->high, axis, low + vec3_component(world->cell.size, axis));
        }
        double side = vec3_component(packing->high, axis) - vec3_component(packing->low, axis);
        packing->volume *= side;
        packing->size = fmax(packing->size, side);
    }
}

struct packing measure_packing(const struct world *world) {
    struct packing packing = {0};
    const struct bodies *bodies = &world->bodies;
    bool first = true;
    for (size_t i = 0; i < bodies->count; i++) {
        if (bodies->kind[i] != TALUS_BODY_GRAIN) continue;
        extend(&packing, bodies->position[i], bodies->radius[i], first);
        first = false;
        packing.solid += world_grain_volume(world, i);
        packing.mass_mean += bodies->mass[i];
        packing.diameter_mean += 2.0 * bodies->radius[i];
    }
    if (first) return packing;
    packing.mass_mean /= (double)world->grain_count;
    packing.diameter_mean /= (double)world->grain_count;
    close_box(world, &packing);
    if (packing.volume > 0.0) packing.fraction = packing.solid / packing.volume;
    return packing;
}
