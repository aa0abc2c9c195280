/* SPDX-License-Identifier: Apache-2.0
 * talus view: the browser page of a run, served to this machine or written as one file. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options.h"

enum { PORT = 1, OPEN, HTML, FRAMES, LIMIT };

static const struct option_def defs[] = {
    {PORT, "port", 'p', "N", "listen there; default any free port"},
    {OPEN, "open", 0, NULL, "open it in the browser (xdg-open)"},
    {HTML, "html", 0, "FILE", "write the page and its data into one file instead"},
    {FRAMES, "frames", 0, "A:B:STEP",
     "with --html, which frames: 7, -1 (the last), 10:20, ::5; default all"},
    {LIMIT, "limit", 0, "SIZE", "with --html: at most so large, e.g. 20MB; default 100MB"},
    {0}};

struct view {
    talus_page_server_config server;
    talus_page_file_config file;
    bool open;
    const char *only_with_html; /* an option that says nothing without --html */
    const char *only_to_serve;  /* and one that says nothing with it */
};

/* ---- values ---------------------------------------------------------------------------------- */

static bool read_port(const char *text, int *port) {
    char *end;
    long value = strtol(text, &end, 10);
    if (end != text && *end == '\0' && value >= 1 && value <= 65535) {
        *port = (int)value;
        return true;
    }
    complain("view: --port %s: must be a whole number from 1 to 65535", text);
    return false;
}

static bool read_size(const char *text, uint64_t *size) {
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"", 1.0}, {"B", 1.0}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}};
    const double most = 1e12;
    char *end;
    double value = strtod(text, &end);
    while (end != text && *end == ' ') end++;
    for (size_t i = 0; end != text && i < sizeof units / sizeof units[0]; i++) {
        double bytes = value * units[i].bytes;
        if (strcmp(end, units[i].name) != 0 || !(bytes >= 1.0 && bytes <= most)) continue;
        *size = (uint64_t)bytes;
        return true;
    }
    complain("view: --limit %s: must be a size up to 1000 GB, e.g. 20MB, 500kB", text);
    return false;
}

/* ---- serving --------------------------------------------------------------------------------- */

/* In a session of its own, so that the Ctrl-C that ends the server does not end a browser. No shell sees the address. */
static void become_browser(const char *address) {
    (void)setsid();
    execlp("xdg-open", "xdg-open", address, (char *)NULL);
    fprintf(stderr, "talus: view: xdg-open cannot be started: %s\n", strerror(errno));
}

static void open_browser(const char *address) {
    pid_t child = fork();
    if (child == 0) { /* goes at once, so that nobody has to wait for the browser */
        if (fork() == 0) become_browser(address);
        _exit(0);
    }
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    else
        complain("view: xdg-open cannot be started: %s", strerror(errno));
}

static void started(const char *address, void *context) {
    const struct view *view = context;
    printf("%s\n", address);
    if (isatty(STDOUT_FILENO)) printf("the page of %s, until Ctrl-C\n", view->server.directory);
    fflush(stdout);
    if (view->open) open_browser(address);
}

static bool stop(void *context) {
    (void)context;
    return interrupt_asked();
}

static int serve(struct view *view) {
    talus_error err;
    view->server.started = started;
    view->server.stop = stop;
    view->server.context = view;
    interrupt_watch_quietly();
    return talus_page_serve(&view->server, &err) < 0 ? complain_error(&err) : CLI_OK;
}

/* ---- one file -------------------------------------------------------------------------------- */

static int write_file(const struct view *view) {
    talus_page_file_report report;
    talus_error err;
    if (talus_run_spare(view->file.directory, view->file.path, &err) < 0 ||
        talus_page_write(&view->file, &report, &err) < 0)
        return complain_error(&err);
    if (report.frames < report.asked)
        printf("%" PRId64 " of %" PRId64 " frames: all would make more than %.1f MB (--limit, "
               "--frames)\n",
               report.frames, report.asked, (double)view->file.limit * 1e-6);
    else
        printf("%" PRId64 " frame%s\n", report.frames, report.frames == 1 ? "" : "s");
    printf("%.1f MB\n%s\n", (double)report.bytes * 1e-6, view->file.path);
    return CLI_OK;
}

static int run_view(struct view *view) {
    bool html = view->file.path != NULL;
    if (view->server.directory == NULL) return complain("view: which directory?");
    if (!html && view->only_with_html != NULL)
        return complain("view: --%s is for --html FILE", view->only_with_html);
    if (html && view->only_to_serve != NULL)
        return complain("view: --%s is not for --html FILE", view->only_to_serve);
    view->file.directory = view->server.directory;
    return html ? write_file(view) : serve(view);
}

static bool accept(struct view *view, int option, const char *value) {
    talus_page_file_config *file = &view->file;
    switch (option) {
    case PORT: view->only_to_serve = "port"; return read_port(value, &view->server.port);
    case OPEN:
        view->only_to_serve = "open";
        view->open = true;
        return true;
    case HTML: file->path = value; return true;
    case FRAMES:
        view->only_with_html = "frames";
        return choose_frames("view", value, &file->first, &file->stop, &file->step);
    case LIMIT: view->only_with_html = "limit"; return read_size(value, &file->limit);
    default: return false;
    }
}

int view_command(int argc, char **argv) {
    struct view view = {.server = talus_page_server_config_default(),
                        .file = talus_page_file_config_default()};
    struct options options = options_start(
        argc, argv, defs, "view DIR [OPTIONS]",
        "Shows a run in the browser, while it goes on or after it: grains, forces, series and\n"
        "verdict. Prints the address, which this machine alone can reach, and serves the page\n"
        "until Ctrl-C; with --html writes it as one file that needs nothing else. A run without\n"
        "frames (run --frames-every 20ms) shows its final state.");
    const char *value;
    for (;;) {
        int option = options_next(&options, &value);
        if (option == OPTION_END) return run_view(&view);
        if (option == OPTION_HELP) return CLI_OK;
        if (option == OPTION_POSITIONAL) {
            if (view.server.directory != NULL) return complain("view: one directory at a time");
            view.server.directory = value;
        } else if (!accept(&view, option, value)) {
            return CLI_WRONG_INPUT;
        }
    }
}
