/* SPDX-License-Identifier: Apache-2.0
 * talus_plot: from directories to tables, to a figure, to files. */
#define _POSIX_C_SOURCE 200809L
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "plot/script.h"
#include "talus/measure.h"
#include "talus/run.h"

enum { SIDE_MIN = 200, SIDE_MAX = 8192 };

talus_plot_config talus_plot_config_default(void) {
    return (talus_plot_config){.frame = -1, .formats = TALUS_PLOT_SVG | TALUS_PLOT_PNG};
}

/* ---- what it is made from -------------------------------------------------------------------- */

static bool is_directory(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The last name of a path, without slashes behind it. */
static void last_name(const char *path, char name[FIGURE_TEXT]) {
    size_t end = strlen(path), begin;
    while (end > 1 && path[end - 1] == '/') end--;
    for (begin = end; begin > 0 && path[begin - 1] != '/';) begin--;
    snprintf(name, FIGURE_TEXT, "%.*s", (int)(end - begin), path + begin);
}

/* Runs are told apart by their names, or if two have the same by their paths. */
static void label_sources(struct plot *plot) {
    bool differ = true;
    for (size_t s = 0; s < plot->source_count; s++) {
        last_name(plot->config->from[s], plot->sources[s].label);
        for (size_t k = 0; k < s; k++)
            if (strcmp(plot->sources[k].label, plot->sources[s].label) == 0) differ = false;
    }
    for (size_t s = 0; s < plot->source_count && !differ; s++)
        snprintf(plot->sources[s].label, FIGURE_TEXT, "%.250s", plot->config->from[s]);
}

static talus_status read_source(const talus_plot_config *config, size_t number,
                                struct plot_source *source, talus_error *err) {
    const char *from = config->from[number];
    if (is_directory(from) && config->measure == NULL)
        TALUS_TRY(file_path(source->path, from, "series.tsv", err));
    else if (strlen(from) < FILE_PATH)
        strcpy(source->path, from);
    else
        return error_set(err, TALUS_ERR_INPUT, "%.200s...: the name is too long", from);
    if (config->measure == NULL) return talus_table_read(source->path, &source->table, err);
    talus_measure_config measure = talus_measure_config_default();
    measure.from = from;
    measure.name = config->measure;
    measure.parameters = config->parameters;
    measure.parameter_count = config->parameter_count;
    measure.first = config->frame;
    measure.stop = config->frame == -1 ? INT64_MAX : config->frame + 1;
    TALUS_TRY(talus_measure_stored(&measure, &source->table, err));
    if (source->table.row_count != 1 || config->frame != -1) return TALUS_OK;
    /* A row for a state is no figure, but rows of all of them are. */
    talus_table_free(&source->table);
    measure.first = 0;
    measure.time = true;
    return talus_measure_stored(&measure, &source->table, err);
}

/* Blocks of several rows at each time are no curves over it. The way out, where the path tells it: DIR/measures/NAME.tsv. */
static talus_status refuse_blocks(const struct plot *plot, const struct plot_source *source,
                                  talus_error *err) {
    const talus_table *table = &source->table;
    size_t time = talus_table_find(table, "time"), times = 0;
    char directory[FILE_PATH], name[FIGURE_TEXT], *slash;
    if (plot->config->measure != NULL || time == table->column_count) return TALUS_OK;
    for (size_t r = 0; r < table->row_count; r++)
        times += r == 0 || talus_table_at(table, r, time) != talus_table_at(table, r - 1, time);
    /* A single block is one curve, against any of its columns. */
    if (times < 2 || 2 * times > table->row_count) return TALUS_OK;
    last_name(source->path, name);
    if (strrchr(name, '.') != NULL) *strrchr(name, '.') = '\0';
    snprintf(directory, sizeof directory, "%s", source->path);
    for (int k = 0; k < 2; k++)
        if ((slash = strrchr(directory, '/')) != NULL) *slash = '\0';
    bool told = strstr(source->path, "/measures/") != NULL;
    return error_set(
        err, TALUS_ERR_INPUT,
        "%.2000s: has blocks of rows, about %zu at each time, which are no curves over "
        "time; one block is drawn by: talus plot %.1000s --measure %.100s --frame N",
        source->path, table->row_count / times, told ? directory : "DIR", told ? name : "NAME");
}

/* ---- where it goes --------------------------------------------------------------------------- */

struct place {
    char directory[FILE_PATH];
};

/* "a/b" is the stem b in the directory a. */
static talus_status set_stem(struct plot *plot, struct place *place, const char *path,
                             talus_error *err) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    size_t length = strlen(name);
    if (length == 0 || length > 200 || strlen(path) >= FILE_PATH - 64 ||
        strpbrk(path, "\n\r") != NULL)
        return error_set(err, TALUS_ERR_INPUT, "\"%.200s\" is no name for a figure", path);
    strcpy(plot->figure.stem, name);
    snprintf(place->directory, FILE_PATH, "%.*s",
             slash == NULL   ? 1
             : slash == path ? 1
                             : (int)(slash - path),
             slash == NULL ? "." : path);
    return TALUS_OK;
}

static talus_status find_place(struct plot *plot, struct place *place, talus_error *err) {
    const talus_plot_config *config = plot->config;
    char path[FILE_PATH], name[64] = "plot";
    if (config->to != NULL) return set_stem(plot, place, config->to, err);
    if (config->measure != NULL) snprintf(name, sizeof name, "plot_%.50s", config->measure);
    if (is_directory(config->from[0])) {
        TALUS_TRY(file_path(path, config->from[0], name, err));
    } else {
        snprintf(path, sizeof path, "%s", config->from[0]);
        char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
        if (dot != NULL && (slash == NULL || dot > slash + 1)) *dot = '\0';
    }
    return set_stem(plot, place, path, err);
}

static bool same_file(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* ---- files ----------------------------------------------------------------------------------- */

static const struct {
    int format;
    const char *ending;
} endings[] = {{TALUS_PLOT_SVG, "svg"}, {TALUS_PLOT_PNG, "png"}};

/* Neither a table that is drawn from nor a run's own files are replaced. */
static talus_status check_name(const struct plot *plot, const struct place *place, const char *name,
                               talus_error *err) {
    char path[FILE_PATH];
    TALUS_TRY(file_path(path, place->directory, name, err));
    for (size_t s = 0; s < plot->source_count; s++) {
        if (same_file(path, plot->config->from[s]))
            return error_set(
                err, TALUS_ERR_INPUT,
                "%s: is drawn from, and would be replaced; give the figure another name", path);
        TALUS_TRY(talus_run_spare(plot->config->from[s], path, err));
    }
    return TALUS_OK;
}

static talus_status check_names(const struct plot *plot, const struct place *place,
                                talus_error *err) {
    const struct figure *figure = &plot->figure;
    char name[FIGURE_NAME];
    for (size_t s = 0; s < plot->source_count; s++)
        TALUS_TRY(check_name(plot, place, figure->data[s], err));
    for (int k = 0; k < 2; k++) {
        if ((figure->formats & endings[k].format) == 0) continue;
        snprintf(name, sizeof name, "%.200s.%s", figure->stem, endings[k].ending);
        TALUS_TRY(check_name(plot, place, name, err));
    }
    snprintf(name, sizeof name, "%.200s.gnuplot", figure->stem);
    return check_name(plot, place, name, err);
}

static talus_status report_file(const struct place *place, const char *name,
                                talus_plot_report *report, talus_error *err) {
    char *path = report->files[report->file_count];
    TALUS_TRY(file_path(path, place->directory, name, err));
    report->file_count++;
    return TALUS_OK;
}

static talus_status write_data(struct plot *plot, const struct place *place,
                               talus_plot_report *report, talus_error *err) {
    for (size_t s = 0; s < plot->source_count; s++) {
        struct plot_source *source = &plot->sources[s];
        char path[FILE_PATH];
        TALUS_TRY(file_path(path, place->directory, plot->figure.data[s], err));
        talus_table_note(&source->used, "data of %s.gnuplot, from %s", plot->figure.stem,
                         source->path);
        TALUS_TRY(talus_table_write(&source->used, path, err));
        TALUS_TRY(report_file(place, plot->figure.data[s], report, err));
    }
    return TALUS_OK;
}

static talus_status write_script(const struct plot *plot, const struct place *place,
                                 const char *name, talus_error *err) {
    struct file file;
    TALUS_TRY(file_open(&file, place->directory, name, FILE_WHOLE, err));
    figure_script(&plot->figure, file.stream);
    return file_close(&file, err);
}

static void name_data(struct plot *plot) {
    for (size_t s = 0; s < plot->source_count; s++) {
        char *name = plot->figure.data[s];
        if (plot->source_count == 1)
            snprintf(name, FIGURE_NAME, "%.200s_data.tsv", plot->figure.stem);
        else
            snprintf(name, FIGURE_NAME, "%.200s_data_%zu.tsv", plot->figure.stem, s + 1);
    }
}

/* Figures come first in the report, but only once they are there. */
static talus_status write_files(struct plot *plot, const struct place *place,
                                talus_plot_report *report, talus_error *err) {
    char script[FIGURE_NAME], name[FIGURE_NAME];
    talus_plot_report made = {.file_count = 0};
    snprintf(script, sizeof script, "%.200s.gnuplot", plot->figure.stem);
    name_data(plot);
    TALUS_TRY(check_names(plot, place, err));
    TALUS_TRY(write_data(plot, place, &made, err));
    TALUS_TRY(write_script(plot, place, script, err));
    TALUS_TRY(report_file(place, script, &made, err));
    talus_status status = talus_gnuplot(place->directory, script, err);
    for (int k = 0; k < 2 && status >= 0; k++) {
        if ((plot->figure.formats & endings[k].format) == 0) continue;
        snprintf(name, sizeof name, "%.200s.%s", plot->figure.stem, endings[k].ending);
        TALUS_TRY(report_file(place, name, report, err));
    }
    for (size_t f = 0; f < made.file_count; f++)
        strcpy(report->files[report->file_count++], made.files[f]);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static talus_status check(const talus_plot_config *config, talus_error *err) {
    const struct {
        const char *name;
        int value;
    } sides[2] = {{"width", config->width}, {"height", config->height}};
    for (int k = 0; k < 2; k++)
        if (sides[k].value != 0 && (sides[k].value < SIDE_MIN || sides[k].value > SIDE_MAX))
            return error_set(err, TALUS_ERR_INPUT, "the %s of a figure is %d; allowed are %d to %d",
                             sides[k].name, sides[k].value, SIDE_MIN, SIDE_MAX);
    if (config->from_count < 1 || config->from_count > FIGURE_SOURCES)
        return error_set(err, TALUS_ERR_INPUT, "%zu runs in one figure; allowed are 1 to %d",
                         config->from_count, FIGURE_SOURCES);
    if ((config->formats & (TALUS_PLOT_SVG | TALUS_PLOT_PNG)) == 0)
        return error_set(err, TALUS_ERR_INPUT, "a figure needs a format: svg, png or both");
    return TALUS_OK;
}

static void set_size(struct plot *plot) {
    struct figure *figure = &plot->figure;
    const talus_plot_config *config = plot->config;
    int panels = (int)figure->panel_count;
    int width = figure->panels[0].rose ? 620 + (int)script_key_width(figure)
                : figure->upright      ? 300 + 280 * panels
                                       : 900;
    int height = figure->panels[0].rose ? 600 : figure->upright ? 560 : 340 + 120 * panels;
    if (figure->panels[0].map) figure_map_size(figure, &width, &height);
    figure->formats = config->formats;
    if (config->title != NULL) snprintf(figure->title, FIGURE_TEXT, "%.250s", config->title);
    if (!figure->upright && !figure->panels[0].rose && !figure->panels[0].map)
        height = (int)fmin(SIDE_MAX, fmax(height, ceil(script_least_height(figure))));
    figure->width = config->width > 0 ? config->width : width;
    figure->height = config->height > 0 ? config->height : height;
}

static talus_status make(struct plot *plot, talus_plot_report *report, talus_error *err) {
    const talus_plot_config *config = plot->config;
    struct place place;
    for (size_t s = 0; s < plot->source_count; s++)
        TALUS_TRY(read_source(config, s, &plot->sources[s], err));
    for (size_t s = 0; s < plot->source_count; s++)
        TALUS_TRY(refuse_blocks(plot, &plot->sources[s], err));
    label_sources(plot);
    TALUS_TRY(config->measure != NULL ? plot_choose_measure(plot, err) : plot_choose(plot, err));
    if (!plot->figure.panels[0].rose && !plot->figure.panels[0].map)
        TALUS_TRY(plot_finish(plot, err));
    set_size(plot);
    TALUS_TRY(find_place(plot, &place, err));
    return write_files(plot, &place, report, err);
}

talus_status talus_plot(const talus_plot_config *config, talus_plot_report *report,
                        talus_error *err) {
    talus_plot_report unwanted;
    struct memory memory = {0};
    if (report == NULL) report = &unwanted;
    report->file_count = 0;
    TALUS_TRY(check(config, err));
    struct plot plot = {.config = config, .source_count = config->from_count};
    plot.sources = memory_resize(&memory, NULL, 0, plot.source_count, sizeof *plot.sources);
    if (plot.sources == NULL) return error_memory(err);
    talus_status status = make(&plot, report, err);
    for (size_t s = 0; s < plot.source_count; s++) {
        talus_table_free(&plot.sources[s].table);
        talus_table_free(&plot.sources[s].used);
    }
    memory_free(&memory, plot.sources, plot.source_count, sizeof *plot.sources);
    return status;
}
