/* SPDX-License-Identifier: Apache-2.0
 * Frames again as frames: a selection of them, or the final state of a run that kept none, in a directory NAME. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "io/export.h"

static talus_status start(struct export *export, talus_error *err) {
    char path[FILE_PATH];
    TALUS_TRY(file_path(path, export->directory, export->stem, err));
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return error_set(err, TALUS_ERR_FILE, "%s: the directory cannot be created: %s", path,
                         strerror(errno));
    memcpy(export->directory, path, sizeof path);
    return TALUS_OK;
}

static talus_status add(struct export *export, const struct frame *frame, talus_error *err) {
    char name[FRAME_FILE];
    vtk_frame_name(name, (int64_t) export->frames);
    TALUS_TRY(vtk_frame_write(frame, export->directory, (int64_t) export->frames, err));
    return vtk_list_add(&export->list, frame->time, name, err);
}

static talus_status finish(struct export *export, talus_error *err) {
    char path[FILE_PATH];
    TALUS_TRY(vtk_list_write(&export->list, export->directory, err));
    TALUS_TRY(file_path(path, export->directory, VTK_LIST_NAME, err));
    export_made(export, path);
    return TALUS_OK;
}

const struct export_format export_vtp = {"vtp", "ParaView and OVITO: a directory NAME of frames",
                                         start, add, finish};
