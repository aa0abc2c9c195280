/* SPDX-License-Identifier: Apache-2.0
 * talus solve: a frictional contact problem (FCLIB file) in, its solution and what it is worth out. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options.h"

enum { SOLVER = 1, TOLERANCE, SECONDS, JSON, OUTPUT };

static const struct option_def defs[] = {
    {SOLVER, "solver", 's', "NAME", "auto (default), or one of `talus list solvers`"},
    {TOLERANCE, "tol", 't', "T", "residual over ||q|| that counts as converged; default 1e-8"},
    {SECONDS, "max-seconds", 0, "X", "give up after this time with the best found; default 10"},
    {JSON, "json", 0, NULL, "print the report as JSON"},
    {OUTPUT, "out", 'o', "FILE", "write the solution: solution/r, solution/u (global: v)"},
    {0}};

struct arguments {
    const char *path, *output;
    bool json;
    talus_solve_config config;
};

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
    if (info->global) {
        fputs(", \"balance\": ", stdout);
        put_json_number(stdout, report->balance);
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

static void print_text(const talus_solve_report *report, const talus_problem_info *info) {
    printf("solver     %s, %" PRId64 " iterations, %.3g s\n", report->solver, report->iterations,
           report->seconds);
    for (int k = 0; k < report->stage_count; k++) {
        const talus_solve_stage *stage = &report->stages[k];
        printf("  stage    %-8s %8" PRId64 " iterations %9.3g s  residual %.2e\n", stage->solver,
               stage->iterations, stage->seconds, stage->residual_q);
    }
    printf("residual   %.3e over ||q||, %.3e as Siconos scales it\n", report->residual_q,
           report->residual_siconos);
    if (info->global) printf("balance    %.3e of M v = H r + f\n", report->balance);
    printf("%s\n", report->converged ? "converged" : "not converged");
}

static int solve(const struct arguments *arguments) {
    talus_problem *problem = NULL;
    talus_error err;
    talus_solve_report report;
    if (talus_problem_read(arguments->path, &problem, &err) < 0) return complain_error(&err);
    talus_problem_info info = talus_problem_look(problem);
    talus_status status = talus_problem_solve(problem, &arguments->config, &report, &err);
    if (status >= 0 && arguments->output != NULL) {
        talus_status written = talus_problem_write_solution(problem, arguments->output, &err);
        if (written < 0) status = written;
    }
    int code = CLI_OK;
    if (status < 0) {
        code = complain_error(&err);
    } else {
        if (arguments->json)
            print_json(&report, &info);
        else
            print_text(&report, &info);
        code = report.converged ? CLI_OK : CLI_NUMERICAL_STOP;
    }
    talus_problem_free(problem);
    return code;
}

static bool accept_number(const char *option, const char *value, double *out) {
    char *end;
    *out = strtod(value, &end);
    if (end != value && *end == '\0' && *out > 0.0 && isfinite(*out)) return true;
    complain("solve: --%s %s: must be a number above 0", option, value);
    return false;
}

int solve_command(int argc, char **argv) {
    struct options options = options_start(
        argc, argv, defs, "solve FILE [OPTIONS]",
        "Solves a frictional contact problem (FCLIB file, HDF5; local or global, 2D or 3D).");
    struct arguments arguments = {.config = talus_solve_config_default()};
    const char *value;
    for (;;) {
        switch (options_next(&options, &value)) {
        case OPTION_END:
            if (arguments.path == NULL) return complain("solve: which file?");
            return solve(&arguments);
        case OPTION_HELP: return CLI_OK;
        case OPTION_POSITIONAL:
            if (arguments.path != NULL) return complain("solve: one file at a time");
            arguments.path = value;
            break;
        case SOLVER: arguments.config.solver = value; break;
        case TOLERANCE:
            if (!accept_number("tol", value, &arguments.config.tolerance)) return CLI_WRONG_INPUT;
            break;
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
