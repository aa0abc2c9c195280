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
 * exact. O(n (c/h)^dim) time, 25 numbers for each cell.
 */
#include <math.h>

#include "base/error.h"
#include "measure/tensor.h"

enum { MOST_CELLS = 20000000 };

struct field_cell {
    double density;
    vec3 momentum, wall; /* relative to the mean velocity until the table is made */
    mat3 contact, flux;  /* flux: sum of m v v phi */
};

struct fields {
    struct memory *memory;
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
    struct axis_box box;
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

static talus_status make_room(struct fields *fields, const struct snapshot *snapshot,
                              talus_error *err) {
    double longest = 0.0;
    for (size_t c = 0; c < snapshot->contact_count; c++)
        longest = fmax(longest, vec3_norm2(snapshot->contacts[c].branch));
    double about = 1.0; /* cells about one line */
    for (int axis = 0; axis < fields->dim; axis++)
        about *= floor((2.0 * fields->cut + sqrt(longest)) / fields->spacing[axis]) + 3.0;
    if (about > MOST_CELLS)
        return error_set(err, TALUS_ERR_INPUT,
                         "fields: width = %g m reaches over %.3g cells; at most %d are possible",
                         fields->width, about, MOST_CELLS);
    fields->weight_capacity = (size_t)about;
    fields->cell = memory_resize(fields->memory, NULL, 0, fields->count, sizeof *fields->cell);
    fields->weights =
        memory_resize(fields->memory, NULL, 0, fields->weight_capacity, sizeof *fields->weights);
    return fields->cell != NULL && fields->weights != NULL ? TALUS_OK : error_memory(err);
}

/* ---- one source ------------------------------------------------------------------------------ */

/* A kernel spread along a line, or about a point if the line has no length. */
struct brush {
    vec3 from, along; /* along: unit vector */
    double length, cut;
};

/* Lattice points that it can reach. */
struct reach {
    int64_t first[3], last[3];
    double sum; /* of the weights */
};

static double kernel(double square, double cut) {
    if (square >= cut * cut) return 0.0;
    double s = sqrt(square) / cut, t = 1.0 - s;
    return (1.0 + 3.0 * s) * t * t * t;
}

/* The polynomial part of the integral of the kernel 1 - 6 s^2 + 8 s^3 - 3 s^4, s = sqrt(p^2 + u^2)/c = r/c, over u. */
static double line_part(double u, double r, double p2, double cut) {
    double c2 = cut * cut, u2 = u * u;
    double square = p2 + u2 / 3.0, cubic = r * (0.25 * (p2 + u2) + 0.375 * p2);
    double fourth = p2 * p2 + u2 * (2.0 / 3.0 * p2 + 0.2 * u2);
    return u * (1.0 - 6.0 / c2 * square + 8.0 / (c2 * cut) * cubic - 3.0 / (c2 * c2) * fourth);
}

/* All of it; the rest is 3 p^4/c^3 (asinh(u/p)), whose error where p is small does not matter. */
static double line_kernel(double from, double to, double p2, double cut) {
    double r_from = sqrt(p2 + from * from), r_to = sqrt(p2 + to * to), rest = 0.0;
    double ratio = (to + r_to) / (from + r_from);
    if (p2 > 0.0 && ratio > 0.0 && isfinite(ratio))
        rest = 3.0 * p2 * p2 / (cut * cut * cut) * log(ratio);
    return line_part(to, r_to, p2, cut) - line_part(from, r_from, p2, cut) + rest;
}

/* At a point that is so far from the start of the line. */
static double brush_at(const struct brush *brush, vec3 off) {
    double cut = brush->cut, square = vec3_norm2(off);
    if (brush->length == 0.0) return kernel(square, cut);
    double foot = vec3_dot(off, brush->along), p2 = fmax(square - foot * foot, 0.0);
    if (p2 >= cut * cut) return 0.0;
    double half = sqrt(cut * cut - p2);
    double from = fmax(-foot, -half), to = fmin(brush->length - foot, half);
    if (from >= to) return 0.0;
    return fmax(0.0, line_kernel(from, to, p2, cut));
}

/* Where a lattice point is along an axis. */
static double lattice(const struct fields *fields, int axis, int64_t i) {
    return axis < fields->dim ? fields->low[axis] + ((double)i + 0.5) * fields->spacing[axis] : 0.0;
}

/* Lattice points about a line. */
static struct reach reach_of(const struct fields *fields, const struct brush *brush) {
    struct reach reach = {{0, 0, 0}, {0, 0, 0}, 0.0};
    vec3 to = vec3_add_scaled(brush->from, brush->length, brush->along);
    for (int axis = 0; axis < fields->dim; axis++) {
        double x = vec3_component(brush->from, axis), y = vec3_component(to, axis);
        double low = (fmin(x, y) - brush->cut - fields->low[axis]) / fields->spacing[axis] - 0.5;
        double high = (fmax(x, y) + brush->cut - fields->low[axis]) / fields->spacing[axis] - 0.5;
        reach.first[axis] = (int64_t)ceil(low);
        reach.last[axis] = (int64_t)floor(high);
        if (reach.last[axis] < reach.first[axis]) /* narrow, between two points */
            reach.first[axis] = reach.last[axis] = (int64_t)rint(0.5 * (low + high));
    }
    return reach;
}

/* Is all of it outside a grid that was cut to a box? */
static bool is_outside(const struct fields *fields, const struct reach *reach) {
    for (int axis = 0; axis < fields->dim; axis++)
        if (!fields->periodic[axis] &&
            (reach->last[axis] < 0 || reach->first[axis] >= fields->cells[axis]))
            return true;
    return false;
}

/* The values at the lattice points, not scaled yet. */
static void spread(struct fields *fields, const struct brush *brush, struct reach *reach) {
    double *weight = fields->weights;
    for (int64_t i = reach->first[0]; i <= reach->last[0]; i++)
        for (int64_t j = reach->first[1]; j <= reach->last[1]; j++)
            for (int64_t k = reach->first[2]; k <= reach->last[2]; k++) {
                vec3 at =
                    vec3_make(lattice(fields, 0, i), lattice(fields, 1, j), lattice(fields, 2, k));
                *weight = brush_at(brush, vec3_sub(at, brush->from));
                reach->sum += *weight++;
            }
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

static void add_source(struct fields *fields, vec3 from, vec3 branch, const struct source *source) {
    struct brush brush = {.from = from, .length = vec3_norm(branch), .cut = fields->cut};
    if (brush.length > 0.0) brush.along = vec3_scale(1.0 / brush.length, branch);
    struct reach reach = reach_of(fields, &brush);
    if (is_outside(fields, &reach)) return;
    spread(fields, &brush, &reach);
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
        add_source(fields, snapshot->position[i], vec3_zero(), &source); /* [Goldhirsch2010] */
    }
}

static void add_contacts(struct fields *fields, const struct snapshot *snapshot) {
    for (size_t c = 0; c < snapshot->contact_count; c++) {
        const struct snapshot_contact *contact = &snapshot->contacts[c];
        vec3 from = contact->from;
        struct source carried = {.mass = 0.0}, on_wall = {.wall = contact->force};
        tensor_add(&carried.branch_force, 1.0, contact->branch, contact->force);
        add_source(fields, from, contact->branch, &carried); /* [Goldhirsch2010] */
        if (contact->b >= 0) continue;
        vec3 point = vec3_add(from, contact->branch);
        add_source(fields, point, vec3_zero(), &on_wall); /* [Weinhart2012] */
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
    TALUS_TRY(make_room(fields, input->now, err));
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
    for (size_t k = 0; k < fields->count; k++) TALUS_TRY(put_cell(fields, k, input->table, err));
    return TALUS_OK;
}

talus_status measure_take_fields(const struct measure_input *input, talus_error *err) {
    const struct measure_value *width = measure_value(input->values, "width"),
                               *spacing = measure_value(input->values, "spacing");
    struct fields fields = {.memory = input->memory, .dim = input->now->dim};
    fields.width = width->given ? width->number : snapshot_diameter(input->now);
    TALUS_TRY(put_columns(input->table, fields.dim, err));
    if (input->now->count == 0) {
        talus_table_note(input->table, "there are no grains");
        return TALUS_OK;
    }
    fields.cut = cut_of(fields.dim, fields.width);
    TALUS_TRY(size_grid(&fields, input, spacing->given ? spacing->number : fields.width, err));
    talus_status status = fill_fields(&fields, input, err);
    memory_free(fields.memory, fields.cell, fields.count, sizeof *fields.cell);
    memory_free(fields.memory, fields.weights, fields.weight_capacity, sizeof *fields.weights);
    return status;
}
