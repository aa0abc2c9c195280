/* SPDX-License-Identifier: Apache-2.0
 *
 * The batched sweep: contacts that have no body in common are solved sixteen at a time.
 *
 * Contacts stand in batches of sixteen lanes, made once for a problem; bodies in rows, in the order in which the
 * contacts meet them, so that contacts sorted in space find their bodies near each other. There are batches of plain
 * contacts (batch_kernel.c), of contacts with torques or tension (batch_laws.c) and of those of shapes (batch_skew.c). The few
 * others (shapes with torques or tension, free walls, locked grains) are visited one by one.
 *
 * Sets. Rows are cut into parts. The contacts inside a part are a set, and so are those between two parts; sets that have
 * no part in common get the same colour and can be worked on at the same time. The sets do not depend on
 * the number of threads, and neither do the bits. Bodies that no impulse moves belong to no part: each set has
 * its own copies. Bodies with very many contacts (drums, pistons) would tie all sets together: what touches them is the
 * last set.
 *
 * Order. Windows of a set come one after the other, the batches of a window in an order drawn anew for each sweep or, with
 * momentum, for each solve. Inside a batch there is no order, which is why nothing is lost: contacts without a common
 * body do not know of each other. So the batched sweep is one of the random sweeps of [Unger2002], restricted to windows.
 *
 * Rest. Contacts that begin alike (without an impulse, sliding, resting) share batches as far as possible. A batch whose contacts
 * began without an impulse and have had none for some visits is left out of three sweeps in four, until one of them
 * closes. Sweeps that are judged, and the last ones, leave nobody out (solver.c), so no contact is ever missed.
 */
#ifndef SOLVE_BATCH_H
#define SOLVE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/crew.h"
#include "base/memory.h"
#include "solve/problem.h"

enum {
    BATCH_LANES = 16,    /* two vectors of AVX-512: twice the work between two that wait */
    BATCH_WINDOW = 1024, /* contacts */
    BATCH_WORTH = 512,   /* contacts: from here on batches are full; fewer are visited one by one */
    BATCH_PART = 4096,   /* contacts in a part, about */
    BATCH_PARTED = 2048, /* contacts: fewer are one part */
    BATCH_PARTS_MOST = 64, /* a word of bits */
    BATCH_HUB = 256,       /* contacts of a body that goes to the last set */
    BATCH_IDLE = 2,        /* visits without any impulse after which a batch rests */
    BATCH_REST = 4         /* sweeps from one visit of a batch that rests to the next */
};

/* Contacts of one kind share a batch. */
enum batch_kind {
    BATCH_COULOMB, /* plain */
    BATCH_LAWS,    /* with the combined law, bodies alike in all directions */
    BATCH_SKEW,    /* arms and inertia of any direction, plain friction */
    BATCH_KINDS,
    BATCH_SINGLE = BATCH_KINDS /* none of these: visited for itself */
};

/* Records are whole lines of cache, and placed so: this one 26. */
struct batch {
    int32_t a[BATCH_LANES], b[BATCH_LANES]; /* rows; of empty lanes one that nothing moves, twice */
    double normal[3][BATCH_LANES], arm_a[BATCH_LANES], arm_b[BATCH_LANES];
    double m_n[BATCH_LANES], m_t[BATCH_LANES], bias[BATCH_LANES], mu[BATCH_LANES];
    double impulse[3][BATCH_LANES];
};

/* 68 lines; the last ten are needed rarely. */
struct batch_laws {
    int32_t a[BATCH_LANES], b[BATCH_LANES];
    double normal[3][BATCH_LANES], tangent[3][BATCH_LANES], arm_a[BATCH_LANES], arm_b[BATCH_LANES];
    double m_n[BATCH_LANES], bias[BATCH_LANES], mu[BATCH_LANES], tension[BATCH_LANES];
    double rolling[BATCH_LANES], torsion[BATCH_LANES]; /* factors of the limits */
    double m_pp[BATCH_LANES], m_ps[BATCH_LANES], m_ss[BATCH_LANES], m_r[BATCH_LANES];
    double per_t[BATCH_LANES], per_r[BATCH_LANES], shift_t[BATCH_LANES], shift_s[BATCH_LANES];
    double impulse[6][BATCH_LANES]; /* force, torque */
    double w_t[BATCH_LANES], w_r[BATCH_LANES], kappa[BATCH_LANES];
    double rolling_size[BATCH_LANES], torsion_size[BATCH_LANES];
};

/* 52 lines. */
struct batch_skew {
    int32_t a[BATCH_LANES], b[BATCH_LANES];
    double normal[3][BATCH_LANES], tangent[3][BATCH_LANES];
    double arm_a[3][BATCH_LANES], arm_b[3][BATCH_LANES], bias[BATCH_LANES], mu[BATCH_LANES];
    double w_nn[BATCH_LANES], w_nt[BATCH_LANES], w_ns[BATCH_LANES], inverse_nn[BATCH_LANES];
    double s_tt[BATCH_LANES], s_ts[BATCH_LANES], s_ss[BATCH_LANES];
    double per_det[BATCH_LANES]; /* 1/det S; 0 where a tangential direction cannot move */
    double impulse[3][BATCH_LANES];
};

/* Of a body: its inverse inertia xx yy zz xy xz yz, a line of cache. */
struct batch_turn {
    double number[8];
};

struct batch_history { /* for momentum: impulses after the sweep before */
    double last[3][BATCH_LANES];
};

struct batch_laws_history {
    double last[6][BATCH_LANES];
};

struct batch_window {
    enum batch_kind kind;
    size_t record; /* of its first batch, among those of this kind */
    size_t open; /* batches, the first ones, in which no contact has an impulse at the beginning */
};

/* Of one sweep over a set. */
struct batch_sums {
    double impulse, change2, turn, growth; /* as in struct sweep_change */
    double unmet;                          /* contacts that miss the local rule */
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
enum { BATCH_WINDOW_BATCHES = 128, BATCH_UNKNOWN = -2 };
struct batch_body {
    int32_t row;    /* -1: no contact has met it yet */
    int32_t degree; /* contacts */
    int32_t set;    /* of a body that does not move: `row` is its copy in this set */
    int32_t turn;   /* its mobility in the general contacts; BATCH_UNKNOWN: in none yet */
    bool moves;
    bool is_mixed;                             /* not the same in all of them */
    size_t window;                             /* for which this is said: */
    uint64_t taken[BATCH_WINDOW_BATCHES / 64]; /* batches in which it is */
};

/* Sets while they are found: one for each pair of parts p <= q, at p BATCH_PARTS_MOST + q. */
enum { BATCH_KEYS = BATCH_PARTS_MOST * BATCH_PARTS_MOST };
struct pair_of_parts {
    int32_t key, contacts;
};
struct pairs_of_parts {
    struct pair_of_parts largest_first[BATCH_KEYS];
    int32_t set[BATCH_KEYS];
    int32_t colour[BATCH_KEYS]; /* -1: no contact */
    uint64_t busy[BATCH_KEYS];  /* of each colour: the parts that it has */
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
    struct batch_turn *turns, *turn_room; /* of each row, where the general contacts need them */
    size_t turn_capacity;
    /* Records of each kind. */
    struct batch *batches, *batch_room;
    struct batch_history *history;
    struct batch_laws *laws, *laws_room;
    struct batch_laws_history *laws_history;
    struct batch_skew *skew, *skew_room;
    struct batch_history *skew_history;
    size_t record_count[BATCH_KINDS];
    size_t batch_capacity, history_capacity, laws_capacity, laws_history_capacity;
    size_t skew_capacity, skew_history_capacity;
    /* Batches of all kinds, in the order of the windows. */
    talus_index *contact_of; /* of each lane of each batch; -1: empty */
    uint8_t *idle; /* of each batch: how many visits in a row left it without any impulse */
    size_t batch_count, contact_of_capacity, idle_capacity;
    size_t *window_first; /* batch at which each window begins, and one more */
    struct batch_window *windows;
    size_t window_count, window_capacity, window_kind_capacity;
    bool turns_alike; /* all bodies of general contacts turn alike about all axes */
    bool has_sizes;   /* limits of torques that grow with the size of the contact */
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

/* Of things that threads share alike, where the piece begins. */
enum { BATCH_PIECES = 16 };
static inline size_t batch_piece_begin(size_t count, size_t piece) {
    return count * piece / BATCH_PIECES;
}

/* batch_memory.c */
void batches_free(struct batches *batches);
/* Impulses and velocities from the problem, and back to it. */
void batches_load(struct batches *batches, const struct problem *problem, struct crew *crew);
void batches_store(struct batches *batches, struct problem *problem, struct crew *crew);
/* Room for what batches_make finds out, step by step; false: no memory. */
bool batches_reserve(struct batches *batches, const struct problem *problem);
bool batches_reserve_colours(struct batches *batches, size_t count);
bool batches_reserve_sets(struct batches *batches, size_t count);
bool batches_reserve_rows(struct batches *batches, size_t more, bool with_history, bool with_turns);
bool batches_reserve_records(struct batches *batches, bool with_history);

/* The impulses of a batch, and those after the sweep before: 3 rows of lanes, or 6 with torques. */
double (*batch_impulses(const struct batches *batches, enum batch_kind kind,
                        size_t record))[BATCH_LANES];
double (*batch_last(const struct batches *batches, enum batch_kind kind,
                    size_t record))[BATCH_LANES];

void batch_set_rows(struct batches *batches, enum batch_kind kind, size_t record, int lane,
                    const int32_t rows[2]);

/* batch_record.c: what a record says of a contact, or of none. */
void batch_fill_lane(struct batches *batches, const struct problem *problem,
                     const struct batch_window *window, size_t record, int lane, talus_index at);
void batch_empty_lane(struct batches *batches, const struct batch_window *window, size_t record,
                      int lane, int32_t row);

/* Batches of a window in the order of their visits, which counts the records of its kind; and the first ones of the next
 * window, so that they can be fetched in time. */
enum { BATCHES_AHEAD = 2 };
struct batch_order {
    uint32_t record[BATCH_WINDOW_BATCHES + BATCHES_AHEAD];
    size_t count, known; /* to be visited; those and the next ones */
};
enum batch_watch { BATCH_PLAIN, BATCH_WATCH, BATCH_HISTORY };
struct batch_rule { /* what counts as a change, see the local rule */
    double tolerance, cutoff, beta;
    bool
        sizes; /* of impulses are asked for; of plain contacts, where their roots would take a tenth of the time */
};
struct batch_sums batch_solve(const struct batches *batches, const struct batch_order *order,
                              enum batch_watch watch, const struct batch_rule *rule);
struct batch_sums batch_solve_laws(const struct batches *batches, const struct batch_order *order,
                                   enum batch_watch watch, const struct batch_rule *rule);
struct batch_sums batch_solve_skew(const struct batches *batches, const struct batch_order *order,
                                   enum batch_watch watch, const struct batch_rule *rule);

#endif
