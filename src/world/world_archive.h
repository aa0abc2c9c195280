/* SPDX-License-Identifier: Apache-2.0
 * What a restart has to know of the world. */
#ifndef WORLD_WORLD_ARCHIVE_H
#define WORLD_WORLD_ARCHIVE_H

#include "base/archive.h"
#include "world/world.h"

/* When reading, `world` must have the materials, shapes and boundaries of the same scene, and nothing else yet. */
void world_archive(struct world *world, struct archive *archive);

/* Names as text. */
void world_archive_names(struct archive *archive, const char *path, struct name *names,
                         size_t count);

/* boundary_archive.c */
void world_archive_boundaries(struct world *world, struct archive *archive);
void world_archive_signal(struct world *world, struct archive *archive, const char *path,
                          talus_signal *signal);

/* A number for all that the world has from outside and a checkpoint does not hold: shapes of grains and boundaries. */
uint64_t world_forms_hash(const struct world *world);

#endif
