/* SPDX-License-Identifier: Apache-2.0
 *
 * The global balance. Let the impulses of the answer be (1 + f) P with a factor f that varies slowly through the
 * system, f = sum c_i N_i with the first polynomials N_i of space. What is known of the defect is, at each contact,
 * how far its own law would move it, dP, in units of velocity w = -dP/m. Minimising the energy of the error in this
 * space gives a small linear system for c:
 *     sum_j A_ij c_j = b_i      A_ij = (N_i P) . W (N_j P)      b_i = - sum over contacts N_i P.w
 * and balance^2 = sum |P| f^2 / sum |P| (1 + f)^2. P.w is summed over all contacts: a defect too small to be seen in any
 * of them counts in full if all have it, and one of changing sign not at all. Worked out in
 * docs/theory/convergence.md.
 */
#include "solve/measures.h"

#include <math.h>
#include <string.h>

#include "law/coulomb.h"

enum { WAVES = BALANCE_WAVES };

/* ---- the error of single contacts ------------------------------------------------------------ */

static bool counts(const struct solve_contact *contact) {
    return contact->m_n > 0.0 && contact->bias < HUGE_VAL;
}

static vec3 in_own_frame(vec3 a, vec3 n) {
    vec3 t = vec3_perpendicular(n);
    return vec3_into_frame(a, n, t, vec3_cross(n, t));
}

double problem_residual_siconos(const struct problem *problem) {
    double sum = 0.0, impulses = 0.0, velocities = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (!counts(contact)) continue;
        vec3 u = problem_velocity(problem, contact);
        u = in_own_frame(vec3_add_scaled(u, contact->bias, contact->normal), contact->normal);
        vec3 p = in_own_frame(contact->impulse, contact->normal);
        double defect = coulomb_residual(p, u, 1.0, contact->mu);
        sum += defect * defect;
        impulses += vec3_norm2(p);
        velocities += vec3_norm2(u);
    }
    double scale = fmax(problem->q_norm, sqrt(fmax(impulses, velocities)));
    return scale > 0.0 ? sqrt(sum) / scale : 0.0;
}

/* The smaller of the two; walls have none. */
static double smaller_arm(const struct solve_contact *contact) {
    if (!(contact->arm_a > 0.0)) return contact->arm_b;
    return contact->arm_b > 0.0 ? fmin(contact->arm_a, contact->arm_b) : contact->arm_a;
}

double problem_penetration(const struct problem *problem, double dt) {
    double largest = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        double arm = smaller_arm(contact);
        if (!counts(contact) || !(arm > 0.0)) continue;
        /* A bias below 0 asks for a rebound or for an overlap to be undone: missing it makes no new one. */
        double opening = vec3_dot(problem_velocity(problem, contact), contact->normal) +
                         fmax(contact->bias, 0.0);
        largest = fmax(largest, -opening * dt / arm);
    }
    return largest;
}

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

struct balance {
    double a[WAVES][WAVES]; /* (N_i P).W (N_j P), J */
    double b[WAVES];
    double size[WAVES]; /* a[i][i] if forces on a body did not cancel */
};

/* P.w: what the contact lacks, as power. The law at the contact alone says what that is, whichever law it is. */
static double missing_power(const struct problem *problem, const struct solve_contact *contact) {
    vec3 n = contact->normal, p = contact->impulse;
    struct combined_impulse solved = {vec3_zero(), vec3_zero()};
    if (contact_is_plain(contact))
        solved.force = coulomb_solve(p, problem_velocity(problem, contact), n, contact->bias,
                                     contact->m_n, contact->m_t, contact->mu);
    else
        solved = problem_solve_special(problem, contact);
    vec3 surplus = vec3_sub(p, solved.force);
    double p_n = vec3_dot(p, n), surplus_n = vec3_dot(surplus, n);
    double power = p_n * surplus_n / contact->m_n;
    if (contact->m_t > 0.0) power += (vec3_dot(p, surplus) - p_n * surplus_n) / contact->m_t;
    if (contact->combined < 0) return power;
    const struct combined *law = &problem->combined[contact->combined];
    if (law->block.m_r > 0.0)
        power += vec3_dot(law->torque, vec3_sub(law->torque, solved.torque)) / law->block.m_r;
    return power;
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

static void add_contact(struct balance *restrict balance, const struct problem *problem,
                        const struct solve_contact *contact, const double wave[restrict WAVES],
                        struct balance_row *rows) {
    const struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    double power = missing_power(problem, contact);
    vec3 on_a = vec3_scale(-1.0, contact->impulse), on_b = contact->impulse;
    if (contact->general >= 0) {
        on_a = felt(problem, a, problem->general[contact->general].slide_a, on_a);
        on_b = felt(problem, b, problem->general[contact->general].slide_b, on_b);
    }
    if (a->inverse_mass > 0.0) add_to_row(&rows[contact->a], on_a, wave);
    if (b->inverse_mass > 0.0) add_to_row(&rows[contact->b], on_b, wave);
    double size = vec3_norm2(on_a) * a->inverse_mass + vec3_norm2(on_b) * b->inverse_mass;
    for (int i = 0; i < WAVES; i++) balance->b[i] -= wave[i] * power;
    for (int i = 0; i < WAVES; i++) balance->size[i] += wave[i] * wave[i] * size;
}

static void add_body(struct balance *restrict balance, const struct balance_row *restrict row,
                     double inverse_mass) {
    for (int i = 0; i < WAVES; i++) {
        double x = inverse_mass * row->force[0][i], y = inverse_mass * row->force[1][i];
        double z = inverse_mass * row->force[2][i];
        for (int j = 0; j < WAVES; j++)
            balance->a[i][j] += x * row->force[0][j] + y * row->force[1][j] + z * row->force[2][j];
    }
}

/* A wave that the others make up already is left out, and so is one that moves nothing: forces that cancel on every body, up
 * to their rounding, as on one that touches the same plane at many points. */
static const double independent = 1e-10, cancelled = 1e-24;

/* a c = b by a = l d l^T. */
static void solve_small(const struct balance *balance, double c[WAVES]) {
    double l[WAVES][WAVES] = {{0.0}}, d[WAVES] = {0.0}, y[WAVES];
    for (int i = 0; i < WAVES; i++) {
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
    for (int i = WAVES - 1; i >= 0; i--) {
        c[i] = d[i] > 0.0 ? y[i] / d[i] : 0.0;
        if (d[i] > 0.0)
            for (int k = i + 1; k < WAVES; k++) c[i] -= l[k][i] * c[k];
    }
}

static bool presses(const struct solve_contact *contact) {
    return counts(contact) && vec3_norm2(contact->impulse) > 0.0;
}

/* sqrt(sum |P| f^2 / sum |P| (1 + f)^2), f = sum c_i N_i. Forces that are too large are measured by what they are. */
static double share_missing(const struct problem *problem, const struct box *box,
                            const double c[WAVES]) {
    double missing = 0.0, there = 0.0, wanted = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        double place[3], wave[WAVES], f = 0.0, size = vec3_norm(contact->impulse);
        if (!presses(contact)) continue;
        place_of(problem, k, place);
        waves_at(box, place, wave);
        for (int i = 0; i < WAVES; i++) f += c[i] * wave[i];
        missing += size * f * f;
        there += size;
        wanted += size * (1.0 + f) * (1.0 + f);
    }
    return there > 0.0 ? sqrt(missing / fmax(there, wanted)) : 0.0;
}

double problem_balance(const struct problem *problem, struct balance_row *rows) {
    struct balance balance = {.b = {0.0}};
    struct box box = box_of(problem);
    double place[3], wave[WAVES], c[WAVES];
    memset(rows, 0, problem->body_count * sizeof *rows);
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (!presses(contact)) continue;
        place_of(problem, k, place);
        waves_at(&box, place, wave);
        add_contact(&balance, problem, contact, wave, rows);
    }
    for (size_t i = 0; i < problem->body_count; i++)
        if (problem->bodies[i].inverse_mass > 0.0)
            add_body(&balance, &rows[i], problem->bodies[i].inverse_mass);
    /* Nothing presses: if anything should, all is missing. */
    if (!(balance.a[0][0] > 0.0)) return problem_residual(problem) > 0.0 ? 1.0 : 0.0;
    solve_small(&balance, c);
    return share_missing(problem, &box, c);
}

struct solve_measures problem_measures(const struct problem *problem, struct balance_row *rows,
                                       double dt) {
    return (struct solve_measures){
        .residual = problem_residual(problem),
        .residual_siconos = problem_residual_siconos(problem),
        .balance = problem_balance(problem, rows),
        .penetration_new = problem_penetration(problem, dt),
    };
}
