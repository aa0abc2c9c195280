/* SPDX-License-Identifier: Apache-2.0
 *
 * The inner loop of molecular dynamics: pairs of round grains, eight at a time, one in each lane of a block.
 *
 * Bodies are read from rows, packed in the order of space. What a pair does to its bodies is written into
 * an entry of its own, and each body adds up its entries later: nothing is written twice, so the blocks can be
 * worked on in any order by any number of threads, with the same bits. The loops over lanes are compiled for
 * several vector widths and chosen at run time; no operation depends on the width.
 */
#ifndef SIM_SOFT_KERNEL_H
#define SIM_SOFT_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "geom/distance.h"
#include "law/soft_parameters.h"
#include "world/cell.h"

enum { SOFT_LANES = 8 };

/* A body at the end of the step: as predicted, velocities as dampers see them, and the way it went. */
struct soft_row {
    double position[3], radius;
    double velocity[3], unused_v; /* unused numbers are 0 */
    double omega[3], unused_w;
    double shift[3], unused_s;
    double turn[3], unused_t;
    double acceleration[3], unused_a; /* at the last forces */
    double spin_rate[3], unused_r;
    double orientation[4];                               /* w, x, y, z */
    double mass, inertia, inverse_mass, inverse_inertia; /* inverses are 0 if held fast */
};

/* Three numbers of a row or an entry. */
static inline vec3 row_vector(const double a[3]) {
    return vec3_make(a[0], a[1], a[2]);
}

static inline void row_put(double to[3], vec3 from) {
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

/* The laws of eight pairs. Blocks with the same laws share them. */
struct soft_laws {
    double stiffness[SOFT_LANES], damping[SOFT_LANES];
    double tangential_stiffness[SOFT_LANES], tangential_damping[SOFT_LANES];
    double mu_static[SOFT_LANES], mu_sliding[SOFT_LANES];
    /* Hertz only: what grows with the slope of the normal force and with its damping; 1: constant restitution. */
    double slip_ratio[SOFT_LANES], slip_damping_ratio[SOFT_LANES], is_constant[SOFT_LANES];
};

/* Eight pairs: what they are, and what they remember. As large as seven lines of cache, and placed so. */
struct soft_block {
    int32_t a[SOFT_LANES], b[SOFT_LANES]; /* rows; of empty lanes the last row, twice */
    double stretch[3][SOFT_LANES];        /* m, of the tangential spring */
    double normal[3][SOFT_LANES];         /* at the last step; 0: the pair was apart */
};

/* What a pair does: `force` on b and its opposite on a, at the contact point; `couple` = normal x force, so that
 * the torque on each body is - arm couple. */
struct soft_entry {
    double part[2][4]; /* force, arm of a; couple, arm of b. An arm of a of 0: the pair is apart */
};
enum { SOFT_FORCE, SOFT_COUPLE, SOFT_ARM = 3 };

/* Two grains as they begin to touch. */
struct soft_pass {
    double share; /* of the V_c at which they would pass through each other at 45 degrees */
    double speed; /* m/s, of one against the other */
};

/* Of all pairs at one moment. */
struct soft_sums {
    double stored;                 /* J, in springs */
    double cut;                    /* J, lost in this step by springs cut back or let go */
    double damping, elastic, slip; /* W, taken by normal dashpots; into springs; taken by slip */
    double touching, starts;       /* pairs that overlap; those of them that did not before */
    double start_speed;            /* m/s, largest of those that begin to */
    struct soft_pass pass;         /* of them the one with the largest share */
    double deepest;                /* m, largest overlap */
};

/* How the normal force grows with the overlap. */
enum soft_kind { SOFT_LINEAR, SOFT_HERTZ };

struct soft_blocks {
    const struct soft_row *rows;
    struct soft_block *blocks;
    const struct soft_laws *laws;
    const int32_t *laws_of; /* each block */
    double *slip_stiffness; /* N/m, Hertz: of the tangential springs at the last step, by slot */
    struct soft_entry *entries; /* SOFT_LANES to a block */
    const struct cell *cell;
};

/* Two grains of reduced mass m, whose radii add up to `reach`, begin to touch: soft_limits.c. */
void soft_begin(const struct soft_numbers *law, double m, double reach, double speed,
                struct soft_sums *sums);

/* Pairs of grains in the blocks from `first` to before `last`. */
struct soft_sums soft_kernel_grains(const struct soft_blocks *list, size_t first, size_t last,
                                    enum soft_kind kind);

/* Pairs of a grain (a) and a wall (b); `walls` by row, as they stand. */
struct soft_sums soft_kernel_walls(const struct soft_blocks *list, size_t first, size_t last,
                                   enum soft_kind kind, const struct wall *walls,
                                   const int32_t *wall_of_row);

#endif
