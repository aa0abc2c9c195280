/* SPDX-License-Identifier: Apache-2.0
 * Measures of a running simulation and of the frame taken at the same step are the same bits; what was left out of frames is
 * named; measuring changes nothing. */
#define _POSIX_C_SOURCE 200809L
#include <sys/stat.h>

#include "frame_support.h"
#include "measure/packing.h"
#include "sim/sim.h"
#include "talus/frames.h"
#include "talus/measure.h"

static const char *const all_quantities[] = {"mass",  "v",     "omega",   "orientation", "type",
                                             "group", "shape", "image",   "point",       "normal",
                                             "force", "gap",   "sliding", "mu",          "tension"};

static const char *const names[] = {"stress",       "fabric",   "coordination", "forces",
                                    "mobilisation", "rose",     "profile",      "packing",
                                    "fields",       "inertial", "rdf"};
enum { NAMES = sizeof names / sizeof names[0] };

static void keep_frame(const talus_sim *sim, const char *directory,
                       const talus_frames_config *config) {
    talus_frames *frames = NULL;
    talus_error err;
    mkdir(scene_path(directory), 0777);
    if (talus_frames_open(scene_path(directory), config, &frames, &err) < 0 ||
        talus_frames_take(frames, sim, &err) < 0 || talus_frames_close(frames, &err) < 0)
        fail_msg("%s", err.text);
}

static void assert_same_table(const talus_table *a, const talus_table *b, const char *name) {
    bool same = strcmp(a->notes, b->notes) == 0 && a->row_count == b->row_count &&
                a->column_count == b->column_count && a->row_count > 0;
    for (size_t k = 0; same && k < a->column_count; k++)
        same = strcmp(a->columns[k].name, b->columns[k].name) == 0 &&
               strcmp(a->columns[k].unit, b->columns[k].unit) == 0;
    if (!same || memcmp(a->values, b->values, a->row_count * a->column_count * sizeof(double)) != 0)
        fail_msg("%s: stored and live differ", name);
}

/* Discs, spheres, soft discs, polygons and stones. */
static void stored_and_live(void **state) {
    (void)state;
    static const char *const scenes[] = {"biaxial2d", "boxes3d", "soft2d", "masonry2d",
                                         "triaxial3d"};
    static const int steps[] = {60, 60, 40000, 60, 60};
    talus_frames_config config = talus_frames_config_default();
    config.quantities = all_quantities;
    config.quantity_count = sizeof all_quantities / sizeof all_quantities[0];
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        talus_scene *scene = NULL;
        talus_sim *sim = sim_of_scene(scenes[s], steps[s], &scene);
        uint64_t hash = talus_sim_hash(sim);
        if (talus_sim_observe(sim).contacts == 0) fail_msg("%s: no contacts yet", scenes[s]);
        keep_frame(sim, scenes[s], &config);
        for (size_t k = 0; k < NAMES; k++) {
            talus_table live, stored;
            talus_error err;
            talus_measure_config from = talus_measure_config_default();
            from.from = scene_path(scenes[s]);
            from.name = names[k];
            if (talus_measure_sim(sim, names[k], NULL, 0, &live, &err) < 0 ||
                talus_measure_stored(&from, &stored, &err) < 0)
                fail_msg("%s of %s: %s", names[k], scenes[s], err.text);
            assert_same_table(&live, &stored, names[k]);
            talus_table_free(&live);
            talus_table_free(&stored);
        }
        assert_true(hash == talus_sim_hash(sim));
        talus_sim_destroy(sim);
        talus_scene_free(scene);
    }
}

static double value(const talus_sim *sim, const char *name, const char *parameter,
                    const char *column) {
    talus_table table;
    talus_error err;
    if (talus_measure_sim(sim, name, &parameter, parameter != NULL, &table, &err) < 0)
        fail_msg("%s", err.text);
    double found = talus_table_at(&table, 0, talus_table_find(&table, column));
    talus_table_free(&table);
    return found;
}

/* The observables of the series are the same things from another side. */
static void agrees_with_observables(void **state) {
    (void)state;
    static const char *const scenes[] = {"boxes3d", "masonry2d", "soft2d"};
    static const int steps[] = {150, 150, 40000};
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        talus_scene *scene = NULL;
        talus_sim *sim = sim_of_scene(scenes[s], steps[s], &scene);
        talus_observables o = talus_sim_observe(sim);
        if (o.contacts == 0) fail_msg("%s: no contacts yet", scenes[s]);
        assert_near(value(sim, "coordination", "of=mean", "Z"), o.coordination,
                    1e-14 * o.coordination);
        assert_near(value(sim, "coordination", "of=mean", "rattlers"), (double)o.rattlers, 0);
        assert_near(value(sim, "packing", NULL, "fraction"), o.packing_fraction, 1e-12);
        double volume = measure_packing(&sim->world).volume;
        assert_near(value(sim, "stress", NULL, "volume"), volume, 1e-13 * volume);
        talus_sim_destroy(sim);
        talus_scene_free(scene);
    }
}

/* One message with what is missing; the profile goes on without it and says so. */
static void missing_arrays(void **state) {
    (void)state;
    static const char *const few[] = {"type"};
    static const struct {
        const char *name, *says;
    } cases[] = {
        {"stress", "force"}, {"fields", "mass, v"}, {"inertial", "mass, v"}, {"mixing", "group"}};
    talus_scene *scene = NULL;
    talus_sim *sim = sim_of_scene("boxes3d", 20, &scene);
    talus_frames_config config = talus_frames_config_default();
    talus_measure_config from = talus_measure_config_default();
    talus_table table;
    talus_error err;
    config.quantities = few;
    config.quantity_count = 1;
    keep_frame(sim, "few", &config);
    from.from = scene_path("few");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        from.name = cases[k].name;
        assert_int_equal(talus_measure_stored(&from, &table, &err), TALUS_ERR_INPUT);
        if (strstr(err.text, cases[k].says) == NULL || strstr(err.text, "not stored") == NULL)
            fail_msg("%s: %s", cases[k].name, err.text);
        assert_int_equal(table.column_count, 0);
    }
    from.name = "profile";
    assert_ok(talus_measure_stored(&from, &table, &err));
    assert_true(isnan(talus_table_at(&table, 0, talus_table_find(&table, "vx"))));
    assert_non_null(strstr(table.notes, "not stored, columns of it are nan: v"));
    assert_non_null(strstr(table.notes, "taken as round"));
    talus_table_free(&table);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

/* Shapes: what frames tell of their volume is the volume. */
static void volumes_of_shapes(void **state) {
    (void)state;
    talus_scene *scene = NULL;
    talus_sim *sim = sim_of_scene("boxes3d", 2, &scene);
    talus_table table;
    const char *of = "of=grains";
    assert_ok(talus_measure_sim(sim, "stress", &of, 1, &table, NULL));
    size_t volume = talus_table_find(&table, "volume"), row = 0;
    for (size_t i = 0; i < sim->world.bodies.count; i++) {
        if (sim->world.bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        double exact = world_grain_volume(&sim->world, i);
        assert_near(talus_table_at(&table, row++, volume), exact, 1e-14 * exact);
    }
    assert_true(row > 0);
    talus_table_free(&table);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

static void wrong_orders(void **state) {
    (void)state;
    static const struct {
        const char *name, *parameter, *says;
    } cases[] = {
        {"strain", NULL, "there is no measure \"strain\"; there are stress, fabric"},
        {"rose", "bin=3", "rose has no parameter \"bin\"; it has bins, by, axis, contacts"},
        {"rose", "bins=0", "must be 2 to 100000"},
        {"rose", "bins=2.5", "whole number"},
        {"rose", "bins=3 m", "length"},
        {"rose", "bins", "key=value"},
        {"rose", "axis=w", "must be one of: x y z"},
        {"stress", "from=1,2,3", "both `from` and `to`"},
        {"stress", "from=1,2,3,4", "at most three"},
        {"stress", "from=1,2 s,3", "time"},
        {"fields", "width=-1", "must be"},
        {"fields", "spacing=1e-6", "cells of 1e-06 m"},
        {"fields", "width=nan", "width"},
        {"msd", NULL, "stored frames"},
    };
    talus_scene *scene = NULL;
    talus_sim *sim = sim_of_scene("boxes3d", 5, &scene);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        talus_table table;
        talus_error err = {.text = ""};
        talus_status status = talus_measure_sim(sim, cases[k].name, &cases[k].parameter,
                                                cases[k].parameter != NULL, &table, &err);
        assert_true(status < 0);
        if (strstr(err.text, cases[k].says) == NULL)
            fail_msg("%s %s: \"%s\"", cases[k].name, cases[k].parameter, err.text);
        if (strchr(err.text, '\n') != NULL) fail_msg("more than one line: %s", err.text);
    }
    talus_sim_destroy(sim);
    talus_scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_and_live), cmocka_unit_test(agrees_with_observables),
        cmocka_unit_test(missing_arrays),  cmocka_unit_test(volumes_of_shapes),
        cmocka_unit_test(wrong_orders),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
