/* SPDX-License-Identifier: Apache-2.0
 *
 * The batched sweep: contacts that have no body in common are solved sixteen at a time.
 *
 * Plain contacts stand in batches of sixteen lanes, made once for a problem; bodies in rows, in the order in which the
 * contacts meet them, so that contacts sorted in space find their bodies near each other. All other contacts
 * (torques, shapes, free walls) are visited one by one.
 *
 * Sets. Rows are cut into parts. The contacts inside a part are a set, and so are those between two parts; sets that have
 * no part in common get the same colour and can be worked on at the same time. The sets do not depend on
 * the number of threads, and neither do the bits. Bodies that no impulse moves belong to no part: each set has
 * its own copies. Bodies with very many contacts (drums, pistons) would tie all sets together: what touches them is the
 * last set.
 *
 * Order. Windows of a set come one after the other, the batches of a window in an order drawn anew for each sweep. Inside a
 * batch there is no order, which is why nothing is lost: contacts without a common body do not know of each
 * other. So the batched sweep is one of the random sweeps of [Unger2002], restricted to windows.
 */
#ifndef SOLVE_BATCH_H
#define SOLVE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "solve/problem.h"

enum {
    BATCH_LANES = 16,      /* two vectors of AVX-512: twice the work between two that wait */
    BATCH_WINDOW = 1024,   /* contacts */
    BATCH_PART = 8192,     /* contacts in a part, about */
    BATCH_PARTS_MOST = 64, /* a word of bits */
    BATCH_HUB = 256        /* contacts of a body that goes to the last set */
};

/* As large as 26 lines of cache, and placed so. */
struct batch {
    int32_t a[BATCH_LANES], b[BATCH_LANES]; /* rows; of empty lanes one that nothing moves, twice */
    double normal[3][BATCH_LANES], arm_a[BATCH_LANES], arm_b[BATCH_LANES];
    double m_n[BATCH_LANES], m_t[BATCH_LANES], bias[BATCH_LANES], mu[BATCH_LANES];
    double impulse[3][BATCH_LANES];
};

struct batch_history { /* for momentum: impulses after the sweep before */
    double last[3][BATCH_LANES];
};

/* Of one sweep over a set. */
struct batch_sums {
    double impulse, change2, turn; /* as in struct sweep_change */
    double unmet;                  /* contacts that miss the local rule */
};

struct batch_set {
    size_t first_window, last_window;
    size_t first_single, last_single;
    int32_t empty_row; /* and those after it: for its empty lanes */
    struct batch_sums sums;
};

struct batch_single { /* a contact that is visited for itself */
    talus_index contact;
    int32_t a, b; /* rows */
};

/* What is known of a body while the batches are made. */
enum { BATCH_WINDOW_BATCHES = 128 };
struct batch_body {
    int32_t row;    /* -1: no contact has met it yet */
    int32_t degree; /* contacts */
    int32_t set;    /* of a body that does not move: `row` is its copy in this set */
    bool moves;
    size_t window;                             /* for which this is said: */
    uint64_t taken[BATCH_WINDOW_BATCHES / 64]; /* batches in which it is */
};

/* Sets while they are found: one for each pair of parts p <= q, at p BATCH_PARTS_MOST + q. */
enum { BATCH_KEYS = BATCH_PARTS_MOST * BATCH_PARTS_MOST };
struct pairs_of_parts {
    int32_t set[BATCH_KEYS]; /* -1: no contact */
    int32_t colour[BATCH_KEYS];
    uint64_t busy[BATCH_KEYS]; /* of each colour: the parts that it has */
    int32_t colours;
};

/* Orders are drawn by a generator of their own [Steele2014]: with random.h that takes as long as the sweep. */
static inline uint64_t batch_word(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline size_t batch_below(uint64_t *state, size_t bound) {
    return (size_t)(((batch_word(state) >> 32) * (uint64_t)bound) >> 32);
}

/* Sweep 0 is the making of the batches. */
static inline uint64_t batch_seed(uint64_t seed, uint64_t sweep, uint64_t window) {
    uint64_t state = seed + 0xd6e8feb86659fd93u * sweep;
    state = batch_word(&state) + 0xa0761d6478bd642fu * window;
    return batch_word(&state);
}

/* All arrays grow in batches_make only. */
struct batches {
    struct memory *memory;
    struct solve_body *rows, *row_room, *last_rows;
    talus_index *body_of;           /* of each row; -1: an empty lane's */
    size_t row_count, moving_count; /* all; those of bodies that move, the first ones */
    size_t row_capacity, last_row_capacity, body_of_capacity;
    struct batch *batches, *batch_room;
    struct batch_history *history;
    talus_index *contact_of; /* of each lane of each batch; -1: empty */
    size_t batch_count, batch_capacity, history_capacity, contact_of_capacity;
    size_t *window_first; /* batch at which each window begins, and one more */
    size_t window_count, window_capacity;
    struct batch_set *sets;
    size_t set_count, set_capacity;
    size_t *colour_first; /* set at which each colour begins, and one more */
    size_t colour_count, colour_capacity;
    struct batch_single *singles;
    size_t single_count, single_capacity;
    uint64_t seed;    /* of all orders in this problem */
    bool has_history; /* last_rows and history are those of this problem */
    double beta;      /* of the momentum that impulses do not have yet; velocities do */
    /* scratch while they are made */
    struct batch_body *bodies;
    struct pairs_of_parts *pairs;
    int32_t *set_of, *row_a, *row_b; /* of each contact */
    talus_index *sorted;             /* contacts by set */
    size_t *set_first;               /* in `sorted` */
    size_t body_capacity, pair_capacity, set_of_capacity, row_a_capacity, row_b_capacity;
    size_t sorted_capacity, set_first_capacity;
};

/* From the contacts of a problem, which should stand in the order of space; false: no memory. */
bool batches_make(struct batches *batches, const struct problem *problem, bool with_history,
                  uint64_t seed);

/* batch_memory.c */
void batches_free(struct batches *batches);
/* Impulses and velocities from the problem, and back to it. */
void batches_load(struct batches *batches, const struct problem *problem);
void batches_store(const struct batches *batches, struct problem *problem);
/* Room for what batches_make finds out, step by step; false: no memory. */
bool batches_reserve(struct batches *batches, const struct problem *problem);
bool batches_reserve_colours(struct batches *batches, size_t count);
bool batches_reserve_sets(struct batches *batches, size_t count);
bool batches_reserve_rows(struct batches *batches, size_t more, bool with_history);
bool batches_reserve_records(struct batches *batches, bool with_history);

/* batch_kernel.c: the batches of a window in the order given. */
enum batch_watch { BATCH_PLAIN, BATCH_WATCH, BATCH_HISTORY };
struct batch_rule { /* what counts as a change, see the local rule */
    double tolerance, cutoff, beta;
};
struct batch_sums batch_solve(const struct batches *batches, const uint32_t *order, size_t count,
                              enum batch_watch watch, const struct batch_rule *rule);

#endif
