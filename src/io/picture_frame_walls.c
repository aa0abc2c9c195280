/* SPDX-License-Identifier: Apache-2.0
 * Walls of a frame: what they are stands in its facts; the triangles of meshes are its polygons. */
#include "base/error.h"
#include "io/picture_frame.h"

struct facts {
    const struct frame_array *id, *kind, *point, *normal, *edge, *size, *radius, *length;
};

static talus_status find_facts(struct facts *facts, const struct picture_frame_source *source,
                               size_t count, talus_error *err) {
    const struct frame_block *block = &source->frame->blocks[FRAME_WALLS];
    const struct {
        const char *name;
        int components;
        const struct frame_array **to;
    } wanted[] = {{"wall_id", 1, &facts->id},         {"wall_kind", 1, &facts->kind},
                  {"wall_point", 3, &facts->point},   {"wall_normal", 3, &facts->normal},
                  {"wall_edge", 3, &facts->edge},     {"wall_size", 2, &facts->size},
                  {"wall_radius", 1, &facts->radius}, {"wall_length", 1, &facts->length}};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        const struct frame_array *fact = frame_find_fact(block, wanted[k].name);
        if (fact == NULL || fact->components != wanted[k].components || fact->count != count)
            return error_set(err, TALUS_ERR_INPUT, "%s: its walls have no proper `%s`",
                             source->name, wanted[k].name);
        *wanted[k].to = fact;
    }
    return TALUS_OK;
}

/* ---- meshes ---------------------------------------------------------------------------------- */

static size_t cell_start(const struct frame_block *block, size_t cell) {
    return cell > 0 ? (size_t)frame_integer(&block->offsets, cell - 1, 0) : 0;
}

/* The polygons of one wall follow each other, and so do their points. */
static talus_status take_mesh(struct picture *picture, const struct picture_frame_source *source,
                              struct picture_wall *wall, int64_t id, talus_error *err) {
    const struct frame_block *block = &source->frame->blocks[FRAME_WALLS];
    const struct frame_array *owner = frame_find(block, "id");
    int64_t low = INT64_MAX, high = -1;
    size_t first = picture->mesh_triangle_used;
    for (size_t cell = 0; owner != NULL && cell < block->offsets.count; cell++) {
        size_t at = cell_start(block, cell), end = cell_start(block, cell + 1);
        if (frame_integer(owner, cell, 0) != id) continue;
        if (end - at != 3)
            return error_set(err, TALUS_ERR_INPUT, "%s: a mesh is not made of triangles",
                             source->name);
        int32_t *corners = picture->mesh_triangles[picture->mesh_triangle_used++];
        for (size_t k = 0; k < 3; k++) {
            int64_t point = frame_integer(&block->connectivity, at + k, 0);
            low = point < low ? point : low;
            high = point > high ? point : high;
            corners[k] = (int32_t)point;
        }
    }
    if (high < 0) return error_set(err, TALUS_ERR_INPUT, "%s: a mesh is empty", source->name);
    wall->triangles = (const int32_t(*)[3])(picture->mesh_triangles + first);
    wall->triangle_count = picture->mesh_triangle_used - first;
    wall->points = picture->mesh_points + low;
    wall->point_count = (size_t)(high - low + 1);
    for (size_t t = first; t < picture->mesh_triangle_used; t++)
        for (int k = 0; k < 3; k++) picture->mesh_triangles[t][k] -= (int32_t)low;
    return TALUS_OK;
}

/* All points of the block, and room for as many triangles as it has polygons. */
static talus_status reserve_meshes(struct picture *picture, const struct frame_block *block,
                                   talus_error *err) {
    size_t points = block->points.count, triangles = block->offsets.count;
    picture->mesh_points =
        memory_resize(picture->memory, NULL, 0, points, sizeof *picture->mesh_points);
    if (picture->mesh_points == NULL) return error_memory(err);
    picture->mesh_point_count = points;
    picture->mesh_triangles =
        memory_resize(picture->memory, NULL, 0, triangles, sizeof *picture->mesh_triangles);
    if (picture->mesh_triangles == NULL) return error_memory(err);
    picture->mesh_triangle_count = triangles;
    for (size_t p = 0; p < points; p++) picture->mesh_points[p] = frame_vector(&block->points, p);
    return TALUS_OK;
}

/* ---- walls and membranes --------------------------------------------------------------------- */

static talus_status take_walls(struct picture *picture, const struct picture_frame_source *source,
                               talus_error *err) {
    struct facts facts;
    size_t count = picture->wall_capacity;
    if (count == 0) return TALUS_OK;
    TALUS_TRY(find_facts(&facts, source, count, err));
    TALUS_TRY(reserve_meshes(picture, &source->frame->blocks[FRAME_WALLS], err));
    for (size_t w = 0; w < count; w++) {
        int64_t kind = frame_integer(facts.kind, w, 0);
        if (kind < TALUS_PLANE || kind > TALUS_MESH)
            return error_set(err, TALUS_ERR_INPUT, "%s: there is no wall of kind %lld",
                             source->name, (long long)kind);
        struct picture_wall *wall = &picture->walls[picture->wall_count++];
        *wall = (struct picture_wall){
            .shape = (talus_boundary_shape)kind,
            .boundary = w,
            .point = frame_vector(facts.point, w),
            .normal = frame_vector(facts.normal, w),
            .edge = frame_vector(facts.edge, w),
            .size = {frame_real(facts.size, w, 0), frame_real(facts.size, w, 1)},
            .radius = frame_real(facts.radius, w, 0),
            .length = frame_real(facts.length, w, 0)};
        if (kind == TALUS_MESH)
            TALUS_TRY(take_mesh(picture, source, wall, frame_integer(facts.id, w, 0), err));
    }
    return TALUS_OK;
}

static talus_status take_skin(struct picture *picture, const struct frame_block *block,
                              talus_error *err) {
    const struct frame_array *skin = frame_find_fact(block, "skin");
    if (!block->present || skin == NULL || skin->components != 6) return TALUS_OK;
    struct picture_crease *lines = memory_reserve(
        picture->memory, picture->creases, &picture->crease_capacity, skin->count, sizeof *lines);
    if (lines == NULL) return error_memory(err);
    picture->creases = lines;
    for (size_t k = 0; k < skin->count; k++)
        lines[picture->crease_count++] = (struct picture_crease){
            frame_vector(skin, k),
            vec3_make(frame_real(skin, k, 3), frame_real(skin, k, 4), frame_real(skin, k, 5))};
    return TALUS_OK;
}

talus_status picture_frame_walls(struct picture *picture, const struct picture_frame_source *source,
                                 talus_error *err) {
    TALUS_TRY(take_walls(picture, source, err));
    return take_skin(picture, &source->frame->blocks[FRAME_MEMBRANES], err);
}
