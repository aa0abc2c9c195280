/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SCENE_LOAD_H
#define SCENE_LOAD_H

#include "scene/scene.h"

/* talus_scene_load that lets the n-th allocation fail (fault tests); 0 = none. */
talus_status scene_load(const char *path, const char *const *overrides, size_t override_count,
                        int64_t refuse_at, talus_scene **out, talus_error *err);

/* A scene that is not in a file of its own. */
struct scene_source_text {
    const char *path; /* for messages */
    const char *text; /* NULL: read the file */
};
talus_status scene_load_text(const struct scene_source_text *from, const char *const *overrides,
                             size_t override_count, talus_scene **out, talus_error *err);

#endif
