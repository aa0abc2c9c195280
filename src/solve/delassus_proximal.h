/* SPDX-License-Identifier: Apache-2.0
 * What `auto` needs of the proximal solver beyond what every solver has. */
#ifndef SOLVE_DELASSUS_PROXIMAL_H
#define SOLVE_DELASSUS_PROXIMAL_H

#include "solve/delassus_solver.h"

/* Go on from other impulses. */
void delassus_proximal_start(struct delassus_run *run, const double *r);

#endif
