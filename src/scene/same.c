/* SPDX-License-Identifier: Apache-2.0
 * Are two scenes the same, but for what a resumed run may change: when phases end, and when checkpoints are written? */
#include <string.h>

#include "scene/same.h"
#include "scene/scene.h"
#include "scene/tree.h"

/* time.end, time.steps, phases.*.until, output.checkpoint; `level` of the map that holds the key, `above` its own key. */
static bool may_differ(int level, const char *above, const char *key) {
    if (level != 1) return false;
    if (strcmp(above, "time") == 0) return strcmp(key, "end") == 0 || strcmp(key, "steps") == 0;
    if (strcmp(above, "phases") == 0) return strcmp(key, "until") == 0;
    return strcmp(above, "output") == 0 && strcmp(key, "checkpoint") == 0;
}

static const struct node *next_judged(const struct node *node, const struct node *parent, int level,
                                      const char *above) {
    while (node != NULL && parent->kind == NODE_MAP && may_differ(level, above, node->key))
        node = node->next;
    return node;
}

static bool same_scalar(const struct node *a, const struct node *b) {
    if (a->value != b->value) return false;
    switch (a->value) {
    case VALUE_NUMBER: return a->number == b->number;
    case VALUE_TEXT: return strcmp(a->text, b->text) == 0;
    default: return a->integer == b->integer;
    }
}

/* `above`: the key at the top under which these are; the maps of a list are on the level of the list. */
static bool same_node(const struct node *a, const struct node *b, int level, const char *above) {
    if (a->kind != b->kind) return false;
    if (a->kind == NODE_SCALAR) return same_scalar(a, b);
    bool map = a->kind == NODE_MAP;
    const struct node *x = next_judged(a->first, a, level, above),
                      *y = next_judged(b->first, b, level, above);
    while (x != NULL && y != NULL) {
        if (map && strcmp(x->key, y->key) != 0) return false;
        if (!same_node(x, y, level + map, level == 0 && map ? x->key : above)) return false;
        x = next_judged(x->next, a, level, above);
        y = next_judged(y->next, b, level, above);
    }
    return x == NULL && y == NULL;
}

bool scene_same_but_ends(const talus_scene *a, const talus_scene *b) {
    return same_node(a->document, b->document, 0, "");
}
