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
#include "solve/balance.h"

#include <string.h>

#include "law/coulomb.h"
#include "math/four.h"

/* ---- where contacts are ------------------------------------------------------------------------------- */

/* Directions less extended than this share of the longest one are those in which a flat system is not extended at
 * all. */
static const double thinnest = 1e-6;

static struct balance_box box_of(const struct problem *problem) {
    struct balance_box box = {.axes = 0};
    double high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, place[3], longest = 0.0;
    for (int axis = 0; axis < 3; axis++) box.low[axis] = HUGE_VAL;
    for (size_t k = 0; k < problem->contact_count; k++) {
        if (!(vec3_norm2(problem->contacts[k].impulse) > 0.0)) continue;
        balance_place(problem, k, place);
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

static bool lies_flat(const struct combined_impulse *impulse) {
    return impulse->force.z == 0.0 && impulse->torque.x == 0.0 && impulse->torque.y == 0.0;
}

/* Nothing is pushed out of the plane z = 0, or turned out of it. */
static bool all_flat(const struct problem *problem, const struct combined_impulse *before) {
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        struct combined_impulse impulse = problem_impulses(problem, contact);
        if (!lies_flat(&impulse) || (before != NULL && !lies_flat(&before[k]))) return false;
        if (contact->general < 0) {
            if (contact->normal.z != 0.0) return false;
        } else {
            const struct solve_general *general = &problem->general[contact->general];
            if (general->arm_a.z != 0.0 || general->arm_b.z != 0.0) return false;
        }
    }
    return true;
}

/* ---- the small system ---------------------------------------------------------------------------- */

struct balance {            /* of a number of modes Q_i, at most so many */
    double a[WAVES][WAVES]; /* Q_i.W Q_j, J */
    double b[WAVES];
    double size[WAVES]; /* a[i][i] if forces on a body did not cancel */
};

struct lack { /* of a contact: how its own law would change it, over the masses: velocities */
    vec3 velocity, turning;
    double energy; /* J, twice that of the change */
};

/* The law at the contact alone says what that is, whichever law it is. */
IN_LOOP struct lack lack_of(const struct problem *problem, const struct solve_contact *contact) {
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

IN_LOOP double power_of(const struct combined_impulse *impulse, const struct lack *lack) {
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

IN_LOOP struct push push_of(vec3 force, vec3 moment, double inverse_mass, double turning) {
    return (struct push){{force.x, force.y, force.z, moment.x, moment.y, moment.z},
                         vec3_norm2(force) * inverse_mass + turning};
}

IN_LOOP struct push round_push(const struct solve_body *body, const struct solve_contact *contact,
                               const struct combined_impulse *impulse, bool is_a) {
    vec3 back = vec3_scale(-1.0, impulse->force), turn = vec3_cross(contact->normal, back);
    vec3 moment = is_a ? vec3_sub(vec3_scale(contact->arm_a, turn), impulse->torque)
                       : vec3_add(vec3_scale(contact->arm_b, turn), impulse->torque);
    return push_of(is_a ? back : impulse->force, moment, body->inverse_mass,
                   body->inverse_inertia * vec3_norm2(moment));
}

static struct push general_push(const struct problem *problem, const struct solve_contact *contact,
                                const struct combined_impulse *impulse, bool is_a) {
    const struct solve_body *body = &problem->bodies[is_a ? contact->a : contact->b];
    const struct solve_general *general = &problem->general[contact->general];
    int32_t slide = is_a ? general->slide_a : general->slide_b;
    int32_t turn = is_a ? general->turn_a : general->turn_b;
    double sign = is_a ? -1.0 : 1.0;
    vec3 force = vec3_scale(sign, impulse->force);
    vec3 moment = vec3_add_scaled(vec3_cross(is_a ? general->arm_a : general->arm_b, force), sign,
                                  impulse->torque);
    double turning = vec3_dot(moment, mobility_turn(problem, body, turn, moment));
    return push_of(felt(problem, body, slide, force), moment, body->inverse_mass, turning);
}

IN_LOOP struct push push_on(const struct problem *problem, const struct solve_contact *contact,
                            const struct combined_impulse *impulse, bool is_a) {
    if (contact->general >= 0) return general_push(problem, contact, impulse, is_a);
    return round_push(&problem->bodies[is_a ? contact->a : contact->b], contact, impulse, is_a);
}

/* ---- sums over contacts -------------------------------------------------------------------------------- */

struct balances {
    struct balance waves, trends;
    double lack; /* J, of all contacts */
};

struct balance_job {
    const struct balance_found *found;
    const struct balance_room *room;
    size_t bodies; /* that contacts press */
    struct balances pieces[BALANCE_PIECES];
};

IN_LOOP double size_of(const struct problem *problem, const struct solve_contact *contact,
                       const struct combined_impulse *impulse) {
    return push_on(problem, contact, impulse, true).size +
           push_on(problem, contact, impulse, false).size;
}

IN_LOOP void add_contact(struct balances *restrict balances, const struct balance_found *found,
                         size_t k) {
    const struct problem *problem = found->problem;
    const struct solve_contact *contact = &problem->contacts[k];
    double place[3], wave[WAVES];
    balance_place(problem, k, place);
    balance_waves(&found->box, place, wave);
    struct lack lack = lack_of(problem, contact);
    struct combined_impulse impulse = problem_impulses(problem, contact);
    double power = power_of(&impulse, &lack), size = size_of(problem, contact, &impulse);
    balances->lack += lack.energy;
    EIGHT(balances->waves.b) -= EIGHT_OF(wave) * power;
    EIGHT(balances->waves.size) += EIGHT_OF(wave) * EIGHT_OF(wave) * size;
    if (found->before == NULL) return;
    struct combined_impulse trend = balance_change(problem, contact, &found->before[k]);
    double value[TRENDS];
    for (int i = 0; i < TRENDS; i++) value[i] = wave[trend_wave[i]];
    power = power_of(&trend, &lack);
    size = size_of(problem, contact, &trend);
    FOUR(balances->trends.b) -= FOUR_OF(value) * power;
    FOUR(balances->trends.size) += FOUR_OF(value) * FOUR_OF(value) * size;
}

WIDE static void add_contacts(struct balances *restrict balances, const struct balance_found *found,
                              struct balance_range range) {
    for (size_t k = range.begin; k < range.end; k++)
        if (contact_presses(&found->problem->contacts[k])) add_contact(balances, found, k);
}

static void add_contacts_of_piece(void *context, size_t piece) {
    struct balance_job *job = context;
    memset(&job->pieces[piece], 0, sizeof job->pieces[piece]);
    add_contacts(&job->pieces[piece], job->found,
                 balance_range(job->found->problem->contact_count, piece));
}

/* ---- sums over bodies ----------------------------------------------------------------------------------- */

static int32_t turn_of(const struct problem *problem, const struct solve_contact *contact,
                       bool is_a) {
    if (contact->general < 0) return -1;
    const struct solve_general *general = &problem->general[contact->general];
    return is_a ? general->turn_a : general->turn_b;
}

/* Is there anything that the contact can do to it? */
static bool can_move(const struct problem *problem, const struct solve_contact *contact,
                     bool is_a) {
    const struct solve_body *body = &problem->bodies[is_a ? contact->a : contact->b];
    return body->inverse_mass > 0.0 || body->inverse_inertia > 0.0 ||
           turn_of(problem, contact, is_a) >= 0;
}

static talus_index touched(const struct solve_contact *contact, int side) {
    return side == 0 ? contact->a : contact->b;
}

/* Bodies in the order in which contacts meet them, with the number of those that press each; how many they are. */
static size_t list_bodies(const struct problem *problem, const struct balance_room *room) {
    size_t bodies = 0;
    memset(room->end, 0, problem->body_count * sizeof *room->end);
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (!contact_presses(contact)) continue;
        for (int side = 0; side < 2; side++) {
            if (!can_move(problem, contact, side == 0)) continue;
            talus_index body = touched(contact, side);
            if (room->end[body]++ == 0) room->order[bodies++] = body;
        }
    }
    return bodies;
}

/* The contacts that press each body: 2 k for the a of contact k, 2 k + 1 for its b. They end at end[body], and begin where those
 * of the body before in the order end. How many bodies there are. */
static size_t list_touches(const struct problem *problem, const struct balance_room *room) {
    size_t bodies = list_bodies(problem, room);
    talus_index sum = 0;
    for (size_t rank = 0; rank < bodies; rank++) {
        talus_index *end = &room->end[room->order[rank]], count = *end;
        *end = sum;
        sum += count;
    }
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (!contact_presses(contact)) continue;
        for (int side = 0; side < 2; side++)
            if (can_move(problem, contact, side == 0))
                room->touches[room->end[touched(contact, side)]++] = (talus_index)(2 * k) + side;
    }
    return bodies;
}

/* What forces and torques on a body become if those of its contacts, or their changes, are multiplied by each of the
 * functions: x y z, and about them. In a plane most of it stays zero. */
enum { PARTS = 6 };
struct row {
    double push[PARTS][WAVES], trend[PARTS][TRENDS]; /* N s, N m s */
};
_Static_assert(WAVES == 8 && TRENDS == 4, "vectors");
static const int parts_in_plane[] = {0, 1, 5}, parts_in_space[] = {0, 1, 2, 3, 4, 5};

IN_LOOP void add_touch(struct row *restrict row, const struct balance_found *found,
                       talus_index touch) {
    const struct problem *problem = found->problem;
    size_t k = (size_t)touch / 2;
    const struct solve_contact *contact = &problem->contacts[k];
    double place[3], wave[WAVES];
    balance_place(problem, k, place);
    balance_waves(&found->box, place, wave);
    struct combined_impulse impulse = problem_impulses(problem, contact);
    struct push push = push_on(problem, contact, &impulse, touch % 2 == 0);
    for (int part = 0; part < PARTS; part++)
        EIGHT(row->push[part]) += push.part[part] * EIGHT_OF(wave);
    if (found->before == NULL) return;
    double value[TRENDS];
    for (int i = 0; i < TRENDS; i++) value[i] = wave[trend_wave[i]];
    struct combined_impulse change = balance_change(problem, contact, &found->before[k]);
    struct push trend = push_on(problem, contact, &change, touch % 2 == 0);
    for (int part = 0; part < PARTS; part++)
        FOUR(row->trend[part]) += trend.part[part] * FOUR_OF(value);
}

/* What pushes do to a body: velocity and rotation. */
IN_LOOP void respond(const struct problem *problem, const struct solve_body *body, int32_t turn,
                     const struct row *restrict push, struct row *restrict moved) {
    double alike = turn < 0 ? body->inverse_inertia : 0.0;
    for (int part = 0; part < PARTS; part++) {
        double factor = part < 3 ? body->inverse_mass : alike;
        EIGHT(moved->push[part]) = factor * EIGHT_OF(push->push[part]);
        FOUR(moved->trend[part]) = factor * FOUR_OF(push->trend[part]);
    }
    if (turn < 0) return;
    const sym3 *inverse = &problem->mobilities[turn].inverse_inertia;
    const double rows[3][3] = {{inverse->xx, inverse->xy, inverse->xz},
                               {inverse->xy, inverse->yy, inverse->yz},
                               {inverse->xz, inverse->yz, inverse->zz}};
    for (int part = 0; part < 3; part++)
        for (int k = 0; k < 3; k++) {
            EIGHT(moved->push[3 + part]) += rows[part][k] * EIGHT_OF(push->push[3 + k]);
            FOUR(moved->trend[3 + part]) += rows[part][k] * FOUR_OF(push->trend[3 + k]);
        }
}

IN_LOOP void add_row(struct balances *restrict balances, const struct balance_found *found,
                     const struct solve_body *body, int32_t turn, const struct row *restrict row) {
    struct row moved;
    const int *parts = found->is_flat ? parts_in_plane : parts_in_space;
    int count = found->is_flat ? 3 : PARTS;
    respond(found->problem, body, turn, row, &moved);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < WAVES; i++)
            EIGHT(balances->waves.a[i]) += moved.push[parts[k]][i] * EIGHT_OF(row->push[parts[k]]);
    if (found->before == NULL) return;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < TRENDS; i++)
            FOUR(balances->trends.a[i]) += moved.trend[parts[k]][i] * FOUR_OF(row->trend[parts[k]]);
}

/* Contacts of a body stand far apart in their list. */
enum { TOUCHES_AHEAD = 8 };

IN_LOOP void fetch_touch(const struct balance_found *found, const struct balance_room *room,
                         talus_index k, talus_index touches) {
    if (k + TOUCHES_AHEAD >= touches) return;
    size_t next = (size_t)room->touches[k + TOUCHES_AHEAD] / 2;
    const char *contact = (const char *)&found->problem->contacts[next];
    PREFETCH(contact);
    PREFETCH(contact + 64);
    PREFETCH(contact + sizeof(struct solve_contact) - 1);
    if (found->before != NULL) PREFETCH(&found->before[next]);
}

IN_LOOP void add_body(struct balances *restrict balances, const struct balance_found *found,
                      const struct balance_room *room, size_t rank, talus_index touches) {
    const struct problem *problem = found->problem;
    talus_index body = room->order[rank], end = room->end[body];
    int32_t turn = -1;
    struct row row;
    memset(&row, 0, sizeof row);
    for (talus_index k = rank == 0 ? 0 : room->end[room->order[rank - 1]]; k < end; k++) {
        talus_index touch = room->touches[k];
        const struct solve_contact *contact = &problem->contacts[touch / 2];
        fetch_touch(found, room, k, touches);
        if (contact->general >= 0) turn = turn_of(problem, contact, touch % 2 == 0);
        add_touch(&row, found, touch);
    }
    add_row(balances, found, &problem->bodies[body], turn, &row);
}

WIDE static void add_bodies(struct balances *restrict balances, const struct balance_found *found,
                            const struct balance_room *room, struct balance_range range) {
    if (range.begin == range.end) return;
    talus_index touches = room->end[room->order[range.end - 1]];
    for (size_t rank = range.begin; rank < range.end; rank++)
        add_body(balances, found, room, rank, touches);
}

static void add_bodies_of_piece(void *context, size_t piece) {
    struct balance_job *job = context;
    memset(&job->pieces[piece], 0, sizeof job->pieces[piece]);
    add_bodies(&job->pieces[piece], job->found, job->room, balance_range(job->bodies, piece));
}

static void join(struct balances *to, const struct balances *more) {
    double *sum = (double *)to;
    const double *part = (const double *)more;
    for (size_t k = 0; k < sizeof *to / sizeof *sum; k++) sum[k] += part[k];
}

static struct balances sums_of(const struct balance_found *found, const struct balance_room *room,
                               struct crew *crew) {
    struct balance_job job;
    struct balances all = {.lack = 0.0};
    job.found = found;
    job.room = room;
    size_t contacts = balance_pieces(found->problem->contact_count);
    crew_do(crew, contacts, add_contacts_of_piece, &job);
    for (size_t piece = 0; piece < contacts; piece++) join(&all, &job.pieces[piece]);
    job.bodies = list_touches(found->problem, room);
    size_t bodies = balance_pieces(job.bodies);
    crew_do(crew, bodies, add_bodies_of_piece, &job);
    for (size_t piece = 0; piece < bodies; piece++) join(&all, &job.pieces[piece]);
    return all;
}

/* ---- the answer ------------------------------------------------------------------------------------------ */

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

/* Forces and torques that walls hold in balance may drift for ever, and what is found of that is noise over noise. The energy of an error
 * is more than that of what contacts lack: n^2 times in a chain of n, n^4/100 where it bends. Beyond n^3 it is none. */
static bool moves_nothing(const struct balances *balances, const double c[WAVES], size_t contacts) {
    double n = (double)contacts, energy = 0.0;
    for (int i = 0; i < TRENDS; i++) energy += c[i] * balances->trends.b[i];
    return energy > n * n * n * balances->lack;
}

double problem_balance(const struct problem *problem, const struct combined_impulse *before,
                       const struct balance_room *room, struct crew *crew) {
    struct balance_found found = {.problem = problem, .box = box_of(problem)};
    if (problem->positions != NULL) found.before = before; /* else no planes to look through */
    found.is_flat = all_flat(problem, found.before);
    struct balances balances = sums_of(&found, room, crew);
    /* Nothing presses: if anything should, all is missing. */
    if (!(balances.waves.a[0][0] > 0.0)) return problem_residual(problem) > 0.0 ? 1.0 : 0.0;
    solve_small(&balances.waves, WAVES, found.c);
    solve_small(&balances.trends, TRENDS, found.c_trend);
    if (moves_nothing(&balances, found.c_trend, problem->contact_count))
        memset(found.c_trend, 0, sizeof found.c_trend);
    return balance_missing(&found, crew);
}
