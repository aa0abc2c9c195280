/* SPDX-License-Identifier: Apache-2.0
 * What the files of this entry share: one trial, what came out, and the linear theory of it. */
#ifndef PAPERS_RELAXATION_H
#define PAPERS_RELAXATION_H

#include "papers/papers.h"

/* Defaults of [Pena2009, sect. 3]; all ratios to the normal direction. */
struct trial {
    const char *scene;      /* of this folder: held and pushed grain */
    const char *integrator; /* name of the catalog */
    const char *slip;       /* position, velocity, pena */
    bool turns;             /* the pushed grain may turn */
    double share;           /* dt/t_c */
    double mu;
    double stiffness;         /* k_n, N/m */
    double stiffness_ratio;   /* k_t/k_n */
    double restitution_ratio; /* e_t/e_n; it sets c_t */
    double from, to;          /* the fit: ln(E_first/E) of the peaks of the kinetic energy */
    FILE *table;              /* t/t_c and E_k/E_first at the peaks go here; may be NULL */
};
struct trial trial_default(void);

struct decay {
    double time;  /* t_R/t_c */
    double shift; /* displacement at rest over F/k_n */
    int peaks;    /* in the fit */
};

/* trial.c */
talus_status trial_run(const struct paper_run *run, const struct trial *trial, struct decay *out,
                       talus_error *err);

/* theory.c: of two discs */
double theory_collision_time(double stiffness);              /* t_c, s */
double theory_damping(double stiffness, double restitution); /* c, kg/s, of [Pena2009, eq. 8] */
double theory_tangential_damping(const struct trial *trial); /* c_t, kg/s */
double theory_time(const struct trial *trial);               /* t_R/t_c of the slowest mode */

#endif
