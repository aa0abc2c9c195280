/* SPDX-License-Identifier: Apache-2.0
 * log.txt: what happened during a run and when, in seconds since it began. */
#ifndef IO_LOG_H
#define IO_LOG_H

#include "base/error.h"
#include "io/file.h"

struct log {
    struct file file; /* closed: lines go nowhere */
    double start;     /* clock_seconds() of the beginning */
};

talus_status log_open(struct log *log, const char *directory, talus_error *err);
/* Go on with a log that ended after so many seconds. */
talus_status log_reopen(struct log *log, const char *directory, double seconds, talus_error *err);

/* One line; flushed. A failed write is reported by log_close, so that callers need no test here. */
void log_line(struct log *log, const char *format, ...) BASE_PRINTF(2, 3);

talus_status log_close(struct log *log, talus_error *err);

#endif
