/* SPDX-License-Identifier: Apache-2.0
 * The parameters of a measure from text, "bins=20": of the command line and of a scene. */
#ifndef SCENE_MEASURE_VALUES_H
#define SCENE_MEASURE_VALUES_H

#include "measure/measure.h"

/* Finds the measure; a message with what there is if it does not exist. */
talus_status measure_values_find(const char *name, const struct measure_type **out,
                                 talus_error *err);
/* Defaults, then what is given. */
talus_status measure_values_read(struct measure_values *values, const char *name,
                                 const char *const *texts, size_t count, talus_error *err);

/* One more, "key=value"; nothing changes if it is wrong. */
talus_status measure_values_set(struct measure_values *values, const char *text, talus_error *err);

#endif
