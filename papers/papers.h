/* SPDX-License-Identifier: Apache-2.0
 *
 * Published figures, reproduced. Each is a folder papers/NAME with scene.yaml, measure.c (this
 * interface and the public headers only), expected.tsv (name, expected, tolerance, source) and
 * figure.gp, and one line in papers.def. The numbers that measure() records are compared with the
 * expected ones by `talus papers NAME`.
 */
#ifndef PAPERS_PAPERS_H
#define PAPERS_PAPERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "talus/talus.h"

enum { PAPER_NUMBERS = 96, PAPER_NAME = 48, PAPER_SOURCE = 160, PAPER_PATH = 4096 };

struct paper_number {
    char name[PAPER_NAME];
    double measured;
};

struct paper_run {
    const char *data;   /* papers/NAME */
    const char *output; /* a directory that exists, for tables and figures */
    bool quick;         /* a smaller system, for a first look */
    FILE *notes;        /* where progress is told; NULL = nowhere */
    struct paper_number numbers[PAPER_NUMBERS];
    int number_count;
};

struct paper {
    const char *name, *title, *source;
    talus_status (*measure)(struct paper_run *run, talus_error *err);
};

size_t paper_count(void);
const struct paper *paper_at(size_t index);
const struct paper *paper_find(const char *name); /* NULL if there is none */

/* ---- for measure() --------------------------------------------------------------------------- */

/* Read a scene of the paper's folder, with overrides "key=value". */
talus_status paper_scene(const struct paper_run *run, const char *file,
                         const char *const *overrides, size_t override_count, talus_scene **out,
                         talus_error *err);

/* The same, run without files, rows kept: for papers that judge the series. */
talus_status paper_simulate(const struct paper_run *run, const char *file,
                            const char *const *overrides, size_t override_count, talus_result **out,
                            talus_error *err);

/* A column of the result, which must have it. */
talus_status paper_column(const talus_result *result, const char *name, const double **values,
                          size_t *count, talus_error *err);

/* Uniform in [0, 1), from a state of the caller: small, and the same everywhere. */
double paper_random(uint64_t *state);

void paper_record(struct paper_run *run, const char *name, double measured);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void paper_note(const struct paper_run *run, const char *text, ...);

/* A table of the output directory; closing reports what could not be written. */
talus_status paper_table_open(const struct paper_run *run, const char *file, FILE **out,
                              talus_error *err);
talus_status paper_table_close(FILE *table, const char *file, talus_error *err);

/* ---- for the command ------------------------------------------------------------------------- */

struct paper_expectation {
    char name[PAPER_NAME];
    double expected, tolerance; /* absolute */
    char source[PAPER_SOURCE];
};

/* Read expected.tsv (with `quick` expected-quick.tsv, where there is one). */
talus_status paper_expected(const char *data, bool quick, struct paper_expectation *out, int *count,
                            talus_error *err);

/* The measured number of that name; nan if it was not recorded. */
double paper_measured(const struct paper_run *run, const char *name);

#endif
