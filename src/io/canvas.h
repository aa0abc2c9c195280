/* SPDX-License-Identifier: Apache-2.0
 *
 * A page of 8-bit sRGB pixels and what can be drawn on it: discs, lines with round ends, convex
 * polygons, outlined figures of rounded hulls, text. Coordinates are in pixels, y downwards, pixel
 * (i, j) covering [i, i+1) x [j, j+1). Edges are smooth: a pixel is covered by the
 * share of it that lies inside.
 */
#ifndef IO_CANVAS_H
#define IO_CANVAS_H

#include <stdint.h>

#include "base/memory.h"
#include "io/colormap.h"
#include "talus/status.h"

struct canvas {
    int width, height;
    uint8_t *pixels; /* r, g, b; rows from the top */
    struct memory *memory;
};

struct point {
    double x, y;
};

/* A white page. */
talus_status canvas_create(struct canvas *canvas, int width, int height, struct memory *memory,
                           talus_error *err);
void canvas_destroy(struct canvas *canvas);

/* Cover a pixel of the page by `cover` (0..1) of a colour; outside the page nothing happens. */
void canvas_blend(struct canvas *canvas, int x, int y, struct color color, double cover);

void canvas_disc(struct canvas *canvas, struct point center, double radius, struct color color,
                 double opacity);

/* A circle line of the given width around radius. */
void canvas_ring(struct canvas *canvas, struct point center, double radius, double width,
                 struct color color);

void canvas_line(struct canvas *canvas, struct point a, struct point b, double width,
                 struct color color);

/* A convex polygon, corners in either sense. */
void canvas_polygon(struct canvas *canvas, const struct point *corners, int count,
                    struct color color, double opacity);

/* A convex polygon swept by a disc; one corner is a disc, two are a stadium. */
struct canvas_hull {
    const struct point *corners; /* in either sense */
    int count;
    double rounding;
};

struct canvas_pen {
    struct color fill, line;
    double width; /* of the line, which lies inside the outline */
};

/* All that lies in one of the hulls (one or more), filled, with a line along the outline of the whole:
 * none where hulls touch or overlap. */
void canvas_figure(struct canvas *canvas, const struct canvas_hull *hulls, int count,
                   const struct canvas_pen *pen);

#endif
