/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"

#include <math.h>

double random_normal(struct random *random) {
    const double two_pi = 6.283185307179586;
    double radius = sqrt(-2.0 * log(1.0 - random_uniform(random)));
    return radius * cos(two_pi * random_uniform(random));
}
