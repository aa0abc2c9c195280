/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SCENE_OVERRIDES_H
#define SCENE_OVERRIDES_H

#include "scene/tree.h"

/* Put one "a.b=c" into the tree: a path of keys, list elements by number from 0 or by name, and a
 * value in YAML. What the schema does not know is found when the tree is checked. */
void override_apply(struct node *root, const char *text, struct problems *problems);

#endif
