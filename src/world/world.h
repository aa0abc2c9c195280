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
#include "geom/manifold.h"
#include "geom/shape.h"
#include "geom/surface.h"
#include "math/vec3.h"
#include "world/cell.h"
#include "world/signal.h"

enum { WORLD_NAME = 64 }; /* longest name, with its end */

#define WORLD_BODY_FIELDS(FIELD)                                                        \
    FIELD(vec3, position) /* m, inside the cell where it is periodic */                 \
    FIELD(vec3, velocity) /* m/s */                                                     \
    FIELD(vec3, omega)    /* rad/s, world frame */                                      \
    FIELD(quat, orientation)                                                            \
    FIELD(double, radius)          /* m, of the sphere around the body; 0: boundary */  \
    FIELD(double, mass)            /* kg */                                             \
    FIELD(double, inverse_mass)    /* 1/kg; 0: does not answer forces */                \
    FIELD(double, inertia)         /* kg m^2; grains with faces: mean of the moments */ \
    FIELD(double, inverse_inertia) /* 1/(kg m^2); 0: does not turn */                   \
    FIELD(struct image, image)     /* crossings of the periodic sides */                \
    FIELD(int32_t, shape)          /* shape_index; unused for boundaries and forms */   \
    FIELD(int32_t, form)           /* 1 + index of its form; 0: round */                \
    FIELD(int32_t, kind)           /* talus_body_kind */                                \
    FIELD(int32_t, material)                                                            \
    FIELD(int32_t, group)                                                               \
    FIELD(int32_t, boundary) /* index of the boundary, -1: grain */                     \
    FIELD(uint32_t, locks)   /* TALUS_LOCK_*; for boundaries unused */                  \
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
    bool has_forms; /* grains that are not round are made of it */
};

/* A grain shape that is not round: one convex part or several that move as one. Its frame has the axes in
 * which it was given and the centre of mass as its origin. */
struct part {
    struct convex hull;
    vec3 centre;    /* m, of a sphere around it, and its radius */
    double radius;  /* m */
    double density; /* of that of the material */
};
struct body_form {
    struct name name;
    size_t part_count;
    struct part *parts;
    double reach;  /* m, radius of the sphere around all of it */
    double inner;  /* m, radius of a ball that fits into its thinnest part */
    double volume; /* m^3; plane worlds m^2 */
    double mass;   /* kg, with a material of density 1 */
    vec3 centre;   /* m, of mass, in the coordinates in which it was given */
    mat3 inertia;  /* of mass 1: m^2, and its inverse */
    mat3 inverse_inertia;
    bool is_isotropic; /* all moments are equal, or the world is plane: turns like a ball */
};

struct boundary {
    struct name name;
    talus_index body;
    bool present;
    struct wall local;   /* at rest: normal and edge in the body frame, point = 0 */
    struct surface mesh; /* in the body frame; of cylinders of finite length as grains with faces
                            see them; empty for other shapes */
    double mesh_error;   /* m, how far such a mesh is from the wall at most */
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
    struct body_form *forms;
    size_t form_count, form_capacity;
    struct name *groups;
    size_t group_count, group_capacity;
    struct boundary *boundaries;
    size_t boundary_count, boundary_capacity;
    size_t mesh_count; /* of these are meshes */
    struct force *forces;
    size_t force_count, force_capacity;
    struct membrane *membranes; /* membrane.h */
    size_t membrane_count, membrane_capacity;
    vec3 *membrane_forces; /* N, on each body, of all membranes; computed once in a step */
    size_t membrane_force_count, membrane_force_capacity;
    size_t grain_count;
    double radius_min, radius_max; /* over grains; 0 without any */
    double thinnest;               /* m, half the thickness of the thinnest grain */
    talus_gid next_gid;
};

/* world.c */
void world_free(struct world *world);
vec3 world_project(const struct world *world, vec3 a); /* drops the locked directions */

/* Has gravity a hold on it? */
static inline bool world_has_weight(const struct world *world, size_t body) {
    int32_t boundary = world->bodies.boundary[body];
    return boundary < 0 ||
           (world->boundaries[boundary].is_free && !world->boundaries[boundary].free.weightless);
}

/* Do other forces than gravity act on grains from outside? */
static inline bool world_has_forces(const struct world *world) {
    return world->force_count > 0 || world->membrane_count > 0;
}

/* The directions of this world, as locks. */
static inline uint32_t world_all_locks(const struct world *world) {
    const uint32_t all[4] = {0, TALUS_LOCK_X, TALUS_LOCK_X | TALUS_LOCK_Y,
                             TALUS_LOCK_X | TALUS_LOCK_Y | TALUS_LOCK_Z};
    return all[world->dim];
}

/* Is the grain locked along all of them? It answers like one of infinite mass then. */
static inline bool world_is_held(const struct world *world, size_t body) {
    uint32_t all = world_all_locks(world);
    return (world->bodies.locks[body] & all) == all;
}

/* Is the body moved by forces, or only as it is told? */
static inline bool world_answers_forces(const struct world *world, size_t body) {
    return world->bodies.inverse_mass[body] > 0.0 || world->bodies.inverse_inertia[body] > 0.0;
}

/* form.c */
talus_status world_add_form(struct world *world, const char *name, const talus_shape_part *parts,
                            size_t count, talus_error *err);
int32_t world_find_form(const struct world *world, const char *name); /* index, -1: none */
void body_form_free(struct world *world, struct body_form *form);
/* The form of a grain; NULL if it is round. */
static inline const struct body_form *world_form(const struct world *world, size_t body) {
    int32_t form = world->bodies.form[body];
    return form > 0 ? &world->forms[form - 1] : NULL;
}
/* By how much a grain is larger than its form. */
static inline double world_scale(const struct world *world, size_t body) {
    return world->bodies.radius[body] / world_form(world, body)->reach;
}
/* Does it turn unequally about different axes? */
static inline bool world_is_anisotropic(const struct world *world, size_t body) {
    const struct body_form *form = world_form(world, body);
    return form != NULL && !form->is_isotropic && world->bodies.inverse_inertia[body] > 0.0;
}
/* Tensors of inertia in the world frame, for such grains. */
mat3 world_inertia(const struct world *world, size_t body);
mat3 world_inverse_inertia(const struct world *world, size_t body);
/* J, of turning with this angular velocity. */
double world_spin_energy(const struct world *world, size_t body, vec3 omega);
/* m^3, m^2 or m */
double world_grain_volume(const struct world *world, size_t body);
/* kg, of the grain with a material of density 1 */
double world_grain_mass(const struct world *world, size_t body);

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
void boundary_free(struct world *world, struct boundary *boundary); /* its signals */
/* boundary_tube.c: cylinders of finite length for grains that are not round; how far off they are, m. */
talus_status boundary_make_tube(struct world *world, const talus_boundary_def *def,
                                struct surface *mesh, talus_error *err);
double boundary_tube_error(const talus_boundary_def *def);
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
