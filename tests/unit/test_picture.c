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
#include "io/picture.h"
#include "io/raster.h"

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
        raster_ball(&raster, center, 0.2, 7);
        raster_rod(&raster, &rod, 8);
        for (int k = 0; k < 90 * 20; k++) {
            vec3 ray = {(k % 90 + 0.5 - raster.cx) / raster.unit,
                        (raster.cy - (first + k / 90 + 0.5)) / raster.unit, 1.0};
            double ball = ray_ball(center, 0.2, ray), bar = ray_rod(&rod, ray);
            int expected = ball == HUGE_VAL && bar == HUGE_VAL ? RASTER_NOTHING
                           : ball < bar                        ? 7
                                                               : 8;
            assert_int_equal(raster.thing[k], expected);
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
    const struct ball ball = {{0.3, -0.2, 2.0}, 1.0};
    const vec3 up = {0.0, 0.0, 1.0}, down = {0.0, 0.0, -1.0};
    assert_ok(light_create(&light, &ball, 1, up, &memory, NULL));
    for (int k = 0; k < 5; k++) {
        double d = 1.05 + 0.2 * k, fade = fmin((1.0 + light.reach - d) / light.reach, 1.0);
        assert_near(light_sky(&light, vec(0.3, -0.2, 2.0 - d), up), 1.0 - fade / (d * d), 1e-12);
    }
    assert_near(light_sky(&light, vec(0.3, -0.2, 0.95), down), 1.0, 1e-12);
    assert_near(light_sky(&light, vec(0.3, -0.2, -5.0), up), 1.0, 1e-12);
    assert_near(light_sky(&light, vec(100.0, 0.0, 0.0), up), 1.0, 1e-12);
    assert_near(light_sun(&light, vec(0.3, -0.2, 0.0), up), 0.0, 1e-12);
    assert_near(light_sun(&light, vec(1.7, -0.2, 0.0), up), 1.0, 1e-12);
    assert_near(light_sun(&light, vec(0.3, -0.2, 3.0), up), 1.0, 1e-12); /* on top of it */
    light_destroy(&light);
    assert_int_equal(memory.bytes, 0);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_balls_and_rods),
        cmocka_unit_test(raster_misses_no_sample),
        cmocka_unit_test(light_of_one_ball),
        cmocka_unit_test(every_colour_draws_in_every_dimension),
        cmocka_unit_test(same_state_same_bytes),
        cmocka_unit_test(an_empty_world_has_a_picture),
        cmocka_unit_test(wrong_configs_are_refused),
        cmocka_unit_test(a_bad_path_keeps_the_old_picture),
        cmocka_unit_test(every_refused_allocation_is_survived),
        cmocka_unit_test(camera_fits_tightly),
        cmocka_unit_test(colours_and_bars_follow_the_contacts),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
