/* SPDX-License-Identifier: Apache-2.0
 * What measures of stored states and those in the course of a run share. */
#ifndef RUN_MEASURE_H
#define RUN_MEASURE_H

#include <stdbool.h>

#include "talus/table.h"

/* Rows of a block behind those that are there, with a column of time before them if `timed`. An empty table gets columns and notes. */
talus_status measure_append(talus_table *out, const talus_table *block, bool timed, double time,
                            talus_error *err);

#endif
