/* SPDX-License-Identifier: Apache-2.0
 * Membranes: plates and group must be there, the pressure must push. */
#include <math.h>
#include <string.h>

#include "scene/read.h"
#include "scene/suggest.h"

/* A wall, by its own name, that is there in this phase. */
static const char *read_plate(struct reader *reader, const struct node *name) {
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
        return def->name;
    }
    struct line advice = {.length = 0};
    problem_at(reader->problems, name->place, "there is no boundary '%s'; %s", name->text,
               suggest_advice(&suggest, &advice));
    return NULL;
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
    def->plates[0] = read_plate(reader, plates->first);
    def->plates[1] = read_plate(reader, plates->first->next);
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
