/* SPDX-License-Identifier: Apache-2.0
 * talus run: a scene file in, a directory of results out. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/display.h"
#include "cli/interrupt.h"
#include "cli/options.h"

enum { TRIAL_STEPS = 10 }; /* real steps that --dry-run times */

enum { OUTPUT = 1, SET, DRY_RUN, FORCE, QUIET, JOBS, DUMP, FRAMES };

static const struct option_def defs[] = {
    {OUTPUT, "output", 'o', "DIR", "where the results go; default out/NAME for NAME.yaml"},
    {SET, "set", 's', "KEY=VALUE", "change a key of the scene, e.g. --set solver.sweeps=80"},
    {DRY_RUN, "dry-run", 'n', NULL, "say what would be run and how long it may take"},
    {FORCE, "force", 'f', NULL, "replace the results of an earlier run in the directory"},
    {QUIET, "quiet", 'q', NULL, "print no progress and no report"},
    {JOBS, "jobs", 'j', "THREADS", "threads; default 1; of soft grains, and of the batched sweep"},
    {FRAMES, "frames-every", 0, "TIME", "keep a frame so often, e.g. 10ms, for export and viewers"},
    {DUMP, "dump-problem", 0, "STEP", "write the contact problem of this step as FCLIB files"},
    {0}};

struct arguments {
    const char *scene, *output;
    const char **overrides;
    size_t override_count;
    bool dry_run, force, quiet;
    int jobs;
    int64_t dump_step;
    char frames[96]; /* as an override */
};

/* ---- arguments ------------------------------------------------------------------------------- */

static bool accept_jobs(struct arguments *arguments, const char *value) {
    char *end;
    long jobs = strtol(value, &end, 10);
    if (end == value || *end != '\0' || jobs < 1) {
        complain("run: --jobs %s: must be a whole number, 1 or more", value);
        return false;
    }
    arguments->jobs = jobs < 1024 ? (int)jobs : 1024;
    return true;
}

static bool accept_step(struct arguments *arguments, const char *value) {
    char *end;
    long long step = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || step < 1) {
        complain("run: --dump-problem %s: must be the number of a step, 1 or more", value);
        return false;
    }
    arguments->dump_step = step;
    return true;
}

static bool accept_override(struct arguments *arguments, const char *value) {
    const char *equal = strchr(value, '=');
    if (equal == NULL || equal == value) {
        complain("run: --set %s: must be KEY=VALUE, e.g. --set time.dt=1e-4", value);
        return false;
    }
    arguments->overrides[arguments->override_count++] = value;
    return true;
}

/* A short way to say --set output.frames.every=TIME. */
static bool accept_frames(struct arguments *arguments, const char *value) {
    int length =
        snprintf(arguments->frames, sizeof arguments->frames, "output.frames.every=%s", value);
    if (length < 0 || (size_t)length >= sizeof arguments->frames) {
        complain("run: --frames-every %.40s...: must be a time, e.g. 10ms", value);
        return false;
    }
    return accept_override(arguments, arguments->frames);
}

/* Returns an exit code, or -1 to go on. */
static int read_arguments(int argc, char **argv, struct arguments *arguments) {
    struct options options = options_start(
        argc, argv, defs, "run SCENE [OPTIONS]",
        "Runs the scene file and writes scene.yaml, series.tsv, summary.json, log.txt, final.txt,\n"
        "final_contacts.txt and final.png. Ctrl-C ends the run cleanly with all results written.");
    const char *value;
    for (;;) {
        switch (options_next(&options, &value)) {
        case OPTION_END:
            if (arguments->scene != NULL) return -1;
            return complain("run: which scene? (talus run SCENE.yaml; talus run --help)");
        case OPTION_HELP: return CLI_OK;
        case OPTION_POSITIONAL:
            if (arguments->scene != NULL)
                return complain("run: one scene at a time, got \"%s\" and \"%s\"", arguments->scene,
                                value);
            arguments->scene = value;
            break;
        case OUTPUT: arguments->output = value; break;
        case SET:
            if (!accept_override(arguments, value)) return CLI_WRONG_INPUT;
            break;
        case FRAMES:
            if (!accept_frames(arguments, value)) return CLI_WRONG_INPUT;
            break;
        case DRY_RUN: arguments->dry_run = true; break;
        case FORCE: arguments->force = true; break;
        case QUIET: arguments->quiet = true; break;
        case DUMP:
            if (!accept_step(arguments, value)) return CLI_WRONG_INPUT;
            break;
        case JOBS:
            if (!accept_jobs(arguments, value)) return CLI_WRONG_INPUT;
            break;
        default: return CLI_WRONG_INPUT;
        }
    }
}

/* scenes/chain.yaml gives out/chain. */
static void default_directory(char path[CLI_PATH], const char *scene) {
    const char *slash = strrchr(scene, '/');
    const char *name = slash != NULL ? slash + 1 : scene;
    const char *dot = strrchr(name, '.');
    int length = dot != NULL && dot != name ? (int)(dot - name) : (int)strlen(name);
    snprintf(path, CLI_PATH, "out/%.*s", length, name);
}

/* ---- dry run --------------------------------------------------------------------------------- */

static const char *estimate_text(double seconds, char text[24]) {
    return seconds < 1.0 ? "1 s or less" : duration_text(seconds, text);
}

static int dry_run(const talus_scene *scene, const struct arguments *arguments,
                   const char *directory) {
    talus_plan plan;
    talus_error err;
    char apart[24], packed[24];
    if (talus_run_plan(scene, TRIAL_STEPS, &plan, &err) < 0) return complain_error(&err);
    const char *title = talus_scene_title(scene);
    printf("%s%s%s\n", arguments->scene, title[0] != '\0' ? ": " : "", title);
    printf("  %dD, %" PRId64 " grains", plan.dim, plan.grains);
    if (plan.grains_later > 0) printf(" and %" PRId64 " to be poured", plan.grains_later);
    printf(", %" PRId64 " boundaries\n", plan.boundaries);
    talus_run_plan_phases(scene, &plan, stdout);
    printf("  at most %" PRId64 " steps, %.6g s of simulated time, %" PRId64
           " rows in series.tsv\n",
           plan.steps, plan.time_end, plan.rows);
    if (plan.film > 0) printf("  a film of at most %" PRId64 " pictures\n", plan.film);
    if (plan.frames > 0) printf("  at most %" PRId64 " frames\n", plan.frames);
    printf("  about %s while grains are apart, up to %s once they are packed\n",
           estimate_text(plan.wall_seconds, apart), estimate_text(plan.packed_seconds, packed));
    printf("  (estimates from %" PRId64 " real steps with %" PRId64 " contacts)\n",
           plan.steps_tried, plan.contacts);
    talus_run_time_step(&plan.rules, plan.dt, stdout);
    talus_run_plan_overlap(&plan, stdout);
    printf("  results would go to %s; nothing was written\n", directory);
    return CLI_OK;
}

/* ---- run ------------------------------------------------------------------------------------- */

static bool show(const talus_progress *progress, void *context) {
    display_update(context, progress);
    return !interrupt_asked();
}

static void print_head(const talus_scene *scene, const struct arguments *arguments,
                       const char *directory) {
    const char *title = talus_scene_title(scene);
    printf("%s%s%s -> %s\n", arguments->scene, title[0] != '\0' ? ": " : "", title, directory);
    fflush(stdout);
}

static void print_time_step(const talus_sim *sim, void *context) {
    (void)context;
    talus_step_rules rules = talus_sim_step_rules(sim);
    talus_run_time_step(&rules, talus_sim_dt(sim), stdout);
    fflush(stdout);
}

static int print_end(const talus_result *result, talus_status status, const talus_error *err,
                     const struct arguments *arguments, const char *directory) {
    if (!arguments->quiet && result != NULL && status != TALUS_ERR_FILE) {
        putchar('\n');
        talus_result_report(result, stdout);
    }
    if (status < 0) complain_error(err);
    if (status == TALUS_WARN_INTERRUPTED) complain("interrupted; all results are written");
    if (status >= 0 || status == TALUS_ERR_DIVERGED) {
        if (terminal_look().interactive)
            printf("results in %s\n", directory);
        else
            printf("%s\n", directory);
    }
    return talus_status_exit_code(status);
}

static int run(const talus_scene *scene, const struct arguments *arguments, const char *directory) {
    struct display display = display_start(arguments->quiet);
    talus_run_config config = talus_run_config_default();
    talus_result *result = NULL;
    talus_error err;
    config.directory = directory;
    config.overwrite = arguments->force;
    config.threads = arguments->jobs;
    config.dump_step = arguments->dump_step;
    config.progress = show;
    config.context = &display;
    if (!arguments->quiet) config.begun = print_time_step;
    if (!arguments->quiet) print_head(scene, arguments, directory);
    interrupt_watch();
    talus_status status = talus_run(scene, &config, &result, &err);
    display_clear(&display);
    int code = print_end(result, status, &err, arguments, directory);
    talus_result_free(result);
    return code;
}

int run_command(int argc, char **argv) {
    struct arguments arguments = {.jobs = 1, .overrides = malloc(sizeof(char *) * (size_t)argc)};
    char directory[CLI_PATH];
    talus_scene *scene = NULL;
    talus_error err;
    if (arguments.overrides == NULL) {
        complain("out of memory");
        return CLI_FILES_OR_SYSTEM;
    }
    int code = read_arguments(argc, argv, &arguments);
    if (code < 0) {
        if (arguments.output != NULL)
            snprintf(directory, CLI_PATH, "%s", arguments.output);
        else
            default_directory(directory, arguments.scene);
        if (talus_scene_load(arguments.scene, arguments.overrides, arguments.override_count, &scene,
                             &err) < 0)
            code = complain_error(&err);
        else
            code = arguments.dry_run ? dry_run(scene, &arguments, directory)
                                     : run(scene, &arguments, directory);
    }
    talus_scene_free(scene);
    free(arguments.overrides);
    return code;
}
