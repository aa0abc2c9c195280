/* SPDX-License-Identifier: Apache-2.0
 * From tables to a figure: what choose.c, measures.c and plot.c share. */
#ifndef PLOT_PLOT_H
#define PLOT_PLOT_H

#include "io/file.h"
#include "plot/figure.h"
#include "talus/table.h"

struct plot_source {
    char path[FILE_PATH];    /* of the table, for messages */
    char label[FIGURE_TEXT]; /* in the key, if there are several */
    talus_table table;       /* as it was read or measured */
    talus_table used;        /* what the figure shows: the data file */
};

struct plot {
    const talus_plot_config *config;
    struct plot_source *sources;
    size_t source_count;
    struct figure figure;
};

/* ---- choose.c: columns into panels ----------------------------------------------------------- */

/* Fills panels and curves of the figure and the used tables. */
talus_status plot_choose(struct plot *plot, talus_error *err);

/* A panel more for columns that are there; NULL with the error set if there is no room for it. */
struct figure_panel *plot_add_panel(struct plot *plot, talus_error *err);
/* A curve more in the last panel; the column of the source's table goes into its used table. */
struct figure_curve *plot_add_curve(struct plot *plot, size_t source, size_t column,
                                    talus_error *err);
/* The first column of each used table is this one of its table. */
talus_status plot_set_x(struct plot *plot, const char *name, talus_error *err);
/* All columns whose names fit, of one source; a mistake if there are none. */
talus_status plot_find(const struct plot *plot, size_t source, const char *pattern, size_t *columns,
                       size_t *count, talus_error *err);

/* ---- measures.c: how each measure is best shown ---------------------------------------------- */

talus_status plot_choose_measure(struct plot *plot, talus_error *err);

/* ---- map.c: heat maps of fields -------------------------------------------------------------- */

talus_status plot_choose_maps(struct plot *plot, talus_error *err);

/* ---- rose.c: directions of contacts ---------------------------------------------------------- */

talus_status plot_choose_rose(struct plot *plot, talus_error *err);

/* ---- ranges.c: rows into used tables, factors, ranges, labels of units ------------------------ */

talus_status plot_finish(struct plot *plot, talus_error *err);

#endif
