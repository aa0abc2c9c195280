/* SPDX-License-Identifier: Apache-2.0
 *
 * Common area of a polygon and a polygon or lines: cut by one line after the other. Each cut keeps the corners with a distance >=
 * 0 and puts a new one where a side goes through the line; distances decide once for each corner, so the ring stays
 * closed whatever rounding does. All lengths are compared with each other, none with a fixed number.
 */
#include "geom/overlap.h"

struct ring {
    struct overlap_corner *corners;
    size_t count, room;
};

static void put(struct ring *ring, double x, double y, double own) {
    if (ring->count < ring->room) ring->corners[ring->count++] = (struct overlap_corner){x, y, own};
}

static double distance(const struct overlap_line *line, const struct overlap_corner *c) {
    return line->dx * (c->y - line->y) - line->dy * (c->x - line->x);
}

/* Where the side from c to d goes through the line, from the nearer end. */
static void put_crossing(struct ring *ring, const struct overlap_corner *c,
                         const struct overlap_corner *d, const double at[2], double own) {
    double whole = at[0] - at[1];
    bool near = fabs(at[0]) < fabs(at[1]);
    double share = near ? at[0] / whole : -at[1] / whole;
    const struct overlap_corner *from = near ? c : d, *to = near ? d : c;
    put(ring, from->x + share * (to->x - from->x), from->y + share * (to->y - from->y), own);
}

static bool is_cut(const struct ring *ring, const struct overlap_line *line) {
    for (size_t k = 0; k < ring->count; k++)
        if (!(distance(line, &ring->corners[k]) > 0.0)) return true;
    return false;
}

/* A side on the line that goes along with it belongs to both. */
static double share_of(const struct overlap_line *line, const struct overlap_corner *c,
                       const struct overlap_corner *d, const double at[2]) {
    if (at[0] != 0.0 || at[1] != 0.0) return c->own;
    bool along = line->dx * (d->x - c->x) + line->dy * (d->y - c->y) > 0.0;
    return along && c->own == 1.0 ? 0.5 : c->own;
}

static void cut(const struct ring *from, const struct overlap_line *line, struct ring *to) {
    to->count = 0;
    for (size_t k = 0; k < from->count; k++) {
        const struct overlap_corner *c = &from->corners[k];
        const struct overlap_corner *d = &from->corners[k + 1 < from->count ? k + 1 : 0];
        const double at[2] = {distance(line, c), distance(line, d)};
        if (at[0] >= 0.0) put(to, c->x, c->y, share_of(line, c, d, at));
        if (at[0] >= 0.0 && at[1] < 0.0) put_crossing(to, c, d, at, 0.0);
        if (at[0] < 0.0 && at[1] >= 0.0) put_crossing(to, c, d, at, c->own);
    }
}

/* Cuts the ring, or leaves it if all of it is inside; the other one is scratch. False: nothing is left. */
static bool cut_by(struct ring *ring, struct ring *other, const struct overlap_line *line) {
    if (!is_cut(ring, line)) return true;
    cut(ring, line, other);
    struct ring swapped = *ring;
    *ring = *other;
    *other = swapped;
    return ring->count > 2;
}

static void start(struct ring *ring, struct ring *other, const vec3 *a, size_t count,
                  struct overlap_corner *scratch, size_t room) {
    *ring = (struct ring){scratch, 0, room / 2};
    *other = (struct ring){scratch + room / 2, 0, room / 2};
    for (size_t k = 0; k < count; k++) put(ring, a[k].x, a[k].y, 1.0);
}

/* Sums from the first corner on, so that a small area far from the origin keeps its digits. */
static bool measure(const struct ring *ring, struct overlap *out) {
    double twice = 0.0, mx = 0.0, my = 0.0, nx = 0.0, ny = 0.0;
    const struct overlap_corner *origin = &ring->corners[0];
    for (size_t k = 0; k < ring->count; k++) {
        const struct overlap_corner *c = &ring->corners[k];
        const struct overlap_corner *d = &ring->corners[k + 1 < ring->count ? k + 1 : 0];
        double ux = c->x - origin->x, uy = c->y - origin->y;
        double vx = d->x - origin->x, vy = d->y - origin->y, part = ux * vy - uy * vx;
        twice += part;
        mx += part * (ux + vx);
        my += part * (uy + vy);
        nx += c->own * (d->y - c->y);
        ny -= c->own * (d->x - c->x);
    }
    if (!(twice > 0.0)) return false;
    out->area = 0.5 * twice;
    out->centre = vec3_make(origin->x + mx / (3.0 * twice), origin->y + my / (3.0 * twice), 0.0);
    out->contact = vec3_make(nx, ny, 0.0);
    return true;
}

bool overlap_polygons(const vec3 *a, size_t count_a, const vec3 *b, size_t count_b, vec3 position_b,
                      struct overlap_corner *scratch, struct overlap *out) {
    struct ring ring, other;
    start(&ring, &other, a, count_a, scratch, overlap_room(count_a, count_b));
    for (size_t k = 0; k < count_b; k++) {
        vec3 p = b[k], q = b[k + 1 < count_b ? k + 1 : 0];
        struct overlap_line line = {p.x + position_b.x, p.y + position_b.y, q.x - p.x, q.y - p.y};
        if (!cut_by(&ring, &other, &line)) return false;
    }
    return measure(&ring, out);
}

bool overlap_lines(const vec3 *a, size_t count_a, const struct overlap_line *lines, size_t count,
                   struct overlap_corner *scratch, struct overlap *out) {
    struct ring ring, other;
    start(&ring, &other, a, count_a, scratch, overlap_room(count_a, count));
    for (size_t k = 0; k < count; k++)
        if (!cut_by(&ring, &other, &lines[k])) return false;
    return measure(&ring, out);
}

void overlap_plate(vec3 p, vec3 q, bool from_left, struct overlap_line lines[3]) {
    double x = q.x - p.x, y = q.y - p.y;
    lines[0] = (struct overlap_line){p.x, p.y, from_left ? -x : x, from_left ? -y : y};
    lines[1] = (struct overlap_line){p.x, p.y, y, -x};
    lines[2] = (struct overlap_line){q.x, q.y, -y, x};
}

double overlap_polygon_area(const vec3 *a, size_t count) {
    double twice = 0.0;
    for (size_t k = 1; k + 1 < count; k++) {
        vec3 u = vec3_sub(a[k], a[0]), v = vec3_sub(a[k + 1], a[0]);
        twice += u.x * v.y - u.y * v.x;
    }
    return 0.5 * twice;
}
