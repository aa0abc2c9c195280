/* SPDX-License-Identifier: Apache-2.0
 *
 * The problem of a step in matrix form, for every kind of contact: W says what impulses do to the bodies, q and the laws
 * judge a step as the step itself does, and what comes back obeys them. Then the turn of the solver `auto` that factorises it.
 */
#include "kinds.h"
#include "sim/sim.h"
#include "solve/delassus_solver.h"
#include "solve/factor_turn.h"
#include "solve/step_matrix.h"

enum { CONTACTS_MOST = 128, NUMBERS_MOST = 5 * CONTACTS_MOST, ANY = 1000000 };
static const struct step_matrix_limits any = {ANY, HUGE_VAL};
static const double mu = 0.4;

/* Bonds that stand open are no cones: here they break. How many hold. */
static int break_open_bonds(struct problem *problem) {
    int holding = 0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (contact->combined < 0) continue;
        double *tension = &problem->combined[contact->combined].tension;
        if (contact->bias > 0.0) *tension = 0.0;
        holding += *tension > 0.0;
    }
    return holding;
}

/* A step solved well, with its impulses and velocities. */
static talus_sim *solved(enum kind kind) {
    talus_solver_config solver = talus_solver_plain();
    solver.stop = TALUS_STOP_RESIDUAL;
    solver.tolerance = 1e-10;
    solver.max_sweeps = 200000;
    talus_sim *sim = kind_sim(kind, mu, &solver);
    talus_step_report report;
    support_steps(sim, kind == REBOUND ? 0 : 12);
    assert_int_equal(talus_sim_step(sim, &report, NULL), TALUS_OK);
    assert_true(report.closed > 4 && report.contacts <= CONTACTS_MOST);
    if (kind == ROLLING) assert_true(break_open_bonds(&sim->problem) > 4);
    return sim;
}

struct seen {
    vec3 velocity, turning;
};

static void see(const struct problem *problem, struct seen *seen) {
    for (size_t k = 0; k < problem->contact_count; k++)
        seen[k] = (struct seen){problem_velocity(problem, &problem->contacts[k]),
                                problem_turning(problem, &problem->contacts[k])};
}

/* Inside all cones. */
static void draw_impulses(const struct step_matrix *form, struct random *random, double *r) {
    int rows = form->rows, dim = form->dim;
    for (size_t i = 0; i < form->count; i++) {
        double *own = &r[(size_t)rows * i], share = random_uniform(random) / sqrt(2.0);
        own[0] = random_uniform(random);
        for (int c = 1; c < rows; c++) {
            double limit = c < dim ? form->matrix.mu[i] : form->matrix.mu_r[i];
            own[c] = (random_uniform(random) < 0.5 ? -share : share) * limit * own[0];
        }
    }
}

/* Of one contact, in no frame: along the normal, the length of the rest, and the work of the change. */
static void compare_change(const struct step_matrix *form, const struct problem *problem, size_t i,
                           const double *du, const struct seen *before, const struct seen *now) {
    const struct solve_contact *contact = &problem->contacts[form->contacts[i]];
    vec3 change = vec3_sub(now->velocity, before->velocity);
    vec3 turn = vec3_sub(now->turning, before->turning);
    double along = vec3_dot(change, contact->normal);
    double across = vec3_norm(vec3_add_scaled(change, -along, contact->normal));
    double t = du[1], s = form->dim == 3 ? du[2] : 0.0, rolls = 0.0;
    assert_near(du[0], along, 1e-12);
    assert_near(hypot(t, s), across, 1e-12);
    for (int c = form->dim; c < form->rows; c++) rolls += du[c] * du[c];
    if (form->rows == form->dim) return;
    double spin = vec3_dot(turn, contact->normal);
    vec3 rolling = vec3_add_scaled(turn, -spin, contact->normal);
    assert_near(sqrt(rolls), form->length * vec3_norm(rolling), 1e-12);
}

static void w_moves_the_bodies(void **state) {
    (void)state;
    for (int kind = 0; kind < LAWS; kind++) {
        talus_sim *sim = solved((enum kind)kind);
        struct problem *problem = &sim->problem;
        struct random random = random_start(1, RANDOM_TEST, 0, (uint32_t)kind);
        struct memory memory = {0};
        struct step_matrix form;
        struct seen before[CONTACTS_MOST], now[CONTACTS_MOST];
        double r[NUMBERS_MOST], r_before[NUMBERS_MOST];
        double u[NUMBERS_MOST], u_before[NUMBERS_MOST];
        assert_true(step_matrix_make(&form, &memory, problem, any) && form.fits);
        assert_int_equal(form.count, problem->contact_count);
        assert_int_equal(form.dim, talus_sim_dim(sim));
        assert_int_equal(form.rows, kind == ROLLING ? 5 : form.dim);
        assert_true(form.matrix.asymmetry < 1e-14);
        draw_impulses(&form, &random, r);
        size_t size = delassus_size(&form.matrix);
        memcpy(r_before, form.impulses, size * sizeof *r);
        delassus_velocity(&form.matrix, r_before, u_before);
        delassus_velocity(&form.matrix, r, u);
        see(problem, before);
        step_matrix_put(&form, problem, r);
        see(problem, now);
        double work = 0.0, energy = 0.0;
        for (size_t k = 0; k < size; k++) {
            u[k] -= u_before[k];
            work += u[k] * (r[k] - r_before[k]);
            energy += fabs(u[k] * (r[k] - r_before[k]));
        }
        assert_true(work > 1e-3 * energy); /* W is positive */
        for (size_t i = 0; i < form.count; i++) {
            size_t at = (size_t)form.contacts[i];
            compare_change(&form, problem, i, &u[(size_t)form.rows * i], &before[at], &now[at]);
        }
        step_matrix_free(&form);
        assert_int_equal(memory.bytes, 0);
        talus_sim_destroy(sim);
    }
}

/* All of it. */
static struct factor_report turn(struct problem *problem, double tolerance, int sweeps) {
    struct factor_report all = {.over = false};
    struct factor_turn *turn =
        factor_turn_begin(problem, (struct factor_limits){tolerance, sweeps, 0});
    assert_non_null(turn);
    while (!all.over) {
        struct factor_report some = factor_turn_go_on(turn, problem);
        all.steps += some.steps;
        all.sweeps += some.sweeps;
        all.over = some.over;
        all.done = some.done;
    }
    factor_turn_end(turn);
    return all;
}

/* What solves the matrix form solves the step, tension, rebound and gaps included. */
static void both_forms_have_one_solution(void **state) {
    (void)state;
    for (int kind = 0; kind < LAWS; kind++) {
        talus_sim *sim = solved((enum kind)kind);
        struct problem *problem = &sim->problem;
        struct memory memory = {0};
        struct step_matrix form;
        struct random random = random_start(2, RANDOM_TEST, 0, (uint32_t)kind);
        double r[NUMBERS_MOST], u[NUMBERS_MOST];
        assert_true(step_matrix_make(&form, &memory, problem, any) && form.fits);
        draw_impulses(&form, &random, r); /* far away */
        step_matrix_put(&form, problem, r);
        step_matrix_free(&form);
        assert_true(problem_residual(problem) > 1e-2);
        struct factor_report report = turn(problem, 1e-11, ANY);
        assert_true(report.done && report.steps > 1 && report.sweeps > report.steps);
        assert_near(problem_residual(problem), 0.0, 1e-9);
        assert_true(step_matrix_make(&form, &memory, problem, any) && form.fits);
        assert_near(delassus_measure(&form.matrix, form.impulses, u).worst, 0.0, 1e-9);
        step_matrix_free(&form);
        talus_sim_destroy(sim);
    }
}

/* More friction than the load bears is cut, and so is load that pulls. */
static void cones_are_kept(void **state) {
    (void)state;
    talus_sim *sim = solved(SPHERES);
    struct problem *problem = &sim->problem;
    struct memory memory = {0};
    struct step_matrix form;
    double r[NUMBERS_MOST];
    assert_true(step_matrix_make(&form, &memory, problem, any));
    for (size_t k = 0; k < delassus_size(&form.matrix); k++) r[k] = k % 2 == 0 ? 3.0 : -4.0;
    step_matrix_put(&form, problem, r);
    for (size_t i = 0; i < form.count; i++) {
        const struct solve_contact *contact = &problem->contacts[form.contacts[i]];
        double load = fmax(r[3 * i], 0.0) * form.mass;
        double along = vec3_dot(contact->impulse, contact->normal);
        vec3 friction = vec3_add_scaled(contact->impulse, -along, contact->normal);
        assert_near(along, load, 1e-12 * form.mass);
        assert_near(vec3_norm(friction), mu * load, 1e-12 * form.mass);
    }
    step_matrix_free(&form);
    talus_sim_destroy(sim);
}

/* ---- for the motions of bodies --------------------------------------------------------------------------- */

struct equations { /* left (W x) + A x = F */
    double left[5 * NUMBERS_MOST], a[5 * NUMBERS_MOST], f[NUMBERS_MOST];
};

/* Positive, as those of contacts at rest; every third is open. */
static void draw_equations(const struct step_matrix *form, struct random *random,
                           struct equations *equations) {
    size_t d = (size_t)form->rows;
    for (size_t k = 0; k < d * d * form->count; k++) {
        size_t block = k / (d * d), row = k % (d * d) / d, column = k % d;
        double one = row == column ? 1.0 : 0.0;
        bool open = block % 3 == 0;
        equations->left[k] = open ? 0.0 : one + 0.2 * (random_uniform(random) - 0.5);
        equations->a[k] = open ? one : 0.01 * one + 1e-3 * (random_uniform(random) - 0.5);
    }
    for (size_t k = 0; k < d * form->count; k++) equations->f[k] = random_uniform(random) - 0.5;
}

static double worst_left(const struct step_matrix *form, const struct equations *equations,
                         const double *x) {
    double nothing[NUMBERS_MOST] = {0.0}, q[NUMBERS_MOST], u[NUMBERS_MOST], worst = 0.0;
    size_t d = (size_t)form->rows, size = d * form->count;
    delassus_velocity(&form->matrix, nothing, q);
    delassus_velocity(&form->matrix, x, u);
    for (size_t k = 0; k < size; k++) {
        double left = -equations->f[k];
        for (size_t c = 0; c < d; c++) {
            size_t other = k / d * d + c;
            left += equations->left[k * d + c] * (u[other] - q[other]);
            left += equations->a[k * d + c] * x[other];
        }
        worst = fmax(worst, fabs(left));
    }
    return worst;
}

/* The same equations, with W itself. */
static void bodies_solve_the_equations(void **state) {
    (void)state;
    for (int kind = 0; kind < LAWS; kind++) {
        talus_sim *sim = solved((enum kind)kind);
        struct random random = random_start(1, RANDOM_TEST, 1, (uint32_t)kind);
        struct memory memory = {0};
        struct step_matrix form;
        struct body_factors factors;
        struct equations equations, used;
        assert_true(step_matrix_make(&form, &memory, &sim->problem, any) && form.fits);
        assert_true(body_factors_make(&factors, &form.bodies, &memory, ANY));
        assert_false(factors.lu.too_large);
        for (int pass = 0; pass < 3; pass++) {
            draw_equations(&form, &random, &equations);
            used = equations;
            assert_true(body_factors_step(&factors, used.left, used.a, used.f));
            assert_near(worst_left(&form, &equations, used.f), 0.0, 1e-10);
        }
        used = equations;
        memset(used.a, 0, sizeof used.a); /* nothing to divide by */
        assert_false(body_factors_step(&factors, used.left, used.a, used.f));
        body_factors_free(&factors);
        assert_true(body_factors_make(&factors, &form.bodies, &memory, 1));
        assert_true(factors.lu.too_large);
        body_factors_free(&factors);
        step_matrix_free(&form);
        assert_int_equal(memory.bytes, 0);
        talus_sim_destroy(sim);
    }
}

/* ---- what is refused ------------------------------------------------------------------------------------- */

static bool fits(const struct problem *problem, size_t most, size_t *count) {
    struct memory memory = {0};
    struct step_matrix form;
    struct step_matrix_limits limits = {most, HUGE_VAL};
    assert_true(step_matrix_make(&form, &memory, problem, limits));
    bool good = form.fits;
    *count = form.count;
    step_matrix_free(&form);
    assert_int_equal(memory.bytes, 0);
    return good;
}

/* Nothing is done, to the bit, where it cannot be or costs too much. */
static void assert_refused(struct problem *problem, int sweeps) {
    uint64_t before = 0, after = 0;
    for (int pass = 0; pass < 2; pass++) {
        uint64_t *sum = pass == 0 ? &before : &after, bits;
        for (size_t k = 0; k < problem->contact_count; k++) {
            memcpy(&bits, &problem->contacts[k].impulse.x, sizeof bits);
            *sum = *sum * 31 + bits;
        }
        for (size_t i = 0; i < problem->body_count; i++) {
            memcpy(&bits, &problem->bodies[i].velocity.x, sizeof bits);
            *sum = *sum * 31 + bits;
        }
        if (pass > 0) break;
        assert_null(factor_turn_begin(problem, (struct factor_limits){0.0, sweeps, 0}));
    }
    assert_true(before == after);
}

static void what_is_no_cone_is_refused(void **state) {
    (void)state;
    size_t count;
    talus_sim *sim = solved(LAWS); /* torsion */
    assert_false(fits(&sim->problem, ANY, &count));
    assert_refused(&sim->problem, ANY);
    talus_sim_destroy(sim);
    sim = solved(ROLLING);
    struct problem *problem = &sim->problem;
    size_t all = problem->contact_count;
    assert_true(fits(problem, ANY, &count));
    assert_int_equal(count, all);
    assert_false(fits(problem, all, &count)); /* blocks: more than the own ones */
    assert_refused(problem, 0);
    assert_refused(problem, 120);
    /* Contacts that stay open are no part; bonds that stand open, and torques by Hertz, are no cones. */
    struct solve_contact *contact = &problem->contacts[0];
    double bias = contact->bias, *tension = &problem->combined[contact->combined].tension;
    contact->bias = HUGE_VAL;
    assert_true(fits(problem, ANY, &count));
    assert_int_equal(count, all - 1);
    contact->bias = 0.1;
    *tension = 1e-3;
    assert_false(fits(problem, ANY, &count));
    contact->bias = bias;
    *tension = 0.0;
    assert_true(fits(problem, ANY, &count));
    problem->combined[contact->combined].rolling.size = 1e-3;
    assert_false(fits(problem, ANY, &count));
    assert_refused(problem, ANY);
    talus_sim_destroy(sim);
}

static void memory_may_be_refused(void **state) {
    (void)state;
    talus_sim *sim = solved(ROLLING);
    bool made = false;
    int64_t calls = 0;
    for (; !made; calls++) {
        struct memory memory = {.refuse_at = calls + 1};
        struct step_matrix form;
        made = step_matrix_make(&form, &memory, &sim->problem, any) && form.fits;
        step_matrix_free(&form);
        assert_int_equal(memory.bytes, 0);
    }
    assert_true(calls > 10);
    struct factor_turn *turn = NULL;
    for (calls = 1; turn == NULL; calls++)
        turn = factor_turn_begin(&sim->problem, (struct factor_limits){1e-9, ANY, calls});
    factor_turn_end(turn);
    assert_true(calls > 40);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(w_moves_the_bodies),
        cmocka_unit_test(both_forms_have_one_solution),
        cmocka_unit_test(cones_are_kept),
        cmocka_unit_test(bodies_solve_the_equations),
        cmocka_unit_test(what_is_no_cone_is_refused),
        cmocka_unit_test(memory_may_be_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
