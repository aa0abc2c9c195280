/* SPDX-License-Identifier: Apache-2.0
 * Which frames: 7, -1, 10:20, ::5. */
#include <inttypes.h>
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

bool choose_frames(const char *command, const char *text, int64_t *first, int64_t *stop,
                   int64_t *step) {
    const char *at = text;
    int64_t *const parts[3] = {first, stop, step};
    *first = 0;
    *stop = INT64_MAX;
    *step = 1;
    bool good = read_number(&at, parts[0]);
    for (int k = 1; k < 3 && good && *at == ':'; k++) {
        at++;
        good = read_number(&at, parts[k]);
    }
    if (good && *at == '\0' && *step >= 1 && text[0] != '\0') {
        bool alone = strchr(text, ':') == NULL;
        if (alone && *first != -1) *stop = *first + 1;
        return true;
    }
    complain("%s: --frames %s: must be a number or A:B:STEP, e.g. 10:20, ::5, -1", command, text);
    return false;
}

bool one_way_of_frames(const char *command, bool frame, bool frames) {
    if (!frame || !frames) return true;
    complain("%s: --frame is one frame, --frames is several: give only one of them", command);
    return false;
}
