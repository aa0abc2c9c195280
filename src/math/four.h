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

/* Eight numbers, where the machine has such vectors: elsewhere shuffles of them are slow. */
typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));
#define EIGHT(at) (*(eight *)(void *)(at))
#define EIGHT_OF_FOURS(low, high) FOUR_SHUFFLE(low, high, 0, 1, 2, 3, 4, 5, 6, 7)

/* Two transpositions side by side, of the lower and of the upper halves. */
IN_LOOP void eight_transpose(const eight from[4], eight to[4]) {
    eight even_01 = FOUR_SHUFFLE(from[0], from[1], 0, 8, 2, 10, 4, 12, 6, 14);
    eight odd_01 = FOUR_SHUFFLE(from[0], from[1], 1, 9, 3, 11, 5, 13, 7, 15);
    eight even_23 = FOUR_SHUFFLE(from[2], from[3], 0, 8, 2, 10, 4, 12, 6, 14);
    eight odd_23 = FOUR_SHUFFLE(from[2], from[3], 1, 9, 3, 11, 5, 13, 7, 15);
    to[0] = FOUR_SHUFFLE(even_01, even_23, 0, 1, 8, 9, 4, 5, 12, 13);
    to[1] = FOUR_SHUFFLE(odd_01, odd_23, 0, 1, 8, 9, 4, 5, 12, 13);
    to[2] = FOUR_SHUFFLE(even_01, even_23, 2, 3, 10, 11, 6, 7, 14, 15);
    to[3] = FOUR_SHUFFLE(odd_01, odd_23, 2, 3, 10, 11, 6, 7, 14, 15);
}

#define EIGHT_OF(at) (*(const eight *)(const void *)(at))

/* Pairs of numbers, the even ones and the odd ones of both: the machine has an instruction for each. */
#define EIGHT_EVEN_PAIRS(a, b) FOUR_SHUFFLE(a, b, 0, 1, 4, 5, 8, 9, 12, 13)
#define EIGHT_ODD_PAIRS(a, b) FOUR_SHUFFLE(a, b, 2, 3, 6, 7, 10, 11, 14, 15)

/* to[k][l] = from[l][k] */
IN_LOOP void eight_transpose_all(const eight from[8], eight to[8]) {
    for (int odd = 0; odd < 2; odd++) { /* columns 0 2 4 6, then 1 3 5 7 */
        eight two[4], column_04[2], column_26[2];
        for (int k = 0; k < 4; k++)
            two[k] = odd ? FOUR_SHUFFLE(from[2 * k], from[2 * k + 1], 1, 9, 3, 11, 5, 13, 7, 15)
                         : FOUR_SHUFFLE(from[2 * k], from[2 * k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        for (int k = 0; k < 2; k++) {
            column_04[k] = EIGHT_EVEN_PAIRS(two[2 * k], two[2 * k + 1]);
            column_26[k] = EIGHT_ODD_PAIRS(two[2 * k], two[2 * k + 1]);
        }
        to[odd] = EIGHT_EVEN_PAIRS(column_04[0], column_04[1]);
        to[odd + 4] = EIGHT_ODD_PAIRS(column_04[0], column_04[1]);
        to[odd + 2] = EIGHT_EVEN_PAIRS(column_26[0], column_26[1]);
        to[odd + 6] = EIGHT_ODD_PAIRS(column_26[0], column_26[1]);
    }
}

#endif
