/* SPDX-License-Identifier: Apache-2.0
 * Directions of contacts as a rose: strong and weak ones of one run if they are told apart, or all of each run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plot/plot.h"

enum { RADII = 2 };

struct rose_columns {
    size_t from, to, radii[RADII], radius_count;
};

/* Along arcs in small steps; from one to the next it is a straight line. */
static talus_status add_arc(talus_table *path, double from, double to, const double *radii,
                            talus_error *err) {
    enum { STEPS = 8 };
    for (int k = 0; k <= STEPS; k++) {
        double angle = from + (to - from) * k / STEPS;
        TALUS_TRY(talus_table_add_row(path, (const double[]){angle, radii[0], radii[1]}, err));
    }
    return TALUS_OK;
}

/* A round number, not below `value`. */
static double round_up(double value) {
    const double factors[] = {1.0, 1.2, 1.6, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
    double power = pow(10.0, floor(log10(value)));
    size_t k = 0;
    while (k < 9 && factors[k] * power < value) k++;
    return factors[k] * power;
}

/* A path around the rose. Angles to an axis that points up go down at its right, and back at its left. */
static talus_status add_path(struct plot_source *source, const struct rose_columns *columns,
                             bool polar, double *most, talus_error *err) {
    const double quarter = 1.5707963267948966;
    const talus_table *table = &source->table;
    size_t count = table->row_count;
    for (size_t step = 0; step < (polar ? 2 : 1) * count; step++) {
        bool back = step >= count;
        size_t row = back ? 2 * count - 1 - step : step;
        double radii[RADII] = {0.0}, from = talus_table_at(table, row, columns->from),
               to = talus_table_at(table, row, columns->to);
        for (size_t k = 0; k < columns->radius_count; k++) {
            double radius = talus_table_at(table, row, columns->radii[k]);
            radii[k] = isfinite(radius) ? radius : 0.0;
            *most = fmax(*most, radii[k]);
        }
        if (back)
            TALUS_TRY(add_arc(&source->used, quarter + to, quarter + from, radii, err));
        else
            TALUS_TRY(add_arc(&source->used, polar ? quarter - from : from,
                              polar ? quarter - to : to, radii, err));
    }
    return TALUS_OK;
}

static talus_status find_rose(const struct plot_source *source, bool split,
                              struct rose_columns *columns, talus_error *err) {
    const talus_table *table = &source->table;
    *columns =
        (struct rose_columns){.from = talus_table_find(table, "from"),
                              .to = talus_table_find(table, "to"),
                              .radii = {talus_table_find(table, split ? "density_weak" : "density"),
                                        talus_table_find(table, "density_strong")},
                              .radius_count = split ? 2 : 1};
    size_t none = table->column_count;
    if (columns->from < none && columns->to < none && columns->radii[0] < none &&
        (!split || columns->radii[1] < none))
        return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "%s: a rose of directions needs columns from, to and densities", source->path);
}

static talus_status add_curves(struct plot *plot, size_t number, const struct rose_columns *columns,
                               talus_error *err) {
    static const char *const networks[RADII] = {"weak: below the mean force",
                                                "strong: above the mean force"};
    struct plot_source *source = &plot->sources[number];
    TALUS_TRY(talus_table_add_column(&source->used, "angle", "rad", err));
    if (number == 0 && plot_add_panel(plot, err) == NULL) return TALUS_ERR_INPUT;
    for (size_t k = 0; k < columns->radius_count; k++) {
        struct figure_curve *curve = plot_add_curve(plot, number, columns->radii[k], err);
        if (curve == NULL) return TALUS_ERR_INPUT;
        curve->style = FIGURE_ROSE;
        snprintf(curve->title, FIGURE_TEXT, "%s",
                 columns->radius_count > 1 ? networks[k] : source->label);
    }
    return TALUS_OK;
}

talus_status plot_choose_rose(struct plot *plot, talus_error *err) {
    double most = 0.0;
    const talus_table *first = &plot->sources[0].table;
    bool split =
        plot->source_count == 1 && talus_table_find(first, "density_strong") < first->column_count;
    bool polar = strstr(first->notes, "angle to the axis") != NULL;
    for (size_t s = 0; s < plot->source_count; s++) {
        struct rose_columns columns;
        TALUS_TRY(find_rose(&plot->sources[s], split, &columns, err));
        TALUS_TRY(add_curves(plot, s, &columns, err));
        TALUS_TRY(add_path(&plot->sources[s], &columns, polar, &most, err));
    }
    struct figure_panel *panel = &plot->figure.panels[0];
    panel->rose = true;
    panel->polar = polar;
    panel->radius = most > 0.0 ? round_up(most) : 1.0;
    axis_label(panel->y.label,
               polar ? "density of contact directions, angle to the axis"
                     : "density of contact directions",
               plot->sources[0].used.columns[1].unit);
    return TALUS_OK;
}
