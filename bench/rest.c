/* SPDX-License-Identifier: Apache-2.0
 *
 * Does a pile at rest rest? Spheres between walls, default solver. First it is calmed: velocities are set to zero again and again, for
 * a sphere without rolling friction that rolls over the floor does so for ever, and loose ones have to find their place. Then a thousand steps
 * in which nothing should happen: the largest rms velocity of any of them, in units of what gravity would add in one step,
 * growth of the mean overlap, time per step. Bullet on the same pile in the same run, if it is there (bench/peers), with 50
 * iterations: it creeps at about g dt.
 *
 * The pile: pile_27000.txt in the directory of --data; else, or with --quick, a smaller one is made.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/packing.h"
#include "bench/peer.h"

enum {
    CALM_STEPS = 25,
    CALM_BLOCKS = 80,
    STEPS = 1000,
    BULLET_ITERATIONS = 50,
    BULLET_STEPS = 40,
    PATH_SIZE = 1024
};
static const double mu = 0.5, calm = 1e-8; /* calm: of g dt */

struct bullet {
    double step_seconds, rms_velocity, overlap_mean;
};

struct rest {
    double rms_largest, overlap_first, overlap_last, step_seconds, sweeps;
};

static talus_status fail(talus_error *err, const char *what, const char *why) {
    if (err != NULL) {
        err->status = TALUS_ERR_FILE;
        snprintf(err->text, sizeof err->text, "%.150s: %.80s", what, why);
    }
    return TALUS_ERR_FILE;
}

/* ---- Talus ----------------------------------------------------------------------------------- */

static double rms_velocity(const talus_sim *sim, size_t grains) {
    talus_body_view view = talus_sim_bodies(sim);
    double sum = 0.0;
    for (size_t i = view.count - grains; i < view.count; i++) {
        talus_vec3 v = view.velocity[i];
        sum += v.x * v.x + v.y * v.y + v.z * v.z;
    }
    return sqrt(sum / (double)grains);
}

static talus_status calm_down(talus_sim *sim, const struct packing *packing, talus_error *err) {
    talus_status status = TALUS_OK;
    for (int block = 0; block < CALM_BLOCKS && status >= 0; block++) {
        status = talus_group_set_velocity(sim, "grains", (talus_vec3){0, 0, 0}, err);
        for (int step = 0; step < CALM_STEPS && status >= 0; step++)
            status = talus_sim_step(sim, NULL, err);
        if (rms_velocity(sim, packing->count) < calm * packing_gravity * packing_dt) break;
    }
    return status;
}

static talus_status watch(talus_sim *sim, const struct packing *packing, struct rest *out,
                          talus_error *err) {
    talus_step_report report;
    talus_status status = calm_down(sim, packing, err);
    *out = (struct rest){.overlap_first = talus_sim_observe(sim).overlap_mean};
    for (int step = 0; step < STEPS && status >= 0; step++) {
        double start = bench_seconds();
        status = talus_sim_step(sim, &report, err);
        out->step_seconds += (bench_seconds() - start) / STEPS;
        out->sweeps += (double)report.sweeps / STEPS;
        out->rms_largest = fmax(out->rms_largest, rms_velocity(sim, packing->count));
    }
    out->overlap_last = talus_sim_observe(sim).overlap_mean;
    return status;
}

/* ---- Bullet ---------------------------------------------------------------------------------- */

static bool write_pile(const struct packing *packing, FILE *to) {
    fprintf(to, "%zu %.17g %.17g %.17g %.17g\n", packing->count, packing->width, packing_dt, mu,
            packing_gravity);
    for (size_t i = 0; i < packing->count; i++)
        fprintf(to, "%.17g %.17g %.17g %.17g\n", packing->position[i].x, packing->position[i].y,
                packing->position[i].z, packing->radius[i]);
    bool failed = ferror(to) != 0;
    return fclose(to) == 0 && !failed;
}

static void take_line(const char *line, void *context) {
    struct bullet *out = context;
    sscanf(line, "step_seconds %lf", &out->step_seconds);
    sscanf(line, "rms_velocity %lf", &out->rms_velocity);
    sscanf(line, "overlap_mean %lf", &out->overlap_mean);
}

static talus_status run_bullet(char *program, const struct packing *packing, struct bullet *out,
                               talus_error *err) {
    const char *directory = getenv("TMPDIR");
    char path[PATH_SIZE], iterations[16], steps[16];
    char *arguments[] = {program, path, iterations, steps, NULL};
    snprintf(iterations, sizeof iterations, "%d", (int)BULLET_ITERATIONS);
    snprintf(steps, sizeof steps, "%d", (int)BULLET_STEPS);
    snprintf(path, sizeof path, "%s/talus_pile_XXXXXX", directory != NULL ? directory : "/tmp");
    int file = mkstemp(path);
    FILE *to = file >= 0 ? fdopen(file, "w") : NULL;
    if (to == NULL) return fail(err, path, strerror(errno));
    bool good = write_pile(packing, to);
    if (good) good = peer_read(arguments, take_line, out) && out->step_seconds > 0.0;
    unlink(path);
    return good ? TALUS_OK : fail(err, program, "it failed");
}

/* ---- one pile --------------------------------------------------------------------------------- */

static void report_rest(struct bench_run *run, const struct rest *rest) {
    double gravity_step = packing_gravity * packing_dt;
    bench_figure(run, "rms velocity, largest", rest->rms_largest / gravity_step, "of g dt");
    bench_goal(run, BENCH_AT_MOST, 1e-6);
    bench_figure(run, "overlap, mean", rest->overlap_last, "diameters");
    /* zero but for rounding of positions */
    bench_figure(run, "growth of overlap", rest->overlap_last - rest->overlap_first, "diameters");
    bench_goal(run, BENCH_AT_MOST, 1e-12);
    bench_figure(run, "sweeps", rest->sweeps, "a step");
    bench_figure(run, "step", 1e3 * rest->step_seconds, "ms");
}

static void report_bullet(struct bench_run *run, const struct bullet *bullet,
                          const struct rest *rest) {
    double gravity_step = packing_gravity * packing_dt;
    bench_figure(run, "bullet, step", 1e3 * bullet->step_seconds, "ms");
    bench_figure(run, "bullet, rms velocity", bullet->rms_velocity / gravity_step, "of g dt");
    bench_figure(run, "bullet, overlap, mean", bullet->overlap_mean, "diameters");
    bench_ratio(run, "ratio_bullet", bullet->step_seconds / rest->step_seconds,
                "Bullet, 50 iterations");
    bench_goal(run, BENCH_AT_LEAST, 1.0);
}

static talus_status measure_pile(struct bench_run *run, const char *name,
                                 const struct packing *packing, talus_error *err) {
    talus_solver_config solver = talus_config_default().solver;
    talus_sim *sim = NULL;
    struct rest rest;
    struct bullet bullet = {0};
    char program[PATH_SIZE];
    bool has_bullet = peer_find("bullet_spheres", NULL, program, sizeof program);
    talus_status status = packing_make(packing, mu, &solver, &sim, err);
    if (status >= 0) status = watch(sim, packing, &rest, err);
    if (status >= 0 && has_bullet) status = run_bullet(program, packing, &bullet, err);
    if (status >= 0) {
        talus_observables now = talus_sim_observe(sim);
        bench_case(run, name, (int64_t)packing->count, now.contacts, now.residual);
        report_rest(run, &rest);
        if (has_bullet) report_bullet(run, &bullet, &rest);
    }
    talus_sim_destroy(sim);
    return status;
}

static talus_status make_pile(struct packing *packing, size_t count, talus_error *err) {
    const struct packing_plan plan = {.dim = 3, .count = count, .seed = 1, .walls = true};
    talus_status status = packing_deposit(packing, &plan, err);
    return status < 0 ? status : packing_settle(packing, mu, err);
}

static talus_status measure(struct bench_run *run, talus_error *err) {
    struct packing packing;
    char path[PATH_SIZE];
    bool made = run->data == NULL || run->quick;
    if (!made) snprintf(path, sizeof path, "%s/pile_27000.txt", run->data);
    talus_status status = made ? make_pile(&packing, run->quick ? 1000 : 8000, err)
                               : packing_read(&packing, path, err);
    if (status < 0) return status;
    status = measure_pile(run, made ? "pile, made" : "pile", &packing, err);
    packing_free(&packing);
    return status;
}

const struct bench rest_bench = {
    "rest", "a pile of spheres that should rest: velocity, overlaps, time; Bullet beside it",
    measure};
