/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/delassus_momentum.h"

#include <math.h>
#include <string.h>

static const double growth_restart = 4.0; /* restart if |dr|^2 grew this much in one sweep */
static const double growth_guard = 10.0;  /* or this much over the best so far */
static const double cap_least = 0.5;      /* the guard never cuts momentum below this */
static const double recovery_first = 0.1; /* share of 1 - cap that comes back in every sweep, */
static const double recovery_fall = 0.95; /* less after each time that the guard was needed */

bool momentum_make(struct momentum *momentum, struct memory *memory, const double *r, size_t size) {
    *momentum =
        (struct momentum){.size = size, .theta = 1.0, .cap = 1.0, .recovery = recovery_first};
    momentum->before = memory_resize(memory, NULL, 0, size, sizeof *r);
    momentum->last = memory_resize(memory, NULL, 0, size, sizeof *r);
    momentum_forget(momentum);
    if (momentum->before == NULL || momentum->last == NULL) return false;
    memcpy(momentum->last, r, size * sizeof *r);
    return true;
}

void momentum_free(struct momentum *momentum, struct memory *memory) {
    memory_free(memory, momentum->before, momentum->size, sizeof(double));
    memory_free(memory, momentum->last, momentum->size, sizeof(double));
}

void momentum_forget(struct momentum *momentum) {
    momentum->gradient_last = momentum->gradient_best = HUGE_VAL;
}

void momentum_push(struct momentum *momentum, double *r) {
    for (size_t k = 0; k < momentum->size; k++) {
        double pushed = r[k] + momentum->beta * (r[k] - momentum->last[k]);
        momentum->last[k] = r[k];
        momentum->before[k] = r[k] = pushed;
    }
}

static void choose(struct momentum *momentum, double turn) {
    double theta = momentum->theta, gradient = momentum->gradient;
    double next = 0.5 * (-theta * theta + theta * sqrt(theta * theta + 4.0));
    double beta = fmin(theta * (1.0 - theta) / (theta * theta + next), momentum->cap);
    bool restart = turn > 0.0 || gradient > growth_restart * momentum->gradient_last;
    momentum->cap += momentum->recovery * (1.0 - momentum->cap);
    if (gradient > growth_guard * momentum->gradient_best) {
        restart = true;
        momentum->recovery *= recovery_fall;
        momentum->cap = fmax(cap_least, 1.0 - 2.0 * (1.0 - beta));
    }
    momentum->gradient_best = fmin(momentum->gradient_best, gradient);
    if (restart) {
        next = 1.0;
        beta = 0.0;
        momentum->gradient_best = gradient;
    }
    momentum->theta = next;
    momentum->gradient_last = gradient;
    momentum->beta = beta;
}

void momentum_look(struct momentum *momentum, const double *r) {
    double gradient = 0.0, turn = 0.0;
    for (size_t k = 0; k < momentum->size; k++) {
        double step = momentum->before[k] - r[k];
        gradient += step * step;
        turn += step * (r[k] - momentum->last[k]);
    }
    momentum->gradient = gradient;
    choose(momentum, turn);
}
