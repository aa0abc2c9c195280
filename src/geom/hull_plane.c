/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls in the plane: Andrew's monotone chain; and how flat a set of points is. */
#include <stdlib.h>

#include "geom/hull.h"

/* The point farthest from the line through `origin` along the unit vector `axis`; axis zero: from
 * origin. */
static size_t farthest_from_line(const vec3 *points, size_t count, vec3 origin, vec3 axis,
                                 double *distance) {
    size_t best = 0;
    *distance = -1.0;
    for (size_t i = 0; i < count; i++) {
        double d = vec3_norm(vec3_tangential(vec3_sub(points[i], origin), axis));
        if (d > *distance) {
            *distance = d;
            best = i;
        }
    }
    return best;
}

/* What is no wider than this many tolerances is a line: the plane it might lie in would be a guess. */
static const double thread = 20.0;

static double thickness(const vec3 *points, size_t count, vec3 normal) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        double d = vec3_dot(points[i], normal);
        low = fmin(low, d);
        high = fmax(high, d);
    }
    return high - low;
}

static vec3 unit(vec3 a) {
    return vec3_scale(1.0 / vec3_norm(a), a);
}

struct spread hull_spread(const vec3 *points, size_t count, double tolerance) {
    struct spread s = {.rank = 0, .origin = points[0]};
    /* The farthest from any point is an end of some long chord. */
    s.origin = points[farthest_from_line(points, count, points[0], vec3_zero(), &s.extent[0])];
    size_t end = farthest_from_line(points, count, s.origin, vec3_zero(), &s.extent[0]);
    if (s.extent[0] <= tolerance) return s;
    s.axis[0] = unit(vec3_sub(points[end], s.origin));
    s.rank = 1;
    size_t side = farthest_from_line(points, count, s.origin, s.axis[0], &s.extent[1]);
    if (s.extent[1] <= thread * tolerance) return s;
    vec3 across = vec3_tangential(vec3_sub(points[side], s.origin), s.axis[0]);
    s.axis[1] = unit(vec3_tangential(across, s.axis[0]));
    s.rank = 2;
    s.axis[2] = unit(vec3_cross(s.axis[0], s.axis[1]));
    s.extent[2] = thickness(points, count, s.axis[2]);
    if (s.extent[2] > tolerance) s.rank = 3;
    return s;
}

static int compare_places(const void *left, const void *right) {
    const struct hull_place *a = left, *b = right;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    if (a->y != b->y) return a->y < b->y ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static double turn(const struct hull_place *a, const struct hull_place *b,
                   const struct hull_place *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Is b nearer than tolerance to the segment from a to c, or to one of its ends? */
static bool needless(const struct hull_place *a, const struct hull_place *b,
                     const struct hull_place *c, double tolerance) {
    double length = hypot(c->x - a->x, c->y - a->y);
    if (hypot(b->x - a->x, b->y - a->y) <= tolerance) return true;
    return turn(a, b, c) <= tolerance * length;
}

/* Drop ring places that stick out less than the tolerance, but keep three; false when none was
 * found. */
static bool prune(const struct hull_place *places, int32_t *ring, int32_t *count,
                  double tolerance) {
    int32_t kept = 0, all = *count;
    for (int32_t k = 0; k < all; k++) {
        int32_t before = ring[kept > 0 ? kept - 1 : all - 1];
        int32_t after = ring[k + 1 < all ? k + 1 : 0];
        bool drop = needless(&places[before], &places[ring[k]], &places[after], tolerance);
        if (!drop || kept + all - k <= 3) ring[kept++] = ring[k];
    }
    *count = kept;
    return kept < all;
}

int32_t hull_ring(struct hull_place *places, int32_t count, double tolerance, int32_t *ring) {
    qsort(places, (size_t)count, sizeof *places, compare_places);
    int32_t size = 0;
    for (int32_t i = 0; i < count; i++) { /* lower side, left to right */
        while (size >= 2 &&
               turn(&places[ring[size - 2]], &places[ring[size - 1]], &places[i]) <= 0.0)
            size--;
        ring[size++] = i;
    }
    int32_t lower = size + 1;
    for (int32_t i = count - 2; i >= 0; i--) { /* upper side, back again */
        while (size >= lower &&
               turn(&places[ring[size - 2]], &places[ring[size - 1]], &places[i]) <= 0.0)
            size--;
        ring[size++] = i;
    }
    if (size > 1) size--; /* the first place came back */
    while (size > 3 && prune(places, ring, &size, tolerance)) continue;
    return size;
}
