/* SPDX-License-Identifier: Apache-2.0 */
#include "io/raster.h"

#include "base/error.h"

talus_status raster_create(struct raster *raster, int width, int rows, struct memory *memory,
                           talus_error *err) {
    size_t count = (size_t)width * (size_t)rows;
    *raster = (struct raster){.width = width, .rows = rows, .count = count, .memory = memory};
    raster->depth = memory_resize(memory, NULL, 0, count, sizeof *raster->depth);
    if (raster->depth == NULL) return error_memory(err);
    raster->thing = memory_resize(memory, NULL, 0, count, sizeof *raster->thing);
    if (raster->thing == NULL) return error_memory(err);
    return TALUS_OK;
}

void raster_destroy(struct raster *raster) {
    memory_free(raster->memory, raster->depth, raster->count, sizeof *raster->depth);
    memory_free(raster->memory, raster->thing, raster->count, sizeof *raster->thing);
}

void raster_begin(struct raster *raster, int first_row) {
    raster->first_row = first_row;
    for (size_t k = 0; k < raster->count; k++) {
        raster->depth[k] = HUGE_VALF;
        raster->thing[k] = RASTER_NOTHING;
    }
}

double ray_ball(vec3 center, double radius, vec3 ray) {
    double a = vec3_norm2(ray), b = vec3_dot(ray, center);
    double discriminant = b * b - a * (vec3_norm2(center) - radius * radius);
    if (discriminant < 0.0) return HUGE_VAL;
    return (b - sqrt(discriminant)) / a;
}

/* The mantle if the ray meets it between the ends, else the nearer end cap. */
double ray_rod(const struct rod *rod, vec3 ray) {
    vec3 axis = vec3_sub(rod->b, rod->a);
    double length2 = vec3_norm2(axis);
    double caps = fmin(ray_ball(rod->a, rod->radius, ray), ray_ball(rod->b, rod->radius, ray));
    if (length2 == 0.0) return caps;
    double dr = vec3_dot(axis, ray) / length2, da = vec3_dot(axis, rod->a) / length2;
    vec3 r = vec3_add_scaled(ray, -dr, axis), p = vec3_add_scaled(rod->a, -da, axis);
    double a = vec3_norm2(r), b = vec3_dot(r, p);
    double discriminant = b * b - a * (vec3_norm2(p) - rod->radius * rod->radius);
    if (discriminant < 0.0 || a == 0.0) return caps;
    double t = (b - sqrt(discriminant)) / a;
    double s = t * dr - da; /* 0 at end a, 1 at end b */
    return s >= 0.0 && s <= 1.0 ? t : caps;
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

static void keep_nearest(struct raster *raster, size_t k, double depth, int32_t thing) {
    if ((float)depth >= raster->depth[k]) return;
    raster->depth[k] = (float)depth;
    raster->thing[k] = thing;
}

void raster_ball(struct raster *raster, vec3 center, double radius, int32_t thing) {
    struct window window;
    const struct rod point = {center, center, radius};
    if (!window_of(raster, &point, &window)) return;
    for (int row = window.top; row <= window.bottom; row++)
        for (int x = window.left; x <= window.right; x++) {
            double depth = ray_ball(center, radius, ray_of(raster, x, row));
            if (depth == HUGE_VAL) continue;
            keep_nearest(raster, (size_t)row * (size_t)raster->width + (size_t)x, depth, thing);
        }
}

void raster_rod(struct raster *raster, const struct rod *rod, int32_t thing) {
    struct window window;
    if (!window_of(raster, rod, &window)) return;
    for (int row = window.top; row <= window.bottom; row++)
        for (int x = window.left; x <= window.right; x++) {
            double depth = ray_rod(rod, ray_of(raster, x, row));
            if (depth == HUGE_VAL) continue;
            keep_nearest(raster, (size_t)row * (size_t)raster->width + (size_t)x, depth, thing);
        }
}
