/* SPDX-License-Identifier: Apache-2.0
 * Bytes in memory that grow as they are written, also through a stream, for what writes to streams. */
#ifndef PAGE_BYTES_H
#define PAGE_BYTES_H

#include <stdio.h>

#include "base/memory.h"
#include "talus/status.h"

struct bytes {
    struct memory memory;
    unsigned char *data;
    size_t count, capacity;
};

/* Room for so many more, which are zero; NULL: there is no memory. */
void *bytes_extend(struct bytes *bytes, size_t more);
talus_status bytes_put(struct bytes *bytes, const void *data, size_t count, talus_error *err);
void bytes_free(struct bytes *bytes);

/* What is written to the stream is added; a write fails where memory does. NULL: there is no memory. */
FILE *bytes_stream(struct bytes *bytes);
/* Closes it; an error if anything written to it did not arrive. */
talus_status bytes_stream_end(FILE *stream, talus_error *err);

#endif
