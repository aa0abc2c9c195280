/* SPDX-License-Identifier: Apache-2.0
 *
 * Each glyph is a list of strokes; a stroke is a row of points, each a digit (x, from 0) and a letter
 * (y: 'a' = foot of the descenders, 'd' = baseline, 'j' = top of small letters, 'm' = of capitals).
 * A stroke of one point is a dot.
 */
#include "io/font.h"

enum { FIRST = ' ', LAST = '~' };

static const char *const glyphs[LAST - FIRST + 1] = {
    ['!' - FIRST] = "0m0g 0d",
    ['"' - FIRST] = "0m0k 2m2k",
    ['#' - FIRST] = "1d2m 4d5m 0g6g 0j6j",
    ['$' - FIRST] = "6k4l2l0k0j2i4h6g6f4e2e0f 3m3d",
    ['%' - FIRST] = "0d6m 0l1l1k0k0l 5f6f6e5e5f",
    ['&' - FIRST] = "6d1k1l2m3m4l4k0g0e1d3d6h",
    ['\'' - FIRST] = "0m0k",
    ['(' - FIRST] = "2m0j0f2c",
    [')' - FIRST] = "0m2j2f0c",
    ['*' - FIRST] = "2k2g 0j4h 0h4j",
    ['+' - FIRST] = "0h6h 3e3k",
    [',' - FIRST] = "1d0b",
    ['-' - FIRST] = "0h4h",
    ['.' - FIRST] = "0d",
    ['/' - FIRST] = "0c5m",
    ['0' - FIRST] = "2d4d6f6k4m2m0k0f2d",
    ['1' - FIRST] = "0k3m3d",
    ['2' - FIRST] = "0k2m4m6k6i0d6d",
    ['3' - FIRST] = "0m6m3i4i6g6f4d2d0f",
    ['4' - FIRST] = "5d5m0g7g",
    ['5' - FIRST] = "6m1m0i4i6g6f4d2d0e",
    ['6' - FIRST] = "5m3m0i0f2d4d6f6g4i2i0g",
    ['7' - FIRST] = "0m6m2d",
    ['8' - FIRST] = "2i4i6k4m2m0k2i0g0f2d4d6f6g4i",
    ['9' - FIRST] = "1d3d6h6k4m2m0k0j2h4h6j",
    [':' - FIRST] = "0e 0i",
    [';' - FIRST] = "1d0b 1i",
    ['<' - FIRST] = "5k0h5e",
    ['=' - FIRST] = "0i6i 0f6f",
    ['>' - FIRST] = "0k5h0e",
    ['?' - FIRST] = "0k2m4m6k6j3h3g 3d",
    ['@' - FIRST] = "6d2d0f0k2m6m8k8g5g4h4i5j6j6g",
    ['A' - FIRST] = "0d3m6d 1g5g",
    ['B' - FIRST] = "0d0m4m6l6j4i0i 4i6h6e4d0d",
    ['C' - FIRST] = "6k4m2m0k0f2d4d6f",
    ['D' - FIRST] = "0d0m4m6k6f4d0d",
    ['E' - FIRST] = "5m0m0d5d 0i4i",
    ['F' - FIRST] = "5m0m0d 0i4i",
    ['G' - FIRST] = "6k4m2m0k0f2d4d6f6h3h",
    ['H' - FIRST] = "0d0m 6d6m 0i6i",
    ['I' - FIRST] = "0d0m",
    ['J' - FIRST] = "4m4f2d1d0e",
    ['K' - FIRST] = "0d0m 6m0g 2i6d",
    ['L' - FIRST] = "0m0d5d",
    ['M' - FIRST] = "0d0m4g8m8d",
    ['N' - FIRST] = "0d0m6d6m",
    ['O' - FIRST] = "2d5d7f7k5m2m0k0f2d",
    ['P' - FIRST] = "0d0m4m6l6i4h0h",
    ['Q' - FIRST] = "2d5d7f7k5m2m0k0f2d 4f7d",
    ['R' - FIRST] = "0d0m4m6l6i4h0h 3h6d",
    ['S' - FIRST] = "6k4m2m0k0j2i4h6g6f4d2d0f",
    ['T' - FIRST] = "0m6m 3m3d",
    ['U' - FIRST] = "0m0f2d4d6f6m",
    ['V' - FIRST] = "0m3d6m",
    ['W' - FIRST] = "0m2d4k6d8m",
    ['X' - FIRST] = "0m6d 0d6m",
    ['Y' - FIRST] = "0m3h6m 3h3d",
    ['Z' - FIRST] = "0m6m0d6d",
    ['[' - FIRST] = "2m0m0c2c",
    ['\\' - FIRST] = "0m5c",
    [']' - FIRST] = "0m2m2c0c",
    ['^' - FIRST] = "0j2m4j",
    ['_' - FIRST] = "0c5c",
    ['`' - FIRST] = "0m1k",
    ['a' - FIRST] = "5j5d 5h3j2j0h0f2d3d5f",
    ['b' - FIRST] = "0m0d 0h2j3j5h5f3d2d0f",
    ['c' - FIRST] = "5i4j2j0h0f2d4d5e",
    ['d' - FIRST] = "5m5d 5h3j2j0h0f2d3d5f",
    ['e' - FIRST] = "0g5g5h3j2j0h0f2d4d5e",
    ['f' - FIRST] = "4m3m2l2d 0j4j",
    ['g' - FIRST] = "5j5c3a2a0b 5h3j2j0h0f2d3d5f",
    ['h' - FIRST] = "0m0d 0h2j3j5h5d",
    ['i' - FIRST] = "0j0d 0l",
    ['j' - FIRST] = "2j2c1a0a 2l",
    ['k' - FIRST] = "0m0d 4j0f 1g4d",
    ['l' - FIRST] = "0m0d",
    ['m' - FIRST] = "0j0d 0h2j4h4d 4h6j8h8d",
    ['n' - FIRST] = "0j0d 0h2j3j5h5d",
    ['o' - FIRST] = "2d3d5f5h3j2j0h0f2d",
    ['p' - FIRST] = "0j0a 0h2j3j5h5f3d2d0f",
    ['q' - FIRST] = "5j5a 5h3j2j0h0f2d3d5f",
    ['r' - FIRST] = "0j0d 0h2j3j",
    ['s' - FIRST] = "4i3j1j0i0h1g3g4f4e3d1d0e",
    ['t' - FIRST] = "2m2e3d4d 0j4j",
    ['u' - FIRST] = "0j0f2d3d5f 5j5d",
    ['v' - FIRST] = "0j2d3d5j",
    ['w' - FIRST] = "0j2d4i6d8j",
    ['x' - FIRST] = "0j5d 0d5j",
    ['y' - FIRST] = "0j0f2d3d5f 5j5c3a2a0b",
    ['z' - FIRST] = "0j5j0d5d",
    ['{' - FIRST] = "3m2m1l1i0h1g1d2c3c",
    ['|' - FIRST] = "0m0c",
    ['}' - FIRST] = "0m1m2l2i3h2g2d1c0c",
    ['~' - FIRST] = "0g1h2h4g5g6h",
};

static const double cap_units = 9.0; /* from the baseline 'd' to 'm' */
static const double gap_units = 2.6; /* between two glyphs */
static const double space_units = 3.0;
static const double pen_units = 1.15; /* width of a stroke */

static const char *glyph(char c) {
    if (c < FIRST || c > LAST) c = '?';
    return glyphs[c - FIRST];
}

static double glyph_width(char c) {
    const char *strokes = glyph(c);
    if (strokes == NULL) return space_units;
    double width = 0.0;
    for (const char *s = strokes; *s != '\0'; s++)
        if (*s >= '0' && *s <= '9' && (double)(*s - '0') > width) width = (double)(*s - '0');
    return width;
}

double font_width(const char *text, double size) {
    double units = 0.0;
    for (const char *c = text; *c != '\0'; c++)
        units += glyph_width(*c) + (c[1] != '\0' ? gap_units : 0.0);
    return units * size / cap_units;
}

static struct point place(const char *code, struct point origin, double unit) {
    return (struct point){origin.x + unit * (double)(code[0] - '0'),
                          origin.y - unit * (double)(code[1] - 'd')};
}

static void draw_glyph(struct canvas *canvas, struct point origin, const char *strokes, double unit,
                       struct color color) {
    double pen = pen_units * unit;
    while (*strokes != '\0') {
        struct point from = place(strokes, origin, unit);
        strokes += 2;
        if (*strokes == ' ' || *strokes == '\0') canvas_disc(canvas, from, 0.7 * pen, color, 1.0);
        while (*strokes != ' ' && *strokes != '\0') {
            struct point to = place(strokes, origin, unit);
            canvas_line(canvas, from, to, pen, color);
            from = to;
            strokes += 2;
        }
        if (*strokes == ' ') strokes++;
    }
}

void font_draw(struct canvas *canvas, struct point at, const char *text, double size,
               struct color color) {
    double unit = size / cap_units;
    for (const char *c = text; *c != '\0'; c++) {
        const char *strokes = glyph(*c);
        if (strokes != NULL) draw_glyph(canvas, at, strokes, unit, color);
        at.x += unit * (glyph_width(*c) + gap_units);
    }
}
