/* SPDX-License-Identifier: Apache-2.0
 *
 * Which columns are shown in which panel. Columns of one unit share a panel. Of a run without columns asked for there
 * is an overview: energies and their closing error, structure, overlap, speed, and how well forces are known.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plot/plot.h"
#include "scene/suggest.h"

/* ---- building blocks ------------------------------------------------------------------------- */

static talus_status too_many(talus_error *err) {
    return error_set(err, TALUS_ERR_INPUT, "more than %d curves: too many for one figure",
                     FIGURE_CURVES);
}

struct figure_panel *plot_add_panel(struct plot *plot, talus_error *err) {
    struct figure *figure = &plot->figure;
    if (figure->panel_count == FIGURE_PANELS) {
        error_set(err, TALUS_ERR_INPUT,
                  "the columns have more than %d different units: too many for one figure",
                  FIGURE_PANELS);
        return NULL;
    }
    struct figure_panel *panel = &figure->panels[figure->panel_count++];
    *panel = (struct figure_panel){.first = figure->curve_count, .x.log = plot->config->log_x};
    snprintf(panel->x.label, FIGURE_TEXT, "%s", plot->sources[0].used.columns[0].name);
    return panel;
}

struct figure_curve *plot_add_curve(struct plot *plot, size_t source, size_t column,
                                    talus_error *err) {
    struct figure *figure = &plot->figure;
    talus_table *used = &plot->sources[source].used;
    const talus_column *from = &plot->sources[source].table.columns[column];
    if (figure->curve_count == FIGURE_CURVES) {
        too_many(err);
        return NULL;
    }
    if (talus_table_add_column(used, from->name, from->unit, err) < 0) return NULL;
    struct figure_curve *curve = &figure->curves[figure->curve_count++];
    *curve = (struct figure_curve){
        .source = source, .x = 1, .y = used->column_count, .x_factor = 1.0, .y_factor = 1.0};
    figure->panels[figure->panel_count - 1].count++;
    return curve;
}

/* ---- names ----------------------------------------------------------------------------------- */

static talus_status unknown_column(const struct plot_source *source, const char *name,
                                   talus_error *err) {
    struct suggest suggest = suggest_start(name);
    struct line advice = {0};
    for (size_t c = 0; c < source->table.column_count; c++)
        suggest_try(&suggest, source->table.columns[c].name);
    return error_set(err, TALUS_ERR_UNKNOWN_NAME, "%s: there is no column '%.100s'; %s",
                     source->path, name, suggest_advice(&suggest, &advice));
}

/* Patterns do not mean the horizontal axis and the count of steps; plain names do. */
talus_status plot_find(const struct plot *plot, size_t number, const char *pattern, size_t *columns,
                       size_t *count, talus_error *err) {
    const struct plot_source *source = &plot->sources[number];
    bool plain = strpbrk(pattern, "*?") == NULL;
    *count = 0;
    for (size_t c = 0; c < source->table.column_count; c++) {
        const char *name = source->table.columns[c].name;
        bool axis =
            source->used.column_count > 0 && strcmp(name, source->used.columns[0].name) == 0;
        if (!plain && (axis || strcmp(name, "step") == 0)) continue;
        if (!pattern_fits(pattern, name)) continue;
        if (*count == FIGURE_CURVES) return too_many(err);
        columns[(*count)++] = c;
    }
    return *count > 0 ? TALUS_OK : unknown_column(source, pattern, err);
}

talus_status plot_set_x(struct plot *plot, const char *name, talus_error *err) {
    for (size_t s = 0; s < plot->source_count; s++) {
        struct plot_source *source = &plot->sources[s];
        size_t x = name != NULL ? talus_table_find(&source->table, name) : 0;
        if (x == source->table.column_count) return unknown_column(source, name, err);
        const talus_column *column = &source->table.columns[x];
        TALUS_TRY(talus_table_add_column(&source->used, column->name, column->unit, err));
    }
    return TALUS_OK;
}

static void title_curve(const struct plot *plot, struct figure_curve *curve) {
    const struct plot_source *source = &plot->sources[curve->source];
    const char *name = source->used.columns[curve->y - 1].name;
    bool alone = plot->config->column_count == 1 && strpbrk(plot->config->columns[0], "*?") == NULL;
    if (plot->source_count == 1)
        snprintf(curve->title, FIGURE_TEXT, "%s", name);
    else if (alone)
        snprintf(curve->title, FIGURE_TEXT, "%s", source->label);
    else
        snprintf(curve->title, FIGURE_TEXT, "%.120s: %s", source->label, name);
}

/* ---- what was asked for ---------------------------------------------------------------------- */

/* The panel whose curves have this unit; made if there is none. */
static struct figure_panel *panel_of_unit(struct plot *plot, const char *unit, talus_error *err) {
    for (size_t p = 0; p < plot->figure.panel_count; p++)
        if (strcmp(plot->figure.panels[p].y.label, unit) == 0) return &plot->figure.panels[p];
    struct figure_panel *panel = plot_add_panel(plot, err);
    if (panel != NULL) snprintf(panel->y.label, FIGURE_TEXT, "%s", unit);
    return panel;
}

struct wish {
    size_t source, column;
};

static talus_status find_wishes(const struct plot *plot, struct wish *wishes, size_t *count,
                                talus_error *err) {
    size_t columns[FIGURE_CURVES], found;
    *count = 0;
    for (size_t k = 0; k < plot->config->column_count; k++)
        for (size_t s = 0; s < plot->source_count; s++) {
            TALUS_TRY(plot_find(plot, s, plot->config->columns[k], columns, &found, err));
            if (*count + found > FIGURE_CURVES) return too_many(err);
            for (size_t c = 0; c < found; c++) wishes[(*count)++] = (struct wish){s, columns[c]};
        }
    return TALUS_OK;
}

/* Unit by unit, because the curves of a panel stand one after the other. The labels hold the unit meanwhile. */
static talus_status add_wishes(struct plot *plot, const struct wish *wishes, size_t count,
                               talus_error *err) {
    for (size_t first = 0; first < count; first++) {
        const char *unit =
            plot->sources[wishes[first].source].table.columns[wishes[first].column].unit;
        size_t before = plot->figure.panel_count;
        if (panel_of_unit(plot, unit, err) == NULL) return TALUS_ERR_INPUT;
        if (plot->figure.panel_count == before) continue; /* had its turn */
        for (size_t k = first; k < count; k++) {
            const talus_table *table = &plot->sources[wishes[k].source].table;
            if (strcmp(table->columns[wishes[k].column].unit, unit) != 0) continue;
            struct figure_curve *curve =
                plot_add_curve(plot, wishes[k].source, wishes[k].column, err);
            if (curve == NULL) return TALUS_ERR_INPUT;
            title_curve(plot, curve);
        }
    }
    return TALUS_OK;
}

/* What all columns of a unit are, if they have no name in common. */
static const char *meaning_of_unit(const char *unit) {
    static const char *const meanings[][2] = {
        {"J", "energy"},     {"N", "force"},       {"N m", "torque"}, {"m", "length"},
        {"m/s", "velocity"}, {"Pa", "stress"},     {"N/m", "stress"}, {"m^3", "volume"},
        {"m^2", "area"},     {"rad/s", "rotation"}};
    for (size_t k = 0; k < sizeof meanings / sizeof meanings[0]; k++)
        if (strcmp(meanings[k][0], unit) == 0) return meanings[k][1];
    return "";
}

static const char *last_word(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot != NULL && dot[1] != '\0' ? dot + 1 : name;
}

static const char *curve_name(const struct plot *plot, const struct figure_curve *curve) {
    return plot->sources[curve->source].used.columns[curve->y - 1].name;
}

/* The name that the curves have in common; plot_finish adds the unit. */
static void name_panels(struct plot *plot) {
    for (size_t p = 0; p < plot->figure.panel_count; p++) {
        struct figure_panel *panel = &plot->figure.panels[p];
        const struct figure_curve *curves = &plot->figure.curves[panel->first];
        const char *whole = curve_name(plot, &curves[0]), *end = last_word(whole);
        bool same = true, same_end = true;
        for (size_t c = 1; c < panel->count; c++) {
            same = same && strcmp(curve_name(plot, &curves[c]), whole) == 0;
            same_end = same_end && strcmp(last_word(curve_name(plot, &curves[c])), end) == 0;
        }
        const char *meaning = meaning_of_unit(panel->y.label), *measure = plot->config->measure;
        if (meaning[0] == '\0' && measure != NULL) meaning = measure;
        const char *label = same ? whole : same_end ? end : meaning;
        char copy[FIGURE_TEXT];
        snprintf(copy, sizeof copy, "%s", label);
        memcpy(panel->y.label, copy, sizeof copy);
    }
}

/* ---- the overview of a run ------------------------------------------------------------------- */

static const struct {
    const char *label;
    bool log;
    const char *columns[8];
} overview[] = {
    {"energy",
     false,
     {"kinetic_translation", "kinetic_rotation", "potential", "elastic", "work_boundary",
      "work_force", "dissipation"}},
    {"energy_error", false, {"energy_error"}},
    {"contacts per grain", false, {"coordination", "coordination_no_rattlers"}},
    {"packing_fraction", false, {"packing_fraction"}},
    {"overlap / diameter", true, {"overlap_max", "overlap_mean"}},
    {"speed_max", false, {"speed_max"}},
    {"unbalance, residual", true, {"unbalanced_force", "balance_error", "residual"}},
};

static bool is_run(const struct plot_source *source) {
    return talus_table_find(&source->table, "kinetic_translation") < source->table.column_count &&
           talus_table_find(&source->table, "residual") < source->table.column_count;
}

static bool is_worth(const talus_table *table, size_t column, bool log) {
    for (size_t r = 0; column < table->column_count && r < table->row_count; r++) {
        double value = talus_table_at(table, r, column);
        if (log ? value > 0.0 : value != 0.0 && value == value) return true;
    }
    return false;
}

static talus_status add_overview(struct plot *plot, talus_error *err) {
    for (size_t k = 0; k < sizeof overview / sizeof overview[0]; k++) {
        struct figure_panel *panel = NULL;
        for (size_t c = 0; c < 8 && overview[k].columns[c] != NULL; c++)
            for (size_t s = 0; s < plot->source_count; s++) {
                const talus_table *table = &plot->sources[s].table;
                size_t column = talus_table_find(table, overview[k].columns[c]);
                if (!is_worth(table, column, overview[k].log)) continue;
                if (panel == NULL && (panel = plot_add_panel(plot, err)) == NULL)
                    return TALUS_ERR_INPUT;
                struct figure_curve *curve = plot_add_curve(plot, s, column, err);
                if (curve == NULL) return TALUS_ERR_INPUT;
                title_curve(plot, curve);
            }
        if (panel == NULL) continue;
        panel->y.log = overview[k].log;
        panel->y.least = 1e-8; /* before the first contacts there is rounding only */
        snprintf(panel->y.label, FIGURE_TEXT, "%s", overview[k].label);
    }
    if (plot->figure.panel_count > 0) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT, "%s: there is nothing to be seen yet, in %zu rows",
                     plot->sources[0].path, plot->sources[0].table.row_count);
}

/* ---- all ------------------------------------------------------------------------------------- */

talus_status plot_choose(struct plot *plot, talus_error *err) {
    static const char *const everything[1] = {"*"};
    struct wish wishes[FIGURE_CURVES];
    size_t count;
    TALUS_TRY(plot_set_x(plot, plot->config->x, err));
    if (plot->config->column_count == 0 && is_run(&plot->sources[0]))
        return add_overview(plot, err);
    talus_plot_config config = *plot->config;
    if (config.column_count == 0) {
        config.columns = everything;
        config.column_count = 1;
    }
    const talus_plot_config *asked = plot->config;
    plot->config = &config;
    talus_status status = find_wishes(plot, wishes, &count, err);
    if (status >= 0) status = add_wishes(plot, wishes, count, err);
    plot->config = asked;
    if (status < 0) return status;
    name_panels(plot);
    for (size_t p = 0; p < plot->figure.panel_count; p++)
        plot->figure.panels[p].y.log = plot->config->log_y;
    return TALUS_OK;
}
