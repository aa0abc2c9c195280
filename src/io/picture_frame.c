/* SPDX-License-Identifier: Apache-2.0
 * From the blocks of a frame to the things a picture shows. */
#include "io/picture_frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "world/cell.h"

static quat quat_at(const struct frame_array *array, size_t i) {
    return (quat){frame_real(array, i, 0), frame_real(array, i, 1), frame_real(array, i, 2),
                  frame_real(array, i, 3)};
}

/* An array with so many components; NULL if there is none, or another one. */
static const struct frame_array *find(const struct frame_block *block, const char *name,
                                      int components) {
    const struct frame_array *array = frame_find(block, name);
    return array != NULL && array->components == components ? array : NULL;
}

static talus_status lacks(const struct picture_frame_source *source, const char *what,
                          const char *for_what, talus_error *err) {
    return error_set(err, TALUS_ERR_INPUT,
                     "%s: has no `%s`, which %s need (scene: output.frames.quantities)",
                     source->name, what, for_what);
}

static const char for_forms[] = "grains that are not round";

/* ---- grains ---------------------------------------------------------------------------------- */

static double ball_volume(double radius, int dim) {
    const double pi = 3.141592653589793;
    return dim == 1   ? 2.0 * radius
           : dim == 2 ? pi * radius * radius
                      : 4.0 / 3.0 * pi * radius * radius * radius;
}

static talus_status gather_forms(struct picture *picture, const struct picture_frame_source *source,
                                 talus_error *err) {
    const struct frame_block *block = &source->frame->blocks[FRAME_PARTICLES];
    const struct frame_array *shape = find(block, "shape", 1);
    bool turned = find(block, "orientation", 4) != NULL;
    bool formed = source->form_count > 0 || source->frame->blocks[FRAME_SURFACES].present;
    if (shape == NULL) return formed ? lacks(source, "shape", for_forms, err) : TALUS_OK;
    for (size_t i = 0; i < picture->grain_count; i++) {
        struct picture_grain *grain = &picture->grains[i];
        int64_t number = frame_integer(shape, i, 0);
        if (number <= 0) continue;
        if (!turned) return lacks(source, "orientation", for_forms, err);
        if (number > (int64_t)source->form_count)
            return error_set(err, TALUS_ERR_INPUT,
                             "%s: shape %lld is not told by a shapes.vtp beside it", source->name,
                             (long long)number);
        grain->form = &source->forms[number - 1];
        grain->scale = grain->radius / grain->form->reach;
        grain->volume = grain->form->volume * pow(grain->scale, (double)picture->dim);
    }
    return TALUS_OK;
}

static talus_status gather_grains(struct picture *picture,
                                  const struct picture_frame_source *source, talus_error *err) {
    const struct frame_block *block = &source->frame->blocks[FRAME_PARTICLES];
    const struct frame_array *radius = find(block, "radius", 1);
    const struct frame_array *orientation = find(block, "orientation", 4);
    if (radius == NULL) return lacks(source, "radius", "pictures", err);
    for (size_t i = 0; i < picture->grain_count; i++) {
        double r = frame_real(radius, i, 0);
        picture->grains[i] = (struct picture_grain){
            .position = frame_vector(&block->points, i),
            .orientation = orientation != NULL ? quat_at(orientation, i) : quat_identity(),
            .radius = r,
            .scale = 1.0,
            .volume = ball_volume(r, picture->dim)};
    }
    return gather_forms(picture, source, err);
}

/* ---- contacts -------------------------------------------------------------------------------- */

struct ranked_id {
    int64_t id;
    size_t grain;
};

struct contacts {
    struct ranked_id *ids; /* ascending */
    size_t count;
    const struct frame_array *id1, *id2, *normal, *gap, *point, *force; /* of the present block */
    const struct frame_array *velocity;                                 /* of the grains, or NULL */
    double lag; /* s, of contact points behind positions */
    struct cell cell;
};

static int by_id(const void *a, const void *b) {
    const struct ranked_id *p = a, *q = b;
    return (p->id > q->id) - (p->id < q->id);
}

static struct cell cell_of(const struct frame_block *block) {
    const struct frame_array *periodic = frame_find_fact(block, "cell_periodic");
    const struct frame_array *size = frame_find_fact(block, "cell_size");
    struct cell cell = {.any = false};
    if (periodic == NULL || size == NULL || periodic->components != 3 || size->components != 3)
        return cell;
    for (int axis = 0; axis < 3; axis++) {
        cell.periodic[axis] = frame_real(periodic, 0, axis) != 0.0;
        cell.any = cell.any || cell.periodic[axis];
    }
    cell.size = frame_vector(size, 0);
    return cell;
}

/* As picture_arm: contact points refer to the start of the last step, so the centre does too. */
static vec3 arm_of(const struct picture *picture, const struct contacts *contacts, size_t c,
                   size_t grain, double side) {
    const struct picture_grain *body = &picture->grains[grain];
    if (body->form == NULL)
        return vec3_scale(side * (body->radius + 0.5 * frame_real(contacts->gap, c, 0)),
                          frame_vector(contacts->normal, c));
    vec3 center = body->position;
    if (contacts->velocity != NULL)
        center = vec3_add_scaled(center, -contacts->lag, frame_vector(contacts->velocity, grain));
    return cell_branch(&contacts->cell, center, frame_vector(contacts->point, c));
}

/* side 1: the first body, -1: the second. */
static talus_status add_touch(struct picture *picture, const struct picture_frame_source *source,
                              const struct contacts *contacts, size_t c, double side,
                              bool with_wall, talus_error *err) {
    const struct frame_array *of = side > 0.0 ? contacts->id1 : contacts->id2;
    const struct ranked_id key = {.id = frame_integer(of, c, 0)};
    const struct ranked_id *found =
        bsearch(&key, contacts->ids, contacts->count, sizeof key, by_id);
    if (found == NULL)
        return error_set(err, TALUS_ERR_INPUT, "%s: a contact is of grain %lld, which is not there",
                         source->name, (long long)key.id);
    vec3 force = frame_vector(contacts->force, c);
    picture->touches[picture->touch_count++] =
        (struct picture_touch){.grain = found->grain,
                               .arm = arm_of(picture, contacts, c, found->grain, side),
                               .force = vec3_scale(-side, force),
                               .normal = vec3_dot(force, frame_vector(contacts->normal, c)),
                               .with_wall = with_wall};
    return TALUS_OK;
}

static talus_status add_block(struct picture *picture, const struct picture_frame_source *source,
                              struct contacts *contacts, enum frame_kind kind, talus_error *err) {
    const struct frame_block *block = &source->frame->blocks[kind];
    if (!block->present)
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: has no %s, which force chains and pressures need (scene: "
                         "output.frames.contacts)",
                         source->name, frame_kind_name(kind));
    const struct {
        const char *name;
        int components;
        const struct frame_array **to;
    } wanted[] = {{"id1", 1, &contacts->id1},       {"id2", 1, &contacts->id2},
                  {"normal", 3, &contacts->normal}, {"gap", 1, &contacts->gap},
                  {"point", 3, &contacts->point},   {"force", 3, &contacts->force}};
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        *wanted[k].to = find(block, wanted[k].name, wanted[k].components);
        if (*wanted[k].to == NULL)
            return lacks(source, wanted[k].name, "force chains and pressures", err);
    }
    for (size_t c = 0; c < contacts->id1->count; c++) {
        bool with_wall = kind == FRAME_WALL_CONTACTS;
        if (vec3_dot(frame_vector(contacts->force, c), frame_vector(contacts->normal, c)) == 0.0)
            continue;
        TALUS_TRY(add_touch(picture, source, contacts, c, 1.0, with_wall, err));
        if (!with_wall) TALUS_TRY(add_touch(picture, source, contacts, c, -1.0, false, err));
    }
    return TALUS_OK;
}

static talus_status gather_touches(struct picture *picture,
                                   const struct picture_frame_source *source, talus_error *err) {
    const struct frame_block *block = &source->frame->blocks[FRAME_PARTICLES];
    const struct frame_array *id = find(block, "id", 1),
                             *lag = frame_find_fact(block, "contact_lag");
    size_t count = picture->grain_count;
    if (id == NULL) return lacks(source, "id", "force chains and pressures", err);
    struct contacts contacts = {.count = count,
                                .velocity = find(block, "v", 3),
                                .lag = lag != NULL ? frame_real(lag, 0, 0) : 0.0,
                                .cell = cell_of(block)};
    contacts.ids = memory_resize(picture->memory, NULL, 0, count, sizeof *contacts.ids);
    if (contacts.ids == NULL) return error_memory(err);
    for (size_t i = 0; i < count; i++)
        contacts.ids[i] = (struct ranked_id){frame_integer(id, i, 0), i};
    qsort(contacts.ids, count, sizeof *contacts.ids, by_id);
    talus_status status = add_block(picture, source, &contacts, FRAME_CONTACTS, err);
    if (status >= 0) status = add_block(picture, source, &contacts, FRAME_WALL_CONTACTS, err);
    memory_free(picture->memory, contacts.ids, count, sizeof *contacts.ids);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static size_t wall_count(const struct frame *frame) {
    const struct frame_array *kind = frame_find_fact(&frame->blocks[FRAME_WALLS], "wall_kind");
    return frame->blocks[FRAME_WALLS].present && kind != NULL ? kind->count : 0;
}

talus_status picture_gather_frame(struct picture *picture,
                                  const struct picture_frame_source *source,
                                  const talus_picture_config *config, struct memory *memory,
                                  talus_error *err) {
    const struct frame *frame = source->frame;
    size_t touches = 2 * frame->blocks[FRAME_CONTACTS].offsets.count +
                     frame->blocks[FRAME_WALL_CONTACTS].offsets.count;
    *picture = picture_empty(frame->dim, config, memory);
    picture->time = frame->time;
    if (frame->dim < 1 || frame->dim > 3)
        return error_set(err, TALUS_ERR_INPUT, "%s: has %d dimensions", source->name, frame->dim);
    TALUS_TRY(picture_reserve(picture, frame->blocks[FRAME_PARTICLES].points.count, touches,
                              config->boundaries ? wall_count(frame) : 0, err));
    TALUS_TRY(gather_grains(picture, source, err));
    if (config->forces || picture_frame_color_of_contacts(source, config->color))
        TALUS_TRY(gather_touches(picture, source, err));
    if (config->boundaries) TALUS_TRY(picture_frame_walls(picture, source, err));
    TALUS_TRY(picture_frame_color(picture, source, config->color, err));
    return picture_complete(picture, config, err);
}
