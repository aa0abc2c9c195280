/* SPDX-License-Identifier: Apache-2.0
 *
 * Ready-made shapes as points whose hull they are. The first ones fill an array of the caller and
 * return how many points they wrote; those whose number of points is not known before allocate a
 * struct form.
 */
#ifndef GEOM_FORMS_H
#define GEOM_FORMS_H

#include "base/random.h"
#include "geom/convex.h"

/* ---- plane worlds: z = 0 ------------------------------------------------------------------------- */

/* Regular polygon of circumradius 1 with a flat side below; writes `sides` points. */
size_t form_polygon(vec3 *out, int sides);
/* Sides a and b along x and y. Four points. */
size_t form_rectangle(vec3 *out, double a, double b);

/* A stone of an arch around the origin, between two radii and two angles (rad, from x,
 * counter-clockwise). Its inner and outer side are straight, with the corners on the circles. */
struct form_voussoir {
    double inner, outer; /* m */
    double from, to;     /* rad, to - from in (0, pi) */
};
size_t form_voussoir(vec3 *out, const struct form_voussoir *stone); /* four points */

/* ---- space --------------------------------------------------------------------------------------- */

/* Edges along x, y and z. Eight points. */
size_t form_box(vec3 *out, vec3 edges);
/* Platonic solids of circumradius 1: 4, 6, 12 and 20 points. */
size_t form_tetrahedron(vec3 *out);
size_t form_octahedron(vec3 *out);
size_t form_icosahedron(vec3 *out);
size_t form_dodecahedron(vec3 *out);
/* Regular polygon of circumradius 1 as the base, axis z, middle of the height at z = 0: 2 sides
 * points. */
size_t form_prism(vec3 *out, int sides, double height);
/* The same base, centred at z = 0, with a tip at z = height: sides + 1 points. */
size_t form_pyramid(vec3 *out, int sides, double height);
/* `count` >= 4 points spread evenly on the unit sphere (Fibonacci lattice); the hull has 2 count - 4
 * triangles: 252 points make 500 faces. */
size_t form_sphere(vec3 *out, size_t count);
/* Any plane form as a plate of this thickness about z = 0: writes 2 count points; `out` and `plane`
 * may be one array. */
size_t form_extrude(vec3 *out, const vec3 *plane, size_t count, double thickness);

/* ---- with memory of their own -------------------------------------------------------------------- */

struct form {
    vec3 *points;
    size_t count;
};
void form_free(struct form *form);

/* The polytope whose faces are those of the hull of `points` moved inward by `by` (m): swept by a
 * sphere of that radius it keeps the outer size. CONVEX_NO_EXTENT when nothing is left. */
enum convex_status form_shrink(struct form *out, int dim, const vec3 *points, size_t count,
                               double by);

/* A random grain like those that cracks leave: the Voronoi cell of a point among points of a
 * jittered lattice, turned at random, then made `aspect` times as long along x. Its centre of mass
 * is the origin and it has the volume (2D: area) of a sphere (disc) of radius 1. No slivers: before
 * the stretch it holds the sphere of radius FORM_VORONOI_INNER about the origin, lies within that of
 * FORM_VORONOI_OUTER, and has no edge shorter than FORM_VORONOI_EDGE; other cells are drawn again
 * (three in ten in 3D). */
#define FORM_VORONOI_EDGE 0.01
#define FORM_VORONOI_INNER 0.3
#define FORM_VORONOI_OUTER 2.2
enum convex_status form_voronoi(struct form *out, int dim, double aspect, struct random *random);

#endif
