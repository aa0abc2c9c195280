/* SPDX-License-Identifier: Apache-2.0
 *
 * What frames cost: a bed of 100 000 spheres at rest, a frame for every hundred steps, with contacts, all usual
 * quantities, Float64. `wait` is how long the run stands still for a frame, `processor` all that the processor does for
 * it, the thread that writes included, which only counts where no processor is free. Both in processor time, so that
 * what else the machine does counts little, and over the time of a hundred steps. Soft grains are the hard case: their
 * steps are cheap. For them `run` is what a run pays on the clock, on as many threads as there are processors, so that none
 * is free for the thread that writes: a hundred steps with a frame against a hundred without, the best of several.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/bed.h"
#include "bench/bench.h"

enum { TILES = 10, TILES_QUICK = 3, FRAMES = 5, EVERY = 100, WARM_UP = 50, ROUNDS = 7 };

static double processor_seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- soft grains ----------------------------------------------------------------------------- */

static talus_status soft_law(talus_sim *sim, talus_error *err) {
    talus_material grain;
    talus_pair_law law = {.mu_static = bed_mu, .mu_sliding = bed_mu};
    law.soft.stiffness = 1e5;
    law.soft.damping = 20.0;
    law.soft.tangential_stiffness = 3e4;
    law.soft.tangential_damping = 10.0;
    talus_boundary_def floor = talus_boundary_def_default();
    floor.name = "floor";
    floor.normal = (talus_vec3){0.0, 0.0, 1.0};
    talus_status status = talus_material_add(sim, "grain", 1.0, &grain, err);
    if (status >= 0) status = talus_pair_set(sim, 0, 0, &law, err);
    return status >= 0 ? talus_boundary_add(sim, &floor, err) : status;
}

static talus_status soft_grains(talus_sim *sim, const struct bed *bed, int tiles,
                                talus_error *err) {
    size_t count = (size_t)(tiles * tiles) * BED_GRAINS;
    talus_body_def *defs = malloc(count * sizeof *defs);
    if (defs == NULL) return TALUS_ERR_MEMORY;
    for (size_t k = 0; k < count; k++) {
        size_t tile = k / BED_GRAINS, i = k % BED_GRAINS;
        defs[k] = talus_body_def_default(sim);
        defs[k].radius = bed->radius[i];
        defs[k].position = bed->position[i];
        defs[k].position.x += (double)(tile % (size_t)tiles) * bed->width;
        defs[k].position.y += (double)(tile / (size_t)tiles) * bed->width;
    }
    talus_status status = talus_bodies_add(sim, defs, count, NULL, err);
    free(defs);
    return status;
}

static talus_status soft_bed(const struct bed *bed, int tiles, talus_sim **out, talus_error *err) {
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.gravity.z = -9.81;
    config.dt = 1e-4;
    config.cell.periodic[0] = config.cell.periodic[1] = true;
    config.cell.size = (talus_vec3){tiles * bed->width, tiles * bed->width, 0.0};
    talus_status status = talus_sim_create(&config, out, err);
    if (status >= 0) status = soft_law(*out, err);
    return status >= 0 ? soft_grains(*out, bed, tiles, err) : status;
}

/* ---- measuring ------------------------------------------------------------------------------- */

struct cost {
    double steps, wait, processor; /* s, for a hundred steps and for a frame */
    double bytes;
};

static talus_status time_steps(talus_sim *sim, int count, double *seconds, talus_error *err) {
    talus_status status = TALUS_OK;
    double start = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < count && status >= 0; i++) status = talus_sim_step(sim, NULL, err);
    *seconds = processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    return status;
}

/* Frames one after the other: each waits for the last one, so the time of the process holds all. */
static talus_status time_frames(const talus_sim *sim, const char *place, struct cost *cost,
                                talus_error *err) {
    talus_frames *frames = NULL;
    talus_status status = talus_frames_open(place, NULL, &frames, err);
    if (status >= 0)
        status = talus_frames_take(frames, sim, err); /* the first one makes the room */
    if (status >= 0) status = talus_frames_take(frames, sim, err);
    double all = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
    double own = processor_seconds(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < FRAMES && status >= 0; i++) status = talus_frames_take(frames, sim, err);
    cost->wait = (processor_seconds(CLOCK_THREAD_CPUTIME_ID) - own) / FRAMES;
    if (status >= 0) status = talus_frames_close(frames, err);
    /* One frame was still being written when the clock was started. */
    cost->processor = (processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - all) / (FRAMES + 0.5);
    return status;
}

static double file_size(const char *place, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/frames/%s", place, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 0.0;
    double size = fseek(file, 0, SEEK_END) == 0 ? (double)ftell(file) : 0.0;
    fclose(file);
    return size;
}

/* Hundreds of steps without frames and with them in turns. The writing of a frame goes on in the steps behind it, so these
 * are what is timed; `frames` is NULL without. */
static talus_status time_hundred(talus_sim *sim, talus_frames *frames, double *best,
                                 talus_error *err) {
    double start = bench_seconds();
    talus_status status = frames != NULL ? talus_frames_take(frames, sim, err) : TALUS_OK;
    for (int i = 0; i < EVERY && status >= 0; i++) status = talus_sim_step(sim, NULL, err);
    *best = fmin(*best, bench_seconds() - start);
    return status;
}

static talus_status time_run(talus_sim *sim, const char *place, double best[2], talus_error *err) {
    talus_frames *frames = NULL;
    talus_status status = talus_sim_set_threads(sim, (int)sysconf(_SC_NPROCESSORS_ONLN), err);
    if (status >= 0) status = talus_frames_open(place, NULL, &frames, err);
    for (int i = 0; i < 2 && status >= 0; i++) status = talus_frames_take(frames, sim, err);
    for (int round = 0; round < ROUNDS && status >= 0; round++) {
        status = time_hundred(sim, NULL, &best[0], err);
        if (status >= 0) status = time_hundred(sim, frames, &best[1], err);
    }
    talus_status closed = talus_frames_close(frames, err);
    return status < 0 ? status : closed;
}

static talus_status measure_run(struct bench_run *run, talus_sim *sim, talus_error *err) {
    double best[2] = {HUGE_VAL, HUGE_VAL};
    char place[] = "/tmp/talus_bench_XXXXXX", command[64];
    if (mkdtemp(place) == NULL) return TALUS_ERR_FILE;
    talus_status status = time_run(sim, place, best, err);
    snprintf(command, sizeof command, "rm -rf %s", place);
    if (system(command) != 0) return TALUS_ERR_FILE;
    if (status < 0) return status;
    bench_figure(run, "hundred on all threads", best[0], "s");
    bench_ratio(run, "run", best[1] / best[0] - 1.0, "hundred on all threads");
    bench_goal(run, BENCH_AT_MOST, 0.05);
    return TALUS_OK;
}

static talus_status measure_bed(struct bench_run *run, const char *name, talus_sim *sim, int steps,
                                talus_error *err) {
    struct cost cost = {0};
    char place[] = "/tmp/talus_bench_XXXXXX", command[64];
    double unused;
    talus_status status = time_steps(sim, steps < WARM_UP ? steps : WARM_UP, &unused, err);
    if (status >= 0) status = time_steps(sim, steps, &cost.steps, err);
    cost.steps *= (double)EVERY / steps;
    if (mkdtemp(place) == NULL) return TALUS_ERR_FILE;
    if (status >= 0) status = time_frames(sim, place, &cost, err);
    cost.bytes = file_size(place, "particles_000001.vtp") + file_size(place, "contacts_000001.vtp");
    snprintf(command, sizeof command, "rm -rf %s", place);
    if (system(command) != 0) return TALUS_ERR_FILE;
    if (status < 0) return status;
    talus_observables now = talus_sim_observe(sim);
    bench_case(run, name, now.grains, now.contacts, now.residual);
    bench_figure(run, "hundred steps", cost.steps, "s");
    bench_figure(run, "wait", 1e3 * cost.wait, "ms");
    bench_figure(run, "processor", 1e3 * cost.processor, "ms");
    bench_figure(run, "size", 1e-6 * cost.bytes, "MB");
    bench_ratio(run, "wait", cost.wait / cost.steps, "hundred steps");
    bench_goal(run, BENCH_AT_MOST, 0.05);
    bench_ratio(run, "processor", cost.processor / cost.steps, "hundred steps");
    return TALUS_OK;
}

static talus_status measure(struct bench_run *run, talus_error *err) {
    static struct bed bed;
    talus_sim *soft = NULL, *rigid = NULL;
    const talus_solver_config solver = talus_config_default().solver;
    int tiles = run->quick ? TILES_QUICK : TILES;
    talus_status status = bed_settle(&bed, err);
    if (status >= 0) status = soft_bed(&bed, tiles, &soft, err);
    if (status >= 0) status = measure_bed(run, "soft bed", soft, EVERY, err);
    if (status >= 0) status = measure_run(run, soft, err);
    if (status >= 0) status = bed_tile(&bed, tiles, &solver, &rigid, err);
    if (status >= 0) status = measure_bed(run, "rigid bed", rigid, EVERY / 5, err);
    talus_sim_destroy(soft);
    talus_sim_destroy(rigid);
    return status;
}

const struct bench frames_bench = {
    "frames", "what a frame for every hundred steps costs, at 100 000 grains", measure};
