/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/frames_option.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* The next number, if there is one, and whether a colon follows. */
static bool read_number(const char **at, int64_t *number) {
    char *end;
    long long value = strtoll(*at, &end, 10);
    if (end != *at) *number = value;
    *at = end;
    return **at == ':' || **at == '\0';
}

bool frames_choice_read(struct frames_choice *choice, const char *option, const char *text,
                        bool alone) {
    const char *at = text;
    *choice = (struct frames_choice){0, INT64_MAX, 1};
    int64_t *const parts[3] = {&choice->first, &choice->stop, &choice->step};
    bool range = strchr(text, ':') != NULL, good = read_number(&at, parts[0]);
    for (int k = 1; k < 3 && good && *at == ':'; k++) {
        at++;
        good = read_number(&at, parts[k]);
    }
    if (good && *at == '\0' && choice->step >= 1 && text[0] != '\0' && !(alone && range)) {
        if (!range && choice->first != -1) choice->stop = choice->first + 1;
        return true;
    }
    if (alone)
        complain("%s %s: must be a number, e.g. 7 or -1 (the last)", option, text);
    else
        complain("%s %s: must be a number or A:B:STEP, e.g. 10:20, ::5, -1", option, text);
    return false;
}

static int64_t from_end(int64_t number, int64_t count) {
    return number >= 0 ? number : number + count < 0 ? 0 : number + count;
}

bool frames_choice_settle(struct frames_choice *choice, size_t count) {
    choice->first = from_end(choice->first, (int64_t)count);
    choice->stop = from_end(choice->stop, (int64_t)count);
    if (choice->stop > (int64_t)count) choice->stop = (int64_t)count;
    return choice->first < choice->stop;
}

size_t frames_choice_count(const struct frames_choice *choice) {
    return (size_t)((choice->stop - choice->first - 1) / choice->step) + 1;
}
