/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

const char *snapshot_bit_name(int bit) {
    static const char *const names[SNAPSHOT_BITS] = {
        "mass",     "v",     "omega",  "orientation", "type", "group",   "shape", "image",  "cell",
        "contacts", "point", "normal", "force",       "gap",  "sliding", "mu",    "tension"};
    return names[bit];
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void free_grains(struct snapshot *snapshot) {
#define FIELD(type, name)                                                             \
    memory_free(&snapshot->memory, snapshot->name, snapshot->capacity, sizeof(type)); \
    snapshot->name = NULL;
    SNAPSHOT_GRAIN_FIELDS(FIELD)
#undef FIELD
    snapshot->capacity = 0;
}

void snapshot_discard(struct snapshot *snapshot) {
    free_grains(snapshot);
    memory_free(&snapshot->memory, snapshot->contacts, snapshot->contact_capacity,
                sizeof *snapshot->contacts);
    *snapshot = (struct snapshot){.memory = snapshot->memory};
}

/* Anew: nothing has to be kept. */
static bool renew_grains(struct snapshot *snapshot, size_t count) {
    bool made = true;
    free_grains(snapshot);
    snapshot->capacity = count;
#define FIELD(type, name)                                                            \
    snapshot->name = memory_resize(&snapshot->memory, NULL, 0, count, sizeof(type)); \
    made = made && snapshot->name != NULL;
    SNAPSHOT_GRAIN_FIELDS(FIELD)
#undef FIELD
    return made;
}

talus_status snapshot_resize(struct snapshot *snapshot, size_t grains, size_t contacts,
                             talus_error *err) {
    snapshot->count = snapshot->contact_count = 0;
    if (snapshot->id == NULL || grains > snapshot->capacity)
        if (!renew_grains(snapshot, grains + grains / 4)) {
            free_grains(snapshot);
            return error_memory(err);
        }
    struct snapshot_contact *grown =
        memory_reserve(&snapshot->memory, snapshot->contacts, &snapshot->contact_capacity, contacts,
                       sizeof *grown);
    if (grown == NULL) return error_memory(err);
    snapshot->contacts = grown;
    snapshot->count = grains;
    snapshot->contact_count = contacts;
    return TALUS_OK;
}

/* ---- the network ----------------------------------------------------------------------------- */

double snapshot_bearing_force(const struct snapshot *snapshot) {
    static const double bearing_share = 1e-6; /* as network.c */
    double sum = 0.0, closed = 0.0;
    for (size_t c = 0; c < snapshot->contact_count; c++) {
        double force = vec3_norm(snapshot->contacts[c].force);
        sum += force;
        closed += force > 0.0;
    }
    return closed > 0.0 ? bearing_share * sum / closed : 0.0;
}

/* [Radjai1998]. How many contacts there are with walls, and what they bear, is not of the material. Pictures
 * (picture_complete.c) and the page (forces.js) take the same. */
double snapshot_strong_force(const struct snapshot *snapshot) {
    double least = snapshot_bearing_force(snapshot), sum = 0.0, count = 0.0;
    for (size_t c = 0; c < snapshot->contact_count; c++) {
        const struct snapshot_contact *contact = &snapshot->contacts[c];
        if (contact->b < 0 || !(vec3_norm(contact->force) > least)) continue;
        sum += contact_normal_force(contact);
        count += 1.0;
    }
    return count > 0.0 ? sum / count : 0.0;
}

void snapshot_degrees(const struct snapshot *snapshot, int32_t *degree) {
    double least = snapshot_bearing_force(snapshot);
    memset(degree, 0, snapshot->count * sizeof *degree);
    for (size_t c = 0; c < snapshot->contact_count; c++) {
        const struct snapshot_contact *contact = &snapshot->contacts[c];
        if (!(vec3_norm(contact->force) > least)) continue;
        degree[contact->a]++;
        if (contact->b >= 0) degree[contact->b]++;
    }
}

/* ---- by id ----------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b) {
    int64_t x = ((const struct id_place *)a)->id, y = ((const struct id_place *)b)->id;
    return (x > y) - (x < y);
}

talus_status id_index_make(struct id_index *index, const struct snapshot *snapshot,
                           talus_error *err) {
    index->count = snapshot->count;
    index->places =
        memory_resize(index->memory, NULL, 0, snapshot->count + 1, sizeof *index->places);
    if (index->places == NULL) return error_memory(err);
    for (size_t i = 0; i < snapshot->count; i++)
        index->places[i] = (struct id_place){snapshot->id[i], (int32_t)i};
    qsort(index->places, index->count, sizeof *index->places, by_id);
    return TALUS_OK;
}

int32_t id_index_find(const struct id_index *index, int64_t id) {
    struct id_place key = {.id = id};
    const struct id_place *found = bsearch(&key, index->places, index->count, sizeof key, by_id);
    return found != NULL ? found->grain : -1;
}

void id_index_free(struct id_index *index) {
    memory_free(index->memory, index->places, index->count + 1, sizeof *index->places);
    index->places = NULL;
}

/* ---- boxes ----------------------------------------------------------------------------------- */

struct axis_box snapshot_box(const struct snapshot *snapshot) {
    struct axis_box box;
    for (int axis = 0; axis < 3; axis++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < snapshot->count; i++) {
            double x = vec3_component(snapshot->position[i], axis), r = snapshot->radius[i];
            low = fmin(low, x - r);
            high = fmax(high, x + r);
        }
        if (snapshot->cell.periodic[axis]) {
            low = vec3_component(snapshot->cell.origin, axis);
            high = low + vec3_component(snapshot->cell.size, axis);
        }
        bool bounded = axis < snapshot->dim && low <= high;
        box.low[axis] = bounded ? low : axis < snapshot->dim ? 0.0 : -HUGE_VAL;
        box.high[axis] = bounded ? high : axis < snapshot->dim ? 0.0 : HUGE_VAL;
    }
    return box;
}

double snapshot_diameter(const struct snapshot *snapshot) {
    double sum = 0.0;
    for (size_t i = 0; i < snapshot->count; i++) sum += 2.0 * snapshot->radius[i];
    return snapshot->count > 0 ? sum / (double)snapshot->count : 0.0;
}

double box_volume(const struct axis_box *box, int dim) {
    double volume = 1.0;
    for (int axis = 0; axis < dim; axis++) volume *= box->high[axis] - box->low[axis];
    return volume;
}

bool box_holds(const struct axis_box *box, int dim, vec3 point) {
    for (int axis = 0; axis < dim; axis++) {
        double x = vec3_component(point, axis);
        if (!(x >= box->low[axis] && x < box->high[axis])) return false;
    }
    return true;
}

struct shifts snapshot_shifts(const struct snapshot *snapshot, const struct axis_box *box, vec3 low,
                              vec3 high) {
    struct shifts shifts = {{0, 0, 0}, {0, 0, 0}};
    for (int axis = 0; axis < snapshot->dim; axis++) {
        if (!snapshot->cell.periodic[axis] || !isfinite(box->low[axis])) continue;
        double period = vec3_component(snapshot->cell.size, axis);
        shifts.first[axis] = (int)ceil((box->low[axis] - vec3_component(high, axis)) / period);
        shifts.last[axis] = (int)floor((box->high[axis] - vec3_component(low, axis)) / period);
    }
    return shifts;
}

vec3 snapshot_shifted(const struct snapshot *snapshot, vec3 position, const int shift[3]) {
    vec3 size = snapshot->cell.size;
    if (snapshot->cell.periodic[0]) position.x += shift[0] * size.x;
    if (snapshot->cell.periodic[1]) position.y += shift[1] * size.y;
    if (snapshot->cell.periodic[2]) position.z += shift[2] * size.z;
    return position;
}

double snapshot_images_inside(const struct snapshot *snapshot, vec3 position,
                              const struct axis_box *box) {
    struct shifts shifts = snapshot_shifts(snapshot, box, position, position);
    int shift[3];
    double inside = 0.0;
    FOR_EACH_SHIFT(shifts, shift)
    inside += box_holds(box, snapshot->dim, snapshot_shifted(snapshot, position, shift));
    return inside;
}
