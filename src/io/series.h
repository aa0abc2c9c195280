/* SPDX-License-Identifier: Apache-2.0
 *
 * series.tsv: one row each output interval, columns named with their units. The observables come
 * first, then force, torque and position of every boundary (NAME.force_x[N] ...), pressure, volume,
 * height and axial stress of every membrane (NAME.pressure[Pa] ...), then mean
 * position and velocity of the tracked groups (NAME.x[m], NAME.vx[m/s] ...), then measures. The same rows can be
 * kept in memory.
 */
#ifndef IO_SERIES_H
#define IO_SERIES_H

#include "base/memory.h"
#include "io/file.h"
#include "talus/sim.h"
#include "talus/table.h"

enum { SERIES_NAME = 112, SERIES_UNIT = TALUS_COLUMN_UNIT };

struct series_column {
    char name[SERIES_NAME];
    char unit[SERIES_UNIT]; /* "" = a pure number */
    double *kept;           /* rows in memory, if wanted */
};

struct series_config {
    const char *directory;    /* NULL = write no file */
    const char *const *track; /* groups */
    size_t track_count;
    const char *const *membranes; /* names */
    size_t membrane_count;
    bool boundaries;
    bool keep;                 /* rows in memory */
    const talus_column *extra; /* further columns, whose values come with each row */
    size_t extra_count;
    int64_t resume_at; /* > 0: go on with a file after so many bytes of it */
};

struct series {
    struct memory memory;
    struct series_column *columns;
    double *row; /* of the values of one row */
    size_t count, boundary_count, membrane_count, track_count, extra_count;
    const char *const *track, *const *membranes; /* of the config: valid while rows are added */
    bool keep;
    size_t rows, row_capacity; /* kept */
    struct file file;
};

/* `series` is zeroed except for memory.refuse_at. After a failure series_free is still due. */
talus_status series_start(struct series *series, const talus_sim *sim,
                          const struct series_config *config, talus_error *err);
talus_status series_add(struct series *series, const talus_sim *sim,
                        const talus_observables *observables, const double *extra,
                        talus_error *err);
talus_status series_finish(struct series *series, talus_error *err);
void series_free(struct series *series);

/* The kept rows of one column by its name without unit; NULL if there is none. */
const double *series_find(const struct series *series, const char *name, size_t *count);

#endif
