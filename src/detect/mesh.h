/* SPDX-License-Identifier: Apache-2.0
 *
 * Grains on meshes: which facets, where they touch, and what goes on from one facet to the next. A place that
 * several facets share is one point of contact, of the lowest facet, and what a contact remembers
 * follows it when it slides on.
 */
#ifndef DETECT_MESH_H
#define DETECT_MESH_H

#include "detect/detect.h"

struct spot {
    vec3 normal, point; /* the point as seen from the centre of a */
    double gap, curvature;
    uint32_t feature;
    bool dormant; /* struct slot */
};

size_t detect_spots(const struct manifold *manifold, struct spot *spots);

/* The mesh that grain a meets on b; NULL if b is a grain, or a wall that a meets as it is. */
const struct surface *detect_mesh(const struct world *world, talus_index a, talus_index b);

/* The facets of wall b that a ball around grain a meets (`centre` from the position of a), in the order of their
 * numbers, into detect->facets; returns how many. */
size_t detect_mesh_near(const struct detect *detect, const struct world *world, talus_index a,
                        talus_index b, vec3 centre, double radius);

/* Where a part touches the facet of a slot. */
size_t detect_mesh_spots(const struct world *world, const struct placed *a,
                         const struct candidate *pair, struct slot *first, double margin,
                         struct spot *spots);

/* m, how deep the point of the surface in a slot is inside the grain where the bodies end the step; negative: outside. */
double detect_mesh_depth(const struct detect *detect, const struct world *world, size_t candidate,
                         const struct velocities *velocities, double dt);

/* The slots of one part of a grain on one mesh stand one after the other: a run. */
enum { MESH_RUN_SPOTS = 64, MESH_RUN_MOVES = 16 };
struct mesh_left { /* by a point of the last step */
    vec3 arm, impulse;
    struct contact_memory memory;
};
struct mesh_run {
    talus_index a, b;
    int32_t part;
    double same; /* m, points this near are one */
    double way;  /* m, how far a point can have come since the last step */
    int spot_count, left_count, entered_count;
    vec3 points[MESH_RUN_SPOTS], normals[MESH_RUN_SPOTS]; /* so far */
    bool dormant[MESH_RUN_SPOTS];
    struct mesh_left left[MESH_RUN_MOVES];
    size_t entered[MESH_RUN_MOVES]; /* slots with new points */
};

bool mesh_run_goes_on(const struct mesh_run *run, const struct candidate *pair,
                      const struct slot *slot);
/* Ends the run before. */
void mesh_run_start(struct mesh_run *run, struct detect *detect, const struct world *world,
                    size_t candidate);
/* Leave only the spots that no facet before has; returns how many. */
size_t mesh_run_take(struct mesh_run *run, struct spot *spots, size_t count);
/* The point of a slot is gone; what it remembers may be of use. A slot has a new point. */
void mesh_run_leave(struct mesh_run *run, const struct detect *detect, size_t candidate);
void mesh_run_enter(struct mesh_run *run, size_t candidate);
/* New points that go on from one that is gone get what that one left. */
void mesh_run_end(struct mesh_run *run, struct detect *detect);

#endif
