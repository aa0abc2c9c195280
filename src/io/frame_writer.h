/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames of a run into its directory frames/. A frame is taken at once and written by a thread of its own while the run
 * goes on; the next one waits for it. What cannot be written is told by the next call.
 */
#ifndef IO_FRAME_WRITER_H
#define IO_FRAME_WRITER_H

#include <pthread.h>
#include <stdatomic.h>

#include "io/vtk_file.h"

#define FRAME_DIRECTORY "frames"

struct frame_writer {
    bool open;
    char directory[FILE_PATH];
    struct frame_choice choice;
    struct frame_shapes shapes;
    struct frame_room room;
    struct frame frames[2]; /* one is written while the other is taken */
    atomic_bool written;    /* the thread has done with its frame */
    int taken;              /* the one that was taken last */
    int64_t number;         /* of the frame that was taken last */
    struct vtk_list list;   /* of what is written */
    size_t named;           /* groups, materials, boundaries and shapes in names.tsv */
    pthread_t thread;
    bool running;
    talus_status status; /* of the last write, and why it failed */
    talus_error error;
};

/* Makes the directory in that of the run. Frames up to `time` that are already there (a run that is carried on) stay;
 * the next ones follow them, and take the place of later ones. */
talus_status frame_writer_start(struct frame_writer *writer, const char *run_directory,
                                const struct frame_choice *choice, double time, talus_error *err);
talus_status frame_writer_take(struct frame_writer *writer, const talus_sim *sim, talus_error *err);
/* Until the frame that is being written is written; what failed is told again by the next call. */
talus_status frame_writer_wait(struct frame_writer *writer, talus_error *err);
/* Wait for the last one. Nothing happens if the writer is not open. */
talus_status frame_writer_finish(struct frame_writer *writer, talus_error *err);
void frame_writer_free(struct frame_writer *writer);

/* What names.tsv holds. */
void frame_names_put(FILE *to, const talus_sim *sim);

/* Remove the frames of an earlier run; what else is in their directory stays. */
talus_status frame_directory_clear(const char *run_directory, talus_error *err);

#endif
