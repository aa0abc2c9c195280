/* SPDX-License-Identifier: Apache-2.0
 * Wrong parameters of measures are found before anything is measured, with line and key; what passes is measured without a
 * complaint, whatever the values. */
#define _POSIX_C_SOURCE 200809L
#include "measure_support.h"
#include "scene_support.h"

/* ---- in scenes ------------------------------------------------------------------------------- */

static const char head[] = "dimension: %d\n"
                           "time: {dt: 1 ms, steps: 1}\n"
                           "materials: [{name: a, density: 1000}, {name: b, density: 1000}]\n"
                           "cell: {periodic: [x], size: [2, 0, 0]}\n"
                           "grains: [{list: [{at: [1, 0, 0]}], radius: 0.1}]\n"
                           "output:\n"
                           "  measures:\n"
                           "    - name: packing\n"
                           "    - name: ";

/* `measure` begins in line 9. */
static void refused(int dim, const char *measure, const char *place, const char *says) {
    char text[1024];
    int length = snprintf(text, sizeof text, head, dim);
    snprintf(text + length, sizeof text - (size_t)length, "%s\n", measure);
    char part[300];
    snprintf(part, sizeof part, "%s: %s", place, says);
    scene_refused(text, part);
}

#define NEXT "\n      "

static void places_and_words(void **state) {
    (void)state;
    static const struct {
        int dim;
        const char *measure, *place, *says;
    } cases[] = {
        {3, "rose" NEXT "bins: 7", ":10:13", "rose: bins = 7, must be even"},
        {3, "rose" NEXT "bins: 1", ":10:13", "rose: bins = 1: must be 2 to 100000"},
        {3, "rose" NEXT "bins: 2.5", ":10:13", "rose: bins = 2.5: must be a whole number"},
        {1, "rose", ":9:7", "rose: on a line there is one direction"},
        {1, "profile" NEXT "axis: radial", ":10:13", "profile: axis = radial: there are no radii"},
        {3, "profile" NEXT "bins: 0", ":10:13", "profile: bins = 0: must be 1 to 100000"},
        {3, "profile" NEXT "radius: -1", ":10:15", "profile: radius = -1: must be"},
        {3, "profile" NEXT "radius: 2 s", ":10:15", "profile: radius = 2 s:"},
        {3, "profile" NEXT "to: [1, 1, 1]", ":10:11",
         "profile: the box needs both `from` and `to`"},
        {3, "stress" NEXT "from: [0, 0, 1]" NEXT "to: [1, 1, 0]", ":11:11",
         "stress: along z the box goes from 1 to 0 m; `to` must be above `from`"},
        {3, "packing" NEXT "as: p" NEXT "from: [0, 0]" NEXT "to: [1, 1]", ":12:11",
         "packing: along z the box goes from 0 to 0 m"},
        {3, "mixing" NEXT "from: [0, 0, 0]" NEXT "to: [3000, 1, 1]", ":11:11",
         "mixing: along x the box goes from 0 to 3000 m; it must lie within 1000 periods (2 m)"},
        {3, "mixing" NEXT "first: 2" NEXT "second: 2", ":11:15",
         "mixing: first and second are both 2"},
        {3, "mixing" NEXT "kind: type" NEXT "first: 3", ":11:14",
         "mixing: first = 3: materials have the numbers 1 to 2"},
        {3, "mixing" NEXT "first: 5", ":10:14",
         "mixing: first = 5: groups have the numbers 0 to 0, in their order"},
        {3, "mixing" NEXT "second: -1", ":10:15", "mixing: second = -1: groups have the numbers"},
        {3, "mixing" NEXT "cell: 0", ":10:13", "mixing: cell = 0: must be"},
        {3, "mixing" NEXT "least: 0", ":10:14", "mixing: least = 0: must be"},
        {2, "inertial" NEXT "flow: y", ":10:13",
         "inertial: flow along y and gradient along y; they must be two directions of x, y"},
        {2, "inertial" NEXT "flow: z", ":10:13", "inertial: flow along z"},
        {3, "inertial" NEXT "flow: z", ":10:13", "inertial: flow along z and gradient along z"},
        {3, "inertial" NEXT "flow: y" NEXT "gradient: y", ":11:17",
         "inertial: flow along y and gradient along y"},
        {1, "inertial", ":9:7", "inertial: there is no shear on a line"},
        {3, "flow" NEXT "from: [0, 0, 0]", ":10:13", "flow: the opening needs both"},
        {3, "flow" NEXT "axis: z" NEXT "from: [0, 1, 0]" NEXT "to: [1, 0, 0]", ":12:11",
         "flow: along y the opening goes from 1 to 0 m"},
        {3, "flow" NEXT "axis: x" NEXT "at: 1e9", ":11:11",
         "flow: at = 1e+09 m is more than 1000 periods"},
        {3, "forces" NEXT "scale: logarithmic" NEXT "min: 2" NEXT "max: 2", ":11:12",
         "forces: min = 2; logarithmic bins need it below max"},
        {3, "forces" NEXT "scale: logarithmic" NEXT "min: 1", ":11:12",
         "forces: min = 1; logarithmic bins need it below 1"},
        {3, "mobilisation" NEXT "mu: 0", ":10:11", "mobilisation: mu = 0: must be"},
        {3, "rdf" NEXT "max: 1.1", ":10:12", "rdf: max = 1.1 m; in this periodic cell at most 1 m"},
        {3, "fields" NEXT "width: 0", ":10:14", "fields: width = 0: must be"},
        {3, "fields" NEXT "spacing: 1 mm" NEXT "from: [0, 0, 0]" NEXT "to: [2, 1, 1]", ":10:16",
         "fields: spacing = 0.001 m makes 2e+09 cells; at most 20000000 are possible"},
        {1, "fields" NEXT "width: 1e-8", ":10:14", "fields: width = 1e-08 m makes 2e+08 cells"},
        {3, "fields" NEXT "width: 1" NEXT "spacing: 1 mm", ":10:14",
         "fields: width = 1 m reaches over"},
        {3, "stress" NEXT "as: a/b", ":10:11",
         "measure 'stress': as 'a/b' cannot name a file or a column"},
        {3, "stress" NEXT "as: \"a[b]\"", ":10:11",
         "measure 'stress': as 'a[b]' cannot name a file or a column"},
        {3, "stress" NEXT "as: a23456789012345678901234567890123456789012345678901234567890x",
         ":10:11", "output.measures[1].as: 'a2"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        refused(cases[k].dim, cases[k].measure, cases[k].place, cases[k].says);
}

/* ---- everything else passes ------------------------------------------------------------------ */

static bool is_size(const talus_error *err) {
    return strstr(err->text, "cells") != NULL && strncmp(err->text, "fields: ", 8) == 0;
}

/* Passed by the check, it must be measured; of fields only the size of the grid depends on the grains. */
static int take_checked(const struct snapshot *now, const struct measure_values *values,
                        const char *order) {
    struct measure_world world = {.dim = now->dim, .cell = now->cell};
    const char *key;
    talus_error err;
    talus_table table;
    if (measure_check(values, &world, &key, &err) < 0) {
        assert_non_null(key);
        return 0;
    }
    bool compares = values->type->two_states;
    struct measure_input input = {.now = now,
                                  .before = compares ? now : NULL,
                                  .first = compares ? now : NULL,
                                  .values = values,
                                  .table = &table,
                                  .memory = &support_memory,
                                  .running = true};
    if (measure_take(&input, &err) < 0) {
        if (!is_size(&err)) fail_msg("%s: %s", order, err.text);
        return 0;
    }
    talus_table_free(&table);
    return 1;
}

/* Values of a parameter that are worth trying; NULL: there are no more. */
static const char *choice_of(const struct measure_parameter *parameter, int number, char text[80]) {
    static const char *const numbers[] = {"1",    "2",   "7",   "0.5", "1e-30",
                                          "1e30", "0.3", "3.9", "-1",  "0"};
    static const char *const vectors[] = {"0,0,0", "1,1,1",          "-2,-2,-2", "4,4,4",
                                          "0,0,5", "1e30,1e30,1e30", "99,2,2"};
    if (parameter->kind == TAKES_VECTOR)
        return number < (int)(sizeof vectors / sizeof vectors[0]) ? vectors[number] : NULL;
    if (parameter->kind != TAKES_WORD)
        return number < (int)(sizeof numbers / sizeof numbers[0]) ? numbers[number] : NULL;
    const char *at = parameter->words;
    for (int k = 0; k < number && *at != '\0'; k++) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    if (*at == '\0') return NULL;
    snprintf(text, 80, "%.*s", (int)strcspn(at, " "), at);
    return text;
}

/* One parameter after the other with each of its values, together with each value of each other one. */
static int take_pairs(const struct snapshot *now, const struct measure_type *type) {
    size_t count;
    int taken = 0;
    const struct measure_parameter *own = measure_parameters(type, &count);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a; b < count; b++)
            for (int x = 0, y = 0;;) {
                char first[80], second[80], order[2][200];
                const char *one = choice_of(&own[a], x, first),
                           *two = choice_of(&own[b], y, second);
                if (one == NULL) break;
                if (two == NULL) {
                    x++;
                    y = 0;
                    continue;
                }
                y++;
                if (a == b && x + 1 != y) continue; /* one alone */
                struct measure_values values;
                snprintf(order[0], sizeof order[0], "%s=%s", own[a].name, one);
                snprintf(order[1], sizeof order[1], "%s=%s", own[b].name, two);
                const char *texts[] = {order[0], order[1]};
                if (measure_values_read(&values, type->entry.name, texts, 2, NULL) < 0) continue;
                taken += take_checked(now, &values, order[1]);
            }
    return taken;
}

static void what_passes_is_measured(void **state) {
    (void)state;
    for (int dim = 1; dim <= 3; dim++)
        for (int periodic = 0; periodic < 2; periodic++) {
            struct snapshot any = random_state(dim, 6, 10, 51);
            if (periodic) make_periodic(&any, 0, -3.0, 8.0);
            for (size_t k = 0; k < measure_count(); k++) {
                size_t count;
                measure_parameters(measure_get(k), &count);
                int taken = take_pairs(&any, measure_get(k));
                bool impossible = dim == 1 && (strcmp(measure_get(k)->entry.name, "rose") == 0 ||
                                               strcmp(measure_get(k)->entry.name, "inertial") == 0);
                assert_true(count == 0 || impossible || taken > 1);
            }
            snapshot_discard(&any);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_and_words),
                                       cmocka_unit_test(what_passes_is_measured)};
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
