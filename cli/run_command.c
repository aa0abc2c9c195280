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

enum { OUTPUT = 1, SET, DRY_RUN, FORCE, QUIET, JOBS, DUMP, FRAMES, RESUME, EVERY, LIMIT };

static const struct option_def defs[] = {
    {OUTPUT, "output", 'o', "DIR", "where the results go; default out/NAME for NAME.yaml"},
    {SET, "set", 's', "KEY=VALUE", "change a key of the scene, e.g. --set solver.sweeps=80"},
    {DRY_RUN, "dry-run", 'n', NULL, "say what would be run and how long it may take"},
    {FORCE, "force", 'f', NULL, "replace the results of an earlier run in the directory"},
    {QUIET, "quiet", 'q', NULL, "print no progress and no report"},
    {JOBS, "jobs", 'j', "THREADS", "threads; default 1; of soft grains, and of the batched sweep"},
    {FRAMES, "frames-every", 0, "TIME", "keep a frame so often, e.g. 10ms, for export and viewers"},
    {DUMP, "dump-problem", 0, "STEP", "write the contact problem of this step as FCLIB files"},
    {RESUME, "resume", 'r', "DIR",
     "go on with the run whose checkpoint.h5 is there; no SCENE then"},
    {EVERY, "checkpoint-every", 0, "TIME", "e.g. 5min, on the clock; 0 = no checkpoints at all"},
    {LIMIT, "wall-limit", 0, "TIME", "e.g. 24h: stop before, with a checkpoint to resume from"},
    {0}};

struct arguments {
    const char *scene, *output, *resume;
    double checkpoint_every, wall_limit; /* s; < 0: no checkpoints */
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

/* 90, 90s, 5min, 24h, 1d, or 1:30:00 as queues write it. */
static bool accept_time(const char *option, const char *value, double *seconds) {
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"min", 60}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    char *end;
    double number = strtod(value, &end);
    bool good = end != value && number >= 0.0 && number <= 1e9;
    int parts = 1;
    for (; good && *end == ':'; parts++) {
        const char *more = end + 1;
        number = 60.0 * number + strtod(more, &end);
        good = end != more && parts < 3;
    }
    good = good && parts != 2; /* hours and minutes, or minutes and seconds? */
    while (good && *end == ' ') end++;
    for (size_t k = 0; good && k < sizeof units / sizeof units[0]; k++) {
        if (strcmp(end, units[k].unit) != 0) continue;
        *seconds = number * units[k].seconds;
        return true;
    }
    complain("run: --%s %s: must be a time on the clock, e.g. 90s, 5min, 24h or 1:30:00", option,
             value);
    return false;
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

/* What makes no sense with --resume. */
static int check_resume(const struct arguments *arguments) {
    if (arguments->scene != NULL)
        return complain("run: --resume takes the scene from the checkpoint; \"%s\" is one too many",
                        arguments->scene);
    if (arguments->output != NULL || arguments->force || arguments->dry_run)
        return complain("run: --resume goes on in its own directory: no --output, --force or "
                        "--dry-run with it");
    return -1;
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
        argc, argv, defs, "run SCENE|--resume DIR [OPTIONS]",
        "Runs the scene file and writes scene.yaml, series.tsv, summary.json, log.txt, final.txt,\n"
        "final_contacts.txt and final.png. Ctrl-C and SIGTERM end the run cleanly, with all "
        "results\n"
        "and a checkpoint.h5 from which --resume goes on to the same bits as if it had never\n"
        "stopped; with --set, the end of a phase that is not over may be moved.");
    const char *value;
    for (;;) {
        switch (options_next(&options, &value)) {
        case OPTION_END:
            if (arguments->resume != NULL) return check_resume(arguments);
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
        case RESUME: arguments->resume = value; break;
        case EVERY:
            if (!accept_time("checkpoint-every", value, &arguments->checkpoint_every))
                return CLI_WRONG_INPUT;
            if (arguments->checkpoint_every == 0.0) arguments->checkpoint_every = -1.0;
            break;
        case LIMIT:
            if (!accept_time("wall-limit", value, &arguments->wall_limit)) return CLI_WRONG_INPUT;
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
    talus_run_plan_measures(&plan, stdout);
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
    if (status == TALUS_WARN_INTERRUPTED) {
        complain("interrupted; all results are written");
        if (talus_result_resumable(result)) complain("to go on: talus run --resume %s", directory);
    }
    if (status >= 0 || status == TALUS_ERR_DIVERGED) {
        if (terminal_look().interactive)
            printf("results in %s\n", directory);
        else
            printf("%s\n", directory);
    }
    return talus_status_exit_code(status);
}

static talus_run_config configure(const struct arguments *arguments, struct display *display) {
    talus_run_config config = talus_run_config_default();
    config.overwrite = arguments->force;
    config.threads = arguments->jobs;
    config.dump_step = arguments->dump_step;
    config.checkpoint_every = arguments->checkpoint_every;
    config.wall_limit = arguments->wall_limit;
    config.progress = show;
    config.context = display;
    if (!arguments->quiet) config.begun = print_time_step;
    return config;
}

static void print_resumed(const talus_checkpoint_view *view, const char *directory) {
    printf("%s%s%s: resumed after step %" PRId64 ", t = %.6g s, phase %d/%d \"%s\"\n", directory,
           view->title[0] != '\0' ? ": " : "", view->title, view->step, view->time,
           view->phase_number, view->phase_count, view->phase);
    fflush(stdout);
}

static int resume(const struct arguments *arguments) {
    struct display display = display_start(arguments->quiet);
    talus_run_config config = configure(arguments, &display);
    talus_checkpoint_view view;
    talus_result *result = NULL;
    talus_error err;
    const char *directory = arguments->resume;
    if (talus_checkpoint_look(directory, &view, &err) < 0) return complain_error(&err);
    if (!arguments->quiet && !view.finished) print_resumed(&view, directory);
    interrupt_watch();
    talus_status status = talus_run_resume(directory, arguments->overrides,
                                           arguments->override_count, &config, &result, &err);
    display_clear(&display);
    if (status == TALUS_OK && result == NULL) {
        complain("%s: the run is over (step %" PRId64 ", t = %.6g s); nothing to do", directory,
                 view.step, view.time);
        return CLI_OK;
    }
    int code = print_end(result, status, &err, arguments, directory);
    talus_result_free(result);
    return code;
}

static int run(const talus_scene *scene, const struct arguments *arguments, const char *directory) {
    struct display display = display_start(arguments->quiet);
    talus_run_config config = configure(arguments, &display);
    talus_result *result = NULL;
    talus_error err;
    config.directory = directory;
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
    if (code < 0 && arguments.resume != NULL) {
        code = resume(&arguments);
    } else if (code < 0) {
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
