/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/suggest.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

enum { WORD_MAX = 64 };

static int lower(char c) {
    return tolower((unsigned char)c);
}

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Optimal string alignment by rows: cost[j] belongs to the first j letters of b. */
int suggest_distance(const char *a, const char *b) {
    size_t length_a = strlen(a), length_b = strlen(b);
    if (length_a > WORD_MAX || length_b > WORD_MAX) return INT_MAX;
    int before[WORD_MAX + 1], last[WORD_MAX + 1], cost[WORD_MAX + 1];
    for (size_t j = 0; j <= length_b; j++) last[j] = before[j] = (int)j;
    for (size_t i = 1; i <= length_a; i++) {
        cost[0] = (int)i;
        for (size_t j = 1; j <= length_b; j++) {
            int differs = lower(a[i - 1]) != lower(b[j - 1]);
            cost[j] = least(least(last[j], cost[j - 1]) + 1, last[j - 1] + differs);
            bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) cost[j] = least(cost[j], before[j - 2] + 1);
        }
        memcpy(before, last, (length_b + 1) * sizeof last[0]);
        memcpy(last, cost, (length_b + 1) * sizeof last[0]);
    }
    return last[length_b];
}

struct suggest suggest_start(const char *word) {
    return (struct suggest){.word = word, .distance = INT_MAX};
}

/* A third of the letters may be wrong, at least one. */
static int bound(const char *word) {
    size_t length = strlen(word);
    return length < 6 ? 1 + (length > 3) : (int)(length / 3);
}

void suggest_try(struct suggest *suggest, const char *candidate) {
    line_add(&suggest->known, "%s%s", suggest->known.length > 0 ? ", " : "", candidate);
    int distance = suggest_distance(suggest->word, candidate);
    if (distance < suggest->distance && distance <= bound(suggest->word) &&
        distance < (int)strlen(candidate)) {
        suggest->distance = distance;
        suggest->nearest = candidate;
    }
}

const char *suggest_advice(struct suggest *suggest, struct line *advice) {
    if (suggest->nearest != NULL) {
        line_add(advice, "did you mean '%s'?", suggest->nearest);
    } else if (suggest->known.length > 0) {
        line_add(advice, "allowed: %s", suggest->known.text);
    } else {
        line_add(advice, "there are none");
    }
    return advice->text;
}

const char *suggest_advice_all(struct suggest *suggest, struct line *advice) {
    if (suggest->nearest != NULL) line_add(advice, "did you mean '%s'? ", suggest->nearest);
    line_add(advice, "allowed: %s", suggest->known.text);
    return advice->text;
}
