/* SPDX-License-Identifier: Apache-2.0
 * The grains of a checkpoint and what acts between them, for a scene that starts from them. */
#ifndef IO_CHECKPOINT_GRAINS_H
#define IO_CHECKPOINT_GRAINS_H

#include "detect/detect.h"

#define CHECKPOINT_GRAIN_FIELDS(FIELD) \
    FIELD(talus_vec3, position)        \
    FIELD(talus_vec3, velocity)        \
    FIELD(talus_vec3, omega)           \
    FIELD(talus_quat, orientation)     \
    FIELD(double, radius)              \
    FIELD(double, mass)                \
    FIELD(int32_t, shape)              \
    FIELD(int32_t, form)               \
    FIELD(int32_t, kind)               \
    FIELD(int32_t, material)           \
    FIELD(int32_t, group)              \
    FIELD(int32_t, boundary)           \
    FIELD(uint32_t, locks)

struct checkpoint_grains {
    struct memory memory;
    int32_t dim;
    bool soft;    /* of method md */
    double dt;    /* s, of the impulses */
    size_t count; /* bodies, boundaries among them */
#define FIELD(type, name) type *name;
    CHECKPOINT_GRAIN_FIELDS(FIELD)
#undef FIELD
    struct name *groups, *materials, *forms, *boundaries;
    size_t group_count, material_count, form_count, boundary_count;
    struct candidate *pairs;         /* bodies as numbered here */
    struct contact_memory *memories; /* of the pairs; NULL if no law needs any */
    size_t pair_count;
};

/* `path`: a checkpoint, or a directory that has one. Free it in any case. */
talus_status checkpoint_grains_read(struct checkpoint_grains *grains, const char *path,
                                    talus_error *err);
void checkpoint_grains_free(struct checkpoint_grains *grains);

#endif
