/* SPDX-License-Identifier: Apache-2.0
 * Contacts as the ends of the bars that show their forces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "page/pack.h"

/* Ids of the grains in order, to find the place of one. */
struct place {
    int64_t id;
    size_t at;
};

struct places {
    struct place *sorted;
    size_t count;
};

static int compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    return a->id < b->id ? -1 : a->id > b->id;
}

static const struct place *find(const struct places *places, int64_t id) {
    struct place key = {.id = id};
    return places->count > 0
               ? bsearch(&key, places->sorted, places->count, sizeof key, compare_places)
               : NULL;
}

static talus_status sort_places(struct places *places, const struct frame_block *grains,
                                struct memory *memory, talus_error *err) {
    const struct frame_array *id = frame_find(grains, "id");
    size_t count = id != NULL ? id->count : 0;
    *places = (struct places){.count = count};
    if (count == 0) return TALUS_OK;
    places->sorted = memory_resize(memory, NULL, 0, count, sizeof *places->sorted);
    if (places->sorted == NULL) return error_memory(err);
    for (size_t i = 0; i < count; i++)
        places->sorted[i] = (struct place){frame_integer(id, i, 0), i};
    qsort(places->sorted, count, sizeof *places->sorted, compare_places);
    return TALUS_OK;
}

static bool is_vector(const struct frame_array *array) {
    return array != NULL && array->components == 3;
}

/* A bar goes from the centre of the first grain to that of the second, or to the contact point with a wall. A frame holds
 * these lines; of a final state (export: lines along the normal) they are made here: beyond the contact point as far as
 * before it where the second grain is not near, that is across a periodic side. A final state tells no cell. */
struct bars {
    const struct frame_block *grains, *contacts;
    const struct frame_array *id1, *id2, *point;
    const struct frame_array *ids, *shapes;    /* of all grains */
    const struct frame_array *periodic, *size; /* of the cell */
    bool stored;
    struct places places;
};

/* The centre of a grain; of a wall, which is no grain, the contact point. */
static bool centre(const struct bars *bars, const struct frame_array *id, size_t c, double out[3]) {
    const struct place *place = find(&bars->places, frame_integer(id, c, 0));
    for (int k = 0; k < 3; k++)
        out[k] = place != NULL ? frame_real(&bars->grains->points, place->at, k)
                               : frame_real(bars->point, c, k);
    return place != NULL;
}

static void made_ends(const struct bars *bars, size_t c, double ends[2][3]) {
    double before = 0.0, after = 0.0, point[3];
    bool first = centre(bars, bars->id1, c, ends[0]), second = centre(bars, bars->id2, c, ends[1]);
    if (!first || !second) return;
    for (int k = 0; k < 3; k++) {
        point[k] = frame_real(bars->point, c, k);
        before += (point[k] - ends[0][k]) * (point[k] - ends[0][k]);
        after += (point[k] - ends[1][k]) * (point[k] - ends[1][k]);
    }
    const double far = 100.0; /* squared ratio: no two grains touch so unevenly, a cell is larger */
    for (int k = 0; k < 3 && after > far * before; k++) ends[1][k] = 2.0 * point[k] - ends[0][k];
    for (int k = 0; k < 3 && before > far * after; k++) ends[0][k] = 2.0 * point[k] - ends[1][k];
}

static void find_ends(const struct bars *bars, size_t c, double ends[2][3]) {
    const int64_t *corners = bars->contacts->connectivity.values;
    if (!bars->stored) {
        made_ends(bars, c, ends);
        return;
    }
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < 3; k++)
            ends[e][k] = frame_real(&bars->contacts->points, (size_t)corners[2 * c + (size_t)e], k);
}

static talus_status add_ends(struct pack *pack, enum frame_kind kind, const struct bars *bars,
                             talus_error *err) {
    size_t count = bars->contacts->offsets.count;
    float *out =
        pack_add(pack, (struct pack_section){"ends", (int)kind, PACK_FLOAT32, 6, count}, err);
    if (out == NULL) return TALUS_ERR_MEMORY;
    for (size_t c = 0; c < count; c++) {
        double ends[2][3];
        find_ends(bars, c, ends);
        for (int e = 0; e < 2; e++)
            for (int k = 0; k < 3; k++) *out++ = (float)(ends[e][k] - pack->origin[k]);
    }
    return TALUS_OK;
}

/* ---- by way of the contact point ------------------------------------------------------------- */

static bool all_round(const struct frame_array *shapes) {
    for (size_t i = 0; i < shapes->count; i++)
        if (frame_integer(shapes, i, 0) != 0) return false;
    return true;
}

/* Of a grain that is not known to have another shape, too. */
static bool is_round(const struct bars *bars, const struct frame_array *id, size_t c) {
    const struct place *place = find(&bars->places, frame_integer(id, c, 0));
    return place == NULL || place->at >= bars->shapes->count || place->at >= bars->ids->count ||
           frame_integer(bars->ids, place->at, 0) != place->id ||
           frame_integer(bars->shapes, place->at, 0) == 0;
}

/* The image of the point that is nearest to the first centre: as bars are, it is not brought back into the cell. */
static void nearest_image(const struct bars *bars, const double from[3], double point[3]) {
    if (!pack_is_fact(bars->periodic) || !pack_is_fact(bars->size)) return;
    for (int k = 0; k < 3; k++) {
        double period = pack_fact(bars->size, k);
        if (pack_fact(bars->periodic, k) != 0.0 && period > 0.0)
            point[k] -= period * rint((point[k] - from[k]) / period);
    }
}

/* Two spheres touch on the line between their centres. Their point is left out, which is that of the start of the last step
 * and would bend the bars of grains that fly: it is the first centre instead. */
static void find_via(const struct bars *bars, size_t c, double via[3]) {
    double ends[2][3];
    bool straight = is_round(bars, bars->id1, c) && is_round(bars, bars->id2, c);
    find_ends(bars, c, ends);
    for (int k = 0; k < 3; k++) via[k] = straight ? ends[0][k] : frame_real(bars->point, c, k);
    nearest_image(bars, ends[0], via);
}

static talus_status add_via(struct pack *pack, const struct bars *bars, talus_error *err) {
    size_t count = bars->contacts->offsets.count;
    if (!is_vector(bars->point) || bars->id1 == NULL || bars->id2 == NULL || bars->ids == NULL ||
        bars->shapes == NULL || all_round(bars->shapes))
        return TALUS_OK;
    struct pack_section section = {"via", FRAME_CONTACTS, PACK_FLOAT32, 3, count};
    float *out = pack_add(pack, section, err);
    if (out == NULL) return TALUS_ERR_MEMORY;
    for (size_t c = 0; c < count; c++) {
        double via[3];
        find_via(bars, c, via);
        for (int k = 0; k < 3; k++) *out++ = (float)(via[k] - pack->origin[k]);
    }
    return TALUS_OK;
}

/* Of walls, at which bars end. */
static talus_status add_normals(struct pack *pack, const struct frame_block *block,
                                talus_error *err) {
    const struct frame_array *normal = frame_find(block, "normal");
    size_t count = block->offsets.count;
    if (!is_vector(normal)) return TALUS_OK;
    struct pack_section section = {"normal", FRAME_WALL_CONTACTS, PACK_FLOAT32, 3, count};
    float *out = pack_add(pack, section, err);
    if (out == NULL) return TALUS_ERR_MEMORY;
    for (size_t c = 0; c < count; c++)
        for (int k = 0; k < 3; k++) *out++ = (float)frame_real(normal, c, k);
    return TALUS_OK;
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* Normal and tangential force from the whole one, where a frame does not hold them. */
static void split_force(const struct frame_block *block, size_t c, double *normal,
                        double *tangential) {
    const struct frame_array *force = frame_find(block, "force"), *n = frame_find(block, "normal");
    double square = 0.0;
    *normal = *tangential = 0.0;
    if (!is_vector(force) || !is_vector(n)) return;
    for (int k = 0; k < 3; k++) {
        *normal += frame_real(force, c, k) * frame_real(n, c, k);
        square += frame_real(force, c, k) * frame_real(force, c, k);
    }
    *tangential = sqrt(fmax(0.0, square - *normal * *normal));
}

static talus_status add_forces(struct pack *pack, enum frame_kind kind,
                               const struct frame_block *block, talus_error *err) {
    const struct frame_array *fn = frame_find(block, "fn"), *ft = frame_find(block, "ft");
    size_t count = block->offsets.count;
    float *out =
        pack_add(pack, (struct pack_section){"forces", (int)kind, PACK_FLOAT32, 2, count}, err);
    if (out == NULL) return TALUS_ERR_MEMORY;
    for (size_t c = 0; c < count; c++) {
        double normal, tangential;
        split_force(block, c, &normal, &tangential);
        *out++ = (float)(fn != NULL ? frame_real(fn, c, 0) : normal);
        *out++ = (float)(ft != NULL ? frame_real(ft, c, 0) : tangential);
    }
    return TALUS_OK;
}

talus_status pack_contacts(struct pack *pack, const struct frame_block *grains,
                           const struct frame *contacts, enum frame_kind kind, talus_error *err) {
    const struct frame_block *block = &contacts->blocks[kind];
    struct bars bars = {
        .grains = &contacts->blocks[FRAME_PARTICLES],
        .ids = frame_find(grains, "id"),
        .shapes = frame_find(grains, "shape"),
        .periodic = frame_find_fact(grains, "cell_periodic"),
        .size = frame_find_fact(grains, "cell_size"),
        .contacts = block,
        .id1 = frame_find(block, "id1"),
        .id2 = frame_find(block, "id2"),
        .point = frame_find(block, "point"),
        .stored = frame_find_fact(&contacts->blocks[FRAME_PARTICLES], "cell_periodic") != NULL};
    bool complete = bars.stored || (bars.id1 != NULL && bars.id2 != NULL && is_vector(bars.point));
    if (!block->present || block->offsets.count == 0 || !complete) return TALUS_OK;
    if (2 * block->offsets.count != block->connectivity.count)
        return error_set(err, TALUS_ERR_INPUT, "a contact is no line of two points");
    struct memory *memory = &pack->to->memory;
    TALUS_TRY(sort_places(&bars.places, bars.grains, memory, err));
    talus_status status = add_ends(pack, kind, &bars, err);
    if (status >= 0 && kind == FRAME_CONTACTS) status = add_via(pack, &bars, err);
    if (status >= 0 && kind == FRAME_WALL_CONTACTS) status = add_normals(pack, block, err);
    memory_free(memory, bars.places.sorted, bars.places.count, sizeof *bars.places.sorted);
    return status < 0 ? status : add_forces(pack, kind, block, err);
}
