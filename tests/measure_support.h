/* SPDX-License-Identifier: Apache-2.0
 * For the tests of measures: states made up by hand, and measures of them by name. */
#ifndef TESTS_MEASURE_SUPPORT_H
#define TESTS_MEASURE_SUPPORT_H

#include "base/random.h"
#include "measure/box_overlap.h"
#include "measure/measure.h"
#include "scene/measure_values.h"
#include "support.h"

static const double support_pi = 3.14159265358979323846;

/* Room for so many; everything is there, all shapes are round, the cell is open. */
static inline struct snapshot made_state(int dim, size_t grains, size_t contacts) {
    struct snapshot state = {.dim = dim};
    assert_ok(snapshot_resize(&state, grains, contacts, NULL));
    state.count = state.contact_count = 0;
    state.has = (1u << SNAPSHOT_BITS) - 1;
    return state;
}

static inline double ball_volume(int dim, double r) {
    return dim == 1 ? 2.0 * r : dim == 2 ? support_pi * r * r : 4.0 / 3.0 * support_pi * r * r * r;
}

static inline int32_t put_grain(struct snapshot *state, talus_vec3 at, double radius, double mass,
                                talus_vec3 velocity) {
    size_t i = state->count++;
    assert_true(i < state->capacity);
    state->id[i] = 100 + 3 * (int64_t)i;
    state->position[i] = at;
    state->velocity[i] = velocity;
    state->omega[i] = vec(0, 0, 0);
    state->orientation[i] = (talus_quat){1, 0, 0, 0};
    state->radius[i] = radius;
    state->mass[i] = mass;
    state->volume[i] = ball_volume(state->dim, radius);
    state->type[i] = 1;
    state->group[i] = 0;
    state->shape[i] = 0;
    state->image[i] = (struct image){0, 0, 0};
    return (int32_t)i;
}

/* Of two round grains; the point is in the middle between the surfaces. */
static inline struct snapshot_contact *put_contact(struct snapshot *state, int32_t a, int32_t b,
                                                   talus_vec3 force) {
    struct snapshot_contact *contact = &state->contacts[state->contact_count++];
    assert_true(state->contact_count <= state->contact_capacity);
    vec3 branch = cell_branch(&state->cell, state->position[a], state->position[b]);
    double length = vec3_norm(branch), gap = length - state->radius[a] - state->radius[b];
    vec3 normal = vec3_scale(1.0 / length, branch);
    *contact = (struct snapshot_contact){.a = a,
                                         .b = b,
                                         .wall = -1,
                                         .from = state->position[a],
                                         .branch = branch,
                                         .normal = normal,
                                         .arm = vec3_scale(state->radius[a] + 0.5 * gap, normal),
                                         .force = force,
                                         .gap = gap,
                                         .mu = 0.5};
    return contact;
}

/* With a wall, at a point. */
static inline void put_wall_contact(struct snapshot *state, int32_t a, talus_vec3 point,
                                    talus_vec3 force) {
    struct snapshot_contact *contact = &state->contacts[state->contact_count++];
    assert_true(state->contact_count <= state->contact_capacity);
    vec3 arm = vec3_sub(point, state->position[a]);
    *contact = (struct snapshot_contact){.a = a,
                                         .b = -1,
                                         .wall = 1,
                                         .from = state->position[a],
                                         .branch = arm,
                                         .normal = vec3_scale(1.0 / vec3_norm(arm), arm),
                                         .arm = arm,
                                         .force = force,
                                         .mu = 0.5};
}

static inline void make_periodic(struct snapshot *state, int axis, double origin, double size) {
    state->cell.any = state->cell.periodic[axis] = true;
    vec3_set_component(&state->cell.origin, axis, origin);
    vec3_set_component(&state->cell.size, axis, size);
}

/* What measures take of the heap; tests may make it refuse. */
static struct memory support_memory;

/* "stress from=0,0,0 to=1,1,1": name and parameters, parted by blanks. */
static inline talus_status try_measure(const struct snapshot *now, const struct snapshot *before,
                                       const char *order, talus_table *table, talus_error *err) {
    char copy[400], *words[16], *save = copy;
    size_t count = 0;
    struct measure_values values;
    snprintf(copy, sizeof copy, "%s", order);
    for (; count < 16 && save != NULL && *save != '\0'; count++) {
        words[count] = save;
        save = strchr(save, ' ');
        if (save != NULL) *save++ = '\0';
    }
    memset(table, 0, sizeof *table);
    talus_status status =
        measure_values_read(&values, words[0], (const char *const *)words + 1, count - 1, err);
    if (status < 0) return status;
    struct measure_input input = {.now = now,
                                  .before = before,
                                  .first = before,
                                  .values = &values,
                                  .table = table,
                                  .memory = &support_memory};
    return measure_take(&input, err);
}

static inline talus_table take_measure(const struct snapshot *now, const char *order) {
    talus_table table;
    talus_error err;
    if (try_measure(now, NULL, order, &table, &err) < 0) fail_msg("%s: %s", order, err.text);
    return table;
}

/* A number of a row by the name of its column. */
static inline double value_at(const talus_table *table, size_t row, const char *name) {
    size_t column = talus_table_find(table, name);
    if (column >= table->column_count) fail_msg("there is no column %s", name);
    assert_true(row < table->row_count);
    return talus_table_at(table, row, column);
}

/* The only row of a measure. */
static inline double take_value(const struct snapshot *now, const char *order, const char *name) {
    talus_table table = take_measure(now, order);
    assert_int_equal(table.row_count, 1);
    double value = value_at(&table, 0, name);
    talus_table_free(&table);
    return value;
}

static inline talus_vec3 random_vec(struct random *random, double low, double high) {
    double x = random_uniform(random), y = random_uniform(random), z = random_uniform(random);
    return vec(low + (high - low) * x, low + (high - low) * y, low + (high - low) * z);
}

/* Grains anywhere, contacts of any two of them with any forces, some with walls. */
static inline struct snapshot random_state(int dim, size_t grains, size_t contacts, uint64_t seed) {
    struct random random = random_start(seed, RANDOM_TEST, 0, 0);
    struct snapshot state = made_state(dim, grains, contacts);
    vec3 flat = vec(1, dim > 1, dim > 2);
    for (size_t i = 0; i < grains; i++) {
        vec3 at = random_vec(&random, -3.0, 5.0), v = random_vec(&random, -1.0, 1.5);
        double r = 0.2 + 0.3 * random_uniform(&random);
        put_grain(&state, vec(at.x, at.y * flat.y, at.z * flat.z), r, 1.0 + r,
                  vec(v.x, v.y * flat.y, v.z * flat.z));
    }
    for (size_t c = 0; c < contacts; c++) {
        int32_t a = (int32_t)random_below(&random, (uint32_t)grains);
        int32_t b = (int32_t)random_below(&random, (uint32_t)grains);
        vec3 f = random_vec(&random, -2.0, 3.0);
        f = vec(f.x, f.y * flat.y, f.z * flat.z);
        if (a != b && c % 5 != 0)
            put_contact(&state, a, b, f);
        else
            put_wall_contact(&state, a,
                             vec3_add(state.position[a], vec(0.3, -0.2 * flat.y, 0.1 * flat.z)), f);
    }
    return state;
}

#endif
