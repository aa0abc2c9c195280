/* SPDX-License-Identifier: Apache-2.0
 *
 * How each measure is best shown: distributions of forces with a logarithmic axis and a mark at the mean, histograms as
 * bars, directions as a rose, profiles with the height upwards, what is one number for a state over time. A measure that
 * is not listed here is shown with its first column as the horizontal axis.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plot/plot.h"

struct manner {
    const char *measure, *x, *y, *x_label, *y_label;
    enum figure_style style;
    bool log_y;
    double mark; /* 0: none */
};

static const struct manner manners[] = {
    {"forces", "f", "density", "force / mean force", "probability density", FIGURE_LINE_POINTS,
     true, 1.0},
    {"coordination", "contacts", "share", "contacts of a grain", "share of the grains", FIGURE_BARS,
     false, 0.0},
    {"mobilisation", NULL, "density", "tangential force / its limit", "probability density",
     FIGURE_LINE_POINTS, false, 0.0},
    {"rdf", "r", "g", "r", "g(r)", FIGURE_LINE, false, 0.0},
};

static const struct manner *find_manner(const char *measure) {
    for (size_t k = 0; k < sizeof manners / sizeof manners[0]; k++)
        if (strcmp(manners[k].measure, measure) == 0) return &manners[k];
    return NULL;
}

/* One curve for each run. */
static talus_status add_manner(struct plot *plot, const struct manner *manner, talus_error *err) {
    size_t columns[FIGURE_CURVES], count;
    TALUS_TRY(plot_set_x(plot, manner->x, err));
    struct figure_panel *panel = plot_add_panel(plot, err);
    if (panel == NULL) return TALUS_ERR_INPUT;
    for (size_t s = 0; s < plot->source_count; s++) {
        TALUS_TRY(plot_find(plot, s, manner->y, columns, &count, err));
        struct figure_curve *curve = plot_add_curve(plot, s, columns[0], err);
        if (curve == NULL) return TALUS_ERR_INPUT;
        bool bars = manner->style == FIGURE_BARS && plot->source_count > 1;
        curve->style = bars ? FIGURE_LINE_POINTS : manner->style;
        snprintf(curve->title, FIGURE_TEXT, "%s", plot->sources[s].label);
    }
    snprintf(panel->x.label, FIGURE_TEXT, "%s", manner->x_label);
    snprintf(panel->y.label, FIGURE_TEXT, "%s", manner->y_label);
    panel->y.log = manner->log_y || plot->config->log_y;
    panel->has_mark = manner->mark > 0.0;
    panel->mark = manner->mark;
    return TALUS_OK;
}

/* ---- rose ------------------------------------------------------------------------------------ */

/* Along an arc in small steps, to the middle and out again. */
static talus_status add_sector(talus_table *path, double from, double to, double radius,
                               talus_error *err) {
    enum { STEPS = 8 };
    TALUS_TRY(talus_table_add_row(path, (const double[]){from, 0.0}, err));
    for (int k = 0; k <= STEPS; k++) {
        double angle = from + (to - from) * k / STEPS;
        TALUS_TRY(talus_table_add_row(path, (const double[]){angle, radius}, err));
    }
    return talus_table_add_row(path, (const double[]){to, 0.0}, err);
}

/* A round number, not below `value`. */
static double round_up(double value) {
    const double factors[] = {1.0, 1.2, 1.6, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
    double power = pow(10.0, floor(log10(value)));
    size_t k = 0;
    while (k < 9 && factors[k] * power < value) k++;
    return factors[k] * power;
}

struct rose_columns {
    size_t from, to, density;
};

/* Angles to an axis become two halves, at the right and at the left of an axis that points up. */
static talus_status add_sectors(struct plot_source *source, const struct rose_columns *columns,
                                bool polar, double *most, talus_error *err) {
    const double quarter = 1.5707963267948966;
    const talus_table *table = &source->table;
    for (int half = 0; half < (polar ? 2 : 1); half++)
        for (size_t r = 0; r < table->row_count; r++) {
            double radius = talus_table_at(table, r, columns->density);
            double from = talus_table_at(table, r, columns->from);
            double to = talus_table_at(table, r, columns->to);
            if (!isfinite(radius)) continue;
            if (polar) {
                from = quarter + (half == 0 ? -from : from);
                to = quarter + (half == 0 ? -to : to);
            }
            TALUS_TRY(add_sector(&source->used, from, to, radius, err));
            *most = fmax(*most, radius);
        }
    return TALUS_OK;
}

static talus_status find_rose(const struct plot_source *source, struct rose_columns *columns,
                              talus_error *err) {
    const talus_table *table = &source->table;
    *columns = (struct rose_columns){talus_table_find(table, "from"), talus_table_find(table, "to"),
                                     talus_table_find(table, "density")};
    size_t none = table->column_count;
    if (columns->from < none && columns->to < none && columns->density < none) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "%s: a rose of directions needs columns from, to and density", source->path);
}

static talus_status add_rose(struct plot *plot, talus_error *err) {
    double most = 0.0;
    bool polar = strstr(plot->sources[0].table.notes, "angle to the axis") != NULL;
    for (size_t s = 0; s < plot->source_count; s++) {
        struct plot_source *source = &plot->sources[s];
        struct rose_columns columns;
        TALUS_TRY(find_rose(source, &columns, err));
        TALUS_TRY(talus_table_add_column(&source->used, "angle", "rad", err));
        if (s == 0 && plot_add_panel(plot, err) == NULL) return TALUS_ERR_INPUT;
        struct figure_curve *curve = plot_add_curve(plot, s, columns.density, err);
        if (curve == NULL) return TALUS_ERR_INPUT;
        curve->style = FIGURE_ROSE;
        snprintf(curve->title, FIGURE_TEXT, "%s", source->label);
        TALUS_TRY(add_sectors(source, &columns, polar, &most, err));
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

/* ---- profile --------------------------------------------------------------------------------- */

/* In space z is up, in the plane y. */
static bool is_upright(const talus_table *table) {
    bool space = talus_table_find(table, "vz") < table->column_count;
    return strstr(table->notes, space ? "along z" : "along y") != NULL;
}

static talus_status add_profile(struct plot *plot, talus_error *err) {
    static const char *const first[] = {"packing_fraction", "v?", "pressure"};
    talus_plot_config config = *plot->config;
    const talus_plot_config *asked = plot->config;
    if (config.column_count == 0) {
        config.columns = first;
        config.column_count = sizeof first / sizeof first[0];
    }
    config.x = "position";
    plot->config = &config;
    talus_status status = plot_choose(plot, err);
    plot->config = asked;
    if (status < 0 || !is_upright(&plot->sources[0].table)) return status;
    plot->figure.upright = true;
    for (size_t p = 0; p < plot->figure.panel_count; p++) {
        struct figure_axis x = plot->figure.panels[p].x;
        plot->figure.panels[p].x = plot->figure.panels[p].y;
        plot->figure.panels[p].y = x;
    }
    for (size_t c = 0; c < plot->figure.curve_count; c++) {
        plot->figure.curves[c].x = plot->figure.curves[c].y;
        plot->figure.curves[c].y = 1;
    }
    return TALUS_OK;
}

/* ---- over time ------------------------------------------------------------------------------- */

enum { USUAL = 3 };

/* Of the many columns of a measure those worth seeing first, and what they are if their names do not say it. */
static const struct {
    const char *measure, *label, *columns[USUAL];
} usual[] = {{"stress", NULL, {"sigma_??", "pressure"}},
             {"fabric", NULL, {"F_??", "anisotropy"}},
             {"packing", "packing fraction", {"fraction"}},
             {"inertial", "inertial number I, friction mu", {"I", "mu"}},
             {"flow", "mass flow rate", {"rate"}},
             {"mixing", "mixing index M", {"M"}},
             {"msd", "mean square displacement", {"msd*"}}};

static bool is_over_time(const struct plot *plot) {
    return strcmp(plot->sources[0].table.columns[0].name, "time") == 0;
}

static talus_status add_over_time(struct plot *plot, talus_error *err) {
    talus_plot_config config = *plot->config;
    const talus_plot_config *asked = plot->config;
    const char *label = NULL;
    for (size_t k = 0; k < sizeof usual / sizeof usual[0]; k++) {
        if (config.column_count > 0 || strcmp(usual[k].measure, config.measure) != 0) continue;
        label = usual[k].label;
        config.columns = usual[k].columns;
        for (size_t c = 0; c < USUAL && usual[k].columns[c] != NULL; c++) config.column_count++;
    }
    plot->config = &config;
    talus_status status = plot_choose(plot, err);
    plot->config = asked;
    for (size_t c = 0; c < plot->figure.curve_count; c++)
        plot->figure.curves[c].style = FIGURE_LINE_POINTS; /* there may be few frames */
    if (status >= 0 && label != NULL)
        snprintf(plot->figure.panels[0].y.label, FIGURE_TEXT, "%s", label);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

talus_status plot_choose_measure(struct plot *plot, talus_error *err) {
    const char *measure = plot->config->measure;
    const struct manner *manner = find_manner(measure);
    bool chosen = plot->config->column_count > 0 || plot->config->x != NULL;
    if (strcmp(measure, "profile") == 0 && plot->config->x == NULL) return add_profile(plot, err);
    if (is_over_time(plot)) return add_over_time(plot, err);
    if (strcmp(measure, "fields") == 0 && plot->config->x == NULL)
        return plot_choose_maps(plot, err);
    if (chosen) return plot_choose(plot, err);
    if (strcmp(measure, "rose") == 0) return add_rose(plot, err);
    return manner != NULL ? add_manner(plot, manner, err) : plot_choose(plot, err);
}
