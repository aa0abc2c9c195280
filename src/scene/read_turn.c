/* SPDX-License-Identifier: Apache-2.0
 * Orientations: `orientation` of grains, `turn` of the parts of a cluster, `angle` for both. */
#include <string.h>

#include "scene/read.h"

static quat about(vec3 axis, double angle) {
    return quat_turn(quat_identity(), vec3_scale(angle, axis));
}

static void check_turn_exists(struct reader *reader, const struct node *node) {
    if (reader->dimension > 1) return;
    problem_at(reader->problems, node->key_place, "%s: nothing turns in one dimension", node->key);
}

static struct scene_turn read_angle(struct reader *reader, const struct node *angle) {
    struct scene_turn turn = {.given = about(vec3_make(0.0, 0.0, 1.0), angle->number)};
    check_turn_exists(reader, angle);
    if (reader->dimension == 3) {
        problem_at(reader->problems, angle->key_place,
                   "angle alone is for 2 dimensions; in 3 an axis belongs to it: "
                   "{axis: [0, 0, 1], angle: %g}",
                   angle->number);
    }
    return turn;
}

struct scene_turn read_turn(struct reader *reader, const struct node *map, const char *key,
                            struct scene_turn otherwise) {
    struct scene_turn turn = {.given = quat_identity()};
    const struct node *angle = get(map, "angle"), *node = get(map, key);
    if (angle != NULL) return read_angle(reader, angle);
    if (node == NULL) return otherwise;
    if (node->kind == NODE_SCALAR) {
        turn.random = strcmp(node->text, "random") == 0;
        if (turn.random) check_turn_exists(reader, node);
        return turn;
    }
    check_turn_exists(reader, node);
    turn.given = about(read_axis(reader, node, "axis"), get_number(node, "angle", 0.0));
    return turn;
}
