/* SPDX-License-Identifier: Apache-2.0
 * The balance: what is missing of the forces, by their sizes and by what passes through planes. */
#include <string.h>

#include "solve/balance.h"

/* Sums of squares. Forces that are too large are measured by what they are. */
struct share {
    double missing, there, wanted;
};

static double share_of(const struct share *share) {
    return share->there > 0.0 ? sqrt(share->missing / fmax(share->there, share->wanted)) : 0.0;
}

/* sqrt(sum |P| f^2 / sum |P| (1 + f)^2), f = sum c_i N_i. */
IN_LOOP void add_share(struct share *share, vec3 impulse, double f) {
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
IN_LOOP vec3 branch_of(const struct problem *problem, const struct solve_contact *contact) {
    if (contact->general < 0) return vec3_scale(contact->arm_a + contact->arm_b, contact->normal);
    const struct solve_general *general = &problem->general[contact->general];
    return vec3_sub(general->arm_a, general->arm_b);
}

/* Torques smaller than this share of the force at the arm of a grain are not worth a look. */
static const double least_turning = 0.03;

struct crossing { /* of a contact through a slice */
    struct combined_impulse impulse, error;
    double place[3], along;
    double size, turning; /* of the impulse */
    vec3 moment;          /* of the error */
};

IN_LOOP void weigh(struct crossing *crossing, vec3 branch) {
    const struct combined_impulse *impulse = &crossing->impulse, *error = &crossing->error;
    vec3 place = vec3_make(crossing->place[0], crossing->place[1], crossing->place[2]);
    double arm = 0.5 * vec3_norm(branch);
    crossing->size = vec3_norm(impulse->force);
    crossing->turning = vec3_norm(impulse->torque) + least_turning * arm * crossing->size;
    crossing->moment = vec3_add(vec3_cross(place, error->force), error->torque);
}

IN_LOOP void add_to_slice(struct slice *slice, const struct crossing *crossing) {
    double along = crossing->along, weight = fabs(along), size = weight * crossing->size;
    slice->force = vec3_add_scaled(slice->force, along, crossing->impulse.force);
    slice->missing_force = vec3_add_scaled(slice->missing_force, along, crossing->error.force);
    slice->missing_moment = vec3_add_scaled(slice->missing_moment, along, crossing->moment);
    slice->size += size;
    slice->turning += weight * crossing->turning;
    for (int axis = 0; axis < 3; axis++) {
        slice->places[axis] += size * crossing->place[axis];
        slice->spread[axis] += size * crossing->place[axis] * crossing->place[axis];
    }
}

/* Slices are half open; what lies beyond the outermost belongs to them. */
IN_LOOP int slice_at(double x) {
    double number = 0.5 * (x + 1.0) * SLICES;
    return number < 1.0 ? 0 : number < SLICES ? (int)number : SLICES - 1;
}

/* With the length that the branch has in each slice; the outermost have no end. So planes add up what passes through each of them,
 * and what keeps itself in balance adds up to nothing. */
IN_LOOP void add_through(struct through *through, const struct balance_box *box, vec3 arm,
                         vec3 branch, struct crossing *crossing) {
    for (int axis = 0; axis < 3; axis++) crossing->place[axis] -= box->middle[axis];
    weigh(crossing, branch);
    for (int k = 0; k < box->axes; k++) {
        int axis = box->axis[k];
        double along = vec3_component(branch, axis), scale = box->inverse_half[axis];
        double from = scale * (crossing->place[axis] - vec3_component(arm, axis));
        double to = from + scale * along, low = from < to ? from : to, high = from < to ? to : from;
        int last = slice_at(high);
        for (int number = slice_at(low); number <= last; number++) {
            double border = 2.0 * number / SLICES - 1.0, next = border + 2.0 / SLICES;
            double begin = number == 0 || low > border ? low : border;
            double end = number == SLICES - 1 || high < next ? high : next;
            crossing->along = copysign((end - begin) / scale, along);
            add_to_slice(&through->slices[k][number], crossing);
        }
    }
}

IN_LOOP void add_moment(struct share *share, const struct slice *slice, int across) {
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

static double share_through(const struct through *through, const struct balance_box *box) {
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

/* ---- sums ------------------------------------------------------------------------------------------------ */

struct missing {
    struct share share;
    struct through through;
};

struct missing_job {
    const struct balance_found *found;
    struct missing pieces[BALANCE_PIECES];
};

IN_LOOP void add_crossings(struct through *through, const struct balance_found *found, size_t k,
                           const double wave[WAVES], const double place[3]) {
    const struct problem *problem = found->problem;
    const struct solve_contact *contact = &problem->contacts[k];
    struct combined_impulse trend = balance_change(problem, contact, &found->before[k]);
    double h = 0.0;
    for (int i = 0; i < TRENDS; i++) h += found->c_trend[i] * wave[trend_wave[i]];
    struct crossing crossing = {.impulse = problem_impulses(problem, contact),
                                .error = {vec3_scale(h, trend.force), vec3_scale(h, trend.torque)}};
    memcpy(crossing.place, place, sizeof crossing.place);
    add_through(through, &found->box, balance_arm(problem, contact), branch_of(problem, contact),
                &crossing);
}

WIDE static void add_range(struct missing *restrict to, const struct balance_found *found,
                           struct balance_range range) {
    for (size_t k = range.begin; k < range.end; k++) {
        const struct solve_contact *contact = &found->problem->contacts[k];
        double wave[WAVES], place[3], f = 0.0;
        if (!contact_presses(contact)) continue;
        balance_place(found->problem, k, place);
        balance_waves(&found->box, place, wave);
        for (int i = 0; i < WAVES; i++) f += found->c[i] * wave[i];
        add_share(&to->share, contact->impulse, f);
        if (found->before != NULL) add_crossings(&to->through, found, k, wave, place);
    }
}

static void add_piece(void *context, size_t piece) {
    struct missing_job *job = context;
    memset(&job->pieces[piece], 0, sizeof job->pieces[piece]);
    add_range(&job->pieces[piece], job->found,
              balance_range(job->found->problem->contact_count, piece));
}

static void join_slice(struct slice *to, const struct slice *more) {
    to->force = vec3_add(to->force, more->force);
    to->missing_force = vec3_add(to->missing_force, more->missing_force);
    to->missing_moment = vec3_add(to->missing_moment, more->missing_moment);
    to->size += more->size;
    to->turning += more->turning;
    for (int axis = 0; axis < 3; axis++) {
        to->places[axis] += more->places[axis];
        to->spread[axis] += more->spread[axis];
    }
}

static void join(struct missing *to, const struct missing *more) {
    to->share.missing += more->share.missing;
    to->share.there += more->share.there;
    to->share.wanted += more->share.wanted;
    for (int axis = 0; axis < 3; axis++)
        for (int number = 0; number < SLICES; number++)
            join_slice(&to->through.slices[axis][number], &more->through.slices[axis][number]);
}

double balance_missing(const struct balance_found *found, struct crew *crew) {
    struct missing_job job;
    size_t pieces = balance_pieces(found->problem->contact_count);
    job.found = found;
    crew_do(crew, pieces, add_piece, &job);
    for (size_t piece = 1; piece < pieces; piece++) join(&job.pieces[0], &job.pieces[piece]);
    const struct missing *all = &job.pieces[0];
    return fmax(share_of(&all->share), share_through(&all->through, &found->box));
}
