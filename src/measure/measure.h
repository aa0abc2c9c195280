/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures by name: measures.def lists them with their parameters. A measure looks at a snapshot and adds columns, rows and
 * notes to an empty table. docs/measures.md has the formulas.
 */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include "measure/snapshot.h"
#include "talus/catalog.h"
#include "talus/table.h"

enum measure_kind { TAKES_NUMBER, TAKES_COUNT, TAKES_WORD, TAKES_VECTOR };

struct measure_parameter {
    int measure; /* whose */
    const char *name;
    enum measure_kind kind;
    const char *unit;    /* of a bare number; "" = pure number */
    const char *initial; /* as text; "" = none, see its meaning */
    double low, high;    /* NUMBER, COUNT */
    const char *words;   /* WORD: "one two" */
    const char *meaning;
};

struct measure_value {
    bool given; /* or has a default */
    double number;
    vec3 vector;
    int word; /* which of the words, from 0 */
};

enum { MEASURE_PARAMETERS = 12 }; /* of one measure, at most */

/* The parameters of one measure in their order; made by measure_values_read (scene/measure_values.h). */
struct measure_values {
    const struct measure_type *type;
    struct measure_value values[MEASURE_PARAMETERS];
};

/* What can be known before anything is measured: of a scene, and of any of its states. */
struct measure_world {
    int dim;
    struct cell cell;
    int types, groups; /* number of materials, of groups; 0: not known */
};

/* Judges parameters that depend on each other or on the world. *key names those that are wrong, "flow gradient". */
typedef talus_status measure_check_function(const struct measure_values *values,
                                            const struct measure_world *world, const char **key,
                                            talus_error *err);

/* What a measure gets. */
struct measure_input {
    const struct snapshot *now;
    const struct snapshot *before; /* an earlier state; NULL: none. Only for those that need two */
    const struct snapshot *first;  /* the earliest state; NULL: none */
    const struct measure_values *values;
    talus_table *table;    /* empty */
    struct memory *memory; /* for what is needed in between */
    bool running;          /* a row of a run: its files must not grow without bound */
};

typedef talus_status measure_function(const struct measure_input *input, talus_error *err);

/* Those that the list names: what can be wrong with a box, and more. */
measure_check_function measure_check_none, measure_check_box, measure_check_forces,
    measure_check_rose, measure_check_profile, measure_check_fields, measure_check_inertial,
    measure_check_flow, measure_check_mixing, measure_check_rdf;

/* One for each line of the list. */
#define MEASURE(name, ...) measure_function measure_take_##name;
#include "measure/measures.def"

/* Whether a state gives one row, which can be columns of a series: depends on the word `of` of some. */
enum measure_row { ROW_NEVER, ROW_ALWAYS, ROW_FIRST, ROW_SECOND };

struct measure_type {
    talus_entry entry; /* kind "measure" */
    enum measure_row one_row;
    bool two_states; /* compares with an earlier state */
    unsigned needs;  /* HAS_* */
    measure_check_function *check;
    measure_function *take;
};

size_t measure_count(void);
const struct measure_type *measure_get(size_t index);
const struct measure_type *measure_find(const char *name); /* NULL: there is none */
const struct measure_parameter *measure_parameters(const struct measure_type *type, size_t *count);
bool measure_is_one_row(const struct measure_values *values);

/* All that can be wrong with parameters, before anything is measured: what passes is wrong in no state of this world, but
 * for memory and the size of grids. */
talus_status measure_check(const struct measure_values *values, const struct measure_world *world,
                           const char **key, talus_error *err);

/* Checks its parameters and that what it needs is there, and takes it. `table` is zeroed first, and freed if that fails. */
talus_status measure_take(const struct measure_input *input, talus_error *err);

/* ---- for the measures ------------------------------------------------------------------------ */

#define MEASURE_NONE ((double)NAN) /* a value that there is none of */

/* Values by name; asking for one that the measure has not is our bug. */
const struct measure_value *measure_value(const struct measure_values *values, const char *name);
double measure_number(const struct measure_values *values, const char *name);
size_t measure_size(const struct measure_values *values, const char *name);
int measure_word(const struct measure_values *values, const char *name);

/* The box of the parameters `from` and `to`; without them that around all grains. */
struct axis_box measure_box(const struct measure_input *input);
/* A box given by `from` and `to`, which the check calls so, without the axis `free` (-1: none). */
talus_status measure_check_corners(const struct measure_values *values,
                                   const struct measure_world *world, const char *what, int free,
                                   const char **key, talus_error *err);
/* A place along an axis in a periodic world is within so many periods of its cell, so that images can be counted. */
enum { MEASURE_PERIODS = 1000 };
bool measure_is_near(const struct measure_world *world, int axis, double place);
void measure_note_box(talus_table *table, const struct axis_box *box, int dim);

/* A line if volumes may be wrong because shapes were not stored, and one if grains are not round. */
void measure_note_shapes(talus_table *table, const struct snapshot *snapshot);

/* Columns: {name, unit} up to a NULL name. */
struct measure_column {
    const char *name, *unit;
};
talus_status measure_columns(talus_table *table, const struct measure_column *columns,
                             talus_error *err);
/* x, y, z as far as the world has them: prefix_x, ... */
talus_status measure_vector_columns(talus_table *table, const char *prefix, const char *unit,
                                    int dim, talus_error *err);
/* xx, xy, ... as far as the world has them */
talus_status measure_tensor_columns(talus_table *table, const char *prefix, const char *unit,
                                    int dim, talus_error *err);
double *measure_put_vector(double *row, vec3 value, int dim);        /* returns its end */
double *measure_put_tensor(double *row, const mat3 *value, int dim); /* returns its end */

/* Units by dimension: Pa, N/m, N; m^3, m^2, m; kg/m^3, ... */
const char *measure_stress_unit(int dim);
const char *measure_volume_unit(int dim);
const char *measure_density_unit(int dim);

#endif
