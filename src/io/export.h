/* SPDX-License-Identifier: Apache-2.0
 * What the writers of other programs' formats share. A writer is one file and one line in export.c. */
#ifndef IO_EXPORT_H
#define IO_EXPORT_H

#include "io/hdf5_file.h"
#include "io/stored.h"
#include "io/vtk_file.h"
#include "talus/frames.h"

enum { EXPORT_TYPES = 256 /* materials whose names are known */ };

struct export {
    char directory[FILE_PATH],
        stem[FRAME_FILE * 4]; /* of the files to be made, without their ending */
    struct file files[2];
    struct hdf5_file hdf5[FRAME_KINDS];
    struct vtk_list list;
    size_t frames;                            /* written so far */
    char types[EXPORT_TYPES][FRAME_NAME * 3]; /* names of the materials; "" = not known */
    struct memory memory;
    int64_t *index; /* of the grains: sorted ids, and where each one stands */
    size_t index_capacity;
    struct export_step {
        double time;
        int64_t step;
        int64_t points[FRAME_KINDS], cells[FRAME_KINDS], corners[FRAME_KINDS];
    } * steps; /* vtkhdf: what each frame adds */
    size_t step_count, step_capacity;
    talus_export_report *report;
};

struct export_format {
    const char *name, *meaning;
    talus_status (*start)(struct export *export, talus_error *err);
    talus_status (*add)(struct export *export, const struct frame *frame, talus_error *err);
    talus_status (*finish)(struct export *export, talus_error *err);
};

extern const struct export_format export_dump, export_xyz, export_csv, export_mercury,
    export_vtkhdf, export_vtp;

/* Open a file of this export: stem and ending. */
talus_status export_open(struct export *export, int file, const char *ending, talus_error *err);
talus_status export_close(struct export *export, talus_error *err); /* all that are open */
void export_made(struct export *export, const char *path);          /* for the report */

/* The box of a frame: periods where it is periodic, else what the grains need. */
struct export_box {
    double low[3], high[3];
    bool periodic[3];
};
struct export_box export_box(const struct frame *frame);

/* Text: a blank and the number, so that it reads back to the same bits. */
void export_number(FILE *to, double value);
void export_value(FILE *to, const struct frame_array *array, size_t i, int k);

#endif
