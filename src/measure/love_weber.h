/* SPDX-License-Identifier: Apache-2.0
 *
 * Stress of a box from what its contacts and moving grains carry, compression positive:
 *     contacts   sigma_ij = (1/V) sum over contacts of s l_i f_j                                      [Weber1966]
 *     motion     sigma_ij = (1/V) sum of m v'_i v'_j,   v' relative to the mean velocity of the box
 *     a grain    sigma_ij = (1/V_g) sum over its contacts of r_i f_j
 * l: branch from centre to centre, at a wall to the contact point; f: force on the second body, of a grain that which it
 * exerts; r: from its centre to the contact point; s: share of the branch in the box, so that boxes which tile space add up
 * to the whole. Grains belong to the box that holds their centre.
 *
 * Centres and contact points are those of the moment for which the forces were solved (snapshot.h), not those of now: only
 * with these r are torques balanced, and only if both grains have theirs of the same moment is r_a - r_b = l, so that
 * grains add up to the whole.
 */
#ifndef MEASURE_LOVE_WEBER_H
#define MEASURE_LOVE_WEBER_H

#include "measure/measure.h"

struct stress_sums {
    double volume;         /* m^dim */
    mat3 contact, kinetic; /* Pa; N/m in the plane, N on a line */
    vec3 velocity;         /* m/s, mean by mass */
    double mass, solid, grains,
        width; /* kg, m^dim, number, sum of diameters: of grains in the box */
};

/* `whole`: the box around all grains, in which all contacts count, also a gap outside. */
struct stress_sums stress_in_box(const struct snapshot *snapshot, const struct axis_box *box,
                                 bool whole);

#endif
