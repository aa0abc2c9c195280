/* SPDX-License-Identifier: Apache-2.0
 *
 * Curves and rounded parts. The surface of a part consists of planes (faces), cylinders (edges) and
 * spheres (vertices). Where a curve meets one of them is the root of a polynomial in t (a line) or of
 *
 *   q(t) = a0 + a1 cos t + b1 sin t + a2 cos 2t + b2 sin 2t
 *
 * (a circle; a2 = b2 = 0 for planes and spheres). Roots that are not on the surface do no harm,
 * because between any two of them a point decides whether the stretch is inside.
 */
#include "geom/union_mass_cover.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Roots this far off a face or an edge are still taken, lengths in extents. */
static const double slack = 1e-8;

/* Stretches below this are rounding. */
static const double nothing = 1e-13;

/* Of surfaces that a curve meets within this the lowest counts, so that rounding does not choose: curves
 * that follow a seam would change their form all the time. */
static const double alike = 1e-9;

bool cover_make(struct cover *cover, int32_t features) {
    size_t most = 6 * (size_t)features + 8 * UNION_PARTS_MAX;
    cover->count = 0;
    cover->crossings = scratch_allocate(most, sizeof *cover->crossings);
    cover->stretches = scratch_allocate(most, sizeof *cover->stretches);
    cover->gaps = scratch_allocate(most, sizeof *cover->gaps);
    return cover->crossings != NULL && cover->stretches != NULL && cover->gaps != NULL;
}

void cover_free(struct cover *cover) {
    scratch_release(cover->crossings);
    scratch_release(cover->stretches);
    scratch_release(cover->gaps);
}

void cover_clear(struct cover *cover) {
    cover->count = 0;
}

vec3 curve_point(const struct curve *c, double t) {
    if (!c->round) return vec3_add_scaled(c->at, t, c->along);
    return vec3_add_scaled(vec3_add_scaled(c->at, cos(t), c->along), sin(t), c->across);
}

/* ---- roots --------------------------------------------------------------------------------------- */

static double polynomial(const double *c, int degree, double u) {
    double value = c[degree];
    for (int k = degree - 1; k >= 0; k--) value = value * u + c[k];
    return value;
}

/* The root between two places with values of different sign: Newton's method, kept in the bracket. */
static double bracketed(const double *c, const double *slope, int degree, double low, double high) {
    enum { ROUNDS_MOST = 100 };
    bool rises = polynomial(c, degree, high) > 0.0;
    double u = 0.5 * (low + high);
    for (int k = 0; k < ROUNDS_MOST; k++) {
        double value = polynomial(c, degree, u), next;
        if (value == 0.0) return u;
        if ((value > 0.0) == rises)
            high = u;
        else
            low = u;
        next = u - value / polynomial(slope, degree - 1, u);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - u) <= 1e-16 * fabs(u) || next == low || next == high) return next;
        u = next;
    }
    return u;
}

/* All real roots within +-bound, between the roots of the derivative. */
static int real_roots(const double *c, int degree, double bound, double *out) {
    double slope[4] = {0.0}, turns[4];
    int count = 0;
    if (degree == 1) {
        if (c[1] != 0.0 && fabs(c[0]) <= bound * fabs(c[1])) out[count++] = -c[0] / c[1];
        return count;
    }
    for (int k = 0; k < degree; k++) slope[k] = (double)(k + 1) * c[k + 1];
    int turn_count = real_roots(slope, degree - 1, bound, turns);
    double low = -bound, value_low = polynomial(c, degree, low);
    for (int k = 0; k <= turn_count; k++) {
        double high = k < turn_count ? turns[k] : bound, value_high = polynomial(c, degree, high);
        if (value_low == 0.0)
            out[count++] = low;
        else if (value_low * value_high < 0.0)
            out[count++] = bracketed(c, slope, degree, low, high);
        low = high;
        value_low = value_high;
    }
    return count;
}

/* Roots of a0 + a1 cos t + b1 sin t. */
static int first_harmonic(const double q[5], double *out) {
    double amplitude = hypot(q[1], q[2]);
    if (!(fabs(q[0]) < amplitude)) return 0;
    double middle = atan2(q[2], q[1]), half = acos(-q[0] / amplitude);
    out[0] = middle - half;
    out[1] = middle + half;
    return 2;
}

static double harmonic(const double q[5], double t) {
    double c = cos(t), s = sin(t);
    return q[0] + q[1] * c + q[2] * s + q[3] * (c * c - s * s) + q[4] * 2.0 * s * c;
}

/* Roots of q. With u = tan((t - shift)/2) it is a quartic, which has no root far out if q is large half a
 * turn from the shift. */
static int second_harmonic(const double q[5], double *out) {
    enum { SAMPLES = 8 };
    double first = hypot(q[1], q[2]), second = hypot(q[3], q[4]);
    double shift = 0.0, most = -1.0, c[5], u[4];
    if (!(fabs(q[0]) < first + second)) return 0;
    if (second <= 1e-15 * (fabs(q[0]) + first)) return first_harmonic(q, out);
    for (int k = 0; k < SAMPLES; k++) {
        double t = 2.0 * pi * (double)k / (double)SAMPLES, value = fabs(harmonic(q, t));
        if (value <= most) continue;
        most = value;
        shift = t - pi;
    }
    double cs = cos(shift), sn = sin(shift), c2 = cs * cs - sn * sn, s2 = 2.0 * sn * cs;
    double a1 = q[1] * cs + q[2] * sn, b1 = q[2] * cs - q[1] * sn;
    double a2 = q[3] * c2 + q[4] * s2, b2 = q[4] * c2 - q[3] * s2;
    c[0] = q[0] + a1 + a2;
    c[1] = 2.0 * b1 + 4.0 * b2;
    c[2] = 2.0 * q[0] - 6.0 * a2;
    c[3] = 2.0 * b1 - 4.0 * b2;
    c[4] = q[0] - a1 + a2;
    double bound = 0.0;
    for (int k = 0; k < 4; k++) bound = fmax(bound, fabs(c[k] / c[4]));
    int count = real_roots(c, 4, 1.0 + bound, u);
    for (int k = 0; k < count; k++) out[k] = shift + 2.0 * atan(u[k]);
    return count;
}

/* Roots of a t^2 + 2 b t + c. */
static int quadratic(double a, double b, double c, double *out) {
    double square = b * b - a * c;
    if (!(square > 0.0)) return 0;
    double q = -(b + copysign(sqrt(square), b));
    out[0] = q / a;
    out[1] = c / q;
    return 2;
}

/* ---- surfaces ------------------------------------------------------------------------------------ */

static int meet_plane(const struct curve *curve, vec3 normal, double offset, double *out) {
    double height = vec3_dot(normal, curve->at) - offset;
    double q[5] = {height, vec3_dot(normal, curve->along), 0.0, 0.0, 0.0};
    if (!curve->round) {
        out[0] = -height / q[1];
        return 1;
    }
    q[2] = vec3_dot(normal, curve->across);
    return first_harmonic(q, out);
}

/* The sphere about x, or the cylinder about the line along the unit vector `axis` through it: the vectors
 * given have no part along the axis. */
static int meet_round(const struct curve *curve, vec3 d, vec3 along, vec3 across, double r,
                      double *out) {
    double c = (vec3_norm(d) - r) * (vec3_norm(d) + r);
    if (!curve->round) return quadratic(vec3_norm2(along), vec3_dot(along, d), c, out);
    double aa = vec3_norm2(along), bb = vec3_norm2(across);
    double q[5] = {c + 0.5 * (aa + bb), 2.0 * vec3_dot(d, along), 2.0 * vec3_dot(d, across),
                   0.5 * (aa - bb), vec3_dot(along, across)};
    return second_harmonic(q, out);
}

/* Whether a circle can meet the cylinder of an edge, from the distance of its centre: the roots cost
 * more. */
static bool circle_meets(const struct curve *circle, const struct feature *edge, double r) {
    vec3 d = vec3_sub(circle->at, edge->tail);
    double radius = vec3_norm(circle->along), height = vec3_dot(d, edge->axis);
    double off = vec3_norm(vec3_add_scaled(d, -height, edge->axis));
    if (height < -radius - slack || height > edge->length + radius + slack) return false;
    return off < r + radius + slack && off > r - radius - slack;
}

static int meet_edge(const struct curve *curve, const struct feature *edge, double r, double *out) {
    double roots[4];
    int kept = 0;
    if (curve->round && !circle_meets(curve, edge, r)) return 0;
    vec3 axis = edge->axis, d = vec3_sub(curve->at, edge->tail);
    int count = meet_round(curve, vec3_tangential(d, axis), vec3_tangential(curve->along, axis),
                           vec3_tangential(curve->across, axis), r, roots);
    for (int k = 0; k < count; k++) {
        double height = vec3_dot(axis, vec3_sub(curve_point(curve, roots[k]), edge->tail));
        if (height > -slack && height < edge->length + slack) out[kept++] = roots[k];
    }
    return kept;
}

static int meet_face(const struct curve *curve, const struct convex *part, int32_t index,
                     double *out) {
    double roots[2];
    const struct convex_face *face = &part->faces[index];
    int kept = 0, count = meet_plane(curve, face->normal, face->offset + part->rounding, roots);
    for (int k = 0; k < count; k++)
        if (isfinite(roots[k]) &&
            union_face_covers(part, index, curve_point(curve, roots[k]), slack))
            out[kept++] = roots[k];
    return kept;
}

/* Roots on a feature; returns how many, at most four. */
static int meet_feature(const struct curve *curve, const struct convex *part,
                        const struct feature *feature, double *out) {
    if (feature->kind == FEATURE_FACE) return meet_face(curve, part, feature->index, out);
    if (feature->kind == FEATURE_EDGE) return meet_edge(curve, feature, part->rounding, out);
    return meet_round(curve, vec3_sub(curve->at, feature->centre), curve->along, curve->across,
                      part->rounding, out);
}

/* ---- covering ------------------------------------------------------------------------------------ */

static void add_stretch(struct cover *cover, double from, double to, int32_t from_surface,
                        int32_t to_surface) {
    cover->stretches[cover->count++] = (struct stretch){from, to, from_surface, to_surface};
}

/* An arc of a circle, of less than a turn. */
static void add_arc(struct cover *cover, double from, double to, int32_t surface) {
    double turn = 2.0 * pi, shift = turn * floor(from / turn);
    from -= shift;
    to -= shift;
    if (to <= turn) {
        add_stretch(cover, from, to, surface, surface);
    } else {
        add_stretch(cover, from, turn, surface, -1);
        add_stretch(cover, 0.0, to - turn, -1, surface);
    }
}

/* Where a0 + a1 cos t + b1 sin t > 0. */
static void add_harmonic(struct cover *cover, const double q[5], int32_t surface) {
    double roots[2], amplitude = hypot(q[1], q[2]);
    if (q[0] >= amplitude)
        add_stretch(cover, 0.0, 2.0 * pi, -1, -1);
    else if (first_harmonic(q, roots) == 2)
        add_arc(cover, roots[0], roots[1], surface);
}

void cover_by_plane(struct cover *cover, const struct curve *circle, vec3 normal, double offset,
                    int32_t surface) {
    double q[5] = {vec3_dot(normal, circle->at) - offset, vec3_dot(normal, circle->along),
                   vec3_dot(normal, circle->across), 0.0, 0.0};
    add_harmonic(cover, q, surface);
}

static void cover_by_ball(struct cover *cover, const struct curve *circle, vec3 centre, double r,
                          int32_t surface) {
    vec3 d = vec3_sub(circle->at, centre);
    double q[5] = {r * r - vec3_norm2(d) - vec3_norm2(circle->along),
                   -2.0 * vec3_dot(d, circle->along), -2.0 * vec3_dot(d, circle->across), 0.0, 0.0};
    add_harmonic(cover, q, surface);
}

static bool may_meet(const struct curve *curve, vec3 centre, double radius) {
    double half = 0.5 * (curve->to - curve->from);
    vec3 middle = curve->round ? curve->at : curve_point(curve, curve->from + half);
    double reach = radius + (curve->round ? vec3_norm(curve->along) : half) + slack;
    return vec3_norm2(vec3_sub(middle, centre)) <= reach * reach;
}

static int crossing_order(const void *a, const void *b) {
    const struct crossing *x = a, *y = b;
    if (x->t != y->t) return x->t > y->t ? 1 : -1;
    return (x->surface > y->surface) - (x->surface < y->surface);
}

/* Crossings in one place get one number, the lowest. */
static void name_runs(struct crossing *crossings, int32_t count) {
    for (int32_t first = 0, last = 0; first < count; first = last) {
        int32_t lowest = crossings[first].surface;
        for (last = first + 1; last < count; last++) {
            if (crossings[last].t - crossings[last - 1].t > alike) break;
            if (crossings[last].surface < lowest) lowest = crossings[last].surface;
        }
        for (int32_t k = first; k < last; k++) crossings[k].surface = lowest;
    }
}

static int32_t find_crossings(struct cover *cover, const struct curve *curve,
                              const struct convex *part, const struct feature *features,
                              int32_t count, int32_t surface) {
    int32_t found = 0;
    for (int32_t k = 0; k < count; k++) {
        double roots[4];
        if (!may_meet(curve, features[k].centre, features[k].radius)) continue;
        int n = meet_feature(curve, part, &features[k], roots);
        for (int i = 0; i < n; i++) {
            double t = roots[i];
            if (curve->round) t -= 2.0 * pi * floor(t / (2.0 * pi));
            if (t > curve->from && t < curve->to)
                cover->crossings[found++] = (struct crossing){t, surface + k};
        }
    }
    if (found < 2) return found;
    qsort(cover->crossings, (size_t)found, sizeof *cover->crossings, crossing_order);
    name_runs(cover->crossings, found);
    return found;
}

static bool is_inside(const struct convex *hull, const struct curve *curve, double t) {
    return union_core_gap(hull, curve_point(curve, t), hull->rounding, NULL) <= hull->rounding;
}

/* Roots need not be on the surface, so every stretch between two of them is looked at. */
static void cover_between(struct cover *cover, const struct curve *curve, const struct convex *hull,
                          int32_t found) {
    struct crossing last = {curve->from, -1};
    bool was_inside = false;
    for (int32_t k = 0; k <= found; k++) {
        struct crossing next = k < found ? cover->crossings[k] : (struct crossing){curve->to, -1};
        if (next.t - last.t < nothing) continue;
        bool inside = is_inside(hull, curve, 0.5 * (last.t + next.t));
        if (inside && was_inside) {
            cover->stretches[cover->count - 1].to = next.t;
            cover->stretches[cover->count - 1].to_surface = next.surface;
        } else if (inside) {
            add_stretch(cover, last.t, next.t, last.surface, next.surface);
        }
        was_inside = inside;
        last = next;
    }
}

bool cover_by_part(struct cover *cover, const struct curve *curve, const struct union_part *part,
                   const struct feature *features, int32_t count, int32_t surface) {
    const struct convex *hull = &part->hull;
    int32_t before = cover->count;
    if (!may_meet(curve, part->centre, part->radius)) return false;
    if (curve->round && hull->vertex_count == 1) {
        cover_by_ball(cover, curve, hull->vertices[0], hull->rounding, surface);
    } else {
        int32_t found = find_crossings(cover, curve, hull, features, count, surface);
        cover_between(cover, curve, hull, found);
    }
    const struct stretch *last = &cover->stretches[cover->count - 1];
    return cover->count > before && last->from <= curve->from && last->to >= curve->to;
}

static int stretch_order(const void *a, const void *b) {
    const struct stretch *x = a, *y = b;
    if (x->from != y->from) return x->from > y->from ? 1 : -1;
    return (x->from_surface > y->from_surface) - (x->from_surface < y->from_surface);
}

int32_t cover_gaps(struct cover *cover, const struct curve *curve) {
    struct stretch *out = cover->gaps;
    int32_t count = 0, surface = -1;
    double end = curve->from;
    if (cover->count > 1)
        qsort(cover->stretches, (size_t)cover->count, sizeof *cover->stretches, stretch_order);
    for (int32_t k = 0; k < cover->count; k++) {
        const struct stretch *s = &cover->stretches[k];
        if (s->from > end + nothing) {
            int32_t next = s->from_surface;
            for (int32_t i = k + 1; i < cover->count && cover->stretches[i].from < s->from + alike;
                 i++)
                if (cover->stretches[i].from_surface < next)
                    next = cover->stretches[i].from_surface;
            out[count++] = (struct stretch){end, fmin(s->from, curve->to), surface, next};
        }
        if (s->to > end + alike)
            surface = s->to_surface;
        else if (s->to > end - alike && s->to_surface < surface)
            surface = s->to_surface;
        end = fmax(end, s->to);
    }
    if (curve->to > end + nothing) out[count++] = (struct stretch){end, curve->to, surface, -1};
    return count;
}
