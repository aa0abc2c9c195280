/* SPDX-License-Identifier: Apache-2.0
 * How densely the grains fill the box around them. Read-only. */
#ifndef MEASURE_PACKING_H
#define MEASURE_PACKING_H

#include "world/world.h"

struct packing {
    vec3 low, high;       /* m, box around all grains; the whole period along periodic axes */
    double solid, volume; /* m^3 (m^2 in 2D, m in 1D) */
    double fraction;      /* solid/volume, overlaps counted twice */
    double size;          /* m, longest side of the box */
    double mass_mean, diameter_mean;
};

struct packing measure_packing(const struct world *world);

#endif
