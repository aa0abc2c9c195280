/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: particle-steps per second on settled piles, by Talus on one thread and on two, and by LAMMPS (Debian's
 * `lmp`, if it is there) with the same law on the same pile in the same run: linear spring and dashpot, tangential
 * spring with history, mu = 0.5, dt = t_c/45, a skin of a tenth of a diameter. Both start from the state that Talus has
 * reached after some hundred steps. LAMMPS scales the damping with the reduced mass, so it is the same for
 * grains of mean size. Rates are the best of several alternating runs.
 *
 * Piles: a bed of spheres in a periodic cell, in copies side by side; with --data also pile_8000.txt and pile_27000.txt
 * of that directory ("n 3 L", then "x y z r": spheres in a box [0, L]^2 with a floor at z = 0).
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bed.h"
#include "bench/bench.h"

enum { PATH_SIZE = 1024, SETTLE = 20000, WARM_UP = 600, REPEATS = 4 };

static const double stiffness = 1e5, damping = 20.0, tangential_share = 2.0 / 7.0; /* N/m, kg/s */
static const double mu = 0.5, gravity = 9.81, steps_of_collision = 45.0;
static const double work = 6e6; /* particle-steps in one timed run, ... */
enum { LEAST_STEPS = 200 };     /* ... but so many steps: lists are made anew every eighty or so */

struct spheres {
    size_t count;
    talus_vec3 *position;
    double *radius;
    double width;
    bool is_periodic; /* along x and y; else between walls */
};

static talus_status fail(talus_error *err, talus_status status, const char *what, const char *why) {
    if (err != NULL) {
        err->status = status;
        snprintf(err->text, sizeof err->text, "%.150s: %.80s", what, why);
    }
    return status;
}

static void spheres_free(struct spheres *spheres) {
    free(spheres->position);
    free(spheres->radius);
}

static talus_status spheres_reserve(struct spheres *spheres, size_t count, talus_error *err) {
    spheres->count = count;
    spheres->position = malloc(count * sizeof *spheres->position);
    spheres->radius = malloc(count * sizeof *spheres->radius);
    if (spheres->position != NULL && spheres->radius != NULL) return TALUS_OK;
    return fail(err, TALUS_ERR_MEMORY, "bench md", "out of memory");
}

static talus_status spheres_tile(struct spheres *spheres, const struct bed *bed, int tiles,
                                 talus_error *err) {
    *spheres = (struct spheres){.width = tiles * bed->width, .is_periodic = true};
    talus_status status = spheres_reserve(spheres, (size_t)(tiles * tiles) * BED_GRAINS, err);
    for (size_t k = 0; k < spheres->count && status >= 0; k++) {
        size_t tile = k / BED_GRAINS, i = k % BED_GRAINS;
        spheres->radius[k] = bed->radius[i];
        spheres->position[k] = bed->position[i];
        spheres->position[k].x += (double)(tile % (size_t)tiles) * bed->width;
        spheres->position[k].y += (double)(tile / (size_t)tiles) * bed->width;
    }
    return status;
}

static talus_status spheres_read(struct spheres *spheres, const char *path, talus_error *err) {
    FILE *from = fopen(path, "r");
    int dim = 0;
    *spheres = (struct spheres){.width = 0.0};
    if (from == NULL) return fail(err, TALUS_ERR_FILE, path, strerror(errno));
    bool good = fscanf(from, "%zu %d %lf", &spheres->count, &dim, &spheres->width) == 3 &&
                dim == 3 && spheres->count < 100000000;
    talus_status status = good ? spheres_reserve(spheres, spheres->count, err) : TALUS_OK;
    for (size_t i = 0; i < spheres->count && good && status >= 0; i++) {
        talus_vec3 *x = &spheres->position[i];
        good = fscanf(from, "%lf %lf %lf %lf", &x->x, &x->y, &x->z, &spheres->radius[i]) == 4;
    }
    fclose(from);
    return good ? status : fail(err, TALUS_ERR_FILE, path, "not a pile of spheres");
}

/* ---- Talus ----------------------------------------------------------------------------------- */

static talus_status add_walls(talus_sim *sim, const struct spheres *spheres, talus_error *err) {
    static const char *const names[5] = {"floor", "left", "right", "front", "back"};
    const talus_vec3 normals[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    talus_status status = TALUS_OK;
    for (int w = 0; w < (spheres->is_periodic ? 1 : 5) && status >= 0; w++) {
        talus_boundary_def def = talus_boundary_def_default();
        def.name = names[w];
        def.normal = normals[w];
        def.point.x = w == 2 ? spheres->width : 0.0;
        def.point.y = w == 4 ? spheres->width : 0.0;
        status = talus_boundary_add(sim, &def, err);
    }
    return status;
}

static talus_status add_grains(talus_sim *sim, const struct spheres *spheres, talus_error *err) {
    talus_body_def *defs = malloc(spheres->count * sizeof *defs);
    if (defs == NULL) return fail(err, TALUS_ERR_MEMORY, "bench md", "out of memory");
    for (size_t i = 0; i < spheres->count; i++) {
        defs[i] = talus_body_def_default(sim);
        defs[i].radius = spheres->radius[i];
        defs[i].position = spheres->position[i];
    }
    talus_status status = talus_bodies_add(sim, defs, spheres->count, NULL, err);
    free(defs);
    return status;
}

static talus_status build(const struct spheres *spheres, talus_sim **out, talus_error *err) {
    talus_config config = talus_config_default();
    talus_material grain;
    talus_sim *sim = NULL;
    config.method = TALUS_METHOD_MD;
    config.gravity.z = -gravity;
    config.cell.periodic[0] = config.cell.periodic[1] = spheres->is_periodic;
    config.cell.size = (talus_vec3){spheres->width, spheres->width, 0.0};
    talus_pair_law law = {.mu_static = mu, .mu_sliding = mu};
    law.soft.stiffness = stiffness;
    law.soft.damping = damping;
    law.soft.tangential_stiffness = tangential_share * stiffness;
    law.soft.tangential_damping = 0.5 * damping;
    talus_status status = talus_sim_create(&config, &sim, err);
    if (status >= 0) status = talus_material_add(sim, "grain", 1.0, &grain, err);
    if (status >= 0) status = talus_pair_set(sim, 0, 0, &law, err);
    if (status >= 0) status = add_walls(sim, spheres, err);
    if (status >= 0) status = add_grains(sim, spheres, err);
    if (status < 0)
        talus_sim_destroy(sim);
    else
        *out = sim;
    return status;
}

/* t_c/45 of two of the smallest grains. */
static double time_step(const struct spheres *spheres) {
    const double pi = 3.141592653589793;
    double smallest = HUGE_VAL;
    for (size_t i = 0; i < spheres->count; i++) smallest = fmin(smallest, spheres->radius[i]);
    double reduced = 2.0 / 3.0 * pi * smallest * smallest * smallest;
    return pi * sqrt(reduced / stiffness) / steps_of_collision;
}

static talus_status advance(talus_sim *sim, int steps, double *seconds, talus_error *err) {
    double start = bench_seconds();
    talus_status status = TALUS_OK;
    for (int i = 0; i < steps && status >= 0; i++) status = talus_sim_step(sim, NULL, err);
    *seconds = bench_seconds() - start;
    return status;
}

/* Particle-steps per second. */
static talus_status rate_talus(talus_sim *sim, size_t count, int steps, int threads, double *best,
                               talus_error *err) {
    double seconds = 0.0;
    talus_status status = talus_sim_set_threads(sim, threads, err);
    if (status >= 0) status = advance(sim, steps, &seconds, err);
    if (status >= 0) *best = fmax(*best, (double)count * steps / seconds);
    return status;
}

/* ---- LAMMPS ---------------------------------------------------------------------------------- */

static bool find_lammps(char *path, size_t size) {
    const char *all = getenv("PATH");
    while (all != NULL && *all != '\0') {
        size_t length = strcspn(all, ":");
        snprintf(path, size, "%.*s/lmp", (int)length, all);
        if (access(path, X_OK) == 0) return true;
        all += length + (all[length] == ':');
    }
    return false;
}

static double largest_height(const struct spheres *spheres) {
    double top = 0.0;
    for (size_t i = 0; i < spheres->count; i++)
        top = fmax(top, spheres->position[i].z + spheres->radius[i]);
    return top;
}

static void write_data(FILE *to, const struct spheres *spheres) {
    double margin = spheres->is_periodic ? 0.0 : 0.5;
    fprintf(to, "settled pile\n\n%zu atoms\n1 atom types\n\n", spheres->count);
    for (int axis = 0; axis < 2; axis++)
        fprintf(to, "%.17g %.17g %clo %chi\n", -margin, spheres->width + margin, "xy"[axis],
                "xy"[axis]);
    fprintf(to, "-1 %.17g zlo zhi\n\nAtoms\n\n", largest_height(spheres) + 1.0);
    for (size_t i = 0; i < spheres->count; i++)
        fprintf(to, "%zu 1 %.17g 1.0 %.17g %.17g %.17g\n", i + 1, 2.0 * spheres->radius[i],
                spheres->position[i].x, spheres->position[i].y, spheres->position[i].z);
}

static void write_wall(FILE *to, const char *law, const char *name, double high) {
    fprintf(to, "fix %s all wall/gran hooke/history %s %s 0 ", name, law, name);
    if (high > 0.0)
        fprintf(to, "%.17g\n", high);
    else
        fprintf(to, "NULL\n");
}

static void write_input(FILE *to, const struct spheres *spheres, const char *data, int steps) {
    const double pi = 3.141592653589793;
    double radius = 0.0;
    for (size_t i = 0; i < spheres->count; i++)
        radius += spheres->radius[i] / (double)spheres->count;
    double reduced = 2.0 / 3.0 * pi * radius * radius * radius;
    char law[256];
    snprintf(law, sizeof law, "%.17g %.17g %.17g %.17g %.17g 1", stiffness,
             tangential_share * stiffness, damping / reduced, 0.5 * damping / reduced, mu);
    fprintf(to, "units si\natom_style sphere\nboundary %s f\nnewton off\ncomm_modify vel yes\n",
            spheres->is_periodic ? "p p" : "f f");
    fprintf(to, "read_data %s\nneighbor %.17g bin\nneigh_modify every 1 delay 0 check yes\n", data,
            0.2 * radius);
    fprintf(to, "pair_style gran/hooke/history %s\npair_coeff * *\ntimestep %.17g\n", law,
            time_step(spheres));
    fprintf(to, "fix move all nve/sphere\nfix weight all gravity %.17g vector 0 0 -1\n", gravity);
    write_wall(to, law, "zplane", 0.0);
    if (!spheres->is_periodic) {
        write_wall(to, law, "xplane", spheres->width);
        write_wall(to, law, "yplane", spheres->width);
    }
    fprintf(to, "thermo 1000000\nrun 50\nrun %d\n", steps);
}

/* The seconds of the last "Loop time of S on ..." line. */
static double read_loop_time(FILE *from) {
    char line[512];
    double seconds = 0.0;
    while (fgets(line, sizeof line, from) != NULL)
        sscanf(line, "Loop time of %lf on 1 procs", &seconds);
    return seconds;
}

static talus_status write_files(const struct spheres *spheres, const char *data, const char *input,
                                int steps, talus_error *err) {
    FILE *to = fopen(data, "w");
    if (to == NULL) return fail(err, TALUS_ERR_FILE, data, strerror(errno));
    write_data(to, spheres);
    if (fclose(to) != 0) return fail(err, TALUS_ERR_FILE, data, strerror(errno));
    to = fopen(input, "w");
    if (to == NULL) return fail(err, TALUS_ERR_FILE, input, strerror(errno));
    write_input(to, spheres, data, steps);
    if (fclose(to) != 0) return fail(err, TALUS_ERR_FILE, input, strerror(errno));
    return TALUS_OK;
}

struct lammps {
    char path[PATH_SIZE];
    char directory[PATH_SIZE]; /* of its own */
};

static talus_status rate_lammps(const struct lammps *lammps, const struct spheres *spheres,
                                int steps, double *best, talus_error *err) {
    char command[4 * PATH_SIZE], data[PATH_SIZE + 8], input[PATH_SIZE + 8];
    snprintf(data, sizeof data, "%s/data", lammps->directory);
    snprintf(input, sizeof input, "%s/input", lammps->directory);
    snprintf(command, sizeof command, "OMP_NUM_THREADS=1 '%s' -log none -in '%s'", lammps->path,
             input);
    talus_status status = write_files(spheres, data, input, steps, err);
    FILE *from = status >= 0 ? popen(command, "r") : NULL;
    if (status >= 0 && from == NULL)
        status = fail(err, TALUS_ERR_FILE, lammps->path, strerror(errno));
    double seconds = from != NULL ? read_loop_time(from) : 0.0;
    if (from != NULL && (pclose(from) != 0 || !(seconds > 0.0)))
        status = fail(err, TALUS_ERR_FILE, lammps->path, "it failed");
    if (status >= 0) *best = fmax(*best, (double)spheres->count * steps / seconds);
    unlink(data);
    unlink(input);
    return status;
}

/* ---- one pile -------------------------------------------------------------------------------- */

static void keep_state(struct spheres *spheres, const talus_sim *sim) {
    talus_body_view view = talus_sim_bodies(sim);
    size_t walls = view.count - spheres->count;
    for (size_t i = 0; i < spheres->count; i++) spheres->position[i] = view.position[walls + i];
}

struct rates {
    double one, two, lammps;
};

static talus_status measure_rates(struct spheres *spheres, talus_sim *sim,
                                  const struct lammps *lammps, struct rates *rates,
                                  talus_error *err) {
    int steps = (int)fmax(work / (double)spheres->count, LEAST_STEPS);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    talus_status status = TALUS_OK;
    for (int repeat = 0; repeat < REPEATS && status >= 0; repeat++) {
        status = rate_talus(sim, spheres->count, steps, 1, &rates->one, err);
        if (status >= 0 && lammps != NULL)
            status = rate_lammps(lammps, spheres, steps, &rates->lammps, err);
        if (status >= 0 && processors > 1)
            status = rate_talus(sim, spheres->count, steps, 2, &rates->two, err);
    }
    return status;
}

static talus_status measure_pile(struct bench_run *run, const char *name, struct spheres *spheres,
                                 const struct lammps *lammps, talus_error *err) {
    talus_sim *sim = NULL;
    struct rates rates = {0};
    double seconds;
    talus_status status = build(spheres, &sim, err);
    if (status >= 0) status = talus_sim_set_dt(sim, time_step(spheres), err);
    if (status >= 0) status = advance(sim, WARM_UP, &seconds, err);
    if (status >= 0) {
        keep_state(spheres, sim);
        status = measure_rates(spheres, sim, lammps, &rates, err);
    }
    if (status >= 0) {
        talus_observables now = talus_sim_observe(sim);
        bench_case(run, name, (int64_t)spheres->count, now.contacts, now.unbalanced_force);
        bench_figure(run, "talus", 1e-6 * rates.one, "M particle-steps/s");
        if (rates.two > 0.0) {
            bench_figure(run, "talus, 2 threads", 1e-6 * rates.two, "M particle-steps/s");
            bench_ratio(run, "ratio_threads", rates.two / rates.one, "1 thread");
        }
        if (lammps != NULL) {
            bench_figure(run, "lammps", 1e-6 * rates.lammps, "M particle-steps/s");
            bench_ratio(run, "ratio_lammps", rates.one / rates.lammps, "lammps");
        }
        status = TALUS_OK;
    }
    talus_sim_destroy(sim);
    return status;
}

/* A bed that has come to rest with these springs: copies of it are at rest too. */
static talus_status settle(struct bed *bed, talus_error *err) {
    struct spheres spheres = {0};
    talus_sim *sim = NULL;
    double seconds;
    talus_status status = spheres_tile(&spheres, bed, 1, err);
    if (status >= 0) status = build(&spheres, &sim, err);
    if (status >= 0) status = talus_sim_set_dt(sim, time_step(&spheres), err);
    if (status >= 0) status = advance(sim, SETTLE, &seconds, err);
    if (status >= 0) {
        keep_state(&spheres, sim);
        for (int i = 0; i < BED_GRAINS; i++) bed->position[i] = spheres.position[i];
    }
    talus_sim_destroy(sim);
    spheres_free(&spheres);
    return status;
}

static talus_status measure_beds(struct bench_run *run, const struct lammps *lammps,
                                 talus_error *err) {
    struct bed *bed = malloc(sizeof *bed);
    const int tiles[] = {3, 5, 10};
    if (bed == NULL) return fail(err, TALUS_ERR_MEMORY, "bench md", "out of memory");
    talus_status status = bed_settle(bed, err);
    if (status >= 0) status = settle(bed, err);
    for (size_t k = 0; k < sizeof tiles / sizeof *tiles && status >= 0; k++) {
        struct spheres spheres = {0};
        status = spheres_tile(&spheres, bed, tiles[k], err);
        if (status >= 0) status = measure_pile(run, "periodic bed", &spheres, lammps, err);
        spheres_free(&spheres);
    }
    free(bed);
    return status;
}

static talus_status measure_piles(struct bench_run *run, const struct lammps *lammps,
                                  talus_error *err) {
    static const char *const names[] = {"pile_8000.txt", "pile_27000.txt"};
    talus_status status = TALUS_OK;
    for (size_t k = 0; k < sizeof names / sizeof *names && status >= 0; k++) {
        struct spheres spheres = {0};
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s", run->data, names[k]);
        status = spheres_read(&spheres, path, err);
        if (status >= 0) status = measure_pile(run, names[k], &spheres, lammps, err);
        spheres_free(&spheres);
    }
    return status;
}

static talus_status measure(struct bench_run *run, talus_error *err) {
    struct lammps lammps;
    const char *temporary = getenv("TMPDIR");
    bool found = find_lammps(lammps.path, sizeof lammps.path);
    if (!found) fprintf(stderr, "bench md: no lmp to compare with; tools/setup peers\n");
    snprintf(lammps.directory, sizeof lammps.directory, "%s/talus_md_XXXXXX",
             temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(lammps.directory) == NULL)
        return fail(err, TALUS_ERR_FILE, lammps.directory, strerror(errno));
    talus_status status = measure_beds(run, found ? &lammps : NULL, err);
    if (status >= 0 && run->data != NULL) status = measure_piles(run, found ? &lammps : NULL, err);
    rmdir(lammps.directory);
    return status;
}

const struct bench md_bench = {
    .name = "md",
    .summary = "soft grains: particle-steps per second on settled piles, beside LAMMPS",
    .measure = measure,
};
