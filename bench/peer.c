/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "bench/peer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 1024, NUMBER = 32 };

static talus_status fail(talus_error *err, const char *what, const char *why) {
    if (err != NULL) {
        err->status = TALUS_ERR_FILE;
        snprintf(err->text, sizeof err->text, "%.150s: %.80s", what, why);
    }
    return TALUS_ERR_FILE;
}

/* ---- where the programs are ------------------------------------------------------------------ */

static bool is_there(char *path, size_t size, const char *directory, const char *below,
                     const char *name) {
    int length = snprintf(path, size, "%s%s/%s", directory, below, name);
    return length > 0 && (size_t)length < size && access(path, X_OK) == 0;
}

bool peer_find(const char *name, const char *directory, char *path, size_t size) {
    const char *set = getenv("TALUS_PEERS");
    char self[PATH];
    if (directory != NULL && is_there(path, size, directory, "", name)) return true;
    if (set != NULL && is_there(path, size, set, "", name)) return true;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = '\0';
        char *slash = strrchr(self, '/');
        if (slash != NULL) *slash = '\0';
        if (is_there(path, size, self, "/peers", name)) return true;
    }
    return is_there(path, size, TALUS_SOURCE_DIR, "/build/peers", name);
}

/* ---- one run --------------------------------------------------------------------------------- */

static void take_line(const char *line, struct peer_figures *out) {
    const struct {
        const char *name;
        double *value;
    } known[] = {{"iterations", &out->iterations},         {"contacts", &out->contacts},
                 {"step_seconds", &out->step_seconds},     {"update_seconds", &out->update_seconds},
                 {"solver_seconds", &out->solver_seconds}, {"overlap_max", &out->overlap_max},
                 {"overlap_mean", &out->overlap_mean},     {"speed_max", &out->speed_max}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        size_t length = strlen(known[k].name);
        if (strncmp(line, known[k].name, length) == 0 && line[length] == ' ')
            *known[k].value = strtod(line + length, NULL);
    }
}

static void read_figures(FILE *from, struct peer_figures *out) {
    char line[128];
    while (fgets(line, sizeof line, from) != NULL) take_line(line, out);
}

/* Start the program with its output in a pipe; its number, or -1. */
static pid_t start(char *const *arguments, FILE **output) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    fflush(stdout); /* or the child would have it too */
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(arguments[0], arguments);
        _exit(127);
    }
    close(ends[1]);
    *output = child > 0 ? fdopen(ends[0], "r") : NULL;
    if (*output == NULL) close(ends[0]);
    return child;
}

bool peer_read(char *const *arguments, void (*take)(const char *line, void *context),
               void *context) {
    FILE *output = NULL;
    char line[256];
    int status = -1;
    pid_t child = start(arguments, &output);
    if (child < 0) return false;
    if (output != NULL) {
        while (fgets(line, sizeof line, output) != NULL) take(line, context);
        fclose(output);
    }
    return waitpid(child, &status, 0) >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static talus_status run(const struct peer_call *call, char *start_path, char *end_path,
                        struct peer_figures *out, talus_error *err) {
    char program[PATH], steps[NUMBER], rows[NUMBER], seconds[NUMBER];
    char *arguments[7] = {program, start_path, end_path, steps};
    int count = 4, status = -1;
    snprintf(program, sizeof program, "%s", call->path);
    snprintf(steps, sizeof steps, "%d", call->steps);
    snprintf(rows, sizeof rows, "%d", call->friction_rows);
    snprintf(seconds, sizeof seconds, "%.9g", call->seconds);
    if (call->friction_rows > 0) arguments[count++] = rows;
    if (call->seconds > 0.0) arguments[count++] = seconds;
    FILE *output = NULL;
    pid_t child = start(arguments, &output);
    if (child < 0) return fail(err, call->path, strerror(errno));
    if (output != NULL) {
        read_figures(output, out);
        fclose(output);
    }
    if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return fail(err, call->path, "it failed");
    if (!(out->update_seconds > 0.0)) return fail(err, call->path, "it printed no figures");
    return TALUS_OK;
}

static bool make_name(char *path, size_t size) {
    const char *directory = getenv("TMPDIR");
    snprintf(path, size, "%s/talus_pile_XXXXXX", directory != NULL ? directory : "/tmp");
    int file = mkstemp(path);
    if (file >= 0) close(file);
    return file >= 0;
}

talus_status peer_run(const struct peer_call *call, struct peer_figures *out, talus_error *err) {
    char from[PATH], to[PATH];
    *out = (struct peer_figures){0};
    if (!make_name(from, sizeof from)) return fail(err, from, strerror(errno));
    if (!make_name(to, sizeof to)) {
        unlink(from);
        return fail(err, to, strerror(errno));
    }
    talus_status status = pile_write(call->start, from, err);
    if (status >= 0) status = run(call, from, to, out, err);
    if (status >= 0 && call->end != NULL) status = pile_read(call->end, to, err);
    unlink(from);
    unlink(to);
    return status;
}
