/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps of a tree against the table: unknown, missing and excluding keys, defaults, order.
 */
#include "scene/schema_check.h"

#include <stdlib.h>
#include <string.h>

#include "scene/suggest.h"
#include "scene/yaml_tree.h"

static void path_add(const struct schema_path *path, struct line *line) {
    if (path->up != NULL) path_add(path->up, line);
    if (path->index >= 0)
        line_add(line, "[%ld]", path->index);
    else if (path->key != NULL)
        line_add(line, "%s%.60s", line->length > 0 ? "." : "", path->key);
}

const char *schema_path_text(const struct schema_path *path, struct line *line) {
    path_add(path, line);
    if (line->length == 0) line_add(line, "the scene");
    return line->text;
}

static void check_unknown(struct schema_check *check, struct node *map,
                          const struct schema_map *schema, const struct schema_path *path) {
    for (struct node *child = map->first; child != NULL; child = child->next) {
        if (schema_find(schema, child->key) != NULL) continue;
        struct suggest suggest = suggest_start(child->key);
        for (size_t i = 0; i < schema->count; i++) suggest_try(&suggest, schema->keys[i].name);
        struct line where = {.length = 0}, advice = {.length = 0};
        problem_at(check->problems, child->key_place, "unknown key '%.80s' in %s; %s", child->key,
                   schema_path_text(path, &where), suggest_advice(&suggest, &advice));
        child->bad = true;
    }
}

/* How many keys of a choice are there, and which are they? */
static size_t count_choice(const struct node *map, const struct schema_map *schema, int choice,
                           struct line *all, const struct node **second) {
    size_t given = 0;
    for (size_t i = 0; i < schema->count; i++) {
        const struct schema_key *key = &schema->keys[i];
        if (key->choice != choice) continue;
        line_add(all, "%s%s", all->length > 0 ? ", " : "", key->name);
        const struct node *child = tree_find(map, key->name);
        if (child == NULL) continue;
        given++;
        *second = child;
    }
    return given;
}

static void check_choices(struct schema_check *check, struct node *map,
                          const struct schema_map *schema, const struct schema_path *path) {
    for (int choice = 1; choice < SCHEMA_CHOICES; choice++) {
        struct line all = {.length = 0}, where = {.length = 0};
        const struct node *second = NULL;
        size_t given = count_choice(map, schema, choice, &all, &second);
        if (given == 0 && schema->needs_one[choice]) {
            problem_at(check->problems, map->place, "%s needs one of: %s",
                       schema_path_text(path, &where), all.text);
            map->bad = true;
        } else if (given > 1) {
            problem_at(check->problems, second->key_place,
                       "'%s' in %s excludes another key; give only one of: %s", second->key,
                       schema_path_text(path, &where), all.text);
            map->bad = true;
        }
    }
}

/* Defaults are plain words, "[]", "{}" or "[0, 0, 1]"; only what is richer needs a YAML parser,
 * which costs more than reading a whole scene does otherwise. */
static struct node *parse_default(struct schema_check *check, const char *text,
                                  struct place place) {
    const size_t inner = strlen(text) < 2 ? 0 : strlen(text) - 2;
    bool list = text[0] == '[', rich = strpbrk(text, ":\"") != NULL;
    if (rich) {
        struct yaml_source source = {.name = place.file, .text = text, .length = strlen(text)};
        return yaml_tree(&source, check->problems);
    }
    enum node_kind kind = list ? NODE_LIST : text[0] == '{' ? NODE_MAP : NODE_SCALAR;
    struct node *node = tree_new(check->pool, kind, place);
    if (node == NULL) return NULL;
    node->text = text;
    for (const char *at = text + 1; list && at < text + 1 + inner; at += strspn(at, ", ")) {
        size_t length = strcspn(at, ",]");
        struct node *element = tree_new(check->pool, NODE_SCALAR, place);
        if (element == NULL) return NULL;
        element->text = pool_text(check->pool, at, length);
        if (element->text == NULL) return NULL;
        tree_append(node, element);
        at += length;
    }
    return node;
}

static struct node *make_default(struct schema_check *check, const struct schema_key *key,
                                 const struct node *map) {
    struct node *node = parse_default(check, key->initial, map->place);
    if (node == NULL) {
        problem_memory(check->problems); /* the table's own text is never wrong */
        return NULL;
    }
    node->place = node->key_place = map->place;
    return node;
}

static void check_absent(struct schema_check *check, struct node *map, const struct schema_key *key,
                         const struct schema_path *path, bool partial) {
    if (key->required) {
        struct line where = {.length = 0};
        problem_at(check->problems, map->place, "'%s' is missing in %s: %s", key->name,
                   schema_path_text(path, &where), key->meaning);
        map->bad = true;
    } else if (key->initial != NULL && !partial) {
        struct node *node = make_default(check, key, map);
        if (node != NULL) tree_put(map, key->name, node);
    }
}

/* Known keys in the order of the table, unknown ones behind. */
static void bring_into_order(struct node *map, const struct schema_map *schema) {
    struct node ordered = *map;
    ordered.first = ordered.last = NULL;
    ordered.count = 0;
    for (size_t i = 0; i < schema->count; i++) {
        struct node *child = tree_take(map, schema->keys[i].name);
        if (child != NULL) tree_append(&ordered, child);
    }
    while (map->first != NULL) tree_append(&ordered, tree_take(map, map->first->key));
    *map = ordered;
}

void schema_check_map(struct schema_check *check, struct node *map, const struct schema_map *schema,
                      const struct schema_path *path, bool partial) {
    check_unknown(check, map, schema, path);
    check_choices(check, map, schema, path);
    for (size_t i = 0; i < schema->count; i++) {
        const struct schema_key *key = &schema->keys[i];
        struct node *child = tree_find(map, key->name);
        if (child == NULL) check_absent(check, map, key, path, partial);
        child = tree_find(map, key->name);
        if (child == NULL) continue;
        struct schema_path below = {path, key->name, -1};
        schema_check_value(check, child, key, &below);
    }
}

void schema_order(struct node *map, const struct schema_map *schema) {
    bring_into_order(map, schema);
    for (struct node *child = map->first; child != NULL; child = child->next) {
        const struct schema_key *key = schema_find(schema, child->key);
        if (key == NULL || key->map == NULL) continue;
        if (child->kind == NODE_MAP) schema_order(child, key->map);
        if (child->kind != NODE_LIST) continue;
        for (struct node *element = child->first; element != NULL; element = element->next) {
            if (element->kind == NODE_MAP) schema_order(element, key->map);
        }
    }
}

/* The dimension is needed to judge vectors, before anything else is judged. */
static int find_dimension(const struct node *root) {
    const struct node *node = tree_find(root, "dimension");
    if (node == NULL || node->kind != NODE_SCALAR) return 3;
    return strcmp(node->text, "1") == 0 ? 1 : strcmp(node->text, "2") == 0 ? 2 : 3;
}

void schema_check(struct node *root, struct problems *problems) {
    struct schema_check check = {problems, problems->pool, find_dimension(root)};
    struct schema_path path = {NULL, NULL, -1};
    schema_check_map(&check, root, &schema_scene, &path, false);
}
