/* SPDX-License-Identifier: Apache-2.0
 * The stored states of a run: its frames, or what final.txt tells of the last one. */
#ifndef IO_STORED_H
#define IO_STORED_H

#include "io/vtk_file.h"

enum { STORED_NAME = FRAME_NAME * 3 };

struct stored {
    char frames[FILE_PATH];  /* directory of the frames */
    char results[FILE_PATH]; /* of the run */
    struct vtk_list list;
    bool only_final; /* a run without frames */
};

/* `from`: directory of a run, its frames/, or one frame_N.vtm. */
talus_status stored_find(struct stored *stored, const char *from, talus_error *err);
void stored_free(struct stored *stored);

/* Numbers as Python counts: negative ones from the end. None left is a mistake. */
struct stored_range {
    int64_t first, stop;
};
talus_status stored_choose(const struct stored *stored, int64_t first, int64_t stop,
                           struct stored_range *range, talus_error *err);
talus_status stored_read(const struct stored *stored, size_t number, struct frame *frame,
                         talus_error *err);

/* final.txt and final_contacts.txt of a run as a frame. */
talus_status stored_read_final(struct frame *frame, const char *directory, talus_error *err);
/* The facts of its cell beside those of the frame, if final.txt tells them. Who draws the lines of its contacts must know that
 * these were made without a cell. */
talus_status stored_add_final_cell(struct frame *frame, const char *directory, talus_error *err);

/* The same, and its contacts as lines from centre to centre, as frames have them. */
talus_status stored_complete_final(struct frame *frame, const char *directory, talus_error *err);
/* The material of all grains, where the scene has only one; false and "" otherwise. */
bool stored_only_material(const char *directory, char name[STORED_NAME]);

/* The name of a "type", "group", "shape", ... by its number, from names.tsv; false and "" if it is not told. */
bool stored_name(const struct stored *stored, const char *what, int64_t number,
                 char name[STORED_NAME]);

#endif
