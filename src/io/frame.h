/* SPDX-License-Identifier: Apache-2.0
 *
 * A frame: the state of a run at one moment as plain arrays, taken from a simulation (frame_gather) or read back from
 * files (vtp_read), from which every writer makes its format. What is in it: docs/files.md.
 *
 * A frame is made of blocks, each of them points with cells on them: vertices, lines or polygons. Arrays of numbers
 * belong to the points of a block of vertices and to the cells of the others; `facts` belong to a block as a whole.
 */
#ifndef IO_FRAME_H
#define IO_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "talus/sim.h"

enum {
    FRAME_NAME = 32,
    FRAME_DATA = 24,  /* arrays of one block */
    FRAME_FACTS = 20, /* facts of one block */
    FRAME_FILE = 64   /* bytes of a file's name */
};

enum frame_type { FRAME_INT32, FRAME_INT64, FRAME_FLOAT32, FRAME_FLOAT64, FRAME_TYPES };

struct frame_array {
    char name[FRAME_NAME];
    enum frame_type type;
    int components;
    size_t count;    /* tuples */
    size_t capacity; /* bytes that `values` has room for */
    void *values;
};

enum frame_cells { FRAME_VERTICES, FRAME_LINES, FRAME_POLYGONS };

enum frame_kind {
    FRAME_PARTICLES,
    FRAME_CONTACTS,      /* of two grains: lines from centre to centre */
    FRAME_WALL_CONTACTS, /* of a grain and a wall: lines from the centre to the contact point */
    FRAME_WALLS,
    FRAME_SURFACES, /* of grains that are not round */
    FRAME_MEMBRANES,
    FRAME_KINDS
};

struct frame_block {
    bool present;
    enum frame_cells cells;
    struct frame_array points;       /* 3 components */
    struct frame_array connectivity; /* Int64: points of all cells, one after the other */
    struct frame_array offsets;      /* Int64: where each cell ends in it */
    struct frame_array data[FRAME_DATA];
    size_t data_count;
    struct frame_array facts[FRAME_FACTS];
    size_t fact_count;
};

struct frame {
    struct memory memory;
    double time;
    int64_t step;
    int dim;
    struct frame_block blocks[FRAME_KINDS];
};

/* ---- frame.c --------------------------------------------------------------------------------- */

size_t frame_type_size(enum frame_type type);
const char *frame_type_name(enum frame_type type);    /* "Int32", ... */
const char *frame_kind_name(enum frame_kind kind);    /* "particles", ... */
const char *frame_cells_name(enum frame_cells cells); /* "Verts", "Lines", "Polys" */

/* Empty, but with all room kept for the next use. */
void frame_clear(struct frame *frame);
void frame_free(struct frame *frame);
void frame_block_free(struct frame_block *block, struct memory *memory);

/* Name and size of an array, with room for it; the values are not set. */
struct frame_shape_of {
    const char *name;
    enum frame_type type;
    int components;
    size_t count;
};
talus_status frame_array_size(struct frame_array *array, struct memory *memory,
                              struct frame_shape_of shape, talus_error *err);
/* One more array, or fact, of a block; NULL with the error set if memory ran out. */
struct frame_array *frame_add_data(struct frame_block *block, struct memory *memory,
                                   struct frame_shape_of shape, talus_error *err);
struct frame_array *frame_add_fact(struct frame_block *block, struct memory *memory,
                                   struct frame_shape_of shape, talus_error *err);
/* A fact of doubles, or one whole number. */
talus_status frame_put_fact(struct frame_block *block, struct memory *memory, const char *name,
                            const double *values, int components, talus_error *err);
talus_status frame_put_count(struct frame_block *block, struct memory *memory, const char *name,
                             int64_t value, talus_error *err);

/* Points, cells and connectivity of a block get their sizes. */
struct frame_sizes {
    size_t points, cells, corners;
};
talus_status frame_block_size(struct frame_block *block, struct memory *memory,
                              enum frame_cells cells, enum frame_type real,
                              struct frame_sizes sizes, talus_error *err);

/* Without the array of that name, if there is one. */
void frame_drop_data(struct frame_block *block, const char *name);
const struct frame_array *frame_find(const struct frame_block *block, const char *name);
const struct frame_array *frame_find_fact(const struct frame_block *block, const char *name);
/* Component k of tuple i. */
double frame_real(const struct frame_array *array, size_t i, int k);
int64_t frame_integer(const struct frame_array *array, size_t i, int k);
talus_vec3 frame_vector(const struct frame_array *array, size_t i);
void frame_set_real(struct frame_array *array, size_t i, int k, double value);
void frame_set_vector(struct frame_array *array, size_t i, talus_vec3 value);

/* ---- frame_shapes.c: the surface of each shape as polygons ----------------------------------- */

struct frame_shape {
    talus_vec3 *points; /* m, in the frame of the shape, as large as it was given */
    size_t point_count, point_capacity;
    int32_t *corners; /* of all polygons, one after the other */
    size_t corner_count, corner_capacity;
    int32_t *ends; /* where each polygon ends in `corners` */
    size_t polygon_count, polygon_capacity;
    int32_t *parts; /* to which part each polygon belongs */
    size_t part_capacity;
};

struct frame_shapes {
    struct memory memory;
    struct frame_shape *shapes;
    size_t count;
};

/* Coarse ones where there are so many grains that files would be large. */
talus_status frame_shapes_make(struct frame_shapes *shapes, const talus_sim *sim, talus_error *err);
void frame_shapes_free(struct frame_shapes *shapes);
enum { FRAME_PART_FACTS = 5 };
/* All shapes as one block, with `shape` and `part` of each polygon, and facts that tell the parts exactly. */
talus_status frame_shapes_block(const struct frame_shapes *shapes, const talus_sim *sim,
                                struct frame_block *block, struct memory *memory, talus_error *err);

/* ---- frame_gather.c -------------------------------------------------------------------------- */

/* What to take. */
struct frame_choice {
    const char *const
        *quantities; /* beside those that are always there; count 0: the standard ones */
    size_t quantity_count;
    bool contacts, walls, surfaces;
    bool float32; /* numbers of half the size, with seven digits */
};
struct frame_choice frame_choice_default(void);

/* What gathering needs beside the frame. It serves for all frames of a simulation; new memory costs more than what is
 * done with it. */
struct frame_room {
    struct memory memory;
    struct frame_shapes *shapes; /* NULL: no surfaces */
    size_t *grains;              /* bodies that are grains */
    talus_vec3 *force, *torque;  /* on each body, by its contacts */
    int32_t *coordination;
    size_t body_capacity;
    talus_contact *contacts, *with_walls;
    size_t contact_capacity, wall_capacity;
};

talus_status frame_gather(struct frame *frame, const talus_sim *sim,
                          const struct frame_choice *choice, struct frame_room *room,
                          talus_error *err);
void frame_room_free(struct frame_room *room);

/* The parts of gathering. */
talus_status frame_gather_walls(struct frame *frame, const talus_sim *sim, enum frame_type real,
                                talus_error *err);
talus_status frame_gather_membranes(struct frame *frame, const talus_sim *sim, enum frame_type real,
                                    talus_error *err);
talus_status frame_gather_surfaces(struct frame *frame, const talus_sim *sim,
                                   struct frame_shapes *shapes, enum frame_type real,
                                   talus_error *err);

#endif
