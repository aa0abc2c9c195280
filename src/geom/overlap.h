/* SPDX-License-Identifier: Apache-2.0
 *
 * What two convex areas of a plane world have in common: its area, its centre, and the line of contact. Stateless.
 *
 * Polygons are given by their corners, counter-clockwise, z = 0. Common to all functions: a first area A, a polygon, and a
 * second one B, a polygon, a disc or what lies to the left of some lines. The line of contact is described by
 *
 *     N = integral over the boundary of A inside B of the outward normal of A.
 *
 * Going counter-clockwise an element of the boundary ds = (dx, dy) has the outward normal (dy, -dx)/|ds|, so a piece
 * of boundary from p to q, whatever its shape, has the integral (q.y - p.y, -(q.x - p.x)): it is as long as the line from p
 * to q and perpendicular to it. If the boundaries cross in two points, N/|N| is therefore exactly the normal of the
 * line through them and |N| its length. If they cross more often N is the sum over the pieces and still means the same:
 * the common area has a closed boundary, around which the normal sums up to zero, so the part that belongs to B has -N,
 * and when B is moved by e the common area grows by -N . e. So
 *
 *     N = - d(area)/d(position of B) = + d(area)/d(position of A),
 *
 * which has no jumps where corners come and go, and turns its sign when A and B are exchanged. Only where sides
 * of A and B fall together with the same outward normal (one area inside the other there) the area has a kink; these
 * sides count half. Tests: tests/property/test_overlap.c.
 */
#ifndef GEOM_OVERLAP_H
#define GEOM_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>

#include "math/vec3.h"

struct overlap {
    double area;  /* m^2, > 0 */
    vec3 centre;  /* m, of that area */
    vec3 contact; /* m, N */
};

/* What is left of the line through (x, y) along (dx, dy), of any length > 0, is inside. */
struct overlap_line {
    double x, y, dx, dy;
};

/* Scratch: a corner of the common area, and how much the side that begins here belongs to A. */
struct overlap_corner {
    double x, y, own;
};
static inline size_t overlap_room(size_t corners_a, size_t sides_b) {
    return 4 * (corners_a + sides_b) + 8;
}

/* All return whether there is an area in common; touching is none. `scratch` has overlap_room() corners. */
bool overlap_polygons(const vec3 *a, size_t count_a, const vec3 *b, size_t count_b, vec3 position_b,
                      struct overlap_corner *scratch, struct overlap *out);
/* With what lies left of all lines, at most OVERLAP_LINES: one is a half-plane. */
enum { OVERLAP_LINES = 8 };
bool overlap_lines(const vec3 *a, size_t count_a, const struct overlap_line *lines, size_t count,
                   struct overlap_corner *scratch, struct overlap *out);
/* With a disc; here the scratch needs overlap_room(count_a, 0). */
bool overlap_disc(const vec3 *a, size_t count_a, vec3 centre, double radius,
                  struct overlap_corner *scratch, struct overlap *out);

/* A thin plate from p to q, seen from its left or right side: what lies behind it and between its ends. */
void overlap_plate(vec3 p, vec3 q, bool from_left, struct overlap_line lines[3]);

/* m^2 */
double overlap_polygon_area(const vec3 *a, size_t count);

#endif
