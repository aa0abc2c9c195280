/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SCENE_INCLUDE_H
#define SCENE_INCLUDE_H

#include "scene/tree.h"

/* The tree of a scene file with everything it includes laid under it; the key `include` is gone.
 * NULL if the file itself is no scene. */
struct node *include_read(const char *path, struct problems *problems);

#endif
