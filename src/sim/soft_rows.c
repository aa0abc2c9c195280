/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/soft_rows.h"

#include <math.h>

#include "math/four.h"

/* q + (0, turn/2) q, made a unit again: tan(angle/2) = turn/2. */
IN_LOOP void turn_row(struct soft_row *row) {
    four q = FOUR_OF(row->orientation);
    const four signs_x = {-1.0, 1.0, -1.0, 1.0}, signs_y = {-1.0, 1.0, 1.0, -1.0};
    const four signs_z = {-1.0, -1.0, 1.0, 1.0};
    four by_x = signs_x * FOUR_SHUFFLE(q, q, 1, 0, 3, 2);
    four by_y = signs_y * FOUR_SHUFFLE(q, q, 2, 3, 0, 1);
    four by_z = signs_z * FOUR_SHUFFLE(q, q, 3, 2, 1, 0);
    q = q + (0.5 * row->turn[0] * by_x + (0.5 * row->turn[1] * by_y + 0.5 * row->turn[2] * by_z));
    four square = q * q;
    double norm2 = (square[0] + square[1]) + (square[2] + square[3]);
    FOUR(row->orientation) = q * (1.0 / sqrt(norm2));
}

/* As scheme/leapfrog.c. */
WIDE void soft_rows_predict(const struct soft *soft, size_t first, size_t last, double dt) {
    double half = 0.5 * dt;
    for (size_t k = first; k < last; k++) {
        struct soft_row *row = &soft->rows[k];
        if (soft->wall_of[k] >= 0) continue;
        four rate = half * FOUR_OF(row->acceleration), spin = half * FOUR_OF(row->spin_rate);
        four slide = FOUR_OF(row->velocity) + rate, turn = FOUR_OF(row->omega) + spin;
        four shift = dt * slide;
        FOUR(row->shift) = shift;
        FOUR(row->turn) = dt * turn;
        FOUR(row->velocity) = slide + rate;
        FOUR(row->omega) = turn + spin;
        FOUR(row->position) = FOUR_OF(row->position) + shift;
        turn_row(row);
    }
}

/* Of contacts with a torque of their own. */
static void add_torques(const struct soft_near *near, size_t row, four *torque) {
    size_t general = near->first[SOFT_GENERAL] * SOFT_LANES;
    size_t end = near->first[SOFT_CLASSES] * SOFT_LANES;
    for (size_t k = near->incident_first[row]; k < near->incident_first[row + 1]; k++) {
        size_t slot = near->incident[k] >> 1;
        if (slot < general || slot >= end) continue;
        vec3 own = near->general[slot - general].turns[near->incident[k] & 1];
        four more = {own.x, own.y, own.z, 0.0};
        *torque = *torque + more;
    }
}

/* What the contacts of a row do to it; the fourth numbers mean nothing. */
IN_LOOP void add_up(const struct soft_near *near, size_t row, four *force, four *torque) {
    four f = {0.0}, t = {0.0};
    const double signs[2] = {-1.0, 1.0};
    size_t end = near->incident_first[row + 1];
    for (size_t at = near->incident_first[row]; at < end; at += SOFT_INCIDENT)
        for (size_t k = at; k < at + SOFT_INCIDENT; k++) {
            size_t side = near->incident[k] & 1;
            const struct soft_entry *entry = &near->entries[near->incident[k] >> 1];
            f = f + signs[side] * FOUR_OF(entry->part[SOFT_FORCE]);
            t = t - entry->part[side][SOFT_ARM] * FOUR_OF(entry->part[SOFT_COUPLE]);
        }
    if (near->first[SOFT_GENERAL] < near->first[SOFT_CLASSES]) add_torques(near, row, &t);
    *force = f;
    *torque = t;
}

IN_LOOP double sum_of(const four *a) {
    return (*a)[0] + (*a)[1] + (*a)[2];
}

WIDE struct soft_body_sums soft_rows_move(const struct soft *soft, vec3 gravity, size_t first,
                                          size_t last, double dt) {
    const four zero = {0.0}, g = {gravity.x, gravity.y, gravity.z, 0.0};
    double half = 0.5 * dt, fastest2 = 0.0, largest2 = 0.0, way = 0.0, turnover = 0.0;
    four outside = zero, moving = zero, kinetic = zero;
    for (size_t k = first; k < last; k++) {
        struct soft_row *row = &soft->rows[k];
        if (soft->wall_of[k] >= 0) continue;
        four force, torque, weight = row->mass * g;
        add_up(&soft->near, k, &force, &torque);
        force = FOUR_SHUFFLE(force, zero, 0, 1, 2, 7) + weight;
        torque = FOUR_SHUFFLE(torque, zero, 0, 1, 2, 7);
        four v = FOUR_OF(row->velocity), w = FOUR_OF(row->omega);
        four rate = row->inverse_mass * force, spin = row->inverse_inertia * torque;
        four down = weight * FOUR_OF(row->shift);
        outside = outside + weight * v; /* powers with the velocity that dampers see */
        moving = moving + (force * v + torque * w);
        double work = sum_of(&down);
        way += work;
        turnover += fabs(work);
        v = v + half * (rate - FOUR_OF(row->acceleration));
        w = w + half * (spin - FOUR_OF(row->spin_rate));
        FOUR(row->velocity) = v;
        FOUR(row->omega) = w;
        FOUR(row->acceleration) = rate;
        FOUR(row->spin_rate) = spin;
        four speed2 = v * v, rate2 = rate * rate;
        double all = sum_of(&speed2), rate_all = sum_of(&rate2);
        kinetic = kinetic + (0.5 * row->mass * speed2 + 0.5 * row->inertia * (w * w));
        fastest2 = all > fastest2 ? all : fastest2;
        largest2 = rate_all > largest2 ? rate_all : largest2;
    }
    return (struct soft_body_sums){.outside = sum_of(&outside),
                                   .moving = sum_of(&moving),
                                   .way = way,
                                   .turnover = turnover,
                                   .kinetic = sum_of(&kinetic),
                                   .fastest2 = fastest2,
                                   .acceleration2 = largest2};
}
