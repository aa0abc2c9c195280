/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "base/barrier.h"

#include <sched.h>
#if defined(_OPENMP)
#include <omp.h>
#endif

enum { PATIENCE = 400 }; /* looks, some ten microseconds */

static void look_away(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

void barrier_wait(struct barrier *barrier, int count) {
    if (count == 1) return;
    int round = atomic_load_explicit(&barrier->round, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 == count) {
        atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&barrier->round, round + 1, memory_order_release);
        return;
    }
    for (int look = 0; atomic_load_explicit(&barrier->round, memory_order_acquire) == round; look++)
        if (look < PATIENCE)
            look_away();
        else
            sched_yield();
}

int barrier_threads(void) {
#if defined(_OPENMP)
    return omp_get_num_threads();
#else
    return 1;
#endif
}

int barrier_thread(void) {
#if defined(_OPENMP)
    return omp_get_thread_num();
#else
    return 0;
#endif
}
