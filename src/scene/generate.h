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
    double radius;
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
enum generate_draw { DRAW_RADIUS, DRAW_POSITION, DRAW_VELOCITY };

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
