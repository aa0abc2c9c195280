/* SPDX-License-Identifier: Apache-2.0
 *
 * Membranes: a flexible surface through the centres of the outer grains of a column between two plates holds a
 * pressure p. It has no bodies of its own. With V the volume between surface and plates,
 *
 *     F_i = -p dV/dx_i,
 *
 * so that its work is -p dV while the plates rest, it neither pulls the column sideways nor turns it, and the mean
 * stress across the axis is p, whatever the shape (docs/theory/membrane.md).
 */
#ifndef WORLD_MEMBRANE_H
#define WORLD_MEMBRANE_H

#include "geom/outline.h"
#include "world/world.h"

struct membrane {
    struct name name;
    int32_t group;     /* -1: all grains */
    int32_t plates[2]; /* boundaries */
    talus_signal signal;
    double
        remesh; /* share of the mean diameter that a grain may move before outer grains are found anew */
    struct outline_element *elements;
    size_t count, capacity;
    vec3 *meshed_at; /* where each body was then */
    size_t meshed_count, meshed_capacity;
    double size; /* m, mean diameter of its grains then */
    int64_t meshings;
    double pressure, volume, height, area[2]; /* when it pressed last */
};

talus_status membrane_add(struct world *world, const talus_membrane_def *def, talus_error *err);
talus_status membrane_remove(struct world *world, const char *name, talus_error *err);
talus_status membrane_set_pressure(struct world *world, const char *name,
                                   const talus_signal *pressure, talus_error *err);
void membranes_free(struct world *world);
/* The membrane that ends at this boundary; NULL: none. */
const struct membrane *membrane_at(const struct world *world, const struct boundary *boundary);

/* Before a step: outer grains found anew where grains have moved; room for the forces. */
talus_status membranes_prepare(struct world *world, talus_error *err);
/* The forces of all membranes, with grains and plates where they are now and the pressure of `time`. */
void membranes_press(struct world *world, double time);

/* Between which planes: axis from the first to the second, and their distance. */
struct membrane_ends {
    vec3 point, axis; /* on the first plate */
    double height;
};
struct membrane_ends membrane_ends(const struct world *world, const struct membrane *membrane);
/* Where a corner of an element is. */
vec3 membrane_corner(const struct world *world, const struct membrane_ends *ends,
                     const struct outline_element *element, int corner);

#endif
