/* SPDX-License-Identifier: Apache-2.0
 *
 * Four numbers side by side: three components and one more. Compilers make of them what the machine has; each
 * operation is that of four separate doubles, so the bits do not depend on it.
 */
#ifndef MATH_FOUR_H
#define MATH_FOUR_H

#include "base/inlining.h"

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

/* As a macro and by pointers: functions that return vectors would depend on the machine they are compiled for. */
#define FOUR(at) (*(four *)(void *)(at))
#define FOUR_OF(at) (*(const four *)(const void *)(at))
#define FOUR_SHUFFLE __builtin_shufflevector

/* to[k][l] = from[l][k] */
IN_LOOP void four_transpose(const four from[4], four to[4]) {
    four even_01 = FOUR_SHUFFLE(from[0], from[1], 0, 4, 2, 6);
    four odd_01 = FOUR_SHUFFLE(from[0], from[1], 1, 5, 3, 7);
    four even_23 = FOUR_SHUFFLE(from[2], from[3], 0, 4, 2, 6);
    four odd_23 = FOUR_SHUFFLE(from[2], from[3], 1, 5, 3, 7);
    to[0] = FOUR_SHUFFLE(even_01, even_23, 0, 1, 4, 5);
    to[1] = FOUR_SHUFFLE(odd_01, odd_23, 0, 1, 4, 5);
    to[2] = FOUR_SHUFFLE(even_01, even_23, 2, 3, 6, 7);
    to[3] = FOUR_SHUFFLE(odd_01, odd_23, 2, 3, 6, 7);
}

#endif
