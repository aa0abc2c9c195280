/* SPDX-License-Identifier: Apache-2.0
 * The talus program: finds the command and hands over. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <string.h>

#include "cli/cli.h"

#define COMMAND(name, summary) {#name, summary, name##_command},
static const struct command commands[] = {
#include "cli/commands.def"
};
#undef COMMAND
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to) {
    fputs("talus simulates granular matter: rigid grains by Contact Dynamics, soft ones by "
          "molecular dynamics.\n\n"
          "usage: talus COMMAND [ARGUMENTS]\n\n",
          to);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("\n  talus COMMAND --help     the options of a command\n"
          "  talus --version          the version\n\n"
          "exit codes: 0 ok, 1 wrong input, 2 numerical stop, 3 files or system\n",
          to);
}

static int unknown_command(const char *name) {
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) names[i] = commands[i].name;
    const char *near = nearest_word(name, names, COMMANDS);
    if (near != NULL) return complain("unknown command \"%s\"; did you mean \"%s\"?", name, near);
    return complain("unknown command \"%s\"; talus --help lists them", name);
}

static int dispatch(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "--help";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(argc > 1 ? stdout : stderr);
        return argc > 1 ? CLI_OK : CLI_WRONG_INPUT;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("talus %s\n", talus_version());
        return CLI_OK;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0) return commands[i].main(argc - 1, argv + 1);
    return unknown_command(name);
}

int main(int argc, char **argv) {
    /* A closed pipe or a file at its size limit: an error of the write, not the end of the run. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return finish_output(dispatch(argc, argv));
}
