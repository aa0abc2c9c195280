/* SPDX-License-Identifier: Apache-2.0
 * From the last step of a simulation to an FCLIB problem. */
#ifndef IO_FCLIB_SIM_H
#define IO_FCLIB_SIM_H

#include "io/fclib.h"
#include "sim/sim.h"

/* The problem, and the impulses and velocities that the step found for it: memory of fclib->memory, dim times
 * contacts and `freedoms` numbers. On failure too, free all three. */
talus_status fclib_of_step(struct fclib *fclib, const talus_sim *sim, double **r, double **v,
                           talus_error *err);

#endif
