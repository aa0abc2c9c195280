/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SCENE_SAME_H
#define SCENE_SAME_H

#include <stdbool.h>

#include "talus/scene.h"

/* Are they the same, but for the ends of phases and for checkpoints? */
bool scene_same_but_ends(const talus_scene *a, const talus_scene *b);

#endif
