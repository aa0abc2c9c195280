/* SPDX-License-Identifier: Apache-2.0
 * Pictures of stored states: the same as those of the simulation, bit by bit; colours by any number of a frame. */
#define _DEFAULT_SOURCE
#include "frame_support.h"

#include "io/picture_frame.h"
#include "sim/sim.h"
#include "talus/run.h"

/* A state of a ready scene, and the same through files. */
struct twin {
    talus_scene *scene;
    talus_sim *sim;
    struct frame frame;
    struct stored stored;
    struct picture_forms forms;
    struct picture_frame_source source;
};

static void write_shapes(const talus_sim *sim) {
    struct frame_shapes shapes = {.count = 0};
    struct frame_block block = {.present = false};
    struct memory memory = {0};
    (void)remove(scene_path("shapes.vtp"));
    if (talus_sim_shape_count(sim) == 0) return;
    assert_ok(frame_shapes_make(&shapes, sim, NULL));
    assert_ok(frame_shapes_block(&shapes, sim, &block, &memory, NULL));
    assert_ok(vtp_write(&block, scene_directory, "shapes.vtp", NULL));
    frame_block_free(&block, &memory);
    frame_shapes_free(&shapes);
}

static void make_twin(struct twin *twin, const char *scene, int steps,
                      const struct frame_choice *choice) {
    memset(twin, 0, sizeof *twin);
    talus_error err;
    twin->sim = sim_of_scene(scene, steps, &twin->scene);
    through_files(twin->sim, choice, &twin->frame);
    write_shapes(twin->sim);
    strcpy(twin->stored.frames, scene_directory);
    if (picture_forms_read(&twin->forms, scene_directory, twin->frame.dim, &err) < 0)
        fail_msg("%s", err.text);
    twin->source = (struct picture_frame_source){.frame = &twin->frame,
                                                 .name = "frame",
                                                 .names = &twin->stored,
                                                 .forms = twin->forms.world.forms,
                                                 .form_count = twin->forms.world.form_count};
}

static void free_twin(struct twin *twin) {
    picture_forms_free(&twin->forms);
    assert_int_equal(twin->forms.memory.bytes, 0);
    frame_free(&twin->frame);
    talus_sim_destroy(twin->sim);
    talus_scene_free(twin->scene);
}

static talus_picture_config small_look(const char *color, bool forces) {
    talus_picture_config config = talus_picture_config_default();
    config.width = 160;
    config.height = 120;
    config.color = color;
    config.forces = forces;
    return config;
}

static size_t read_file(const char *name, char **bytes) {
    FILE *from = fopen(scene_path(name), "rb");
    assert_non_null(from);
    assert_int_equal(fseek(from, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(from);
    rewind(from);
    *bytes = malloc(size);
    assert_int_equal(fread(*bytes, 1, size, from), size);
    fclose(from);
    return size;
}

/* ---- as the simulation ----------------------------------------------------------------------- */

/* Returns how many bars there are. */
static size_t draw_frame(const struct twin *twin, const talus_picture_config *config,
                         const char *name) {
    struct memory memory = {0};
    struct picture picture;
    talus_error err;
    if (picture_gather_frame(&picture, &twin->source, config, &memory, &err) < 0)
        fail_msg("%s", err.text);
    assert_ok(picture_draw(&picture, config, scene_path(name), NULL));
    size_t bars = picture.bar_count;
    picture_free(&picture);
    assert_int_equal(memory.bytes, 0);
    return bars;
}

static size_t assert_same_picture(const struct twin *twin, const talus_picture_config *config,
                                  const char *scene) {
    char *live, *stored;
    assert_ok(talus_picture_write(twin->sim, config, scene_path("live.png"), NULL));
    size_t bars = draw_frame(twin, config, "stored.png");
    size_t size = read_file("live.png", &live);
    if (size != read_file("stored.png", &stored) || memcmp(live, stored, size) != 0)
        fail_msg("%s, coloured by %s: the stored state looks otherwise", scene, config->color);
    free(live);
    free(stored);
    return bars;
}

/* Discs, polygons, boxes, a mesh, membranes in the plane and in space, rounded stones; every pixel. */
static void stored_states_look_like_live_ones(void **state) {
    (void)state;
    static const struct {
        const char *name, *color;
        int steps;   /* of each phase */
        bool forces; /* there are some by then */
    } scenes[] = {{"polygons2d", "speed", 500, true},     {"masonry2d", "pressure", 30, true},
                  {"boxes3d", "coordination", 400, true}, {"biaxial2d", "radius", 12, true},
                  {"gravel3d", "spin", 300, false},       {"triaxial3d", "height", 12, true},
                  {"hopper3d", "id", 400, true}};
    struct frame_choice choice = frame_choice_default();
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        struct twin twin;
        make_twin(&twin, scenes[s].name, scenes[s].steps, &choice);
        talus_picture_config plain = small_look(scenes[s].color, false);
        talus_picture_config chains = small_look(scenes[s].color, true);
        assert_int_equal(assert_same_picture(&twin, &plain, scenes[s].name), 0);
        size_t bars = assert_same_picture(&twin, &chains, scenes[s].name);
        assert_int_equal(bars > 0, scenes[s].forces);
        free_twin(&twin);
    }
}

/* Shapes of several parts and densities come back as they were, to rounding. */
static void shapes_are_made_again(void **state) {
    (void)state;
    struct frame_choice choice = frame_choice_default();
    struct twin twin;
    make_twin(&twin, "gravel3d", 1, &choice);
    const struct world *world = &twin.sim->world;
    assert_true(world->form_count > 0);
    assert_int_equal(twin.forms.world.form_count, world->form_count);
    for (size_t k = 0; k < world->form_count; k++) {
        const struct body_form *was = &world->forms[k], *is = &twin.forms.world.forms[k];
        assert_int_equal(is->part_count, was->part_count);
        assert_near(is->reach, was->reach, 1e-13 * was->reach);
        assert_near(is->volume, was->volume, 1e-12 * was->volume);
        assert_near(vec3_norm(is->centre), 0.0, 1e-13 * was->reach); /* was moved there before */
    }
    free_twin(&twin);
}

/* ---- colours --------------------------------------------------------------------------------- */

static double body_speed(const talus_body_view *b, size_t i) {
    return vec3_norm(b->velocity[i]);
}
static double body_fall(const talus_body_view *b, size_t i) {
    return b->velocity[i].y;
}
static double body_mass(const talus_body_view *b, size_t i) {
    return b->mass[i];
}
static double body_type(const talus_body_view *b, size_t i) {
    return b->material[i] + 1;
}
static double body_x(const talus_body_view *b, size_t i) {
    return b->position[i].x;
}
static double body_id(const talus_body_view *b, size_t i) {
    return (double)b->gid[i];
}
static double body_shape(const talus_body_view *b, size_t i) {
    return b->form[i];
}

static void colours_are_numbers_of_the_frame(void **state) {
    (void)state;
    static const struct {
        const char *name, *unit;
        double (*value)(const talus_body_view *bodies, size_t i);
        bool is_signed, is_name;
    } kinds[] = {{"|v|", "m/s", body_speed, false, false}, {"v.y", "m/s", body_fall, true, false},
                 {"mass", "kg", body_mass, false, false},  {"type", "", body_type, false, true},
                 {"x", "m", body_x, false, false},         {"id", "", body_id, false, false},
                 {"shape", "", body_shape, false, true}};
    struct frame_choice choice = frame_choice_default();
    struct twin twin;
    make_twin(&twin, "polygons2d", 5, &choice);
    talus_body_view bodies = talus_sim_bodies(twin.sim);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct memory memory = {0};
        struct picture picture;
        talus_picture_config config = small_look(kinds[k].name, false);
        assert_ok(picture_gather_frame(&picture, &twin.source, &config, &memory, NULL));
        assert_string_equal(picture.scale.quantity, kinds[k].name);
        assert_string_equal(picture.scale.unit, kinds[k].unit);
        assert_int_equal(picture.scale.is_signed, kinds[k].is_signed);
        assert_int_equal(picture.scale.name_count > 0, kinds[k].is_name);
        size_t grain = 0;
        for (size_t i = 0; i < bodies.count; i++)
            if (bodies.kind[i] == TALUS_BODY_GRAIN)
                assert_near(picture.grains[grain++].value, kinds[k].value(&bodies, i), 0.0);
        assert_int_equal(grain, picture.grain_count);
        picture_free(&picture);
    }
    free_twin(&twin);
}

static void refused(const struct twin *twin, const talus_picture_config *config,
                    talus_status status, const char *part) {
    struct memory memory = {0};
    struct picture picture;
    talus_error err;
    assert_int_equal(picture_gather_frame(&picture, &twin->source, config, &memory, &err), status);
    if (strstr(err.text, part) == NULL) fail_msg("wanted: %s\ngot: %s", part, err.text);
    picture_free(&picture);
    assert_int_equal(memory.bytes, 0);
}

static void what_a_frame_has_not_is_named(void **state) {
    (void)state;
    static const char *const only[] = {"mass", "orientation", "shape"};
    struct frame_choice choice = frame_choice_default();
    choice.quantities = only;
    choice.quantity_count = 3;
    struct twin twin;
    make_twin(&twin, "polygons2d", 2, &choice);
    talus_picture_config speed = small_look("speed", false), chains = small_look("mass", true);
    talus_picture_config vector = small_look("mass.x", false), none = small_look("nosuch", false);
    refused(&twin, &speed, TALUS_ERR_UNKNOWN_NAME, "no quantity \"speed\"");
    refused(&twin, &speed, TALUS_ERR_UNKNOWN_NAME, "id, radius, mass, shape");
    refused(&twin, &vector, TALUS_ERR_UNKNOWN_NAME, "mass.x");
    refused(&twin, &none, TALUS_ERR_UNKNOWN_NAME, "nosuch");
    refused(&twin, &chains, TALUS_ERR_INPUT, "has no `normal`, which force chains");
    free_twin(&twin);
    choice = frame_choice_default();
    choice.contacts = false;
    make_twin(&twin, "polygons2d", 2, &choice);
    refused(&twin, &chains, TALUS_ERR_INPUT, "output.frames.contacts");
    free_twin(&twin);
}

/* A range that is given holds, and one that is found is symmetric for components of both signs. */
static void ranges_hold(void **state) {
    (void)state;
    struct frame_choice choice = frame_choice_default();
    struct twin twin;
    make_twin(&twin, "biaxial2d", 12, &choice);
    struct memory memory = {0};
    struct picture picture;
    talus_picture_config config = small_look("v.x", false);
    assert_ok(picture_gather_frame(&picture, &twin.source, &config, &memory, NULL));
    assert_near(picture.scale.low, -picture.scale.high, 0.0);
    assert_true(picture.scale.high > 0.0);
    assert_int_equal(picture.scale.map, COLORMAP_TIDE);
    picture_free(&picture);
    config.range[0] = -0.25;
    config.range[1] = 0.5;
    config.map = "grey";
    assert_ok(picture_gather_frame(&picture, &twin.source, &config, &memory, NULL));
    assert_near(picture.scale.low, -0.25, 0.0);
    assert_near(picture.scale.high, 0.5, 0.0);
    for (size_t i = 0; i < picture.grain_count; i++) {
        struct color c = picture.grains[i].color;
        assert_near(c.r, c.g, 1e-3); /* grey: equal but for the rounding of the matrix to sRGB */
        assert_near(c.g, c.b, 1e-3);
    }
    picture_free(&picture);
    free_twin(&twin);
}

/* Two grains thrown up, then falling: first all velocities are above zero, at last all below, never as far on both sides. The
 * range of the whole series has zero in the middle all the same, and so has every picture by itself. */
static const char thrown[] =
    "dimension: 2\n"
    "gravity: [0, -10, 0]\n"
    "time: {dt: 10 ms, end: 0.4}\n"
    "grains: [{list: [{at: [0, 0]}, {at: [3, 0]}], radius: 0.1, velocity: [0, 1]}]\n"
    "output: {picture: false, frames: {every: 0.1}}\n";

static void series_have_zero_in_the_middle(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(thrown);
    talus_run_config run = talus_run_config_default();
    talus_result *result = NULL;
    talus_pictures *pictures = NULL;
    talus_picture_common common = {.any = false};
    talus_picture_config config = small_look("v.y", false);
    char directory[128];
    snprintf(directory, sizeof directory, "%s", scene_path("thrown"));
    run.directory = directory;
    assert_ok(talus_run(scene, &run, &result, NULL));
    assert_ok(talus_pictures_open(directory, &pictures, NULL));
    assert_int_equal(talus_pictures_count(pictures), 5);
    for (size_t k = 0; k < 5; k++) {
        talus_picture_common alone = {.any = false};
        assert_ok(talus_pictures_look(pictures, k, &config, &alone, NULL));
        assert_near(alone.range[0], -alone.range[1], 0.0);
        assert_ok(talus_pictures_look(pictures, k, &config, &common, NULL));
    }
    assert_near(common.range[1], 3.0, 1e-12); /* 1 m/s - g t */
    assert_near(common.range[0], -3.0, 1e-12);
    config.map = "lake"; /* one side only: from the least to the largest */
    common.any = false;
    for (size_t k = 0; k < 5; k++)
        assert_ok(talus_pictures_look(pictures, k, &config, &common, NULL));
    assert_near(common.range[0], -3.0, 1e-12);
    assert_near(common.range[1], 1.0, 1e-12);
    talus_pictures_close(pictures);
    talus_result_free(result);
    talus_scene_free(scene);
}

/* ---- bad luck -------------------------------------------------------------------------------- */

static void every_refused_allocation_is_survived(void **state) {
    (void)state;
    struct frame_choice choice = frame_choice_default();
    static const char *const scenes[] = {"polygons2d", "triaxial3d"};
    for (int s = 0; s < 2; s++) {
        struct twin twin;
        make_twin(&twin, scenes[s], 3, &choice);
        talus_picture_config config = small_look("pressure", true);
        talus_status status = TALUS_ERR_MEMORY;
        int64_t n = 0;
        while (status == TALUS_ERR_MEMORY) {
            struct memory memory = {.refuse_at = ++n};
            struct picture picture;
            status = picture_gather_frame(&picture, &twin.source, &config, &memory, NULL);
            picture_free(&picture);
            assert_int_equal(memory.bytes, 0);
        }
        assert_ok(status);
        assert_true(n > 6);
        free_twin(&twin);
    }
}

/* Shapes whose numbers do not go together are refused with the name of the file. */
static void damaged_shapes_are_refused(void **state) {
    (void)state;
    struct frame_choice choice = frame_choice_default();
    struct twin twin;
    make_twin(&twin, "polygons2d", 1, &choice);
    struct memory memory = {0};
    struct frame_block block = {.present = false};
    assert_ok(vtp_read(&block, &memory, scene_path("shapes.vtp"), NULL));
    for (size_t f = 0; f < block.fact_count; f++) {
        if (strcmp(block.facts[f].name, "part_corners") != 0) continue;
        ((int32_t *)block.facts[f].values)[0] = 1 << 30;
    }
    assert_ok(vtp_write(&block, scene_directory, "shapes.vtp", NULL));
    struct picture_forms forms = {.memory = {0}};
    talus_error err;
    assert_int_equal(picture_forms_read(&forms, scene_directory, 2, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "shapes.vtp: does not tell the parts"));
    picture_forms_free(&forms);
    assert_int_equal(forms.memory.bytes, 0);
    frame_block_free(&block, &memory);
    free_twin(&twin);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_states_look_like_live_ones),
        cmocka_unit_test(shapes_are_made_again),
        cmocka_unit_test(colours_are_numbers_of_the_frame),
        cmocka_unit_test(what_a_frame_has_not_is_named),
        cmocka_unit_test(ranges_hold),
        cmocka_unit_test(series_have_zero_in_the_middle),
        cmocka_unit_test(every_refused_allocation_is_survived),
        cmocka_unit_test(damaged_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
