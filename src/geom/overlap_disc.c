/* SPDX-License-Identifier: Apache-2.0
 *
 * Common area of a polygon and a disc. Its boundary is made of pieces of sides inside the disc and, where one piece ends on the
 * circle, an arc to the next. The ends of all pieces span a polygon, and each arc adds a segment of the disc. With the
 * half angle a and the radius r a segment has
 *
 *     area                              r^2 (a - sin a cos a)                  =: r^2 P(a)
 *     centre above the middle of its    r (2 sin^3 a/(3 P(a)) - cos a)          = r Q(a)/(3 P(a)),
 *     chord                                                    Q = 3 sin a - sin^3 a - 3 a cos a
 *
 * For small angles both are differences of nearly equal numbers; there their series are summed up:
 *     P = sum over k >= 1 of -(-1)^k 4^k a^(2k+1)/(2k+1)!
 *     Q = sum over k >= 2 of (-1)^k a^(2k+1) ((9 + 3^(2k+1))/(4 (2k+1)!) - 3/(2k)!)
 */
#include "geom/overlap.h"

static const double pi = 3.14159265358979323846;
static const double series_up_to = 1.0; /* rad, of the half angle */
enum { SERIES_TERMS = 16 };

struct segment {
    double area, height; /* for radius 1 */
};

static struct segment segment_small(double a) {
    double p = 0.0, q = 0.0, power = a, four = 1.0, three = 3.0, factorial = 1.0, sign = 1.0;
    for (int k = 1; k <= SERIES_TERMS; k++) {
        power *= a * a;
        four *= 4.0;
        three *= 9.0;
        sign = -sign;
        double even = factorial * (2.0 * k), odd = even * (2.0 * k + 1.0); /* (2k)!, (2k+1)! */
        p -= sign * four * power / odd;
        if (k > 1) q += sign * power * ((9.0 + three) / (4.0 * odd) - 3.0 / even);
        factorial = odd;
    }
    return (struct segment){p, p > 0.0 ? q / (3.0 * p) : 0.0};
}

static struct segment segment_of(double a) {
    if (a < series_up_to) return segment_small(a);
    double s = sin(a), c = cos(a), p = a - s * c;
    return (struct segment){p, (3.0 * s - s * s * s - 3.0 * a * c) / (3.0 * p)};
}

/* What is summed up, relative to an origin near by. */
struct sums {
    vec3 origin;
    double area, mx, my;
};

static void add_area(struct sums *sums, double area, vec3 centre) {
    sums->area += area;
    sums->mx += area * (centre.x - sums->origin.x);
    sums->my += area * (centre.y - sums->origin.y);
}

/* A segment of the disc over the chord from p to q, `half` its half angle. */
static void add_arc(struct sums *sums, vec3 p, vec3 q, double half, double radius) {
    struct segment segment = segment_of(half);
    vec3 chord = vec3_sub(q, p), middle = vec3_add_scaled(p, 0.5, chord);
    double length = vec3_norm(chord);
    if (!(length > 0.0)) return;
    vec3 outward = vec3_make(chord.y / length, -chord.x / length, 0.0);
    vec3 centre = vec3_add_scaled(middle, radius * segment.height, outward);
    add_area(sums, radius * radius * segment.area, centre);
}

static bool is_inside(const vec3 *a, size_t count, vec3 x) {
    for (size_t k = 0; k < count; k++) {
        vec3 side = vec3_sub(a[k + 1 < count ? k + 1 : 0], a[k]), u = vec3_sub(x, a[k]);
        if (side.x * u.y - side.y * u.x < 0.0) return false;
    }
    return true;
}

/* The half angle of the arc that runs counter-clockwise from p to q about the centre. Two points that are one but for
 * rounding may come in the wrong order; then there is no arc. An arc of more than pi has the centre in the common area, and
 * the way back along the sides, `back`, is at most pi/2 times as long as the chord. */
static double half_angle(const vec3 *a, size_t count, vec3 p, vec3 q, vec3 centre, double back) {
    vec3 u = vec3_sub(p, centre), chord = vec3_sub(q, p), v = vec3_sub(q, centre);
    double angle = atan2(u.x * chord.y - u.y * chord.x, vec3_dot(u, v));
    if (angle >= 0.0) return 0.5 * angle;
    bool is_long = back <= 2.0 * vec3_norm(chord) && is_inside(a, count, centre);
    return is_long ? 0.5 * angle + pi : 0.0;
}

/* The part of the side from p to q inside the disc, into a piece from `ends[0]` to `ends[1]`; false: there is none. */
static bool piece_of(vec3 p, vec3 q, vec3 centre, double radius, vec3 ends[2]) {
    vec3 side = vec3_sub(q, p), u = vec3_sub(p, centre), v = vec3_sub(q, centre);
    double length = vec3_norm(side);
    if (!(length > 0.0)) return false;
    bool p_in = vec3_norm2(u) <= radius * radius, q_in = vec3_norm2(v) <= radius * radius;
    double away = fabs(side.x * u.y - side.y * u.x) / length;
    double half = away < radius ? sqrt((radius - away) * (radius + away)) : 0.0;
    double foot = -vec3_dot(u, side) / length; /* from p */
    if (!p_in && !q_in && !(half > 0.0 && foot > 0.0 && foot < length)) return false;
    double from = p_in ? 0.0 : fmin(fmax(foot - half, 0.0), length);
    double to = q_in ? length : fmin(fmax(foot + half, from), length);
    ends[0] = p_in ? p : vec3_add_scaled(p, from / length, side);
    ends[1] = q_in ? q : vec3_add_scaled(p, to / length, side);
    return true;
}

/* Both ends of all pieces, one after the other. */
static size_t find_pieces(const vec3 *a, size_t count, vec3 centre, double radius,
                          struct overlap_corner *ends) {
    size_t found = 0;
    for (size_t k = 0; k < count; k++) {
        vec3 piece[2];
        if (!piece_of(a[k], a[k + 1 < count ? k + 1 : 0], centre, radius, piece)) continue;
        for (int end = 0; end < 2; end++)
            ends[found++] = (struct overlap_corner){piece[end].x, piece[end].y, 0.0};
    }
    return found;
}

static vec3 at(const struct overlap_corner *corner) {
    return vec3_make(corner->x, corner->y, 0.0);
}

bool overlap_disc(const vec3 *a, size_t count_a, vec3 centre, double radius,
                  struct overlap_corner *scratch, struct overlap *out) {
    size_t count = find_pieces(a, count_a, centre, radius, scratch);
    *out = (struct overlap){.area = pi * radius * radius, .centre = centre};
    if (count == 0) return is_inside(a, count_a, centre);
    struct sums sums = {.origin = at(&scratch[0])};
    double around = 0.0; /* all pieces */
    for (size_t k = 0; k < count; k += 2)
        around += vec3_norm(vec3_sub(at(&scratch[k + 1]), at(&scratch[k])));
    for (size_t k = 0; k < count; k++) {
        vec3 p = at(&scratch[k]), q = at(&scratch[k + 1 < count ? k + 1 : 0]);
        vec3 u = vec3_sub(p, sums.origin), v = vec3_sub(q, sums.origin);
        vec3 third = vec3_scale(1.0 / 3.0, vec3_add(u, v));
        add_area(&sums, 0.5 * (u.x * v.y - u.y * v.x), vec3_add(sums.origin, third));
        if (k % 2 == 0)
            out->contact = vec3_add(out->contact, vec3_make(q.y - p.y, p.x - q.x, 0.0));
        else if (p.x != q.x || p.y != q.y)
            add_arc(&sums, p, q, half_angle(a, count_a, p, q, centre, around), radius);
    }
    if (!(sums.area > 0.0)) return false;
    out->area = sums.area;
    out->centre = vec3_add(sums.origin, vec3_make(sums.mx / sums.area, sums.my / sums.area, 0.0));
    return true;
}
