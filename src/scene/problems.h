/* SPDX-License-Identifier: Apache-2.0
 *
 * Mistakes found while reading a scene. They are collected, sorted by place and reported together,
 * so one look at the message mends the whole file.
 */
#ifndef SCENE_PROBLEMS_H
#define SCENE_PROBLEMS_H

#include "scene/pool.h"

/* Where something was written. line 0: the whole file, or an override (then `file` names it). */
struct place {
    const char *file;
    int line, column; /* from 1 */
};

struct problem;

struct problems {
    struct pool *pool;
    struct problem *first;
    size_t kept, count; /* beyond a bound they are only counted */
    bool out_of_memory;
    talus_status status; /* what the first one calls for */
};

struct problems problems_start(struct pool *pool);

/* Note a mistake of the user's. */
void problem_at(struct problems *problems, struct place place, const char *format, ...)
    BASE_PRINTF(3, 4);
/* The same, for a file that cannot be read. */
void problem_file(struct problems *problems, struct place place, const char *format, ...)
    BASE_PRINTF(3, 4);
void problem_memory(struct problems *problems);

/* TALUS_OK if there are none; else all of them in err->text, one line each. */
talus_status problems_report(const struct problems *problems, talus_error *err);

/* A short text put together piece by piece; what does not fit ends in "...". */
struct line {
    char text[512];
    size_t length;
};
void line_add(struct line *line, const char *format, ...) BASE_PRINTF(2, 3);

#endif
