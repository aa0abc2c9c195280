/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that help one another with work that comes in pieces.
 *
 * One thread leads and runs the program; the others wait until it has a job that can be cut into pieces, take
 * pieces as long as there are any, and wait again. The leader does not wait for helpers, only for pieces that one of
 * them has begun: on a machine with other work to do, a helper that gets no processor holds nobody up. Threads of the
 * compiler's OpenMP meet at barriers, where all wait for the last, and spin for milliseconds before they give
 * way. These give way after microseconds.
 *
 * Which thread does which piece is left to chance; results must not depend on it.
 */
#ifndef BASE_CREW_H
#define BASE_CREW_H

#include <stddef.h>

struct crew;

enum { CREW_PIECES_MOST = 64 }; /* a word of bits */

/* Call `lead` with as many helpers as there are threads beside it; they go when it returns. */
typedef void crew_lead(struct crew *crew, void *context);
void crew_work(int threads, crew_lead *lead, void *context);

/* All pieces from 0 to count - 1, each once, by whoever is free; for the leader. Without a crew (NULL) in order. A thread
 * begins with the pieces that it had in the last job of as many, which are in its cache. */
typedef void crew_piece(void *context, size_t piece);
void crew_do(struct crew *crew, size_t count, crew_piece *piece, void *context);

#endif
