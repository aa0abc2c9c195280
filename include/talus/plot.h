/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures of tables, drawn by gnuplot. Beside the figure stay the script and the data it was drawn from, for whoever wants it
 * to look otherwise.
 */
#ifndef TALUS_PLOT_H
#define TALUS_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "talus/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TALUS_PLOT_SVG = 1, TALUS_PLOT_PNG = 2 };

typedef struct talus_plot_config {
    const char *const
        *from; /* directories of runs, whose series.tsv is meant, or tables themselves */
    size_t from_count;
    const char *const *columns; /* names without unit; * and ? stand for any text and any letter;
                                   none: an overview of a run, all columns of another table */
    size_t column_count;
    const char *x; /* column of the horizontal axis; NULL: the first one (time, of a run) */
    const char
        *measure; /* of one frame of each run, instead of its series; if that is but one row, of
                            all frames over time; NULL: none */
    const char *const *parameters; /* of the measure: "bins=20" */
    size_t parameter_count;
    int64_t frame;  /* that is measured; negative: from the end; default -1, the last */
    const char *to; /* path of the figure without ending; NULL: `plot` or `plot_MEASURE` in the
                            first directory, or beside the table */
    int formats;    /* TALUS_PLOT_SVG, TALUS_PLOT_PNG or both; default both */
    bool log_x, log_y;
    int width, height; /* pixels, 200..8192; 0: as the panels need */
    const char *title; /* NULL: none */
} talus_plot_config;

enum { TALUS_PLOT_FILES = 20, TALUS_PLOT_PATH = 4096 };

typedef struct talus_plot_report {
    size_t file_count; /* what was made: figures first, then script and data */
    char files[TALUS_PLOT_FILES][TALUS_PLOT_PATH];
} talus_plot_report;

talus_plot_config talus_plot_config_default(void);

/* TALUS_ERR_FILE if gnuplot is missing or fails; the script and the data are there then, and in the report. A run may still be
 * going on. */
talus_status talus_plot(const talus_plot_config *config, talus_plot_report *report,
                        talus_error *err);

/* Run a script by gnuplot, in its own directory. What gnuplot complains of comes into the message. */
talus_status talus_gnuplot(const char *directory, const char *script, talus_error *err);

#ifdef __cplusplus
}
#endif
#endif
