/* SPDX-License-Identifier: Apache-2.0
 *
 * A band of the image as samples, several for each pixel, that remember what is nearest to the eye:
 * depth and number of the thing. Balls and rods (capsules) are cut with the ray of each sample
 * exactly. All places are in camera coordinates (io/camera.h).
 */
#ifndef IO_RASTER_H
#define IO_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "math/vec3.h"
#include "talus/status.h"

enum { RASTER_NOTHING = -1 };

struct rod {
    vec3 a, b;
    double radius;
};

struct raster {
    int width, rows;     /* samples */
    int first_row;       /* of the band in the image */
    double unit, cx, cy; /* camera.h's, in samples */
    float *depth;
    int32_t *thing;
    size_t count;
    struct memory *memory;
};

talus_status raster_create(struct raster *raster, int width, int rows, struct memory *memory,
                           talus_error *err);
void raster_destroy(struct raster *raster);
void raster_begin(struct raster *raster, int first_row);

void raster_ball(struct raster *raster, vec3 center, double radius, int32_t thing);
void raster_rod(struct raster *raster, const struct rod *rod, int32_t thing);

/* Depth of the first hit of the ray (u, v, 1), or HUGE_VAL. */
double ray_ball(vec3 center, double radius, vec3 ray);
double ray_rod(const struct rod *rod, vec3 ray);

#endif
