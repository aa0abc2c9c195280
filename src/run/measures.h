/* SPDX-License-Identifier: Apache-2.0
 * Measures in the course of a run: columns of its series, and tables in measures/. */
#ifndef RUN_MEASURES_H
#define RUN_MEASURES_H

#include "io/file.h"
#include "io/snapshot_frame.h"
#include "scene/scene.h"
#include "talus/table.h"

struct archive;
struct run;

struct run_measures {
    struct memory memory;
    struct live live;
    struct snapshot snapshots[2];
    struct snapshot *now, *before; /* before: of the last row, for those that compare two states */
    bool compares, has_before;
    size_t count;          /* as in the scene */
    struct file *files;    /* of the tables; those with one row have none */
    int64_t *bytes;        /* of these files up to the checkpoint */
    size_t *widths;        /* columns in the series of each one */
    talus_column *columns; /* for the series */
    double *values;        /* of these, in the present row */
    size_t column_count, column_capacity;
};

/* What the scene asks for; NULL if nothing. */
talus_status run_measures_make(struct run *run, talus_error *err);
void run_measures_free(struct run *run);
/* Names of the columns, from the present state; files that a resumed run goes on with. */
talus_status run_measures_open(struct run *run, talus_error *err);
/* Values for the series, and a block more in each table. `regular`: the next row compares with this one; the row that ends
 * a run does not count, since a run that goes on forgets it. */
talus_status run_measures_take(struct run *run, bool regular, talus_error *err);
/* All blocks that were written are on the disk, and counted. */
bool run_measures_sync(struct run *run);
talus_status run_measures_finish(struct run *run, talus_error *err);
void run_measures_archive(struct run *run, struct archive *archive);

#endif
