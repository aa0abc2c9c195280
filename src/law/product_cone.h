/* SPDX-License-Identifier: Apache-2.0
 *
 * Projection on the cone of all limits that follow one load N: friction, rolling, torsion,
 *     K = { |x_i| <= mu_i N,  N >= 0 }        dual: K* = { y_N >= sum mu_i |y_i| }
 * in a metric that weighs N and each part by a number of its own, |N|^2/t_N + sum |x_i|^2/t_i. The parts only shrink,
 * so the nearest point is that of one convex function of N,
 *     min  (N - a)^2/(2 t_N) + sum max(0, |x_i| - mu_i N)^2/(2 t_i)
 * whose derivative is piecewise linear: exact after at most one round for each part. With friction alone this is the
 * projection of docs/theory/residual.md.
 */
#ifndef LAW_PRODUCT_CONE_H
#define LAW_PRODUCT_CONE_H

#include <stdbool.h>

#include "base/inlining.h"

struct product_part {
    double size;  /* |x_i| before the projection */
    double slope; /* mu_i >= 0: 1 or m */
    double ratio; /* t_N/t_i */
};

/* The load N of the nearest point; a part of it is then cut to slope N. From N = 0 the rounds only rise: the
 * derivative is concave. */
IN_LOOP double product_cone_load(double load, const struct product_part *parts, int count) {
    double found = 0.0;
    for (int round = 0; round <= count; round++) {
        double sum = load, weight = 1.0;
        for (int i = 0; i < count; i++) {
            double share = parts[i].slope * parts[i].ratio;
            if (!(parts[i].size > parts[i].slope * found)) continue;
            sum += share * parts[i].size;
            weight += share * parts[i].slope;
        }
        double next = sum / weight;
        if (!(next > found)) break;
        found = next;
    }
    return found;
}

/* By what a part is multiplied to be in the cone at this load. */
IN_LOOP double product_cone_cut(const struct product_part *part, double load) {
    double limit = part->slope * load;
    return part->size > limit ? limit / part->size : 1.0;
}

#endif
