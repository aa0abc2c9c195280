/* SPDX-License-Identifier: Apache-2.0
 * Functions that must become part of the loop that calls them: passing vectors through memory costs more
 * than the work they do. */
#ifndef BASE_INLINING_H
#define BASE_INLINING_H

#if defined(__GNUC__)
#define IN_LOOP static inline __attribute__((always_inline))
#else
#define IN_LOOP static inline
#endif

#endif
