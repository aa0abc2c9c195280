/* SPDX-License-Identifier: Apache-2.0
 * Ctrl-C and SIGTERM: the first asks to end after the step, the second ends at once. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_watch(void);
bool interrupt_asked(void);

#endif
