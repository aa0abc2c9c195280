/* SPDX-License-Identifier: Apache-2.0
 * talus plot: figures of what a run has written, by gnuplot. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/options.h"

enum { OUTPUT = 1, XY, MEASURE, FRAME, FORMAT, LOG, SIZE, TITLE, WORDS = 64 };

static const struct option_def defs[] = {
    {OUTPUT, "output", 'o', "NAME", "name of the figure; default `plot` in the first directory"},
    {XY, "xy", 'x', "X", "column of the horizontal axis; default time"},
    {MEASURE, "measure", 'm', "MEASURE", "forces, coordination, rose, profile, ... of a frame"},
    {FRAME, "frame", 0, "N", "which frame is measured; default -1, the last"},
    {FORMAT, "format", 'f', "FORMAT", "svg, png or both; default both"},
    {LOG, "log", 0, "AXES", "logarithmic axes: x, y or xy"},
    {SIZE, "size", 's', "WxH", "pixels"},
    {TITLE, "title", 0, "TEXT", "a line above it"},
    {0}};

struct request {
    talus_plot_config config;
    const char *from[WORDS], *columns[WORDS], *parameters[WORDS];
    char to[CLI_PATH];
    bool frame; /* was given */
};

/* ---- words: runs, columns, parameters -------------------------------------------------------- */

static bool is_there(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

/* The first word is a run or a table; of the others those that are there. */
static bool accept_word(struct request *request, const char *word) {
    talus_plot_config *config = &request->config;
    if (config->from_count + config->column_count + config->parameter_count == WORDS) {
        complain("plot: too many words");
        return false;
    }
    if (config->from_count == 0 || is_there(word))
        request->from[config->from_count++] = word;
    else if (strchr(word, '=') != NULL)
        request->parameters[config->parameter_count++] = word;
    else
        request->columns[config->column_count++] = word;
    return true;
}

/* ---- options --------------------------------------------------------------------------------- */

static bool accept_format(talus_plot_config *config, const char *text) {
    if (strcmp(text, "svg") == 0)
        config->formats = TALUS_PLOT_SVG;
    else if (strcmp(text, "png") == 0)
        config->formats = TALUS_PLOT_PNG;
    else if (strcmp(text, "both") == 0)
        config->formats = TALUS_PLOT_SVG | TALUS_PLOT_PNG;
    else
        return complain("plot: --format %s: must be svg, png or both", text), false;
    return true;
}

static bool accept_log(talus_plot_config *config, const char *text) {
    config->log_x = strcmp(text, "x") == 0 || strcmp(text, "xy") == 0;
    config->log_y = strcmp(text, "y") == 0 || strcmp(text, "xy") == 0;
    if (config->log_x || config->log_y) return true;
    complain("plot: --log %s: must be x, y or xy", text);
    return false;
}

static bool accept_size(talus_plot_config *config, const char *text) {
    char more;
    if (sscanf(text, "%dx%d%c", &config->width, &config->height, &more) == 2 && config->width > 0 &&
        config->height > 0)
        return true;
    complain("plot: --size %s: must be WxH in pixels, e.g. 900x600", text);
    return false;
}

static bool accept_frame(talus_plot_config *config, const char *text) {
    char *end;
    config->frame = strtoll(text, &end, 10);
    if (end != text && *end == '\0' && config->frame < INT64_MAX) return true;
    complain("plot: --frame %s: must be a number, e.g. 7 or -1 (the last)", text);
    return false;
}

/* An ending of the name chooses the format. */
static bool accept_name(struct request *request, const char *text) {
    size_t length = strlen(text);
    if (length >= CLI_PATH) return complain("plot: the name of the figure is too long"), false;
    strcpy(request->to, text);
    request->config.to = request->to;
    static const char *const endings[] = {".svg", ".png"};
    static const int formats[] = {TALUS_PLOT_SVG, TALUS_PLOT_PNG};
    for (int k = 0; k < 2; k++) {
        if (length < 5 || strcmp(text + length - 4, endings[k]) != 0) continue;
        request->to[length - 4] = '\0';
        request->config.formats = formats[k];
    }
    return true;
}

static bool accept(struct request *request, int option, const char *value) {
    switch (option) {
    case OUTPUT: return accept_name(request, value);
    case XY: request->config.x = value; return true;
    case MEASURE: request->config.measure = value; return true;
    case FRAME: request->frame = true; return accept_frame(&request->config, value);
    case FORMAT: return accept_format(&request->config, value);
    case LOG: return accept_log(&request->config, value);
    case SIZE: return accept_size(&request->config, value);
    case TITLE: request->config.title = value; return true;
    default: return false;
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

static int draw(struct request *request) {
    static talus_plot_report report; /* large */
    talus_error err;
    talus_plot_config *config = &request->config;
    if (config->from_count == 0) return complain("plot: which directory or table?");
    if (config->x != NULL && config->column_count == 0)
        return complain("plot: --xy %s: and which columns against it?", config->x);
    if (config->parameter_count > 0 && config->measure == NULL)
        return complain("plot: %s: there is no such directory or table, and only measures have "
                        "parameters",
                        request->parameters[0]);
    if (request->frame && config->measure == NULL)
        return complain("plot: --frame is for --measure; columns are drawn over the whole time");
    config->from = request->from;
    config->columns = request->columns;
    config->parameters = request->parameters;
    talus_status status = talus_plot(config, &report, &err);
    for (size_t f = 0; f < report.file_count; f++) printf("%s\n", report.files[f]);
    return status < 0 ? complain_error(&err) : CLI_OK;
}

int plot_command(int argc, char **argv) {
    static struct request request; /* large */
    request = (struct request){.config = talus_plot_config_default()};
    struct options options = options_start(
        argc, argv, defs, "plot DIR|TABLE... [COLUMN...] [OPTIONS]",
        "Draws columns of series.tsv, or of any other table (.tsv), against time. Columns of\n"
        "one unit share a panel; * and ? stand for any text and any letter ('box.*.force_z').\n"
        "Without columns there is an overview of the run. Several runs are compared in one\n"
        "figure. Script and data stay beside the figure: NAME.gnuplot, NAME_data.tsv.\n"
        "  talus plot out/demo kinetic_translation dissipation\n"
        "  talus plot out/a out/b --xy top.y top.force_y      one column against another\n"
        "  talus plot out/demo --measure forces bins=30       (talus list measures)");
    const char *value;
    for (;;) {
        int option = options_next(&options, &value);
        if (option == OPTION_END) return draw(&request);
        if (option == OPTION_HELP) return CLI_OK;
        bool good = option == OPTION_POSITIONAL ? accept_word(&request, value)
                                                : accept(&request, option, value);
        if (!good) return CLI_WRONG_INPUT;
    }
}
