/* SPDX-License-Identifier: Apache-2.0
 *
 * The contact problem of a step as an FCLIB problem. A body is described by the directions in which it can move and
 * turn: those of the world where it moves freely, the one of its motion for a piston. Velocities that nothing can
 * change (walls that move, locked directions) and gaps go into w:
 *     u = H^T v + w      M v = H r + f,  f = M v_free
 * The frame of a contact is (n, t, n x t) with n from body a to body b. Contacts that wait in this step, or whose
 * normal nothing can move, are no part of the problem. If one of the others has rolling friction all have rows for
 * the relative rotation about t and n x t (in a plane: about the latter, the axis that sticks out of it); those without
 * have mu_r = 0.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "io/fclib_sim.h"

static const double mobility_least = 1e-12; /* of the largest: a direction that cannot move */

struct freedom { /* one number of v */
    vec3 direction;
    bool turns;
    size_t partner; /* first of the directions that M couples with it, */
    int coupled;    /* and how many they are */
    double m[3];    /* its row of M: with each of these */
};

struct dump {
    const talus_sim *sim;
    struct fclib *to;
    struct solve_body *bodies; /* with their free velocities */
    struct freedom *freedoms;
    size_t freedom_count;
    size_t *first;    /* of each body; body_count + 1 */
    int32_t *contact; /* those that are part of the problem */
    size_t count;
    int dim;    /* of the world, as far as FCLIB knows it: 2 or 3 */
    bool rolls; /* a contact of the problem has rolling friction */
    int rows;   /* of a contact */
    talus_error *err;
};

/* ---- bodies ---------------------------------------------------------------------------------- */

static sym3 scalar_mobility(double value) {
    return (sym3){value, value, value, 0.0, 0.0, 0.0};
}

/* What a body in a plane cannot do is no direction of it. */
static sym3 in_plane(sym3 a, bool turns) {
    if (turns) return (sym3){0.0, 0.0, a.zz, 0.0, 0.0, 0.0};
    return (sym3){a.xx, a.yy, 0.0, a.xy, 0.0, 0.0};
}

static void add_direction(struct dump *dump, vec3 direction, bool turns, double mobility) {
    size_t k = dump->freedom_count++;
    dump->freedoms[k] = (struct freedom){
        .direction = direction, .turns = turns, .partner = k, .coupled = 1, .m = {1.0 / mobility}};
}

/* A body that moves in all three directions of the world, unequally. */
static void add_coupled(struct dump *dump, bool turns, const sym3 *mobility) {
    sym3 m = sym3_inverse(mobility);
    double rows[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    size_t first = dump->freedom_count;
    for (int a = 0; a < 3; a++) {
        add_direction(dump, vec3_make(a == 0, a == 1, a == 2), turns, 1.0);
        struct freedom *freedom = &dump->freedoms[first + (size_t)a];
        freedom->partner = first;
        freedom->coupled = 3;
        memcpy(freedom->m, rows[a], sizeof rows[a]);
    }
}

static void add_motion(struct dump *dump, sym3 mobility, bool turns) {
    vec3 axes[3];
    double values[3];
    if (dump->dim == 2) mobility = in_plane(mobility, turns);
    sym3_axes(&mobility, axes, values);
    double largest = fmax(values[0], fmax(values[1], values[2]));
    double least = fmin(values[0], fmin(values[1], values[2]));
    bool couples = mobility.xy != 0.0 || mobility.xz != 0.0 || mobility.yz != 0.0;
    if (couples && least > mobility_least * largest) {
        add_coupled(dump, turns, &mobility);
        return;
    }
    for (int a = 0; a < 3; a++)
        if (values[a] > mobility_least * largest) add_direction(dump, axes[a], turns, values[a]);
}

static void add_body(struct dump *dump, size_t i) {
    const talus_sim *sim = dump->sim;
    const struct solve_body *body = &sim->problem.bodies[i];
    int32_t mobility = sim->mobility_of[i];
    sym3 slides = scalar_mobility(body->inverse_mass);
    sym3 turns = scalar_mobility(body->inverse_inertia);
    if (mobility >= 0) {
        turns = sim->problem.mobilities[mobility].inverse_inertia;
        slides = sim->problem.mobilities[mobility].inverse_mass;
    }
    dump->first[i] = dump->freedom_count;
    add_motion(dump, slides, false);
    add_motion(dump, turns, true);
    dump->first[i + 1] = dump->freedom_count;
}

static double component(const struct solve_body *body, const struct freedom *freedom) {
    return vec3_dot(freedom->turns ? body->omega : body->velocity, freedom->direction);
}

/* Velocity and rotation without what is in v. */
static struct solve_body held_part(const struct dump *dump, size_t i) {
    struct solve_body rest = dump->bodies[i];
    for (size_t k = dump->first[i]; k < dump->first[i + 1]; k++) {
        const struct freedom *freedom = &dump->freedoms[k];
        double v = component(&dump->bodies[i], freedom);
        vec3 *part = freedom->turns ? &rest.omega : &rest.velocity;
        *part = vec3_add_scaled(*part, -v, freedom->direction);
    }
    return rest;
}

/* ---- contacts -------------------------------------------------------------------------------- */

static vec3 arm_of(const struct dump *dump, const struct solve_contact *contact, bool b) {
    const struct problem *problem = &dump->sim->problem;
    if (contact->general >= 0) {
        const struct solve_general *general = &problem->general[contact->general];
        return b ? general->arm_b : general->arm_a;
    }
    return vec3_scale(b ? -contact->arm_b : contact->arm_a, contact->normal);
}

static void frame_of(const struct solve_contact *contact, vec3 frame[3]) {
    frame[0] = contact->normal;
    frame[1] = vec3_perpendicular(contact->normal);
    frame[2] = vec3_cross(frame[0], frame[1]);
}

/* Contacts whose normal nothing can move are no part of the step's own problem either (problem_residual). */
static bool is_part(const struct solve_contact *contact) {
    return contact->m_n > 0.0 && isfinite(contact->bias);
}

static const struct combined *combined_of(const struct dump *dump,
                                          const struct solve_contact *contact) {
    return contact->combined < 0 ? NULL : &dump->sim->problem.combined[contact->combined];
}

/* Rotations: in a plane only about n x t. */
static vec3 axis_of(const struct dump *dump, const vec3 frame[3], int number) {
    return frame[dump->dim == 2 ? 2 : 1 + number];
}

/* One side of a contact: the rows of H about rotations. */
static void add_turning(struct dump *dump, size_t row, size_t body, double sign,
                        const vec3 frame[3], struct triplets *h) {
    vec3 held = held_part(dump, body).omega;
    for (int c = dump->dim; c < dump->rows; c++) {
        vec3 axis = axis_of(dump, frame, c - dump->dim);
        dump->to->bodies.w[row + (size_t)c] += sign * vec3_dot(axis, held);
        for (size_t k = dump->first[body]; k < dump->first[body + 1]; k++)
            if (dump->freedoms[k].turns)
                triplets_add(h, k, row + (size_t)c,
                             sign * vec3_dot(axis, dump->freedoms[k].direction));
    }
}

/* The entries of H, and what the motion that is held does to w. */
static void add_side(struct dump *dump, size_t number, const struct solve_contact *contact, bool b,
                     struct triplets *h) {
    struct fclib_bodies *bodies = &dump->to->bodies;
    size_t body = (size_t)(b ? contact->b : contact->a), row = (size_t)dump->rows * number;
    struct solve_body held = held_part(dump, body);
    vec3 frame[3], arm = arm_of(dump, contact, b);
    double sign = b ? 1.0 : -1.0;
    vec3 still = vec3_add(held.velocity, vec3_cross(held.omega, arm));
    frame_of(contact, frame);
    for (int c = 0; c < dump->dim; c++) {
        bodies->w[row + (size_t)c] += sign * vec3_dot(frame[c], still);
        for (size_t k = dump->first[body]; k < dump->first[body + 1]; k++) {
            vec3 moves = dump->freedoms[k].direction;
            if (dump->freedoms[k].turns) moves = vec3_cross(moves, arm);
            triplets_add(h, k, row + (size_t)c, sign * vec3_dot(frame[c], moves));
        }
    }
    add_turning(dump, row, body, sign, frame, h);
}

/* Gap or rebound along the normal; at an impact with tangential restitution the slip that friction sees is not the
 * whole one. */
static void add_shift(struct dump *dump, size_t number, const struct solve_contact *contact) {
    const struct combined *law = combined_of(dump, contact);
    double *w = &dump->to->bodies.w[(size_t)dump->rows * number];
    vec3 frame[3];
    w[0] += contact->bias;
    if (law == NULL) return;
    frame_of(contact, frame);
    vec3 other = vec3_cross(contact->normal, law->tangent);
    vec3 shift = vec3_add_scaled(vec3_scale(law->shift_t, law->tangent), law->shift_s, other);
    for (int c = 1; c < dump->dim; c++) w[c] += vec3_dot(frame[c], shift);
}

static talus_status add_contacts(struct dump *dump) {
    struct memory *memory = &dump->to->memory;
    struct fclib_bodies *bodies = &dump->to->bodies;
    size_t size = (size_t)dump->rows * dump->count;
    struct triplets h = {0};
    bodies->contact_rows = size;
    bodies->w = memory_resize(memory, NULL, 0, size, sizeof *bodies->w);
    bool good =
        triplets_make(&h, memory, dump->freedom_count, size, 12 * size) && bodies->w != NULL;
    for (size_t k = 0; good && k < dump->count; k++) {
        const struct solve_contact *contact = &dump->sim->problem.contacts[dump->contact[k]];
        add_shift(dump, k, contact);
        add_side(dump, k, contact, false, &h);
        add_side(dump, k, contact, true, &h);
    }
    good = good && sparse_make(&bodies->h, memory, &h);
    triplets_free(&h, memory);
    return good ? TALUS_OK : error_memory(dump->err);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* v = v_free + M^-1 H r holds at all times, so taking the impulses back leaves the free velocities. */
static void free_velocities(struct dump *dump) {
    struct problem problem = dump->sim->problem;
    memcpy(dump->bodies, problem.bodies, problem.body_count * sizeof *dump->bodies);
    problem.bodies = dump->bodies;
    for (size_t k = 0; k < problem.contact_count; k++) {
        const struct solve_contact *contact = &problem.contacts[k];
        problem_apply(&problem, contact, vec3_scale(-1.0, contact->impulse));
        if (contact->combined >= 0)
            problem_apply_torque(&problem, contact,
                                 vec3_scale(-1.0, problem_torque(&problem, contact)));
    }
}

static talus_status add_mass(struct dump *dump) {
    struct memory *memory = &dump->to->memory;
    struct fclib_bodies *bodies = &dump->to->bodies;
    size_t n = bodies->freedoms = dump->freedom_count;
    struct triplets m = {0};
    double *v = memory_resize(memory, NULL, 0, n, sizeof *v);
    bodies->f = memory_resize(memory, NULL, 0, n, sizeof *bodies->f);
    bool good = triplets_make(&m, memory, n, n, 3 * n) && v != NULL && bodies->f != NULL;
    for (size_t k = 0; good && k < n; k++)
        for (int c = 0; c < dump->freedoms[k].coupled; c++)
            triplets_add(&m, k, dump->freedoms[k].partner + (size_t)c, dump->freedoms[k].m[c]);
    good = good && sparse_make(&bodies->m, memory, &m);
    for (size_t i = 0; good && i < dump->sim->problem.body_count; i++)
        for (size_t k = dump->first[i]; k < dump->first[i + 1]; k++)
            v[k] = component(&dump->bodies[i], &dump->freedoms[k]);
    if (good) sparse_apply(&bodies->m, v, bodies->f);
    triplets_free(&m, memory);
    memory_free(memory, v, n, sizeof *v);
    return good ? TALUS_OK : error_memory(dump->err);
}

static talus_status make_problem(struct dump *dump) {
    struct memory *memory = &dump->to->memory;
    double *mu = memory_resize(memory, NULL, 0, dump->count, sizeof *mu);
    double *mu_r = memory_resize(memory, NULL, 0, dump->count, sizeof *mu_r);
    talus_status status = mu != NULL && mu_r != NULL ? TALUS_OK : error_memory(dump->err);
    for (size_t k = 0; status >= 0 && k < dump->count; k++) {
        const struct solve_contact *contact = &dump->sim->problem.contacts[dump->contact[k]];
        const struct combined *law = combined_of(dump, contact);
        mu[k] = contact->mu;
        mu_r[k] = law != NULL ? law->rolling.factor : 0.0;
    }
    if (status >= 0)
        status = fclib_reduce(dump->to, "the problem of this step", dump->rows, dump->count,
                              (struct delassus_friction){mu, dump->rolls ? mu_r : NULL}, dump->err);
    memory_free(memory, mu, dump->count, sizeof *mu);
    memory_free(memory, mu_r, dump->count, sizeof *mu_r);
    return status;
}

/* What of the law of a contact no cone can say; NULL: nothing. */
static const char *beyond_cones(const struct dump *dump, const struct combined *law) {
    if (law->tension > 0.0) return "cohesion";
    if (law->torsion.factor > 0.0 && dump->dim == 3) return "torsion friction";
    if (law->rolling.factor > 0.0 && law->rolling.size != 0.0)
        return "rolling friction with a limit that is not proportional to the force (scale: hertz)";
    return NULL;
}

/* Which contacts are part of the problem, and what it needs for them. */
static talus_status choose_contacts(struct dump *dump) {
    const struct problem *problem = &dump->sim->problem;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        const struct combined *law = combined_of(dump, contact);
        if (!is_part(contact)) continue;
        dump->contact[dump->count++] = (int32_t)k;
        if (law == NULL) continue;
        const char *beyond = beyond_cones(dump, law);
        if (beyond != NULL)
            return error_set(dump->err, TALUS_ERR_INPUT,
                             "a contact of this step has %s, which FCLIB problems cannot express",
                             beyond);
        dump->rolls = dump->rolls || law->rolling.factor > 0.0;
    }
    dump->rows = dump->rolls ? 2 * dump->dim - 1 : dump->dim;
    return TALUS_OK;
}

static talus_status gather(struct dump *dump) {
    TALUS_TRY(choose_contacts(dump));
    for (size_t i = 0; i < dump->sim->problem.body_count; i++) add_body(dump, i);
    free_velocities(dump);
    dump->to->bodies.present = true;
    TALUS_TRY(add_mass(dump));
    TALUS_TRY(add_contacts(dump));
    return make_problem(dump);
}

static void keep_solution(struct dump *dump, double *r, double *v) {
    const struct problem *problem = &dump->sim->problem;
    for (size_t k = 0; k < dump->count; k++) {
        const struct solve_contact *contact = &problem->contacts[dump->contact[k]];
        vec3 frame[3], torque = problem_torque(problem, contact);
        double *own = &r[(size_t)dump->rows * k];
        frame_of(contact, frame);
        for (int c = 0; c < dump->dim; c++) own[c] = vec3_dot(contact->impulse, frame[c]);
        for (int c = dump->dim; c < dump->rows; c++)
            own[c] = vec3_dot(torque, axis_of(dump, frame, c - dump->dim));
    }
    for (size_t i = 0; i < problem->body_count; i++)
        for (size_t k = dump->first[i]; k < dump->first[i + 1]; k++)
            v[k] = component(&problem->bodies[i], &dump->freedoms[k]);
}

talus_status fclib_of_step(struct fclib *fclib, const talus_sim *sim, double **r, double **v,
                           talus_error *err) {
    struct memory *memory = &fclib->memory;
    size_t bodies = sim->problem.body_count, contacts = sim->problem.contact_count;
    struct dump dump = {.sim = sim, .to = fclib, .dim = sim->world.dim == 3 ? 3 : 2, .err = err};
    *fclib = (struct fclib){.memory = fclib->memory};
    *r = *v = NULL;
    if (sim->method != TALUS_METHOD_CD)
        return error_set(err, TALUS_ERR_INPUT,
                         "contact problems exist for rigid grains (method: cd) only");
    dump.bodies = memory_resize(memory, NULL, 0, bodies, sizeof *dump.bodies);
    dump.freedoms = memory_resize(memory, NULL, 0, 6 * bodies, sizeof *dump.freedoms);
    dump.first = memory_resize(memory, NULL, 0, bodies + 1, sizeof *dump.first);
    dump.contact = memory_resize(memory, NULL, 0, contacts, sizeof *dump.contact);
    bool good =
        dump.bodies != NULL && dump.freedoms != NULL && dump.first != NULL && dump.contact != NULL;
    talus_status status = good ? gather(&dump) : error_memory(err);
    if (status >= 0) {
        *r = memory_resize(memory, NULL, 0, delassus_size(&fclib->problem), sizeof **r);
        *v = memory_resize(memory, NULL, 0, dump.freedom_count, sizeof **v);
        if (*r == NULL || *v == NULL)
            status = error_memory(err);
        else
            keep_solution(&dump, *r, *v);
    }
    memory_free(memory, dump.bodies, bodies, sizeof *dump.bodies);
    memory_free(memory, dump.freedoms, 6 * bodies, sizeof *dump.freedoms);
    memory_free(memory, dump.first, bodies + 1, sizeof *dump.first);
    memory_free(memory, dump.contact, contacts, sizeof *dump.contact);
    return status;
}
