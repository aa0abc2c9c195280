/* SPDX-License-Identifier: Apache-2.0
 *
 * Grain shapes: what a body of a given size weighs and how it resists turning. One file and one line
 * in shapes.def for each shape.
 */
#ifndef GEOM_SHAPE_H
#define GEOM_SHAPE_H

#include "math/vec3.h"
#include "talus/catalog.h"

struct shape_type {
    talus_entry entry;               /* for the catalog */
    int dimension_max;               /* a disc lives in worlds of at most 2 dimensions */
    double (*volume)(double radius); /* area for plane shapes */
    vec3 (*inertia)(double mass, double radius); /* principal moments, body frame */
};

#define SHAPE(name) extern const struct shape_type shape_##name;
#include "geom/shapes.def"
#undef SHAPE

#define SHAPE(name) SHAPE_##name,
enum shape_index {
#include "geom/shapes.def"
    SHAPE_COUNT
};
#undef SHAPE

const struct shape_type *shape_get(int index);
int shape_find(const char *name); /* -1 if there is none */

#endif
