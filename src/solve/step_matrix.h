/* SPDX-License-Identifier: Apache-2.0
 *
 * The problem of a step (problem.h) in matrix form (delassus.h), for solvers that factorise, and the way back. What
 * cones can say of the laws: friction, rolling friction, and the tension of bonds that do not stand open, for which P_n + L
 * takes the place of P_n. In a plane a contact has two numbers, three with rolling friction; in space three and five.
 */
#ifndef SOLVE_STEP_MATRIX_H
#define SOLVE_STEP_MATRIX_H

#include "solve/delassus.h"
#include "solve/delassus_bodies.h"
#include "solve/problem.h"

struct step_matrix {
    struct memory *memory;
    struct delassus matrix;
    struct delassus_bodies bodies; /* of the matrix */
    struct body_factors factors;   /* and by them */
    bool fits;                     /* there is a matrix */
    talus_index
        *contacts; /* in the problem; contacts that wait or that nothing can move are left out */
    size_t count, room;
    int dim, rows;       /* of the motion, 2 or 3; numbers of a contact */
    double mass, length; /* kg, m: units of impulses, with m/s, and of torques */
    double *impulses;    /* those of the problem */
};

struct step_matrix_limits {
    size_t blocks; /* of W */
    double flops;  /* of a factorisation, for each contact */
};

/* From present impulses and velocities. It fits if all laws are cones and neither limit is passed, which is found before W is made. False when memory is
 * refused; free it all the same. It must not move in memory. */
bool step_matrix_make(struct step_matrix *form, struct memory *memory,
                      const struct problem *problem, struct step_matrix_limits most);
void step_matrix_free(struct step_matrix *form);
/* Impulses r, each cut to what its law allows, become those of the problem, and velocities what belongs to them. Nobody else
 * may have changed them meanwhile. */
void step_matrix_put(struct step_matrix *form, struct problem *problem, const double *r);

#endif
