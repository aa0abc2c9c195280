/* SPDX-License-Identifier: Apache-2.0
 *
 * A layer of grains on a rough slope, periodic along it: to drive it, and to read from it how stress
 * and rate of shear belong together. Lengths in mean diameters d, times in sqrt(d/g), density 1.
 */
#ifndef PAPERS_PENTAGONS_FLOW_H
#define PAPERS_PENTAGONS_FLOW_H

#include "papers/papers.h"

enum { FLOW_BINS = 64, FLOW_BLOCKS = 8 };
#define FLOW_MARGIN 5.0 /* d, of the bulk from ground and surface */

struct flow_choice {
    const char *shape; /* "pentagon" or "disc" */
    int grains;
    int columns; /* grains of the ground, 1.25 d apart */
    int seed;
    double tolerance; /* of the solver */
};

struct flow {
    talus_sim *sim;
    int layer;          /* its group */
    double width, mass; /* of the layer */
    double learnt;      /* slope that was found to hold the speed */
    talus_contact *contacts;
    size_t contact_capacity;
};

/* Loose grains, fallen on the ground at slope 0 and come to rest. To be freed also on failure. */
talus_status flow_make(const struct paper_run *run, const struct flow_choice *choice,
                       struct flow *out, talus_error *err);
void flow_free(struct flow *flow);

/* ---- driving ----------------------------------------------------------------------------------- */

/* How a stretch of time is driven: at a slope, or with slopes that hold the mean speed. */
struct flow_drive {
    bool hold_speed;
    double slope; /* gravity along the ground over gravity towards it, which is 1 */
    double speed; /* of the layer */
    double duration, dt;
};

double flow_speed(const struct flow *flow);  /* mean, by mass */
double flow_height(const struct flow *flow); /* twice that of the centre of mass */

/* The mean speed that the layer has if the inertial number is the same everywhere. */
double flow_speed_at(const struct flow *flow, double inertial_number);

/* The time in which the middle of the layer is sheared by so much, if it is. */
double flow_time_of(const struct flow *flow, double inertial_number, double strain);

/* ---- reading ----------------------------------------------------------------------------------- */

/* A mean over time. Statics gives the shear stress: what the slope adds to the momentum and the
 * layer does not show was taken by the ground, so mu = <slope> - (change of speed)/time, at any
 * depth if the flow is steady. The rest is read from the bulk, FLOW_MARGIN away from both ends. */
struct flow_reading {
    double mu, mu_error; /* with the standard error over FLOW_BLOCKS blocks of time */
    double inertial, inertial_error;
    double solid;     /* fraction */
    double virial;    /* shear over normal stress, from the contact forces */
    double strain;    /* of the bulk */
    double residual;  /* of the solver, mean */
    double unsolved;  /* share of steps that did not reach its tolerance */
    double overlap;   /* mean, in d, at the end */
    double speed_end; /* of the layer */
    double height[FLOW_BINS], speed_at[FLOW_BINS], solid_at[FLOW_BINS]; /* profile; y is height */
    int bins;
};

/* Drive and read. `reading` may be NULL. */
talus_status flow_go(struct flow *flow, const struct flow_drive *drive,
                     struct flow_reading *reading, talus_error *err);

/* ---- the limit of slow flow -------------------------------------------------------------------- */

struct flow_point {
    double mu, mu_error, inertial, inertial_error;
};

/* mu = mu_0 + c I^alpha; the error is that of mu_0. */
struct flow_fit {
    double mu_0, error, c, alpha;
    double scatter; /* squared departures over squared errors, for a degree of freedom */
};

/* At least three points of different I. With the exponent of frictionless spheres; with any from 0.3
 * to 1. */
struct flow_fit flow_fit_spheres(const struct flow_point *points, int count);
struct flow_fit flow_fit_free(const struct flow_point *points, int count);

#endif
