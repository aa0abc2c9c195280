/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

talus_status error_set(talus_error *err, talus_status status, const char *format, ...) {
    if (err == NULL) return status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
    err->status = status;
    return status;
}

talus_status error_memory(talus_error *err) {
    return error_set(err, TALUS_ERR_MEMORY, "out of memory");
}

int talus_status_exit_code(talus_status status) {
    switch (status) {
    case TALUS_ERR_INPUT:
    case TALUS_ERR_UNKNOWN_NAME: return 1;
    case TALUS_ERR_DIVERGED: return 2;
    case TALUS_ERR_MEMORY:
    case TALUS_ERR_FILE: return 3;
    default: return 0;
    }
}

const char *talus_status_name(talus_status status) {
    switch (status) {
    case TALUS_OK: return "ok";
    case TALUS_WARN_NOT_CONVERGED: return "not converged";
    case TALUS_WARN_OVERLAP: return "large overlap";
    case TALUS_WARN_TIME_STEP: return "time step too long";
    case TALUS_WARN_INTERRUPTED: return "interrupted";
    case TALUS_ERR_INPUT: return "wrong input";
    case TALUS_ERR_MEMORY: return "out of memory";
    case TALUS_ERR_DIVERGED: return "diverged";
    case TALUS_ERR_FILE: return "file error";
    case TALUS_ERR_UNKNOWN_NAME: return "unknown name";
    }
    return "unknown status";
}
