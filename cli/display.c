/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/display.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TABLE_LINES = 100, /* of a whole run at most: the rows between are in series.tsv */
    HEADER_EVERY = 20, /* table lines */
    BAR_LONGEST = 30,  /* columns */
    BAR_SHORTEST = 8
};

static const double draw_interval = 0.1;    /* s between two drawings of the moving line */
static const double silence_longest = 10.0; /* s without a line in a pipe before one says "alive" */

struct display display_start(bool quiet) {
    return (struct display){.terminal = terminal_look(), .quiet = quiet, .row_stride = 1};
}

const char *duration_text(double seconds, char text[24]) {
    if (!(seconds >= 0.0) || seconds > 1e9) {
        snprintf(text, 24, "?");
        return text;
    }
    int64_t s = (int64_t)(seconds + 0.5);
    if (s < 60)
        snprintf(text, 24, "%" PRId64 " s", s);
    else if (s < 3600)
        snprintf(text, 24, "%" PRId64 ":%02" PRId64, s / 60, s % 60);
    else if (s < 86400)
        snprintf(text, 24, "%" PRId64 ":%02" PRId64 ":%02" PRId64, s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(text, 24, "%" PRId64 " d %02" PRId64 " h", s / 86400, s / 3600 % 24);
    return text;
}

/* ---- the moving line ------------------------------------------------------------------------ */

static double share_done(const talus_progress *progress) {
    double share = progress->time_end > 0.0 ? progress->time / progress->time_end : 0.0;
    return fmin(fmax(share, 0.0), 1.0);
}

static void describe(const struct display *display, const talus_progress *progress, char *text,
                     size_t size) {
    char eta[24];
    int used =
        snprintf(text, size, " %5.1f %%  %.20s  t = %.4g/%.4g s  ETA %s  %.3g steps/s",
                 100.0 * share_done(progress), progress->phase, progress->time, progress->time_end,
                 duration_text(progress->eta_seconds, eta), display->rate);
    if (progress->report != NULL && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "  %" PRId64 " contacts  residual %.1e",
                 progress->report->contacts, progress->report->residual);
}

static void put_bar(const struct display *display, int columns, double share) {
    const char *full = display->terminal.unicode ? "\u2501" : "=";
    const char *rest = display->terminal.unicode ? "\u2500" : "-";
    int done = (int)(share * columns + 0.5);
    if (display->terminal.color) fputs("\033[36m", stdout);
    for (int i = 0; i < done; i++) fputs(full, stdout);
    if (display->terminal.color) fputs("\033[2m", stdout);
    for (int i = done; i < columns; i++) fputs(rest, stdout);
    if (display->terminal.color) fputs("\033[0m", stdout);
}

/* One column is left free: a cursor in the last one makes some terminals wrap. The text is cut
 * before the bar is given up. */
static void draw(struct display *display, const talus_progress *progress) {
    char text[256];
    int width = terminal_width() - 1;
    describe(display, progress, text, sizeof text);
    int room = width - (int)strlen(text);
    int bar = room > BAR_LONGEST ? BAR_LONGEST : room < BAR_SHORTEST ? BAR_SHORTEST : room;
    if (bar > width) bar = width > 0 ? width : 0;
    fputs("\r\033[K", stdout);
    put_bar(display, bar, share_done(progress));
    printf("%.*s", width - bar, text);
    fflush(stdout);
    display->line_shown = true;
}

void display_clear(struct display *display) {
    if (!display->line_shown) return;
    fputs("\r\033[K", stdout);
    fflush(stdout);
    display->line_shown = false;
}

static void measure_rate(struct display *display, const talus_progress *progress) {
    double passed = progress->wall_seconds - display->last_draw;
    if (passed > 0.0) {
        double rate = (double)(progress->step - display->last_step) / passed;
        display->rate = display->rate > 0.0 ? 0.8 * display->rate + 0.2 * rate : rate;
    }
    display->last_draw = progress->wall_seconds;
    display->last_step = progress->step;
}

/* ---- whole lines ---------------------------------------------------------------------------- */

static void announce_phase(struct display *display, const talus_progress *progress) {
    display_clear(display);
    if (progress->phase_count > 1)
        printf("phase %d/%d: %s\n", progress->phase_number, progress->phase_count, progress->phase);
    display->phase_number = progress->phase_number;
    display->last_print = progress->wall_seconds;
}

/* The rows of a long series are shown thinned out; which ones does not depend on the clock. */
static void choose_stride(struct display *display, const talus_progress *progress) {
    double rows = progress->row->time > 0.0 ? progress->time_end / progress->row->time : 1.0;
    display->row_stride = rows > TABLE_LINES ? (int64_t)ceil(rows / TABLE_LINES - 1e-6) : 1;
}

static void table_line(struct display *display, const talus_progress *progress) {
    const talus_observables *row = progress->row;
    if (display->rows_seen == 0) choose_stride(display, progress);
    if (++display->rows_seen % display->row_stride != 0) return;
    display_clear(display);
    if (display->lines++ % HEADER_EVERY == 0)
        printf("%12s %12s %10s %7s %12s %7s %10s\n", "time [s]", "kinetic [J]", "contacts", "z",
               "overlap [d]", "sweeps", "residual");
    printf("%12.6g %12.4g %10" PRId64 " %7.3f %12.2e %7d %10.2e\n", row->time,
           row->energy.kinetic_translation + row->energy.kinetic_rotation, row->contacts,
           row->coordination, row->overlap_max, row->sweeps, row->residual);
    fflush(stdout);
    display->last_print = progress->wall_seconds;
}

static void plain_line(struct display *display, const talus_progress *progress) {
    char text[256];
    measure_rate(display, progress);
    describe(display, progress, text, sizeof text);
    printf("%s\n", text);
    fflush(stdout);
    display->last_print = progress->wall_seconds;
}

void display_update(struct display *display, const talus_progress *progress) {
    if (display->quiet) return;
    if (progress->phase_number != display->phase_number) announce_phase(display, progress);
    if (progress->row != NULL) table_line(display, progress);
    if (!display->terminal.interactive) {
        if (progress->wall_seconds - display->last_print > silence_longest)
            plain_line(display, progress);
    } else if (!display->line_shown ||
               progress->wall_seconds - display->last_draw > draw_interval) {
        measure_rate(display, progress);
        draw(display, progress);
    }
}
