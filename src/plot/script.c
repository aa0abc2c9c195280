/* SPDX-License-Identifier: Apache-2.0
 *
 * The script of a figure. It draws the same once for each format. Letters of names mean nothing special in it
 * (noenhanced); only the tics of logarithmic axes have raised numbers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/script.h"

static const double letter = SCRIPT_LETTER;

/* Told apart by everybody, also by the colour-blind: the palette of Okabe and Ito without its yellow. */
static const char *const colors[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                     "#E69F00", "#56B4E9", "#000000"};
enum { COLORS = sizeof colors / sizeof colors[0] };

/* ---- sizes ----------------------------------------------------------------------------------- */

static bool has_key(const struct figure_panel *panel) {
    return panel->count > 1;
}

double script_key_width(const struct figure *figure) {
    double widest = 0.0;
    for (size_t p = 0; p < figure->panel_count; p++)
        for (size_t c = 0; has_key(&figure->panels[p]) && c < figure->panels[p].count; c++)
            widest =
                fmax(widest, text_width(figure->curves[figure->panels[p].first + c].title, letter));
    return widest > 0.0 ? widest + 4.5 * letter : 0.0;
}

/* px of a line of the key, as gnuplot has it in an SVG; a little less in a PNG. */
static const double row = 1.52 * SCRIPT_LETTER;

double script_key_height(const struct figure *figure) {
    size_t most = 0;
    for (size_t p = 0; p < figure->panel_count; p++)
        if (has_key(&figure->panels[p]) && figure->panels[p].count > most)
            most = figure->panels[p].count;
    return row * (double)most;
}

static bool has_title(const struct figure *figure) {
    return figure->title[0] != '\0' || figure->note[0] != '\0';
}

double script_title_height(const struct figure *figure) {
    return has_title(figure) ? 2.2 * letter : 0.0;
}

/* ---- head ------------------------------------------------------------------------------------ */

static void write_terminals(const struct figure *figure, FILE *to) {
    bool svg = (figure->formats & TALUS_PLOT_SVG) != 0,
         png = (figure->formats & TALUS_PLOT_PNG) != 0;
    char name[FIGURE_NAME + 8];
    fprintf(to, "do for [format in '%s%s%s'] {\n", svg ? "svg" : "", svg && png ? " " : "",
            png ? "png" : "");
    if (svg) {
        snprintf(name, sizeof name, "./%s.svg", figure->stem);
        fprintf(to,
                "    if (format eq 'svg') {\n"
                "        set terminal svg size %d,%d font 'Helvetica,%g' background '#ffffff' "
                "enhanced\n        set output ",
                figure->width, figure->height, letter);
        gnuplot_text(to, name);
        fputs("\n    }\n", to);
    }
    if (png) {
        snprintf(name, sizeof name, "./%s.png", figure->stem);
        fprintf(to,
                "    if (format eq 'png') {\n"
                "        set terminal pngcairo size %d,%d font 'Helvetica,%g' background "
                "'#ffffff' enhanced\n        set output ",
                figure->width, figure->height, 0.75 * letter);
        gnuplot_text(to, name);
        fputs("\n    }\n", to);
    }
}

static void write_style(FILE *to) {
    for (int k = 0; k < COLORS; k++)
        fprintf(to, "set linetype %d linewidth 1.8 pointtype 7 pointsize 0.5 linecolor rgb '%s'\n",
                k + 1, colors[k]);
    fprintf(to,
            "set linetype cycle %d\n"
            "set border 3 linecolor rgb '#404040'\n"
            "set tics nomirror out scale 0.6 textcolor rgb '#202020'\n"
            "set grid linetype 1 linewidth 0.5 linecolor rgb '#dddddd'\n"
            "set style fill solid 0.75 noborder\n"
            "set boxwidth 0.8 relative\n",
            COLORS);
}

static void write_head(const struct figure *figure, FILE *to) {
    fprintf(to, "# Made by talus plot; change it as you like and run, in this directory:\n"
                "#     gnuplot ");
    char name[FIGURE_NAME + 16];
    snprintf(name, sizeof name, "%s.gnuplot", figure->stem);
    gnuplot_text(to, name);
    fputs("\nset encoding utf8\n"
          "set datafile separator '\\t'\n"
          "set datafile columnheaders\n",
          to);
    write_style(to);
}

/* ---- curves ---------------------------------------------------------------------------------- */

static void write_value(FILE *to, size_t column, double factor) {
    if (factor == 1.0)
        fprintf(to, "%zu", column);
    else
        fprintf(to, "(%g*$%zu)", factor, column);
}

static void write_using(FILE *to, const struct figure_curve *curve) {
    if (curve->style == FIGURE_ROSE) {
        fprintf(to, "($%zu*cos($%zu)):($%zu*sin($%zu))", curve->y, curve->x, curve->y, curve->x);
        return;
    }
    write_value(to, curve->x, curve->x_factor);
    fputc(':', to);
    write_value(to, curve->y, curve->y_factor);
}

static const char *style_name(enum figure_style style) {
    switch (style) {
    case FIGURE_LINE_POINTS: return "linespoints";
    case FIGURE_BARS: return "boxes";
    case FIGURE_ROSE: return "filledcurves closed";
    default: return "lines";
    }
}

/* After all colours come dashes. */
static void write_curve(const struct figure *figure, const struct figure_panel *panel,
                        size_t number, FILE *to) {
    const struct figure_curve *curve = &figure->curves[panel->first + number];
    char name[FIGURE_NAME + 4];
    snprintf(name, sizeof name, "./%s", figure->data[curve->source]);
    gnuplot_text(to, name);
    fputs(" using ", to);
    write_using(to, curve);
    fprintf(to, " with %s linetype %zu", style_name(curve->style), number % COLORS + 1);
    if (number >= COLORS && curve->style == FIGURE_LINE)
        fprintf(to, " dashtype %zu", number / COLORS + 1);
    if (curve->style == FIGURE_ROSE) fputs(" fillstyle transparent solid 0.3 border", to);
    if (has_key(panel)) {
        fputs(" title ", to);
        gnuplot_text(to, curve->title);
        fputs(" noenhanced", to);
    } else {
        fputs(" notitle", to);
    }
}

static void write_curves(const struct figure *figure, const struct figure_panel *panel, FILE *to) {
    fputs("    plot ", to);
    for (size_t c = 0; c < panel->count; c++) {
        if (c > 0) fputs(", \\\n         ", to);
        write_curve(figure, panel, c, to);
    }
    fputc('\n', to);
}

/* ---- where a panel is ------------------------------------------------------------------------ */

struct box { /* px, from the left and from below */
    double left, right, bottom, top;
};

/* Keys stand at the right, but above panels that are beside each other. */
static struct box page_box(const struct figure *figure) {
    double above = script_title_height(figure) + 0.9 * letter, beside = 1.5 * letter;
    if (figure->upright)
        above += script_key_height(figure);
    else
        beside += script_key_width(figure);
    return (struct box){6.5 * letter, figure->width - beside, 4.8 * letter, figure->height - above};
}

static const double gap_above = 1.3 * SCRIPT_LETTER, gap_beside = 2.2 * SCRIPT_LETTER;

double script_least_height(const struct figure *figure) {
    struct box box = page_box(figure);
    double count = (double)figure->panel_count, frame = figure->height - (box.top - box.bottom);
    return frame + count * script_key_height(figure) + (count - 1.0) * gap_above;
}

static struct box panel_box(const struct figure *figure, size_t number) {
    double count = (double)figure->panel_count, gap = figure->upright ? gap_beside : gap_above;
    struct box box = page_box(figure);
    if (figure->upright) {
        double each = (box.right - box.left - gap * (count - 1.0)) / count;
        box.left += (double)number * (each + gap);
        box.right = box.left + each;
    } else {
        double each = (box.top - box.bottom - gap * (count - 1.0)) / count;
        box.top -= (double)number * (each + gap);
        box.bottom = box.top - each;
    }
    return box;
}

static void write_place(const struct figure *figure, const struct box *box, FILE *to) {
    double width = figure->width, height = figure->height;
    fprintf(to, "    set lmargin at screen %.4f\n    set rmargin at screen %.4f\n",
            box->left / width, box->right / width);
    fprintf(to, "    set tmargin at screen %.4f\n    set bmargin at screen %.4f\n",
            box->top / height, box->bottom / height);
    if (figure->upright)
        fprintf(to, "    set key at screen %.4f, screen %.4f left bottom\n", box->left / width,
                (box->top + 0.3 * letter) / height);
    else
        fprintf(to, "    set key at screen %.4f, screen %.4f left top\n",
                (box->right + letter) / width, box->top / height);
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* 1, 2 or 5 times a power of ten: the smallest that cuts `span` into at most so many pieces. */
static double round_step(double span, double pieces) {
    double power = pow(10.0, floor(log10(span / pieces)));
    const double factors[3] = {1.0, 2.0, 5.0};
    for (int k = 0; k < 3; k++)
        if (span / (factors[k] * power) <= pieces) return factors[k] * power;
    return 10.0 * power;
}

/* gnuplot has numbers at powers of ten only: too few where there are hardly two of them. */
static void write_log_tics(const struct figure_axis *axis, const char *which, FILE *to) {
    const double factors[3] = {1.0, 2.0, 5.0};
    bool first = true;
    if (axis->high / axis->low > 300.0) {
        fprintf(to, "    set format %s '10^{%%L}'\n    set %stics autofreq\n", which, which);
        return;
    }
    fprintf(to, "    set format %s '%%g'\n    set %stics (", which, which);
    for (int power = (int)floor(log10(axis->low)); power <= (int)ceil(log10(axis->high)); power++)
        for (int k = 0; k < 3; k++) {
            double value = factors[k] * pow(10.0, power);
            if (value < axis->low || value > axis->high) continue;
            fprintf(to, "%s%g", first ? "" : ", ", value);
            first = false;
        }
    fputs(")\n", to);
}

/* As many numbers as there is room for, in so many pixels. The range of the panel before may have no logarithm. */
void script_axis(const struct figure_axis *axis, const char *which, double length, bool labelled,
                 FILE *to) {
    fprintf(to, "    set %slabel ", which);
    gnuplot_text(to, labelled ? axis->label : "");
    fputs(" noenhanced\n", to);
    fprintf(to, "    set %srange [*:*]\n    %s logscale %s\n", which, axis->log ? "set" : "unset",
            which);
    fprintf(to, "    set %srange [%.9g:%.9g]\n", which, axis->low, axis->high);
    if (axis->log) {
        write_log_tics(axis, which, to);
    } else {
        double pieces = fmax(length / (which[0] == 'x' ? 70.0 : 28.0), 2.0);
        fprintf(to, "    set format %s '%%g'\n    set %stics %.9g\n", which, which,
                round_step(axis->high - axis->low, fmin(pieces, 10.0)));
    }
    if (!labelled) fprintf(to, "    set format %s ''\n", which);
}

/* ---- panels ---------------------------------------------------------------------------------- */

static void write_mark(const struct figure_panel *panel, FILE *to) {
    fputs("    unset arrow\n", to);
    if (panel->has_mark)
        fprintf(to,
                "    set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead dashtype 2 "
                "linecolor rgb '#606060'\n",
                panel->mark, panel->mark);
}

/* Only one panel has the numbers of the axis that all share. */
static void write_panel(const struct figure *figure, size_t number, FILE *to) {
    const struct figure_panel *panel = &figure->panels[number];
    struct box box = panel_box(figure, number);
    write_place(figure, &box, to);
    script_axis(&panel->x, "x", box.right - box.left,
                figure->upright || number + 1 == figure->panel_count, to);
    script_axis(&panel->y, "y", box.top - box.bottom, !figure->upright || number == 0, to);
    write_mark(panel, to);
    write_curves(figure, panel, to);
}

/* Circles and spokes instead of axes. */
static void write_rose(const struct figure *figure, FILE *to) {
    const struct figure_panel *panel = &figure->panels[0];
    double r = panel->radius;
    double width = figure->width, side = fmax(width - script_key_width(figure), 0.4 * width);
    fprintf(to,
            "    set lmargin at screen 0.03\n    set rmargin at screen %.4f\n"
            "    set key at screen %.4f, screen 0.92 left top\n",
            0.97 * side / width, side / width);
    fprintf(to,
            "    unset border\n    unset tics\n    unset grid\n    set size ratio -1\n"
            "    set xrange [%.9g:%.9g]\n    set yrange [%.9g:%.9g]\n",
            -1.25 * r, 1.25 * r, -1.2 * r, 1.2 * r);
    for (int k = 1; k <= 2; k++)
        fprintf(
            to,
            "    set object %d circle at 0,0 size first %.9g fillstyle empty border rgb "
            "'#cccccc' behind\n"
            "    set label %d '%.3g' at %.9g,%.9g offset 0.3,0.5 textcolor rgb '#606060' front\n",
            k, 0.5 * k * r, k, 0.5 * k * r, 0.5 * k * r * cos(1.178), 0.5 * k * r * sin(1.178));
    for (int k = 0; k < 8; k++) {
        double angle = k * 0.7853981633974483;
        int from_top = k <= 6 ? abs(2 - k) : 3; /* in eighths of a turn */
        fprintf(to,
                "    set arrow %d from 0,0 to %.9g,%.9g nohead back linecolor rgb '#dddddd'\n"
                "    set label %d '%d°' at %.9g,%.9g center textcolor rgb '#202020'\n",
                k + 1, r * cos(angle), r * sin(angle), k + 3, 45 * (panel->polar ? from_top : k),
                1.12 * r * cos(angle), 1.1 * r * sin(angle));
    }
    fputs("    set xlabel ", to);
    gnuplot_text(to, panel->y.label);
    fputs(" noenhanced\n", to);
    write_curves(figure, panel, to);
}

void figure_script(const struct figure *figure, FILE *to) {
    write_head(figure, to);
    write_terminals(figure, to);
    fputs("    set multiplot", to);
    if (has_title(figure)) {
        char title[2 * FIGURE_TEXT + 4];
        bool both = figure->title[0] != '\0' && figure->note[0] != '\0';
        snprintf(title, sizeof title, "%s%s%s", figure->title, both ? ", " : "", figure->note);
        fputs(" title ", to);
        gnuplot_text(to, title);
        fputs(" noenhanced", to);
    }
    fputs("\n    set key vertical Left reverse samplen 1.5 noautotitle\n", to);
    if (figure->panels[0].rose)
        write_rose(figure, to);
    else if (figure->panels[0].map)
        figure_script_maps(figure, to);
    else
        for (size_t p = 0; p < figure->panel_count; p++) write_panel(figure, p, to);
    fputs("    unset multiplot\n    unset output\n}\n", to);
}
