/* SPDX-License-Identifier: Apache-2.0
 * A run that can be stopped and resumed: when its state is written, and what belongs to the state beside the simulation. */
#ifndef RUN_CHECKPOINT_H
#define RUN_CHECKPOINT_H

#include "io/checkpoint.h"
#include "run/run.h"

/* Where a run stands: phases, rows, film, sources, counters. When reading, the run must be that of the same scene. */
void run_archive(struct run *run, struct archive *archive);

/* The resolved scene of a checkpoint; to be freed with memory_free(memory, text, length, 1). */
talus_status checkpoint_scene(struct checkpoint *checkpoint, struct memory *memory, char **text,
                              size_t *length, talus_error *err);

#endif
