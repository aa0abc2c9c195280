/* SPDX-License-Identifier: Apache-2.0
 *
 * Each glyph is a list of strokes; a stroke is a row of points, each a digit (x, from 0) and a letter
 * (y: 'a' = foot of the descenders, 'd' = baseline, 'j' = top of small letters, 'm' = of capitals).
 * A stroke of one point is a dot. Letters with an accent are the letter and the accent, in the middle above it.
 */
#include "io/font.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* ---- beyond ASCII: what names and units of Europe need ---------------------------------------- */

static const struct {
    uint32_t code;
    const char *strokes;
} signs[] = {
    {0xa1, "0m 0j0d"},                  /* inverted ! */
    {0xa3, "6k4m3m2l2d 0d6d 0i4i"},     /* pound */
    {0xab, "2j0h2f 5j3h5f"},            /* << */
    {0xb0, "0l1m2m3l3k2j1j0k0l"},       /* degree */
    {0xb1, "0i6i 3f3l 0d6d"},           /* +- */
    {0xb2, "0l1m2m3l3k0i3i"},           /* squared */
    {0xb3, "0m3m1k2k3j2i0i"},           /* cubed */
    {0xb5, "0j0a 0f2d3d5f 5j5d"},       /* micro */
    {0xb7, "0h"},                       /* dot */
    {0xb9, "0l1m1i"},                   /* to the first */
    {0xbb, "0j2h0f 3j5h3f"},            /* >> */
    {0xbf, "3m 3j3i0g0f2d4d6f"},        /* inverted ? */
    {0xc6, "0d4m8m 4m4d8d 1g4g 4i7i"},  /* AE */
    {0xd0, "1d1m5m7k7f5d1d 0i4i"},      /* Eth */
    {0xd7, "1f5j 1j5f"},                /* times */
    {0xd8, "2d5d7f7k5m2m0k0f2d 0d7m"},  /* O with a stroke */
    {0xde, "0m0d 0k4k6j6h4g0g"},        /* Thorn */
    {0xdf, "0d0l1m3m4l4k2i4h5g5e4d2d"}, /* sharp s */
    {0xe6, "4j4d 4h3j1j0h0f1d3d4f 4g8g8h7j5j4h 4f5d7d8e"},
    {0xf0, "5h3j2j0h0f2d3d5f5j1m 1k4m"},    /* eth */
    {0xf7, "0h6h 3k 3e"},                   /* divided by */
    {0xf8, "2d3d5f5h3j2j0h0f2d 0d5j"},      /* o with a stroke */
    {0xfe, "0m0a 0h2j3j5h5f3d2d0f"},        /* thorn */
    {0x131, "0j0d"},                        /* i without its dot */
    {0x393, "0d0m5m"},                      /* Gamma */
    {0x394, "0d3m6d0d"},                    /* Delta */
    {0x398, "2d5d7f7k5m2m0k0f2d 2i5i"},     /* Theta */
    {0x39b, "0d3m6d"},                      /* Lambda */
    {0x3a0, "0d0m6m6d"},                    /* Pi */
    {0x3a3, "6m0m3i0d6d"},                  /* Sigma */
    {0x3a6, "3m3d 2k4k6j6g4f2f0g0j2k"},     /* Phi */
    {0x3a8, "0m0j2h4h6j6m 3m3d"},           /* Psi */
    {0x3a9, "0d2d2e0h0k2m5m7k7h5e5d7d"},    /* Omega */
    {0x3b1, "6j3e2d1d0f0h1j2j3i6d"},        /* alpha */
    {0x3b2, "0a0k1m3m4l4j2i4h5g5e4d2d0e"},  /* beta */
    {0x3b3, "0j1j3d3a 5j3d"},               /* gamma */
    {0x3b4, "4m2m1l4h5g5f3d2d0f0g2i3i"},    /* delta */
    {0x3b5, "4i3j1j0i1g3g 1g0f0e1d3d4e"},   /* epsilon */
    {0x3b6, "0m4m0h0f4d4b2a"},              /* zeta */
    {0x3b7, "0j0d 0h2j3j5h5a"},             /* eta */
    {0x3b8, "1d3d4f4k3m1m0k0f1d 0i4i"},     /* theta */
    {0x3b9, "0j0e1d"},                      /* iota */
    {0x3ba, "0j0d 4j0g 1g4d"},              /* kappa */
    {0x3bb, "0m1m4d 2i0d"},                 /* lambda */
    {0x3bc, "0j0a 0f2d3d5f 5j5d"},          /* mu */
    {0x3bd, "0j2d5j"},                      /* nu */
    {0x3be, "4m1l1k4j1i0g1e4d4b2a"},        /* xi */
    {0x3c0, "0j6j 1j1d 5j5d"},              /* pi */
    {0x3c1, "0a0h2j3j5h5f3d2d0f"},          /* rho */
    {0x3c3, "6j2j0h0f2d3d5f5h3j"},          /* sigma */
    {0x3c4, "0j5j 2j2e3d4d"},               /* tau */
    {0x3c6, "3m3a 2d4d6f6h4j2j0h0f2d"},     /* phi */
    {0x3c7, "0j5a 0a5j"},                   /* chi */
    {0x3c8, "0j0f2d4d6f6j 3m3a"},           /* psi */
    {0x3c9, "1j0h0e1d2d3e3g 3e4d5d6e6h5j"}, /* omega */
    {0x2212, "0h6h"},                       /* minus */
};

/* As high as stands above small letters, narrower than any but i. The cedilla hangs below. */
enum accent { GRAVE, ACUTE, CIRCUMFLEX, TILDE, DIAERESIS, RING, CEDILLA, ACCENTS };
static const char *const accents[ACCENTS] = {"0n2l",  "0l2n",       "0l1n2l",  "0l1m2l3m",
                                             "0l 3l", "0m1n2m1l0m", "1d2c1b0b"};

/* U+00C0 to U+00FF: letter and accent; nothing: a sign of its own, above. */
static const struct {
    char letter;
    uint8_t accent;
} composed[64] = {{'A', GRAVE},
                  {'A', ACUTE},
                  {'A', CIRCUMFLEX},
                  {'A', TILDE},
                  {'A', DIAERESIS},
                  {'A', RING},
                  {0, 0},
                  {'C', CEDILLA},
                  {'E', GRAVE},
                  {'E', ACUTE},
                  {'E', CIRCUMFLEX},
                  {'E', DIAERESIS},
                  {'I', GRAVE},
                  {'I', ACUTE},
                  {'I', CIRCUMFLEX},
                  {'I', DIAERESIS},
                  {0, 0},
                  {'N', TILDE},
                  {'O', GRAVE},
                  {'O', ACUTE},
                  {'O', CIRCUMFLEX},
                  {'O', TILDE},
                  {'O', DIAERESIS},
                  {0, 0},
                  {0, 0},
                  {'U', GRAVE},
                  {'U', ACUTE},
                  {'U', CIRCUMFLEX},
                  {'U', DIAERESIS},
                  {'Y', ACUTE},
                  {0, 0},
                  {0, 0},
                  {'a', GRAVE},
                  {'a', ACUTE},
                  {'a', CIRCUMFLEX},
                  {'a', TILDE},
                  {'a', DIAERESIS},
                  {'a', RING},
                  {0, 0},
                  {'c', CEDILLA},
                  {'e', GRAVE},
                  {'e', ACUTE},
                  {'e', CIRCUMFLEX},
                  {'e', DIAERESIS},
                  {'i', GRAVE},
                  {'i', ACUTE},
                  {'i', CIRCUMFLEX},
                  {'i', DIAERESIS},
                  {0, 0},
                  {'n', TILDE},
                  {'o', GRAVE},
                  {'o', ACUTE},
                  {'o', CIRCUMFLEX},
                  {'o', TILDE},
                  {'o', DIAERESIS},
                  {0, 0},
                  {0, 0},
                  {'u', GRAVE},
                  {'u', ACUTE},
                  {'u', CIRCUMFLEX},
                  {'u', DIAERESIS},
                  {'y', ACUTE},
                  {0, 0},
                  {'y', DIAERESIS}};

static const double cap_units = 9.0; /* from the baseline 'd' to 'm' */
static const double gap_units = 2.6; /* between two glyphs */
static const double space_units = 3.0;
static const double pen_units = 1.15;   /* width of a stroke */
static const double accent_units = 3.0; /* by which capitals are higher than small letters */

/* ---- letters of a text ----------------------------------------------------------------------- */

/* The next letter of UTF-8; bytes that are none are one unknown letter each. */
static uint32_t next_letter(const char **at) {
    const unsigned char *byte = (const unsigned char *)*at;
    int more = byte[0] < 0x80   ? 0
               : byte[0] < 0xc2 ? -1
               : byte[0] < 0xe0 ? 1
               : byte[0] < 0xf0 ? 2
               : byte[0] < 0xf5 ? 3
                                : -1;
    uint32_t code = more <= 0 ? byte[0] : byte[0] & (0x3fu >> more);
    *at += 1;
    for (int k = 1; k <= more; k++) {
        if ((byte[k] & 0xc0) != 0x80) return UINT32_MAX; /* the text may end here */
        code = code << 6 | (byte[k] & 0x3f);
    }
    *at += more > 0 ? more : 0;
    return more < 0 ? UINT32_MAX : code;
}

struct glyph {
    const char *strokes, *accent; /* NULL: nothing to draw */
    double accent_shift;          /* upwards */
};

static struct glyph find_glyph(uint32_t code) {
    if (code >= FIRST && code <= LAST) return (struct glyph){.strokes = glyphs[code - FIRST]};
    if (code == 0xa0) return (struct glyph){.strokes = NULL}; /* a space that holds */
    for (size_t k = 0; k < sizeof signs / sizeof signs[0]; k++)
        if (signs[k].code == code) return (struct glyph){.strokes = signs[k].strokes};
    if (code < 0xc0 || code > 0xff) return (struct glyph){.strokes = glyphs['?' - FIRST]};
    char letter = composed[code - 0xc0].letter;
    uint8_t accent = composed[code - 0xc0].accent;
    bool capital = letter <= 'Z' && accent != CEDILLA;
    return (struct glyph){.strokes = letter == 'i' ? "0j0d" : glyphs[letter - FIRST],
                          .accent = accents[accent],
                          .accent_shift = capital ? accent_units : 0.0};
}

static double strokes_width(const char *strokes) {
    double width = 0.0;
    for (const char *s = strokes; *s != '\0'; s++)
        if (*s >= '0' && *s <= '9') width = fmax(width, (double)(*s - '0'));
    return width;
}

static double glyph_width(const struct glyph *glyph) {
    if (glyph->strokes == NULL) return space_units;
    double accent = glyph->accent != NULL ? strokes_width(glyph->accent) : 0.0;
    return fmax(strokes_width(glyph->strokes), accent);
}

double font_width(const char *text, double size) {
    double units = 0.0;
    while (*text != '\0') {
        struct glyph glyph = find_glyph(next_letter(&text));
        units += glyph_width(&glyph) + (*text != '\0' ? gap_units : 0.0);
    }
    return units * size / cap_units;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static struct point place(const char *code, struct point origin, double unit) {
    return (struct point){origin.x + unit * (double)(code[0] - '0'),
                          origin.y - unit * (double)(code[1] - 'd')};
}

static void draw_strokes(struct canvas *canvas, struct point origin, const char *strokes,
                         double unit, struct color color) {
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

/* Letter and accent have the same middle. */
static void draw_glyph(struct canvas *canvas, struct point at, const struct glyph *glyph,
                       double unit, struct color color) {
    double width = glyph_width(glyph);
    if (glyph->strokes == NULL) return;
    struct point letter = {at.x + 0.5 * unit * (width - strokes_width(glyph->strokes)), at.y};
    draw_strokes(canvas, letter, glyph->strokes, unit, color);
    if (glyph->accent == NULL) return;
    struct point above = {at.x + 0.5 * unit * (width - strokes_width(glyph->accent)),
                          at.y - unit * glyph->accent_shift};
    draw_strokes(canvas, above, glyph->accent, unit, color);
}

void font_draw(struct canvas *canvas, struct point at, const char *text, double size,
               struct color color) {
    double unit = size / cap_units;
    while (*text != '\0') {
        struct glyph glyph = find_glyph(next_letter(&text));
        draw_glyph(canvas, at, &glyph, unit, color);
        at.x += unit * (glyph_width(&glyph) + gap_units);
    }
}
