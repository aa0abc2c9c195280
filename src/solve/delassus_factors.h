/* SPDX-License-Identifier: Apache-2.0
 * The factors that `proximal` and `interior` work with: of matrices with the pattern of W. */
#ifndef SOLVE_DELASSUS_FACTORS_H
#define SOLVE_DELASSUS_FACTORS_H

#include "math/block_lu.h"
#include "solve/delassus.h"

static inline struct block_rows delassus_block_rows(const struct delassus *problem) {
    return (struct block_rows){problem->count, problem->start, problem->column, problem->block};
}

/* Beyond these the factors are `too_large`: rows, whose square in bits it takes to find their order (134 MB), and numbers
 * of the factors (160 MB). */
enum { DELASSUS_FACTORS_ROWS = 32768, DELASSUS_FACTORS_NUMBERS = 20000000 };

/* False when memory is refused. */
static inline bool delassus_factors_make(struct block_lu *lu, const struct delassus *problem,
                                         struct memory *memory) {
    struct block_rows rows = delassus_block_rows(problem);
    size_t most = (size_t)(DELASSUS_FACTORS_NUMBERS / (2 * problem->dim * problem->dim));
    *lu = (struct block_lu){.too_large = problem->count > DELASSUS_FACTORS_ROWS};
    return lu->too_large || block_lu_make(lu, memory, problem->dim, &rows, most);
}

#endif
