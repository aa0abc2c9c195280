/* SPDX-License-Identifier: Apache-2.0
 *
 * The inner loop of the batched sweep for contacts with the combined law: law/combined.h, law/cohesion.h and law/rolling.h for
 * sixteen contacts at once. Operations and their order are those of one contact (sweep.c), so the bits are the same. Whatever
 * only some contacts need is computed for all lanes as soon as one of them needs it, and chosen lane by lane.
 */
#include "solve/batch_lanes.h"

/* Impulses before and after the visit: force, torque. */
struct lane_impulses {
    double start[6][BATCH_LANES], solved[6][BATCH_LANES];
};

/* In the frame of each contact: the impulses that would stop slip and rolling, and what bounds them. */
struct trial {
    double push[BATCH_LANES], load[BATCH_LANES]; /* N s: solved normal impulse; with the tension */
    double p_t[BATCH_LANES], p_s[BATCH_LANES], q_t[BATCH_LANES], q_s[BATCH_LANES];
    double torsion[BATCH_LANES];
    double p2[BATCH_LANES], pq[BATCH_LANES], q2[BATCH_LANES]; /* see struct rolling_trial */
    double slip2[BATCH_LANES], roll2[BATCH_LANES];
    double slide_limit[BATCH_LANES], roll_limit[BATCH_LANES], torsion_limit[BATCH_LANES];
};

struct lane_shares { /* see struct rolling_shares */
    double pp[BATCH_LANES], ps[BATCH_LANES], sp[BATCH_LANES], ss[BATCH_LANES];
};

/* ---- what would stop the contact ------------------------------------------------------------------ */

/* cohesion_normal */
IN_LOOP void press(const struct batch_laws *batch, const struct lane_bodies *a,
                   const struct lane_bodies *b, const struct lane_impulses *p, struct trial *to) {
    LANES {
        double nx = batch->normal[0][l], ny = batch->normal[1][l], nz = batch->normal[2][l];
        double vx = b->number[SLIDE][l] - a->number[SLIDE][l];
        double vy = b->number[SLIDE + 1][l] - a->number[SLIDE + 1][l];
        double vz = b->number[SLIDE + 2][l] - a->number[SLIDE + 2][l];
        double velocity = vx * nx + vy * ny + vz * nz;
        double impulse = p->start[0][l] * nx + p->start[1][l] * ny + p->start[2][l] * nz;
        double closing = -batch->bias[l], m_n = batch->m_n[l], tension = batch->tension[l];
        double push = impulse - m_n * (velocity - closing);
        double pull = impulse - m_n * (velocity - (closing > 0.0 ? closing : 0.0));
        double held = pull > -tension ? pull : -tension;
        held = held < 0.0 ? held : 0.0;
        double solved = push > held ? push : held;
        to->push[l] = solved;
        to->load[l] = solved + tension;
    }
}

/* combined_solve_rest up to the choice between rest, sliding and rolling */
IN_LOOP void test(const struct batch_laws *batch, const struct lane_bodies *a,
                  const struct lane_bodies *b, const struct lane_impulses *p, struct trial *to) {
    LANES {
        double nx = batch->normal[0][l], ny = batch->normal[1][l], nz = batch->normal[2][l];
        double tx = batch->tangent[0][l], ty = batch->tangent[1][l], tz = batch->tangent[2][l];
        double sx = ny * tz - nz * ty, sy = nz * tx - nx * tz, sz = nx * ty - ny * tx;
        double vx = b->number[SLIDE][l] - a->number[SLIDE][l];
        double vy = b->number[SLIDE + 1][l] - a->number[SLIDE + 1][l];
        double vz = b->number[SLIDE + 2][l] - a->number[SLIDE + 2][l];
        double ax = a->number[TURN][l], ay = a->number[TURN + 1][l], az = a->number[TURN + 2][l];
        double bx = b->number[TURN][l], by = b->number[TURN + 1][l], bz = b->number[TURN + 2][l];
        double a_n = ax * nx + ay * ny + az * nz, b_n = bx * nx + by * ny + bz * nz;
        double a_t = ax * tx + ay * ty + az * tz, b_t = bx * tx + by * ty + bz * tz;
        double a_s = ax * sx + ay * sy + az * sz, b_s = bx * sx + by * sy + bz * sz;
        double arm_a = batch->arm_a[l], arm_b = batch->arm_b[l];
        double v_t = (vx * tx + vy * ty + vz * tz) - (arm_a * a_s + arm_b * b_s);
        double v_s = (vx * sx + vy * sy + vz * sz) + (arm_a * a_t + arm_b * b_t);
        double slip_t = v_t + batch->shift_t[l], slip_s = v_s + batch->shift_s[l];
        double roll_t = -(b_s - a_s), roll_s = b_t - a_t;
        double fx = p->start[0][l], fy = p->start[1][l], fz = p->start[2][l];
        double qx = p->start[3][l], qy = p->start[4][l], qz = p->start[5][l];
        double force_t = fx * tx + fy * ty + fz * tz, force_s = fx * sx + fy * sy + fz * sz;
        double torque_n = qx * nx + qy * ny + qz * nz, torque_t = qx * tx + qy * ty + qz * tz;
        double torque_s = qx * sx + qy * sy + qz * sz;
        double m_pp = batch->m_pp[l], m_ps = batch->m_ps[l], m_ss = batch->m_ss[l];
        double p_t = force_t - m_pp * slip_t - m_ps * roll_t;
        double p_s = force_s - m_pp * slip_s - m_ps * roll_s;
        double q_t = -torque_s - m_ps * slip_t - m_ss * roll_t;
        double q_s = torque_t - m_ps * slip_s - m_ss * roll_s;
        to->torsion[l] = torque_n - batch->m_r[l] * (b_n - a_n);
        to->p_t[l] = p_t, to->p_s[l] = p_s;
        to->q_t[l] = q_t, to->q_s[l] = q_s;
        to->p2[l] = p_t * p_t + p_s * p_s;
        to->pq[l] = p_t * q_t + p_s * q_s;
        to->q2[l] = q_t * q_t + q_s * q_s;
        to->slip2[l] = slip_t * slip_t + slip_s * slip_s;
        to->roll2[l] = roll_t * roll_t + roll_s * roll_s;
    }
}

/* torque_limit_at */
IN_LOOP void limit(const struct batch_laws *batch, struct trial *to, bool has_sizes) {
    LANES {
        double load = to->load[l];
        to->slide_limit[l] = batch->mu[l] * load;
        to->roll_limit[l] = batch->rolling[l] * load;
        to->torsion_limit[l] = batch->torsion[l] * load;
    }
    if (!has_sizes) return;
    for (int l = 0; l < BATCH_LANES; l++) {
        struct torque_limit rolling = {batch->rolling[l], batch->rolling_size[l]};
        struct torque_limit torsion = {batch->torsion[l], batch->torsion_size[l]};
        to->roll_limit[l] = torque_limit_at(&rolling, to->load[l]);
        to->torsion_limit[l] = torque_limit_at(&torsion, to->load[l]);
    }
}

/* ---- both at their limits: rolling_solve_both ----------------------------------------------------- */

struct lane_both { /* the problem in numbers, see struct both, and its multipliers */
    double vv[BATCH_LANES], vy[BATCH_LANES], yy[BATCH_LANES];
    double a[BATCH_LANES], b[BATCH_LANES];
    double open[BATCH_LANES];   /* 1: still looking */
    double failed[BATCH_LANES]; /* 1: to be found for itself */
};

/* Those that have closed forms do not look for multipliers. */
IN_LOOP void pose_both(const struct batch_laws *batch, const struct trial *trial,
                       const double wanted[BATCH_LANES], struct lane_both *to) {
    LANES {
        double w_t = batch->w_t[l], w_r = batch->w_r[l], k = batch->kappa[l];
        double p2 = trial->p2[l], pq = trial->pq[l], q2 = trial->q2[l];
        double force = trial->slide_limit[l], torque = trial->roll_limit[l];
        to->vv[l] = w_t * w_t * p2 + 2.0 * w_t * k * pq + k * k * q2;
        to->vy[l] = w_t * k * p2 + (w_t * w_r + k * k) * pq + k * w_r * q2;
        to->yy[l] = k * k * p2 + 2.0 * k * w_r * pq + w_r * w_r * q2;
        to->a[l] = w_t + sqrt(trial->slip2[l]) / force;
        to->b[l] = w_r + sqrt(trial->roll2[l]) / torque;
        bool looks = (wanted[l] > 0.0) & (batch->per_r[l] != 0.0) & (force > 0.0) & (torque > 0.0);
        to->open[l] = looks ? 1.0 : 0.0;
        to->failed[l] = 0.0;
    }
}

/* One step of find_multipliers in all lanes that look. */
IN_LOOP void step_both(const struct batch_laws *batch, const struct trial *trial,
                       struct lane_both *at) {
    LANES {
        double kappa = batch->kappa[l], force = trial->slide_limit[l],
               torque = trial->roll_limit[l];
        double a = at->a[l], b = at->b[l], k2 = kappa * kappa, kvy = kappa * at->vy[l];
        double d = a * b - k2;
        double p_b = b * at->vv[l] - kvy, s_a = a * at->yy[l] - kvy;
        double p2 = b * (p_b - kvy) + k2 * at->yy[l], s2 = a * (s_a - kvy) + k2 * at->vv[l];
        bool good = (a > 0.0) & (d > 0.0) & (p2 > 0.0) & (s2 > 0.0);
        double f = force * d - sqrt(p2), g = torque * d - sqrt(s2);
        double f_a = force * b, f_b = force * a - p_b / (force * d);
        double g_b = torque * a, g_a = torque * b - s_a / (torque * d);
        double determinant = f_a * g_b - f_b * g_a;
        double per_determinant = 1.0 / determinant;
        double da = (f_b * g - f * g_b) * per_determinant;
        double db = (f * g_a - f_a * g) * per_determinant;
        bool looks = at->open[l] > 0.0;
        good = good & (determinant != 0.0);
        double next_a = a + da, next_b = b + db;
        bool settled =
            (fabs(da) <= ROLLING_SETTLED * next_a) & (fabs(db) <= ROLLING_SETTLED * next_b);
        at->a[l] = (looks & good) ? next_a : a;
        at->b[l] = (looks & good) ? next_b : b;
        at->failed[l] = (looks & !good) ? 1.0 : at->failed[l];
        at->open[l] = (looks & good & !settled) ? 1.0 : 0.0;
    }
}

/* Rare: lanes that Newton's method fails. */
static void solve_alone(const struct batch_laws *batch, const struct trial *trial, int l,
                        struct lane_shares *shares) {
    const struct rolling_block block = {batch->m_pp[l],  batch->m_ps[l],  batch->m_ss[l],
                                        batch->per_t[l], batch->per_r[l], batch->m_r[l],
                                        batch->w_t[l],   batch->w_r[l],   batch->kappa[l]};
    const struct rolling_trial alone = {trial->p2[l], trial->pq[l], trial->q2[l], trial->slip2[l],
                                        trial->roll2[l]};
    struct rolling_shares found =
        rolling_solve_both(&block, alone, trial->slide_limit[l], trial->roll_limit[l]);
    shares->pp[l] = found.pp;
    shares->ps[l] = found.ps;
    shares->sp[l] = found.sp;
    shares->ss[l] = found.ss;
}

/* The closed forms: nothing coupled, or one of the limits is zero. */
IN_LOOP void choose_both(const struct batch_laws *batch, const struct trial *trial,
                         const double wanted[BATCH_LANES], const struct lane_both *at,
                         struct lane_shares *shares) {
    LANES {
        double w_t = batch->w_t[l], w_r = batch->w_r[l], k = batch->kappa[l];
        double per_t = batch->per_t[l], per_r = batch->per_r[l];
        double p2 = trial->p2[l], pq = trial->pq[l], q2 = trial->q2[l];
        double force = trial->slide_limit[l], torque = trial->roll_limit[l];
        double per_d = 1.0 / (at->a[l] * at->b[l] - k * k);
        double pp = per_d * (at->b[l] * w_t - k * k), ps = per_d * k * (at->b[l] - w_r);
        double sp = per_d * k * (at->a[l] - w_t), ss = per_d * (at->a[l] * w_r - k * k);
        double slid2 = p2 + 2.0 * per_t * pq + per_t * per_t * q2;
        double rolled2 = per_r * per_r * p2 + 2.0 * per_r * pq + q2;
        double slid = sqrt(slid2 > 0.0 ? slid2 : 0.0), rolled = sqrt(rolled2 > 0.0 ? rolled2 : 0.0);
        double slide = slid > force ? force / slid : 1.0;
        double roll = rolled > torque ? torque / rolled : 1.0;
        bool no_torque = !(torque > 0.0), no_force = !(force > 0.0), apart = per_r == 0.0;
        pp = no_torque ? slide : pp;
        ps = no_torque ? slide * per_t : ps;
        sp = no_torque ? 0.0 : sp;
        ss = no_torque ? 0.0 : ss;
        pp = no_force ? 0.0 : pp;
        ps = no_force ? 0.0 : ps;
        sp = no_force ? roll * per_r : sp;
        ss = no_force ? roll : ss;
        pp = apart ? force / sqrt(p2) : pp;
        ps = apart ? 0.0 : ps;
        sp = apart ? 0.0 : sp;
        ss = apart ? torque / sqrt(q2) : ss;
        shares->pp[l] = wanted[l] > 0.0 ? pp : shares->pp[l];
        shares->ps[l] = wanted[l] > 0.0 ? ps : shares->ps[l];
        shares->sp[l] = wanted[l] > 0.0 ? sp : shares->sp[l];
        shares->ss[l] = wanted[l] > 0.0 ? ss : shares->ss[l];
    }
}

IN_LOOP void solve_both(const struct batch_laws *batch, const struct trial *trial,
                        const double wanted[BATCH_LANES], struct lane_shares *shares) {
    struct lane_both at;
    pose_both(batch, trial, wanted, &at);
    double coupled[BATCH_LANES];
    memcpy(coupled, at.open, sizeof coupled);
    for (int step = 0; step < ROLLING_STEPS && lanes_with(at.open) != 0; step++)
        step_both(batch, trial, &at);
    choose_both(batch, trial, wanted, &at, shares);
    LANES {
        bool beyond = (at.a[l] < batch->w_t[l]) | (at.b[l] < batch->w_r[l]) | (at.open[l] > 0.0);
        at.failed[l] = ((coupled[l] > 0.0) & beyond) ? 1.0 : at.failed[l];
    }
    for (unsigned failed = (unsigned)lanes_with(at.failed); failed != 0; failed &= failed - 1)
        solve_alone(batch, trial, __builtin_ctz(failed), shares);
}

/* ---- rest, sliding, rolling: rolling_solve --------------------------------------------------------- */

/* Of the lanes that do not rest; `both`: 1 for those at both limits. */
IN_LOOP void choose_one(const struct batch_laws *batch, const struct trial *trial,
                        struct lane_shares *shares, double both[BATCH_LANES]) {
    LANES {
        double p2 = trial->p2[l], pq = trial->pq[l], q2 = trial->q2[l];
        double force = trial->slide_limit[l], torque = trial->roll_limit[l];
        bool rests = (p2 <= force * force) & (q2 <= torque * torque);
        double slide = force / sqrt(p2), roll = torque / sqrt(q2);
        slide = slide < 1.0 ? slide : 1.0;
        roll = roll < 1.0 ? roll : 1.0;
        double turn = batch->per_r[l] * (1.0 - slide), drag = batch->per_t[l] * (1.0 - roll);
        double turned2 = q2 + turn * (2.0 * pq + turn * p2);
        double dragged2 = p2 + drag * (2.0 * pq + drag * q2);
        bool holds = turned2 <= torque * torque, sticks = dragged2 <= force * force;
        double one = holds ? 1.0 : 0.0, other = 1.0 - one;
        bool pressed = trial->load[l] > 0.0;
        double pp = slide > other ? slide : other, ss = roll > one ? roll : one;
        shares->pp[l] = !pressed ? 0.0 : rests ? 1.0 : pp;
        shares->ps[l] = (!pressed | rests) ? 0.0 : other * drag;
        shares->sp[l] = (!pressed | rests) ? 0.0 : one * turn;
        shares->ss[l] = !pressed ? 0.0 : rests ? 1.0 : ss;
        both[l] = (!rests & !(holds | sticks) & pressed) ? 1.0 : 0.0;
    }
}

IN_LOOP void share(const struct batch_laws *batch, const struct trial *trial,
                   struct lane_shares *shares) {
    double moving[BATCH_LANES], both[BATCH_LANES];
    LANES {
        double force = trial->slide_limit[l], torque = trial->roll_limit[l];
        bool pressed = trial->load[l] > 0.0;
        bool rests = (trial->p2[l] <= force * force) & (trial->q2[l] <= torque * torque);
        shares->pp[l] = shares->ss[l] = pressed ? 1.0 : 0.0;
        shares->ps[l] = shares->sp[l] = 0.0;
        moving[l] = (pressed & !rests) ? 1.0 : 0.0;
    }
    if (lanes_with(moving) == 0) return;
    choose_one(batch, trial, shares, both);
    if (lanes_with(both) != 0) solve_both(batch, trial, both, shares);
}

/* ---- the visit -------------------------------------------------------------------------------------- */

/* The rest of combined_solve_rest. Components (t, s) of force and turned torque: x[0..1], x[2..3]. */
IN_LOOP void combine(const struct trial *trial, const struct lane_shares *shares,
                     double x[4][BATCH_LANES]) {
    const double over = 1.0 + 1e-12;
    double cut[BATCH_LANES];
    LANES {
        double slide_t = shares->pp[l] * trial->p_t[l] + shares->ps[l] * trial->q_t[l];
        double slide_s = shares->pp[l] * trial->p_s[l] + shares->ps[l] * trial->q_s[l];
        double turned_t = shares->sp[l] * trial->p_t[l] + shares->ss[l] * trial->q_t[l];
        double turned_s = shares->sp[l] * trial->p_s[l] + shares->ss[l] * trial->q_s[l];
        double slide2 = slide_t * slide_t + slide_s * slide_s;
        double turned2 = turned_t * turned_t + turned_s * turned_s;
        double force = trial->slide_limit[l], torque = trial->roll_limit[l];
        bool beyond = (slide2 > over * force * force) | (turned2 > over * torque * torque);
        cut[l] = beyond ? 1.0 : 0.0;
        x[0][l] = slide_t, x[1][l] = slide_s;
        x[2][l] = turned_t, x[3][l] = turned_s;
    }
    if (lanes_with(cut) != 0) LANES {
            double slide2 = x[0][l] * x[0][l] + x[1][l] * x[1][l];
            double turned2 = x[2][l] * x[2][l] + x[3][l] * x[3][l];
            double force = trial->slide_limit[l], torque = trial->roll_limit[l];
            double slide = slide2 > over * force * force ? force / sqrt(slide2) : 1.0;
            double roll = turned2 > over * torque * torque ? torque / sqrt(turned2) : 1.0;
            x[0][l] *= slide, x[1][l] *= slide;
            x[2][l] *= roll, x[3][l] *= roll;
        }
}

/* Out of the frame. */
IN_LOOP void finish(const struct batch_laws *batch, const struct trial *trial,
                    double x[4][BATCH_LANES], struct lane_impulses *p) {
    LANES {
        double nx = batch->normal[0][l], ny = batch->normal[1][l], nz = batch->normal[2][l];
        double tx = batch->tangent[0][l], ty = batch->tangent[1][l], tz = batch->tangent[2][l];
        double sx = ny * tz - nz * ty, sy = nz * tx - nx * tz, sz = nx * ty - ny * tx;
        double most = trial->torsion_limit[l], torsion = trial->torsion[l];
        torsion = torsion < most ? torsion : most;
        torsion = torsion > -most ? torsion : -most;
        double push = trial->push[l], slide_t = x[0][l], slide_s = x[1][l];
        double roll_t = x[3][l], roll_s = -x[2][l];
        p->solved[0][l] = push * nx + slide_t * tx + slide_s * sx;
        p->solved[1][l] = push * ny + slide_t * ty + slide_s * sy;
        p->solved[2][l] = push * nz + slide_t * tz + slide_s * sz;
        p->solved[3][l] = torsion * nx + roll_t * tx + roll_s * sx;
        p->solved[4][l] = torsion * ny + roll_t * ty + roll_s * sy;
        p->solved[5][l] = torsion * nz + roll_t * tz + roll_s * sz;
    }
}

IN_LOOP void apply(const struct batch_laws *batch, const struct lane_impulses *p,
                   struct lane_bodies *a, struct lane_bodies *b) {
    LANES {
        double nx = batch->normal[0][l], ny = batch->normal[1][l], nz = batch->normal[2][l];
        double dx = p->solved[0][l] - p->start[0][l], dy = p->solved[1][l] - p->start[1][l];
        double dz = p->solved[2][l] - p->start[2][l];
        double tx = p->solved[3][l] - p->start[3][l], ty = p->solved[4][l] - p->start[4][l];
        double tz = p->solved[5][l] - p->start[5][l];
        double mx = ny * dz - nz * dy, my = nz * dx - nx * dz, mz = nx * dy - ny * dx;
        double m_a = a->number[INVERSE_MASS][l], m_b = b->number[INVERSE_MASS][l];
        double i_a = a->number[INVERSE_INERTIA][l], i_b = b->number[INVERSE_INERTIA][l];
        double arm_a = batch->arm_a[l], arm_b = batch->arm_b[l];
        a->number[SLIDE][l] = a->number[SLIDE][l] - m_a * dx;
        a->number[SLIDE + 1][l] = a->number[SLIDE + 1][l] - m_a * dy;
        a->number[SLIDE + 2][l] = a->number[SLIDE + 2][l] - m_a * dz;
        b->number[SLIDE][l] = b->number[SLIDE][l] + m_b * dx;
        b->number[SLIDE + 1][l] = b->number[SLIDE + 1][l] + m_b * dy;
        b->number[SLIDE + 2][l] = b->number[SLIDE + 2][l] + m_b * dz;
        a->number[TURN][l] = a->number[TURN][l] - i_a * (tx + arm_a * mx);
        a->number[TURN + 1][l] = a->number[TURN + 1][l] - i_a * (ty + arm_a * my);
        a->number[TURN + 2][l] = a->number[TURN + 2][l] - i_a * (tz + arm_a * mz);
        b->number[TURN][l] = b->number[TURN][l] + i_b * (tx - arm_b * mx);
        b->number[TURN + 1][l] = b->number[TURN + 1][l] + i_b * (ty - arm_b * my);
        b->number[TURN + 2][l] = b->number[TURN + 2][l] + i_b * (tz - arm_b * mz);
    }
}

/* As in sweep.c; torques count by the contact's own length. */
IN_LOOP void watch_lanes(const struct batch_laws *batch, const struct batch_laws_history *history,
                         const struct lane_impulses *p, const struct batch_rule *rule,
                         struct lane_sums *sums, enum batch_watch watch) {
    LANES {
        double m_r = batch->m_r[l], weight = m_r > 0.0 ? batch->m_n[l] / m_r : 0.0;
        double x = p->solved[0][l], y = p->solved[1][l], z = p->solved[2][l];
        double qx = p->solved[3][l], qy = p->solved[4][l], qz = p->solved[5][l];
        double dx = x - p->start[0][l], dy = y - p->start[1][l], dz = z - p->start[2][l];
        double tx = qx - p->start[3][l], ty = qy - p->start[4][l], tz = qz - p->start[5][l];
        double size2 = x * x + y * y + z * z + weight * (qx * qx + qy * qy + qz * qz);
        double change2 = dx * dx + dy * dy + dz * dz + weight * (tx * tx + ty * ty + tz * tz);
        double size = sqrt(size2), allowed = rule->tolerance * size + rule->cutoff;
        sums->impulse[l] += size;
        sums->change2[l] += change2;
        sums->unmet[l] += change2 > allowed * allowed ? 1.0 : 0.0;
        if (watch != BATCH_HISTORY) continue;
        double turn = dx * (x - history->last[0][l]) + dy * (y - history->last[1][l]) +
                      dz * (z - history->last[2][l]);
        double turn_torque = tx * (qx - history->last[3][l]) + ty * (qy - history->last[4][l]) +
                             tz * (qz - history->last[5][l]);
        sums->turn[l] -= turn + weight * turn_torque;
        sums->growth[l] += x * dx + y * dy + z * dz;
    }
}

/* ---- the loop -------------------------------------------------------------------------------------- */

enum { USUAL = offsetof(struct batch_laws, w_t) }; /* bytes that every visit needs */

IN_LOOP void prefetch(const struct batches *batches, size_t at) {
    const char *batch = (const char *)&batches->laws[at];
    for (size_t line = 0; line < USUAL; line += LINE) PREFETCH_TO_WRITE(batch + line);
}

IN_LOOP struct batch_sums run(const struct batches *batches, const struct batch_order *order,
                              enum batch_watch watch, const struct batch_rule *rule, bool widest) {
    struct lane_sums sums;
    memset(&sums, 0, sizeof sums);
    for (size_t k = 0; k < order->count; k++) {
        struct batch_laws *batch = &batches->laws[order->record[k]];
        struct batch_laws_history *history =
            watch == BATCH_HISTORY ? &batches->laws_history[order->record[k]] : NULL;
        struct lane_bodies a, b;
        struct lane_impulses p;
        struct trial trial;
        struct lane_shares shares;
        double x[4][BATCH_LANES];
        if (k + 2 < order->known) prefetch(batches, order->record[k + 2]);
        if (k + 1 < order->known) {
            const struct batch_laws *next = &batches->laws[order->record[k + 1]];
            prefetch_rows(batches->rows, next->a);
            prefetch_rows(batches->rows, next->b);
        }
        load(batches->rows, batch->a, &a, widest);
        load(batches->rows, batch->b, &b, widest);
        if (watch == BATCH_HISTORY)
            begin_moved(batch->impulse, history->last, rule->beta, p.start, 6);
        else
            begin(batch->impulse, p.start, 6);
        press(batch, &a, &b, &p, &trial);
        test(batch, &a, &b, &p, &trial);
        limit(batch, &trial, batches->has_sizes);
        share(batch, &trial, &shares);
        combine(&trial, &shares, x);
        finish(batch, &trial, x, &p);
        apply(batch, &p, &a, &b);
        store(batches->rows, batch->a, &a, widest);
        store(batches->rows, batch->b, &b, widest);
        memcpy(batch->impulse, p.solved, sizeof batch->impulse);
        if (watch != BATCH_PLAIN) watch_lanes(batch, history, &p, rule, &sums, watch);
    }
    return add_up_all(&sums);
}

ALL_VERSIONS(batch_solve_laws)
