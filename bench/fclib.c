/* SPDX-License-Identifier: Apache-2.0
 *
 * Contact problems of others (FCLIB files in --data DIR): what the default setting of `talus solve` needs for each, and
 * what it reaches. If bench/peers/siconos_fclib is built, solvers of Siconos beside it, in the same run: both to 1e-4,
 * Siconos by its own scale, Talus by ||q||, which is stricter. A problem that a solver does not solve counts with the
 * whole time allowed. In a plane Siconos has its nsgs only, which then counts for all its solvers.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/peer.h"

static const double tolerance_compared = 1e-4;
static const double seconds_allowed = 15.0; /* for each solver and problem */

static const char *const peer_solvers[] = {"nsgs", "nsn_ac", "prox", "vi_eg"};
enum { PEERS = sizeof peer_solvers / sizeof *peer_solvers, PATH_SIZE = 1024 };

struct totals {
    int files, reached_4, reached_8, compared;
    double seconds, slowest;
    double own;         /* to 1e-4 */
    double own_siconos; /* likewise, by the error of Siconos */
    double peer[PEERS];
    int peer_solved[PEERS];
};

struct peer_result {
    double seconds, residual;
};

static void take_line(const char *line, void *context) {
    struct peer_result *result = context;
    if (strncmp(line, "seconds ", 8) == 0) result->seconds = strtod(line + 8, NULL);
    if (strncmp(line, "residual_siconos ", 17) == 0) result->residual = strtod(line + 17, NULL);
}

static struct peer_result run_peer(char *program, char *path, const char *solver) {
    char name[16], tolerance[32], seconds[32];
    char *arguments[] = {program, path, name, tolerance, seconds, NULL};
    struct peer_result result = {.residual = -1.0};
    snprintf(name, sizeof name, "%s", solver);
    snprintf(tolerance, sizeof tolerance, "%g", tolerance_compared);
    snprintf(seconds, sizeof seconds, "%g", seconds_allowed);
    bool solved = peer_read(arguments, take_line, &result) && result.residual >= 0.0 &&
                  result.residual <= 1.01 * tolerance_compared;
    if (!solved) result = (struct peer_result){seconds_allowed, -1.0};
    return result;
}

/* Siconos on this problem, from a file that Talus wrote: local, as triplets. */
static talus_status compare(struct bench_run *run, talus_problem *problem, char *program,
                            struct totals *totals, talus_error *err) {
    char path[PATH_SIZE], name[BENCH_NAME];
    talus_solve_config config = talus_solve_config_default();
    talus_solve_report report;
    config.tolerance = tolerance_compared;
    talus_status status = talus_problem_solve(problem, &config, &report, err);
    if (status < 0) return status;
    bench_figure(run, "seconds_1e-4", report.seconds, "s");
    totals->own += report.seconds;
    config.siconos = true; /* as they are judged themselves */
    status = talus_problem_solve(problem, &config, &report, err);
    if (status < 0) return status;
    bench_figure(run, "seconds_siconos_1e-4", report.seconds, "s");
    totals->own_siconos += report.seconds;
    totals->compared++;
    const char *directory = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/talus_fclib_%d.hdf5", directory != NULL ? directory : "/tmp",
             (int)getpid());
    status = talus_problem_write(problem, path, false, err);
    bool plane = talus_problem_look(problem).dim == 2;
    struct peer_result first = {0};
    for (int k = 0; k < PEERS && status >= 0; k++) {
        struct peer_result result =
            plane && k > 0 ? first : run_peer(program, path, peer_solvers[k]);
        if (k == 0) first = result;
        snprintf(name, sizeof name, "siconos_%s", peer_solvers[k]);
        bench_figure(run, name, result.seconds, result.residual >= 0.0 ? "s" : "s, not solved");
        totals->peer[k] += result.seconds;
        totals->peer_solved[k] += result.residual >= 0.0;
    }
    unlink(path);
    return status;
}

static talus_status measure_file(struct bench_run *run, const char *path, const char *name,
                                 char *program, struct totals *totals, talus_error *err) {
    talus_problem *problem = NULL;
    talus_solve_report report;
    talus_status status = talus_problem_read(path, &problem, err);
    if (status >= 0) status = talus_problem_solve(problem, NULL, &report, err);
    if (status >= 0) {
        talus_problem_info info = talus_problem_look(problem);
        bench_case(run, name, info.freedoms, info.contacts, report.residual_q);
        bench_figure(run, "seconds", report.seconds, "s");
        bench_figure(run, "iterations", (double)report.iterations, "1");
        bench_figure(run, "residual_siconos", report.residual_siconos, "1");
        totals->files++;
        totals->seconds += report.seconds;
        totals->reached_4 += report.residual_q <= 1e-4;
        totals->reached_8 += report.residual_q <= 1e-8;
        if (report.seconds > totals->slowest) totals->slowest = report.seconds;
        if (program[0] != '\0' && !info.rolling)
            status = compare(run, problem, program, totals, err);
    }
    talus_problem_free(problem);
    return status;
}

static void report_totals(struct bench_run *run, const struct totals *totals) {
    int best = 0;
    bench_case(run, "all", totals->files, totals->files, 0.0);
    bench_figure(run, "seconds_total", totals->seconds, "s");
    bench_figure(run, "seconds_slowest", totals->slowest, "s");
    bench_figure(run, "reached_1e-4", totals->reached_4, "problems");
    bench_figure(run, "reached_1e-8", totals->reached_8, "problems");
    if (totals->compared == 0) return;
    bench_figure(run, "seconds_1e-4_total", totals->own, "s");
    bench_figure(run, "seconds_siconos_1e-4_total", totals->own_siconos, "s");
    for (int k = 0; k < PEERS; k++) {
        char name[BENCH_NAME];
        snprintf(name, sizeof name, "siconos_%s_total", peer_solvers[k]);
        bench_figure(run, name, totals->peer[k], "s");
        snprintf(name, sizeof name, "siconos_%s_solved", peer_solvers[k]);
        bench_figure(run, name, totals->peer_solved[k], "problems");
        if (totals->peer[k] < totals->peer[best]) best = k;
    }
    bench_ratio(run, "ratio_siconos", totals->peer[best] / totals->own, "Siconos' best solver");
}

static int is_problem(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && (strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".h5") == 0);
}

static talus_status complain_about(const char *path, const char *what, talus_error *err) {
    err->status = TALUS_ERR_INPUT;
    snprintf(err->text, sizeof err->text, "%s%s", path, what);
    return err->status;
}

static talus_status measure(struct bench_run *run, talus_error *err) {
    struct dirent **found = NULL;
    struct totals totals = {0};
    char program[PATH_SIZE] = "";
    if (run->data == NULL)
        return complain_about("", "bench fclib: --data DIR must name a directory of FCLIB problems",
                              err);
    int count = scandir(run->data, &found, is_problem, alphasort);
    if (count <= 0) return complain_about(run->data, ": holds no .hdf5 files", err);
    if (!peer_find("siconos_fclib", NULL, program, sizeof program)) program[0] = '\0';
    talus_status status = TALUS_OK;
    for (int k = 0; k < count; k++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%.700s/%s", run->data, found[k]->d_name);
        if (status >= 0) status = measure_file(run, path, found[k]->d_name, program, &totals, err);
        free(found[k]);
    }
    free(found);
    if (status >= 0) report_totals(run, &totals);
    return status < 0 ? status : TALUS_OK;
}

const struct bench fclib_bench = {
    "fclib", "contact problems of others (--data DIR), beside Siconos if bench/peers is built",
    measure};
