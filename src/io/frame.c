/* SPDX-License-Identifier: Apache-2.0 */
#include "io/frame.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* ---- names ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t size;
} types[FRAME_TYPES] = {{"Int32", 4}, {"Int64", 8}, {"Float32", 4}, {"Float64", 8}};

size_t frame_type_size(enum frame_type type) {
    return types[type].size;
}

const char *frame_type_name(enum frame_type type) {
    return types[type].name;
}

const char *frame_kind_name(enum frame_kind kind) {
    static const char *const names[FRAME_KINDS] = {"particles", "contacts", "wall_contacts",
                                                   "walls",     "surfaces", "membranes"};
    return names[kind];
}

const char *frame_cells_name(enum frame_cells cells) {
    return cells == FRAME_VERTICES ? "Verts" : cells == FRAME_LINES ? "Lines" : "Polys";
}

/* ---- arrays ---------------------------------------------------------------------------------- */

talus_status frame_array_size(struct frame_array *array, struct memory *memory,
                              struct frame_shape_of shape, talus_error *err) {
    size_t bytes = shape.count * (size_t)shape.components * frame_type_size(shape.type);
    if (array->values == NULL || bytes > array->capacity) {
        /* A quarter more: the number of contacts changes a little from frame to frame. */
        size_t room = array->capacity > 0 ? bytes + bytes / 4 : bytes;
        memory_free(memory, array->values, array->capacity, 1);
        array->capacity = 0;
        array->values = memory_resize(memory, NULL, 0, room, 1);
        if (array->values == NULL) return error_memory(err);
        array->capacity = room;
    }
    snprintf(array->name, FRAME_NAME, "%s", shape.name);
    array->type = shape.type;
    array->components = shape.components;
    array->count = shape.count;
    return TALUS_OK;
}

static void free_array(struct frame_array *array, struct memory *memory) {
    memory_free(memory, array->values, array->capacity, 1);
    *array = (struct frame_array){.count = 0};
}

struct frame_array *frame_add_data(struct frame_block *block, struct memory *memory,
                                   struct frame_shape_of shape, talus_error *err) {
    assert(block->data_count < FRAME_DATA);
    struct frame_array *array = &block->data[block->data_count];
    if (frame_array_size(array, memory, shape, err) < 0) return NULL;
    block->data_count++;
    return array;
}

struct frame_array *frame_add_fact(struct frame_block *block, struct memory *memory,
                                   struct frame_shape_of shape, talus_error *err) {
    assert(block->fact_count < FRAME_FACTS);
    struct frame_array *array = &block->facts[block->fact_count];
    if (frame_array_size(array, memory, shape, err) < 0) return NULL;
    block->fact_count++;
    return array;
}

talus_status frame_put_fact(struct frame_block *block, struct memory *memory, const char *name,
                            const double *values, int components, talus_error *err) {
    struct frame_shape_of shape = {name, FRAME_FLOAT64, components, 1};
    struct frame_array *array = frame_add_fact(block, memory, shape, err);
    if (array == NULL) return TALUS_ERR_MEMORY;
    memcpy(array->values, values, (size_t)components * sizeof *values);
    return TALUS_OK;
}

talus_status frame_put_count(struct frame_block *block, struct memory *memory, const char *name,
                             int64_t value, talus_error *err) {
    struct frame_shape_of shape = {name, FRAME_INT64, 1, 1};
    struct frame_array *array = frame_add_fact(block, memory, shape, err);
    if (array == NULL) return TALUS_ERR_MEMORY;
    memcpy(array->values, &value, sizeof value);
    return TALUS_OK;
}

double frame_real(const struct frame_array *array, size_t i, int k) {
    size_t at = i * (size_t)array->components + (size_t)k;
    switch (array->type) {
    case FRAME_INT32: return ((const int32_t *)array->values)[at];
    case FRAME_INT64: return (double)((const int64_t *)array->values)[at];
    case FRAME_FLOAT32: return (double)((const float *)array->values)[at];
    default: return ((const double *)array->values)[at];
    }
}

int64_t frame_integer(const struct frame_array *array, size_t i, int k) {
    size_t at = i * (size_t)array->components + (size_t)k;
    if (array->type == FRAME_INT32) return ((const int32_t *)array->values)[at];
    if (array->type == FRAME_INT64) return ((const int64_t *)array->values)[at];
    return (int64_t)frame_real(array, i, k);
}

talus_vec3 frame_vector(const struct frame_array *array, size_t i) {
    return (talus_vec3){frame_real(array, i, 0), frame_real(array, i, 1), frame_real(array, i, 2)};
}

void frame_set_real(struct frame_array *array, size_t i, int k, double value) {
    size_t at = i * (size_t)array->components + (size_t)k;
    if (array->type == FRAME_FLOAT32)
        ((float *)array->values)[at] = (float)value;
    else
        ((double *)array->values)[at] = value;
}

void frame_set_vector(struct frame_array *array, size_t i, talus_vec3 value) {
    frame_set_real(array, i, 0, value.x);
    frame_set_real(array, i, 1, value.y);
    frame_set_real(array, i, 2, value.z);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

talus_status frame_block_size(struct frame_block *block, struct memory *memory,
                              enum frame_cells cells, enum frame_type real,
                              struct frame_sizes sizes, talus_error *err) {
    block->present = true;
    block->cells = cells;
    TALUS_TRY(frame_array_size(&block->points, memory,
                               (struct frame_shape_of){"Points", real, 3, sizes.points}, err));
    TALUS_TRY(frame_array_size(
        &block->connectivity, memory,
        (struct frame_shape_of){"connectivity", FRAME_INT64, 1, sizes.corners}, err));
    return frame_array_size(&block->offsets, memory,
                            (struct frame_shape_of){"offsets", FRAME_INT64, 1, sizes.cells}, err);
}

static const struct frame_array *find(const struct frame_array *arrays, size_t count,
                                      const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(arrays[i].name, name) == 0) return &arrays[i];
    return NULL;
}

const struct frame_array *frame_find(const struct frame_block *block, const char *name) {
    return find(block->data, block->data_count, name);
}

/* Its room goes behind the last one. */
void frame_drop_data(struct frame_block *block, const char *name) {
    for (size_t d = 0; d < block->data_count; d++) {
        if (strcmp(block->data[d].name, name) != 0) continue;
        struct frame_array dropped = block->data[d];
        for (size_t k = d + 1; k < block->data_count; k++) block->data[k - 1] = block->data[k];
        block->data[--block->data_count] = dropped;
        return;
    }
}

const struct frame_array *frame_find_fact(const struct frame_block *block, const char *name) {
    return find(block->facts, block->fact_count, name);
}

void frame_clear(struct frame *frame) {
    for (int kind = 0; kind < FRAME_KINDS; kind++) {
        struct frame_block *block = &frame->blocks[kind];
        block->present = false;
        block->data_count = block->fact_count = 0;
    }
}

void frame_block_free(struct frame_block *block, struct memory *memory) {
    free_array(&block->points, memory);
    free_array(&block->connectivity, memory);
    free_array(&block->offsets, memory);
    for (int i = 0; i < FRAME_DATA; i++) free_array(&block->data[i], memory);
    for (int i = 0; i < FRAME_FACTS; i++) free_array(&block->facts[i], memory);
    block->present = false;
    block->data_count = block->fact_count = 0;
}

void frame_free(struct frame *frame) {
    for (int kind = 0; kind < FRAME_KINDS; kind++)
        frame_block_free(&frame->blocks[kind], &frame->memory);
}
