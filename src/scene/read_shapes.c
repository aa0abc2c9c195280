/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes of grains that are not round. Each is handed to an engine of its own at once: so what the
 * engine refuses is known with the line it stands on, and so are size, volume and centre of mass.
 */
#include "scene/read_shapes.h"

#include <string.h>

#include "scene/generate.h"

/* ---- measuring ------------------------------------------------------------------------------- */

/* Put what the engine makes of the parts into the variant; false: it refuses them. */
static bool measure(struct shapes_reader *shapes, const struct node *entry,
                    struct scene_variant *variant) {
    struct reader *reader = shapes->reader;
    talus_error why;
    talus_shape_view view;
    talus_status status =
        talus_shape_add(shapes->sim, variant->name, variant->parts, variant->part_count, &why);
    if (status == TALUS_ERR_MEMORY)
        problem_memory(reader->problems);
    else if (status < 0)
        problem_at(reader->problems, entry->place, "%.600s", why.text);
    if (status < 0 || !talus_shape_find(shapes->sim, variant->name, &view)) return false;
    variant->reach = view.reach;
    variant->volume = view.volume;
    variant->centre = view.centre;
    return true;
}

/* ---- one shape ------------------------------------------------------------------------------- */

/* One convex part or, in a cluster, several. */
static bool read_fixed(struct shapes_reader *shapes, const struct node *entry,
                       struct scene_variant *variant) {
    const struct node *cluster = get(entry, "cluster");
    size_t count = cluster != NULL ? cluster->count : 1;
    talus_shape_part *parts = read_array(shapes->reader, count, sizeof *parts);
    if (parts == NULL) return false;
    variant->parts = parts;
    variant->part_count = count;
    if (cluster == NULL) return read_part(shapes, entry, parts);
    size_t k = 0;
    bool good = true;
    for (const struct node *part = cluster->first; part != NULL; part = part->next) {
        good = read_placed_part(shapes, part, &parts[k++]) && good;
    }
    return good;
}

/* Variant k of a random shape: its numbers depend on the seed, the shape and k only. */
static bool read_random(struct shapes_reader *shapes, const struct node *entry, size_t k,
                        struct scene_variant *variant) {
    talus_shape_part *part = read_array(shapes->reader, 1, sizeof *part);
    if (part == NULL) return false;
    uint64_t major = ((uint64_t)shapes->number << 40) + k;
    struct random random =
        random_start(shapes->reader->scene->config.seed, RANDOM_GENERATE, major, DRAW_SHAPE);
    variant->parts = part;
    variant->part_count = 1;
    return read_random_part(shapes, entry, &random, part);
}

static const char *variant_name(struct shapes_reader *shapes, const char *shape, size_t k,
                                size_t count) {
    if (count == 1) return shape;
    const char *name = pool_format(shapes->reader->pool, "%s#%zu", shape, k + 1);
    if (name == NULL) problem_memory(shapes->reader->problems);
    return name;
}

/* All variants; none if there is a mistake, so that what follows from it is not judged. */
static void read_variants(struct shapes_reader *shapes, const struct node *entry,
                          struct scene_shape *shape) {
    const struct node *voronoi = get(entry, "voronoi");
    size_t count = voronoi != NULL ? (size_t)get_integer(voronoi, "variety", 1) : 1;
    struct scene_variant *variants = read_array(shapes->reader, count, sizeof *variants);
    if (variants == NULL) return;
    for (size_t k = 0; k < count; k++) {
        variants[k].name = variant_name(shapes, shape->name, k, count);
        bool good = variants[k].name != NULL &&
                    (voronoi != NULL ? read_random(shapes, entry, k, &variants[k])
                                     : read_fixed(shapes, entry, &variants[k]));
        if (!good || !measure(shapes, entry, &variants[k])) return;
    }
    shape->variants = variants;
    shape->variant_count = count;
}

static bool is_good(struct shapes_reader *shapes, const struct node *entry,
                    const struct scene_shape *shape) {
    struct reader *reader = shapes->reader;
    const struct node *name = get(entry, "name"), *cluster = get(entry, "cluster");
    if (entry->bad || name == NULL) return false;
    if (strcmp(name->text, "sphere") == 0 || strcmp(name->text, "disc") == 0) {
        problem_at(reader->problems, name->place,
                   "shape '%s' is there already, for round grains; take another name", name->text);
        return false;
    }
    if (cluster != NULL && get_number(entry, "rounding", 0.0) > 0.0) {
        problem_at(reader->problems, get(entry, "rounding")->key_place,
                   "rounding goes with the parts of a cluster, not with the cluster");
        return false;
    }
    return find_shape(reader, name->text) == shape; /* else a name given twice: noted already */
}

/* ---- all of them ----------------------------------------------------------------------------- */

const struct scene_shape *find_shape(const struct reader *reader, const char *name) {
    const struct talus_scene *scene = reader->scene;
    for (size_t i = 0; i < scene->shape_count; i++) {
        if (strcmp(scene->shapes[i].name, name) == 0) return &scene->shapes[i];
    }
    return NULL;
}

static void read_list(struct shapes_reader *shapes, const struct node *list,
                      struct scene_shape *items) {
    struct talus_scene *scene = shapes->reader->scene;
    scene->shapes = items;
    for (const struct node *entry = list->first; entry != NULL; entry = entry->next) {
        struct scene_shape *shape = &items[scene->shape_count];
        shapes->number = scene->shape_count++;
        shape->name = get_text(entry, "name", "");
        if (is_good(shapes, entry, shape)) read_variants(shapes, entry, shape);
        if (shape->name[0] == '\0') shapes->reader->bad_shapes = true;
    }
}

void read_shapes(struct reader *reader) {
    const struct node *list = get(reader->root, "shapes");
    reader->bad_shapes = list == NULL || list->kind != NODE_LIST;
    if (reader->bad_shapes || list->count == 0) return;
    if (reader->dimension == 1) {
        problem_at(reader->problems, list->key_place,
                   "shapes: in one dimension all grains are discs");
        reader->bad_shapes = true;
        return;
    }
    check_unique_names(reader, list, "shape");
    struct scene_shape *items = read_array(reader, list->count, sizeof *items);
    talus_config config = talus_config_default();
    config.dim = reader->dimension;
    struct shapes_reader shapes = {.reader = reader};
    if (items == NULL) return;
    if (talus_sim_create(&config, &shapes.sim, NULL) < 0) {
        problem_memory(reader->problems);
        return;
    }
    read_list(&shapes, list, items);
    talus_sim_destroy(shapes.sim);
}
