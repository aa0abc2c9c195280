/* SPDX-License-Identifier: Apache-2.0
 * Functions that must become part of the loop that calls them, because passing vectors through memory costs more
 * than the work they do; and functions that come in several versions. */
#ifndef BASE_INLINING_H
#define BASE_INLINING_H

#if defined(__GNUC__)
#define IN_LOOP static inline __attribute__((always_inline))
/* What will be needed soon, or changed. */
#define PREFETCH(address) __builtin_prefetch((address), 0)
#define PREFETCH_TO_WRITE(address) __builtin_prefetch((address), 1)
#else
#define IN_LOOP static inline
#define PREFETCH(address) ((void)(address))
#define PREFETCH_TO_WRITE(address) ((void)(address))
#endif

/* A function in one version for each vector width, chosen when the program starts. Operations and their order are the
 * same in all of them, so the bits are. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
/* The same for functions that have a version of their own for the widest vectors. */
#define WIDE_OR_LESS __attribute__((target_clones("avx2", "default")))
#define WIDEST __attribute__((target("avx512f")))
#define HAS_WIDEST __builtin_cpu_supports("avx512f")
#else
#define WIDE
#define WIDE_OR_LESS
#define WIDEST
#define HAS_WIDEST false
#endif

#endif
