/* SPDX-License-Identifier: Apache-2.0
 * --frames A:B:STEP, which counts like Python does. */
#ifndef CLI_FRAMES_OPTION_H
#define CLI_FRAMES_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frames_choice {
    int64_t first, stop, step; /* all: 0, INT64_MAX, 1 */
};

/* 7, -1, 10:20, ::5; `option` is for the message after which false is returned. `alone`: one number only. */
bool frames_choice_read(struct frames_choice *choice, const char *option, const char *text,
                        bool alone);

/* Negative numbers and open ends settled for so many frames; false if none is left. */
bool frames_choice_settle(struct frames_choice *choice, size_t count);
size_t frames_choice_count(const struct frames_choice *choice);
static inline size_t frames_choice_at(const struct frames_choice *choice, size_t k) {
    return (size_t)choice->first + k * (size_t)choice->step;
}

#endif
