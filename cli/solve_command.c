/* SPDX-License-Identifier: Apache-2.0
 * talus solve: a frictional contact problem (FCLIB file) in, its solution and what it is worth out. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options.h"

enum { SOLVER = 1, TOLERANCE, SICONOS, SECONDS, JSON, OUTPUT };

static const struct option_def defs[] = {
    {SOLVER, "solver", 's', "NAME", "auto (default), or one of `talus list problem-solvers`"},
    {TOLERANCE, "tol", 't', "T", "residual over ||q|| that counts as converged; default 1e-8"},
    {SICONOS, "siconos", 0, NULL,
     "T counts for the residual over max(||q||, ||r||, ||u||) instead"},
    {SECONDS, "max-seconds", 0, "X", "give up after this time with the best found; default 9"},
    {JSON, "json", 0, NULL, "print the report as JSON"},
    {OUTPUT, "out", 'o', "FILE", "write the solution: solution/r, solution/u (global: v)"},
    {0}};

struct arguments {
    const char *path, *output;
    bool json;
    talus_solve_config config;
};

/* What else is known of the result, beside its residual. */
static void print_json_judgement(const talus_solve_report *report) {
    fputs(", \"residual_normal\": ", stdout);
    put_json_number(stdout, report->residual_normal);
    fputs(", \"residual_friction\": ", stdout);
    put_json_number(stdout, report->residual_friction);
    fputs(", \"rounding\": ", stdout);
    put_json_number(stdout, report->rounding);
    fputs(", \"impulse_growth\": ", stdout);
    put_json_number(stdout, report->impulse_growth);
    printf(", \"immovable\": %" PRId64 ", \"immovable_first\": %" PRId64, report->immovable,
           report->immovable_first);
    fputs(", \"read_seconds\": ", stdout);
    put_json_number(stdout, report->read_seconds);
}

static void print_json(const talus_solve_report *report, const talus_problem_info *info) {
    fputs("{\"solver\": ", stdout);
    put_json_text(stdout, report->solver);
    printf(", \"iterations\": %" PRId64 ", \"seconds\": ", report->iterations);
    put_json_number(stdout, report->seconds);
    fputs(", \"residual_q\": ", stdout);
    put_json_number(stdout, report->residual_q);
    fputs(", \"residual_siconos\": ", stdout);
    put_json_number(stdout, report->residual_siconos);
    printf(", \"converged\": %s", report->converged ? "true" : "false");
    printf(", \"interrupted\": %s", report->interrupted ? "true" : "false");
    printf(", \"contacts\": %" PRId64 ", \"dimension\": %d", info->contacts, info->dim);
    printf(", \"rolling\": %s", info->rolling ? "true" : "false");
    print_json_judgement(report);
    if (info->global) {
        fputs(", \"motion_error\": ", stdout);
        put_json_number(stdout, report->motion_error);
    }
    fputs(", \"stages\": [", stdout);
    for (int k = 0; k < report->stage_count; k++) {
        const talus_solve_stage *stage = &report->stages[k];
        fputs(k > 0 ? ", {\"solver\": " : "{\"solver\": ", stdout);
        put_json_text(stdout, stage->solver);
        printf(", \"contacts\": %" PRId64 ", \"iterations\": %" PRId64 ", \"seconds\": ",
               stage->contacts, stage->iterations);
        put_json_number(stdout, stage->seconds);
        fputs(", \"residual_q\": ", stdout);
        put_json_number(stdout, stage->residual_q);
        putchar('}');
    }
    puts("]}");
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_problem(const char *path, const talus_problem_info *info) {
    printf("problem    %s\n           %s, %dD, %s%" PRId64 " contacts, %" PRId64 " blocks in W",
           path, info->global ? "global" : "local", info->dim,
           info->rolling ? "rolling friction, " : "", info->contacts, info->blocks);
    if (info->global)
        printf(", %" PRId64 " velocities, %" PRId64 " constraints", info->freedoms,
               info->equations);
    printf("\n           mu %.4g", info->mu_min);
    if (info->mu_max > info->mu_min) printf(" to %.4g", info->mu_max);
    if (info->rolling) printf(", mu_r %.4g", info->mu_r_min);
    if (info->mu_r_max > info->mu_r_min) printf(" to %.4g", info->mu_r_max);
    printf(", ||q|| = %.4g\n", info->q_norm);
    if (info->asymmetry > 1e-12)
        printf("           W is not symmetric: by %.1e of its largest entry\n", info->asymmetry);
}

static const double growth_suspect = 1e6; /* of impulses: hardly a solution any more */

/* Why there is none, as far as it can be told. */
static void print_reasons(const talus_solve_report *report, double tolerance) {
    if (report->immovable > 0)
        printf("           %" PRId64 " contact%s (the first is number %" PRId64
               ", from 0) approach at up to %.3g m/s\n           and nothing can move them: no "
               "solution exists; the rest was solved without them\n",
               report->immovable, report->immovable == 1 ? "" : "s", report->immovable_first,
               report->immovable_approach);
    else if (report->rounding > tolerance)
        printf("           the tolerance lies below rounding, which alone can make %.1e with "
               "these impulses\n",
               report->rounding);
    else if (report->impulse_growth > growth_suspect)
        printf("           impulses grew to %.1e times what stops each contact alone: perhaps "
               "there is no solution\n",
               report->impulse_growth);
}

static void print_verdict(const talus_solve_report *report, const talus_solve_config *config) {
    const char *stopped = report->interrupted ? " (interrupted)" : "";
    const char *whose = config->siconos ? " as Siconos scales it" : "";
    double tolerance = config->tolerance;
    if (report->converged) {
        printf("verdict    converged: residual%s below %.1e%s\n", whose, tolerance, stopped);
        return;
    }
    if (config->siconos || report->residual_q > tolerance)
        printf("verdict    not converged: residual%s above %.1e%s\n", whose, tolerance, stopped);
    else
        printf(
            "verdict    not converged: residual below %.1e, but %s alone above ten times that%s\n",
            tolerance,
            report->residual_normal > report->residual_friction ? "volume exclusion" : "friction",
            stopped);
    print_reasons(report, tolerance);
}

static void print_text(const talus_solve_report *report, const talus_problem_info *info,
                       const talus_solve_config *config) {
    printf("solver     %s, %" PRId64 " iterations, %.3g s (reading: %.3g s)\n", report->solver,
           report->iterations, report->seconds, report->read_seconds);
    for (int k = 0; k < report->stage_count && report->stage_count > 1; k++) {
        const talus_solve_stage *stage = &report->stages[k];
        printf("           %-8s %9" PRId64 " iterations %9.3g s   to %.1e\n", stage->solver,
               stage->iterations, stage->seconds, stage->residual_q);
    }
    printf("residual   %.3e   natural map over ||q||\n", report->residual_q);
    printf("           %.3e   over max(||q||, ||r||, ||u||), as Siconos scales it\n",
           report->residual_siconos);
    printf("           %.3e   volume exclusion alone, each contact by its own mass, over ||q||\n",
           report->residual_normal);
    printf("           %.3e   friction alone, likewise\n", report->residual_friction);
    if (info->global)
        printf("motion     %.3e   |M v - H r - f| over the largest of its terms\n",
               report->motion_error);
    print_verdict(report, config);
}

int describe_problem(const char *path) {
    talus_problem *problem = NULL;
    talus_error err;
    if (talus_problem_read(path, &problem, &err) < 0) return complain_error(&err);
    talus_problem_info info = talus_problem_look(problem);
    print_problem(path, &info);
    if (info.title[0] != '\0') printf("title      %s\n", info.title);
    if (info.description[0] != '\0') printf("           %s\n", info.description);
    talus_problem_free(problem);
    return CLI_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

static const double silence = 1.0; /* s before the first progress line */

/* The moving line, on standard error so that a pipe gets the report only. */
static bool show(const talus_solve_progress *progress, void *context) {
    bool *shown = context;
    if (isatty(STDERR_FILENO) && progress->seconds > silence) {
        fprintf(stderr, "\r\033[K%.1f s  %s  %" PRId64 " iterations  residual %.2e",
                progress->seconds, progress->stage, progress->iterations, progress->residual_q);
        fflush(stderr);
        *shown = true;
    }
    return !interrupt_asked();
}

static int report_solution(const struct arguments *arguments, talus_problem *problem,
                           const talus_solve_report *report) {
    talus_problem_info info = talus_problem_look(problem);
    talus_error err;
    if (arguments->output != NULL &&
        talus_problem_write_solution(problem, arguments->output, &err) < 0)
        return complain_error(&err);
    if (arguments->json)
        print_json(report, &info);
    else {
        print_problem(arguments->path, &info);
        print_text(report, &info, &arguments->config);
        if (arguments->output != NULL) printf("solution   %s\n", arguments->output);
    }
    return report->converged ? CLI_OK : CLI_NUMERICAL_STOP;
}

static int solve(struct arguments *arguments) {
    talus_problem *problem = NULL;
    talus_error err;
    talus_solve_report report;
    bool shown = false;
    if (talus_problem_read(arguments->path, &problem, &err) < 0) return complain_error(&err);
    arguments->config.progress = show;
    arguments->config.context = &shown;
    interrupt_watch();
    talus_status status = talus_problem_solve(problem, &arguments->config, &report, &err);
    if (shown) fputs("\r\033[K", stderr);
    int code = status < 0 ? complain_error(&err) : report_solution(arguments, problem, &report);
    talus_problem_free(problem);
    return code;
}

static bool accept_solver(const char *name) {
    const char *names[32];
    size_t count = 0;
    for (size_t i = 0; i < talus_catalog_count() && count < 32; i++) {
        const talus_entry *entry = talus_catalog_entry(i);
        if (strcmp(entry->kind, "problem solver") != 0) continue;
        if (strcmp(entry->name, name) == 0) return true;
        names[count++] = entry->name;
    }
    const char *near = nearest_word(name, names, count);
    if (near != NULL)
        complain("solve: there is no solver \"%s\"; did you mean \"%s\"?", name, near);
    else
        complain("solve: there is no solver \"%s\"; talus list problem-solvers", name);
    return false;
}

static bool accept_number(const char *option, const char *value, double *out) {
    char *end;
    *out = strtod(value, &end);
    if (end != value && *end == '\0' && *out > 0.0 && isfinite(*out)) return true;
    complain("solve: --%s %s: must be a number above 0", option, value);
    return false;
}

/* Links and other spellings of the path included. */
static bool is_same_file(const char *one, const char *other) {
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

int solve_command(int argc, char **argv) {
    struct options options =
        options_start(argc, argv, defs, "solve FILE [OPTIONS]",
                      "Solves a frictional contact problem (FCLIB file, HDF5; local or global, 2D "
                      "or 3D, also with rolling friction)\n"
                      "from zero. The "
                      "residual is that of the natural map with unit step over ||q||. Exit code 0 "
                      "if it is below T,\n"
                      "and volume exclusion and friction alone below 10 T; "
                      "2 if not (the best found is reported and written all the same).");
    struct arguments arguments = {.config = talus_solve_config_default()};
    const char *value;
    for (;;) {
        switch (options_next(&options, &value)) {
        case OPTION_END:
            if (arguments.path == NULL) return complain("solve: which file?");
            if (arguments.output != NULL && is_same_file(arguments.path, arguments.output))
                return complain("solve: --out %s is the problem itself: choose another file",
                                arguments.output);
            return solve(&arguments);
        case OPTION_HELP: return CLI_OK;
        case OPTION_POSITIONAL:
            if (arguments.path != NULL) return complain("solve: one file at a time");
            arguments.path = value;
            break;
        case SOLVER:
            if (!accept_solver(value)) return CLI_WRONG_INPUT;
            arguments.config.solver = value;
            break;
        case TOLERANCE:
            if (!accept_number("tol", value, &arguments.config.tolerance)) return CLI_WRONG_INPUT;
            break;
        case SICONOS: arguments.config.siconos = true; break;
        case SECONDS:
            if (!accept_number("max-seconds", value, &arguments.config.max_seconds))
                return CLI_WRONG_INPUT;
            break;
        case JSON: arguments.json = true; break;
        case OUTPUT: arguments.output = value; break;
        default: return CLI_WRONG_INPUT;
        }
    }
}
