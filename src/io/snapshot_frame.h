/* SPDX-License-Identifier: Apache-2.0
 * From a frame to what measures look at. Frames of a running simulation go the same way as those of files, so a measure gives
 * the same bits for both. */
#ifndef IO_SNAPSHOT_FRAME_H
#define IO_SNAPSHOT_FRAME_H

#include "io/frame.h"
#include "measure/snapshot.h"

talus_status snapshot_from_frame(struct snapshot *snapshot, const struct frame *frame,
                                 talus_error *err);

/* What a running simulation needs for it, kept from one look to the next. */
struct live {
    struct frame frame;
    struct frame_room room;
};
talus_status snapshot_from_sim(struct snapshot *snapshot, struct live *live, const talus_sim *sim,
                               talus_error *err);
void live_free(struct live *live);

#endif
