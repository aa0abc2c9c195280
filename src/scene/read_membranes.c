/* SPDX-License-Identifier: Apache-2.0
 * Membranes: plates and group must be there, the pressure must push. */
#include <math.h>
#include <string.h>

#include "scene/read.h"
#include "scene/suggest.h"

/* A wall, by its own name, that is there in this phase; -1: none. */
static int read_plate(struct reader *reader, const struct node *name) {
    const struct talus_scene *scene = reader->scene;
    struct suggest suggest = suggest_start(name->text);
    for (size_t i = 0; i < scene->boundary_count; i++) {
        const talus_boundary_def *def = &scene->boundaries[i].def;
        suggest_try(&suggest, def->name);
        if (strcmp(def->name, name->text) != 0) continue;
        if (reader->wall_gone[i])
            problem_at(reader->problems, name->place, "boundary '%s' was removed before",
                       name->text);
        else if (def->shape != TALUS_PLANE && def->shape != TALUS_RECTANGLE)
            problem_at(reader->problems, name->place,
                       "plates: boundary '%s' is neither a plane nor a rectangle", name->text);
        else
            return (int)i;
        return -1;
    }
    struct line advice = {.length = 0};
    problem_at(reader->problems, name->place, "there is no boundary '%s'; %s", name->text,
               suggest_advice(&suggest, &advice));
    return -1;
}

/* The engine asks for the same when the membrane is put around the grains. */
static void check_parallel(struct reader *reader, const struct node *plates, const int found[2]) {
    const double parallel = 1e-9, degree = 57.29577951308232;
    const struct scene_boundary *walls = reader->scene->boundaries;
    const talus_boundary_def *low = &walls[found[0]].def, *high = &walls[found[1]].def;
    if (reader->wall_turns[found[0]] || reader->wall_turns[found[1]]) return;
    double sine = vec3_norm(vec3_cross(low->normal, high->normal));
    double cosine = fabs(vec3_dot(low->normal, high->normal));
    if (sine > parallel)
        problem_at(reader->problems, plates->place,
                   "plates: '%s' and '%s' must be parallel, but are inclined by %.3g deg",
                   low->name, high->name, degree * atan2(sine, cosine));
}

static double lowest(const talus_signal *signal) {
    double least = signal->mean;
    if (signal->kind == TALUS_SIGNAL_SINE) return least - fabs(signal->amplitude);
    if (signal->kind != TALUS_SIGNAL_TABLE) return least;
    least = signal->values[0];
    for (size_t k = 1; k < signal->count; k++) least = fmin(least, signal->values[k]);
    return least;
}

static void read_membrane(struct reader *reader, const struct node *entry,
                          talus_membrane_def *def) {
    const struct node *plates = get(entry, "plates"), *pressure = get(entry, "pressure");
    *def = talus_membrane_def_default();
    def->name = get_text(entry, "name", "");
    def->group = get_text(entry, "group", NULL);
    def->remesh = get_number(entry, "remesh", def->remesh);
    def->pressure = read_signal(reader, pressure);
    check_group(reader, get(entry, "group"));
    if (pressure != NULL && lowest(&def->pressure) < 0.0) {
        problem_at(reader->problems, pressure->place,
                   "pressure: falls to %g; a membrane only pushes, so it must be >= 0",
                   lowest(&def->pressure));
    }
    if (plates == NULL || plates->count != 2 || reader->wall_gone == NULL) return;
    int found[2] = {read_plate(reader, plates->first), read_plate(reader, plates->first->next)};
    for (int k = 0; k < 2; k++)
        if (found[k] >= 0) def->plates[k] = reader->scene->boundaries[found[k]].def.name;
    if (found[0] >= 0 && found[1] >= 0) check_parallel(reader, plates, found);
    if (strcmp(plates->first->text, plates->first->next->text) == 0)
        problem_at(reader->problems, plates->place, "plates: '%s' is given twice",
                   plates->first->text);
}

const struct scene_membrane *read_membranes(struct reader *reader, const struct node *list) {
    struct scene_membrane *membranes = read_array(reader, list->count, sizeof *membranes);
    if (membranes == NULL) return NULL;
    size_t count = 0;
    for (const struct node *entry = list->first; entry != NULL; entry = entry->next) {
        if (reader->dimension == 1 && entry == list->first)
            problem_at(reader->problems, entry->place,
                       "membranes: in one dimension nothing goes around");
        read_membrane(reader, entry, &membranes[count++].def);
    }
    check_unique_names(reader, list, "membrane");
    return membranes;
}
