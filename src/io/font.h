/* SPDX-License-Identifier: Apache-2.0
 * Text on a canvas, in a small stroke font of our own: UTF-8, of which it has ASCII, the letters of
 * Latin-1, Greek and some signs; each other letter shows as '?'. */
#ifndef IO_FONT_H
#define IO_FONT_H

#include "io/canvas.h"

/* `size` is the height of a capital letter in pixels. */
double font_width(const char *text, double size);

/* Write with the left end of the baseline at `at`. */
void font_draw(struct canvas *canvas, struct point at, const char *text, double size,
               struct color color);

#endif
