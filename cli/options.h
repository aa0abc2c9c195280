/* SPDX-License-Identifier: Apache-2.0
 *
 * Command-line options from a table: --name VALUE, --name=VALUE, -n VALUE, -nVALUE, flags, `--`,
 * and positional arguments anywhere among them. --help comes by itself.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>

struct option_def {
    int id;               /* > 0, returned by options_next */
    const char *name;     /* without dashes */
    char letter;          /* 0 = none */
    const char *argument; /* its name in the help; NULL = a flag */
    const char *help;
};

enum { OPTION_END = 0, OPTION_POSITIONAL = -1, OPTION_WRONG = -2, OPTION_HELP = -3 };

struct options {
    int argc;
    char **argv;
    const struct option_def *defs; /* ends with id 0 */
    const char *usage, *about;
    int at;
    bool only_positional; /* after -- */
};

struct options options_start(int argc, char **argv, const struct option_def *defs,
                             const char *usage, const char *about);

/* The next option's id and its value; OPTION_POSITIONAL with the argument as value; OPTION_WRONG
 * after a message was printed; OPTION_HELP after the help was. */
int options_next(struct options *options, const char **value);

#endif
