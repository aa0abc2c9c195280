/* SPDX-License-Identifier: Apache-2.0
 * The resolved scene reads back as the same scene, field by field; the reference page is up to
 * date. */
#define _POSIX_C_SOURCE 200809L
#include "scene_support.h"

#include "scene_samples.h"

/* ---- equality -------------------------------------------------------------------------------- */

/* Numbers must have the same bits. */
#define SAME(field) assert_memory_equal(&a->field, &b->field, sizeof a->field)
#define SAME_TEXT(field) same_text(a->field, b->field)

static void same_text(const char *a, const char *b) {
    assert_true((a == NULL) == (b == NULL));
    if (a != NULL) assert_string_equal(a, b);
}

static void same_numbers(const double *a, const double *b, size_t count) {
    assert_true((a == NULL) == (b == NULL));
    if (a != NULL) assert_memory_equal(a, b, count * sizeof *a);
}

static void same_signal(const talus_signal *a, const talus_signal *b) {
    SAME(kind), SAME(mean), SAME(amplitude), SAME(frequency), SAME(phase), SAME(count);
    same_numbers(a->times, b->times, a->count);
    same_numbers(a->values, b->values, a->count);
}

static void same_motion(const talus_motion *a, const talus_motion *b) {
    SAME(velocity), SAME(direction), SAME(axis), SAME(axis_point), SAME(rate);
    same_signal(&a->displacement, &b->displacement);
    same_signal(&a->angle, &b->angle);
}

static void same_free(const talus_free_motion *a, const talus_free_motion *b) {
    SAME(mass), SAME(direction), SAME(inertia), SAME(axis), SAME(weightless);
    same_signal(&a->force, &b->force);
    same_signal(&a->torque, &b->torque);
}

static void same_solver(const talus_solver_config *a, const talus_solver_config *b) {
    SAME_TEXT(name);
    SAME(sweep), SAME(stop), SAME(sweeps), SAME(max_sweeps), SAME(check_every), SAME(window);
    SAME(tolerance), SAME(cutoff), SAME(momentum_cap), SAME(carry), SAME(warm_start), SAME(gap);
    SAME(islands), SAME(audit), SAME(substeps);
}

static void same_size(const struct scene_size *a, const struct scene_size *b) {
    SAME(kind), SAME(a), SAME(b), SAME(low), SAME(high), SAME(exponent), SAME(share), SAME(count);
    same_numbers(a->values, b->values, a->count);
    same_numbers(a->weights, b->weights, a->count);
}

static void same_region(const struct scene_region *a, const struct scene_region *b) {
    SAME(kind), SAME(low), SAME(high), SAME(point), SAME(axis), SAME(radius), SAME(length);
}

static void same_generator(const struct scene_generator *a, const struct scene_generator *b) {
    SAME(kind), SAME_TEXT(group), SAME_TEXT(shape), SAME(material), SAME(mass), SAME(velocity);
    SAME(omega), SAME(velocity_jitter), SAME(locks), SAME(body_count), SAME(start), SAME(direction);
    SAME(count), SAME(cells), SAME(spacing), SAME(lattice), SAME(jitter), SAME(fraction);
    SAME(attempts), SAME_TEXT(path);
    same_size(&a->size, &b->size);
    same_region(&a->region, &b->region);
    for (size_t i = 0; i < a->body_count; i++) {
        const struct scene_body *x = &a->bodies[i], *y = &b->bodies[i];
        assert_memory_equal(&x->position, &y->position, sizeof x->position);
        assert_memory_equal(&x->velocity, &y->velocity, sizeof x->velocity);
        assert_memory_equal(&x->omega, &y->omega, sizeof x->omega);
        assert_true(x->radius == y->radius && x->mass == y->mass && x->locks == y->locks);
    }
}

static void same_source(const struct scene_source *a, const struct scene_source *b) {
    SAME_TEXT(name), SAME_TEXT(group), SAME_TEXT(shape), SAME(material), SAME(rate), SAME(count);
    SAME(start), SAME(mass), SAME(velocity), SAME(velocity_jitter), SAME(locks);
    same_size(&a->size, &b->size);
    same_region(&a->region, &b->region);
}

static void same_boundary(const talus_boundary_def *a, const talus_boundary_def *b) {
    SAME_TEXT(name), SAME(shape), SAME(material), SAME(point), SAME(normal), SAME(edge), SAME(size);
    SAME(radius), SAME(length);
    same_motion(&a->motion, &b->motion);
    same_free(&a->free, &b->free);
}

static void same_membrane(const struct scene_membrane *one, const struct scene_membrane *other) {
    const talus_membrane_def *a = &one->def, *b = &other->def;
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->plates[0], b->plates[0]);
    assert_string_equal(a->plates[1], b->plates[1]);
    assert_true((a->group == NULL) == (b->group == NULL));
    if (a->group != NULL) assert_string_equal(a->group, b->group);
    same_signal(&a->pressure, &b->pressure);
    SAME(remesh);
}

static void same_force(const struct scene_force *a, const struct scene_force *b) {
    SAME_TEXT(name), SAME_TEXT(group), SAME(direction);
    same_signal(&a->signal, &b->signal);
}

static void same_names(const char *const *a, const char *const *b, size_t count) {
    for (size_t i = 0; i < count; i++) assert_string_equal(a[i], b[i]);
}

static void same_torque(const talus_torque_law *a, const talus_torque_law *b) {
    SAME(coefficient), SAME(scale), SAME(modulus);
}

static void same_law(const talus_pair_law *a, const talus_pair_law *b) {
    SAME(mu_static), SAME(mu_sliding), SAME(restitution.normal), SAME(restitution.tangential);
    SAME(restitution.threshold), SAME(cohesion.force), SAME(cohesion.per_radius);
    SAME(cohesion.range), SAME(cohesion.energy), SAME(cohesion.on_command);
    same_torque(&a->rolling, &b->rolling);
    same_torque(&a->torsion, &b->torsion);
}

static void same_pairs(const struct scene_pair *a, const struct scene_pair *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        assert_true(a[i].a == b[i].a && a[i].b == b[i].b);
        same_law(&a[i].law, &b[i].law);
    }
}

static void same_change(const struct scene_change *a, const struct scene_change *b) {
    SAME(remove_count), SAME(remove_force_count), SAME(has_gravity), SAME(gravity), SAME(has_dt);
    SAME(dt), SAME(has_solver), SAME(pair_count), SAME(force_count), SAME(boundary_count);
    SAME(velocity_count), SAME(bond_contacts);
    same_names(a->remove, b->remove, a->remove_count);
    same_names(a->remove_forces, b->remove_forces, a->remove_force_count);
    SAME(remove_membrane_count);
    same_names(a->remove_membranes, b->remove_membranes, a->remove_membrane_count);
    same_solver(&a->solver, &b->solver);
    same_pairs(a->pairs, b->pairs, a->pair_count);
    for (size_t i = 0; i < a->force_count; i++) same_force(&a->forces[i], &b->forces[i]);
    SAME(membrane_count);
    for (size_t i = 0; i < a->membrane_count; i++)
        same_membrane(&a->membranes[i], &b->membranes[i]);
    for (size_t i = 0; i < a->boundary_count; i++) {
        const struct scene_boundary_change *x = &a->boundaries[i], *y = &b->boundaries[i];
        assert_string_equal(x->name, y->name);
        assert_true(x->has_motion == y->has_motion && x->has_free == y->has_free);
        same_motion(&x->motion, &y->motion);
        same_free(&x->free, &y->free);
    }
    for (size_t i = 0; i < a->velocity_count; i++) {
        assert_string_equal(a->velocities[i].group, b->velocities[i].group);
        assert_memory_equal(&a->velocities[i].velocity, &b->velocities[i].velocity,
                            sizeof(talus_vec3));
    }
}

static void same_output(const struct scene_output *a, const struct scene_output *b) {
    SAME(every), SAME(track_count), SAME(boundaries), SAME(picture);
    same_names(a->track, b->track, a->track_count);
    SAME_TEXT(picture_config.color), SAME(picture_config.width), SAME(picture_config.height);
    SAME(picture_config.forces), SAME(picture_config.boundaries), SAME(picture_config.azimuth);
    SAME(picture_config.elevation), SAME(picture_config.legend);
}

static void same_scene(const talus_scene *a, const talus_scene *b) {
    SAME_TEXT(title), SAME(dt_auto), SAME(overlap_limit), SAME(material_count), SAME(pair_count);
    SAME(generator_count), SAME(source_count), SAME(boundary_count), SAME(force_count);
    SAME(phase_count), SAME(config.dim), SAME(config.gravity), SAME(config.dt), SAME(config.seed);
    SAME(config.cell.periodic), SAME(config.cell.origin), SAME(config.cell.size);
    same_solver(&a->config.solver, &b->config.solver);
    for (size_t i = 0; i < a->material_count; i++) {
        assert_string_equal(a->materials[i].name, b->materials[i].name);
        assert_true(a->materials[i].density == b->materials[i].density);
    }
    same_pairs(a->pairs, b->pairs, a->pair_count);
    for (size_t i = 0; i < a->generator_count; i++)
        same_generator(&a->generators[i], &b->generators[i]);
    for (size_t i = 0; i < a->source_count; i++) same_source(&a->sources[i], &b->sources[i]);
    for (size_t i = 0; i < a->boundary_count; i++)
        same_boundary(&a->boundaries[i].def, &b->boundaries[i].def);
    for (size_t i = 0; i < a->force_count; i++) same_force(&a->forces[i], &b->forces[i]);
    SAME(membrane_count);
    for (size_t i = 0; i < a->membrane_count; i++)
        same_membrane(&a->membranes[i], &b->membranes[i]);
    for (size_t i = 0; i < a->phase_count; i++) {
        const struct scene_phase *x = &a->phases[i], *y = &b->phases[i];
        assert_string_equal(x->name, y->name);
        assert_true(x->duration == y->duration && x->steps == y->steps);
        assert_true(x->rest_kinetic == y->rest_kinetic && x->rest_minimum == y->rest_minimum);
        assert_true(x->rest_unbalanced == y->rest_unbalanced);
        same_change(&x->change, &y->change);
    }
    same_output(&a->output, &b->output);
}

/* ---- the tests ------------------------------------------------------------------------------- */

/* The resolved text of a scene; to be freed. */
static char *written(const talus_scene *scene) {
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    assert_int_equal(talus_scene_write(scene, stream, NULL), TALUS_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static uint64_t built(const talus_scene *scene) {
    talus_sim *sim;
    talus_error err;
    if (talus_scene_build(scene, &sim, &err) < 0) fail_msg("%s", err.text);
    uint64_t hash = talus_sim_hash(sim);
    talus_sim_destroy(sim);
    return hash;
}

static void check_round_trip(const char *text) {
    talus_scene *first = scene_ok(text);
    char *resolved = written(first);
    talus_scene *second = scene_ok(resolved);
    char *again = written(second);
    same_scene(first, second);
    assert_string_equal(resolved, again);
    assert_true(built(first) == built(second));
    free(resolved);
    free(again);
    talus_scene_free(first);
    talus_scene_free(second);
}

static void test_round_trip(void **state) {
    (void)state;
    for (size_t i = 0; i < SCENE_SAMPLES; i++) check_round_trip(scene_samples[i]);
}

static void test_file_path(void **state) {
    (void)state;
    scene_file("pile.txt", "2 3 10 # N dim L\n0 0 0 1\n\n3 0 0 1 # two\n");
    const char *text = "grains: [ { file: { path: pile.txt }, group: pile } ]\n" SMALL_END;
    check_round_trip(text);
    talus_scene *scene = scene_ok(text);
    assert_true(scene->generators[0].path[0] == '/');
    talus_scene_free(scene);
}

static void test_texts(void **state) {
    (void)state;
    static const char *const titles[] = {
        "plain",  "with: colon", "  blanks  ",         "\\\"quotes\\\"",
        "123",    "~",           "a\\nb\\tc",          "\xC3\xA4\xE2\x82\xAC",
        "# hash", "\\x01\\x7f",  "\\u2028\\U0001F600", "true"};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        char text[400];
        snprintf(text, sizeof text, "title: \"%s\"\n" SMALL_SCENE, titles[i]);
        check_round_trip(text);
    }
}

static void test_numbers(void **state) {
    (void)state;
    static const char *const numbers[] = {
        "0.1",      "1e-300", "9.9999999999999988e29", "0.30000000000000004", "123456789.12345678",
        "4.9e-324", "1e22"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "gravity: [0, 0, %s m/s^2]\n" SMALL_GRAINS "time: { dt: 1, end: 1 s }\n",
                 numbers[i]);
        talus_scene *first = scene_ok(text);
        char *resolved = written(first);
        talus_scene *second = scene_ok(resolved);
        assert_true(first->config.gravity.z == second->config.gravity.z);
        assert_true(first->config.gravity.z == strtod(numbers[i], NULL));
        free(resolved);
        talus_scene_free(first);
        talus_scene_free(second);
    }
}

static void test_write_fails(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(SMALL_SCENE);
    talus_error err;
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL) skip();
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(talus_scene_write(scene, full, &err), TALUS_ERR_FILE);
    assert_int_equal(talus_scene_reference(full), TALUS_ERR_FILE);
    fclose(full);
    talus_scene_free(scene);
}

/* Fails when a key was changed and the page not made anew: talus reference >
 * docs/scene-reference.md */
static void test_reference(void **state) {
    (void)state;
    char *text = NULL;
    size_t length, stored;
    FILE *stream = open_memstream(&text, &length);
    assert_int_equal(talus_scene_reference(stream), TALUS_OK);
    fclose(stream);
    assert_non_null(strstr(text, "| `gravity` | vector | m/s^2 |"));
    FILE *page = fopen(TALUS_SOURCE_DIR "/docs/scene-reference.md", "r");
    assert_non_null(page);
    char *kept = calloc(length + 2, 1);
    assert_non_null(kept);
    stored = fread(kept, 1, length + 1, page);
    fclose(page);
    if (stored != length || memcmp(kept, text, length) != 0) {
        fail_msg("docs/scene-reference.md is old: talus reference > docs/scene-reference.md");
    }
    free(kept);
    free(text);
}

/* The scenes that come with the program load, survive the round trip and build. */
static void test_shipped(void **state) {
    (void)state;
    static const char *const names[] = {"chain",    "hopper2d", "drum2d",
                                        "piston2d", "column2d", "box3d"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[400];
        talus_scene *first;
        talus_error err;
        snprintf(path, sizeof path, "%s/scenes/%s.yaml", TALUS_SOURCE_DIR, names[i]);
        if (talus_scene_load(path, NULL, 0, &first, &err) < 0) fail_msg("%s", err.text);
        char *resolved = written(first);
        talus_scene *second = scene_ok(resolved);
        same_scene(first, second);
        assert_true(built(first) == built(second));
        free(resolved);
        talus_scene_free(first);
        talus_scene_free(second);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_file_path),
        cmocka_unit_test(test_texts),       cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_write_fails), cmocka_unit_test(test_reference),
        cmocka_unit_test(test_shipped),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
