/* SPDX-License-Identifier: Apache-2.0
 * talus bench: run benchmarks, print their figures with what they were measured on. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/cli.h"
#include "cli/machine.h"
#include "cli/options.h"

enum { JSON = 1, CSV, DATA, QUICK, CONVERGENCE };

static const struct option_def defs[] = {
    {JSON, "json", 0, NULL, "print the figures as JSON"},
    {CSV, "csv", 0, "FILE", "append the figures to a CSV file"},
    {DATA, "data", 0, "DIR", "directory of problems, for benches that read some"},
    {QUICK, "quick", 0, NULL, "smaller systems, for benches that take minutes"},
    {CONVERGENCE, "convergence", 0, "FILE",
     "solver: CSV of n, solver, iterations, seconds and all measures"},
    {0}};

struct arguments {
    const char *name, *csv, *data, *convergence;
    bool json, quick;
};

/* ---- three forms of the same figures --------------------------------------------------------- */

static void print_table(const struct bench *bench, const struct bench_run *run,
                        const struct machine *machine) {
    printf("bench      %s: %s\nmachine    %s, %d cores\ncompiler   %s\ncommit     %s\n",
           bench->name, bench->summary, machine->processor, machine->cores, machine->compiler,
           machine->commit);
    printf("%-18s %9s %10s %9s  %-22s %12s %s\n", "scene", "n", "contacts", "residual", "figure",
           "value", "unit");
    for (size_t i = 0; i < run->figure_count; i++) {
        const struct bench_figure *figure = &run->figures[i];
        printf("%-18s %9" PRId64 " %10" PRId64 " %9.2e  %-22s %12.4g ", figure->scene, figure->n,
               figure->contacts, figure->residual, figure->name, figure->value);
        if (figure->against[0] != '\0')
            printf("of %s", figure->against);
        else
            fputs(figure->unit, stdout);
        if (figure->goal != BENCH_NO_GOAL)
            printf(", goal %s %g: %s",
                   figure->goal == BENCH_AT_MOST ? "<=" : ">=", figure->goal_value,
                   bench_goal_met(figure) ? "met" : "missed");
        putchar('\n');
    }
}

static void put_member(const char *key, const char *text) {
    printf("\"%s\": ", key);
    put_json_text(stdout, text);
    fputs(", ", stdout);
}

static void print_json(const struct bench *bench, const struct bench_run *run,
                       const struct machine *machine) {
    putchar('{');
    put_member("bench", bench->name);
    put_member("machine", machine->processor);
    printf("\"cores\": %d, ", machine->cores);
    put_member("compiler", machine->compiler);
    put_member("commit", machine->commit);
    fputs("\"figures\": [", stdout);
    for (size_t i = 0; i < run->figure_count; i++) {
        const struct bench_figure *figure = &run->figures[i];
        fputs(i > 0 ? ",\n  {" : "\n  {", stdout);
        put_member("scene", figure->scene);
        printf("\"n\": %" PRId64 ", \"contacts\": %" PRId64 ", \"residual\": ", figure->n,
               figure->contacts);
        put_json_number(stdout, figure->residual);
        fputs(", ", stdout);
        put_member("name", figure->name);
        put_member("unit", figure->unit);
        if (figure->against[0] != '\0') put_member("against", figure->against);
        if (figure->goal != BENCH_NO_GOAL) {
            printf("\"%s\": ", figure->goal == BENCH_AT_MOST ? "at_most" : "at_least");
            put_json_number(stdout, figure->goal_value);
            printf(", \"met\": %s, ", bench_goal_met(figure) ? "true" : "false");
        }
        fputs("\"value\": ", stdout);
        put_json_number(stdout, figure->value);
        putchar('}');
    }
    puts("\n]}");
}

/* A field in quotes, as RFC 4180 has it. */
static void put_field(FILE *to, const char *text) {
    fputc('"', to);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', to);
        fputc(*text, to);
    }
    fputs("\",", to);
}

static int append_csv(const char *path, const struct bench *bench, const struct bench_run *run,
                      const struct machine *machine) {
    FILE *to = fopen(path, "a");
    if (to == NULL) {
        complain("%s: %s", path, strerror(errno));
        return CLI_FILES_OR_SYSTEM;
    }
    fseek(to, 0, SEEK_END);
    if (ftell(to) == 0)
        fputs("machine,compiler,commit,bench,scene,figure,unit,against,n,contacts,residual,value,"
              "goal,"
              "met\n",
              to);
    for (size_t i = 0; i < run->figure_count; i++) {
        const struct bench_figure *figure = &run->figures[i];
        const char *const fields[] = {machine->processor, machine->compiler, machine->commit,
                                      bench->name,        figure->scene,     figure->name,
                                      figure->unit,       figure->against};
        for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) put_field(to, fields[f]);
        fprintf(to, "%" PRId64 ",%" PRId64 ",%.3e,%.9g,", figure->n, figure->contacts,
                figure->residual, figure->value);
        if (figure->goal == BENCH_NO_GOAL)
            fputs(",\n", to);
        else
            fprintf(to, "%s %g,%s\n",
                    figure->goal == BENCH_AT_MOST ? "<=" : ">=", figure->goal_value,
                    bench_goal_met(figure) ? "met" : "missed");
    }
    bool failed = ferror(to) != 0;
    if (fclose(to) == 0 && !failed) return CLI_OK;
    complain("%s: cannot be written: %s", path, strerror(errno));
    return CLI_FILES_OR_SYSTEM;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int measure_one(const struct bench *bench, const struct arguments *arguments) {
    struct machine machine = machine_look();
    struct bench_run *run = calloc(1, sizeof *run);
    talus_error err = {.status = TALUS_ERR_MEMORY, .text = "out of memory"};
    if (run == NULL) return complain_error(&err);
    run->data = arguments->data;
    run->quick = arguments->quick;
    int code = CLI_OK;
    if (arguments->convergence != NULL) run->convergence = fopen(arguments->convergence, "w");
    if (arguments->convergence != NULL && run->convergence == NULL) {
        complain("%s: %s", arguments->convergence, strerror(errno));
        free(run);
        return CLI_FILES_OR_SYSTEM;
    }
    if (bench->measure(run, &err) < 0) {
        code = complain_error(&err);
    } else {
        if (arguments->json)
            print_json(bench, run, &machine);
        else
            print_table(bench, run, &machine);
        if (arguments->csv != NULL) code = append_csv(arguments->csv, bench, run, &machine);
    }
    if (run->convergence != NULL && (fflush(run->convergence) != 0 || ferror(run->convergence))) {
        complain("%s: cannot be written: %s", arguments->convergence, strerror(errno));
        code = CLI_FILES_OR_SYSTEM;
    }
    if (run->convergence != NULL) fclose(run->convergence);
    free(run);
    return code;
}

static int find_and_measure(const struct arguments *arguments) {
    const struct bench *bench = bench_find(arguments->name);
    if (bench != NULL) return measure_one(bench, arguments);
    const char *names[32];
    size_t count = 0;
    for (; count < bench_count() && count < 32; count++) names[count] = bench_at(count)->name;
    const char *near = nearest_word(arguments->name, names, count);
    if (near != NULL)
        return complain("bench: there is no \"%s\"; did you mean \"%s\"?", arguments->name, near);
    return complain("bench: there is no \"%s\"; talus bench lists them", arguments->name);
}

int bench_command(int argc, char **argv) {
    struct options options = options_start(argc, argv, defs, "bench [NAME] [OPTIONS]",
                                           "Without NAME lists the benchmarks. With it, measures "
                                           "and prints figures with their units, and\n"
                                           "ratios against references measured in the same run.");
    struct arguments arguments = {0};
    const char *value;
    for (;;) {
        switch (options_next(&options, &value)) {
        case OPTION_END:
            if (arguments.name != NULL) return find_and_measure(&arguments);
            for (size_t i = 0; i < bench_count(); i++)
                printf("%-12s %s\n", bench_at(i)->name, bench_at(i)->summary);
            return CLI_OK;
        case OPTION_HELP: return CLI_OK;
        case OPTION_POSITIONAL:
            if (arguments.name != NULL) return complain("bench: one at a time");
            arguments.name = value;
            break;
        case JSON: arguments.json = true; break;
        case CSV: arguments.csv = value; break;
        case DATA: arguments.data = value; break;
        case QUICK: arguments.quick = true; break;
        case CONVERGENCE: arguments.convergence = value; break;
        default: return CLI_WRONG_INPUT;
        }
    }
}
