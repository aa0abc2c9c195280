/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "base/crew.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#if defined(_OPENMP)
#include <omp.h>
#endif

/* What the leader writes, what all write and the job stand in lines of cache of their own. */
struct crew {
    int threads;
    crew_piece *piece;
    void *context;
    size_t count;
    _Alignas(64) atomic_uint job; /* odd: open */
    atomic_bool over;
    _Alignas(64) atomic_int inside;           /* helpers that look at the job */
    _Alignas(64) atomic_uint_least64_t taken; /* pieces, one bit each */
};

/* ---- waiting ----------------------------------------------------------------------------------------- */

enum { PATIENCE = 400 }; /* looks, some ten microseconds */

static void wait_a_little(int looks) {
    if (looks >= PATIENCE) {
        sched_yield();
        return;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* ---- pieces ------------------------------------------------------------------------------------------ */

/* The first free one from `first` on, and round; `count`: there is none. */
static size_t free_piece(uint64_t taken, size_t first, size_t count) {
    uint64_t free = ~taken, later = free & (UINT64_MAX << first);
    if (free == 0) return count;
    return (size_t)__builtin_ctzll(later != 0 ? later : free);
}

static void do_pieces(struct crew *crew, int thread) {
    size_t piece = crew->count * (size_t)thread / (size_t)crew->threads;
    for (;;) {
        uint64_t taken = atomic_load_explicit(&crew->taken, memory_order_relaxed);
        piece = free_piece(taken, piece, crew->count);
        if (piece == crew->count) return;
        uint64_t bit = (uint64_t)1 << piece;
        if ((atomic_fetch_or_explicit(&crew->taken, bit, memory_order_relaxed) & bit) == 0)
            crew->piece(crew->context, piece);
    }
}

/* ---- leader and helpers ------------------------------------------------------------------------------ */

/* A helper says that it is inside before it looks whether the job is still open; the leader closes the job before it looks
 * whether somebody is inside. So one of the two sees the other (both in one order for all threads). */
static void help(struct crew *crew, int thread) {
    unsigned done = 0;
    for (int looks = 0; !atomic_load_explicit(&crew->over, memory_order_acquire); looks++) {
        unsigned job = atomic_load_explicit(&crew->job, memory_order_acquire);
        if (job % 2 == 0 || job == done) {
            wait_a_little(looks);
            continue;
        }
        atomic_fetch_add(&crew->inside, 1);
        if (atomic_load(&crew->job) == job) do_pieces(crew, thread);
        atomic_fetch_sub(&crew->inside, 1);
        done = job;
        looks = 0;
    }
}

void crew_do(struct crew *crew, size_t count, crew_piece *piece, void *context) {
    assert(count <= CREW_PIECES_MOST);
    if (crew == NULL || count < 2) {
        for (size_t k = 0; k < count; k++) piece(context, k);
        return;
    }
    crew->piece = piece;
    crew->context = context;
    crew->count = count;
    uint64_t none = count < CREW_PIECES_MOST ? UINT64_MAX << count : 0;
    atomic_store_explicit(&crew->taken, none, memory_order_relaxed);
    atomic_fetch_add(&crew->job, 1);
    do_pieces(crew, 0);
    atomic_fetch_add(&crew->job, 1);
    for (int looks = 0; atomic_load(&crew->inside) > 0; looks++) wait_a_little(looks);
}

void crew_work(int threads, crew_lead *lead, void *context) {
#if defined(_OPENMP)
    if (threads > 1) {
        struct crew crew = {.threads = 1};
#pragma omp parallel num_threads(threads)
        {
            if (omp_get_thread_num() == 0) {
                crew.threads = omp_get_num_threads();
                lead(crew.threads > 1 ? &crew : NULL, context);
                atomic_store_explicit(&crew.over, true, memory_order_release);
            } else {
                help(&crew, omp_get_thread_num());
            }
        }
        return;
    }
#endif
    (void)threads;
    lead(NULL, context);
}
