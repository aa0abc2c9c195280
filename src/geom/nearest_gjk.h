/* SPDX-License-Identifier: Apache-2.0
 * The search for the nearest points of two cores that are apart. */
#ifndef GEOM_NEAREST_GJK_H
#define GEOM_NEAREST_GJK_H

#include "geom/nearest.h"

/* Differences of vertices, b less a. */
struct simplex {
    int count;
    int32_t a[4], b[4];
    vec3 w[4];
    double weight[4]; /* of the corners in the point nearest to the origin */
    vec3 nearest;     /* that point */
};

struct gjk {
    struct simplex simplex; /* in: where to start, at least one corner; out: where it ended */
    double distance;        /* m, of the simplex */
    struct slab slab;       /* the widest seen */
};

enum gjk_end {
    GJK_PROVEN, /* distance and slab agree to rounding */
    GJK_UNSURE, /* rounding stopped the search */
    GJK_TOUCH,  /* the cores overlap or touch */
    GJK_BEYOND  /* farther apart than the margin */
};

/* Add a corner; there must be room. */
void simplex_add(const struct pair *pair, struct simplex *simplex, int32_t a, int32_t b);

enum gjk_end gjk_run(const struct pair *pair, double margin, struct gjk *gjk);

#endif
