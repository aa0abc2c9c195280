/* SPDX-License-Identifier: Apache-2.0
 * talus list: what this build knows. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "papers/papers.h"

static void list_catalog(const char *kind) {
    for (size_t i = 0; i < talus_catalog_count(); i++) {
        const talus_entry *entry = talus_catalog_entry(i);
        if (strcmp(entry->kind, kind) == 0) printf("  %-16s %s\n", entry->name, entry->summary);
    }
}

static void list_shapes(void) {
    list_catalog("shape");
}

static void list_laws(void) {
    list_catalog("law");
}

static void list_solvers(void) {
    list_catalog("solver");
}

static void list_problem_solvers(void) {
    list_catalog("problem solver");
}

static void list_integrators(void) {
    list_catalog("integrator");
}

static void list_quantities(void) {
    list_catalog("quantity");
}

static void list_measures(void) {
    list_catalog("measure");
}

static void list_papers(void) {
    for (size_t i = 0; i < paper_count(); i++)
        printf("  %-16s %s\n", paper_at(i)->name, paper_at(i)->title);
}

static void list_benches(void) {
    for (size_t i = 0; i < bench_count(); i++)
        printf("  %-16s %s\n", bench_at(i)->name, bench_at(i)->summary);
}

static int is_scene(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".yaml") == 0;
}

static void list_scene(const char *directory, const char *name) {
    char path[CLI_PATH];
    talus_scene *scene = NULL;
    if (!join_path(path, directory, name)) return;
    const char *title = talus_scene_load(path, NULL, 0, &scene, NULL) < 0
                            ? "(cannot be read: talus check)"
                            : talus_scene_title(scene);
    printf("  %-16s %s\n", name, title);
    talus_scene_free(scene);
}

static void list_scenes(void) {
    char data[CLI_PATH], scenes[CLI_PATH];
    struct dirent **found = NULL;
    if (!find_data(data) || !join_path(scenes, data, "scenes")) return;
    int count = scandir(scenes, &found, is_scene, alphasort);
    if (count > 0) printf("  (in %s)\n", scenes);
    for (int i = 0; i < count; i++) {
        list_scene(scenes, found[i]->d_name);
        free(found[i]);
    }
    free(found);
}

static void list_keys(void) {
    talus_scene_reference(stdout);
}

static const struct topic {
    const char *name;
    void (*print)(void);
    bool by_default;
} topics[] = {
    {"shapes", list_shapes, true},
    {"laws", list_laws, true},
    {"solvers", list_solvers, true},
    {"problem-solvers", list_problem_solvers, true},
    {"integrators", list_integrators, true},
    {"quantities", list_quantities, true},
    {"measures", list_measures, true},
    {"scenes", list_scenes, true},
    {"papers", list_papers, true},
    {"benches", list_benches, true},
    {"keys", list_keys, false},
};
enum { TOPICS = sizeof topics / sizeof topics[0] };

static int list_topic(const char *name) {
    const char *names[TOPICS];
    for (int i = 0; i < TOPICS; i++) {
        names[i] = topics[i].name;
        if (strcmp(name, names[i]) != 0) continue;
        topics[i].print();
        return CLI_OK;
    }
    const char *near = nearest_word(name, names, TOPICS);
    if (near != NULL) return complain("list: \"%s\" is no topic; did you mean \"%s\"?", name, near);
    return complain(
        "list: \"%s\" is no topic; there are shapes, laws, solvers, integrators, quantities, "
        "measures, scenes, papers, benches, keys",
        name);
}

int list_command(int argc, char **argv) {
    static const struct option_def defs[] = {{0}};
    struct options options = options_start(
        argc, argv, defs,
        "list [shapes|laws|solvers|integrators|quantities|measures|scenes|papers|benches|keys]",
        "Lists what this build knows; without a topic everything but the keys of a scene.");
    const char *value;
    bool any = false;
    for (;;) {
        switch (options_next(&options, &value)) {
        case OPTION_END:
            for (int i = 0; i < TOPICS && !any; i++) {
                if (!topics[i].by_default) continue;
                printf("%s\n", topics[i].name);
                topics[i].print();
            }
            return CLI_OK;
        case OPTION_HELP: return CLI_OK;
        case OPTION_POSITIONAL:
            if (list_topic(value) != CLI_OK) return CLI_WRONG_INPUT;
            any = true;
            break;
        default: return CLI_WRONG_INPUT;
        }
    }
}
