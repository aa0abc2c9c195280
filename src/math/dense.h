/* SPDX-License-Identifier: Apache-2.0
 * Dense square systems of any size: LU with row pivoting. */
#ifndef MATH_DENSE_H
#define MATH_DENSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In place, row by row; false if a pivot is below `least` times the largest entry: the matrix has no inverse. */
bool dense_factor(double *a, size_t n, int32_t *pivot, double least);
/* a as dense_factor left it; x is the right-hand side and the result. */
void dense_solve(const double *a, size_t n, const int32_t *pivot, double *x);

#endif
