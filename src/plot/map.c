/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields as heat maps, one for each quantity, with the height upwards: in the plane x and y; of fields in space the slice
 * through the middle of their grid that holds x and z.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plot/plot.h"

struct slice {
    size_t across, up, through; /* columns; through: of what is the same everywhere */
    bool cut;                   /* there is one of these: the fields are in space */
    double at;
};

struct extent {
    double low, high, step;
    size_t cells;
};

/* ---- the slice ------------------------------------------------------------------------------- */

/* From the first to the last cell of a column of places; rows of equal place count once. */
static struct extent extent_of(const talus_table *table, size_t column) {
    struct extent extent = {.low = HUGE_VAL, .high = -HUGE_VAL, .step = HUGE_VAL};
    for (size_t r = 0; r < table->row_count; r++) {
        double value = talus_table_at(table, r, column);
        extent.low = fmin(extent.low, value);
        extent.high = fmax(extent.high, value);
    }
    for (size_t r = 0; r < table->row_count; r++) {
        double off = talus_table_at(table, r, column) - extent.low;
        if (off > 0.0) extent.step = fmin(extent.step, off);
    }
    extent.cells = extent.high > extent.low
                       ? (size_t)rint((extent.high - extent.low) / extent.step) + 1
                       : (size_t)(table->row_count > 0);
    return extent;
}

/* The layer of cells that is nearest to the middle; the lower one of two. */
static double middle_of(const talus_table *table, size_t column) {
    struct extent extent = extent_of(table, column);
    double middle = 0.5 * (extent.low + extent.high), best = extent.low;
    for (size_t r = 0; r < table->row_count; r++) {
        double value = talus_table_at(table, r, column);
        double nearer = fabs(best - middle) - fabs(value - middle);
        if (nearer > 1e-6 * extent.step) best = value;
    }
    return best;
}

static talus_status find_slice(const struct plot_source *source, struct slice *slice,
                               talus_error *err) {
    const talus_table *table = &source->table;
    size_t none = table->column_count, x = talus_table_find(table, "x"),
           y = talus_table_find(table, "y"), z = talus_table_find(table, "z");
    *slice = (struct slice){.across = x, .up = z < none ? z : y, .through = y, .cut = z < none};
    if (table->row_count == 0)
        return error_set(err, TALUS_ERR_INPUT, "%s: there are no fields without grains",
                         source->path);
    if (slice->cut) slice->at = middle_of(table, y);
    struct extent across = extent_of(table, slice->across), up = extent_of(table, slice->up);
    if (across.cells >= 2 && up.cells >= 2) return TALUS_OK;
    return error_set(
        err, TALUS_ERR_INPUT,
        "%s: the grid has %zu x %zu cells; a map needs two at least each way (spacing)",
        source->path, across.cells, up.cells);
}

/* Where no grain reaches there is nothing, not zero. */
static double value_of(const talus_table *table, size_t row, size_t column) {
    double value = talus_table_at(table, row, column);
    bool empty = talus_table_at(table, row, talus_table_find(table, "density")) == 0.0;
    bool place = strlen(table->columns[column].name) == 1; /* x, y, z */
    return empty && !place && value == 0.0 ? (double)NAN : value;
}

static talus_status fill_slice(struct plot_source *source, const struct slice *slice,
                               talus_error *err) {
    talus_table *used = &source->used;
    double row[FIGURE_PANELS + 2];
    for (size_t r = 0; r < source->table.row_count; r++) {
        if (slice->cut && talus_table_at(&source->table, r, slice->through) != slice->at) continue;
        for (size_t c = 0; c < used->column_count; c++)
            row[c] = value_of(&source->table, r,
                              talus_table_find(&source->table, used->columns[c].name));
        TALUS_TRY(talus_table_add_row(used, row, err));
    }
    return TALUS_OK;
}

/* ---- colours --------------------------------------------------------------------------------- */

/* Compression and densities have one sign, or nearly; velocities and shear have two. */
static bool has_two_signs(const char *name, double low, double high) {
    size_t length = strlen(name);
    bool diagonal = length > 3 && name[length - 3] == '_' && name[length - 2] == name[length - 1];
    if (strcmp(name, "density") == 0) return false;
    return !diagonal || low < -0.02 * fmax(fabs(low), fabs(high));
}

static talus_status color_panel(const struct plot_source *source, struct figure_panel *panel,
                                struct figure_curve *curve, talus_error *err) {
    const talus_column *column = &source->used.columns[curve->z - 1];
    double low = HUGE_VAL, high = -HUGE_VAL;
    char unit[FIGURE_TEXT];
    for (size_t r = 0; r < source->used.row_count; r++) {
        double value = talus_table_at(&source->used, r, curve->z - 1);
        if (!isfinite(value)) continue;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    if (!(low <= high))
        return error_set(err, TALUS_ERR_INPUT, "%s: column '%s' has no numbers to be drawn",
                         source->path, column->name);
    panel->two_sided = has_two_signs(column->name, low, high);
    double most = fmax(fabs(low), fabs(high));
    if (most == 0.0) most = 1.0; /* nothing anywhere: still a scale */
    curve->z_factor = unit_scale(most, column->unit, unit);
    panel->z.high = curve->z_factor * (panel->two_sided ? most : fmax(high, 0.0));
    panel->z.low = panel->two_sided ? -panel->z.high : curve->z_factor * fmin(low, 0.0);
    if (!(panel->z.low < panel->z.high)) panel->z.high = panel->z.low + most * curve->z_factor;
    axis_label(panel->z.label, column->name, unit);
    return TALUS_OK;
}

/* ---- panels ---------------------------------------------------------------------------------- */

static void set_axis(struct figure_axis *axis, const talus_column *column, struct extent extent,
                     double factor) {
    char unit[FIGURE_TEXT];
    (void)unit_scale(1.0 / factor, column->unit, unit);
    *axis = (struct figure_axis){.low = factor * (extent.low - 0.5 * extent.step),
                                 .high = factor * (extent.high + 0.5 * extent.step)};
    axis_label(axis->label, column->name, unit);
}

static talus_status add_map(struct plot *plot, const struct slice *slice, size_t column,
                            talus_error *err) {
    if (plot->figure.panel_count == FIGURE_PANELS)
        return error_set(err, TALUS_ERR_INPUT, "more than %d maps: too many for one figure",
                         FIGURE_PANELS);
    struct figure_panel *panel = plot_add_panel(plot, err);
    struct figure_curve *curve = panel != NULL ? plot_add_curve(plot, 0, column, err) : NULL;
    if (curve == NULL) return TALUS_ERR_INPUT;
    const talus_table *table = &plot->sources[0].table;
    struct extent across = extent_of(table, slice->across), up = extent_of(table, slice->up);
    double most =
        fmax(fmax(fabs(across.low), fabs(across.high)), fmax(fabs(up.low), fabs(up.high)));
    char unit[FIGURE_TEXT];
    double factor = unit_scale(most, table->columns[slice->across].unit, unit);
    curve->z = curve->y;
    curve->y = 2;
    curve->x_factor = curve->y_factor = factor;
    curve->style = FIGURE_MAP;
    panel->map = true;
    set_axis(&panel->x, &table->columns[slice->across], across, factor);
    set_axis(&panel->y, &table->columns[slice->up], up, factor);
    return TALUS_OK;
}

static talus_status add_maps(struct plot *plot, const struct slice *slice, talus_error *err) {
    static const char *const usual[2][3] = {{"density", "vy", "sigma_yy"},
                                            {"density", "vz", "sigma_zz"}};
    const talus_plot_config *config = plot->config;
    const char *const *patterns = config->column_count > 0 ? config->columns : usual[slice->cut];
    size_t pattern_count = config->column_count > 0 ? config->column_count : 3;
    size_t columns[FIGURE_CURVES], count;
    for (size_t k = 0; k < pattern_count; k++) {
        TALUS_TRY(plot_find(plot, 0, patterns[k], columns, &count, err));
        for (size_t c = 0; c < count; c++)
            if (columns[c] != slice->up && columns[c] != slice->across)
                TALUS_TRY(add_map(plot, slice, columns[c], err));
    }
    return TALUS_OK;
}

talus_status plot_choose_maps(struct plot *plot, talus_error *err) {
    struct plot_source *source = &plot->sources[0];
    struct figure *figure = &plot->figure;
    struct slice slice;
    if (talus_table_find(&source->table, "y") == source->table.column_count)
        return plot_choose(plot, err); /* on a line fields are curves */
    if (plot->source_count > 1)
        return error_set(err, TALUS_ERR_INPUT,
                         "maps of fields are of one run; %zu are given: draw each by itself",
                         plot->source_count);
    if (plot->config->log_x || plot->config->log_y)
        return error_set(err, TALUS_ERR_INPUT, "maps of fields have no logarithmic axes");
    TALUS_TRY(find_slice(source, &slice, err));
    const talus_column *up = &source->table.columns[slice.up];
    TALUS_TRY(plot_set_x(plot, "x", err));
    TALUS_TRY(talus_table_add_column(&source->used, up->name, up->unit, err));
    TALUS_TRY(add_maps(plot, &slice, err));
    TALUS_TRY(fill_slice(source, &slice, err));
    for (size_t p = 0; p < figure->panel_count; p++)
        TALUS_TRY(color_panel(source, &figure->panels[p], &figure->curves[p], err));
    if (slice.cut) snprintf(figure->note, FIGURE_TEXT, "slice at y = %.4g m", slice.at);
    return TALUS_OK;
}
