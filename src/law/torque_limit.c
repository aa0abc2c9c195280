/* SPDX-License-Identifier: Apache-2.0 */
#include "law/torque_limit.h"

struct torque_limit torque_limit_make(const talus_torque_law *law, double reduced_radius,
                                      bool discs, double dt) {
    const double pi = 3.141592653589793;
    switch (law->scale) {
    case TALUS_TORQUE_LENGTH: return (struct torque_limit){law->coefficient, 0.0};
    case TALUS_TORQUE_REDUCED_RADIUS: /* [Brendel2004, eq. 1.41] */
        return (struct torque_limit){law->coefficient * reduced_radius, 0.0};
    case TALUS_TORQUE_HERTZ: break;
    }
    double size = discs ? -4.0 * reduced_radius / (pi * law->modulus * dt) /* eq. 1.44 */
                        : 0.75 * reduced_radius / (law->modulus * dt);     /* eq. 1.45 */
    return (struct torque_limit){law->coefficient, size};
}

bool torque_law_check(const char *keys[4], const talus_torque_law *law,
                      struct law_complaint *complaint) {
    if (!law_in_range(keys[0], law->coefficient, 0.0, 1e300, "must be >= 0", complaint) ||
        !law_in_range(keys[2], law->stiffness, 0.0, 1e300, "must be >= 0", complaint) ||
        !law_in_range(keys[3], law->damping, 0.0, 1e300, "must be >= 0", complaint))
        return false;
    return law->scale != TALUS_TORQUE_HERTZ ||
           law_in_range(keys[1], law->modulus, 1e-300, 1e300, "must be > 0", complaint);
}
