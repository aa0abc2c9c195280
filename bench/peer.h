/* SPDX-License-Identifier: Apache-2.0
 *
 * Other engines as child programs (bench/peers), which are built only when asked for: they read a pile from
 * a file, run it, and print lines "name value".
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "bench/pile.h"

struct peer_figures { /* lengths in m, a box has sides of 1 m; times on a processor */
    double iterations, contacts;
    double step_seconds;   /* of a whole step */
    double update_seconds; /* of one contact point in one iteration */
    double solver_seconds; /* the same with all else that the solver does; 0: not known */
    double overlap_max, overlap_mean, speed_max;
};

/* Where the program is: in `directory` (may be NULL), in $TALUS_PEERS, in peers/ beside this program, in
 * build/peers of the sources. False: nowhere. */
bool peer_find(const char *name, const char *directory, char *path, size_t size);

struct peer_call {
    const char *path;         /* of the program, from peer_find */
    const struct pile *start; /* the boxes, at rest */
    struct pile *end;         /* where they lie afterwards; same size; may be NULL */
    int steps;
    int friction_rows; /* Bullet only, 1 or 2; else 0 */
    double seconds;    /* as many iterations as make a step this long; 0: the default number */
};

/* Any of those programs with any arguments; `take` gets its lines. False if it cannot be run or fails. */
bool peer_read(char *const *arguments, void (*take)(const char *line, void *context),
               void *context);

talus_status peer_run(const struct peer_call *call, struct peer_figures *out, talus_error *err);

#endif
