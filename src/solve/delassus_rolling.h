/* SPDX-License-Identifier: Apache-2.0
 *
 * The matrix form with rolling friction: what differs from plain friction, contact by contact. Forces and torques have
 * different units, and so do the steps that projected gradients can take along them. Each contact therefore has a
 * length, and torques over it are its forces: with r_R' = r_R/l, u_R' = l u_R, mu_r' = mu_r/l its cone is again one of
 * that kind. Measures are in the units of the problem all the same.
 */
#ifndef SOLVE_DELASSUS_ROLLING_H
#define SOLVE_DELASSUS_ROLLING_H

#include "law/rolling_cone.h"
#include "solve/delassus.h"

struct delassus_own {                                /* of one contact */
    double w[ROLLING_CONE_MOST * ROLLING_CONE_MOST]; /* the symmetric part of the diagonal block */
    double length;                                   /* m: along it W_R is as large as W_T */
};

/* The diagonal blocks. */
void delassus_rolling_prepare(struct delassus *problem);

static inline struct rolling_cone delassus_rolling_cone(const struct delassus *problem, size_t i) {
    return (struct rolling_cone){problem->dim, problem->mu[i], problem->mu_r[i]};
}

/* One contact's part of W r + q. */
void delassus_rolling_row(const struct delassus *problem, size_t i, const double *r, double *u);
/* r_i <- the solution of contact i with the impulses of the others. */
void delassus_rolling_contact(const struct delassus *problem, double *r, size_t i);
/* to = the projection of from - step (u + slip n), in the contact's own unit of torque. */
void delassus_rolling_project(const struct delassus *problem, size_t i, const double *from,
                              const double *u, double step, double slip, double *to);

#endif
