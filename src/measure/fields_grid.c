/* SPDX-License-Identifier: Apache-2.0
 *
 * How large the grid of fields is. Given corners are given on purpose and may have many cells. A grid that follows the grains
 * may not, in a run: one that flies away would make each row of the file larger than the one before. What all grains of a
 * packing need is some cells a grain, and the margin of the kernel.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "measure/fields.h"

enum {
    RUN_CELLS = 100000, /* without corners, in a row of a run: these, and */
    RUN_CELLS_A_GRAIN = 20
};

static double cut_of(int dim, double width) {
    return width * sqrt(dim == 3 ? 12.0 : dim == 2 ? 56.0 / 5.0 : 21.0 / 2.0);
}

double field_grid_points(const struct field_grid *grid, int axis, double longest) {
    return axis < grid->dim ? floor((2.0 * grid->cut + longest) / grid->spacing[axis]) + 3.0 : 3.0;
}

talus_status field_grid_check_reach(const struct field_grid *grid, double longest,
                                    talus_error *err) {
    double about = 1.0;
    for (int axis = 0; axis < grid->dim; axis++) about *= field_grid_points(grid, axis, longest);
    if (about <= FIELD_CELLS) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "fields: width = %g m reaches over %.3g cells; at most %d are possible",
                     grid->width, about, FIELD_CELLS);
}

/* ---- before anything is measured ------------------------------------------------------------------ */

/* How many cells there will be; 0: that depends on the grains. */
static double known_cells(const struct measure_values *values, const struct measure_world *world,
                          double spacing) {
    const struct measure_value *from = measure_value(values, "from"),
                               *to = measure_value(values, "to");
    double count = 1.0;
    for (int axis = 0; axis < world->dim; axis++) {
        double length = vec3_component(to->vector, axis) - vec3_component(from->vector, axis);
        if (world->cell.periodic[axis])
            length = vec3_component(world->cell.size, axis);
        else if (!from->given)
            return 0.0;
        count *= fmax(1.0, rint(length / spacing));
    }
    return count;
}

talus_status measure_check_fields(const struct measure_values *values,
                                  const struct measure_world *world, const char **key,
                                  talus_error *err) {
    const struct measure_value *width = measure_value(values, "width"),
                               *spacing = measure_value(values, "spacing");
    TALUS_TRY(measure_check_box(values, world, key, err));
    if (!width->given && !spacing->given) return TALUS_OK;
    double wanted = spacing->given ? spacing->number : width->number;
    double count = known_cells(values, world, wanted);
    *key = spacing->given ? "spacing" : "width";
    if (count > FIELD_CELLS)
        return error_set(err, TALUS_ERR_INPUT,
                         "fields: %s = %g m makes %.3g cells; at most %d are possible", *key,
                         wanted, count, FIELD_CELLS);
    *key = "width";
    if (!width->given || !spacing->given) return TALUS_OK;
    struct field_grid grid = {.dim = world->dim,
                              .width = width->number,
                              .cut = cut_of(world->dim, width->number),
                              .spacing = {wanted, wanted, wanted}};
    return field_grid_check_reach(&grid, 0.0, err);
}

/* ---- of a state ------------------------------------------------------------------------------ */

static talus_status too_many(const struct field_grid *grid, const struct measure_input *input,
                             double count, double most, talus_error *err) {
    char extent[160] = "";
    size_t length = 0;
    for (int axis = 0; axis < grid->dim; axis++)
        length += (size_t)snprintf(extent + length, sizeof extent - length, "%s%c %.4g to %.4g m",
                                   axis > 0 ? ", " : "", "xyz"[axis], grid -> low[axis],
                                   grid -> low[axis] +
                                               (double)grid -> cells[axis] * grid -> spacing[axis]);
    return error_set(err, TALUS_ERR_INPUT,
                     "fields: the grid would have %.4g cells of %.4g m (%s); at most %.0f are "
                     "possible%s",
                     count, grid->spacing[0], extent, most,
                     input->running ? " in a run: give `from` and `to`" : "");
}

static talus_status check_count(struct field_grid *grid, const struct measure_input *input,
                                double count, talus_error *err) {
    bool follows = input->running && !measure_value(input->values, "from")->given;
    double most = RUN_CELLS + RUN_CELLS_A_GRAIN * (double)input->now->count;
    if (!follows || most > FIELD_CELLS) most = FIELD_CELLS;
    if (count > most) return too_many(grid, input, count, most, err);
    grid->count = (size_t)count;
    return TALUS_OK;
}

talus_status field_grid_make(struct field_grid *grid, const struct measure_input *input,
                             talus_error *err) {
    const struct snapshot *snapshot = input->now;
    const struct measure_value *width = measure_value(input->values, "width"),
                               *spacing = measure_value(input->values, "spacing");
    bool given = measure_value(input->values, "from")->given;
    struct axis_box box = measure_box(input);
    double count = 1.0, mean = snapshot_diameter(snapshot);
    *grid = (struct field_grid){.dim = snapshot->dim, .cell_volume = 1.0};
    grid->width = width->given ? width->number : mean;
    grid->cut = cut_of(grid->dim, grid->width);
    double wanted = spacing->given ? spacing->number : grid->width;
    for (int axis = 0; axis < 3; axis++) {
        grid->cells[axis] = 1;
        grid->spacing[axis] = 1.0;
        if (axis >= grid->dim) continue;
        double low = box.low[axis], high = box.high[axis];
        grid->periodic[axis] = snapshot->cell.periodic[axis];
        if (grid->periodic[axis]) { /* the whole period, whatever box is given */
            low = vec3_component(snapshot->cell.origin, axis);
            high = low + vec3_component(snapshot->cell.size, axis);
        } else if (!given) { /* nothing of a kernel may be lost */
            low -= grid->cut;
            high += grid->cut;
        }
        double cells = fmax(1.0, rint((high - low) / wanted));
        count *= cells;
        grid->low[axis] = low;
        grid->spacing[axis] = (high - low) / cells;
        grid->cell_volume *= grid->spacing[axis];
        grid->cells[axis] = (int64_t)fmin(cells, 1e15);
    }
    return check_count(grid, input, count, err);
}
