/* SPDX-License-Identifier: Apache-2.0
 *
 * Walls of a picture in space, as tinted glass before and behind the grains. A plane shows only from
 * the side of the grains, so that the near sides of a box do not hide what is in it.
 */
#ifndef IO_GLASS_H
#define IO_GLASS_H

#include "io/glass_mesh.h"

enum { GLASS_PANES = 64 };

struct pane {
    bool round; /* a cylinder, else a polygon */
    double opacity;
    vec3 point, normal; /* camera coordinates; cylinder: centre and axis */
    double radius, half_length;
    int side_count;
    vec3 sides[PICTURE_CORNERS]; /* normals of the planes through the eye and each side */
};

struct glass {
    int count;
    struct pane panes[GLASS_PANES]; /* further walls are left out */
    struct glass_mesh mesh;
};

/* All but the mesh. */
void glass_make(struct glass *glass, const struct picture *picture, const struct camera *camera);

/* Which panes (bit k = pane k) the ray (u, v, 1) meets before `depth`. */
uint64_t glass_before(const struct glass *glass, vec3 ray, double depth);

/* What lies before a place: the ray there, its depth, the first layer of the mesh. */
struct glass_sight {
    vec3 ray;
    double depth;
    int32_t layer;
};

/* Put the panes and layers before a place over a colour (linear), farthest first. */
struct color glass_over(const struct glass *glass, const struct glass_sight *sight,
                        struct color behind);

#endif
