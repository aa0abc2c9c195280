/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SCENE_LOAD_H
#define SCENE_LOAD_H

#include "scene/scene.h"

/* talus_scene_load that lets the n-th allocation fail (fault tests); 0 = none. */
talus_status scene_load(const char *path, const char *const *overrides, size_t override_count,
                        int64_t refuse_at, talus_scene **out, talus_error *err);

#endif
