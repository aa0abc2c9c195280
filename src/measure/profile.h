/* SPDX-License-Identifier: Apache-2.0
 * What the two kinds of profiles share: sums over bins, and the table made of them. */
#ifndef MEASURE_PROFILE_H
#define MEASURE_PROFILE_H

#include "measure/measure.h"

struct profile_bin {
    double from, to, volume; /* m, m^dim */
    double solid;            /* m^dim */
    double grains;           /* centres inside */
    double degrees;          /* contacts of these */
    double mass;             /* kg, share of the grains */
    double moment;           /* kg m, of their centres along the axis */
    vec3 momentum, spin;     /* kg m/s, kg rad/s; velocities relative to `drift` */
    double square;           /* kg m^2/s^2, of velocities relative to `drift` */
    mat3 branch_force;       /* N m */
};

struct profile {
    struct memory *memory;
    int axis; /* x, y, z */
    bool radial;
    vec3 centre; /* of the radial one */
    size_t bins;
    struct profile_bin *bin;
    struct axis_box box;
    bool box_given;
    int32_t *degree;
    size_t degree_count;
    vec3 drift; /* m/s, mean velocity of all grains */
};

/* A grain of which the share `part` (0 to 1) lies in a bin; v and omega as the table shows them. */
struct profile_share {
    double part, place;
    vec3 velocity, omega;
};
void profile_add_share(const struct profile *profile, const struct snapshot *snapshot, size_t grain,
                       struct profile_bin *bin, struct profile_share share);

/* profile_radial.c: by distance from a line. */
void profile_radial_bins(struct profile *profile, const struct measure_input *input);
void profile_radial_grains(struct profile *profile, const struct snapshot *snapshot);
void profile_radial_contacts(struct profile *profile, const struct snapshot *snapshot);

#endif
