/* SPDX-License-Identifier: Apache-2.0
 * The browser page of a run (docs/page.md): served to this machine alone, or written as one file that needs nothing else. */
#ifndef TALUS_PAGE_H
#define TALUS_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "talus/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_page_server_config {
    const char *directory;                               /* of a run; it may still be going on */
    int port;                                            /* 0: any that is free; default 0 */
    void (*started)(const char *address, void *context); /* "http://127.0.0.1:PORT/". May be NULL */
    bool (*stop)(void *context); /* asked about ten times a second; true ends the server */
    void *context;
} talus_page_server_config;

talus_page_server_config talus_page_server_config_default(void);

/* Listens on 127.0.0.1 until stop() says so. Nothing is written. */
talus_status talus_page_serve(const talus_page_server_config *config, talus_error *err);

typedef struct talus_page_file_config {
    const char *directory;
    const char *path;          /* of the file to be written */
    int64_t first, stop, step; /* which frames, as in talus_export_config; default all */
    uint64_t
        limit; /* bytes: with more, every second frame is left out, and again; default 100 MB */
} talus_page_file_config;

typedef struct talus_page_file_report {
    int64_t frames; /* in the file */
    int64_t asked;  /* that were asked for */
    int64_t step;   /* one of so many of those asked for is in the file; the last one always is */
    uint64_t bytes; /* of the file */
} talus_page_file_report;

talus_page_file_config talus_page_file_config_default(void);

/* One file with the page and all its data. An old one of this name is replaced when the new one is complete. */
talus_status talus_page_write(const talus_page_file_config *config, talus_page_file_report *report,
                              talus_error *err);

#ifdef __cplusplus
}
#endif
#endif
