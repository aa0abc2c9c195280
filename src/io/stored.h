/* SPDX-License-Identifier: Apache-2.0
 * The states that a run has stored: its frames, or its final state if it kept none. */
#ifndef IO_STORED_H
#define IO_STORED_H

#include "io/vtk_file.h"

struct stored {
    char frames[FILE_PATH];  /* directory of the frames */
    char results[FILE_PATH]; /* directory of the run */
    struct vtk_list list;
    bool only_final; /* a run without frames */
};

/* `from`: directory of a run, its frames/, or one frame_N.vtm. stored_free is due in any case. */
talus_status stored_find(struct stored *stored, const char *from, talus_error *err);
talus_status stored_read(const struct stored *stored, size_t number, struct frame *frame,
                         talus_error *err);
void stored_free(struct stored *stored);

/* Frames first, first + step, ... before stop; negative: from the end. */
struct stored_choice {
    int64_t first, stop, step;
};
/* With first and stop inside the frames that are there; an error if that leaves none. `from` is for the message. */
talus_status stored_choose(const struct stored *stored, struct stored_choice *choice,
                           const char *from, talus_error *err);

/* final.txt and final_contacts.txt of a run as a frame. */
talus_status stored_read_final(struct frame *frame, const char *directory, talus_error *err);

#endif
