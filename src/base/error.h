/* SPDX-License-Identifier: Apache-2.0
 * Filling in talus_error, and handing a failed status up. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "talus/status.h"

#if defined(__GNUC__)
#define BASE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define BASE_PRINTF(text, first)
#endif

/* Set status and message (err may be NULL) and return the status. */
talus_status error_set(talus_error *err, talus_status status, const char *format, ...)
    BASE_PRINTF(3, 4);

talus_status error_memory(talus_error *err);

/* Return a negative status to the caller at once. */
#define TALUS_TRY(call)                          \
    do {                                         \
        talus_status try_status_ = (call);       \
        if (try_status_ < 0) return try_status_; \
    } while (0)

#endif
