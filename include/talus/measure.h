/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures of granular matter by name: stress, fabric, force distributions, profiles, ... (docs/measures.md), of stored
 * states and of a running simulation. Both give the same bits. Nothing is changed by looking.
 */
#ifndef TALUS_MEASURE_H
#define TALUS_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "talus/sim.h"
#include "talus/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- taking them ----------------------------------------------------------------------------- */

typedef struct talus_measure_config {
    const char *from; /* directory of a run, its frames/, or one frame_N.vtm; a run without frames
                         has its final state */
    const char *name; /* of the measure: the catalog's kind "measure" */
    const char *const *parameters; /* "key=value", with units: "bins=20", "from=[0, 0, 1 cm]" */
    size_t parameter_count;
    int64_t first; /* frames from this one, the first is 0, negative: from the end; default -1 */
    int64_t stop;  /* up to before this one; default INT64_MAX */
    int64_t step;  /* only every so many; default 1 */
    bool time;     /* a column `time` first, also for one frame; several always have it */
} talus_measure_config;

talus_measure_config talus_measure_config_default(void); /* the last frame */

/* The rows of all frames that are asked for, one after the other. Free the table, also if that was empty before; after a
 * failure it is empty. */
talus_status talus_measure_stored(const talus_measure_config *config, talus_table *out,
                                  talus_error *err);

/* The state now; rows have no time. Measures that compare two states have nothing to compare with. */
talus_status talus_measure_sim(const talus_sim *sim, const char *name,
                               const char *const *parameters, size_t parameter_count,
                               talus_table *out, talus_error *err);

/* Stress carried by the contacts in the last step, of all grains: the measure `stress` as numbers. Pa; N/m in the plane, N on a
 * line; compression positive. */
typedef struct talus_stress {
    double tensor[3][3];
    double pressure; /* trace over dim */
    double volume;   /* of the box around all grains, m^dim */
} talus_stress;

talus_status talus_measure_stress(const talus_sim *sim, talus_stress *out, talus_error *err);

/* ---- what they can be told ------------------------------------------------------------------- */

typedef struct talus_measure_parameter {
    const char *name;
    const char *unit;    /* of a bare number; "" = pure number, word or count */
    const char *initial; /* default as text; "" = none */
    const char *words;   /* what it may be: "x y z"; "" = a number or three */
    const char *meaning;
    double minimum, maximum; /* equal: any */
} talus_measure_parameter;

/* The index-th parameter of a measure; false past the last, or if there is no such measure. */
bool talus_measure_parameter_get(const char *measure, size_t index, talus_measure_parameter *out);

#ifdef __cplusplus
}
#endif
#endif
