/* SPDX-License-Identifier: Apache-2.0
 * The last state that a run saved (checkpoint.h5) as a frame, for runs that kept no frames. */
#ifndef RUN_FINAL_STATE_H
#define RUN_FINAL_STATE_H

#include <stdio.h>

#include "io/frame.h"

struct final_state {
    struct frame
        frame; /* grains, walls, membranes; no contacts, and nothing that is made of forces */
    struct frame_block shapes; /* present: some grains are not round */
    struct memory memory;      /* of the shapes */
};

/* `names` receives what names.tsv would hold. final_state_free is due in any case. */
talus_status final_state_read(struct final_state *final, const char *directory, FILE *names,
                              talus_error *err);
void final_state_free(struct final_state *final);

#endif
