/* SPDX-License-Identifier: Apache-2.0 */
#include "io/snapshot_frame.h"

#include <string.h>

#include "base/error.h"
#include "geom/shape.h"
#include "sim/quantities.h"

/* ---- values of arrays that may be missing ------------------------------------------------------- */

static vec3 vector_of(const struct frame_array *array, size_t i) {
    if (array == NULL) return vec3_zero();
    return vec3_make(frame_real(array, i, 0), frame_real(array, i, 1), frame_real(array, i, 2));
}

static double real_of(const struct frame_array *array, size_t i) {
    return array != NULL ? frame_real(array, i, 0) : 0.0;
}

static int32_t integer_of(const struct frame_array *array, size_t i, int k) {
    return array != NULL ? (int32_t)frame_integer(array, i, k) : 0;
}

static quat quat_of(const struct frame_array *array, size_t i) {
    if (array == NULL) return quat_identity();
    return (quat){frame_real(array, i, 0), frame_real(array, i, 1), frame_real(array, i, 2),
                  frame_real(array, i, 3)};
}

/* The bits of the arrays that are there. */
static unsigned bits_of(const struct frame_block *block, unsigned of) {
    unsigned has = 0;
    for (int bit = 0; bit < SNAPSHOT_BITS; bit++)
        if (of & 1u << bit && frame_find(block, snapshot_bit_name(bit)) != NULL) has |= 1u << bit;
    return has;
}

/* ---- grains ---------------------------------------------------------------------------------- */

static void take_cell(struct snapshot *snapshot, const struct frame_block *block) {
    const struct frame_array *periodic = frame_find_fact(block, "cell_periodic");
    const struct frame_array *origin = frame_find_fact(block, "cell_origin");
    const struct frame_array *size = frame_find_fact(block, "cell_size");
    snapshot->cell = (struct cell){.any = false};
    if (periodic == NULL || origin == NULL || size == NULL) return;
    talus_cell_config config = {.origin = vector_of(origin, 0), .size = vector_of(size, 0)};
    for (int axis = 0; axis < 3; axis++)
        config.periodic[axis] = frame_real(periodic, 0, axis) != 0.0;
    snapshot->cell = cell_make(&config);
    snapshot->has |= HAS_CELL;
}

/* Shapes have the volume `shape_volume` where their radius is 1. */
static double volume_of(const struct snapshot *snapshot, const struct frame_array *shapes,
                        int32_t shape, double radius) {
    double size = snapshot->dim == 1 ? radius : radius * radius;
    if (snapshot->dim == 3) size *= radius;
    if (shape > 0 && shapes != NULL && (size_t)shape <= shapes->count)
        return frame_real(shapes, (size_t)shape - 1, 0) * size;
    if (snapshot->dim == 1) return 2.0 * radius;
    return shape_get(shape_find(snapshot->dim == 2 ? "disc" : "sphere"))->volume(radius);
}

static talus_status take_grains(struct snapshot *to, const struct frame_block *block,
                                talus_error *err) {
    const struct frame_array *id = frame_find(block, "id"), *radius = frame_find(block, "radius"),
                             *mass = frame_find(block, "mass"), *v = frame_find(block, "v"),
                             *omega = frame_find(block, "omega"),
                             *orientation = frame_find(block, "orientation"),
                             *type = frame_find(block, "type"), *group = frame_find(block, "group"),
                             *shape = frame_find(block, "shape"),
                             *image = frame_find(block, "image"),
                             *shapes = frame_find_fact(block, "shape_volume");
    for (size_t i = 0; i < to->count; i++) {
        to->id[i] = frame_integer(id, i, 0);
        to->position[i] = vector_of(&block->points, i);
        to->radius[i] = frame_real(radius, i, 0);
        to->velocity[i] = vector_of(v, i);
        to->omega[i] = vector_of(omega, i);
        to->orientation[i] = quat_of(orientation, i);
        to->mass[i] = real_of(mass, i);
        to->type[i] = integer_of(type, i, 0);
        to->group[i] = integer_of(group, i, 0);
        to->shape[i] = integer_of(shape, i, 0);
        to->image[i] = (struct image){integer_of(image, i, 0), integer_of(image, i, 1),
                                      integer_of(image, i, 2)};
        to->volume[i] = volume_of(to, shapes, to->shape[i], to->radius[i]);
        if (!vec3_is_finite(to->position[i]) || !(to->radius[i] > 0.0))
            return error_set(err, TALUS_ERR_INPUT, "grain %lld has no finite position or no radius",
                             (long long)to->id[i]);
    }
    return TALUS_OK;
}

/* ---- contacts -------------------------------------------------------------------------------- */

struct contact_arrays {
    const struct frame_array *id1, *id2, *point, *normal, *force, *gap, *mu, *tension, *sliding;
};

static struct contact_arrays arrays_of(const struct frame_block *block) {
    return (struct contact_arrays){.id1 = frame_find(block, "id1"),
                                   .id2 = frame_find(block, "id2"),
                                   .point = frame_find(block, "point"),
                                   .normal = frame_find(block, "normal"),
                                   .force = frame_find(block, "force"),
                                   .gap = frame_find(block, "gap"),
                                   .mu = frame_find(block, "mu"),
                                   .tension = frame_find(block, "tension"),
                                   .sliding = frame_find(block, "sliding")};
}

/* Where a grain was when the point of its contacts was found: when the last step began. */
static vec3 centre_then(const struct snapshot *snapshot, int32_t grain, double lag) {
    return vec3_add_scaled(snapshot->position[grain], -lag, snapshot->velocity[grain]);
}

static talus_status take_contacts(struct snapshot *to, const struct frame_block *block,
                                  const struct id_index *index, double lag, size_t first,
                                  talus_error *err) {
    struct contact_arrays arrays = arrays_of(block);
    size_t n = arrays.id1 != NULL && arrays.id2 != NULL ? arrays.id1->count : 0;
    for (size_t i = 0; i < n; i++) {
        struct snapshot_contact *contact = &to->contacts[first + i];
        int64_t second = frame_integer(arrays.id2, i, 0);
        int32_t a = id_index_find(index, frame_integer(arrays.id1, i, 0));
        int32_t b = id_index_find(index, second);
        if (a < 0)
            return error_set(err, TALUS_ERR_INPUT,
                             "a contact names the grain %lld, which is not there",
                             (long long)frame_integer(arrays.id1, i, 0));
        *contact = (struct snapshot_contact){.a = a,
                                             .b = b,
                                             .wall = b < 0 ? second : -1,
                                             .normal = vector_of(arrays.normal, i),
                                             .force = vector_of(arrays.force, i),
                                             .gap = real_of(arrays.gap, i),
                                             .mu = real_of(arrays.mu, i),
                                             .tension = real_of(arrays.tension, i),
                                             .sliding = integer_of(arrays.sliding, i, 0) != 0};
        contact->from = centre_then(to, a, lag);
        if (arrays.point != NULL)
            contact->arm = cell_branch(&to->cell, contact->from, vector_of(arrays.point, i));
        contact->branch =
            b >= 0 ? cell_branch(&to->cell, contact->from, centre_then(to, b, lag)) : contact->arm;
    }
    return TALUS_OK;
}

static talus_status take_network(struct snapshot *to, const struct frame *frame, talus_error *err) {
    const struct frame_block *grains = &frame->blocks[FRAME_PARTICLES];
    const struct frame_block *pairs = &frame->blocks[FRAME_CONTACTS];
    const struct frame_block *walls = &frame->blocks[FRAME_WALL_CONTACTS];
    const struct frame_array *lag = frame_find_fact(grains, "contact_lag");
    struct id_index index = {.memory = &to->memory};
    TALUS_TRY(id_index_make(&index, to, err));
    double seconds = real_of(lag, 0);
    size_t n = pairs->present ? frame_find(pairs, "id1")->count : 0;
    talus_status status = TALUS_OK;
    if (pairs->present) status = take_contacts(to, pairs, &index, seconds, 0, err);
    if (status >= 0 && walls->present) status = take_contacts(to, walls, &index, seconds, n, err);
    id_index_free(&index);
    return status;
}

static talus_status count_contacts(const struct frame_block *block, size_t *count,
                                   talus_error *err) {
    if (!block->present) return TALUS_OK;
    if (frame_find(block, "id1") == NULL || frame_find(block, "id2") == NULL)
        return error_set(err, TALUS_ERR_INPUT, "the frame's contacts have no id1, id2");
    *count += frame_find(block, "id1")->count;
    return TALUS_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

talus_status snapshot_from_frame(struct snapshot *snapshot, const struct frame *frame,
                                 talus_error *err) {
    static const unsigned of_grains = HAS_MASS | HAS_V | HAS_OMEGA | HAS_ORIENTATION | HAS_TYPE |
                                      HAS_GROUP | HAS_SHAPE | HAS_IMAGE,
                          of_contacts = HAS_POINT | HAS_NORMAL | HAS_FORCE | HAS_GAP | HAS_SLIDING |
                                        HAS_MU | HAS_TENSION;
    const struct frame_block *grains = &frame->blocks[FRAME_PARTICLES];
    const struct frame_block *pairs = &frame->blocks[FRAME_CONTACTS];
    size_t contacts = 0;
    if (!grains->present || frame_find(grains, "id") == NULL ||
        frame_find(grains, "radius") == NULL)
        return error_set(err, TALUS_ERR_INPUT, "the frame has no grains with id and radius");
    TALUS_TRY(count_contacts(pairs, &contacts, err));
    TALUS_TRY(count_contacts(&frame->blocks[FRAME_WALL_CONTACTS], &contacts, err));
    TALUS_TRY(snapshot_resize(snapshot, grains->points.count, contacts, err));
    snapshot->dim = frame->dim;
    snapshot->time = frame->time;
    snapshot->step = frame->step;
    snapshot->has = bits_of(grains, of_grains);
    if (pairs->present) snapshot->has |= HAS_CONTACTS | bits_of(pairs, of_contacts);
    take_cell(snapshot, grains);
    TALUS_TRY(take_grains(snapshot, grains, err));
    return take_network(snapshot, frame, err);
}

talus_status snapshot_from_sim(struct snapshot *snapshot, struct live *live, const talus_sim *sim,
                               talus_error *err) {
    const char *names[QUANTITY_COUNT];
    for (int i = 0; i < QUANTITY_COUNT; i++) names[i] = quantity_get(i)->entry.name;
    struct frame_choice choice = {
        .quantities = names, .quantity_count = QUANTITY_COUNT, .contacts = true};
    TALUS_TRY(frame_gather(&live->frame, sim, &choice, &live->room, err));
    return snapshot_from_frame(snapshot, &live->frame, err);
}

void live_free(struct live *live) {
    frame_free(&live->frame);
    frame_room_free(&live->room);
}
