/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/problem.h"

#include <float.h>

#include "law/coulomb.h"
#include "law/disc_minimum.h"

static const struct solve_general *general_of(const struct problem *problem,
                                              const struct solve_contact *contact) {
    return &problem->general[contact->general];
}

vec3 problem_velocity(const struct problem *problem, const struct solve_contact *contact) {
    const struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    if (contact->general < 0) return contact_velocity(a, b, contact);
    return general_velocity(a, b, general_of(problem, contact));
}

vec3 problem_turning(const struct problem *problem, const struct solve_contact *contact) {
    return vec3_sub(problem->bodies[contact->b].omega, problem->bodies[contact->a].omega);
}

void problem_apply(struct problem *problem, const struct solve_contact *contact, vec3 impulse) {
    struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    if (contact->general < 0) {
        contact_apply(a, b, contact, impulse);
        return;
    }
    general_apply(problem, a, b, general_of(problem, contact), impulse);
}

void problem_apply_torque(struct problem *problem, const struct solve_contact *contact,
                          vec3 torque) {
    struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    if (contact->general < 0) {
        contact_apply_torque(a, b, torque);
        return;
    }
    const struct solve_general *general = general_of(problem, contact);
    a->omega = vec3_sub(a->omega, mobility_turn(problem, a, general->turn_a, torque));
    b->omega = vec3_add(b->omega, mobility_turn(problem, b, general->turn_b, torque));
}

/* Components in the frame of a general contact, and back. */
static vec3 to_frame(const struct solve_contact *contact, const struct solve_general *general,
                     vec3 a) {
    vec3 n = contact->normal, t = general->tangent;
    return vec3_into_frame(a, n, t, vec3_cross(n, t));
}

static vec3 from_frame(const struct solve_contact *contact, const struct solve_general *general,
                       vec3 a) {
    vec3 n = contact->normal, t = general->tangent;
    return vec3_out_of_frame(a, n, t, vec3_cross(n, t));
}

struct answer {
    vec3 velocity, turning;
};

static vec3 frame_axis(const struct solve_contact *contact, const struct solve_general *general,
                       int axis) {
    vec3 unit = vec3_zero();
    vec3_set_component(&unit, axis, 1.0);
    return from_frame(contact, general, unit);
}

/* How relative velocity and rotation answer turning the two bodies by moments. */
static struct answer answer_moments(const struct problem *problem,
                                    const struct solve_contact *contact,
                                    const struct solve_general *general, vec3 moment_a,
                                    vec3 moment_b) {
    const struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    vec3 turn_a = mobility_turn(problem, a, general->turn_a, moment_a);
    vec3 turn_b = mobility_turn(problem, b, general->turn_b, moment_b);
    vec3 velocity =
        vec3_add(vec3_cross(turn_a, general->arm_a), vec3_cross(turn_b, general->arm_b));
    return (struct answer){velocity, vec3_sub(turn_b, turn_a)};
}

/* What a body adds to W by turning: -[r] I^-1 [r], [r] the matrix of the cross product with its arm. */
static sym3 turning_response(const struct problem *problem, const struct solve_body *body,
                             int32_t turn, vec3 r) {
    if (turn < 0) {
        double w = body->inverse_inertia;
        return (sym3){w * (r.y * r.y + r.z * r.z),
                      w * (r.x * r.x + r.z * r.z),
                      w * (r.x * r.x + r.y * r.y),
                      -w * r.x * r.y,
                      -w * r.x * r.z,
                      -w * r.y * r.z};
    }
    const sym3 *inertia = &problem->mobilities[turn].inverse_inertia;
    vec3 x = vec3_cross(sym3_apply(inertia, vec3_make(0.0, r.z, -r.y)), r);
    vec3 y = vec3_cross(sym3_apply(inertia, vec3_make(-r.z, 0.0, r.x)), r);
    vec3 z = vec3_cross(sym3_apply(inertia, vec3_make(r.y, -r.x, 0.0)), r);
    return (sym3){x.x, y.y, z.z, x.y, x.z, y.z};
}

static sym3 sliding_response(const struct problem *problem, const struct solve_body *body,
                             int32_t slide) {
    double w = body->inverse_mass;
    return slide < 0 ? (sym3){w, w, w, 0.0, 0.0, 0.0} : problem->mobilities[slide].inverse_mass;
}

static sym3 scaled(double factor, sym3 a) {
    return (sym3){factor * a.xx, factor * a.yy, factor * a.zz,
                  factor * a.xy, factor * a.xz, factor * a.yz};
}

sym3 problem_response(const struct problem *problem, const struct solve_contact *contact,
                      const struct response_weights *weights) {
    const struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    vec3 arm_a = vec3_scale(contact->arm_a, contact->normal);
    vec3 arm_b = vec3_scale(-contact->arm_b, contact->normal);
    int32_t slide_a = -1, slide_b = -1, turn_a = -1, turn_b = -1;
    if (contact->general >= 0) {
        const struct solve_general *general = general_of(problem, contact);
        arm_a = general->arm_a, arm_b = general->arm_b;
        slide_a = general->slide_a, slide_b = general->slide_b;
        turn_a = general->turn_a, turn_b = general->turn_b;
    }
    sym3 slide = sym3_add(scaled(weights->slide_a, sliding_response(problem, a, slide_a)),
                          scaled(weights->slide_b, sliding_response(problem, b, slide_b)));
    sym3 turn = sym3_add(scaled(weights->turn_a, turning_response(problem, a, turn_a, arm_a)),
                         scaled(weights->turn_b, turning_response(problem, b, turn_b, arm_b)));
    return sym3_add(slide, turn);
}

/* To a unit torque along `axis`, on b; the opposite on a. */
static struct answer answer_torque(const struct problem *problem,
                                   const struct solve_contact *contact,
                                   const struct solve_general *general, int axis) {
    vec3 torque = frame_axis(contact, general, axis);
    struct answer on_a = answer_moments(problem, contact, general, torque, vec3_zero());
    struct answer on_b = answer_moments(problem, contact, general, vec3_zero(), torque);
    vec3 velocity = vec3_add(on_a.velocity, on_b.velocity);
    vec3 turning = vec3_sub(on_b.turning, on_a.turning);
    return (struct answer){to_frame(contact, general, velocity),
                           to_frame(contact, general, turning)};
}

static void set_column(mat3 *matrix, int column, vec3 values) {
    for (int row = 0; row < 3; row++) matrix->m[row][column] = vec3_component(values, row);
}

/* Does m have this one number at (row, column) and (column, row), up to the sign given, and otherwise the
 * diagonal? To rounding, measured by the largest. */
static bool has_form(const mat3 *m, const double diagonal[3], double off, double sign) {
    double size = fmax(fabs(diagonal[0]), fmax(fabs(diagonal[1]), fabs(off)));
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            double wanted = row == column ? diagonal[row] : 0.0;
            if (row == 2 && column == 1) wanted = off;
            if (row == 1 && column == 2) wanted = sign * off;
            if (fabs(m->m[row][column] - wanted) > 8.0 * DBL_EPSILON * size) return false;
        }
    return true;
}

/* Prescribed walls that turn, pistons that slide along their normal. */
static bool is_round(const struct solve_coupling *coupling) {
    double w_n = coupling->w.m[0][0], w_t = coupling->w.m[1][1];
    if (!(w_n > 0.0) || !(w_t > 0.0)) return false;
    if (!has_form(&coupling->w, (double[3]){w_n, w_t, w_t}, 0.0, 1.0)) return false;
    double w_r = coupling->w_turn.m[0][0], kappa = coupling->w_torque.m[2][1];
    /* A grain that can only turn: force and torque do the same to it. */
    if (!(w_t * w_r - kappa * kappa > 1e-9 * w_t * w_r)) return false;
    return has_form(&coupling->w_turn, (double[3]){w_r, w_r, w_r}, 0.0, 1.0) &&
           has_form(&coupling->w_torque, (double[3]){0.0, 0.0, 0.0}, kappa, -1.0);
}

static void prepare_coupling(struct problem *problem, const struct solve_contact *contact,
                             const struct solve_general *general, const mat3 *w) {
    struct solve_coupling *coupling = &problem->couplings[general->coupling];
    coupling->w = *w;
    for (int axis = 0; axis < 3; axis++) {
        struct answer answer = answer_torque(problem, contact, general, axis);
        set_column(&coupling->w_torque, axis, answer.velocity);
        set_column(&coupling->w_turn, axis, answer.turning);
    }
    coupling->is_round = is_round(coupling);
    const mat3 *turn = &coupling->w_turn;
    double w_t = 0.5 * (w->m[1][1] + w->m[2][2]);
    double w_r = (turn->m[0][0] + turn->m[1][1] + turn->m[2][2]) / 3.0;
    double kappa = coupling->w_torque.m[2][1]; /* V = kappa n x T */
    problem->combined[contact->combined].block =
        rolling_block_make(w_t > 0.0 ? w_t : 1.0, coupling->is_round ? kappa : 0.0, w_r);
}

/* The same in the frame of the contact. */
static mat3 in_frame(const struct solve_contact *contact, const struct solve_general *general,
                     const sym3 *world) {
    vec3 n = contact->normal, t = general->tangent, s = vec3_cross(n, t);
    vec3 w_t = sym3_apply(world, t), w_s = sym3_apply(world, s);
    double nn = vec3_dot(n, general->own), nt = vec3_dot(t, general->own);
    double ns = vec3_dot(s, general->own), ts = vec3_dot(s, w_t);
    return (mat3){{{nn, nt, ns}, {nt, vec3_dot(t, w_t), ts}, {ns, ts, vec3_dot(s, w_s)}}};
}

/* The inverse by determinants loses about the square of this to rounding; other contacts are left to the cone. */
static const double well_posed = 1e-4;

static bool is_well_posed(const struct cone *cone, const mat3 *w) {
    double largest = fmax(w->m[0][0], fmax(w->m[1][1], w->m[2][2]));
    return w->m[0][0] > well_posed * largest && cone->s_det > well_posed * largest * largest;
}

static void prepare_general(struct problem *problem, struct solve_contact *contact) {
    const double none = (double)NAN;
    struct solve_general *general = &problem->general[contact->general];
    const struct response_weights alone = {1.0, 1.0, 1.0, 1.0};
    sym3 world = problem_response(problem, contact, &alone);
    general->own = sym3_apply(&world, contact->normal);
    mat3 w = in_frame(contact, general, &world);
    double w_n = w.m[0][0], w_t = 0.5 * (w.m[1][1] + w.m[2][2]);
    contact->m_n = w_n > 0.0 ? 1.0 / w_n : 0.0;
    contact->m_t = w_t > 0.0 ? 1.0 / w_t : 0.0;
    cone_prepare(&general->cone, &w);
    general->inverse = is_well_posed(&general->cone, &w)
                           ? sym3_inverse(&world)
                           : (sym3){none, none, none, none, none, none};
    if (contact->combined >= 0) prepare_coupling(problem, contact, general, &w);
}

static vec3 frame_tangent(const struct problem *problem, const struct solve_contact *contact) {
    return contact->general < 0 ? vec3_perpendicular(contact->normal)
                                : problem->general[contact->general].tangent;
}

void problem_prepare(struct problem *problem, struct solve_contact *contact) {
    if (contact->combined >= 0)
        problem->combined[contact->combined].tangent = frame_tangent(problem, contact);
    if (contact->general >= 0) {
        prepare_general(problem, contact);
        return;
    }
    const struct solve_body *a = &problem->bodies[contact->a], *b = &problem->bodies[contact->b];
    double w_n = a->inverse_mass + b->inverse_mass; /* [Unger2003, eqs. 17-18] */
    double w_t = w_n + contact->arm_a * contact->arm_a * a->inverse_inertia +
                 contact->arm_b * contact->arm_b * b->inverse_inertia;
    contact->m_n = w_n > 0.0 ? 1.0 / w_n : 0.0; /* two grains that are held: nothing can be done */
    contact->m_t = w_t > 0.0 ? 1.0 / w_t : 0.0;
    if (contact->combined < 0) return;
    double w_r = a->inverse_inertia + b->inverse_inertia;
    double kappa = contact->arm_b * b->inverse_inertia - contact->arm_a * a->inverse_inertia;
    problem->combined[contact->combined].block =
        rolling_block_make(w_t > 0.0 ? w_t : 1.0, kappa, w_r);
}

/* m^2, by which a squared rotation of the contact counts as a squared velocity. */
static double turning_length2(const struct problem *problem, const struct solve_contact *contact) {
    double m_r = problem->combined[contact->combined].block.m_r;
    return contact->m_n > 0.0 ? m_r / contact->m_n : 0.0;
}

/* sum (scale q)^2 */
static double sum_of_squares(const struct problem *problem, double scale) {
    double sum = 0.0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (contact->bias == HUGE_VAL) continue;
        vec3 q = problem_velocity(problem, contact);
        q = vec3_add_scaled(q, contact->bias, contact->normal);
        sum += vec3_norm2(vec3_scale(scale, q));
        if (contact->combined >= 0)
            sum += turning_length2(problem, contact) *
                   vec3_norm2(vec3_scale(scale, problem_turning(problem, contact)));
    }
    return sum;
}

double problem_free_norm(const struct problem *problem) {
    double sum = sum_of_squares(problem, 1.0);
    if (isfinite(sum)) return sqrt(sum);
    return sqrt(sum_of_squares(problem, 0x1p-600)) * 0x1p600; /* only the squares overflow */
}

void problem_start(struct problem *problem) {
    problem->q_norm = problem_free_norm(problem);
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (vec3_norm2(contact->impulse) > 0.0) problem_apply(problem, contact, contact->impulse);
        if (contact->combined >= 0)
            problem_apply_torque(problem, contact, problem->combined[contact->combined].torque);
    }
}

/* Velocities as the combined law sees them, in the frame: with the shift of an impact. */
static struct combined_free seen(const struct problem *problem, const struct solve_contact *contact,
                                 const struct solve_general *frame) {
    const struct combined *law = &problem->combined[contact->combined];
    vec3 velocity = to_frame(contact, frame, problem_velocity(problem, contact));
    velocity.y += law->shift_t;
    velocity.z += law->shift_s;
    return (struct combined_free){velocity,
                                  to_frame(contact, frame, problem_turning(problem, contact))};
}

static double combined_residual_of(const struct problem *problem,
                                   const struct solve_contact *contact) {
    struct solve_general frame = {.tangent = frame_tangent(problem, contact)};
    const struct combined *law = &problem->combined[contact->combined];
    struct combined_impulse both = {to_frame(contact, &frame, contact->impulse),
                                    to_frame(contact, &frame, law->torque)};
    return combined_residual(law, both, seen(problem, contact, &frame), -contact->bias,
                             contact->m_n, contact->m_t, contact->mu);
}

/* Of a contact without torques or tension, squared. */
static double friction_residual2(const struct problem *problem,
                                 const struct solve_contact *contact) {
    vec3 u = contact_is_plain(contact) ? contact_velocity(&problem->bodies[contact->a],
                                                          &problem->bodies[contact->b], contact)
                                       : problem_velocity(problem, contact);
    u = vec3_add_scaled(u, contact->bias, contact->normal);
    if (contact->mu > coulomb_steep)
        return coulomb_residual2_steep(contact->impulse, u, contact->normal, contact->m_n,
                                       contact->m_t, contact->mu);
    return coulomb_residual2(contact->impulse, u, contact->normal, contact->m_n, contact->mu);
}

static double residual2_of(const struct problem *problem, const struct solve_contact *contact) {
    if (!(contact->m_n > 0.0) || contact->bias == HUGE_VAL) return 0.0;
    if (contact->combined < 0) return friction_residual2(problem, contact);
    double residual = combined_residual_of(problem, contact);
    return residual * residual;
}

/* Sums over contacts are made of these, whoever adds them up. */
enum { SUM_PIECE = 2048 };

struct residual_job {
    const struct problem *problem;
    size_t pieces;
    double sums[CREW_PIECES_MOST];
};

static void add_residuals(void *context, size_t piece) {
    struct residual_job *job = context;
    size_t count = job->problem->contact_count, end = count * (piece + 1) / job->pieces;
    double sum = 0.0;
    for (size_t k = count * piece / job->pieces; k < end; k++)
        sum += residual2_of(job->problem, &job->problem->contacts[k]);
    job->sums[piece] = sum;
}

double problem_residual_by(const struct problem *problem, struct crew *crew) {
    struct residual_job job = {problem, 1 + problem->contact_count / SUM_PIECE, {0.0}};
    double sum = 0.0;
    if (job.pieces > CREW_PIECES_MOST) job.pieces = CREW_PIECES_MOST;
    crew_do(crew, job.pieces, add_residuals, &job);
    for (size_t piece = 0; piece < job.pieces; piece++) sum += job.sums[piece];
    if (sum == 0.0) return 0.0;
    return problem->q_norm > 0.0 ? sqrt(sum) / problem->q_norm : sqrt(sum);
}

double problem_residual(const struct problem *problem) {
    return problem_residual_by(problem, NULL);
}

/* V and W without the contact's own force and torque. */
static struct combined_free without_own(const struct solve_coupling *coupling,
                                        const struct combined_impulse *own,
                                        struct combined_free with) {
    const mat3 *torque = &coupling->w_torque;
    vec3 p = own->force;
    vec3 turned = vec3_make(torque->m[0][0] * p.x + torque->m[1][0] * p.y + torque->m[2][0] * p.z,
                            torque->m[0][1] * p.x + torque->m[1][1] * p.y + torque->m[2][1] * p.z,
                            torque->m[0][2] * p.x + torque->m[1][2] * p.y + torque->m[2][2] * p.z);
    vec3 velocity = vec3_sub(with.velocity, mat3_apply(&coupling->w, p));
    vec3 turning = vec3_sub(with.turning, turned);
    return (struct combined_free){vec3_sub(velocity, mat3_apply(torque, own->torque)),
                                  vec3_sub(turning, mat3_apply(&coupling->w_turn, own->torque))};
}

/* Signorini's condition at another velocity, and with the impulse -L where it opens: the cone moved along n. */
static vec3 solve_moved(const struct cone *cone, vec3 free_velocity, double closing, double mu,
                        double tension, vec3 guess) {
    vec3 own = cone_apply(cone, vec3_make(tension, 0.0, 0.0));
    vec3 without = {free_velocity.x - closing - own.x, free_velocity.y - own.y,
                    free_velocity.z - own.z};
    guess.x += tension;
    vec3 p = cone_solve(cone, without, mu, guess);
    p.x -= tension;
    return p;
}

/* Cohesion, restitution and friction without torques. A bond across a gap has a further branch: it closes freely,
 * with no normal force, and bears friction up to mu L meanwhile (law/cohesion.h). */
static vec3 solve_bond(const struct solve_general *general, const struct solve_coupling *coupling,
                       vec3 free_velocity, double closing, double mu, double tension, vec3 guess) {
    const struct cone *cone = &general->cone;
    if (!(tension > 0.0) || closing >= 0.0)
        return solve_moved(cone, free_velocity, closing, mu, tension, guess);
    vec3 p = solve_moved(cone, free_velocity, 0.0, mu, tension, guess);
    if (p.x <= 0.0) return p;
    const mat3 *w = &coupling->w;
    struct disc_point drag = disc_minimum(w->m[1][1], w->m[1][2], w->m[2][2], free_velocity.y,
                                          free_velocity.z, mu * tension);
    double opening = free_velocity.x + w->m[0][1] * drag.t + w->m[0][2] * drag.s;
    if (opening >= closing) return vec3_make(0.0, drag.t, drag.s);
    return solve_moved(cone, free_velocity, closing, mu, tension, guess);
}

static bool has_no_torques(const struct combined *law) {
    return law->rolling.factor == 0.0 && law->torsion.factor == 0.0;
}

static struct combined_impulse solve_general_combined(const struct problem *problem,
                                                      const struct solve_contact *contact) {
    const struct solve_general *general = general_of(problem, contact);
    const struct combined *law = &problem->combined[contact->combined];
    struct combined_impulse own = {to_frame(contact, general, contact->impulse),
                                   to_frame(contact, general, law->torque)};
    const struct solve_coupling *coupling = &problem->couplings[general->coupling];
    struct combined_free free = without_own(coupling, &own, seen(problem, contact, general));
    if (has_no_torques(law)) {
        vec3 p = solve_bond(general, coupling, free.velocity, -contact->bias, contact->mu,
                            law->tension, own.force);
        return (struct combined_impulse){from_frame(contact, general, p), vec3_zero()};
    }
    struct combined_response response = {coupling->w, coupling->w_torque, coupling->w_turn};
    struct combined_impulse solved =
        combined_solve_general(law, &response, &free, -contact->bias, contact->mu, own);
    return (struct combined_impulse){from_frame(contact, general, solved.force),
                                     from_frame(contact, general, solved.torque)};
}

vec3 general_solve_cone(const struct solve_contact *contact, const struct solve_general *general,
                        vec3 velocity) {
    vec3 n = contact->normal, t = general->tangent, s = vec3_cross(n, t);
    vec3 now = vec3_into_frame(contact->impulse, n, t, s);
    vec3 own = cone_apply(&general->cone, now);
    vec3 without = {vec3_dot(velocity, n) + contact->bias - own.x, vec3_dot(velocity, t) - own.y,
                    vec3_dot(velocity, s) - own.z};
    vec3 p = cone_solve(&general->cone, without, contact->mu, now);
    return vec3_out_of_frame(p, n, t, s);
}

/* Bodies that answer alike in all directions. */
static struct combined_impulse solve_round(const struct solve_contact *contact,
                                           const struct combined *law, vec3 velocity,
                                           vec3 turning) {
    vec3 n = contact->normal, t = law->tangent, s = vec3_cross(n, t);
    struct combined_impulse own = {vec3_into_frame(contact->impulse, n, t, s),
                                   vec3_into_frame(law->torque, n, t, s)};
    struct combined_motion motion = {vec3_into_frame(velocity, n, t, s),
                                     vec3_into_frame(turning, n, t, s)};
    struct combined_impulse solved =
        combined_solve(law, own, motion, -contact->bias, contact->m_n, contact->mu);
    return (struct combined_impulse){vec3_out_of_frame(solved.force, n, t, s),
                                     vec3_out_of_frame(solved.torque, n, t, s)};
}

struct combined_impulse problem_solve_special(const struct problem *problem,
                                              const struct solve_contact *contact) {
    if (contact->bias == HUGE_VAL) /* it stays open */
        return (struct combined_impulse){vec3_zero(), vec3_zero()};
    if (contact->combined < 0) {
        vec3 velocity = problem_velocity(problem, contact);
        return (struct combined_impulse){
            general_solve(contact, general_of(problem, contact), velocity), vec3_zero()};
    }
    if (contact->general >= 0 &&
        !problem->couplings[general_of(problem, contact)->coupling].is_round)
        return solve_general_combined(problem, contact);
    return solve_round(contact, &problem->combined[contact->combined],
                       problem_velocity(problem, contact), problem_turning(problem, contact));
}
