/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/tree.h"

#include <string.h>

struct node *tree_new(struct pool *pool, enum node_kind kind, struct place place) {
    struct node *node = pool_alloc(pool, 1, sizeof *node);
    if (node == NULL) return NULL;
    node->kind = kind;
    node->place = place;
    node->key_place = place;
    return node;
}

void tree_append(struct node *parent, struct node *child) {
    child->next = NULL;
    if (parent->last != NULL)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
}

struct node *tree_find(const struct node *map, const char *key) {
    if (map == NULL || map->kind != NODE_MAP) return NULL;
    for (struct node *child = map->first; child != NULL; child = child->next) {
        if (strcmp(child->key, key) == 0) return child;
    }
    return NULL;
}

struct node *tree_element(const struct node *list, size_t index) {
    struct node *child = list->first;
    while (child != NULL && index-- > 0) child = child->next;
    return child;
}

struct node *tree_take(struct node *map, const char *key) {
    struct node *before = NULL;
    for (struct node *child = map->first; child != NULL; before = child, child = child->next) {
        if (strcmp(child->key, key) != 0) continue;
        if (before != NULL)
            before->next = child->next;
        else
            map->first = child->next;
        if (map->last == child) map->last = before;
        map->count--;
        child->next = NULL;
        return child;
    }
    return NULL;
}

/* Put `child` where `old` is now. Its key, if any, stays that of the place. */
static void replace(struct node *parent, struct node *old, struct node *child) {
    struct node **link = &parent->first;
    while (*link != old) link = &(*link)->next;
    child->key = old->key;
    child->next = old->next;
    *link = child;
    if (parent->last == old) parent->last = child;
}

void tree_put(struct node *map, const char *key, struct node *child) {
    struct node *old = tree_find(map, key);
    if (old != NULL) {
        replace(map, old, child);
    } else {
        child->key = key;
        tree_append(map, child);
    }
}

bool tree_put_text(struct pool *pool, struct node *map, const char *key, const char *text) {
    struct node *node = tree_new(pool, NODE_SCALAR, map->place);
    if (node == NULL) return false;
    node->text = text;
    tree_put(map, key, node);
    return true;
}

bool tree_put_number(struct pool *pool, struct node *map, const char *key, double number) {
    struct node *node = tree_new(pool, NODE_SCALAR, map->place);
    if (node == NULL) return false;
    node->text = "";
    node->value = VALUE_NUMBER;
    node->number = number;
    tree_put(map, key, node);
    return true;
}

void tree_merge(struct node *base, struct node *over) {
    struct node *next;
    for (struct node *child = over->first; child != NULL; child = next) {
        next = child->next;
        struct node *old = tree_find(base, child->key);
        if (old != NULL && old->kind == NODE_MAP && child->kind == NODE_MAP)
            tree_merge(old, child);
        else
            tree_put(base, child->key, child);
    }
    base->place = over->place;
}
