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
    double reduced_mass;      /* kg; t_c and dashpots follow from it */
    double balanced;          /* N along -x, the force that changes nothing at the start */
    double push;              /* m, further force over k_n: small, so that it is linear */
    double speed, spin;       /* m/s along x, rad/s at the start */
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
/* The grain named last in the scene, and its moment of inertia about z, kg m^2. */
size_t trial_pushed(const talus_sim *sim);
double trial_inertia(const talus_sim *sim, size_t grain);

/* theory.c */
double theory_collision_time(const struct trial *trial);     /* t_c, s */
double theory_damping(const struct trial *trial);            /* c_n, kg/s, of [Pena2009, eq. 8] */
double theory_tangential_damping(const struct trial *trial); /* c_t, kg/s */
double theory_time(const struct trial *trial); /* of two discs: t_R/t_c of the slowest mode */

/* corner.c: the corner of a polygon that can move in the side of one that is held. */
struct corner {
    double normal_x, tangent_x; /* n out of the side, t = n turned by 90 degrees to the left */
    double depth;               /* m */
    double left, right;         /* tangents of the angles of its sides against n */
    double along, across;       /* m, from the centre of the grain to the corner: . t, . n */
    double length;              /* m, l_c [Pena2009, eq. 5] */
    double mass, inertia, reduced_mass;
};
talus_status corner_find(const talus_sim *sim, struct corner *out, talus_error *err);
double corner_load(const struct corner *corner, double stiffness); /* N, k_n A/l_c */

/* The modes of the linear theory. */
enum corner_mode { CORNER_HELD, CORNER_SHEARS, CORNER_ROLLS };
struct mode {
    double time;       /* t_R/t_c */
    double frequency;  /* rad/s */
    double slide;      /* m along x for a turn of 1 rad; held: 0 */
    double compliance; /* held: displacement at rest over F/k_n */
};
struct mode corner_theory(const struct corner *corner, const struct trial *trial,
                          enum corner_mode mode);

/* polygons.c */
talus_status polygons_measure(struct paper_run *run, talus_error *err);

#endif
