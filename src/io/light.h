/* SPDX-License-Identifier: Apache-2.0
 *
 * Light on a heap of balls: one sun with soft shadows (a shadow map), and a sky that near balls
 * hide (ambient occlusion, in closed form for balls, from a grid of who is near).
 */
#ifndef IO_LIGHT_H
#define IO_LIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "math/vec3.h"
#include "talus/status.h"

struct ball {
    vec3 center;
    double radius;
};

struct light {
    const struct ball *balls;
    size_t count;
    vec3 sun; /* unit vector towards it */

    /* grid: cell c holds entries[starts[c]] .. entries[starts[c + 1] - 1] */
    vec3 low;
    double cell, reach; /* m; beyond reach a ball hides nothing */
    int cells[3];
    size_t cell_count, entry_count;
    size_t *starts;
    uint32_t *entries;

    /* shadow map: the highest point along sun over a square raster */
    vec3 across, along; /* unit vectors of the raster */
    double map_low[2], texel;
    int map_size[2];
    size_t map_count;
    float *map;

    struct memory *memory;
};

/* `balls` must stay valid while the light is used. */
talus_status light_create(struct light *light, const struct ball *balls, size_t count, vec3 sun,
                          struct memory *memory, talus_error *err);
void light_destroy(struct light *light);

/* Share of the sky (0..1) that a surface at `point` with unit `normal` sees. */
double light_sky(const struct light *light, vec3 point, vec3 normal);

/* Share of the sun (0..1) that reaches `point`. */
double light_sun(const struct light *light, vec3 point, vec3 normal);

#endif
