/* SPDX-License-Identifier: Apache-2.0
 * Motions of boundaries, signals, forces on groups. */
#include <string.h>

#include "scene/read.h"

/* Table points: as many values as times, times rising. */
static talus_signal read_table(struct reader *reader, const struct node *map) {
    talus_signal signal = {.kind = TALUS_SIGNAL_CONSTANT};
    const struct node *times = get(map, "times"), *values = get(map, "values");
    if (times == NULL || values == NULL) return signal;
    if (times->count != values->count) {
        problem_at(reader->problems, values->place, "table: %zu values for %zu times",
                   values->count, times->count);
        return signal;
    }
    for (const struct node *t = times->first; t->next != NULL; t = t->next) {
        if (t->next->number > t->number) continue;
        problem_at(reader->problems, t->next->place, "table: times must rise, but %g follows %g",
                   t->next->number, t->number);
        return signal;
    }
    signal.times = read_numbers(reader, times);
    signal.values = read_numbers(reader, values);
    if (signal.times == NULL || signal.values == NULL) return signal;
    signal.kind = TALUS_SIGNAL_TABLE;
    signal.count = times->count;
    return signal;
}

static talus_signal read_sine(const struct node *map, double amplitude) {
    return (talus_signal){.kind = TALUS_SIGNAL_SINE,
                          .amplitude = amplitude,
                          .frequency = get_number(map, "frequency", 0.0),
                          .phase = get_number(map, "phase", 0.0)};
}

/* Scale and shift the values of a table; they are this scene's own copy. */
static void adjust_table(struct reader *reader, talus_signal *signal, double factor, double shift) {
    if (signal->kind != TALUS_SIGNAL_TABLE || (factor == 1.0 && shift == 0.0)) return;
    double *values = read_array(reader, signal->count, sizeof *values);
    if (values == NULL) return;
    for (size_t i = 0; i < signal->count; i++) values[i] = factor * signal->values[i] + shift;
    signal->values = values;
}

talus_signal read_signal(struct reader *reader, const struct node *node) {
    talus_signal signal = {.kind = TALUS_SIGNAL_CONSTANT};
    if (node == NULL) return signal;
    if (node->kind == NODE_SCALAR) {
        signal.mean = node->number;
        return signal;
    }
    const struct node *oscillate = get(node, "oscillate"), *table = get(node, "table");
    double mean = get_number(node, "mean", 0.0);
    if (oscillate != NULL) signal = read_sine(oscillate, get_number(oscillate, "amplitude", 0.0));
    if (table != NULL) {
        signal = read_table(reader, table);
        adjust_table(reader, &signal, 1.0, mean);
    }
    if (signal.kind != TALUS_SIGNAL_TABLE) signal.mean = mean;
    return signal;
}

/* ---- motions --------------------------------------------------------------------------------- */

static void read_turning(struct reader *reader, struct node *map, vec3 point,
                         talus_motion *motion) {
    if (reader->dimension == 1) {
        problem_at(reader->problems, map->key_place, "%s: nothing turns in one dimension",
                   map->key);
    }
    motion->axis = read_axis(reader, map, "axis");
    motion->axis_point = get_has(map, "point") ? get_vector(map, "point") : point;
}

/* Pieces so short that the steps of a phase with another dt see the same accelerations. */
static talus_signal read_moving_table(struct reader *reader, const struct node *map) {
    enum { PIECES = 8 }; /* of a step */
    const double steps_most = 1e6;
    talus_signal table = read_table(reader, map);
    double dt = reader->scene->config.dt;
    if (table.kind != TALUS_SIGNAL_TABLE || !get_boolean(map, "smooth", false)) return table;
    if (reader->scene->dt_auto) {
        problem_at(reader->problems, get(map, "smooth")->place,
                   "smooth: needs a time step that is given, time.dt");
        return table;
    }
    if (!(table.times[table.count - 1] - table.times[0] < steps_most * dt)) {
        problem_at(reader->problems, get(map, "smooth")->place,
                   "smooth: the table is longer than %g time steps", steps_most);
        return table;
    }
    return smooth_table(reader, &table, dt / PIECES);
}

talus_motion read_motion(struct reader *reader, struct node *map, vec3 point) {
    talus_motion motion = {.velocity = read_world_vector(reader, map, "velocity")};
    struct node *oscillate = get(map, "oscillate"), *table = get(map, "table");
    struct node *rotate = get(map, "rotate"), *swing = get(map, "swing");
    struct node *angle_table = get(map, "angle_table");
    if (oscillate != NULL) {
        motion.direction = read_world_direction(reader, oscillate, "direction");
        motion.displacement = read_sine(oscillate, get_number(oscillate, "amplitude", 0.0));
    }
    if (table != NULL) {
        motion.direction = read_world_direction(reader, table, "direction");
        motion.displacement = read_moving_table(reader, table);
    }
    if (rotate != NULL) {
        read_turning(reader, rotate, point, &motion);
        motion.rate = get_number(rotate, "rate", 0.0);
    }
    if (swing != NULL) {
        read_turning(reader, swing, point, &motion);
        motion.angle = read_sine(swing, get_number(swing, "amplitude", 0.0));
    }
    if (angle_table != NULL) {
        read_turning(reader, angle_table, point, &motion);
        motion.angle = read_moving_table(reader, angle_table);
    }
    return motion;
}

talus_free_motion read_free(struct reader *reader, struct node *map, vec3 normal) {
    talus_free_motion free_motion = {.mass = get_number(map, "mass", 0.0),
                                     .inertia = get_number(map, "inertia", 0.0)};
    free_motion.direction = normal;
    if (get_has(map, "direction")) {
        free_motion.direction = read_world_direction(reader, map, "direction");
    }
    free_motion.axis = read_axis(reader, map, "axis");
    free_motion.force = read_signal(reader, get(map, "force"));
    free_motion.torque = read_signal(reader, get(map, "torque"));
    free_motion.weightless = get_boolean(map, "weightless", false);
    bool stuck = free_motion.mass == 0.0 && free_motion.inertia == 0.0;
    if (stuck && get(map, "mass") != NULL && get(map, "inertia") != NULL) {
        problem_at(reader->problems, map->place,
                   "free: give a mass (to slide) or an inertia (to turn), or both");
    }
    return free_motion;
}

/* ---- forces on groups ------------------------------------------------------------------------ */

static void read_force(struct reader *reader, const struct node *entry, struct scene_force *force) {
    vec3 vector = read_world_vector(reader, entry, "force");
    double size = vec3_norm(vector);
    const struct node *oscillate = get(entry, "oscillate"), *table = get(entry, "table");
    force->name = get_text(entry, "name", "");
    force->group = get_text(entry, "on", "grains");
    check_group(reader, get(entry, "on"));
    force->direction = size > 0.0 ? vec3_scale(1.0 / size, vector) : vec3_make(1.0, 0.0, 0.0);
    force->signal = (talus_signal){.kind = TALUS_SIGNAL_CONSTANT, .mean = size};
    if (oscillate != NULL) {
        force->signal = read_sine(oscillate, size);
        force->signal.mean = size * get_number(oscillate, "mean", 0.0);
    } else if (table != NULL) {
        force->signal = read_table(reader, table);
        adjust_table(reader, &force->signal, size, 0.0);
    }
}

const struct scene_force *read_forces(struct reader *reader, const struct node *list) {
    struct scene_force *forces = read_array(reader, list->count, sizeof *forces);
    if (forces == NULL) return NULL;
    size_t count = 0;
    for (const struct node *entry = list->first; entry != NULL; entry = entry->next) {
        read_force(reader, entry, &forces[count++]);
    }
    check_unique_names(reader, list, "force");
    return forces;
}
