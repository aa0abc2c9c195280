/* SPDX-License-Identifier: Apache-2.0
 * Ctrl-C and SIGTERM: the first asks to end after the step, the second ends at once. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_watch(void);
/* The same for a command that has nothing to finish and says nothing. */
void interrupt_watch_quietly(void);
bool interrupt_asked(void);

#endif
