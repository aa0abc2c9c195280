/* SPDX-License-Identifier: Apache-2.0
 *
 * What of a ball and of a line lies inside a box along the axes: exact, in closed form.
 *
 * A box is cut out by corners: with C(a, b, c) the part of the ball where x > a, y > b and z > c, the ball has in the box
 *     V = sum over the 8 corners of +- C,   + for an even number of upper sides.
 * Cuts below the centre are mirrored: C(a, b, c) = C(-inf, b, c) - C(-a, b, c) for a < 0. For a, b, c >= 0 the piece has one
 * round and three flat faces, and for the unit ball by the divergence theorem
 *     3 C = S - a A_a - b A_b - c A_c
 * with the round face S = 2 pi - sum a phi_a - sum of the outer angles (Gauss-Bonnet: the edge on the plane x = a has the
 * geodesic curvature a/rho_a, rho_a^2 = 1 - a^2, and the length rho_a phi_a) and the flat ones
 *     A_a = (rho_a^2 phi_a - b (s_ab - c) - c (s_ac - b))/2,   s_ab^2 = 1 - a^2 - b^2.
 * Discs in the plane go the same way. Accurate to about 1e-15 of the whole ball.
 */
#ifndef MEASURE_BOX_OVERLAP_H
#define MEASURE_BOX_OVERLAP_H

#include "measure/snapshot.h"

/* m^3 of a ball, m^2 of a disc, m of a piece of line that lie in the box; sides may be infinite. */
double box_overlap(const struct axis_box *box, int dim, vec3 centre, double radius);

/* Which share of the line lies in the box, 0 to 1. Boxes that tile space share it to rounding: one that runs inside a
 * side belongs to the box above. */
double box_line_share(const struct axis_box *box, int dim, vec3 from, vec3 branch);

/* Volume of a grain in a box, with its images in periodic cells. One that is not round is where its centre is. */
double snapshot_overlap(const struct snapshot *snapshot, size_t grain, const struct axis_box *box);
/* Share of a contact's branch in a box, the same. */
double snapshot_line_share(const struct snapshot *snapshot, const struct snapshot_contact *contact,
                           const struct axis_box *box);

#endif
