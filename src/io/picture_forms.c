/* SPDX-License-Identifier: Apache-2.0
 * The shapes of stored grains, made again from the corners, roundings and densities of their parts. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "io/picture_frame.h"

struct parts {
    const struct frame_array *shape, *rounding, *density, *corners, *corner;
};

/* Numbers that go together. */
static bool find_parts(const struct frame_block *block, struct parts *parts) {
    *parts = (struct parts){
        frame_find_fact(block, "part_shape"), frame_find_fact(block, "part_rounding"),
        frame_find_fact(block, "part_density"), frame_find_fact(block, "part_corners"),
        frame_find_fact(block, "corner")};
    if (parts->shape == NULL || parts->rounding == NULL || parts->density == NULL ||
        parts->corners == NULL || parts->corner == NULL || parts->corner->components != 3)
        return false;
    size_t count = parts->shape->count, corners = 0;
    if (parts->rounding->count != count || parts->density->count != count ||
        parts->corners->count != count)
        return false;
    for (size_t p = 0; p < count; p++) {
        int64_t number = frame_integer(parts->corners, p, 0);
        if (number < 1 || number > (int64_t)(parts->corner->count - corners)) return false;
        corners += (size_t)number;
    }
    return corners == parts->corner->count;
}

/* Parts of one shape stand one after the other. */
static talus_status add_forms(struct picture_forms *forms, const struct parts *parts,
                              const talus_vec3 *corners, talus_error *err) {
    talus_shape_part own[TALUS_SHAPE_PARTS_MAX];
    size_t count = 0, c = 0;
    for (size_t p = 0; p < parts->shape->count; p++) {
        int64_t shape = frame_integer(parts->shape, p, 0);
        if (count == TALUS_SHAPE_PARTS_MAX || shape != (int64_t)forms->world.form_count + 1)
            return error_set(err, TALUS_ERR_INPUT, "its shapes are not in order");
        own[count++] =
            (talus_shape_part){corners + c, (size_t)frame_integer(parts->corners, p, 0),
                               frame_real(parts->rounding, p, 0), frame_real(parts->density, p, 0)};
        c += own[count - 1].count;
        bool last = p + 1 == parts->shape->count || frame_integer(parts->shape, p + 1, 0) != shape;
        if (!last) continue;
        char name[32];
        snprintf(name, sizeof name, "shape_%lld", (long long)shape);
        TALUS_TRY(world_add_form(&forms->world, name, own, count, err));
        count = 0;
    }
    return TALUS_OK;
}

static talus_status make_forms(struct picture_forms *forms, const struct frame_block *block,
                               talus_error *err) {
    struct parts parts;
    if (!find_parts(block, &parts))
        return error_set(err, TALUS_ERR_INPUT,
                         "does not tell the parts of its shapes, as frames of this version do");
    size_t count = parts.corner->count;
    talus_vec3 *corners = memory_resize(&forms->memory, NULL, 0, count, sizeof *corners);
    if (corners == NULL) return error_memory(err);
    for (size_t c = 0; c < count; c++) corners[c] = frame_vector(parts.corner, c);
    talus_status status = add_forms(forms, &parts, corners, err);
    memory_free(&forms->memory, corners, count, sizeof *corners);
    return status;
}

talus_status picture_forms_read(struct picture_forms *forms, const char *directory, int dim,
                                talus_error *err) {
    char path[FILE_PATH];
    struct frame_block block = {.present = false};
    talus_error inner;
    forms->world.dim = dim;
    forms->world.memory = &forms->memory;
    TALUS_TRY(file_path(path, directory, "shapes.vtp", err));
    if (access(path, F_OK) != 0) return TALUS_OK;
    talus_status status = vtp_read(&block, &forms->memory, path, err);
    if (status >= 0) {
        status = make_forms(forms, &block, &inner);
        if (status < 0) error_set(err, status, "%s: %.3000s", path, inner.text);
    }
    frame_block_free(&block, &forms->memory);
    return status;
}

void picture_forms_free(struct picture_forms *forms) {
    struct world *world = &forms->world;
    for (size_t k = 0; k < world->form_count; k++) body_form_free(world, &world->forms[k]);
    memory_free(&forms->memory, world->forms, world->form_capacity, sizeof *world->forms);
    world->forms = NULL;
    world->form_count = world->form_capacity = 0;
}
