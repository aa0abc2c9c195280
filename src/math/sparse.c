/* SPDX-License-Identifier: Apache-2.0 */
#include "math/sparse.h"

#include <stdlib.h>

bool triplets_make(struct triplets *triplets, struct memory *memory, size_t rows, size_t columns,
                   size_t capacity) {
    *triplets = (struct triplets){.rows = rows, .columns = columns, .capacity = capacity};
    triplets->row = memory_resize(memory, NULL, 0, capacity, sizeof *triplets->row);
    triplets->column = memory_resize(memory, NULL, 0, capacity, sizeof *triplets->column);
    triplets->value = memory_resize(memory, NULL, 0, capacity, sizeof *triplets->value);
    return triplets->row != NULL && triplets->column != NULL && triplets->value != NULL;
}

void triplets_free(struct triplets *triplets, struct memory *memory) {
    memory_free(memory, triplets->row, triplets->capacity, sizeof *triplets->row);
    memory_free(memory, triplets->column, triplets->capacity, sizeof *triplets->column);
    memory_free(memory, triplets->value, triplets->capacity, sizeof *triplets->value);
    *triplets = (struct triplets){0};
}

static bool sparse_reserve(struct sparse *sparse, struct memory *memory, size_t rows,
                           size_t columns, size_t count) {
    *sparse = (struct sparse){.rows = rows, .columns = columns, .count = count};
    sparse->start = memory_resize(memory, NULL, 0, rows + 1, sizeof *sparse->start);
    sparse->column = memory_resize(memory, NULL, 0, count, sizeof *sparse->column);
    sparse->value = memory_resize(memory, NULL, 0, count, sizeof *sparse->value);
    return sparse->start != NULL && sparse->column != NULL && sparse->value != NULL;
}

void sparse_free(struct sparse *sparse, struct memory *memory) {
    memory_free(memory, sparse->start, sparse->rows + 1, sizeof *sparse->start);
    memory_free(memory, sparse->column, sparse->count, sizeof *sparse->column);
    memory_free(memory, sparse->value, sparse->count, sizeof *sparse->value);
    *sparse = (struct sparse){0};
}

/* Counting sort: into rows by `row`, in the order given within each. */
static void sort_in(struct sparse *to, size_t count, const int32_t *row, const int32_t *column,
                    const double *value) {
    for (size_t k = 0; k < count; k++) to->start[row[k] + 1]++;
    for (size_t i = 0; i < to->rows; i++) to->start[i + 1] += to->start[i];
    for (size_t k = 0; k < count; k++) {
        size_t at = to->start[row[k]]++;
        to->column[at] = column[k];
        to->value[at] = value[k];
    }
    for (size_t i = to->rows; i > 0; i--) to->start[i] = to->start[i - 1];
    to->start[0] = 0;
}

/* Neighbours in a row with the same column become one. */
static void add_twins(struct sparse *a) {
    size_t kept = 0, from = 0;
    for (size_t i = 0; i < a->rows; i++) {
        size_t end = a->start[i + 1], begin = kept;
        for (; from < end; from++) {
            if (kept > begin && a->column[kept - 1] == a->column[from]) {
                a->value[kept - 1] += a->value[from];
                continue;
            }
            a->column[kept] = a->column[from];
            a->value[kept++] = a->value[from];
        }
        a->start[i + 1] = kept;
    }
}

bool sparse_transpose(struct sparse *to, struct memory *memory, const struct sparse *from) {
    size_t count = from->start[from->rows];
    if (!sparse_reserve(to, memory, from->columns, from->rows, count)) return false;
    for (size_t k = 0; k < count; k++) to->start[from->column[k] + 1]++;
    for (size_t i = 0; i < to->rows; i++) to->start[i + 1] += to->start[i];
    for (size_t i = 0; i < from->rows; i++)
        for (size_t k = from->start[i]; k < from->start[i + 1]; k++) {
            size_t at = to->start[from->column[k]]++;
            to->column[at] = (int32_t)i;
            to->value[at] = from->value[k];
        }
    for (size_t i = to->rows; i > 0; i--) to->start[i] = to->start[i - 1];
    to->start[0] = 0;
    return true;
}

/* First into columns, then into rows: columns ascend within each row. */
static bool sort_columns(struct sparse *turned, struct memory *memory,
                         const struct triplets *from) {
    if (!sparse_reserve(turned, memory, from->columns, from->rows, from->count)) return false;
    sort_in(turned, from->count, from->column, from->row, from->value);
    return true;
}

static bool sort_rows(struct sparse *sparse, struct memory *memory, struct sparse *turned) {
    bool good = sparse_transpose(sparse, memory, turned);
    if (good) add_twins(sparse);
    sparse_free(turned, memory);
    return good;
}

bool sparse_make(struct sparse *sparse, struct memory *memory, const struct triplets *from) {
    struct sparse turned = {0};
    *sparse = (struct sparse){0};
    if (sort_columns(&turned, memory, from)) return sort_rows(sparse, memory, &turned);
    sparse_free(&turned, memory);
    return false;
}

bool sparse_take(struct sparse *sparse, struct memory *memory, struct triplets *from) {
    struct sparse turned = {0};
    *sparse = (struct sparse){0};
    bool good = sort_columns(&turned, memory, from);
    triplets_free(from, memory);
    if (good) return sort_rows(sparse, memory, &turned);
    sparse_free(&turned, memory);
    return false;
}

/* ---- products ---------------------------------------------------------------------------------- */

/* The columns of row i of A B, in any order; `mark` holds the last row + 1 that met a column. */
static size_t product_row(const struct sparse *a, const struct sparse *b, size_t i, size_t *mark,
                          int32_t *columns) {
    size_t count = 0;
    for (size_t k = a->start[i]; k < a->start[i + 1]; k++) {
        size_t row = (size_t)a->column[k];
        for (size_t m = b->start[row]; m < b->start[row + 1]; m++) {
            if (mark[b->column[m]] == i + 1) continue;
            mark[b->column[m]] = i + 1;
            columns[count++] = b->column[m];
        }
    }
    return count;
}

size_t sparse_product_size(struct memory *memory, const struct sparse *a, const struct sparse *b,
                           size_t most) {
    size_t *mark = memory_resize(memory, NULL, 0, b->columns, sizeof *mark), size = 0;
    int32_t *columns = memory_resize(memory, NULL, 0, b->columns, sizeof *columns);
    bool good = mark != NULL && columns != NULL;
    for (size_t i = 0; good && i < a->rows && size <= most; i++)
        size += product_row(a, b, i, mark, columns);
    memory_free(memory, mark, b->columns, sizeof *mark);
    memory_free(memory, columns, b->columns, sizeof *columns);
    return good ? size : SIZE_MAX;
}

static int compare_columns(const void *one, const void *other) {
    int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;
    return (a > b) - (a < b);
}

static void multiply_rows(struct sparse *product, const struct sparse *a, const struct sparse *b,
                          size_t *mark, double *sums) {
    for (size_t i = 0; i < a->rows; i++) {
        size_t first = product->start[i];
        int32_t *columns = &product->column[first];
        size_t count = product_row(a, b, i, mark, columns);
        qsort(columns, count, sizeof *columns, compare_columns);
        for (size_t k = 0; k < count; k++) sums[columns[k]] = 0.0;
        for (size_t k = a->start[i]; k < a->start[i + 1]; k++) {
            size_t row = (size_t)a->column[k];
            for (size_t m = b->start[row]; m < b->start[row + 1]; m++)
                sums[b->column[m]] += a->value[k] * b->value[m];
        }
        for (size_t k = 0; k < count; k++) product->value[first + k] = sums[columns[k]];
        product->start[i + 1] = first + count;
    }
}

bool sparse_multiply(struct sparse *product, struct memory *memory, const struct sparse *a,
                     const struct sparse *b, size_t size) {
    bool good = sparse_reserve(product, memory, a->rows, b->columns, size);
    size_t *mark = memory_resize(memory, NULL, 0, b->columns, sizeof *mark);
    double *sums = memory_resize(memory, NULL, 0, b->columns, sizeof *sums);
    good = good && mark != NULL && sums != NULL;
    if (good) multiply_rows(product, a, b, mark, sums);
    memory_free(memory, mark, b->columns, sizeof *mark);
    memory_free(memory, sums, b->columns, sizeof *sums);
    return good;
}

/* ---- applying ---------------------------------------------------------------------------------- */

void sparse_add_to(const struct sparse *a, double s, const double *x, double *y) {
    for (size_t i = 0; i < a->rows; i++) {
        double sum = 0.0;
        for (size_t k = a->start[i]; k < a->start[i + 1]; k++) sum += a->value[k] * x[a->column[k]];
        y[i] += s * sum;
    }
}

void sparse_apply(const struct sparse *a, const double *x, double *y) {
    for (size_t i = 0; i < a->rows; i++) y[i] = 0.0;
    sparse_add_to(a, 1.0, x, y);
}

void sparse_add_transposed(const struct sparse *a, double s, const double *x, double *y) {
    for (size_t i = 0; i < a->rows; i++)
        for (size_t k = a->start[i]; k < a->start[i + 1]; k++)
            y[a->column[k]] += s * a->value[k] * x[i];
}
