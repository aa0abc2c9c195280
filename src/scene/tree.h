/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree of a scene file: scalars, maps and lists, each with the place where it was written.
 * After the schema has checked a tree its scalars carry their value (number, integer, boolean) in
 * SI.
 */
#ifndef SCENE_TREE_H
#define SCENE_TREE_H

#include "scene/pool.h"
#include "scene/problems.h"

enum node_kind { NODE_SCALAR, NODE_MAP, NODE_LIST };

enum node_value { VALUE_TEXT, VALUE_NUMBER, VALUE_INTEGER, VALUE_BOOLEAN };

struct node {
    enum node_kind kind;
    enum node_value value; /* of a checked scalar */
    bool quoted;           /* scalar in quotes: never a number, never empty by accident */
    bool bad;              /* a mistake was reported here: judge no further */
    struct place place;
    struct place key_place;
    const char *key;  /* in a map */
    const char *text; /* of a scalar, as written */
    double number;    /* VALUE_NUMBER */
    int64_t integer;  /* VALUE_INTEGER, VALUE_BOOLEAN */
    struct node *first, *last, *next;
    size_t count; /* children */
};

struct node *tree_new(struct pool *pool, enum node_kind kind, struct place place);
void tree_append(struct node *parent, struct node *child);

/* Child of a map; NULL if absent or `map` is not a map. */
struct node *tree_find(const struct node *map, const char *key);
struct node *tree_element(const struct node *list, size_t index);

/* Take the child `key` out of a map; NULL if absent. */
struct node *tree_take(struct node *map, const char *key);

/* Put `child` under `key`, in the place of a child of that name if there is one. */
void tree_put(struct node *map, const char *key, struct node *child);

/* Fresh scalars under a key (the scene's own defaults). False when out of memory. */
bool tree_put_text(struct pool *pool, struct node *map, const char *key, const char *text);
bool tree_put_number(struct pool *pool, struct node *map, const char *key, double number);

/* Lay `over` on top of `base`: maps merge, everything else is replaced. `base` is changed. */
void tree_merge(struct node *base, struct node *over);

#endif
