/* SPDX-License-Identifier: Apache-2.0
 * What the parts of a figure's script share. */
#ifndef PLOT_SCRIPT_H
#define PLOT_SCRIPT_H

#include "plot/figure.h"

#define SCRIPT_LETTER 13.0 /* px, of all texts */

/* px that the widest key takes at the right, with its samples; 0: there is none. */
double script_key_width(const struct figure *figure);
/* px that the longest key takes. */
double script_key_height(const struct figure *figure);
/* px that panels above each other need so that each has room for its key: gnuplot would go on beside it, out of the page. */
double script_least_height(const struct figure *figure);
/* px that the line above the panels takes. */
double script_title_height(const struct figure *figure);
/* Label, range and tics of an axis of so many pixels: 'x', 'y', or the colours 'cb'. */
void script_axis(const struct figure_axis *axis, const char *which, double length, bool labelled,
                 FILE *to);

#endif
