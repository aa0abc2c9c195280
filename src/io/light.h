/* SPDX-License-Identifier: Apache-2.0
 *
 * Light on a heap of grains: one sun with soft shadows (a shadow map), and a sky that near grains
 * hide (ambient occlusion, in closed form for balls, from a grid of who is near). Grains that are not
 * round hide the sky as a few balls that fill them, and cast the shadow of their true shape.
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
    int64_t owner; /* whose it is: it does not hide the sky from its owner */
};

enum { LIGHT_NOBODY = -1, LIGHT_CORNERS = 64 /* of a face, at most */ };

/* What the light falls on. The arrays must stay valid while the light is used. */
struct light_scene {
    const struct ball *balls; /* that hide the sky */
    size_t count;
    const struct ball *around; /* these hold all that casts shadows */
    size_t around_count;
    double size; /* m, mean radius of a grain */
    vec3 sun;    /* unit vector towards it */
};

struct light {
    const struct ball *balls;
    size_t count;
    vec3 sun;

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

/* Then everything that casts a shadow has to be cast, in the world. */
talus_status light_create(struct light *light, const struct light_scene *scene,
                          struct memory *memory, talus_error *err);
void light_cast_ball(struct light *light, vec3 center, double radius);
void light_cast_rod(struct light *light, vec3 a, vec3 b, double radius);
void light_cast_face(struct light *light, const vec3 *corners, vec3 normal, int count);
void light_destroy(struct light *light);

/* Share of the sky (0..1) that a surface at `point` with unit `normal` sees; `owner` is
 * whose surface it is. */
double light_sky(const struct light *light, vec3 point, vec3 normal, int64_t owner);

/* Share of the sun (0..1) that reaches `point`. */
double light_sun(const struct light *light, vec3 point, vec3 normal);

#endif
