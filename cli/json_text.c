/* SPDX-License-Identifier: Apache-2.0
 * The two kinds of JSON values the commands print. */
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"

void put_json_text(FILE *to, const char *text) {
    fputc('"', to);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(to, "\\%c", c);
        else if (c < 0x20)
            fprintf(to, "\\u%04x", c);
        else
            fputc(c, to);
    }
    fputc('"', to);
}

void put_json_number(FILE *to, double value) {
    char text[32];
    if (!isfinite(value)) {
        fputs("null", to);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) { /* as few as read back to the same bits */
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, to);
}
