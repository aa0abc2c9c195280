/* SPDX-License-Identifier: Apache-2.0
 *
 * YAML text to a tree, by libyaml's events. Bounds on depth, on keys of a map and on what aliases
 * may unfold to keep a hostile file from costing more than its size.
 */
#ifndef SCENE_YAML_TREE_H
#define SCENE_YAML_TREE_H

#include "scene/tree.h"

struct yaml_source {
    const char *name; /* for messages */
    const char *text;
    size_t length;
    bool numbered; /* places have lines; false for overrides and defaults */
};

/* NULL if nothing usable is in it; mistakes are noted in `problems`. An empty text gives NULL with
 * no mistake noted. */
struct node *yaml_tree(const struct yaml_source *source, struct problems *problems);

/* Read a whole file and then as above; an empty file is a mistake. */
struct node *yaml_tree_from_file(const char *path, struct place from, struct problems *problems);

#endif
