/* SPDX-License-Identifier: Apache-2.0
 *
 * Coarse graining [Goldhirsch2010]: with a kernel phi, at the centres r of the cells of a grid
 *     rho(r) = sum m_i phi(r - x_i)        p(r) = sum m_i v_i phi(r - x_i)        V = p/rho
 *     sigma(r) = sum over contacts of l (x) f  integral_0^1 phi(r - x_a - s l) ds     (compression positive, l from a to b)
 *     kinetic(r) = sum m_i v'_i (x) v'_i phi(r - x_i),   v'_i = v_i - V(r)
 * At walls the branch ends in the contact point, and the force on the wall is spread there, t(r) = sum f phi(r - x_c)
 * [Weinhart2012]; then at rest div sigma = rho g - t.
 *
 * The kernel is Lucy's, phi ~ (1 + 3 s)(1 - s)^3, s = |r|/c: it ends at c by itself with two continuous derivatives, so
 * nothing has to be cut off, and it needs no exponential. `width` is its standard deviation w along an axis: c^2 = 12 w^2 in
 * space, 56/5 w^2 in the plane, 21/2 w^2 on a line. Its values on the grid are scaled for each source so that their sum
 * times the cell volume is 1: sums over the grid give mass, momentum and stress exactly, for any spacing. The line integral is
 * Gauss's rule with three points on pieces of at most c/2. O(n (c/h)^dim) time, 25 numbers for each cell.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "measure/tensor.h"

enum { MOST_CELLS = 20000000 };

struct field_cell {
    double density;
    vec3 momentum, wall; /* relative to the mean velocity until the table is made */
    mat3 contact, flux;  /* flux: sum of m v v phi */
};

struct fields {
    struct memory memory;
    int dim;
    double width, cut, cell_volume;
    double low[3], spacing[3];
    int64_t cells[3];
    bool periodic[3];
    struct field_cell *cell;
    size_t count;
    vec3 drift;      /* m/s, mean velocity: what is subtracted to keep digits */
    double *weights; /* of the cells about one source */
    size_t weight_capacity;
};

/* ---- the grid -------------------------------------------------------------------------------- */

static double cut_of(int dim, double width) {
    return width * sqrt(dim == 3 ? 12.0 : dim == 2 ? 56.0 / 5.0 : 21.0 / 2.0);
}

static talus_status size_grid(struct fields *fields, const struct measure_input *input,
                              double wanted, talus_error *err) {
    const struct snapshot *snapshot = input->now;
    bool given = measure_value(input->values, "from")->given;
    struct box box;
    double count = 1.0;
    TALUS_TRY(measure_box(input, &box, err));
    fields->cell_volume = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        fields->periodic[axis] = axis < fields->dim && snapshot->cell.periodic[axis];
        fields->cells[axis] = 1;
        fields->spacing[axis] = 1.0;
        fields->low[axis] = -0.5;
        if (axis >= fields->dim) continue;
        double low = box.low[axis], high = box.high[axis];
        if (fields->periodic[axis]) { /* the whole period, whatever box is given */
            low = vec3_component(snapshot->cell.origin, axis);
            high = low + vec3_component(snapshot->cell.size, axis);
        } else if (!given) { /* nothing of a kernel may be lost */
            low -= fields->cut;
            high += fields->cut;
        }
        double cells = fmax(1.0, rint((high - low) / wanted));
        count *= cells;
        fields->low[axis] = low;
        fields->spacing[axis] = (high - low) / cells;
        fields->cell_volume *= fields->spacing[axis];
        fields->cells[axis] = (int64_t)fmin(cells, 1e9);
    }
    if (count > MOST_CELLS)
        return error_set(err, TALUS_ERR_INPUT,
                         "fields: spacing = %g m makes %.3g cells; at most %d are possible", wanted,
                         count, MOST_CELLS);
    fields->count = (size_t)count;
    return TALUS_OK;
}

static talus_status make_room(struct fields *fields, talus_error *err) {
    fields->weight_capacity = 1;
    for (int axis = 0; axis < fields->dim; axis++)
        fields->weight_capacity *= (size_t)(2.0 * fields->cut / fields->spacing[axis]) + 3;
    fields->cell = memory_resize(&fields->memory, NULL, 0, fields->count, sizeof *fields->cell);
    fields->weights =
        memory_resize(&fields->memory, NULL, 0, fields->weight_capacity, sizeof *fields->weights);
    return fields->cell != NULL && fields->weights != NULL ? TALUS_OK : error_memory(err);
}

/* ---- one source ------------------------------------------------------------------------------ */

/* Lattice points that the kernel about a point can reach. */
struct reach {
    int64_t first[3], last[3];
    double sum; /* of the weights */
};

static double kernel(double square, double cut) {
    if (square >= cut * cut) return 0.0;
    double s = sqrt(square) / cut, t = 1.0 - s;
    return (1.0 + 3.0 * s) * t * t * t;
}

/* The values of the kernel, not scaled yet. */
static struct reach spread(struct fields *fields, vec3 at) {
    struct reach reach = {{0, 0, 0}, {0, 0, 0}, 0.0};
    for (int axis = 0; axis < fields->dim; axis++) {
        double place = (vec3_component(at, axis) - fields->low[axis]) / fields->spacing[axis] - 0.5;
        double range = fields->cut / fields->spacing[axis];
        reach.first[axis] = (int64_t)ceil(place - range);
        reach.last[axis] = (int64_t)floor(place + range);
        if (reach.last[axis] < reach.first[axis]) /* a narrow kernel between two points */
            reach.first[axis] = reach.last[axis] = (int64_t)rint(place);
    }
    double *weight = fields->weights;
    double x[3] = {at.x, at.y, at.z};
    for (int64_t i = reach.first[0]; i <= reach.last[0]; i++) {
        double dx = fields->low[0] + ((double)i + 0.5) * fields->spacing[0] - x[0];
        for (int64_t j = reach.first[1]; j <= reach.last[1]; j++) {
            double dy = fields->dim < 2
                            ? 0.0
                            : fields->low[1] + ((double)j + 0.5) * fields->spacing[1] - x[1];
            for (int64_t k = reach.first[2]; k <= reach.last[2]; k++) {
                double dz = fields->dim < 3
                                ? 0.0
                                : fields->low[2] + ((double)k + 0.5) * fields->spacing[2] - x[2];
                *weight = kernel(dx * dx + dy * dy + dz * dz, fields->cut);
                reach.sum += *weight++;
            }
        }
    }
    return reach;
}

static int64_t wrapped(const struct fields *fields, int axis, int64_t i) {
    int64_t n = fields->cells[axis];
    if (fields->periodic[axis]) return (i % n + n) % n;
    return i >= 0 && i < n ? i : -1;
}

struct source {
    double mass;
    vec3 velocity, wall;
    mat3 branch_force;
};

static void add_to_cell(struct field_cell *cell, const struct source *source, double weight) {
    if (source->mass > 0.0) {
        double m = weight * source->mass;
        cell->density += m;
        cell->momentum = vec3_add_scaled(cell->momentum, m, source->velocity);
        tensor_add(&cell->flux, m, source->velocity, source->velocity);
        return;
    }
    cell->wall = vec3_add_scaled(cell->wall, weight, source->wall);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) cell->contact.m[i][j] += weight * source->branch_force.m[i][j];
}

static void add_source(struct fields *fields, vec3 at, const struct source *source) {
    struct reach reach = spread(fields, at);
    const double *weight = fields->weights;
    /* No lattice point inside the kernel: all goes to the nearest ones that were looked at. */
    double even = reach.sum > 0.0 ? 0.0
                                  : 1.0 / (double)((reach.last[0] - reach.first[0] + 1) *
                                                   (reach.last[1] - reach.first[1] + 1) *
                                                   (reach.last[2] - reach.first[2] + 1));
    double scale = reach.sum > 0.0 ? 1.0 / (reach.sum * fields->cell_volume) : 0.0;
    for (int64_t i = reach.first[0]; i <= reach.last[0]; i++)
        for (int64_t j = reach.first[1]; j <= reach.last[1]; j++)
            for (int64_t k = reach.first[2]; k <= reach.last[2]; k++) {
                double w = scale * *weight++ + even / fields->cell_volume;
                int64_t a = wrapped(fields, 0, i), b = wrapped(fields, 1, j),
                        c = wrapped(fields, 2, k);
                if (w == 0.0 || a < 0 || b < 0 || c < 0) continue;
                size_t cell = (size_t)((a * fields->cells[1] + b) * fields->cells[2] + c);
                add_to_cell(&fields->cell[cell], source, w);
            }
}

/* ---- all sources ----------------------------------------------------------------------------- */

static void add_grains(struct fields *fields, const struct snapshot *snapshot) {
    double mass = 0.0;
    for (size_t i = 0; i < snapshot->count; i++) {
        mass += snapshot->mass[i];
        fields->drift = vec3_add_scaled(fields->drift, snapshot->mass[i], snapshot->velocity[i]);
    }
    if (mass > 0.0) fields->drift = vec3_scale(1.0 / mass, fields->drift);
    for (size_t i = 0; i < snapshot->count; i++) {
        struct source source = {.mass = snapshot->mass[i],
                                .velocity = vec3_sub(snapshot->velocity[i], fields->drift)};
        add_source(fields, snapshot->position[i], &source); /* [Goldhirsch2010] */
    }
}

static void add_contacts(struct fields *fields, const struct snapshot *snapshot) {
    static const double place[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double share[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    for (size_t c = 0; c < snapshot->contact_count; c++) {
        const struct snapshot_contact *contact = &snapshot->contacts[c];
        vec3 from = snapshot->position[contact->a];
        double pieces = fmax(1.0, ceil(2.0 * vec3_norm(contact->branch) / fields->cut));
        for (double piece = 0.0; piece < pieces; piece += 1.0)
            for (int k = 0; k < 3; k++) { /* [Goldhirsch2010] */
                struct source source = {.mass = 0.0};
                tensor_add(&source.branch_force, share[k] / pieces, contact->branch,
                           contact->force);
                double s = (piece + place[k]) / pieces;
                add_source(fields, vec3_add_scaled(from, s, contact->branch), &source);
            }
        if (contact->b >= 0) continue;
        struct source source = {.wall = contact->force}; /* [Weinhart2012] */
        add_source(fields, vec3_add(from, contact->branch), &source);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static talus_status put_columns(talus_table *table, int dim, talus_error *err) {
    static const char *const momentum[] = {"kg/s", "kg/(m s)", "kg/(m^2 s)"};
    static const char *const force[] = {"N/m", "N/m^2", "N/m^3"};
    const char *unit = measure_stress_unit(dim);
    TALUS_TRY(measure_vector_columns(table, "", "m", dim, err));
    TALUS_TRY(talus_table_add_column(table, "density", measure_density_unit(dim), err));
    TALUS_TRY(measure_vector_columns(table, "momentum_", momentum[dim - 1], dim, err));
    TALUS_TRY(measure_vector_columns(table, "v", "m/s", dim, err));
    TALUS_TRY(measure_tensor_columns(table, "sigma_", unit, dim, err));
    TALUS_TRY(measure_tensor_columns(table, "kinetic_", unit, dim, err));
    return measure_vector_columns(table, "wall_", force[dim - 1], dim, err);
}

static talus_status put_cell(const struct fields *fields, size_t number, talus_table *table,
                             talus_error *err) {
    const struct field_cell *cell = &fields->cell[number];
    int dim = fields->dim;
    double row[40], *at = row, rho = cell->density;
    int64_t rest = (int64_t)number, index[3];
    for (int axis = 2; axis >= 0; axis--) {
        index[axis] = rest % fields->cells[axis];
        rest /= fields->cells[axis];
    }
    for (int axis = 0; axis < dim; axis++)
        *at++ = fields->low[axis] + ((double)index[axis] + 0.5) * fields->spacing[axis];
    vec3 mean = rho > 0.0 ? vec3_scale(1.0 / rho, cell->momentum) : vec3_zero();
    vec3 velocity = vec3_add(mean, fields->drift);
    mat3 kinetic = cell->flux;
    tensor_add(&kinetic, -rho, mean, mean);
    *at++ = rho;
    at = measure_put_vector(at, vec3_add_scaled(cell->momentum, rho, fields->drift), dim);
    for (int i = 0; i < dim; i++) *at++ = rho > 0.0 ? vec3_component(velocity, i) : MEASURE_NONE;
    at = measure_put_tensor(at, &cell->contact, dim);
    at = measure_put_tensor(at, &kinetic, dim);
    measure_put_vector(at, cell->wall, dim);
    return talus_table_add_row(table, row, err);
}

static talus_status fill_fields(struct fields *fields, const struct measure_input *input,
                                talus_error *err) {
    TALUS_TRY(make_room(fields, err));
    add_grains(fields, input->now);
    add_contacts(fields, input->now);
    talus_table_note(input->table,
                     "Lucy's kernel, standard deviation %.9g m, zero beyond %.9g m; cell volume "
                     "%.17g %s",
                     fields->width, fields->cut, fields->cell_volume,
                     measure_volume_unit(fields->dim));
    talus_table_note(input->table, "grid: %lld x %lld x %lld cells", (long long)fields->cells[0],
                     (long long)fields->cells[1], (long long)fields->cells[2]);
    talus_table_note(input->table, "sigma: contacts, compression positive; kinetic apart; wall: "
                                   "force on walls; at rest div sigma = rho g - wall");
    TALUS_TRY(put_columns(input->table, fields->dim, err));
    for (size_t k = 0; k < fields->count; k++) TALUS_TRY(put_cell(fields, k, input->table, err));
    return TALUS_OK;
}

talus_status measure_take_fields(const struct measure_input *input, talus_error *err) {
    const struct measure_value *width = measure_value(input->values, "width"),
                               *spacing = measure_value(input->values, "spacing");
    struct fields fields = {.dim = input->now->dim};
    fields.width = width->given ? width->number : snapshot_diameter(input->now);
    if (!(fields.width > 0.0))
        return error_set(err, TALUS_ERR_INPUT, "fields: there are no grains");
    fields.cut = cut_of(fields.dim, fields.width);
    TALUS_TRY(size_grid(&fields, input, spacing->given ? spacing->number : fields.width, err));
    talus_status status = fill_fields(&fields, input, err);
    memory_free(&fields.memory, fields.cell, fields.count, sizeof *fields.cell);
    memory_free(&fields.memory, fields.weights, fields.weight_capacity, sizeof *fields.weights);
    return status;
}
