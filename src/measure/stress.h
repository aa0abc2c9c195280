/* SPDX-License-Identifier: Apache-2.0
 *
 * Stress that the contacts carry: the virial sum
 *     sigma_ij = (1/V) sum over contacts of l_i f_j                          (compression positive)
 * f is the force on the second body and l the branch from the centre of the first to that of the second,
 * at a boundary to the contact point: pushing contacts have l.f > 0. V is that of the box around all
 * grains (packing.h). Stress of moving grains, rho <v v>, is not in it. Read-only.
 */
#ifndef MEASURE_STRESS_H
#define MEASURE_STRESS_H

#include "detect/detect.h"

/* Pa; N/m in the plane, N on a line. From the impulses of the last step, which was `dt` long. */
mat3 measure_stress(const struct world *world, const struct detect *detect, double volume,
                    double dt);

#endif
