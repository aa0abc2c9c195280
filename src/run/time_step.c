/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules for the time step of soft grains, told before a run. dt is what the scene says: rules that it breaks are told
 * with their numbers, nothing is changed.
 */
#include <math.h>
#include <stdio.h>

#include "run/run.h"

static const double rounding = 1.0 + 1e-9;
static const double brake_fine = 0.5; /* of V_c; as the verdict */

static void put_warnings(const talus_step_rules *rules, double dt, FILE *to) {
    if (dt > rules->collision * rounding)
        fprintf(to, "warning: dt is %.3g times t_c/100: %.3g steps in the shortest collision\n",
                dt / rules->collision, rules->collision_time / dt);
    if (dt > rules->friction * rounding) {
        double fast = 0.05 * dt / rules->friction; /* k_t dt/(2 (c_n + c_t)) */
        fprintf(
            to,
            "warning: dt is %.3g times the friction bound: with `slip: velocity` contacts relax "
            "%.2g %% too fast\n",
            dt / rules->friction, 100.0 * fast / (1.0 + fast));
    }
    if (rules->meeting_speed > brake_fine * rules->critical_speed)
        fprintf(
            to,
            "warning: grains may meet at up to %.3g m/s; the softest pass through each other from "
            "V_c = %.3g m/s on (at 45 deg)\n",
            rules->meeting_speed, rules->critical_speed);
}

talus_status talus_run_time_step(const talus_step_rules *rules, double dt, FILE *to) {
    if (!isfinite(rules->collision_time)) return TALUS_OK;
    fprintf(to, "time step: collision time %.4g s, a hundredth of it %.4g s", rules->collision_time,
            rules->collision);
    if (isfinite(rules->friction)) fprintf(to, ", friction bound %.4g s", rules->friction);
    if (isfinite(rules->travel)) fprintf(to, ", travel bound %.4g s", rules->travel);
    fprintf(to, "; dt = %.4g s\n", dt);
    put_warnings(rules, dt, to);
    return ferror(to) ? TALUS_ERR_FILE : TALUS_OK;
}
