/* SPDX-License-Identifier: Apache-2.0
 * The programme of a run. References are judged phase by phase: a wall removed in one is gone in
 * the next. */
#include <string.h>

#include "scene/read.h"
#include "scene/suggest.h"

/* Is boundary i meant by this name: its own, or that of the box it is a side of? */
static bool is_meant(const struct reader *reader, size_t i, const char *name) {
    const char *owner = reader->wall_owners[i];
    return strcmp(reader->scene->boundaries[i].def.name, name) == 0 ||
           (owner != NULL && strcmp(owner, name) == 0);
}

static void say_no_boundary(struct reader *reader, const struct node *name, bool gone) {
    if (gone) {
        problem_at(reader->problems, name->place, "boundary '%s' was removed before", name->text);
        return;
    }
    struct suggest suggest = suggest_start(name->text);
    for (size_t i = 0; i < reader->scene->boundary_count; i++) {
        suggest_try(&suggest, reader->scene->boundaries[i].def.name);
    }
    struct line advice = {.length = 0};
    problem_at(reader->problems, name->place, "there is no boundary '%s'; %s", name->text,
               suggest_advice(&suggest, &advice));
}

/* The boundaries meant by a name into `found` (room for all); notes a mistake if there are none. */
static size_t find_boundaries(struct reader *reader, const struct node *name, size_t *found) {
    size_t count = 0;
    bool gone = false;
    for (size_t i = 0; i < reader->scene->boundary_count; i++) {
        if (!is_meant(reader, i, name->text)) continue;
        if (reader->wall_gone[i])
            gone = true;
        else
            found[count++] = i;
    }
    if (count == 0) say_no_boundary(reader, name, gone);
    return count;
}

/* ---- changes --------------------------------------------------------------------------------- */

static void read_remove(struct reader *reader, const struct node *list,
                        struct scene_change *change) {
    const size_t most = reader->scene->boundary_count;
    const char **names = read_array(reader, most, sizeof *names);
    size_t *found = read_array(reader, most, sizeof *found);
    if (names == NULL || found == NULL) return;
    for (const struct node *name = list->first; name != NULL; name = name->next) {
        size_t count = find_boundaries(reader, name, found);
        for (size_t k = 0; k < count; k++) {
            reader->wall_gone[found[k]] = true;
            names[change->remove_count++] = reader->scene->boundaries[found[k]].def.name;
        }
    }
    change->remove = names;
}

/* The names of a list, taken off those that are present; notes those that are not. */
static const char *const *read_remove_names(struct reader *reader, const struct node *list,
                                            struct present *present, const char *what,
                                            size_t *count) {
    const char **names = read_array(reader, list->count, sizeof *names);
    if (names == NULL) return NULL;
    for (const struct node *name = list->first; name != NULL; name = name->next) {
        struct suggest suggest = suggest_start(name->text);
        size_t i = 0;
        for (; i < present->count; i++) {
            if (strcmp(present->names[i], name->text) == 0) break;
            suggest_try(&suggest, present->names[i]);
        }
        if (i < present->count) {
            present->names[i] = present->names[--present->count];
            names[(*count)++] = name->text;
            continue;
        }
        struct line advice = {.length = 0};
        problem_at(reader->problems, name->place, "there is no %s '%s' in this phase; %s", what,
                   name->text, suggest_advice(&suggest, &advice));
    }
    return names;
}

static void remember(struct present *present, const char *name) {
    size_t i = 0;
    while (i < present->count && strcmp(present->names[i], name) != 0) i++;
    if (i == present->count) present->names[present->count++] = name;
}

static void remember_forces(struct reader *reader, const struct scene_force *forces, size_t count) {
    for (size_t k = 0; k < count; k++) remember(&reader->forces, forces[k].name);
}

static void remember_membranes(struct reader *reader, const struct scene_membrane *membranes,
                               size_t count) {
    struct talus_scene *scene = reader->scene;
    struct present ever = {(const char **)scene->membrane_names, scene->membrane_name_count};
    for (size_t k = 0; k < count; k++) {
        remember(&reader->membranes, membranes[k].def.name);
        remember(&ever, membranes[k].def.name);
    }
    scene->membrane_name_count = ever.count;
}

static void read_boundary_changes(struct reader *reader, const struct node *list,
                                  struct scene_change *change) {
    const size_t all = reader->scene->boundary_count;
    struct scene_boundary_change *changes = read_array(reader, list->count * all, sizeof *changes);
    size_t *found = read_array(reader, all, sizeof *found);
    if (changes == NULL || found == NULL) return;
    for (const struct node *entry = list->first; entry != NULL; entry = entry->next) {
        const struct node *name = get(entry, "name");
        struct node *motion = get(entry, "motion"), *free_motion = get(entry, "free");
        size_t count = name != NULL ? find_boundaries(reader, name, found) : 0;
        if (free_motion != NULL && count > 1) {
            problem_at(reader->problems, free_motion->key_place,
                       "free: '%s' is a box whose sides would move apart; name one side",
                       name->text);
        }
        for (size_t k = 0; k < count; k++) {
            const talus_boundary_def *def = &reader->scene->boundaries[found[k]].def;
            struct scene_boundary_change *one = &changes[change->boundary_count++];
            one->name = def->name;
            one->has_motion = motion != NULL;
            one->has_free = free_motion != NULL;
            if (motion != NULL) one->motion = read_motion(reader, motion, def->point);
            if (free_motion != NULL) one->free = read_free(reader, free_motion, def->normal);
            if (vec3_norm2(one->motion.axis) > 0.0 || one->free.inertia > 0.0)
                reader->wall_turns[found[k]] = true;
        }
    }
    change->boundaries = changes;
}

static void read_velocities(struct reader *reader, const struct node *list,
                            struct scene_change *change) {
    struct scene_velocity_change *changes = read_array(reader, list->count, sizeof *changes);
    if (changes == NULL) return;
    for (const struct node *entry = list->first; entry != NULL; entry = entry->next) {
        struct scene_velocity_change *one = &changes[change->velocity_count++];
        one->group = get_text(entry, "group", "grains");
        check_group(reader, get(entry, "group"));
        one->velocity = read_world_vector(reader, entry, "velocity");
    }
    change->velocities = changes;
}

/* `solver` is the one before; it becomes the one of this phase. */
static void read_change(struct reader *reader, const struct node *map, talus_solver_config *solver,
                        struct scene_change *change) {
    const struct node *pairs = get(map, "pairs"), *forces = get(map, "forces");
    const struct node *remove = get(map, "remove"), *remove_forces = get(map, "remove_forces");
    const struct node *membranes = get(map, "membranes");
    const struct node *remove_membranes = get(map, "remove_membranes");
    const struct node *boundaries = get(map, "boundaries"), *velocities = get(map, "velocities");
    change->has_gravity = get(map, "gravity") != NULL;
    change->gravity = read_world_vector(reader, map, "gravity");
    change->bond_contacts = get_boolean(map, "bond_contacts", false);
    change->has_dt = get(map, "dt") != NULL;
    change->dt = get_number(map, "dt", 0.0);
    change->has_solver = get(map, "solver") != NULL;
    *solver = read_solver(reader, get(map, "solver"), *solver);
    change->solver = *solver;
    if (remove != NULL && reader->wall_gone != NULL) read_remove(reader, remove, change);
    if (remove_forces != NULL)
        change->remove_forces = read_remove_names(reader, remove_forces, &reader->forces, "force",
                                                  &change->remove_force_count);
    if (remove_membranes != NULL)
        change->remove_membranes = read_remove_names(reader, remove_membranes, &reader->membranes,
                                                     "membrane", &change->remove_membrane_count);
    if (pairs != NULL) {
        change->pairs = read_pairs(reader, pairs);
        change->pair_count = change->pairs != NULL ? pairs->count : 0;
    }
    if (forces != NULL) {
        change->forces = read_forces(reader, forces);
        change->force_count = change->forces != NULL ? forces->count : 0;
        remember_forces(reader, change->forces, change->force_count);
    }
    if (membranes != NULL) {
        change->membranes = read_membranes(reader, membranes);
        change->membrane_count = change->membranes != NULL ? membranes->count : 0;
        remember_membranes(reader, change->membranes, change->membrane_count);
    }
    if (boundaries != NULL && reader->wall_gone != NULL) {
        read_boundary_changes(reader, boundaries, change);
    }
    if (velocities != NULL) read_velocities(reader, velocities, change);
}

/* ---- phases ---------------------------------------------------------------------------------- */

static void read_until(struct reader *reader, const struct node *map, struct scene_phase *phase) {
    const struct node *rest = get(map, "rest");
    phase->duration = get_number(map, "time", 0.0);
    phase->steps = get_integer(map, "steps", 0);
    if (rest == NULL) return;
    phase->rest_kinetic = get_number(rest, "kinetic", 0.0);
    phase->rest_unbalanced = get_number(rest, "unbalanced", 0.0);
    phase->rest_minimum = get_number(rest, "not_before", 0.0);
    if (!get_has(rest, "kinetic") && !get_has(rest, "unbalanced")) {
        problem_at(reader->problems, rest->place, "rest needs kinetic or unbalanced, or both");
    }
}

static void read_phase(struct reader *reader, struct node *entry, size_t number,
                       talus_solver_config *solver, struct scene_phase *phase) {
    phase->name = get_text(entry, "name", NULL);
    if (!get_has(entry, "name")) {
        phase->name = pool_format(reader->pool, "phase%zu", number + 1);
        if (phase->name == NULL)
            problem_memory(reader->problems);
        else
            read_default_text(reader, entry, "name", phase->name);
    }
    if (phase->name == NULL) phase->name = "";
    read_change(reader, get(entry, "change"), solver, &phase->change);
    read_until(reader, get(entry, "until"), phase);
}

static void read_listed(struct reader *reader, const struct node *list) {
    struct scene_phase *phases = read_array(reader, list->count, sizeof *phases);
    if (phases == NULL) return;
    talus_solver_config solver = reader->scene->config.solver;
    size_t count = 0;
    for (struct node *entry = list->first; entry != NULL; entry = entry->next, count++) {
        read_phase(reader, entry, count, &solver, &phases[count]);
    }
    check_unique_names(reader, list, "phase");
    reader->scene->phases = phases;
    reader->scene->phase_count = count;
}

/* time.end or time.steps instead of a list. */
static void read_short(struct reader *reader, const struct node *time) {
    struct scene_phase *phase = read_array(reader, 1, sizeof *phase);
    if (phase == NULL) return;
    phase->name = "run";
    phase->change.solver = reader->scene->config.solver;
    phase->duration = get_number(time, "end", 0.0);
    phase->steps = get_integer(time, "steps", 0);
    reader->scene->phases = phase;
    reader->scene->phase_count = 1;
}

/* Room for the names of all forces and membranes that can ever be there. */
static bool start_names(struct reader *reader, const struct node *phases) {
    struct talus_scene *scene = reader->scene;
    size_t forces = scene->force_count, membranes = scene->membrane_count;
    for (const struct node *entry = phases != NULL ? phases->first : NULL; entry != NULL;
         entry = entry->next) {
        forces += get_count(get(entry, "change"), "forces");
        membranes += get_count(get(entry, "change"), "membranes");
    }
    reader->forces.names = read_array(reader, forces, sizeof *reader->forces.names);
    reader->membranes.names = read_array(reader, membranes, sizeof *reader->membranes.names);
    scene->membrane_names = read_array(reader, membranes, sizeof *scene->membrane_names);
    if (reader->forces.names == NULL || reader->membranes.names == NULL ||
        scene->membrane_names == NULL)
        return false;
    remember_forces(reader, scene->forces, scene->force_count);
    remember_membranes(reader, scene->membranes, scene->membrane_count);
    return true;
}

void read_phases(struct reader *reader) {
    const struct node *list = get(reader->root, "phases"), *time = get(reader->root, "time");
    const struct node *end = tree_find(time, "end"), *steps = tree_find(time, "steps");
    const struct node *any = end != NULL ? end : steps;
    if (!start_names(reader, list)) return;
    if (get_has(reader->root, "phases") && any != NULL) {
        problem_at(reader->problems, any->key_place,
                   "time.%s and phases exclude each other: phases say when they end", any->key);
    }
    if (list != NULL && list->kind == NODE_LIST) {
        read_listed(reader, list);
    } else if (any != NULL) {
        read_short(reader, time);
    } else if (time != NULL && !get_has(reader->root, "phases")) {
        problem_at(reader->problems, reader->root->place,
                   "the scene has no end: give time.end, time.steps or phases");
    }
}
