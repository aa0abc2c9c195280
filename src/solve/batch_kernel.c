/* SPDX-License-Identifier: Apache-2.0
 *
 * The inner loop of the batched sweep: law/coulomb.h for sixteen contacts at once. Operations and their order are those
 * of one contact after the other (sweep.c), so the bits are the same, whatever the width of the machine's vectors.
 */
#include "solve/batch_lanes.h"

/* ---- the law ------------------------------------------------------------------------------------- */

/* Impulses before and after the visit. */
struct lane_impulses {
    double start[3][BATCH_LANES], solved[3][BATCH_LANES];
};

struct tested { /* before friction has had its say */
    double trial_n[BATCH_LANES], trial_t[3][BATCH_LANES], square[BATCH_LANES], limit[BATCH_LANES];
};

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

/* [Unger2003, eq. 34]. The widest vectors have roots and quotients sooner than a branch that was guessed wrong is mended. */
IN_LOOP void solve(const struct batch *batch, const struct tested *tested, struct lane_impulses *p,
                   bool widest) {
    double scale[BATCH_LANES], slides = 0.0;
#pragma omp simd reduction(+ : slides)
    for (int l = 0; l < BATCH_LANES; l++) {
        double limit = tested->limit[l];
        scale[l] = 1.0;
        slides += tested->square[l] > limit * limit ? 1.0 : 0.0;
    }
    if (widest || slides > 0.0) LANES {
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

IN_LOOP void watch_sizes(const struct lane_impulses *p, const struct batch_rule *rule,
                         struct lane_sums *sums) {
    LANES {
        double x = p->solved[0][l], y = p->solved[1][l], z = p->solved[2][l];
        double dx = x - p->start[0][l], dy = y - p->start[1][l], dz = z - p->start[2][l];
        double size = sqrt(x * x + y * y + z * z), change2 = dx * dx + dy * dy + dz * dz;
        double allowed = rule->tolerance * size + rule->cutoff;
        sums->impulse[l] += size;
        sums->unmet[l] += change2 > allowed * allowed ? 1.0 : 0.0;
    }
}

IN_LOOP void watch_lanes(const struct batch_history *history, const struct lane_impulses *p,
                         struct lane_sums *sums, enum batch_watch watch) {
    LANES {
        double x = p->solved[0][l], y = p->solved[1][l], z = p->solved[2][l];
        double dx = x - p->start[0][l], dy = y - p->start[1][l], dz = z - p->start[2][l];
        sums->change2[l] += dx * dx + dy * dy + dz * dz;
        if (watch != BATCH_HISTORY) continue;
        /* how far the sweep works against the last one */
        sums->turn[l] -= dx * (x - history->last[0][l]) + dy * (y - history->last[1][l]) +
                         dz * (z - history->last[2][l]);
        sums->growth[l] += x * dx + y * dy + z * dz;
    }
}

/* ---- the loop ------------------------------------------------------------------------------------ */

/* An order drawn at random is beyond the foresight of the processor. */
IN_LOOP void prefetch(const struct batches *batches, size_t at) {
    const struct batch *batch = &batches->batches[at];
    for (size_t line = 0; line < sizeof *batch; line += LINE)
        PREFETCH_TO_WRITE((const char *)batch + line);
}

IN_LOOP struct batch_sums run(const struct batches *batches, const struct batch_order *order,
                              enum batch_watch watch, const struct batch_rule *rule, bool widest) {
    struct lane_sums sums;
    memset(&sums, 0, sizeof sums);
    for (size_t k = 0; k < order->count; k++) {
        struct batch *batch = &batches->batches[order->record[k]];
        struct batch_history *history =
            watch == BATCH_HISTORY ? &batches->history[order->record[k]] : NULL;
        struct lane_bodies a, b;
        struct lane_impulses p;
        struct tested tested;
        if (k + 2 < order->known) prefetch(batches, order->record[k + 2]);
        if (k + 1 < order->known) {
            const struct batch *next = &batches->batches[order->record[k + 1]];
            prefetch_rows(batches->rows, next->a);
            prefetch_rows(batches->rows, next->b);
        }
        load(batches->rows, batch->a, &a, widest);
        load(batches->rows, batch->b, &b, widest);
        if (watch == BATCH_HISTORY)
            begin_moved(batch->impulse, history->last, rule->beta, p.start, 3);
        else
            begin(batch->impulse, p.start, 3);
        test(batch, &a, &b, &p, &tested);
        solve(batch, &tested, &p, widest);
        apply(batch, &p, &a, &b);
        store(batches->rows, batch->a, &a, widest);
        store(batches->rows, batch->b, &b, widest);
        memcpy(batch->impulse, p.solved, sizeof batch->impulse);
        if (watch != BATCH_PLAIN) watch_lanes(history, &p, &sums, watch);
        if (watch != BATCH_PLAIN && rule->sizes) watch_sizes(&p, rule, &sums);
    }
    return add_up_all(&sums);
}

ALL_VERSIONS(batch_solve)
