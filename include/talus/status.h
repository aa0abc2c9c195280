/* SPDX-License-Identifier: Apache-2.0
 *
 * What every fallible call of Talus returns.
 *
 * Zero is success. A positive status means the result is usable but a number in the report deserves
 * a look (not converged, large overlap, time step too long). A negative status means the call had no
 * effect; the message in talus_error names the field, its value and what is allowed.
 */
#ifndef TALUS_STATUS_H
#define TALUS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum talus_status {
    TALUS_OK = 0,
    TALUS_WARN_NOT_CONVERGED = 1, /* the solver met its cap before its stopping rule */
    TALUS_WARN_OVERLAP = 2,       /* grains overlap by more than the configured bound */
    TALUS_WARN_TIME_STEP = 3,     /* max|v| dt is large against the smallest radius */
    TALUS_WARN_INTERRUPTED = 4,   /* the caller asked to stop; results so far are complete */
    TALUS_ERR_INPUT = -1,         /* a value the user gave is wrong */
    TALUS_ERR_MEMORY = -2,        /* the allocator refused */
    TALUS_ERR_DIVERGED = -3,      /* a velocity or position is not finite */
    TALUS_ERR_FILE = -4,          /* a file or directory could not be read or written */
    TALUS_ERR_UNKNOWN_NAME = -5   /* no such law, shape, solver, ... */
} talus_status;

enum { TALUS_ERROR_TEXT = 4096 };

/* Owned by the caller, may be NULL wherever it is asked for. Scene errors hold one line for each
 * mistake found, so the text can be long. */
typedef struct talus_error {
    talus_status status;
    char text[TALUS_ERROR_TEXT];
} talus_error;

/* The exit code of the program for a status: 0 ok, 1 wrong input, 2 numerical stop, 3 files or system. */
int talus_status_exit_code(talus_status status);

/* A short fixed name: "ok", "not converged", ... */
const char *talus_status_name(talus_status status);

#ifdef __cplusplus
}
#endif
#endif
