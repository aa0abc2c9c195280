/* SPDX-License-Identifier: Apache-2.0
 *
 * Walls and membranes of a frame as polygons. Infinite walls are cut as in pictures; what they are exactly stands in
 * the facts of the block, one tuple for each boundary that is present.
 */
#include <math.h>

#include "base/error.h"
#include "io/frame.h"
#include "io/picture.h"
#include "sim/sim.h"

enum { ROUND = 48 /* sides that show a cylinder */ };

/* ---- sizes ----------------------------------------------------------------------------------- */

static bool is_flat(talus_boundary_shape shape) {
    return shape == TALUS_PLANE || shape == TALUS_RECTANGLE;
}

static struct frame_sizes wall_sizes(const struct picture_wall *wall) {
    if (wall->shape == TALUS_MESH)
        return (struct frame_sizes){wall->point_count, wall->triangle_count,
                                    3 * wall->triangle_count};
    if (!is_flat(wall->shape)) return (struct frame_sizes){2 * ROUND, ROUND, 4 * ROUND};
    size_t corners = wall->corner_count >= 3 ? (size_t)wall->corner_count : 0;
    return (struct frame_sizes){corners, corners > 0, corners};
}

/* ---- polygons -------------------------------------------------------------------------------- */

/* Where the next point and the next polygon go. */
struct pen {
    struct frame_block *block;
    size_t points, corners, cells;
};

static void add_point(struct pen *pen, vec3 place) {
    frame_set_vector(&pen->block->points, pen->points++, place);
}

static void add_corner(struct pen *pen, size_t point) {
    ((int64_t *)pen->block->connectivity.values)[pen->corners++] = (int64_t)point;
}

static void end_polygon(struct pen *pen) {
    ((int64_t *)pen->block->offsets.values)[pen->cells++] = (int64_t)pen->corners;
}

static void add_flat(struct pen *pen, const struct picture_wall *wall, size_t corners) {
    for (size_t k = 0; k < corners; k++) {
        add_corner(pen, pen->points);
        add_point(pen, wall->corners[k]);
    }
    if (corners > 0) end_polygon(pen);
}

/* Its sides turn with it, so that a drum is seen to turn. */
static void add_round(struct pen *pen, const struct picture_wall *wall, quat orientation) {
    quat back = {orientation.w, -orientation.x, -orientation.y, -orientation.z};
    vec3 u = quat_rotate(orientation, vec3_perpendicular(quat_rotate(back, wall->normal)));
    vec3 v = vec3_cross(wall->normal, u);
    size_t first = pen->points;
    for (int k = 0; k < ROUND; k++) {
        double angle = 6.283185307179586 * k / ROUND;
        vec3 at = vec3_add_scaled(wall->point, wall->radius * cos(angle), u);
        at = vec3_add_scaled(at, wall->radius * sin(angle), v);
        add_point(pen, vec3_add_scaled(at, -0.5 * wall->length, wall->normal));
        add_point(pen, vec3_add_scaled(at, 0.5 * wall->length, wall->normal));
    }
    for (size_t k = 0; k < ROUND; k++) {
        size_t next = (k + 1) % ROUND;
        add_corner(pen, first + 2 * k);
        add_corner(pen, first + 2 * next);
        add_corner(pen, first + 2 * next + 1);
        add_corner(pen, first + 2 * k + 1);
        end_polygon(pen);
    }
}

static void add_mesh(struct pen *pen, const struct picture_wall *wall) {
    size_t first = pen->points;
    for (size_t v = 0; v < wall->point_count; v++) add_point(pen, wall->points[v]);
    for (size_t t = 0; t < wall->triangle_count; t++) {
        for (int k = 0; k < 3; k++) add_corner(pen, first + (size_t)wall->triangles[t][k]);
        end_polygon(pen);
    }
}

/* ---- what each polygon belongs to ------------------------------------------------------------ */

static int64_t wall_gid(const talus_sim *sim, size_t boundary) {
    return sim->world.bodies.gid[sim->world.boundaries[boundary].body];
}

struct cell_arrays {
    struct frame_array *id, *kind, *v, *force;
};

static talus_status add_cell_arrays(struct frame *frame, struct cell_arrays *out,
                                    enum frame_type real, talus_error *err) {
    struct frame_block *block = &frame->blocks[FRAME_WALLS];
    size_t n = block->offsets.count;
    struct memory *memory = &frame->memory;
    out->id = frame_add_data(block, memory, (struct frame_shape_of){"id", FRAME_INT64, 1, n}, err);
    out->kind =
        frame_add_data(block, memory, (struct frame_shape_of){"kind", FRAME_INT32, 1, n}, err);
    out->v = frame_add_data(block, memory, (struct frame_shape_of){"v", real, 3, n}, err);
    out->force = frame_add_data(block, memory, (struct frame_shape_of){"force", real, 3, n}, err);
    bool made = out->id != NULL && out->kind != NULL && out->v != NULL && out->force != NULL;
    return made ? TALUS_OK : TALUS_ERR_MEMORY;
}

static void draw_wall(struct pen *pen, const struct picture_wall *wall, const talus_sim *sim,
                      const struct cell_arrays *arrays) {
    talus_boundary_view view = talus_sim_boundary(sim, wall->boundary);
    size_t first = pen->cells;
    if (wall->shape == TALUS_MESH)
        add_mesh(pen, wall);
    else if (is_flat(wall->shape))
        add_flat(pen, wall, wall_sizes(wall).corners);
    else
        add_round(pen, wall, view.orientation);
    for (size_t c = first; c < pen->cells; c++) {
        ((int64_t *)arrays->id->values)[c] = wall_gid(sim, wall->boundary);
        ((int32_t *)arrays->kind->values)[c] = (int32_t)wall->shape;
        frame_set_vector(arrays->v, c, view.velocity);
        frame_set_vector(arrays->force, c, view.force);
    }
}

/* ---- what each wall is ----------------------------------------------------------------------- */

enum fact {
    POINT,
    NORMAL,
    EDGE,
    SIZE,
    RADIUS,
    LENGTH,
    ORIENTATION,
    VELOCITY,
    OMEGA,
    FORCE,
    TORQUE,
    FACTS
};

static const struct {
    const char *name;
    int components;
} facts[FACTS] = {{"wall_point", 3},  {"wall_normal", 3}, {"wall_edge", 3},        {"wall_size", 2},
                  {"wall_radius", 1}, {"wall_length", 1}, {"wall_orientation", 4}, {"wall_v", 3},
                  {"wall_omega", 3},  {"wall_force", 3},  {"wall_torque", 3}};

static void set_facts(struct frame_array *const arrays[FACTS], size_t i,
                      const talus_boundary_view *view) {
    const double orientation[4] = {view->orientation.w, view->orientation.x, view->orientation.y,
                                   view->orientation.z};
    frame_set_vector(arrays[POINT], i, view->point);
    frame_set_vector(arrays[NORMAL], i, view->normal);
    frame_set_vector(arrays[EDGE], i, view->edge);
    frame_set_real(arrays[SIZE], i, 0, view->size[0]);
    frame_set_real(arrays[SIZE], i, 1, view->size[1]);
    frame_set_real(arrays[RADIUS], i, 0, view->radius);
    frame_set_real(arrays[LENGTH], i, 0, view->length);
    for (int k = 0; k < 4; k++) frame_set_real(arrays[ORIENTATION], i, k, orientation[k]);
    frame_set_vector(arrays[VELOCITY], i, view->velocity);
    frame_set_vector(arrays[OMEGA], i, view->omega);
    frame_set_vector(arrays[FORCE], i, view->force);
    frame_set_vector(arrays[TORQUE], i, view->torque);
}

static talus_status add_facts(struct frame *frame, const struct picture *picture,
                              const talus_sim *sim, talus_error *err) {
    struct frame_block *block = &frame->blocks[FRAME_WALLS];
    struct frame_array *arrays[FACTS], *id, *kind;
    size_t n = picture->wall_count;
    struct memory *memory = &frame->memory;
    id = frame_add_fact(block, memory, (struct frame_shape_of){"wall_id", FRAME_INT64, 1, n}, err);
    kind =
        frame_add_fact(block, memory, (struct frame_shape_of){"wall_kind", FRAME_INT32, 1, n}, err);
    if (id == NULL || kind == NULL) return TALUS_ERR_MEMORY;
    for (int k = 0; k < FACTS; k++) {
        struct frame_shape_of shape = {facts[k].name, FRAME_FLOAT64, facts[k].components, n};
        arrays[k] = frame_add_fact(block, memory, shape, err);
        if (arrays[k] == NULL) return TALUS_ERR_MEMORY;
    }
    for (size_t w = 0; w < n; w++) {
        talus_boundary_view view = talus_sim_boundary(sim, picture->walls[w].boundary);
        ((int64_t *)id->values)[w] = wall_gid(sim, picture->walls[w].boundary);
        ((int32_t *)kind->values)[w] = (int32_t)view.shape;
        set_facts(arrays, w, &view);
    }
    return TALUS_OK;
}

/* ---- walls ----------------------------------------------------------------------------------- */

static talus_status draw_walls(struct frame *frame, const struct picture *picture,
                               const talus_sim *sim, enum frame_type real, talus_error *err) {
    struct frame_block *block = &frame->blocks[FRAME_WALLS];
    struct frame_sizes all = {0};
    for (size_t w = 0; w < picture->wall_count; w++) {
        struct frame_sizes one = wall_sizes(&picture->walls[w]);
        all = (struct frame_sizes){all.points + one.points, all.cells + one.cells,
                                   all.corners + one.corners};
    }
    struct cell_arrays arrays;
    TALUS_TRY(frame_block_size(block, &frame->memory, FRAME_POLYGONS, real, all, err));
    TALUS_TRY(add_cell_arrays(frame, &arrays, real, err));
    struct pen pen = {.block = block};
    for (size_t w = 0; w < picture->wall_count; w++)
        draw_wall(&pen, &picture->walls[w], sim, &arrays);
    return add_facts(frame, picture, sim, err);
}

talus_status frame_gather_walls(struct frame *frame, const talus_sim *sim, enum frame_type real,
                                talus_error *err) {
    struct picture picture;
    talus_status status = picture_gather_walls(&picture, sim, &frame->memory, err);
    if (status >= 0) status = draw_walls(frame, &picture, sim, real, err);
    picture_free(&picture);
    return status;
}

/* ---- membranes ------------------------------------------------------------------------------- */

/* Lines where a skin would be, as pictures show them: from here to there, one tuple each. */
static talus_status add_skin(struct frame *frame, const talus_sim *sim, talus_error *err) {
    const talus_picture_config config = talus_picture_config_default();
    struct picture picture = picture_empty(frame->dim, &config, &frame->memory);
    talus_status status = picture_membranes(&picture, sim, err);
    struct frame_array *skin = NULL;
    if (status >= 0 && picture.crease_count > 0) {
        struct frame_shape_of shape = {"skin", FRAME_FLOAT64, 6, picture.crease_count};
        skin = frame_add_fact(&frame->blocks[FRAME_MEMBRANES], &frame->memory, shape, err);
        if (skin == NULL) status = TALUS_ERR_MEMORY;
    }
    for (size_t k = 0; skin != NULL && k < picture.crease_count; k++) {
        vec3 a = picture.creases[k].a, b = picture.creases[k].b;
        const double ends[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
        for (int c = 0; c < 6; c++) frame_set_real(skin, k, c, ends[c]);
    }
    picture_free(&picture);
    return status;
}

talus_status frame_gather_membranes(struct frame *frame, const talus_sim *sim, enum frame_type real,
                                    talus_error *err) {
    struct frame_block *block = &frame->blocks[FRAME_MEMBRANES];
    struct memory *memory = &frame->memory;
    size_t cells = 0, each = frame->dim == 2 ? 2 : 3, membranes = talus_sim_membrane_count(sim);
    for (size_t m = 0; m < membranes; m++) cells += talus_sim_membrane(sim, m).count;
    TALUS_TRY(frame_block_size(block, memory, frame->dim == 2 ? FRAME_LINES : FRAME_POLYGONS, real,
                               (struct frame_sizes){each * cells, cells, each * cells}, err));
    struct frame_array *number = frame_add_data(
        block, memory, (struct frame_shape_of){"membrane", FRAME_INT32, 1, cells}, err);
    struct frame_array *pressure =
        frame_add_data(block, memory, (struct frame_shape_of){"pressure", real, 1, cells}, err);
    if (number == NULL || pressure == NULL) return TALUS_ERR_MEMORY;
    struct pen pen = {.block = block};
    for (size_t m = 0; m < membranes; m++) {
        talus_membrane_view view = talus_sim_membrane(sim, m);
        for (size_t e = 0; e < view.count; e++) {
            talus_vec3 corners[3];
            talus_sim_membrane_element(sim, m, e, corners);
            ((int32_t *)number->values)[pen.cells] = (int32_t)m;
            frame_set_real(pressure, pen.cells, 0, view.pressure);
            for (size_t k = 0; k < each; k++) {
                add_corner(&pen, pen.points);
                add_point(&pen, corners[k]);
            }
            end_polygon(&pen);
        }
    }
    return add_skin(frame, sim, err);
}
