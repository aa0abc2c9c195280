/* SPDX-License-Identifier: Apache-2.0
 *
 * Colours for numbers and for names, chosen in CIE L*a*b* so that equal steps look equal.
 * struct color holds sRGB-coded components in [0, 1]; light adds up only in linear ones.
 */
#ifndef IO_COLORMAP_H
#define IO_COLORMAP_H

struct color {
    double r, g, b;
};

struct lab { /* CIE 1976, white D65 */
    double l, a, b;
};

enum colormap { COLORMAP_LAKE, COLORMAP_GREY, COLORMAP_TIDE, COLORMAPS };
const char *colormap_name(enum colormap map);
/* COLORMAPS if there is none of that name. */
enum colormap colormap_find(const char *name);
/* t from 0 to 1, clamped outside. Grey from dark to light; tide from blue over a pale middle to red. */
struct color colormap_of(enum colormap map, double t);

/* Lake: t from 0 (dark blue) to 1 (yellow); the lightness rises linearly. Clamped outside. */
struct color colormap_at(double t);
struct lab colormap_lab(double t);

/* A colour for category k = 0, 1, 2, ...: equal lightness, hues far apart. */
struct color colormap_category(int k);

struct color color_from_lab(struct lab lab);
struct color color_linear(struct color coded);
struct color color_coded(struct color linear);
struct color color_mix(struct color a, struct color b, double share_of_b);

#endif
