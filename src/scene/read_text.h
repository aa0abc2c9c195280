/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SCENE_READ_TEXT_H
#define SCENE_READ_TEXT_H

#include "scene/pool.h"

/* A whole file into the pool, with a zero byte behind it. On failure NULL with the reason in `why`
 * ("" = out of memory). */
char *read_text(struct pool *pool, const char *path, size_t *length, const char **why);

/* `path` as seen from the directory of the file `from`; absolute paths stay. NULL: out of
 * memory. */
char *path_beside(struct pool *pool, const char *from, const char *path);

#endif
