/* SPDX-License-Identifier: Apache-2.0
 * Pictures of simulations: rays, light, camera, colours of grains, whole files. */
#define _DEFAULT_SOURCE
#include "support.h"

#include <png.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/camera.h"
#include "io/glass.h"
#include "io/light.h"
#include "io/picture_form.h"
#include "sim/sim.h"

/* ---- rays and light -------------------------------------------------------------------------- */

static void rays_meet_balls_and_rods(void **state) {
    (void)state;
    const struct rod rod = {{-2.0, 0.0, 10.0}, {2.0, 0.0, 10.0}, 0.5};
    assert_near(ray_ball(vec(0.0, 0.0, 10.0), 2.5, vec(0.0, 0.0, 1.0)), 7.5, 1e-12);
    assert_true(ray_ball(vec(0.0, 3.0, 10.0), 2.5, vec(0.0, 0.0, 1.0)) == HUGE_VAL);
    assert_near(ray_rod(&rod, vec(0.0, 0.0, 1.0)), 9.5, 1e-12);
    assert_near(ray_rod(&rod, vec(0.1, 0.0, 1.0)), 9.5, 1e-12); /* parallel to the axis in x */
    assert_true(ray_rod(&rod, vec(0.0, 0.06, 1.0)) == HUGE_VAL);
    double cap = ray_rod(&rod, vec(0.24, 0.0, 1.0)); /* beyond the end: on the cap */
    assert_near(hypot(0.24 * cap - 2.0, cap - 10.0), 0.5, 1e-12);
    const struct rod dot = {{0.0, 0.0, 4.0}, {0.0, 0.0, 4.0}, 1.0};
    assert_near(ray_rod(&dot, vec(0.0, 0.0, 1.0)), 3.0, 1e-12);
}

/* The samples a ball covers are those whose ray meets it, in every band. */
static void raster_misses_no_sample(void **state) {
    (void)state;
    struct memory memory = {0};
    struct raster raster;
    assert_ok(raster_create(&raster, 90, 20, &memory, NULL));
    raster.unit = 150.0;
    raster.cx = 40.3;
    raster.cy = 31.7;
    const vec3 center = {0.11, -0.07, 1.3};
    const struct rod rod = {{-0.2, 0.1, 1.2}, {0.35, -0.15, 2.0}, 0.03};
    for (int first = 0; first < 80; first += 20) {
        raster_begin(&raster, first);
        raster_ball(&raster, center, 0.2, (struct raster_label){7, 1});
        raster_rod(&raster, &rod, (struct raster_label){8, 2});
        for (int k = 0; k < 90 * 20; k++) {
            vec3 ray = {(k % 90 + 0.5 - raster.cx) / raster.unit,
                        (raster.cy - (first + k / 90 + 0.5)) / raster.unit, 1.0};
            double ball = ray_ball(center, 0.2, ray), bar = ray_rod(&rod, ray);
            int expected = ball == HUGE_VAL && bar == HUGE_VAL ? RASTER_NOTHING
                           : ball < bar                        ? 7
                                                               : 8;
            assert_int_equal(raster.label[k].thing, expected);
        }
    }
    raster_destroy(&raster);
    assert_int_equal(memory.bytes, 0);
}

/* A ball of radius r straight above at distance d hides (r/d)^2 of the sky; its shadow falls under it
 * and nowhere else. */
static void light_of_one_ball(void **state) {
    (void)state;
    struct memory memory = {0};
    struct light light;
    const struct ball ball = {{0.3, -0.2, 2.0}, 1.0, 5};
    const vec3 up = {0.0, 0.0, 1.0}, down = {0.0, 0.0, -1.0};
    const struct light_scene scene = {&ball, 1, &ball, 1, 1.0, up};
    assert_ok(light_create(&light, &scene, &memory, NULL));
    light_cast_ball(&light, ball.center, ball.radius);
    for (int k = 0; k < 5; k++) {
        double d = 1.05 + 0.2 * k, fade = fmin((1.0 + light.reach - d) / light.reach, 1.0);
        assert_near(light_sky(&light, vec(0.3, -0.2, 2.0 - d), up, LIGHT_NOBODY),
                    1.0 - fade / (d * d), 1e-12);
    }
    assert_near(light_sky(&light, vec(0.3, -0.2, 0.95), down, LIGHT_NOBODY), 1.0, 1e-12);
    assert_near(light_sky(&light, vec(0.3, -0.2, -5.0), up, LIGHT_NOBODY), 1.0, 1e-12);
    assert_near(light_sky(&light, vec(100.0, 0.0, 0.0), up, LIGHT_NOBODY), 1.0, 1e-12);
    assert_near(light_sun(&light, vec(0.3, -0.2, 0.0), up), 0.0, 1e-12);
    assert_near(light_sun(&light, vec(1.7, -0.2, 0.0), up), 1.0, 1e-12);
    assert_near(light_sun(&light, vec(0.3, -0.2, 3.0), up), 1.0, 1e-12); /* on top of it */
    light_destroy(&light);
    assert_int_equal(memory.bytes, 0);
}

/* A tilted square hides the sun under it only, and so does a slanted rod. */
static void light_of_faces_and_rods(void **state) {
    (void)state;
    struct memory memory = {0};
    struct light light;
    const struct ball ball = {{0.0, 0.0, 2.0}, 3.0, 5};
    const vec3 up = {0.0, 0.0, 1.0};
    const struct light_scene scene = {&ball, 1, &ball, 1, 0.2, up};
    const double r2 = 0.7071067811865476;
    const vec3 corners[4] = {
        {-1.0, -1.0, 1.0}, {1.0, -1.0, 3.0}, {1.0, 1.0, 3.0}, {-1.0, 1.0, 1.0}};
    assert_ok(light_create(&light, &scene, &memory, NULL));
    light_cast_face(&light, corners, vec(r2, 0.0, -r2), 4); /* looks down: casts nothing */
    assert_near(light_sun(&light, vec(0.0, 0.0, 0.0), up), 1.0, 0.0);
    light_cast_face(&light, corners, vec(-r2, 0.0, r2), 4);
    for (int k = -14; k <= 14; k++) {
        double x = 0.1 * k + 0.003, inside = fabs(x) < 0.95 ? 0.0 : 1.0;
        if (fabs(fabs(x) - 1.0) < 0.05) continue; /* the soft edge */
        assert_near(light_sun(&light, vec(x, 0.3, 0.0), up), inside, 0.0);
        assert_near(light_sun(&light, vec(0.3, x, x + 1.0), up), inside, 0.0);
        assert_near(light_sun(&light, vec(x, 0.3, x + 2.1), up), 1.0, 0.0); /* above it */
    }
    light_cast_rod(&light, vec(-2.0, -2.0, 1.0), vec(2.0, -2.0, 1.5), 0.3);
    assert_near(light_sun(&light, vec(-2.2, -2.0, 0.0), up), 0.0, 0.0); /* under the cap */
    assert_near(light_sun(&light, vec(1.5, -2.2, 0.0), up), 0.0, 0.0);
    assert_near(light_sun(&light, vec(1.5, -2.4, 0.0), up), 1.0, 0.0);
    assert_near(light_sky(&light, vec(0.0, 0.0, -1.1), up, 5), 1.0, 0.0); /* its own ball */
    light_destroy(&light);
    assert_int_equal(memory.bytes, 0);
}

/* ---- forms ----------------------------------------------------------------------------------- */

static void add_shape(talus_sim *sim, const char *name, const talus_vec3 *points, size_t count,
                      double rounding) {
    const talus_shape_part part = {.points = points, .count = count, .rounding = rounding};
    assert_ok(talus_shape_add(sim, name, &part, 1, NULL));
}

static void box_points(talus_vec3 *points, talus_vec3 half) {
    for (int k = 0; k < 8; k++)
        points[k] =
            vec(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
}

static void add_grain(talus_sim *sim, const char *shape, talus_vec3 position, talus_vec3 turn) {
    talus_body_def def = talus_body_def_default(sim);
    def.shape = shape;
    def.position = position;
    def.orientation = quat_turn(quat_identity(), turn);
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
}

/* Distance from a box of half sides h about the origin. */
static double box_distance(vec3 p, vec3 h) {
    vec3 q = vec3_make(fabs(p.x) - h.x, fabs(p.y) - h.y, fabs(p.z) - h.z);
    vec3 out = vec3_make(fmax(q.x, 0.0), fmax(q.y, 0.0), fmax(q.z, 0.0));
    return vec3_norm(out) + fmin(fmax(q.x, fmax(q.y, q.z)), 0.0);
}

/* Depth at which a ray comes within r of the box: steps as long as the distance never go too far. */
static double march(const struct placed_form *placed, vec3 half, double r, vec3 ray) {
    mat3 back = mat3_transposed(&placed->turn);
    double t = 0.5;
    for (int k = 0; k < 2000 && t < 20.0; k++) {
        vec3 p = mat3_apply(&back, vec3_sub(vec3_scale(t, ray), placed->center));
        double distance = box_distance(vec3_scale(1.0 / placed->scale, p), half) - r;
        if (distance < 1e-10) return t;
        t += placed->scale * distance / vec3_norm(ray);
    }
    return HUGE_VAL;
}

static void check_form(const struct raster *raster, const struct placed_form *placed, vec3 half,
                       double rounding) {
    int covered = 0;
    for (int k = 0; k < raster->width * raster->rows; k++) {
        vec3 ray = {(k % raster->width + 0.5 - raster->cx) / raster->unit,
                    (raster->cy - (raster->first_row + k / raster->width + 0.5)) / raster->unit,
                    1.0};
        double depth = march(placed, half, rounding, ray);
        bool grazes = march(placed, half, rounding + 1e-3, ray) < HUGE_VAL &&
                      march(placed, half, rounding - 1e-3, ray) == HUGE_VAL;
        if (grazes) continue; /* either answer is right */
        assert_int_equal(raster->label[k].thing, depth < HUGE_VAL ? 3 : RASTER_NOTHING);
        if (depth == HUGE_VAL) continue;
        struct form_hit hit = form_meet(placed, raster->label[k].piece, ray, 1.0);
        assert_near(hit.depth, depth, 1e-5);
        assert_near((double)raster->depth[k], depth, 1e-5);
        assert_near(vec3_norm(hit.normal), 1.0, 1e-9);
        assert_true(vec3_dot(hit.normal, ray) < 1e-6);
        covered++;
    }
    assert_true(covered > 100);
}

/* Sharp and rounded boxes cover the samples whose ray meets them, at the right depth. */
static void forms_are_drawn_exactly(void **state) {
    (void)state;
    const vec3 half = {0.5, 0.3, 0.2};
    for (int k = 0; k < 6; k++) {
        double rounding = k < 2 ? 0.0 : 0.05 * k;
        talus_config config = support_config(3, 0.01);
        talus_sim *sim = support_sim(&config, 0.0);
        talus_vec3 points[8];
        box_points(points, half);
        add_shape(sim, "box", points, 8, rounding);
        struct memory memory = {0};
        struct raster raster;
        assert_ok(raster_create(&raster, 60, 50, &memory, NULL));
        raster.unit = 120.0;
        raster.cx = 31.3;
        raster.cy = 24.8;
        vec3 turn = {0.5 * k, 1.0 - 0.3 * k, 0.7};
        const struct picture_grain grain = {.orientation = quat_turn(quat_identity(), turn),
                                            .form = &sim->world.forms[0],
                                            .scale = 0.8};
        struct placed_form placed = placed_in_world(&grain, 1.0);
        placed.center = vec(0.1, -0.05, 4.0); /* the world is the camera's */
        raster_begin(&raster, 0);
        form_raster(&raster, &placed, 3);
        check_form(&raster, &placed, half, rounding);
        raster_destroy(&raster);
        assert_int_equal(memory.bytes, 0);
        talus_sim_destroy(sim);
    }
}

/* ---- whole pictures -------------------------------------------------------------------------- */

static char directory[256], path[300];

static int make_directory(void **state) {
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/talus_picture_XXXXXX", parent ? parent : P_tmpdir);
    if (mkdtemp(directory) == NULL) return -1;
    snprintf(path, sizeof path, "%s/a.png", directory);
    return 0;
}

static int remove_directory(void **state) {
    (void)state;
    remove(path);
    return rmdir(directory);
}

static vec3 upwards(int dim) {
    return dim == 3 ? vec(0.0, 0.0, 1.0) : dim == 2 ? vec(0.0, 1.0, 0.0) : vec(1.0, 0.0, 0.0);
}

/* Grain k of the heap: two columns, or one above the other in one dimension. */
static vec3 place(int dim, int k) {
    if (dim == 1) return vec(0.5 + 0.98 * k, 0.0, 0.0);
    double height = 0.5 + 0.99 * (double)(k / 2);
    return dim == 3 ? vec(1.01 * (k % 2), 0.2, height) : vec(1.01 * (k % 2), height, 0.0);
}

static void add_side_walls(talus_sim *sim) {
    support_plane(sim, "left", vec(-2.0, 0.0, 0.0), vec(1.0, 0.0, 0.0));
    talus_boundary_def tube = talus_boundary_def_default();
    tube.name = "tube";
    tube.shape = TALUS_CYLINDER_INSIDE;
    tube.normal = vec(0.0, 0.0, 1.0);
    tube.radius = 7.0;
    assert_ok(talus_boundary_add(sim, &tube, NULL));
    talus_boundary_def plate = talus_boundary_def_default();
    plate.name = "plate";
    plate.shape = TALUS_RECTANGLE;
    plate.point = vec(4.0, 1.5, talus_sim_dim(sim) == 3 ? 1.5 : 0.0);
    plate.normal = vec(1.0, 0.0, 0.0);
    plate.edge = vec(0.0, 1.0, 0.0);
    plate.size[0] = plate.size[1] = 2.0;
    assert_ok(talus_boundary_add(sim, &plate, NULL));
}

/* A few grains on a floor, among every kind of wall in 2D and 3D, after some steps of gravity. */
static talus_sim *small_heap(int dim) {
    talus_config config = support_config(dim, 0.01);
    config.gravity = vec3_scale(-9.81, upwards(dim));
    talus_sim *sim = support_sim(&config, 0.4);
    support_plane(sim, "floor", vec(0.0, 0.0, 0.0), upwards(dim));
    if (dim > 1) add_side_walls(sim);
    for (int k = 0; k < 5; k++)
        support_grain(sim, 0.5 - 0.01 * k, 0.0, place(dim, k), vec(0.1 * k, 0.0, 0.0));
    support_steps(sim, 5);
    return sim;
}

static uint8_t *read_all(size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/* Share of the pixels that are neither white nor nearly so. */
static double share_drawn(void) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    size_t drawn = 0, count = (size_t)image.width * image.height;
    for (size_t k = 0; k < count; k++)
        if (pixels[3 * k] < 200 || pixels[3 * k + 2] < 200) drawn++;
    free(pixels);
    return (double)drawn / (double)count;
}

static talus_picture_config small_config(void) {
    talus_picture_config config = talus_picture_config_default();
    config.width = 240;
    config.height = 180;
    return config;
}

static void every_colour_draws_in_every_dimension(void **state) {
    (void)state;
    const char *const colors[] = {"speed",        "radius", "height", "pressure",
                                  "coordination", "spin",   "group",  "id"};
    for (int dim = 1; dim <= 3; dim++) {
        talus_sim *sim = small_heap(dim);
        for (int k = 0; k < 8; k++) {
            talus_picture_config config = small_config();
            config.color = colors[k];
            config.forces = k % 2 == 1;
            assert_ok(talus_picture_write(sim, &config, path, NULL));
            assert_true(share_drawn() > 0.005);
        }
        talus_sim_destroy(sim);
    }
}

static void same_state_same_bytes(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        talus_sim *sim = small_heap(dim);
        talus_picture_config config = small_config();
        size_t size, again;
        assert_ok(talus_picture_write(sim, &config, path, NULL));
        uint8_t *first = read_all(&size);
        assert_ok(talus_picture_write(sim, &config, path, NULL));
        uint8_t *second = read_all(&again);
        assert_int_equal(size, again);
        assert_memory_equal(first, second, size);
        free(first);
        free(second);
        talus_sim_destroy(sim);
    }
}

static void an_empty_world_has_a_picture(void **state) {
    (void)state;
    for (int dim = 1; dim <= 3; dim++) {
        talus_config config = support_config(dim, 0.01);
        talus_sim *sim = support_sim(&config, 0.0);
        talus_picture_config picture = small_config();
        picture.forces = true;
        assert_ok(talus_picture_write(sim, &picture, path, NULL));
        talus_sim_destroy(sim);
    }
}

static void wrong_configs_are_refused(void **state) {
    (void)state;
    talus_sim *sim = small_heap(2);
    talus_error err;
    talus_picture_config config = small_config();
    config.width = 15;
    assert_int_equal(talus_picture_write(sim, &config, path, &err), TALUS_ERR_INPUT);
    assert_string_equal(err.text, "picture.width is 15; allowed are 16 to 8192 pixels");
    config = small_config();
    config.height = 8193;
    assert_int_equal(talus_picture_write(sim, &config, path, &err), TALUS_ERR_INPUT);
    config = small_config();
    config.color = "sped";
    assert_int_equal(talus_picture_write(sim, &config, path, &err), TALUS_ERR_UNKNOWN_NAME);
    assert_non_null(strstr(err.text, "'sped'; allowed are speed, "));
    config = small_config();
    config.elevation = 91.0;
    assert_int_equal(talus_picture_write(sim, &config, path, &err), TALUS_ERR_INPUT);
    config = small_config();
    config.azimuth = (double)NAN;
    assert_int_equal(talus_picture_write(sim, &config, path, &err), TALUS_ERR_INPUT);
    talus_sim_destroy(sim);
}

static void a_bad_path_keeps_the_old_picture(void **state) {
    (void)state;
    talus_sim *sim = small_heap(2);
    talus_picture_config config = small_config();
    talus_error err;
    char missing[400];
    snprintf(missing, sizeof missing, "%s/nowhere/a.png", directory);
    assert_ok(talus_picture_write(sim, &config, path, NULL));
    assert_int_equal(talus_picture_write(sim, &config, missing, &err), TALUS_ERR_FILE);
    assert_non_null(strstr(err.text, missing));
    assert_true(share_drawn() > 0.01);
    talus_sim_destroy(sim);
}

/* Two contacts of two grains, 2 N and 4 N, and one of 30 N with a wall: the second and the third are strong. */
static void bars_are_weak_below_the_mean_of_grains(void **state) {
    (void)state;
    struct memory memory = {0};
    talus_picture_config config = small_config();
    config.forces = true;
    struct picture picture = picture_empty(2, &config, &memory);
    assert_ok(picture_reserve(&picture, 3, 5, 0, NULL));
    for (size_t i = 0; i < 3; i++)
        picture.grains[i] = (struct picture_grain){.position = vec((double)i, 0, 0), .radius = 0.5};
    const double forces[] = {2, 2, 4, 4, 30};
    for (size_t k = 0; k < 5; k++)
        picture.touches[picture.touch_count++] =
            (struct picture_touch){.grain = k / 2,
                                   .force = vec(forces[k], 0, 0),
                                   .normal = forces[k],
                                   .with_wall = k == 4};
    assert_ok(picture_complete(&picture, &config, NULL));
    for (size_t k = 0; k < 5; k++) assert_int_equal(picture.bars[k].weak, k < 2);
    picture_free(&picture);
    assert_int_equal(memory.bytes, 0);
}

/* Refuse the first allocation, the second, ... until the picture succeeds: each time one error and no
 * byte left behind. */
static void every_refused_allocation_is_survived(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        talus_sim *sim = small_heap(dim);
        talus_picture_config config = small_config();
        config.color = "pressure";
        config.forces = true;
        talus_status status = TALUS_ERR_MEMORY;
        int refused = 0;
        for (int64_t n = 1; status == TALUS_ERR_MEMORY; n++) {
            struct memory memory = {.refuse_at = n};
            status = picture_write(sim, &config, path, &memory, NULL);
            assert_int_equal(memory.bytes, 0);
            if (status == TALUS_ERR_MEMORY) refused++;
        }
        assert_ok(status);
        assert_true(refused >= 7);
        talus_sim_destroy(sim);
    }
}

struct extent {
    double left, right, top, bottom;
};

/* How far the grains reach on the page, by a search along their outlines. */
static struct extent page_extent(const struct picture *picture, const struct camera *camera) {
    struct extent e = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < picture->grain_count; i++) {
        vec3 c = camera_place(camera, picture->grains[i].position);
        for (int k = 0; k < 4000; k++) {
            double angle = k * 6.283185307179586 / 4000.0, r = picture->grains[i].radius;
            double x = (c.x + r * cos(angle)) / (c.z + r * sin(angle));
            double y = (c.y + r * cos(angle)) / (c.z + r * sin(angle));
            e.left = fmin(e.left, camera->cx + camera->unit * x);
            e.right = fmax(e.right, camera->cx + camera->unit * x);
            e.top = fmin(e.top, camera->cy - camera->unit * y);
            e.bottom = fmax(e.bottom, camera->cy - camera->unit * y);
        }
    }
    return e;
}

/* The camera comes as near as it can: all grains inside the frame, two opposite sides touched; the
 * upper and lower in a wide frame, left and right in a narrow one. */
static void camera_fits_tightly(void **state) {
    (void)state;
    talus_sim *sim = small_heap(3);
    struct memory memory = {0};
    struct picture picture;
    talus_picture_config config = small_config();
    config.boundaries = false;
    assert_ok(picture_gather(&picture, sim, &config, &memory, NULL));
    const struct picture_frame wide = {10.0, 20.0, 600.0, 200.0},
                               narrow = {10.0, 20.0, 100.0, 500.0};

    struct camera camera = camera_fit(&picture, &wide, 50.0, 30.0);
    struct extent e = page_extent(&picture, &camera);
    assert_near(e.top, 20.0, 0.01);
    assert_near(e.bottom, 220.0, 0.01);
    assert_true(e.left > 10.0 && e.right < 610.0);

    camera = camera_fit(&picture, &narrow, 50.0, 30.0);
    e = page_extent(&picture, &camera);
    assert_near(e.left, 10.0, 0.01);
    assert_near(e.right, 110.0, 0.01);
    assert_true(e.top > 20.0 && e.bottom < 520.0);
    picture_free(&picture);
    assert_int_equal(memory.bytes, 0);
    talus_sim_destroy(sim);
}

/* A view that is given does not follow the grains, and its corners fill the frame. */
static void given_view_stays(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        talus_sim *sim = small_heap(dim);
        struct memory memory = {0};
        struct picture picture;
        talus_picture_config config = small_config();
        const struct picture_frame frame = {0.0, 0.0, 300.0, 300.0};
        config.low = vec(-9.0, -8.0, dim == 3 ? -7.0 : 0.0);
        config.high = vec(1.0, 2.0, dim == 3 ? 3.0 : 0.0);
        assert_ok(picture_gather(&picture, sim, &config, &memory, NULL));
        assert_near(vec3_norm(vec3_sub(picture.low, config.low)), 0.0, 0.0);
        assert_near(vec3_norm(vec3_sub(picture.high, config.high)), 0.0, 0.0);
        struct camera camera = camera_fit(&picture, &frame, 50.0, 30.0);
        double top = HUGE_VAL, bottom = -HUGE_VAL;
        for (int k = 0; k < 8; k++) {
            vec3 corner = vec(k & 1 ? 1.0 : -9.0, k & 2 ? 2.0 : -8.0, k & 4 ? 3.0 : -7.0);
            vec3 p = camera_place(&camera, corner);
            top = fmin(top, camera.cy - camera.unit * p.y / p.z);
            bottom = fmax(bottom, camera.cy - camera.unit * p.y / p.z);
        }
        if (dim == 3) assert_near(top, 0.0, 0.01);
        if (dim == 3) assert_near(bottom, 300.0, 0.01);
        picture_free(&picture);
        assert_ok(picture_write(sim, &config, path, &memory, NULL));
        config.high.y = config.low.y;
        assert_int_equal(picture_write(sim, &config, path, &memory, NULL), TALUS_ERR_INPUT);
        assert_int_equal(memory.bytes, 0);
        talus_sim_destroy(sim);
    }
}

/* Two discs pressed together with force f: pressure f l/(2 pi r^2), one contact each, one bar of two
 * halves that ends at the contact point. */
static void colours_and_bars_follow_the_contacts(void **state) {
    (void)state;
    talus_config config = support_config(2, 0.01);
    talus_sim *sim = support_sim(&config, 0.0);
    support_grain(sim, 0.5, 2.0, vec(0.0, 0.0, 0.0), vec(1.0, 0.0, 0.0));
    support_grain(sim, 0.5, 2.0, vec(1.0, 0.0, 0.0), vec(-1.0, 0.0, 0.0));
    support_steps(sim, 1);
    double force = 2.0 * 1.0 / 0.01; /* m v/dt brings both to rest */
    struct memory memory = {0};
    struct picture picture;
    talus_picture_config shown = small_config();
    shown.forces = true;
    shown.color = "pressure";
    assert_ok(picture_gather(&picture, sim, &shown, &memory, NULL));
    assert_int_equal(picture.bar_count, 2);
    assert_near(picture.force_max, force, 1e-9 * force);
    assert_near(picture.bars[0].to.x, 0.5, 1e-9);
    assert_near(picture.bars[1].to.x, 0.5, 1e-9);
    assert_near(picture.grains[0].value, force * 0.5 / (2.0 * 3.141592653589793 * 0.25), 1e-6);
    picture_free(&picture);
    shown.color = "coordination";
    assert_ok(picture_gather(&picture, sim, &shown, &memory, NULL));
    assert_near(picture.grains[1].value, 1.0, 0.0);
    picture_free(&picture);
    assert_int_equal(memory.bytes, 0);
    talus_sim_destroy(sim);
}

/* ---- pictures of forms ----------------------------------------------------------------------- */

/* One of each kind: a capsule, a box, a rounded one, two as one, a ball beside its centre. */
static void add_forms(talus_sim *sim) {
    int dim = talus_sim_dim(sim);
    talus_vec3 points[8], ends[2] = {vec(-0.3, 0.0, 0.0), vec(0.3, 0.0, 0.0)};
    add_shape(sim, "capsule", ends, 2, 0.2);
    box_points(points, vec(0.4, 0.3, dim == 3 ? 0.2 : 0.0));
    talus_vec3 high[8];
    for (int k = 0; k < 8; k++) high[k] = vec(points[k].x, 0.3 + points[k].y, points[k].z);
    size_t count = dim == 3 ? 8 : 4;
    add_shape(sim, "box", points, count, 0.0);
    add_shape(sim, "rounded", points, count, 0.1);
    const talus_shape_part parts[2] = {{.points = points, .count = count, .rounding = 0.0},
                                       {.points = high, .count = count, .rounding = 0.02}};
    assert_ok(talus_shape_add(sim, "pair", parts, 2, NULL));
    const talus_vec3 middle = vec(0.1, 0.0, 0.0);
    add_shape(sim, "ball", &middle, 1, 0.3);
    const char *const names[] = {"capsule", "box", "rounded", "pair", "ball"};
    for (int k = 0; k < 5; k++) {
        vec3 position = vec3_add_scaled(vec(1.4 * k - 2.0, 0.0, 0.0), 3.0, upwards(dim));
        add_grain(sim, names[k], position, vec(0.0, 0.0, 0.4 * k));
    }
}

/* A sheet bent at a right angle, each half of two triangles. */
static void add_mesh(talus_sim *sim) {
    const talus_vec3 points[6] = {{5.0, 0.0, 0.0}, {6.0, 0.0, 0.0}, {6.0, 1.0, 0.0},
                                  {5.0, 1.0, 0.0}, {5.0, 0.0, 1.0}, {6.0, 0.0, 1.0}};
    const int32_t triangles[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 5}, {0, 5, 4}};
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "mesh";
    def.shape = TALUS_MESH;
    def.vertices = points;
    def.vertex_count = 6;
    def.triangles = triangles;
    def.triangle_count = 4;
    assert_ok(talus_boundary_add(sim, &def, NULL));
}

static talus_sim *mixed_heap(int dim) {
    talus_sim *sim = small_heap(dim);
    add_forms(sim);
    if (dim == 3) add_mesh(sim);
    return sim;
}

static void forms_and_meshes_survive_refused_allocations(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int forces = 0; forces < 2; forces++) {
            talus_sim *sim = mixed_heap(dim);
            talus_picture_config config = small_config();
            config.width = config.height = 64;
            config.forces = forces == 1;
            talus_status status = TALUS_ERR_MEMORY;
            for (int64_t n = 1; status == TALUS_ERR_MEMORY; n++) {
                struct memory memory = {.refuse_at = n};
                status = picture_write(sim, &config, path, &memory, NULL);
                assert_int_equal(memory.bytes, 0);
            }
            assert_ok(status);
            talus_sim_destroy(sim);
        }
}

/* One grain in a picture of its own, drawn on a page. */
struct portrait {
    struct memory memory;
    struct picture picture;
    struct canvas canvas;
    struct camera camera; /* in space */
    double scale;         /* in the plane: pixels per metre, about the middle of the page */
};

enum { PORTRAIT = 200 };

static void take(struct portrait *portrait, const talus_sim *sim) {
    const struct picture_frame frame = {0.0, 0.0, PORTRAIT, PORTRAIT};
    talus_picture_config config = talus_picture_config_default();
    *portrait = (struct portrait){.scale = 0.0};
    assert_ok(picture_gather(&portrait->picture, sim, &config, &portrait->memory, NULL));
    assert_ok(canvas_create(&portrait->canvas, PORTRAIT, PORTRAIT, &portrait->memory, NULL));
    portrait->scale = PORTRAIT / (portrait->picture.high.x - portrait->picture.low.x);
    portrait->camera = camera_fit(&portrait->picture, &frame, config.azimuth, config.elevation);
    if (portrait->picture.dim < 3)
        picture_flat(&portrait->canvas, &portrait->picture, &frame);
    else
        assert_ok(picture_solid(&portrait->canvas, &portrait->picture, &frame, &config, NULL));
}

static void discard(struct portrait *portrait) {
    canvas_destroy(&portrait->canvas);
    picture_free(&portrait->picture);
    assert_int_equal(portrait->memory.bytes, 0);
}

/* The pixel where a place of the world is seen. */
static const uint8_t *seen_at(const struct portrait *portrait, vec3 place) {
    double x = 0.5 * PORTRAIT + portrait->scale * place.x;
    double y = 0.5 * PORTRAIT - portrait->scale * place.y;
    if (portrait->picture.dim == 3) {
        const struct camera *camera = &portrait->camera;
        vec3 p = camera_place(camera, place);
        x = camera->cx + camera->unit * p.x / p.z;
        y = camera->cy - camera->unit * p.y / p.z;
    }
    assert_true(x >= 0.0 && x < PORTRAIT && y >= 0.0 && y < PORTRAIT);
    return portrait->canvas.pixels + 3 * (PORTRAIT * (int)y + (int)x);
}

static bool is_white(const uint8_t *pixel) {
    return pixel[0] == 255 && pixel[1] == 255 && pixel[2] == 255;
}

/* 0.05 inside a corner or the middle of a side there is colour, 0.05 outside there is paper. */
static void polygons_reach_to_their_sides(void **state) {
    (void)state;
    talus_config config = support_config(2, 0.01);
    for (int k = 0; k < 2; k++) {
        double rounding = 0.2 * k, turn = 0.6;
        talus_sim *sim = support_sim(&config, 0.0);
        talus_vec3 points[8];
        box_points(points, vec(0.6, 0.4, 0.0));
        add_shape(sim, "box", points, 4, rounding);
        add_grain(sim, "box", vec(0.0, 0.0, 0.0), vec(0.0, 0.0, turn));
        struct portrait portrait;
        take(&portrait, sim);
        const double far = hypot(0.6, 0.4);
        const vec3 corner = {0.6 / far, 0.4 / far, 0.0}, side = {1.0, 0.0, 0.0};
        quat q = quat_turn(quat_identity(), vec(0.0, 0.0, turn));
        double out[2] = {far + rounding, 0.6 + rounding};
        for (int j = 0; j < 2; j++) {
            vec3 along = quat_rotate(q, j == 0 ? corner : side);
            assert_false(is_white(seen_at(&portrait, vec3_scale(out[j] - 0.05, along))));
            assert_true(is_white(seen_at(&portrait, vec3_scale(out[j] + 0.05, along))));
        }
        const struct color fill = portrait.picture.grains[0].color;
        assert_near(seen_at(&portrait, vec(0.1, 0.1, 0.0))[0], 255.0 * fill.r, 1.0);
        discard(&portrait);
        talus_sim_destroy(sim);
    }
}

/* A cube shows three faces of one hue, the brightest on top, dark lines between them, and nothing in the
 * corners of the sphere around it. */
static void cubes_look_like_cubes(void **state) {
    (void)state;
    talus_config config = support_config(3, 0.01);
    talus_sim *sim = support_sim(&config, 0.0);
    talus_vec3 points[8];
    box_points(points, vec(0.5, 0.5, 0.5));
    add_shape(sim, "cube", points, 8, 0.0);
    add_grain(sim, "cube", vec(0.0, 0.0, 0.0), vec(0.0, 0.0, 0.0));
    struct portrait portrait;
    take(&portrait, sim);
    const uint8_t *top = seen_at(&portrait, vec(0.0, 0.0, 0.5));
    const uint8_t *front = seen_at(&portrait, vec(0.5, 0.0, 0.0));
    const uint8_t *side = seen_at(&portrait, vec(0.0, 0.5, 0.0));
    const uint8_t *edge = seen_at(&portrait, vec(0.5, 0.0, 0.5));
    assert_true(top[2] > front[2] && front[2] > side[2]);
    assert_true(top[2] > top[0] && front[2] > front[0] && side[2] > side[0]); /* all blue */
    assert_true(edge[2] + 10 < top[2] && edge[2] + 10 < front[2]);
    vec3 beside = vec3_scale(0.8, portrait.camera.right); /* the sphere has 0.866 */
    assert_true(is_white(seen_at(&portrait, beside)));
    discard(&portrait);
    talus_sim_destroy(sim);
}

/* The camera sees all of a mesh, as tinted glass with dark rims; a fold is a crease, a diagonal of a flat
 * piece is none. */
static void meshes_are_glass(void **state) {
    (void)state;
    talus_config config = support_config(3, 0.01);
    talus_sim *sim = support_sim(&config, 0.0);
    add_mesh(sim);
    struct portrait portrait;
    take(&portrait, sim);
    assert_int_equal(portrait.picture.crease_count, 7);
    const uint8_t *glass = seen_at(&portrait, vec(5.3, 0.0, 0.6));
    assert_true(glass[0] < 250 && glass[0] > 150 && glass[2] > glass[0]);
    const uint8_t *fold = seen_at(&portrait, vec(5.5, 0.0, 0.0));
    assert_true(fold[0] < glass[0] - 40);
    discard(&portrait);
    talus_sim_destroy(sim);
}

/* A ball pressed on a box beside its middle, once across the periodic side: each half of the bar ends
 * at the contact. */
static void bars_of_forms_end_at_the_contact(void **state) {
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        talus_config config = support_config(2, 0.01);
        config.cell.periodic[1] = true;
        config.cell.size = vec(0.0, 10.0, 0.0);
        talus_sim *sim = support_sim(&config, 0.0);
        talus_vec3 points[8];
        box_points(points, vec(0.5, 0.4, 0.0));
        add_shape(sim, "box", points, 4, 0.0);
        const talus_vec3 middle = vec(0.0, 0.0, 0.0);
        add_shape(sim, "ball", &middle, 1, 0.3);
        double low = periodic == 1 ? 9.8 : 4.0;
        add_grain(sim, "box", vec(0.0, low, 0.0), middle);
        add_grain(sim, "ball", vec(0.3, fmod(low + 0.7, 10.0), 0.0), middle);
        sim->world.bodies.velocity[1] = vec(0.0, -0.1, 0.0);
        support_steps(sim, 1);
        struct memory memory = {0};
        struct picture picture;
        talus_picture_config shown = small_config();
        shown.forces = true;
        assert_ok(picture_gather(&picture, sim, &shown, &memory, NULL));
        assert_int_equal(picture.bar_count, 2);
        for (int k = 0; k < 2; k++) {
            vec3 arm = vec3_sub(picture.bars[k].to, picture.bars[k].from);
            bool of_box = fabs(picture.bars[k].from.x) < 0.1;
            assert_near(arm.x, of_box ? 0.3 : 0.0, 1e-3);
            assert_near(arm.y, of_box ? 0.4 : -0.3, 1e-3);
        }
        picture_free(&picture);
        assert_int_equal(memory.bytes, 0);
        talus_sim_destroy(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_balls_and_rods),
        cmocka_unit_test(raster_misses_no_sample),
        cmocka_unit_test(light_of_one_ball),
        cmocka_unit_test(light_of_faces_and_rods),
        cmocka_unit_test(forms_are_drawn_exactly),
        cmocka_unit_test(every_colour_draws_in_every_dimension),
        cmocka_unit_test(same_state_same_bytes),
        cmocka_unit_test(an_empty_world_has_a_picture),
        cmocka_unit_test(wrong_configs_are_refused),
        cmocka_unit_test(a_bad_path_keeps_the_old_picture),
        cmocka_unit_test(bars_are_weak_below_the_mean_of_grains),
        cmocka_unit_test(every_refused_allocation_is_survived),
        cmocka_unit_test(camera_fits_tightly),
        cmocka_unit_test(given_view_stays),
        cmocka_unit_test(colours_and_bars_follow_the_contacts),
        cmocka_unit_test(forms_and_meshes_survive_refused_allocations),
        cmocka_unit_test(polygons_reach_to_their_sides),
        cmocka_unit_test(cubes_look_like_cubes),
        cmocka_unit_test(meshes_are_glass),
        cmocka_unit_test(bars_of_forms_end_at_the_contact),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
