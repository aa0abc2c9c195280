/* SPDX-License-Identifier: Apache-2.0
 *
 * Flows, every step warm-started: what a step costs by nsgs and with momentum at the same accuracy.
 *
 *   biaxial    discs in a box, no gravity: the right wall presses, the top comes down slowly, I = 1e-3
 *   tilt       a bed of spheres, periodic sideways, whose gravity turns slowly
 *   dam break  discs, or spheres, in a box whose right wall is taken away
 *
 * Accuracy of the slow ones: growth of the mean overlap in diameters, per unit strain or per radian; nothing but
 * unfinished relaxation makes overlaps. Of the dam break: error of the force that the grains below any height bear, over
 * the weight, against the same step solved to the end from the same state and first guess (cold_error in
 * bench/cold.h); root mean square over some steps.
 * The slow ones are also run with momentum across steps (solver.carry).
 * Each solver runs through a ladder of sweeps per step. Costs are compared at the accuracy that nsgs has at one
 * rung, for the others by interpolation.
 */
#ifndef BENCH_WARM_H
#define BENCH_WARM_H

#include "bench/bench.h"

talus_status warm_measure(struct bench_run *run, talus_error *err);

#endif
