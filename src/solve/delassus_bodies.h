/* SPDX-License-Identifier: Apache-2.0
 *
 * What W is made of, where that is known: W = J M^-1 J^T, for each contact what it sees of the motion of its two bodies,
 * and what its impulses do to them. Newton's equations can then be solved for the motion of the bodies instead of the
 * impulses,
 *     left (J z) + A x = F,  z = M^-1 J^T x     =>     (1 + M^-1 J^T G J) z = M^-1 J^T A^-1 F,   G = A^-1 left
 *     x = A^-1 F - G J z
 * A and left have a block for each contact. There are fewer bodies than contacts, each has fewer neighbours than a contact
 * has, and one with very many contacts is one row instead of a full block.
 */
#ifndef SOLVE_DELASSUS_BODIES_H
#define SOLVE_DELASSUS_BODIES_H

#include "math/block_lu.h"
#include "math/sparse.h"

enum { BODY_NUMBERS_MOST = 6 };

struct delassus_bodies {
    struct memory *memory;
    size_t count, contacts; /* bodies that move; contacts */
    int dim, rows;          /* numbers of a motion: 3 in a plane, 6 in space; of a contact */
    int32_t *body;          /* two for each contact; -1: none that moves */
    double *sees;           /* two for each contact, rows x dim: velocity there for a motion */
    double *does;           /* and dim x rows: motion for an impulse there */
};

/* Room, with no body yet. False when memory is refused; free it all the same. */
bool delassus_bodies_make(struct delassus_bodies *bodies, struct memory *memory, int dim, int rows,
                          size_t contacts);
void delassus_bodies_free(struct delassus_bodies *bodies);

/* Factors of 1 + M^-1 J^T G J. */
struct body_factors {
    const struct delassus_bodies *bodies;
    struct memory *memory;
    struct block_lu lu;
    struct sparse pattern; /* which bodies have a contact with each other, or are the same */
    double *block;         /* of M^-1 J^T G J */
    size_t *place;         /* of the blocks of a contact in it: aa, ab, ba, bb */
    double *one, *motion;  /* unit blocks; z */
};

/* `most` blocks of U are allowed. False when memory is refused; free it all the same. */
bool body_factors_make(struct body_factors *factors, const struct delassus_bodies *bodies,
                       struct memory *memory, size_t most);
void body_factors_free(struct body_factors *factors);
/* x of the equations above in the place of F; left and A are used up. False: there is none, or it is late. */
bool body_factors_step(struct body_factors *factors, double *left, double *a, double *f);

#endif
