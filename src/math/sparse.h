/* SPDX-License-Identifier: Apache-2.0
 *
 * A sparse matrix in compressed rows, made from triplets in any order. Entries given twice are added, as in
 * every program that assembles.
 */
#ifndef MATH_SPARSE_H
#define MATH_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct triplets {
    size_t rows, columns, count, capacity;
    int32_t *row, *column;
    double *value;
};

struct sparse {
    size_t rows, columns, count; /* count: entries that there is room for */
    size_t *start;               /* rows + 1 */
    int32_t *column;             /* ascending within a row */
    double *value;
};

/* Room for `capacity` entries, none yet. False when memory is refused; free it all the same. */
bool triplets_make(struct triplets *triplets, struct memory *memory, size_t rows, size_t columns,
                   size_t capacity);
void triplets_free(struct triplets *triplets, struct memory *memory);

static inline void triplets_add(struct triplets *triplets, size_t row, size_t column,
                                double value) {
    size_t k = triplets->count++;
    triplets->row[k] = (int32_t)row;
    triplets->column[k] = (int32_t)column;
    triplets->value[k] = value;
}

bool sparse_make(struct sparse *sparse, struct memory *memory, const struct triplets *from);
/* The same; the triplets are freed as soon as they are not needed any more, also when memory is refused. */
bool sparse_take(struct sparse *sparse, struct memory *memory, struct triplets *from);
bool sparse_transpose(struct sparse *to, struct memory *memory, const struct sparse *from);
void sparse_free(struct sparse *sparse, struct memory *memory);

/* How many entries A B has; counting ends soon after `most`. SIZE_MAX: memory is refused. */
size_t sparse_product_size(struct memory *memory, const struct sparse *a, const struct sparse *b,
                           size_t most);
/* A B, with room for `size` entries, which must be enough. */
bool sparse_multiply(struct sparse *product, struct memory *memory, const struct sparse *a,
                     const struct sparse *b, size_t size);

/* y = A x, and y += s A x. */
void sparse_apply(const struct sparse *a, const double *x, double *y);
void sparse_add_to(const struct sparse *a, double s, const double *x, double *y);
/* y += s A^T x */
void sparse_add_transposed(const struct sparse *a, double s, const double *x, double *y);

#endif
