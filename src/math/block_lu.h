/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse matrices of small square blocks, A = L U, for many factorisations of the same pattern. The order is that of
 * least degree [Tinney1967], found once on the whole graph of the pattern; pivots are sought within the diagonal
 * blocks only, so the matrix must not depend on others: here it is one that was regularised.
 */
#ifndef MATH_BLOCK_LU_H
#define MATH_BLOCK_LU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

struct block_rows { /* rows of blocks, dim x dim each, row by row */
    size_t count;
    const size_t *start; /* count + 1 */
    const int32_t *column;
    const double *block;
};

struct block_lu {
    struct memory *memory;
    int dim;
    size_t count, fill; /* rows; blocks of U without its diagonal, and of L */
    bool too_large;     /* more than the caller allows: nothing else is there */
    double flops;       /* of a factorisation, about */
    double deadline;    /* of clock_seconds, for a factorisation; 0: none. Looked at in every row */
    bool late;          /* the last factorisation was given up because of it */
    int32_t *order;     /* row that is eliminated in a step, */
    int32_t *place;     /* and the step of a row */
    size_t *upper_start, *lower_start;
    int32_t *upper, *lower; /* steps, ascending */
    double *upper_value, *lower_value, *inverse;
    double *row, *solution;
};

/* Order and pattern; `most` blocks of U are allowed. The pattern need not be symmetric. False when memory is refused;
 * free it all the same. */
bool block_lu_make(struct block_lu *lu, struct memory *memory, int dim,
                   const struct block_rows *pattern, size_t most);
void block_lu_free(struct block_lu *lu);

/* Of the matrix left_i W_ij + (i = j) diagonal_i. False: a diagonal block has no inverse, or it is
 * `late`; there are no factors then. */
bool block_lu_factor(struct block_lu *lu, const struct block_rows *w, const double *left,
                     const double *diagonal);
/* x is the right-hand side and the result. */
void block_lu_solve(struct block_lu *lu, double *x);

#endif
