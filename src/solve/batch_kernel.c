/* SPDX-License-Identifier: Apache-2.0
 *
 * The inner loop of the batched sweep: law/coulomb.h for eight contacts at once. Operations and their order are those
 * of one contact after the other (sweep.c), so the bits are the same, whatever the width of the machine's vectors.
 */
#include <math.h>
#include <string.h>

#include "base/inlining.h"
#include "math/four.h"
#include "solve/batch.h"

#define LANES _Pragma("omp simd") for (int l = 0; l < BATCH_LANES; l++)
#define LINE 64 /* bytes of a line of cache */

/* Eight bodies, one in each lane; numbers in the order of struct solve_body. */
struct lane_bodies {
    double number[8][BATCH_LANES];
};
enum { SLIDE = 0, INVERSE_MASS = 3, TURN = 4, INVERSE_INERTIA = 7 };

struct lane_sums {
    double impulse[BATCH_LANES], change2[BATCH_LANES], turn[BATCH_LANES], unmet[BATCH_LANES];
};

/* ---- rows into lanes and back ------------------------------------------------------------------- */

IN_LOOP void load(const struct solve_body *rows, const int32_t *index, struct lane_bodies *to,
                  bool widest) {
    for (int first = 0; widest && first < BATCH_LANES; first += 8) {
        eight from[8], lanes[8];
        for (int l = 0; l < 8; l++) from[l] = EIGHT_OF(&rows[index[first + l]]);
        eight_transpose_all(from, lanes);
        for (int k = 0; k < 8; k++) EIGHT(&to->number[k][first]) = lanes[k];
    }
    if (widest) return;
    for (int first = 0; first < BATCH_LANES; first += 4)
        for (int half = 0; half < 8; half += 4) {
            four from[4], lanes[4];
            for (int l = 0; l < 4; l++)
                from[l] = FOUR_OF((const double *)&rows[index[first + l]] + half);
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

/* ---- the law ------------------------------------------------------------------------------------- */

/* Impulses before and after the visit. */
struct lane_impulses {
    double start[3][BATCH_LANES], solved[3][BATCH_LANES];
};

struct tested { /* before friction has had its say */
    double trial_n[BATCH_LANES], trial_t[3][BATCH_LANES], square[BATCH_LANES], limit[BATCH_LANES];
};

/* Where the visit begins: with momentum the impulses have been moved on, and so have the velocities. */
IN_LOOP void begin(const struct batch *batch, struct batch_history *history, double beta,
                   struct lane_impulses *p, bool moved) {
    for (int k = 0; k < 3; k++) LANES {
            double now = batch->impulse[k][l];
            if (moved) {
                p->start[k][l] = now + beta * (now - history->last[k][l]);
                history->last[k][l] = now;
            } else {
                p->start[k][l] = now;
            }
        }
}

/* [Unger2003, eqs. 23, 28] */
IN_LOOP void test(const struct batch *batch, const struct lane_bodies *a,
                  const struct lane_bodies *b, const struct lane_impulses *p, struct tested *to) {
    LANES {
        double nx = batch->normal[0][l], ny = batch->normal[1][l], nz = batch->normal[2][l];
        double arm_a = batch->arm_a[l], arm_b = batch->arm_b[l];
        double tx = arm_a * a->number[TURN][l] + arm_b * b->number[TURN][l];
        double ty = arm_a * a->number[TURN + 1][l] + arm_b * b->number[TURN + 1][l];
        double tz = arm_a * a->number[TURN + 2][l] + arm_b * b->number[TURN + 2][l];
        double vx = b->number[SLIDE][l] - a->number[SLIDE][l] + (ny * tz - nz * ty);
        double vy = b->number[SLIDE + 1][l] - a->number[SLIDE + 1][l] + (nz * tx - nx * tz);
        double vz = b->number[SLIDE + 2][l] - a->number[SLIDE + 2][l] + (nx * ty - ny * tx);
        double px = p->start[0][l], py = p->start[1][l], pz = p->start[2][l];
        double velocity_n = vx * nx + vy * ny + vz * nz, m_t = batch->m_t[l];
        double impulse_n = px * nx + py * ny + pz * nz;
        double trial_n = impulse_n - batch->m_n[l] * (velocity_n + batch->bias[l]);
        double qx = px - impulse_n * nx - m_t * (vx - velocity_n * nx);
        double qy = py - impulse_n * ny - m_t * (vy - velocity_n * ny);
        double qz = pz - impulse_n * nz - m_t * (vz - velocity_n * nz);
        to->trial_n[l] = trial_n;
        to->trial_t[0][l] = qx;
        to->trial_t[1][l] = qy;
        to->trial_t[2][l] = qz;
        to->square[l] = qx * qx + qy * qy + qz * qz;
        to->limit[l] = batch->mu[l] * trial_n;
    }
}

/* [Unger2003, eq. 34] */
IN_LOOP void solve(const struct batch *batch, const struct tested *tested,
                   struct lane_impulses *p) {
    double scale[BATCH_LANES], slides = 0.0;
#pragma omp simd reduction(+ : slides)
    for (int l = 0; l < BATCH_LANES; l++) {
        double limit = tested->limit[l];
        scale[l] = 1.0;
        slides += tested->square[l] > limit * limit ? 1.0 : 0.0;
    }
    if (slides > 0.0) LANES {
            double limit = tested->limit[l], cut = limit / sqrt(tested->square[l]);
            scale[l] = tested->square[l] > limit * limit ? cut : 1.0;
        }
    for (int k = 0; k < 3; k++) LANES {
            double n = batch->normal[k][l], trial_n = tested->trial_n[l];
            double solved = trial_n * n + scale[l] * tested->trial_t[k][l];
            p->solved[k][l] = trial_n > 0.0 ? solved : 0.0;
        }
}

IN_LOOP void apply(const struct batch *batch, const struct lane_impulses *p, struct lane_bodies *a,
                   struct lane_bodies *b) {
    LANES {
        double nx = batch->normal[0][l], ny = batch->normal[1][l], nz = batch->normal[2][l];
        double dx = p->solved[0][l] - p->start[0][l], dy = p->solved[1][l] - p->start[1][l];
        double dz = p->solved[2][l] - p->start[2][l];
        double mx = ny * dz - nz * dy, my = nz * dx - nx * dz, mz = nx * dy - ny * dx;
        double m_a = a->number[INVERSE_MASS][l], m_b = b->number[INVERSE_MASS][l];
        double i_a = batch->arm_a[l] * a->number[INVERSE_INERTIA][l];
        double i_b = batch->arm_b[l] * b->number[INVERSE_INERTIA][l];
        a->number[SLIDE][l] = a->number[SLIDE][l] - m_a * dx;
        a->number[SLIDE + 1][l] = a->number[SLIDE + 1][l] - m_a * dy;
        a->number[SLIDE + 2][l] = a->number[SLIDE + 2][l] - m_a * dz;
        b->number[SLIDE][l] = b->number[SLIDE][l] + m_b * dx;
        b->number[SLIDE + 1][l] = b->number[SLIDE + 1][l] + m_b * dy;
        b->number[SLIDE + 2][l] = b->number[SLIDE + 2][l] + m_b * dz;
        a->number[TURN][l] = a->number[TURN][l] - i_a * mx;
        a->number[TURN + 1][l] = a->number[TURN + 1][l] - i_a * my;
        a->number[TURN + 2][l] = a->number[TURN + 2][l] - i_a * mz;
        b->number[TURN][l] = b->number[TURN][l] - i_b * mx;
        b->number[TURN + 1][l] = b->number[TURN + 1][l] - i_b * my;
        b->number[TURN + 2][l] = b->number[TURN + 2][l] - i_b * mz;
    }
}

/* ---- what changed -------------------------------------------------------------------------------- */

IN_LOOP void watch_lanes(const struct batch_history *history, const struct lane_impulses *p,
                         const struct batch_rule *rule, struct lane_sums *sums,
                         enum batch_watch watch) {
    LANES {
        double x = p->solved[0][l], y = p->solved[1][l], z = p->solved[2][l];
        double dx = x - p->start[0][l], dy = y - p->start[1][l], dz = z - p->start[2][l];
        double size = sqrt(x * x + y * y + z * z), change2 = dx * dx + dy * dy + dz * dz;
        double allowed = rule->tolerance * size + rule->cutoff;
        sums->impulse[l] += size;
        sums->change2[l] += change2;
        sums->unmet[l] += change2 > allowed * allowed ? 1.0 : 0.0;
        if (watch == BATCH_HISTORY) /* how far the sweep works against the last one */
            sums->turn[l] -= dx * (x - history->last[0][l]) + dy * (y - history->last[1][l]) +
                             dz * (z - history->last[2][l]);
    }
}

IN_LOOP double add_up(const double lanes[BATCH_LANES]) {
    double sum = 0.0;
    for (int l = 0; l < BATCH_LANES; l++) sum += lanes[l];
    return sum;
}

/* ---- the loop ------------------------------------------------------------------------------------ */

enum { BATCHES_AHEAD = 1 };

/* An order drawn at random is beyond the foresight of the processor. */
IN_LOOP void prefetch(const struct batches *batches, size_t at) {
#if defined(__GNUC__)
    const struct batch *batch = &batches->batches[at];
    for (size_t line = 0; line < sizeof *batch; line += LINE)
        __builtin_prefetch((const char *)batch + line, 1);
#else
    (void)batches;
    (void)at;
#endif
}

IN_LOOP void prefetch_rows(const struct batches *batches, size_t at) {
#if defined(__GNUC__)
    const struct batch *batch = &batches->batches[at];
    for (int l = 0; l < BATCH_LANES; l++) {
        __builtin_prefetch(&batches->rows[batch->a[l]], 1);
        __builtin_prefetch(&batches->rows[batch->b[l]], 1);
    }
#else
    (void)batches;
    (void)at;
#endif
}

IN_LOOP struct batch_sums run(const struct batches *batches, const uint32_t *order, size_t count,
                              enum batch_watch watch, const struct batch_rule *rule, bool widest) {
    struct lane_sums sums;
    memset(&sums, 0, sizeof sums);
    for (size_t k = 0; k < count; k++) {
        struct batch *batch = &batches->batches[order[k]];
        struct batch_history *history = watch == BATCH_HISTORY ? &batches->history[order[k]] : NULL;
        struct lane_bodies a, b;
        struct lane_impulses p;
        struct tested tested;
        if (k + 2 * BATCHES_AHEAD < count) prefetch(batches, order[k + 2 * BATCHES_AHEAD]);
        if (k + BATCHES_AHEAD < count) prefetch_rows(batches, order[k + BATCHES_AHEAD]);
        load(batches->rows, batch->a, &a, widest);
        load(batches->rows, batch->b, &b, widest);
        begin(batch, history, rule->beta, &p, watch == BATCH_HISTORY);
        test(batch, &a, &b, &p, &tested);
        solve(batch, &tested, &p);
        apply(batch, &p, &a, &b);
        store(batches->rows, batch->a, &a, widest);
        store(batches->rows, batch->b, &b, widest);
        memcpy(batch->impulse, p.solved, sizeof batch->impulse);
        if (watch != BATCH_PLAIN) watch_lanes(history, &p, rule, &sums, watch);
    }
    return (struct batch_sums){add_up(sums.impulse), add_up(sums.change2), add_up(sums.turn),
                               add_up(sums.unmet)};
}

#define VERSIONS(suffix, watch)                                                              \
    WIDEST static struct batch_sums widest_##suffix(const struct batches *batches,           \
                                                    const uint32_t *order, size_t count,     \
                                                    const struct batch_rule *rule) {         \
        return run(batches, order, count, watch, rule, true);                                \
    }                                                                                        \
    WIDE_OR_LESS static struct batch_sums wide_##suffix(const struct batches *batches,       \
                                                        const uint32_t *order, size_t count, \
                                                        const struct batch_rule *rule) {     \
        return run(batches, order, count, watch, rule, false);                               \
    }
VERSIONS(plain, BATCH_PLAIN)
VERSIONS(watch, BATCH_WATCH)
VERSIONS(history, BATCH_HISTORY)

struct batch_sums batch_solve(const struct batches *batches, const uint32_t *order, size_t count,
                              enum batch_watch watch, const struct batch_rule *rule) {
    bool widest = HAS_WIDEST;
    switch (watch) {
    case BATCH_PLAIN: return (widest ? widest_plain : wide_plain)(batches, order, count, rule);
    case BATCH_WATCH: return (widest ? widest_watch : wide_watch)(batches, order, count, rule);
    case BATCH_HISTORY: break;
    }
    return (widest ? widest_history : wide_history)(batches, order, count, rule);
}
