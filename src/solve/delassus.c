/* SPDX-License-Identifier: Apache-2.0
 * The matrix form of the contact problem: made from scalar rows, applied, judged. */
#include "solve/delassus.h"

#include <math.h>
#include <string.h>

#include "law/coulomb.h"

/* ---- making ---------------------------------------------------------------------------------- */

/* Blocks of one row of blocks, in order: walk through its `dim` scalar rows side by side. With `out` NULL only
 * counted. The diagonal block is made even if W has none. */
static size_t gather_row(const struct sparse *w, int dim, size_t row, struct delassus *out) {
    size_t at[3], blocks = 0, first = (size_t)dim * row;
    for (int a = 0; a < dim; a++) at[a] = w->start[first + (size_t)a];
    bool seen_diagonal = false;
    for (;;) {
        size_t next = SIZE_MAX;
        for (int a = 0; a < dim; a++)
            if (at[a] < w->start[first + (size_t)a + 1]) {
                size_t column = (size_t)w->column[at[a]] / (size_t)dim;
                if (column < next) next = column;
            }
        if (!seen_diagonal && next >= row) next = row;
        if (next == SIZE_MAX) return blocks;
        if (next == row) seen_diagonal = true;
        size_t place = out != NULL ? out->start[row] + blocks : 0;
        if (out != NULL) out->column[place] = (int32_t)next;
        if (out != NULL && next == row) out->diagonal[row] = place;
        for (int a = 0; a < dim; a++)
            while (at[a] < w->start[first + (size_t)a + 1] &&
                   (size_t)w->column[at[a]] / (size_t)dim == next) {
                int b = w->column[at[a]] % dim;
                if (out != NULL)
                    out->block[place * (size_t)(dim * dim) + (size_t)(dim * a + b)] =
                        w->value[at[a]];
                at[a]++;
            }
        blocks++;
    }
}

/* The local problem of each contact. In a plane the third direction is a copy of the second that nothing pushes, so
 * that it never moves and the matrix is regular. */
static void prepare_cones(struct delassus *problem) {
    int dim = problem->dim;
    for (size_t i = 0; i < problem->count; i++) {
        const double *b = &problem->block[problem->diagonal[i] * (size_t)(dim * dim)];
        mat3 w = {{{b[0], b[1], 0.0}, {b[dim], b[dim + 1], 0.0}, {0.0, 0.0, b[dim + 1]}}};
        if (dim == 3) {
            w.m[0][2] = b[2];
            w.m[1][2] = b[5];
            w.m[2][0] = b[6];
            w.m[2][1] = b[7];
            w.m[2][2] = b[8];
        }
        for (int a = 0; a < 3; a++) /* the law wants the symmetric part */
            for (int c = 0; c < a; c++) w.m[a][c] = w.m[c][a] = 0.5 * (w.m[a][c] + w.m[c][a]);
        cone_prepare(&problem->cone[i], &w);
    }
}

static double entry(const struct sparse *w, size_t row, size_t column) {
    size_t low = w->start[row], high = w->start[row + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((size_t)w->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->start[row + 1] && (size_t)w->column[low] == column ? w->value[low] : 0.0;
}

static double asymmetry(const struct sparse *w) {
    double difference = 0.0, largest = 0.0;
    for (size_t i = 0; i < w->rows; i++)
        for (size_t k = w->start[i]; k < w->start[i + 1]; k++) {
            double other = entry(w, (size_t)w->column[k], i);
            difference = fmax(difference, fabs(w->value[k] - other));
            largest = fmax(largest, fabs(w->value[k]));
        }
    return largest > 0.0 ? difference / largest : 0.0;
}

static bool reserve(struct delassus *problem, size_t blocks) {
    struct memory *memory = problem->memory;
    size_t d = (size_t)problem->dim, n = problem->count;
    problem->block_count = blocks;
    problem->column = memory_resize(memory, NULL, 0, blocks, sizeof *problem->column);
    problem->block = memory_resize(memory, NULL, 0, blocks * d * d, sizeof *problem->block);
    problem->diagonal = memory_resize(memory, NULL, 0, n, sizeof *problem->diagonal);
    problem->q = memory_resize(memory, NULL, 0, n * d, sizeof *problem->q);
    problem->mu = memory_resize(memory, NULL, 0, n, sizeof *problem->mu);
    problem->cone = memory_resize(memory, NULL, 0, n, sizeof *problem->cone);
    return problem->column != NULL && problem->block != NULL && problem->diagonal != NULL &&
           problem->q != NULL && problem->mu != NULL && problem->cone != NULL;
}

bool delassus_make(struct delassus *problem, struct memory *memory, int dim, size_t count,
                   const struct sparse *w, const double *q, const double *mu) {
    *problem = (struct delassus){.memory = memory, .dim = dim, .count = count};
    problem->start = memory_resize(memory, NULL, 0, count + 1, sizeof *problem->start);
    if (problem->start == NULL) return false;
    for (size_t i = 0; i < count; i++)
        problem->start[i + 1] = problem->start[i] + gather_row(w, dim, i, NULL);
    if (!reserve(problem, problem->start[count])) return false;
    for (size_t i = 0; i < count; i++) gather_row(w, dim, i, problem);
    if (count > 0) {
        memcpy(problem->q, q, count * (size_t)dim * sizeof *q);
        memcpy(problem->mu, mu, count * sizeof *mu);
    }
    double largest = 0.0, sum = 0.0; /* so that squares do not overflow */
    for (size_t k = 0; k < count * (size_t)dim; k++) largest = fmax(largest, fabs(q[k]));
    for (size_t k = 0; k < count * (size_t)dim && largest > 0.0; k++)
        sum += (q[k] / largest) * (q[k] / largest);
    problem->q_norm = largest * sqrt(sum);
    problem->asymmetry = asymmetry(w);
    prepare_cones(problem);
    return true;
}

void delassus_free(struct delassus *problem) {
    struct memory *memory = problem->memory;
    size_t d = (size_t)problem->dim, n = problem->count;
    if (memory == NULL) return;
    memory_free(memory, problem->start, n + 1, sizeof *problem->start);
    memory_free(memory, problem->column, problem->block_count, sizeof *problem->column);
    memory_free(memory, problem->block, problem->block_count * d * d, sizeof *problem->block);
    memory_free(memory, problem->diagonal, n, sizeof *problem->diagonal);
    memory_free(memory, problem->q, n * d, sizeof *problem->q);
    memory_free(memory, problem->mu, n, sizeof *problem->mu);
    memory_free(memory, problem->cone, n, sizeof *problem->cone);
    *problem = (struct delassus){0};
}

/* ---- applying -------------------------------------------------------------------------------- */

static vec3 row_2d(const struct delassus *problem, size_t i, const double *r) {
    double n = problem->q[2 * i], t = problem->q[2 * i + 1];
    for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++) {
        const double *b = &problem->block[4 * k], *p = &r[2 * (size_t)problem->column[k]];
        n += b[0] * p[0] + b[1] * p[1];
        t += b[2] * p[0] + b[3] * p[1];
    }
    return vec3_make(n, t, 0.0);
}

static vec3 row_3d(const struct delassus *problem, size_t i, const double *r) {
    double n = problem->q[3 * i], t = problem->q[3 * i + 1], s = problem->q[3 * i + 2];
    for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++) {
        const double *b = &problem->block[9 * k], *p = &r[3 * (size_t)problem->column[k]];
        n += b[0] * p[0] + b[1] * p[1] + b[2] * p[2];
        t += b[3] * p[0] + b[4] * p[1] + b[5] * p[2];
        s += b[6] * p[0] + b[7] * p[1] + b[8] * p[2];
    }
    return vec3_make(n, t, s);
}

vec3 delassus_row(const struct delassus *problem, size_t i, const double *r) {
    return problem->dim == 3 ? row_3d(problem, i, r) : row_2d(problem, i, r);
}

void delassus_velocity(const struct delassus *problem, const double *r, double *u) {
    for (size_t i = 0; i < problem->count; i++)
        delassus_set(problem, u, i, delassus_row(problem, i, r));
}

/* ---- steps --------------------------------------------------------------------------------------- */

/* By the power method; a few per cent too long a step does no harm, as sweeps converge up to twice this length. */
double delassus_own_step(const struct cone *cone) {
    enum { POWER_STEPS = 20 };
    vec3 direction = vec3_make(1.0, 0.7, 0.4);
    double size = 0.0;
    for (int k = 0; k < POWER_STEPS; k++) {
        direction = cone_apply(cone, direction);
        size = vec3_norm(direction);
        if (!(size > 0.0)) return 0.0;
        direction = vec3_scale(1.0 / size, direction);
    }
    return 1.0 / size;
}

/* ---- judging --------------------------------------------------------------------------------- */

struct delassus_measure delassus_measure(const struct delassus *problem, const double *r,
                                         double *u) {
    double natural = 0.0, r2 = 0.0, u2 = 0.0;
    delassus_velocity(problem, r, u);
    for (size_t i = 0; i < problem->count; i++) {
        vec3 p = delassus_get(problem, r, i), v = delassus_get(problem, u, i);
        double own = coulomb_residual(p, v, 1.0, problem->mu[i]); /* unit step */
        natural += own * own;
        r2 += vec3_norm2(p);
        u2 += vec3_norm2(v);
    }
    struct delassus_measure measure = {.natural = sqrt(natural)};
    double scale = fmax(problem->q_norm, sqrt(fmax(r2, u2)));
    measure.q = problem->q_norm > 0.0 ? measure.natural / problem->q_norm : measure.natural;
    measure.siconos = scale > 0.0 ? measure.natural / scale : measure.natural;
    return measure;
}
