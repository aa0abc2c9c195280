/* SPDX-License-Identifier: Apache-2.0
 * What the commands of the program share. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include "talus/talus.h"

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

/* Exit codes, fixed for programs that call us. */
enum { CLI_OK = 0, CLI_WRONG_INPUT = 1, CLI_NUMERICAL_STOP = 2, CLI_FILES_OR_SYSTEM = 3 };

/* A command gets its own arguments, argv[0] being its name, and returns the exit code. */
struct command {
    const char *name, *summary;
    int (*main)(int argc, char **argv);
};

#define COMMAND(name, summary) int name##_command(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

/* ---- messages.c ------------------------------------------------------------------------------ */

/* "talus: ..." on standard error; returns CLI_WRONG_INPUT for `return complain(...)`. */
int complain(const char *format, ...) CLI_PRINTF(1, 2);

/* The message of a failed call (scene mistakes, one each line, as they are) and its exit code. */
int complain_error(const talus_error *err);

/* Flush standard output: its failure is an error like that of any file, except for a reader that
 * went away (talus list | head). */
int finish_output(int code);

/* The word of a list that is nearest to `word`, NULL if none is near. */
const char *nearest_word(const char *word, const char *const *words, size_t count);

/* ---- frames_option.c ------------------------------------------------------------------------- */

/* --frames A:B:STEP as Python counts; false after a complaint of this command. */
bool choose_frames(const char *command, const char *text, int64_t *first, int64_t *stop,
                   int64_t *step);

/* False after a complaint if both --frame and --frames were given: they contradict each other. */
bool one_way_of_frames(const char *command, bool frame, bool frames);

/* ---- solve_command.c ------------------------------------------------------------------------- */

/* What is in an FCLIB file. */
int describe_problem(const char *path);

/* ---- data.c ---------------------------------------------------------------------------------- */

enum { CLI_PATH = 4096 };

/* Where scenes/ and papers/ lie: $TALUS_DATA, beside the program, or as installed; else false. */
bool find_data(char path[CLI_PATH]);

/* directory/name, false if too long. */
bool join_path(char path[CLI_PATH], const char *directory, const char *name);

/* Make a directory and its parents; false with a message if that is impossible. */
bool make_directories(const char *path);

/* ---- json_text.c ----------------------------------------------------------------------------- */

void put_json_text(FILE *to, const char *text); /* quoted and escaped */
void put_json_number(FILE *to, double value);   /* null if not finite */

#endif
