/* SPDX-License-Identifier: Apache-2.0
 *
 * From the checked tree to struct talus_scene. The schema has seen to types, units and ranges; here
 * references are resolved and what depends on several keys is judged. Nodes with a mistake read as
 * absent, so that one mistake does not make others.
 */
#ifndef SCENE_READ_H
#define SCENE_READ_H

#include "math/vec3.h"
#include "scene/scene.h"
#include "scene/tree.h"

/* Names of what is there in the phase being read. */
struct present {
    const char **names;
    size_t count;
};

struct reader {
    struct talus_scene *scene;
    struct problems *problems;
    struct pool *pool;
    struct node *root;
    int dimension;
    bool bad_materials;           /* their list has a mistake: references are not judged */
    bool bad_shapes;              /* the same of the shapes */
    const int *density_exponents; /* power of m in each density's unit; 0 = written without unit */
    const char **wall_owners;     /* for each boundary the box it is a side of, or NULL */
    bool *wall_gone;              /* for each boundary: removed by an earlier phase */
    bool *wall_turns;             /* likewise: does not stand any more as it was given */
    struct present forces, membranes; /* in the phase being read */
};

/* ---- read_value.c: values of checked nodes ---- */

struct node *get(const struct node *map, const char *key); /* NULL: absent or bad */
bool get_has(const struct node *map, const char *key);     /* there at all, bad or not */
double get_number(const struct node *map, const char *key, double otherwise);
int64_t get_integer(const struct node *map, const char *key, int64_t otherwise);
bool get_boolean(const struct node *map, const char *key, bool otherwise);
const char *get_text(const struct node *map, const char *key, const char *otherwise);
vec3 get_vector(const struct node *map, const char *key);
size_t get_count(const struct node *map, const char *key); /* elements of a list */
bool get_contains(const struct node *map, const char *key, const char *word);

/* An array in the pool; NULL notes that memory ran out. */
void *read_array(struct reader *reader, size_t count, size_t size);
/* The numbers of a list. */
const double *read_numbers(struct reader *reader, const struct node *list);
/* The texts of a list. */
const char *const *read_names(struct reader *reader, const struct node *list);
/* Position in a list of words: the place of `word` in "a b c". */
int read_word(const char *word, const char *words);

/* A direction made a unit vector; a zero one is a mistake. */
vec3 read_direction(struct reader *reader, const struct node *map, const char *key);
/* A vector of the world: components in locked directions must be 0. */
vec3 read_world_vector(struct reader *reader, const struct node *map, const char *key);
vec3 read_world_direction(struct reader *reader, const struct node *map, const char *key);
/* Angular velocities and axes: along z in 2D, none in 1D. */
vec3 read_axis(struct reader *reader, const struct node *map, const char *key);
vec3 read_omega(struct reader *reader, const struct node *map, const char *key);
unsigned read_locks(const struct node *map);

/* Is this a group that some grains or sources belong to? */
void check_group(struct reader *reader, const struct node *name);
/* Two elements of a list with the same name. */
void check_unique_names(struct reader *reader, const struct node *list, const char *what);
void read_default_number(struct reader *reader, struct node *map, const char *key, double value);
void read_default_text(struct reader *reader, struct node *map, const char *key, const char *text);

/* ---- the parts of a scene, one file each ---- */

void read_from(struct reader *reader); /* read_grains.c */

void read_settings(struct reader *reader); /* dimension, gravity, time, cell, solver, limits */
talus_solver_config read_solver(struct reader *reader, struct node *map, talus_solver_config base);
void read_measures(struct reader *reader, struct node *list); /* of output */
void read_materials(struct reader *reader);
/* A material by name; the first one if the key is absent (and then it is put into the tree). */
int read_material(struct reader *reader, struct node *map);
/* Can grains of this shape get their mass from the density? */
void check_density(struct reader *reader, const struct node *map, int material, const char *shape,
                   const struct scene_shape *form);
const struct scene_pair *read_pairs(struct reader *reader, const struct node *list);
/* Of the key `radius`; the default bounds are put into the tree. */
struct scene_size read_size(struct reader *reader, struct node *map);
/* Of the keys `box` or `cylinder`; notes a region too small for the largest grain. */
struct scene_region read_region(struct reader *reader, const struct node *map, double largest);
/* The path as one that holds from any directory, because the resolved scene is written elsewhere.
 * NULL: out of memory, noted. */
const char *read_path(struct reader *reader, struct node *path);
void read_shapes(struct reader *reader);
/* A shape by name; NULL: there is none. */
const struct scene_shape *find_shape(const struct reader *reader, const char *name);
/* Of the keys `orientation` (or `turn`) and `angle`; if neither is there, `otherwise`. */
struct scene_turn read_turn(struct reader *reader, const struct node *map, const char *key,
                            struct scene_turn otherwise);
/* What only round grains can do, where grains of other shapes would do it. */
void check_shapes(struct reader *reader);
/* What soft polygons cannot do. */
void check_soft(struct reader *reader);
void read_grains(struct reader *reader);
void read_sources(struct reader *reader);
void read_boundaries(struct reader *reader);
talus_motion read_motion(struct reader *reader, struct node *map, vec3 point);

/* smooth.c: the spline through the points of a table, as a table with points `step` apart. */
talus_signal smooth_table(struct reader *reader, const talus_signal *points, double step);
talus_free_motion read_free(struct reader *reader, struct node *map, vec3 normal);
const struct scene_force *read_forces(struct reader *reader, const struct node *list);
const struct scene_membrane *read_membranes(struct reader *reader, const struct node *list);
/* A number, or a map with mean and oscillate or table. */
talus_signal read_signal(struct reader *reader, const struct node *node);
void read_phases(struct reader *reader);
void read_output(struct reader *reader);

#endif
