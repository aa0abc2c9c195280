/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* struct winsize */
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

/* As the C library would decide: the first of these that is set. */
static bool locale_is_unicode(void) {
    const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        if (!is_set(names[i])) continue;
        const char *value = getenv(names[i]);
        return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL ||
               strstr(value, "utf-8") != NULL;
    }
    return false;
}

struct terminal terminal_look(void) {
    const char *term = getenv("TERM");
    bool capable = term != NULL && strcmp(term, "dumb") != 0;
    bool interactive = isatty(STDOUT_FILENO) && capable;
    return (struct terminal){
        .interactive = interactive,
        .color = interactive && !is_set("NO_COLOR"),
        .unicode = locale_is_unicode(),
    };
}

int terminal_width(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}
