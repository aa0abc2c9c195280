/* SPDX-License-Identifier: Apache-2.0
 *
 * The surface of a shape as polygons, for files. Sharp parts have the faces they have. Of rounded ones it is the hull of
 * points on the surface: the corners of the flat faces, moved out by the rounding, and the farthest points in
 * directions that are spread evenly. All points lie on the true surface; between them it is cut flat.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "geom/convex.h"
#include "io/frame.h"
#include "sim/sim.h"

enum {
    MANY = 1000, /* grains that are not round: from so many on rounded ones are shown coarsely */
    AROUND = 48, /* directions in the plane */
    AROUND_COARSE = 24
};

/* ---- directions ------------------------------------------------------------------------------ */

/* Spread evenly over the sphere, on a spiral with the golden angle; in the plane round the circle. */
static vec3 direction(int dim, int k, int n) {
    const double golden = 2.399963229728653, turn = 6.283185307179586;
    if (dim < 3) return vec3_make(cos(turn * k / n), sin(turn * k / n), 0.0);
    double z = 1.0 - (2.0 * k + 1.0) / n, r = sqrt(1.0 - z * z);
    return vec3_make(r * cos(golden * k), r * sin(golden * k), z);
}

static int direction_count(int dim, bool coarse) {
    if (dim < 3) return coarse ? AROUND_COARSE : AROUND;
    return coarse ? 42 : 162;
}

/* ---- one part -------------------------------------------------------------------------------- */

static talus_status add_point(struct frame_shape *shape, struct memory *memory, vec3 place,
                              talus_error *err) {
    vec3 *points = memory_reserve(memory, shape->points, &shape->point_capacity,
                                  shape->point_count + 1, sizeof *points);
    if (points == NULL) return error_memory(err);
    shape->points = points;
    points[shape->point_count++] = place;
    return TALUS_OK;
}

static talus_status add_corner(struct frame_shape *shape, struct memory *memory, size_t point,
                               talus_error *err) {
    int32_t *corners = memory_reserve(memory, shape->corners, &shape->corner_capacity,
                                      shape->corner_count + 1, sizeof *corners);
    if (corners == NULL) return error_memory(err);
    shape->corners = corners;
    corners[shape->corner_count++] = (int32_t)point;
    return TALUS_OK;
}

static talus_status end_polygon(struct frame_shape *shape, struct memory *memory, size_t part,
                                talus_error *err) {
    size_t count = shape->polygon_count + 1;
    int32_t *ends =
        memory_reserve(memory, shape->ends, &shape->polygon_capacity, count, sizeof *ends);
    if (ends == NULL) return error_memory(err);
    shape->ends = ends;
    int32_t *parts =
        memory_reserve(memory, shape->parts, &shape->part_capacity, count, sizeof *parts);
    if (parts == NULL) return error_memory(err);
    shape->parts = parts;
    ends[shape->polygon_count] = (int32_t)shape->corner_count;
    parts[shape->polygon_count] = (int32_t)part;
    shape->polygon_count = count;
    return TALUS_OK;
}

/* The faces of a hull without rounding; in the plane the polygon itself. */
static talus_status add_hull(struct frame_shape *shape, struct memory *memory,
                             const struct convex *hull, size_t part, talus_error *err) {
    size_t first = shape->point_count;
    for (int32_t v = 0; v < hull->vertex_count; v++)
        TALUS_TRY(add_point(shape, memory, hull->vertices[v], err));
    if (hull->dim < 3) {
        for (size_t v = 0; v < (size_t)hull->vertex_count; v++)
            TALUS_TRY(add_corner(shape, memory, first + v, err));
        return end_polygon(shape, memory, part, err);
    }
    for (int32_t f = 0; f < hull->face_count; f++) {
        const struct convex_face *face = &hull->faces[f];
        for (int32_t k = 0; k < face->count; k++)
            TALUS_TRY(add_corner(shape, memory, first + (size_t)hull->loops[face->first + k], err));
        TALUS_TRY(end_polygon(shape, memory, part, err));
    }
    return TALUS_OK;
}

/* Points on the surface of a rounded part; returns how many. */
static size_t round_points(const struct convex *hull, int directions, vec3 *out) {
    size_t count = 0;
    for (int k = 0; k < directions; k++) {
        vec3 n = direction(hull->dim, k, directions);
        vec3 corner = hull->vertices[convex_support(hull, n, 0)];
        out[count++] = vec3_add_scaled(corner, hull->rounding, n);
    }
    for (int32_t f = 0; f < hull->face_count; f++) {
        const struct convex_face *face = &hull->faces[f];
        for (int32_t k = 0; k < face->count; k++)
            out[count++] = vec3_add_scaled(hull->vertices[hull->loops[face->first + k]],
                                           hull->rounding, face->normal);
    }
    return count;
}

static talus_status add_rounded(struct frame_shape *shape, struct memory *memory,
                                const struct convex *hull, size_t part, bool coarse,
                                talus_error *err) {
    int directions = direction_count(hull->dim, coarse);
    size_t room = (size_t)directions + (size_t)hull->loop_count;
    vec3 *points = memory_resize(memory, NULL, 0, room, sizeof *points);
    if (points == NULL) return error_memory(err);
    size_t count = round_points(hull, directions, points);
    struct convex around;
    talus_status status = TALUS_OK;
    if (convex_make(&around, hull->dim, points, count, 0.0, false) == CONVEX_OK) {
        status = add_hull(shape, memory, &around, part, err);
        convex_free(&around);
    } else {
        status = error_memory(err); /* points on a rounded body always span one */
    }
    memory_free(memory, points, room, sizeof *points);
    return status;
}

/* ---- all shapes ------------------------------------------------------------------------------ */

static bool has_many(const talus_sim *sim) {
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t count = 0;
    for (size_t i = 0; i < bodies.count; i++) count += bodies.form[i] > 0;
    return count >= MANY;
}

static talus_status make_shape(struct frame_shape *shape, struct memory *memory,
                               const struct body_form *form, bool coarse, talus_error *err) {
    for (size_t part = 0; part < form->part_count; part++) {
        const struct convex *hull = &form->parts[part].hull;
        TALUS_TRY(hull->rounding > 0.0 ? add_rounded(shape, memory, hull, part, coarse, err)
                                       : add_hull(shape, memory, hull, part, err));
    }
    return TALUS_OK;
}

talus_status frame_shapes_make(struct frame_shapes *shapes, const talus_sim *sim,
                               talus_error *err) {
    size_t count = talus_sim_shape_count(sim);
    if (shapes->shapes != NULL && shapes->count == count) return TALUS_OK;
    frame_shapes_free(shapes);
    shapes->shapes = memory_resize(&shapes->memory, NULL, 0, count, sizeof *shapes->shapes);
    if (shapes->shapes == NULL) return error_memory(err);
    shapes->count = count;
    bool coarse = has_many(sim);
    for (size_t s = 0; s < count; s++)
        TALUS_TRY(
            make_shape(&shapes->shapes[s], &shapes->memory, &sim->world.forms[s], coarse, err));
    return TALUS_OK;
}

void frame_shapes_free(struct frame_shapes *shapes) {
    struct memory *memory = &shapes->memory;
    for (size_t s = 0; s < shapes->count; s++) {
        struct frame_shape *shape = &shapes->shapes[s];
        memory_free(memory, shape->points, shape->point_capacity, sizeof *shape->points);
        memory_free(memory, shape->corners, shape->corner_capacity, sizeof *shape->corners);
        memory_free(memory, shape->ends, shape->polygon_capacity, sizeof *shape->ends);
        memory_free(memory, shape->parts, shape->part_capacity, sizeof *shape->parts);
    }
    memory_free(memory, shapes->shapes, shapes->count, sizeof *shapes->shapes);
    shapes->shapes = NULL;
    shapes->count = 0;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Where the next one goes in a block. */
struct pen {
    struct frame_block *block;
    size_t points, corners, cells;
};

/* How a shape stands in the world. */
struct placing {
    vec3 centre;
    mat3 turn;
    double scale;
};

static void draw(struct pen *pen, const struct frame_shape *shape, const struct placing *placing) {
    size_t first = pen->points, begin = pen->corners;
    int64_t *connectivity = pen->block->connectivity.values, *offsets = pen->block->offsets.values;
    for (size_t p = 0; p < shape->point_count; p++) {
        vec3 turned = mat3_apply(&placing->turn, shape->points[p]);
        frame_set_vector(&pen->block->points, pen->points++,
                         vec3_add_scaled(placing->centre, placing->scale, turned));
    }
    for (size_t k = 0; k < shape->corner_count; k++)
        connectivity[pen->corners++] = (int64_t)first + shape->corners[k];
    for (size_t c = 0; c < shape->polygon_count; c++)
        offsets[pen->cells++] = (int64_t)begin + shape->ends[c];
}

static void count_in(struct frame_sizes *sizes, const struct frame_shape *shape) {
    sizes->points += shape->point_count;
    sizes->corners += shape->corner_count;
    sizes->cells += shape->polygon_count;
}

/* What the shapes are exactly: the shape of each part, its rounding and density, how many corners it has, and these. */
static talus_status add_parts(const talus_sim *sim, struct frame_block *block,
                              struct memory *memory, talus_error *err) {
    const struct world *world = &sim->world;
    size_t parts = 0, corners = 0;
    for (size_t s = 0; s < world->form_count; s++)
        for (size_t k = 0; k < world->forms[s].part_count; k++, parts++)
            corners += (size_t)world->forms[s].parts[k].hull.vertex_count;
    const struct frame_shape_of shapes[FRAME_PART_FACTS] = {
        {"part_shape", FRAME_INT32, 1, parts},
        {"part_rounding", FRAME_FLOAT64, 1, parts},
        {"part_density", FRAME_FLOAT64, 1, parts},
        {"part_corners", FRAME_INT32, 1, parts},
        {"corner", FRAME_FLOAT64, 3, corners}};
    struct frame_array *facts[FRAME_PART_FACTS];
    for (int f = 0; f < FRAME_PART_FACTS; f++) {
        facts[f] = frame_add_fact(block, memory, shapes[f], err);
        if (facts[f] == NULL) return TALUS_ERR_MEMORY;
    }
    size_t p = 0, c = 0;
    for (size_t s = 0; s < world->form_count; s++)
        for (size_t k = 0; k < world->forms[s].part_count; k++, p++) {
            const struct part *part = &world->forms[s].parts[k];
            ((int32_t *)facts[0]->values)[p] = (int32_t)s + 1;
            frame_set_real(facts[1], p, 0, part->hull.rounding);
            frame_set_real(facts[2], p, 0, part->density);
            ((int32_t *)facts[3]->values)[p] = part->hull.vertex_count;
            for (int32_t v = 0; v < part->hull.vertex_count; v++)
                frame_set_vector(facts[4], c++, part->hull.vertices[v]);
        }
    return TALUS_OK;
}

talus_status frame_shapes_block(const struct frame_shapes *shapes, const talus_sim *sim,
                                struct frame_block *block, struct memory *memory,
                                talus_error *err) {
    struct frame_sizes sizes = {0};
    for (size_t s = 0; s < shapes->count; s++) count_in(&sizes, &shapes->shapes[s]);
    TALUS_TRY(frame_block_size(block, memory, FRAME_POLYGONS, FRAME_FLOAT64, sizes, err));
    struct frame_array *number = frame_add_data(
        block, memory, (struct frame_shape_of){"shape", FRAME_INT32, 1, sizes.cells}, err);
    struct frame_array *part = frame_add_data(
        block, memory, (struct frame_shape_of){"part", FRAME_INT32, 1, sizes.cells}, err);
    struct frame_array *reach = frame_add_fact(
        block, memory, (struct frame_shape_of){"reach", FRAME_FLOAT64, 1, shapes->count}, err);
    if (number == NULL || part == NULL || reach == NULL) return TALUS_ERR_MEMORY;
    struct pen pen = {.block = block};
    const struct placing as_given = {vec3_zero(), mat3_diagonal(vec3_make(1.0, 1.0, 1.0)), 1.0};
    for (size_t s = 0; s < shapes->count; s++) {
        const struct frame_shape *shape = &shapes->shapes[s];
        for (size_t c = 0; c < shape->polygon_count; c++) {
            ((int32_t *)number->values)[pen.cells + c] = (int32_t)s + 1;
            ((int32_t *)part->values)[pen.cells + c] = shape->parts[c];
        }
        draw(&pen, shape, &as_given);
        frame_set_real(reach, s, 0, talus_sim_shape(sim, s).reach);
    }
    return add_parts(sim, block, memory, err);
}

static talus_status draw_grains(struct frame *frame, const talus_sim *sim,
                                const struct frame_shapes *shapes, talus_error *err) {
    struct frame_block *block = &frame->blocks[FRAME_SURFACES];
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t n = block->offsets.count;
    struct memory *memory = &frame->memory;
    struct frame_array *id =
        frame_add_data(block, memory, (struct frame_shape_of){"id", FRAME_INT64, 1, n}, err);
    struct frame_array *number =
        frame_add_data(block, memory, (struct frame_shape_of){"shape", FRAME_INT32, 1, n}, err);
    struct frame_array *v =
        frame_add_data(block, memory, (struct frame_shape_of){"v", FRAME_FLOAT32, 3, n}, err);
    if (id == NULL || number == NULL || v == NULL) return TALUS_ERR_MEMORY;
    struct pen pen = {.block = block};
    for (size_t i = 0; i < bodies.count; i++) {
        if (bodies.form[i] <= 0 || bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        size_t first = pen.cells;
        struct placing placing = {bodies.position[i], quat_matrix(bodies.orientation[i]),
                                  world_scale(&sim->world, i)};
        draw(&pen, &shapes->shapes[bodies.form[i] - 1], &placing);
        for (size_t c = first; c < pen.cells; c++) {
            ((int64_t *)id->values)[c] = bodies.gid[i];
            ((int32_t *)number->values)[c] = bodies.form[i];
            frame_set_vector(v, c, bodies.velocity[i]);
        }
    }
    return TALUS_OK;
}

talus_status frame_gather_surfaces(struct frame *frame, const talus_sim *sim,
                                   struct frame_shapes *shapes, enum frame_type real,
                                   talus_error *err) {
    talus_body_view bodies = talus_sim_bodies(sim);
    struct frame_sizes sizes = {0};
    TALUS_TRY(frame_shapes_make(shapes, sim, err));
    for (size_t i = 0; i < bodies.count; i++)
        if (bodies.form[i] > 0 && bodies.kind[i] == TALUS_BODY_GRAIN)
            count_in(&sizes, &shapes->shapes[bodies.form[i] - 1]);
    TALUS_TRY(frame_block_size(&frame->blocks[FRAME_SURFACES], &frame->memory, FRAME_POLYGONS, real,
                               sizes, err));
    return draw_grains(frame, sim, shapes, err);
}
