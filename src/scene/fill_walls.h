/* SPDX-License-Identifier: Apache-2.0
 *
 * The boundaries as obstacles for grains that are placed at random: those of a scene as they are
 * defined, or those of a simulation as they stand now.
 */
#ifndef SCENE_FILL_WALLS_H
#define SCENE_FILL_WALLS_H

#include "base/memory.h"
#include "geom/distance.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "world/cell.h"

struct fill_wall {
    struct wall wall;
    quat orientation; /* of a mesh, and its triangles: relative to `origin` before it turned */
    vec3 origin;
    const vec3 *vertices;
    const int32_t (*triangles)[3];
    size_t triangle_count;
};

struct fill_walls {
    struct memory *memory;
    struct cell cell;
    struct fill_wall *items;
    size_t count, capacity;
};

/* The boundaries at time 0, in place of what was there. False: out of memory. */
bool fill_walls_from_scene(struct fill_walls *walls, const talus_scene *scene);
/* Those present now. False: out of memory. */
bool fill_walls_from_sim(struct fill_walls *walls, const talus_scene *scene, const talus_sim *sim);
void fill_walls_free(struct fill_walls *walls);

/* Would a grain here overlap a boundary or lie behind a solid one? A negative radius asks whether
 * a point lies so deep in one. */
bool fill_walls_overlap(const struct fill_walls *walls, vec3 at, double radius);

#endif
