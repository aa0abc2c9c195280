/* SPDX-License-Identifier: Apache-2.0
 * Shared by the two files that check a tree: maps (schema_check.c) and values (schema_value.c). */
#ifndef SCENE_SCHEMA_CHECK_H
#define SCENE_SCHEMA_CHECK_H

#include "scene/schema.h"

/* The way from the root to a node; made into text only when there is something to complain
 * about. */
struct schema_path {
    const struct schema_path *up;
    const char *key;
    long index; /* >= 0: element of a list */
};

struct schema_check {
    struct problems *problems;
    struct pool *pool;
    int dimension;
};

/* "grains[0].fill", or "the scene" for the root. */
const char *schema_path_text(const struct schema_path *path, struct line *line);

void schema_check_map(struct schema_check *check, struct node *map, const struct schema_map *schema,
                      const struct schema_path *path, bool partial);

void schema_check_value(struct schema_check *check, struct node *node, const struct schema_key *key,
                        const struct schema_path *path);

#endif
