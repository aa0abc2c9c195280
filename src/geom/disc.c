/* SPDX-License-Identifier: Apache-2.0
 * Solid disc of a plane world: area pi r^2, I = 1/2 m r^2 about z, mass = density (kg/m^2) x area.
 * The in-plane moments never act: a plane world locks these rotations. */
#include "geom/shape.h"

static double volume(double radius) {
    const double pi = 3.141592653589793;
    return pi * radius * radius;
}

static vec3 inertia(double mass, double radius) {
    double moment = 0.5 * mass * radius * radius;
    return vec3_make(moment, moment, moment);
}

static const talus_parameter parameters[] = {{"radius", "m", "radius of the disc", 0.0, 0.0, 1e30}};

const struct shape_type shape_disc = {
    .entry = {"shape", "disc", "solid disc in the x-y plane; density in kg/m^2", "", NULL,
              parameters, 1},
    .dimension_max = 2,
    .volume = volume,
    .inertia = inertia,
};
