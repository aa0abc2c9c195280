/* SPDX-License-Identifier: Apache-2.0
 * What a restart has to know of boundaries: where they stand, how they move, the signals they follow. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "world/world_archive.h"

ARCHIVE_KNOWS(struct boundary, 896);
ARCHIVE_KNOWS(talus_signal, 64);
ARCHIVE_KNOWS(talus_motion, 232);
ARCHIVE_KNOWS(talus_free_motion, 200);

enum { PATH = 96 };

/* ---- signals ----------------------------------------------------------------------------------- */

/* A signal as numbers; its table goes for itself. */
struct signal_record {
    double mean, amplitude, frequency, phase;
    int64_t kind, count;
};

static struct signal_record record_of(const talus_signal *signal) {
    bool table = signal->kind == TALUS_SIGNAL_TABLE;
    return (struct signal_record){signal->mean,          signal->amplitude,
                                  signal->frequency,     signal->phase,
                                  (int64_t)signal->kind, table ? (int64_t)signal->count : 0};
}

void world_archive_signal(struct world *world, struct archive *archive, const char *path,
                          talus_signal *signal) {
    static const struct archive_member members[] = {
        ARCHIVE_MEMBER(struct signal_record, mean, ARCHIVE_DOUBLE, 1),
        ARCHIVE_MEMBER(struct signal_record, amplitude, ARCHIVE_DOUBLE, 1),
        ARCHIVE_MEMBER(struct signal_record, frequency, ARCHIVE_DOUBLE, 1),
        ARCHIVE_MEMBER(struct signal_record, phase, ARCHIVE_DOUBLE, 1),
        ARCHIVE_MEMBER(struct signal_record, kind, ARCHIVE_INT64, 1),
        ARCHIVE_MEMBER(struct signal_record, count, ARCHIVE_INT64, 1)};
    char table[PATH];
    struct signal_record record = record_of(signal);
    ARCHIVE_RECORDS(archive, path, &record, 1, members);
    if (!archive_is_well(archive)) return;
    snprintf(table, sizeof table, "%s_table", path);
    size_t numbers = 2 * (size_t)record.count;
    if (archive->reading) {
        signal_free(world->memory, signal);
        *signal = (talus_signal){.kind = (talus_signal_kind)record.kind,
                                 .mean = record.mean,
                                 .amplitude = record.amplitude,
                                 .frequency = record.frequency,
                                 .phase = record.phase};
        double *block =
            numbers > 0 ? memory_resize(world->memory, NULL, 0, numbers, sizeof *block) : NULL;
        if (numbers > 0 && block == NULL) {
            signal->kind = TALUS_SIGNAL_CONSTANT;
            archive->status = error_memory(archive->err);
            return;
        }
        signal->times = block;
        signal->values = block == NULL ? NULL : block + record.count;
        signal->count = (size_t)record.count;
    }
    if (numbers > 0) ARCHIVE(archive, table, "", (double *)signal->times, numbers);
}

/* ---- boundaries -------------------------------------------------------------------------------- */

struct boundary_record {         /* without its signals and what the scene gives */
    vec3 force, torque, impulse; /* by the grains */
    vec3 velocity, direction, axis, axis_point, base_point;
    quat base_orientation;
    vec3 free_direction, free_axis;
    double rate, motion_start, free_mass, free_inertia;
    int64_t body;
    uint8_t present, is_free, weightless, unused[5];
};

static const struct archive_member boundary_members[] = {
    ARCHIVE_MEMBER(struct boundary_record, force, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct boundary_record, torque, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct boundary_record, impulse, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct boundary_record, velocity, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct boundary_record, direction, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct boundary_record, axis, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct boundary_record, axis_point, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct boundary_record, base_point, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct boundary_record, base_orientation, ARCHIVE_DOUBLE, 4),
    ARCHIVE_MEMBER(struct boundary_record, free_direction, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct boundary_record, free_axis, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct boundary_record, rate, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct boundary_record, motion_start, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct boundary_record, free_mass, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct boundary_record, free_inertia, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct boundary_record, body, ARCHIVE_INT64, 1),
    ARCHIVE_MEMBER(struct boundary_record, present, ARCHIVE_UINT8, 1),
    ARCHIVE_MEMBER(struct boundary_record, is_free, ARCHIVE_UINT8, 1),
    ARCHIVE_MEMBER(struct boundary_record, weightless, ARCHIVE_UINT8, 1)};

static struct boundary_record boundary_numbers(const struct boundary *boundary) {
    const talus_motion *motion = &boundary->motion;
    const talus_free_motion *guide = &boundary->free;
    return (struct boundary_record){.force = boundary->force,
                                    .torque = boundary->torque,
                                    .impulse = boundary->impulse,
                                    .velocity = motion->velocity,
                                    .direction = motion->direction,
                                    .axis = motion->axis,
                                    .axis_point = motion->axis_point,
                                    .base_point = boundary->base_point,
                                    .base_orientation = boundary->base_orientation,
                                    .free_direction = guide->direction,
                                    .free_axis = guide->axis,
                                    .rate = motion->rate,
                                    .motion_start = boundary->motion_start,
                                    .free_mass = guide->mass,
                                    .free_inertia = guide->inertia,
                                    .body = boundary->body,
                                    .present = boundary->present,
                                    .is_free = boundary->is_free,
                                    .weightless = guide->weightless};
}

static void set_boundary(struct boundary *boundary, const struct boundary_record *from) {
    talus_motion *motion = &boundary->motion;
    talus_free_motion *guide = &boundary->free;
    boundary->force = from->force;
    boundary->torque = from->torque;
    boundary->impulse = from->impulse;
    motion->velocity = from->velocity;
    motion->direction = from->direction;
    motion->axis = from->axis;
    motion->axis_point = from->axis_point;
    motion->rate = from->rate;
    boundary->base_point = from->base_point;
    boundary->base_orientation = from->base_orientation;
    boundary->motion_start = from->motion_start;
    guide->direction = from->free_direction;
    guide->axis = from->free_axis;
    guide->mass = from->free_mass;
    guide->inertia = from->free_inertia;
    guide->weightless = from->weightless != 0;
    boundary->body = (talus_index)from->body;
    boundary->present = from->present != 0;
    boundary->is_free = from->is_free != 0;
}

static void archive_boundary(struct world *world, struct archive *archive, size_t index) {
    struct boundary *boundary = &world->boundaries[index];
    struct boundary_record record = boundary_numbers(boundary);
    char path[PATH];
    snprintf(path, sizeof path, "boundaries/%zu/name", index);
    struct name name = boundary->name;
    world_archive_names(archive, path, &name, 1);
    snprintf(path, sizeof path, "boundaries/%zu/state", index);
    ARCHIVE_RECORDS(archive, path, &record, 1, boundary_members);
    if (!archive_is_well(archive)) return;
    if (archive->reading && memcmp(&name, &boundary->name, sizeof name) != 0)
        archive_fail(archive, TALUS_ERR_INPUT, "its boundaries are not those of its scene");
    if (archive->reading) set_boundary(boundary, &record);
    snprintf(path, sizeof path, "boundaries/%zu/displacement", index);
    world_archive_signal(world, archive, path, &boundary->motion.displacement);
    snprintf(path, sizeof path, "boundaries/%zu/angle", index);
    world_archive_signal(world, archive, path, &boundary->motion.angle);
    snprintf(path, sizeof path, "boundaries/%zu/force", index);
    world_archive_signal(world, archive, path, &boundary->free.force);
    snprintf(path, sizeof path, "boundaries/%zu/torque", index);
    world_archive_signal(world, archive, path, &boundary->free.torque);
}

void world_archive_boundaries(struct world *world, struct archive *archive) {
    size_t count = world->boundary_count;
    ARCHIVE(archive, "boundaries/count", "", &count, 1);
    if (archive_is_well(archive) && count != world->boundary_count)
        archive_fail(archive, TALUS_ERR_INPUT, "its boundaries are not those of its scene");
    for (size_t k = 0; k < world->boundary_count; k++) archive_boundary(world, archive, k);
}
