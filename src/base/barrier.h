/* SPDX-License-Identifier: Apache-2.0
 *
 * Where threads wait for each other. Those of the compiler's OpenMP spin for milliseconds before they give way; on a
 * machine that has other work to do, the one they wait for is then the one that gets no processor. This one gives way after
 * microseconds.
 */
#ifndef BASE_BARRIER_H
#define BASE_BARRIER_H

#include <stdatomic.h>

struct barrier {
    atomic_int arrived, round;
};

/* All `count` threads call it; none comes out before the last one has come in. */
void barrier_wait(struct barrier *barrier, int count);

/* How many threads there are here: 1 outside of a parallel region. */
int barrier_threads(void);
/* Which of them this one is, from 0. */
int barrier_thread(void);

#endif
