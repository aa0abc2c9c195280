/* SPDX-License-Identifier: Apache-2.0
 * What follows from the numbers of a figure: its data tables, factors of units, ranges of axes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plot/plot.h"

/* ---- data ------------------------------------------------------------------------------------ */

static talus_status fill_used(struct plot_source *source, talus_error *err) {
    double row[FIGURE_CURVES + 1];
    size_t from[FIGURE_CURVES + 1];
    for (size_t c = 0; c < source->used.column_count; c++)
        from[c] = talus_table_find(&source->table, source->used.columns[c].name);
    for (size_t r = 0; r < source->table.row_count; r++) {
        for (size_t c = 0; c < source->used.column_count; c++)
            row[c] = talus_table_at(&source->table, r, from[c]);
        TALUS_TRY(talus_table_add_row(&source->used, row, err));
    }
    return TALUS_OK;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

struct range {
    double low, high;
    bool any;
};

static void widen(struct range *range, double value, bool log) {
    if (!isfinite(value) || (log && value <= 0.0)) return;
    range->low = range->any ? fmin(range->low, value) : value;
    range->high = range->any ? fmax(range->high, value) : value;
    range->any = true;
}

static double value_at(const struct plot *plot, const struct figure_curve *curve, size_t row,
                       size_t column) {
    return talus_table_at(&plot->sources[curve->source].used, row, column - 1);
}

/* Of the points that show: both numbers are there. */
static void widen_by_curve(const struct plot *plot, const struct figure_panel *panel,
                           const struct figure_curve *curve, struct range *x, struct range *y) {
    for (size_t r = 0; r < plot->sources[curve->source].used.row_count; r++) {
        double a = value_at(plot, curve, r, curve->x), b = value_at(plot, curve, r, curve->y);
        if (!isfinite(a) || !isfinite(b)) continue;
        if ((panel->x.log && a <= 0.0) || (panel->y.log && b <= 0.0)) continue;
        widen(x, a, panel->x.log);
        widen(y, b, panel->y.log);
    }
}

static double largest(const struct range *range) {
    return fmax(fabs(range->low), fabs(range->high));
}

/* Is it one value but for rounding? The script has nine digits of each end: they have to be two texts, with room
 * for digits between them. */
static bool is_narrow(double low, double high) {
    return high - low <= 1e-7 * fmax(fabs(low), fabs(high));
}

/* Some room at both ends; zero belongs to an axis that comes near it. */
static void set_loose(struct figure_axis *axis, struct range range, double factor) {
    double low = factor * range.low, high = factor * range.high;
    if (axis->log) {
        low = fmax(low, axis->least * high);
        axis->low = low / 1.5;
        axis->high = high * 1.5;
        return;
    }
    if (low >= 0.0 && low < 0.5 * high) low = 0.0;
    if (high <= 0.0 && high > 0.5 * low) high = 0.0;
    double room =
        is_narrow(low, high) ? 0.1 * fmax(fmax(fabs(low), fabs(high)), 1e-3) : 0.05 * (high - low);
    axis->low = low == 0.0 && high > low ? 0.0 : low - room;
    axis->high = high == 0.0 && high > low ? 0.0 : high + room;
}

/* To the first and the last value; zero, if it is just before the first. */
static void set_tight(struct figure_axis *axis, struct range range, double factor) {
    axis->low = factor * range.low;
    axis->high = factor * range.high;
    if (!axis->log && axis->low > 0.0 && axis->low < 0.05 * axis->high) axis->low = 0.0;
    if (is_narrow(axis->low, axis->high)) set_loose(axis, range, factor);
}

/* ---- units ----------------------------------------------------------------------------------- */

static const char *unit_of(const struct plot *plot, const struct figure_curve *curve,
                           size_t column) {
    return plot->sources[curve->source].used.columns[column - 1].unit;
}

/* Logarithmic axes need no factor: their numbers are powers of ten. */
static double name_axis(struct figure_axis *axis, const char *unit, double most) {
    char scaled[FIGURE_TEXT], name[FIGURE_TEXT];
    double factor = unit_scale(axis->log ? 1.0 : most, unit, scaled);
    snprintf(name, sizeof name, "%s", axis->label);
    axis_label(axis->label, name, scaled);
    return factor;
}

/* Why a measure may have no numbers: what it says itself, or that it compares states and there is only one. */
static void put_reason(const struct plot *plot, const struct plot_source *source,
                       char reason[FIGURE_TEXT]) {
    const char *measure = plot->config->measure, *notes = source->table.notes;
    bool compares =
        measure != NULL && (strcmp(measure, "msd") == 0 || strcmp(measure, "flow") == 0 ||
                            strcmp(measure, "inertial") == 0);
    reason[0] = '\0';
    if (measure == NULL) return;
    if (compares && source->used.row_count < 2)
        snprintf(reason, FIGURE_TEXT,
                 ": %s compares states, and there is only one (output: {frames: ...} keeps more)",
                 measure);
    else if (strstr(notes, "nothing to mix") != NULL)
        snprintf(reason, FIGURE_TEXT,
                 ": %.*s; give grains a `group`, or say kind=type where materials differ",
                 (int)strcspn(notes, "\n"), notes);
    else if (notes[0] != '\0')
        snprintf(reason, FIGURE_TEXT, ": %.*s", (int)strcspn(notes, "\n"), notes);
}

static talus_status nothing(const struct plot *plot, const struct figure_panel *panel,
                            talus_error *err) {
    const struct figure_curve *curve = &plot->figure.curves[panel->first];
    const struct plot_source *source = &plot->sources[curve->source];
    const char *name = source->used.columns[curve->y - 1].name;
    char reason[FIGURE_TEXT];
    put_reason(plot, source, reason);
    return error_set(err, TALUS_ERR_INPUT,
                     "%s: column '%s' has no %snumbers to be drawn, in %zu row%s%s", source->path,
                     name, panel->x.log || panel->y.log ? "positive " : "", source->used.row_count,
                     source->used.row_count == 1 ? "" : "s", reason);
}

/* Bars need half their width more. */
static void make_room_for_bars(struct figure_panel *panel) {
    panel->x.low -= 0.6;
    panel->x.high += 0.6;
    panel->y.low = 0.0;
}

static void finish_panel(struct plot *plot, struct figure_panel *panel, struct range x,
                         struct range y) {
    struct figure_curve *curves = &plot->figure.curves[panel->first];
    const char *y_unit = unit_of(plot, curves, curves->y);
    double x_factor = name_axis(&panel->x, unit_of(plot, curves, curves->x), largest(&x));
    double y_factor = name_axis(&panel->y, y_unit, largest(&y));
    for (size_t c = 0; c < panel->count; c++) {
        curves[c].x_factor = x_factor;
        curves[c].y_factor = y_factor;
    }
    if (plot->figure.upright) {
        set_loose(&panel->x, x, x_factor);
        set_tight(&panel->y, y, y_factor);
    } else {
        set_tight(&panel->x, x, x_factor);
        set_loose(&panel->y, y, y_factor);
    }
    if (curves->style == FIGURE_BARS) make_room_for_bars(panel);
}

/* The axis that panels share has one range, and so one factor. */
talus_status plot_finish(struct plot *plot, talus_error *err) {
    struct figure *figure = &plot->figure;
    struct range x[FIGURE_PANELS] = {{0}}, y[FIGURE_PANELS] = {{0}}, shared = {0};
    for (size_t s = 0; s < plot->source_count; s++)
        if (plot->sources[s].used.row_count == 0) TALUS_TRY(fill_used(&plot->sources[s], err));
    for (size_t p = 0; p < figure->panel_count; p++) {
        struct figure_panel *panel = &figure->panels[p];
        for (size_t c = 0; c < panel->count; c++)
            widen_by_curve(plot, panel, &figure->curves[panel->first + c], &x[p], &y[p]);
        if (!x[p].any) return nothing(plot, panel, err);
        const struct range *own = figure->upright ? &y[p] : &x[p];
        widen(&shared, own->low, false);
        widen(&shared, own->high, false);
    }
    for (size_t p = 0; p < figure->panel_count; p++)
        finish_panel(plot, &figure->panels[p], figure->upright ? x[p] : shared,
                     figure->upright ? shared : y[p]);
    return TALUS_OK;
}
