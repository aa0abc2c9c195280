/* SPDX-License-Identifier: Apache-2.0
 *
 * u = J v with v = v_free + M^-1 J^T r gives W = J M^-1 J^T and q = u - W r, u and r those of now. A side of a contact has rows of
 * J, which say what it sees of the motion of its body, and the same rows times M^-1, which say what its impulses do to it; a
 * block of W is a product of both for each body that two contacts share. Bodies that nothing moves share nothing.
 *
 * Masses and lengths are measured by what is usual in the problem, so that the steps and measures of solvers, which know of
 * no units, are of the right size.
 */
#include "solve/step_matrix.h"

#include <math.h>
#include <string.h>

#include "law/rolling_cone.h"
#include "solve/delassus_factors.h"

struct motion { /* of a body, or what is done to it */
    vec3 slide, turn;
};

struct side { /* of a contact */
    talus_index body;
    bool moves;
    struct motion sees[ROLLING_CONE_MOST], does[ROLLING_CONE_MOST];
};

struct building {
    struct step_matrix *form;
    const struct problem *problem;
    struct side *sides; /* two for each contact that is part */
    size_t *start;      /* of each body, in `touches`; body_count + 1 */
    int32_t *touches;   /* 2 contact + side of those that feel it move, ascending */
    struct sparse w;    /* in scalar rows */
    double *q, *mu, *mu_r;
};

/* ---- what can be said -------------------------------------------------------------------------- */

static bool is_part(const struct solve_contact *contact) {
    return contact->m_n > 0.0 && contact->bias < HUGE_VAL;
}

static const struct combined *law_of(const struct problem *problem,
                                     const struct solve_contact *contact) {
    return contact->combined < 0 ? NULL : &problem->combined[contact->combined];
}

static const struct solve_general *general_of(const struct problem *problem,
                                              const struct solve_contact *contact) {
    return contact->general < 0 ? NULL : &problem->general[contact->general];
}

/* A bond that stands open is neither pushed nor pulled while it closes: that is no cone. Nor are torques that do not grow as the
 * load. */
static bool is_cone(const struct combined *law, const struct solve_contact *contact, int dim) {
    if (law == NULL) return true;
    if (law->tension > 0.0 && contact->bias > 0.0) return false;
    return (law->torsion.factor == 0.0 || dim == 2) &&
           (law->rolling.factor == 0.0 || law->rolling.size == 0.0);
}

static vec3 arm_of(const struct problem *problem, const struct solve_contact *contact, int side) {
    const struct solve_general *general = general_of(problem, contact);
    if (general != NULL) return side == 0 ? general->arm_a : general->arm_b;
    return vec3_scale(side == 0 ? contact->arm_a : -contact->arm_b, contact->normal);
}

static bool is_flat(vec3 slide, vec3 turn) {
    return slide.z == 0.0 && turn.x == 0.0 && turn.y == 0.0;
}

/* Nothing leaves the plane z = const. */
static int dim_of(const struct problem *problem) {
    for (size_t k = 0; k < problem->mobility_count; k++) {
        const sym3 *mass = &problem->mobilities[k].inverse_mass;
        const sym3 *inertia = &problem->mobilities[k].inverse_inertia;
        if (mass->xz != 0.0 || mass->yz != 0.0 || inertia->xz != 0.0 || inertia->yz != 0.0)
            return 3;
    }
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        const struct solve_body *a = &problem->bodies[contact->a];
        const struct solve_body *b = &problem->bodies[contact->b];
        if (contact->normal.z != 0.0 || contact->impulse.z != 0.0 ||
            arm_of(problem, contact, 0).z != 0.0 || arm_of(problem, contact, 1).z != 0.0 ||
            !is_flat(a->velocity, a->omega) || !is_flat(b->velocity, b->omega))
            return 3;
    }
    return 2;
}

/* Which contacts are part, and in which form; 0 of them: a law is no cone. */
static void choose_contacts(struct building *building) {
    struct step_matrix *form = building->form;
    const struct problem *problem = building->problem;
    bool rolls = false;
    form->dim = dim_of(problem);
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        const struct combined *law = law_of(problem, contact);
        if (!is_part(contact)) continue;
        /* A body that meets its own image would be two sides of one row. */
        if (contact->a == contact->b || !is_cone(law, contact, form->dim)) {
            form->count = 0;
            return;
        }
        rolls = rolls || (law != NULL && law->rolling.factor > 0.0);
        form->contacts[form->count++] = (talus_index)k;
    }
    form->rows = rolls ? 2 * form->dim - 1 : form->dim;
}

/* ---- sides ------------------------------------------------------------------------------------- */

static bool rolls(const struct step_matrix *form) {
    return form->rows > form->dim;
}

static void frame_of(const struct solve_contact *contact, vec3 frame[3]) {
    frame[0] = contact->normal;
    frame[1] = vec3_perpendicular(contact->normal);
    frame[2] = vec3_cross(frame[0], frame[1]);
}

/* Of rotations: in a plane only about n x t. */
static vec3 axis_of(const struct step_matrix *form, const vec3 frame[3], int number) {
    return frame[form->dim == 2 ? 2 : 1 + number];
}

static bool is_none(vec3 a) {
    return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}

static void make_side(const struct building *building, size_t number, int which) {
    const struct step_matrix *form = building->form;
    const struct problem *problem = building->problem;
    const struct solve_contact *contact = &problem->contacts[form->contacts[number]];
    const struct solve_general *general = general_of(problem, contact);
    struct side *side = &building->sides[2 * number + (size_t)which];
    double sign = which == 0 ? -1.0 : 1.0;
    int32_t slide = -1, turn = -1;
    vec3 frame[3], arm = arm_of(problem, contact, which);
    if (general != NULL) {
        slide = which == 0 ? general->slide_a : general->slide_b;
        turn = which == 0 ? general->turn_a : general->turn_b;
    }
    frame_of(contact, frame);
    side->body = which == 0 ? contact->a : contact->b;
    const struct solve_body *body = &problem->bodies[side->body];
    for (int c = 0; c < form->rows; c++) {
        struct motion *sees = &side->sees[c], *does = &side->does[c];
        if (c < form->dim) {
            sees->slide = vec3_scale(sign, frame[c]);
            sees->turn = vec3_cross(arm, sees->slide);
        } else {
            sees->slide = vec3_zero();
            sees->turn = vec3_scale(sign * form->length, axis_of(form, frame, c - form->dim));
        }
        does->slide = mobility_slide(problem, body, slide, sees->slide);
        does->turn = mobility_turn(problem, body, turn, sees->turn);
        side->moves = side->moves || !is_none(does->slide) || !is_none(does->turn);
    }
}

/* Which contacts feel a body move. */
static void list_touches(struct building *building) {
    size_t bodies = building->problem->body_count, sides = 2 * building->form->count;
    for (size_t s = 0; s < sides; s++)
        if (building->sides[s].moves) building->start[building->sides[s].body + 1]++;
    for (size_t i = 0; i < bodies; i++) building->start[i + 1] += building->start[i];
    for (size_t s = 0; s < sides; s++)
        if (building->sides[s].moves)
            building->touches[building->start[building->sides[s].body]++] = (int32_t)s;
    for (size_t i = bodies; i > 0; i--) building->start[i] = building->start[i - 1];
    building->start[0] = 0;
}

/* ---- bodies ------------------------------------------------------------------------------------ */

/* In the units of the form; in a plane x, y and the rotation. */
static void set_part(const struct step_matrix *form, double *part, size_t step,
                     const struct motion *motion, double turn_unit) {
    bool flat = form->dim == 2;
    double slide[3] = {motion->slide.x, motion->slide.y, motion->slide.z};
    double turn[3] = {motion->turn.x, motion->turn.y, motion->turn.z};
    for (int k = 0; k < form->dim; k++) part[(size_t)k * step] = slide[k];
    for (int k = 0; k < (flat ? 1 : 3); k++)
        part[(size_t)(form->dim + k) * step] = turn_unit * turn[flat ? 2 : k];
}

static void set_side(const struct building *building, size_t s) {
    struct delassus_bodies *bodies = &building->form->bodies;
    const struct step_matrix *form = building->form;
    const struct side *side = &building->sides[s];
    size_t dim = (size_t)bodies->dim, rows = (size_t)bodies->rows, at = s * dim * rows;
    for (size_t c = 0; c < rows; c++) {
        struct motion does = {vec3_scale(form->mass, side->does[c].slide),
                              vec3_scale(form->mass, side->does[c].turn)};
        set_part(form, &bodies->sees[at + c * dim], 1, &side->sees[c], 1.0 / form->length);
        set_part(form, &bodies->does[at + c], rows, &does, form->length);
    }
}

/* Numbers for those that move, in the order of the problem. */
static bool make_bodies(struct building *building) {
    struct step_matrix *form = building->form;
    struct delassus_bodies *bodies = &form->bodies;
    if (!delassus_bodies_make(bodies, form->memory, form->dim == 2 ? 3 : 6, form->rows,
                              form->count))
        return false;
    for (size_t i = 0; i < building->problem->body_count; i++) {
        size_t begin = building->start[i], end = building->start[i + 1];
        for (size_t k = begin; k < end; k++) {
            size_t s = (size_t)building->touches[k];
            bodies->body[s] = (int32_t)bodies->count;
            set_side(building, s);
        }
        bodies->count += end > begin;
    }
    return true;
}

/* ---- W ----------------------------------------------------------------------------------------- */

struct row { /* the touches of both bodies of a contact, taken in order of contacts */
    const int32_t *at[2], *end[2];
};

static struct row row_of(const struct building *building, size_t number) {
    struct row row = {0};
    for (int which = 0; which < 2; which++) {
        const struct side *side = &building->sides[2 * number + (size_t)which];
        size_t body = (size_t)side->body;
        if (!side->moves) continue;
        row.at[which] = &building->touches[building->start[body]];
        row.end[which] = &building->touches[building->start[body + 1]];
    }
    return row;
}

/* The next contact of a row, and its sides on the first and on the second body, -1: none. Less than 0: no more. */
static int32_t next_of(struct row *row, int32_t sides[2]) {
    int32_t next = INT32_MAX;
    for (int which = 0; which < 2; which++)
        if (row->at[which] < row->end[which] && *row->at[which] / 2 < next)
            next = *row->at[which] / 2;
    for (int which = 0; which < 2; which++) {
        bool here = row->at[which] < row->end[which] && *row->at[which] / 2 == next;
        sides[which] = here ? *row->at[which]++ : -1;
    }
    return next == INT32_MAX ? -1 : next;
}

/* Not further than one beyond the most. */
static size_t count_blocks(const struct building *building, size_t most) {
    size_t blocks = 0;
    int32_t sides[2];
    for (size_t i = 0; i < building->form->count && blocks <= most; i++) {
        struct row row = row_of(building, i);
        while (blocks <= most && next_of(&row, sides) >= 0) blocks++;
    }
    return blocks;
}

/* What side `own` sees of what an impulse at side `other` does to the body of both. */
static double answer(const struct side *own, int row, const struct side *other, int column) {
    return vec3_dot(own->sees[row].slide, other->does[column].slide) +
           vec3_dot(own->sees[row].turn, other->does[column].turn);
}

static void fill_row(struct building *building, size_t number) {
    const struct step_matrix *form = building->form;
    struct sparse *w = &building->w;
    int32_t sides[2], other;
    for (int a = 0; a < form->rows; a++) {
        size_t scalar = (size_t)form->rows * number + (size_t)a, at = w->start[scalar];
        struct row row = row_of(building, number);
        while ((other = next_of(&row, sides)) >= 0)
            for (int c = 0; c < form->rows; c++, at++) {
                w->column[at] = form->rows * other + c;
                w->value[at] = 0.0;
                for (int which = 0; which < 2; which++)
                    if (sides[which] >= 0)
                        w->value[at] +=
                            form->mass * answer(&building->sides[2 * number + (size_t)which], a,
                                                &building->sides[sides[which]], c);
            }
        w->start[scalar + 1] = at;
    }
}

static bool make_w(struct building *building, size_t blocks) {
    struct step_matrix *form = building->form;
    struct sparse *w = &building->w;
    size_t rows = (size_t)form->rows, size = rows * form->count, entries = rows * rows * blocks;
    *w = (struct sparse){.rows = size, .columns = size, .count = entries};
    w->start = memory_resize(form->memory, NULL, 0, size + 1, sizeof *w->start);
    w->column = memory_resize(form->memory, NULL, 0, entries, sizeof *w->column);
    w->value = memory_resize(form->memory, NULL, 0, entries, sizeof *w->value);
    if (w->start == NULL || w->column == NULL || w->value == NULL) return false;
    for (size_t i = 0; i < form->count; i++) fill_row(building, i);
    return true;
}

/* ---- impulses and velocities ------------------------------------------------------------------- */

static void get_impulses(const struct step_matrix *form, const struct problem *problem, size_t i,
                         double *r) {
    const struct solve_contact *contact = &problem->contacts[form->contacts[i]];
    const struct combined *law = law_of(problem, contact);
    vec3 frame[3], torque = problem_torque(problem, contact);
    frame_of(contact, frame);
    for (int c = 0; c < form->dim; c++) r[c] = vec3_dot(contact->impulse, frame[c]) / form->mass;
    if (law != NULL) r[0] += law->tension / form->mass;
    for (int c = form->dim; c < form->rows; c++)
        r[c] = vec3_dot(torque, axis_of(form, frame, c - form->dim)) / (form->mass * form->length);
}

/* As the law sees them: with gap or rebound, and what tangential restitution keeps of the slip. */
static void get_velocities(const struct step_matrix *form, const struct problem *problem, size_t i,
                           double *u) {
    const struct solve_contact *contact = &problem->contacts[form->contacts[i]];
    const struct combined *law = law_of(problem, contact);
    vec3 frame[3], velocity = problem_velocity(problem, contact);
    vec3 turning = problem_turning(problem, contact);
    frame_of(contact, frame);
    if (law != NULL) {
        vec3 other = vec3_cross(contact->normal, law->tangent);
        velocity = vec3_add_scaled(velocity, law->shift_t, law->tangent);
        velocity = vec3_add_scaled(velocity, law->shift_s, other);
    }
    for (int c = 0; c < form->dim; c++) u[c] = vec3_dot(velocity, frame[c]);
    u[0] += contact->bias;
    for (int c = form->dim; c < form->rows; c++)
        u[c] = form->length * vec3_dot(turning, axis_of(form, frame, c - form->dim));
}

static bool make_matrix(struct building *building) {
    struct step_matrix *form = building->form;
    const struct problem *problem = building->problem;
    size_t rows = (size_t)form->rows;
    struct delassus *matrix = &form->matrix;
    for (size_t i = 0; i < form->count; i++) {
        const struct solve_contact *contact = &problem->contacts[form->contacts[i]];
        const struct combined *law = law_of(problem, contact);
        building->mu[i] = contact->mu;
        building->mu_r[i] = law != NULL ? law->rolling.factor / form->length : 0.0;
        get_impulses(form, problem, i, &form->impulses[rows * i]);
        get_velocities(form, problem, i, &building->q[rows * i]);
    }
    sparse_add_to(&building->w, -1.0, form->impulses, building->q);
    struct delassus_friction friction = {building->mu, rolls(form) ? building->mu_r : NULL};
    return delassus_make(matrix, form->memory, form->rows, form->count, &building->w, building->q,
                         friction);
}

/* ---- all --------------------------------------------------------------------------------------- */

static void choose_units(struct step_matrix *form, const struct problem *problem) {
    double mobility = 0.0, length = 0.0;
    for (size_t i = 0; i < form->count; i++) {
        const struct solve_contact *contact = &problem->contacts[form->contacts[i]];
        mobility += 1.0 / contact->m_n;
        length += sqrt(vec3_norm2(arm_of(problem, contact, 0))) +
                  sqrt(vec3_norm2(arm_of(problem, contact, 1)));
    }
    form->mass = (double)form->count / mobility;
    form->length = length > 0.0 ? length / (2.0 * (double)form->count) : 1.0;
}

static bool reserve_contacts(struct building *building) {
    struct step_matrix *form = building->form;
    form->room = building->problem->contact_count;
    form->contacts = memory_resize(form->memory, NULL, 0, form->room, sizeof *form->contacts);
    return form->contacts != NULL;
}

static bool reserve_rest(struct building *building) {
    struct step_matrix *form = building->form;
    struct memory *memory = form->memory;
    size_t n = form->count, rows = (size_t)form->rows, bodies = building->problem->body_count;
    form->impulses = memory_resize(memory, NULL, 0, rows * n, sizeof(double));
    building->sides = memory_resize(memory, NULL, 0, 2 * n, sizeof *building->sides);
    building->start = memory_resize(memory, NULL, 0, bodies + 1, sizeof *building->start);
    building->touches = memory_resize(memory, NULL, 0, 2 * n, sizeof *building->touches);
    building->q = memory_resize(memory, NULL, 0, rows * n, sizeof(double));
    building->mu = memory_resize(memory, NULL, 0, n, sizeof(double));
    building->mu_r = memory_resize(memory, NULL, 0, n, sizeof(double));
    return form->impulses != NULL && building->sides != NULL && building->start != NULL &&
           building->touches != NULL && building->q != NULL && building->mu != NULL &&
           building->mu_r != NULL;
}

static void free_building(struct building *building) {
    const struct step_matrix *form = building->form;
    struct memory *memory = form->memory;
    size_t n = form->count, rows = (size_t)form->rows, bodies = building->problem->body_count;
    memory_free(memory, building->sides, 2 * n, sizeof *building->sides);
    memory_free(memory, building->start, bodies + 1, sizeof *building->start);
    memory_free(memory, building->touches, 2 * n, sizeof *building->touches);
    memory_free(memory, building->q, rows * n, sizeof(double));
    memory_free(memory, building->mu, n, sizeof(double));
    memory_free(memory, building->mu_r, n, sizeof(double));
    sparse_free(&building->w, memory);
}

static bool make_factors(struct step_matrix *form, double flops) {
    const struct delassus_bodies *bodies = &form->bodies;
    size_t blocks = (size_t)(DELASSUS_FACTORS_NUMBERS / (2 * bodies->dim * bodies->dim));
    if (!body_factors_make(&form->factors, bodies, form->memory, blocks)) return false;
    const struct block_lu *lu = &form->factors.lu;
    form->fits = !lu->too_large && lu->flops <= flops * (double)form->count;
    return true;
}

static bool build(struct building *building, struct step_matrix_limits most) {
    struct step_matrix *form = building->form;
    choose_units(form, building->problem);
    for (size_t i = 0; i < form->count; i++)
        for (int which = 0; which < 2; which++) make_side(building, i, which);
    list_touches(building);
    if (!make_bodies(building) || !make_factors(form, most.flops)) return false;
    if (!form->fits) return true;
    size_t blocks = count_blocks(building, most.blocks);
    form->fits = blocks <= most.blocks;
    if (!form->fits) return true;
    if (!make_w(building, blocks) || !make_matrix(building)) return false;
    form->matrix.bodies = &form->factors;
    return true;
}

bool step_matrix_make(struct step_matrix *form, struct memory *memory,
                      const struct problem *problem, struct step_matrix_limits most) {
    *form = (struct step_matrix){.memory = memory};
    struct building building = {.form = form, .problem = problem};
    if (!reserve_contacts(&building)) return false;
    choose_contacts(&building);
    if (form->count == 0) return true;
    bool good = reserve_rest(&building) && build(&building, most);
    free_building(&building);
    return good;
}

void step_matrix_free(struct step_matrix *form) {
    delassus_free(&form->matrix);
    body_factors_free(&form->factors);
    delassus_bodies_free(&form->bodies);
    memory_free(form->memory, form->contacts, form->room, sizeof *form->contacts);
    memory_free(form->memory, form->impulses, (size_t)form->rows * form->count, sizeof(double));
    *form = (struct step_matrix){0};
}

/* What the law allows: no more friction than the load bears. */
static void cut(double *part, int width, double limit) {
    double size = rolling_cone_length(part, width);
    if (size > limit)
        for (int c = 0; c < width; c++) part[c] *= limit / size;
}

static void bring_into_cone(const struct step_matrix *form, size_t i, double *r) {
    const struct delassus *matrix = &form->matrix;
    r[0] = fmax(r[0], 0.0);
    cut(&r[1], form->dim - 1, matrix->mu[i] * r[0]);
    if (rolls(form)) cut(&r[form->dim], form->rows - form->dim, matrix->mu_r[i] * r[0]);
}

/* The change is what is applied, so that what is no part of the form stays as it is. */
static void put_contact(const struct step_matrix *form, struct problem *problem, size_t i,
                        const double *r) {
    struct solve_contact *contact = &problem->contacts[form->contacts[i]];
    const double *before = &form->impulses[(size_t)form->rows * i];
    vec3 frame[3], impulse = vec3_zero(), torque = vec3_zero();
    frame_of(contact, frame);
    for (int c = 0; c < form->dim; c++)
        impulse = vec3_add_scaled(impulse, form->mass * (r[c] - before[c]), frame[c]);
    for (int c = form->dim; c < form->rows; c++)
        torque = vec3_add_scaled(torque, form->mass * form->length * (r[c] - before[c]),
                                 axis_of(form, frame, c - form->dim));
    contact->impulse = vec3_add(contact->impulse, impulse);
    problem_apply(problem, contact, impulse);
    if (!rolls(form) || contact->combined < 0) return;
    struct combined *law = &problem->combined[contact->combined];
    law->torque = vec3_add(law->torque, torque);
    problem_apply_torque(problem, contact, torque);
}

void step_matrix_put(struct step_matrix *form, struct problem *problem, const double *r) {
    for (size_t i = 0; i < form->count; i++) {
        double own[ROLLING_CONE_MOST];
        memcpy(own, &r[(size_t)form->rows * i], (size_t)form->rows * sizeof *own);
        bring_into_cone(form, i, own);
        put_contact(form, problem, i, own);
        memcpy(&form->impulses[(size_t)form->rows * i], own, (size_t)form->rows * sizeof *own);
    }
}
