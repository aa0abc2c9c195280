/* SPDX-License-Identifier: Apache-2.0
 *
 * Nesterov momentum with restarts [Nesterov1983] for sweeps of any kind: nnsgs.c says why it works and why it needs
 * guards. */
#ifndef SOLVE_DELASSUS_MOMENTUM_H
#define SOLVE_DELASSUS_MOMENTUM_H

#include "base/memory.h"
#include "solve/nesterov.h"

struct momentum {
    double *before; /* impulses at the start of the sweep, momentum included */
    double *last;   /* after the sweep before */
    size_t size;
    double beta, theta, gradient;
    struct nesterov_guard guard;
};

/* False when memory is refused. */
bool momentum_make(struct momentum *momentum, struct memory *memory, const double *r, size_t size);
void momentum_free(struct momentum *momentum, struct memory *memory);

/* Before a sweep: r moves on by a share of its last change. */
void momentum_push(struct momentum *momentum, double *r);
/* After it: how much momentum next time; `gradient` becomes |change of the sweep|^2. */
void momentum_look(struct momentum *momentum, const double *r);
/* The problem has changed: what was best says nothing any more. */
void momentum_forget(struct momentum *momentum);

#endif
