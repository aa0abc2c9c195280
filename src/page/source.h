/* SPDX-License-Identifier: Apache-2.0
 * A run as the page sees it: what it is (run.json), its rows, its shapes, its frames. Files are read anew for each
 * question, for the run may still be going on. */
#ifndef PAGE_SOURCE_H
#define PAGE_SOURCE_H

#include <stdint.h>

#include "io/stored.h"
#include "page/bytes.h"
#include "run/final_state.h"

struct source {
    char directory[FILE_PATH];
    struct stored stored;
    struct frame frame; /* room for the one that is asked for */
    bool has_shapes;    /* frames/shapes.vtp is there, or the final state has some */
    struct final_state
        final; /* of a run without frames, from its checkpoint, beside its text files: walls, shapes, names */
    struct bytes names; /* names.tsv */
    bool has_final;
    struct source_mark { /* which file it was */
        uint64_t device, file, size;
        int64_t seconds, nanoseconds; /* when it was written */
    } final_marks[2];                 /* final.txt, checkpoint.h5 */
};

/* A directory in which a run wrote something; there may be no frame yet. source_close is due in any case. */
talus_status source_open(struct source *source, const char *directory, talus_error *err);
void source_close(struct source *source);

/* Which frames there are now. */
talus_status source_refresh(struct source *source, talus_error *err);

/* What `to` held is replaced. */
talus_status source_frame(struct source *source, size_t number, struct bytes *to, talus_error *err);
talus_status source_shapes(const struct source *source, struct bytes *to, talus_error *err);
talus_status source_series(const struct source *source, struct bytes *to, talus_error *err);

/* run.json (docs/page.md). `frames`: the numbers of those to be told of, NULL: all. */
talus_status source_describe(const struct source *source, const size_t *frames, size_t count,
                             struct bytes *to, talus_error *err);

/* A file of the run, to be read; NULL: there is none. An error if it is no file of the run, but a link, a pipe, a device. */
talus_status source_open_file(const char *directory, const char *name, FILE **from,
                              talus_error *err);
/* All of it. */
talus_status source_file(const char *directory, const char *name, bool *there, struct bytes *to,
                         talus_error *err);

#endif
