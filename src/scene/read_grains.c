/* SPDX-License-Identifier: Apache-2.0
 * Generators of grains, and sources that pour them. */
#define _XOPEN_SOURCE 700 /* realpath, PATH_MAX */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "scene/generate.h"
#include "scene/read.h"
#include "scene/read_text.h"
#include "scene/suggest.h"

static void say_no_shape(struct reader *reader, const struct node *name) {
    const struct talus_scene *scene = reader->scene;
    struct suggest suggest = suggest_start(name->text);
    suggest_try(&suggest, "sphere");
    suggest_try(&suggest, "disc");
    for (size_t i = 0; i < scene->shape_count; i++) suggest_try(&suggest, scene->shapes[i].name);
    struct line advice = {.length = 0};
    problem_at(reader->problems, name->place, "there is no shape '%s'; %s", name->text,
               suggest_advice_all(&suggest, &advice));
}

/* The name of the shape; `form` is what it means, NULL = round. */
static const char *read_shape(struct reader *reader, struct node *map,
                              const struct scene_shape **form) {
    const char *usual = reader->dimension == 3 ? "sphere" : "disc";
    const struct node *shape = get(map, "shape");
    *form = NULL;
    if (shape == NULL) {
        if (!get_has(map, "shape")) read_default_text(reader, map, "shape", usual);
        return usual;
    }
    bool disc = strcmp(shape->text, "disc") == 0;
    if (reader->dimension == 3 && disc) {
        problem_at(reader->problems, shape->place, "shape 'disc' is for 1 and 2 dimensions");
    }
    if (disc || strcmp(shape->text, "sphere") == 0) return shape->text;
    *form = find_shape(reader, shape->text);
    if (*form == NULL && !reader->bad_shapes) say_no_shape(reader, shape);
    return shape->text;
}

/* Without a radius, one of the scene's shapes is as large as it is given. */
static struct scene_size read_size_of(struct reader *reader, struct node *entry,
                                      const struct scene_shape *form) {
    if (form == NULL || form->variant_count == 0 || get_has(entry, "radius")) {
        return read_size(reader, entry);
    }
    struct scene_size size = {.kind = SCENE_SIZE_OWN, .a = HUGE_VAL};
    for (size_t k = 0; k < form->variant_count; k++) {
        size.a = fmin(size.a, form->variants[k].reach);
        size.b = fmax(size.b, form->variants[k].reach);
    }
    return size;
}

/* Round grains have no size of their own. */
static bool has_size(const struct node *entry, const char *shape) {
    bool round = strcmp(shape, "sphere") == 0 || strcmp(shape, "disc") == 0;
    return get_has(entry, "radius") || !round;
}

/* The engine wants five radii, so that two grains never touch twice. */
static void check_period(struct reader *reader, const struct node *map, double largest) {
    const talus_cell_config *cell = &reader->scene->config.cell;
    for (int axis = 0; axis < reader->dimension; axis++) {
        double period = vec3_component(cell->size, axis);
        if (!cell->periodic[axis] || !(period > 0.0) || period >= 5.0 * largest) continue;
        problem_at(reader->problems, map->place,
                   "radius up to %g, but the period along %c is %g; it must be at least 5 radii",
                   largest, "xyz"[axis], period);
    }
}

/* ---- the kinds of generator ------------------------------------------------------------------ */

static struct scene_body read_body(struct reader *reader, const struct node *map,
                                   const struct scene_generator *generator) {
    struct scene_body body = {.velocity = generator->velocity,
                              .omega = generator->omega,
                              .mass = generator->mass,
                              .locks = generator->locks};
    body.turn = read_turn(reader, map, "orientation", generator->turn);
    body.at_origin = strcmp(get_text(map, "origin", "mass"), "given") == 0;
    body.position = read_world_vector(reader, map, "at");
    body.radius = get_number(map, "radius", 0.0);
    body.mass = get_number(map, "mass", body.mass);
    if (get_has(map, "velocity")) body.velocity = read_world_vector(reader, map, "velocity");
    if (get_has(map, "omega")) body.omega = read_omega(reader, map, "omega");
    if (get_has(map, "lock")) body.locks = read_locks(map);
    return body;
}

static void read_list(struct reader *reader, struct node *entry, const struct node *list,
                      struct scene_generator *generator) {
    struct scene_body *bodies = read_array(reader, list->count, sizeof *bodies);
    if (bodies == NULL) return;
    size_t count = 0;
    bool all_masses = true, all_radii = true;
    for (const struct node *map = list->first; map != NULL; map = map->next) {
        bodies[count] = read_body(reader, map, generator);
        all_masses = all_masses && get_has(map, "mass");
        all_radii = all_radii && get_has(map, "radius");
        check_period(reader, map, bodies[count].radius);
        count++;
    }
    if (!all_radii && !has_size(entry, generator->shape)) {
        problem_at(reader->problems, entry->place,
                   "'radius' is missing: give it here or for every grain of the list");
    }
    if (!all_masses && generator->mass == 0.0) {
        check_density(reader, entry, generator->material, generator->shape, generator->form);
    }
    generator->kind = SCENE_LIST;
    generator->bodies = bodies;
    generator->body_count = count;
}

static void read_row(struct reader *reader, struct node *map, struct scene_generator *generator) {
    double largest = scene_size_largest(&generator->size);
    generator->kind = SCENE_ROW;
    generator->count = (int)get_integer(map, "count", 0);
    generator->start = read_world_vector(reader, map, "start");
    generator->direction = read_world_direction(reader, map, "direction");
    generator->spacing = get_number(map, "spacing", 2.0 * largest);
    if (!get_has(map, "spacing")) read_default_number(reader, map, "spacing", 2.0 * largest);
}

static void check_lattice(struct reader *reader, const struct node *map,
                          const struct scene_generator *generator) {
    const struct node *kind = get(map, "kind"), *cells = get(map, "cells");
    bool layer = generator->lattice == SCENE_SQUARE || generator->lattice == SCENE_HEXAGONAL;
    if (kind == NULL || cells == NULL) return;
    if (!layer && reader->dimension < 3) {
        problem_at(reader->problems, kind->place, "a %s lattice needs 3 dimensions; here are %d",
                   kind->text, reader->dimension);
    } else if (generator->lattice == SCENE_HEXAGONAL && reader->dimension < 2) {
        problem_at(reader->problems, kind->place, "a hexagonal lattice needs 2 dimensions");
    } else if (layer && generator->cells[2] > 1) {
        problem_at(reader->problems, cells->place,
                   "a %s lattice is one layer: its third number of cells must be 1", kind->text);
    } else if (reader->dimension == 1 && generator->cells[1] > 1) {
        problem_at(reader->problems, cells->place,
                   "in one dimension only the first number of cells "
                   "may exceed 1");
    } else if ((double)generator->cells[0] * generator->cells[1] * generator->cells[2] > 5e8) {
        problem_at(reader->problems, cells->place, "more than 5e8 cells");
    }
}

static void read_lattice(struct reader *reader, struct node *map,
                         struct scene_generator *generator) {
    double largest = scene_size_largest(&generator->size);
    const struct node *cells = get(map, "cells");
    generator->kind = SCENE_LATTICE;
    generator->lattice = (enum scene_lattice)read_word(get_text(map, "kind", "square"),
                                                       "square hexagonal cubic fcc");
    for (int axis = 0; axis < 3; axis++) {
        const struct node *cell = cells != NULL ? tree_element(cells, (size_t)axis) : NULL;
        generator->cells[axis] = cell != NULL ? (int)cell->integer : 1;
    }
    generator->start = read_world_vector(reader, map, "start");
    generator->spacing = get_number(map, "spacing", 2.0 * largest);
    if (!get_has(map, "spacing")) read_default_number(reader, map, "spacing", 2.0 * largest);
    generator->jitter = get_number(map, "jitter", 0.0);
    check_lattice(reader, map, generator);
}

static void read_fill(struct reader *reader, const struct node *map,
                      struct scene_generator *generator) {
    generator->kind = SCENE_FILL;
    generator->count = (int)get_integer(map, "count", 0);
    generator->fraction = get_number(map, "fraction", 0.0);
    generator->attempts = (int)get_integer(map, "attempts", 10000);
    generator->region = read_region(reader, map, scene_size_largest(&generator->size));
    const struct node *fraction = get(map, "fraction");
    if (fraction != NULL && generator->fraction == 0.0) {
        problem_at(reader->problems, fraction->place, "fraction is 0, but must be greater than 0");
    }
}

const char *read_path(struct reader *reader, struct node *path) {
    char full[PATH_MAX];
    char *joined = path_beside(reader->pool, path->place.file, path->text);
    if (joined != NULL && realpath(joined, full) != NULL) {
        joined = pool_text(reader->pool, full, strlen(full));
    }
    if (joined == NULL) problem_memory(reader->problems);
    if (joined != NULL) path->text = joined;
    return joined;
}

/* The file itself is looked at when the simulation is made: a run that is resumed does not need it any more. */
void read_from(struct reader *reader) {
    struct node *path = get(reader->root, "from");
    if (path == NULL) return;
    reader->scene->from = read_path(reader, path);
    reader->scene->from_place = path->place;
    if (path->text[0] == '\0')
        problem_at(reader->problems, path->place, "from: a directory of results is wanted");
}

static void read_file(struct reader *reader, const struct node *map,
                      struct scene_generator *generator) {
    struct node *path = get(map, "path");
    generator->kind = SCENE_FILE;
    if (path == NULL) return;
    generator->path = read_path(reader, path);
    if (generator->path == NULL) return;
    talus_error why;
    struct grain_file_summary summary;
    talus_status status = grain_file_check(generator->path, reader->dimension, &summary, &why);
    if (status == TALUS_ERR_MEMORY)
        problem_memory(reader->problems);
    else if (status < 0)
        problem_at(reader->problems, path->place, "%.600s", why.text);
    else
        check_period(reader, path, summary.radius_max);
}

/* ---- one entry ------------------------------------------------------------------------------- */

static const struct scene_turn not_turned = {.given = {1.0, 0.0, 0.0, 0.0}};

static bool gives_radii(const struct node *entry) {
    return get_has(entry, "list") || get_has(entry, "file");
}

static struct scene_generator read_generator(struct reader *reader, struct node *entry) {
    struct scene_generator generator = {.kind = SCENE_LIST};
    generator.group = get_text(entry, "group", "grains");
    generator.material = read_material(reader, entry);
    generator.shape = read_shape(reader, entry, &generator.form);
    generator.size = read_size_of(reader, entry, generator.form);
    generator.turn = read_turn(reader, entry, "orientation", not_turned);
    generator.mass = get_number(entry, "mass", 0.0);
    generator.velocity = read_world_vector(reader, entry, "velocity");
    generator.omega = read_omega(reader, entry, "omega");
    generator.velocity_jitter = get_number(entry, "velocity_jitter", 0.0);
    generator.locks = read_locks(entry);
    if (!gives_radii(entry) && !has_size(entry, generator.shape)) {
        problem_at(reader->problems, entry->place, "'radius' is missing in grains");
    } else {
        check_period(reader, entry, scene_size_largest(&generator.size));
    }
    if (!get_has(entry, "list") && generator.mass == 0.0) {
        check_density(reader, entry, generator.material, generator.shape, generator.form);
    }
    struct node *row = get(entry, "row"), *lattice = get(entry, "lattice");
    const struct node *list = get(entry, "list"), *fill = get(entry, "fill");
    if (list != NULL) read_list(reader, entry, list, &generator);
    if (row != NULL) read_row(reader, row, &generator);
    if (lattice != NULL) read_lattice(reader, lattice, &generator);
    if (fill != NULL) read_fill(reader, fill, &generator);
    if (get(entry, "file") != NULL) read_file(reader, get(entry, "file"), &generator);
    return generator;
}

void read_grains(struct reader *reader) {
    const struct node *list = get(reader->root, "grains");
    if (list == NULL || list->kind != NODE_LIST) return;
    struct scene_generator *generators = read_array(reader, list->count, sizeof *generators);
    if (generators == NULL) return;
    size_t count = 0;
    for (struct node *entry = list->first; entry != NULL; entry = entry->next) {
        if (entry->kind == NODE_MAP) generators[count++] = read_generator(reader, entry);
    }
    reader->scene->generators = generators;
    reader->scene->generator_count = count;
}

static struct scene_source read_source(struct reader *reader, struct node *entry) {
    struct scene_source source = {.name = get_text(entry, "name", "")};
    source.group = get_text(entry, "group", "grains");
    source.material = read_material(reader, entry);
    source.shape = read_shape(reader, entry, &source.form);
    source.size = read_size_of(reader, entry, source.form);
    source.turn = read_turn(reader, entry, "orientation", not_turned);
    source.mass = get_number(entry, "mass", 0.0);
    if (source.mass == 0.0) {
        check_density(reader, entry, source.material, source.shape, source.form);
    }
    if (!has_size(entry, source.shape)) {
        problem_at(reader->problems, entry->place, "'radius' is missing in sources");
    } else {
        check_period(reader, entry, scene_size_largest(&source.size));
        source.region = read_region(reader, entry, scene_size_largest(&source.size));
    }
    source.rate = get_number(entry, "rate", 1.0);
    source.count = (int)get_integer(entry, "count", 0);
    source.start = get_number(entry, "start", 0.0);
    source.velocity = read_world_vector(reader, entry, "velocity");
    source.velocity_jitter = get_number(entry, "velocity_jitter", 0.0);
    source.locks = read_locks(entry);
    return source;
}

void read_sources(struct reader *reader) {
    struct node *list = get(reader->root, "sources");
    if (list == NULL || list->kind != NODE_LIST) return;
    struct scene_source *sources = read_array(reader, list->count, sizeof *sources);
    if (sources == NULL) return;
    size_t count = 0;
    for (struct node *entry = list->first; entry != NULL; entry = entry->next) {
        if (entry->kind == NODE_MAP) sources[count++] = read_source(reader, entry);
    }
    check_unique_names(reader, list, "source");
    reader->scene->sources = sources;
    reader->scene->source_count = count;
}
