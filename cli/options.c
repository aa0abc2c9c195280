/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

struct options options_start(int argc, char **argv, const struct option_def *defs,
                             const char *usage, const char *about) {
    return (struct options){argc, argv, defs, usage, about, 1, false};
}

enum { LEFT = 64 };

/* -o, --output DIR */
static void write_left(char left[LEFT], const struct option_def *def) {
    snprintf(left, LEFT, "%s%c%s--%s%s%s", def->letter != 0 ? "-" : "  ",
             def->letter != 0 ? def->letter : ' ', def->letter != 0 ? ", " : " ", def->name,
             def->argument != NULL ? " " : "", def->argument != NULL ? def->argument : "");
}

static int print_help(const struct options *options) {
    char left[LEFT];
    int width = 22;
    printf("usage: talus %s\n\n%s\n", options->usage, options->about);
    if (options->defs[0].id != 0) putchar('\n');
    for (const struct option_def *def = options->defs; def->id != 0; def++) {
        write_left(left, def);
        if ((int)strlen(left) > width) width = (int)strlen(left);
    }
    for (const struct option_def *def = options->defs; def->id != 0; def++) {
        write_left(left, def);
        printf("  %-*s %s\n", width, left, def->help);
    }
    return OPTION_HELP;
}

static int wrong(const struct options *options, const char *text, const char *what) {
    complain("%s: %s%s (talus %s --help)", options->argv[0], text, what, options->argv[0]);
    return OPTION_WRONG;
}

static int unknown(const struct options *options, const char *name) {
    const char *names[32];
    size_t count = 0;
    for (const struct option_def *def = options->defs; def->id != 0 && count < 32; def++)
        names[count++] = def->name;
    const char *near = nearest_word(name, names, count);
    if (near == NULL) return wrong(options, "unknown option --", name);
    complain("%s: unknown option --%s; did you mean --%s?", options->argv[0], name, near);
    return OPTION_WRONG;
}

/* The value of an option: what follows in the same word, else the next word. */
static int with_value(struct options *options, const struct option_def *def, const char *attached,
                      const char **value) {
    *value = NULL;
    if (def->argument == NULL) {
        if (attached != NULL) return wrong(options, "no value belongs to --", def->name);
        return def->id;
    }
    if (attached == NULL && options->at >= options->argc)
        return wrong(options, "a value is missing after --", def->name);
    *value = attached != NULL ? attached : options->argv[options->at++];
    return def->id;
}

static int long_option(struct options *options, const char *text, const char **value) {
    char name[64];
    const char *equal = strchr(text, '=');
    size_t length = equal != NULL ? (size_t)(equal - text) : strlen(text);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (strcmp(name, "help") == 0) return print_help(options);
    for (const struct option_def *def = options->defs; def->id != 0; def++)
        if (strcmp(def->name, name) == 0)
            return with_value(options, def, equal != NULL ? equal + 1 : NULL, value);
    return unknown(options, name);
}

static int short_option(struct options *options, const char *text, const char **value) {
    if (strcmp(text, "h") == 0) return print_help(options);
    for (const struct option_def *def = options->defs; def->id != 0; def++)
        if (def->letter == text[0])
            return with_value(options, def, text[1] != '\0' ? text + 1 : NULL, value);
    return wrong(options, "unknown option -", text);
}

int options_next(struct options *options, const char **value) {
    while (options->at < options->argc) {
        const char *text = options->argv[options->at++];
        if (!options->only_positional && strcmp(text, "--") == 0) {
            options->only_positional = true;
            continue;
        }
        if (!options->only_positional && strncmp(text, "--", 2) == 0)
            return long_option(options, text + 2, value);
        if (!options->only_positional && text[0] == '-' && text[1] != '\0')
            return short_option(options, text + 1, value);
        *value = text;
        return OPTION_POSITIONAL;
    }
    return OPTION_END;
}
