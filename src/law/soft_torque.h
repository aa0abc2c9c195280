/* SPDX-License-Identifier: Apache-2.0
 *
 * Rolling and torsion of soft grains: a spring against the angle by which two grains have turned against each other,
 * with a dashpot, cut back to L R_n [Ai2011; Brendel2004, eq. 1.40]. L is the length of law/torque_limit.h.
 *
 * Stiffness: a contact of half-width L whose two edges carry half the normal stiffness each. Turned by theta the edges
 * move by +-L theta, so the torque is k_n L^2 theta, and with the dashpots likewise gamma_n L^2 dtheta/dt. An
 * edge lifts off where the torque is L R_n: the limit belongs to the same picture.
 */
#ifndef LAW_SOFT_TORQUE_H
#define LAW_SOFT_TORQUE_H

#include "law/soft.h"
#include "law/torque_limit.h"

struct soft_torque { /* of one contact */
    struct torque_limit limit;
    double stiffness, damping; /* N m, N m s; 0: as above */
};

IN_LOOP struct soft_torque soft_torque_make(const talus_torque_law *law, double reduced_radius,
                                            bool discs) {
    return (struct soft_torque){torque_limit_make(law, reduced_radius, discs, 1.0), law->stiffness,
                                law->damping};
}

/* `load` >= 0, N: R_n + F_C */
IN_LOOP struct soft_spring soft_torque_spring(const struct soft_torque *torque,
                                              const struct soft_push *push, double load) {
    double limit = torque_limit_at(&torque->limit, load);
    double length = load > 0.0 ? limit / load : 0.0, area = length * length;
    return (struct soft_spring){torque->stiffness > 0.0 ? torque->stiffness : push->slope * area,
                                torque->damping > 0.0 ? torque->damping : push->drag * area,
                                {limit, limit},
                                false};
}

struct soft_resistance {
    vec3 torque, spring; /* N m, on the second body; its elastic part */
    double twist_drag;   /* N m, what is not elastic of the part along the normal */
    vec3 angle;          /* rad, of the springs: across the normal rolling, along it torsion */
    double stored, rolling_lost, torsion_lost; /* J */
};

/* `springs`, and `before`, their stiffnesses of the last step: rolling, torsion. `turn`: all of the relative turning;
 * its `carried` is the angle of the last step, turned with the contact. */
IN_LOOP struct soft_resistance soft_resist(const struct soft_spring springs[2],
                                           const double before[2], struct soft_slip turn, vec3 n) {
    vec3 twisted = vec3_scale(vec3_dot(turn.carried, n), n);
    vec3 way = vec3_scale(vec3_dot(turn.way, n), n), rate = vec3_scale(vec3_dot(turn.rate, n), n);
    struct soft_slip roll = {vec3_sub(turn.carried, twisted), vec3_sub(turn.way, way),
                             vec3_sub(turn.rate, rate)};
    struct soft_slip twist = {twisted, way, rate};
    vec3 angles[2];
    struct soft_drag rolling = soft_step(&springs[0], before[0], roll, &angles[0]);
    struct soft_drag torsion = soft_step(&springs[1], before[1], twist, &angles[1]);
    return (struct soft_resistance){
        .torque = vec3_add(rolling.force, torsion.force),
        .spring = vec3_add(rolling.spring, torsion.spring),
        .twist_drag = vec3_dot(vec3_sub(torsion.force, torsion.spring), n),
        .angle = vec3_add(angles[0], angles[1]),
        .stored = rolling.stored + torsion.stored,
        .rolling_lost = rolling.lost,
        .torsion_lost = torsion.lost,
    };
}

#endif
