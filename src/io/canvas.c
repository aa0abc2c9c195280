/* SPDX-License-Identifier: Apache-2.0 */
#include "io/canvas.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

talus_status canvas_create(struct canvas *canvas, int width, int height, struct memory *memory,
                           talus_error *err) {
    size_t bytes = (size_t)width * (size_t)height * 3;
    *canvas = (struct canvas){width, height, memory_resize(memory, NULL, 0, bytes, 1), memory};
    if (canvas->pixels == NULL) return error_memory(err);
    memset(canvas->pixels, 255, bytes);
    return TALUS_OK;
}

void canvas_destroy(struct canvas *canvas) {
    if (canvas->pixels == NULL) return;
    memory_free(canvas->memory, canvas->pixels, (size_t)canvas->width * (size_t)canvas->height * 3,
                1);
    canvas->pixels = NULL;
}

static uint8_t mix(uint8_t below, double above, double cover) {
    double value = (1.0 - cover) * (double)below + cover * 255.0 * above;
    return (uint8_t)(value + 0.5);
}

void canvas_blend(struct canvas *canvas, int x, int y, struct color color, double cover) {
    if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height || cover <= 0.0) return;
    if (cover > 1.0) cover = 1.0;
    uint8_t *pixel = canvas->pixels + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
    pixel[0] = mix(pixel[0], color.r, cover);
    pixel[1] = mix(pixel[1], color.g, cover);
    pixel[2] = mix(pixel[2], color.b, cover);
}

struct span {
    int first, last;
};

/* The pixels whose area meets [low, high], kept inside [0, size). */
static struct span pixels_between(double low, double high, int size) {
    low = fmin(fmax(floor(low), 0.0), (double)size);
    high = fmin(fmax(floor(high), -1.0), (double)(size - 1));
    return (struct span){(int)low, (int)high};
}

static double clamp01(double value) {
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

void canvas_disc(struct canvas *canvas, struct point center, double radius, struct color color,
                 double opacity) {
    struct span rows =
        pixels_between(center.y - radius - 0.5, center.y + radius + 0.5, canvas->height);
    struct span columns =
        pixels_between(center.x - radius - 0.5, center.x + radius + 0.5, canvas->width);
    /* A disc smaller than a pixel covers no more than its area. */
    if (radius < 0.5) opacity *= 4.0 * radius * radius;
    double reach = fmax(radius, 0.5) + 0.5;
    for (int y = rows.first; y <= rows.last; y++)
        for (int x = columns.first; x <= columns.last; x++) {
            double dx = (double)x + 0.5 - center.x, dy = (double)y + 0.5 - center.y;
            double distance2 = dx * dx + dy * dy;
            if (distance2 >= reach * reach) continue;
            canvas_blend(canvas, x, y, color, opacity * clamp01(reach - sqrt(distance2)));
        }
}

void canvas_ring(struct canvas *canvas, struct point center, double radius, double width,
                 struct color color) {
    double outer = radius + 0.5 * width + 0.5;
    double strength = fmin(width, 1.0); /* thinner than a pixel: paler */
    width = fmax(width, 1.0);
    struct span rows = pixels_between(center.y - outer, center.y + outer, canvas->height);
    struct span columns = pixels_between(center.x - outer, center.x + outer, canvas->width);
    for (int y = rows.first; y <= rows.last; y++)
        for (int x = columns.first; x <= columns.last; x++) {
            double dx = (double)x + 0.5 - center.x, dy = (double)y + 0.5 - center.y;
            double off = fabs(sqrt(dx * dx + dy * dy) - radius);
            canvas_blend(canvas, x, y, color, strength * clamp01(0.5 * width + 0.5 - off));
        }
}

static double distance_to_segment(struct point p, struct point a, struct point b) {
    double ux = b.x - a.x, uy = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
    double length2 = ux * ux + uy * uy;
    double s = length2 > 0.0 ? clamp01((px * ux + py * uy) / length2) : 0.0;
    return hypot(px - s * ux, py - s * uy);
}

/* Where a band of half-width `reach` around the segment meets row y, as columns. */
static struct span line_columns(struct point a, struct point b, double reach, double y, int width) {
    double low = fmin(a.x, b.x), high = fmax(a.x, b.x);
    double dy = b.y - a.y;
    if (fabs(dy) > 1.0) {
        double s1 = (y - reach - 0.5 - a.y) / dy, s2 = (y + reach + 0.5 - a.y) / dy;
        double x1 = a.x + clamp01(s1) * (b.x - a.x), x2 = a.x + clamp01(s2) * (b.x - a.x);
        low = fmin(x1, x2);
        high = fmax(x1, x2);
    }
    return pixels_between(low - reach, high + reach, width);
}

void canvas_line(struct canvas *canvas, struct point a, struct point b, double width,
                 struct color color) {
    double strength = fmin(width, 1.0);
    double half = 0.5 * fmax(width, 1.0);
    double reach = half + 0.5;
    struct span rows =
        pixels_between(fmin(a.y, b.y) - reach, fmax(a.y, b.y) + reach, canvas->height);
    for (int y = rows.first; y <= rows.last; y++) {
        struct span columns = line_columns(a, b, reach, (double)y + 0.5, canvas->width);
        for (int x = columns.first; x <= columns.last; x++) {
            struct point center = {(double)x + 0.5, (double)y + 0.5};
            double off = distance_to_segment(center, a, b);
            canvas_blend(canvas, x, y, color, strength * clamp01(reach - off));
        }
    }
}

/* How deep a point lies inside a convex polygon of counter-clockwise sense `turn`; < 0 outside. */
static double depth_inside(const struct point *corners, int count, double turn, struct point p) {
    double depth = HUGE_VAL;
    for (int i = 0; i < count; i++) {
        struct point a = corners[i], b = corners[(i + 1) % count];
        double ux = b.x - a.x, uy = b.y - a.y, length = hypot(ux, uy);
        if (length == 0.0) continue;
        double inside = turn * (ux * (p.y - a.y) - uy * (p.x - a.x)) / length;
        depth = fmin(depth, inside);
    }
    return depth;
}

static double area_of(const struct point *corners, int count) {
    double twice = 0.0;
    for (int i = 0; i < count; i++) {
        struct point a = corners[i], b = corners[(i + 1) % count];
        twice += a.x * b.y - a.y * b.x;
    }
    return 0.5 * twice;
}

void canvas_polygon(struct canvas *canvas, const struct point *corners, int count,
                    struct color color, double opacity) {
    if (count < 3) return;
    struct point low = corners[0], high = corners[0];
    for (int i = 0; i < count; i++) {
        struct point a = corners[i];
        low = (struct point){fmin(low.x, a.x), fmin(low.y, a.y)};
        high = (struct point){fmax(high.x, a.x), fmax(high.y, a.y)};
    }
    double turn = area_of(corners, count) < 0.0 ? -1.0 : 1.0;
    struct span rows = pixels_between(low.y - 0.5, high.y + 0.5, canvas->height);
    struct span columns = pixels_between(low.x - 0.5, high.x + 0.5, canvas->width);
    for (int y = rows.first; y <= rows.last; y++)
        for (int x = columns.first; x <= columns.last; x++) {
            struct point center = {(double)x + 0.5, (double)y + 0.5};
            double depth = depth_inside(corners, count, turn, center);
            canvas_blend(canvas, x, y, color, opacity * clamp01(depth + 0.5));
        }
}

/* ---- figures --------------------------------------------------------------------------------- */

/* Distance from the hull's outline, < 0 inside. */
static double distance_to_hull(const struct canvas_hull *hull, struct point p) {
    int count = hull->count;
    if (count > 2) {
        double turn = area_of(hull->corners, count) < 0.0 ? -1.0 : 1.0;
        double depth = depth_inside(hull->corners, count, turn, p);
        if (depth >= 0.0) return -depth - hull->rounding;
    }
    double distance = HUGE_VAL;
    for (int i = 0; i < count; i++)
        distance = fmin(distance,
                        distance_to_segment(p, hull->corners[i], hull->corners[(i + 1) % count]));
    return distance - hull->rounding;
}

static double distance_to_figure(const struct canvas_hull *hulls, int count, struct point p) {
    double distance = HUGE_VAL;
    for (int k = 0; k < count; k++) distance = fmin(distance, distance_to_hull(&hulls[k], p));
    return distance;
}

/* How much of a pixel lies inside. Shares add up where two hulls meet in it. */
static double outer_cover(const struct canvas_hull *hulls, int count, struct point p) {
    double cover = 0.0;
    for (int k = 0; k < count; k++) cover += clamp01(0.5 - distance_to_hull(&hulls[k], p));
    return clamp01(cover);
}

/* How much of a pixel lies farther than `width` inside the outline. For several hulls the distance to
 * each says nothing where they touch; then look around instead: every place `width` away has to lie in
 * the figure. */
static double inner_cover(const struct canvas_hull *hulls, int count, struct point p,
                          double distance, double width) {
    enum { DIRECTIONS = 12 };
    if (count == 1) return clamp01(0.5 - distance - width);
    double cover = 1.0;
    for (int k = 0; k < DIRECTIONS && cover > 0.0; k++) {
        double angle = 6.283185307179586 * (double)k / (double)DIRECTIONS;
        struct point q = {p.x + (width + 0.5) * cos(angle), p.y + (width + 0.5) * sin(angle)};
        cover = fmin(cover, clamp01(1.0 - distance_to_figure(hulls, count, q)));
    }
    return cover;
}

struct page_box {
    struct point low, high;
};

static struct page_box box_around(const struct canvas_hull *hulls, int count) {
    struct page_box box = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (int k = 0; k < count; k++)
        for (int i = 0; i < hulls[k].count; i++) {
            struct point p = hulls[k].corners[i];
            double r = hulls[k].rounding + 0.5;
            box.low = (struct point){fmin(box.low.x, p.x - r), fmin(box.low.y, p.y - r)};
            box.high = (struct point){fmax(box.high.x, p.x + r), fmax(box.high.y, p.y + r)};
        }
    return box;
}

static struct color mixed(struct color a, struct color b, double share) {
    return (struct color){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g),
                          a.b + share * (b.b - a.b)};
}

void canvas_figure(struct canvas *canvas, const struct canvas_hull *hulls, int count,
                   const struct canvas_pen *pen) {
    struct page_box box = box_around(hulls, count);
    struct span rows = pixels_between(box.low.y, box.high.y, canvas->height);
    struct span columns = pixels_between(box.low.x, box.high.x, canvas->width);
    double strength = fmin(pen->width, 1.0), width = fmax(pen->width, 1.0);
    for (int y = rows.first; y <= rows.last; y++)
        for (int x = columns.first; x <= columns.last; x++) {
            struct point p = {(double)x + 0.5, (double)y + 0.5};
            double distance = distance_to_figure(hulls, count, p);
            if (distance >= 0.5) continue;
            double cover = outer_cover(hulls, count, p);
            double inner = inner_cover(hulls, count, p, distance, width);
            struct color color = mixed(pen->fill, pen->line, strength * (1.0 - inner));
            canvas_blend(canvas, x, y, color, cover);
        }
}
