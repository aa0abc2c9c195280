/* SPDX-License-Identifier: Apache-2.0
 *
 * What a request asks for. A pure function of text from strangers: no path of a request ever reaches the file system,
 * frames are asked for by number.
 */
#ifndef PAGE_REQUEST_H
#define PAGE_REQUEST_H

#include <stdint.h>

enum page_answer {
    PAGE_HTML,        /* GET / */
    PAGE_RUN,         /* GET /run.json */
    PAGE_SERIES,      /* GET /series.tsv */
    PAGE_SHAPES,      /* GET /shapes */
    PAGE_FRAME,       /* GET /frame/NUMBER */
    PAGE_NOT_FOUND,   /* 404 */
    PAGE_NOT_ALLOWED, /* 405: neither GET nor HEAD */
    PAGE_NOT_OURS     /* 403: the host of the request is not this machine */
};

struct page_request {
    enum page_answer answer;
    int64_t frame;
};

/* `path` is as it was sent, with all its % signs, without what follows a question mark; `host` may be NULL. `port` is
 * ours: a name that leads here by some trick of DNS is refused, so that no other site can read a run. */
struct page_request page_request_read(const char *method, const char *path, const char *host,
                                      int port);

#endif
