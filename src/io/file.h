/* SPDX-License-Identifier: Apache-2.0
 *
 * Result files whose every byte is known to have arrived. A file written once is made under a
 * temporary name and renamed when complete, so a reader never sees half of it and an old one
 * survives a full disk. A growing file (series, log) is written in place and flushed row by row,
 * so an interrupted run keeps its rows.
 */
#ifndef IO_FILE_H
#define IO_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "talus/status.h"

enum { FILE_PATH = 4096 };

enum file_kind {
    FILE_WHOLE,
    FILE_GROWING,
    FILE_QUICK /* whole, but not synced: many files, of which the last ones may be lost with the machine's power */
};

struct file {
    FILE *stream; /* NULL = closed */
    enum file_kind kind;
    char path[FILE_PATH];    /* where it ends up */
    char written[FILE_PATH]; /* where it is written now */
};

talus_status file_path(char path[FILE_PATH], const char *directory, const char *name,
                       talus_error *err);

/* Only its names: for those who write it without a stream. */
talus_status file_names(struct file *file, const char *directory, const char *name,
                        enum file_kind kind, talus_error *err);
talus_status file_open(struct file *file, const char *directory, const char *name,
                       enum file_kind kind, talus_error *err);

/* Go on with a growing file: after its first `length` bytes, what is behind them is cut off; < 0: at its end, in a new one if
 * there is none. Nothing has changed when this fails. */
talus_status file_reopen(struct file *file, const char *directory, const char *name, int64_t length,
                         talus_error *err);
/* How much of it there is, all of it on the disk; < 0: that failed. */
int64_t file_sync(struct file *file);

/* Hand everything written so far to the system; fails if anything written before failed. */
talus_status file_flush(struct file *file, talus_error *err);

/* To read what a run has written, a regular file; NULL with the error set otherwise. A pipe is refused at once: whoever opened
 * it would wait for ever. */
FILE *file_read(const char *path, talus_error *err);

/* Flush, close and give the file its final name. After a failure nothing of it is left, except for
 * a growing file, which keeps what arrived. */
talus_status file_close(struct file *file, talus_error *err);

/* Give up: close and remove the temporary. Nothing happens if it is closed. */
void file_discard(struct file *file);

#endif
