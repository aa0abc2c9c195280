/* SPDX-License-Identifier: Apache-2.0
 * Shared by the files that read shapes: the list (read_shapes.c), parts (read_parts.c), parts from
 * files (read_mesh.c). */
#ifndef SCENE_READ_SHAPES_H
#define SCENE_READ_SHAPES_H

#include "base/random.h"
#include "scene/read.h"

struct shapes_reader {
    struct reader *reader;
    talus_sim *sim; /* that has all shapes so far and nothing else */
    size_t number;  /* of the shape being read */
};

/* A part while it is read: the hull of the points, swept by the rounding. */
struct outline {
    vec3 *points;
    size_t count;
    double rounding;
};

/* Points in the pool, all zero; false: out of memory, noted. */
bool outline_room(struct reader *reader, struct outline *outline, size_t count);
void outline_scale(struct outline *outline, double scale);

/* Of the key `file`. */
bool read_mesh(struct reader *reader, struct node *map, struct outline *outline);

/* Of the key `mesh` of a boundary. */
void read_mesh_wall(struct reader *reader, struct node *map, talus_boundary_def *def);

/* The one convex part that a map describes. False: a mistake, noted. */
bool read_part(struct shapes_reader *shapes, const struct node *map, talus_shape_part *part);
/* The same, at its place in a cluster. */
bool read_placed_part(struct shapes_reader *shapes, const struct node *map, talus_shape_part *part);
/* A random one, by the key `voronoi`. */
bool read_random_part(struct shapes_reader *shapes, const struct node *map, struct random *random,
                      talus_shape_part *part);

#endif
