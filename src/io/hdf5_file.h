/* SPDX-License-Identifier: Apache-2.0
 *
 * The few things we do with HDF5 files, each with one clear message. HDF5's own stack of errors is never
 * printed. A file is written under a temporary name and renamed when complete.
 */
#ifndef IO_HDF5_FILE_H
#define IO_HDF5_FILE_H

#include <hdf5.h>
#include <stdbool.h>

#include "base/archive.h"
#include "base/memory.h"
#include "io/file.h"

struct hdf5_file {
    hid_t id; /* < 0 = closed */
    bool writing;
    int seal; /* version of the seal that is to be written; 0 = none */
    char path[FILE_PATH], written[FILE_PATH];
};

/* ---- reading --------------------------------------------------------------------------------- */

/* A file that is there but is not HDF5, or not whole, is the user's mistake (TALUS_ERR_INPUT); one that cannot be
 * opened is TALUS_ERR_FILE. */
talus_status hdf5_open(struct hdf5_file *file, const char *path, talus_error *err);
void hdf5_close(struct hdf5_file *file);

/* Is there an object of this path? Every group on the way is looked at. */
bool hdf5_has(const struct hdf5_file *file, const char *name);

/* Whole arrays, of any shape; *count is what was found. */
talus_status hdf5_read_doubles(const struct hdf5_file *file, const char *name,
                               struct memory *memory, double **out, size_t *count,
                               talus_error *err);
talus_status hdf5_read_integers(const struct hdf5_file *file, const char *name,
                                struct memory *memory, int64_t **out, size_t *count,
                                talus_error *err);
/* One number. */
talus_status hdf5_read_integer(const struct hdf5_file *file, const char *name, int64_t *out,
                               talus_error *err);
/* A text of fixed length, cut to size; "" if it is not there. */
void hdf5_read_text(const struct hdf5_file *file, const char *name, char *text, size_t size);

/* ---- writing --------------------------------------------------------------------------------- */

talus_status hdf5_create(struct hdf5_file *file, const char *path, talus_error *err);
/* The same with room for a seal (io/seal.h) of this version, which hdf5_finish writes. */
talus_status hdf5_create_sealed(struct hdf5_file *file, const char *path, int version,
                                talus_error *err);
/* Groups on the way are made. An error is kept by HDF5's return value only: check the last call and hdf5_finish. */
talus_status hdf5_write_doubles(const struct hdf5_file *file, const char *name,
                                const double *values, size_t count, talus_error *err);
talus_status hdf5_write_integers(const struct hdf5_file *file, const char *name,
                                 const int32_t *values, size_t count, talus_error *err);
talus_status hdf5_write_text(const struct hdf5_file *file, const char *name, const char *text,
                             talus_error *err);
/* Elements of any kind (base/archive.h), with a unit as an attribute; reading fills as many as are asked for and refuses if
 * there are others. */
talus_status hdf5_write_item(const struct hdf5_file *file, const struct archive_item *item,
                             talus_error *err);
talus_status hdf5_read_item(const struct hdf5_file *file, const struct archive_item *item,
                            talus_error *err);
/* Close, and give the file its final name. After a failure nothing of it is left. File and directory are synced. */
talus_status hdf5_finish(struct hdf5_file *file, talus_error *err);
void hdf5_discard(struct hdf5_file *file);

#endif
