/* SPDX-License-Identifier: Apache-2.0
 *
 * The sides of the triangles of a surface, cut so that they match. Where vertices of others lie on the side of a
 * triangle (T-junction) that side becomes several, and each side is then either shared by two triangles,
 * or by none.
 */
#ifndef GEOM_SURFACE_SIDES_H
#define GEOM_SURFACE_SIDES_H

#include "geom/surface.h"

struct side {
    int32_t from;          /* vertex */
    int32_t after, before; /* sides, around the triangle, or later the facet */
    int32_t twin;          /* the other half; -1: none, or more than one */
    int32_t triangle;
};

struct sides {
    struct side *at; /* those of one triangle stand together */
    size_t count, capacity;
    int32_t *first; /* of each triangle, and the end */
};

/* Weld the vertices of the surface (mesh_join) and list the sides; false if memory is refused. To be freed also
 * then. */
bool sides_make(struct memory *memory, struct surface *mesh, struct sides *sides);
void sides_free(struct memory *memory, const struct surface *mesh, struct sides *sides);

#endif
