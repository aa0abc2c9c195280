/* SPDX-License-Identifier: Apache-2.0
 * FCLIB files: every storage read to the same numbers, every fault refused with one message, problems of steps
 * written and solved again. */
#define _POSIX_C_SOURCE 200809L
#include "delassus_support.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/fclib.h"
#include "talus/talus.h"

/* HDF5 1.10 itself loses an object header when it gives up on some damaged files. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libhdf5";
}

enum storage { TRIPLETS, COLUMNS, ROWS };

/* A matrix as FCLIB stores it, from dense rows. Triplets in two halves, to be added. */
static void put_matrix(struct hdf5_file *file, const char *group, int rows, int columns,
                       const double *dense, enum storage storage) {
    int32_t i[256], p[256], count = 0, lines = storage == COLUMNS ? columns : rows;
    double x[256];
    char name[64];
    for (int line = 0; line < lines; line++) {
        if (storage != TRIPLETS) p[line] = count;
        for (int k = 0; k < (storage == COLUMNS ? rows : columns); k++) {
            int row = storage == COLUMNS ? k : line, column = storage == COLUMNS ? line : k;
            double value = dense[row * columns + column];
            if (value == 0.0) continue;
            for (int half = 0; half < (storage == TRIPLETS ? 2 : 1); half++) {
                i[count] = storage == ROWS ? column : row;
                if (storage == TRIPLETS) p[count] = column;
                x[count++] = storage == TRIPLETS ? 0.5 * value : value;
            }
        }
    }
    if (storage != TRIPLETS) p[lines] = count;
    const int32_t numbers[] = {rows, columns,
                               storage == TRIPLETS  ? count
                               : storage == COLUMNS ? -1
                                                    : -2,
                               count};
    const char *const names[] = {"m", "n", "nz", "nzmax"};
    for (int k = 0; k < 4; k++) {
        snprintf(name, sizeof name, "%s/%s", group, names[k]);
        assert_ok(hdf5_write_integers(file, name, &numbers[k], 1, NULL));
    }
    snprintf(name, sizeof name, "%s/i", group);
    assert_ok(hdf5_write_integers(file, name, i, (size_t)count, NULL));
    snprintf(name, sizeof name, "%s/p", group);
    assert_ok(hdf5_write_integers(file, name, p, (size_t)(storage == TRIPLETS ? count : lines + 1),
                                  NULL));
    snprintf(name, sizeof name, "%s/x", group);
    assert_ok(hdf5_write_doubles(file, name, x, (size_t)count, NULL));
}

/* Two contacts, not quite symmetric. */
static const double w3[36] = {2.0, 0.1, 0.0, 0.5, 0.0, 0.0,    0.1, 1.0, 0.0, 0.0, 0.2, 0.0,
                              0.0, 0.0, 1.5, 0.0, 0.0, 0.3,    0.5, 0.0, 0.0, 2.0, 0.0, 0.1,
                              0.0, 0.2, 0.0, 0.0, 1.0, 0.0001, 0.0, 0.0, 0.3, 0.1, 0.0, 1.0};
static const double q3[6] = {-1.0, 0.2, -0.1, -0.5, 0.9, 0.3};
static const double mu2[2] = {0.3, 0.6};

static void write_local(const char *path, int dim, enum storage storage) {
    struct hdf5_file file;
    int32_t dimension = dim;
    int size = 2 * dim;
    double w[36], q[6];
    for (int a = 0; a < size; a++) {
        int from = a / dim * 3 + a % dim;
        q[a] = q3[from];
        for (int b = 0; b < size; b++) w[a * size + b] = w3[from * 6 + b / dim * 3 + b % dim];
    }
    assert_ok(hdf5_create(&file, path, NULL));
    put_matrix(&file, "fclib_local/W", size, size, w, storage);
    assert_ok(hdf5_write_integers(&file, "fclib_local/spacedim", &dimension, 1, NULL));
    assert_ok(hdf5_write_doubles(&file, "fclib_local/vectors/q", q, (size_t)size, NULL));
    assert_ok(hdf5_write_doubles(&file, "fclib_local/vectors/mu", mu2, 2, NULL));
    assert_ok(hdf5_finish(&file, NULL));
}

static void storages_agree(void **state) {
    (void)state;
    char path[512];
    sample_path(path, "local.hdf5");
    for (int dim = 2; dim <= 3; dim++)
        for (enum storage storage = TRIPLETS; storage <= ROWS; storage++) {
            struct fclib fclib = {.memory = {0}};
            write_local(path, dim, storage);
            assert_ok(fclib_read(&fclib, path, NULL));
            const struct delassus *problem = &fclib.problem;
            assert_int_equal(problem->count, 2);
            assert_int_equal(problem->block_count, 4);
            for (size_t k = 0; k < 4; k++)
                for (int a = 0; a < dim; a++)
                    for (int b = 0; b < dim; b++) {
                        size_t row = 3 * (k / 2) + (size_t)a;
                        size_t column = 3 * (size_t)problem->column[k] + (size_t)b;
                        double read =
                            problem->block[k * (size_t)(dim * dim) + (size_t)(dim * a + b)];
                        assert_true(read == w3[row * 6 + column]);
                    }
            fclib_free(&fclib);
            assert_int_equal(fclib.memory.bytes, 0);
        }
    unlink(path);
}

/* One body of mass 2 and inertia 0.5 in a plane on two contacts, arms (-1, -1) and (1, -1), pushed down and sideways:
 * W = H^T M^-1 H by hand. */
static void write_global(const char *path, enum storage storage, bool held) {
    struct hdf5_file file;
    const int32_t dim = 2;
    const double m[9] = {2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.5};
    /* n = y, t = x; point velocity (vx - w y, vy + w x) */
    const double h[12] = {0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, -1.0, 1.0, 1.0, 1.0};
    const double f[3] = {0.4, -2.0, 0.0}, w[4] = {0.0, 0.0, 0.0, 0.0}, g[3] = {0.0, 0.0, 1.0};
    const double b[1] = {0.0}, mu[2] = {0.5, 0.5};
    assert_ok(hdf5_create(&file, path, NULL));
    put_matrix(&file, "fclib_global/M", 3, 3, m, storage);
    put_matrix(&file, "fclib_global/H", 3, 4, h, storage);
    if (held) put_matrix(&file, "fclib_global/G", 3, 1, g, storage);
    if (held) assert_ok(hdf5_write_doubles(&file, "fclib_global/vectors/b", b, 1, NULL));
    assert_ok(hdf5_write_integers(&file, "fclib_global/spacedim", &dim, 1, NULL));
    assert_ok(hdf5_write_doubles(&file, "fclib_global/vectors/f", f, 3, NULL));
    assert_ok(hdf5_write_doubles(&file, "fclib_global/vectors/w", w, 4, NULL));
    assert_ok(hdf5_write_doubles(&file, "fclib_global/vectors/mu", mu, 2, NULL));
    assert_ok(hdf5_finish(&file, NULL));
}

/* The body sticks: impulses take all momentum, v = 0. With rotation held, W loses its lever arms. */
static void global_is_reduced(void **state) {
    (void)state;
    char path[512], out[512];
    sample_path(path, "global.hdf5");
    sample_path(out, "solution.hdf5");
    for (int held = 0; held < 2; held++) {
        talus_problem *problem = NULL;
        talus_solve_report report;
        write_global(path, held ? COLUMNS : ROWS, held == 1);
        assert_ok(talus_problem_read(path, &problem, NULL));
        assert_int_equal(talus_problem_look(problem).equations, held);
        assert_ok(talus_problem_solve(problem, NULL, &report, NULL));
        assert_true(report.converged);
        assert_true(report.motion_error < 1e-14);
        const double *r = talus_problem_impulses(problem);
        const double *v = talus_problem_body_velocities(problem);
        for (int k = 0; k < 3; k++) assert_near(v[k], 0.0, 1e-7);
        assert_near(r[0] + r[2], 2.0, 1e-6);
        assert_near(r[1] + r[3], -0.4, 1e-6);
        assert_ok(talus_problem_write_solution(problem, out, NULL));
        struct hdf5_file file;
        struct memory memory = {0};
        double *back = NULL;
        size_t count = 0;
        assert_ok(hdf5_open(&file, out, NULL));
        assert_ok(hdf5_read_doubles(&file, "solution/r", &memory, &back, &count, NULL));
        assert_int_equal(count, 4);
        assert_memory_equal(back, r, sizeof(double) * count);
        assert_true(hdf5_has(&file, "solution/v"));
        assert_true(hdf5_has(&file, "solution/l") == (held == 1));
        memory_free(&memory, back, count, sizeof *back);
        hdf5_close(&file);
        talus_problem_free(problem);
    }
    unlink(path);
    unlink(out);
}

/* W of the free body: by hand 1/m and arm^2/I. */
static void reduced_matrix(void **state) {
    (void)state;
    char path[512];
    struct fclib fclib = {.memory = {0}};
    const double expected[16] = {0.5 + 2.0, -2.0, 0.5 - 2.0, -2.0, -2.0, 2.5, 2.0, 2.5,
                                 -1.5,      2.0,  2.5,       2.0,  -2.0, 2.5, 2.0, 2.5};
    sample_path(path, "global.hdf5");
    write_global(path, TRIPLETS, false);
    assert_ok(fclib_read(&fclib, path, NULL));
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            size_t block = 2 * (i / 2) + j / 2;
            assert_near(fclib.problem.block[4 * block + 2 * (i % 2) + j % 2], expected[4 * i + j],
                        1e-14);
        }
    assert_near(fclib.problem.q[0], -1.0, 1e-15);
    assert_near(fclib.problem.q[1], 0.2, 1e-15);
    fclib_free(&fclib);
    unlink(path);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void expect_refused(const char *path, const char *word) {
    talus_problem *problem = NULL;
    talus_error err = {.text = ""};
    talus_status status = talus_problem_read(path, &problem, &err);
    assert_null(problem);
    if (status != TALUS_ERR_INPUT || strstr(err.text, word) == NULL)
        fail_msg("expected \"%s\", got %d: %s", word, (int)status, err.text);
    assert_null(strchr(err.text, '\n'));
}

/* Replace one data set of a good file. */
static void spoil_doubles(const char *path, const char *name, const double *values, size_t count) {
    write_local(path, 3, TRIPLETS);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    struct hdf5_file open = {.id = file};
    if (values != NULL) assert_ok(hdf5_write_doubles(&open, name, values, count, NULL));
    H5Fclose(file);
}

static void spoil_integers(const char *path, const char *name, enum storage storage,
                           const int32_t *values, size_t count) {
    write_local(path, 3, storage);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    struct hdf5_file open = {.id = file};
    assert_ok(hdf5_write_integers(&open, name, values, count, NULL));
    H5Fclose(file);
}

static void faults_are_refused(void **state) {
    (void)state;
    char path[512];
    sample_path(path, "fault.hdf5");
    static const char *const needed[] = {"fclib_local/W/p",        "fclib_local/W/x",
                                         "fclib_local/W/nz",       "fclib_local/W",
                                         "fclib_local/vectors/mu", "fclib_local/vectors/q",
                                         "fclib_local/vectors",    "fclib_local/spacedim"};
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
        spoil_doubles(path, needed[k], NULL, 0);
        expect_refused(path, "is missing");
    }
    spoil_doubles(path, "fclib_local", NULL, 0);
    expect_refused(path, "not an FCLIB file");
    const double bad_mu[] = {0.3, -0.1}, nan_q[] = {0.0, 0.0, (double)NAN, 0.0, 0.0, 0.0};
    const double inf_mu[] = {0.3, HUGE_VAL};
    spoil_doubles(path, "fclib_local/vectors/mu", bad_mu, 2);
    expect_refused(path, "must be 0 or more");
    spoil_doubles(path, "fclib_local/vectors/mu", inf_mu, 2);
    expect_refused(path, "not a finite number");
    spoil_doubles(path, "fclib_local/vectors/mu", bad_mu, 1);
    expect_refused(path, "must be 3");
    spoil_doubles(path, "fclib_local/vectors/q", nan_q, 6);
    expect_refused(path, "q[2] is not a finite number");
    spoil_doubles(path, "fclib_local/vectors/q", nan_q, 5);
    expect_refused(path, "holds 5 numbers, must be 6");
    spoil_doubles(path, "fclib_local/spacedim", inf_mu, 1);
    expect_refused(path, "whole numbers");
    const int32_t four = 4, seven = 7, minus = -5, many = 1000, two[] = {3, 3};
    spoil_integers(path, "fclib_local/spacedim", TRIPLETS, &four, 1);
    expect_refused(path, "must be 2 or 3");
    spoil_integers(path, "fclib_local/spacedim", TRIPLETS, two, 2);
    expect_refused(path, "must be one number");
    spoil_integers(path, "fclib_local/W/m", TRIPLETS, &seven, 1);
    expect_refused(path, "is 7 x 6");
    spoil_integers(path, "fclib_local/W/m", TRIPLETS, &minus, 1);
    expect_refused(path, "m and n");
    spoil_integers(path, "fclib_local/W/nz", TRIPLETS, &minus, 1);
    expect_refused(path, "compressed");
    spoil_integers(path, "fclib_local/W/nz", TRIPLETS, &many, 1);
    expect_refused(path, "fewer than nz");
    const int32_t down[] = {0, 5, 3, 6, 7, 8, 9}, far[] = {0, 1, 2, 3, 4, 5, 900};
    spoil_integers(path, "fclib_local/W/p", COLUMNS, down, 7);
    expect_refused(path, "must not descend");
    spoil_integers(path, "fclib_local/W/p", ROWS, far, 7);
    expect_refused(path, "fewer entries");
    spoil_integers(path, "fclib_local/W/p", ROWS, far, 6);
    expect_refused(path, "one number more");
    int32_t outside[64];
    for (int k = 0; k < 64; k++) outside[k] = k == 3 ? 6 : 0;
    spoil_integers(path, "fclib_local/W/i", TRIPLETS, outside, 64);
    expect_refused(path, "entry 3 stands at (6,");
    outside[3] = -1;
    spoil_integers(path, "fclib_local/W/i", ROWS, outside, 64);
    expect_refused(path, "outside of 6 x 6");
    unlink(path);
}

/* Cut anywhere, a file is refused; nothing crashes. A flipped byte may leave a good file or a bad one. */
static void damaged_files(void **state) {
    (void)state;
    char path[512], bytes[65536];
    sample_path(path, "cut.hdf5");
    write_local(path, 3, TRIPLETS);
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 2000 && size < sizeof bytes);
    for (size_t length = 0; length < size; length += 97) {
        talus_problem *problem = NULL;
        file = fopen(path, "wb");
        fwrite(bytes, 1, length, file);
        fclose(file);
        talus_error err;
        assert_int_equal(talus_problem_read(path, &problem, &err), TALUS_ERR_INPUT);
        assert_null(problem);
    }
    for (size_t at = 0; at < size; at += 31) {
        talus_problem *problem = NULL;
        bytes[at] = (char)(bytes[at] ^ 0x55);
        file = fopen(path, "wb");
        fwrite(bytes, 1, size, file);
        fclose(file);
        if (talus_problem_read(path, &problem, NULL) >= 0) talus_problem_free(problem);
        bytes[at] = (char)(bytes[at] ^ 0x55);
    }
    file = fopen(path, "wb");
    fputs("dimension: 2\n", file);
    fclose(file);
    expect_refused(path, "is not an HDF5 file");
    unlink(path);
    talus_problem *problem = NULL;
    assert_int_equal(talus_problem_read(path, &problem, NULL), TALUS_ERR_FILE);
    assert_int_equal(talus_problem_read("/", &problem, NULL), TALUS_ERR_FILE);
}

/* `bodies` of one freedom each, with `rows` rows of contacts on each: W is full of blocks of rows^2. */
static talus_status reduce_crowd(size_t bodies, size_t rows, struct fclib *fclib,
                                 talus_error *err) {
    size_t size = bodies * rows, contacts = size / 2;
    struct memory *memory = &fclib->memory;
    struct triplets m = {0}, h = {0};
    double *mu = calloc(contacts, sizeof *mu);
    struct fclib_bodies *to = &fclib->bodies;
    assert_non_null(mu);
    to->present = true;
    to->freedoms = bodies;
    to->contact_rows = size;
    assert_true(triplets_make(&m, memory, bodies, bodies, bodies));
    assert_true(triplets_make(&h, memory, bodies, size, size));
    to->f = memory_resize(memory, NULL, 0, bodies, sizeof *to->f);
    to->w = memory_resize(memory, NULL, 0, size, sizeof *to->w);
    for (size_t i = 0; i < bodies; i++) triplets_add(&m, i, i, 2.0);
    for (size_t k = 0; k < size; k++) triplets_add(&h, k / rows, k, 1.0 + (double)(k % 2));
    assert_true(sparse_take(&to->m, memory, &m) && sparse_take(&to->h, memory, &h));
    talus_status status =
        fclib_reduce(fclib, "crowd", 2, contacts, (struct delassus_friction){.mu = mu}, err);
    free(mu);
    return status;
}

/* W that would swallow the machine is refused before it is there: one body with too many contacts, and many bodies with
 * many. */
static void crowds_are_refused(void **state) {
    (void)state;
    const size_t cases[3][2] = {{1, 14000}, {10, 5000}, {2, 4}};
    for (int k = 0; k < 3; k++) {
        struct fclib fclib = {.memory = {0}};
        talus_error err;
        talus_status status = reduce_crowd(cases[k][0], cases[k][1], &fclib, &err);
        if (k < 2) {
            char says[64];
            snprintf(says, sizeof says, "has %zu rows of contacts", cases[k][1]);
            assert_int_equal(status, TALUS_ERR_INPUT);
            if (strstr(err.text, says) == NULL || strstr(err.text, " GB") == NULL)
                fail_msg("%s", err.text);
            assert_true(fclib.memory.bytes_peak < 100000000);
        } else {
            assert_ok(status);
            assert_int_equal(fclib.problem.block_count, 8); /* two bodies, two contacts on each */
            assert_near(fclib.problem.block[3], 2.0, 0.0);  /* 2 2/m */
        }
        fclib_free(&fclib);
        assert_int_equal(fclib.memory.bytes, 0);
    }
}

static void singular_mass(void **state) {
    (void)state;
    char path[512];
    const double m[9] = {2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5};
    sample_path(path, "mass.hdf5");
    write_global(path, ROWS, false);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "fclib_global/M", H5P_DEFAULT);
    struct hdf5_file open = {.id = file};
    put_matrix(&open, "fclib_global/M", 3, 3, m, ROWS);
    H5Fclose(file);
    expect_refused(path, "M has no inverse");
    unlink(path);
}

/* A part of M and G whose entries span 18 powers of ten is regular all the same: a small grain, held in x by G. M couples
 * x and the rotation, so that they are one part. By hand: v_x = 0, v_y = f_y/m, omega = f_w/I. */
static void small_grain_with_constraint(void **state) {
    (void)state;
    char path[512];
    const double m[9] = {1e-6, 0.0, 1e-14, 0.0, 1e-6, 0.0, 1e-14, 0.0, 1e-18};
    const double g[3] = {1.0, 0.0, 0.0}, f[3] = {1e-15, -2e-6, 3e-18};
    sample_path(path, "small.hdf5");
    write_global(path, ROWS, true);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    struct hdf5_file open = {.id = file};
    const char *const replaced[] = {"fclib_global/M", "fclib_global/G", "fclib_global/vectors/f"};
    for (int k = 0; k < 3; k++) H5Ldelete(file, replaced[k], H5P_DEFAULT);
    put_matrix(&open, "fclib_global/M", 3, 3, m, ROWS);
    put_matrix(&open, "fclib_global/G", 3, 1, g, ROWS);
    assert_ok(hdf5_write_doubles(&open, "fclib_global/vectors/f", f, 3, NULL));
    H5Fclose(file);
    struct fclib fclib = {.memory = {0}};
    assert_ok(fclib_read(&fclib, path, NULL));
    /* q_n = v_y - omega, q_t = v_x + omega of the first contact */
    assert_near(fclib.problem.q[0], -2.0 - 3.0, 1e-12);
    assert_near(fclib.problem.q[1], 3.0, 1e-12);
    fclib_free(&fclib);
    unlink(path);
}

/* M says it is large: nothing of that size is made before the vectors are found to be shorter. */
static void boastful_mass(void **state) {
    (void)state;
    char path[512];
    const int32_t many = 2000000000;
    sample_path(path, "boast.hdf5");
    write_global(path, TRIPLETS, false);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    struct hdf5_file open = {.id = file};
    const char *const replaced[] = {"fclib_global/M/m", "fclib_global/M/n"};
    for (int k = 0; k < 2; k++) {
        H5Ldelete(file, replaced[k], H5P_DEFAULT);
        assert_ok(hdf5_write_integers(&open, replaced[k], &many, 1, NULL));
    }
    H5Fclose(file);
    struct fclib fclib = {.memory = {0}};
    talus_error err;
    assert_int_equal(fclib_read(&fclib, path, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "must be 2000000000"));
    assert_true(fclib.memory.bytes_peak < 100000);
    assert_int_equal(fclib.memory.bytes, 0);
    unlink(path);
}

/* ---- steps of simulations -------------------------------------------------------------------- */

/* Write the problem of the last step in both forms, solve both, and compare with what the step found. Impulses of a
 * pile are not unique; velocities are. */
static void round_trip(talus_sim *sim, double tolerance) {
    char path[512];
    talus_problem *step = NULL;
    talus_error err = {.text = ""};
    sample_path(path, "step.hdf5");
    if (talus_problem_of_step(sim, &step, &err) < 0) fail_msg("%s", err.text);
    double residual, siconos;
    talus_problem_judge(step, &residual, &siconos);
    assert_true(residual < tolerance);
    talus_problem_info info = talus_problem_look(step);
    assert_true(info.contacts > 0);
    for (int global = 0; global < 2; global++) {
        talus_problem *read = NULL;
        talus_solve_report report;
        talus_solve_config config = talus_solve_config_default();
        config.tolerance = 1e-11;
        assert_ok(talus_problem_write(step, path, global == 1, &err));
        assert_ok(talus_problem_read(path, &read, &err));
        assert_ok(talus_problem_solve(read, &config, &report, &err));
        assert_true(report.converged);
        for (int64_t k = 0; k < info.dim * info.contacts; k++)
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

/* Grains that fall on each other on a floor that moves, in a plane and in space. */
static void step_of_grains(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        talus_config config = support_config(dim, 0.01);
        config.gravity = dim == 2 ? vec(0.0, -10.0, 0.0) : vec(0.0, 0.0, -10.0);
        config.solver.max_sweeps = 20000;
        talus_sim *sim = support_sim(&config, 0.3);
        talus_vec3 up = dim == 2 ? vec(0.0, 1.0, 0.0) : vec(0.0, 0.0, 1.0);
        support_plane(sim, "floor", vec(0.0, 0.0, 0.0), up);
        for (int k = 0; k < 8; k++) {
            double height = 0.999 + 1.4 * (k / 3), aside = 2.1 * (k % 3) + 1.05 * (k / 3 % 2);
            talus_vec3 at = dim == 2 ? vec(aside, height, 0.0) : vec(aside, 0.1 * k, height);
            support_grain(sim, 1.0, 1.0 + k, at, vec(0.3 * k, 0.0, 0.0));
        }
        support_steps(sim, 5);
        round_trip(sim, 1e-8);
        talus_sim_destroy(sim);
    }
}

/* Grains with faces in space and in a plane, and a free piston: full inertia tensors, arms aside of the normal,
 * directions that are held. */
static void step_of_scenes(void **state) {
    (void)state;
    const struct {
        const char *name;
        int steps;
    } scenes[] = {{"boxes3d", 60}, {"masonry2d", 5}, {"polygons2d", 400}, {"piston2d", 400}};
    const char *const overrides[] = {"solver.stop=residual", "solver.tolerance=1e-12",
                                     "solver.max_sweeps=100000", "solver.name=nnsgs"};
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        char path[512];
        talus_scene *scene = NULL;
        talus_sim *sim = NULL;
        talus_error err = {.text = ""};
        snprintf(path, sizeof path, "%s/scenes/%s.yaml", TALUS_SOURCE_DIR, scenes[k].name);
        if (talus_scene_load(path, overrides, 4, &scene, &err) < 0) fail_msg("%s", err.text);
        assert_ok(talus_scene_build(scene, &sim, &err));
        support_steps(sim, scenes[k].steps);
        print_message("%s\n", scenes[k].name);
        round_trip(sim, 1e-7);
        talus_sim_destroy(sim);
        talus_scene_free(scene);
    }
}

/* ---- problems of others, if they are there --------------------------------------------------- */

static bool is_problem_file(const char *name) {
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".hdf5") == 0;
}

/* $TALUS_FCLIB names a directory of problems: each to 1e-4 with the default setting, 95 % of them to 1e-8. */
static void problems_of_others(void **state) {
    (void)state;
    const char *path = getenv("TALUS_FCLIB");
    DIR *directory = path != NULL ? opendir(path) : NULL;
    if (directory == NULL) {
        print_message("TALUS_FCLIB names no directory of FCLIB problems: skipped\n");
        skip();
    }
    int files = 0, fine = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        char file[1024];
        talus_problem *problem = NULL;
        talus_solve_report report;
        talus_error err;
        if (!is_problem_file(entry->d_name)) continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (talus_problem_read(file, &problem, &err) < 0) fail_msg("%s", err.text);
        assert_ok(talus_problem_solve(problem, NULL, &report, &err));
        if (report.residual_q > 1e-4) fail_msg("%s: %g", file, report.residual_q);
        files++;
        fine += report.residual_q <= 1e-8;
        talus_problem_free(problem);
    }
    closedir(directory);
    print_message("%d of %d problems to 1e-8\n", fine, files);
    assert_true(fine >= 0.95 * files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storages_agree),     cmocka_unit_test(global_is_reduced),
        cmocka_unit_test(reduced_matrix),     cmocka_unit_test(faults_are_refused),
        cmocka_unit_test(damaged_files),      cmocka_unit_test(singular_mass),
        cmocka_unit_test(crowds_are_refused), cmocka_unit_test(small_grain_with_constraint),
        cmocka_unit_test(boastful_mass),      cmocka_unit_test(step_of_grains),
        cmocka_unit_test(step_of_scenes),     cmocka_unit_test(problems_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
