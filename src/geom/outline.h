/* SPDX-License-Identifier: Apache-2.0
 *
 * The outer surface of a column of points between two planes: in the plane two chains, in space a tube of
 * triangles, closed all around.
 *
 * Columns stand along z, from the plane z = 0 to the plane z = height; in the plane they are wide along x, and y is
 * not used. A point is outer if a paraboloid that opens outwards, r = r0 + s^2/(2 bend) over the distance s measured
 * along the surface, can touch it while no other point is outside of it. Taking s^2/(2 bend) off the distances r from
 * the axis makes these paraboloids flat, so that the outer points are the upper convex hull of what is left, and the
 * facets of that hull are the surface: it has no holes, however rough the column is, and no point lies outside.
 *
 * At the planes the column is continued by its mirror image. Elements that cross a plane have corners on both sides.
 */
#ifndef GEOM_OUTLINE_H
#define GEOM_OUTLINE_H

#include <stddef.h>
#include <stdint.h>

#include "math/vec3.h"

enum outline_mirror { OUTLINE_AS_IS, OUTLINE_BELOW, OUTLINE_ABOVE }; /* mirrored in which plane */

/* A segment (two corners) with its outer side to the right, or a triangle counter-clockwise seen from outside. At
 * least one corner is not mirrored. */
struct outline_element {
    int32_t corner[3]; /* numbers of points */
    uint8_t mirror[3];
};

struct outline {
    struct outline_element *elements;
    size_t count;
};

enum outline_status {
    OUTLINE_OK,
    OUTLINE_NO_MEMORY,
    OUTLINE_THIN,  /* too few points around the axis, or between the planes */
    OUTLINE_FAILED /* the triangles do not close */
};

struct outline_column {
    const vec3 *points;
    size_t count;
    double height;
    double size; /* m, of a grain: its diameter */
    double
        bend; /* m; half of size: gaps of one missing grain are followed, narrower ones bridged */
};

enum outline_status outline_chains(const struct outline_column *column, struct outline *out);
enum outline_status outline_tube(const struct outline_column *column, struct outline *out);
void outline_free(struct outline *outline);

#endif
