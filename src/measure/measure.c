/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/measure.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* ---- the list -------------------------------------------------------------------------------- */

enum measure_number {
#define MEASURE(name, ...) NUMBER_##name,
#include "measure/measures.def"
    MEASURE_COUNT
};

static const struct measure_parameter parameters[] = {
#define PARAMETER(measure_, name_, kind_, unit_, initial_, low_, high_, words_, meaning_) \
    {.measure = NUMBER_##measure_,                                                        \
     .name = #name_,                                                                      \
     .kind = TAKES_##kind_,                                                               \
     .unit = unit_,                                                                       \
     .initial = initial_,                                                                 \
     .low = low_,                                                                         \
     .high = high_,                                                                       \
     .words = words_,                                                                     \
     .meaning = meaning_},
#include "measure/measures.def"
};
enum { PARAMETER_COUNT = sizeof parameters / sizeof parameters[0] };

/* Where the parameters of each one begin is counted when it is asked for. */
static const struct measure_type types[MEASURE_COUNT] = {
#define MEASURE(name_, one_row_, two_states_, needs_, check_, citation_, summary_)             \
    {.entry = {.kind = "measure", .name = #name_, .summary = summary_, .citation = citation_}, \
     .one_row = one_row_,                                                                      \
     .two_states = two_states_,                                                                \
     .needs = needs_,                                                                          \
     .check = measure_check_##check_,                                                          \
     .take = measure_take_##name_},
#include "measure/measures.def"
};

size_t measure_count(void) {
    return MEASURE_COUNT;
}

const struct measure_type *measure_get(size_t index) {
    return &types[index];
}

const struct measure_type *measure_find(const char *name) {
    for (size_t i = 0; i < MEASURE_COUNT; i++)
        if (strcmp(types[i].entry.name, name) == 0) return &types[i];
    return NULL;
}

const struct measure_parameter *measure_parameters(const struct measure_type *type, size_t *count) {
    int number = (int)(type - types), first = 0;
    while (first < PARAMETER_COUNT && parameters[first].measure != number) first++;
    int end = first;
    while (end < PARAMETER_COUNT && parameters[end].measure == number) end++;
    *count = (size_t)(end - first);
    assert(*count <= MEASURE_PARAMETERS);
    return &parameters[first];
}

/* ---- values ---------------------------------------------------------------------------------- */

static const struct measure_value *find_value(const struct measure_values *values,
                                              const char *name) {
    size_t count;
    const struct measure_parameter *own = measure_parameters(values->type, &count);
    for (size_t k = 0; k < count; k++)
        if (strcmp(own[k].name, name) == 0) return &values->values[k];
    return NULL;
}

const struct measure_value *measure_value(const struct measure_values *values, const char *name) {
    const struct measure_value *value = find_value(values, name);
    assert(value != NULL);
    return value;
}

double measure_number(const struct measure_values *values, const char *name) {
    return measure_value(values, name)->number;
}

size_t measure_size(const struct measure_values *values, const char *name) {
    return (size_t)measure_value(values, name)->number;
}

int measure_word(const struct measure_values *values, const char *name) {
    return measure_value(values, name)->word;
}

bool measure_is_one_row(const struct measure_values *values) {
    const struct measure_value *of = find_value(values, "of");
    switch (values->type->one_row) {
    case ROW_FIRST: return of->word == 0;
    case ROW_SECOND: return of->word == 1;
    default: return values->type->one_row == ROW_ALWAYS;
    }
}

/* ---- taking one ------------------------------------------------------------------------------ */

static talus_status check_needs(const struct measure_input *input, talus_error *err) {
    unsigned missing = input->values->type->needs & ~input->now->has;
    char names[200] = "";
    size_t length = 0;
    if (missing == 0) return TALUS_OK;
    for (int bit = 0; bit < SNAPSHOT_BITS; bit++)
        if (missing & (1u << bit))
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length > 0 ? ", " : "", snapshot_bit_name(bit));
    return error_set(err, TALUS_ERR_INPUT, "%s needs what was not stored: %s",
                     input->values->type->entry.name, names);
}

talus_status measure_take(const struct measure_input *input, talus_error *err) {
    struct measure_world world = {.dim = input->now->dim, .cell = input->now->cell};
    const char *key;
    memset(input->table, 0, sizeof *input->table);
    talus_status status = check_needs(input, err);
    if (status >= 0) status = measure_check(input->values, &world, &key, err);
    if (status >= 0) status = input->values->type->take(input, err);
    if (status < 0) talus_table_free(input->table);
    return status;
}

/* ---- for the measures ------------------------------------------------------------------------ */

struct axis_box measure_box(const struct measure_input *input) {
    const struct measure_value *from = measure_value(input->values, "from");
    const struct measure_value *to = measure_value(input->values, "to");
    struct axis_box box = snapshot_box(input->now);
    for (int axis = 0; axis < input->now->dim && from->given; axis++) {
        box.low[axis] = vec3_component(from->vector, axis);
        box.high[axis] = vec3_component(to->vector, axis);
    }
    return box;
}

void measure_note_box(talus_table *table, const struct axis_box *box, int dim) {
    char text[200];
    size_t length = 0;
    for (int axis = 0; axis < dim; axis++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%c %.9g to %.9g m",
                                   axis > 0 ? ", " : "", "xyz"[axis], box -> low[axis],
                                   box -> high[axis]);
    talus_table_note(table, "box: %s, %.9g %s", text, box_volume(box, dim),
                     measure_volume_unit(dim));
}

void measure_note_shapes(talus_table *table, const struct snapshot *snapshot) {
    bool odd = false;
    for (size_t i = 0; i < snapshot->count; i++) odd = odd || !snapshot_is_round(snapshot, i);
    if (odd) talus_table_note(table, "grains that are not round are where their centre is");
    if (!(snapshot->has & HAS_SHAPE))
        talus_table_note(table, "shapes were not stored: grains are taken as round");
}

talus_status measure_columns(talus_table *table, const struct measure_column *columns,
                             talus_error *err) {
    for (; columns->name != NULL; columns++)
        TALUS_TRY(talus_table_add_column(table, columns->name, columns->unit, err));
    return TALUS_OK;
}

talus_status measure_vector_columns(talus_table *table, const char *prefix, const char *unit,
                                    int dim, talus_error *err) {
    for (int i = 0; i < dim; i++) {
        char name[TALUS_COLUMN_NAME];
        snprintf(name, sizeof name, "%s%c", prefix, "xyz"[i]);
        TALUS_TRY(talus_table_add_column(table, name, unit, err));
    }
    return TALUS_OK;
}

talus_status measure_tensor_columns(talus_table *table, const char *prefix, const char *unit,
                                    int dim, talus_error *err) {
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            char name[TALUS_COLUMN_NAME];
            snprintf(name, sizeof name, "%s%c%c", prefix, "xyz"[i], "xyz"[j]);
            TALUS_TRY(talus_table_add_column(table, name, unit, err));
        }
    return TALUS_OK;
}

double *measure_put_vector(double *row, vec3 value, int dim) {
    for (int i = 0; i < dim; i++) *row++ = vec3_component(value, i);
    return row;
}

double *measure_put_tensor(double *row, const mat3 *value, int dim) {
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) *row++ = value->m[i][j];
    return row;
}

const char *measure_stress_unit(int dim) {
    return dim == 3 ? "Pa" : dim == 2 ? "N/m" : "N";
}

const char *measure_volume_unit(int dim) {
    return dim == 3 ? "m^3" : dim == 2 ? "m^2" : "m";
}

const char *measure_density_unit(int dim) {
    return dim == 3 ? "kg/m^3" : dim == 2 ? "kg/m^2" : "kg/m";
}
