/* SPDX-License-Identifier: Apache-2.0
 * The parts of the triaxial test: sample (sample.c), what grains did (local.c), the test itself (measure.c). */
#ifndef PAPERS_TRIAXIAL_H
#define PAPERS_TRIAXIAL_H

#include "papers/papers.h"

/* Lengths in mean diameters, masses in those of a sphere of diameter 1, pressure 1: times then are in units of the
 * inertial time d sqrt(rho/p). */
struct test {
    double diameter;  /* of the cylinder; its height is about twice that */
    double rate;      /* of axial strain: the inertial number I */
    double strain;    /* at the end */
    double stiffness; /* of soft grains, k/(p d) */
    double mu;
};

/* The dense column, in its cylinder, from the scene. */
talus_status sample_prepare(const struct paper_run *run, const struct test *test, talus_sim **out,
                            talus_error *err);
/* The same grains with friction in a membrane between plates, at rest; `method` says how. */
talus_status sample_wrap(const talus_sim *dense, const struct test *test, talus_method method,
                         talus_sim **out, talus_error *err);

/* What a grain did from one moment to another. */
struct deed {
    talus_vec3 position; /* at the first */
    double radius;
    double shear; /* deviatoric strain of its neighbourhood, sqrt(2/3 e:e) */
    double turn;  /* rad, by which it turned */
};
/* Where the grains are. */
struct snapshot {
    size_t count;
    talus_vec3 *position;
    talus_quat *orientation;
};
bool snapshot_take(struct snapshot *snapshot, const talus_sim *sim);
void snapshot_free(struct snapshot *snapshot);
/* Of each grain between two moments; NULL: no memory. The caller frees it. */
struct deed *local_deeds(const talus_sim *sim, const struct snapshot *first,
                         const struct snapshot *second);
/* The share of all shear that the most sheared fifth of the grains has; a fifth if all shear alike. */
double local_share(const struct deed *deeds, size_t count);

/* How the sample fails: the upper part goes along `along` against the lower one, down a slope. */
struct failure {
    talus_vec3 middle;
    talus_vec3 along; /* horizontal unit vector */
    double
        inclination; /* deg, of the most sheared fifth against the horizontal, seen across `along` */
};
struct failure local_failure(const struct deed *deeds, const struct snapshot *first,
                             const struct snapshot *second);

#endif
