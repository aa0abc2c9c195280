/* SPDX-License-Identifier: Apache-2.0
 *
 * What the inner loops of the batched sweep have in common: bodies turned from rows into lanes and back, sums over lanes,
 * one version of a loop for each width of the machine's vectors. Only for batch_kernel.c, batch_laws.c, batch_skew.c.
 */
#ifndef SOLVE_BATCH_LANES_H
#define SOLVE_BATCH_LANES_H

#include <math.h>
#include <string.h>

#include "base/inlining.h"
#include "math/four.h"
#include "solve/batch.h"

/* In two halves, each a vector of AVX-512: what passes from loop to loop need not go through memory. */
#define LANES                                                        \
    _Pragma("GCC unroll 2") for (int h = 0; h < BATCH_LANES; h += 8) \
        _Pragma("omp simd") for (int l = h; l < h + 8; l++)
#define LINE 64 /* bytes of a line of cache */

/* Bodies, one in each lane; numbers in the order of struct solve_body. */
struct lane_bodies {
    double number[8][BATCH_LANES];
};
enum { SLIDE = 0, INVERSE_MASS = 3, TURN = 4, INVERSE_INERTIA = 7 };

struct lane_sums {
    double impulse[BATCH_LANES], change2[BATCH_LANES], turn[BATCH_LANES], growth[BATCH_LANES];
    double unmet[BATCH_LANES];
};

/* ---- rows into lanes and back ------------------------------------------------------------------- */

/* Rows of eight numbers, which are all aligned to a line of cache. */
IN_LOOP void load(const void *rows, const int32_t *index, struct lane_bodies *to, bool widest) {
    const double *first_row = rows;
    for (int first = 0; widest && first < BATCH_LANES; first += 8) {
        eight from[8], lanes[8];
        for (int l = 0; l < 8; l++) from[l] = EIGHT_OF(first_row + 8 * index[first + l]);
        eight_transpose_all(from, lanes);
        for (int k = 0; k < 8; k++) EIGHT(&to->number[k][first]) = lanes[k];
    }
    if (widest) return;
    for (int first = 0; first < BATCH_LANES; first += 4)
        for (int half = 0; half < 8; half += 4) {
            four from[4], lanes[4];
            for (int l = 0; l < 4; l++) from[l] = FOUR_OF(first_row + 8 * index[first + l] + half);
            four_transpose(from, lanes);
            for (int k = 0; k < 4; k++) FOUR(&to->number[half + k][first]) = lanes[k];
        }
}

IN_LOOP void store(struct solve_body *rows, const int32_t *index, const struct lane_bodies *from,
                   bool widest) {
    for (int first = 0; widest && first < BATCH_LANES; first += 8) {
        eight lanes[8], to[8];
        for (int k = 0; k < 8; k++) lanes[k] = EIGHT_OF(&from->number[k][first]);
        eight_transpose_all(lanes, to);
        for (int l = 0; l < 8; l++) EIGHT(&rows[index[first + l]]) = to[l];
    }
    if (widest) return;
    for (int first = 0; first < BATCH_LANES; first += 4)
        for (int half = 0; half < 8; half += 4) {
            four lanes[4], to[4];
            for (int k = 0; k < 4; k++) lanes[k] = FOUR_OF(&from->number[half + k][first]);
            four_transpose(lanes, to);
            for (int l = 0; l < 4; l++) FOUR((double *)&rows[index[first + l]] + half) = to[l];
        }
}

IN_LOOP void prefetch_rows(const void *rows, const int32_t *index) {
    const double *first_row = rows;
    for (int l = 0; l < BATCH_LANES; l++) PREFETCH_TO_WRITE(first_row + 8 * index[l]);
}

/* ---- choices --------------------------------------------------------------------------------------- */

/* The lanes whose flag is 1, one bit each; of those with 2^16 or 2^32 in it, further bits. A sum of powers of two, because compilers
 * know how to add lanes up. */
IN_LOOP uint64_t lanes_with(const double flags[BATCH_LANES]) {
    static const double bits[BATCH_LANES] = {0x1p0,  0x1p1,  0x1p2,  0x1p3, 0x1p4,  0x1p5,
                                             0x1p6,  0x1p7,  0x1p8,  0x1p9, 0x1p10, 0x1p11,
                                             0x1p12, 0x1p13, 0x1p14, 0x1p15};
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int l = 0; l < BATCH_LANES; l++) sum += flags[l] * bits[l];
    return (uint64_t)sum;
}

/* ---- impulses ------------------------------------------------------------------------------------ */

/* Where the visit begins: with momentum the impulses have been moved on, and so have the velocities. */
IN_LOOP void begin(double (*impulse)[BATCH_LANES], double (*start)[BATCH_LANES], int components) {
    for (int k = 0; k < components; k++) LANES start[k][l] = impulse[k][l];
}

IN_LOOP void begin_moved(double (*impulse)[BATCH_LANES], double (*last)[BATCH_LANES], double beta,
                         double (*start)[BATCH_LANES], int components) {
    for (int k = 0; k < components; k++) LANES {
            double now = impulse[k][l];
            start[k][l] = now + beta * (now - last[k][l]);
            last[k][l] = now;
        }
}

/* ---- sums ---------------------------------------------------------------------------------------- */

IN_LOOP double add_up(const double lanes[BATCH_LANES]) {
    double sum = 0.0;
    for (int l = 0; l < BATCH_LANES; l++) sum += lanes[l];
    return sum;
}

IN_LOOP struct batch_sums add_up_all(const struct lane_sums *sums) {
    return (struct batch_sums){add_up(sums->impulse), add_up(sums->change2), add_up(sums->turn),
                               add_up(sums->growth), add_up(sums->unmet)};
}

/* ---- versions ------------------------------------------------------------------------------------- */

/* `run` of the file for all that can be asked for; `name` chooses. */
#define VERSIONS(suffix, watch)                                                          \
    WIDEST static struct batch_sums widest_##suffix(const struct batches *batches,       \
                                                    const struct batch_order *order,     \
                                                    const struct batch_rule *rule) {     \
        return run(batches, order, watch, rule, true);                                   \
    }                                                                                    \
    WIDE_OR_LESS static struct batch_sums wide_##suffix(const struct batches *batches,   \
                                                        const struct batch_order *order, \
                                                        const struct batch_rule *rule) { \
        return run(batches, order, watch, rule, false);                                  \
    }
#define ALL_VERSIONS(name)                                                                   \
    VERSIONS(plain, BATCH_PLAIN)                                                             \
    VERSIONS(watch, BATCH_WATCH)                                                             \
    VERSIONS(history, BATCH_HISTORY)                                                         \
    struct batch_sums name(const struct batches *batches, const struct batch_order *order,   \
                           enum batch_watch watch, const struct batch_rule *rule) {          \
        bool widest = HAS_WIDEST;                                                            \
        switch (watch) {                                                                     \
        case BATCH_PLAIN: return (widest ? widest_plain : wide_plain)(batches, order, rule); \
        case BATCH_WATCH: return (widest ? widest_watch : wide_watch)(batches, order, rule); \
        case BATCH_HISTORY: break;                                                           \
        }                                                                                    \
        return (widest ? widest_history : wide_history)(batches, order, rule);               \
    }

#endif
