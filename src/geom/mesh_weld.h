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

/* The mesh of these corners: equal ones become one vertex, triangles without area are dropped. */
enum mesh_status mesh_weld(struct mesh_soup *out, const struct mesh_corners *corners);

#endif
