/* SPDX-License-Identifier: Apache-2.0
 * What `auto` needs of the proximal solver beyond what every solver has. */
#ifndef SOLVE_DELASSUS_PROXIMAL_H
#define SOLVE_DELASSUS_PROXIMAL_H

#include "solve/delassus_solver.h"

/* Go on from other impulses. */
void delassus_proximal_start(struct delassus_run *run, const double *r);
/* The same where they are not far from right: steep cones are not climbed to, and steps begin with this alpha; less goes
 * further. */
void delassus_proximal_start_near(struct delassus_run *run, const double *r, double alpha);
/* Are there cones so steep that it climbs to them? Nothing else solves such problems, and it goes its own way. */
bool delassus_proximal_climbs(const struct delassus *problem);
/* Its factors, for others between its turns; NULL if it only sweeps. */
struct block_lu *delassus_proximal_lu(struct delassus_run *run);
/* What an iteration will take, about: s. */
double delassus_proximal_seconds(const struct delassus_run *run);

#endif
