/* SPDX-License-Identifier: Apache-2.0
 *
 * Scene files: YAML in, a simulation and its programme of phases out.
 *
 * Reading finds every mistake in one pass and reports each with file, line, column, key and what is
 * allowed, one line each. The reference of all keys is generated from the same table that checks
 * them (talus_scene_reference).
 */
#ifndef TALUS_SCENE_H
#define TALUS_SCENE_H

#include <stddef.h>
#include <stdio.h>

#include "talus/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_scene talus_scene;

/* Read and check `path`. `overrides` are "a.b=c" strings (later ones win), may be NULL. Environment
 * is not read, nothing is written. On failure err->text has all mistakes. */
talus_status talus_scene_load(const char *path, const char *const *overrides, size_t override_count,
                              talus_scene **out, talus_error *err);
void talus_scene_free(talus_scene *scene);

/* Make the simulation the scene describes, with everything that exists at time 0. */
talus_status talus_scene_build(const talus_scene *scene, talus_sim **out, talus_error *err);

/* The scene with includes, overrides and defaults resolved; reading it back gives the same scene. */
talus_status talus_scene_write(const talus_scene *scene, FILE *to, talus_error *err);

/* Every key of the scene language, as a Markdown page (docs/scene-reference.md). */
talus_status talus_scene_reference(FILE *to);

const char *talus_scene_title(const talus_scene *scene); /* "" if none */

#ifdef __cplusplus
}
#endif
#endif
