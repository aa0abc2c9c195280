/* SPDX-License-Identifier: Apache-2.0
 * Messages on standard error, and the fate of standard output. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

int complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout); /* so that the two streams appear in order on a terminal */
    fputs("talus: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return CLI_WRONG_INPUT;
}

int complain_error(const talus_error *err) {
    fflush(stdout);
    /* Mistakes in a scene come one a line, each beginning with file and line: left as they are. */
    if (strchr(err->text, '\n') != NULL) {
        size_t length = strlen(err->text);
        fprintf(stderr, "%s%s", err->text, err->text[length - 1] == '\n' ? "" : "\n");
    } else {
        fprintf(stderr, "talus: %s\n", err->text);
    }
    return talus_status_exit_code(err->status);
}

/* Nobody reads standard output any more. The errno of the failed write is long gone by the time we
 * look, so ask the pipe. */
static bool reader_went_away(void) {
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

int finish_output(int code) {
    errno = 0;
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    int number = errno;
    if (!failed || number == EPIPE || reader_went_away()) return code;
    complain("standard output cannot be written: %s",
             number != 0 ? strerror(number) : "write error");
    return code == CLI_OK ? CLI_FILES_OR_SYSTEM : code;
}

/* Edits (insert, delete, replace) that turn a into b, by Wagner and Fischer's table, row by row. */
static size_t distance(const char *a, const char *b) {
    enum { LONGEST = 63 };
    size_t row[LONGEST + 1], n = strlen(b);
    if (n > LONGEST) return LONGEST;
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t above = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
            if (above + 1 < best) best = above + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[n];
}

const char *nearest_word(const char *word, const char *const *words, size_t count) {
    const char *best = NULL;
    size_t least = strlen(word) / 3 + 2; /* further away it is another word, not a slip */
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, words[i]);
        if (d >= least) continue;
        least = d;
        best = words[i];
    }
    return best;
}
