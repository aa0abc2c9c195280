/* SPDX-License-Identifier: Apache-2.0
 *
 * A semicircular arch of dry stones: n equal trapezoids with radial joints at multiples of 180/n
 * degrees, corners on circles of radius R +- t/2, R = 1 m. It springs from a plane at y = 0. Joint
 * i lies before stone i; joints 0 and n are the springings. Angles count from the right springing,
 * so stone i + 1 follows stone i counter-clockwise.
 */
#ifndef PAPERS_ARCH_ARCH_H
#define PAPERS_ARCH_ARCH_H

#include "papers/papers.h"

enum { ARCH_STONES = 64 };

struct arch {
    int stones;       /* n, 4 ... ARCH_STONES */
    double thickness; /* t/R */
    double mu;
};

static const double arch_gravity = 9.81; /* m/s^2 */

/* ---- statics: limit analysis, friction without limit ------------------------------------------ */

enum arch_side { ARCH_INSIDE, ARCH_OUTSIDE };

/* Four hinges, at ends of joints, that let the arch move by opening only. */
struct arch_mechanism {
    int joint[4];
    enum arch_side side[4];
    double load; /* horizontal acceleration over g that just drives it; -1: its weight does */
};

/* The mechanism that needs least; towards -x, hinges from the right. */
struct arch_mechanism arch_weakest(const struct arch *arch);

/* Thickness below which the weight alone drives a mechanism. */
double arch_thinnest(int stones);

/* ---- the model --------------------------------------------------------------------------------- */

struct arch_world {
    double mu, dt;    /* friction of the one material; s */
    double tolerance; /* of the residual */
    int max_sweeps;
};

/* A plane world without bodies. */
talus_status arch_world_make(const struct arch_world *world, talus_sim **out, talus_error *err);

/* The stones, as bodies that follow those already there, in group "arch". */
talus_status arch_stones_add(talus_sim *sim, const struct arch *arch, talus_error *err);

/* The floor they stand on. */
talus_status arch_ground_add(talus_sim *sim, const talus_motion *motion, talus_error *err);

/* Corners of stone i before any motion: inside and outside of joint i, outside and inside of the
 * next. */
void arch_corners(const struct arch *arch, int stone, talus_vec3 out[4]);

/* Index of the first stone: boundaries may come before it. */
size_t arch_first(const talus_sim *sim);

/* Outlines of all grains now, each a closed line, as a block of the table. */
void arch_write(FILE *table, const talus_sim *sim, const char *title);

#endif
