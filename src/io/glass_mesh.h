/* SPDX-License-Identifier: Apache-2.0
 *
 * Meshes of a picture in space, as tinted glass. There may be very many triangles, so they are drawn
 * into the samples of a band: each sample has a list of the triangles that its ray meets.
 */
#ifndef IO_GLASS_MESH_H
#define IO_GLASS_MESH_H

#include "io/camera.h"
#include "io/raster.h"

enum { GLASS_NO_LAYER = -1 };

struct glass_triangle {
    vec3 corners[3], normal; /* camera coordinates */
    double opacity, light;   /* light: brightness of the tint */
};

struct glass_layer { /* one triangle before one sample */
    float depth;
    int32_t triangle, next;
};

struct glass_mesh {
    struct glass_triangle *triangles;
    size_t triangle_count;
    int32_t *first; /* layer of each sample */
    size_t sample_count;
    struct glass_layer *layers;
    size_t layer_count, layer_capacity;
    struct memory *memory;
};

/* `sun`: unit vector towards it, in the world. Without meshes nothing is allocated. */
talus_status glass_mesh_create(struct glass_mesh *mesh, const struct picture *picture,
                               const struct camera *camera, vec3 sun, struct memory *memory,
                               talus_error *err);
void glass_mesh_destroy(struct glass_mesh *mesh);

/* Find the layers of all samples of the band. */
talus_status glass_mesh_band(struct glass_mesh *mesh, const struct raster *raster,
                             talus_error *err);

/* First layer of a sample of the band, or GLASS_NO_LAYER. */
int32_t glass_mesh_first(const struct glass_mesh *mesh, size_t sample);

/* Do two samples see the same triangles before what is nearest in the raster? */
bool glass_mesh_same(const struct glass_mesh *mesh, const struct raster *raster, size_t a,
                     size_t b);

#endif
