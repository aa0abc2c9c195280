/* SPDX-License-Identifier: Apache-2.0
 *
 * Positions become 32-bit numbers relative to an origin in the middle of the grains: 24 bits resolve 1e-7 of the size
 * of the scene, wherever in space it lies.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "page/pack.h"

/* ---- pieces ---------------------------------------------------------------------------------- */

static talus_status start(struct pack *pack, struct bytes *to, int dim, talus_error *err) {
    to->count = 0;
    unsigned char *head = bytes_extend(to, PACK_HEAD + PACK_SECTIONS * PACK_ENTRY);
    if (head == NULL) return error_memory(err);
    *pack = (struct pack){.to = to};
    uint32_t dimension = (uint32_t)dim;
    memcpy(head, PACK_MAGIC, 8);
    memcpy(head + 48, &dimension, sizeof dimension);
    return TALUS_OK;
}

static void set_moment(struct pack *pack, double time, int64_t step) {
    memcpy(pack->to->data + 8, &time, sizeof time);
    memcpy(pack->to->data + 16, &step, sizeof step);
    memcpy(pack->to->data + 24, pack->origin, sizeof pack->origin);
}

static talus_status add_points(struct pack *pack, int owner, const char *name,
                               const struct frame_array *points, talus_error *err) {
    float *out =
        pack_add(pack, (struct pack_section){name, owner, PACK_FLOAT32, 3, points->count}, err);
    if (out == NULL) return TALUS_ERR_MEMORY;
    for (size_t i = 0; i < points->count; i++)
        for (int k = 0; k < 3; k++) *out++ = (float)(frame_real(points, i, k) - pack->origin[k]);
    return TALUS_OK;
}

static bool fits_int32(const struct frame_array *array) {
    for (size_t i = 0; i < array->count; i++)
        for (int k = 0; k < array->components; k++) {
            int64_t value = frame_integer(array, i, k);
            if (value < INT32_MIN || value > INT32_MAX) return false;
        }
    return true;
}

static talus_status add_integers(struct pack *pack, int owner, const struct frame_array *array,
                                 talus_error *err) {
    bool small = fits_int32(array);
    struct pack_section section = {array->name, owner, small ? PACK_INT32 : PACK_FLOAT64,
                                   array->components, array->count};
    void *out = pack_add(pack, section, err);
    if (out == NULL) return TALUS_ERR_MEMORY;
    int32_t *small_out = out;
    double *large_out = out;
    for (size_t i = 0; i < array->count; i++)
        for (int k = 0; k < array->components; k++) {
            if (small)
                *small_out++ = (int32_t)frame_integer(array, i, k);
            else
                *large_out++ = (double)frame_integer(array, i, k);
        }
    return TALUS_OK;
}

static talus_status add_array(struct pack *pack, int owner, const struct frame_array *array,
                              talus_error *err) {
    if (array->type == FRAME_INT32 || array->type == FRAME_INT64)
        return add_integers(pack, owner, array, err);
    struct pack_section section = {array->name, owner, PACK_FLOAT32, array->components,
                                   array->count};
    float *out = pack_add(pack, section, err);
    if (out == NULL) return TALUS_ERR_MEMORY;
    for (size_t i = 0; i < array->count; i++)
        for (int k = 0; k < array->components; k++) *out++ = (float)frame_real(array, i, k);
    return TALUS_OK;
}

/* ---- cells as triangles or segments ---------------------------------------------------------- */

/* Cell c begins at its first corner; returns how many it has. */
static size_t cell(const struct frame_block *block, size_t c, const int64_t **corners) {
    const int64_t *ends = block->offsets.values;
    int64_t begin = c > 0 ? ends[c - 1] : 0;
    *corners = (const int64_t *)block->connectivity.values + begin;
    return (size_t)(ends[c] - begin);
}

/* What is made of a cell of so many corners: a fan of triangles (all our polygons are convex), or the pieces of a line. */
static size_t pieces_of(size_t corners, size_t per_piece) {
    return corners < per_piece ? 0 : corners - per_piece + 1;
}

static size_t count_pieces(const struct frame_block *block, size_t per_piece) {
    const int64_t *corners;
    size_t pieces = 0;
    for (size_t c = 0; c < block->offsets.count; c++)
        pieces += pieces_of(cell(block, c, &corners), per_piece);
    return pieces;
}

static talus_status add_cells(struct pack *pack, int owner, const struct frame_block *block,
                              talus_error *err) {
    size_t per_piece = block->cells == FRAME_LINES ? 2 : 3;
    struct pack_section section = {per_piece == 2 ? "segments" : "triangles", owner, PACK_INT32,
                                   (int)per_piece, count_pieces(block, per_piece)};
    int32_t *out = pack_add(pack, section, err);
    if (out == NULL) return TALUS_ERR_MEMORY;
    for (size_t c = 0; c < block->offsets.count; c++) {
        const int64_t *corners;
        size_t count = cell(block, c, &corners);
        for (size_t k = 0; k < pieces_of(count, per_piece); k++) {
            *out++ = (int32_t)corners[per_piece == 2 ? k : 0];
            *out++ = (int32_t)corners[k + 1];
            if (per_piece == 3) *out++ = (int32_t)corners[k + 2];
        }
    }
    return TALUS_OK;
}

/* A whole number of each cell, once for each piece of it. */
static talus_status add_of_pieces(struct pack *pack, int owner, const struct frame_block *block,
                                  const char *name, talus_error *err) {
    const struct frame_array *array = frame_find(block, name);
    size_t per_piece = block->cells == FRAME_LINES ? 2 : 3;
    if (array == NULL || (array->type != FRAME_INT32 && array->type != FRAME_INT64))
        return TALUS_OK;
    struct pack_section section = {name, owner, PACK_FLOAT64, 1, count_pieces(block, per_piece)};
    double *out = pack_add(pack, section, err);
    if (out == NULL) return TALUS_ERR_MEMORY;
    for (size_t c = 0; c < block->offsets.count; c++) {
        const int64_t *corners;
        size_t pieces = pieces_of(cell(block, c, &corners), per_piece);
        for (size_t k = 0; k < pieces; k++) *out++ = (double)frame_integer(array, c, 0);
    }
    return TALUS_OK;
}

static talus_status add_polygons(struct pack *pack, const struct frame *frame, enum frame_kind kind,
                                 const char *name, talus_error *err) {
    const struct frame_block *block = &frame->blocks[kind];
    if (!block->present || block->points.count == 0) return TALUS_OK;
    TALUS_TRY(add_points(pack, (int)kind, "x", &block->points, err));
    TALUS_TRY(add_cells(pack, (int)kind, block, err));
    return add_of_pieces(pack, (int)kind, block, name, err);
}

/* What round walls are exactly: in the plane they are drawn as circles. */
static talus_status add_round_walls(struct pack *pack, const struct frame_block *walls,
                                    talus_error *err) {
    static const char *const names[] = {"wall_id", "wall_kind", "wall_radius", "wall_orientation"};
    const struct frame_array *point = frame_find_fact(walls, "wall_point");
    if (!walls->present || point == NULL || point->components != 3) return TALUS_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct frame_array *fact = frame_find_fact(walls, names[i]);
        if (fact != NULL) TALUS_TRY(add_array(pack, FRAME_WALLS, fact, err));
    }
    return add_points(pack, FRAME_WALLS, "wall_point", point, err);
}

/* ---- grains ---------------------------------------------------------------------------------- */

static void find_origin(const struct frame_block *grains, double origin[3]) {
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < grains->points.count; i++) {
            double x = frame_real(&grains->points, i, k);
            low = fmin(low, x);
            high = fmax(high, x);
        }
        origin[k] = low <= high ? 0.5 * (low + high) : 0.0;
    }
}

static talus_status add_cell(struct pack *pack, const struct frame_block *grains,
                             talus_error *err) {
    static const char *const names[3] = {"cell_periodic", "cell_origin", "cell_size"};
    const struct frame_array *facts[3];
    for (int f = 0; f < 3; f++) {
        facts[f] = frame_find_fact(grains, names[f]);
        if (!pack_is_fact(facts[f])) return TALUS_OK;
    }
    double *out = pack_add(pack, (struct pack_section){"cell", PACK_CELL, PACK_FLOAT64, 3, 3}, err);
    if (out == NULL) return TALUS_ERR_MEMORY;
    for (int f = 0; f < 3; f++)
        for (int k = 0; k < 3; k++) *out++ = pack_fact(facts[f], k);
    return TALUS_OK;
}

static talus_status add_grains(struct pack *pack, const struct frame_block *grains,
                               talus_error *err) {
    if (grains->offsets.count != grains->points.count)
        return error_set(err, TALUS_ERR_INPUT, "the frame has %zu points for %zu particles",
                         grains->points.count, grains->offsets.count);
    TALUS_TRY(add_points(pack, FRAME_PARTICLES, "x", &grains->points, err));
    for (size_t d = 0; d < grains->data_count; d++)
        TALUS_TRY(add_array(pack, FRAME_PARTICLES, &grains->data[d], err));
    return add_cell(pack, grains, err);
}

talus_status pack_frame(const struct frame *frame, const struct frame *contacts, bool surfaces,
                        struct bytes *to, talus_error *err) {
    struct pack pack;
    const struct frame_block *grains = &frame->blocks[FRAME_PARTICLES];
    TALUS_TRY(start(&pack, to, frame->dim, err));
    find_origin(grains, pack.origin);
    set_moment(&pack, frame->time, frame->step);
    TALUS_TRY(add_grains(&pack, grains, err));
    TALUS_TRY(pack_contacts(&pack, grains, contacts, FRAME_CONTACTS, err));
    TALUS_TRY(pack_contacts(&pack, grains, contacts, FRAME_WALL_CONTACTS, err));
    TALUS_TRY(add_polygons(&pack, frame, FRAME_WALLS, "id", err));
    TALUS_TRY(add_round_walls(&pack, &frame->blocks[FRAME_WALLS], err));
    TALUS_TRY(add_polygons(&pack, frame, FRAME_MEMBRANES, "membrane", err));
    return surfaces ? add_polygons(&pack, frame, FRAME_SURFACES, "id", err) : TALUS_OK;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

talus_status pack_shapes(const struct frame_block *shapes, struct bytes *to, talus_error *err) {
    struct pack pack;
    TALUS_TRY(start(&pack, to, 3, err));
    set_moment(&pack, 0.0, 0);
    TALUS_TRY(add_points(&pack, PACK_SHAPES, "x", &shapes->points, err));
    TALUS_TRY(add_cells(&pack, PACK_SHAPES, shapes, err));
    TALUS_TRY(add_of_pieces(&pack, PACK_SHAPES, shapes, "shape", err));
    const struct frame_array *reach = frame_find_fact(shapes, "reach");
    return reach != NULL ? add_array(&pack, PACK_SHAPES, reach, err) : TALUS_OK;
}
