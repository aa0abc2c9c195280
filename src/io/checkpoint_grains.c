/* SPDX-License-Identifier: Apache-2.0 */
#include "io/checkpoint_grains.h"

#include <stdio.h>

#include "base/error.h"
#include "detect/detect_archive.h"
#include "io/checkpoint.h"
#include "world/world_archive.h"

/* Zeroed room, or a failure of the archive. */
static void *make(struct archive *archive, struct memory *memory, size_t count, size_t size) {
    if (!archive_is_well(archive)) return NULL;
    void *block = memory_resize(memory, NULL, 0, count, size);
    if (block == NULL) archive->status = error_memory(archive->err);
    return block;
}

static void read_bodies(struct checkpoint_grains *grains, struct archive *archive) {
    ARCHIVE(archive, "bodies/count", "", &grains->count, 1);
#define FIELD(type, name)                                                               \
    grains->name = make(archive, &grains->memory, grains->count, sizeof *grains->name); \
    ARCHIVE(archive, "bodies/" #name, "", grains->name, grains->count);
    CHECKPOINT_GRAIN_FIELDS(FIELD)
#undef FIELD
}

static void read_each(struct archive *archive, const char *format, struct name *names,
                      size_t count) {
    for (size_t k = 0; k < count && archive_is_well(archive); k++) {
        char path[64];
        snprintf(path, sizeof path, format, k);
        world_archive_names(archive, path, &names[k], 1);
        names[k].text[WORLD_NAME - 1] = '\0';
    }
}

static void read_names(struct checkpoint_grains *grains, struct archive *archive) {
    ARCHIVE(archive, "groups/count", "", &grains->group_count, 1);
    ARCHIVE(archive, "materials/count", "", &grains->material_count, 1);
    ARCHIVE(archive, "shapes/count", "", &grains->form_count, 1);
    ARCHIVE(archive, "boundaries/count", "", &grains->boundary_count, 1);
    struct memory *memory = &grains->memory;
    grains->groups = make(archive, memory, grains->group_count, sizeof *grains->groups);
    grains->materials = make(archive, memory, grains->material_count, sizeof *grains->materials);
    grains->forms = make(archive, memory, grains->form_count, sizeof *grains->forms);
    grains->boundaries = make(archive, memory, grains->boundary_count, sizeof *grains->boundaries);
    if (!archive_is_well(archive)) return;
    world_archive_names(archive, "groups/name", grains->groups, grains->group_count);
    read_each(archive, "materials/%zu", grains->materials, grains->material_count);
    read_each(archive, "shapes/%zu", grains->forms, grains->form_count);
    read_each(archive, "boundaries/%zu/name", grains->boundaries, grains->boundary_count);
}

static void read_pairs(struct checkpoint_grains *grains, struct archive *archive) {
    bool remembered = false;
    ARCHIVE(archive, "contacts/remembered", "", &remembered, 1);
    ARCHIVE(archive, "contacts/count", "", &grains->pair_count, 1);
    size_t count = grains->pair_count;
    grains->pairs = make(archive, &grains->memory, count, sizeof *grains->pairs);
    if (remembered)
        grains->memories = make(archive, &grains->memory, count, sizeof *grains->memories);
    if (!archive_is_well(archive)) return;
    detect_archive_pairs(archive, grains->pairs, grains->memories, count);
}

/* Numbers that would lead out of an array: the sum of the file is right, so whoever wrote it is to blame. */
static bool is_sound(const struct checkpoint_grains *grains) {
    for (size_t i = 0; i < grains->count; i++) {
        if (grains->kind[i] != TALUS_BODY_GRAIN) {
            if (grains->boundary[i] < 0 || (size_t)grains->boundary[i] >= grains->boundary_count)
                return false;
            continue;
        }
        if (grains->group[i] < 0 || (size_t)grains->group[i] >= grains->group_count) return false;
        if (grains->material[i] < 0 || (size_t)grains->material[i] >= grains->material_count)
            return false;
        if (grains->form[i] < 0 || (size_t)grains->form[i] > grains->form_count) return false;
        if (grains->form[i] == 0 && (grains->shape[i] < 0 || shape_get(grains->shape[i]) == NULL))
            return false;
    }
    for (size_t k = 0; k < grains->pair_count; k++) {
        const struct candidate *pair = &grains->pairs[k];
        if (pair->a < 0 || pair->b < 0) return false;
        if ((size_t)pair->a >= grains->count || (size_t)pair->b >= grains->count) return false;
    }
    return true;
}

talus_status checkpoint_grains_read(struct checkpoint_grains *grains, const char *path,
                                    talus_error *err) {
    struct checkpoint checkpoint;
    struct archive *archive = &checkpoint.archive;
    *grains = (struct checkpoint_grains){.count = 0};
    TALUS_TRY(checkpoint_open(&checkpoint, path, err));
    ARCHIVE(archive, "world/dim", "", &grains->dim, 1);
    ARCHIVE(archive, "world/dt", "", &grains->dt, 1);
    grains->soft = hdf5_has(&checkpoint.file, "soft/numbers");
    read_bodies(grains, archive);
    read_names(grains, archive);
    read_pairs(grains, archive);
    if (archive_is_well(archive) && !is_sound(grains))
        archive_fail(archive, TALUS_ERR_INPUT, "its numbers do not belong together");
    checkpoint_close(&checkpoint);
    return archive->status;
}

void checkpoint_grains_free(struct checkpoint_grains *grains) {
    struct memory *memory = &grains->memory;
#define FIELD(type, name) memory_free(memory, grains->name, grains->count, sizeof *grains->name);
    CHECKPOINT_GRAIN_FIELDS(FIELD)
#undef FIELD
    memory_free(memory, grains->groups, grains->group_count, sizeof *grains->groups);
    memory_free(memory, grains->materials, grains->material_count, sizeof *grains->materials);
    memory_free(memory, grains->forms, grains->form_count, sizeof *grains->forms);
    memory_free(memory, grains->boundaries, grains->boundary_count, sizeof *grains->boundaries);
    memory_free(memory, grains->pairs, grains->pair_count, sizeof *grains->pairs);
    memory_free(memory, grains->memories, grains->pair_count, sizeof *grains->memories);
    *grains = (struct checkpoint_grains){.count = 0};
}
