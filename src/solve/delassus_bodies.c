/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/delassus_bodies.h"

#include <string.h>

#include "math/dense.h"
#include "solve/delassus_factors.h"

enum { SIDES = 2, PAIRS = SIDES * SIDES, ROWS_MOST = 5 };
static const double least_pivot = 1e-30; /* units within a block may be far apart */

/* ---- what W is made of ------------------------------------------------------------------------- */

static size_t part_size(const struct delassus_bodies *bodies) {
    return (size_t)(bodies->dim * bodies->rows);
}

bool delassus_bodies_make(struct delassus_bodies *bodies, struct memory *memory, int dim, int rows,
                          size_t contacts) {
    *bodies =
        (struct delassus_bodies){.memory = memory, .contacts = contacts, .dim = dim, .rows = rows};
    size_t sides = SIDES * contacts, size = part_size(bodies);
    bodies->body = memory_resize(memory, NULL, 0, sides, sizeof *bodies->body);
    bodies->sees = memory_resize(memory, NULL, 0, sides * size, sizeof *bodies->sees);
    bodies->does = memory_resize(memory, NULL, 0, sides * size, sizeof *bodies->does);
    if (bodies->body == NULL || bodies->sees == NULL || bodies->does == NULL) return false;
    for (size_t s = 0; s < sides; s++) bodies->body[s] = -1;
    return true;
}

void delassus_bodies_free(struct delassus_bodies *bodies) {
    size_t sides = SIDES * bodies->contacts, size = part_size(bodies);
    if (bodies->memory == NULL) return;
    memory_free(bodies->memory, bodies->body, sides, sizeof *bodies->body);
    memory_free(bodies->memory, bodies->sees, sides * size, sizeof *bodies->sees);
    memory_free(bodies->memory, bodies->does, sides * size, sizeof *bodies->does);
    *bodies = (struct delassus_bodies){0};
}

/* ---- the pattern ------------------------------------------------------------------------------- */

static bool make_pattern(struct body_factors *factors) {
    const struct delassus_bodies *bodies = factors->bodies;
    struct triplets triplets;
    bool good = triplets_make(&triplets, factors->memory, bodies->count, bodies->count,
                              PAIRS * bodies->contacts);
    for (size_t i = 0; good && i < bodies->contacts; i++)
        for (int pair = 0; pair < PAIRS; pair++) {
            int32_t row = bodies->body[2 * i + (size_t)pair / 2];
            int32_t column = bodies->body[2 * i + (size_t)pair % 2];
            if (row >= 0 && column >= 0) triplets_add(&triplets, (size_t)row, (size_t)column, 0.0);
        }
    if (good) return sparse_take(&factors->pattern, factors->memory, &triplets);
    triplets_free(&triplets, factors->memory);
    return false;
}

static size_t find_place(const struct sparse *pattern, int32_t row, int32_t column) {
    size_t low = pattern->start[row], high = pattern->start[row + 1];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (pattern->column[middle] <= column)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void find_places(struct body_factors *factors) {
    const struct delassus_bodies *bodies = factors->bodies;
    for (size_t i = 0; i < bodies->contacts; i++)
        for (int pair = 0; pair < PAIRS; pair++) {
            int32_t row = bodies->body[2 * i + (size_t)pair / 2];
            int32_t column = bodies->body[2 * i + (size_t)pair % 2];
            if (row >= 0 && column >= 0)
                factors->place[PAIRS * i + (size_t)pair] =
                    find_place(&factors->pattern, row, column);
        }
}

static struct block_rows rows_of(const struct body_factors *factors) {
    return (struct block_rows){factors->bodies->count, factors->pattern.start,
                               factors->pattern.column, factors->block};
}

static size_t block_size(const struct body_factors *factors) {
    return (size_t)(factors->bodies->dim * factors->bodies->dim);
}

static bool reserve(struct body_factors *factors) {
    const struct delassus_bodies *bodies = factors->bodies;
    size_t size = block_size(factors), dim = (size_t)bodies->dim;
    factors->block = memory_resize(factors->memory, NULL, 0, factors->pattern.count * size,
                                   sizeof *factors->block);
    factors->place =
        memory_resize(factors->memory, NULL, 0, PAIRS * bodies->contacts, sizeof *factors->place);
    factors->one =
        memory_resize(factors->memory, NULL, 0, bodies->count * size, sizeof *factors->one);
    factors->motion =
        memory_resize(factors->memory, NULL, 0, bodies->count * dim, sizeof *factors->motion);
    if (factors->block == NULL || factors->place == NULL || factors->one == NULL ||
        factors->motion == NULL)
        return false;
    for (size_t k = 0; k < bodies->count * dim; k++)
        factors->one[k / dim * size + k % dim * (dim + 1)] = 1.0;
    return true;
}

bool body_factors_make(struct body_factors *factors, const struct delassus_bodies *bodies,
                       struct memory *memory, size_t most) {
    *factors = (struct body_factors){.bodies = bodies, .memory = memory};
    factors->lu.too_large = bodies->count > DELASSUS_FACTORS_ROWS;
    if (factors->lu.too_large) return true;
    if (!make_pattern(factors)) return false;
    struct block_rows rows = rows_of(factors);
    if (!block_lu_make(&factors->lu, memory, bodies->dim, &rows, most)) return false;
    if (factors->lu.too_large) return true;
    if (!reserve(factors)) return false;
    find_places(factors);
    return true;
}

void body_factors_free(struct body_factors *factors) {
    if (factors->memory == NULL) return;
    size_t size = block_size(factors), count = factors->bodies->count;
    memory_free(factors->memory, factors->block, factors->pattern.count * size,
                sizeof *factors->block);
    memory_free(factors->memory, factors->place, PAIRS * factors->bodies->contacts,
                sizeof *factors->place);
    memory_free(factors->memory, factors->one, count * size, sizeof *factors->one);
    memory_free(factors->memory, factors->motion, count * (size_t)factors->bodies->dim,
                sizeof *factors->motion);
    sparse_free(&factors->pattern, factors->memory);
    block_lu_free(&factors->lu);
    *factors = (struct body_factors){0};
}

/* ---- numbers ----------------------------------------------------------------------------------- */

static bool is_zero(const double *block, size_t size) {
    for (size_t k = 0; k < size; k++)
        if (block[k] != 0.0) return false;
    return true;
}

/* left := G = A^-1 left, f := A^-1 F. False: A has no inverse. */
static bool divide(int rows, double *left, double *a, double *f) {
    int32_t pivot[ROWS_MOST];
    double column[ROWS_MOST];
    size_t d = (size_t)rows;
    if (!dense_factor(a, d, pivot, least_pivot)) return false;
    dense_solve(a, d, pivot, f);
    if (is_zero(left, d * d)) return true;
    for (size_t c = 0; c < d; c++) {
        for (size_t k = 0; k < d; k++) column[k] = left[k * d + c];
        dense_solve(a, d, pivot, column);
        for (size_t k = 0; k < d; k++) left[k * d + c] = column[k];
    }
    return true;
}

/* c (m x n) += a (m x k) b (k x n) */
static inline void add_product(double *c, const double *a, const double *b, int m, int k, int n) {
    for (int i = 0; i < m; i++)
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * k + l] * b[l * n + j];
}

static const double *side_of(const struct delassus_bodies *bodies, const double *part,
                             size_t side) {
    return &part[side * part_size(bodies)];
}

/* Contact i: M^-1 J^T G J, and M^-1 J^T A^-1 F. */
static void add_contact(struct body_factors *factors, size_t i, const double *g, const double *f) {
    const struct delassus_bodies *bodies = factors->bodies;
    int dim = bodies->dim, rows = bodies->rows;
    bool pushes = !is_zero(g, (size_t)(rows * rows));
    for (size_t column = 0; column < SIDES; column++) {
        size_t side = SIDES * i + column;
        double pull[ROWS_MOST * BODY_NUMBERS_MOST] = {0.0}; /* G J */
        int32_t body = bodies->body[side];
        if (body < 0) continue;
        add_product(&factors->motion[body * dim], side_of(bodies, bodies->does, side), f, dim, rows,
                    1);
        if (!pushes) continue;
        add_product(pull, g, side_of(bodies, bodies->sees, side), rows, rows, dim);
        for (size_t row = 0; row < SIDES; row++)
            if (bodies->body[SIDES * i + row] >= 0)
                add_product(&factors->block[factors->place[PAIRS * i + SIDES * row + column] *
                                            block_size(factors)],
                            side_of(bodies, bodies->does, SIDES * i + row), pull, dim, rows, dim);
    }
}

/* f - G J z */
static void subtract_motion(const struct body_factors *factors, size_t i, const double *g,
                            double *f) {
    const struct delassus_bodies *bodies = factors->bodies;
    int dim = bodies->dim, rows = bodies->rows;
    double seen[ROWS_MOST] = {0.0};
    for (size_t side = SIDES * i; side < SIDES * (i + 1); side++)
        if (bodies->body[side] >= 0)
            add_product(seen, side_of(bodies, bodies->sees, side),
                        &factors->motion[bodies->body[side] * dim], rows, dim, 1);
    for (int a = 0; a < rows; a++)
        for (int c = 0; c < rows; c++) f[a] -= g[a * rows + c] * seen[c];
}

bool body_factors_step(struct body_factors *factors, double *left, double *a, double *f) {
    const struct delassus_bodies *bodies = factors->bodies;
    size_t rows = (size_t)bodies->rows, size = rows * rows;
    memset(factors->block, 0,
           factors->pattern.count * block_size(factors) * sizeof *factors->block);
    memset(factors->motion, 0, bodies->count * (size_t)bodies->dim * sizeof *factors->motion);
    for (size_t i = 0; i < bodies->contacts; i++) {
        if (!divide(bodies->rows, &left[i * size], &a[i * size], &f[i * rows])) return false;
        add_contact(factors, i, &left[i * size], &f[i * rows]);
    }
    struct block_rows matrix = rows_of(factors);
    if (!block_lu_factor(&factors->lu, &matrix, factors->one, factors->one)) return false;
    block_lu_solve(&factors->lu, factors->motion);
    for (size_t i = 0; i < bodies->contacts; i++)
        subtract_motion(factors, i, &left[i * size], &f[i * rows]);
    return true;
}
