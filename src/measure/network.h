/* SPDX-License-Identifier: Apache-2.0
 * The force-bearing contact network: how many contacts, on how many grains. Read-only. */
#ifndef MEASURE_NETWORK_H
#define MEASURE_NETWORK_H

#include "detect/detect.h"

struct network {
    int64_t closed;   /* contacts with a force */
    int64_t rattlers; /* grains without a force-bearing contact */
    double coordination, coordination_no_rattlers;
    double overlap_mean; /* m, over closed contacts */
    double overlap_max;  /* m, over all contacts, also those without force */
    double impulse_mean; /* N s */
};

/* A contact bears force if its impulse exceeds 1e-6 of the mean. `degree` is scratch, one for each
 * body. */
struct network measure_network(const struct world *world, const struct detect *detect,
                               int32_t *degree);

#endif
