/* SPDX-License-Identifier: Apache-2.0
 * Frames in the course of a run: when one is due, by time, by steps or by what happens. */
#include "run/frames.h"

#include "run/run.h"
#include "talus/frames.h"

static bool is_wanted(const struct run *run) {
    return run->config->directory != NULL && run->scene->output.frames.wanted;
}

static talus_status start(struct run *run, talus_error *err) {
    const struct scene_frames *wanted = &run->scene->output.frames;
    const struct frame_choice choice = {.quantities = wanted->quantities,
                                        .quantity_count = wanted->quantity_count,
                                        .contacts = wanted->contacts,
                                        .walls = true,
                                        .surfaces = wanted->surfaces,
                                        .float32 = wanted->float32};
    const talus_sim *sim = run->result->sim;
    return frame_writer_start(&run->frames.writer, run->config->directory, &choice,
                              talus_sim_time(sim), err);
}

static bool is_due(const struct run *run) {
    const struct scene_frames *wanted = &run->scene->output.frames;
    const talus_sim *sim = run->result->sim;
    if (wanted->steps > 0) return talus_sim_step_count(sim) % wanted->steps == 0;
    return wanted->every > 0.0 && talus_sim_time(sim) + 0.5 * talus_sim_dt(sim) >= run->frames.next;
}

static talus_status take(struct run *run, talus_error *err) {
    const struct scene_frames *wanted = &run->scene->output.frames;
    const talus_sim *sim = run->result->sim;
    if (wanted->every > 0.0) run->frames.next = run_next_time(sim, wanted->every);
    if (run->frames.last_step == talus_sim_step_count(sim)) return TALUS_OK;
    run->frames.last_step = talus_sim_step_count(sim);
    return frame_writer_take(&run->frames.writer, sim, err);
}

talus_status run_frames(struct run *run, talus_error *err) {
    if (!is_wanted(run)) return TALUS_OK;
    if (!run->frames.writer.open) {
        TALUS_TRY(start(run, err));
        run->frames.last_step = -1;
    }
    return is_due(run) ? take(run, err) : TALUS_OK;
}

talus_status run_frames_event(struct run *run, enum scene_frame_event event, talus_error *err) {
    if (!is_wanted(run) || !run->frames.writer.open) return TALUS_OK;
    return run->scene->output.frames.events & (unsigned)event ? take(run, err) : TALUS_OK;
}

talus_status run_frames_resume(struct run *run, talus_error *err) {
    return is_wanted(run) ? start(run, err) : TALUS_OK;
}

talus_status run_frames_wait(struct run *run, talus_error *err) {
    return frame_writer_wait(&run->frames.writer, err);
}

/* All frames once more in one file for each block; by this thread, as HDF5 wants it. */
static talus_status write_vtkhdf(const struct frame_writer *writer, talus_error *err) {
    char name[FILE_PATH];
    talus_export_config config = talus_export_config_default();
    TALUS_TRY(file_path(name, writer->directory, "frames", err));
    config.from = writer->directory;
    config.format = "vtkhdf";
    config.to = name;
    return writer->list.count > 0 ? talus_export(&config, NULL, err) : TALUS_OK;
}

talus_status run_frames_finish(struct run *run, talus_error *err) {
    struct frame_writer *writer = &run->frames.writer;
    TALUS_TRY(frame_writer_finish(writer, err));
    return writer->open && run->scene->output.frames.vtkhdf ? write_vtkhdf(writer, err) : TALUS_OK;
}
