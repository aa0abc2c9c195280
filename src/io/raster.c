/* SPDX-License-Identifier: Apache-2.0 */
#include "io/raster.h"

#include "base/error.h"

talus_status raster_create(struct raster *raster, int width, int rows, struct memory *memory,
                           talus_error *err) {
    size_t count = (size_t)width * (size_t)rows;
    *raster = (struct raster){.width = width, .rows = rows, .count = count, .memory = memory};
    raster->depth = memory_resize(memory, NULL, 0, count, sizeof *raster->depth);
    if (raster->depth == NULL) return error_memory(err);
    raster->label = memory_resize(memory, NULL, 0, count, sizeof *raster->label);
    if (raster->label == NULL) return error_memory(err);
    return TALUS_OK;
}

void raster_destroy(struct raster *raster) {
    memory_free(raster->memory, raster->depth, raster->count, sizeof *raster->depth);
    memory_free(raster->memory, raster->label, raster->count, sizeof *raster->label);
}

void raster_begin(struct raster *raster, int first_row) {
    raster->first_row = first_row;
    for (size_t k = 0; k < raster->count; k++) {
        raster->depth[k] = HUGE_VALF;
        raster->label[k] = (struct raster_label){RASTER_NOTHING, 0};
    }
}

double ray_ball(vec3 center, double radius, vec3 ray) {
    double a = vec3_norm2(ray), b = vec3_dot(ray, center);
    double discriminant = b * b - a * (vec3_norm2(center) - radius * radius);
    if (discriminant < 0.0) return HUGE_VAL;
    return (b - sqrt(discriminant)) / a;
}

/* The mantle if the ray meets it between the ends, else the end cap beyond which it meets the mantle:
 * a ray that misses the endless cylinder misses the caps too. */
double ray_rod(const struct rod *rod, vec3 ray) {
    vec3 axis = vec3_sub(rod->b, rod->a);
    double length2 = vec3_norm2(axis);
    if (length2 == 0.0) return ray_ball(rod->a, rod->radius, ray);
    double dr = vec3_dot(axis, ray) / length2, da = vec3_dot(axis, rod->a) / length2;
    vec3 r = vec3_add_scaled(ray, -dr, axis), p = vec3_add_scaled(rod->a, -da, axis);
    double a = vec3_norm2(r), b = vec3_dot(r, p);
    double discriminant = b * b - a * (vec3_norm2(p) - rod->radius * rod->radius);
    if (discriminant < 0.0) return HUGE_VAL;
    if (a <= 1e-14 * vec3_norm2(ray)) /* along the axis */
        return fmin(ray_ball(rod->a, rod->radius, ray), ray_ball(rod->b, rod->radius, ray));
    double t = (b - sqrt(discriminant)) / a;
    double s = t * dr - da; /* 0 at end a, 1 at end b */
    if (s >= 0.0 && s <= 1.0) return t;
    return ray_ball(s < 0.0 ? rod->a : rod->b, rod->radius, ray);
}

struct range {
    double low, high;
};

/* Where the ball shows along one axis of the image plane, w its coordinate on that axis: the two
 * tangents from the eye have slopes (w z -+ r sqrt(w^2 + z^2 - r^2)) / (z^2 - r^2). */
static struct range shadow(double w, double z, double r) {
    double denominator = z * z - r * r;
    double root = r * sqrt(fmax(w * w + denominator, 0.0));
    return (struct range){(w * z - root) / denominator, (w * z + root) / denominator};
}

struct window { /* samples of the band, inclusive */
    int left, right, top, bottom;
};

static int to_sample(double x, int last) {
    double k = floor(x);
    return k < 0.0 ? 0 : k > (double)last ? last : (int)k;
}

/* The samples between the outermost tangents of two balls of equal radius: the rod between them lies
 * inside. False if there are none, or if it is not wholly before the eye. */
static bool window_of(const struct raster *raster, const struct rod *rod, struct window *window) {
    vec3 a = rod->a, b = rod->b;
    double r = rod->radius;
    if (a.z <= r || b.z <= r) return false;
    struct range va = shadow(a.y, a.z, r), vb = shadow(b.y, b.z, r);
    double top = raster->cy - raster->unit * fmax(va.high, vb.high) - (double)raster->first_row;
    double bottom = raster->cy - raster->unit * fmin(va.low, vb.low) - (double)raster->first_row;
    if (bottom < 0.0 || top >= (double)raster->rows) return false;
    struct range ua = shadow(a.x, a.z, r), ub = shadow(b.x, b.z, r);
    double left = raster->cx + raster->unit * fmin(ua.low, ub.low);
    double right = raster->cx + raster->unit * fmax(ua.high, ub.high);
    if (right < 0.0 || left >= (double)raster->width) return false;
    *window =
        (struct window){to_sample(left, raster->width - 1), to_sample(right, raster->width - 1),
                        to_sample(top, raster->rows - 1), to_sample(bottom, raster->rows - 1)};
    return true;
}

static vec3 ray_of(const struct raster *raster, int x, int row) {
    double y = (double)(raster->first_row + row) + 0.5;
    return vec3_make(((double)x + 0.5 - raster->cx) / raster->unit, (raster->cy - y) / raster->unit,
                     1.0);
}

static void keep_nearest(struct raster *raster, size_t k, double depth, struct raster_label label) {
    if ((float)depth >= raster->depth[k]) return;
    raster->depth[k] = (float)depth;
    raster->label[k] = label;
}

void raster_ball(struct raster *raster, vec3 center, double radius, struct raster_label label) {
    struct window window;
    const struct rod point = {center, center, radius};
    if (!window_of(raster, &point, &window)) return;
    float nearest = (float)(center.z - radius);
    for (int row = window.top; row <= window.bottom; row++)
        for (int x = window.left; x <= window.right; x++) {
            size_t k = (size_t)row * (size_t)raster->width + (size_t)x;
            if (raster->depth[k] <= nearest) continue;
            double depth = ray_ball(center, radius, ray_of(raster, x, row));
            if (depth < HUGE_VAL) keep_nearest(raster, k, depth, label);
        }
}

void raster_rod(struct raster *raster, const struct rod *rod, struct raster_label label) {
    struct window window;
    if (!window_of(raster, rod, &window)) return;
    float nearest = (float)(fmin(rod->a.z, rod->b.z) - rod->radius);
    for (int row = window.top; row <= window.bottom; row++)
        for (int x = window.left; x <= window.right; x++) {
            size_t k = (size_t)row * (size_t)raster->width + (size_t)x;
            if (raster->depth[k] <= nearest) continue;
            double depth = ray_rod(rod, ray_of(raster, x, row));
            if (depth < HUGE_VAL) keep_nearest(raster, k, depth, label);
        }
}

bool raster_sees(const struct raster *raster, vec3 center, double radius) {
    struct window window;
    const struct rod point = {center, center, radius};
    return window_of(raster, &point, &window);
}

/* ---- faces ----------------------------------------------------------------------------------- */

void raster_outline(struct raster_outline *outline, const struct raster *raster,
                    const vec3 *corners, int count) {
    double top = HUGE_VAL, bottom = -HUGE_VAL;
    outline->count = count;
    for (int k = 0; k < count; k++) {
        outline->x[k] = raster->cx + raster->unit * corners[k].x / corners[k].z;
        outline->y[k] = raster->cy - raster->unit * corners[k].y / corners[k].z;
        top = fmin(top, outline->y[k]);
        bottom = fmax(bottom, outline->y[k]);
    }
    double first = ceil(top - 0.5) - (double)raster->first_row;
    double last = ceil(bottom - 0.5) - 1.0 - (double)raster->first_row;
    outline->rows.first = (int)fmin(fmax(first, 0.0), (double)raster->rows);
    outline->rows.last = (int)fmax(fmin(last, (double)(raster->rows - 1)), -1.0);
}

/* Each side is cut from its upper to its lower end, so both faces at a side find the same place. */
struct raster_span raster_row(const struct raster_outline *outline, const struct raster *raster,
                              int row) {
    double y = (double)(raster->first_row + row) + 0.5, left = HUGE_VAL, right = -HUGE_VAL;
    for (int k = 0; k < outline->count; k++) {
        int next = k + 1 < outline->count ? k + 1 : 0;
        int upper = outline->y[k] < outline->y[next] ? k : next, lower = k + next - upper;
        if (y < outline->y[upper] || y >= outline->y[lower]) continue;
        double share = (y - outline->y[upper]) / (outline->y[lower] - outline->y[upper]);
        double x = outline->x[upper] + share * (outline->x[lower] - outline->x[upper]);
        left = fmin(left, x);
        right = fmax(right, x);
    }
    if (right < left) return (struct raster_span){0, -1};
    double first = ceil(left - 0.5), last = ceil(right - 0.5) - 1.0;
    return (struct raster_span){(int)fmin(fmax(first, 0.0), (double)raster->width),
                                (int)fmax(fmin(last, (double)(raster->width - 1)), -1.0)};
}

/* The ray (u, v, 1) meets the plane at depth n.p / (n.(u, v, 1)), and u is linear along the row. */
struct raster_slope raster_slope(const struct raster *raster, vec3 normal, vec3 point, int row) {
    vec3 ray = ray_of(raster, 0, row);
    double distance = vec3_dot(normal, point);
    return (struct raster_slope){vec3_dot(normal, ray) / distance,
                                 normal.x / (raster->unit * distance)};
}

void raster_face(struct raster *raster, const vec3 *corners, vec3 normal, int count,
                 struct raster_label label) {
    struct raster_outline outline;
    raster_outline(&outline, raster, corners, count);
    for (int row = outline.rows.first; row <= outline.rows.last; row++) {
        struct raster_span span = raster_row(&outline, raster, row);
        struct raster_slope slope = raster_slope(raster, normal, corners[0], row);
        size_t start = (size_t)row * (size_t)raster->width;
        for (int x = span.first; x <= span.last; x++)
            keep_nearest(raster, start + (size_t)x, 1.0 / (slope.a + slope.b * (double)x), label);
    }
}
