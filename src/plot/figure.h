/* SPDX-License-Identifier: Apache-2.0
 *
 * A figure before it is drawn: panels one above the other, curves in them, and which columns of which files these are.
 * Who decides what is to be seen fills it (choose.c, measures.c); script.c says it to gnuplot.
 */
#ifndef PLOT_FIGURE_H
#define PLOT_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "talus/plot.h"

enum {
    FIGURE_PANELS = 8,
    FIGURE_CURVES = 48, /* of all panels */
    FIGURE_SOURCES = 16,
    FIGURE_TEXT = 256,
    FIGURE_NAME = 256 /* bytes of a file's name without directory */
};

enum figure_style {
    FIGURE_LINE,
    FIGURE_LINE_POINTS,
    FIGURE_BARS,
    FIGURE_ROSE, /* x is an angle (rad), y a radius; a closed path, filled */
    FIGURE_MAP   /* the colour of each cell about (x, y) is z */
};

struct figure_curve {
    size_t source;   /* number of the data file */
    size_t x, y, z;  /* columns in it, the first is 1 */
    double x_factor; /* what they are multiplied by */
    double y_factor, z_factor;
    enum figure_style style;
    char title[FIGURE_TEXT]; /* in the key */
};

struct figure_axis {
    char label[FIGURE_TEXT];
    bool log;
    double least;     /* logarithmic: smaller shares of the largest value are left out */
    double low, high; /* the range */
};

struct figure_panel {
    struct figure_axis x, y, z; /* z: of the colours of a map */
    size_t first, count;        /* of the curves */
    bool map;
    bool two_sided; /* a map whose zero is the middle of the colours */
    bool rose;
    bool polar; /* a rose whose angles are those to an axis that points up */
    bool has_mark;
    double mark;   /* x of a dashed line */
    double radius; /* of the outermost circle of a rose */
};

struct figure {
    char title[FIGURE_TEXT], note[FIGURE_TEXT]; /* the note is said with the title */
    size_t panel_count, curve_count, source_count;
    struct figure_panel panels[FIGURE_PANELS];
    struct figure_curve curves[FIGURE_CURVES];
    char data[FIGURE_SOURCES][FIGURE_NAME]; /* names of the data files, beside the script */
    char stem[FIGURE_NAME];                 /* of the figure's files */
    int formats, width, height;
    bool
        upright; /* panels beside each other share the vertical axis; else, one above the other, the horizontal one */
};

/* ---- script.c -------------------------------------------------------------------------------- */

void figure_script(const struct figure *figure, FILE *to);

/* ---- script_map.c ---------------------------------------------------------------------------- */

/* All panels of a figure of maps, and how large it is best. */
void figure_script_maps(const struct figure *figure, FILE *to);
void figure_map_size(const struct figure *figure, int *width, int *height);

/* ---- text.c ---------------------------------------------------------------------------------- */

/* As a string of gnuplot that means these bytes and nothing else; letters below blank show as '?'. */
void gnuplot_text(FILE *to, const char *text);

/* A factor that brings numbers up to `largest` between 0.1 and 10000 by a power of 1000, and the unit of what
 * results: "mJ", "10^-6 kg". */
double unit_scale(double largest, const char *unit, char scaled[FIGURE_TEXT]);

/* "name (unit)", or one of them. */
void axis_label(char label[FIGURE_TEXT], const char *name, const char *unit);

/* Does a name fit a pattern with * and ?? */
bool pattern_fits(const char *pattern, const char *name);

/* About how many pixels wide it is, in letters of this size. */
double text_width(const char *text, double size);

#endif
