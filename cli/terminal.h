/* SPDX-License-Identifier: Apache-2.0
 * What standard output is and can show. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

struct terminal {
    bool interactive; /* a terminal that understands escape sequences */
    bool color;       /* and nobody set NO_COLOR */
    bool unicode;     /* the locale is UTF-8 */
};

struct terminal terminal_look(void);

/* Columns now; the window may be resized at any time. */
int terminal_width(void);

#endif
