/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Seconds of a clock that never goes back; only differences mean anything. */
double clock_seconds(void);

#endif
