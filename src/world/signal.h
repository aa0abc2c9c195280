/* SPDX-License-Identifier: Apache-2.0
 * A number that depends on time; the world owns the tables of its signals. */
#ifndef WORLD_SIGNAL_H
#define WORLD_SIGNAL_H

#include "base/memory.h"
#include "talus/sim.h"

double signal_value(const talus_signal *signal, double time);
/* The largest size it can have, and the steepest it can change. */
double signal_largest(const talus_signal *signal);
double signal_steepest(const talus_signal *signal);

/* Checks the signal and copies its table. `what` names it in the message. */
talus_status signal_copy(struct memory *memory, const talus_signal *from, const char *what,
                         talus_signal *to, talus_error *err);
void signal_free(struct memory *memory, talus_signal *signal);

#endif
