/* SPDX-License-Identifier: Apache-2.0
 *
 * How well two kinds of grains are mixed [Lacey1954]:
 *     M = (s0^2 - s^2)/(s0^2 - sR^2)
 * s^2 is the variance of the share c_k of the first kind in cells with N_k grains, weighted by number, about the share p of
 * all: s^2 = sum N_k (c_k - p)^2 / N. Segregated: s0^2 = p (1 - p). Random: what is expected of s^2 if the kinds are dealt out
 * to the same N grains in the same K cells by chance, sR^2 = p (1 - p) (K - 1)/(N - 1). Cells with fewer than `least` grains
 * are left out of all sums. M is 0 when segregated and 1 on average when random.
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "measure/measure.h"

struct mixing {
    struct memory *memory;
    int kinds[2];
    struct axis_box box;
    double edge;
    struct sample {
        int64_t cell[3];
        int kind;
    } * samples;
    size_t count;
    double total[2];
    vec3 sum[2]; /* of positions */
};

static int kind_of(const struct measure_input *input, size_t grain) {
    bool by_type = measure_word(input->values, "kind") == 1;
    return by_type ? input->now->type[grain] : input->now->group[grain];
}

/* The lowest kind above this one. */
static bool next_kind(const struct measure_input *input, double above, int *kind) {
    bool found = false;
    for (size_t i = 0; i < input->now->count; i++) {
        int here = kind_of(input, i);
        if (here > above && (!found || here < *kind)) {
            *kind = here;
            found = true;
        }
    }
    return found;
}

/* False: there are not two kinds. */
static bool choose_kinds(const struct measure_input *input, struct mixing *mixing) {
    const struct measure_value *first = measure_value(input->values, "first"),
                               *second = measure_value(input->values, "second");
    bool there = true;
    mixing->kinds[0] = (int)first->number;
    mixing->kinds[1] = (int)second->number;
    if (!first->given) there = next_kind(input, -HUGE_VAL, &mixing->kinds[0]);
    if (!second->given && there) there = next_kind(input, mixing->kinds[0], &mixing->kinds[1]);
    return there && mixing->kinds[0] != mixing->kinds[1];
}

/* Its numbers along the axes: cells may be as many as they like, only those with grains are counted. */
static struct sample sample_of(const struct mixing *mixing, const struct snapshot *snapshot,
                               vec3 at, int kind) {
    static const double most = 9e15; /* exact in a double */
    struct sample sample = {.kind = kind};
    for (int axis = 0; axis < snapshot->dim; axis++) {
        double size = mixing->box.high[axis] - mixing->box.low[axis];
        double cells = fmin(fmax(1.0, rint(size / mixing->edge)), most);
        double place = floor((vec3_component(at, axis) - mixing->box.low[axis]) / size * cells);
        sample.cell[axis] = (int64_t)fmin(fmax(place, 0.0), cells - 1.0);
    }
    return sample;
}

static talus_status collect(const struct measure_input *input, struct mixing *mixing,
                            talus_error *err) {
    const struct snapshot *snapshot = input->now;
    mixing->samples =
        memory_resize(mixing->memory, NULL, 0, snapshot->count + 1, sizeof *mixing->samples);
    if (mixing->samples == NULL) return error_memory(err);
    for (size_t i = 0; i < snapshot->count; i++) {
        int here = kind_of(input, i), kind = here == mixing->kinds[0] ? 0 : 1;
        if (here != mixing->kinds[kind]) continue;
        vec3 at = snapshot->position[i];
        if (!box_holds(&mixing->box, snapshot->dim, at)) continue;
        mixing->total[kind] += 1.0;
        mixing->sum[kind] = vec3_add(mixing->sum[kind], at);
        mixing->samples[mixing->count++] = sample_of(mixing, snapshot, at, kind);
    }
    return TALUS_OK;
}

static int by_cell(const void *a, const void *b) {
    const int64_t *x = ((const struct sample *)a)->cell, *y = ((const struct sample *)b)->cell;
    for (int axis = 0; axis < 3; axis++)
        if (x[axis] != y[axis]) return x[axis] > y[axis] ? 1 : -1;
    return 0;
}

struct lacey {
    double grains, firsts, cells, squares; /* N, of the first kind, K, sum N_k c_k^2 */
};

static struct lacey sum_cells(struct mixing *mixing, double least) {
    struct lacey lacey = {0.0, 0.0, 0.0, 0.0};
    qsort(mixing->samples, mixing->count, sizeof *mixing->samples, by_cell);
    for (size_t i = 0, end; i < mixing->count; i = end) {
        double firsts = 0.0;
        for (end = i;
             end < mixing->count && by_cell(&mixing->samples[end], &mixing->samples[i]) == 0; end++)
            firsts += mixing->samples[end].kind == 0;
        double n = (double)(end - i);
        if (n < least) continue;
        lacey.grains += n;
        lacey.firsts += firsts;
        lacey.cells += 1.0;
        lacey.squares += firsts * firsts / n;
    }
    return lacey;
}

static talus_status put_mixing(const struct measure_input *input, struct mixing *mixing,
                               talus_error *err) {
    int dim = input->now->dim;
    static const struct measure_column columns[] = {
        {"M", ""},     {"s2", ""},     {"s2_segregated", ""}, {"s2_random", ""},
        {"cells", ""}, {"grains", ""}, {NULL, NULL}};
    struct lacey lacey = sum_cells(mixing, measure_number(input->values, "least"));
    double n = lacey.grains, p = n > 0.0 ? lacey.firsts / n : MEASURE_NONE;
    double square = n > 0.0 ? fmax(0.0, lacey.squares / n - p * p) : MEASURE_NONE;
    double segregated = p * (1.0 - p);
    double random = n > 1.0 ? segregated * (lacey.cells - 1.0) / (n - 1.0) : MEASURE_NONE;
    double row[20], *at = row;
    *at++ = segregated > random ? (segregated - square) / (segregated - random) /* [Lacey1954] */
                                : MEASURE_NONE;
    *at++ = square;
    *at++ = segregated;
    *at++ = random;
    *at++ = lacey.cells;
    *at++ = n;
    TALUS_TRY(measure_columns(input->table, columns, err));
    TALUS_TRY(measure_vector_columns(input->table, "first_", "m", dim, err));
    TALUS_TRY(measure_vector_columns(input->table, "second_", "m", dim, err));
    for (int kind = 0; kind < 2; kind++)
        at = measure_put_vector(
            at,
            vec3_scale(mixing->total[kind] > 0.0 ? 1.0 / mixing->total[kind] : MEASURE_NONE,
                       mixing->sum[kind]),
            dim);
    return talus_table_add_row(input->table, row, err);
}

/* Materials have numbers from 1, groups from 0. */
static talus_status check_kind(const struct measure_values *values,
                               const struct measure_world *world, const char *key,
                               talus_error *err) {
    const struct measure_value *number = measure_value(values, key);
    bool by_type = measure_word(values, "kind") == 1;
    int lowest = by_type ? 1 : 0, count = by_type ? world->types : world->groups;
    if (!number->given || count == 0 ||
        (number->number >= lowest && number->number < lowest + count))
        return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "mixing: %s = %.0f: %s have the numbers %d to %d, in their order", key,
                     number->number, by_type ? "materials" : "groups", lowest, lowest + count - 1);
}

talus_status measure_check_mixing(const struct measure_values *values,
                                  const struct measure_world *world, const char **key,
                                  talus_error *err) {
    const struct measure_value *first = measure_value(values, "first"),
                               *second = measure_value(values, "second");
    *key = "second";
    if (first->given && second->given && first->number == second->number)
        return error_set(err, TALUS_ERR_INPUT,
                         "mixing: first and second are both %.0f; they must be two kinds",
                         first->number);
    TALUS_TRY(check_kind(values, world, *key = "first", err));
    TALUS_TRY(check_kind(values, world, *key = "second", err));
    return measure_check_box(values, world, key, err);
}

talus_status measure_take_mixing(const struct measure_input *input, talus_error *err) {
    const struct snapshot *snapshot = input->now;
    bool by_type = measure_word(input->values, "kind") == 1;
    struct mixing mixing = {.memory = input->memory};
    const struct measure_value *edge = measure_value(input->values, "cell");
    if (!(snapshot->has & (by_type ? HAS_TYPE : HAS_GROUP)))
        return error_set(err, TALUS_ERR_INPUT, "mixing needs what was not stored: %s",
                         by_type ? "type" : "group");
    mixing.box = measure_box(input);
    if (!choose_kinds(input, &mixing)) {
        mixing.kinds[1] = mixing.kinds[0];
        talus_table_note(input->table, "there are no two kinds by %s: nothing to mix",
                         by_type ? "type" : "group");
    }
    mixing.edge = edge->given ? edge->number : 4.0 * snapshot_diameter(snapshot);
    talus_status status = collect(input, &mixing, err);
    if (status >= 0) {
        measure_note_box(input->table, &mixing.box, snapshot->dim);
        talus_table_note(
            input->table,
            "kinds %d (%.0f grains) and %d (%.0f) by %s; cells of about %.9g m; first_, "
            "second_: mean positions",
            mixing.kinds[0], mixing.total[0], mixing.kinds[1], mixing.total[1],
            by_type ? "type" : "group", mixing.edge);
        status = put_mixing(input, &mixing, err);
    }
    memory_free(mixing.memory, mixing.samples, snapshot->count + 1, sizeof *mixing.samples);
    return status;
}
