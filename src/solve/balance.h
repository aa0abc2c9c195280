/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of the balance share: where contacts are, the functions of space by which forces may be wrong, and
 * sums over contacts or bodies in pieces. Only for balance*.c.
 */
#ifndef SOLVE_BALANCE_H
#define SOLVE_BALANCE_H

#include <math.h>

#include "base/inlining.h"
#include "solve/measures.h"

/* Functions of space by which forces may be wrong, and those by which their last changes may have to go on. */
enum { WAVES = 8, TRENDS = 4 };
/* The trends vary by these: constant, and along the axes. */
static const int trend_wave[TRENDS] = {0, 1, 2, 5};

/* ---- pieces -------------------------------------------------------------------------------------------- */

/* Sums are made of so many at most, whoever adds them up. */
enum { BALANCE_PIECES = 16, BALANCE_PIECE = 1024 };

static inline size_t balance_pieces(size_t count) {
    size_t pieces = 1 + count / BALANCE_PIECE;
    return pieces < BALANCE_PIECES ? pieces : BALANCE_PIECES;
}

struct balance_range {
    size_t begin, end;
};

static inline struct balance_range balance_range(size_t count, size_t piece) {
    size_t pieces = balance_pieces(count);
    return (struct balance_range){count * piece / pieces, count * (piece + 1) / pieces};
}

/* ---- contacts ------------------------------------------------------------------------------------------- */

static inline bool contact_presses(const struct solve_contact *contact) {
    return contact_counts(contact) && vec3_norm2(contact->impulse) > 0.0;
}

static inline struct combined_impulse balance_change(const struct problem *problem,
                                                     const struct solve_contact *contact,
                                                     const struct combined_impulse *before) {
    struct combined_impulse now = problem_impulses(problem, contact);
    return (struct combined_impulse){vec3_sub(now.force, before->force),
                                     vec3_sub(now.torque, before->torque)};
}

/* ---- where they are --------------------------------------------------------------------------------------- */

struct balance_box { /* of all contacts that press, x -> (x - middle)/half in -1..1 */
    double low[3], middle[3], inverse_half[3];
    int axis[3]; /* those along which it is extended */
    int axes;
};

/* From the middle of a to the contact point. */
IN_LOOP vec3 balance_arm(const struct problem *problem, const struct solve_contact *contact) {
    return contact->general < 0 ? vec3_scale(contact->arm_a, contact->normal)
                                : problem->general[contact->general].arm_a;
}

IN_LOOP void balance_place(const struct problem *problem, size_t k, double place[3]) {
    const struct solve_contact *contact = &problem->contacts[k];
    if (problem->positions == NULL) {
        place[0] = (double)k;
        place[1] = place[2] = 0.0;
        return;
    }
    vec3 x = vec3_add(problem->positions[contact->a], balance_arm(problem, contact));
    place[0] = x.x;
    place[1] = x.y;
    place[2] = x.z;
}

/* ---- how forces may be wrong -------------------------------------------------------------------- */

/* Legendre's polynomials of degree 2 and 3. */
IN_LOOP double second(double x) {
    return 1.5 * x * x - 0.5;
}

IN_LOOP double third(double x) {
    return (2.5 * x * x - 1.5) * x;
}

/* All eight of them along a line, by their recurrence. */
IN_LOOP void waves_on_line(double x, double wave[WAVES]) {
    wave[0] = 1.0;
    wave[1] = x;
    for (int n = 1; n + 1 < WAVES; n++)
        wave[n + 1] = ((2 * n + 1) * x * wave[n] - n * wave[n - 1]) / (n + 1);
}

IN_LOOP void balance_waves(const struct balance_box *box, const double place[3],
                           double wave[WAVES]) {
    double x[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < box->axes; k++) {
        int axis = box->axis[k];
        x[k] = (place[axis] - box->middle[axis]) * box->inverse_half[axis];
    }
    if (box->axes < 2) {
        waves_on_line(x[0], wave);
        return;
    }
    bool plane = box->axes == 2;
    wave[0] = 1.0;
    wave[1] = x[0];
    wave[2] = x[1];
    wave[3] = second(x[0]);
    wave[4] = second(x[1]);
    wave[5] = plane ? x[0] * x[1] : x[2];
    wave[6] = plane ? third(x[0]) : second(x[2]);
    wave[7] = plane ? third(x[1]) : x[0] * x[1] * x[2];
}

/* ---- what is missing -------------------------------------------------------------------------------------- */

/* balance_planes.c: the share of the forces, or of forces and moments through planes, that is missing if impulses are
 * wrong by sum c_i N_i times themselves and by sum c_trend_i N_i times their change. */
struct balance_found {
    const struct problem *problem;
    const struct combined_impulse *before; /* NULL: no trend */
    struct balance_box box;
    bool is_flat; /* nothing leaves the plane z = 0 */
    double c[WAVES], c_trend[WAVES];
};
double balance_missing(const struct balance_found *found, struct crew *crew);

#endif
