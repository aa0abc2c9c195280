/* SPDX-License-Identifier: Apache-2.0
 * Running scenes: phases and their ends, files, interruption, failures. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "talus/talus.h"

/* ---- help ------------------------------------------------------------------------------------ */

enum { TEXT = 1 << 16 };

struct place {
    char directory[64];
    char path[256];
    char text[TEXT];
};

static int make_place(void **state) {
    struct place *place = calloc(1, sizeof *place);
    if (place == NULL) return -1;
    strcpy(place->directory, "/tmp/talus_run_XXXXXX");
    *state = place;
    return mkdtemp(place->directory) == NULL ? -1 : 0;
}

static int remove_place(void **state) {
    struct place *place = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", place->directory);
    int result = system(command);
    free(place);
    return result;
}

static const char *in(struct place *place, const char *name) {
    snprintf(place->path, sizeof place->path, "%s/%s", place->directory, name);
    return place->path;
}

static talus_scene *scene_of(struct place *place, const char *yaml) {
    talus_scene *scene = NULL;
    talus_error err;
    FILE *to = fopen(in(place, "given.yaml"), "w");
    assert_non_null(to);
    fputs(yaml, to);
    assert_int_equal(fclose(to), 0);
    if (talus_scene_load(place->path, NULL, 0, &scene, &err) < 0) fail_msg("%s", err.text);
    return scene;
}

static const char *content(struct place *place, const char *name) {
    FILE *from = fopen(in(place, name), "r");
    if (from == NULL) fail_msg("%s is missing", place->path);
    place->text[fread(place->text, 1, TEXT - 1, from)] = '\0';
    fclose(from);
    return place->text;
}

static void assert_holds(const char *text, const char *part) {
    if (strstr(text, part) == NULL) fail_msg("no \"%s\" in:\n%s", part, text);
}

static bool exists(struct place *place, const char *name) {
    return access(in(place, name), F_OK) == 0;
}

/* Three discs fall on a floor and come to rest; 2D, small, soon over. */
#define FALL                                                                           \
    "title: three discs\n"                                                             \
    "dimension: 2\n"                                                                   \
    "seed: 7\n"                                                                        \
    "gravity: [0, -9.81, 0]\n"                                                         \
    "materials: [{name: disc, density: 1000}]\n"                                       \
    "pairs: [{between: [disc, disc], mu: 0.3}]\n"                                      \
    "solver: {sweeps: 30}\n"                                                           \
    "grains:\n"                                                                        \
    "  - list: [{at: [0, 0.011, 0]}, {at: [0.05, 0.013, 0]}, {at: [0.1, 0.012, 0]}]\n" \
    "    radius: 0.01\n"                                                               \
    "boundaries:\n"                                                                    \
    "  - {name: floor, plane: {normal: [0, 1, 0]}}\n"

static const char fall[] = FALL "time: {dt: 1e-3, steps: 100}\n"
                                "output: {every: 0.01, track: [grains]}\n";

static talus_run_config into(struct place *place, const char *name) {
    talus_run_config config = talus_run_config_default();
    config.directory = in(place, name);
    config.picture = false;
    return config;
}

/* ---- results --------------------------------------------------------------------------------- */

static void all_files_are_written(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, fall);
    talus_result *result = NULL;
    talus_error err;
    char directory[256];
    snprintf(directory, sizeof directory, "%s", in(place, "deep/out"));
    talus_run_config config = talus_run_config_default();
    config.directory = directory;
    if (talus_run(scene, &config, &result, &err) != TALUS_OK) fail_msg("%s", err.text);
    static const char *const names[] = {"scene.yaml", "series.tsv", "summary.json",
                                        "log.txt",    "final.txt",  "final_contacts.txt",
                                        "final.png"};
    for (int i = 0; i < 7; i++) {
        char name[64];
        snprintf(name, sizeof name, "deep/out/%s", names[i]);
        if (!exists(place, name)) fail_msg("%s is missing", names[i]);
        strcat(name, ".part");
        assert_false(exists(place, name));
    }
    talus_result_free(result);
    talus_scene_free(scene);
}

/* ---- audits ---------------------------------------------------------------------------------- */

/* Discs that lie in a box. */
#define BOX                                                                                \
    "dimension: 2\n"                                                                       \
    "gravity: [0, -9.81, 0]\n"                                                             \
    "materials: [{name: disc, density: 1000}]\n"                                           \
    "pairs: [{between: [disc, disc], mu: 0.3}]\n"                                          \
    "grains:\n"                                                                            \
    "  - {fill: {box: {low: [0, 0, 0], high: [0.1, 0.2, 0]}, count: 40}, radius: 0.005}\n" \
    "boundaries:\n"                                                                        \
    "  - {name: floor, plane: {normal: [0, 1, 0]}}\n"                                      \
    "  - {name: left, plane: {normal: [1, 0, 0]}}\n"                                       \
    "  - {name: right, plane: {point: [0.1, 0, 0], normal: [-1, 0, 0]}}\n"                 \
    "time: {dt: 1e-3, steps: 2000}\n"

/* What the summary says of `key`, of audits. */
static double audited(struct place *place, const char *key) {
    const char *audit = strstr(content(place, "audited/summary.json"), "\"audit\": {");
    if (audit == NULL) return 0.0;
    char name[64];
    snprintf(name, sizeof name, "\"%s\": ", key);
    const char *at = strstr(audit, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

static uint64_t hash_of(struct place *place, const char *yaml) {
    talus_scene *scene = scene_of(place, yaml);
    talus_result *result = NULL;
    talus_error err;
    talus_run_config config = into(place, "audited");
    config.overwrite = true;
    if (talus_run(scene, &config, &result, &err) < 0) fail_msg("%s", err.text);
    uint64_t hash = talus_sim_hash(talus_result_sim(result));
    talus_result_free(result);
    talus_scene_free(scene);
    return hash;
}

/* As many as their share allows and the last step, and the same end with and without. */
static void steps_are_audited(void **state) {
    struct place *place = *state;
    uint64_t none = hash_of(place, BOX "solver: {audit: 0}\n");
    assert_int_equal(audited(place, "steps"), 0);
    assert_int_equal(hash_of(place, BOX), none);
    assert_int_equal(audited(place, "steps"), 1); /* few sweeps: only the last */
    assert_int_equal(hash_of(place, BOX "solver: {audit: 0.1}\n"), none);
    double few = audited(place, "steps");
    assert_true(few > 1.0);
    assert_true(audited(place, "forces_mean") > 0.0);
    assert_true(audited(place, "forces_mean") <= audited(place, "forces_max"));
    assert_holds(place->text, "audited steps changed their forces by");
    assert_int_equal(hash_of(place, BOX "solver: {audit: 0.9}\n"), none);
    assert_true(audited(place, "steps") > few);
}

/* ---- the film -------------------------------------------------------------------------------- */

static int film_length(struct place *place, const char *directory) {
    char name[64];
    for (int count = 0;; count++) {
        snprintf(name, sizeof name, "%s/film_%04d.png", directory, count);
        if (!exists(place, name)) return count;
    }
}

static void film_into_out(struct place *place, const char *yaml, bool picture) {
    talus_scene *scene = scene_of(place, yaml);
    talus_result *result = NULL;
    talus_error err;
    talus_run_config config = into(place, "out");
    config.overwrite = true;
    config.picture = picture;
    if (talus_run(scene, &config, &result, &err) < 0) fail_msg("%s", err.text);
    talus_result_free(result);
    talus_scene_free(scene);
}

#define FILM FALL "time: {dt: 1e-3, steps: 100}\n"
#define SMALL "picture: {width: 60, height: 40}"

/* At 0, 30, 60 and 90 ms; then those of 50 ms only, and none. */
static void film_has_a_picture_for_each_interval(void **state) {
    struct place *place = *state;
    film_into_out(place, FILM "output: {film: 30 ms, " SMALL "}\n", true);
    assert_int_equal(film_length(place, "out"), 4);
    assert_true(exists(place, "out/final.png"));
    film_into_out(place, FILM "output: {film: 50 ms, " SMALL "}\n", true);
    assert_int_equal(film_length(place, "out"), 3);
    film_into_out(place, FILM "output: {" SMALL "}\n", true);
    assert_int_equal(film_length(place, "out"), 0);
    assert_true(exists(place, "out/final.png"));
}

static void film_needs_pictures(void **state) {
    struct place *place = *state;
    film_into_out(place, FILM "output: {film: 30 ms, picture: false}\n", true);
    assert_int_equal(film_length(place, "out"), 0);
    assert_false(exists(place, "out/final.png"));
    film_into_out(place, FILM "output: {film: 30 ms, " SMALL "}\n", false);
    assert_int_equal(film_length(place, "out"), 0);
}

static size_t bytes_of(struct place *place, const char *name, char bytes[TEXT]) {
    FILE *from = fopen(in(place, name), "rb");
    if (from == NULL) fail_msg("%s is missing", place->path);
    size_t count = fread(bytes, 1, TEXT, from);
    fclose(from);
    return count;
}

/* One disc alone flies through the picture; a picture fitted to it would not change. */
static void film_keeps_its_view(void **state) {
    static char first[TEXT], last[TEXT];
    struct place *place = *state;
    film_into_out(place,
                  "dimension: 2\ntime: {dt: 1e-3, steps: 100}\n"
                  "grains: [{list: [{at: [0, 0], velocity: [0.05, 0]}], radius: 0.01}]\n"
                  "output: {film: 0.1, picture: {width: 60, height: 40, color: radius,"
                  " legend: false}}\n",
                  true);
    assert_int_equal(film_length(place, "out"), 2);
    size_t count = bytes_of(place, "out/film_0000.png", first);
    assert_int_equal(count, bytes_of(place, "out/final.png", last));
    assert_memory_equal(first, last, count);
    size_t moved = bytes_of(place, "out/film_0001.png", last);
    assert_true(moved != count || memcmp(first, last, count) != 0);
}

static void film_that_cannot_be_written_ends_the_run(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, FILM "output: {film: 30 ms, " SMALL "}\n");
    talus_result *result = NULL;
    talus_error err;
    char command[512];
    snprintf(command, sizeof command, "mkdir %s/out && ln -s /dev/full %s/out/film_0002.png.part",
             place->directory, place->directory);
    assert_int_equal(system(command), 0);
    talus_run_config config = into(place, "out");
    config.picture = true;
    assert_int_equal(talus_run(scene, &config, &result, &err), TALUS_ERR_FILE);
    assert_holds(err.text, "film_0002.png: cannot be written: No space left on device");
    assert_int_equal(talus_sim_step_count(talus_result_sim(result)), 60);
    assert_int_equal(film_length(place, "out"), 2);
    talus_result_free(result);
    talus_scene_free(scene);
}

/* ---- reports --------------------------------------------------------------------------------- */

static void summary_has_the_keys_programs_rely_on(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, fall);
    talus_result *result = NULL;
    char hash[64];
    talus_run_config config = into(place, "out");
    assert_int_equal(talus_run(scene, &config, &result, NULL), TALUS_OK);
    const char *text = content(place, "out/summary.json");
    static const char *const keys[] = {"status",
                                       "steps",
                                       "time",
                                       "wall_seconds",
                                       "bodies",
                                       "contacts",
                                       "sweeps_total",
                                       "handovers_total",
                                       "handover_sweeps_total",
                                       "factor_turns_total",
                                       "factor_steps_total",
                                       "residual",
                                       "balance_error",
                                       "overlap_mean",
                                       "overlap_max",
                                       "energy",
                                       "kinetic_translation",
                                       "kinetic_rotation",
                                       "potential",
                                       "dissipation",
                                       "energy_error",
                                       "state_hash",
                                       "verdict",
                                       "seed",
                                       "version",
                                       "trust",
                                       "convergence",
                                       "balance",
                                       "penetration_new",
                                       "phases",
                                       "warnings"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char key[64];
        snprintf(key, sizeof key, "\"%s\": ", keys[i]);
        assert_holds(text, key);
    }
    assert_holds(text, "\"status\": \"ok\"");
    assert_holds(text, "\"steps\": 100,");
    assert_holds(text, "\"bodies\": 3,");
    assert_holds(text, "\"contacts\": 3,");
    assert_holds(text, "\"seed\": \"7\"");
    snprintf(hash, sizeof hash, "\"state_hash\": \"%016" PRIx64 "\"",
             talus_sim_hash(talus_result_sim(result)));
    assert_holds(text, hash);
    talus_result_free(result);
    talus_scene_free(scene);
}

/* The file and the columns in memory are the same rows, at the times asked for, to the last bit. */
static void series_holds_the_rows(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, fall);
    talus_result *result = NULL;
    size_t count = 0;
    talus_run_config config = into(place, "out");
    config.keep_series = true;
    assert_int_equal(talus_run(scene, &config, &result, NULL), TALUS_OK);
    const double *time = talus_result_column(result, "time", &count);
    const double *y = talus_result_column(result, "grains.y", &count);
    const double *force = talus_result_column(result, "floor.force_y", &count);
    assert_non_null(time);
    assert_non_null(y);
    assert_non_null(force);
    assert_null(talus_result_column(result, "nonsense", NULL));
    assert_int_equal(count, 11);
    for (size_t i = 0; i < count; i++) assert_true(fabs(time[i] - 0.01 * (double)i) < 1e-12);
    double weight = 3 * 3.141592653589793 * 0.01 * 0.01 * 1000 * 9.81;
    assert_true(fabs(force[10] + weight) < 1e-9 * weight);
    assert_true(fabs(y[0] - 0.012) < 1e-15 && fabs(y[10] - 0.01) < 1e-9);

    char *line = strtok((char *)content(place, "out/series.tsv"), "\n");
    assert_non_null(strstr(line, "time[s]\tstep\tkinetic_translation[J]\t"));
    assert_non_null(strstr(line, "\tfloor.torque_z[N m]\tfloor.x[m]\t"));
    assert_non_null(strstr(line, "\tgrains.x[m]\tgrains.y[m]\tgrains.z[m]\tgrains.vx[m/s]\t"));
    for (size_t i = 0; i < count; i++) {
        line = strtok(NULL, "\n");
        assert_non_null(line);
        double read = strtod(line, NULL);
        assert_memory_equal(&read, &time[i], sizeof read);
    }
    assert_null(strtok(NULL, "\n"));
    talus_result_free(result);
    talus_scene_free(scene);
}

static void final_state_reads_back_to_the_same_bits(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, fall);
    talus_result *result = NULL;
    size_t grain = 0;
    talus_run_config config = into(place, "out");
    assert_int_equal(talus_run(scene, &config, &result, NULL), TALUS_OK);
    talus_body_view view = talus_sim_bodies(talus_result_sim(result));
    for (char *line = strtok((char *)content(place, "out/final.txt"), "\n"); line != NULL;
         line = strtok(NULL, "\n")) {
        long long gid;
        double x, y, z, r, vx, vy;
        if (line[0] == '#') continue;
        while (view.kind[grain] != TALUS_BODY_GRAIN) grain++;
        assert_int_equal(
            sscanf(line, "%lld %lf %lf %lf %lf %lf %lf", &gid, &x, &y, &z, &r, &vx, &vy), 7);
        assert_int_equal(gid, view.gid[grain]);
        assert_true(x == view.position[grain].x && y == view.position[grain].y);
        assert_true(vx == view.velocity[grain].x && vy == view.velocity[grain].y);
        assert_true(r == view.radius[grain]);
        assert_non_null(strstr(line, " grains"));
        grain++;
    }
    assert_true(grain >= 3);
    assert_holds(content(place, "out/final.txt"), " floor: ");
    const char *contacts = content(place, "out/final_contacts.txt");
    assert_holds(
        contacts,
        "# gid_a gid_b nx ny nz px py pz fx fy fz tx ty tz gap mu tension sliding bonded\n");
    talus_result_free(result);
    talus_scene_free(scene);
}

static void same_seed_gives_the_same_files(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, fall);
    char *first = malloc(TEXT);
    assert_non_null(first);
    for (int i = 0; i < 2; i++) {
        talus_result *result = NULL;
        talus_run_config config = into(place, i == 0 ? "one" : "two");
        assert_int_equal(talus_run(scene, &config, &result, NULL), TALUS_OK);
        talus_result_free(result);
    }
    strcpy(first, content(place, "one/series.tsv"));
    assert_string_equal(first, content(place, "two/series.tsv"));
    strcpy(first, content(place, "one/final.txt"));
    assert_string_equal(first, content(place, "two/final.txt"));
    free(first);
    talus_scene_free(scene);
}

static void resolved_scene_runs_to_the_same_end(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, fall), *again = NULL;
    talus_result *one = NULL, *two = NULL;
    talus_run_config config = into(place, "out");
    assert_int_equal(talus_run(scene, &config, &one, NULL), TALUS_OK);
    assert_int_equal(talus_scene_load(in(place, "out/scene.yaml"), NULL, 0, &again, NULL),
                     TALUS_OK);
    assert_int_equal(talus_run(again, NULL, &two, NULL), TALUS_OK);
    assert_true(talus_sim_hash(talus_result_sim(one)) == talus_sim_hash(talus_result_sim(two)));
    talus_result_free(one);
    talus_result_free(two);
    talus_scene_free(again);
    talus_scene_free(scene);
}

static void report_says_what_happened(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, fall);
    talus_result *result = NULL;
    assert_int_equal(talus_run(scene, NULL, &result, NULL), TALUS_OK);
    FILE *to = fopen(in(place, "report"), "w");
    assert_non_null(to);
    assert_int_equal(talus_result_report(result, to), TALUS_OK);
    assert_int_equal(fclose(to), 0);
    const char *text = content(place, "report");
    assert_holds(text, "ok: 100 steps, t = 0.1 s");
    assert_holds(text, "3 grains, 3 contacts");
    assert_holds(text, "verdict");
    to = fopen("/dev/full", "w");
    assert_non_null(to);
    setvbuf(to, NULL, _IONBF, 0);
    assert_int_equal(talus_result_report(result, to), TALUS_ERR_FILE);
    fclose(to);
    talus_result_free(result);
    talus_scene_free(scene);
}

/* ---- phases ---------------------------------------------------------------------------------- */

static void phases_end_at_rest_or_go_on_with_a_word(void **state) {
    struct place *place = *state;
    talus_scene *scene =
        scene_of(place, FALL
                 "time: {dt: 1e-3}\n"
                 "phases:\n"
                 "  - {name: hurry, until: {steps: 5, rest: {kinetic: 1e-9}}}\n"
                 "  - {name: settle, until: {time: 5, rest: {kinetic: 1e-9, unbalanced: 1e-3}}}\n"
                 "  - {name: lift, change: {gravity: [0, 9.81, 0]}, until: {steps: 20}}\n");
    talus_result *result = NULL;
    double begin, end;
    talus_run_config config = into(place, "out");
    assert_int_equal(talus_run(scene, &config, &result, NULL), TALUS_OK);
    assert_true(talus_result_phase(result, "settle", &begin, &end));
    assert_true(fabs(begin - 0.005) < 1e-12 && end > 0.03 && end < 0.2);
    assert_true(talus_result_phase(result, "lift", &begin, &end));
    assert_true(fabs(end - begin - 0.02) < 1e-12);
    assert_false(talus_result_phase(result, "none", &begin, &end));
    assert_true(talus_sim_observe(talus_result_sim(result)).contacts ==
                0); /* gravity lifted them */
    const char *text = content(place, "out/log.txt");
    assert_holds(text, "phase \"hurry\" did not come to rest in its time: kinetic number");
    assert_holds(text, "\"settle\" ends at t = ");
    assert_holds(text, ": at rest\n");
    text = content(place, "out/summary.json");
    assert_holds(text, "\"end\": \"time limit before rest\"");
    assert_holds(text, "\"end\": \"at rest\"");
    assert_holds(text, "\"end\": \"done\"");
    talus_result_free(result);
    talus_scene_free(scene);
}

/* A ball at the top of its flight has no kinetic energy, but is not at rest. */
static void top_of_a_flight_is_not_rest(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(
        place, "dimension: 2\ngravity: [0, -9.81, 0]\ntime: {dt: 1e-4}\n"
               "grains: [{list: [{at: [0, 1, 0]}], radius: 0.01, mass: 1, velocity: [0, 0.1, 0]}]\n"
               "phases: [{name: fly, until: {time: 0.05, rest: {kinetic: 1e-4}}}]\n");
    talus_result *result = NULL;
    double begin, end;
    assert_int_equal(talus_run(scene, NULL, &result, NULL), TALUS_OK);
    assert_true(talus_result_phase(result, "fly", &begin, &end));
    assert_true(end > 0.0499);
    talus_result_free(result);
    talus_scene_free(scene);
}

/* Without gravity the unit of energy is m (d/dt)^2: here v = 1e-3 d/dt, so 5e-7 of it. */
static void rest_without_gravity_is_measured_in_diameters_a_step(void **state) {
    struct place *place = *state;
    static const char *const bounds[2] = {"6e-7", "4e-7"};
    for (int i = 0; i < 2; i++) {
        char yaml[512];
        snprintf(
            yaml, sizeof yaml,
            "dimension: 2\ntime: {dt: 0.5}\n"
            "grains: [{list: [{at: [0, 0, 0]}], radius: 0.5, mass: 3, velocity: [0.002, 0, 0]}]\n"
            "phases: [{name: fly, until: {steps: 100, rest: {kinetic: %s}}}]\n",
            bounds[i]);
        talus_scene *scene = scene_of(place, yaml);
        talus_result *result = NULL;
        assert_int_equal(talus_run(scene, NULL, &result, NULL), TALUS_OK);
        assert_int_equal(talus_sim_step_count(talus_result_sim(result)), i == 0 ? 30 : 100);
        talus_result_free(result);
        talus_scene_free(scene);
    }
}

static void rest_waits_for_the_source(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(
        place,
        FALL "time: {dt: 1e-3}\n"
             "sources:\n"
             "  - {name: tap, box: {low: [0, 0.05, 0], high: [0.1, 0.09, 0]}, rate: 20, count: 4,"
             " radius: 0.004}\n"
             "phases: [{name: pour, until: {time: 3, rest: {kinetic: 1e-8}}}]\n");
    talus_result *result = NULL;
    assert_true(talus_run(scene, NULL, &result, NULL) >= 0);
    assert_int_equal(talus_sim_observe(talus_result_sim(result)).grains, 7);
    talus_result_free(result);
    talus_scene_free(scene);
}

/* ---- warnings -------------------------------------------------------------------------------- */

static void warnings_are_counted_not_repeated(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, FALL "time: {dt: 2e-2, steps: 60}\noutput: {every: 0}\n"
                                              "limits: {overlap: 1e-9}\n");
    talus_result *result = NULL;
    int lines = 0;
    talus_run_config config = into(place, "out");
    talus_status status = talus_run(scene, &config, &result, NULL);
    assert_true(status == TALUS_WARN_TIME_STEP || status == TALUS_WARN_OVERLAP);
    const char *log = content(place, "out/log.txt");
    for (const char *at = log; (at = strstr(at, "of its radius in one step")) != NULL; at++)
        lines++;
    assert_int_equal(lines, 1);
    assert_holds(log, "warning: time step too long ");
    const char *text = content(place, "out/summary.json");
    assert_holds(text, "\"status\": \"ok\"");
    assert_holds(text, "\"kind\": \"time step too long\"");
    talus_result_free(result);
    talus_scene_free(scene);
}

static void cap_of_the_solver_is_reported(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(
        place,
        "dimension: 2\ngravity: [0, -9.81, 0]\ntime: {dt: 1e-3, steps: 20}\n"
        "materials: [{name: disc, density: 1000}]\n"
        "solver: {stop: residual, tolerance: 1e-300, max_sweeps: 3, check_every: 1}\n"
        "grains: [{row: {count: 5, start: [0, 0.01, 0], direction: [0, 1, 0]}, radius: 0.01}]\n"
        "boundaries: [{name: floor, plane: {normal: [0, 1, 0]}}]\n");
    talus_result *result = NULL;
    talus_run_config config = into(place, "out");
    assert_int_equal(talus_run(scene, &config, &result, NULL), TALUS_WARN_NOT_CONVERGED);
    assert_holds(content(place, "out/log.txt"), "not converged: stopping rule");
    assert_holds(content(place, "out/summary.json"), "\"kind\": \"not converged\"");
    talus_result_free(result);
    talus_scene_free(scene);
}

/* ---- interruption, failures ------------------------------------------------------------------ */

struct seen {
    int64_t calls, stop_at, rows;
    double time_end;
};

static bool watch(const talus_progress *progress, void *context) {
    struct seen *seen = context;
    assert_int_equal(progress->step, seen->calls);
    assert_true((progress->report != NULL) == (progress->step > 0));
    assert_string_equal(progress->phase, "fall");
    assert_int_equal(progress->phase_number, 1);
    if (progress->row != NULL) seen->rows++;
    seen->time_end = progress->time_end;
    return seen->calls++ != seen->stop_at;
}

static void interrupted_run_leaves_complete_files(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, FALL "time: {dt: 1e-3}\n"
                                              "phases: [{name: fall, until: {steps: 100}}]\n"
                                              "output: {every: 0.01}\n");
    const int64_t stops[] = {0, 37};
    for (int i = 0; i < 2; i++) {
        talus_result *result = NULL;
        struct seen seen = {.stop_at = stops[i]};
        char want[64];
        talus_run_config config = into(place, "out");
        config.overwrite = true;
        config.progress = watch;
        config.context = &seen;
        assert_int_equal(talus_run(scene, &config, &result, NULL), TALUS_WARN_INTERRUPTED);
        assert_int_equal(seen.calls, stops[i] + 1);
        assert_int_equal(seen.rows, stops[i] / 10);
        assert_true(fabs(seen.time_end - 0.1) < 1e-12);
        assert_int_equal(talus_sim_step_count(talus_result_sim(result)), stops[i]);
        snprintf(want, sizeof want, "\"steps\": %d,", (int)stops[i]);
        assert_holds(content(place, "out/summary.json"), "\"status\": \"interrupted\"");
        assert_holds(content(place, "out/summary.json"), want);
        assert_true(exists(place, "out/final.txt") && exists(place, "out/final_contacts.txt"));
        talus_result_free(result);
    }
    /* The last step has its row though none was due: 0, 10, 20, 30 and 37. */
    int lines = 0;
    for (const char *at = content(place, "out/series.tsv"); (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 1 + 5);
    talus_scene_free(scene);
}

static void earlier_results_are_not_overwritten_unasked(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, fall);
    talus_result *result = NULL;
    talus_error err;
    talus_run_config config = into(place, "out");
    assert_int_equal(talus_run(scene, &config, &result, &err), TALUS_OK);
    talus_result_free(result);
    config = into(place, "out");
    assert_int_equal(talus_run(scene, &config, &result, &err), TALUS_ERR_FILE);
    assert_holds(err.text, "holds the results of an earlier run");
    assert_true(exists(place, "out/summary.json"));
    talus_result_free(result);
    config = into(place, "out");
    config.overwrite = true;
    assert_int_equal(talus_run(scene, &config, &result, &err), TALUS_OK);
    talus_result_free(result);
    talus_scene_free(scene);
}

static void directory_below_a_file_is_an_error(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(place, fall);
    talus_result *result = NULL;
    talus_error err;
    talus_run_config config = into(place, "given.yaml/out");
    assert_int_equal(talus_run(scene, &config, &result, &err), TALUS_ERR_FILE);
    assert_holds(err.text, "given.yaml");
    talus_result_free(result);
    talus_scene_free(scene);
}

/* Files written once: the disk is full when each of them is due. */
static void full_disk_is_one_clear_error(void **state) {
    struct place *place = *state;
    static const char *const parts[] = {"scene.yaml.part", "final.txt.part",
                                        "final_contacts.txt.part", "summary.json.part"};
    talus_scene *scene = scene_of(place, fall);
    for (int i = 0; i < 4; i++) {
        char directory[96], part[512];
        talus_result *result = NULL;
        talus_error err;
        snprintf(directory, sizeof directory, "%s/out%d", place->directory, i);
        snprintf(part, sizeof part, "mkdir %s && ln -s /dev/full %s/%s", directory, directory,
                 parts[i]);
        assert_int_equal(system(part), 0);
        talus_run_config config = talus_run_config_default();
        config.directory = directory;
        config.picture = false;
        assert_int_equal(talus_run(scene, &config, &result, &err), TALUS_ERR_FILE);
        assert_int_equal(err.status, TALUS_ERR_FILE);
        assert_holds(err.text, "No space left on device");
        talus_result_free(result);
    }
    talus_scene_free(scene);
}

/* Growing files: a limit on the size of files stands in for a full disk. */
static void series_that_cannot_grow_ends_the_run(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(
        place, FALL "time: {dt: 1e-3, steps: 4000}\noutput: {every: 0, checkpoint: false}\n");
    struct rlimit old, small;
    talus_result *result = NULL;
    talus_error err;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 40000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    talus_run_config config = into(place, "out");
    talus_status status = talus_run(scene, &config, &result, &err);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(status, TALUS_ERR_FILE);
    assert_holds(err.text, "series.tsv: cannot be written");
    assert_true(talus_sim_step_count(talus_result_sim(result)) < 4000);
    assert_holds(content(place, "out/log.txt"), "stopped: ");
    assert_false(exists(place, "out/summary.json"));
    talus_result_free(result);
    talus_scene_free(scene);
}

/* A velocity that overflows: everything up to the last good step is written. */
static void diverged_run_writes_what_it_has(void **state) {
    struct place *place = *state;
    talus_scene *scene =
        scene_of(place, "dimension: 2\ntime: {dt: 1e10, steps: 50}\n"
                        "materials: [{name: nothing, density: 1e-40}]\n"
                        "grains: [{list: [{at: [0, 0, 0]}], radius: 1e-40, group: light}]\n"
                        "forces: [{name: push, on: light, force: [1e30, 0, 0]}]\n");
    talus_result *result = NULL;
    talus_error err;
    talus_run_config config = into(place, "out");
    assert_int_equal(talus_run(scene, &config, &result, &err), TALUS_ERR_DIVERGED);
    assert_holds(err.text, "body 0");
    assert_holds(err.text, "step ");
    assert_holds(content(place, "out/summary.json"), "\"status\": \"diverged\"");
    assert_holds(content(place, "out/log.txt"), "stopped: step ");
    assert_true(exists(place, "out/final.txt"));
    talus_result_free(result);
    talus_scene_free(scene);
}

/* Soft grains between walls, with a step so long that each throws them farther into the other: they are thrown back to
 * the last step that had numbers, and nothing but numbers is written. */
static void diverged_soft_run_writes_numbers(void **state) {
    struct place *place = *state;
    talus_scene *scene =
        scene_of(place, "dimension: 2\nmethod: md\ntime: {dt: 1, steps: 5000}\ngravity: [0, 0]\n"
                        "materials: [{name: m, density: 1}]\n"
                        "pairs: [{between: [m, m], mu: 0.5, soft: {stiffness: 1e3, damping: 1}}]\n"
                        "grains: [{row: {count: 2, start: [2, 2], spacing: 2.5}, radius: 1,"
                        " velocity: [-0.6, 0.2]}]\n"
                        "boundaries: [{name: box, box: {low: [0, 0], high: [9, 4]}}]\n"
                        "output: {every: 1 s, boundaries: true}\n");
    talus_result *result = NULL;
    talus_error err;
    talus_run_config config = into(place, "out");
    assert_int_equal(talus_run(scene, &config, &result, &err), TALUS_ERR_DIVERGED);
    const talus_sim *sim = talus_result_sim(result);
    char step[40];
    snprintf(step, sizeof step, "step %lld: ", (long long)talus_sim_step_count(sim) + 1);
    assert_holds(err.text, step);
    assert_holds(content(place, "out/summary.json"), "\"status\": \"diverged\"");
    assert_holds(content(place, "out/summary.json"), step);
    assert_true(talus_sim_time(sim) == (double)talus_sim_step_count(sim));
    talus_body_view bodies = talus_sim_bodies(sim);
    for (size_t i = 0; i < bodies.count; i++)
        assert_true(isfinite(bodies.position[i].x + bodies.velocity[i].x + bodies.omega[i].z));
    static const char *const files[] = {"out/summary.json", "out/series.tsv", "out/final.txt",
                                        "out/contacts.tsv"};
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        if (!exists(place, files[k])) continue;
        const char *text = content(place, files[k]);
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
    }
    talus_result_free(result);
    talus_scene_free(scene);
}

/* ---- before a run ---------------------------------------------------------------------------- */

static void plan_counts_what_a_run_does(void **state) {
    struct place *place = *state;
    talus_scene *scene = scene_of(
        place,
        FALL "time: {dt: 1e-3}\n"
             "sources:\n"
             "  - {name: tap, box: {low: [0, 0.05, 0], high: [0.1, 0.09, 0]}, rate: 20, count: 4,"
             " radius: 0.004}\n"
             "phases:\n"
             "  - {name: a, until: {time: 0.3}}\n"
             "  - {name: b, change: {dt: 5e-4}, until: {steps: 100, rest: {kinetic: 1e-9}}}\n"
             "output: {every: 0.05, film: 0.1}\n");
    talus_plan plan;
    assert_int_equal(talus_run_plan(scene, 10, &plan, NULL), TALUS_OK);
    assert_int_equal(plan.dim, 2);
    assert_int_equal(plan.grains, 3);
    assert_int_equal(plan.grains_later, 4);
    assert_int_equal(plan.boundaries, 1);
    assert_int_equal(plan.phases, 2);
    assert_int_equal(plan.steps, 400);
    assert_true(fabs(plan.time_end - 0.35) < 1e-12);
    assert_int_equal(plan.rows, 8);
    assert_int_equal(plan.film, 5); /* 0 to 0.3, and at most one more */
    assert_int_equal(plan.steps_tried, 10);
    assert_true(plan.wall_seconds > 0.0 && plan.wall_seconds < 60.0);
    FILE *to = fopen(in(place, "plan"), "w");
    assert_non_null(to);
    assert_int_equal(talus_run_plan_phases(scene, &plan, to), TALUS_OK);
    assert_int_equal(fclose(to), 0);
    const char *text = content(place, "plan");
    assert_holds(text, "300 steps of 0.001 s (0.3 s)");
    assert_holds(text, "until at rest, at most 100 steps of 0.0005 s");
    talus_scene_free(scene);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)
    const struct CMUnitTest tests[] = {
        TEST(all_files_are_written),
        TEST(steps_are_audited),
        TEST(film_has_a_picture_for_each_interval),
        TEST(film_needs_pictures),
        TEST(film_keeps_its_view),
        TEST(film_that_cannot_be_written_ends_the_run),
        TEST(summary_has_the_keys_programs_rely_on),
        TEST(series_holds_the_rows),
        TEST(final_state_reads_back_to_the_same_bits),
        TEST(same_seed_gives_the_same_files),
        TEST(resolved_scene_runs_to_the_same_end),
        TEST(report_says_what_happened),
        TEST(phases_end_at_rest_or_go_on_with_a_word),
        TEST(top_of_a_flight_is_not_rest),
        TEST(rest_without_gravity_is_measured_in_diameters_a_step),
        TEST(rest_waits_for_the_source),
        TEST(warnings_are_counted_not_repeated),
        TEST(cap_of_the_solver_is_reported),
        TEST(interrupted_run_leaves_complete_files),
        TEST(earlier_results_are_not_overwritten_unasked),
        TEST(directory_below_a_file_is_an_error),
        TEST(full_disk_is_one_clear_error),
        TEST(series_that_cannot_grow_ends_the_run),
        TEST(diverged_run_writes_what_it_has),
        TEST(diverged_soft_run_writes_numbers),
        TEST(plan_counts_what_a_run_does),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
