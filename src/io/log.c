/* SPDX-License-Identifier: Apache-2.0 */
#include "io/log.h"

#include <stdarg.h>

#include "base/clock.h"

talus_status log_open(struct log *log, const char *directory, talus_error *err) {
    log->start = clock_seconds();
    return file_open(&log->file, directory, "log.txt", FILE_GROWING, err);
}

talus_status log_reopen(struct log *log, const char *directory, double seconds, talus_error *err) {
    log->start = clock_seconds() - seconds;
    return file_reopen(&log->file, directory, "log.txt", -1, err);
}

void log_line(struct log *log, const char *format, ...) {
    if (log->file.stream == NULL) return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(log->file.stream, "[%10.3f] ", clock_seconds() - log->start);
    vfprintf(log->file.stream, format, arguments);
    fputc('\n', log->file.stream);
    fflush(log->file.stream); /* a failure stays in the stream's error flag */
    va_end(arguments);
}

talus_status log_close(struct log *log, talus_error *err) {
    if (log->file.stream == NULL) return TALUS_OK;
    return file_close(&log->file, err);
}
