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
 * exact. O(n (c/h)^dim) time, 22 numbers for each cell.
 */
#include "measure/fields.h"

#include <math.h>

#include "base/error.h"
#include "measure/tensor.h"

/* What grains, contacts and walls give, apart: each source touches little memory. */
struct grain_cell {
    double density;
    vec3 momentum;  /* relative to the mean velocity until the table is made */
    double flux[6]; /* sum of m v v phi: xx, xy, xz, yy, yz, zz */
};

struct fields {
    struct memory *memory;
    struct field_grid grid;
    struct field_brush brush;
    struct grain_cell *grains;
    mat3 *stress;
    vec3 *wall;
    vec3 drift; /* m/s, mean velocity: what is subtracted to keep digits */
};

/* ---- room ------------------------------------------------------------------------------------ */

static talus_status make_room(struct fields *fields, const struct snapshot *snapshot,
                              talus_error *err) {
    size_t count = fields->grid.count;
    double longest = 0.0;
    for (size_t c = 0; c < snapshot->contact_count; c++)
        longest = fmax(longest, vec3_norm2(snapshot->contacts[c].branch));
    fields->brush.memory = fields->memory;
    TALUS_TRY(field_brush_open(&fields->brush, &fields->grid, sqrt(longest), err));
    fields->grains = memory_resize(fields->memory, NULL, 0, count, sizeof *fields->grains);
    fields->stress = memory_resize(fields->memory, NULL, 0, count, sizeof *fields->stress);
    fields->wall = memory_resize(fields->memory, NULL, 0, count, sizeof *fields->wall);
    if (fields->grains == NULL || fields->stress == NULL || fields->wall == NULL)
        return error_memory(err);
    return TALUS_OK;
}

static void free_room(struct fields *fields) {
    size_t count = fields->grid.count;
    field_brush_free(&fields->brush);
    memory_free(fields->memory, fields->grains, count, sizeof *fields->grains);
    memory_free(fields->memory, fields->stress, count, sizeof *fields->stress);
    memory_free(fields->memory, fields->wall, count, sizeof *fields->wall);
}

/* ---- all sources ----------------------------------------------------------------------------- */

/* For each cell that the brush has touched, with its weight. */
#define FOR_EACH_TOUCHED(brush, cell, weight_)                                                    \
    for (size_t span_ = 0; span_ < (brush)->span_count; span_++)                                  \
        for (int32_t k_ = 0; (brush)->spans[span_].base >= 0 && k_ < (brush)->spans[span_].count; \
             k_++)                                                                                \
            if ((cell = touched_cell(brush, span_, k_, &weight_)) >= 0)

static inline int64_t touched_cell(const struct field_brush *brush, size_t number, int32_t k,
                                   double *weight) {
    const struct field_span *span = &brush->spans[number];
    int64_t place = brush->place[2][span->first + k];
    *weight = brush->weights[span->weight + (size_t)k];
    return place < 0 ? -1 : span->base + place;
}

static void add_grain(struct fields *fields, vec3 at, double mass, vec3 v) {
    const struct field_brush *brush = &fields->brush;
    const double flux[6] = {v.x * v.x, v.x * v.y, v.x * v.z, v.y * v.y, v.y * v.z, v.z * v.z};
    int64_t cell;
    double weight;
    mass *= field_brush_put(&fields->brush, at, vec3_zero());
    FOR_EACH_TOUCHED(brush, cell, weight) { /* [Goldhirsch2010] */
        struct grain_cell *to = &fields->grains[cell];
        double m = weight * mass;
        to->density += m;
        to->momentum = vec3_add_scaled(to->momentum, m, v);
        for (int i = 0; i < 6; i++) to->flux[i] += m * flux[i];
    }
}

static void add_branch(struct fields *fields, const struct snapshot_contact *contact) {
    const struct field_brush *brush = &fields->brush;
    mat3 carried = mat3_zero();
    int64_t cell;
    double weight;
    double scale = field_brush_put(&fields->brush, contact->from, contact->branch);
    tensor_add(&carried, scale, contact->branch, contact->force);
    FOR_EACH_TOUCHED(brush, cell, weight) { /* [Goldhirsch2010] */
        mat3 *to = &fields->stress[cell];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) to->m[i][j] += weight * carried.m[i][j];
    }
}

static void add_wall(struct fields *fields, vec3 point, vec3 force) {
    const struct field_brush *brush = &fields->brush;
    int64_t cell;
    double weight;
    force = vec3_scale(field_brush_put(&fields->brush, point, vec3_zero()), force);
    FOR_EACH_TOUCHED(brush, cell, weight) { /* [Weinhart2012] */
        fields->wall[cell] = vec3_add_scaled(fields->wall[cell], weight, force);
    }
}

static void add_sources(struct fields *fields, const struct snapshot *snapshot) {
    double mass = 0.0;
    for (size_t i = 0; i < snapshot->count; i++) {
        mass += snapshot->mass[i];
        fields->drift = vec3_add_scaled(fields->drift, snapshot->mass[i], snapshot->velocity[i]);
    }
    if (mass > 0.0) fields->drift = vec3_scale(1.0 / mass, fields->drift);
    for (size_t i = 0; i < snapshot->count; i++)
        add_grain(fields, snapshot->position[i], snapshot->mass[i],
                  vec3_sub(snapshot->velocity[i], fields->drift));
    for (size_t c = 0; c < snapshot->contact_count; c++) {
        const struct snapshot_contact *contact = &snapshot->contacts[c];
        if (vec3_norm2(contact->force) == 0.0) continue;
        add_branch(fields, contact);
        if (contact->b < 0)
            add_wall(fields, vec3_add(contact->from, contact->branch), contact->force);
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
    const struct field_grid *grid = &fields->grid;
    const struct grain_cell *cell = &fields->grains[number];
    int dim = grid->dim;
    double row[40], *at = row, rho = cell->density;
    int64_t rest = (int64_t)number, index[3];
    for (int axis = 2; axis >= 0; axis--) {
        index[axis] = rest % grid->cells[axis];
        rest /= grid->cells[axis];
    }
    for (int axis = 0; axis < dim; axis++)
        *at++ = grid->low[axis] + ((double)index[axis] + 0.5) * grid->spacing[axis];
    vec3 mean = rho > 0.0 ? vec3_scale(1.0 / rho, cell->momentum) : vec3_zero();
    vec3 velocity = vec3_add(mean, fields->drift);
    const double *f = cell->flux;
    mat3 kinetic = {{{f[0], f[1], f[2]}, {f[1], f[3], f[4]}, {f[2], f[4], f[5]}}};
    tensor_add(&kinetic, -rho, mean, mean);
    *at++ = rho;
    at = measure_put_vector(at, vec3_add_scaled(cell->momentum, rho, fields->drift), dim);
    for (int i = 0; i < dim; i++) *at++ = rho > 0.0 ? vec3_component(velocity, i) : MEASURE_NONE;
    at = measure_put_tensor(at, &fields->stress[number], dim);
    at = measure_put_tensor(at, &kinetic, dim);
    measure_put_vector(at, fields->wall[number], dim);
    return talus_table_add_row(table, row, err);
}

static talus_status put_table(const struct fields *fields, talus_table *table, talus_error *err) {
    const struct field_grid *grid = &fields->grid;
    talus_table_note(table,
                     "Lucy's kernel, standard deviation %.9g m, zero beyond %.9g m; cell volume "
                     "%.17g %s",
                     grid->width, grid->cut, grid->cell_volume, measure_volume_unit(grid->dim));
    talus_table_note(table, "grid: %lld x %lld x %lld cells", (long long)grid->cells[0],
                     (long long)grid->cells[1], (long long)grid->cells[2]);
    talus_table_note(table, "sigma: contacts, compression positive; kinetic apart; wall: "
                            "force on walls; at rest div sigma = rho g - wall");
    for (size_t k = 0; k < grid->count; k++) TALUS_TRY(put_cell(fields, k, table, err));
    return TALUS_OK;
}

talus_status measure_take_fields(const struct measure_input *input, talus_error *err) {
    struct fields fields = {.memory = input->memory};
    TALUS_TRY(put_columns(input->table, input->now->dim, err));
    if (input->now->count == 0) {
        talus_table_note(input->table, "there are no grains");
        return TALUS_OK;
    }
    TALUS_TRY(field_grid_make(&fields.grid, input, err));
    talus_status status = make_room(&fields, input->now, err);
    if (status >= 0) {
        add_sources(&fields, input->now);
        status = put_table(&fields, input->table, err);
    }
    free_room(&fields);
    return status;
}
