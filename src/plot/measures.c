/* SPDX-License-Identifier: Apache-2.0
 *
 * How each measure is best shown: distributions of forces with a logarithmic axis and a mark at the mean, histograms as
 * bars, directions as a rose, profiles with the height upwards, what is one number for a state over time. A measure that
 * is not listed here is shown with its first column as the horizontal axis.
 */
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
    if (strcmp(measure, "rose") == 0) return plot_choose_rose(plot, err);
    return manner != NULL ? add_manner(plot, manner, err) : plot_choose(plot, err);
}
