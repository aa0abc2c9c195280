/* SPDX-License-Identifier: Apache-2.0
 * talus compare: one scene by Contact Dynamics and by molecular dynamics, side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/display.h"
#include "cli/interrupt.h"
#include "cli/options.h"

enum { JSON = 1, OUTPUT, OVERLAP, STIFFNESS, SET, FORCE, QUIET, JOBS };

static const struct option_def defs[] = {
    {JSON, "json", 0, NULL, "print the comparison as JSON"},
    {OUTPUT, "output", 'o', "DIR",
     "keep both runs in DIR/cd, DIR/md and the table; default: nowhere"},
    {OVERLAP, "overlap", 0, "SHARE", "springs with this overlap over diameter; default 1e-3"},
    {STIFFNESS, "stiffness", 0, "N/m",
     "springs of this stiffness; default: the scene's, or by overlap"},
    {SET, "set", 's', "KEY=VALUE", "change a key of the scene, e.g. --set solver.name=nnsgs"},
    {FORCE, "force", 'f', NULL, "replace the results of an earlier run in the directory"},
    {QUIET, "quiet", 'q', NULL, "print no progress"},
    {JOBS, "jobs", 'j', "THREADS", "threads of the soft grains; default 1"},
    {0}};

struct arguments {
    const char *scene;
    const char **overrides;
    size_t override_count;
    talus_compare_config config;
    bool json, quiet;
};

/* ---- arguments ----------------------------------------------------------------------------------------- */

static bool accept_number(const char *option, const char *value, double most, double *out) {
    char *end;
    *out = strtod(value, &end);
    if (end != value && *end == '\0' && *out > 0.0 && *out < most) return true;
    complain("compare: --%s %s: must be a number above 0%s", option, value,
             most < 1.0 ? " and below 0.5" : "");
    return false;
}

static bool accept_jobs(const char *value, int *out) {
    char *end;
    long jobs = strtol(value, &end, 10);
    if (end != value && *end == '\0' && jobs >= 1) {
        *out = jobs < 1024 ? (int)jobs : 1024;
        return true;
    }
    complain("compare: --jobs %s: must be a whole number, 1 or more", value);
    return false;
}

static bool accept_override(struct arguments *arguments, const char *value) {
    const char *equal = strchr(value, '=');
    if (equal != NULL && equal != value) {
        arguments->overrides[arguments->override_count++] = value;
        return true;
    }
    complain("compare: --set %s: must be KEY=VALUE, e.g. --set time.dt=1e-4", value);
    return false;
}

static bool accept(struct arguments *arguments, int option, const char *value) {
    talus_compare_config *config = &arguments->config;
    switch (option) {
    case JSON: arguments->json = true; return true;
    case OUTPUT: config->directory = value; return true;
    case OVERLAP: return accept_number("overlap", value, 0.5, &config->overlap);
    case STIFFNESS: return accept_number("stiffness", value, HUGE_VAL, &config->stiffness);
    case SET: return accept_override(arguments, value);
    case FORCE: config->overwrite = true; return true;
    case QUIET: arguments->quiet = true; return true;
    case JOBS: return accept_jobs(value, &config->threads);
    default: return false;
    }
}

/* Returns an exit code, or -1 to go on. */
static int read_arguments(int argc, char **argv, struct arguments *arguments) {
    struct options options = options_start(
        argc, argv, defs, "compare SCENE [OPTIONS]",
        "Runs the scene with rigid grains (Contact Dynamics) and with soft ones (molecular "
        "dynamics) at\n"
        "matched accuracy, and prints what each took, what came out and what each hides.");
    const char *value;
    for (;;) {
        int option = options_next(&options, &value);
        if (option == OPTION_HELP) return CLI_OK;
        if (option == OPTION_END) break;
        if (option == OPTION_POSITIONAL) {
            if (arguments->scene != NULL)
                return complain("compare: one scene at a time, got \"%s\" and \"%s\"",
                                arguments->scene, value);
            arguments->scene = value;
        } else if (!accept(arguments, option, value)) {
            return CLI_WRONG_INPUT;
        }
    }
    if (arguments->scene == NULL)
        return complain("compare: which scene? (talus compare SCENE.yaml; talus compare --help)");
    if (arguments->config.overlap > 0.0 && arguments->config.stiffness > 0.0)
        return complain("compare: --overlap and --stiffness exclude each other: one follows from "
                        "the other");
    return -1;
}

/* ---- the runs -------------------------------------------------------------------------------------------- */

struct showing {
    struct display display;
    bool quiet;
    int method; /* last announced, -1: none */
};

static bool show(talus_method method, const talus_progress *progress, void *context) {
    struct showing *showing = context;
    if (showing->method != (int)method) {
        display_clear(&showing->display);
        showing->display = display_start(showing->quiet);
        showing->method = (int)method;
        if (!showing->quiet)
            printf("%s\n", method == TALUS_METHOD_CD ? "rigid grains (cd)" : "soft grains (md)");
    }
    talus_progress now = *progress;
    now.row = NULL; /* two tables would hide the one that counts */
    display_update(&showing->display, &now);
    return !interrupt_asked();
}

static int run_both(struct arguments *arguments) {
    static talus_comparison comparison;
    struct showing showing = {.quiet = arguments->quiet || arguments->json, .method = -1};
    talus_error err;
    arguments->config.progress = show;
    arguments->config.context = &showing;
    showing.display = display_start(showing.quiet);
    interrupt_watch();
    talus_status status =
        talus_compare(arguments->scene, arguments->overrides, arguments->override_count,
                      &arguments->config, &comparison, &err);
    display_clear(&showing.display);
    if (status < 0) return complain_error(&err);
    if (status == TALUS_WARN_INTERRUPTED) {
        complain("interrupted; there is nothing to compare%s",
                 arguments->config.directory != NULL ? ", what was run is in the directory" : "");
        return talus_status_exit_code(status);
    }
    if (arguments->json) {
        talus_comparison_json(&comparison, stdout);
    } else {
        printf("\n%s%s%s\n", arguments->scene, comparison.title[0] != '\0' ? ": " : "",
               comparison.title);
        talus_comparison_report(&comparison, stdout);
    }
    return talus_status_exit_code(status);
}

int compare_command(int argc, char **argv) {
    struct arguments arguments = {.config = talus_compare_config_default(),
                                  .overrides = malloc(sizeof(char *) * (size_t)argc)};
    if (arguments.overrides == NULL) {
        complain("out of memory");
        return CLI_FILES_OR_SYSTEM;
    }
    int code = read_arguments(argc, argv, &arguments);
    if (code < 0) code = run_both(&arguments);
    free(arguments.overrides);
    return code;
}
