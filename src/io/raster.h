/* SPDX-License-Identifier: Apache-2.0
 *
 * A band of the image as samples, several for each pixel, that remember what is nearest to the eye:
 * depth and label of the thing. Balls, rods (capsules) and flat faces are cut with the ray of each
 * sample exactly. All places are in camera coordinates (io/camera.h).
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

/* What was drawn: number of the thing, and which piece of it. */
struct raster_label {
    int32_t thing, piece;
};

struct raster {
    int width, rows;     /* samples */
    int first_row;       /* of the band in the image */
    double unit, cx, cy; /* camera.h's, in samples */
    float *depth;
    struct raster_label *label;
    size_t count;
    struct memory *memory;
};

talus_status raster_create(struct raster *raster, int width, int rows, struct memory *memory,
                           talus_error *err);
void raster_destroy(struct raster *raster);
void raster_begin(struct raster *raster, int first_row);

void raster_ball(struct raster *raster, vec3 center, double radius, struct raster_label label);
void raster_rod(struct raster *raster, const struct rod *rod, struct raster_label label);

/* Where a convex polygon lies in the band: rows (of the band) and, row by row, samples; none where
 * last < first. Sample k is covered when its middle is inside. */
enum { RASTER_CORNERS = 64 };
struct raster_span {
    int first, last;
};
struct raster_outline {
    int count;
    double x[RASTER_CORNERS], y[RASTER_CORNERS]; /* in samples */
    struct raster_span rows;
};
void raster_outline(struct raster_outline *outline, const struct raster *raster,
                    const vec3 *corners, int count);
struct raster_span raster_row(const struct raster_outline *outline, const struct raster *raster,
                              int row);

/* Depth along a row of samples over a plane: 1 / (a + b x) at sample x. */
struct raster_slope {
    double a, b;
};
struct raster_slope raster_slope(const struct raster *raster, vec3 normal, vec3 point, int row);

/* A convex face of up to RASTER_CORNERS corners, wholly before the eye. Faces that share a
 * side leave no gap between them. */
void raster_face(struct raster *raster, const vec3 *corners, vec3 normal, int count,
                 struct raster_label label);

/* May any part of a ball be in this band? */
bool raster_sees(const struct raster *raster, vec3 center, double radius);

/* Depth of the first hit of the ray (u, v, 1), or HUGE_VAL. */
double ray_ball(vec3 center, double radius, vec3 ray);
double ray_rod(const struct rod *rod, vec3 ray);

#endif
