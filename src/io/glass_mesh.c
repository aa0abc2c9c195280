/* SPDX-License-Identifier: Apache-2.0 */
#include "io/glass_mesh.h"

#include "base/error.h"

static const double sheet_opacity = 0.17, edge_opacity = 0.35;

/* Glass seen at a slant is thicker, as with cylinders; which way a triangle faces shows in how bright
 * it is too. */
static struct glass_triangle make_triangle(const struct picture_wall *wall, size_t t,
                                           const struct camera *camera, vec3 sun) {
    struct glass_triangle triangle;
    vec3 corners[3];
    for (int k = 0; k < 3; k++) {
        corners[k] = wall->points[wall->triangles[t][k]];
        triangle.corners[k] = camera_place(camera, corners[k]);
    }
    vec3 normal = vec3_cross(vec3_sub(triangle.corners[1], triangle.corners[0]),
                             vec3_sub(triangle.corners[2], triangle.corners[0]));
    double size = vec3_norm(normal);
    triangle.normal = size > 0.0 ? vec3_scale(1.0 / size, normal) : vec3_make(0.0, 0.0, 1.0);
    vec3 middle = vec3_add(vec3_add(triangle.corners[0], triangle.corners[1]), triangle.corners[2]);
    double edge = 1.0 - fabs(vec3_dot(triangle.normal, middle)) / vec3_norm(middle);
    triangle.opacity = sheet_opacity + edge_opacity * edge * edge * edge;
    normal = vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
    double slope = size > 0.0 ? fabs(vec3_dot(normal, sun)) / size : 1.0;
    triangle.light = 0.5 + 0.7 * slope;
    return triangle;
}

static void make_triangles(struct glass_mesh *mesh, const struct picture *picture,
                           const struct camera *camera, vec3 sun) {
    size_t used = 0;
    for (size_t w = 0; w < picture->wall_count; w++)
        for (size_t t = 0; t < picture->walls[w].triangle_count; t++)
            mesh->triangles[used++] = make_triangle(&picture->walls[w], t, camera, sun);
}

talus_status glass_mesh_create(struct glass_mesh *mesh, const struct picture *picture,
                               const struct camera *camera, vec3 sun, struct memory *memory,
                               talus_error *err) {
    *mesh = (struct glass_mesh){.memory = memory};
    size_t count = 0;
    for (size_t w = 0; w < picture->wall_count; w++) count += picture->walls[w].triangle_count;
    if (count == 0) return TALUS_OK;
    mesh->triangles = memory_resize(memory, NULL, 0, count, sizeof *mesh->triangles);
    if (mesh->triangles == NULL) return error_memory(err);
    mesh->triangle_count = count;
    make_triangles(mesh, picture, camera, sun);
    return TALUS_OK;
}

void glass_mesh_destroy(struct glass_mesh *mesh) {
    memory_free(mesh->memory, mesh->triangles, mesh->triangle_count, sizeof *mesh->triangles);
    memory_free(mesh->memory, mesh->first, mesh->sample_count, sizeof *mesh->first);
    memory_free(mesh->memory, mesh->layers, mesh->layer_capacity, sizeof *mesh->layers);
}

static talus_status clear_band(struct glass_mesh *mesh, size_t samples, talus_error *err) {
    if (mesh->first == NULL) {
        mesh->first = memory_resize(mesh->memory, NULL, 0, samples, sizeof *mesh->first);
        if (mesh->first == NULL) return error_memory(err);
        mesh->sample_count = samples;
    }
    for (size_t k = 0; k < samples; k++) mesh->first[k] = GLASS_NO_LAYER;
    mesh->layer_count = 0;
    return TALUS_OK;
}

static talus_status add_row(struct glass_mesh *mesh, const struct raster *raster, int row,
                            struct raster_span span, int32_t triangle, talus_error *err) {
    if (span.last < span.first) return TALUS_OK;
    size_t needed = mesh->layer_count + (size_t)(span.last - span.first + 1);
    if (needed > INT32_MAX) return error_memory(err);
    struct glass_layer *grown =
        memory_reserve(mesh->memory, mesh->layers, &mesh->layer_capacity, needed, sizeof *grown);
    if (grown == NULL) return error_memory(err);
    mesh->layers = grown;
    const struct glass_triangle *t = &mesh->triangles[triangle];
    struct raster_slope slope = raster_slope(raster, t->normal, t->corners[0], row);
    for (int x = span.first; x <= span.last; x++) {
        int32_t *first = &mesh->first[(size_t)row * (size_t)raster->width + (size_t)x];
        mesh->layers[mesh->layer_count] =
            (struct glass_layer){(float)(1.0 / (slope.a + slope.b * (double)x)), triangle, *first};
        *first = (int32_t)mesh->layer_count++;
    }
    return TALUS_OK;
}

/* In a view that is fixed a wall may move up to the eye and past it. */
static bool before_the_eye(const struct glass_triangle *triangle) {
    const vec3 *corners = triangle->corners;
    return corners[0].z > 0.0 && corners[1].z > 0.0 && corners[2].z > 0.0;
}

talus_status glass_mesh_band(struct glass_mesh *mesh, const struct raster *raster,
                             talus_error *err) {
    if (mesh->triangle_count == 0) return TALUS_OK;
    TALUS_TRY(clear_band(mesh, raster->count, err));
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        struct raster_outline outline;
        if (!before_the_eye(&mesh->triangles[t])) continue;
        raster_outline(&outline, raster, mesh->triangles[t].corners, 3);
        for (int row = outline.rows.first; row <= outline.rows.last; row++) {
            struct raster_span span = raster_row(&outline, raster, row);
            TALUS_TRY(add_row(mesh, raster, row, span, (int32_t)t, err));
        }
    }
    return TALUS_OK;
}

int32_t glass_mesh_first(const struct glass_mesh *mesh, size_t sample) {
    return mesh->triangle_count > 0 ? mesh->first[sample] : GLASS_NO_LAYER;
}

/* The next layer, from `layer` on, that is nearer than `depth`. */
static int32_t next_before(const struct glass_mesh *mesh, int32_t layer, float depth) {
    while (layer != GLASS_NO_LAYER && mesh->layers[layer].depth >= depth)
        layer = mesh->layers[layer].next;
    return layer;
}

/* Both lists run through the triangles in the same order. */
bool glass_mesh_same(const struct glass_mesh *mesh, const struct raster *raster, size_t a,
                     size_t b) {
    int32_t i = next_before(mesh, glass_mesh_first(mesh, a), raster->depth[a]);
    int32_t j = next_before(mesh, glass_mesh_first(mesh, b), raster->depth[b]);
    while (i != GLASS_NO_LAYER && j != GLASS_NO_LAYER) {
        if (mesh->layers[i].triangle != mesh->layers[j].triangle) return false;
        i = next_before(mesh, mesh->layers[i].next, raster->depth[a]);
        j = next_before(mesh, mesh->layers[j].next, raster->depth[b]);
    }
    return i == j;
}
