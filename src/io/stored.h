/* SPDX-License-Identifier: Apache-2.0
 * The states that a run has stored: its frames, or its final state if it kept none. */
#ifndef IO_STORED_H
#define IO_STORED_H

#include "io/vtk_file.h"

enum { STORED_NAME = FRAME_NAME * 3 };

struct stored {
    char frames[FILE_PATH]; /* directory of the frames */
    char results[FILE_PATH];
    struct vtk_list list;
    bool only_final; /* a run without frames: the list has final.txt */
};

/* `from`: directory of a run, its frames/, or one frame_N.vtm. Free it in any case. */
talus_status stored_find(struct stored *stored, const char *from, talus_error *err);
void stored_free(struct stored *stored);

talus_status stored_read(const struct stored *stored, size_t number, struct frame *frame,
                         talus_error *err);

/* A number as users give it: negative ones count from the end. */
int64_t stored_number(int64_t number, int64_t count);

/* The name of a "type", "group", "shape", ... by its number, from names.tsv; false if it is not told. */
bool stored_name(const struct stored *stored, const char *what, int64_t number,
                 char name[STORED_NAME]);

#endif
