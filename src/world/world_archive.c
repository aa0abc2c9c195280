/* SPDX-License-Identifier: Apache-2.0 */
#include "world/world_archive.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "world/membrane.h"

ARCHIVE_KNOWS(struct world, 488);
ARCHIVE_KNOWS(struct material, 80);
ARCHIVE_KNOWS(struct force, 160);
ARCHIVE_KNOWS(struct membrane, 256);

enum { PATH = 96 };

/* ---- bodies ------------------------------------------------------------------------------------ */

static const char *unit_of(const char *field) {
    static const char *const units[][2] = {
        {"position", "m"},        {"velocity", "m/s"},
        {"omega", "rad/s"},       {"radius", "m"},
        {"mass", "kg"},           {"inertia", "kg m^2"},
        {"inverse_mass", "1/kg"}, {"inverse_inertia", "1/(kg m^2)"}};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (strcmp(units[k][0], field) == 0) return units[k][1];
    return "";
}

#define BODY_KIND(pointer) \
    _Generic((pointer), struct image * : ARCHIVE_INT32, default : ARCHIVE_KIND(pointer))
#define BODY_COLUMNS(pointer) \
    _Generic((pointer), struct image * : (size_t)3, default : ARCHIVE_COLUMNS(pointer))

/* All arrays of the list of fields: a new one is kept without a word here. */
static void archive_bodies(struct world *world, struct archive *archive) {
    struct bodies *bodies = &world->bodies;
    size_t count = bodies->count;
    ARCHIVE(archive, "bodies/count", "", &count, 1);
    if (!archive_is_well(archive)) return;
    if (archive->reading) {
        talus_status status = bodies_reserve(world, count, archive->err);
        if (status < 0) archive->status = status;
        if (status < 0) return;
        bodies->count = count;
    }
#define FIELD(type, field)                                                               \
    archive_move(archive, &(struct archive_item){.name = "bodies/" #field,               \
                                                 .unit = unit_of(#field),                \
                                                 .kind = BODY_KIND(bodies->field),       \
                                                 .columns = BODY_COLUMNS(bodies->field), \
                                                 .size = sizeof *bodies->field,          \
                                                 .data = bodies->field,                  \
                                                 .count = count});
    WORLD_BODY_FIELDS(FIELD)
#undef FIELD
}

/* ---- forces and membranes ---------------------------------------------------------------------- */

static void archive_force(struct world *world, struct archive *archive, size_t index) {
    struct force *force = &world->forces[index];
    char path[PATH];
    snprintf(path, sizeof path, "forces/%zu/name", index);
    ARCHIVE(archive, path, "", &force->name, 1);
    snprintf(path, sizeof path, "forces/%zu/group", index);
    ARCHIVE(archive, path, "", &force->group, 1);
    snprintf(path, sizeof path, "forces/%zu/direction", index);
    ARCHIVE(archive, path, "", &force->direction, 1);
    snprintf(path, sizeof path, "forces/%zu/size", index);
    world_archive_signal(world, archive, path, &force->signal);
}

/* One after the other, so that what is counted is whole, whatever happens. */
static void archive_forces(struct world *world, struct archive *archive) {
    size_t count = world->force_count;
    ARCHIVE(archive, "forces/count", "", &count, 1);
    if (!archive_is_well(archive)) return;
    void *forces = world->forces;
    if (!archive_room(archive, world->memory, &forces, &world->force_capacity,
                      (const size_t[2]){count, sizeof *world->forces}))
        return;
    world->forces = forces;
    for (size_t k = 0; k < count && archive_is_well(archive); k++) {
        if (archive->reading) world->forces[k] = (struct force){.group = 0};
        if (archive->reading) world->force_count = k + 1;
        archive_force(world, archive, k);
    }
}

struct membrane_record {
    double remesh, size, pressure, volume, height, area[2];
    int64_t meshings, count, meshed_count, plates[2], group;
};

static const struct archive_member membrane_members[] = {
    ARCHIVE_MEMBER(struct membrane_record, remesh, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct membrane_record, size, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct membrane_record, pressure, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct membrane_record, volume, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct membrane_record, height, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct membrane_record, area, ARCHIVE_DOUBLE, 2),
    ARCHIVE_MEMBER(struct membrane_record, meshings, ARCHIVE_INT64, 1),
    ARCHIVE_MEMBER(struct membrane_record, count, ARCHIVE_INT64, 1),
    ARCHIVE_MEMBER(struct membrane_record, meshed_count, ARCHIVE_INT64, 1),
    ARCHIVE_MEMBER(struct membrane_record, plates, ARCHIVE_INT64, 2),
    ARCHIVE_MEMBER(struct membrane_record, group, ARCHIVE_INT64, 1)};

static struct membrane_record membrane_numbers(const struct membrane *membrane) {
    return (struct membrane_record){.remesh = membrane->remesh,
                                    .size = membrane->size,
                                    .pressure = membrane->pressure,
                                    .volume = membrane->volume,
                                    .height = membrane->height,
                                    .area = {membrane->area[0], membrane->area[1]},
                                    .meshings = membrane->meshings,
                                    .count = (int64_t)membrane->count,
                                    .meshed_count = (int64_t)membrane->meshed_count,
                                    .plates = {membrane->plates[0], membrane->plates[1]},
                                    .group = membrane->group};
}

static void set_membrane(struct membrane *membrane, const struct membrane_record *from) {
    membrane->remesh = from->remesh;
    membrane->size = from->size;
    membrane->pressure = from->pressure;
    membrane->volume = from->volume;
    membrane->height = from->height;
    membrane->meshings = from->meshings;
    membrane->count = (size_t)from->count;
    membrane->meshed_count = (size_t)from->meshed_count;
    membrane->group = (int32_t)from->group;
    for (int k = 0; k < 2; k++) {
        membrane->area[k] = from->area[k];
        membrane->plates[k] = (int32_t)from->plates[k];
    }
}

static void archive_membrane(struct world *world, struct archive *archive, size_t index) {
    struct membrane *membrane = &world->membranes[index];
    struct membrane_record record = membrane_numbers(membrane);
    char path[PATH];
    snprintf(path, sizeof path, "membranes/%zu/name", index);
    ARCHIVE(archive, path, "", &membrane->name, 1);
    snprintf(path, sizeof path, "membranes/%zu/state", index);
    ARCHIVE_RECORDS(archive, path, &record, 1, membrane_members);
    if (!archive_is_well(archive)) return;
    if (archive->reading) set_membrane(membrane, &record);
    snprintf(path, sizeof path, "membranes/%zu/pressure", index);
    world_archive_signal(world, archive, path, &membrane->signal);
    snprintf(path, sizeof path, "membranes/%zu/elements", index);
    ARCHIVE_LIST(archive, world->memory, path, "", membrane->elements, membrane->capacity,
                 membrane->count);
    snprintf(path, sizeof path, "membranes/%zu/meshed_at", index);
    ARCHIVE_LIST(archive, world->memory, path, "m", membrane->meshed_at, membrane->meshed_capacity,
                 membrane->meshed_count);
}

static void archive_membranes(struct world *world, struct archive *archive) {
    size_t count = world->membrane_count;
    ARCHIVE(archive, "membranes/count", "", &count, 1);
    if (!archive_is_well(archive)) return;
    void *membranes = world->membranes;
    if (!archive_room(archive, world->memory, &membranes, &world->membrane_capacity,
                      (const size_t[2]){count, sizeof *world->membranes}))
        return;
    world->membranes = membranes;
    for (size_t k = 0; k < count && archive_is_well(archive); k++) {
        if (archive->reading) world->membranes[k] = (struct membrane){.count = 0};
        if (archive->reading) world->membrane_count = k + 1;
        archive_membrane(world, archive, k);
    }
    ARCHIVE(archive, "membranes/force_count", "", &world->membrane_force_count, 1);
    ARCHIVE_LIST(archive, world->memory, "membranes/forces", "N", world->membrane_forces,
                 world->membrane_force_capacity, world->membrane_force_count);
}

/* ---- names and laws ---------------------------------------------------------------------------- */

/* Names, as text that readers can read. */
void world_archive_names(struct archive *archive, const char *path, struct name *names,
                         size_t count) {
    archive_move(archive, &(struct archive_item){.name = path,
                                                 .unit = "",
                                                 .kind = ARCHIVE_TEXT,
                                                 .columns = WORLD_NAME,
                                                 .size = sizeof *names,
                                                 .data = names,
                                                 .count = count});
}

static void archive_groups(struct world *world, struct archive *archive) {
    ARCHIVE(archive, "groups/count", "", &world->group_count, 1);
    void *groups = world->groups;
    if (archive_room(archive, world->memory, &groups, &world->group_capacity,
                     (const size_t[2]){world->group_count, sizeof *world->groups}))
        world->groups = groups;
    world_archive_names(archive, "groups/name", world->groups, world->group_count);
}

static void archive_materials(struct world *world, struct archive *archive) {
    static const struct archive_member members[] = {
        ARCHIVE_MEMBER(struct material, name, ARCHIVE_TEXT, WORLD_NAME),
        ARCHIVE_MEMBER(struct material, density, ARCHIVE_DOUBLE, 1),
        ARCHIVE_MEMBER(struct material, has_forms, ARCHIVE_UINT8, 1)};
    size_t count = world->material_count;
    ARCHIVE(archive, "materials/count", "", &count, 1);
    if (archive_is_well(archive) && count != world->material_count)
        archive_fail(archive, TALUS_ERR_INPUT, "its materials are not those of its scene");
    for (size_t k = 0; k < world->material_count && archive_is_well(archive); k++) {
        char path[PATH];
        snprintf(path, sizeof path, "materials/%zu", k);
        world_archive_names(archive, path, &world->materials[k].name, 1);
    }
    ARCHIVE_RECORDS(archive, "materials/material", world->materials, count, members);
    ARCHIVE(archive, "materials/laws", "", world->pairs,
            world->material_capacity * world->material_capacity);
}

/* Their names only: which grain has which. The shapes themselves the scene gives, and their hash says if they are the same. */
static void archive_shapes(struct world *world, struct archive *archive) {
    size_t count = world->form_count;
    uint64_t hash = world_forms_hash(world), kept = hash;
    ARCHIVE(archive, "shapes/count", "", &count, 1);
    ARCHIVE(archive, "shapes/hash", "", &kept, 1);
    if (archive_is_well(archive) && (count != world->form_count || kept != hash))
        archive_fail(archive, TALUS_ERR_INPUT,
                     "a shape of grains or a boundary is not what it was: has the file of a mesh "
                     "changed since?");
    for (size_t k = 0; k < world->form_count && archive_is_well(archive); k++) {
        char path[PATH];
        snprintf(path, sizeof path, "shapes/%zu", k);
        world_archive_names(archive, path, &world->forms[k].name, 1);
    }
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes) {
    const unsigned char *at = data;
    for (size_t k = 0; k < bytes; k++) hash = (hash ^ at[k]) * 0x100000001b3u;
    return hash;
}

uint64_t world_forms_hash(const struct world *world) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t k = 0; k < world->form_count; k++) {
        const struct body_form *form = &world->forms[k];
        hash = hash_bytes(hash, &form->inertia, sizeof form->inertia);
        for (size_t part = 0; part < form->part_count; part++) {
            const struct convex *hull = &form->parts[part].hull;
            hash = hash_bytes(hash, hull->vertices,
                              (size_t)hull->vertex_count * sizeof *hull->vertices);
            hash = hash_bytes(hash, &hull->rounding, sizeof hull->rounding);
        }
    }
    for (size_t k = 0; k < world->boundary_count; k++) {
        const struct surface *mesh = &world->boundaries[k].mesh;
        hash = hash_bytes(hash, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
        hash = hash_bytes(hash, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles);
    }
    return hash;
}

/* ---- all of it --------------------------------------------------------------------------------- */

void world_archive(struct world *world, struct archive *archive) {
    archive_shapes(world, archive);
    archive_bodies(world, archive);
    archive_groups(world, archive);
    archive_materials(world, archive);
    world_archive_boundaries(world, archive);
    archive_forces(world, archive);
    archive_membranes(world, archive);
    int32_t dim = world->dim;
    ARCHIVE(archive, "world/dim", "", &dim, 1);
    ARCHIVE(archive, "world/time", "s", &world->time, 1);
    ARCHIVE(archive, "world/gravity", "m/s^2", &world->gravity, 1);
    ARCHIVE(archive, "world/grain_count", "", &world->grain_count, 1);
    ARCHIVE(archive, "world/radius_min", "m", &world->radius_min, 1);
    ARCHIVE(archive, "world/radius_max", "m", &world->radius_max, 1);
    ARCHIVE(archive, "world/thinnest", "m", &world->thinnest, 1);
    ARCHIVE(archive, "world/next_gid", "", &world->next_gid, 1);
}
