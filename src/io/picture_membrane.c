/* SPDX-License-Identifier: Apache-2.0
 * Membranes as lines. They go through the centres of grains; to be seen they are drawn where a skin would be, a
 * radius farther out. */
#include "base/error.h"
#include "io/picture.h"
#include "sim/sim.h"
#include "world/membrane.h"

/* The corner, moved outwards: away from where the membrane pushes its grain. */
static vec3 skin(const struct world *world, const struct membrane_ends *ends,
                 const struct outline_element *element, int corner) {
    talus_index body = element->corner[corner];
    vec3 out = vec3_scale(-1.0, vec3_tangential(world->membrane_forces[body], ends->axis));
    double size = vec3_norm(out);
    vec3 x = membrane_corner(world, ends, element, corner);
    return size > 0.0 ? vec3_add_scaled(x, world->bodies.radius[body] / size, out) : x;
}

/* The part between the plates; false: there is none. */
static bool cut(const struct membrane_ends *ends, struct picture_crease *line) {
    vec3 *x[2] = {&line->a, &line->b};
    for (int k = 0; k < 2; k++) {
        double z = vec3_dot(vec3_sub(*x[k], ends->point), ends->axis);
        double other = vec3_dot(vec3_sub(*x[1 - k], ends->point), ends->axis);
        double plane = z < 0.0 ? 0.0 : ends->height;
        if (z >= 0.0 && z <= ends->height) continue;
        if ((z < 0.0 && other <= 0.0) || (z > ends->height && other >= ends->height)) return false;
        *x[k] = vec3_add_scaled(*x[k], (plane - z) / (other - z), vec3_sub(*x[1 - k], *x[k]));
    }
    return true;
}

/* Each edge of a triangle has a neighbour that walks it the other way: one of them draws it. */
static bool is_drawn(const struct outline_element *element, int k, int next, int dim) {
    if (dim == 2) return k == 0;
    if (element->mirror[k] != element->mirror[next])
        return element->mirror[k] < element->mirror[next];
    return element->corner[k] < element->corner[next];
}

static talus_status add_membrane(struct picture *picture, const struct world *world,
                                 const struct membrane *membrane, talus_error *err) {
    struct membrane_ends ends = membrane_ends(world, membrane);
    size_t most = picture->crease_count + membrane->count * (size_t)(world->dim == 2 ? 1 : 3);
    struct picture_crease *lines = memory_reserve(picture->memory, picture->creases,
                                                  &picture->crease_capacity, most, sizeof *lines);
    if (lines == NULL) return error_memory(err);
    picture->creases = lines;
    for (size_t e = 0; e < membrane->count; e++)
        for (int k = 0; k < world->dim; k++) {
            const struct outline_element *element = &membrane->elements[e];
            int next = (k + 1) % world->dim;
            if (!is_drawn(element, k, next, world->dim)) continue;
            struct picture_crease line = {skin(world, &ends, element, k),
                                          skin(world, &ends, element, next)};
            if (cut(&ends, &line)) picture->creases[picture->crease_count++] = line;
        }
    return TALUS_OK;
}

talus_status picture_membranes(struct picture *picture, const talus_sim *sim, talus_error *err) {
    const struct world *world = &sim->world;
    for (size_t m = 0; m < world->membrane_count; m++)
        TALUS_TRY(add_membrane(picture, world, &world->membranes[m], err));
    return TALUS_OK;
}
