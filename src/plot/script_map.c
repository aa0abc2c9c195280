/* SPDX-License-Identifier: Apache-2.0
 * The script of heat maps: panels of the true shape beside each other, or one above the other if they are wide, each with its
 * own colours. */
#include <math.h>

#include "io/colormap.h"
#include "plot/script.h"

/* px around a panel: numbers and names of the axes, the bar of colours with its numbers, and above what it is. */
static const double left_room = 6.2 * SCRIPT_LETTER, bar_gap = 0.8 * SCRIPT_LETTER,
                    bar_width = 1.1 * SCRIPT_LETTER, bar_text = 5.0 * SCRIPT_LETTER,
                    below = 4.8 * SCRIPT_LETTER, above = 2.2 * SCRIPT_LETTER;

/* Width over height of the maps, which all show the same region. */
static double shape_of(const struct figure *figure) {
    const struct figure_panel *panel = &figure->panels[0];
    return (panel->x.high - panel->x.low) / (panel->y.high - panel->y.low);
}

static double beside(void) {
    return left_room + bar_gap + bar_width + bar_text;
}

static bool is_stacked(const struct figure *figure) {
    return shape_of(figure) > 1.6;
}

void figure_map_size(const struct figure *figure, int *width, int *height) {
    double shape = fmin(fmax(shape_of(figure), 0.2), 5.0), count = (double)figure->panel_count;
    double high = fmin(300.0 / sqrt(shape), 600.0), wide = shape * high;
    double columns = is_stacked(figure) ? 1.0 : count, rows = is_stacked(figure) ? count : 1.0;
    *width = (int)fmin(fmax(columns * (wide + beside()), 320.0), 8000.0);
    *height = (int)fmin(rows * (high + below + above) + script_title_height(figure), 8000.0);
}

struct map_box { /* px, from the left and from below */
    double left, bottom, width, height;
};

/* As large as its part of the page allows without another shape. */
static struct map_box map_box(const struct figure *figure, size_t number) {
    double count = (double)figure->panel_count, shape = shape_of(figure);
    double page = figure->height - script_title_height(figure);
    bool stacked = is_stacked(figure);
    double part_width = stacked ? figure->width : figure->width / count;
    double part_height = stacked ? page / count : page;
    double width = fmax(part_width - beside(), 20.0);
    double height = fmax(part_height - below - above, 20.0);
    if (width > shape * height)
        width = shape * height;
    else
        height = width / shape;
    double top = page - above - (stacked ? (double)number * part_height : 0.0);
    return (struct map_box){left_room + (stacked ? 0.0 : (double)number * part_width), top - height,
                            width, height};
}

/* The colours of pictures. */
static void write_palette(const struct figure_panel *panel, FILE *to) {
    enum { STEPS = 16 };
    fputs("    set palette defined (", to);
    for (int k = 0; k <= STEPS; k++) {
        struct color color =
            colormap_of(panel->two_sided ? COLORMAP_TIDE : COLORMAP_LAKE, (double)k / STEPS);
        fprintf(to, "%s%d '#%02x%02x%02x'", k > 0 ? ", " : "", k, (int)rint(255.0 * color.r),
                (int)rint(255.0 * color.g), (int)rint(255.0 * color.b));
    }
    fputs(")\n", to);
}

static void write_place(const struct figure *figure, const struct map_box *box, FILE *to) {
    double width = figure->width, height = figure->height;
    fprintf(to, "    set lmargin at screen %.4f\n    set rmargin at screen %.4f\n",
            box->left / width, (box->left + box->width) / width);
    fprintf(to, "    set tmargin at screen %.4f\n    set bmargin at screen %.4f\n",
            (box->bottom + box->height) / height, box->bottom / height);
    fprintf(to, "    set colorbox user origin %.4f,%.4f size %.4f,%.4f\n",
            (box->left + box->width + bar_gap) / width, box->bottom / height, bar_width / width,
            box->height / height);
}

static void write_map(const struct figure *figure, size_t number, FILE *to) {
    const struct figure_panel *panel = &figure->panels[number];
    const struct figure_curve *curve = &figure->curves[panel->first];
    struct map_box box = map_box(figure, number);
    char name[FIGURE_NAME + 4];
    write_place(figure, &box, to);
    write_palette(panel, to);
    script_axis(&panel->x, "x", box.width, true, to);
    script_axis(&panel->y, "y", box.height, true, to);
    struct figure_axis bar = panel->z;
    bar.label[0] = '\0'; /* beside the bar it would run into the numbers */
    script_axis(&bar, "cb", box.height, true, to);
    fputs("    set title ", to);
    gnuplot_text(to, panel->z.label);
    fputs(" noenhanced offset 0,-0.4\n", to);
    snprintf(name, sizeof name, "./%s", figure->data[curve->source]);
    fputs("    plot ", to);
    gnuplot_text(to, name);
    fprintf(to, " using (%g*$%zu):(%g*$%zu):(%g*$%zu) with image notitle\n", curve->x_factor,
            curve->x, curve->y_factor, curve->y, curve->z_factor, curve->z);
}

void figure_script_maps(const struct figure *figure, FILE *to) {
    fputs("    unset grid\n    set border 15\n    set style fill solid 1.0 noborder\n", to);
    for (size_t p = 0; p < figure->panel_count; p++) write_map(figure, p, to);
}
