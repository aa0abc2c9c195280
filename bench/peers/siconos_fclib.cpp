/* SPDX-License-Identifier: Apache-2.0
 *
 * A solver of Siconos on one contact problem, a local FCLIB file with triplets (as Talus writes them), from zero.
 *
 *     siconos_fclib FILE SOLVER TOLERANCE SECONDS      SOLVER: nsgs, nsn_ac, aclm, prox, admm, vi_eg
 *
 * Prints "name value" lines: seconds, iterations, residual_q, residual_siconos. Ends with code 2, without a line, when
 * the time is over.
 */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

static void *read_set(hid_t file, const char *name, hid_t type, size_t size, hssize_t *count) {
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    *count = H5Sget_simple_extent_npoints(space);
    void *values = malloc(size * (size_t)(*count + 1));
    if (set < 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) exit(3);
    H5Sclose(space);
    H5Dclose(set);
    return values;
}

static int read_int(hid_t file, const char *name) {
    hssize_t count;
    int *value = (int *)read_set(file, name, H5T_NATIVE_INT, sizeof(int), &count);
    int kept = *value;
    free(value);
    return kept;
}

static NumericsMatrix *read_w(hid_t file, int dim, int size) {
    hssize_t count;
    int *i = (int *)read_set(file, "fclib_local/W/i", H5T_NATIVE_INT, sizeof(int), &count);
    int *p = (int *)read_set(file, "fclib_local/W/p", H5T_NATIVE_INT, sizeof(int), &count);
    double *x = (double *)read_set(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, sizeof(double), &count);
    NumericsMatrix *triplets = NM_create(NM_SPARSE, size, size);
    NM_triplet_alloc(triplets, count);
    for (hssize_t k = 0; k < count; k++) NM_entry(triplets, i[k], p[k], x[k]);
    SparseBlockStructuredMatrix *blocks = SBM_new();
    SBM_from_csparse(dim, NM_csc(triplets), blocks);
    free(i);
    free(p);
    free(x);
    return NM_new_SBM(size, size, blocks);
}

static int solver_number(const char *name, int dim) {
    if (strcmp(name, "nsgs") == 0)
        return dim == 2 ? SICONOS_FRICTION_2D_NSGS : SICONOS_FRICTION_3D_NSGS;
    if (dim == 2) exit(4);
    if (strcmp(name, "nsn_ac") == 0) return SICONOS_FRICTION_3D_NSN_AC;
    if (strcmp(name, "aclm") == 0) return SICONOS_FRICTION_3D_ACLMFP;
    if (strcmp(name, "prox") == 0) return SICONOS_FRICTION_3D_PROX;
    if (strcmp(name, "admm") == 0) return SICONOS_FRICTION_3D_ADMM;
    if (strcmp(name, "vi_eg") == 0) return SICONOS_FRICTION_3D_VI_EG;
    exit(4);
}

static double norm(const double *x, int n) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

/* || r - Proj_K(r - (u + mu |u_t| n)) ||, as docs/theory/fclib.md has it. */
static double natural_map(const FrictionContactProblem *problem, const double *r, const double *u) {
    int dim = problem->dimension;
    double sum = 0.0;
    for (int i = 0; i < problem->numberOfContacts; i++) {
        double mu = problem->mu[i], p[3] = {0.0}, slip = 0.0, tangent = 0.0, factor = 1.0;
        for (int a = 1; a < dim; a++) slip += u[dim * i + a] * u[dim * i + a];
        for (int a = 0; a < dim; a++) p[a] = r[dim * i + a] - u[dim * i + a];
        p[0] -= mu * sqrt(slip);
        for (int a = 1; a < dim; a++) tangent += p[a] * p[a];
        tangent = sqrt(tangent);
        if (mu * tangent <= -p[0]) {
            p[0] = factor = 0.0;
        } else if (tangent > mu * p[0]) {
            p[0] = (p[0] + mu * tangent) / (1.0 + mu * mu);
            factor = mu * p[0] / tangent;
        }
        for (int a = 0; a < dim; a++) {
            double difference = r[dim * i + a] - (a > 0 ? factor : 1.0) * p[a];
            sum += difference * difference;
        }
    }
    return sqrt(sum);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void time_is_over(int number) {
    (void)number;
    _exit(2);
}

int main(int argc, char **argv) {
    if (argc != 5) return 1;
    hid_t file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) return 3;
    hssize_t contacts, size;
    FrictionContactProblem problem = {};
    problem.dimension = read_int(file, "fclib_local/spacedim");
    problem.mu =
        (double *)read_set(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, sizeof(double), &contacts);
    problem.q = (double *)read_set(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, sizeof(double), &size);
    problem.numberOfContacts = (int)contacts;
    problem.M = read_w(file, problem.dimension, (int)size);
    SolverOptions *options = solver_options_create(solver_number(argv[2], problem.dimension));
    options->dparam[SICONOS_DPARAM_TOL] = atof(argv[3]);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000000;
    double *r = (double *)calloc((size_t)size, sizeof *r);
    double *u = (double *)calloc((size_t)size, sizeof *u);
    signal(SIGALRM, time_is_over);
    alarm((unsigned)ceil(atof(argv[4])));
    double start = seconds_now();
    if (problem.dimension == 2)
        fc2d_driver(&problem, r, u, options);
    else
        fc3d_driver(&problem, r, u, options);
    double seconds = seconds_now() - start;
    /* u of this r, not what the solver left there */
    memcpy(u, problem.q, (size_t)size * sizeof *u);
    NM_gemv(1.0, problem.M, r, 1.0, u);
    double natural = natural_map(&problem, r, u), q = norm(problem.q, (int)size);
    double scale = fmax(q, fmax(norm(r, (int)size), norm(u, (int)size)));
    printf("seconds %.9g\niterations %d\nresidual_q %.9g\nresidual_siconos %.9g\n", seconds,
           options->iparam[SICONOS_IPARAM_ITER_DONE], natural / (q > 0.0 ? q : 1.0),
           natural / (scale > 0.0 ? scale : 1.0));
    return 0;
}
