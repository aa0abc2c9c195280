/* SPDX-License-Identifier: Apache-2.0
 * What a run shows while it runs: a table of its rows, and on a terminal a line that moves. */
#ifndef CLI_DISPLAY_H
#define CLI_DISPLAY_H

#include "cli/terminal.h"
#include "talus/run.h"

struct display {
    struct terminal terminal;
    bool quiet;
    bool line_shown;  /* the moving line is on the screen */
    int phase_number; /* last announced */
    int64_t rows_seen, row_stride, lines;
    double last_draw;  /* wall seconds of the last look at the moving line, */
    int64_t last_step; /* of its step, */
    double rate;       /* and steps per second since the one before */
    double last_print; /* wall seconds of the last whole line */
};

struct display display_start(bool quiet);

/* Take note of one step; prints where something is due. */
void display_update(struct display *display, const talus_progress *progress);

/* Remove the moving line before something else is printed. */
void display_clear(struct display *display);

/* 7 s, 2:05, 1:02:33 or 3 d 04 h. */
const char *duration_text(double seconds, char text[24]);

#endif
