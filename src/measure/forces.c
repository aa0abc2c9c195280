/* SPDX-License-Identifier: Apache-2.0
 *
 * How forces are distributed [Radjai1996]:
 *     P(f), f = f_n/<f_n> or |f_t|/<|f_t|>,   integral P df = 1,   integral f P df = 1
 * over contacts that push (f_n > 0). Mobilisation: m = |f_t|/(mu (f_n + F_C)), with the tension F_C that a bond can bear.
 */
#include <math.h>

#include "base/error.h"
#include "measure/histogram.h"
#include "measure/measure.h"

static bool is_chosen(const struct measure_input *input, const struct snapshot_contact *contact) {
    bool walls = measure_word(input->values, "contacts") == 1;
    return (walls || contact->b >= 0) && contact_normal_force(contact) > 0.0;
}

static double force_of(const struct snapshot_contact *contact, bool tangential) {
    return tangential ? contact_tangential_force(contact) : contact_normal_force(contact);
}

/* ---- P(f) ------------------------------------------------------------------------------------ */

struct force_sums {
    double count, sum, largest;
};

static struct force_sums sum_forces(const struct measure_input *input, bool tangential) {
    struct force_sums sums = {0.0, 0.0, 0.0};
    for (size_t c = 0; c < input->now->contact_count; c++) {
        const struct snapshot_contact *contact = &input->now->contacts[c];
        if (!is_chosen(input, contact)) continue;
        double force = force_of(contact, tangential);
        sums.count += 1.0;
        sums.sum += force;
        sums.largest = fmax(sums.largest, force);
    }
    return sums;
}

/* density = count/(all width): what lies beyond the bins is missing from the integral, as the notes say. */
static talus_status put_density(const struct histogram *histogram, double all, talus_table *table,
                                talus_error *err) {
    static const struct measure_column columns[] = {{"f", ""},    {"density", ""}, {"count", ""},
                                                    {"from", ""}, {"to", ""},      {"f_mean", ""},
                                                    {NULL, NULL}};
    TALUS_TRY(measure_columns(table, columns, err));
    for (size_t k = 0; k < histogram->bins; k++) {
        double from = histogram_edge(histogram, k), to = histogram_edge(histogram, k + 1);
        double centre = histogram->logarithmic ? sqrt(from * to) : 0.5 * (from + to);
        double count = histogram->count[k];
        const double row[] = {centre, all > 0.0 ? count / (all * (to - from)) : 0.0,
                              count,  from,
                              to,     count > 0.0 ? histogram->sum[0][k] / count : centre};
        TALUS_TRY(talus_table_add_row(table, row, err));
    }
    return TALUS_OK;
}

talus_status measure_check_forces(const struct measure_values *values,
                                  const struct measure_world *world, const char **key,
                                  talus_error *err) {
    const struct measure_value *max = measure_value(values, "max");
    double min = measure_number(values, "min"), end = max->given ? max->number : 1.0;
    (void)world;
    *key = "min max";
    if (measure_word(values, "scale") == 0 || min < end) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT, "forces: min = %g; logarithmic bins need it below %s",
                     min, max->given ? "max" : "1, the mean force, or a `max` above it");
}

talus_status measure_take_forces(const struct measure_input *input, talus_error *err) {
    const struct measure_values *values = input->values;
    bool tangential = measure_word(values, "of") == 1;
    struct force_sums sums = sum_forces(input, tangential);
    double mean = sums.count > 0.0 ? sums.sum / sums.count : 0.0;
    const struct measure_value *max = measure_value(values, "max");
    struct histogram histogram = {.memory = input->memory,
                                  .bins = measure_size(values, "bins"),
                                  .logarithmic = measure_word(values, "scale") == 1};
    histogram.low = histogram.logarithmic ? measure_number(values, "min") : 0.0;
    histogram.high = max->given ? max->number : 1.0;
    if (!max->given && mean > 0.0) /* not below the mean, but for rounding */
        histogram.high = fmax(sums.largest / mean, 1.0);
    TALUS_TRY(histogram_open(&histogram, err));
    for (size_t c = 0; c < input->now->contact_count && mean > 0.0; c++) {
        const struct snapshot_contact *contact = &input->now->contacts[c];
        if (!is_chosen(input, contact)) continue;
        double f = force_of(contact, tangential) / mean; /* [Radjai1996] */
        histogram_put(&histogram, f, (const double[3]){f, 0.0, 0.0});
    }
    talus_table_note(input->table, "%s forces of %.0f %s that push, over their mean %.9g N",
                     tangential ? "tangential" : "normal", sums.count,
                     measure_word(values, "contacts") == 1 ? "contacts, walls included,"
                                                           : "contacts of two grains",
                     mean);
    talus_table_note(input->table,
                     "%zu bins from %.9g to %.9g, normalised by all contacts; %.0f of them, %.4g, "
                     "lie outside",
                     histogram.bins, histogram.low, histogram.high, histogram.outside,
                     sums.count > 0.0 ? histogram.outside / sums.count : 0.0);
    talus_status status = put_density(&histogram, sums.count, input->table, err);
    histogram_free(&histogram);
    return status;
}

/* ---- mobilisation ---------------------------------------------------------------------------- */

struct mobilised {
    double all, sliding, above, frictionless;
};

static void put_mobilised(const struct measure_input *input, struct histogram *histogram,
                          struct mobilised *sums) {
    const struct measure_value *given = measure_value(input->values, "mu");
    for (size_t c = 0; c < input->now->contact_count; c++) {
        const struct snapshot_contact *contact = &input->now->contacts[c];
        if (!is_chosen(input, contact)) continue;
        double mu = given->given ? given->number : contact->mu;
        double limit = mu * (contact_normal_force(contact) + contact->tension);
        if (!(limit > 0.0)) {
            sums->frictionless += 1.0;
            continue;
        }
        double m = contact_tangential_force(contact) / limit;
        sums->all += 1.0;
        sums->sliding += contact->sliding;
        sums->above += m > 1.0 + 1e-6;
        histogram_put(histogram, fmin(m, 1.0), (const double[3]){m, contact->sliding, 0.0});
    }
}

static talus_status put_mobilisation(const struct histogram *histogram, double all,
                                     talus_table *table, talus_error *err) {
    static const struct measure_column columns[] = {{"m", ""},    {"density", ""}, {"count", ""},
                                                    {"from", ""}, {"to", ""},      {"sliding", ""},
                                                    {NULL, NULL}};
    TALUS_TRY(measure_columns(table, columns, err));
    for (size_t k = 0; k < histogram->bins; k++) {
        double from = histogram_edge(histogram, k), to = histogram_edge(histogram, k + 1);
        const double row[] = {0.5 * (from + to),
                              all > 0.0 ? histogram->count[k] / (all * (to - from)) : 0.0,
                              histogram->count[k],
                              from,
                              to,
                              histogram->sum[1][k]};
        TALUS_TRY(talus_table_add_row(table, row, err));
    }
    return TALUS_OK;
}

talus_status measure_take_mobilisation(const struct measure_input *input, talus_error *err) {
    if (!(input->now->has & HAS_MU) && !measure_value(input->values, "mu")->given)
        return error_set(err, TALUS_ERR_INPUT,
                         "mobilisation needs `mu`, which was not stored: give mu=..., or store it "
                         "(output: {frames: {quantities: [..., mu]}})");
    struct histogram histogram = {
        .memory = input->memory, .bins = measure_size(input->values, "bins"), .high = 1.0};
    struct mobilised sums = {0.0, 0.0, 0.0, 0.0};
    TALUS_TRY(histogram_open(&histogram, err));
    put_mobilised(input, &histogram, &sums);
    talus_table_note(input->table, "|f_t|/(mu f_n) of %.0f contacts that push and have friction",
                     sums.all);
    if (input->now->has & HAS_SLIDING)
        talus_table_note(input->table, "share of sliding contacts: %.9g",
                         sums.all > 0.0 ? sums.sliding / sums.all : 0.0);
    if (sums.frictionless > 0.0)
        talus_table_note(input->table, "left out: %.0f without friction", sums.frictionless);
    if (sums.above > 0.0)
        talus_table_note(input->table,
                         "%.0f are above 1 and counted in the last bin: mu is not "
                         "theirs, or the solver had not converged",
                         sums.above);
    talus_status status = put_mobilisation(&histogram, sums.all, input->table, err);
    histogram_free(&histogram);
    return status;
}
