/* SPDX-License-Identifier: Apache-2.0
 *
 * The legend: a colour bar with round numbers, or a list of names, and a caption with time and number
 * of grains. Every length follows from the letter size, which follows from the height of the page.
 */
#include <stdio.h>

#include "io/font.h"
#include "io/picture.h"

enum { TICKS = 12, LABEL = 32, TITLE = 2 * PICTURE_LABEL + 4 };

static const struct color ink = {0.20, 0.21, 0.24};
static const struct color pale_ink = {0.45, 0.46, 0.50};

struct ticks {
    int count;
    double values[TICKS];
    char labels[TICKS][LABEL];
};

static double letter_size(const struct canvas *canvas) {
    return fmax(6.0, (double)canvas->height / 72.0);
}

static double bar_width(double size) {
    return 1.6 * size;
}

/* 1, 2 or 5 times a power of ten: the smallest that cuts `span` into at most six pieces. */
static double round_step(double span) {
    double power = pow(10.0, floor(log10(span / 6.0)));
    const double factors[4] = {1.0, 2.0, 5.0, 10.0};
    for (int k = 0; k < 4; k++)
        if (span / (factors[k] * power) <= 6.0) return factors[k] * power;
    return 10.0 * power;
}

static void add_tick(struct ticks *ticks, double value) {
    ticks->values[ticks->count] = value;
    snprintf(ticks->labels[ticks->count], LABEL, "%.6g", value);
    ticks->count++;
}

static struct ticks make_ticks(const struct picture_scale *scale) {
    struct ticks ticks = {0};
    double span = scale->high - scale->low;
    if (!(span > 0.0) || !isfinite(span)) {
        add_tick(&ticks, scale->low);
        return ticks;
    }
    double step = round_step(span);
    double first = ceil(scale->low / step - 1e-9);
    for (int k = 0; k < TICKS; k++) {
        double value = step * (first + (double)k);
        if (value > scale->high + 1e-9 * span) break;
        add_tick(&ticks, fabs(value) < 1e-9 * step ? 0.0 : value);
    }
    return ticks;
}

static void title_text(const struct picture_scale *scale, char text[TITLE]) {
    if (scale->unit[0] == '\0')
        snprintf(text, TITLE, "%s", scale->quantity);
    else
        snprintf(text, TITLE, "%s (%s)", scale->quantity, scale->unit);
}

/* Without grains there are no colours to explain. */
double picture_legend_width(const struct picture *picture, const struct canvas *canvas) {
    if (picture->grains_hidden) return 0.0;
    const struct picture_scale *scale = &picture->scale;
    double size = letter_size(canvas), widest = 0.0;
    char title[TITLE];
    title_text(scale, title);
    struct ticks ticks = make_ticks(scale);
    for (int k = 0; k < ticks.count; k++) widest = fmax(widest, font_width(ticks.labels[k], size));
    for (int k = 0; k < scale->name_count; k++)
        if (scale->names[k][0] != '\0') widest = fmax(widest, font_width(scale->names[k], size));
    double body = bar_width(size) + size + widest;
    return fmax(body, font_width(title, size)) + 2.0 * size;
}

double picture_caption_height(const struct canvas *canvas) {
    return 2.0 * letter_size(canvas);
}

static void draw_bar(struct canvas *canvas, const struct picture_scale *scale, struct point top,
                     double length) {
    double size = letter_size(canvas), width = bar_width(size);
    double span = scale->high - scale->low;
    int rows = (int)length, columns = (int)width;
    for (int y = 0; y < rows; y++) {
        struct color color = colormap_of(scale->map, 1.0 - ((double)y + 0.5) / (double)rows);
        for (int x = 0; x < columns; x++)
            canvas_blend(canvas, (int)top.x + x, (int)top.y + y, color, 1.0);
    }
    struct ticks ticks = make_ticks(scale);
    for (int k = 0; k < ticks.count; k++) {
        double share = span > 0.0 ? (ticks.values[k] - scale->low) / span : 0.5;
        double y = top.y + (1.0 - share) * length;
        struct point from = {top.x + width, y}, to = {top.x + width + 0.4 * size, y};
        canvas_line(canvas, from, to, 0.09 * size, ink);
        font_draw(canvas, (struct point){to.x + 0.5 * size, y + 0.5 * size}, ticks.labels[k], size,
                  ink);
    }
}

/* A small triangle that points away from an end of the bar: some values lie beyond it. */
static void draw_beyond(struct canvas *canvas, struct point end, double up, struct color color) {
    double size = letter_size(canvas), width = floor(bar_width(size));
    double x = floor(end.x), y = floor(end.y) - 0.25 * up * size;
    const struct point corners[3] = {
        {x, y}, {x + width, y}, {x + 0.5 * width, y - 0.8 * up * size}};
    canvas_polygon(canvas, corners, 3, color, 1.0);
}

static void draw_names(struct canvas *canvas, const struct picture_scale *scale, struct point top) {
    double size = letter_size(canvas), line = 2.0 * size;
    for (int k = 0; k < scale->name_count; k++) {
        if (scale->names[k][0] == '\0') continue;
        struct point dot = {top.x + 0.8 * size, top.y + 0.5 * size};
        canvas_disc(canvas, dot, 0.7 * size, colormap_category(k), 1.0);
        font_draw(canvas, (struct point){top.x + 2.2 * size, top.y + size}, scale->names[k], size,
                  ink);
        top.y += line;
    }
}

static void draw_caption(struct canvas *canvas, const struct picture *picture) {
    double size = 0.85 * letter_size(canvas);
    char text[192];
    int used = snprintf(text, sizeof text, "t = %.4g s    %zu grain%s", picture->time,
                        picture->grain_count, picture->grain_count == 1 ? "" : "s");
    if (picture->bar_count > 0)
        snprintf(text + used, sizeof text - (size_t)used,
                 "    bars: normal force, widest %.4g N, pale below the mean", picture->force_max);
    struct point at = {1.6 * size, (double)canvas->height - 1.4 * size};
    font_draw(canvas, at, text, size, pale_ink);
}

void picture_legend(struct canvas *canvas, const struct picture *picture) {
    const struct picture_scale *scale = &picture->scale;
    double size = letter_size(canvas), length = 0.5 * (double)canvas->height;
    double left = (double)canvas->width - picture_legend_width(picture, canvas);
    struct point top = {left, 0.25 * (double)canvas->height};
    char title[TITLE];
    draw_caption(canvas, picture);
    if (picture->grains_hidden) return;
    title_text(scale, title);
    font_draw(canvas, (struct point){left, top.y - 1.9 * size}, title, size, ink);
    if (scale->name_count > 0) {
        draw_names(canvas, scale, top);
    } else {
        draw_bar(canvas, scale, top, length);
        struct point bottom = {top.x, top.y + length};
        if (scale->more) draw_beyond(canvas, top, 1.0, colormap_of(scale->map, 1.0));
        if (scale->less) draw_beyond(canvas, bottom, -1.0, colormap_of(scale->map, 0.0));
    }
}

void picture_title(struct canvas *canvas, const char *text) {
    double size = 1.1 * letter_size(canvas);
    font_draw(canvas, (struct point){1.6 * size, 2.2 * size}, text, size, ink);
}
