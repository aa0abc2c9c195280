/* SPDX-License-Identifier: Apache-2.0
 *
 * How many force-bearing contacts grains have.
 *     Z = sum of the degrees over the number of grains
 * A contact of two grains counts for both, one with a wall for its grain. Grains of other shapes that touch at several
 * points count each point. Rattlers have no force-bearing contact; Z without them has the same sum over fewer grains.
 */
#include "base/error.h"
#include "measure/measure.h"

struct degrees {
    struct memory *memory;
    int32_t *degree;
    size_t count, rattlers, sum, largest;
};

static talus_status count_degrees(struct degrees *degrees, const struct snapshot *snapshot,
                                  talus_error *err) {
    degrees->count = snapshot->count;
    degrees->degree =
        memory_resize(degrees->memory, NULL, 0, snapshot->count + 1, sizeof *degrees->degree);
    if (degrees->degree == NULL) return error_memory(err);
    snapshot_degrees(snapshot, degrees->degree);
    for (size_t i = 0; i < snapshot->count; i++) {
        size_t degree = (size_t)degrees->degree[i];
        degrees->sum += degree;
        degrees->rattlers += degree == 0;
        if (degree > degrees->largest) degrees->largest = degree;
    }
    return TALUS_OK;
}

static double mean_degree(const struct degrees *degrees, bool with_rattlers) {
    size_t count = degrees->count - (with_rattlers ? 0 : degrees->rattlers);
    return count > 0 ? (double)degrees->sum / (double)count : 0.0;
}

static talus_status put_means(const struct degrees *degrees, talus_table *table, talus_error *err) {
    static const struct measure_column columns[] = {
        {"Z", ""}, {"Z_no_rattlers", ""}, {"rattlers", ""}, {"grains", ""}, {NULL, NULL}};
    TALUS_TRY(measure_columns(table, columns, err));
    const double row[] = {mean_degree(degrees, true), mean_degree(degrees, false),
                          (double)degrees->rattlers, (double)degrees->count};
    return talus_table_add_row(table, row, err);
}

static talus_status put_histogram(const struct degrees *degrees, talus_table *table,
                                  talus_error *err) {
    static const struct measure_column columns[] = {
        {"contacts", ""}, {"grains", ""}, {"share", ""}, {NULL, NULL}};
    TALUS_TRY(measure_columns(table, columns, err));
    for (size_t degree = 0; degree <= degrees->largest && degrees->count > 0; degree++) {
        size_t grains = 0;
        for (size_t i = 0; i < degrees->count; i++) grains += (size_t)degrees->degree[i] == degree;
        const double row[] = {(double)degree, (double)grains,
                              (double)grains / (double)degrees->count};
        TALUS_TRY(talus_table_add_row(table, row, err));
    }
    return TALUS_OK;
}

talus_status measure_take_coordination(const struct measure_input *input, talus_error *err) {
    struct degrees degrees = {.memory = input->memory};
    talus_table *table = input->table;
    talus_status status = count_degrees(&degrees, input->now, err);
    if (status >= 0) {
        talus_table_note(table, "force-bearing contacts of grains, walls included: more than 1e-6 "
                                "of the mean force");
        talus_table_note(table, "Z = %.9g, without rattlers %.9g; %zu of %zu grains are rattlers",
                         mean_degree(&degrees, true), mean_degree(&degrees, false),
                         degrees.rattlers, degrees.count);
        bool histogram = measure_word(input->values, "of") == 0;
        status = (histogram ? put_histogram : put_means)(&degrees, table, err);
    }
    memory_free(degrees.memory, degrees.degree, degrees.count + 1, sizeof *degrees.degree);
    return status;
}
