/* SPDX-License-Identifier: Apache-2.0
 * talus describe: one entry of the catalog, paper or bench in full. */
#include <string.h>

#include "bench/bench.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "papers/papers.h"

/* "from 0 to 1", "0 or more", "1 or less" or "any value": bounds of 1e30 and beyond are none. */
static void put_range(char text[64], double low, double high) {
    const double unbounded = 1e30;
    bool has_low = low > -unbounded, has_high = high < unbounded;
    if (has_low && has_high)
        snprintf(text, 64, "from %g to %g", low, high);
    else if (has_low)
        snprintf(text, 64, "%g or more", low);
    else if (has_high)
        snprintf(text, 64, "%g or less", high);
    else
        snprintf(text, 64, "any value");
}

/* Broken into lines of at most this many columns, indented. */
enum { PARAGRAPH_WIDTH = 78 };

static void put_paragraph(const char *text) {
    int column = 0;
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column > 0 && column + 1 + length > PARAGRAPH_WIDTH) {
            putchar('\n');
            column = 0;
        }
        column += printf(column == 0 ? "  %.*s" : " %.*s", length, text);
        text += length;
        while (*text == ' ') text++;
    }
    putchar('\n');
}

static void describe_entry(const talus_entry *entry) {
    printf("%s %s: %s\n", entry->kind, entry->name, entry->summary);
    if (entry->citation != NULL && entry->citation[0] != '\0')
        printf("  from %s\n", entry->citation);
    if (entry->about != NULL) put_paragraph(entry->about);
    for (size_t i = 0; i < entry->parameter_count; i++) {
        const talus_parameter *parameter = &entry->parameters[i];
        char range[64], unit[40] = "";
        put_range(range, parameter->minimum, parameter->maximum);
        /* "1" is the unit of pure numbers. */
        if (parameter->unit != NULL && parameter->unit[0] != '\0' &&
            strcmp(parameter->unit, "1") != 0)
            snprintf(unit, sizeof unit, " %s", parameter->unit);
        printf("  %-26s %s\n  %-26s default %g%s, %s\n", parameter->name, parameter->meaning, "",
               parameter->default_value, unit, range);
    }
}

/* "bins   number of bins" and below it what it may be. */
static void describe_measure(const char *name) {
    talus_measure_parameter parameter;
    for (size_t i = 0; talus_measure_parameter_get(name, i, &parameter); i++) {
        char range[64];
        bool any = parameter.minimum == parameter.maximum;
        printf("  %-12s %s\n  %-12s %s%s", parameter.name, parameter.meaning, "",
               parameter.initial[0] != '\0' ? "default " : "no default", parameter.initial);
        if (parameter.unit[0] != '\0') printf(" %s", parameter.unit);
        put_range(range, parameter.minimum, parameter.maximum);
        if (parameter.words[0] != '\0')
            printf("; one of: %s\n", parameter.words);
        else if (any)
            printf("; three numbers\n");
        else
            printf("; %s\n", range);
    }
}

static bool describe_catalog(const char *name) {
    bool found = false;
    for (size_t i = 0; i < talus_catalog_count(); i++) {
        const talus_entry *entry = talus_catalog_entry(i);
        if (strcmp(entry->name, name) != 0) continue;
        describe_entry(entry);
        if (strcmp(entry->kind, "measure") == 0) describe_measure(name);
        found = true;
    }
    return found;
}

static bool describe_paper(const char *name) {
    const struct paper *paper = paper_find(name);
    if (paper == NULL) return false;
    printf("paper %s: %s\n  from %s\n", paper->name, paper->title, paper->source);
    char data[CLI_PATH], directory[CLI_PATH];
    struct paper_expectation expected[PAPER_NUMBERS];
    int count = 0;
    if (!find_data(data) || !join_path(directory, data, "papers") ||
        !join_path(data, directory, name) ||
        paper_expected(data, false, expected, &count, NULL) < 0)
        return true;
    for (int i = 0; i < count; i++)
        printf("  %-24s %g +- %g  %s\n", expected[i].name, expected[i].expected,
               expected[i].tolerance, expected[i].source);
    return true;
}

static bool describe_bench(const char *name) {
    const struct bench *bench = bench_find(name);
    if (bench == NULL) return false;
    printf("bench %s: %s\n", bench->name, bench->summary);
    return true;
}

static int unknown(const char *name) {
    const char *names[160];
    size_t count = 0;
    for (size_t i = 0; i < talus_catalog_count() && count < 128; i++)
        names[count++] = talus_catalog_entry(i)->name;
    for (size_t i = 0; i < paper_count() && count < 160; i++) names[count++] = paper_at(i)->name;
    const char *near = nearest_word(name, names, count);
    if (near != NULL)
        return complain("describe: nothing is called \"%s\"; did you mean \"%s\"?", name, near);
    return complain("describe: nothing is called \"%s\"; talus list shows the names", name);
}

int describe_command(int argc, char **argv) {
    static const struct option_def defs[] = {{0}};
    struct options options =
        options_start(argc, argv, defs, "describe NAME...",
                      "Explains shapes, laws, solvers, integrators, measures, papers and benches.");
    const char *value;
    bool any = false;
    for (;;) {
        switch (options_next(&options, &value)) {
        case OPTION_END:
            return any ? CLI_OK : complain("describe: which one? talus list shows the names");
        case OPTION_HELP: return CLI_OK;
        case OPTION_POSITIONAL: {
            bool known = describe_catalog(value);
            known = describe_paper(value) || known;
            known = describe_bench(value) || known;
            if (!known) return unknown(value);
            any = true;
            break;
        }
        default: return CLI_WRONG_INPUT;
        }
    }
}
