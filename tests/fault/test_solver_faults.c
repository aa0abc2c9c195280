/* SPDX-License-Identifier: Apache-2.0
 *
 * Contact problems that are hard, degenerate or wrong: an answer or a clear message, never a hang, whichever solver.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "delassus_support.h"
#include "solve/solver.h"
#include "talus/problem.h"

static const double g = 9.81;

enum { VERY_MANY = SANITIZED ? 20000 : 1000000 };

/* Every solver, sweep and rule that judges by the law. */
enum { WAYS = 16 };
static talus_solver_config way(int k, double tolerance) {
    talus_solver_config solver = talus_solver_plain();
    solver.name = solver_get(k % 4)->entry.name;
    solver.sweep = k / 4 % 2 ? TALUS_SWEEP_BATCHED : TALUS_SWEEP_RANDOM;
    solver.stop = k / 8 ? TALUS_STOP_BALANCE : TALUS_STOP_RESIDUAL;
    solver.tolerance = tolerance;
    solver.max_sweeps = 5000;
    return solver;
}

static talus_config world(int dim, talus_vec3 gravity, const talus_solver_config *solver) {
    talus_config config = talus_config_default();
    config.dim = dim;
    config.dt = 1e-3;
    config.gravity = gravity;
    config.solver = *solver;
    return config;
}

/* ---- singular W ------------------------------------------------------------------------------------ */

static double sum_along(const talus_sim *sim, talus_vec3 up) {
    talus_contact contacts[16];
    size_t count = talus_sim_contacts(sim, contacts, 16);
    double sum = 0.0;
    for (size_t k = 0; k < count && k < 16; k++)
        sum += fabs(contacts[k].force.x * up.x + contacts[k].force.y * up.y +
                    contacts[k].force.z * up.z);
    return sum;
}

/* Four corners on a table: twelve unknowns, six equations. */
static void box_on_a_table(void **state) {
    (void)state;
    talus_vec3 corners[8];
    for (int k = 0; k < 8; k++)
        corners[k] = vec(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
    talus_shape_part part = {.points = corners, .count = 8};
    for (int k = 0; k < WAYS; k++) {
        talus_solver_config solver = way(k, 1e-9);
        talus_config config = world(3, vec(0, 0, -g), &solver);
        talus_sim *sim = support_sim(&config, 0.5);
        support_plane(sim, "table", vec(0, 0, 0), vec(0, 0, 1));
        assert_ok(talus_shape_add(sim, "box", &part, 1, NULL));
        talus_body_def def = talus_body_def_default(sim);
        def.shape = "box";
        def.mass = 2.0;
        def.position = vec(0, 0, 0.5);
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        for (int step = 0; step < 20; step++) {
            talus_step_report report;
            assert_int_equal(talus_sim_step(sim, &report, NULL), TALUS_OK);
            assert_int_equal(report.contacts, 4);
        }
        assert_near(sum_along(sim, vec(0, 0, 1)), 2.0 * g, 1e-6);
        assert_near(talus_sim_observe(sim).speed_max, 0.0, 1e-8);
        talus_sim_destroy(sim);
    }
}

/* A disc in a wedge of 2 x 20 degrees with mu = 1: it could be pressed in by any force. */
static void disc_in_a_wedge(void **state) {
    (void)state;
    double angle = 20.0 * acos(-1.0) / 180.0, c = cos(angle), s = sin(angle);
    for (int k = 0; k < WAYS; k++) {
        talus_solver_config solver = way(k, 1e-9);
        talus_config config = world(2, vec(0, -g, 0), &solver);
        talus_sim *sim = support_sim(&config, 1.0);
        support_plane(sim, "left", vec(0, 0, 0), vec(c, s, 0));
        support_plane(sim, "right", vec(0, 0, 0), vec(-c, s, 0));
        support_grain(sim, 0.5, 1.0, vec(0, 0.5 / s, 0), vec(0, -1, 0));
        for (int step = 0; step < 20; step++)
            assert_int_equal(talus_sim_step(sim, NULL, NULL), TALUS_OK);
        assert_near(talus_sim_observe(sim).speed_max, 0.0, 1e-9);
        /* What the walls bear is the weight. */
        talus_contact contacts[2];
        assert_int_equal(talus_sim_contacts(sim, contacts, 2), 2);
        double borne = 0.0;
        for (int i = 0; i < 2; i++) borne += fabs(contacts[i].force.y);
        assert_near(borne, g, 1e-6);
        talus_sim_destroy(sim);
    }
}

/* Jaws that close on a disc: there is no solution. The step ends, says so, and the numbers are finite. */
static void closing_jaws(void **state) {
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        talus_solver_config solver = way(k, 1e-9);
        talus_config config = world(2, vec(0, 0, 0), &solver);
        talus_sim *sim = support_sim(&config, 0.3);
        for (int side = -1; side <= 1; side += 2) {
            talus_boundary_def jaw = talus_boundary_def_default();
            jaw.name = side < 0 ? "left" : "right";
            jaw.point = vec(0.5 * side, 0, 0);
            jaw.normal = vec(-side, 0, 0);
            jaw.motion.velocity = vec(-0.1 * side, 0, 0);
            assert_ok(talus_boundary_add(sim, &jaw, NULL));
        }
        support_grain(sim, 0.5, 1.0, vec(0, 0, 0), vec(0, 0, 0));
        talus_step_report report;
        assert_int_equal(talus_sim_step(sim, &report, NULL), TALUS_WARN_NOT_CONVERGED);
        assert_false(report.converged);
        assert_true(report.residual > 0.1);
        assert_true(fabs(talus_sim_bodies(sim).velocity[2].x) <= 0.1 * (1.0 + 1e-9));
        talus_sim_destroy(sim);
    }
}

/* Nothing can move: W = 0. */
static void held_grains(void **state) {
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        talus_solver_config solver = way(k, 1e-9);
        talus_config config = world(3, vec(0, 0, -g), &solver);
        talus_sim *sim = support_sim(&config, 0.5);
        talus_boundary_def floor = talus_boundary_def_default();
        floor.name = "floor";
        floor.normal = vec(0, 0, 1);
        floor.motion.velocity = vec(0, 0, 0.1); /* into the grain */
        assert_ok(talus_boundary_add(sim, &floor, NULL));
        for (int i = 0; i < 2; i++) {
            talus_body_def def = talus_body_def_default(sim);
            def.radius = 0.5;
            def.position = vec(0, 0, 0.5 + 0.99 * i);
            def.locks = TALUS_LOCK_X | TALUS_LOCK_Y | TALUS_LOCK_Z | TALUS_LOCK_ROTATION;
            assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        }
        for (int step = 0; step < 3; step++) {
            talus_step_report report;
            assert_int_equal(talus_sim_step(sim, &report, NULL), TALUS_OK);
            assert_int_equal(report.contacts, 2);
            assert_true(report.residual == 0.0);
        }
        assert_true(sum_along(sim, vec(0, 0, 1)) == 0.0);
        assert_true(talus_sim_bodies(sim).velocity[1].z == 0.0);
        talus_sim_destroy(sim);
    }
}

/* ---- friction and masses ------------------------------------------------------------------------------ */

/* A sphere on a slope of tan 1/2. Without friction it slides, with much of it rolls: a = 5/7 g sin. */
static void no_friction_and_very_much(void **state) {
    (void)state;
    double down = g / sqrt(5.0);
    for (int k = 0; k < 2 * WAYS; k++) {
        double mu = k < WAYS ? 0.0 : 1000.0;
        talus_solver_config solver = way(k % WAYS, 1e-12);
        talus_config config = world(3, vec(down, 0, -2.0 * down), &solver);
        talus_sim *sim = support_sim(&config, mu);
        support_plane(sim, "slope", vec(0, 0, 0), vec(0, 0, 1));
        support_grain(sim, 0.5, 1.0, vec(0, 0, 0.5), vec(0, 0, 0));
        for (int step = 0; step < 100; step++)
            assert_int_equal(talus_sim_step(sim, NULL, NULL), TALUS_OK);
        double v = down * 0.1 * (mu > 0.0 ? 5.0 / 7.0 : 1.0);
        assert_near(talus_sim_bodies(sim).velocity[1].x, v, 1e-9);
        assert_near(0.5 * talus_sim_bodies(sim).omega[1].y, mu > 0.0 ? v : 0.0, 1e-9);
        talus_sim_destroy(sim);
    }
}

/* Two spheres on a floor, one of them a million times as heavy; in how many sweeps. Either the floor bears both or the
 * step says that it does not. */
static int weigh(const talus_solver_config *solver, bool heavy_above, bool *converged) {
    talus_config config = world(3, vec(0, 0, -g), solver);
    talus_sim *sim = support_sim(&config, 0.5);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    support_grain(sim, 0.5, heavy_above ? 1.0 : 1e6, vec(0, 0, 0.5), vec(0, 0, 0));
    support_grain(sim, 0.5, heavy_above ? 1e6 : 1.0, vec(0, 0, 1.5), vec(0, 0, 0));
    talus_step_report report;
    talus_status status = talus_sim_step(sim, &report, NULL);
    double wanted = (1.0 + 1e6) * g + (heavy_above ? 1e6 : 1.0) * g;
    *converged = report.converged;
    assert_int_equal(status, report.converged ? TALUS_OK : TALUS_WARN_NOT_CONVERGED);
    if (report.converged)
        assert_near(sum_along(sim, vec(0, 0, 1)) / wanted, 1.0, 1e-4);
    else
        assert_true(report.residual > solver->tolerance);
    talus_sim_destroy(sim);
    return report.sweeps;
}

/* Below the heavy one plain sweeps need millions, momentum in a fixed order the square root of that. Random orders of two
 * contacts leave no momentum alive; projected gradients have no order, and auto finds that out. */
static void mass_ratio_of_a_million(void **state) {
    (void)state;
    bool converged;
    for (int k = 0; k < WAYS; k++) {
        talus_solver_config solver = way(k, 1e-6);
        solver.momentum_cap = 1.0;
        solver.max_sweeps = 20000;
        assert_true(weigh(&solver, false, &converged) < (k % 4 == SOLVER_apgd ? 100 : 20));
        assert_true(converged);
        assert_true(weigh(&solver, true, &converged) <= 20000);
        solver.sweep = TALUS_SWEEP_SEQUENTIAL;
        int sweeps = weigh(&solver, true, &converged);
        if (k % 4 == SOLVER_nnsgs) assert_true(converged && sweeps < 15000);
        solver.sweep = TALUS_SWEEP_RANDOM;
        solver.max_sweeps = 80000;
        if (k % 4 < SOLVER_apgd) continue;
        sweeps = weigh(&solver, true, &converged);
        assert_true(converged && sweeps < (k % 4 == SOLVER_apgd ? 25000 : 60000));
    }
}

/* ---- problems made by hand -------------------------------------------------------------------------------- */

struct hand {
    struct memory memory;
    struct problem problem;
    struct solve_work work;
    talus_solver_config config;
};

/* A wall, body 0, of this inverse mass, and so many grains of mass 1 that fly against it at speed 1; each of them touches it
 * `copies` times. */
static void hand_make(struct hand *hand, size_t grains, size_t copies, double inverse_mass,
                      const talus_solver_config *config) {
    *hand = (struct hand){.config = *config};
    hand->work = (struct solve_work){.memory = &hand->memory, .threads = 2};
    struct problem *problem = &hand->problem;
    problem->body_count = grains + 1;
    problem->contact_count = grains * copies;
    problem->bodies = calloc(problem->body_count, sizeof *problem->bodies);
    problem->contacts = calloc(problem->contact_count + 1, sizeof *problem->contacts);
    assert_non_null(problem->bodies);
    assert_non_null(problem->contacts);
    problem->bodies[0].inverse_mass = inverse_mass;
    for (size_t i = 1; i <= grains; i++)
        problem->bodies[i] = (struct solve_body){
            .velocity = {0.1, -1.0, 0}, .inverse_mass = 1.0, .inverse_inertia = 10.0};
    for (size_t k = 0; k < problem->contact_count; k++) {
        problem->contacts[k] = (struct solve_contact){.a = 0,
                                                      .b = (talus_index)(k / copies) + 1,
                                                      .normal = {0, 1, 0},
                                                      .arm_b = 0.5,
                                                      .mu = 0.3,
                                                      .general = -1,
                                                      .combined = -1};
        problem_prepare(problem, &problem->contacts[k]);
    }
}

static struct solve_report hand_solve(struct hand *hand) {
    struct problem *problem = &hand->problem;
    struct solve_key key = {1, 1};
    assert_true(
        solver_reserve(&hand->work, &hand->config, problem->body_count, problem->contact_count));
    assert_true(solver_prepare(&hand->work, &hand->config, problem, key));
    problem_start(problem);
    return solver_solve(problem, &hand->config, &hand->work, key);
}

static void hand_free(struct hand *hand) {
    free(hand->problem.bodies);
    free(hand->problem.contacts);
    free(hand->problem.general);
    free(hand->problem.mobilities);
    solver_free(&hand->work);
    assert_int_equal(hand->memory.bytes, 0);
}

static void no_contact_at_all(void **state) {
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        struct hand hand;
        talus_solver_config config = way(k, 1e-9);
        hand_make(&hand, 3, 0, 0.0, &config);
        struct solve_report report = hand_solve(&hand);
        assert_true(report.converged);
        assert_int_equal(report.sweeps, 0);
        assert_int_equal(report.updates, 0);
        assert_true(hand.problem.bodies[1].velocity.y == -1.0);
        hand_free(&hand);
    }
}

/* Sticking: u = 0 at the contact point, P_t = v_t m_t, m_t = 1/(1 + 0.25 x 10) = 2/7. */
static void one_contact_and_many_copies(void **state) {
    (void)state;
    for (int k = 0; k < WAYS; k++)
        for (size_t copies = 1; copies <= 1000; copies *= 10) {
            struct hand hand;
            talus_solver_config config = way(k, 1e-10);
            hand_make(&hand, 1, copies, 0.0, &config);
            struct solve_report report = hand_solve(&hand);
            vec3 sum = vec3_zero();
            for (size_t i = 0; i < copies; i++)
                sum = vec3_add(sum, hand.problem.contacts[i].impulse);
            assert_true(report.converged);
            assert_true(copies > 1 || report.sweeps <= (k % 4 == SOLVER_apgd ? 50 : 3));
            assert_near(sum.y, 1.0, 1e-8);
            assert_near(sum.x, -0.1 * 2.0 / 7.0, 1e-8);
            assert_near(hand.problem.bodies[1].velocity.y, 0.0, 1e-8);
            hand_free(&hand);
        }
}

/* The same wall as a piston: contacts with a mobility. */
static void hand_piston(struct hand *hand, double inverse_mass) {
    struct problem *problem = &hand->problem;
    problem->general = calloc(problem->contact_count, sizeof *problem->general);
    problem->mobilities = calloc(1, sizeof *problem->mobilities);
    assert_non_null(problem->general);
    assert_non_null(problem->mobilities);
    problem->mobility_count = 1;
    problem->mobilities[0].inverse_mass.yy = inverse_mass;
    for (size_t k = 0; k < problem->contact_count; k++) {
        problem->general[k] = (struct solve_general){.arm_b = {0, -0.5, 0},
                                                     .slide_b = -1,
                                                     .turn_b = -1,
                                                     .coupling = -1,
                                                     .tangent = {1, 0, 0}};
        problem->contacts[k].general = (int32_t)problem->general_count++;
        problem_prepare(problem, &problem->contacts[k]);
    }
}

enum wall { WALL_FIXED, WALL_HEAVY, WALL_PISTON };

/* Grains against one wall: a fixed one, where each is an island, and walls as heavy as all of them, where they all feel each
 * other. Inelastic impact: such a wall takes half of the velocity. */
static void many_on_a_wall(size_t grains, enum wall wall, const talus_solver_config *config) {
    struct hand hand;
    double inverse_mass = wall == WALL_FIXED ? 0.0 : 1.0 / (double)grains;
    hand_make(&hand, grains, 1, inverse_mass, config);
    if (wall == WALL_PISTON) hand_piston(&hand, inverse_mass);
    struct solve_report report = hand_solve(&hand);
    assert_true(report.converged);
    assert_int_equal(report.islands, wall == WALL_FIXED ? grains : 1);
    bool by_gradients = strcmp(config->name, "apgd") == 0; /* the others solve a contact at once */
    if (wall == WALL_FIXED && !by_gradients) assert_int_equal(report.updates, grains);
    double worst = 0.0, wanted = wall == WALL_FIXED ? 0.0 : -0.5;
    for (size_t i = wall == WALL_FIXED; i <= grains; i++)
        worst = fmax(worst, fabs(hand.problem.bodies[i].velocity.y - wanted));
    assert_true(worst < 1e-4);
    size_t islands = grains <= 4096 ? 1200 * grains : 0; /* room for those that may come */
    assert_true(hand.memory.bytes_peak < 1100 * grains + islands + 1000000);
    hand_free(&hand);
}

static void very_many_contacts_on_a_wall(void **state) {
    (void)state;
    for (int k = 0; k < 8; k++) {
        talus_solver_config config = way(k, 1e-4);
        bool batched = config.sweep == TALUS_SWEEP_BATCHED;
        many_on_a_wall(batched ? VERY_MANY : VERY_MANY / 10, WALL_FIXED, &config);
        many_on_a_wall(batched ? VERY_MANY : VERY_MANY / 10, WALL_HEAVY, &config);
        many_on_a_wall(VERY_MANY / 10, WALL_PISTON, &config);
    }
}

/* ---- numbers that are none ---------------------------------------------------------------------------------- */

static void not_a_number_ends_the_sweeps(void **state) {
    (void)state;
    const double bad[2] = {(double)NAN, HUGE_VAL};
    for (int k = 0; k < 2 * WAYS; k++)
        for (int where = 0; where < 3; where++) {
            struct hand hand;
            double value = bad[k / WAYS];
            talus_solver_config config = way(k % WAYS, 1e-9);
            hand_make(&hand, 50, 1, 1.0, &config);
            if (where == 0) hand.problem.bodies[7].velocity.x = value;
            if (where == 1) hand.problem.contacts[3].normal.z = value;
            if (where == 2) hand.problem.contacts[3].impulse.y = value;
            struct solve_report report = hand_solve(&hand);
            assert_false(report.converged);
            assert_true(report.sweeps < 100);
            hand_free(&hand);
        }
}

/* Forces that overflow in the middle of a step: refused with body and step. */
static void overflow_in_contact(void **state) {
    (void)state;
    for (int k = 0; k < WAYS; k++) {
        talus_solver_config solver = way(k, 1e-9);
        talus_config config = world(2, vec(1e200, -1e200, 0), &solver);
        talus_sim *sim = support_sim(&config, 0.5);
        support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
        support_grain(sim, 0.5, 1.0, vec(0, 0.5, 0), vec(0, 0, 0));
        support_grain(sim, 0.5, 1.0, vec(0, 1.5, 0), vec(0, 0, 0));
        support_grain(sim, 0.5, 1.0, vec(5, 7.5, 0), vec(0, 0, 0));
        talus_error err;
        assert_int_equal(talus_sim_step(sim, NULL, &err), TALUS_ERR_DIVERGED);
        assert_non_null(strstr(err.text, "step 1: the velocity of body"));
        assert_non_null(strstr(err.text, "is not finite; the state of the step before is kept"));
        assert_true(talus_sim_bodies(sim).position[1].y == 0.5);
        talus_sim_destroy(sim);
    }
}

static void solver_numbers_are_checked(void **state) {
    (void)state;
    const double bad[3] = {(double)NAN, HUGE_VAL, -1.0};
    const char *const names[3] = {"solver.tolerance", "solver.cutoff", "solver.momentum_cap"};
    for (int k = 0; k < 9; k++) {
        talus_config config = talus_config_default();
        double *const field[3] = {&config.solver.tolerance, &config.solver.cutoff,
                                  &config.solver.momentum_cap};
        talus_sim *sim = NULL, *good = NULL;
        talus_error err;
        assert_ok(talus_sim_create(&config, &good, NULL));
        *field[k / 3] = bad[k % 3];
        assert_int_equal(talus_sim_create(&config, &sim, &err), TALUS_ERR_INPUT);
        assert_non_null(strstr(err.text, names[k / 3]));
        assert_int_equal(talus_sim_set_solver(good, &config.solver, &err), TALUS_ERR_INPUT);
        assert_non_null(strstr(err.text, "must be between"));
        talus_sim_destroy(good);
    }
}

/* Every number that a call takes: refused, and nothing is changed. */
static void numbers_of_calls_are_checked(void **state) {
    (void)state;
    const double bad[2] = {(double)NAN, HUGE_VAL};
    talus_config config = talus_config_default();
    talus_sim *sim = support_sim(&config, 0.5);
    talus_error err;
    for (int k = 0; k < 2; k++) {
        double x = bad[k];
        for (int field = 0; field < 8; field++) {
            talus_body_def def = talus_body_def_default(sim);
            def.radius = 0.5;
            double *const fields[8] = {&def.radius,     &def.mass,       &def.position.x,
                                       &def.position.z, &def.velocity.y, &def.omega.x,
                                       &def.omega.z,    &def.velocity.z};
            *fields[field] = x;
            assert_int_equal(talus_bodies_add(sim, &def, 1, NULL, &err), TALUS_ERR_INPUT);
            assert_non_null(strstr(err.text, "body 0"));
        }
        for (int field = 0; field < 5; field++) {
            talus_boundary_def def = talus_boundary_def_default();
            def.name = "wall";
            def.normal = vec(0, 0, 1);
            double *const fields[5] = {&def.point.x, &def.normal.y, &def.motion.velocity.z,
                                       &def.motion.rate, &def.free.mass};
            *fields[field] = x;
            assert_int_equal(talus_boundary_add(sim, &def, &err), TALUS_ERR_INPUT);
            assert_non_null(strstr(err.text, "boundary 'wall'"));
        }
        for (int field = 0; field < 6; field++) {
            talus_pair_law law = {.mu_static = 0.5, .mu_sliding = 0.5};
            double *const fields[6] = {&law.mu_static,           &law.mu_sliding,
                                       &law.rolling.coefficient, &law.torsion.coefficient,
                                       &law.cohesion.force,      &law.restitution.normal};
            *fields[field] = x;
            assert_int_equal(talus_pair_set(sim, 0, 0, &law, &err), TALUS_ERR_INPUT);
        }
        assert_int_equal(talus_sim_set_gravity(sim, vec(0, x, 0), &err), TALUS_ERR_INPUT);
        assert_int_equal(talus_sim_set_dt(sim, x, &err), TALUS_ERR_INPUT);
        assert_int_equal(
            talus_force_set(sim, "f", "grains", vec(1, 0, 0), &(talus_signal){.mean = x}, &err),
            TALUS_ERR_INPUT);
    }
    assert_int_equal(talus_sim_bodies(sim).count, 0);
    assert_int_equal(talus_sim_boundary_count(sim), 0);
    support_steps(sim, 1);
    talus_sim_destroy(sim);
}

/* ---- the matrix form --------------------------------------------------------------------------------------- */

static size_t matrix_ways(void) { /* every solver, and auto */
    return delassus_solver_count() + 1;
}

static talus_status sample_solve(struct sample *sample, size_t k, talus_solve_report *report) {
    talus_solve_config config = talus_solve_config_default();
    config.solver = sample_solver(k);
    config.max_seconds = 2.0;
    config.max_iterations = 20000;
    return delassus_solve(&sample->problem, &sample->memory, &config, sample->r, sample->u, report,
                          NULL);
}

/* W of a body on `count` contacts that all are the same one, up to their sign along t: rank 2. */
static void rank_deficient_matrix(void **state) {
    (void)state;
    enum { COUNT = 4, SIZE = 3 * COUNT };
    static double w[SIZE * SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            w[i * SIZE + j] = i % 3 == j % 3 && i % 3 < 2 ? 1.0 : 0.0; /* nothing moves along s */
    const double mus[3] = {0.0, 0.5, 1000.0};
    for (int m = 0; m < 3; m++)
        for (size_t k = 0; k < matrix_ways(); k++) {
            struct sample sample;
            double q[SIZE] = {0.0}, mu[COUNT];
            for (int i = 0; i < COUNT; i++) {
                q[3 * i] = -1.0;
                q[3 * i + 1] = 0.25;
                mu[i] = mus[m];
            }
            sample_make(&sample, 3, COUNT, w, q, mu);
            talus_solve_report report;
            assert_int_equal(sample_solve(&sample, k, &report), TALUS_OK);
            double normal = 0.0, along = 0.0;
            for (int i = 0; i < COUNT; i++) {
                normal += sample.r[3 * i];
                along += sample.r[3 * i + 1];
            }
            assert_near(normal, 1.0, 1e-7);
            assert_near(along, mus[m] > 0.0 ? -0.25 : 0.0, 1e-7);
            sample_free(&sample);
        }
}

/* W = 0: an answer if nothing closes; if something does there is none, and the best found is kept. */
static void zero_matrix(void **state) {
    (void)state;
    const double w[4] = {0.0, 0.0, 0.0, 0.0}, mu[1] = {0.5};
    for (int closes = 0; closes < 2; closes++)
        for (size_t k = 0; k < matrix_ways(); k++) {
            struct sample sample;
            const double q[2] = {closes ? -1.0 : 1.0, 0.5};
            sample_make(&sample, 2, 1, w, q, mu);
            talus_solve_report report;
            talus_status status = sample_solve(&sample, k, &report);
            assert_int_equal(status, closes ? TALUS_WARN_NOT_CONVERGED : TALUS_OK);
            assert_true(report.converged == !closes);
            assert_true(isfinite(sample.r[0]) && isfinite(sample.r[1]));
            if (!closes) assert_true(sample.r[0] == 0.0 && sample.r[1] == 0.0);
            sample_free(&sample);
        }
}

static void matrix_without_contacts(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (size_t k = 0; k < matrix_ways(); k++) {
            struct sample sample;
            const double none[1] = {0.0};
            sample_make(&sample, dim, 0, none, none, none);
            talus_solve_report report;
            assert_int_equal(sample_solve(&sample, k, &report), TALUS_OK);
            assert_true(report.residual_q == 0.0);
            sample_free(&sample);
        }
}

/* Files with such numbers are refused when they are read (test_fclib.c); here they come from nowhere. */
static void matrix_of_no_numbers(void **state) {
    (void)state;
    const double bad[2] = {(double)NAN, HUGE_VAL}, mu[2] = {0.5, 0.5};
    for (int b = 0; b < 2; b++)
        for (int where = 0; where < 2; where++)
            for (size_t k = 0; k < matrix_ways(); k++) {
                struct sample sample;
                double w[16] = {2, 0, 1, 0, 0, 2, 0, 1, 1, 0, 2, 0, 0, 1, 0, 2};
                double q[4] = {-1.0, 0.3, -1.0, 0.3};
                if (where == 0) w[10] = bad[b];
                if (where == 1) q[1] = bad[b];
                sample_make(&sample, 2, 2, w, q, mu);
                talus_solve_report report;
                assert_int_equal(sample_solve(&sample, k, &report), TALUS_WARN_NOT_CONVERGED);
                assert_false(report.converged);
                if (isnan(bad[b])) assert_true(report.iterations <= 100);
                sample_free(&sample);
            }
}

/* Heavy on light: block of W for light between floor and heavy. */
static void matrix_of_unlike_masses(void **state) {
    (void)state;
    const double light = 1.0, heavy = 1e-6; /* inverse masses */
    /* contacts: floor-light, light-heavy; n and t alike */
    const double w[16] = {light,  0.0, -light,        0.0, 0.0, light,  0.0, -light,
                          -light, 0.0, light + heavy, 0.0, 0.0, -light, 0.0, light + heavy};
    const double q[4] = {-g, 0.0, 0.0, 0.0}, mu[2] = {0.5, 0.5};
    for (size_t k = 0; k < matrix_ways(); k++) {
        struct sample sample;
        sample_make(&sample, 2, 2, w, q, mu);
        talus_solve_report report;
        talus_status status = sample_solve(&sample, k, &report);
        if (status == TALUS_OK)
            assert_true(report.residual_q <= 1e-8);
        else
            assert_int_equal(status, TALUS_WARN_NOT_CONVERGED);
        for (int i = 0; i < 4; i++) assert_true(isfinite(sample.r[i]));
        sample_free(&sample);
    }
}

/* ---- files -------------------------------------------------------------------------------------------- */

/* Worlds whose W is singular, or empty, as FCLIB files, read and solved again. */
static void singular_files(void **state) {
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "/tmp/talus_fault_%ld.hdf5", (long)getpid());
    for (int k = 0; k < 6; k++) {
        talus_solver_config solver = way(0, 1e-9);
        talus_config config = world(2, vec(0, -g, 0), &solver);
        talus_sim *sim = support_sim(&config, k < 4 ? 0.5 : 1000.0);
        support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
        if (k / 2 >
            0) { /* five on a floor between two walls: each presses on its neighbours, or not */
            support_plane(sim, "left", vec(-0.5, 0, 0), vec(1, 0, 0));
            support_plane(sim, "right", vec(4.5, 0, 0), vec(-1, 0, 0));
            for (int i = 0; i < 5; i++) support_grain(sim, 0.5, 1.0, vec(i, 0.5, 0), vec(0, 0, 0));
        }
        assert_ok(talus_sim_step(sim, NULL, NULL));
        talus_problem *step = NULL, *read = NULL;
        talus_solve_report report;
        assert_ok(talus_problem_of_step(sim, &step, NULL));
        assert_ok(talus_problem_write(step, path, k % 2 == 0, NULL));
        assert_ok(talus_problem_read(path, &read, NULL));
        assert_int_equal(talus_problem_look(read).contacts, k / 2 > 0 ? 11 : 0);
        assert_int_equal(talus_problem_solve(read, NULL, &report, NULL), TALUS_OK);
        assert_true(report.converged && report.residual_q <= 1e-8);
        talus_problem_free(read);
        talus_problem_free(step);
        talus_sim_destroy(sim);
    }
    assert_int_equal(unlink(path), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_on_a_table),
        cmocka_unit_test(disc_in_a_wedge),
        cmocka_unit_test(closing_jaws),
        cmocka_unit_test(held_grains),
        cmocka_unit_test(no_friction_and_very_much),
        cmocka_unit_test(mass_ratio_of_a_million),
        cmocka_unit_test(no_contact_at_all),
        cmocka_unit_test(one_contact_and_many_copies),
        cmocka_unit_test(very_many_contacts_on_a_wall),
        cmocka_unit_test(not_a_number_ends_the_sweeps),
        cmocka_unit_test(overflow_in_contact),
        cmocka_unit_test(solver_numbers_are_checked),
        cmocka_unit_test(numbers_of_calls_are_checked),
        cmocka_unit_test(rank_deficient_matrix),
        cmocka_unit_test(zero_matrix),
        cmocka_unit_test(matrix_without_contacts),
        cmocka_unit_test(matrix_of_no_numbers),
        cmocka_unit_test(matrix_of_unlike_masses),
        cmocka_unit_test(singular_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
