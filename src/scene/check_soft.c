/* SPDX-License-Identifier: Apache-2.0
 *
 * What soft grains of other shapes than discs and spheres cannot do. The engine refuses it too; here the line is known.
 */
#include <string.h>

#include "scene/read.h"

/* Rounded corners of a shape or of a part of a cluster. */
static void check_rounding(struct reader *reader, const struct node *map, const char *name) {
    static const char *const round[] = {"ball", "capsule", "rounding"};
    for (size_t k = 0; k < sizeof round / sizeof round[0]; k++) {
        const struct node *key = get(map, round[k]);
        if (key == NULL || (k == 2 && !(key->number > 0.0))) continue;
        problem_at(reader->problems, key->key_place,
                   "shape '%s': soft polygons (`method: md`) have sharp corners; leave the "
                   "%s out",
                   name, round[k]);
        return;
    }
}

static void check_shape(struct reader *reader, const struct node *entry) {
    const struct node *cluster = get(entry, "cluster");
    const char *name = get_text(entry, "name", "");
    if (reader->dimension == 3) {
        problem_at(reader->problems, entry->place,
                   "shape '%s': with `method: md` grains in three dimensions are spheres; "
                   "polygons are soft in two, polyhedra need `method: cd`",
                   name);
        return;
    }
    check_rounding(reader, entry, name);
    if (cluster == NULL || cluster->kind != NODE_LIST) return;
    for (const struct node *part = cluster->first; part != NULL; part = part->next)
        check_rounding(reader, part, name);
}

static void check_wall(struct reader *reader, const struct node *entry) {
    const struct node *wall = get(entry, "cylinder");
    if (wall == NULL) return;
    problem_at(reader->problems, wall->key_place,
               "walls of soft polygons (`method: md`) are planes, rectangles or boxes; a cylinder "
               "meets only discs");
}

static void check_mesh(struct reader *reader, const struct node *entry) {
    const struct node *wall = get(entry, "mesh");
    if (wall == NULL) return;
    problem_at(reader->problems, wall->key_place,
               "with `method: md` walls are planes, rectangles, boxes or cylinders; a mesh needs "
               "`method: cd`");
}

static void for_each(struct reader *reader, const char *key,
                     void (*check)(struct reader *reader, const struct node *entry)) {
    const struct node *list = get(reader->root, key);
    if (list == NULL || list->kind != NODE_LIST) return;
    for (const struct node *entry = list->first; entry != NULL; entry = entry->next)
        check(reader, entry);
}

void check_soft(struct reader *reader) {
    if (reader->scene->config.method != TALUS_METHOD_MD) return;
    for_each(reader, "boundaries", check_mesh);
    if (reader->scene->shape_count == 0) return;
    for_each(reader, "shapes", check_shape);
    for_each(reader, "boundaries", check_wall);
}
