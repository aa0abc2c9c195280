/* SPDX-License-Identifier: Apache-2.0
 *
 * Triangle meshes from the bytes of STL (text and binary) and OBJ files.
 */
#ifndef GEOM_MESH_TEXT_H
#define GEOM_MESH_TEXT_H

#include "math/vec3.h"

#include <stddef.h>

struct mesh_soup {
    vec3 *vertices; /* no two alike; every one belongs to a triangle */
    int32_t (*triangles)[3];
    int32_t vertex_count, triangle_count;
    int32_t dropped; /* triangles without area, which are left out */
};

enum mesh_status { MESH_OK, MESH_NO_MEMORY, MESH_WRONG };

/* What is wrong with a file and what it may hold instead. */
struct mesh_problem {
    size_t where; /* line, in binary files triangle, both from 1; 0: the file as a whole */
    char text[160];
};

/* Binary if the length is that of the number of triangles in the header, else text. Several solids
 * become one mesh; normals are ignored, corners count. `problem` may be NULL. On failure *out is
 * empty. */
enum mesh_status mesh_from_stl(struct mesh_soup *out, const char *bytes, size_t length,
                               struct mesh_problem *problem);

/* `v` and `f` lines; corners as a, a/b, a//c or a/b/c, counted from 1 or, negative, back from the
 * last vertex; polygons are cut into a fan from their first corner, so they should be convex. All
 * else is ignored. */
enum mesh_status mesh_from_obj(struct mesh_soup *out, const char *bytes, size_t length,
                               struct mesh_problem *problem);

void mesh_soup_free(struct mesh_soup *mesh);

/* neighbour[t][k]: the triangle on the other side of the edge from corner k to corner k + 1 of
 * triangle t; MESH_BORDER when there is none, MESH_CROWDED when more than two triangles share the
 * edge. `neighbour` has room for all. */
enum { MESH_BORDER = -1, MESH_CROWDED = -2 };
enum mesh_status mesh_edges(const struct mesh_soup *mesh, int32_t (*neighbour)[3]);

#endif
