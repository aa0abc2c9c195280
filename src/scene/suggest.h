/* SPDX-License-Identifier: Apache-2.0
 *
 * "Did you mean ...?": the known word nearest to a misspelt one.
 */
#ifndef SCENE_SUGGEST_H
#define SCENE_SUGGEST_H

#include <stddef.h>

#include "scene/problems.h"

/* Fewest insertions, deletions, replacements and swaps of neighbours that turn a into b, without
 * regard to case. Words beyond 64 bytes count as far apart. */
int suggest_distance(const char *a, const char *b);

struct suggest {
    const char *word;    /* as the user wrote it */
    const char *nearest; /* NULL while nothing is near enough */
    int distance;
    struct line known; /* all candidates, for when nothing is near */
};

struct suggest suggest_start(const char *word);
void suggest_try(struct suggest *suggest, const char *candidate);

/* "did you mean 'x'?", or "allowed: a, b, c", or "there are none". */
const char *suggest_advice(struct suggest *suggest, struct line *advice);
/* The nearest and all that is allowed. */
const char *suggest_advice_all(struct suggest *suggest, struct line *advice);

#endif
