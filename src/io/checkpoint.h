/* SPDX-License-Identifier: Apache-2.0
 *
 * The archive that is a file: checkpoint.h5, sealed HDF5 (io/seal.h). It is written under another name, synced and renamed, so
 * that at any moment there is a whole one or none. What is in it: docs/restart.md.
 */
#ifndef IO_CHECKPOINT_H
#define IO_CHECKPOINT_H

#include "base/archive.h"
#include "io/hdf5_file.h"
#include "io/seal.h"

/* To be raised when a file of before cannot be read any more. */
enum { CHECKPOINT_VERSION = 1 };

struct checkpoint {
    struct archive archive; /* first: the archive knows its file by it */
    struct hdf5_file file;
    struct seal seal; /* of a file that is read */
};

talus_status checkpoint_create(struct checkpoint *checkpoint, const char *path, talus_error *err);
/* Seal, sync, rename; TALUS_ERR_FILE, or what went wrong before. Nothing is left of a file that failed. */
talus_status checkpoint_finish(struct checkpoint *checkpoint, talus_error *err);

/* The whole file is checked before anything is read. `path`: a file, or a directory that holds checkpoint.h5. */
talus_status checkpoint_open(struct checkpoint *checkpoint, const char *path, talus_error *err);
void checkpoint_close(struct checkpoint *checkpoint);

#endif
