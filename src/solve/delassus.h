/* SPDX-License-Identifier: Apache-2.0
 *
 * The contact problem in matrix form, with the bodies eliminated:
 *     u = W r + q,    every contact obeying volume exclusion and Coulomb friction (law/cone.h)
 * W (Delassus' operator) is stored in sparse rows of d x d blocks, normal first, as it was given: it may be
 * singular or not quite symmetric. This is the form in which contact problems are exchanged (docs/theory/
 * fclib.md); problem.h is the form of our own steps.
 *
 * With rolling friction (law/rolling_cone.h) a contact has more numbers, behind normal and tangents: 3 in a plane, 5 in
 * space. What differs then is in delassus_rolling.h.
 */
#ifndef SOLVE_DELASSUS_H
#define SOLVE_DELASSUS_H

#include "base/memory.h"
#include "law/cone.h"
#include "math/sparse.h"

struct body_factors;

struct delassus {
    struct memory *memory;
    struct body_factors *bodies; /* what W is made of, to be factorised by that; NULL: not known */
    int dim;                     /* numbers of a contact: 2 or 3; with rolling friction 3 or 5 */
    size_t count;                /* contacts */
    size_t block_count;          /* of W */
    size_t *start;               /* first block of each row; count + 1 */
    int32_t *column;             /* ascending within a row; the diagonal block is always there */
    size_t *diagonal;            /* its place */
    double *block;               /* dim x dim each, row by row */
    double *q;                   /* dim count, m/s */
    double *mu;                  /* count */
    double *mu_r;                /* count, m; NULL: no rolling friction */
    struct cone
        *cone; /* the diagonal blocks, ready for the local solution; not with rolling friction */
    struct delassus_own *own; /* the same for rolling friction */
    double q_norm;
    double own_largest; /* of delassus_own_size */
    double mu_largest;
    double asymmetry; /* max |W - W^T| over max |W| */
};

struct delassus_friction { /* coefficients, count each */
    const double *mu;
    const double *mu_r; /* m; NULL: no rolling friction */
};

/* From W in scalar rows; `w` has dim count rows and columns. False when memory is refused. */
bool delassus_make(struct delassus *problem, struct memory *memory, int dim, size_t count,
                   const struct sparse *w, const double *q, struct delassus_friction friction);
void delassus_free(struct delassus *problem);

static inline size_t delassus_size(const struct delassus *problem) {
    return (size_t)problem->dim * problem->count;
}

static inline bool delassus_rolls(const struct delassus *problem) {
    return problem->mu_r != NULL;
}

/* u = W r + q */
void delassus_velocity(const struct delassus *problem, const double *r, double *u);

/* From here on without rolling friction. One contact's part of W r + q. */
vec3 delassus_row(const struct delassus *problem, size_t contact, const double *r);

static inline vec3 delassus_get(const struct delassus *problem, const double *r, size_t contact) {
    const double *part = &r[(size_t)problem->dim * contact];
    return vec3_make(part[0], part[1], problem->dim == 3 ? part[2] : 0.0);
}

static inline void delassus_set(const struct delassus *problem, double *r, size_t contact,
                                vec3 value) {
    double *part = &r[(size_t)problem->dim * contact];
    part[0] = value.x;
    part[1] = value.y;
    if (problem->dim == 3) part[2] = value.z;
}

/* ---- with any friction ------------------------------------------------------------------------ */

/* How long a step of projected gradients a contact can take alone: 1/largest eigenvalue of its own block; 0 where
 * nothing moves. */
double delassus_own_step(const struct delassus *problem, size_t contact);
/* The trace of its own block: a bound for that eigenvalue. */
double delassus_own_size(const struct delassus *problem, size_t contact);
/* s of the measure, from the velocities of r, for each contact. */
void delassus_slips(const struct delassus *problem, const double *r, double *slip);

/* How far (r, u = W r + q) is from the law: docs/theory/fclib.md. */
struct delassus_measure {
    double natural; /* || r - Proj_K(r - (u + s n)) ||, unit step; s = mu |u_t| (+ mu_r |u_r|) */
    double q;       /* over ||q||; with q = 0 the plain norm */
    double siconos; /* over max(||q||, ||r||, ||u||); with all zero the plain norm */
    double normal, friction; /* the two laws apart, each contact by its own mass, over ||q|| */
    double worst;            /* of q and, with their own thresholds, normal and friction */
    double rank;  /* the same with q over 1 + mu: which of two is the better one, see below */
    double floor; /* of q: below it r - u cannot be told from r */
};

/* `worst` counts normal and friction with this share: they may be larger than the tolerance by its inverse. */
#define DELASSUS_APART_SHARE 0.1

/* A slip of e by contacts that should rest is mu e in the natural map. Where mu is large, impulses that keep bodies apart
 * with a slip of 1e-6 would therefore lose against no impulses at all. So `rank` takes q by 1 + the largest mu. */

/* One function for every solver. `u` is computed from r and left there. */
struct delassus_measure delassus_measure(const struct delassus *problem, const double *r,
                                         double *u);

/* What rounding alone can make of `q` at these impulses: machine epsilon times what is added up, over ||q||. */
double delassus_rounding(const struct delassus *problem, const double *r);

/* ||r|| over what stops each contact alone, || q_i/W_ii ||: grows without bound where there is no solution. */
double delassus_growth(const struct delassus *problem, const double *r);

/* A power of two that brings ||q|| near 1: with it the squares of q neither overflow nor vanish, and no bit changes. */
double delassus_unit(const struct delassus *problem);

#endif
