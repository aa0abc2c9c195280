/* SPDX-License-Identifier: Apache-2.0
 *
 * The global balance. Let the impulses of the answer be (1 + f) P with a factor f that varies slowly through the
 * system, f = sum c_i N_i with the first polynomials N_i of space. What is known of the defect is, at each contact,
 * how far its own law would move it, dP, in units of velocity w = -dP/m. Minimising the energy of the error in this
 * space gives a small linear system for c:
 *     sum_j A_ij c_j = b_i      A_ij = (N_i P) . W (N_j P)      b_i = - sum over contacts N_i P.w
 * and balance^2 = sum |P| f^2 / sum |P| (1 + f)^2. P.w is summed over all contacts: a defect too small to be seen in any
 * of them counts in full if all have it, and one of changing sign not at all. What is missing may also be no
 * multiple of P: the same with the change of P since an earlier look in its place, measured by the forces and moments that it sends through
 * planes. Torques are part of P, and bodies turn. Worked out in docs/theory/convergence.md.
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

/* From the middle of a to the contact point. */
static vec3 arm_of(const struct problem *problem, const struct solve_contact *contact) {
    return contact->general < 0 ? vec3_scale(contact->arm_a, contact->normal)
                                : problem->general[contact->general].arm_a;
}

static void place_of(const struct problem *problem, size_t k, double place[3]) {
    const struct solve_contact *contact = &problem->contacts[k];
    if (problem->positions == NULL) {
        place[0] = (double)k;
        place[1] = place[2] = 0.0;
        return;
    }
    vec3 x = vec3_add(problem->positions[contact->a], arm_of(problem, contact));
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

struct lack { /* of a contact: how its own law would change it, over the masses: velocities */
    vec3 velocity, turning;
    double energy; /* J, twice that of the change */
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
    struct lack lack = {vec3_add_scaled(along, per_t, vec3_add_scaled(surplus, -surplus_n, n)),
                        vec3_zero(), 0.0};
    lack.energy = vec3_dot(surplus, lack.velocity);
    if (contact->combined < 0) return lack;
    const struct combined *law = &problem->combined[contact->combined];
    if (law->block.m_r > 0.0)
        lack.turning = vec3_scale(1.0 / law->block.m_r, vec3_sub(law->torque, solved.torque));
    lack.energy += law->block.m_r * vec3_norm2(lack.turning);
    return lack;
}

static double power_of(const struct combined_impulse *impulse, const struct lack *lack) {
    return vec3_dot(impulse->force, lack->velocity) + vec3_dot(impulse->torque, lack->turning);
}

/* The part of an impulse that a body can follow: pistons slide along one line. */
static vec3 felt(const struct problem *problem, const struct solve_body *body, int32_t slide,
                 vec3 impulse) {
    if (slide < 0 || !(body->inverse_mass > 0.0)) return impulse;
    return vec3_scale(1.0 / body->inverse_mass, mobility_slide(problem, body, slide, impulse));
}

struct push {       /* of a contact on a body, as it feels it */
    double part[6]; /* force and moment about its centre */
    double size;    /* J, twice the energy that it alone would give it */
};

struct pushes {
    struct push on_a, on_b;
};

static struct push push_of(vec3 force, vec3 moment, double inverse_mass, double turning) {
    return (struct push){{force.x, force.y, force.z, moment.x, moment.y, moment.z},
                         vec3_norm2(force) * inverse_mass + turning};
}

static struct pushes round_pushes(const struct problem *problem,
                                  const struct solve_contact *contact,
                                  const struct combined_impulse *impulse) {
    const struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    vec3 back = vec3_scale(-1.0, impulse->force), turn = vec3_cross(contact->normal, back);
    vec3 on_a = vec3_sub(vec3_scale(contact->arm_a, turn), impulse->torque);
    vec3 on_b = vec3_add(vec3_scale(contact->arm_b, turn), impulse->torque);
    return (struct pushes){
        push_of(back, on_a, a->inverse_mass, a->inverse_inertia * vec3_norm2(on_a)),
        push_of(impulse->force, on_b, b->inverse_mass, b->inverse_inertia * vec3_norm2(on_b))};
}

static struct pushes pushes_of(const struct problem *problem, const struct solve_contact *contact,
                               const struct combined_impulse *impulse) {
    if (contact->general < 0) return round_pushes(problem, contact, impulse);
    const struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    const struct solve_general *general = &problem->general[contact->general];
    vec3 back = vec3_scale(-1.0, impulse->force);
    vec3 on_a = vec3_sub(vec3_cross(general->arm_a, back), impulse->torque);
    vec3 on_b = vec3_add(vec3_cross(general->arm_b, impulse->force), impulse->torque);
    double turn_a = vec3_dot(on_a, mobility_turn(problem, a, general->turn_a, on_a));
    double turn_b = vec3_dot(on_b, mobility_turn(problem, b, general->turn_b, on_b));
    return (struct pushes){
        push_of(felt(problem, a, general->slide_a, back), on_a, a->inverse_mass, turn_a),
        push_of(felt(problem, b, general->slide_b, impulse->force), on_b, b->inverse_mass, turn_b)};
}

static void add_to_row(struct balance_row *restrict row, const struct push *push,
                       const double wave[restrict WAVES]) {
    for (int part = 0; part < 6; part++)
        for (int i = 0; i < WAVES; i++) row->push[part][i] += push->part[part] * wave[i];
}

static void add_trend_to_row(struct balance_row *restrict row, const struct push *push,
                             const double wave[restrict WAVES]) {
    for (int part = 0; part < 6; part++)
        for (int i = 0; i < TRENDS; i++)
            row->trend[part][i] += push->part[part] * wave[trend_wave[i]];
}

/* Does it move, and how does it turn? */
static bool note_turn(const struct problem *problem, const struct solve_contact *contact, bool is_a,
                      struct balance_row *row) {
    const struct solve_body *body = &problem->bodies[is_a ? contact->a : contact->b];
    if (contact->general >= 0) {
        const struct solve_general *general = &problem->general[contact->general];
        row->turn = (is_a ? general->turn_a : general->turn_b) + 1;
    }
    row->moves = body->inverse_mass > 0.0 || body->inverse_inertia > 0.0 || row->turn > 0;
    return row->moves;
}

struct balances {
    struct balance waves, trends;
    double lack; /* J, of all contacts */
};

static void add_trend(struct balance *balance, const struct problem *problem,
                      const struct solve_contact *contact, const struct combined_impulse *trend,
                      const struct lack *lack, const double wave[WAVES], struct balance_row *rows) {
    struct pushes pushes = pushes_of(problem, contact, trend);
    struct balance_row *a = &rows[contact->a], *b = &rows[contact->b];
    if (note_turn(problem, contact, true, a)) add_trend_to_row(a, &pushes.on_a, wave);
    if (note_turn(problem, contact, false, b)) add_trend_to_row(b, &pushes.on_b, wave);
    double power = power_of(trend, lack), size = pushes.on_a.size + pushes.on_b.size;
    for (int i = 0; i < TRENDS; i++) {
        double value = wave[trend_wave[i]];
        balance->b[i] -= value * power;
        balance->size[i] += value * value * size;
    }
}

static struct combined_impulse change_of(const struct problem *problem,
                                         const struct solve_contact *contact,
                                         const struct combined_impulse *before) {
    struct combined_impulse now = problem_impulses(problem, contact);
    return (struct combined_impulse){vec3_sub(now.force, before->force),
                                     vec3_sub(now.torque, before->torque)};
}

static void add_contact(struct balances *restrict balances, const struct problem *problem,
                        const struct solve_contact *contact, const struct combined_impulse *before,
                        const double wave[restrict WAVES], struct balance_row *rows) {
    struct balance *balance = &balances->waves;
    struct balance_row *a = &rows[contact->a], *b = &rows[contact->b];
    struct lack lack = lack_of(problem, contact);
    struct combined_impulse impulse = problem_impulses(problem, contact);
    struct pushes pushes = pushes_of(problem, contact, &impulse);
    if (note_turn(problem, contact, true, a)) add_to_row(a, &pushes.on_a, wave);
    if (note_turn(problem, contact, false, b)) add_to_row(b, &pushes.on_b, wave);
    double power = power_of(&impulse, &lack), size = pushes.on_a.size + pushes.on_b.size;
    balances->lack += lack.energy;
    for (int i = 0; i < WAVES; i++) balance->b[i] -= wave[i] * power;
    for (int i = 0; i < WAVES; i++) balance->size[i] += wave[i] * wave[i] * size;
    if (before == NULL) return;
    struct combined_impulse trend = change_of(problem, contact, before);
    add_trend(&balances->trends, problem, contact, &trend, &lack, wave, rows);
}

/* What the pushes of one function do to a body. */
static void response_of(const struct problem *problem, size_t body, int32_t turn,
                        const double push[6], double out[6]) {
    const struct solve_body *row = &problem->bodies[body];
    vec3 moment = vec3_make(push[3], push[4], push[5]);
    vec3 turned = mobility_turn(problem, row, turn - 1, moment);
    for (int part = 0; part < 3; part++) out[part] = row->inverse_mass * push[part];
    out[3] = turned.x;
    out[4] = turned.y;
    out[5] = turned.z;
}

static void add_body(struct balances *restrict balances, const struct problem *problem, size_t body,
                     const struct balance_row *restrict row, bool trends) {
    double push[6], moved[6];
    for (int i = 0; i < WAVES; i++) {
        for (int part = 0; part < 6; part++) push[part] = row->push[part][i];
        response_of(problem, body, row->turn, push, moved);
        for (int part = 0; part < 6; part++)
            for (int j = 0; j < WAVES; j++)
                balances->waves.a[i][j] += moved[part] * row->push[part][j];
    }
    for (int i = 0; i < TRENDS && trends; i++) {
        for (int part = 0; part < 6; part++) push[part] = row->trend[part][i];
        response_of(problem, body, row->turn, push, moved);
        for (int part = 0; part < 6; part++)
            for (int j = 0; j < TRENDS; j++)
                balances->trends.a[i][j] += moved[part] * row->trend[part][j];
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
 * through planes times the length of the slice, so that axes weigh by the stress on them and not by their area; and in
 * the same way the moment through planes, about the middle of the slice, over what forces of this size could have
 * where they are. Forces that keep each other in balance, as they may without anything else to be seen of it, have
 * neither. */
enum { SLICES = 8 };

struct slice {
    vec3 force, missing_force;   /* N s m */
    vec3 missing_moment;         /* about the origin of places */
    double size, turning;        /* sums of |P| and of |T|, times the branch */
    double places[3], spread[3]; /* sums of size times place, and times its square */
};

struct through {
    struct slice slices[3][SLICES];
};

/* From the middle of a to that of b. */
static vec3 branch_of(const struct problem *problem, const struct solve_contact *contact) {
    if (contact->general < 0) return vec3_scale(contact->arm_a + contact->arm_b, contact->normal);
    const struct solve_general *general = &problem->general[contact->general];
    return vec3_sub(general->arm_a, general->arm_b);
}

/* Torques smaller than this share of the force at the arm of a grain are not worth a look. */
static const double least_turning = 0.03;

struct crossing { /* of a contact through a slice */
    struct combined_impulse impulse, error;
    double place[3], along, arm;
};

static void add_to_slice(struct slice *slice, const struct crossing *crossing) {
    double along = crossing->along, weight = fabs(along);
    const struct combined_impulse *impulse = &crossing->impulse, *error = &crossing->error;
    double size = weight * vec3_norm(impulse->force);
    vec3 place = vec3_make(crossing->place[0], crossing->place[1], crossing->place[2]);
    vec3 moment = vec3_add(vec3_cross(place, error->force), error->torque);
    slice->force = vec3_add_scaled(slice->force, along, impulse->force);
    slice->missing_force = vec3_add_scaled(slice->missing_force, along, error->force);
    slice->missing_moment = vec3_add_scaled(slice->missing_moment, along, moment);
    slice->size += size;
    slice->turning += weight * (vec3_norm(impulse->torque) +
                                least_turning * crossing->arm * vec3_norm(impulse->force));
    for (int axis = 0; axis < 3; axis++) {
        slice->places[axis] += size * crossing->place[axis];
        slice->spread[axis] += size * crossing->place[axis] * crossing->place[axis];
    }
}

static int slice_at(double x) {
    int number = (int)floor(0.5 * (x + 1.0) * SLICES);
    return number < 0 ? 0 : number < SLICES ? number : SLICES - 1;
}

/* With the length that the branch has in each slice; the outermost have no end. So planes add up what passes through each of them,
 * and what keeps itself in balance adds up to nothing. */
static void add_through(struct through *through, const struct box *box, vec3 arm, vec3 branch,
                        struct crossing *crossing) {
    crossing->arm = 0.5 * vec3_norm(branch);
    for (int axis = 0; axis < 3; axis++) crossing->place[axis] -= box->middle[axis];
    for (int k = 0; k < box->axes; k++) {
        int axis = box->axis[k];
        double along = vec3_component(branch, axis), scale = box->inverse_half[axis];
        double from = scale * (crossing->place[axis] - vec3_component(arm, axis));
        double to = from + scale * along, low = fmin(from, to), high = fmax(from, to);
        for (int number = slice_at(low); number <= slice_at(high); number++) {
            double begin = number == 0 ? low : fmax(low, 2.0 * number / SLICES - 1.0);
            double end =
                number == SLICES - 1 ? high : fmin(high, 2.0 * (number + 1) / SLICES - 1.0);
            crossing->along = copysign((end - begin) / scale, along);
            add_to_slice(&through->slices[k][number], crossing);
        }
    }
}

static void add_moment(struct share *share, const struct slice *slice, int across) {
    if (!(slice->size > 0.0)) return;
    double middle[3], spread = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = slice->places[axis] / slice->size;
        double own = slice->spread[axis] / slice->size - middle[axis] * middle[axis];
        if (axis != across) spread += fmax(own, 0.0);
    }
    vec3 centre = vec3_make(middle[0], middle[1], middle[2]);
    vec3 moment = vec3_sub(slice->missing_moment, vec3_cross(centre, slice->missing_force));
    double could = slice->size * sqrt(spread) + slice->turning;
    double missing = vec3_norm(moment);
    share->missing += missing * missing;
    share->there += could * could;
    share->wanted += (could + missing) * (could + missing);
}

static double share_through(const struct through *through, const struct box *box) {
    struct share forces = {0.0, 0.0, 0.0}, moments = {0.0, 0.0, 0.0};
    for (int k = 0; k < box->axes; k++)
        for (int number = 0; number < SLICES; number++) {
            const struct slice *slice = &through->slices[k][number];
            forces.missing += vec3_norm2(slice->missing_force);
            forces.there += vec3_norm2(slice->force);
            forces.wanted += vec3_norm2(vec3_add(slice->force, slice->missing_force));
            add_moment(&moments, slice, box->axis[k]);
        }
    return fmax(share_of(&forces), share_of(&moments));
}

static double share_missing(const struct problem *problem, const struct combined_impulse *before,
                            const struct box *box, const double c[WAVES],
                            const double c_trend[WAVES]) {
    struct share share = {0.0, 0.0, 0.0};
    struct through through = {.slices = {{{.size = 0.0}}}};
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        double wave[WAVES], f = 0.0, h = 0.0;
        struct crossing crossing;
        if (!presses(contact)) continue;
        place_of(problem, k, crossing.place);
        waves_at(box, crossing.place, wave);
        for (int i = 0; i < WAVES; i++) f += c[i] * wave[i];
        add_share(&share, contact->impulse, f);
        if (before == NULL) continue;
        for (int i = 0; i < TRENDS; i++) h += c_trend[i] * wave[trend_wave[i]];
        struct combined_impulse trend = change_of(problem, contact, &before[k]);
        crossing.impulse = problem_impulses(problem, contact);
        crossing.error =
            (struct combined_impulse){vec3_scale(h, trend.force), vec3_scale(h, trend.torque)};
        add_through(&through, box, arm_of(problem, contact), branch_of(problem, contact),
                    &crossing);
    }
    return fmax(share_of(&share), share_through(&through, box));
}

/* Forces and torques that walls hold in balance may drift for ever, and what is found of that is noise over noise. The energy of an error
 * is more than that of what contacts lack: n^2 times in a chain of n, n^4/100 where it bends. Beyond n^3 it is none. */
static bool moves_nothing(const struct balances *balances, const double c[WAVES], size_t contacts) {
    double n = (double)contacts, energy = 0.0;
    for (int i = 0; i < TRENDS; i++) energy += c[i] * balances->trends.b[i];
    return energy > n * n * n * balances->lack;
}

double problem_balance(const struct problem *problem, const struct combined_impulse *before,
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
        if (rows[i].moves) add_body(&balances, problem, i, &rows[i], before != NULL);
    /* Nothing presses: if anything should, all is missing. */
    if (!(balances.waves.a[0][0] > 0.0)) return problem_residual(problem) > 0.0 ? 1.0 : 0.0;
    solve_small(&balances.waves, WAVES, c);
    solve_small(&balances.trends, TRENDS, c_trend);
    if (moves_nothing(&balances, c_trend, problem->contact_count))
        memset(c_trend, 0, sizeof c_trend);
    return share_missing(problem, before, &box, c, c_trend);
}
