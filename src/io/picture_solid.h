/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files that draw a picture in space share: picture_solid.c draws, band by band;
 * picture_things.c lists the things to be drawn; picture_shade.c says which colour a ray sees.
 */
#ifndef IO_PICTURE_SOLID_H
#define IO_PICTURE_SOLID_H

#include "io/glass.h"
#include "io/picture_form.h"

struct ranked {
    double depth;
    size_t grain;
};

enum bar_kind { BAR_WEAK, BAR_STRONG, BAR_PULLS, BAR_KINDS };

struct solid {
    const struct picture *picture;
    struct camera camera;
    struct glass glass;
    struct light light;
    struct raster raster;
    double shrink;      /* grains are drawn this much smaller */
    struct ball *balls; /* around the grains as drawn, in the world */
    struct ball *beads; /* that fill grains that are not round; then all hide the sky */
    size_t bead_count;
    struct ranked *order; /* of the grains, from near to far */
    struct color *colors; /* of the grains, linear */
    struct rod *rods;     /* edges of walls, then bars; camera coordinates */
    size_t rod_count, rod_capacity;
    size_t bar_first[BAR_KINDS]; /* of the rods: edges come first, then bars, kind after kind */
    const struct picture_wall *floor;
    struct memory *memory;
};

/* Whose surface it is, for the light. */
static inline int64_t solid_owner(size_t grain, int part) {
    return (int64_t)grain * TALUS_SHAPE_PARTS_MAX + part;
}

/* Balls, order, rods and light of a solid that has picture, camera and memory. What was made has to be
 * freed also after a failure. */
talus_status solid_make(struct solid *solid, double azimuth, talus_error *err);
void solid_free(struct solid *solid);

/* Colour (linear) of what the ray through a sample of the band meets, glass before it included. */
struct color solid_shade(const struct solid *solid, vec3 ray, size_t sample);

#endif
