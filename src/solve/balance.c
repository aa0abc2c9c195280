/* SPDX-License-Identifier: Apache-2.0
 *
 * The global balance. Let the impulses of the answer be (1 + f) P with a factor f that varies slowly through the
 * system, f = sum c_i N_i with the first polynomials N_i of space. What is known of the defect is, at each contact,
 * how far its own law would move it, dP, in units of velocity w = -dP/m. Minimising the energy of the error in this
 * space gives a small linear system for c:
 *     sum_j A_ij c_j = b_i      A_ij = (N_i P) . W (N_j P)      b_i = - sum over contacts N_i P.w
 * and balance^2 = sum |P| f^2 / sum |P| (1 + f)^2. P.w is summed over all contacts: a defect too small to be seen in any
 * of them counts in full if all have it, and one of changing sign not at all. What is missing may also be no
 * multiple of P: the same with the change of P since an earlier look in its place, measured by its stress. Worked out in
 * docs/theory/convergence.md.
 */
#include <math.h>
#include <string.h>

#include "law/coulomb.h"
#include "solve/measures.h"

enum { WAVES = BALANCE_WAVES, TRENDS = BALANCE_TRENDS };

/* ---- where contacts are ----------------------------------------------------------------------- */

struct box { /* of all contacts that press, x -> (x - middle)/half in -1..1 */
    double low[3], middle[3], inverse_half[3];
    int axis[3]; /* those along which it is extended */
    int axes;
};

static void place_of(const struct problem *problem, size_t k, double place[3]) {
    const struct solve_contact *contact = &problem->contacts[k];
    if (problem->positions == NULL) {
        place[0] = (double)k;
        place[1] = place[2] = 0.0;
        return;
    }
    vec3 x = vec3_add_scaled(problem->positions[contact->a], contact->arm_a, contact->normal);
    place[0] = x.x;
    place[1] = x.y;
    place[2] = x.z;
}

/* Directions less extended than this share of the longest one are those in which a flat system is not extended at
 * all. */
static const double thinnest = 1e-6;

static struct box box_of(const struct problem *problem) {
    struct box box = {.axes = 0};
    double high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, place[3], longest = 0.0;
    for (int axis = 0; axis < 3; axis++) box.low[axis] = HUGE_VAL;
    for (size_t k = 0; k < problem->contact_count; k++) {
        if (!(vec3_norm2(problem->contacts[k].impulse) > 0.0)) continue;
        place_of(problem, k, place);
        for (int axis = 0; axis < 3; axis++) {
            box.low[axis] = fmin(box.low[axis], place[axis]);
            high[axis] = fmax(high[axis], place[axis]);
        }
    }
    for (int axis = 0; axis < 3; axis++) longest = fmax(longest, high[axis] - box.low[axis]);
    for (int axis = 0; axis < 3; axis++) {
        double length = high[axis] - box.low[axis];
        if (!(length > thinnest * longest)) continue;
        box.middle[axis] = 0.5 * (box.low[axis] + high[axis]);
        box.inverse_half[axis] = 2.0 / length;
        box.axis[box.axes++] = axis;
    }
    return box;
}

/* ---- how forces may be wrong -------------------------------------------------------------------- */

/* Legendre's polynomials of degree 2 and 3. */
static double second(double x) {
    return 1.5 * x * x - 0.5;
}

static double third(double x) {
    return (2.5 * x * x - 1.5) * x;
}

/* All eight of them along a line, by their recurrence. */
static void waves_on_line(double x, double wave[WAVES]) {
    wave[0] = 1.0;
    wave[1] = x;
    for (int n = 1; n + 1 < WAVES; n++)
        wave[n + 1] = ((2 * n + 1) * x * wave[n] - n * wave[n - 1]) / (n + 1);
}

static void waves_at(const struct box *box, const double place[3], double wave[WAVES]) {
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

/* ---- the small system ---------------------------------------------------------------------------- */

struct balance {            /* of a number of modes Q_i, at most so many */
    double a[WAVES][WAVES]; /* Q_i.W Q_j, J */
    double b[WAVES];
    double size[WAVES]; /* a[i][i] if forces on a body did not cancel */
};

/* The trends vary by these: constant, and along the axes. */
static const int trend_wave[TRENDS] = {0, 1, 2, 5};

struct lack { /* of a contact: how its own law would change it, over the masses: a velocity */
    vec3 velocity;
    double power; /* P.w, with torques */
};

/* The law at the contact alone says what that is, whichever law it is. */
static struct lack lack_of(const struct problem *problem, const struct solve_contact *contact) {
    vec3 n = contact->normal, p = contact->impulse;
    struct combined_impulse solved = {vec3_zero(), vec3_zero()};
    if (contact_is_plain(contact))
        solved.force = coulomb_solve(p, problem_velocity(problem, contact), n, contact->bias,
                                     contact->m_n, contact->m_t, contact->mu);
    else
        solved = problem_solve_special(problem, contact);
    vec3 surplus = vec3_sub(p, solved.force);
    double surplus_n = vec3_dot(surplus, n), per_t = contact->m_t > 0.0 ? 1.0 / contact->m_t : 0.0;
    vec3 along = vec3_scale(surplus_n / contact->m_n, n);
    vec3 velocity = vec3_add_scaled(along, per_t, vec3_add_scaled(surplus, -surplus_n, n));
    struct lack lack = {velocity, vec3_dot(p, velocity)};
    if (contact->combined < 0) return lack;
    const struct combined *law = &problem->combined[contact->combined];
    if (law->block.m_r > 0.0)
        lack.power += vec3_dot(law->torque, vec3_sub(law->torque, solved.torque)) / law->block.m_r;
    return lack;
}

/* The part of an impulse that a body can follow: pistons slide along one line. */
static vec3 felt(const struct problem *problem, const struct solve_body *body, int32_t slide,
                 vec3 impulse) {
    if (slide < 0 || !(body->inverse_mass > 0.0)) return impulse;
    return vec3_scale(1.0 / body->inverse_mass, mobility_slide(problem, body, slide, impulse));
}

static void add_to_row(struct balance_row *restrict row, vec3 impulse,
                       const double wave[restrict WAVES]) {
    for (int i = 0; i < WAVES; i++) row->force[0][i] += impulse.x * wave[i];
    for (int i = 0; i < WAVES; i++) row->force[1][i] += impulse.y * wave[i];
    for (int i = 0; i < WAVES; i++) row->force[2][i] += impulse.z * wave[i];
}

static void add_trend_to_row(struct balance_row *row, vec3 trend, const double wave[WAVES]) {
    for (int i = 0; i < TRENDS; i++) {
        row->trend[0][i] += trend.x * wave[trend_wave[i]];
        row->trend[1][i] += trend.y * wave[trend_wave[i]];
        row->trend[2][i] += trend.z * wave[trend_wave[i]];
    }
}

struct pushes { /* of a contact, as its bodies feel them */
    vec3 on_a, on_b;
};

static struct pushes pushes_of(const struct problem *problem, const struct solve_contact *contact,
                               vec3 impulse) {
    struct pushes pushes = {vec3_scale(-1.0, impulse), impulse};
    if (contact->general < 0) return pushes;
    const struct solve_general *general = &problem->general[contact->general];
    pushes.on_a = felt(problem, &problem->bodies[contact->a], general->slide_a, pushes.on_a);
    pushes.on_b = felt(problem, &problem->bodies[contact->b], general->slide_b, pushes.on_b);
    return pushes;
}

struct balances {
    struct balance waves, trends;
};

static void add_trend(struct balance *balance, const struct problem *problem,
                      const struct solve_contact *contact, vec3 trend, vec3 lack,
                      const double wave[WAVES], struct balance_row *rows) {
    const struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    struct pushes pushes = pushes_of(problem, contact, trend);
    if (a->inverse_mass > 0.0) add_trend_to_row(&rows[contact->a], pushes.on_a, wave);
    if (b->inverse_mass > 0.0) add_trend_to_row(&rows[contact->b], pushes.on_b, wave);
    double size =
        vec3_norm2(pushes.on_a) * a->inverse_mass + vec3_norm2(pushes.on_b) * b->inverse_mass;
    double power = vec3_dot(trend, lack);
    for (int i = 0; i < TRENDS; i++) {
        double value = wave[trend_wave[i]];
        balance->b[i] -= value * power;
        balance->size[i] += value * value * size;
    }
}

static void add_contact(struct balances *restrict balances, const struct problem *problem,
                        const struct solve_contact *contact, const vec3 *before,
                        const double wave[restrict WAVES], struct balance_row *rows) {
    const struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    struct balance *balance = &balances->waves;
    struct lack lack = lack_of(problem, contact);
    struct pushes pushes = pushes_of(problem, contact, contact->impulse);
    if (a->inverse_mass > 0.0) add_to_row(&rows[contact->a], pushes.on_a, wave);
    if (b->inverse_mass > 0.0) add_to_row(&rows[contact->b], pushes.on_b, wave);
    double size =
        vec3_norm2(pushes.on_a) * a->inverse_mass + vec3_norm2(pushes.on_b) * b->inverse_mass;
    for (int i = 0; i < WAVES; i++) balance->b[i] -= wave[i] * lack.power;
    for (int i = 0; i < WAVES; i++) balance->size[i] += wave[i] * wave[i] * size;
    if (before == NULL) return;
    vec3 trend = vec3_sub(contact->impulse, *before);
    add_trend(&balances->trends, problem, contact, trend, lack.velocity, wave, rows);
}

static void add_body(struct balances *restrict balances, const struct balance_row *restrict row,
                     double inverse_mass) {
    for (int i = 0; i < WAVES; i++) {
        double x = inverse_mass * row->force[0][i], y = inverse_mass * row->force[1][i];
        double z = inverse_mass * row->force[2][i];
        for (int j = 0; j < WAVES; j++)
            balances->waves.a[i][j] +=
                x * row->force[0][j] + y * row->force[1][j] + z * row->force[2][j];
    }
    for (int i = 0; i < TRENDS; i++) {
        double x = inverse_mass * row->trend[0][i], y = inverse_mass * row->trend[1][i];
        double z = inverse_mass * row->trend[2][i];
        for (int j = 0; j < TRENDS; j++)
            balances->trends.a[i][j] +=
                x * row->trend[0][j] + y * row->trend[1][j] + z * row->trend[2][j];
    }
}

/* A wave that the others make up already is left out, and so is one that moves nothing: forces that cancel on every body, up
 * to their rounding, as on one that touches the same plane at many points. */
static const double independent = 1e-10, cancelled = 1e-24;

/* a c = b by a = l d l^T. */
static void solve_small(const struct balance *balance, int count, double c[WAVES]) {
    double l[WAVES][WAVES] = {{0.0}}, d[WAVES] = {0.0}, y[WAVES];
    for (int i = 0; i < count; i++) {
        double rest = balance->a[i][i];
        y[i] = balance->b[i];
        for (int j = 0; j < i; j++) {
            double sum = balance->a[i][j];
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k] * d[k];
            l[i][j] = d[j] > 0.0 ? sum / d[j] : 0.0;
            rest -= l[i][j] * l[i][j] * d[j];
            y[i] -= l[i][j] * y[j];
        }
        if (rest > independent * balance->a[i][i] && rest > cancelled * balance->size[i])
            d[i] = rest;
    }
    for (int i = count - 1; i >= 0; i--) {
        c[i] = d[i] > 0.0 ? y[i] / d[i] : 0.0;
        if (d[i] > 0.0)
            for (int k = i + 1; k < count; k++) c[i] -= l[k][i] * c[k];
    }
}

static bool presses(const struct solve_contact *contact) {
    return contact_counts(contact) && vec3_norm2(contact->impulse) > 0.0;
}

/* ---- what is missing --------------------------------------------------------------------------------- */

/* Sums of squares. Forces that are too large are measured by what they are. */
struct share {
    double missing, there, wanted;
};

static double share_of(const struct share *share) {
    return share->there > 0.0 ? sqrt(share->missing / fmax(share->there, share->wanted)) : 0.0;
}

/* sqrt(sum |P| f^2 / sum |P| (1 + f)^2), f = sum c_i N_i. */
static void add_share(struct share *share, vec3 impulse, double f) {
    double size = vec3_norm(impulse);
    share->missing += size * f * f;
    share->there += size;
    share->wanted += size * (1.0 + f) * (1.0 + f);
}

/* Stress in slices across the extended axes: sum over contacts of the force times the branch vector's component, which is the force
 * through planes times the length of the slice, so that axes weigh by the stress on them and not by their area. Forces
 * that keep each other in balance, as they may without anything else to be seen of it, have none. */
enum { SLICES = 8 };

struct through {
    vec3 present[3][SLICES], missing[3][SLICES];
};

/* From the middle of a to that of b. */
static vec3 branch_of(const struct problem *problem, const struct solve_contact *contact) {
    if (contact->general < 0) return vec3_scale(contact->arm_a + contact->arm_b, contact->normal);
    const struct solve_general *general = &problem->general[contact->general];
    return vec3_sub(general->arm_a, general->arm_b);
}

static void add_through(struct through *through, const struct box *box, const double place[3],
                        vec3 branch, vec3 impulse, vec3 error) {
    for (int k = 0; k < box->axes; k++) {
        int axis = box->axis[k];
        double x = (place[axis] - box->middle[axis]) * box->inverse_half[axis];
        int slice = (int)(0.5 * (x + 1.0) * SLICES);
        slice = slice < 0 ? 0 : slice < SLICES ? slice : SLICES - 1;
        double along = vec3_component(branch, axis);
        vec3 *present = &through->present[k][slice], *missing = &through->missing[k][slice];
        *present = vec3_add_scaled(*present, along, impulse);
        *missing = vec3_add_scaled(*missing, along, error);
    }
}

static double share_through(const struct through *through, int axes) {
    struct share share = {0.0, 0.0, 0.0};
    for (int k = 0; k < axes; k++)
        for (int slice = 0; slice < SLICES; slice++) {
            vec3 present = through->present[k][slice], missing = through->missing[k][slice];
            share.missing += vec3_norm2(missing);
            share.there += vec3_norm2(present);
            share.wanted += vec3_norm2(vec3_add(present, missing));
        }
    return share_of(&share);
}

static double share_missing(const struct problem *problem, const vec3 *before,
                            const struct box *box, const double c[WAVES],
                            const double c_trend[WAVES]) {
    struct share share = {0.0, 0.0, 0.0};
    struct through through = {.present = {{{0.0, 0.0, 0.0}}}};
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        double place[3], wave[WAVES], f = 0.0, h = 0.0;
        if (!presses(contact)) continue;
        place_of(problem, k, place);
        waves_at(box, place, wave);
        for (int i = 0; i < WAVES; i++) f += c[i] * wave[i];
        add_share(&share, contact->impulse, f);
        if (before == NULL) continue;
        for (int i = 0; i < TRENDS; i++) h += c_trend[i] * wave[trend_wave[i]];
        vec3 error = vec3_scale(h, vec3_sub(contact->impulse, before[k]));
        add_through(&through, box, place, branch_of(problem, contact), contact->impulse, error);
    }
    return fmax(share_of(&share), share_through(&through, box->axes));
}

double problem_balance(const struct problem *problem, const vec3 *before,
                       struct balance_row *rows) {
    struct balances balances = {.waves = {.b = {0.0}}};
    struct box box = box_of(problem);
    double place[3], wave[WAVES], c[WAVES], c_trend[WAVES];
    if (problem->positions == NULL) before = NULL; /* no planes to look through */
    memset(rows, 0, problem->body_count * sizeof *rows);
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (!presses(contact)) continue;
        place_of(problem, k, place);
        waves_at(&box, place, wave);
        add_contact(&balances, problem, contact, before == NULL ? NULL : &before[k], wave, rows);
    }
    for (size_t i = 0; i < problem->body_count; i++)
        if (problem->bodies[i].inverse_mass > 0.0)
            add_body(&balances, &rows[i], problem->bodies[i].inverse_mass);
    /* Nothing presses: if anything should, all is missing. */
    if (!(balances.waves.a[0][0] > 0.0)) return problem_residual(problem) > 0.0 ? 1.0 : 0.0;
    solve_small(&balances.waves, WAVES, c);
    solve_small(&balances.trends, TRENDS, c_trend);
    return share_missing(problem, before, &box, c, c_trend);
}
