/* SPDX-License-Identifier: Apache-2.0
 *
 * Islands: contacts that hang together through bodies which an impulse can move. What happens in one island is not felt in
 * another, so each is a problem of its own, with its own numbers of sweeps, momentum and stop. Fixed walls, and
 * walls with a prescribed motion, connect nothing; a free piston does.
 *
 * The contacts of each island are kept together in a copy, with bodies numbered anew, so that a small island is a small
 * problem. Bodies that nothing moves have a copy in each island. docs/theory/sweeps.md
 */
#ifndef SOLVE_ISLANDS_H
#define SOLVE_ISLANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "solve/problem.h"

struct island { /* ranges of the copies */
    size_t first_contact, contact_count;
    size_t first_body, body_count;
    size_t general_count, combined_count;
    talus_index identity; /* its first contact in the problem */
    int32_t batches;      /* its own, of islands that are swept in batches; -1: one by one */
    double q_norm;
};

struct island_body {
    int32_t parent; /* of the forest that joins bodies; itself: a root */
    int32_t island; /* of a root, then of each body: for which `row` is; -1: none yet */
    int32_t row;    /* in the copy of that island */
    bool moves, met;
};

/* All arrays grow in islands_find and islands_copy only. */
struct islands {
    size_t count;
    struct island *list; /* in the order of their first contacts */
    struct island_body *nodes;
    int32_t *island_of;      /* of each contact of the problem */
    talus_index *contact_of; /* of each contact of the copy: in the problem */
    struct solve_contact *contacts;
    talus_index *body_of; /* of each body of the copy: in the problem; ~i: one that does not move */
    struct solve_body *bodies;
    vec3 *positions; /* of the same, if the problem has them */
    size_t body_count;
    size_t list_capacity, node_capacity, island_of_capacity, contact_of_capacity, contact_capacity;
    size_t body_of_capacity, body_capacity, position_capacity;
};

/* Room for whatever these contacts may fall apart into; false: no memory. */
bool islands_reserve(struct islands *islands, struct memory *memory, size_t contacts);
/* Which islands there are: count and, if there is more than one, list and island_of; false: no memory. */
bool islands_find(struct islands *islands, struct memory *memory, const struct problem *problem);
/* One of them has 19 of 20 contacts. In a number of sweeps that is fixed nothing is gained by solving the others for
 * themselves, but copies are made. */
bool islands_are_nearly_one(const struct islands *islands);
/* With free velocities in the bodies: the copies, with norms also each island's own ||q||; false: no memory. */
bool islands_copy(struct islands *islands, struct memory *memory, const struct problem *problem,
                  bool with_norms);
/* The contacts of an island in the copy in an order of their own. */
void island_shuffle(struct islands *islands, const struct island *island, uint64_t seed);
void islands_free(struct islands *islands, struct memory *memory);

/* An island as a problem. Laws and mobilities are those of the whole problem, by the same indices. */
struct problem island_problem(const struct islands *islands, const struct problem *whole,
                              const struct island *island);
/* Impulses and velocities from the whole problem, and back to it. */
void island_load(struct islands *islands, const struct problem *whole, const struct island *island);
void island_store(const struct islands *islands, struct problem *whole,
                  const struct island *island);

#endif
