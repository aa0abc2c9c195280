/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "bench/bench.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define BENCH(name) extern const struct bench name##_bench;
#include "bench/benches.def"
#undef BENCH

#define BENCH(name) &name##_bench,
static const struct bench *const benches[] = {
#include "bench/benches.def"
};
#undef BENCH

size_t bench_count(void) {
    return sizeof benches / sizeof benches[0];
}

const struct bench *bench_at(size_t index) {
    return benches[index];
}

const struct bench *bench_find(const char *name) {
    for (size_t i = 0; i < bench_count(); i++)
        if (strcmp(benches[i]->name, name) == 0) return benches[i];
    return NULL;
}

void bench_case(struct bench_run *run, const char *scene, int64_t n, int64_t contacts,
                double residual) {
    run->scene = scene;
    run->n = n;
    run->contacts = contacts;
    run->residual = residual;
}

static void add(struct bench_run *run, const char *name, double value, const char *unit,
                const char *against) {
    if (run->figure_count >= BENCH_FIGURES) return;
    struct bench_figure *figure = &run->figures[run->figure_count++];
    snprintf(figure->scene, BENCH_NAME, "%s", run->scene);
    snprintf(figure->name, BENCH_NAME, "%s", name);
    snprintf(figure->unit, BENCH_NAME, "%s", unit);
    snprintf(figure->against, BENCH_NAME, "%s", against);
    figure->n = run->n;
    figure->contacts = run->contacts;
    figure->residual = run->residual;
    figure->value = value;
    figure->goal = BENCH_NO_GOAL;
}

void bench_figure(struct bench_run *run, const char *name, double value, const char *unit) {
    add(run, name, value, unit, "");
}

void bench_ratio(struct bench_run *run, const char *name, double value, const char *against) {
    add(run, name, value, "1", against);
}

void bench_goal(struct bench_run *run, enum bench_goal goal, double value) {
    struct bench_figure *figure = &run->figures[run->figure_count - 1];
    figure->goal = goal;
    figure->goal_value = value;
}

bool bench_goal_met(const struct bench_figure *figure) {
    if (figure->goal == BENCH_AT_MOST) return figure->value <= figure->goal_value;
    return figure->value >= figure->goal_value;
}

double bench_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
