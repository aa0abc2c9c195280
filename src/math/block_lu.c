/* SPDX-License-Identifier: Apache-2.0 */
#include "math/block_lu.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/inlining.h"
#include "math/dense.h"

enum { DIM_MOST = 6, BITS = 64, DONE = INT32_MAX };

/* ---- order and pattern ------------------------------------------------------------------------- */

/* What is left of the graph while rows are eliminated: a row of bits for each, which makes joining two rows cheap. */
struct graph {
    size_t count, words;
    uint64_t *bits;
    int32_t *degree; /* DONE: eliminated */
    int32_t *least;  /* degree of each word of rows, so that the least of all is found among n/64 */
    int32_t *
        filled; /* words of the present row that are not 0: few, where rows are numbered by place */
};

static uint64_t *row_of(const struct graph *graph, size_t row) {
    return &graph->bits[row * graph->words];
}

static void set_bit(uint64_t *row, size_t k) {
    row[k / BITS] |= (uint64_t)1 << (k % BITS);
}

static void clear_bit(uint64_t *row, size_t k) {
    row[k / BITS] &= ~((uint64_t)1 << (k % BITS));
}

static int32_t count_bits(const struct graph *graph, size_t row) {
    const uint64_t *bits = row_of(graph, row);
    int count = 0;
    for (size_t w = 0; w < graph->words; w++) count += __builtin_popcountll(bits[w]);
    return count;
}

static void renew_least(struct graph *graph, size_t word) {
    size_t end = (word + 1) * BITS < graph->count ? (word + 1) * BITS : graph->count;
    graph->least[word] = DONE;
    for (size_t i = word * BITS; i < end; i++)
        if (graph->degree[i] < graph->least[word]) graph->least[word] = graph->degree[i];
}

static bool graph_make(struct graph *graph, struct memory *memory,
                       const struct block_rows *pattern) {
    size_t n = pattern->count;
    *graph = (struct graph){.count = n, .words = (n + BITS - 1) / BITS};
    graph->bits = memory_resize(memory, NULL, 0, n * graph->words, sizeof *graph->bits);
    graph->degree = memory_resize(memory, NULL, 0, n, sizeof *graph->degree);
    graph->least = memory_resize(memory, NULL, 0, graph->words, sizeof *graph->least);
    graph->filled = memory_resize(memory, NULL, 0, graph->words, sizeof *graph->filled);
    if (graph->bits == NULL || graph->degree == NULL || graph->least == NULL ||
        graph->filled == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = pattern->start[i]; k < pattern->start[i + 1]; k++) {
            size_t j = (size_t)pattern->column[k];
            if (i == j) continue;
            set_bit(row_of(graph, i), j);
            set_bit(row_of(graph, j), i);
        }
    for (size_t i = 0; i < n; i++) graph->degree[i] = count_bits(graph, i);
    for (size_t w = 0; w < graph->words; w++) renew_least(graph, w);
    return true;
}

static void graph_free(struct graph *graph, struct memory *memory) {
    memory_free(memory, graph->bits, graph->count * graph->words, sizeof *graph->bits);
    memory_free(memory, graph->degree, graph->count, sizeof *graph->degree);
    memory_free(memory, graph->least, graph->words, sizeof *graph->least);
    memory_free(memory, graph->filled, graph->words, sizeof *graph->filled);
}

/* The first row of least degree. */
static size_t least_degree(const struct graph *graph) {
    size_t best = 0;
    for (size_t w = 1; w < graph->words; w++)
        if (graph->least[w] < graph->least[best]) best = w;
    size_t row = best * BITS;
    while (graph->degree[row] != graph->least[best]) row++;
    return row;
}

/* The neighbours of `row` become neighbours of `other`, which is one of them. */
static void join(struct graph *graph, size_t row, size_t other, size_t filled) {
    const uint64_t *bits = row_of(graph, row);
    uint64_t *joined = row_of(graph, other);
    int more = -2; /* without itself and without row */
    for (size_t k = 0; k < filled; k++) {
        size_t w = (size_t)graph->filled[k];
        uint64_t added = bits[w] & ~joined[w];
        joined[w] |= added;
        more += __builtin_popcountll(added);
    }
    clear_bit(joined, other);
    clear_bit(joined, row);
    graph->degree[other] += more;
}

/* Its neighbours become neighbours of each other. What is left in its row of bits is its row of U. */
static void eliminate(struct graph *graph, size_t row) {
    const uint64_t *bits = row_of(graph, row);
    size_t filled = 0;
    for (size_t w = 0; w < graph->words; w++)
        if (bits[w] != 0) graph->filled[filled++] = (int32_t)w;
    graph->degree[row] = DONE;
    renew_least(graph, row / BITS);
    for (size_t k = 0; k < filled; k++) {
        size_t w = (size_t)graph->filled[k];
        for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
            join(graph, row, w * BITS + (size_t)__builtin_ctzll(rest), filled);
        renew_least(graph, w);
    }
}

/* Order, and how many blocks there will be; `too_large` as soon as that is seen. */
static void find_order(struct block_lu *lu, struct graph *graph, size_t most) {
    double block = 2.0 * lu->dim * lu->dim * lu->dim;
    for (size_t step = 0; step < lu->count; step++) {
        size_t row = least_degree(graph);
        double degree = graph->degree[row];
        lu->order[step] = (int32_t)row;
        lu->place[row] = (int32_t)step;
        lu->upper_start[step + 1] = lu->upper_start[step] + (size_t)graph->degree[row];
        lu->flops += block * (degree * degree + degree + 1.0);
        eliminate(graph, row);
        lu->fill = lu->upper_start[step + 1];
        lu->too_large = lu->fill > most;
        if (lu->too_large) return;
    }
}

/* Rows of U from the bits; those of L are its columns. Taking the columns of L in order of steps leaves them
 * ascending; taking them back makes the rows of U ascending, too. */
static void fill_pattern(struct block_lu *lu, const struct graph *graph) {
    size_t n = lu->count;
    for (size_t step = 0; step < n; step++) {
        const uint64_t *bits = row_of(graph, (size_t)lu->order[step]);
        for (size_t w = 0; w < graph->words; w++)
            for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
                lu->lower_start[lu->place[w * BITS + (size_t)__builtin_ctzll(rest)] + 1]++;
    }
    for (size_t s = 0; s < n; s++) lu->lower_start[s + 1] += lu->lower_start[s];
    for (size_t step = 0; step < n; step++) {
        const uint64_t *bits = row_of(graph, (size_t)lu->order[step]);
        for (size_t w = 0; w < graph->words; w++)
            for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
                int32_t to = lu->place[w * BITS + (size_t)__builtin_ctzll(rest)];
                lu->lower[lu->lower_start[to]++] = (int32_t)step;
            }
    }
    for (size_t s = n; s > 0; s--) lu->lower_start[s] = lu->lower_start[s - 1];
    lu->lower_start[0] = 0;
    for (size_t s = 0; s < n; s++)
        for (size_t k = lu->lower_start[s]; k < lu->lower_start[s + 1]; k++)
            lu->upper[lu->upper_start[lu->lower[k]]++] = (int32_t)s;
    for (size_t s = n; s > 0; s--) lu->upper_start[s] = lu->upper_start[s - 1];
    lu->upper_start[0] = 0;
}

static bool reserve_order(struct block_lu *lu) {
    size_t n = lu->count;
    lu->order = memory_resize(lu->memory, NULL, 0, n, sizeof *lu->order);
    lu->place = memory_resize(lu->memory, NULL, 0, n, sizeof *lu->place);
    lu->upper_start = memory_resize(lu->memory, NULL, 0, n + 1, sizeof *lu->upper_start);
    lu->lower_start = memory_resize(lu->memory, NULL, 0, n + 1, sizeof *lu->lower_start);
    return lu->order != NULL && lu->place != NULL && lu->upper_start != NULL &&
           lu->lower_start != NULL;
}

static bool reserve_blocks(struct block_lu *lu) {
    size_t n = lu->count, d = (size_t)lu->dim, dd = d * d;
    lu->upper = memory_resize(lu->memory, NULL, 0, lu->fill, sizeof *lu->upper);
    lu->lower = memory_resize(lu->memory, NULL, 0, lu->fill, sizeof *lu->lower);
    lu->upper_value = memory_resize(lu->memory, NULL, 0, lu->fill * dd, sizeof(double));
    lu->lower_value = memory_resize(lu->memory, NULL, 0, lu->fill * dd, sizeof(double));
    lu->inverse = memory_resize(lu->memory, NULL, 0, n * dd, sizeof(double));
    lu->row = memory_resize(lu->memory, NULL, 0, n * dd, sizeof(double));
    lu->solution = memory_resize(lu->memory, NULL, 0, n * d, sizeof(double));
    return lu->upper != NULL && lu->lower != NULL && lu->upper_value != NULL &&
           lu->lower_value != NULL && lu->inverse != NULL && lu->row != NULL &&
           lu->solution != NULL;
}

bool block_lu_make(struct block_lu *lu, struct memory *memory, int dim,
                   const struct block_rows *pattern, size_t most) {
    struct graph graph = {0};
    *lu = (struct block_lu){.memory = memory, .dim = dim, .count = pattern->count};
    bool good = reserve_order(lu) && graph_make(&graph, memory, pattern);
    if (good) find_order(lu, &graph, most);
    if (good && lu->too_large) lu->fill = 0;
    good = good && reserve_blocks(lu);
    if (good && !lu->too_large) fill_pattern(lu, &graph);
    graph_free(&graph, memory);
    return good;
}

void block_lu_free(struct block_lu *lu) {
    size_t n = lu->count, d = (size_t)lu->dim, dd = d * d;
    if (lu->memory == NULL) return;
    memory_free(lu->memory, lu->order, n, sizeof *lu->order);
    memory_free(lu->memory, lu->place, n, sizeof *lu->place);
    memory_free(lu->memory, lu->upper_start, n + 1, sizeof *lu->upper_start);
    memory_free(lu->memory, lu->lower_start, n + 1, sizeof *lu->lower_start);
    memory_free(lu->memory, lu->upper, lu->fill, sizeof *lu->upper);
    memory_free(lu->memory, lu->lower, lu->fill, sizeof *lu->lower);
    memory_free(lu->memory, lu->upper_value, lu->fill * dd, sizeof(double));
    memory_free(lu->memory, lu->lower_value, lu->fill * dd, sizeof(double));
    memory_free(lu->memory, lu->inverse, n * dd, sizeof(double));
    memory_free(lu->memory, lu->row, n * dd, sizeof(double));
    memory_free(lu->memory, lu->solution, n * d, sizeof(double));
    *lu = (struct block_lu){0};
}

/* ---- numbers ----------------------------------------------------------------------------------- */

IN_LOOP void subtract_any(int d, double *restrict c, const double *restrict a,
                          const double *restrict b) {
    for (int i = 0; i < d; i++)
        for (int k = 0; k < d; k++)
            for (int j = 0; j < d; j++) c[i * d + j] -= a[i * d + k] * b[k * d + j];
}

/* c -= a b; compilers unroll what they know. */
IN_LOOP void subtract_product(int d, double *restrict c, const double *restrict a,
                              const double *restrict b) {
    switch (d) {
    case 2: subtract_any(2, c, a, b); break;
    case 3: subtract_any(3, c, a, b); break;
    case 5: subtract_any(5, c, a, b); break;
    case 6: subtract_any(6, c, a, b); break;
    default: subtract_any(d, c, a, b);
    }
}

static bool is_zero(const double *block, size_t size) {
    for (size_t k = 0; k < size; k++)
        if (block[k] != 0.0) return false;
    return true;
}

static bool invert(int d, const double *block, double *inverse) {
    double copy[DIM_MOST * DIM_MOST], x[DIM_MOST];
    int32_t pivot[DIM_MOST];
    memcpy(copy, block, (size_t)(d * d) * sizeof *copy);
    if (!dense_factor(copy, (size_t)d, pivot, 1e-15)) return false;
    for (int c = 0; c < d; c++) {
        for (int k = 0; k < d; k++) x[k] = k == c ? 1.0 : 0.0;
        dense_solve(copy, (size_t)d, pivot, x);
        for (int k = 0; k < d; k++) inverse[k * d + c] = x[k];
    }
    return true;
}

/* A row of the matrix, spread over its pattern. */
static void spread_row(struct block_lu *lu, size_t step, const struct block_rows *w,
                       const double *left, const double *diagonal) {
    int d = lu->dim;
    size_t dd = (size_t)(d * d), i = (size_t)lu->order[step];
    for (size_t k = lu->lower_start[step]; k < lu->lower_start[step + 1]; k++)
        memset(&lu->row[(size_t)lu->lower[k] * dd], 0, dd * sizeof(double));
    for (size_t k = lu->upper_start[step]; k < lu->upper_start[step + 1]; k++)
        memset(&lu->row[(size_t)lu->upper[k] * dd], 0, dd * sizeof(double));
    memcpy(&lu->row[step * dd], &diagonal[i * dd], dd * sizeof(double));
    if (is_zero(&left[i * dd], dd)) return;
    double minus[DIM_MOST * DIM_MOST];
    for (size_t e = 0; e < dd; e++) minus[e] = -left[i * dd + e];
    for (size_t k = w->start[i]; k < w->start[i + 1]; k++)
        subtract_product(d, &lu->row[(size_t)lu->place[w->column[k]] * dd], minus,
                         &w->block[k * dd]);
}

/* A multiple of row j of U from the present one. */
WIDE static void subtract_upper(struct block_lu *lu, size_t j, const double *by) {
    int d = lu->dim;
    size_t dd = (size_t)(d * d);
    for (size_t m = lu->upper_start[j]; m < lu->upper_start[j + 1]; m++)
        subtract_product(d, &lu->row[(size_t)lu->upper[m] * dd], by, &lu->upper_value[m * dd]);
}

/* What is left of a row of the matrix after the rows before it: its blocks of L, then those of U. */
static void eliminate_row(struct block_lu *lu, size_t step) {
    int d = lu->dim;
    size_t dd = (size_t)(d * d);
    for (size_t k = lu->lower_start[step]; k < lu->lower_start[step + 1]; k++) {
        size_t j = (size_t)lu->lower[k];
        double *to = &lu->lower_value[k * dd];
        memset(to, 0, dd * sizeof *to);
        if (is_zero(&lu->row[j * dd], dd)) continue;
        subtract_product(d, to, &lu->row[j * dd], &lu->inverse[j * dd]);
        for (size_t e = 0; e < dd; e++) to[e] = -to[e];
        subtract_upper(lu, j, to);
    }
    for (size_t k = lu->upper_start[step]; k < lu->upper_start[step + 1]; k++)
        memcpy(&lu->upper_value[k * dd], &lu->row[(size_t)lu->upper[k] * dd], dd * sizeof(double));
}

bool block_lu_factor(struct block_lu *lu, const struct block_rows *w, const double *left,
                     const double *diagonal) {
    size_t dd = (size_t)(lu->dim * lu->dim);
    lu->late = false;
    for (size_t step = 0; step < lu->count; step++) {
        if (lu->deadline > 0.0 && lu->deadline < HUGE_VAL)
            lu->late = clock_seconds() > lu->deadline;
        if (lu->late) return false;
        spread_row(lu, step, w, left, diagonal);
        eliminate_row(lu, step);
        if (!invert(lu->dim, &lu->row[step * dd], &lu->inverse[step * dd])) return false;
    }
    return true;
}

/* y -= block x */
static void subtract_applied(int d, double *y, const double *block, const double *x) {
    for (int a = 0; a < d; a++)
        for (int c = 0; c < d; c++) y[a] -= block[a * d + c] * x[c];
}

void block_lu_solve(struct block_lu *lu, double *x) {
    int d = lu->dim;
    size_t size = (size_t)d, dd = size * size;
    double *y = lu->solution;
    for (size_t s = 0; s < lu->count; s++) {
        memcpy(&y[s * size], &x[(size_t)lu->order[s] * size], size * sizeof *y);
        for (size_t k = lu->lower_start[s]; k < lu->lower_start[s + 1]; k++)
            subtract_applied(d, &y[s * size], &lu->lower_value[k * dd],
                             &y[(size_t)lu->lower[k] * size]);
    }
    for (size_t s = lu->count; s-- > 0;) {
        double rest[DIM_MOST], *to = &x[(size_t)lu->order[s] * size];
        memcpy(rest, &y[s * size], size * sizeof *y);
        for (size_t k = lu->upper_start[s]; k < lu->upper_start[s + 1]; k++)
            subtract_applied(d, rest, &lu->upper_value[k * dd], &y[(size_t)lu->upper[k] * size]);
        for (size_t a = 0; a < size; a++) {
            to[a] = 0.0;
            for (size_t c = 0; c < size; c++) to[a] += lu->inverse[s * dd + a * size + c] * rest[c];
        }
        memcpy(&y[s * size], to, size * sizeof *y);
    }
}
