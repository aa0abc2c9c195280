/* SPDX-License-Identifier: Apache-2.0
 *
 * Distribution of contact directions, P(n) = P(-n): every contact counts along n and along -n [Rothenburg1989].
 *     in the plane   by the angle from x:          integral of P from 0 to 2 pi = 1, isotropic 1/(2 pi)
 *     polar          by the angle to the axis:     per solid angle, integral over the sphere = 1, isotropic 1/(4 pi)
 *     azimuth        by the angle about the axis:  integral from 0 to 2 pi = 1; from x about z, y about x, z about y
 * The same, each with an integral of 1, of the contacts with more than the mean normal force (of those of two grains)
 * and of the others [Radjai1998].
 */
#include <math.h>

#include "base/error.h"
#include "measure/measure.h"

static const double pi = 3.14159265358979323846;

struct rose {
    struct memory *memory;
    size_t bins;
    bool polar;
    int axis;
    double *count, *strong;      /* contacts in each bin, and how many of them are strong */
    double *normal, *tangential; /* sums of forces in each bin */
    double contacts, strong_contacts, mean; /* mean normal force of contacts of two grains, N */
};

/* The bins of n and of -n. */
static void find_bins(const struct rose *rose, vec3 n, size_t bin[2]) {
    double along = vec3_component(n, rose->axis);
    double x = vec3_component(n, (rose->axis + 1) % 3), y = vec3_component(n, (rose->axis + 2) % 3);
    double half = (double)rose->bins / (rose->polar ? 1.0 : 2.0);
    double angle = rose->polar ? atan2(sqrt(x * x + y * y), along) : atan2(y, x); /* <= pi */
    if (angle < 0.0) angle += pi;
    size_t place = (size_t)(half * angle / pi);
    if (rose->polar) {
        bin[0] = place < rose->bins ? place : rose->bins - 1;
        bin[1] = rose->bins - 1 - bin[0];
        return;
    }
    bin[0] = place % (rose->bins / 2);
    bin[1] = bin[0] + rose->bins / 2;
}

static void add_contact(struct rose *rose, const struct snapshot_contact *contact) {
    double force = contact_normal_force(contact), strong = force > rose->mean ? 1.0 : 0.0;
    size_t bin[2];
    find_bins(rose, contact->normal, bin);
    for (int k = 0; k < 2; k++) {
        rose->count[bin[k]] += 1.0;
        rose->strong[bin[k]] += strong; /* [Radjai1998] */
        rose->normal[bin[k]] += force;
        rose->tangential[bin[k]] += contact_tangential_force(contact);
    }
    rose->contacts += 1.0;
    rose->strong_contacts += strong;
}

static void count_contacts(struct rose *rose, const struct measure_input *input) {
    bool walls = measure_word(input->values, "contacts") == 1;
    double least = snapshot_bearing_force(input->now);
    rose->mean = snapshot_strong_force(input->now);
    for (size_t c = 0; c < input->now->contact_count; c++) {
        const struct snapshot_contact *contact = &input->now->contacts[c];
        if ((!walls && contact->b < 0) || !(vec3_norm(contact->force) > least)) continue;
        add_contact(rose, contact);
    }
}

static double share(double count, double all) {
    return all > 0.0 ? count / all : 0.0;
}

static talus_status put_rose(const struct rose *rose, talus_table *table, talus_error *err) {
    const char *unit = rose->polar ? "1/sr" : "1/rad";
    const struct measure_column columns[] = {
        {"from", "rad"},          {"to", "rad"},          {"density", unit},
        {"fn_mean", "N"},         {"ft_mean", "N"},       {"count", ""},
        {"density_strong", unit}, {"density_weak", unit}, {NULL, NULL}};
    double width = (rose->polar ? pi : 2.0 * pi) / (double)rose->bins;
    TALUS_TRY(measure_columns(table, columns, err));
    for (size_t k = 0; k < rose->bins; k++) {
        double from = (double)k * width, to = (double)(k + 1) * width, count = rose->count[k];
        double size = rose->polar ? 2.0 * pi * (cos(from) - cos(to)) : width;
        double both = 2.0 * size, strong = rose->strong_contacts;
        const double row[] = {from,
                              to,
                              share(count, both * rose->contacts), /* [Rothenburg1989] */
                              share(rose->normal[k], count),
                              share(rose->tangential[k], count),
                              count,
                              share(rose->strong[k], both * strong),
                              share(count - rose->strong[k], both * (rose->contacts - strong))};
        TALUS_TRY(talus_table_add_row(table, row, err));
    }
    return TALUS_OK;
}

talus_status measure_check_rose(const struct measure_values *values,
                                const struct measure_world *world, const char **key,
                                talus_error *err) {
    if (world->dim < 2)
        return error_set(err, TALUS_ERR_INPUT, "rose: on a line there is one direction");
    *key = "bins";
    if (measure_size(values, "bins") % 2 == 0) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "rose: bins = %zu, must be even, so that n and -n have their own",
                     measure_size(values, "bins"));
}

talus_status measure_take_rose(const struct measure_input *input, talus_error *err) {
    int dim = input->now->dim;
    struct rose rose = {.memory = input->memory, .bins = measure_size(input->values, "bins")};
    rose.polar = dim == 3 && measure_word(input->values, "by") == 0;
    rose.axis = dim == 3 ? measure_word(input->values, "axis") : 2;
    rose.count = memory_resize(rose.memory, NULL, 0, 4 * rose.bins, sizeof *rose.count);
    if (rose.count == NULL) return error_memory(err);
    rose.normal = rose.count + rose.bins;
    rose.tangential = rose.normal + rose.bins;
    rose.strong = rose.tangential + rose.bins;
    count_contacts(&rose, input);
    talus_table_note(input->table,
                     "directions of %.0f force-bearing contacts, each along n and along -n: %s",
                     rose.contacts,
                     dim == 2     ? "angle from x"
                     : rose.polar ? "angle to the axis, density per solid angle"
                                  : "angle about the axis");
    talus_table_note(input->table,
                     "strong: more than the mean normal force of contacts of two grains, %.9g N",
                     rose.mean);
    if (dim == 3) talus_table_note(input->table, "axis: %c", "xyz"[rose.axis]);
    talus_status status = put_rose(&rose, input->table, err);
    memory_free(rose.memory, rose.count, 4 * rose.bins, sizeof *rose.count);
    return status;
}
