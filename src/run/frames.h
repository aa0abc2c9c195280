/* SPDX-License-Identifier: Apache-2.0
 * Frames of a run: frames/ in its directory. */
#ifndef RUN_FRAMES_H
#define RUN_FRAMES_H

#include "io/frame_writer.h"
#include "scene/scene.h"

struct run;

struct run_frames {
    struct frame_writer writer;
    double next;       /* s, when the next one is due */
    int64_t last_step; /* after which the last one was taken */
};

/* One if the scene wants frames and one is due. The first call, before the first step, begins. */
talus_status run_frames(struct run *run, talus_error *err);
/* One if the scene wants one when this happens. */
talus_status run_frames_event(struct run *run, enum scene_frame_event event, talus_error *err);
/* In a run that goes on: frames up to now stay, later ones are forgotten. When the next one is due the checkpoint knows. */
talus_status run_frames_resume(struct run *run, talus_error *err);
/* Until all that were taken are written; what failed is told again with the next one. */
talus_status run_frames_wait(struct run *run, talus_error *err);
/* The last one is on the disk. */
talus_status run_frames_finish(struct run *run, talus_error *err);

#endif
