/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers with units: "1.5 mm", "30 deg", "9.81 m/s^2", "500 1/s", "2 N m".
 *
 * A unit is a product of powers. '*', a blank and '.' multiply, '/' divides by the next factor
 * only, '^' or digits behind a name are powers, brackets group. SI prefixes G M k h d c m u n go
 * before m, s, g, N, Pa, J, W, Hz. The angle counts as a dimension of its own: 1 rpm = 2 pi/60
 * rad/s must not pass for a frequency of 1/60 Hz.
 */
#ifndef SCENE_UNITS_H
#define SCENE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

struct unit_dimension {
    int length, mass, time, angle; /* exponents of m, kg, s, rad */
};

struct unit {
    struct unit_dimension dimension;
    double factor; /* SI value of one unit = factor 10^decade */
    int decade;    /* apart, so that "1.3 mm" has the same bits as 0.0013 */
};

/* Reads a unit; "" is the plain number. On failure the piece that was not understood is in `bad`
 * (points into text, `bad_length` bytes). */
bool unit_parse(const char *text, struct unit *out, const char **bad, size_t *bad_length);

bool unit_same_dimension(struct unit_dimension a, struct unit_dimension b);

/* "a length", "a mass", ... or the powers, "a quantity in m^2 s^-1". Writes at most `size`
 * bytes. */
const char *unit_describe(struct unit_dimension dimension, char *text, size_t size);

/* Reads a number with or without a unit as a value in `wanted` ("m", "deg", ...; "" = plain
 * number). A bare number is taken in the wanted unit. `also` (may be NULL) is a second unit of the
 * same size that is welcome too. On failure returns false and says why in `message`. */
bool quantity_parse(const char *text, const char *wanted, const char *also, double *out,
                    char *message, size_t size);

/* The dimension of the unit written behind a number; false if there is none. */
bool quantity_dimension(const char *text, struct unit_dimension *out);

/* Masses are made of a density and three lengths, moments of inertia of five, energies of squares: numbers beyond these
 * would end in infinity, or in a mass of nothing. An atom and a galaxy are within them. */
static const double quantity_largest = 1e30, quantity_smallest = 1e-40;

/* Does the text begin like a number? */
bool quantity_looks_like_number(const char *text);

#endif
