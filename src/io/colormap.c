/* SPDX-License-Identifier: Apache-2.0
 *
 * The map is a curve in L*a*b*: L* = 36 + 57 t, a* and b* the cubics through four colours (indigo,
 * blue-green, green, yellow) at t = 0, 1/3, 2/3, 1. The four were searched for so that the speed
 * |d(L*, a*, b*)/dt| is nearly constant (175 to 197) and every colour can be shown by a screen;
 * tests/unit/test_canvas.c asserts both.
 */
#include "io/colormap.h"

#include <math.h>
#include <string.h>

static double clamp01(double value) {
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

/* The cubic through (0, y0), (1/3, y1), (2/3, y2), (1, y3), by Lagrange. */
static double cubic(double t, const double y[4]) {
    double u = 3.0 * t;
    return y[0] * (u - 1.0) * (u - 2.0) * (u - 3.0) / -6.0 +
           y[1] * u * (u - 2.0) * (u - 3.0) / 2.0 + y[2] * u * (u - 1.0) * (u - 3.0) / -2.0 +
           y[3] * u * (u - 1.0) * (u - 2.0) / 6.0;
}

struct lab colormap_lab(double t) {
    static const double a[4] = {27.0, -21.0, -41.0, -17.0};
    static const double b[4] = {-50.0, -23.0, 30.0, 79.0};
    t = isnan(t) ? 0.0 : clamp01(t);
    return (struct lab){36.0 + 57.0 * t, cubic(t, a), cubic(t, b)};
}

struct color colormap_at(double t) {
    return color_from_lab(colormap_lab(t));
}

const char *colormap_name(enum colormap map) {
    static const char *const names[COLORMAPS] = {"lake", "grey", "tide"};
    return names[map];
}

enum colormap colormap_find(const char *name) {
    int map = 0;
    while (map < COLORMAPS && strcmp(colormap_name((enum colormap)map), name) != 0) map++;
    return (enum colormap)map;
}

/* Two straight lines in L*a*b* that meet in a light grey: both sides are equally dark, so that which one is larger
 * can be seen. */
static struct lab tide(double t) {
    const struct lab ends[2] = {{37.0, 14.0, -50.0}, {37.0, 54.0, 34.0}};
    const struct lab middle = {92.0, 0.0, 0.0};
    const struct lab *end = &ends[t > 0.5];
    double share = fabs(2.0 * t - 1.0);
    return (struct lab){middle.l + share * (end->l - middle.l), share * end->a, share * end->b};
}

struct color colormap_of(enum colormap map, double t) {
    t = isnan(t) ? 0.0 : clamp01(t);
    if (map == COLORMAP_GREY) return color_from_lab((struct lab){28.0 + 66.0 * t, 0.0, 0.0});
    return map == COLORMAP_TIDE ? color_from_lab(tide(t)) : colormap_at(t);
}

struct color colormap_category(int k) {
    const double golden_angle = 2.399963229728653; /* rad: no two of the first hues come close */
    const double first = 4.45;                     /* a quiet blue for the first group */
    const double lightness = 62.0, chroma = 42.0;
    double hue = first + golden_angle * (double)k;
    return color_from_lab((struct lab){lightness, chroma * cos(hue), chroma * sin(hue)});
}

static double decode(double v) {
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double encode(double v) {
    v = clamp01(v);
    return v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1.0 / 2.4) - 0.055;
}

struct color color_linear(struct color coded) {
    return (struct color){decode(coded.r), decode(coded.g), decode(coded.b)};
}

struct color color_coded(struct color linear) {
    return (struct color){encode(linear.r), encode(linear.g), encode(linear.b)};
}

struct color color_mix(struct color a, struct color b, double share) {
    return (struct color){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g),
                          a.b + share * (b.b - a.b)};
}

static double lab_inverse(double f) {
    return f > 6.0 / 29.0 ? f * f * f : 3.0 * (6.0 / 29.0) * (6.0 / 29.0) * (f - 4.0 / 29.0);
}

struct color color_from_lab(struct lab lab) {
    double fy = (lab.l + 16.0) / 116.0;
    double x = 0.95047 * lab_inverse(fy + lab.a / 500.0);
    double y = lab_inverse(fy);
    double z = 1.08883 * lab_inverse(fy - lab.b / 200.0);
    return color_coded((struct color){3.2406 * x - 1.5372 * y - 0.4986 * z,
                                      -0.9689 * x + 1.8758 * y + 0.0415 * z,
                                      0.0557 * x - 0.2040 * y + 1.0570 * z});
}
