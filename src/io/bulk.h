/* SPDX-License-Identifier: Apache-2.0
 *
 * Large files that nobody reads at once, as frames are: made under a temporary name and renamed when complete, not synced.
 * They go to the disk past the page cache where the disk keeps up, because copying into the cache costs the processor more
 * than all else that is done for a frame; otherwise through it.
 */
#ifndef IO_BULK_H
#define IO_BULK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "io/file.h"

struct bulk {
    struct memory memory;
    char *room;         /* all that was allocated */
    char *buffer;       /* in it, as direct writing wants it: from the start of a page */
    size_t used;        /* bytes in the buffer */
    int descriptor;     /* < 0: closed */
    bool direct;        /* past the page cache */
    double seconds;     /* that direct writes have taken */
    size_t written;     /* bytes in them */
    int trouble;        /* errno of the first write that failed; 0: none */
    struct file naming; /* its names; without a stream */
};

talus_status bulk_open(struct bulk *bulk, const char *directory, const char *name,
                       talus_error *err);
void bulk_put(struct bulk *bulk, const void *bytes, size_t count);
void bulk_print(struct bulk *bulk, const char *format, ...);
/* Room for some bytes, at least one and at most `wanted`, to be filled and then told by bulk_advance. */
char *bulk_room(struct bulk *bulk, size_t wanted, size_t *got);
void bulk_advance(struct bulk *bulk, size_t count);
/* With its final name; after a failure nothing of it is left. */
talus_status bulk_close(struct bulk *bulk, talus_error *err);

#endif
