/* SPDX-License-Identifier: Apache-2.0
 *
 * A state to be looked at: what every measure takes. It is always filled from a frame (io/snapshot_frame.h), which comes
 * from a simulation or from files: so both give the same bits. Read-only for the measures.
 */
#ifndef MEASURE_SNAPSHOT_H
#define MEASURE_SNAPSHOT_H

#include "base/memory.h"
#include "talus/status.h"
#include "world/cell.h"

/* What a snapshot holds beside positions, radii and ids; frames may have been told to leave things out. */
enum snapshot_has {
    HAS_MASS = 1 << 0,
    HAS_V = 1 << 1,
    HAS_OMEGA = 1 << 2,
    HAS_ORIENTATION = 1 << 3,
    HAS_TYPE = 1 << 4,
    HAS_GROUP = 1 << 5,
    HAS_SHAPE = 1 << 6,
    HAS_IMAGE = 1 << 7,
    HAS_CELL = 1 << 8,
    HAS_CONTACTS = 1 << 9,
    HAS_POINT = 1 << 10,
    HAS_NORMAL = 1 << 11,
    HAS_FORCE = 1 << 12,
    HAS_GAP = 1 << 13,
    HAS_SLIDING = 1 << 14,
    HAS_MU = 1 << 15,
    HAS_TENSION = 1 << 16
};
enum { SNAPSHOT_BITS = 17 };
const char *snapshot_bit_name(int bit); /* of a bit's number: "mass", ... as in frames */

#define SNAPSHOT_GRAIN_FIELDS(FIELD)                                  \
    FIELD(int64_t, id)                                                \
    FIELD(vec3, position) /* m, inside the cell */                    \
    FIELD(vec3, velocity)                                             \
    FIELD(vec3, omega)                                                \
    FIELD(quat, orientation)                                          \
    FIELD(double, radius) /* m, of the sphere around it */            \
    FIELD(double, mass)   /* kg */                                    \
    FIELD(double, volume) /* m^dim; without `shape` that of a ball */ \
    FIELD(int32_t, type)  /* material, from 1 */                      \
    FIELD(int32_t, group)                                             \
    FIELD(int32_t, shape) /* 0: round */                              \
    FIELD(struct image, image)

/* All places are those of the moment to which the contact point belongs: of rigid grains the beginning of the last step, for
 * which the force was solved. So arm of a - arm of b = branch, for both grains alike. */
struct snapshot_contact {
    int32_t a, b; /* grains; b < 0: a wall */
    int64_t wall; /* its id; -1 */
    vec3 from;    /* m, the centre of a, from which branch and arm go */
    vec3 branch;  /* m, from the centre of a to that of b, the short way; to the point on a wall */
    vec3 arm;     /* m, from the centre of a to the contact point */
    vec3 normal;  /* from a to b */
    vec3 force;   /* N, on b */
    double gap;   /* m */
    double mu;    /* friction coefficient in force */
    double tension; /* N, that it can bear */
    bool sliding;
};

struct snapshot {
    struct memory memory;
    int dim;
    double time; /* s */
    int64_t step;
    struct cell cell;
    unsigned has;           /* HAS_* */
    size_t count, capacity; /* of grains */
#define FIELD(type, name) type *name;
    SNAPSHOT_GRAIN_FIELDS(FIELD)
#undef FIELD
    struct snapshot_contact *contacts;
    size_t contact_count, contact_capacity;
};

/* Room for so many, counts set, values not. */
talus_status snapshot_resize(struct snapshot *snapshot, size_t grains, size_t contacts,
                             talus_error *err);
void snapshot_discard(struct snapshot *snapshot);

/* ---- what measures share --------------------------------------------------------------------- */

static inline bool snapshot_is_round(const struct snapshot *snapshot, size_t grain) {
    return snapshot->shape[grain] == 0;
}
static inline double contact_normal_force(const struct snapshot_contact *contact) {
    return vec3_dot(contact->force, contact->normal);
}
static inline double contact_tangential_force(const struct snapshot_contact *contact) {
    return vec3_norm(vec3_tangential(contact->force, contact->normal));
}

/* Contacts that bear force: with more than 1e-6 of the mean of all forces that are not zero, as in network.h. */
double snapshot_bearing_force(const struct snapshot *snapshot);
/* Mean normal force of those of two grains; with more, a contact is strong, also one with a wall. 0 without any. */
double snapshot_strong_force(const struct snapshot *snapshot);
/* How many of these each grain has; `degree` has room for all grains. */
void snapshot_degrees(const struct snapshot *snapshot, int32_t *degree);

/* Grains by id. */
struct id_index {
    struct memory *memory;
    struct id_place {
        int64_t id;
        int32_t grain;
    } * places; /* by rising id */
    size_t count;
};
talus_status id_index_make(struct id_index *index, const struct snapshot *snapshot,
                           talus_error *err);
int32_t id_index_find(const struct id_index *index, int64_t id); /* -1: it is not there */
void id_index_free(struct id_index *index);

/* A box along the axes; dimensions that the world has not are without bounds. */
struct axis_box {
    double low[3], high[3];
};
/* Around all grains, along periodic axes the whole period: the same as in packing.h. */
struct axis_box snapshot_box(const struct snapshot *snapshot);
double snapshot_diameter(const struct snapshot *snapshot); /* m, the mean one; 0 without grains */
double box_volume(const struct axis_box *box, int dim);
bool box_holds(const struct axis_box *box, int dim, vec3 point); /* low <= x < high */

/* Periodic images of an interval: those shifts k, first to last, for which [low, high] + k period meets the box along
 * this axis. On an open axis, and along one without bounds, only 0: there everything counts once. */
struct shifts {
    int first[3], last[3];
};
struct shifts snapshot_shifts(const struct snapshot *snapshot, const struct axis_box *box, vec3 low,
                              vec3 high);
/* How many images of a point lie in the box. */
double snapshot_images_inside(const struct snapshot *snapshot, vec3 position,
                              const struct axis_box *box);
/* Position and its image so many periods away. */
vec3 snapshot_shifted(const struct snapshot *snapshot, vec3 position, const int shift[3]);

/* For each image that `shifts` allows; `shift` is an int[3]. */
#define FOR_EACH_SHIFT(shifts, shift)                                                \
    for (shift[0] = (shifts).first[0]; shift[0] <= (shifts).last[0]; shift[0]++)     \
        for (shift[1] = (shifts).first[1]; shift[1] <= (shifts).last[1]; shift[1]++) \
            for (shift[2] = (shifts).first[2]; shift[2] <= (shifts).last[2]; shift[2]++)

#endif
