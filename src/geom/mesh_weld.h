/* SPDX-License-Identifier: Apache-2.0
 * From loose corners to a mesh. */
#ifndef GEOM_MESH_WELD_H
#define GEOM_MESH_WELD_H

#include "base/memory.h"
#include "geom/mesh_text.h"

/* Triangles as they are read: three corners each. */
struct mesh_corners {
    vec3 *points;
    size_t count, capacity;
    struct memory heap;
};

bool mesh_corner_add(struct mesh_corners *corners, vec3 point);
void mesh_corners_free(struct mesh_corners *corners);

/* The mesh of these corners: equal ones, and those that mesh_join finds, become one vertex; triangles without
 * area are dropped. */
enum mesh_status mesh_weld(struct mesh_soup *out, const struct mesh_corners *corners);

/* Of the size of a mesh: vertices that are this near differ by rounding only (STL files hold seven digits). */
#define MESH_SAME 1e-6

/* The diagonal of the box around triangles (one at least), and its lowest corner. */
double mesh_size(const vec3 *points, const int32_t (*triangles)[3], int32_t triangle_count,
                 vec3 *low);

/* leader[i]: the vertex that stands for vertex i, at most MESH_SAME of the size of the mesh away and never more than
 * a tenth of the shortest edge at either, so that no two corners of a triangle become one. Leaders stand for
 * themselves and come first. */
enum mesh_status mesh_join(const vec3 *points, int32_t count, const int32_t (*triangles)[3],
                           int32_t triangle_count, int32_t *leader);

#endif
