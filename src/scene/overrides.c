/* SPDX-License-Identifier: Apache-2.0
 *
 * --set solver.sweeps=100, --set boundaries.0.name=floor, --set
 * boundaries.floor.motion.velocity=[0,0,1]
 */
#include "scene/overrides.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "scene/schema.h"
#include "scene/suggest.h"
#include "scene/yaml_tree.h"

enum { OVERRIDE_DEPTH = 12 };

struct override {
    struct problems *problems;
    struct pool *pool;
    struct place place; /* names the override in messages */
    char *keys[OVERRIDE_DEPTH];
    size_t key_count;
    struct node *value;
};

/* Cut "a.b.c" into its keys; false with a message if that cannot be. */
static bool split_path(struct override *override, const char *path, size_t length) {
    char *copy = pool_text(override->pool, path, length);
    if (copy == NULL) {
        problem_memory(override->problems);
        return false;
    }
    for (char *at = copy; at != NULL;) {
        char *dot = strchr(at, '.');
        if (dot != NULL) *dot = '\0';
        if (*at == '\0' || override->key_count == OVERRIDE_DEPTH) {
            problem_at(override->problems, override->place,
                       "the path before '=' must be keys joined by dots, at most %d of them",
                       OVERRIDE_DEPTH);
            return false;
        }
        override->keys[override->key_count++] = at;
        at = dot != NULL ? dot + 1 : NULL;
    }
    return true;
}

static bool parse(struct override *override, const char *text) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        problem_at(override->problems, override->place, "an override is written key=value");
        return false;
    }
    if (!split_path(override, text, (size_t)(equals - text))) return false;
    struct yaml_source source = {
        .name = override->place.file, .text = equals + 1, .length = strlen(equals + 1)};
    size_t before = override->problems->count;
    override->value = yaml_tree(&source, override->problems);
    if (override->value == NULL && override->problems->count == before &&
        !override->problems->out_of_memory) {
        problem_at(override->problems, override->place, "there is no value behind '='");
    }
    return override->value != NULL;
}

/* What an element of a list is called: its name, or for grains its group. */
static const char *element_name(const struct node *element) {
    const struct node *name = tree_find(element, "name");
    if (name == NULL) name = tree_find(element, "group");
    return name != NULL && name->kind == NODE_SCALAR ? name->text : NULL;
}

static struct node *find_element(struct override *override, const struct node *list,
                                 const char *key) {
    size_t digits = strspn(key, "0123456789");
    if (key[digits] == '\0' && digits < 10) {
        struct node *element = tree_element(list, strtoul(key, NULL, 10));
        if (element == NULL) {
            problem_at(override->problems, override->place,
                       "there is no element %s: the list has %zu, counted from 0", key,
                       list->count);
        }
        return element;
    }
    struct suggest suggest = suggest_start(key);
    for (struct node *element = list->first; element != NULL; element = element->next) {
        const char *name = element_name(element);
        if (name == NULL) continue;
        if (strcmp(name, key) == 0) return element;
        suggest_try(&suggest, name);
    }
    struct line advice = {.length = 0};
    problem_at(override->problems, override->place, "the list has no element '%.80s'; %s", key,
               suggest_advice(&suggest, &advice));
    return NULL;
}

/* The child to go on with; made if it is not there yet. */
static struct node *step_down(struct override *override, struct node *node, const char *key) {
    if (node->kind == NODE_LIST) return find_element(override, node, key);
    if (node->kind == NODE_SCALAR) { /* `picture: false` and then picture.width=800 */
        node->kind = NODE_MAP;
        node->place = override->place;
    }
    struct node *child = tree_find(node, key);
    if (child != NULL) return child;
    child = tree_new(override->pool, NODE_MAP, override->place);
    if (child == NULL)
        problem_memory(override->problems);
    else
        tree_put(node, key, child);
    return child;
}

/* Keys that exclude each other: the new one wins, so --set time.steps=10 ends a scene with
 * time.end. */
static void drop_rivals(struct node *map, const struct schema_map *schema, const char *key) {
    const struct schema_key *chosen = schema_find(schema, key);
    if (map->kind != NODE_MAP || chosen == NULL || chosen->choice == 0) return;
    for (size_t i = 0; i < schema->count; i++) {
        const struct schema_key *rival = &schema->keys[i];
        if (rival->choice == chosen->choice && rival != chosen) tree_take(map, rival->name);
    }
}

/* From the root along the path; NULL if it leads nowhere. */
static struct node *walk(struct override *override, struct node *node) {
    const struct schema_map *schema = &schema_scene;
    for (size_t i = 0; i < override->key_count && node != NULL; i++) {
        const char *key = override->keys[i];
        if (schema != NULL) drop_rivals(node, schema, key);
        const struct schema_key *known = schema != NULL ? schema_find(schema, key) : NULL;
        if (node->kind != NODE_LIST) schema = known != NULL ? known->map : NULL;
        node = step_down(override, node, key);
    }
    return node;
}

/* Give `target` the kind and content of the value; it stays where it hangs. */
static void replace_content(struct node *target, const struct node *value) {
    struct node *next = target->next;
    const char *key = target->key;
    *target = *value;
    target->key = key;
    target->next = next;
}

void override_apply(struct node *root, const char *text, struct problems *problems) {
    struct override override = {.problems = problems, .pool = problems->pool};
    override.place.file = pool_format(problems->pool, "override '%.200s'", text);
    if (override.place.file == NULL) {
        problem_memory(problems);
        return;
    }
    if (!parse(&override, text)) return;
    if (strcmp(override.keys[0], "include") == 0) {
        problem_at(problems, override.place, "include cannot be set from outside the file");
        return;
    }
    struct node *node = walk(&override, root);
    if (node == NULL) return;
    override.value->key_place = override.place;
    replace_content(node, override.value);
}
