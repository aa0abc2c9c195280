/* SPDX-License-Identifier: Apache-2.0
 * talus papers: run what a paper did, compare the numbers, draw its figure. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "papers/papers.h"

enum { JSON = 1, OUTPUT, QUICK };

static const struct option_def defs[] = {
    {JSON, "json", 0, NULL, "print the comparison as JSON"},
    {OUTPUT, "output", 'o', "DIR", "where tables and figure go; default out/papers/NAME"},
    {QUICK, "quick", 0, NULL, "a smaller system with wider tolerances"},
    {0}};

struct arguments {
    const char *name, *output;
    bool json, quick;
};

/* ---- the comparison -------------------------------------------------------------------------- */

static bool is_ok(const struct paper_expectation *expected, double measured) {
    return fabs(measured - expected->expected) <= expected->tolerance; /* false for nan */
}

static void print_json(const struct paper_run *run, const struct paper_expectation *expected,
                       int count) {
    putchar('[');
    for (int i = 0; i < count; i++) {
        double measured = paper_measured(run, expected[i].name);
        fputs(i > 0 ? ",\n  {\"name\": " : "\n  {\"name\": ", stdout);
        put_json_text(stdout, expected[i].name);
        fputs(", \"measured\": ", stdout);
        put_json_number(stdout, measured);
        fputs(", \"expected\": ", stdout);
        put_json_number(stdout, expected[i].expected);
        fputs(", \"tolerance\": ", stdout);
        put_json_number(stdout, expected[i].tolerance);
        printf(", \"ok\": %s}", is_ok(&expected[i], measured) ? "true" : "false");
    }
    puts("\n]");
}

static void print_table(const struct paper_run *run, const struct paper_expectation *expected,
                        int count) {
    printf("%-24s %14s %14s %11s  %s\n", "name", "measured", "expected", "tolerance", "");
    for (int i = 0; i < count; i++) {
        double measured = paper_measured(run, expected[i].name);
        printf("%-24s %14.7g %14.7g %11.3g  %s\n", expected[i].name, measured, expected[i].expected,
               expected[i].tolerance, is_ok(&expected[i], measured) ? "ok" : "OUTSIDE");
    }
}

/* ---- the figure ------------------------------------------------------------------------------ */

static bool copy_file(const char *from_path, const char *to_path) {
    FILE *from = fopen(from_path, "r"), *to = fopen(to_path, "w");
    bool good = from != NULL && to != NULL;
    for (int c; good && (c = getc(from)) != EOF;) good = putc(c, to) != EOF;
    if (from != NULL) fclose(from);
    if (to != NULL) good = fclose(to) == 0 && good;
    return good;
}

static int draw_figure(const struct paper_run *run, FILE *notes) {
    char from[CLI_PATH], to[CLI_PATH];
    if (!join_path(from, run->data, "figure.gp") || !join_path(to, run->output, "figure.gp"))
        return complain("papers: the path is too long");
    if (!copy_file(from, to)) {
        complain("%s: cannot be written: %s", to, strerror(errno));
        return CLI_FILES_OR_SYSTEM;
    }
    talus_error err;
    if (talus_gnuplot(run->output, "figure.gp", &err) >= 0)
        fprintf(notes, "figure: %s/figure.png\n", run->output);
    else
        fprintf(notes, "%s\n", err.text);
    return CLI_OK;
}

/* ---- one paper ------------------------------------------------------------------------------- */

static int judge(const struct paper_run *run, bool json) {
    static struct paper_expectation expected[PAPER_NUMBERS];
    talus_error err;
    int count = 0, wrong = 0;
    if (paper_expected(run->data, run->quick, expected, &count, &err) < 0)
        return complain_error(&err);
    for (int i = 0; i < count; i++)
        if (!is_ok(&expected[i], paper_measured(run, expected[i].name))) wrong++;
    if (json)
        print_json(run, expected, count);
    else
        print_table(run, expected, count);
    if (!json) printf("%d of %d numbers agree\n", count - wrong, count);
    return wrong == 0 ? CLI_OK : CLI_NUMERICAL_STOP;
}

static int reproduce(const struct paper *paper, const struct arguments *arguments) {
    char data[CLI_PATH], papers[CLI_PATH], folder[CLI_PATH], standard[CLI_PATH];
    static struct paper_run run;
    talus_error err;
    if (!find_data(data) || !join_path(papers, data, "papers") ||
        !join_path(folder, papers, paper->name)) {
        complain("papers: the folder papers/ was not found; set TALUS_DATA to the directory that "
                 "has it");
        return CLI_FILES_OR_SYSTEM;
    }
    snprintf(standard, sizeof standard, "out/papers/%s", paper->name);
    run.data = folder;
    run.output = arguments->output != NULL ? arguments->output : standard;
    run.quick = arguments->quick;
    run.notes = arguments->json ? stderr : stdout;
    if (!make_directories(run.output)) return CLI_FILES_OR_SYSTEM;
    fprintf(run.notes, "%s\n%s\n", paper->title, paper->source);
    if (paper->measure(&run, &err) < 0) return complain_error(&err);
    int drawn = draw_figure(&run, run.notes), judged = judge(&run, arguments->json);
    return judged != CLI_OK ? judged : drawn;
}

static int find_and_reproduce(const struct arguments *arguments) {
    const struct paper *paper = paper_find(arguments->name);
    if (paper != NULL) return reproduce(paper, arguments);
    const char *names[32];
    size_t count = 0;
    for (; count < paper_count() && count < 32; count++) names[count] = paper_at(count)->name;
    const char *near = nearest_word(arguments->name, names, count);
    if (near != NULL)
        return complain("papers: there is no \"%s\"; did you mean \"%s\"?", arguments->name, near);
    return complain("papers: there is no \"%s\"; talus papers lists them", arguments->name);
}

int papers_command(int argc, char **argv) {
    struct options options = options_start(argc, argv, defs, "papers [NAME] [OPTIONS]",
                                           "Without NAME lists the names. With it, reproduces the "
                                           "figure, compares the numbers with the\n"
                                           "expected ones and draws it with gnuplot. Exit code 0 "
                                           "only if all numbers agree, 2 if not.");
    struct arguments arguments = {0};
    const char *value;
    for (;;) {
        switch (options_next(&options, &value)) {
        case OPTION_END:
            if (arguments.name != NULL) return find_and_reproduce(&arguments);
            for (size_t i = 0; i < paper_count(); i++) printf("%s\n", paper_at(i)->name);
            return CLI_OK;
        case OPTION_HELP: return CLI_OK;
        case OPTION_POSITIONAL:
            if (arguments.name != NULL) return complain("papers: one at a time");
            arguments.name = value;
            break;
        case JSON: arguments.json = true; break;
        case OUTPUT: arguments.output = value; break;
        case QUICK: arguments.quick = true; break;
        default: return CLI_WRONG_INPUT;
        }
    }
}
