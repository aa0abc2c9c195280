/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/frame_choice.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* The next number, if there is one, and whether a colon follows. */
static bool read_number(const char **at, int64_t *number, bool *given) {
    char *end;
    long long value = strtoll(*at, &end, 10);
    *given = end != *at;
    if (*given) *number = value;
    *at = end;
    return **at == ':' || **at == '\0';
}

bool frame_choice_read(const char *command, const char *text, int64_t *first, int64_t *stop,
                       int64_t *step) {
    const char *at = text;
    bool given;
    int64_t *const parts[3] = {first, stop, step};
    bool good = read_number(&at, parts[0], &given);
    for (int k = 1; k < 3 && good && *at == ':'; k++) {
        at++;
        good = read_number(&at, parts[k], &given);
    }
    if (good && *at == '\0' && *step >= 1 && text[0] != '\0') {
        bool alone = strchr(text, ':') == NULL;
        if (alone && *first != -1) *stop = *first + 1;
        return true;
    }
    complain("%s: --frames %s: must be a number or A:B:STEP, e.g. 10:20, ::5, -1", command, text);
    return false;
}
