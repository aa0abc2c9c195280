/* SPDX-License-Identifier: Apache-2.0
 *
 * The frictional contact problem without a world: effective masses, a decoupled problem with a known
 * answer, the kernel of one sweep, the residual, the general local solve.
 */
#include "law/coulomb.h"
#include "solve/problem.h"
#include "solve/solver.h"
#include "support.h"

/* m_n and m_t of two bodies [Unger2003, eqs. 17-18]; inverse mass and inertia 0 make a wall. */
static struct solve_contact masses(double m1, double i1, double r1, double w2, double j2,
                                   double r2) {
    struct solve_body bodies[2] = {{.inverse_mass = 1.0 / m1, .inverse_inertia = 1.0 / i1},
                                   {.inverse_mass = w2, .inverse_inertia = j2}};
    struct solve_contact contact = {.a = 0,
                                    .b = 1,
                                    .normal = {0, 0, 1},
                                    .arm_a = r1,
                                    .arm_b = r2,
                                    .general = -1,
                                    .combined = -1};
    struct problem problem = {.bodies = bodies, .body_count = 2};
    problem_prepare(&problem, &contact);
    return contact;
}

static void effective_masses(void **state) {
    (void)state;
    const double m = 2.385, r = 0.7;
    double sphere = 0.4 * m * r * r, disc = 0.5 * m * r * r;
    struct solve_contact c = masses(m, sphere, r, 1 / m, 1 / sphere, r);
    assert_near(c.m_n, m / 2, 1e-14);
    assert_near(c.m_t, m / 7, 1e-14);
    c = masses(m, disc, r, 1 / m, 1 / disc, r);
    assert_near(c.m_n, m / 2, 1e-14);
    assert_near(c.m_t, m / 6, 1e-14);
    c = masses(m, sphere, r, 0, 0, 0);
    assert_near(c.m_n, m, 1e-14);
    assert_near(c.m_t, 2 * m / 7, 1e-14);
    c = masses(m, disc, r, 0, 0, 0);
    assert_near(c.m_t, m / 3, 1e-14);
    c = masses(1, 0.4, 1, 1.0 / 8, 1 / (0.4 * 8 * 4), 2);
    assert_near(c.m_n, 8.0 / 9.0, 1e-14);
    assert_near(c.m_t, 16.0 / 63.0, 1e-14);
}

/* W of the general path: diagonal for spheres, and for the end of a uniform rod (mass m, half-length l,
 * at theta below the horizontal, horizontal floor) W_nn = (1 + 3 cos^2)/m, W_tt = (1 + 3 sin^2)/m,
 * |W_nt| = 3 sin cos/m. */
static void general_matrix(void **state) {
    (void)state;
    const double m = 1.7, l = 0.9, theta = 0.6;
    double inertia = m * l * l / 3.0;
    struct solve_body bodies[2] = {{.inverse_mass = 1 / m, .inverse_inertia = 1 / inertia},
                                   {.inverse_mass = 0}};
    struct solve_general general = {.arm_a = {l * cos(theta), -l * sin(theta), 0},
                                    .tangent = {1, 0, 0},
                                    .slide_a = -1,
                                    .turn_a = -1,
                                    .slide_b = -1,
                                    .turn_b = -1};
    struct solve_contact contact = {
        .a = 0, .b = 1, .normal = {0, -1, 0}, .general = 0, .combined = -1};
    struct problem problem = {.bodies = bodies,
                              .body_count = 2,
                              .general = &general,
                              .general_count = 1,
                              .contacts = &contact,
                              .contact_count = 1};
    problem_prepare(&problem, &contact);
    double s = sin(theta), c = cos(theta);
    vec3 pushed = cone_apply(&general.cone, vec3_make(1, 0, 0));
    vec3 dragged = cone_apply(&general.cone, vec3_make(0, 1, 0));
    assert_near(pushed.x, (1 + 3 * c * c) / m, 1e-14);
    assert_near(dragged.y, (1 + 3 * s * s) / m, 1e-14);
    assert_near(fabs(pushed.y), 3 * s * c / m, 1e-14);
    assert_near(pushed.y, dragged.x, 1e-14);
}

/* Three decoupled contacts with W = I, q = (-1, 1, 3), mu = 0.1, by the general solve. */
static void identity_problem(void **state) {
    (void)state;
    mat3 one = mat3_diagonal(vec3_make(1, 1, 1));
    vec3 p = coulomb_solve_general(&one, vec3_make(-1, 1, 3), 0.1);
    assert_near(p.x, 1.0, 1e-10);
    assert_near(p.y, -0.0316227766, 1e-10);
    assert_near(p.z, -0.0948683298, 1e-10);
    vec3 u = vec3_add(p, vec3_make(-1, 1, 3));
    assert_near(u.x, 0.0, 1e-12);
    assert_near(u.y, 0.9683772, 1e-7);
    assert_near(u.z, 2.9051317, 1e-7);
    assert_near(coulomb_residual(p, u, 1.0, 0.1), 0.0, 1e-12);
}

/* The same three contacts as one problem for each solver: bodies of mass 1 that cannot turn, on a fixed one.
 * The reference is that of a test in Siconos. */
static void identity_problem_by_solvers(void **state) {
    (void)state;
    for (int s = 0; s < SOLVER_COUNT; s++) {
        talus_solver_config config = talus_solver_plain();
        config.name = solver_get(s)->entry.name;
        struct memory memory = {0};
        struct solve_work work = {.memory = &memory};
        struct solve_body bodies[4];
        struct solve_contact contacts[3];
        for (int k = 0; k < 4; k++)
            bodies[k] =
                (struct solve_body){.velocity = {k < 3 ? 3 : 0, k < 3 ? -1 : 0, k < 3 ? 1 : 0},
                                    .inverse_mass = k < 3 ? 1.0 : 0.0};
        struct problem problem = {
            .bodies = bodies, .body_count = 4, .contacts = contacts, .contact_count = 3};
        for (int k = 0; k < 3; k++) {
            contacts[k] = (struct solve_contact){
                .a = 3, .b = k, .normal = {0, 1, 0}, .mu = 0.1, .general = -1, .combined = -1};
            problem_prepare(&problem, &contacts[k]);
        }
        assert_true(solver_reserve(&work, &config, 4, 3));
        problem_start(&problem);
        assert_near(problem.q_norm, sqrt(3 * 11.0), 1e-14);
        solver_solve(&problem, &config, &work, (struct solve_key){1, 1});
        for (int k = 0; k < 3; k++) {
            assert_near(contacts[k].impulse.y, 1.0, 1e-10);
            assert_near(contacts[k].impulse.z, -0.0316227766, 1e-10);
            assert_near(contacts[k].impulse.x, -0.0948683298, 1e-10);
            assert_near(bodies[k].velocity.z, 0.9683772234, 1e-10);
            assert_near(bodies[k].velocity.x, 2.9051316702, 1e-10);
            assert_near(bodies[k].velocity.y, 0.0, 1e-12);
        }
        assert_near(problem_residual(&problem), 0.0, 1e-12);
        solver_free(&work);
    }
}

/* Random symmetric positive definite W: the general solve satisfies the natural map. */
static void general_solve_is_exact(void **state) {
    (void)state;
    struct random random = random_start(7, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 20000; trial++) {
        double a[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a[i][j] = 2.0 * random_uniform(&random) - 1.0;
        mat3 w = mat3_zero();
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                for (int k = 0; k < 3; k++) w.m[i][j] += 0.3 * a[i][k] * a[j][k];
                if (i == j) w.m[i][j] += 1.0;
            }
        double mu = random_uniform(&random);
        vec3 b = {2.0 * random_uniform(&random) - 1.5, 2.0 * random_uniform(&random) - 1.0,
                  2.0 * random_uniform(&random) - 1.0};
        vec3 p = coulomb_solve_general(&w, b, mu);
        vec3 u = vec3_add(mat3_apply(&w, p), b);
        assert_near(coulomb_residual(p, u, 1.0 / w.m[0][0], mu), 0.0, 1e-10);
    }
}

/* The same in a plane, by the closed form: exact, and nothing leaves the plane. */
static void plane_solve_is_exact(void **state) {
    (void)state;
    struct random random = random_start(8, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 20000; trial++) {
        double skew = 1.2 * (random_uniform(&random) - 0.5), mu = random_uniform(&random);
        mat3 w = {{{1.0 + random_uniform(&random), skew, 0},
                   {skew, 1.0 + random_uniform(&random), 0},
                   {0, 0, 1}}};
        vec3 b = {2.0 * random_uniform(&random) - 1.5, 2.0 * random_uniform(&random) - 1.0, 0};
        vec3 p = coulomb_solve_general(&w, b, mu);
        vec3 u = vec3_add(mat3_apply(&w, p), b);
        assert_true(p.z == 0.0);
        assert_near(coulomb_residual(p, u, 1.0 / w.m[0][0], mu), 0.0, 1e-13);
    }
}

/* Locked bodies make W singular: what cannot move gets no impulse. */
static void general_solve_singular(void **state) {
    (void)state;
    mat3 normal_only = mat3_diagonal(vec3_make(2.0, 0.0, 0.0));
    vec3 p = coulomb_solve_general(&normal_only, vec3_make(-1.0, 0.0, 0.0), 0.5);
    assert_near(p.x, 0.5, 1e-15);
    assert_true(p.y == 0.0 && p.z == 0.0);
    mat3 nothing = mat3_zero();
    p = coulomb_solve_general(&nothing, vec3_make(-1.0, 1.0, 0.0), 0.5);
    assert_true(p.x == 0.0 && p.y == 0.0 && p.z == 0.0);
}

/* One sweep on a chain of contacts with a unit source at the middle one: the change of the normal
 * impulse at distance r, averaged over random orders, is 1/(2^r (r + 1)!) [Unger2002, app. A]. At r = 7 that is 2e-7:
 * chains for random orders need no more. */
enum { CONTACTS = 41, RANDOM_CONTACTS = 15, BODIES = CONTACTS + 1 };

struct kernel_chain {
    struct solve_body bodies[BODIES];
    struct solve_contact contacts[CONTACTS];
};

/* A unit source: bodies on both sides of the middle contact approach so that it alone asks for an
 * impulse of 1; all others carry a large base impulse, so that nothing opens. */
static void kernel_start(struct kernel_chain *chain, int count) {
    const double base = 100.0;
    for (int k = 0; k < count; k++)
        chain->contacts[k] = (struct solve_contact){.a = k,
                                                    .b = k + 1,
                                                    .normal = {1, 0, 0},
                                                    .m_n = 0.5,
                                                    .m_t = 0.5,
                                                    .impulse = {base, 0, 0},
                                                    .general = -1,
                                                    .combined = -1};
    for (int i = 0; i <= count; i++)
        chain->bodies[i] = (struct solve_body){.inverse_mass = 1.0,
                                               .velocity = {i <= count / 2 ? 1.0 : -1.0, 0, 0}};
}

/* Of `count` contacts. */
static void kernel_mean(talus_sweep sweep, int count, int trials, double mean[CONTACTS]) {
    talus_solver_config config = talus_solver_plain();
    config.sweep = sweep;
    struct memory memory = {0};
    struct solve_work work = {.memory = &memory, .threads = 1};
    assert_true(solver_reserve(&work, &config, (size_t)count + 1, (size_t)count));
    for (int k = 0; k < CONTACTS; k++) mean[k] = 0.0;
    for (int trial = 0; trial < trials; trial++) {
        struct kernel_chain chain;
        kernel_start(&chain, count);
        struct problem problem = {.bodies = chain.bodies,
                                  .body_count = (size_t)count + 1,
                                  .contacts = chain.contacts,
                                  .contact_count = (size_t)count};
        struct solve_run run = {
            .problem = &problem, .config = &config, .work = &work, .key = {5, (uint64_t)trial}};
        assert_true(solver_prepare(&work, &config, &problem, run.key));
        if (sweep == TALUS_SWEEP_BATCHED) batches_load(&work.batches, &problem, NULL);
        sweep_once(&run, false);
        if (sweep == TALUS_SWEEP_BATCHED) batches_store(&work.batches, &problem, NULL);
        for (int k = 0; k < count; k++) mean[k] += (chain.contacts[k].impulse.x - 100.0) / trials;
    }
    solver_free(&work);
}

static double total(const double mean[CONTACTS]) {
    double sum = 0.0;
    for (int k = 0; k < CONTACTS; k++) sum += mean[k];
    return sum;
}

static void sweep_kernel(void **state) {
    (void)state;
    const double expected[5] = {1.0, 1.0 / 4, 1.0 / 24, 1.0 / 192, 1.0 / 1920};
    const int middle = RANDOM_CONTACTS / 2;
    double mean[CONTACTS];
    kernel_mean(TALUS_SWEEP_RANDOM, RANDOM_CONTACTS, 200000, mean);
    /* The standard error of these means is below 6e-4; four of them are allowed. */
    for (int r = 0; r < 5; r++) {
        assert_near(mean[middle + r], expected[r], 2.4e-3);
        assert_near(mean[middle - r], expected[r], 2.4e-3);
    }
    assert_near(total(mean), 4.0 * sqrt(exp(1.0)) - 5.0, 0.003);
    assert_near(total(mean) / 2.0, sweep_efficiency(TALUS_SWEEP_RANDOM), 0.0015);
    kernel_mean(TALUS_SWEEP_BATCHED, RANDOM_CONTACTS, 50000,
                mean); /* twice the error: batches take time */
    for (int r = 0; r < 5; r++) {
        assert_near(mean[middle + r], expected[r], 4.8e-3);
        assert_near(mean[middle - r], expected[r], 4.8e-3);
    }
    assert_near(total(mean) / 2.0, sweep_efficiency(TALUS_SWEEP_BATCHED), 0.003);
    kernel_mean(TALUS_SWEEP_SEQUENTIAL, CONTACTS, 1, mean);
    assert_near(total(mean), 2.0, 1e-5); /* 2 - 2^-20: the chain ends 20 contacts away */
    kernel_mean(TALUS_SWEEP_PARALLEL, CONTACTS, 1, mean);
    assert_near(total(mean), 1.0, 1e-14);
}

/* Lawful states have no residual, others have: open, sticking between the two limits, sliding at the
 * wrong limit; without friction too. */
static void residual_of_states(void **state) {
    (void)state;
    const double rho = 2.0;
    assert_true(coulomb_residual(vec3_zero(), vec3_make(1, 0, 0), rho, 0.0) == 0.0);
    assert_true(coulomb_residual(vec3_zero(), vec3_make(1, 3, 0), rho, 0.3) == 0.0);
    assert_true(coulomb_residual(vec3_make(1, 0.2, 0), vec3_zero(), rho, 0.3) < 1e-15);
    assert_true(coulomb_residual(vec3_make(1, -0.3, 0), vec3_make(0, 1, 0), rho, 0.3) < 1e-15);
    assert_true(coulomb_residual(vec3_make(1, -0.5, 0), vec3_make(0, 1, 0), rho, 0.3) > 0.05);
    assert_true(coulomb_residual(vec3_make(1, 0.4, 0), vec3_zero(), rho, 0.3) > 0.01);
    assert_near(coulomb_residual(vec3_zero(), vec3_make(-1, 0, 0), rho, 0.0), 1.0, 1e-15);
    assert_near(coulomb_residual(vec3_make(1, 0, 0), vec3_make(1, 0, 0), rho, 0.0), 0.5, 1e-15);
}

static void cone_projection(void **state) {
    (void)state;
    vec3 negative = coulomb_project(vec3_make(-1, 0, 0), 0.0);
    assert_true(negative.x == 0.0);
    vec3 inside = coulomb_project(vec3_make(1, 0.2, 0.1), 0.5);
    assert_true(inside.x == 1.0 && inside.y == 0.2 && inside.z == 0.1);
    vec3 polar = coulomb_project(vec3_make(-1, 0.2, 0.1), 0.5);
    assert_true(polar.x == 0.0 && polar.y == 0.0 && polar.z == 0.0);
    vec3 side = coulomb_project(vec3_make(0, 1, 0), 1.0);
    assert_near(side.x, 0.5, 1e-15);
    assert_near(side.y, 0.5, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effective_masses),       cmocka_unit_test(general_matrix),
        cmocka_unit_test(identity_problem),       cmocka_unit_test(identity_problem_by_solvers),
        cmocka_unit_test(general_solve_is_exact), cmocka_unit_test(plane_solve_is_exact),
        cmocka_unit_test(general_solve_singular), cmocka_unit_test(sweep_kernel),
        cmocka_unit_test(cone_projection),        cmocka_unit_test(residual_of_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
