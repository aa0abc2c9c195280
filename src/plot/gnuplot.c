/* SPDX-License-Identifier: Apache-2.0
 * gnuplot as a child process, without a shell between. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "talus/plot.h"

enum { COMPLAINT = 1500, NOT_STARTED = 126, NOT_FOUND = 127 };

/* In the child; never returns. gnuplot finds no settings of the user: the script says all. */
static void become_gnuplot(const char *directory, const char *script, int complaints) {
    char *const arguments[] = {"gnuplot", "-d", (char *)script, NULL};
    if (dup2(complaints, STDERR_FILENO) >= 0 && dup2(complaints, STDOUT_FILENO) >= 0 &&
        chdir(directory) == 0)
        execvp("gnuplot", arguments);
    if (errno == ENOENT && access(script, F_OK) == 0) _exit(NOT_FOUND);
    const char *reason = strerror(errno);
    ssize_t written = write(complaints, reason, strlen(reason));
    (void)written; /* nothing to be done about it here */
    _exit(NOT_STARTED);
}

/* What it says, on one line; the rest is read and dropped, so that it can end. */
static void read_complaint(int from, char text[COMPLAINT]) {
    size_t used = 0;
    char more[512];
    ssize_t got;
    while ((got = read(from, more, sizeof more)) > 0 || (got < 0 && errno == EINTR))
        for (ssize_t k = 0; k < got; k++) {
            char letter = more[k] == '\n' || more[k] == '\t' ? ' ' : more[k];
            bool blank = letter == ' ' && (used == 0 || text[used - 1] == ' ');
            if (used + 1 < COMPLAINT && !blank) text[used++] = letter;
        }
    while (used > 0 && text[used - 1] == ' ') used--;
    text[used] = '\0';
}

talus_status talus_gnuplot(const char *directory, const char *script, talus_error *err) {
    int ends[2], state;
    char complaint[COMPLAINT];
    if (pipe(ends) != 0)
        return error_set(err, TALUS_ERR_FILE, "gnuplot cannot be started: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become_gnuplot(directory, script, ends[1]);
    }
    int number = errno;
    close(ends[1]);
    if (child > 0) read_complaint(ends[0], complaint);
    close(ends[0]);
    if (child < 0)
        return error_set(err, TALUS_ERR_FILE, "gnuplot cannot be started: %s", strerror(number));
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return TALUS_OK;
    if (WIFEXITED(state) && WEXITSTATUS(state) == NOT_FOUND)
        return error_set(err, TALUS_ERR_FILE,
                         "gnuplot was not found (Debian: apt install gnuplot-nox); the script is "
                         "%s/%s",
                         directory, script);
    return error_set(err, TALUS_ERR_FILE, "gnuplot could not draw %s/%s: %s", directory, script,
                     complaint[0] != '\0' ? complaint : "it says nothing");
}
