/* SPDX-License-Identifier: Apache-2.0
 *
 * Towers, walls, beams. Where blocks stand on one another, or round grains that resist rolling, the error of the moments that bend
 * them shows in single contacts by the fourth power of grain over height only, and neither residual nor balance sees enough of it. Such
 * a structure is found by its depth, the least number of contacts that bear moments between a body and what does not turn,
 * and by how many there are for each level of it (docs/theory/convergence.md).
 */
#ifndef SOLVE_SLENDER_H
#define SOLVE_SLENDER_H

#include "solve/problem.h"

/* By which share of the tolerance the sweeps should stop: 1, or (width/(2 depth))^2 of something slender. `depth` is scratch,
 * one for each body. */
double slender_share(const struct problem *problem, talus_index *depth);

#endif
