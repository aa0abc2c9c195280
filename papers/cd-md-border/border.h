/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of this entry share: a packing under pressure, squeezed slowly, and what it costs to go on with it
 * by either method. Units: mean diameter, mass of a grain of that diameter, pressure.
 */
#ifndef PAPERS_BORDER_H
#define PAPERS_BORDER_H

#include "papers/papers.h"

enum { BORDER_WALLS = 6 };

struct border_packing {
    int dim;
    size_t count;
    talus_vec3 *position;
    double *radius;
    double wall[BORDER_WALLS]; /* where they stand, floor, top, left, right, back, front */
    double size;               /* longest side of the box around the grains */
    uint64_t seed;
};

struct border_cd { /* by Contact Dynamics, means over the steps */
    double dt, sweeps, contacts;
    double force;       /* mean, of the contacts */
    double updates;     /* contact updates for one unit of time */
    double update_cost; /* s for one of them, detection and all else shared out over them */
    double residual, unconverged; /* largest; share of the steps */
};

struct border_md {
    double dt, steps;   /* steps of one unit of time */
    double particles;   /* particle-steps of one unit of time */
    double update_cost; /* s for one of them */
    double overlap;     /* mean, in diameters, at the end */
};

extern const double border_speed; /* v, of the wall that squeezes */

/* About `count` grains between walls, pressed from two sides until they rest. */
talus_status border_prepare(int dim, int count, uint64_t seed, struct border_packing *out,
                            talus_error *err);
void border_free(struct border_packing *packing);

/* The relative force error `error` of long waves is the stopping rule. */
talus_status border_run_cd(const struct border_packing *packing, const char *solver, double error,
                           int steps, struct border_cd *out, talus_error *err);
/* Springs of this stiffness, dt = t_c/100, that many steps. */
talus_status border_run_md(const struct border_packing *packing, double stiffness, int64_t steps,
                           struct border_md *out, talus_error *err);

/* chain.c: how sweeps for an e-fold of accuracy grow with the length of a row of grains. */
talus_status border_chain(struct paper_run *run, const char *solver, double *exponent,
                          talus_error *err);

#endif
