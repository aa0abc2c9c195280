/* SPDX-License-Identifier: Apache-2.0
 * What `auto` needs of the interior point solver beyond what every solver has. */
#ifndef SOLVE_DELASSUS_INTERIOR_H
#define SOLVE_DELASSUS_INTERIOR_H

#include "solve/delassus_solver.h"

/* What a round will take, about, s and sweeps; HUGE_VAL where it only sweeps. */
double delassus_interior_seconds(const struct delassus_run *run);
double delassus_interior_work(const struct delassus_run *run);

#endif
