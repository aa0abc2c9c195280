/* SPDX-License-Identifier: Apache-2.0
 * What a restart has to know of candidates and contacts. */
#ifndef DETECT_DETECT_ARCHIVE_H
#define DETECT_DETECT_ARCHIVE_H

#include "base/archive.h"
#include "detect/detect.h"

/* When reading, the world must be there already. */
void detect_archive(struct detect *detect, const struct world *world, struct archive *archive);

/* The pairs alone, and what laws remember of them (NULL: nothing): for readers of a file. */
void detect_archive_pairs(struct archive *archive, struct candidate *pairs,
                          struct contact_memory *memories, size_t count);

#endif
