/* SPDX-License-Identifier: Apache-2.0
 * The matrix form of the contact problem: made from scalar rows, applied, judged. */
#include "solve/delassus.h"

#include <math.h>
#include <string.h>

#include "solve/delassus_rolling.h"

/* ---- making ---------------------------------------------------------------------------------- */

/* Blocks of one row of blocks, in order: walk through its `dim` scalar rows side by side. With `out` NULL only
 * counted. The diagonal block is made even if W has none. */
static size_t gather_row(const struct sparse *w, int dim, size_t row, struct delassus *out) {
    size_t at[ROLLING_CONE_MOST], blocks = 0, first = (size_t)dim * row;
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

static bool reserve(struct delassus *problem, size_t blocks, bool rolls) {
    struct memory *memory = problem->memory;
    size_t d = (size_t)problem->dim, n = problem->count;
    problem->block_count = blocks;
    problem->column = memory_resize(memory, NULL, 0, blocks, sizeof *problem->column);
    problem->block = memory_resize(memory, NULL, 0, blocks * d * d, sizeof *problem->block);
    problem->diagonal = memory_resize(memory, NULL, 0, n, sizeof *problem->diagonal);
    problem->q = memory_resize(memory, NULL, 0, n * d, sizeof *problem->q);
    problem->mu = memory_resize(memory, NULL, 0, n, sizeof *problem->mu);
    if (rolls) {
        problem->mu_r = memory_resize(memory, NULL, 0, n, sizeof *problem->mu_r);
        problem->own = memory_resize(memory, NULL, 0, n, sizeof *problem->own);
        if (problem->mu_r == NULL || problem->own == NULL) return false;
    } else {
        problem->cone = memory_resize(memory, NULL, 0, n, sizeof *problem->cone);
        if (problem->cone == NULL) return false;
    }
    return problem->column != NULL && problem->block != NULL && problem->diagonal != NULL &&
           problem->q != NULL && problem->mu != NULL;
}

bool delassus_make(struct delassus *problem, struct memory *memory, int dim, size_t count,
                   const struct sparse *w, const double *q, struct delassus_friction friction) {
    *problem = (struct delassus){.memory = memory, .dim = dim, .count = count};
    problem->start = memory_resize(memory, NULL, 0, count + 1, sizeof *problem->start);
    if (problem->start == NULL) return false;
    for (size_t i = 0; i < count; i++)
        problem->start[i + 1] = problem->start[i] + gather_row(w, dim, i, NULL);
    if (!reserve(problem, problem->start[count], friction.mu_r != NULL)) return false;
    for (size_t i = 0; i < count; i++) gather_row(w, dim, i, problem);
    if (count > 0) {
        memcpy(problem->q, q, count * (size_t)dim * sizeof *q);
        memcpy(problem->mu, friction.mu, count * sizeof *problem->mu);
        if (delassus_rolls(problem))
            memcpy(problem->mu_r, friction.mu_r, count * sizeof *problem->mu_r);
    }
    double largest = 0.0, sum = 0.0; /* so that squares do not overflow */
    for (size_t k = 0; k < count * (size_t)dim; k++) largest = fmax(largest, fabs(q[k]));
    for (size_t k = 0; k < count * (size_t)dim && largest > 0.0; k++)
        sum += (q[k] / largest) * (q[k] / largest);
    problem->q_norm = largest * sqrt(sum);
    problem->asymmetry = asymmetry(w);
    if (delassus_rolls(problem))
        delassus_rolling_prepare(problem);
    else
        prepare_cones(problem);
    for (size_t i = 0; i < count; i++) {
        problem->own_largest = fmax(problem->own_largest, delassus_own_size(problem, i));
        problem->mu_largest = fmax(problem->mu_largest, problem->mu[i]);
    }
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
    memory_free(memory, problem->mu_r, n, sizeof *problem->mu_r);
    memory_free(memory, problem->cone, n, sizeof *problem->cone);
    memory_free(memory, problem->own, n, sizeof *problem->own);
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
    if (delassus_rolls(problem)) {
        for (size_t i = 0; i < problem->count; i++)
            delassus_rolling_row(problem, i, r, &u[(size_t)problem->dim * i]);
        return;
    }
    for (size_t i = 0; i < problem->count; i++)
        delassus_set(problem, u, i, delassus_row(problem, i, r));
}

void delassus_slips(const struct delassus *problem, const double *r, double *slip) {
    for (size_t i = 0; i < problem->count; i++) {
        if (delassus_rolls(problem)) {
            double u[ROLLING_CONE_MOST];
            struct rolling_cone cone = delassus_rolling_cone(problem, i);
            delassus_rolling_row(problem, i, r, u);
            slip[i] = rolling_cone_shift(&cone, u);
        } else {
            vec3 u = delassus_row(problem, i, r);
            slip[i] = problem->mu[i] * sqrt(u.y * u.y + u.z * u.z);
        }
    }
}

/* ---- steps --------------------------------------------------------------------------------------- */

/* Own block times a vector, with rolling friction in the contact's own unit of torque. */
static double apply_own(const struct delassus *problem, size_t i, double x[ROLLING_CONE_MOST]) {
    double y[ROLLING_CONE_MOST] = {0.0}, sum = 0.0;
    int dim = problem->dim;
    if (delassus_rolls(problem)) {
        const struct delassus_own *own = &problem->own[i];
        for (int a = 0; a < dim; a++) {
            for (int c = 0; c < dim; c++)
                y[a] += own->w[a * dim + c] * x[c] * (2 * c >= dim ? own->length : 1.0);
            if (2 * a >= dim) y[a] *= own->length;
        }
    } else {
        vec3 moved = cone_apply(&problem->cone[i], vec3_make(x[0], x[1], x[2]));
        y[0] = moved.x, y[1] = moved.y, y[2] = moved.z;
    }
    for (int a = 0; a < ROLLING_CONE_MOST; a++) sum += y[a] * y[a];
    memcpy(x, y, sizeof y);
    return sqrt(sum);
}

/* By the power method; a few per cent too long a step does no harm, as sweeps converge up to twice this length. */
double delassus_own_step(const struct delassus *problem, size_t contact) {
    enum { POWER_STEPS = 20 };
    double direction[ROLLING_CONE_MOST] = {1.0, 0.7, 0.4, 0.6, 0.3}, size = 0.0;
    for (int k = 0; k < POWER_STEPS; k++) {
        size = apply_own(problem, contact, direction);
        if (!(size > 0.0)) return 0.0;
        for (int a = 0; a < ROLLING_CONE_MOST; a++) direction[a] *= 1.0 / size;
    }
    return 1.0 / size;
}

double delassus_own_size(const struct delassus *problem, size_t contact) {
    double trace = 0.0;
    if (delassus_rolls(problem)) {
        const struct delassus_own *own = &problem->own[contact];
        for (int a = 0; a < problem->dim; a++) {
            double l = 2 * a >= problem->dim ? own->length : 1.0;
            trace += l * l * own->w[a * (problem->dim + 1)];
        }
        return trace;
    }
    const struct cone *cone = &problem->cone[contact];
    trace = cone->w_nn + cone->s_tt + cone->s_ss;
    if (cone->inverse_nn > 0.0)
        trace += (cone->w_nt * cone->w_nt + cone->w_ns * cone->w_ns) * cone->inverse_nn;
    return trace;
}
