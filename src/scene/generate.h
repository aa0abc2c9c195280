/* SPDX-License-Identifier: Apache-2.0
 *
 * Grains at the start of a scene. Every draw is a function of the seed and the number of the
 * generator, so a scene gives the same grains on every machine and whatever the other entries are.
 */
#ifndef SCENE_GENERATE_H
#define SCENE_GENERATE_H

#include "base/memory.h"
#include "base/random.h"
#include "math/vec3.h"
#include "scene/scene.h"

struct grain {
    vec3 position;
    double radius;   /* of the sphere around it */
    int32_t variant; /* of its shape; 0 if it is round */
};

/* A growing array of grains. */
struct grains {
    struct memory memory;
    struct grain *items;
    size_t count, capacity;
};

bool grains_add(struct grains *grains, struct grain grain); /* false: out of memory */
void grains_free(struct grains *grains);

/* The parts of a generator's random numbers. */
enum generate_draw {
    DRAW_RADIUS,
    DRAW_POSITION,
    DRAW_VELOCITY,
    DRAW_VARIANT,
    DRAW_TURN, /* a sequence for each grain */
    DRAW_SHAPE /* a sequence for each variant of a shape of the scene */
};

/* What a generator needs to know. */
struct generate {
    const struct talus_scene *scene;
    const struct scene_generator *generator;
    size_t number;         /* of the generator */
    struct grains *grains; /* those of earlier generators are in it; new ones are appended */
};

struct random generate_random(const struct generate *generate, enum generate_draw draw);

/* Append the grains of one entry. */
talus_status generate_grains(const struct generate *generate, talus_error *err);

talus_status generate_row(const struct generate *generate, talus_error *err);
talus_status generate_lattice(const struct generate *generate, talus_error *err);
talus_status generate_fill(const struct generate *generate, talus_error *err);
talus_status generate_file(const struct generate *generate, talus_error *err);

/* ---- sizes, shapes, orientations ---- */

/* What is drawn for a grain before it has a place. */
struct grain_draw {
    double radius;
    int32_t variant;
};

/* `form` NULL: round. Neither sequence depends on how much of the other is used. */
struct grain_draw grain_draw(const struct scene_size *size, const struct scene_shape *form,
                             struct random *radii, struct random *variants);

/* Length, area or volume of a grain. */
double grain_solid(const struct scene_shape *form, struct grain_draw draw, int dimension);

/* The name the engine knows a grain's shape by; `round` if it has no form. */
const char *grain_shape(const struct scene_shape *form, int32_t variant, const char *round);

/* The centre of mass of a grain whose shape has the origin of its coordinates at `origin`. */
vec3 grain_centre(const struct scene_shape *form, struct grain_draw draw, vec3 origin, quat turn);

quat turn_draw(const struct scene_turn *turn, int dimension, struct random *random);

/* The orientation of grain i of the entry: the same whenever it is asked for. */
quat generate_turn(const struct generate *generate, size_t i);

/* The smallest radius a distribution can give. */
double scene_size_smallest(const struct scene_size *size);

/* ---- text files of grains ---- */

struct grain_file_summary {
    size_t count;
    double radius_max;
};

/* Read a file through without keeping anything: can it be used in this dimension? */
talus_status grain_file_check(const char *path, int dimension, struct grain_file_summary *summary,
                              talus_error *err);

/* ---- regions ---- */

/* Length, area or volume of a region and of a grain in this dimension. */
double region_measure(const struct scene_region *region, int dimension);
double grain_measure(double radius, int dimension);

/* The world and the region a place is looked for in. */
struct region_space {
    struct scene_region region;
    int dimension;
    bool spans[3];  /* the region is a whole period of the cell: grains may stand on its sides */
    vec3 low, high; /* box around it */
};
struct region_space region_space(const struct scene_region *region, const talus_config *config);
/* A uniform place for a grain that lies inside entirely. */
vec3 region_draw(const struct region_space *space, double radius, struct random *random);

/* Does a grain at this place of the box around the region lie inside entirely? */
bool region_holds(const struct region_space *space, vec3 at, double radius);

/* Put the items from `first` on into spatial order, so that neighbours are near in memory. */
talus_status grains_sort(struct grains *grains, size_t first, talus_error *err);

#endif
