/* SPDX-License-Identifier: Apache-2.0
 * talus check: read scenes, build them, report every mistake. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/options.h"

enum { SET = 1 };

static const struct option_def defs[] = {
    {SET, "set", 's', "KEY=VALUE", "change a key of the scene first"}, {0}};

static int check_one(const char *path, const char *const *overrides, size_t override_count) {
    talus_scene *scene = NULL;
    talus_plan plan;
    talus_error err;
    if (talus_scene_load(path, overrides, override_count, &scene, &err) < 0)
        return complain_error(&err);
    /* Building it finds what reading cannot: a region too small for its grains, say. */
    talus_status status = talus_run_plan(scene, 0, &plan, &err);
    if (status < 0) {
        talus_scene_free(scene);
        return complain_error(&err);
    }
    printf("%s: ok: %dD, %" PRId64 " grains", path, plan.dim, plan.grains);
    if (plan.grains_later > 0) printf(" and %" PRId64 " to be poured", plan.grains_later);
    printf(", %" PRId64 " boundaries, %" PRId64 " phases, dt = %.4g s, at most %" PRId64
           " steps (%.6g s)\n",
           plan.boundaries, plan.phases, plan.dt, plan.steps, plan.time_end);
    talus_run_time_step(&plan.rules, plan.dt, stdout);
    talus_run_plan_overlap(&plan, stdout);
    talus_run_plan_measures(&plan, stdout);
    talus_scene_free(scene);
    return CLI_OK;
}

static int check_all(int argc, char **argv, const char **paths, const char **overrides) {
    struct options options = options_start(
        argc, argv, defs, "check SCENE... [--set KEY=VALUE]",
        "Reads and builds scene files and reports every mistake. Exit code 1 if any.");
    size_t path_count = 0, override_count = 0;
    const char *value;
    for (;;) {
        switch (options_next(&options, &value)) {
        case OPTION_END: {
            int worst = CLI_OK;
            if (path_count == 0) return complain("check: which scene? (talus check SCENE.yaml)");
            for (size_t i = 0; i < path_count; i++) {
                int code = check_one(paths[i], overrides, override_count);
                if (code > worst) worst = code;
            }
            return worst;
        }
        case OPTION_HELP: return CLI_OK;
        case OPTION_POSITIONAL: paths[path_count++] = value; break;
        case SET: overrides[override_count++] = value; break;
        default: return CLI_WRONG_INPUT;
        }
    }
}

int check_command(int argc, char **argv) {
    const char **paths = malloc(sizeof(char *) * (size_t)argc * 2);
    if (paths == NULL) {
        complain("out of memory");
        return CLI_FILES_OR_SYSTEM;
    }
    int code = check_all(argc, argv, paths, paths + argc);
    free(paths);
    return code;
}
