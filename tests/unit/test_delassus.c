/* SPDX-License-Identifier: Apache-2.0
 * The matrix form of the contact problem: its measures, and every solver on problems with known solutions. */
#define _POSIX_C_SOURCE 200809L
#include "delassus_support.h"

#include "base/random.h"
#include "law/coulomb.h"

/* With every solver; the last, auto, leaves its solution. */
static void solve(struct sample *sample, double tolerance) {
    for (size_t k = 0; k <= delassus_solver_count(); k++) sample_solve_by(sample, k, tolerance);
}

/* W = diag(2, 1, 1), q = (q_n, q_t, 0): r by hand. */
static void one_contact(void **state) {
    (void)state;
    const double w[9] = {2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const struct {
        double mu, q_n, q_t, r_n, r_t, u_t;
    } cases[] = {{0.5, -1.0, 0.1, 0.5, -0.1, 0.0}, {0.5, -1.0, 1.0, 0.5, -0.25, 0.75},
                 {0.5, 1.0, 1.0, 0.0, 0.0, 1.0},   {0.0, -1.0, 1.0, 0.5, 0.0, 1.0},
                 {0.0, 1.0, 0.0, 0.0, 0.0, 0.0},   {1000.0, -1.0, 3.0, 0.5, -3.0, 0.0},
                 {0.5, 0.0, 0.0, 0.0, 0.0, 0.0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int dim = 2; dim <= 3; dim++) {
            struct sample sample;
            const double q[3] = {cases[k].q_n, cases[k].q_t, 0.0}, mu[1] = {cases[k].mu};
            const double w2[4] = {2.0, 0.0, 0.0, 1.0};
            sample_make(&sample, dim, 1, dim == 3 ? w : w2, q, mu);
            solve(&sample, 1e-10);
            assert_near(sample.r[0], cases[k].r_n, 1e-9);
            assert_near(sample.r[1], cases[k].r_t, 1e-9);
            assert_near(sample.u[1], cases[k].u_t, 1e-9);
            sample_free(&sample);
        }
}

/* The measure itself, by hand: r = (1, 0, 0) on an open contact that parts at (2, 3, 4), mu = 0.5. The shifted point
 * is (1 - 2 - 2.5, -3, -4): 0.5*5 <= 3.5, so its projection is 0 and the natural map is r. */
static void measures(void **state) {
    (void)state;
    struct sample sample;
    const double w[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, q[3] = {1.0, 3.0, 4.0};
    const double mu[1] = {0.5};
    sample_make(&sample, 3, 1, w, q, mu);
    sample.r[0] = 1.0;
    struct delassus_measure measure = delassus_measure(&sample.problem, sample.r, sample.u);
    assert_near(measure.natural, 1.0, 1e-15);
    assert_near(measure.q, 1.0 / sqrt(26.0), 1e-15);
    assert_near(measure.siconos, 1.0 / sqrt(29.0), 1e-15); /* u = (2, 3, 4) is the largest */
    vec3 onto = coulomb_project(vec3_make(0.0, 3.0, 4.0), 0.5);
    assert_near(onto.x, 2.0, 1e-15); /* mu 5/(1 + mu^2) */
    assert_near(onto.y, 0.6, 1e-15);
    assert_near(onto.z, 0.8, 1e-15);
    onto = coulomb_project(vec3_make(-1.0, 0.0, 0.0),
                           0.0); /* below the tip of a cone that is a line */
    assert_true(onto.x == 0.0 && onto.y == 0.0 && onto.z == 0.0);
    onto = coulomb_project(vec3_make(1.0, 2.0, 0.0), 0.0);
    assert_true(onto.x == 1.0 && onto.y == 0.0 && onto.z == 0.0);
    sample_free(&sample);
}

/* A column of n discs of mass 1 on a floor, at rest, momentum g dt: contact k bears the n - k discs above it. */
static void column(void **state) {
    (void)state;
    enum { N = 12, SIZE = 2 * N };
    double w[SIZE * SIZE] = {0.0}, q[SIZE] = {0.0}, mu[N];
    for (int k = 0; k < N; k++) {
        w[2 * k * SIZE + 2 * k] = k == 0 ? 1.0 : 2.0;
        w[(2 * k + 1) * SIZE + 2 * k + 1] = 3.0;
        if (k > 0) w[2 * k * SIZE + 2 * (k - 1)] = w[2 * (k - 1) * SIZE + 2 * k] = -1.0;
        mu[k] = 0.2;
    }
    q[0] = -0.01;
    struct sample sample;
    sample_make(&sample, 2, N, w, q, mu);
    solve(&sample, 1e-9);
    for (int k = 0; k < N; k++) {
        assert_near(sample.r[2 * k], 0.01 * (N - k), 1e-7);
        assert_near(sample.u[2 * k], 0.0, 1e-9);
    }
    sample_free(&sample);
}

/* A block on four corners: W has rank 6 of 12. Pushed down and aside, more than friction holds: it slides, u_t is that
 * of the whole block, (q_t - mu q_n) alike in all corners, for friction at the height of the centre. */
static void block_on_corners(void **state) {
    (void)state;
    enum { SIZE = 12 };
    const double corner[4][2] = {{1.0, 1.0}, {1.0, -1.0}, {-1.0, 1.0}, {-1.0, -1.0}};
    double h[SIZE][6], w[SIZE * SIZE], q[SIZE];
    const double mu[4] = {0.2, 0.2, 0.2, 0.2}, inertia = 2.0;
    for (int k = 0; k < 4; k++) { /* n = z, then x, y; arms in the plane of the centre */
        const double x = corner[k][0], y = corner[k][1];
        const double rows[3][6] = {{0.0, 0.0, 1.0, y, -x, 0.0},
                                   {1.0, 0.0, 0.0, 0.0, 0.0, -y},
                                   {0.0, 1.0, 0.0, 0.0, 0.0, x}};
        memcpy(h[3 * k], rows, sizeof rows);
        q[3 * k] = -1.0;
        q[3 * k + 1] = 0.5;
        q[3 * k + 2] = 0.0;
    }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            w[i * SIZE + j] = 0.0;
            for (int c = 0; c < 6; c++)
                w[i * SIZE + j] += h[i][c] * h[j][c] / (c < 3 ? 1.0 : inertia);
        }
    struct sample sample;
    sample_make(&sample, 3, 4, w, q, mu);
    solve(&sample, 1e-10);
    double load = 0.0;
    for (int k = 0; k < 4; k++) {
        load += sample.r[3 * k];
        assert_near(sample.u[3 * k], 0.0, 1e-8);
        assert_near(sample.u[3 * k + 1], 0.3, 1e-8);
        assert_near(sample.u[3 * k + 2], 0.0, 1e-8);
    }
    assert_near(load, 1.0, 1e-8);
    sample_free(&sample);
}

/* Nothing to solve, nothing that can move, nothing that pushes. */
static void corners(void **state) {
    (void)state;
    struct sample sample;
    const double zero[81] = {0.0}, mu[3] = {0.5, 0.0, 1000.0};
    sample_make(&sample, 3, 0, zero, zero, mu);
    solve(&sample, 1e-8);
    sample_free(&sample);
    double w[81] = {0.0};
    for (int k = 0; k < 9; k++) w[10 * k] = 1.0;
    sample_make(&sample, 3, 3, w, zero, mu);
    solve(&sample, 1e-8);
    for (int k = 0; k < 9; k++) assert_true(sample.r[k] == 0.0);
    sample_free(&sample);
    /* W = 0 and q into the wall: there is no solution, and that is said within the time. */
    const double q[3] = {-1.0, 0.0, 0.0};
    talus_solve_config config = talus_solve_config_default();
    talus_solve_report report;
    sample_make(&sample, 3, 1, zero, q, mu);
    config.max_seconds = 0.2;
    assert_int_equal(
        delassus_solve(&sample.problem, &sample.memory, &config, sample.r, sample.u, &report, NULL),
        TALUS_WARN_NOT_CONVERGED);
    assert_near(report.residual_q, 1.0, 1e-12);
    /* Impulses so large that the velocity is lost in rounding are no solution. */
    sample.r[0] = 1e17;
    assert_true(delassus_measure(&sample.problem, sample.r, sample.u).q > 1.0);
    sample_free(&sample);
}

/* ---- any problem ----------------------------------------------------------------------------- */

/* W = G G^T with `rank` columns, q = G v: a solution exists, as in every problem that bodies make. */
static void random_problem(struct sample *sample, struct random *random, int dim, size_t count,
                           size_t rank) {
    static double g[96 * 96], w[96 * 96];
    double q[96] = {0.0}, mu[32];
    size_t size = (size_t)dim * count;
    for (size_t k = 0; k < size * rank; k++) g[k] = random_normal(random);
    for (size_t c = 0; c < rank; c++) {
        double v = random_normal(random);
        for (size_t i = 0; i < size; i++) q[i] += g[i * rank + c] * v;
    }
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) {
            w[i * size + j] = 0.0;
            for (size_t c = 0; c < rank; c++)
                w[i * size + j] += g[i * rank + c] * g[j * rank + c] / (double)rank;
        }
    for (size_t k = 0; k < count; k++) mu[k] = k % 5 == 4 ? 0.0 : 0.8 * random_uniform(random);
    sample_make(sample, dim, count, w, q, mu);
}

static void random_problems(void **state) {
    (void)state;
    struct random random = random_start(11, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 40; trial++) {
        struct sample sample;
        int dim = 2 + trial % 2;
        size_t count = 1 + random_below(&random, 12);
        size_t size = (size_t)dim * count, rank = size + 1 + random_below(&random, 20);
        random_problem(&sample, &random, dim, count, rank);
        solve(&sample, 1e-7);
        sample_free(&sample);
    }
}

/* Rank-deficient: plain Gauss-Seidel need not get there; auto does. */
static void deficient_problems(void **state) {
    (void)state;
    struct random random = random_start(12, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 40; trial++) {
        struct sample sample;
        talus_solve_config config = talus_solve_config_default();
        talus_solve_report report;
        int dim = 2 + trial % 2;
        size_t count = 4 + random_below(&random, 12);
        random_problem(&sample, &random, dim, count, 3 + random_below(&random, 6));
        assert_ok(delassus_solve(&sample.problem, &sample.memory, &config, sample.r, sample.u,
                                 &report, NULL));
        if (!report.converged) fail_msg("trial %d: residual %g", trial, report.residual_q);
        sample_free(&sample);
    }
}

/* ---- what the natural map does not see ------------------------------------------------------- */

/* Impulses of s q are s times those of q, to the last bit where s is a power of two; 1e160 and 1e-165 squared leave the
 * range of numbers, and r = 0 used to pass for a solution there. */
static void sizes_of_q(void **state) {
    (void)state;
    const double w[36] = {2, 0, 0, 1, 0, 0, 0, 3, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0,
                          1, 0, 0, 2, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 3};
    const double q[6] = {-1.0, 0.3, 0.1, -0.9, 2.0, -0.4}, mu[2] = {0.5, 0.3};
    const int exponents[] = {0, 530, -550, 1000, -1000, -1021};
    double first[6] = {0.0};
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
        struct sample sample;
        double scaled[6];
        for (int c = 0; c < 6; c++) scaled[c] = ldexp(q[c], exponents[k]);
        sample_make(&sample, 3, 2, w, scaled, mu);
        solve(&sample, 1e-8);
        assert_true(sample.r[0] > 0.0 && sample.r[3] > 0.0);
        if (k == 0) memcpy(first, sample.r, sizeof first);
        for (int c = 0; c < 6; c++) {
            double expected = ldexp(first[c], exponents[k]);
            assert_true(fabs(sample.r[c] - expected) <= 5e-324 + 1e-15 * fabs(expected));
        }
        sample_free(&sample);
    }
}

/* What has no number is said, and is no solution. */
static void beyond_numbers(void **state) {
    (void)state;
    const struct {
        double w, q;
        const char *says;
    } cases[] = {{1e-9, -1e303, "too large"},
                 {1e18, -1e-305, "too small"},
                 {1e-70, -1.0, "units of mass"},
                 {1e70, -1.0, "units of mass"},
                 {1e200, -1.0, "units of mass"}}; /* its square is no number */
    const double mu[1] = {0.5};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct sample sample;
        talus_solve_config config = talus_solve_config_default();
        talus_solve_report report;
        talus_error err;
        const double w[4] = {cases[k].w, 0.0, 0.0, cases[k].w};
        const double q[2] = {cases[k].q, 0.3 * cases[k].q};
        sample_make(&sample, 2, 1, w, q, mu);
        assert_int_equal(delassus_solve(&sample.problem, &sample.memory, &config, sample.r,
                                        sample.u, &report, &err),
                         TALUS_ERR_INPUT);
        if (strstr(err.text, cases[k].says) == NULL) fail_msg("%s", err.text);
        assert_false(report.converged);
        sample_free(&sample);
    }
}

/* A column with impulses far above ||q||: the error that Siconos looks at is small long before ours, and is what ends it. */
static void ends_by_the_error_of_siconos(void **state) {
    (void)state;
    enum { N = 12 };
    static double w[4 * N * N], q[2 * N], mu[N];
    for (size_t i = 0; i < N; i++) {
        mu[i] = 0.5;
        q[2 * i] = i == 0 ? -1.0 : 0.0;
        for (size_t k = 0; k < N; k++) {
            double near = i == k ? (i == 0 ? 1.0 : 2.0) : i + 1 == k || k + 1 == i ? -1.0 : 0.0;
            for (size_t a = 0; a < 2; a++) w[2 * N * (2 * i + a) + 2 * k + a] = near;
        }
    }
    struct sample sample;
    sample_make(&sample, 2, N, w, q, mu);
    talus_solve_config config = talus_solve_config_default();
    talus_solve_report strict, report;
    config.solver = "nsgs";
    config.tolerance = 1e-3;
    assert_ok(delassus_solve(&sample.problem, &sample.memory, &config, sample.r, sample.u, &strict,
                             NULL));
    config.siconos = true;
    assert_ok(delassus_solve(&sample.problem, &sample.memory, &config, sample.r, sample.u, &report,
                             NULL));
    assert_true(report.converged && report.residual_siconos <= 1e-3 && report.residual_q > 1e-3);
    assert_true(report.iterations < strict.iterations && strict.residual_q <= 1e-3);
    sample_free(&sample);
}

/* With mu = 1e9 no impulse at all scores q_n/mu in the natural map, below every tolerance, while the bodies pass
 * through each other: u_n = -1 is said by the measure of volume exclusion alone. The solution sticks. */
static void steep_cone(void **state) {
    (void)state;
    const double w[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, q[3] = {-1.0, 0.0, 0.0};
    const double mu[1] = {1e9};
    struct sample sample;
    sample_make(&sample, 3, 1, w, q, mu);
    struct delassus_measure measure = delassus_measure(&sample.problem, sample.r, sample.u);
    assert_near(measure.normal, 1.0, 1e-15);
    assert_near(measure.friction, 0.0, 1e-15);
    assert_true(measure.worst >= 0.099);
    sample_free(&sample);
    const double slides[3] = {-1.0, 1.0, 0.0}; /* now r = 0 has a tiny natural map */
    sample_make(&sample, 3, 1, w, slides, mu);
    measure = delassus_measure(&sample.problem, sample.r, sample.u);
    assert_true(measure.q < 1e-8 && measure.worst > 0.05);
    sample.r[0] = 1.0; /* what stops it, but for a slip of 1e-6: better than nothing */
    sample.r[1] = -1.0 + 1e-6;
    struct delassus_measure near = delassus_measure(&sample.problem, sample.r, sample.u);
    assert_true(near.q > measure.q && delassus_is_better(&near, &measure, 1e-8));
    talus_solve_config config = talus_solve_config_default();
    talus_solve_report report;
    assert_ok(delassus_solve(&sample.problem, &sample.memory, &config, sample.r, sample.u, &report,
                             NULL));
    assert_near(sample.r[0], 1.0, 1e-8);
    assert_near(sample.r[1], -1.0, 1e-8);
    sample_free(&sample);
}

/* The laws apart by hand: mu = 0.5, own block (2, 1, 1) and so rho = 1/4. r = (1, 0.6, 0.8), u = (2 + q_n, ..). */
static void laws_apart(void **state) {
    (void)state;
    const double w[9] = {2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, q[3] = {-1.0, 0.0, 0.0};
    const double mu[1] = {0.5};
    struct sample sample;
    sample_make(&sample, 3, 1, w, q, mu);
    sample.r[0] = 1.0;
    sample.r[1] = 0.6;
    sample.r[2] = 0.8;
    /* u = (1, 0.6, 0.8): the normal would be 1 - 1/4, the friction (0.6, 0.8) 3/4 is cut to 1/2 of its length 1 */
    struct delassus_measure measure = delassus_measure(&sample.problem, sample.r, sample.u);
    assert_near(measure.normal, 1.0, 1e-15);
    assert_near(measure.friction, 2.0, 1e-15);
    sample_free(&sample);
}

/* Random problems that the climb has to solve: nothing else came below 1e-3 on any of them. */
static void steep_problems(void **state) {
    (void)state;
    struct random random = random_start(14, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 10; trial++) {
        struct sample sample;
        talus_solve_config config = talus_solve_config_default();
        talus_solve_report report;
        random_problem(&sample, &random, 3, 12, 40);
        for (size_t k = 0; k < sample.problem.count; k++) sample.problem.mu[k] = 100.0;
        sample.problem.mu_largest = 100.0;
        assert_ok(delassus_solve(&sample.problem, &sample.memory, &config, sample.r, sample.u,
                                 &report, NULL));
        if (!report.converged || report.residual_normal > 1e-7)
            fail_msg("trial %d: residual %g", trial, report.residual_q);
        sample_free(&sample);
    }
}

/* A contact that nothing can move and that approaches is named; the other is solved all the same. */
static void immovable(void **state) {
    (void)state;
    double w[36] = {0.0};
    const double q[6] = {-1.0, 0.2, 0.0, -0.25, 0.0, 0.0}, mu[2] = {0.5, 0.5};
    for (int k = 3; k < 6; k++) w[7 * k] = 1.0;
    for (size_t k = 0; k <= delassus_solver_count(); k++) {
        struct sample sample;
        talus_solve_config config = talus_solve_config_default();
        talus_solve_report report;
        config.solver = sample_solver(k);
        sample_make(&sample, 3, 2, w, q, mu);
        assert_int_equal(delassus_solve(&sample.problem, &sample.memory, &config, sample.r,
                                        sample.u, &report, NULL),
                         TALUS_WARN_NOT_CONVERGED);
        assert_int_equal(report.immovable, 1);
        assert_int_equal(report.immovable_first, 0);
        assert_near(report.immovable_approach, 1.0, 1e-15);
        assert_true(report.seconds < 4.0);
        assert_near(sample.r[0], 0.0, 1e-12);
        assert_near(sample.r[3], 0.25, 1e-7);
        sample_free(&sample);
    }
}

/* A body between two walls that close on it, faster than it can yield to either: u_1 + u_2 = -2 whatever r is. Impulses
 * grow for as long as they may, and that is said; large impulses do not win. */
static void squeezed(void **state) {
    (void)state;
    const double w[16] = {1, 0, -1, 0, 0, 3, 0, -3, -1, 0, 1, 0, 0, -3, 0, 3};
    const double q[4] = {-1.0, 0.1, -1.0, -0.1}, mu[2] = {0.5, 0.5};
    for (size_t k = 0; k <= delassus_solver_count(); k++) {
        struct sample sample;
        talus_solve_config config = talus_solve_config_default();
        talus_solve_report report;
        config.solver = sample_solver(k);
        config.max_seconds = 0.5;
        sample_make(&sample, 2, 2, w, q, mu);
        assert_int_equal(delassus_solve(&sample.problem, &sample.memory, &config, sample.r,
                                        sample.u, &report, NULL),
                         TALUS_WARN_NOT_CONVERGED);
        assert_int_equal(report.immovable, 0);
        if (!(report.impulse_growth > 1e3))
            fail_msg("%s: grew by %g", config.solver, report.impulse_growth);
        for (int c = 0; c < 4; c++) assert_true(fabs(sample.r[c]) < 100.0);
        sample_free(&sample);
    }
}

/* Masses of 1e9: impulses of 1e9 leave 1e-7 in r - u, whatever they are. That is said, and the solver stops there. */
static void below_rounding(void **state) {
    (void)state;
    const double w[9] = {1e-9, 0.0, 0.0, 0.0, 3e-9, 0.0, 0.0, 0.0, 3e-9}, q[3] = {-1.0, 0.1, 0.3};
    const double mu[1] = {0.5};
    for (size_t k = 0; k <= delassus_solver_count(); k++) {
        struct sample sample;
        talus_solve_config config = talus_solve_config_default();
        talus_solve_report report;
        config.solver = sample_solver(k);
        sample_make(&sample, 3, 1, w, q, mu);
        assert_int_equal(delassus_solve(&sample.problem, &sample.memory, &config, sample.r,
                                        sample.u, &report, NULL),
                         TALUS_WARN_NOT_CONVERGED);
        assert_true(report.rounding > 1e-7 && report.rounding < 1e-6);
        if (report.residual_normal > 1e-7 || report.residual_friction > 1e-7)
            fail_msg("%s: %g, %g", config.solver, report.residual_normal, report.residual_friction);
        assert_true(report.seconds < 4.0);
        assert_near(sample.r[0], 1e9, 100.0);
        sample_free(&sample);
    }
}

/* A factorisation that takes longer than is allowed is given up in time: 1000 contacts that all know each other. */
static void time_is_kept(void **state) {
    (void)state;
    enum { COUNT = 1000, SIZE = 2 * COUNT };
    struct memory memory = {0};
    struct delassus problem;
    struct triplets triplets;
    struct sparse rows;
    static double q[SIZE], mu[COUNT], r[SIZE], u[SIZE];
    assert_true(triplets_make(&triplets, &memory, SIZE, SIZE, (size_t)SIZE * SIZE));
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = 0; j < SIZE; j++)
            triplets_add(&triplets, i, j, (i == j ? 1.0 : 0.0) + 1.0 / (double)(i + j + 1));
    for (size_t i = 0; i < SIZE; i++) q[i] = i % 2 == 0 ? -1.0 : 0.2;
    for (size_t i = 0; i < COUNT; i++) mu[i] = 0.5;
    assert_true(sparse_take(&rows, &memory, &triplets));
    assert_true(
        delassus_make(&problem, &memory, 2, COUNT, &rows, q, (struct delassus_friction){.mu = mu}));
    sparse_free(&rows, &memory);
    for (size_t k = 0; k <= delassus_solver_count(); k++) {
        talus_solve_config config = talus_solve_config_default();
        talus_solve_report report;
        config.solver = sample_solver(k);
        config.tolerance = 1e-30;
        config.max_seconds = 0.05;
        assert_int_equal(delassus_solve(&problem, &memory, &config, r, u, &report, NULL),
                         TALUS_WARN_NOT_CONVERGED);
        if (report.seconds > 1.0) fail_msg("%s: %g s", config.solver, report.seconds);
    }
    delassus_free(&problem);
    assert_int_equal(memory.bytes, 0);
}

/* Every allocation refused in turn: a clean end. */
static void memory_refused(void **state) {
    (void)state;
    struct random random = random_start(13, RANDOM_TEST, 0, 0);
    struct sample sample;
    random_problem(&sample, &random, 3, 5, 20);
    for (size_t k = 0; k <= delassus_solver_count(); k++) {
        talus_solve_config config = talus_solve_config_default();
        talus_solve_report report;
        talus_status status = TALUS_ERR_MEMORY;
        size_t before = sample.memory.bytes;
        config.solver = sample_solver(k);
        for (int64_t n = 1; status == TALUS_ERR_MEMORY; n++) {
            sample.memory.refuse_at = sample.memory.calls + n;
            status = delassus_solve(&sample.problem, &sample.memory, &config, sample.r, sample.u,
                                    &report, NULL);
            assert_int_equal(sample.memory.bytes, before);
        }
        sample.memory.refuse_at = 0;
        assert_int_equal(status, TALUS_OK);
    }
    sample_free(&sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact),      cmocka_unit_test(measures),
        cmocka_unit_test(column),           cmocka_unit_test(ends_by_the_error_of_siconos),
        cmocka_unit_test(block_on_corners), cmocka_unit_test(corners),
        cmocka_unit_test(random_problems),  cmocka_unit_test(deficient_problems),
        cmocka_unit_test(sizes_of_q),       cmocka_unit_test(beyond_numbers),
        cmocka_unit_test(steep_cone),       cmocka_unit_test(laws_apart),
        cmocka_unit_test(steep_problems),   cmocka_unit_test(immovable),
        cmocka_unit_test(squeezed),         cmocka_unit_test(below_rounding),
        cmocka_unit_test(time_is_kept),     cmocka_unit_test(memory_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
