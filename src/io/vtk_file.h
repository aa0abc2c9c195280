/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames as files for ParaView and OVITO: particles_000007.vtp and so on, bound together by frame_000007.vtm, and these
 * by frames.pvd with their times. Numbers are inline base64: OVITO reads no other binary form (docs/decisions/0013).
 * The reader reads what the writer writes, exactly, and refuses all else with the name of the file and the reason.
 */
#ifndef IO_VTK_FILE_H
#define IO_VTK_FILE_H

#include "io/file.h"
#include "io/frame.h"

/* ---- one block ------------------------------------------------------------------------------- */

talus_status vtp_write(const struct frame_block *block, const char *directory, const char *name,
                       talus_error *err);
/* Arrays belong to the memory given; what the block held before is kept as room. */
talus_status vtp_read(struct frame_block *block, struct memory *memory, const char *path,
                      talus_error *err);

/* ---- one frame ------------------------------------------------------------------------------- */

void vtk_frame_name(char name[FRAME_FILE], int64_t number);
/* All blocks that are present, then the .vtm. */
talus_status vtk_frame_write(const struct frame *frame, const char *directory, int64_t number,
                             talus_error *err);
/* `path`: of a .vtm. */
talus_status vtk_frame_read(struct frame *frame, const char *path, talus_error *err);

/* ---- all frames ------------------------------------------------------------------------------ */

#define VTK_LIST_NAME "frames.pvd"

struct vtk_list {
    struct memory memory;
    struct vtk_list_entry {
        double time;
        char file[FRAME_FILE];
    } * entries;
    size_t count, capacity;
};

talus_status vtk_list_add(struct vtk_list *list, double time, const char *file, talus_error *err);
talus_status vtk_list_write(const struct vtk_list *list, const char *directory, talus_error *err);
talus_status vtk_list_read(struct vtk_list *list, const char *path, talus_error *err);
void vtk_list_free(struct vtk_list *list);

/* Is this a file that a run writes into its directory of frames? */
bool vtk_is_frame_file(const char *name);

#endif
