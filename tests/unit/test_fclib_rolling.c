/* SPDX-License-Identifier: Apache-2.0
 * Contact problems with rolling friction: every solver on problems with known solutions, files, faults, and the
 * problems of steps. */
#define _POSIX_C_SOURCE 200809L
#include "delassus_support.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/random.h"
#include "io/fclib.h"
#include "talus/talus.h"

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libhdf5"; /* as in test_fclib.c */
}

enum { CONTACTS = 50, SIZE = 5 * CONTACTS };

/* With every solver, the last is auto; u of all of them must agree. */
static void solve(struct sample *sample, double tolerance, double agreement) {
    double first[SAMPLE_SIZE];
    for (size_t k = 0; k <= delassus_solver_count(); k++) {
        sample_solve_by(sample, k, tolerance);
        if (k == 0) memcpy(first, sample->u, sizeof first);
        for (size_t m = 0; m < delassus_size(&sample->problem); m++)
            assert_near(sample->u[m], first[m], agreement);
    }
}

/* ---- known solutions --------------------------------------------------------------------------- */

/* W = diag(2, 1 .., 4 ..), p_n = 1 where it closes: all by hand. */
static void one_contact(void **state) {
    (void)state;
    const struct {
        double q_n, q_t, q_r, r_n, r_t, r_r, u_t, u_r;
    } cases[] = {
        {-2.0, 0.3, 0.5, 1.0, -0.3, -0.125, 0.0, 0.0}, /* rests */
        {-2.0, 0.9, 0.5, 1.0, -0.5, -0.125, 0.4, 0.0}, /* slides */
        {-2.0, 0.3, 2.0, 1.0, -0.3, -0.25, 0.0, 1.0},  /* rolls */
        {-2.0, 0.9, 2.0, 1.0, -0.5, -0.25, 0.4, 1.0},  /* both */
        {0.1, 0.9, 2.0, 0.0, 0.0, 0.0, 0.9, 2.0},      /* open */
    };
    const double mu = 0.5, mu_r = 0.25;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int dim = 3; dim <= 5; dim += 2) {
            struct sample sample;
            double w[25] = {0.0}, q[5] = {0.0};
            for (int a = 0; a < dim; a++) w[a * (dim + 1)] = a == 0 ? 2.0 : 2 * a < dim ? 1.0 : 4.0;
            q[0] = cases[k].q_n;
            q[1] = cases[k].q_t;
            q[dim - 1] = cases[k].q_r;
            sample_make_rolling(&sample, dim, 1, w, q, (struct delassus_friction){&mu, &mu_r});
            solve(&sample, 1e-10, 1e-9);
            assert_near(sample.r[0], cases[k].r_n, 1e-9);
            assert_near(sample.r[1], cases[k].r_t, 1e-9);
            assert_near(sample.r[dim - 1], cases[k].r_r, 1e-9);
            assert_near(sample.u[1], cases[k].u_t, 1e-9);
            assert_near(sample.u[dim - 1], cases[k].u_r, 1e-9);
            sample_free(&sample);
        }
}

/* The measure by hand, W = 1, mu = 0.5, mu_r = 0.25. */
static void measure_by_hand(void **state) {
    (void)state;
    struct sample sample;
    const double w[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, q[3] = {-1.0, 3.0, -4.0};
    const double mu = 0.5, mu_r = 0.25;
    sample_make_rolling(&sample, 3, 1, w, q, (struct delassus_friction){&mu, &mu_r});
    /* r = (3, 0, 0), u = (2, 3, -4): the point (3 - 2 - 1.5 - 1, -3, 4) = (-1.5, -3, 4) has 0.5*3 + 0.25*4 > 1.5 and goes
     * to x_n = (-1.5 + 2.5)/1.3125 = 16/21, at both limits: r - x = (47, 8, -4)/21. */
    sample.r[0] = 3.0;
    struct delassus_measure measure = delassus_measure(&sample.problem, sample.r, sample.u);
    assert_near(measure.natural, sqrt(47.0 * 47.0 + 8.0 * 8.0 + 4.0 * 4.0) / 21.0, 1e-14);
    assert_near(measure.q, measure.natural / sqrt(26.0), 1e-15);
    assert_near(measure.siconos, measure.natural / sqrt(29.0), 1e-15); /* u is the largest */
    /* r = (2, -1, 0.5) at both limits, u = (1, 2, -3.5): (2 - 1 - 1 - 0.875, -3, 4) goes to x_n = 1.625/1.3125 = 26/21,
     * at both limits, as r: (2 - 26/21) |(1, -0.5, 0.25)|. */
    sample.r[0] = 2.0, sample.r[1] = -1.0, sample.r[2] = 0.5;
    measure = delassus_measure(&sample.problem, sample.r, sample.u);
    assert_near(measure.natural, 16.0 / 21.0 * sqrt(1.3125), 1e-14);
    sample_free(&sample);
}

/* W = G G^T/rank, q = G v - n: torques in another unit. */
static void random_problem(struct sample *sample, struct random *random, int dim, size_t count,
                           double unit) {
    static double g[SIZE * (SIZE + 20)], w[SIZE * SIZE];
    double q[SIZE] = {0.0}, mu[CONTACTS], mu_r[CONTACTS];
    size_t size = (size_t)dim * count, rank = size + 20;
    for (size_t i = 0; i < size; i++)
        for (size_t c = 0; c < rank; c++)
            g[i * rank + c] =
                random_normal(random) * (2 * (i % (size_t)dim) >= (size_t)dim ? unit : 1.0);
    for (size_t c = 0; c < rank; c++) {
        double v = random_normal(random) / sqrt((double)rank);
        for (size_t i = 0; i < size; i++) q[i] += g[i * rank + c] * v;
    }
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++) {
            w[i * size + j] = 0.0;
            for (size_t c = 0; c < rank; c++)
                w[i * size + j] += g[i * rank + c] * g[j * rank + c] / (double)rank;
        }
    for (size_t k = 0; k < count; k++) {
        mu[k] = k % 5 == 4 ? 0.0 : 0.6 * random_uniform(random);
        mu_r[k] = k % 7 == 6 ? 0.0 : 0.4 * random_uniform(random) / unit;
        q[(size_t)dim * k] -= 1.0; /* most of them close */
    }
    sample_make_rolling(sample, dim, count, w, q, (struct delassus_friction){mu, mu_r});
}

/* Weakly coupled enough to have one solution: all solvers find the same velocities. */
static void random_problems(void **state) {
    (void)state;
    struct random random = random_start(31, RANDOM_TEST, 0, 0);
    const size_t counts[] = {1, 5, 8, 13, 20, 30, 50};
    for (int trial = 0; trial < 14; trial++) {
        struct sample sample;
        random_problem(&sample, &random, trial % 2 == 0 ? 3 : 5, counts[trial / 2],
                       trial % 3 == 2 ? 10.0 : 1.0);
        solve(&sample, 1e-8, 1e-5 * sample.problem.q_norm);
        sample_free(&sample);
    }
}

/* mu_r = 0 is plain friction, whatever rotates; and so is rolling friction where nothing rotates. */
static void plain_friction_again(void **state) {
    (void)state;
    struct random random = random_start(32, RANDOM_TEST, 0, 0);
    const size_t count = 6, plain_size = 3 * count, size = 5 * count;
    for (int way = 0; way < 2; way++) {
        struct sample rolling, plain;
        double w5[900] = {0.0}, q5[30] = {0.0}, w3[324], q3[18], mu[6], mu_r[6];
        double g[18][30];
        for (size_t i = 0; i < plain_size; i++) {
            for (size_t c = 0; c < 30; c++) g[i][c] = random_normal(&random);
            q3[i] = random_normal(&random) - (i % 3 == 0 ? 1.0 : 0.0);
            q5[i / 3 * 5 + i % 3] = q3[i];
        }
        for (size_t i = 0; i < plain_size; i++)
            for (size_t j = 0; j < plain_size; j++) {
                double sum = 0.0;
                for (size_t c = 0; c < 30; c++) sum += g[i][c] * g[j][c] / 30.0;
                w3[i * plain_size + j] = sum;
                w5[(i / 3 * 5 + i % 3) * size + j / 3 * 5 + j % 3] = sum;
            }
        for (size_t k = 0; k < count; k++) {
            mu[k] = 0.3 + 0.05 * (double)k;
            mu_r[k] = way == 0 ? 0.0 : 0.2;
            for (size_t a = 3; a < 5; a++) {
                w5[(5 * k + a) * size + 5 * k + a] = 2.0;
                q5[5 * k + a] = way == 0 ? 0.7 : 0.0;
            }
        }
        sample_make_rolling(&plain, 3, count, w3, q3, (struct delassus_friction){.mu = mu});
        sample_make_rolling(&rolling, 5, count, w5, q5, (struct delassus_friction){mu, mu_r});
        solve(&plain, 1e-11, 1e-8);
        solve(&rolling, 1e-11, 1e-8);
        for (size_t k = 0; k < count; k++) {
            for (size_t a = 0; a < 3; a++) {
                assert_near(rolling.u[5 * k + a], plain.u[3 * k + a], 1e-8);
                assert_near(rolling.r[5 * k + a], plain.r[3 * k + a], 1e-8);
            }
            for (size_t a = 3; a < 5; a++) {
                assert_near(rolling.u[5 * k + a], way == 0 ? 0.7 : 0.0, 1e-12);
                assert_near(rolling.r[5 * k + a], 0.0, 1e-12);
            }
        }
        sample_free(&plain);
        sample_free(&rolling);
    }
}

/* Every allocation refused in turn: a clean end. */
static void memory_refused(void **state) {
    (void)state;
    struct random random = random_start(33, RANDOM_TEST, 0, 0);
    struct sample sample;
    random_problem(&sample, &random, 5, 4, 1.0);
    talus_solve_config config = talus_solve_config_default();
    talus_solve_report report;
    talus_status status = TALUS_ERR_MEMORY;
    size_t before = sample.memory.bytes;
    for (int64_t n = 1; status == TALUS_ERR_MEMORY; n++) {
        sample.memory.refuse_at = sample.memory.calls + n;
        status = delassus_solve(&sample.problem, &sample.memory, &config, sample.r, sample.u,
                                &report, NULL);
        assert_int_equal(sample.memory.bytes, before);
    }
    assert_int_equal(status, TALUS_OK);
    sample.memory.refuse_at = 0;
    sample_free(&sample);
}

/* ---- files ------------------------------------------------------------------------------------- */

/* A disc of mass 2, inertia 0.5 and radius 0.5 on a floor that it meets with (vx, vy, omega) = (1, -0.5, 0): n = y,
 * t = x, and the rotation. */
static const double disc_m[3] = {2.0, 2.0, 0.5};
static const double disc_h[3][3] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.5, 1.0}};
static const double disc_f[3] = {2.0, -1.0, 0.0};
enum { ALL, NO_MU_R, SHORT_MU_R, NEGATIVE_MU_R, NAN_MU_R, SPACE_OF_2, SPACE_OF_5 };

static void put_triplets(struct hdf5_file *file, const char *name, const double *dense,
                         bool diagonal) {
    int32_t row[9], column[9], size = 3, count = 0;
    double value[9];
    char path[128];
    for (int32_t k = 0; k < 9; k++) {
        double x = diagonal ? (k / 3 == k % 3 ? dense[k / 3] : 0.0) : dense[k];
        if (x == 0.0) continue;
        row[count] = k / 3;
        column[count] = k % 3;
        value[count++] = x;
    }
    const char *const names[] = {"m", "n", "nz", "nzmax"};
    for (int k = 0; k < 4; k++) {
        snprintf(path, sizeof path, "%s/%s", name, names[k]);
        assert_ok(hdf5_write_integers(file, path, k < 2 ? &size : &count, 1, NULL));
    }
    snprintf(path, sizeof path, "%s/i", name);
    assert_ok(hdf5_write_integers(file, path, row, (size_t)count, NULL));
    snprintf(path, sizeof path, "%s/p", name);
    assert_ok(hdf5_write_integers(file, path, column, (size_t)count, NULL));
    snprintf(path, sizeof path, "%s/x", name);
    assert_ok(hdf5_write_doubles(file, path, value, (size_t)count, NULL));
}

static void put_vector(struct hdf5_file *file, const char *group, const char *name,
                       const double *values, size_t count) {
    char path[128];
    snprintf(path, sizeof path, "%s/vectors/%s", group, name);
    assert_ok(hdf5_write_doubles(file, path, values, count, NULL));
}

static void write_disc(const char *path, const char *group, double mu_r, int fault) {
    struct hdf5_file file;
    char name[128];
    const int32_t dim = fault == SPACE_OF_2 ? 2 : fault == SPACE_OF_5 ? 5 : 3;
    const double mu = 0.4, none[3] = {0.0, 0.0, 0.0};
    double rolling[2] = {mu_r, mu_r};
    if (fault == NEGATIVE_MU_R) rolling[0] = -0.1;
    if (fault == NAN_MU_R) rolling[0] = (double)NAN;
    assert_ok(hdf5_create(&file, path, NULL));
    snprintf(name, sizeof name, "%s/M", group);
    put_triplets(&file, name, disc_m, true);
    snprintf(name, sizeof name, "%s/H", group);
    put_triplets(&file, name, &disc_h[0][0], false);
    snprintf(name, sizeof name, "%s/spacedim", group);
    assert_ok(hdf5_write_integers(&file, name, &dim, 1, NULL));
    put_vector(&file, group, "f", disc_f, 3);
    put_vector(&file, group, "w", none, 3);
    put_vector(&file, group, "mu", &mu, 1);
    if (fault != NO_MU_R) put_vector(&file, group, "mu_r", rolling, fault == SHORT_MU_R ? 2 : 1);
    assert_ok(hdf5_finish(&file, NULL));
}

/* Impulses by hand. P_n = m 0.5 = 1. Slip without friction 1; W_tt = 1/m + R^2/I = 1, W_tr = R/I = 1, W_rr = 1/I = 2.
 * mu = 0.4: friction cannot stop it (with mu_r = 0 it would need 1). P_t = -0.4, then u_t = 0.6 + T, omega = -0.4 R/I +
 * 2 T = -0.4 + 2 T, stopped by T = 0.2 if mu_r allows that: u_t = 0.8 > 0. With mu_r = 0.1: T = 0.1, omega = -0.2,
 * u_t = 0.7. */
static void disc_on_a_floor(void **state) {
    (void)state;
    char path[512], out[512];
    sample_path(path, "disc.hdf5");
    sample_path(out, "solution.hdf5");
    const char *const groups[] = {"fclib_global_rolling", "fclib_rolling_global"};
    for (int k = 0; k < 4; k++) {
        talus_problem *problem = NULL;
        talus_solve_report report;
        double mu_r = k < 2 ? 0.3 : 0.1, torque = k < 2 ? 0.2 : 0.1;
        write_disc(path, groups[k % 2], mu_r, ALL);
        assert_ok(talus_problem_read(path, &problem, NULL));
        talus_problem_info info = talus_problem_look(problem);
        assert_true(info.rolling && info.dim == 2 && info.rows == 3 && info.global);
        assert_true(info.mu_r_min == mu_r && info.mu_r_max == mu_r && info.mu_max == 0.4);
        assert_ok(talus_problem_solve(problem, NULL, &report, NULL));
        assert_true(report.converged && report.motion_error < 1e-14);
        const double *r = talus_problem_impulses(problem), *u = talus_problem_velocities(problem);
        const double *v = talus_problem_body_velocities(problem);
        assert_near(r[0], 1.0, 1e-7);
        assert_near(r[1], -0.4, 1e-7);
        assert_near(r[2], torque, 1e-7);
        assert_near(u[1], 0.6 + torque, 1e-7);
        assert_near(u[2], -0.4 + 2.0 * torque, 1e-7);
        assert_near(v[0], 0.8, 1e-7);
        assert_near(v[2], -0.4 + 2.0 * torque, 1e-7);
        assert_ok(talus_problem_write_solution(problem, out, NULL));
        struct hdf5_file file;
        struct memory memory = {0};
        double *back = NULL;
        size_t count = 0;
        assert_ok(hdf5_open(&file, out, NULL));
        assert_ok(hdf5_read_doubles(&file, "solution/r", &memory, &back, &count, NULL));
        assert_int_equal(count, 3);
        assert_memory_equal(back, r, 3 * sizeof *back);
        memory_free(&memory, back, count, sizeof *back);
        hdf5_close(&file);
        talus_problem_free(problem);
    }
    unlink(path);
    unlink(out);
}

static void expect_refused(const char *path, const char *word) {
    talus_problem *problem = NULL;
    talus_error err = {.text = ""};
    talus_status status = talus_problem_read(path, &problem, &err);
    assert_null(problem);
    if (status != TALUS_ERR_INPUT || strstr(err.text, word) == NULL)
        fail_msg("expected \"%s\", got %d: %s", word, (int)status, err.text);
    assert_null(strchr(err.text, '\n'));
}

static void faults_are_refused(void **state) {
    (void)state;
    char path[512];
    sample_path(path, "fault.hdf5");
    const struct {
        int fault;
        const char *word;
    } faults[] = {{NO_MU_R, "fclib_global_rolling/vectors/mu_r is missing"},
                  {SHORT_MU_R, "vectors/mu_r holds 2 numbers, must be 1"},
                  {NEGATIVE_MU_R, "vectors/mu_r[0] = -0.1, must be 0 or more"},
                  {NAN_MU_R, "vectors/mu_r[0] is not a finite number"},
                  {SPACE_OF_2, "spacedim = 2, must be 3"},
                  {SPACE_OF_5, "vectors/w holds 3 numbers, must be 5"}};
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        write_disc(path, "fclib_global_rolling", 0.1, faults[k].fault);
        expect_refused(path, faults[k].word);
    }
    write_disc(path, "fclib_global", 0.1, ALL); /* mu_r where none belongs */
    expect_refused(path, "fclib_global/vectors/mu_r is rolling friction");
    unlink(path);
}

/* W, q, mu, mu_r written and read again: the same bits. */
static void local_round_trip(void **state) {
    (void)state;
    char path[512];
    struct random random = random_start(34, RANDOM_TEST, 0, 0);
    sample_path(path, "local.hdf5");
    for (int dim = 3; dim <= 5; dim += 2) {
        struct sample sample;
        struct fclib written = {.memory = {0}}, read = {.memory = {0}};
        random_problem(&sample, &random, dim, 7, 3.0);
        written.problem = sample.problem;
        assert_ok(fclib_write(path, &written, false, NULL, NULL));
        assert_ok(fclib_read(&read, path, NULL));
        const struct delassus *a = &sample.problem, *b = &read.problem;
        assert_int_equal(a->dim, b->dim);
        assert_int_equal(a->block_count, b->block_count);
        assert_memory_equal(a->block, b->block,
                            a->block_count * (size_t)(dim * dim) * sizeof(double));
        assert_memory_equal(a->q, b->q, delassus_size(a) * sizeof(double));
        assert_memory_equal(a->mu, b->mu, a->count * sizeof(double));
        assert_memory_equal(a->mu_r, b->mu_r, a->count * sizeof(double));
        fclib_free(&read);
        sample_free(&sample);
    }
    unlink(path);
}

/* ---- steps of simulations ---------------------------------------------------------------------- */

/* Write the problem of the last step in both forms, solve both, compare with what the step found. */
static void round_trip(talus_sim *sim, double tolerance) {
    char path[512];
    talus_problem *step = NULL;
    talus_error err = {.text = ""};
    sample_path(path, "step.hdf5");
    if (talus_problem_of_step(sim, &step, &err) < 0) fail_msg("%s", err.text);
    double residual, siconos;
    talus_problem_judge(step, &residual, &siconos);
    talus_problem_info info = talus_problem_look(step);
    if (!(residual < tolerance)) fail_msg("the step itself has residual %g", residual);
    assert_true(info.contacts > 0);
    for (int global = 0; global < 2; global++) {
        talus_problem *read = NULL;
        talus_solve_report report;
        talus_solve_config config = talus_solve_config_default();
        config.tolerance = 1e-11;
        assert_ok(talus_problem_write(step, path, global == 1, &err));
        assert_ok(talus_problem_read(path, &read, &err));
        assert_ok(talus_problem_solve(read, &config, &report, &err));
        if (!report.converged) fail_msg("residual %g", report.residual_q);
        for (int64_t k = 0; k < info.rows * info.contacts; k++)
            assert_near(talus_problem_velocities(read)[k], talus_problem_velocities(step)[k],
                        tolerance * info.q_norm);
        for (int64_t k = 0; global == 1 && k < info.freedoms; k++)
            assert_near(talus_problem_body_velocities(read)[k],
                        talus_problem_body_velocities(step)[k], tolerance * info.q_norm);
        talus_problem_free(read);
    }
    talus_problem_free(step);
    unlink(path);
}

/* Eight grains, unequal in size so that friction and rolling are coupled, on a floor. */
static talus_sim *grains(int dim, const talus_pair_law *law) {
    talus_config config = support_config(dim, 0.01);
    config.gravity = dim == 2 ? vec(0.0, -10.0, 0.0) : vec(0.0, 0.0, -10.0);
    config.solver.max_sweeps = 20000;
    talus_sim *sim = support_sim(&config, 0.3);
    assert_ok(talus_pair_set(sim, 0, 0, law, NULL));
    support_plane(sim, "floor", vec(0.0, 0.0, 0.0),
                  dim == 2 ? vec(0.0, 1.0, 0.0) : vec(0.0, 0.0, 1.0));
    for (int k = 0; k < 8; k++) {
        double radius = 1.0 - 0.05 * (k % 3), height = radius - 0.001 + 1.4 * (k / 3);
        double aside = 2.1 * (k % 3) + 1.05 * (k / 3 % 2);
        talus_vec3 at = dim == 2 ? vec(aside, height, 0.0) : vec(aside, 0.1 * k, height);
        support_grain(sim, radius, 1.0 + k, at, vec(0.3 * k, 0.0, 0.0));
    }
    return sim;
}

static void step_of_rolling_grains(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int length = 0; length < 2; length++) {
            talus_pair_law law = {.mu_static = 0.3, .mu_sliding = 0.3};
            law.rolling.coefficient = 0.05;
            if (length) law.rolling.scale = TALUS_TORQUE_LENGTH;
            if (dim == 2) law.torsion.coefficient = 0.1; /* nothing there can turn about a normal */
            talus_sim *sim = grains(dim, &law);
            support_steps(sim, 5);
            talus_problem *problem = NULL;
            assert_ok(talus_problem_of_step(sim, &problem, NULL));
            talus_problem_info info = talus_problem_look(problem);
            assert_true(info.rolling && info.dim == dim && info.rows == 2 * dim - 1);
            assert_near(info.mu_r_max, length ? 0.05 : 0.05,
                        0.01); /* r* is 0.9 to 1 on the floor */
            talus_problem_free(problem);
            round_trip(sim, 1e-8);
            talus_sim_destroy(sim);
        }
}

/* An impact with tangential restitution: what friction sees of the slip is in w. Without rolling friction it is a plain
 * problem. */
static void step_with_restitution(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        talus_pair_law law = {.mu_static = 0.3, .mu_sliding = 0.3};
        law.restitution = (talus_restitution_law){.normal = 0.5, .tangential = 0.4};
        if (k / 2 == 1) law.rolling.coefficient = 0.05;
        talus_sim *sim = grains(2 + k % 2, &law);
        support_steps(sim, 1);
        talus_problem *problem = NULL;
        assert_ok(talus_problem_of_step(sim, &problem, NULL));
        assert_true(talus_problem_look(problem).rolling == (k / 2 == 1));
        talus_problem_free(problem);
        round_trip(sim, 1e-8);
        talus_sim_destroy(sim);
    }
}

/* What no cone says is refused by name. */
static void laws_beyond_cones(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        talus_pair_law law = {.mu_static = 0.3, .mu_sliding = 0.3};
        law.rolling.coefficient = 0.05;
        if (k == 0) law.torsion.coefficient = 0.1;
        if (k == 1) {
            law.rolling.scale = TALUS_TORQUE_HERTZ;
            law.rolling.modulus = 1e6;
        }
        if (k == 2) {
            law.cohesion.force = 1.0;
            law.cohesion.range = 0.1;
        }
        talus_sim *sim = grains(3, &law);
        support_steps(sim, 3);
        talus_problem *problem = NULL;
        talus_error err;
        assert_int_equal(talus_problem_of_step(sim, &problem, &err), TALUS_ERR_INPUT);
        const char *const words[] = {"torsion", "hertz", "cohesion"};
        if (strstr(err.text, words[k]) == NULL) fail_msg("%s", err.text);
        assert_null(problem);
        talus_sim_destroy(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact),
        cmocka_unit_test(measure_by_hand),
        cmocka_unit_test(random_problems),
        cmocka_unit_test(plain_friction_again),
        cmocka_unit_test(memory_refused),
        cmocka_unit_test(disc_on_a_floor),
        cmocka_unit_test(faults_are_refused),
        cmocka_unit_test(local_round_trip),
        cmocka_unit_test(step_of_rolling_grains),
        cmocka_unit_test(step_with_restitution),
        cmocka_unit_test(laws_beyond_cones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
