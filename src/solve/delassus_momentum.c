/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/delassus_momentum.h"

#include <math.h>
#include <string.h>

bool momentum_make(struct momentum *momentum, struct memory *memory, const double *r, size_t size) {
    *momentum = (struct momentum){.size = size, .theta = 1.0};
    nesterov_guard_start(&momentum->guard, 1.0);
    momentum->before = memory_resize(memory, NULL, 0, size, sizeof *r);
    momentum->last = memory_resize(memory, NULL, 0, size, sizeof *r);
    if (momentum->before == NULL || momentum->last == NULL) return false;
    memcpy(momentum->last, r, size * sizeof *r);
    return true;
}

void momentum_free(struct momentum *momentum, struct memory *memory) {
    memory_free(memory, momentum->before, momentum->size, sizeof(double));
    memory_free(memory, momentum->last, momentum->size, sizeof(double));
}

void momentum_forget(struct momentum *momentum) {
    nesterov_guard_forget(&momentum->guard);
}

void momentum_push(struct momentum *momentum, double *r) {
    for (size_t k = 0; k < momentum->size; k++) {
        double pushed = r[k] + momentum->beta * (r[k] - momentum->last[k]);
        momentum->last[k] = r[k];
        momentum->before[k] = r[k] = pushed;
    }
}

static void choose(struct momentum *momentum, bool against) {
    momentum->beta = fmin(nesterov_share(&momentum->theta), momentum->guard.cap);
    if (!nesterov_guard_restarts(&momentum->guard, momentum->beta, momentum->gradient, against))
        return;
    momentum->beta = 0.0;
    momentum->theta = 1.0;
}

void momentum_look(struct momentum *momentum, const double *r) {
    double gradient = 0.0, turn = 0.0;
    for (size_t k = 0; k < momentum->size; k++) {
        double step = momentum->before[k] - r[k];
        gradient += step * step;
        turn += step * (r[k] - momentum->last[k]);
    }
    momentum->gradient = gradient;
    choose(momentum, turn > 0.0);
}
