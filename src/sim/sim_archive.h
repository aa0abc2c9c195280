/* SPDX-License-Identifier: Apache-2.0
 * What a restart has to know of a simulation. */
#ifndef SIM_SIM_ARCHIVE_H
#define SIM_SIM_ARCHIVE_H

#include "base/archive.h"
#include "sim/sim.h"

/* When reading, `sim` must be made of the same scene, with its materials, shapes and boundaries and nothing else. After
 * a failure it can only be destroyed. Contacts and what was measured of them are there again after the next step. */
void sim_archive(talus_sim *sim, struct archive *archive);

/* soft_archive.c */
void sim_soft_archive(talus_sim *sim, struct archive *archive);

#endif
