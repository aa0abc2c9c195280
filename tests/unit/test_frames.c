/* SPDX-License-Identifier: Apache-2.0
 * Frames: what is gathered from a simulation, and that it comes back from the files bit by bit. */
#define _POSIX_C_SOURCE 200809L
#include "frame_support.h"

#include "geom/convex.h"
#include "io/base64.h"
#include "io/bulk.h"
#include "math/vec3.h"
#include "sim/quantities.h"
#include "sim/sim.h"

/* ---- base64 ---------------------------------------------------------------------------------- */

static size_t encode(const unsigned char *bytes, size_t count, size_t piece, char *text) {
    text[0] = '\0'; /* nothing is written of nothing */
    FILE *to = fmemopen(text, 512, "w");
    struct base64 base64 = base64_start(to);
    for (size_t at = 0; at < count; at += piece)
        base64_put(&base64, bytes + at, count - at < piece ? count - at : piece);
    base64_end(&base64);
    fclose(to);
    return strlen(text);
}

static void test_base64(void **state) {
    (void)state;
    unsigned char bytes[100], back[100];
    char text[512];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 37 + 11);
    for (size_t count = 0; count <= sizeof bytes; count++)
        for (size_t piece = 1; piece < 9; piece++) {
            size_t size, length = encode(bytes, count, piece, text);
            assert_true(base64_size(text, length, &size));
            assert_int_equal(size, count);
            assert_true(base64_read(text, length, back));
            assert_memory_equal(bytes, back, count);
        }
    encode((const unsigned char *)"Man", 2, 1, text);
    assert_string_equal(text, "TWE="); /* RFC 4648 */
    static const char *const wrong[] = {"TWE", "TW-u", "T===", "TW=u", "TWE=TWFu", "TW u"};
    for (int i = 0; i < 6; i++) assert_false(base64_read(wrong[i], strlen(wrong[i]), back));
}

/* Files of any length, in pieces of any length, as they were given: those of more than the buffer go past the page cache. */
static void test_bulk(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 5000, 1 << 20, (1 << 20) + 1, 3333333};
    static unsigned char bytes[3333333], back[3333333 + 1];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * 2654435761u >> 13);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        struct bulk bulk;
        assert_ok(bulk_open(&bulk, scene_directory, "bulk", NULL));
        for (size_t at = 0, piece = 1; at < counts[c]; at += piece, piece = piece * 7 % 100003) {
            if (piece > counts[c] - at) piece = counts[c] - at;
            bulk_put(&bulk, bytes + at, piece);
        }
        assert_int_not_equal(access(scene_path("bulk"), F_OK), 0);
        assert_ok(bulk_close(&bulk, NULL));
        FILE *from = fopen(scene_path("bulk"), "rb");
        assert_non_null(from);
        assert_int_equal(fread(back, 1, sizeof back, from), counts[c]);
        fclose(from);
        assert_memory_equal(back, bytes, counts[c]);
        remove(scene_path("bulk"));
    }
    talus_error err;
    struct bulk bulk;
    assert_int_equal(bulk_open(&bulk, "/nowhere", "bulk", &err), TALUS_ERR_FILE);
    assert_non_null(strstr(err.text, "/nowhere/bulk: cannot be created"));
}

/* ---- every ready scene ----------------------------------------------------------------------- */

/* Between them they have every shape, every boundary, membranes, one to three dimensions, soft grains. */
static const char *const ready[] = {
    "archbridge2d", "biaxial2d",      "box3d",      "boxes3d",  "chain",      "column2d",
    "demo",         "drum2d",         "drystone2d", "gravel3d", "heap3d",     "hertz3d",
    "hopper2d",     "hopper3d",       "masonry2d",  "piston2d", "polygons2d", "powder2d",
    "soft2d",       "softpolygons2d", "triaxial3d"};

static void check_numbers(const struct frame *frame, const talus_sim *sim) {
    size_t grains = (size_t)talus_sim_observe(sim).grains;
    const struct frame_block *walls = &frame->blocks[FRAME_WALLS];
    assert_int_equal(frame->blocks[FRAME_PARTICLES].points.count, grains);
    size_t present = 0;
    for (size_t b = 0; b < talus_sim_boundary_count(sim); b++)
        present += talus_sim_boundary(sim, b).present;
    if (walls->present) assert_int_equal(frame_find_fact(walls, "wall_id")->count, present);
    assert_true(walls->present || present == 0);
}

static void test_ready_scenes(void **state) {
    (void)state;
    bool membranes[4] = {false}, kinds[5] = {false}, surfaces[4] = {false};
    for (size_t s = 0; s < sizeof ready / sizeof ready[0]; s++) {
        talus_scene *scene = NULL;
        struct frame frame = {.time = 0.0};
        struct frame_choice choice = frame_choice_default();
        talus_sim *sim = sim_of_scene(ready[s], 3, &scene);
        through_files(sim, &choice, &frame);
        check_numbers(&frame, sim);
        membranes[frame.dim] |= frame.blocks[FRAME_MEMBRANES].present;
        surfaces[frame.dim] |= frame.blocks[FRAME_SURFACES].present;
        const struct frame_array *kind = frame_find(&frame.blocks[FRAME_WALLS], "kind");
        for (size_t c = 0; kind != NULL && c < kind->count; c++)
            kinds[frame_integer(kind, c, 0)] = true;
        frame_free(&frame);
        talus_sim_destroy(sim);
        talus_scene_free(scene);
    }
    assert_true(membranes[2] && membranes[3] && surfaces[2] && surfaces[3]);
    assert_true(kinds[TALUS_PLANE] && kinds[TALUS_RECTANGLE] && kinds[TALUS_CYLINDER_INSIDE] &&
                kinds[TALUS_MESH]);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Spheres thrown into a corner of planes: many contacts, sliding and rolling. */
static talus_sim *heap(bool periodic) {
    talus_config config = talus_config_default();
    config.gravity = vec(0.5, -0.3, -9.81);
    config.dt = 1e-3;
    config.cell.periodic[0] = periodic;
    config.cell.origin = vec(-0.2, 0, 0);
    config.cell.size = vec(0.4, 0, 0);
    talus_sim *sim = support_sim(&config, 0.4);
    talus_boundary_def floor = talus_boundary_def_default();
    floor.name = "floor";
    floor.normal = vec(0, 0, 1);
    assert_ok(talus_boundary_add(sim, &floor, NULL));
    for (int i = 0; i < 60; i++) {
        double x = -0.15 + 0.1 * (i % 4), y = 0.1 * (i / 4 % 3), z = 0.06 + 0.1 * (i / 12);
        support_grain(sim, 0.05 - 0.0001 * i, 0.0, vec(x + 1e-3 * (i % 7), y + 1e-3 * (i % 5), z),
                      vec(0.1, 0, -0.5));
    }
    for (int i = 0; i < 150; i++) assert_ok(talus_sim_step(sim, NULL, NULL));
    return sim;
}

/* f = m dv/dt - m g and tq = 2/5 m r^2 domega/dt of spheres, to what the solver leaves open: the velocities
 * are made from the same impulses, so only rounding. */
static void test_forces(void **state) {
    (void)state;
    talus_sim *sim = heap(true);
    talus_body_view bodies = talus_sim_bodies(sim);
    vec3 v[128], omega[128], g = talus_sim_gravity(sim);
    memcpy(v, bodies.velocity, bodies.count * sizeof *v);
    memcpy(omega, bodies.omega, bodies.count * sizeof *omega);
    assert_ok(talus_sim_step(sim, NULL, NULL));
    bodies = talus_sim_bodies(sim);
    struct frame frame = {.time = 0.0};
    struct frame_choice choice = frame_choice_default();
    through_files(sim, &choice, &frame);
    const struct frame_block *block = &frame.blocks[FRAME_PARTICLES];
    const struct frame_array *f = frame_find(block, "f"), *tq = frame_find(block, "tq");
    const struct frame_array *id = frame_find(block, "id");
    double largest = 0.0;
    for (size_t i = 0; i < id->count; i++) {
        size_t b = (size_t)frame_integer(id, i, 0); /* the only boundary has id 0 */
        double m = bodies.mass[b], r = bodies.radius[b], moment = 0.4 * m * r * r;
        for (int k = 0; k < 3; k++) {
            double force =
                m * (vec3_component(bodies.velocity[b], k) - vec3_component(v[b], k)) / 1e-3 -
                m * vec3_component(g, k);
            double torque =
                moment * (vec3_component(bodies.omega[b], k) - vec3_component(omega[b], k)) / 1e-3;
            assert_near(frame_real(f, i, k), force, 1e-9);
            assert_near(frame_real(tq, i, k), torque, 1e-11);
            largest = fmax(largest, fabs(force));
        }
    }
    assert_true(largest > 1e-3);
    frame_free(&frame);
    talus_sim_destroy(sim);
}

/* Ids of contacts are those of grains or of the wall; lines take the short way through a periodic side;
 * fn and ft are parts of the force. */
static void test_contacts(void **state) {
    (void)state;
    talus_sim *sim = heap(true);
    struct frame frame = {.time = 0.0};
    struct frame_choice choice = frame_choice_default();
    through_files(sim, &choice, &frame);
    for (int kind = FRAME_CONTACTS; kind <= FRAME_WALL_CONTACTS; kind++) {
        const struct frame_block *block = &frame.blocks[kind];
        const struct frame_array *id1 = frame_find(block, "id1"), *id2 = frame_find(block, "id2");
        const struct frame_array *fn = frame_find(block, "fn"), *ft = frame_find(block, "ft");
        const struct frame_array *force = frame_find(block, "force");
        assert_true(block->offsets.count > 10);
        assert_int_equal(block->points.count, 2 * block->offsets.count);
        for (size_t c = 0; c < block->offsets.count; c++) {
            double length = 0.0, size = 0.0;
            assert_true(frame_integer(id1, c, 0) > 0);
            assert_int_equal(frame_integer(id2, c, 0) == 0, kind == FRAME_WALL_CONTACTS);
            for (int k = 0; k < 3; k++) {
                double d =
                    frame_real(&block->points, 2 * c + 1, k) - frame_real(&block->points, 2 * c, k);
                length += d * d;
                size += frame_real(force, c, k) * frame_real(force, c, k);
            }
            assert_true(sqrt(length) < 0.11);
            assert_near(hypot(frame_real(fn, c, 0), frame_real(ft, c, 0)), sqrt(size), 1e-12);
            assert_true(frame_real(fn, c, 0) >= 0.0);
        }
    }
    frame_free(&frame);
    talus_sim_destroy(sim);
}

/* ---- walls ----------------------------------------------------------------------------------- */

static talus_sim *walled(void) {
    talus_config config = talus_config_default();
    config.dt = 0.01;
    talus_sim *sim = support_sim(&config, 0.3);
    support_grain(sim, 0.1, 0.0, vec(0, 0, 0.5), vec(0, 0, 0));
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "slope";
    def.normal = vec(0.6, 0, 0.8);
    assert_ok(talus_boundary_add(sim, &def, NULL));
    def.name = "plate";
    def.shape = TALUS_RECTANGLE;
    def.point = vec(0, 0, 2);
    def.normal = vec(0, 0, 1);
    def.edge = vec(1, 0, 0);
    def.size[0] = 2.0;
    def.size[1] = 1.0;
    def.motion.velocity = vec(0, 0, -1);
    assert_ok(talus_boundary_add(sim, &def, NULL));
    def = talus_boundary_def_default();
    def.name = "drum";
    def.shape = TALUS_CYLINDER_OUTSIDE;
    def.point = vec(5, 0, 0);
    def.normal = vec(0, 1, 0);
    def.radius = 1.5;
    def.length = 4.0;
    def.motion.axis = vec(0, 1, 0);
    def.motion.axis_point = vec(5, 0, 0);
    def.motion.rate = 2.0;
    assert_ok(talus_boundary_add(sim, &def, NULL));
    return sim;
}

/* How many cells of a kind there are, and the first of them. */
static size_t cells_of(const struct frame_block *block, int kind, size_t *first) {
    size_t count = 0;
    for (size_t c = block->offsets.count; c-- > 0;)
        if (frame_integer(frame_find(block, "kind"), c, 0) == kind) {
            *first = c;
            count++;
        }
    return count;
}

static vec3 corner(const struct frame_block *block, size_t cell, int64_t k) {
    int64_t begin = cell > 0 ? frame_integer(&block->offsets, cell - 1, 0) : 0;
    size_t point = (size_t)frame_integer(&block->connectivity, (size_t)(begin + k), 0);
    return vec3_make(frame_real(&block->points, point, 0), frame_real(&block->points, point, 1),
                     frame_real(&block->points, point, 2));
}

/* Polygons lie on their walls, finite ones are as large as they are, and all move with them. */
static void test_walls(void **state) {
    (void)state;
    talus_sim *sim = walled();
    struct frame before = {.time = 0.0}, after = {.time = 0.0};
    struct frame_choice choice = frame_choice_default();
    size_t plane = 0, plate = 0, drum = 0;
    through_files(sim, &choice, &before);
    for (int i = 0; i < 10; i++) assert_ok(talus_sim_step(sim, NULL, NULL));
    through_files(sim, &choice, &after);
    const struct frame_block *block = &after.blocks[FRAME_WALLS];
    assert_int_equal(cells_of(block, TALUS_PLANE, &plane), 1);
    assert_int_equal(cells_of(block, TALUS_RECTANGLE, &plate), 1);
    assert_int_equal(cells_of(block, TALUS_CYLINDER_OUTSIDE, &drum), 48);
    for (int64_t k = 0; k < 3; k++)
        assert_near(vec3_dot(corner(block, plane, k), vec(0.6, 0, 0.8)), 0.0, 1e-12);
    for (int64_t k = 0; k < 4; k++) {
        vec3 p = corner(block, plate, k), q = corner(block, drum, k);
        vec3 old = corner(&before.blocks[FRAME_WALLS], drum, k);
        assert_near(fabs(p.x), 1.0, 1e-12);
        assert_near(fabs(p.y), 0.5, 1e-12);
        assert_near(p.z, 1.9, 1e-12);
        assert_near(hypot(q.x - 5.0, q.z), 1.5, 1e-12);
        assert_near(fabs(q.y), 2.0, 1e-12);
        double turned = atan2(q.x - 5.0, q.z) - atan2(old.x - 5.0, old.z); /* about y */
        assert_near(remainder(turned - 0.2, 6.283185307179586), 0.0, 1e-9);
    }
    assert_near(frame_real(frame_find(block, "v"), plate, 2), -1.0, 1e-12);
    frame_free(&before);
    frame_free(&after);
    talus_sim_destroy(sim);
}

/* ---- choices --------------------------------------------------------------------------------- */

static void test_chosen_quantities(void **state) {
    (void)state;
    talus_sim *sim = heap(false);
    static const char *const chosen[] = {"v", "mu", "image"};
    struct frame_choice choice = frame_choice_default();
    struct frame frame = {.time = 0.0};
    choice.quantities = chosen;
    choice.quantity_count = 3;
    through_files(sim, &choice, &frame);
    const struct frame_block *grains = &frame.blocks[FRAME_PARTICLES];
    assert_int_equal(grains->data_count, 4);
    assert_non_null(frame_find(grains, "image"));
    assert_null(frame_find(grains, "mass"));
    assert_int_equal(frame.blocks[FRAME_CONTACTS].data_count, 3);
    choice.contacts = choice.walls = choice.surfaces = false;
    through_files(sim, &choice, &frame);
    for (int kind = FRAME_CONTACTS; kind < FRAME_KINDS; kind++)
        assert_false(frame.blocks[kind].present);
    frame_free(&frame);
    talus_sim_destroy(sim);
}

static void test_half_size(void **state) {
    (void)state;
    talus_sim *sim = heap(false);
    struct frame_choice choice = frame_choice_default();
    struct frame frame = {.time = 0.0};
    choice.float32 = true;
    through_files(sim, &choice, &frame);
    const struct frame_block *grains = &frame.blocks[FRAME_PARTICLES];
    talus_body_view bodies = talus_sim_bodies(sim);
    assert_int_equal(grains->points.type, FRAME_FLOAT32);
    assert_int_equal(frame_find(grains, "v")->type, FRAME_FLOAT32);
    assert_true(frame_real(&grains->points, 5, 0) == (double)(float)bodies.position[6].x);
    frame_free(&frame);
    talus_sim_destroy(sim);
}

static void test_nothing_at_all(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    struct frame_choice choice = frame_choice_default();
    struct frame frame = {.time = 0.0};
    for (config.dim = 1; config.dim <= 3; config.dim++) {
        talus_sim *sim = support_sim(&config, 0.0);
        through_files(sim, &choice, &frame);
        assert_int_equal(frame.blocks[FRAME_PARTICLES].points.count, 0);
        assert_int_equal(frame.blocks[FRAME_CONTACTS].offsets.count, 0);
        talus_sim_destroy(sim);
    }
    frame_free(&frame);
}

/* Quantities have one name each, also across grains and contacts: a list of names must be clear. */
static void test_names_are_unique(void **state) {
    (void)state;
    for (int i = 0; i < QUANTITY_COUNT; i++)
        assert_int_equal(quantity_find(quantity_get(i)->entry.name), i);
    assert_int_equal(quantity_find("nothing"), -1);
}

/* ---- surfaces -------------------------------------------------------------------------------- */

/* Volume inside the polygons of one part: a sum of tetrahedra with the origin; area in the plane. */
static double inside(const struct frame_shape *shape, int32_t part, int dim) {
    double sum = 0.0;
    for (size_t c = 0; c < shape->polygon_count; c++) {
        int32_t first = c > 0 ? shape->ends[c - 1] : 0;
        if (shape->parts[c] != part) continue;
        vec3 a = shape->points[shape->corners[first]];
        for (int32_t k = first + 1; k + 1 < shape->ends[c]; k++) {
            vec3 b = shape->points[shape->corners[k]], d = shape->points[shape->corners[k + 1]];
            vec3 cross = vec3_cross(vec3_sub(b, a), vec3_sub(d, a));
            sum += dim < 3 ? 0.5 * cross.z : vec3_dot(a, cross) / 6.0;
        }
    }
    return sum;
}

/* Sharp parts exactly; of rounded ones flat pieces between points on the surface: a little less, at most by the
 * 5 % that 162 directions, or 48 in the plane, leave of a ball. Closed, and turned outwards, or volumes were wrong. */
static void check_shape(const struct frame_shape *shape, const struct body_form *form, int dim) {
    for (size_t part = 0; part < form->part_count; part++) {
        const struct convex *hull = &form->parts[part].hull;
        double share = inside(shape, (int32_t)part, dim) / convex_mass(hull).volume;
        if (hull->rounding > 0.0)
            assert_true(share > 0.95 && share < 1.0 + 1e-9);
        else
            assert_near(share, 1.0, 1e-9);
    }
}

static void check_shapes(talus_sim *sim) {
    struct frame_shapes shapes = {.count = 0};
    assert_ok(frame_shapes_make(&shapes, sim, NULL));
    assert_int_equal(shapes.count, talus_sim_shape_count(sim));
    for (size_t s = 0; s < shapes.count; s++)
        check_shape(&shapes.shapes[s], &sim->world.forms[s], talus_sim_dim(sim));
    frame_shapes_free(&shapes);
}

static void add_shape(talus_sim *sim, const char *name, const vec3 *points, size_t count,
                      double rounding) {
    talus_shape_part part = {points, count, rounding, 0.0};
    assert_ok(talus_shape_add(sim, name, &part, 1, NULL));
}

static void test_surfaces(void **state) {
    (void)state;
    const vec3 solid[6] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 1}, {1, 1, 1}, {-1, 0.3, 0.2}};
    const vec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0, 1, 0}};
    for (int dim = 2; dim <= 3; dim++) {
        talus_config config = talus_config_default();
        config.dim = dim;
        talus_sim *sim = support_sim(&config, 0.3);
        const vec3 *points = dim == 2 ? flat : solid;
        size_t count = dim == 2 ? 4 : 6;
        add_shape(sim, "sharp", points, count, 0.0);
        add_shape(sim, "round", points, count, 0.2);
        add_shape(sim, "capsule", points, 2, 0.5);
        add_shape(sim, "ball", points, 1, 0.5);
        talus_shape_part both[2] = {{points, count, 0.0, 0.0}, {points + 1, 2, 0.3, 0.0}};
        assert_ok(talus_shape_add(sim, "cluster", both, 2, NULL));
        check_shapes(sim);
        talus_sim_destroy(sim);
    }
}

/* A grain that stands turned, larger than its shape: its polygons stand where it does. */
static void test_surface_in_place(void **state) {
    (void)state;
    const vec3 cube[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                          {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    talus_config config = talus_config_default();
    talus_sim *sim = support_sim(&config, 0.3);
    add_shape(sim, "cube", cube, 8, 0.0);
    talus_body_def def = talus_body_def_default(sim);
    def.shape = "cube";
    def.radius = sqrt(3.0); /* twice as large */
    def.position = vec(5, 6, 7);
    def.orientation = (talus_quat){sqrt(0.5), 0, 0, sqrt(0.5)};
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    struct frame frame = {.time = 0.0};
    struct frame_choice choice = frame_choice_default();
    through_files(sim, &choice, &frame);
    const struct frame_block *block = &frame.blocks[FRAME_SURFACES];
    assert_int_equal(block->offsets.count, 6);
    assert_int_equal(block->points.count, 8);
    for (size_t i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            assert_near(fabs(frame_real(&block->points, i, k) - (5.0 + k)), 1.0, 1e-12);
    frame_free(&frame);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base64),
        cmocka_unit_test(test_bulk),
        cmocka_unit_test(test_ready_scenes),
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_walls),
        cmocka_unit_test(test_chosen_quantities),
        cmocka_unit_test(test_half_size),
        cmocka_unit_test(test_nothing_at_all),
        cmocka_unit_test(test_names_are_unique),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_surface_in_place),
    };
    return cmocka_run_group_tests_name("frames", tests, scene_setup, scene_teardown);
}
