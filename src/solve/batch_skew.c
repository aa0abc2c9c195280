/* SPDX-License-Identifier: Apache-2.0
 *
 * The inner loop of the batched sweep for contacts of shapes: law/cone.h for sixteen contacts at once, each in its own
 * frame. Open and sticking contacts are done in one go. If some slide, their multipliers are looked for in all lanes
 * together by the steps of cone.c; those few that have a singular W, or no first guess where there may be several roots, or a root that is
 * not found soon, are left to cone.c itself. The bits do not depend on the width of the machine's vectors.
 */
#include "law/cone.h"

#include "solve/batch_lanes.h"

/* Impulses before and after the visit. */
struct lane_impulses {
    double start[3][BATCH_LANES], solved[3][BATCH_LANES];
};

/* In the frame (n, t, s) of each contact. */
struct seen {
    double without[3][BATCH_LANES]; /* m/s, velocity without the own impulse, with the bias */
    double now[3][BATCH_LANES];     /* N s, the present impulse */
    double stuck[3][BATCH_LANES];   /* N s, the new one if it sticks or is open */
    double slides[BATCH_LANES];     /* 1: neither of both */
};

/* ---- open or sticking ------------------------------------------------------------------------------ */

/* As general_solve_cone in problem.c. */
IN_LOOP void look(const struct batch_skew *batch, const struct lane_bodies *a,
                  const struct lane_bodies *b, const struct lane_impulses *p, struct seen *to) {
    LANES {
        double nx = batch->normal[0][l], ny = batch->normal[1][l], nz = batch->normal[2][l];
        double tx = batch->tangent[0][l], ty = batch->tangent[1][l], tz = batch->tangent[2][l];
        double sx = ny * tz - nz * ty, sy = nz * tx - nx * tz, sz = nx * ty - ny * tx;
        double ax = batch->arm_a[0][l], ay = batch->arm_a[1][l], az = batch->arm_a[2][l];
        double bx = batch->arm_b[0][l], by = batch->arm_b[1][l], bz = batch->arm_b[2][l];
        double ox = a->number[TURN][l], oy = a->number[TURN + 1][l], oz = a->number[TURN + 2][l];
        double ux = b->number[TURN][l], uy = b->number[TURN + 1][l], uz = b->number[TURN + 2][l];
        double vx =
            b->number[SLIDE][l] + (uy * bz - uz * by) - (a->number[SLIDE][l] + (oy * az - oz * ay));
        double vy = b->number[SLIDE + 1][l] + (uz * bx - ux * bz) -
                    (a->number[SLIDE + 1][l] + (oz * ax - ox * az));
        double vz = b->number[SLIDE + 2][l] + (ux * by - uy * bx) -
                    (a->number[SLIDE + 2][l] + (ox * ay - oy * ax));
        double px = p->start[0][l], py = p->start[1][l], pz = p->start[2][l];
        double p_n = px * nx + py * ny + pz * nz, p_t = px * tx + py * ty + pz * tz;
        double p_s = px * sx + py * sy + pz * sz;
        double w_nt = batch->w_nt[l], w_ns = batch->w_ns[l], s_ts = batch->s_ts[l];
        double own_n = batch->w_nn[l] * p_n + w_nt * p_t + w_ns * p_s;
        double along = own_n * batch->inverse_nn[l];
        double own_t = w_nt * along + batch->s_tt[l] * p_t + s_ts * p_s;
        double own_s = w_ns * along + s_ts * p_t + batch->s_ss[l] * p_s;
        to->now[0][l] = p_n;
        to->now[1][l] = p_t;
        to->now[2][l] = p_s;
        to->without[0][l] = vx * nx + vy * ny + vz * nz + batch->bias[l] - own_n;
        to->without[1][l] = vx * tx + vy * ty + vz * tz - own_t;
        to->without[2][l] = vx * sx + vy * sy + vz * sz - own_s;
    }
}

/* cone_solve without its last case; true: some lanes are left to that. */
IN_LOOP bool stick(const struct batch_skew *batch, struct seen *seen) {
    LANES {
        double inverse_nn = batch->inverse_nn[l], per_det = batch->per_det[l];
        double s_ts = batch->s_ts[l];
        double w_nt = batch->w_nt[l], w_ns = batch->w_ns[l];
        double bare = -seen->without[0][l] * inverse_nn;
        double slip_t = seen->without[1][l] + w_nt * bare;
        double slip_s = seen->without[2][l] + w_ns * bare;
        double p_t = -per_det * (batch->s_ss[l] * slip_t - s_ts * slip_s);
        double p_s = -per_det * (batch->s_tt[l] * slip_s - s_ts * slip_t);
        double p_n = bare - (w_nt * p_t + w_ns * p_s) * inverse_nn;
        double limit = batch->mu[l] * p_n;
        bool open = (seen->without[0][l] >= 0.0) | (inverse_nn == 0.0);
        bool sticks = (per_det > 0.0) & (p_n > 0.0) & (p_t * p_t + p_s * p_s <= limit * limit);
        seen->slides[l] = (!open & !sticks) ? 1.0 : 0.0;
        seen->stuck[0][l] = open ? 0.0 : p_n;
        seen->stuck[1][l] = open ? 0.0 : p_t;
        seen->stuck[2][l] = open ? 0.0 : p_s;
    }
    return lanes_with(seen->slides) != 0;
}

/* ---- sliding: cone_solve_any ----------------------------------------------------------------------- */

/* struct slide and struct secular of cone.c. */
struct lane_slide {
    double bare[BATCH_LANES], beta[BATCH_LANES], slip[2][BATCH_LANES], tilt[2][BATCH_LANES];
    double start[2][BATCH_LANES]; /* q(0) */
    double n1[BATCH_LANES], n0[BATCH_LANES], q2[BATCH_LANES], q1[BATCH_LANES], q0[BATCH_LANES];
    double trace[BATCH_LANES], det[BATCH_LANES];
    double rare[BATCH_LANES]; /* 1: without friction, or the direction is known */
};

/* For nu. A step writes into another one: a choice between the old number and a new one in its place would become a store of some
 * lanes only, and processors wait before they read such lanes again. */
struct lane_search {
    double nu[BATCH_LANES], low[BATCH_LANES], high[BATCH_LANES];
    double open[BATCH_LANES];   /* 1: still looking */
    double failed[BATCH_LANES]; /* 1: to be found for itself */
};

IN_LOOP void pose(const struct batch_skew *batch, const struct seen *seen, struct lane_slide *at) {
    LANES {
        double inverse_nn = batch->inverse_nn[l], mu = batch->mu[l], s_ts = batch->s_ts[l];
        double s_tt = batch->s_tt[l], s_ss = batch->s_ss[l], w_nt = batch->w_nt[l],
               w_ns = batch->w_ns[l];
        double bare = -seen->without[0][l] * inverse_nn, beta = mu * bare;
        double slip_t = seen->without[1][l] + w_nt * bare,
               slip_s = seen->without[2][l] + w_ns * bare;
        double q_t = s_ss * slip_t - s_ts * slip_s, q_s = s_tt * slip_s - s_ts * slip_t;
        double steep = mu * inverse_nn, tilt_t = steep * w_nt, tilt_s = steep * w_ns;
        double trace = s_tt + s_ss, det = s_tt * s_ss - s_ts * s_ts;
        at->bare[l] = bare;
        at->beta[l] = beta;
        at->slip[0][l] = slip_t, at->slip[1][l] = slip_s;
        at->tilt[0][l] = tilt_t, at->tilt[1][l] = tilt_s;
        at->start[0][l] = q_t, at->start[1][l] = q_s;
        at->n1[l] = beta * trace + (tilt_t * slip_t + tilt_s * slip_s);
        at->n0[l] = beta * det + (tilt_t * q_t + tilt_s * q_s);
        at->q2[l] = slip_t * slip_t + slip_s * slip_s;
        at->q1[l] = slip_t * q_t + slip_s * q_s;
        at->q0[l] = q_t * q_t + q_s * q_s;
        at->trace[l] = trace, at->det[l] = det;
    }
}

/* multiplier_against the present friction, or against the slip where smallest_root would do so; which lanes look for
 * theirs. */
IN_LOOP void guess(const struct batch_skew *batch, const struct seen *seen, struct lane_slide *at,
                   struct lane_search *to) {
    LANES {
        double slip_t = at->slip[0][l], slip_s = at->slip[1][l], n0 = at->n0[l], q0 = at->q0[l];
        bool blind = (seen->now[1][l] == 0.0) & (seen->now[2][l] == 0.0);
        double known_t = blind ? slip_t : -seen->now[1][l];
        double known_s = blind ? slip_s : -seen->now[2][l];
        double square = known_t * known_t + known_s * known_s, beta = at->beta[l];
        double load = sqrt(square) - (at->tilt[0][l] * known_t + at->tilt[1][l] * known_s);
        double s_t = batch->s_tt[l] * known_t + batch->s_ts[l] * known_s;
        double s_s = batch->s_ts[l] * known_t + batch->s_ss[l] * known_s;
        double push =
            (known_t * slip_t + known_s * slip_s) * load - beta * (known_t * s_t + known_s * s_s);
        double nu = push / (square * beta);
        bool frictionless = batch->mu[l] < CONE_MU_NONE, irregular = batch->per_det[l] == 0.0;
        double turn = slip_t * at->start[1][l] - slip_s * at->start[0][l];
        bool straight = turn == 0.0,
             convex = (beta * beta) * (q0 * q0 * q0) >= (0.5 * turn * turn) * (0.5 * turn * turn);
        bool edge = (n0 > 0.0) & (n0 * n0 >= q0), used = seen->slides[l] > 0.0;
        bool rare = frictionless | straight | irregular, lost = blind & !convex;
        double look = (used & !rare & !edge & !lost) ? 1.0 : 0.0;
        to->nu[l] = ((look > 0.0) & (load > 0.0) & (nu > 0.0)) ? nu : 0.0;
        to->low[l] = 0.0;
        to->high[l] = HUGE_VAL;
        to->open[l] = look;
        at->rare[l] = (used & rare) ? 1.0 : 0.0;
        bool alone = irregular | (lost & !edge & !straight);
        to->failed[l] = (used & !frictionless & alone) ? 1.0 : 0.0;
    }
}

/* One step of bracketed_root in all lanes that look. */
IN_LOOP void step(const struct lane_slide *at, const struct lane_search *from,
                  struct lane_search *to) {
    LANES {
        double nu = from->nu[l], low = from->low[l], high = from->high[l], n2 = at->beta[l];
        double q_square = (at->q2[l] * nu + 2.0 * at->q1[l]) * nu + at->q0[l];
        double n = (n2 * nu + at->n1[l]) * nu + at->n0[l], n_slope = 2.0 * n2 * nu + at->n1[l];
        double q_slope = at->q2[l] * nu + at->q1[l], q = sqrt(q_square), miss = n - q;
        double slope = n_slope * q_square - n * q_slope;
        double bend = 2.0 * (n2 * q_square - n_slope * q_slope) * q_square +
                      n * (3.0 * q_slope * q_slope - at->q2[l] * q_square);
        double square = slope * slope, curve = miss * bend;
        curve = fabs(curve) < square ? curve : 0.0;
        double change = -2.0 * miss * slope * q_square / (2.0 * square - curve);
        double next = nu + change;
        double trace = at->trace[l];
        bool rises = slope > 0.0, looks = from->open[l] > 0.0;
        bool last = rises & (fabs(change) * trace <= CONE_LAST_STEP * (nu * trace + at->det[l]));
        double end = next > low ? next : low;
        double new_low = n < q ? nu : low, new_high = n < q ? high : nu;
        bool inside = rises & (next > new_low) & (next < new_high);
        to->nu[l] = looks ? (last ? end : next) : nu;
        to->low[l] = looks ? new_low : low;
        to->high[l] = looks ? new_high : high;
        to->failed[l] = (looks & !last & !inside) ? 1.0 : from->failed[l];
        to->open[l] = (looks & !last & inside) ? 1.0 : 0.0;
    }
}

/* impulse_at the root */
IN_LOOP void slide(const struct batch_skew *batch, const struct seen *seen,
                   const struct lane_slide *at, const struct lane_search *found,
                   double (*solved)[BATCH_LANES]) {
    LANES {
        double slip_t = at->slip[0][l], slip_s = at->slip[1][l], nu = found->nu[l];
        double q_t = at->start[0][l] + nu * slip_t, q_s = at->start[1][l] + nu * slip_s;
        double length = sqrt(q_t * q_t + q_s * q_s);
        double left = length - (at->tilt[0][l] * q_t + at->tilt[1][l] * q_s);
        double other = at->beta[l] * (nu * (nu + batch->s_tt[l] + batch->s_ss[l]) + at->det[l]);
        left = left > CONE_LOAD_CANCELS * length ? left : other;
        double scale = at->bare[l] / left, friction = -batch->mu[l] * scale;
        bool slides = seen->slides[l] > 0.0;
        solved[0][l] = slides ? scale * length : seen->stuck[0][l];
        solved[1][l] = slides ? friction * q_t : seen->stuck[1][l];
        solved[2][l] = slides ? friction * q_s : seen->stuck[2][l];
    }
}

/* slide_straight, as in a plane world, and no friction at all */
IN_LOOP void slide_rare(const struct batch_skew *batch, const struct lane_slide *at,
                        double (*solved)[BATCH_LANES]) {
    double slid[3][BATCH_LANES];
    memcpy(slid, solved, sizeof slid);
    LANES {
        double slip_t = at->slip[0][l], slip_s = at->slip[1][l];
        double speed = sqrt(at->q2[l]), per = -1.0 / speed, d_t = per * slip_t, d_s = per * slip_s;
        double turned_t = batch->s_tt[l] * slip_t + batch->s_ts[l] * slip_s;
        double turned_s = batch->s_ts[l] * slip_t + batch->s_ss[l] * slip_s;
        double eigenvalue = (slip_t * turned_t + slip_s * turned_s) / at->q2[l];
        double load = 1.0 + (at->tilt[0][l] * d_t + at->tilt[1][l] * d_s);
        double least = at->beta[l] * eigenvalue / speed;
        load = load > least ? load : least;
        double p_n = at->bare[l] / load, p_t = batch->mu[l] * p_n;
        bool bare = (batch->mu[l] < CONE_MU_NONE) | !(load > 0.0), rare = at->rare[l] > 0.0;
        p_n = bare ? at->bare[l] : p_n;
        p_t = bare ? 0.0 : p_t;
        solved[0][l] = rare ? p_n : slid[0][l];
        solved[1][l] = rare ? (bare ? 0.0 : p_t * d_t) : slid[1][l];
        solved[2][l] = rare ? (bare ? 0.0 : p_t * d_s) : slid[2][l];
    }
}

/* Few. */
static void solve_alone(const struct batch_skew *batch, const struct seen *seen, int l,
                        double (*to)[BATCH_LANES]) {
    double s_tt = batch->s_tt[l], s_ts = batch->s_ts[l], s_ss = batch->s_ss[l];
    double s_det = batch->per_det[l] > 0.0 ? s_tt * s_ss - s_ts * s_ts : 0.0;
    const struct cone cone = {.w_nn = batch->w_nn[l],
                              .w_nt = batch->w_nt[l],
                              .w_ns = batch->w_ns[l],
                              .inverse_nn = batch->inverse_nn[l],
                              .s_tt = s_tt,
                              .s_ts = s_ts,
                              .s_ss = s_ss,
                              .s_det = s_det};
    vec3 without = {seen->without[0][l], seen->without[1][l], seen->without[2][l]};
    vec3 now = {seen->now[0][l], seen->now[1][l], seen->now[2][l]};
    vec3 solved = cone_solve_any(&cone, without, batch->mu[l], now);
    for (int k = 0; k < 3; k++) to[k][l] = vec3_component(solved, k);
}

/* Lanes that look still, are rare, are to be found alone: sixteen bits each. */
IN_LOOP uint64_t lanes_left(const struct lane_slide *at, const struct lane_search *search) {
    double left[BATCH_LANES];
    LANES left[l] = search->open[l] + 0x1p16 * at->rare[l] + 0x1p32 * search->failed[l];
    return lanes_with(left);
}

/* Two steps are what most batches need: no question is asked before them. */
_Static_assert(CONE_PATIENT_STEPS % 2 == 0, "steps are done in pairs");
IN_LOOP void slide_all(const struct batch_skew *batch, const struct seen *seen,
                       double (*solved)[BATCH_LANES]) {
    struct lane_slide at;
    struct lane_search search, next;
    uint64_t left = 1;
    pose(batch, seen, &at);
    guess(batch, seen, &at, &search);
    for (int k = 0; k < CONE_PATIENT_STEPS && (left & 0xffff) != 0; k += 2) {
        step(&at, &search, &next);
        step(&at, &next, &search);
        left = lanes_left(&at, &search);
    }
    slide(batch, seen, &at, &search, solved);
    if (left == 0) return;
    if ((left >> 16 & 0xffff) != 0) slide_rare(batch, &at, solved);
    for (unsigned alone = (left | left >> 32) & 0xffff; alone != 0; alone &= alone - 1)
        solve_alone(batch, seen, __builtin_ctz(alone), solved);
}

/* ---- the visit -------------------------------------------------------------------------------------- */

/* Out of the frame. */
IN_LOOP void finish(const struct batch_skew *batch, double (*solved)[BATCH_LANES],
                    struct lane_impulses *p) {
    LANES {
        double nx = batch->normal[0][l], ny = batch->normal[1][l], nz = batch->normal[2][l];
        double tx = batch->tangent[0][l], ty = batch->tangent[1][l], tz = batch->tangent[2][l];
        double sx = ny * tz - nz * ty, sy = nz * tx - nx * tz, sz = nx * ty - ny * tx;
        double p_n = solved[0][l], p_t = solved[1][l], p_s = solved[2][l];
        p->solved[0][l] = p_n * nx + p_t * tx + p_s * sx;
        p->solved[1][l] = p_n * ny + p_t * ty + p_s * sy;
        p->solved[2][l] = p_n * nz + p_t * tz + p_s * sz;
    }
}

/* The impulse on one body; with `alike` it turns alike about all axes. */
IN_LOOP void push(const struct batch_skew *batch, const struct lane_impulses *p, bool is_a,
                  const struct lane_bodies *inertia, bool alike, struct lane_bodies *body) {
    const double(*arm)[BATCH_LANES] = is_a ? batch->arm_a : batch->arm_b;
    const double sign = is_a ? -1.0 : 1.0;
    LANES {
        double dx = p->solved[0][l] - p->start[0][l], dy = p->solved[1][l] - p->start[1][l];
        double dz = p->solved[2][l] - p->start[2][l];
        double x = arm[1][l] * dz - arm[2][l] * dy, y = arm[2][l] * dx - arm[0][l] * dz;
        double z = arm[0][l] * dy - arm[1][l] * dx, m = body->number[INVERSE_MASS][l];
        double i = body->number[INVERSE_INERTIA][l], tx = i * x, ty = i * y, tz = i * z;
        if (!alike) {
            double xx = inertia->number[0][l], yy = inertia->number[1][l];
            double zz = inertia->number[2][l], xy = inertia->number[3][l];
            double xz = inertia->number[4][l], yz = inertia->number[5][l];
            tx = xx * x + xy * y + xz * z;
            ty = xy * x + yy * y + yz * z;
            tz = xz * x + yz * y + zz * z;
        }
        body->number[SLIDE][l] += sign * (m * dx);
        body->number[SLIDE + 1][l] += sign * (m * dy);
        body->number[SLIDE + 2][l] += sign * (m * dz);
        body->number[TURN][l] += sign * tx;
        body->number[TURN + 1][l] += sign * ty;
        body->number[TURN + 2][l] += sign * tz;
    }
}

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
        if (watch != BATCH_HISTORY) continue;
        sums->turn[l] -= dx * (x - history->last[0][l]) + dy * (y - history->last[1][l]) +
                         dz * (z - history->last[2][l]);
        sums->growth[l] += x * dx + y * dy + z * dz;
    }
}

/* ---- the loop -------------------------------------------------------------------------------------- */

/* The batch after the next, and the bodies of the next. */
IN_LOOP void prefetch(const struct batches *batches, const uint32_t *order, size_t left) {
    if (left > 2) {
        const char *batch = (const char *)&batches->skew[order[2]];
        for (size_t line = 0; line < sizeof(struct batch_skew); line += LINE)
            PREFETCH_TO_WRITE(batch + line);
    }
    if (left < 2) return;
    const struct batch_skew *next = &batches->skew[order[1]];
    prefetch_rows(batches->rows, next->a);
    prefetch_rows(batches->rows, next->b);
}

IN_LOOP void visit(const struct batches *batches, size_t at, enum batch_watch watch,
                   const struct batch_rule *rule, struct lane_sums *sums, bool alike, bool widest) {
    struct batch_skew *batch = &batches->skew[at];
    struct batch_history *history = watch == BATCH_HISTORY ? &batches->skew_history[at] : NULL;
    struct lane_bodies a, b, inertia;
    struct lane_impulses p;
    struct seen seen;
    double solved[3][BATCH_LANES]; /* N s, in the frame */
    load(batches->rows, batch->a, &a, widest);
    load(batches->rows, batch->b, &b, widest);
    if (watch == BATCH_HISTORY)
        begin_moved(batch->impulse, history->last, rule->beta, p.start, 3);
    else
        begin(batch->impulse, p.start, 3);
    look(batch, &a, &b, &p, &seen);
    if (stick(batch, &seen))
        slide_all(batch, &seen, solved);
    else
        memcpy(solved, seen.stuck, sizeof solved);
    finish(batch, solved, &p);
    if (!alike) load(batches->turns, batch->a, &inertia, widest);
    push(batch, &p, true, &inertia, alike, &a);
    if (!alike) load(batches->turns, batch->b, &inertia, widest);
    push(batch, &p, false, &inertia, alike, &b);
    store(batches->rows, batch->a, &a, widest);
    store(batches->rows, batch->b, &b, widest);
    memcpy(batch->impulse, p.solved, sizeof batch->impulse);
    if (watch != BATCH_PLAIN) watch_lanes(history, &p, rule, sums, watch);
}

IN_LOOP struct batch_sums run(const struct batches *batches, const struct batch_order *order,
                              enum batch_watch watch, const struct batch_rule *rule, bool widest) {
    struct lane_sums sums;
    bool alike = batches->turns_alike;
    memset(&sums, 0, sizeof sums);
    for (size_t k = 0; k < order->count; k++) {
        prefetch(batches, order->record + k, order->known - k);
        if (alike)
            visit(batches, order->record[k], watch, rule, &sums, true, widest);
        else
            visit(batches, order->record[k], watch, rule, &sums, false, widest);
    }
    return add_up_all(&sums);
}

ALL_VERSIONS(batch_solve_skew)
