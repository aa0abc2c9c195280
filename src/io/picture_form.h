/* SPDX-License-Identifier: Apache-2.0
 *
 * Grains that are not round, in pictures of space. The surface of a rounded hull is made of pieces: its
 * faces moved outwards by the rounding, a rod along each edge, or one ball. They overlap inside only, so
 * the nearest piece is the surface. Pieces of all parts of a form are numbered by one number.
 */
#ifndef IO_PICTURE_FORM_H
#define IO_PICTURE_FORM_H

#include "io/camera.h"
#include "io/light.h"
#include "io/raster.h"

/* A form in some frame: x there = center + scale turn x here. */
struct placed_form {
    const struct body_form *form;
    vec3 center;
    mat3 turn; /* a rotation */
    double scale;
};

struct placed_form placed_in_world(const struct picture_grain *grain, double shrink);
struct placed_form placed_in_camera(const struct picture_grain *grain, double shrink,
                                    const struct camera *camera);

/* `placed` in camera coordinates. */
void form_raster(struct raster *raster, const struct placed_form *placed, int32_t thing);

/* `placed` in the world. */
void form_cast(struct light *light, const struct placed_form *placed);

/* Balls that fill it about as it fills space, as owner first_owner + part; returns how many there are.
 * `balls` may be NULL. */
size_t form_beads(const struct placed_form *placed, int64_t first_owner, struct ball *balls);

/* Where a ray meets a piece. */
struct form_hit {
    double depth;
    vec3 normal; /* of the surface, camera coordinates */
    double line; /* 0..1, how much the line of an edge covers here */
    int part;
};

/* `placed` in camera coordinates, `pixel` the width of one at depth 1. */
struct form_hit form_meet(const struct placed_form *placed, int32_t piece, vec3 ray, double pixel);

/* Outward normal of a rod at a place near its surface. */
vec3 rod_normal(const struct rod *rod, vec3 place);

#endif
