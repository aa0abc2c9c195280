/* SPDX-License-Identifier: Apache-2.0
 *
 * One scene, two methods: rigid grains by Contact Dynamics and soft grains by molecular dynamics, at matched accuracy
 * (docs/theory/compare.md). Both have the relative error `error`: md because its grains overlap by that share of a
 * diameter, cd because it stops its sweeps there, counted for the longest wave.
 */
#ifndef TALUS_COMPARE_H
#define TALUS_COMPARE_H

#include "talus/measure.h"
#include "talus/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_compare_config {
    double
        overlap; /* > 0: springs are made so that grains overlap by this share of the mean diameter under the
                         largest mean contact force of the cd run */
    double
        stiffness; /* N/m, > 0: springs are this stiff. Not both; with neither the scene's own `soft`, without
                         them an overlap of 1e-3 */
    const char *directory; /* results go to directory/cd and directory/md; NULL = kept nowhere */
    bool overwrite;
    int threads; /* of md */
    bool (*progress)(talus_method method, const talus_progress *progress, void *context);
    void *context;
} talus_compare_config;

enum { TALUS_COMPARE_BOUNDARIES = 32, TALUS_COMPARE_NAME = 48, TALUS_COMPARE_NOTES = 2048 };

/* What one method did. Means are over the last tenth of the run. */
typedef struct talus_compare_side {
    talus_status status;
    double wall_seconds;
    double work; /* cd: contact updates (contacts times sweeps); md: particle-steps */
    double dt;   /* s, at the end */
    double sweeps_mean;
    talus_observables last; /* at the end */
    talus_trust trust;
    double kinetic, force, coordination, overlap; /* means; the overlap in mean diameters */
    double overlap_max;                           /* of all moments looked at */
    talus_stress stress;                          /* mean */
    double speed;                                 /* m/s, fastest grain of all moments looked at */
    double force_worst; /* N, mean contact force in the tenth of the run in which it was largest, */
    double overlap_worst; /* and the mean overlap in that in which this was */
    talus_vec3 boundary_force[TALUS_COMPARE_BOUNDARIES]; /* N, mean, by the grains */
} talus_compare_side;

typedef struct talus_comparison {
    char title[256];
    talus_method scene_method; /* of the scene as written */
    talus_compare_side cd, md;
    double error;     /* the relative error both were made for */
    double tolerance; /* of the residual of cd that belongs to it */
    double
        stiffness; /* K, N/m: of the springs, or for laws that are not linear the one with the same t_c */
    char notes[TALUS_COMPARE_NOTES]; /* what had to be chosen, one line each */
    size_t boundary_count;           /* at most TALUS_COMPARE_BOUNDARIES are listed */
    char boundary_name[TALUS_COMPARE_BOUNDARIES][TALUS_COMPARE_NAME];
    /* Where it lies on the map T_CD/T_MD ~ N^(2/d) sqrt(m v^2/(K r^2)) */
    int dim;
    int64_t grains;
    double mass, radius; /* kg, m, means */
    double speed;        /* v, m/s: the fastest grain of both runs */
    double map;          /* N^(2/d) sqrt(m v^2/(K r^2)) */
    double ratio;        /* T_CD/T_MD, wall time */
} talus_comparison;

talus_compare_config talus_compare_config_default(void);

/* Run the scene by both methods, the one that sets the accuracy first. TALUS_WARN_INTERRUPTED: *out holds what was
 * reached. Mistakes in the scene are reported as by talus_scene_load. */
talus_status talus_compare(const char *path, const char *const *overrides, size_t override_count,
                           const talus_compare_config *config, talus_comparison *out,
                           talus_error *err);

/* The table in words, and the same for programs. */
talus_status talus_comparison_report(const talus_comparison *comparison, FILE *to);
talus_status talus_comparison_json(const talus_comparison *comparison, FILE *to);

#ifdef __cplusplus
}
#endif
#endif
