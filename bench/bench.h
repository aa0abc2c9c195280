/* SPDX-License-Identifier: Apache-2.0
 *
 * Benchmarks: one file bench/NAME.c each and one line in benches.def. A benchmark reports cases (a
 * scene with its size, contacts and residual, because a fast wrong answer must show) and for each
 * case figures with their units, and ratios against references measured in the same run.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "talus/talus.h"

enum { BENCH_FIGURES = 1024, BENCH_NAME = 48 };

enum bench_goal { BENCH_NO_GOAL, BENCH_AT_MOST, BENCH_AT_LEAST };

struct bench_figure {
    char scene[BENCH_NAME];
    int64_t n, contacts;
    double residual;
    char name[BENCH_NAME], unit[BENCH_NAME];
    double value;
    char against[BENCH_NAME]; /* of a ratio: the reference it is measured against; else "" */
    enum bench_goal goal;
    double goal_value;
};

struct bench_run {
    const char *data;  /* --data: a directory of problems for benches that read some; or NULL */
    bool quick;        /* --quick: smaller systems, where a bench takes minutes */
    FILE *convergence; /* --convergence: n, solver, iterations, seconds, all measures; or NULL */
    const char *scene; /* of the case that bench_figure and bench_ratio add to */
    int64_t n, contacts;
    double residual;
    struct bench_figure figures[BENCH_FIGURES];
    size_t figure_count;
};

struct bench {
    const char *name, *summary;
    talus_status (*measure)(struct bench_run *run, talus_error *err);
};

size_t bench_count(void);
const struct bench *bench_at(size_t index);
const struct bench *bench_find(const char *name); /* NULL if there is none */

/* Begin a case: the name of its scene, grains, contacts, residual of the last step. */
void bench_case(struct bench_run *run, const char *scene, int64_t n, int64_t contacts,
                double residual);
void bench_figure(struct bench_run *run, const char *name, double value, const char *unit);
void bench_ratio(struct bench_run *run, const char *name, double value, const char *against);

/* What the last figure or ratio should be. */
void bench_goal(struct bench_run *run, enum bench_goal goal, double value);
bool bench_goal_met(const struct bench_figure *figure);

double bench_seconds(void); /* of a clock that never goes back */

#endif
