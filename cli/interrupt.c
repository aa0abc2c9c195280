/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/interrupt.h"

#include <signal.h>
#include <unistd.h>

/* The one variable of the program that is not local: a signal handler has no other way to speak. */
static volatile sig_atomic_t asked;

static void take_note(int number) {
    static const char text[] = "\ntalus: ending after this step, results will be written; "
                               "again to end at once\n";
    (void)number;
    asked = 1;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written; /* nothing to be done about it here */
}

static void take_note_quietly(int number) {
    (void)number;
    asked = 1;
}

/* A signal that whoever started us had us ignore (nohup, a job in the background) stays ignored. */
static void watch(int number, void (*handler)(int)) {
    struct sigaction old;
    /* SA_RESETHAND: the second signal finds the default action, which is death. */
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN) return;
    sigaction(number, &action, NULL);
}

void interrupt_watch(void) {
    watch(SIGINT, take_note);
    watch(SIGTERM, take_note);
}

void interrupt_watch_quietly(void) {
    watch(SIGINT, take_note_quietly);
    watch(SIGTERM, take_note_quietly);
}

bool interrupt_asked(void) {
    return asked != 0;
}
