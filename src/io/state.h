/* SPDX-License-Identifier: Apache-2.0
 * The state as text: final.txt (grains) and final_contacts.txt, exact to the last bit. */
#ifndef IO_STATE_H
#define IO_STATE_H

#include "talus/sim.h"

talus_status state_write_grains(const talus_sim *sim, const char *directory, talus_error *err);
talus_status state_write_contacts(const talus_sim *sim, const char *directory, talus_error *err);

#endif
