/* SPDX-License-Identifier: Apache-2.0
 * Accelerated projected gradients: what their run keeps. The method is in apgd.c. */
#ifndef SOLVE_APGD_H
#define SOLVE_APGD_H

#include "law/combined.h"

struct apgd_contact {
    struct combined_impulse change; /* of this iteration, not yet applied to the bodies */
    double slip;                    /* m/s, s = mu |u_t| + ..., held */
    double rolling, torsion;        /* m, torque limits over load, held */
    double step_n, step_t, step_r;  /* kg, kg, kg m^2: of normal, tangential impulse and torque */
};

struct apgd_body { /* how many contacts push it, and turn it */
    double pushes, turns;
};

struct apgd_state {
    double theta, beta;
    double first; /* squared length of the first iteration with this slip */
    double limit; /* iterations with the same slip at most */
    int inner;    /* iterations with this slip so far */
};

#endif
