/* SPDX-License-Identifier: Apache-2.0
 *
 * What only round grains can do. The engine refuses it at the first step; here the line is known.
 */
#include <string.h>

#include "scene/read.h"

/* The shape of some grains of a material that are not round; NULL: there are none. */
static const char *shape_of(const struct talus_scene *scene, const char *material) {
    for (size_t g = 0; g < scene->generator_count; g++) {
        const struct scene_generator *one = &scene->generators[g];
        if (one->form == NULL || one->material < 0) continue;
        if (strcmp(scene->materials[one->material].name, material) == 0) return one->form->name;
    }
    for (size_t s = 0; s < scene->source_count; s++) {
        const struct scene_source *one = &scene->sources[s];
        if (one->form == NULL || one->material < 0) continue;
        if (strcmp(scene->materials[one->material].name, material) == 0) return one->form->name;
    }
    return NULL;
}

static const struct node *torque_of(const struct node *entry, const char *key) {
    const struct node *law = get(entry, key);
    if (law == NULL) return NULL;
    double most = get_number(law, "coefficient", 0.0) + get_number(law, "length", 0.0) +
                  get_number(law, "hertz", 0.0);
    return most > 0.0 ? law : NULL;
}

static void check_pair(struct reader *reader, const struct node *entry) {
    const struct node *between = get(entry, "between"), *law = torque_of(entry, "rolling");
    if (law == NULL) law = torque_of(entry, "torsion");
    if (law == NULL || between == NULL) return;
    for (const struct node *name = between->first; name != NULL; name = name->next) {
        const char *shape = shape_of(reader->scene, name->text);
        if (shape == NULL) continue;
        problem_at(reader->problems, law->key_place,
                   "%s friction is a law for round grains, but grains of material '%s' have the "
                   "shape '%s'; give the round ones a material of their own, or leave the law out",
                   law->key, name->text, shape);
        return;
    }
}

static void check_pairs(struct reader *reader, const struct node *map) {
    const struct node *list = map != NULL ? get(map, "pairs") : NULL;
    if (list == NULL || list->kind != NODE_LIST) return;
    for (const struct node *entry = list->first; entry != NULL; entry = entry->next) {
        check_pair(reader, entry);
    }
}

static bool has_forms(const struct talus_scene *scene) {
    for (size_t i = 0; i < scene->material_count; i++) {
        if (shape_of(scene, scene->materials[i].name) != NULL) return true;
    }
    return false;
}

static void check_boundary(struct reader *reader, const struct node *entry) {
    const struct node *cylinder = get(entry, "cylinder");
    const struct node *length = cylinder != NULL ? get(cylinder, "length") : NULL;
    if (length == NULL || !(length->number > 0.0) || reader->dimension == 3) return;
    problem_at(
        reader->problems, length->place,
        "in the plane a cylinder of finite length meets only discs; for grains of other shapes "
        "leave its length out");
}

void check_shapes(struct reader *reader) {
    const struct node *boundaries = get(reader->root, "boundaries"),
                      *phases = get(reader->root, "phases");
    if (reader->bad_materials || !has_forms(reader->scene)) return;
    check_pairs(reader, reader->root);
    if (phases != NULL && phases->kind == NODE_LIST) {
        for (const struct node *phase = phases->first; phase != NULL; phase = phase->next) {
            check_pairs(reader, get(phase, "change"));
        }
    }
    if (boundaries == NULL || boundaries->kind != NODE_LIST) return;
    for (const struct node *entry = boundaries->first; entry != NULL; entry = entry->next) {
        check_boundary(reader, entry);
    }
}
