/* SPDX-License-Identifier: Apache-2.0
 * What `auto` needs of the interior point solver beyond what every solver has. */
#ifndef SOLVE_DELASSUS_INTERIOR_H
#define SOLVE_DELASSUS_INTERIOR_H

#include "math/block_lu.h"
#include "solve/delassus_solver.h"

enum { DELASSUS_INTERIOR_STEPS = 15 }; /* of a round, each with a factorisation: about */

/* From here on only sweeps. */
void delassus_interior_sweep(struct delassus_run *run);
/* What a round will take, about, in sweeps. */
double delassus_interior_work(const struct delassus *problem, const struct block_lu *lu);

#endif
