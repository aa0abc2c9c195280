/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of the simulated world: bodies, materials, boundaries, external forces, the cell.
 *
 * Bodies are arrays (one array for each quantity). A boundary owns one body, so that a solver sees
 * grains, moving walls and pistons alike; nothing holds a pointer into the arrays, only indices.
 */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include "base/memory.h"
#include "geom/distance.h"
#include "geom/shape.h"
#include "math/vec3.h"
#include "world/cell.h"
#include "world/signal.h"

enum { WORLD_NAME = 64 }; /* longest name, with its end */

#define WORLD_BODY_FIELDS(FIELD)                                                       \
    FIELD(vec3, position) /* m, inside the cell where it is periodic */                \
    FIELD(vec3, velocity) /* m/s */                                                    \
    FIELD(vec3, omega)    /* rad/s, world frame */                                     \
    FIELD(quat, orientation)                                                           \
    FIELD(double, radius)          /* m, of the sphere around the body; 0: boundary */ \
    FIELD(double, mass)            /* kg */                                            \
    FIELD(double, inverse_mass)    /* 1/kg; 0: does not answer forces */               \
    FIELD(vec3, inertia)           /* kg m^2, principal moments in the body frame */   \
    FIELD(double, inverse_inertia) /* 1/(kg m^2), isotropic; 0: does not turn */       \
    FIELD(struct image, image)     /* crossings of the periodic sides */               \
    FIELD(int32_t, shape)          /* shape_index; unused for boundaries */            \
    FIELD(int32_t, kind)           /* talus_body_kind */                               \
    FIELD(int32_t, material)                                                           \
    FIELD(int32_t, group)                                                              \
    FIELD(int32_t, boundary) /* index of the boundary, -1: grain */                    \
    FIELD(uint32_t, locks)   /* TALUS_LOCK_*; for boundaries unused */                 \
    FIELD(talus_gid, gid)

struct bodies {
    size_t count, capacity;
#define FIELD(type, name) type *name;
    WORLD_BODY_FIELDS(FIELD)
#undef FIELD
};

struct name {
    char text[WORLD_NAME];
};

struct material {
    struct name name;
    double density;
};

struct boundary {
    struct name name;
    talus_index body;
    bool present;
    struct wall local; /* at rest: normal and edge in the body frame, point = 0 */
    talus_motion motion;
    talus_free_motion free;
    bool is_free;        /* it slides or turns under forces */
    double motion_start; /* s: when the prescribed motion was set, and where it stood then */
    vec3 base_point;
    quat base_orientation;
    vec3 force, torque, impulse; /* by the grains: last step, and summed over time */
};

struct force {
    struct name name;
    int32_t group;
    vec3 direction;
    talus_signal signal;
};

struct world {
    struct memory *memory;
    int dim;
    vec3 gravity;
    double time; /* s */
    struct cell cell;
    struct bodies bodies;
    struct material *materials;
    size_t material_count, material_capacity;
    talus_pair_law *pairs; /* material_capacity^2, symmetric */
    struct name *groups;
    size_t group_count, group_capacity;
    struct boundary *boundaries;
    size_t boundary_count, boundary_capacity;
    struct force *forces;
    size_t force_count, force_capacity;
    size_t grain_count;
    double radius_min, radius_max; /* over grains; 0 without any */
    talus_gid next_gid;
};

/* world.c */
void world_free(struct world *world);
vec3 world_project(const struct world *world, vec3 a); /* drops the locked directions */

/* Is the body moved by forces, or only as it is told? */
static inline bool world_answers_forces(const struct world *world, size_t body) {
    return world->bodies.inverse_mass[body] > 0.0 || world->bodies.inverse_inertia[body] > 0.0;
}

/* bodies.c */
talus_status world_add_bodies(struct world *world, const talus_body_def *defs, size_t count,
                              talus_error *err);
talus_status bodies_reserve(struct world *world, size_t count, talus_error *err);
/* One more body with every field zero except orientation and gid; room must have been reserved. */
talus_index bodies_append(struct world *world);
void bodies_free(struct world *world);

/* material.c */
talus_status world_add_material(struct world *world, const char *name, double density, int *out,
                                talus_error *err);
talus_status world_set_pair(struct world *world, int a, int b, const talus_pair_law *law,
                            talus_error *err);
static inline const talus_pair_law *world_pair(const struct world *world, int a, int b) {
    return &world->pairs[(size_t)a * world->material_capacity + (size_t)b];
}
talus_status name_check(struct name *to, const char *what, const char *text, talus_error *err);
talus_status world_group(struct world *world, const char *name, int32_t *out, talus_error *err);
int32_t world_find_group(const struct world *world, const char *name); /* -1: none */

/* boundary_check.c */
talus_status boundary_check_shape(const struct world *world, const talus_boundary_def *def,
                                  talus_error *err);
talus_status boundary_check_motion(const struct world *world, const char *name,
                                   const struct wall *local, const talus_motion *motion,
                                   talus_error *err);
talus_status boundary_check_free(const struct world *world, const char *name,
                                 const struct wall *local, const talus_free_motion *free_motion,
                                 talus_error *err);

/* boundary.c */
talus_status world_add_boundary(struct world *world, const talus_boundary_def *def,
                                talus_error *err);
struct boundary *world_find_boundary(const struct world *world, const char *name, talus_error *err);
talus_status boundary_set_motion(struct world *world, struct boundary *boundary,
                                 const talus_motion *motion, talus_error *err);
talus_status boundary_set_free(struct world *world, struct boundary *boundary,
                               const talus_free_motion *free_motion, talus_error *err);
void boundary_free(struct world *world, struct boundary *boundary);
/* Where it stands now. */
struct wall boundary_wall(const struct world *world, const struct boundary *boundary);
/* Velocities that carry a prescribed boundary from where it is to where it must be at `time`. */
void boundary_prescribed(const struct world *world, const struct boundary *boundary, double time,
                         double dt, vec3 *velocity, vec3 *omega);

/* force.c */
talus_status world_set_force(struct world *world, const char *name, const char *group,
                             vec3 direction, const talus_signal *signal, talus_error *err);
talus_status world_remove_force(struct world *world, const char *name, talus_error *err);
/* The external force on a grain at `time`, without gravity. */
vec3 world_force(const struct world *world, talus_index body, double time);

#endif
