/* SPDX-License-Identifier: Apache-2.0
 *
 * The cell of [Pena2009, fig. 2]: irregular polygons without a gap between two rows of such polygons that are
 * the plates, periodic sideways. The polygons are the Voronoi cells of a square lattice whose points are
 * displaced at random; lengths are in lattice constants, so a grain has area 1 in the mean, and mass 1.
 */
#ifndef PAPERS_SHEAR_CELL_CELL_H
#define PAPERS_SHEAR_CELL_CELL_H

#include "papers/papers.h"

struct cell_choice {
    int columns, rows; /* of grains between the plates */
    uint64_t seed;
    double rate; /* 1/s, of shear */
    double mu;
    talus_slip slip;
    double dt;
    double nudge; /* lattice points are displaced by so much of it more: for controls */
};

/* N/m; s, of a collision of two mean grains [Pena2009, eq. 10]; kg/s */
extern const double cell_stiffness;
double cell_collision_time(void);
double cell_damping(void);

talus_status cell_make(const struct cell_choice *choice, talus_sim **out, talus_error *err);

/* J, of the grains between the plates */
double cell_kinetic(const talus_sim *sim);
/* N, on the upper plate by the grains, along and across the shear */
talus_vec3 cell_stress(const talus_sim *sim, talus_contact *scratch, size_t room);

#endif
