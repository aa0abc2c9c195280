/* SPDX-License-Identifier: Apache-2.0
 * --frames A:B:STEP: which frames of a run. */
#ifndef CLI_FRAME_CHOICE_H
#define CLI_FRAME_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#define FRAME_CHOICE_HELP "which frames: 7, -1 (the last), 10:20, ::5; default all"

/* Counts like Python: 7, -1 (the last), 10:20, ::5. What is not given stays as it was. False after a message. */
bool frame_choice_read(const char *command, const char *text, int64_t *first, int64_t *stop,
                       int64_t *step);

#endif
