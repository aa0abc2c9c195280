/* SPDX-License-Identifier: Apache-2.0
 * Solid sphere: V = 4/3 pi r^3, I = 2/5 m r^2. */
#include "geom/shape.h"

static double volume(double radius) {
    const double four_thirds_pi = 4.1887902047863905;
    return four_thirds_pi * radius * radius * radius;
}

static vec3 inertia(double mass, double radius) {
    double moment = 0.4 * mass * radius * radius;
    return vec3_make(moment, moment, moment);
}

static const talus_parameter parameters[] = {
    {"radius", "m", "radius of the sphere", 0.0, 0.0, 1e30}};

const struct shape_type shape_sphere = {
    .entry = {"shape", "sphere", "solid sphere; density in kg/m^3", "", NULL, parameters, 1},
    .dimension_max = 3,
    .volume = volume,
    .inertia = inertia,
};
